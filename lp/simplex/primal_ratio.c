/* Ratio tests of the primal simplex. */
#include <math.h>
#include <stdlib.h>

#include "lp/simplex/primal.h"

#define LONG_STEP 1e3

static void leave(lp_solver *s, lp_primal_state *l, int p, bool to_upper, double step)
{
    l->pivot.row = p;
    l->pivot.leaving = s->head[p];
    l->pivot.to_upper = to_upper;
    l->pivot.alpha_column = s->column.value[p];
    l->step = step > 0.0 ? step : 0.0;
}

/* Returns the longest step within the loosened bounds. */
static double longest_step(const lp_solver *s, const lp_primal_state *l)
{
    const lp_vector *column = &s->column;
    double limit = INFINITY, tolerance = s->primal_tolerance;
    for (int k = 0; k < column->count; k++) {
        int p = column->index[k];
        double rate = -l->direction * column->value[p];
        if (rate > l->rate_zero)
            limit = fmin(limit, (s->ub[p] - s->xb[p] + tolerance) / rate);
        else if (rate < -l->rate_zero)
            limit = fmin(limit, (s->lb[p] - s->xb[p] - tolerance) / rate);
    }
    return limit;
}

static void ratio_test_2(lp_solver *s, lp_primal_state *l)
{
    const lp_vector *column = &s->column;
    double limit = longest_step(s, l);
    const double moves = LP_RATE_ZERO * LONG_STEP; /* largest move at a rate that counts as zero */
    if (limit > moves / lp_max(l->rate_zero, LP_RATE_ZERO) && limit < INFINITY) {
        l->rate_zero = lp_max(LP_RATE_TINY, fmin(l->rate_zero, moves / limit));
        limit = longest_step(s, l);
    }
    int best = -1;
    double best_rate = 0.0, best_step = INFINITY;
    for (int k = 0; k < column->count && limit < INFINITY; k++) {
        int p = column->index[k];
        double rate = -l->direction * column->value[p], step;
        if (rate > l->rate_zero)
            step = (s->ub[p] - s->xb[p]) / rate;
        else if (rate < -l->rate_zero)
            step = (s->lb[p] - s->xb[p]) / rate;
        else
            continue;
        if (step <= limit && fabs(rate) > fabs(best_rate)) {
            best = p;
            best_rate = rate;
            best_step = step;
        }
    }
    double range = s->up[l->pivot.entering] - s->lo[l->pivot.entering];
    if (range <= lp_max(best_step, 0.0) && range < INFINITY) {
        l->pivot.row = -1;
        l->step = range;
    } else if (best >= 0) {
        leave(s, l, best, best_rate > 0.0, best_step);
    } else {
        l->pivot.row = -1;
        l->unlimited = true;
    }
}

static int by_step(const void *a, const void *b)
{
    const lp_breakpoint *x = a, *y = b;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return (x->position > y->position) - (x->position < y->position);
}

/* Collects all breakpoints ahead with their slopes and returns their number. A bound that is
 * passed already counts as met. */
static int collect_breakpoints(lp_solver *s, lp_primal_state *l)
{
    const lp_vector *column = &s->column;
    int count = 0;
    for (int k = 0; k < column->count; k++) {
        int p = column->index[k];
        double rate = -l->direction * column->value[p], speed = fabs(rate);
        if (speed <= l->rate_zero)
            continue;
        /* distances to the first bound on the way and to the second */
        double near = rate > 0.0 ? s->lb[p] - s->xb[p] : s->xb[p] - s->ub[p];
        double far = rate > 0.0 ? s->ub[p] - s->xb[p] : s->xb[p] - s->lb[p];
        int behind = rate > 0.0 ? -1 : 1; /* phase 1 cost before the first bound */
        if (l->cost[p] == behind)
            l->breakpoint[count++] = (lp_breakpoint){near / speed, speed, p, rate < 0.0};
        if (l->cost[p] != -behind && far < INFINITY)
            l->breakpoint[count++] = (lp_breakpoint){far / speed, speed, p, rate > 0.0};
    }
    return count;
}

static void ratio_test_1(lp_solver *s, lp_primal_state *l)
{
    int count = collect_breakpoints(s, l), last = -1;
    lp_breakpoint *b = l->breakpoint;
    qsort(b, (size_t)count, sizeof *b, by_step);
    const int q = l->pivot.entering;
    double slope = -fabs(s->d[q]), range = s->up[q] - s->lo[q];
    double largest = 0.0;
    for (int k = 0; k < count && slope < 0.0 && b[k].step < range; k++) {
        slope += b[k].rate;
        largest = lp_max(largest, b[k].rate);
        last = k;
    }
    if (slope < 0.0 && range < INFINITY) {
        l->pivot.row = -1;
        l->step = range;
        return;
    }
    if (last < 0) {
        l->pivot.row = -1;
        l->unlimited = true;
        return;
    }
    /* take the last breakpoint with a large enough pivot */
    int best = last;
    while (best > 0 && b[best].rate < 0.1 * largest)
        best--;
    leave(s, l, b[best].position, b[best].to_upper, b[best].step);
}

void lp_primal_ratio_test(lp_solver *s, lp_primal_state *l)
{
    l->unlimited = false;
    const bool doubtful = l->phase == 2 && l->is_doubtful[l->pivot.entering];
    if (l->rate_zero >= LP_RATE_ZERO) /* else a smaller threshold is being tried */
        l->rate_zero = doubtful ? LP_RATE_DOUBTFUL : LP_RATE_ZERO;
    if (l->phase == 1)
        ratio_test_1(s, l);
    else
        ratio_test_2(s, l);
    s->work += 2.0 * s->column.count;
}
