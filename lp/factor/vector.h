/* lp/factor/vector: a dense array with the list of its nonzeros, the working vector of the
 * simplex. An entry that is not in the list is exactly 0. A listed entry may be tiny: a cancelled
 * entry is kept as LP_VECTOR_TINY so that it is listed only once. */
#ifndef LP_VECTOR_H
#define LP_VECTOR_H

#include <stdbool.h>

#define LP_VECTOR_TINY 1e-100 /* stands for a listed entry that has cancelled */
#define LP_VECTOR_DROP 1e-14  /* results below are taken as 0 */

typedef struct lp_vector {
    int size;
    int count;     /* listed entries; -1: too dense to keep a list */
    int *index;    /* extent size */
    double *value; /* extent size */
} lp_vector;

/* Makes an all-zero vector of the given size (extent may be 0). */
void lp_vector_init(lp_vector *v, int size);
void lp_vector_free(lp_vector *v);
/* Sets all entries to zero. O(count), or O(size) without a list. */
void lp_vector_clear(lp_vector *v);
/* Copies from to `to`, which has the same size. */
void lp_vector_copy(lp_vector *to, const lp_vector *from);
/* Makes the list from the values and drops entries below LP_VECTOR_DROP. O(count), or O(size)
 * without a list. */
void lp_vector_pack(lp_vector *v);

/* Returns the square of the Euclidean norm of a vector with a list. O(count) */
static inline double lp_vector_square(const lp_vector *v)
{
    double sum = 0.0;
    for (int k = 0; k < v->count; k++)
        sum += v->value[v->index[k]] * v->value[v->index[k]];
    return sum;
}

/* v_i += a; the list is kept. */
static inline void lp_vector_add(lp_vector *v, int i, double a)
{
    double old = v->value[i], sum = old + a;
    if (v->count >= 0 && old == 0.0)
        v->index[v->count++] = i;
    v->value[i] = sum > LP_VECTOR_TINY || sum < -LP_VECTOR_TINY ? sum : LP_VECTOR_TINY;
}

#endif
