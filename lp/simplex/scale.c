/* Geometric scaling with powers of two. */
#include <math.h>

#include "lp/simplex/engine.h"

enum { PASSES = 8 };
#define GOOD_LOW 0.2 /* a matrix with entries within these needs no scaling */
#define GOOD_HIGH 5.0
#define UNIT_LOW 9.5367431640625e-07   /* 2^-20 */
#define UNIT_HIGH 1048576.0            /* 2^20 */
#define COST_UNIT_HIGH 1099511627776.0 /* 2^40; the lower limit is its inverse */

static double power_of_two(double x)
{
    int exponent;
    double mantissa = frexp(x, &exponent); /* x = mantissa 2^exponent, mantissa in [1/2, 1) */
    return ldexp(1.0, mantissa > M_SQRT1_2 ? exponent : exponent - 1);
}

static double unit_near(double x)
{
    return fmin(fmax(power_of_two(x), UNIT_LOW), UNIT_HIGH);
}

/* Returns sqrt(largest * smallest) of the entries start[i] .. start[i+1]-1 of a row or column,
 * each times the unit of its column or divided by the unit of its row. */
static double mean_entry(const int *start, int i, const int *index, const double *value,
                         const double *unit, bool divided)
{
    double low = INFINITY, high = 0.0;
    for (int e = start[i]; e < start[i + 1]; e++) {
        const double size = fabs(value[e]), by = unit[index[e]],
                     a = divided ? size / by : size * by;
        low = a < low ? a : low;
        high = a > high ? a : high;
    }
    return high > 0.0 ? sqrt(low * high) : 1.0;
}

static double row_mean(const lp_solver *s, int r)
{
    return mean_entry(s->by_rows.start, r, s->by_rows.col, s->by_rows.value, s->unit, false);
}

static double col_mean(const lp_solver *s, int j)
{
    const lp_model *m = s->model;
    return mean_entry(m->start, j, m->index, m->value, s->unit + s->cols, true);
}

double lp_scale_row(const lp_solver *s, int r)
{
    return s->has_units ? unit_near(row_mean(s, r)) : 1.0;
}

/* Returns the geometric mean of the costs, scaled or not; 1 without any. */
static double mean_cost(const lp_solver *s, bool scaled)
{
    const lp_model *m = s->model;
    double sum = 0.0;
    int count = 0;
    for (int j = 0; j < m->cols; j++) {
        if (m->cost[j] == 0.0)
            continue;
        sum += log(fabs(m->cost[j]) * (scaled ? s->unit[j] : 1.0));
        count++;
    }
    return count > 0 ? exp(sum / count) : 1.0;
}

/* Returns the unit that brings the mean of the costs to about one. Larger costs count as scaled:
 * tolerances and perturbations apply to scaled costs. */
static double cost_unit(const lp_solver *s)
{
    const double mean = mean_cost(s, false);
    const double unit = power_of_two(1.0 / (mean < 1.0 ? mean : mean_cost(s, true)));
    return fmin(fmax(unit, 1.0 / COST_UNIT_HIGH), COST_UNIT_HIGH);
}

static void choose_units(lp_solver *s)
{
    for (int pass = 0; pass < PASSES && base_limits_check(&s->params.limits) == BASE_GO; pass++) {
        for (int r = 0; r < s->rows; r++)
            s->unit[s->cols + r] = row_mean(s, r);
        if (base_limits_check(&s->params.limits) != BASE_GO)
            break;
        for (int j = 0; j < s->cols; j++)
            s->unit[j] = 1.0 / col_mean(s, j);
    }
    for (int j = 0; j < s->vars; j++)
        s->unit[j] = unit_near(s->unit[j]);
}

void lp_scale_all(lp_solver *s)
{
    const lp_model *m = s->model;
    double low = INFINITY, high = 0.0;
    for (int e = 0; e < m->start[m->cols]; e++) {
        low = fmin(low, fabs(m->value[e]));
        high = fmax(high, fabs(m->value[e]));
    }
    for (int j = 0; j < s->vars; j++)
        s->unit[j] = 1.0;
    s->has_units = s->params.scale && high > 0.0 && (low < GOOD_LOW || high > GOOD_HIGH);
    if (s->has_units)
        choose_units(s);
    s->cost_unit = s->params.scale ? cost_unit(s) : 1.0;
}
