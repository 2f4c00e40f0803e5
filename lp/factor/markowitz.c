/* The kernel of a basis: Markowitz ordering with threshold pivoting on the part without
 * singletons (Suhl and Suhl, ORSA J. Computing 2 (1990)). */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "lp/factor/factor_internal.h"

#define PIVOT_ABSOLUTE 1e-10 /* smaller elements are no pivots */
#define SEARCH_LIMIT 4       /* columns and rows searched beyond the first candidate */

void lp_triplets_push(lp_triplets *t, int row, int slot, double value)
{
    t->item = base_grow(t->item, t->count, &t->capacity, sizeof *t->item);
    t->item[t->count++] = (lp_triplet){row, slot, value};
}

/* ---- lists of equal count ------------------------------------------------- */

void lp_link(lp_links *l, int count, int i)
{
    int first = l->head[count];
    l->next[i] = first;
    l->prev[i] = -count - 1; /* the first element refers to the head of its list */
    if (first >= 0)
        l->prev[first] = i;
    l->head[count] = i;
}

static void link_out(lp_links *l, int i)
{
    *(l->prev[i] >= 0 ? &l->next[l->prev[i]] : &l->head[-l->prev[i] - 1]) = l->next[i];
    if (l->next[i] >= 0)
        l->prev[l->next[i]] = l->prev[i];
}

static void relink(lp_links *l, int count, int i)
{
    link_out(l, i);
    lp_link(l, count, i);
}

/* ---- entries -------------------------------------------------------------- */

static void row_remove(lp_kernel *k, int i, int j)
{
    int e = k->row_begin[i], last = e + --k->row_count[i];
    while (k->row_index[e] != j)
        e++;
    assert(e <= last);
    k->row_index[e] = k->row_index[last];
}

/* Moves column j to the end of the pool if it has no room for extra entries. */
static void col_make_room(lp_kernel *k, int j, int extra)
{
    int want = k->col_count[j] + extra;
    if (want <= k->col_space[j])
        return;
    int space = want + want / 2 + 4;
    if (space > k->col_capacity - k->col_used) {
        k->col_capacity += k->col_capacity / 2 + space;
        k->col_index = base_realloc(k->col_index, (size_t)k->col_capacity, sizeof(int));
        k->col_value = base_realloc(k->col_value, (size_t)k->col_capacity, sizeof(double));
    }
    size_t count = (size_t)k->col_count[j];
    memcpy(k->col_index + k->col_used, k->col_index + k->col_begin[j], count * sizeof(int));
    memcpy(k->col_value + k->col_used, k->col_value + k->col_begin[j], count * sizeof(double));
    k->col_begin[j] = k->col_used;
    k->col_space[j] = space;
    k->col_used += space;
}

static void row_append(lp_kernel *k, int i, int j)
{
    if (k->row_count[i] == k->row_space[i]) {
        int space = k->row_count[i] + k->row_count[i] / 2 + 4;
        if (space > k->row_capacity - k->row_used) {
            k->row_capacity += k->row_capacity / 2 + space;
            k->row_index = base_realloc(k->row_index, (size_t)k->row_capacity, sizeof(int));
        }
        memcpy(k->row_index + k->row_used, k->row_index + k->row_begin[i],
               (size_t)k->row_count[i] * sizeof(int));
        k->row_begin[i] = k->row_used;
        k->row_space[i] = space;
        k->row_used += space;
    }
    k->row_index[k->row_begin[i] + k->row_count[i]++] = j;
}

static double col_max(lp_kernel *k, int j)
{
    if (k->col_max[j] < 0.0) {
        double max = 0.0;
        for (int e = k->col_begin[j], end = e + k->col_count[j]; e < end; e++)
            max = fmax(max, fabs(k->col_value[e]));
        k->col_max[j] = max;
    }
    return k->col_max[j];
}

/* ---- pivot search --------------------------------------------------------- */

typedef struct candidate {
    int row, col;
    double merit, size;
} candidate;

/* Improves best by the best element of column j, by merit, then size. */
static void search_col(lp_kernel *k, int j, candidate *best)
{
    double limit = fmax(PIVOT_ABSOLUTE, k->threshold * col_max(k, j));
    for (int e = k->col_begin[j], end = e + k->col_count[j]; e < end; e++) {
        double size = fabs(k->col_value[e]);
        if (size < limit)
            continue;
        int i = k->col_index[e];
        double merit = (double)(k->row_count[i] - 1) * (k->col_count[j] - 1);
        if (merit < best->merit || (merit == best->merit && size > best->size))
            *best = (candidate){i, j, merit, size};
    }
}

static void search_row(lp_kernel *k, int i, candidate *best)
{
    for (int r = k->row_begin[i], end = r + k->row_count[i]; r < end; r++) {
        int j = k->row_index[r];
        double merit = (double)(k->row_count[i] - 1) * (k->col_count[j] - 1);
        if (merit > best->merit)
            continue;
        int e = k->col_begin[j];
        while (k->col_index[e] != i)
            e++;
        double size = fabs(k->col_value[e]);
        if (size < fmax(PIVOT_ABSOLUTE, k->threshold * col_max(k, j)))
            continue;
        if (merit < best->merit || size > best->size)
            *best = (candidate){i, j, merit, size};
    }
}

/* Searches columns and rows by increasing count until no better merit is possible or SEARCH_LIMIT
 * is reached. False if no element is large enough to be a pivot. */
static bool find_pivot(lp_kernel *k, candidate *best, double *work)
{
    *best = (candidate){-1, -1, INFINITY, 0.0};
    int searched = 0;
    for (int count = 1; count < k->heads; count++) {
        double bound = (double)(count - 1) * (count - 1);
        if (best->row >= 0 && best->merit <= bound)
            return true;
        for (int j = k->cols.head[count]; j >= 0; j = k->cols.next[j]) {
            search_col(k, j, best);
            *work += count;
            if (best->row >= 0 && (best->merit <= bound || ++searched >= SEARCH_LIMIT))
                return true;
        }
        bound = (double)count * (count - 1);
        if (best->row >= 0 && best->merit <= bound)
            return true;
        for (int i = k->rows.head[count]; i >= 0; i = k->rows.next[i]) {
            search_row(k, i, best);
            *work += 2.0 * count;
            if (best->row >= 0 && (best->merit <= bound || ++searched >= SEARCH_LIMIT))
                return true;
        }
    }
    return best->row >= 0;
}

/* ---- elimination ---------------------------------------------------------- */

/* Removes the entry of the pivot row from column j and returns it. */
static double remove_entry(lp_kernel *k, int j, int row)
{
    int e = k->col_begin[j], last = e + --k->col_count[j];
    while (k->col_index[e] != row)
        e++;
    assert(e <= last);
    double v = k->col_value[e];
    k->col_index[e] = k->col_index[last];
    k->col_value[e] = k->col_value[last];
    return v;
}

/* column j -= v * pivot column; multiplier[] holds the `count` entries listed in pattern[]. */
static void eliminate_col(lp_kernel *k, int j, double v, int count)
{
    double *multiplier = k->multiplier;
    int begin = k->col_begin[j], end = begin + k->col_count[j], hits = 0;
    k->col_max[j] = -1.0;
    for (int e = begin; e < end; e++) {
        int i = k->col_index[e];
        if (multiplier[i] == 0.0)
            continue;
        double sum = k->col_value[e] - v * multiplier[i];
        k->slot_mark[i] = 1;
        hits++;
        if (fabs(sum) > LP_VECTOR_DROP) {
            k->col_value[e] = sum;
            continue;
        }
        k->col_index[e] = k->col_index[end - 1];
        k->col_value[e--] = k->col_value[--end];
        k->col_count[j]--;
        row_remove(k, i, j);
        relink(&k->rows, k->row_count[i], i);
    }
    if (hits < count) {
        col_make_room(k, j, count - hits);
        int next = k->col_begin[j] + k->col_count[j];
        for (int c = 0; c < count; c++) {
            int i = k->pattern[c];
            if (k->slot_mark[i])
                continue;
            double fill = -v * multiplier[i];
            if (fabs(fill) <= LP_VECTOR_DROP)
                continue;
            k->col_index[next] = i;
            k->col_value[next++] = fill;
            k->col_count[j]++;
            row_append(k, i, j);
            relink(&k->rows, k->row_count[i], i);
        }
    }
    for (int c = 0; c < count; c++)
        k->slot_mark[k->pattern[c]] = 0;
}

/* Pivots on (row, col): stores the column of L and the row of U, and updates the active
 * submatrix. Returns the work. */
static double eliminate(lp_kernel *k, int row, int col)
{
    lp_factor *f = k->factor;
    link_out(&k->cols, col);
    link_out(&k->rows, row);
    double pivot = remove_entry(k, col, row);
    int count = k->col_count[col], begin = k->col_begin[col];
    lp_triangle *l = &f->l_cols;
    int c = lp_factor_add_pivot(f, row, pivot);
    lp_triangle_reserve(l, count);
    l->span[c].begin = l->used;
    for (int e = 0; e < count; e++) {
        int i = k->col_index[begin + e];
        double v = k->col_value[begin + e] / pivot;
        k->pattern[e] = i;
        k->multiplier[i] = v;
        l->index[l->used] = i;
        l->value[l->used++] = v;
        row_remove(k, i, col);
        relink(&k->rows, k->row_count[i], i);
    }
    l->span[c].end = l->used;
    if (count > 0)
        lp_pivot_list_push(&f->l_order, c);
    k->slot_row[col] = row;
    double work = 3.0 * count;
    for (int r = k->row_begin[row], end = r + k->row_count[row]; r < end; r++) {
        int j = k->row_index[r];
        if (j == col)
            continue;
        double v = remove_entry(k, j, row);
        lp_triplets_push(k->u, row, j, v);
        work += count + k->col_count[j] + 2.0;
        if (count > 0)
            eliminate_col(k, j, v, count);
        else
            k->col_max[j] = -1.0;
        relink(&k->cols, k->col_count[j], j);
    }
    for (int e = 0; e < count; e++)
        k->multiplier[k->pattern[e]] = 0.0;
    k->row_count[row] = 0;
    k->col_count[col] = 0;
    return work;
}

double lp_kernel_eliminate(lp_kernel *k, int active)
{
    candidate best;
    double work = 0.0;
    while (active > 0 && find_pivot(k, &best, &work)) {
        work += eliminate(k, best.row, best.col);
        active--;
    }
    return work;
}
