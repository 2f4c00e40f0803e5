/* Rows and columns that are multiples of one another: found by hashing their entries,
 * divided by the one of smallest index, then compared. */
#include <stdlib.h>
#include <string.h>

#include "lp/presolve/presolve_internal.h"

#define SAME 1e-15 /* relative difference of entries that are multiples */

/* Rows or columns seen alike: the lists of one direction. */
typedef struct lp_lists {
    int extent;
    const int *first, *next, *index, *length; /* index: of the other direction, per entry */
    const bool *gone;
} lp_lists;

static lp_lists by_rows(const lp_presolve *p)
{
    return (lp_lists){p->rows, p->row_first, p->row_next, p->col, p->row_length, p->row_gone};
}

static lp_lists by_cols(const lp_presolve *p)
{
    return (lp_lists){p->cols, p->col_first, p->col_next, p->row, p->col_length, p->col_gone};
}

typedef struct lp_hashed {
    uint64_t hash;
    int item;
} lp_hashed;

static int compare_hashed(const void *a, const void *b)
{
    const lp_hashed *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

static uint64_t mixed(uint64_t x)
{
    base_rng rng = {x};
    return base_rng_next(&rng);
}

/* The same for multiples of one another, nearly always: the quotients are cut to float. */
static uint64_t hash_of(const lp_presolve *p, const lp_lists *l, int item)
{
    int leader = l->first[item];
    for (int e = leader; e >= 0; e = l->next[e])
        if (l->index[e] < l->index[leader])
            leader = e;
    uint64_t hash = (uint64_t)l->length[item];
    for (int e = l->first[item]; e >= 0; e = l->next[e]) {
        float quotient = (float)(p->value[e] / p->value[leader]);
        uint32_t bits;
        memcpy(&bits, &quotient, sizeof bits);
        hash += mixed(((uint64_t)l->index[e] << 32) ^ bits);
    }
    return hash;
}

/* item's entries over leader's when they are multiples, else 0. */
static double factor_of(lp_presolve *p, const lp_lists *l, int leader, int item)
{
    if (l->length[leader] != l->length[item])
        return 0.0;
    lp_presolve_count(p, 2.0 * l->length[leader]);
    for (int e = l->first[leader]; e >= 0; e = l->next[e])
        p->place[l->index[e]] = e;
    double factor = 0.0;
    bool same = true;
    for (int e = l->first[item]; e >= 0 && same; e = l->next[e]) {
        int f = p->place[l->index[e]];
        if (f >= 0 && factor == 0.0)
            factor = p->value[e] / p->value[f];
        same = f >= 0 && fabs(p->value[e] - factor * p->value[f]) <= SAME * fabs(p->value[e]);
    }
    for (int e = l->first[leader]; e >= 0; e = l->next[e])
        p->place[l->index[e]] = -1;
    return same ? factor : 0.0;
}

/* Calls merge(p, leader, item, factor) for multiples. */
static void for_parallel(lp_presolve *p, const lp_lists *l, int shortest,
                         void (*merge)(lp_presolve *, int, int, double))
{
    lp_hashed *list = base_malloc((size_t)l->extent + 1, sizeof *list);
    int count = 0;
    for (int k = 0; k < l->extent; k++)
        if (!l->gone[k] && l->length[k] >= shortest)
            list[count++] = (lp_hashed){hash_of(p, l, k), k};
    lp_presolve_count(p, 2.0 * p->entries_left + count);
    qsort(list, (size_t)count, sizeof *list, compare_hashed);
    int leader = 0;
    for (int k = 1; k < count && !lp_presolve_done(p); k++) {
        if (list[k].hash != list[leader].hash || l->gone[list[leader].item]) {
            leader = k;
            continue;
        }
        double factor = factor_of(p, l, list[leader].item, list[k].item);
        if (factor != 0.0)
            merge(p, list[leader].item, list[k].item, factor);
    }
    base_free(list);
}

/* ---- rows -------------------------------------------------------------------------- */

/* Row s is factor times row r: its sides go to r. */
static void merge_rows(lp_presolve *p, int r, int s, double factor)
{
    double low = (factor > 0.0 ? p->row_lower[s] : p->row_upper[s]) / factor;
    double high = (factor > 0.0 ? p->row_upper[s] : p->row_lower[s]) / factor;
    double lower = p->row_lower[r], upper = p->row_upper[r];
    if (lp_presolve_contradicts(low, upper, 0.0) || lp_presolve_contradicts(lower, high, 0.0)) {
        p->failed = true;
        return;
    }
    lp_record *record = lp_presolve_record(p, LP_PARALLEL_ROW, s, -1);
    record->other = r;
    record->a = factor;
    record->low = low > lower;
    record->high = high < upper;
    if (record->low)
        lower = fmin(low, upper);
    if (record->high)
        upper = fmax(high, lower);
    lp_presolve_remove_row(p, s);
    lp_presolve_set_row_sides(p, r, lower, upper);
}

void lp_presolve_parallel_rows(lp_presolve *p)
{
    lp_lists lists = by_rows(p);
    for_parallel(p, &lists, 2, merge_rows);
}

/* ---- columns ------------------------------------------------------------------------ */

/* Column k is factor times column j, costs too: x_j + factor x_k takes the place of x_j. */
static void merge_equal_cols(lp_presolve *p, int j, int k, double factor)
{
    double l = p->lower[k], u = p->upper[k];
    double lower = p->lower[j] + factor * (factor > 0.0 ? l : u);
    double upper = p->upper[j] + factor * (factor > 0.0 ? u : l);
    bool free_sum = isinf(lower) && isinf(upper);
    bool free_both = isinf(l) && isinf(u) && isinf(p->lower[j]) && isinf(p->upper[j]);
    if (free_sum && !free_both) /* which of the two is nonbasic would not be clear */
        return;
    lp_record *record = lp_presolve_record(p, LP_PARALLEL_COL, -1, k);
    record->other = j;
    record->a = factor;
    record->lower = l;
    record->upper = u;
    record->other_lower = p->lower[j];
    record->other_upper = p->upper[j];
    p->lower[j] = lower;
    p->upper[j] = upper;
    lp_presolve_remove_col(p, k);
    lp_presolve_touch_col(p, j);
}

/* d_k = factor d_j + difference: column k is fixed where d_j has a sign that helps. */
static void merge_cols(lp_presolve *p, int j, int k, double factor)
{
    double difference = p->cost[k] - factor * p->cost[j];
    double size = fabs(p->cost[k]) + fabs(factor * p->cost[j]);
    if (fabs(difference) <= SAME * size) {
        merge_equal_cols(p, j, k, factor);
        return;
    }
    bool not_negative = p->upper[j] == LP_INFINITY, not_positive = p->lower[j] == -LP_INFINITY;
    bool rises = factor > 0.0 ? not_negative : not_positive; /* factor d_j >= 0 */
    bool falls = factor > 0.0 ? not_positive : not_negative;
    if (!(difference > 0.0 ? rises : falls))
        return;
    double bound = difference > 0.0 ? p->lower[k] : p->upper[k];
    if (isinf(bound))
        p->failed = true;
    else
        lp_presolve_fix(p, k, bound);
}

void lp_presolve_parallel_cols(lp_presolve *p)
{
    lp_lists lists = by_cols(p);
    for_parallel(p, &lists, 1, merge_cols);
}
