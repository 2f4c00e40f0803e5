/* The simplex in rational arithmetic: variables where they rest, their columns and reduced costs,
 * and the basis with its factors. */
#include <string.h>

#include "lp/exact/rational_internal.h"

/* ---- variables ------------------------------------------------------------------- */

unsigned char rational_rest(const exact *s, int j, unsigned char wanted)
{
    const double lower = rational_lower(s, j), upper = rational_upper(s, j);
    if (lower == upper)
        return LP_FIXED;
    if (isinf(lower) && isinf(upper))
        return LP_FREE;
    if (isinf(lower) || (wanted == LP_AT_UPPER && isfinite(upper)))
        return LP_AT_UPPER;
    return LP_AT_LOWER;
}

double rational_resting_value(const exact *s, int j)
{
    return s->status[j] == LP_FREE       ? 0.0
           : s->status[j] == LP_AT_UPPER ? rational_upper(s, j)
                                         : rational_lower(s, j);
}

void rational_add_column(exact *s, mpq_t *v, int j, const mpq_t factor)
{
    if (j >= s->cols) {
        mpq_sub(v[j - s->cols], v[j - s->cols], factor);
        return;
    }
    for (int e = s->m->start[j]; e < s->m->start[j + 1]; e++) {
        mpq_mul(s->term, s->a[e], factor);
        mpq_add(v[s->m->index[e]], v[s->m->index[e]], s->term);
    }
}

void rational_reduced_cost(exact *s, int j)
{
    if (j >= s->cols) {
        mpq_set(s->d, s->y[j - s->cols]);
        return;
    }
    mpq_set_d(s->d, s->feasible ? s->m->cost[j] : 0.0);
    for (int e = s->m->start[j]; e < s->m->start[j + 1]; e++) {
        const int r = s->m->index[e];
        if (mpq_sgn(s->y[r]) == 0)
            continue;
        mpq_mul(s->term, s->a[e], s->y[r]);
        mpq_sub(s->d, s->d, s->term);
    }
}

/* ---- the basis ------------------------------------------------------------------- */

void rational_take_basis(exact *s, const unsigned char *basis)
{
    int basic = 0;
    for (int j = 0; j < s->vars; j++) {
        const unsigned char wanted = basis ? basis[j] : j < s->cols ? LP_AT_LOWER : LP_BASIC;
        const bool is_basic = wanted == LP_BASIC && basic < s->rows;
        s->status[j] = is_basic ? LP_BASIC : rational_rest(s, j, wanted);
        if (is_basic)
            s->head[basic++] = j;
    }
    for (int j = s->cols; basic < s->rows; j++)
        if (s->status[j] != LP_BASIC) {
            s->status[j] = LP_BASIC;
            s->head[basic++] = j;
        }
}

/* Factors of the basis; false at a limit. */
static bool factorise(exact *s)
{
    const lp_model *m = s->m;
    int entries = 0, *start = base_malloc((size_t)s->rows + 1, sizeof *start);
    for (int p = 0; p < s->rows; p++)
        entries += s->head[p] < s->cols ? m->start[s->head[p] + 1] - m->start[s->head[p]] : 1;
    int *row = base_malloc((size_t)entries + 1, sizeof *row);
    double *value = base_malloc((size_t)entries + 1, sizeof *value);
    entries = 0;
    for (int p = 0; p < s->rows; p++) {
        const int j = s->head[p];
        start[p] = entries;
        if (j >= s->cols) {
            row[entries] = j - s->cols;
            value[entries++] = -1.0;
            continue;
        }
        for (int e = m->start[j]; e < m->start[j + 1]; e++) {
            row[entries] = m->index[e];
            value[entries++] = m->value[e];
        }
    }
    start[s->rows] = entries;
    rational_lu_free(s->lu);
    s->lu = rational_lu_create(s->rows, start, row, value, &s->budget);
    base_free(start);
    base_free(row);
    base_free(value);
    return s->lu != NULL;
}

bool rational_refactor(exact *s)
{
    int *position = base_malloc((size_t)s->rows + 1, sizeof *position);
    int *row = base_malloc((size_t)s->rows + 1, sizeof *row);
    bool done = false, go = factorise(s);
    while (go && !done) {
        const int missing = rational_lu_deficiency(s->lu, position, row);
        for (int k = 0; k < missing; k++) {
            int *j = &s->head[position[k]];
            s->status[*j] = rational_rest(s, *j, LP_AT_LOWER);
            *j = s->cols + row[k];
            s->status[*j] = LP_BASIC;
        }
        done = missing == 0;
        if (!done)
            go = factorise(s);
    }
    base_free(position);
    base_free(row);
    return go;
}
