/* Multipliers for which the reduced costs of free columns are exactly zero: not these themselves,
 * but how far they are at most from the ones given. */
#include <math.h>

#include "lp/factor/factor.h"
#include "lp/factor/rational_lu.h"
#include "lp/safe/safe_repair.h"

#define THRESHOLD 0.1 /* relative pivot tolerance */
#define WORK 3e6      /* in rational arithmetic: about a second */

typedef struct correction {
    const lp_model *m;
    const double *cost, *y;
    int *head; /* extent rows: free columns, and cols + r for rows that keep their multiplier */
    mpq_t *n;  /* extent rows: the exact shift of y */
    mpq_t d, a, b;
} correction;

static bool is_free(const lp_model *m, const double *lower, const double *upper, int j)
{
    return isinf(lower[j]) && isinf(upper[j]) && m->start[j] < m->start[j + 1];
}

/* c->d := the exact reduced cost of column j by y, and n if it is there. */
static void exact_reduced_cost(correction *c, int j)
{
    const lp_model *m = c->m;
    mpq_set_d(c->d, c->cost ? c->cost[j] : 0.0);
    for (int k = m->start[j]; k < m->start[j + 1]; k++) {
        const int r = m->index[k];
        mpq_set_d(c->b, c->y[r]);
        if (c->n)
            mpq_add(c->b, c->b, c->n[r]);
        mpq_set_d(c->a, m->value[k]);
        mpq_mul(c->a, c->a, c->b);
        mpq_sub(c->d, c->d, c->a);
    }
}

/* A regular matrix of the free columns and unit vectors, those of the rows that had better not move
 * among them. */
static void choose_head(correction *c, const double *lower, const double *upper)
{
    const lp_model *m = c->m;
    int count = 0;
    for (int j = 0; j < m->cols && count < m->rows; j++)
        if (is_free(m, lower, upper, j))
            c->head[count++] = j;
    for (int r = 0; r < m->rows && count < m->rows; r++)
        if (m->row_lower[r] != m->row_upper[r] && c->y[r] == 0.0)
            c->head[count++] = m->cols + r;
    lp_factor_free(lp_dual_factors(m, c->head, count));
}

static rational_lu *factorise(const correction *c)
{
    const lp_model *m = c->m;
    rational_budget budget = {NULL, WORK};
    int entries = m->rows, *start = base_malloc((size_t)m->rows + 1, sizeof *start);
    for (int p = 0; p < m->rows; p++)
        if (c->head[p] < m->cols)
            entries += m->start[c->head[p] + 1] - m->start[c->head[p]];
    int *row = base_malloc((size_t)entries + 1, sizeof *row);
    double *value = base_malloc((size_t)entries + 1, sizeof *value);
    entries = 0;
    for (int p = 0; p < m->rows; p++) {
        const int j = c->head[p];
        start[p] = entries;
        if (j >= m->cols) {
            row[entries] = j - m->cols;
            value[entries++] = 1.0;
            continue;
        }
        for (int k = m->start[j]; k < m->start[j + 1]; k++) {
            row[entries] = m->index[k];
            value[entries++] = m->value[k];
        }
    }
    start[m->rows] = entries;
    rational_lu *lu = rational_lu_create(m->rows, start, row, value, &budget);
    base_free(start);
    base_free(row);
    base_free(value);
    return lu;
}

static bool is_regular(const rational_lu *lu, int n)
{
    int *both = base_malloc(2 * (size_t)n + 1, sizeof *both);
    const bool regular = rational_lu_deficiency(lu, both, both + n) == 0;
    base_free(both);
    return regular;
}

/* The exact shift; false: none. */
static bool find_shift(correction *c)
{
    const lp_model *m = c->m;
    rational_lu *lu = factorise(c);
    const bool found = lu && is_regular(lu, m->rows);
    if (found) {
        mpq_t *n = rational_vector_create(m->rows);
        for (int p = 0; p < m->rows; p++)
            if (c->head[p] < m->cols) {
                exact_reduced_cost(c, c->head[p]);
                mpq_set(n[p], c->d);
            }
        rational_lu_solve_transposed(lu, n);
        c->n = n;
    }
    rational_lu_free(lu);
    return found;
}

/* At least the size of the value. */
static double size_above(const mpq_t value)
{
    return mpq_sgn(value) == 0 ? 0.0 : nextafter(fabs(mpq_get_d(value)), LP_INFINITY);
}

bool lp_dual_free_columns(const lp_model *m, const double *lower, const double *upper,
                          const double *cost, const double *y, double *reach, bool *zero)
{
    correction c = {.m = m, .cost = cost, .y = y};
    int columns = 0;
    for (int j = 0; j < m->cols; j++)
        columns += is_free(m, lower, upper, j);
    if (columns == 0 || columns > m->rows)
        return false;
    mpq_inits(c.d, c.a, c.b, NULL);
    c.head = base_malloc((size_t)m->rows + 1, sizeof *c.head);
    choose_head(&c, lower, upper);
    const bool found = find_shift(&c);
    for (int r = 0; found && r < m->rows; r++)
        reach[r] = size_above(c.n[r]);
    for (int j = 0; found && j < m->cols; j++) {
        zero[j] = is_free(m, lower, upper, j);
        if (zero[j]) {
            exact_reduced_cost(&c, j);
            zero[j] = mpq_sgn(c.d) == 0;
        }
    }
    rational_vector_clear(c.n, m->rows);
    base_free(c.head);
    mpq_clears(c.d, c.a, c.b, NULL);
    return found;
}
