/* Draws the families of models around a point that meets their rows, then repeats, scales and
 * loosens them. */
#include "tests/bnb/mip_sample.h"

#include <stdlib.h>

#include "tests/bnb/models.h"
#include "tests/lp/sample.h"

/* A model being made around a point that meets its rows as a rule. */
typedef struct sketch {
    base_rng rng;
    mip_family family;
    bool dyadic; /* all numbers are multiples of 1/8 */
    lp_model *m;
    double *point; /* extent cols */
} sketch;

const char *mip_family_name(mip_family family)
{
    static const char *const names[MIP_FAMILIES] = {"free",   "whole", "repeated", "huge",
                                                    "scaled", "boxed", "relaxed",  "endless"};
    return names[family];
}

static bool chance(sketch *s, double probability)
{
    return base_rng_double(&s->rng) < probability;
}

static int between(sketch *s, int low, int high)
{
    return low + (int)base_rng_below(&s->rng, (uint64_t)high - (uint64_t)low + 1);
}

/* A nonzero number as the family has them. */
static double number(sketch *s)
{
    const double sign = chance(s, 0.5) ? 1.0 : -1.0;
    if (s->family == MIP_WHOLE || chance(s, 0.3))
        return sign * between(s, 1, 9);
    if (s->dyadic)
        return sign * between(s, 1, 40) / 8.0;
    return sign * between(s, 1, 5000) / 1000.0;
}

/* A size up to 1e12, round or not. */
static double huge_number(sketch *s)
{
    double x = 1.0;
    for (int k = between(s, 3, 12); k > 0; k--)
        x *= 10.0;
    return chance(s, 0.5) ? x : floor(x * base_rng_double(&s->rng));
}

/* Bounds of a column, and a value within them. */
static double draw_bounds(sketch *s, bool integer, double *lower, double *upper)
{
    const bool boxed = s->family == MIP_BOXED;
    const int kind = boxed ? between(s, 0, 1) : between(s, 0, 6);
    *lower = kind == 1 || kind == 3 ? between(s, -6, 3) : 0.0;
    *upper = LP_INFINITY;
    if (kind == 0)
        *upper = between(s, 1, integer && boxed ? 2 : 6);
    else if (kind == 1)
        *upper = *lower + between(s, 0, boxed ? 2 : 9);
    else if (kind == 2)
        *upper = 1.0;
    else if (kind == 5)
        *lower = -LP_INFINITY;
    else if (kind == 6)
        *lower = -LP_INFINITY, *upper = between(s, -3, 6);
    if (s->family == MIP_HUGE && chance(s, 0.4) && isinf(*upper))
        *upper = huge_number(s);
    if (s->family == MIP_HUGE && chance(s, 0.3) && isinf(*lower))
        *lower = -huge_number(s);
    if (!integer && chance(s, 0.3))
        *lower += 0.125;
    if (*upper < *lower)
        *upper = *lower;
    double x = between(s, -8, 8) + (integer ? 0.0 : between(s, 0, 7) / 8.0);
    if (s->family == MIP_HUGE && chance(s, 0.3))
        x = (chance(s, 0.5) ? 1.0 : -1.0) * floor(huge_number(s));
    return fmin(fmax(x, *lower), *upper);
}

/* Sides around the activity at the point. */
static void draw_sides(sketch *s, double at, double *lower, double *upper)
{
    const int kind = between(s, 0, 9);
    const double room = chance(s, 0.4)           ? 0.0
                        : s->family == MIP_WHOLE ? between(s, 0, 9)
                                                 : between(s, 0, 72) / 8.0;
    *lower = kind <= 2 ? -LP_INFINITY : at - room;
    *upper = kind >= 3 && kind <= 5 ? LP_INFINITY : at + room;
    if (kind >= 8)
        *lower = *upper = at;
    if (chance(s, 0.05)) { /* the point may not be one */
        *lower += 0.5;
        *upper += 0.5;
    }
}

/* Appends a row with these entries over all columns (zeros are none) around the point. */
static void add_row(sketch *s, const double *value)
{
    const int cols = s->m->cols, span[2] = {0, cols};
    OWNED(int) *all = base_malloc((size_t)cols + 1, sizeof *all);
    double at = 0.0, low, high;
    for (int j = 0; j < cols; j++) {
        all[j] = j;
        at += value[j] * s->point[j];
    }
    draw_sides(s, at, &low, &high);
    lp_model_add_rows(s->m, 1, &low, &high, span, all, value, NULL);
}

static void draw_row(sketch *s, double *value)
{
    const double density = chance(s, 0.5) ? 0.9 : 0.4;
    for (int j = 0; j < s->m->cols; j++)
        value[j] = chance(s, density) ? number(s) : 0.0;
    if (s->family == MIP_HUGE && chance(s, 0.4))
        value[between(s, 0, s->m->cols - 1)] = huge_number(s);
    if (s->family == MIP_WHOLE && chance(s, 0.3)) {
        const int factor = between(s, 2, 6);
        for (int j = 0; j < s->m->cols; j++)
            value[j] *= factor;
    }
}

/* Costs without a reason; or such that the relaxation is bounded, as far as numbers are exact. */
static void draw_costs(sketch *s)
{
    lp_model *m = s->m;
    OWNED(double) *y = base_calloc((size_t)m->rows + 1, sizeof *y);
    const bool bounded = chance(s, 0.75);
    for (int r = 0; bounded && r < m->rows; r++) {
        const double size = between(s, 0, 4) / 2.0;
        const bool low = m->row_lower[r] > -LP_INFINITY, high = m->row_upper[r] < LP_INFINITY;
        y[r] = low && (!high || chance(s, 0.5)) ? size : high ? -size : 0.0;
    }
    for (int j = 0; j < m->cols; j++) {
        const bool low = m->lower[j] > -LP_INFINITY, high = m->upper[j] < LP_INFINITY;
        double cost = chance(s, 0.2) ? 0.0 : number(s);
        if (bounded) {
            cost = low && high ? cost : low ? fabs(cost) : high ? -fabs(cost) : 0.0;
            for (int k = m->start[j]; k < m->start[j + 1]; k++)
                cost += m->value[k] * y[m->index[k]];
        }
        m->cost[j] = cost;
    }
}

/* Rows that repeat others, times a factor that may not be exact. */
static void repeat_rows(sketch *s, double *value)
{
    for (int k = between(s, 1, 3); k > 0; k--) {
        const lp_model *m = s->m;
        const int r = between(s, 0, m->rows - 1);
        const double factor =
            chance(s, 0.6) ? ldexp(chance(s, 0.5) ? 1.0 : -1.0, between(s, -2, 3)) : number(s);
        for (int j = 0; j < m->cols; j++) {
            value[j] = 0.0;
            for (int e = m->start[j]; e < m->start[j + 1]; e++)
                if (m->index[e] == r)
                    value[j] = factor * m->value[e];
        }
        add_row(s, value);
    }
}

/* x <= big y for a new continuous column and a new switch. */
static void add_switch(sketch *s)
{
    lp_model *m = s->m;
    const double big = huge_number(s), none = -LP_INFINITY, zero = 0.0;
    const int r = between(s, 0, m->rows - 1);
    const double one = 1.0;
    const int x =
        lp_model_add_col(m, fabs(number(s)), 0.0, LP_INFINITY, chance(s, 0.3), 1, &r, &one, NULL);
    const int y = lp_model_add_col(m, fabs(number(s)), 0.0, 1.0, true, 0, NULL, NULL, NULL);
    const int col[2] = {x, y}, span[2] = {0, 2};
    const double value[2] = {1.0, -big};
    lp_model_add_rows(m, 1, &none, &zero, span, col, value, NULL);
}

static double power(sketch *s, int base, int most)
{
    double x = 1.0;
    const int k = between(s, -most, most);
    for (int i = 0; i < abs(k); i++)
        x *= base;
    return k < 0 ? 1.0 / x : x;
}

/* Rows by any factor; columns too, but integer ones keep their unit. */
static void scale(sketch *s)
{
    lp_model *m = s->m;
    const int base = chance(s, 0.6) ? 2 : 10, most = base == 2 ? 20 : 6;
    OWNED(double) *row = base_malloc((size_t)m->rows + 1, sizeof *row);
    for (int r = 0; r < m->rows; r++) {
        row[r] = power(s, base, most);
        m->row_lower[r] *= row[r];
        m->row_upper[r] *= row[r];
    }
    for (int j = 0; j < m->cols; j++) {
        const double factor = m->integer[j] ? 1.0 : power(s, base, most / 2);
        m->cost[j] *= factor;
        m->lower[j] /= factor;
        m->upper[j] /= factor;
        for (int k = m->start[j]; k < m->start[j + 1]; k++)
            m->value[k] *= factor * row[m->index[k]];
    }
    if (chance(s, 0.3)) {
        const double factor = power(s, base, most);
        for (int j = 0; j < m->cols; j++)
            m->cost[j] *= factor;
    }
}

static void make(sketch *s, int size)
{
    const int cols = between(s, 2, size), rows = between(s, 1, size);
    double *value = base_malloc((size_t)cols, sizeof *value);
    s->point = base_malloc((size_t)cols, sizeof *s->point);
    for (int j = 0; j < cols; j++) {
        double lower, upper;
        const bool integer = chance(s, s->family == MIP_BOXED ? 0.6 : 0.75);
        s->point[j] = draw_bounds(s, integer, &lower, &upper);
        lp_model_add_col(s->m, 0.0, lower, upper, integer, 0, NULL, NULL, NULL);
    }
    for (int r = 0; r < rows; r++) {
        draw_row(s, value);
        add_row(s, value);
    }
    if (s->family == MIP_REPEATED || chance(s, 0.1))
        repeat_rows(s, value);
    draw_costs(s);
    if (s->family == MIP_HUGE && chance(s, 0.5))
        add_switch(s);
    if (s->family == MIP_SCALED)
        scale(s);
    base_free_all(value, s->point);
}

/* Drops finite bounds of some columns; integer columns get whole ones. */
static void loosen(sketch *s)
{
    lp_model *m = s->m;
    for (int j = 0; j < m->cols; j++) {
        if (chance(s, 0.4))
            m->upper[j] = LP_INFINITY;
        if (chance(s, 0.2))
            m->lower[j] = -LP_INFINITY;
    }
}

lp_model *mip_instance(uint64_t seed, int size, mip_family *family)
{
    sketch s = {.rng = {seed * 0x9e3779b97f4a7c15u + 7}};
    s.family = *family = (mip_family)(seed % MIP_FAMILIES);
    s.dyadic = chance(&s, 0.4);
    /* Mostly small: they shrink best, and odd cases are as frequent in them. */
    const int extent = 2 + (int)(base_rng_double(&s.rng) * (size - 1));
    if (s.family == MIP_RELAXED) {
        const sample_family base = (sample_family)between(&s, 0, SAMPLE_FAMILIES - 1);
        s.m = sample_model(&s.rng, base, extent, extent);
        for (int j = 0; j < s.m->cols; j++)
            s.m->integer[j] = chance(&s, 0.6);
    } else if (s.family == MIP_ENDLESS) {
        s.m = random_model(between(&s, 0, MODEL_KINDS - 1), base_rng_next(&s.rng));
        loosen(&s);
    } else {
        s.m = lp_model_create();
        make(&s, extent);
    }
    return s.m;
}
