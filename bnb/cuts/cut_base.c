/* Base rows: aggregation of LP rows, substitution of bounds, and the way back from a cut on the
 * terms to a cut on the columns. All rounding errors weaken the cut. */
#include <assert.h>
#include <float.h>
#include <string.h>

#include "bnb/cuts/separation.h"
#include "bnb/sum.h"

/* Error of a sum in long double, relative to the sum of the terms' absolute values. Each term is
 * rounded, and so is each addition: one per row to a coefficient, one per column or row to a
 * side. */
static long double unit_of(int rows, int cols)
{
    return (long double)(rows + cols + 16) * 0x1p-64L;
}

/* Integers up to here, and their sums, are exact. */
static const long double most_exact = 0x1p50L;
/* Cuts beyond these limits are refused: they are numerically dangerous. */
static const double max_dynamism = 1e6;
static const double max_side = 1e9;

void bnb_base_reset(bnb_separation *s)
{
    for (int k = 0; k < s->count; k++) {
        s->alpha[s->col[k]] = 0.0L;
        s->magnitude[s->col[k]] = 0.0L;
        s->present[s->col[k]] = false;
    }
    s->count = 0;
    s->summands = 0;
    s->added = 0;
    s->beta = 0.0L;
    s->beta_magnitude = 0.0L;
}

static void add_entry(bnb_separation *s, int j, long double value)
{
    if (!s->present[j]) {
        s->present[j] = true;
        s->col[s->count++] = j;
    }
    s->alpha[j] += value;
    s->magnitude[j] += fabsl(value);
}

void bnb_base_add(bnb_separation *s, int row, double weight)
{
    const bnb_row_view *v = &s->row[row];
    const double over = s->activity[row] - v->lower, under = v->upper - s->activity[row];
    const bool from_upper = under <= over;
    const double side = from_upper ? v->upper : v->lower;
    assert(isfinite(side));
    s->added++;
    for (int k = 0; k < v->count; k++)
        add_entry(s, v->col[k], (long double)weight * v->value[k]);
    const long double product = (long double)weight * side;
    s->beta += product;
    s->beta_magnitude += fabsl(product);
    s->summand = base_grow(s->summand, s->summands, &s->summand_capacity, sizeof *s->summand);
    s->summand[s->summands++] = (bnb_summand){row, weight, from_upper};
}

static bool is_equation(const bnb_row_view *v)
{
    return v->lower == v->upper;
}

/* The side that the row of a summand is measured from. */
static double side_of(const bnb_row_view *v, const bnb_summand *k)
{
    return k->from_upper ? v->upper : v->lower;
}

static bool has_inequality(const bnb_separation *s, int row)
{
    for (int k = 0; k < s->summands; k++)
        if (s->summand[k].row == row && !is_equation(&s->row[row]))
            return true;
    return false;
}

/* Returns the tightest two-entry row on continuous column j that is at least as tight as its
 * bounds; -1: none. */
static int best_variable_bound(const bnb_separation *s, int j)
{
    const lp_model *m = s->in->model;
    double best = fmin(s->x[j] - s->lower[j], s->upper[j] - s->x[j]) + 1e-9;
    int row = -1;
    for (int k = m->start[j]; k < m->start[j + 1]; k++) {
        const int r = bnb_separation_row(s, m->index[k]);
        const bnb_row_view *v = &s->row[r];
        if (v->count != 2 || !m->integer[v->col[v->col[0] == j ? 1 : 0]])
            continue;
        const double own = fabs(m->value[k]);
        const double slack = fmin(s->activity[r] - v->lower, v->upper - s->activity[r]) / own;
        if (slack <= best && isfinite(slack) && !has_inequality(s, r)) {
            best = slack;
            row = r;
        }
    }
    return row;
}

void bnb_base_use_variable_bounds(bnb_separation *s)
{
    const lp_model *m = s->in->model;
    const int count = s->count; /* columns added below are integer */
    for (int k = 0; k < count; k++) {
        const int j = s->col[k];
        if (m->integer[j] || fabsl(s->alpha[j]) < 1e-9L)
            continue;
        const int row = best_variable_bound(s, j);
        if (row < 0)
            continue;
        const bnb_row_view *v = &s->row[row];
        const double own = v->value[v->col[0] == j ? 0 : 1];
        bnb_base_add(s, row, (double)(-s->alpha[j] / own));
    }
}

static void push_term(bnb_separation *s, const bnb_term *t)
{
    s->term = base_grow(s->term, s->terms, &s->term_capacity, sizeof *s->term);
    s->term[s->terms++] = *t;
}

/* Substitutes bounds. Returns false if that is impossible (a free column) or if nothing can be
 * rounded. */
static bool substitute_bounds(bnb_separation *s)
{
    const lp_model *m = s->in->model;
    const long double unit = unit_of(s->added, s->count);
    long double error = s->beta_magnitude * unit;
    s->terms = 0;
    s->rhs = s->beta;
    bool any_integer = false;
    for (int k = 0; k < s->count; k++) {
        const int j = s->col[k];
        const double l = s->lower[j], u = s->upper[j];
        const long double a = s->alpha[j], wrong = s->magnitude[j] * unit;
        if (fabsl(a) <= 16.0L * wrong && a != 0.0L && isfinite(l) && isfinite(u)) {
            /* Only rounding noise is left: charge the range of the column to the right side. */
            error += (fabsl(a) + wrong) * fmax(fabs(l), fabs(u));
            continue;
        }
        if (l == -LP_INFINITY && u == LP_INFINITY)
            return false;
        const bool from_upper = u - s->x[j] < s->x[j] - l; /* the bound nearer to x */
        const long double shift = a * (from_upper ? u : l);
        s->rhs -= shift;
        error += (fabsl(shift) + s->magnitude[j] * fabs(from_upper ? u : l)) * unit;
        if (l == u)
            continue;
        /* Since x' >= 0, lowering its coefficient by the error only weakens the row. */
        const long double coef = (from_upper ? -a : a) - wrong;
        const double at = from_upper ? u - s->x[j] : s->x[j] - l;
        const bnb_term t = {j, m->integer[j], from_upper, coef, u - l, fmax(0.0, at), 0.0L};
        push_term(s, &t);
        any_integer = any_integer || t.integer;
    }
    for (int k = 0; k < s->summands; k++) {
        const bnb_summand *from = &s->summand[k];
        const bnb_row_view *v = &s->row[from->row];
        if (is_equation(v))
            continue;
        const double side = side_of(v, from), over = s->activity[from->row] - side;
        const double slack = fmax(0.0, from->from_upper ? -over : over);
        const bool integer = v->integral && side == nearbyint(side);
        const bnb_term term = {~k,
                               integer,
                               false,
                               from->from_upper ? from->weight : -from->weight,
                               v->upper - v->lower,
                               slack,
                               0.0L};
        push_term(s, &term);
    }
    s->rhs += error;
    return any_integer && s->terms > 0 && fabsl(s->rhs) < 1e12L;
}

/* ---- derivations, for proofs ---------------------------------------------- */

static void derive_rows(const bnb_separation *s, bnb_derivation *d)
{
    const size_t count = (size_t)s->summands + 1;
    d->row = base_malloc(count, sizeof *d->row);
    d->weight = base_malloc(count, sizeof *d->weight);
    d->upper = base_malloc(count, sizeof *d->upper);
    d->slack = base_calloc(count, sizeof *d->slack);
    for (int i = 0; i < s->terms; i++)
        if (s->term[i].source < 0)
            d->slack[~s->term[i].source] = (double)s->term[i].weight;
    for (int k = 0; k < s->summands; k++) {
        d->row[k] = s->summand[k].row;
        d->weight[k] = s->summand[k].weight;
        d->upper[k] = s->summand[k].from_upper;
    }
    d->rows = s->summands;
}

/* A term with a positive coefficient that the cut drops counts as relaxed. */
static void derive_cols(const bnb_separation *s, bnb_derivation *d)
{
    const size_t count = (size_t)s->count + 1;
    bnb_side *side = base_calloc((size_t)s->in->model->cols + 1, sizeof *side);
    d->col = base_malloc(count, sizeof *d->col);
    d->side = base_malloc(count, sizeof *d->side);
    for (int k = 0; k < s->terms; k++) {
        const bnb_term *t = &s->term[k];
        if (t->source >= 0 && (t->complemented || t->a <= 0.0L || t->weight != 0.0L))
            side[t->source] = t->complemented ? BNB_SIDE_UPPER : BNB_SIDE_LOWER;
    }
    d->bound = base_malloc(count, sizeof *d->bound);
    for (int k = 0; k < s->count; k++) {
        const int j = s->col[k];
        const bool fixed = s->lower[j] == s->upper[j] && s->upper[j] != 0.0;
        d->col[k] = j;
        d->side[k] = fixed ? BNB_SIDE_UPPER : side[j];
        d->bound[k] = d->side[k] == BNB_SIDE_UPPER ? s->upper[j] : s->lower[j];
    }
    d->cols = s->count;
    base_free(side);
}

/* Returns the derivation of the cut from s->summand, s->term and s->divisor. */
static bnb_derivation *derive(const bnb_separation *s)
{
    bnb_derivation *d = base_calloc(1, sizeof *d);
    d->divisor = s->divisor;
    derive_rows(s, d);
    derive_cols(s, d);
    return d;
}

/* ---- back to the columns ------------------------------------------------ */

/* Adds the slack of summand k with weight h to the columns; returns the amount to subtract from the
 * right side. */
static long double expand_slack(bnb_separation *s, int k, long double h, long double *moved_size)
{
    const bnb_summand *from = &s->summand[k];
    const bnb_row_view *v = &s->row[from->row];
    const long double sign = from->from_upper ? -h : h;
    s->added++;
    s->exact = s->exact && v->integral;
    for (int e = 0; e < v->count; e++)
        add_entry(s, v->col[e], sign * v->value[e]);
    const double side = side_of(v, from);
    const long double moved = h * side;
    s->exact = s->exact && side == nearbyint(side);
    *moved_size += fabsl(moved);
    return from->from_upper ? moved : -moved;
}

/* Rounds the coefficient of column j to a double (0 if negligible) and charges the difference and
 * its error to *rhs. Returns false if this needs a bound that is infinite. */
static bool round_coefficient(const bnb_separation *s, int j, long double scale, long double unit,
                              long double *rhs, double *value)
{
    const long double a = s->alpha[j];
    const long double error =
        s->exact && s->magnitude[j] < most_exact ? 0.0L : s->magnitude[j] * unit;
    const double l = s->lower[j], u = s->upper[j];
    const bool bounded = isfinite(l) && isfinite(u);
    double rounded = (double)a;
    if (fabsl(a) < 1e-9L * scale)
        rounded = 0.0;
    else if (fabs(rounded - nearbyint(rounded)) < 1e-11 && bounded)
        rounded = nearbyint(rounded);
    const long double wrong = fabsl(a - rounded) + error;
    *value = rounded;
    if (error == 0.0L && wrong == 0.0L)
        return true;
    if (bounded) {
        /* The true term is at least rounded * x - wrong * |x|. */
        *rhs += wrong * fmax(fabs(l), fabs(u));
        return true;
    }
    if (rounded == 0.0 || (isinf(l) && isinf(u)))
        return false;
    /* A coefficient v below the true one is valid for x >= l: v (x - l) is at most the true term.
     * For x <= u, v must be above. */
    *value = isfinite(l) ? bnb_double_below(a - error) : -bnb_double_below(-(a + error));
    *rhs += (fabsl(a - *value) + error) * fabs(isfinite(l) ? l : u);
    return true;
}

/* Writes columns and rounded coefficients of alpha to col and value. Returns their number; -1:
 * refused. */
static int round_coefficients(bnb_separation *s, long double *rhs, int *col, double *value)
{
    const long double unit = unit_of(s->added, s->count);
    long double scale = 0.0L;
    double smallest = LP_INFINITY, largest = 0.0;
    int count = 0;
    for (int k = 0; k < s->count; k++)
        scale = fmaxl(scale, fabsl(s->alpha[s->col[k]]));
    for (int k = 0; k < s->count; k++) {
        double v;
        if (!round_coefficient(s, s->col[k], scale, unit, rhs, &v))
            return -1;
        if (v == 0.0)
            continue;
        col[count] = s->col[k];
        value[count++] = v;
        smallest = fmin(smallest, fabs(v));
        largest = fmax(largest, fabs(v));
    }
    return count > 0 && largest <= max_dynamism * smallest ? count : -1;
}

/* Turns weights of the terms and rhs back into a cut on x, checks numerics and efficacy, and
 * stores it. The base row is lost: alpha holds the cut. */
static bool accept_cut(bnb_separation *s, long double rhs, const char *kind)
{
    const int cols = s->in->model->cols;
    long double size = fabsl(rhs);
    bnb_derivation *derivation = s->derives ? derive(s) : NULL;
    bnb_base_reset(s);
    s->exact = rhs == floorl(rhs);
    for (int k = 0; k < s->terms; k++) {
        const bnb_term *t = &s->term[k];
        const long double h = t->weight;
        if (h == 0.0L)
            continue;
        if (t->source < 0) {
            s->exact = s->exact && h == floorl(h);
            rhs -= expand_slack(s, ~t->source, h, &size);
            continue;
        }
        const double bound = t->complemented ? s->upper[t->source] : s->lower[t->source];
        s->exact = s->exact && h == floorl(h) && bound == nearbyint(bound);
        add_entry(s, t->source, t->complemented ? -h : h);
        rhs += t->complemented ? -h * bound : h * bound;
        size += fabsl(h * bound);
    }
    rhs += s->exact && size < most_exact ? 0.0L : size * unit_of(s->added, s->terms);
    int *col = base_malloc((size_t)s->count + 1, sizeof *col);
    double *value = base_malloc((size_t)s->count + 1, sizeof *value);
    const int count = round_coefficients(s, &rhs, col, value);
    bool kept = false;
    if (count > 0 && count <= 200 + cols / 5 && fabsl(rhs) < max_side) {
        bnb_poolcut *c = bnb_poolcut_create(s->in->model, count, col, value, -LP_INFINITY,
                                            -bnb_double_below(-rhs), kind);
        c->derivation = derivation;
        derivation = NULL;
        kept = bnb_poolcut_efficacy(c, s->x) > s->min_efficacy;
        if (kept)
            bnb_separation_store(s, c);
        else
            bnb_poolcut_release(c);
    }
    base_free(col);
    base_free(value);
    bnb_derivation_free(derivation);
    bnb_base_reset(s);
    return kept;
}

bool bnb_base_separate(bnb_separation *s, bool delta_one, const char *kind)
{
    long double rhs = 0.0L;
    return substitute_bounds(s) && bnb_mir_best(s, delta_one, &rhs) > s->min_efficacy &&
           accept_cut(s, rhs, kind);
}
