/* Triangular solves: by graph search where the result is sparse, by a loop over the
 * nontrivial pivots where it is not. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "lp/factor_internal.h"

void lp_triangle_init(lp_triangle *t, int rows)
{
    *t = (lp_triangle){0};
    t->span = base_calloc((size_t)rows + 1, sizeof *t->span);
}

void lp_triangle_free(lp_triangle *t)
{
    base_free(t->span);
    base_free(t->index);
    base_free(t->value);
    *t = (lp_triangle){0};
}

void lp_triangle_reserve(lp_triangle *t, int extra)
{
    assert(extra >= 0);
    if (extra <= t->capacity - t->used)
        return;
    long want = (long)t->used + extra + t->capacity / 2 + 64;
    t->capacity = want > 2000000000L ? 2000000000 : (int)want;
    t->index = base_realloc(t->index, (size_t)t->capacity, sizeof *t->index);
    t->value = base_realloc(t->value, (size_t)t->capacity, sizeof *t->value);
}

void lp_pivot_list_push(lp_pivot_list *l, int pivot)
{
    if (l->count == l->capacity) {
        l->capacity = l->capacity + l->capacity / 2 + 64;
        l->pivot = base_realloc(l->pivot, (size_t)l->capacity, sizeof *l->pivot);
    }
    l->pivot[l->count++] = pivot;
}

void lp_triangle_partition(lp_triangle *t, int rows, const char *leaf)
{
    for (int p = 0; p < rows; p++) {
        int low = t->span[p].begin, high = t->span[p].end;
        while (low < high) {
            int i = t->index[low];
            if (!leaf[i]) {
                low++;
                continue;
            }
            double v = t->value[low];
            t->index[low] = t->index[--high];
            t->value[low] = t->value[high];
            t->index[high] = i;
            t->value[high] = v;
        }
        t->span[p].leaf = low;
    }
}

/* Depth-first search from s over unmarked pivots that are no leaves; writes finished ones
 * downwards from list[top] and returns the new top. */
static int search(lp_factor *f, const lp_triangle *t, int s, int top)
{
    const lp_span *span = t->span;
    const int *index = t->index;
    char *mark = f->mark;
    int *list = f->list, *stack = f->stack, *edge = f->edge;
    int depth = 0;
    mark[s] = 1;
    stack[0] = s;
    edge[0] = span[s].begin;
    while (depth >= 0) {
        int e = edge[depth], last = span[stack[depth]].leaf;
        while (e < last) {
            int i = index[e++];
            if (mark[i])
                continue;
            mark[i] = 1;
            if (span[i].begin == span[i].leaf) {
                list[--top] = i;
                continue;
            }
            edge[depth] = e;
            stack[++depth] = i;
            e = span[i].begin;
            last = span[i].leaf;
        }
        list[--top] = stack[depth--];
    }
    return top;
}

/* x_i -= v * t for the leaves of a pivot, which get into the list. */
static inline void scatter_leaves(const lp_triangle *t, lp_span span, double v, lp_vector *x)
{
    for (int e = span.leaf; e < span.end; e++) {
        int i = t->index[e];
        double old = x->value[i], sum = old - v * t->value[e];
        if (old == 0.0)
            x->index[x->count++] = i;
        x->value[i] = sum == 0.0 ? LP_VECTOR_TINY : sum;
    }
}

double lp_triangle_solve_sparse(lp_factor *f, const lp_triangle *t, const double *pivot,
                                bool leaves, lp_vector *x)
{
    assert(x->count >= 0);
    const int rows = f->rows;
    const lp_span *span = t->span;
    double *value = x->value;
    int *list = f->list, top = rows, kept = 0;
    for (int k = 0; k < x->count; k++) {
        int i = x->index[k];
        if (f->mark[i])
            continue;
        if (span[i].begin < span[i].end || (pivot && pivot[i] != 1.0)) {
            top = search(f, t, i, top);
        } else { /* nothing to do: it stays in the list */
            f->mark[i] = 1;
            x->index[kept++] = i;
        }
    }
    x->count = kept;
    for (int k = 0; k < kept; k++)
        f->mark[x->index[k]] = 0;
    double touched = 2.0 * (rows - top) + kept;
    for (int k = top; k < rows; k++) {
        int p = list[k];
        f->mark[p] = 0;
        double v = value[p];
        if (v > -LP_VECTOR_DROP && v < LP_VECTOR_DROP) {
            value[p] = 0.0;
            continue;
        }
        if (pivot)
            value[p] = v /= pivot[p];
        x->index[x->count++] = p;
        lp_span entries = span[p];
        for (int e = entries.begin; e < entries.leaf; e++)
            value[t->index[e]] -= v * t->value[e];
        if (leaves)
            scatter_leaves(t, entries, v, x);
        touched += 2.0 * (entries.leaf - entries.begin);
        if (leaves)
            touched += entries.end - entries.leaf;
    }
    return touched;
}

/* One pivot of the loop; keeps the list. */
static inline int solve_listed(const lp_triangle *t, const double *pivot, bool leaves, int p,
                               lp_vector *x)
{
    double *value = x->value, v = value[p];
    if (v == 0.0)
        return 0;
    if (v > -LP_VECTOR_DROP && v < LP_VECTOR_DROP) {
        value[p] = LP_VECTOR_TINY;
        return 0;
    }
    if (pivot)
        value[p] = v /= pivot[p];
    lp_span span = t->span[p];
    int end = leaves ? span.end : span.leaf;
    for (int e = span.begin; e < end; e++) {
        int i = t->index[e];
        double old = value[i], sum = old - v * t->value[e];
        if (old == 0.0)
            x->index[x->count++] = i;
        value[i] = sum == 0.0 ? LP_VECTOR_TINY : sum;
    }
    return end - span.begin;
}

static inline int solve_unlisted(const lp_triangle *t, const double *pivot, bool leaves, int p,
                                 double *value)
{
    double v = value[p];
    if (v > -LP_VECTOR_DROP && v < LP_VECTOR_DROP) {
        value[p] = 0.0;
        return 0;
    }
    if (pivot)
        value[p] = v /= pivot[p];
    lp_span span = t->span[p];
    int end = leaves ? span.end : span.leaf;
    for (int e = span.begin; e < end; e++)
        value[t->index[e]] -= v * t->value[e];
    return end - span.begin;
}

double lp_triangle_solve_loop(const lp_triangle *t, const double *pivot, bool leaves,
                              const int *order, int from, int count, int step, lp_vector *x)
{
    double touched = count;
    int k = from, left = count;
    for (; left > 0 && x->count >= 0; left--, k += step) {
        int p = order[k];
        if (p < 0)
            continue;
        touched += solve_listed(t, pivot, leaves, p, x);
        if (x->count > x->size / 4)
            x->count = -1;
    }
    for (; left > 0; left--, k += step) {
        int p = order[k];
        if (p >= 0)
            touched += solve_unlisted(t, pivot, leaves, p, x->value);
    }
    return touched;
}

double lp_triangle_solve_trivial(const lp_triangle *t, const int *place, int trivial, lp_vector *x)
{
    assert(x->count >= 0);
    double touched = x->count;
    for (int k = 0, listed = x->count; k < listed; k++)
        if (place[x->index[k]] < trivial)
            touched += solve_listed(t, NULL, true, x->index[k], x);
    return touched;
}
