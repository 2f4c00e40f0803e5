/* The bounded primal simplex on a dense dictionary of rational numbers. */
#include "tests/lp/exact_lp.h"

enum { MOST_PIVOTS = 3000 };

/* Variables: columns, then the activities of the rows. basic[i] = sum over k of t[i][k]
 * nonbasic[k]; the objective is row `rows`. */
typedef struct dictionary {
    const lp_model *m;
    int rows, cols;
    mpq_t *t;              /* extent (rows + 1) * cols */
    int *basic, *nonbasic; /* variables; extents rows, cols */
    mpq_t *value;          /* extent rows + cols, by variable */
    mpq_t *gradient;       /* extent cols */
    mpq_t a, b, step, best;
} dictionary;

static mpq_t *numbers(size_t count)
{
    mpq_t *v = base_malloc(count + 1, sizeof *v);
    for (size_t k = 0; k < count; k++)
        mpq_init(v[k]);
    return v;
}

static void free_numbers(mpq_t *v, size_t count)
{
    for (size_t k = 0; k < count; k++)
        mpq_clear(v[k]);
    base_free(v);
}

static mpq_t *entry(const dictionary *d, int row, int k)
{
    return &d->t[(size_t)row * (size_t)d->cols + (size_t)k];
}

static double lower_of(const dictionary *d, int v)
{
    return v < d->cols ? d->m->lower[v] : d->m->row_lower[v - d->cols];
}

static double upper_of(const dictionary *d, int v)
{
    return v < d->cols ? d->m->upper[v] : d->m->row_upper[v - d->cols];
}

/* Sign of the variable's value minus a bound; an infinite one is never reached. */
static int side_of(dictionary *d, int v, double bound)
{
    if (isinf(bound))
        return bound > 0 ? -1 : 1;
    mpq_set_d(d->a, bound);
    return mpq_cmp(d->value[v], d->a);
}

/* -1: below its lower bound, 1: above its upper one. */
static int misses(dictionary *d, int v)
{
    return side_of(d, v, lower_of(d, v)) < 0 ? -1 : side_of(d, v, upper_of(d, v)) > 0 ? 1 : 0;
}

static void open_dictionary(dictionary *d, const lp_model *m)
{
    *d = (dictionary){.m = m, .rows = m->rows, .cols = m->cols};
    const size_t rows = (size_t)m->rows, cols = (size_t)m->cols;
    d->t = numbers((rows + 1) * cols);
    d->value = numbers(rows + cols);
    d->gradient = numbers(cols);
    d->basic = base_malloc(rows + 1, sizeof *d->basic);
    d->nonbasic = base_malloc(cols + 1, sizeof *d->nonbasic);
    mpq_inits(d->a, d->b, d->step, d->best, NULL);
    for (int r = 0; r < m->rows; r++)
        d->basic[r] = m->cols + r;
    for (int j = 0; j < m->cols; j++) {
        const double l = m->lower[j], u = m->upper[j];
        d->nonbasic[j] = j;
        mpq_set_d(*entry(d, m->rows, j), m->cost[j]);
        mpq_set_d(d->value[j], isfinite(l) ? l : isfinite(u) ? u : 0.0);
        for (int k = m->start[j]; k < m->start[j + 1]; k++) {
            mpq_set_d(d->a, m->value[k]);
            mpq_add(*entry(d, m->index[k], j), *entry(d, m->index[k], j), d->a);
            mpq_mul(d->a, d->a, d->value[j]);
            mpq_add(d->value[m->cols + m->index[k]], d->value[m->cols + m->index[k]], d->a);
        }
    }
}

static void close_dictionary(dictionary *d)
{
    const size_t rows = (size_t)d->rows, cols = (size_t)d->cols;
    free_numbers(d->t, (rows + 1) * cols);
    free_numbers(d->value, rows + cols);
    free_numbers(d->gradient, cols);
    base_free_all(d->basic, d->nonbasic);
    mpq_clears(d->a, d->b, d->step, d->best, NULL);
}

/* Fills the gradient: of the sum of what basic variables miss, or, where none does, of the
 * objective. Returns whether one does. */
static bool fill_gradient(dictionary *d)
{
    bool any = false;
    for (int k = 0; k < d->cols; k++)
        mpq_set_si(d->gradient[k], 0, 1);
    for (int i = 0; i < d->rows; i++) {
        const int side = misses(d, d->basic[i]);
        any = any || side != 0;
        for (int k = 0; side != 0 && k < d->cols; k++)
            (side > 0 ? mpq_add : mpq_sub)(d->gradient[k], d->gradient[k], *entry(d, i, k));
    }
    for (int k = 0; !any && k < d->cols; k++)
        mpq_set(d->gradient[k], *entry(d, d->rows, k));
    return any;
}

/* Bland: the first variable that improves, and its direction; -1: none. */
static int entering(dictionary *d, int *direction)
{
    int best = -1;
    for (int k = 0; k < d->cols; k++) {
        const int v = d->nonbasic[k], sign = mpq_sgn(d->gradient[k]);
        if (best >= 0 && v > d->nonbasic[best])
            continue;
        if ((sign < 0 && side_of(d, v, upper_of(d, v)) < 0) ||
            (sign > 0 && side_of(d, v, lower_of(d, v)) > 0)) {
            best = k;
            *direction = -sign;
        }
    }
    return best;
}

/* The bound at which basic variable v, moving up or down, stops a step; infinite: none. */
static double stop_of(dictionary *d, int v, bool up)
{
    const int side = misses(d, v);
    if (up)
        return side < 0 ? lower_of(d, v) : side > 0 ? LP_INFINITY : upper_of(d, v);
    return side > 0 ? upper_of(d, v) : side < 0 ? -LP_INFINITY : lower_of(d, v);
}

/* The row that ends the step of column k, -1: its own other bound, -2: none; d->best: the step. */
static int leaving(dictionary *d, int k, int direction)
{
    const int own = d->nonbasic[k];
    int row = -2;
    if (isfinite(lower_of(d, own)) && isfinite(upper_of(d, own))) {
        row = -1;
        mpq_set_d(d->best, upper_of(d, own));
        mpq_set_d(d->a, lower_of(d, own));
        mpq_sub(d->best, d->best, d->a);
    }
    for (int i = 0; i < d->rows; i++) {
        const int sign = mpq_sgn(*entry(d, i, k)) * direction;
        const double stop = sign == 0 ? LP_INFINITY : stop_of(d, d->basic[i], sign > 0);
        if (isinf(stop))
            continue;
        mpq_set_d(d->step, stop);
        mpq_sub(d->step, d->step, d->value[d->basic[i]]);
        mpq_div(d->step, d->step, *entry(d, i, k));
        mpq_abs(d->step, d->step);
        const int order = row == -2 ? -1 : mpq_cmp(d->step, d->best);
        if (order < 0 || (order == 0 && row >= 0 && d->basic[i] < d->basic[row])) {
            row = i;
            mpq_set(d->best, d->step);
        }
    }
    return row;
}

/* Moves nonbasic column k by d->best in the direction. */
static void move(dictionary *d, int k, int direction)
{
    if (direction < 0)
        mpq_neg(d->best, d->best);
    for (int i = 0; i < d->rows; i++) {
        mpq_mul(d->a, *entry(d, i, k), d->best);
        mpq_add(d->value[d->basic[i]], d->value[d->basic[i]], d->a);
    }
    mpq_add(d->value[d->nonbasic[k]], d->value[d->nonbasic[k]], d->best);
}

/* Exchanges basic row r for nonbasic column k. */
static void pivot(dictionary *d, int r, int k)
{
    mpq_inv(d->b, *entry(d, r, k));
    for (int j = 0; j < d->cols;
         j++) { /* the entering variable by the leaving one and the others */
        mpq_t *at = entry(d, r, j);
        if (j == k)
            mpq_set(*at, d->b);
        else if (mpq_sgn(*at) != 0) {
            mpq_mul(*at, *at, d->b);
            mpq_neg(*at, *at);
        }
    }
    for (int i = 0; i <= d->rows; i++) {
        mpq_t *factor = entry(d, i, k);
        if (i == r || mpq_sgn(*factor) == 0)
            continue;
        mpq_set(d->b, *factor);
        mpq_set_si(*factor, 0, 1);
        for (int j = 0; j < d->cols; j++) {
            mpq_mul(d->a, d->b, *entry(d, r, j));
            mpq_add(*entry(d, i, j), *entry(d, i, j), d->a);
        }
    }
    const int out = d->basic[r];
    d->basic[r] = d->nonbasic[k];
    d->nonbasic[k] = out;
}

static lp_status run(dictionary *d)
{
    for (int pivots = 0; pivots < MOST_PIVOTS; pivots++) {
        int direction = 0;
        const bool missing = fill_gradient(d);
        const int k = entering(d, &direction);
        if (k < 0)
            return missing ? LP_INFEASIBLE : LP_OPTIMAL;
        const int r = leaving(d, k, direction);
        if (r == -2)
            return LP_UNBOUNDED;
        move(d, k, direction);
        if (r >= 0)
            pivot(d, r, k);
    }
    return LP_UNSOLVED;
}

static bool is_crossed(const lp_model *m)
{
    for (int j = 0; j < m->cols; j++)
        if (m->lower[j] > m->upper[j])
            return true;
    for (int r = 0; r < m->rows; r++)
        if (m->row_lower[r] > m->row_upper[r])
            return true;
    return false;
}

exact_lp_answer exact_lp_solve(const lp_model *m)
{
    exact_lp_answer a = {.status = LP_INFEASIBLE};
    mpq_init(a.objective);
    a.x = base_calloc((size_t)m->cols + 1, sizeof *a.x);
    if (is_crossed(m))
        return a;
    dictionary d;
    open_dictionary(&d, m);
    a.status = run(&d);
    mpq_set_d(a.objective, m->offset);
    for (int j = 0; j < m->cols; j++) {
        a.x[j] = mpq_get_d(d.value[j]);
        mpq_set_d(d.a, m->cost[j]);
        mpq_mul(d.a, d.a, d.value[j]);
        mpq_add(a.objective, a.objective, d.a);
    }
    close_dictionary(&d);
    return a;
}

void exact_lp_clear(exact_lp_answer *a)
{
    mpq_clear(a->objective);
    base_free(a->x);
}
