/* Finds the unit of a problem's costs, and converts them. */
#include "tests/oracle/amount.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of an amount; what sums of 3 n^2 costs add to that of one. */
enum { AMOUNT_BITS = 120, SUM_BITS = 10 };

/* The exponent of the last bit of x > 0. */
static int last_bit(double x)
{
    int exponent;
    double mantissa = frexp(x, &exponent);
    while (mantissa != floor(mantissa)) {
        mantissa *= 2;
        exponent--;
    }
    return exponent;
}

/* The largest unit (its exponent) that divides all the costs. */
static int common_unit(const double *const cost[COSTS], int n)
{
    int unit = INT_MAX, top = INT_MIN, exponent;
    for (int k = 0; k < COSTS; k++)
        for (int i = 0; i < n; i++)
            if (cost[k][i] > 0) {
                frexp(cost[k][i], &exponent);
                top = exponent > top ? exponent : top;
                unit = last_bit(cost[k][i]) < unit ? last_bit(cost[k][i]) : unit;
            }
    if (unit == INT_MAX)
        return 0;
    if (top - unit + SUM_BITS >= AMOUNT_BITS) {
        fprintf(stderr, "oracle: costs from 2^%d to 2^%d are too far apart\n", unit, top);
        abort();
    }
    return unit;
}

static amount in_units(double x, int unit)
{
    return (amount)floorl(ldexpl((long double)x, -unit));
}

static void convert(const double *const cost[COSTS], int n, int unit,
                    amount to[COSTS][AMOUNT_NODES])
{
    for (int k = 0; k < COSTS; k++)
        for (int i = 0; i < n; i++)
            to[k][i] = in_units(cost[k][i], unit);
}

amounts amounts_of(const problem *p)
{
    const graph *g = p->graph;
    const double *const joules[COSTS] = {g->joules, g->pagein_joules, g->pageout_joules};
    const double *const seconds[COSTS] = {g->seconds, g->pagein_seconds, g->pageout_seconds};
    amounts a = {.joule_unit = common_unit(joules, g->n)};
    convert(joules, g->n, a.joule_unit, a.joules);
    const double slack = problem_slack_seconds(p);
    a.timed = !isinf(slack);
    if (!a.timed)
        return a;
    const int unit = common_unit(seconds, g->n);
    convert(seconds, g->n, unit, a.seconds);
    if (!p->deadline_includes_paging)
        memset(a.seconds[PAGEIN], 0, 2 * sizeof a.seconds[PAGEIN]);
    a.slack = slack < ldexp(1, unit + AMOUNT_BITS - 1) ? in_units(slack, unit)
                                                       : (amount)1 << (AMOUNT_BITS - 1);
    return a;
}

double amount_joules(const amounts *a, amount joules)
{
    return (double)ldexpl((long double)joules, a->joule_unit);
}
