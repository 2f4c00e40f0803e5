/* Triangular solves: a graph search if the result is sparse, else a loop over the nontrivial
 * pivots. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "lp/factor/factor_internal.h"

void lp_triangle_init(lp_triangle *t, int rows)
{
    *t = (lp_triangle){0};
    t->span = base_calloc((size_t)rows + 1, sizeof *t->span);
}

void lp_triangle_free(lp_triangle *t)
{
    base_free_all(t->span, t->index, t->value);
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
    l->pivot = base_grow(l->pivot, l->count, &l->capacity, sizeof *l->pivot);
    l->pivot[l->count++] = pivot;
}

/* Depth-first search from s over unmarked pivots that are no leaves. Writes finished pivots
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

/* x_i -= v * t for the entries begin..end-1; new nonzeros join the list. */
static inline void scatter(const lp_triangle *t, int begin, int end, double v, lp_vector *x)
{
    for (int e = begin; e < end; e++) {
        int i = t->index[e];
        double old = x->value[i], sum = old - v * t->value[e];
        if (old == 0.0)
            x->index[x->count++] = i;
        x->value[i] = sum == 0.0 ? LP_VECTOR_TINY : sum;
    }
}

double lp_triangle_solve_sparse(lp_factor *f, const lp_triangle *t, const double *pivot,
                                lp_vector *x, lp_vector *leaves)
{
    assert(x->count >= 0);
    const int end = f->core;
    const lp_span *span = t->span;
    double *value = x->value;
    int *list = f->list, top = end, kept = 0;
    for (int k = 0; k < x->count; k++) {
        int i = x->index[k];
        if (f->mark[i])
            continue;
        if (span[i].begin < span[i].end || (pivot && pivot[i] != 1.0)) {
            top = search(f, t, i, top);
        } else { /* nothing to do: i stays in the list */
            f->mark[i] = 1;
            x->index[kept++] = i;
        }
    }
    x->count = kept;
    for (int k = 0; k < kept; k++)
        f->mark[x->index[k]] = 0;
    double touched = 2.0 * (end - top) + kept;
    for (int k = top; k < end; k++) {
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
        touched += 2.0 * (entries.leaf - entries.begin);
        if (leaves) {
            scatter(t, entries.leaf, entries.end, v, leaves);
            touched += entries.end - entries.leaf;
        }
    }
    return touched;
}

/* Subtracts the entries of one pivot of the loop and keeps the list of x. Returns the entries
 * touched. */
static inline int subtract_listed(const lp_triangle *t, lp_span span, double v, lp_vector *x,
                                  lp_vector *leaves)
{
    scatter(t, span.begin, span.leaf, v, x);
    if (!leaves)
        return span.leaf - span.begin;
    scatter(t, span.leaf, span.end, v, leaves);
    return span.end - span.begin;
}

/* The same for x without a list. */
static inline int subtract_unlisted(const lp_triangle *t, lp_span span, double v, lp_vector *x,
                                    lp_vector *leaves)
{
    int end = leaves == x ? span.end : span.leaf;
    for (int e = span.begin; e < end; e++)
        x->value[t->index[e]] -= v * t->value[e];
    if (!leaves)
        return span.leaf - span.begin;
    if (leaves != x)
        scatter(t, span.leaf, span.end, v, leaves);
    return span.end - span.begin;
}

double lp_triangle_solve_loop(const lp_triangle *t, const double *pivot, const int *order, int from,
                              int count, int step, lp_vector *x, lp_vector *leaves)
{
    double touched = count, *value = x->value;
    int k = from, left = count;
    for (; left > 0 && x->count >= 0; left--, k += step) {
        int p = order[k];
        double v = p < 0 ? 0.0 : value[p];
        if (v == 0.0)
            continue;
        if (v > -LP_VECTOR_DROP && v < LP_VECTOR_DROP) {
            value[p] = LP_VECTOR_TINY;
            continue;
        }
        if (pivot)
            value[p] = v /= pivot[p];
        touched += subtract_listed(t, t->span[p], v, x, leaves);
        if (x->count > x->size / 4)
            x->count = -1;
    }
    for (; left > 0; left--, k += step) {
        int p = order[k];
        double v = p < 0 ? 0.0 : value[p];
        if (v > -LP_VECTOR_DROP && v < LP_VECTOR_DROP) {
            if (p >= 0)
                value[p] = 0.0;
            continue;
        }
        if (pivot)
            value[p] = v /= pivot[p];
        touched += subtract_unlisted(t, t->span[p], v, x, leaves);
    }
    return touched;
}
