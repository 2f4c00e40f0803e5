/* The judge of exact answers: primal feasibility, the bound that multipliers prove, and rays,
 * each computed from the model's doubles in rational arithmetic. */
#include "lp/exact_proof.h"

/* Room for the judge. */
typedef struct scratch {
    mpq_t a, b, sum, total;
} scratch;

static void vector_free(mpq_t *v, int extent)
{
    for (int i = 0; v && i < extent; i++)
        mpq_clear(v[i]);
    base_free(v);
}

static mpq_t *vector_create(int extent)
{
    mpq_t *v = base_malloc((size_t)extent + 1, sizeof *v);
    for (int i = 0; i < extent; i++)
        mpq_init(v[i]);
    return v;
}

lp_exact_proof *lp_exact_proof_create(const lp_model *m)
{
    lp_exact_proof *p = base_calloc(1, sizeof *p);
    p->rows = m->rows;
    p->cols = m->cols;
    return p;
}

static mpq_t *vector_copy(mpq_t *v, int extent)
{
    mpq_t *copy = v ? vector_create(extent) : NULL;
    for (int i = 0; v && i < extent; i++)
        mpq_set(copy[i], v[i]);
    return copy;
}

lp_exact_proof *lp_exact_proof_copy(const lp_exact_proof *p)
{
    if (!p)
        return NULL;
    lp_exact_proof *copy = base_calloc(1, sizeof *copy);
    *copy = (lp_exact_proof){.rows = p->rows,
                             .cols = p->cols,
                             .x = vector_copy(p->x, p->cols),
                             .ray = vector_copy(p->ray, p->cols),
                             .y = vector_copy(p->y, p->rows)};
    return copy;
}

void lp_exact_proof_free(lp_exact_proof *p)
{
    if (!p)
        return;
    vector_free(p->x, p->cols);
    vector_free(p->ray, p->cols);
    vector_free(p->y, p->rows);
    base_free(p);
}

double lp_exact_round_down(const mpq_t value)
{
    double down = mpq_get_d(value); /* towards zero */
    mpq_t back;
    if (!isfinite(down))
        return mpq_sgn(value) > 0 ? nextafter(LP_INFINITY, 0.0) : -LP_INFINITY;
    mpq_init(back);
    mpq_set_d(back, down);
    if (mpq_cmp(back, value) > 0)
        down = nextafter(down, -LP_INFINITY);
    mpq_clear(back);
    return down;
}

/* ---- points and directions ------------------------------------------------------------ */

/* Whether lower <= value <= upper. */
static bool is_within(const mpq_t value, double lower, double upper, scratch *z)
{
    if (isfinite(lower)) {
        mpq_set_d(z->a, lower);
        if (mpq_cmp(value, z->a) < 0)
            return false;
    }
    if (isfinite(upper)) {
        mpq_set_d(z->a, upper);
        if (mpq_cmp(value, z->a) > 0)
            return false;
    }
    return lower != LP_INFINITY && upper != -LP_INFINITY;
}

/* The side of a direction: it may not go beyond a finite one. */
static double cone_side(double side)
{
    return isfinite(side) ? 0.0 : side;
}

/* Whether x meets all rows and bounds of m, or as a direction (recedes) never leaves them. */
static bool meets(const lp_model *m, mpq_t *x, bool recedes, scratch *z)
{
    bool all = true;
    mpq_t *activity = vector_create(m->rows);
    for (int j = 0; j < m->cols && all; j++) {
        const double lower = recedes ? cone_side(m->lower[j]) : m->lower[j];
        const double upper = recedes ? cone_side(m->upper[j]) : m->upper[j];
        all = is_within(x[j], lower, upper, z);
        for (int k = m->start[j]; k < m->start[j + 1] && mpq_sgn(x[j]) != 0; k++) {
            mpq_set_d(z->a, m->value[k]);
            mpq_mul(z->a, z->a, x[j]);
            mpq_add(activity[m->index[k]], activity[m->index[k]], z->a);
        }
    }
    for (int r = 0; r < m->rows && all; r++) {
        const double lower = recedes ? cone_side(m->row_lower[r]) : m->row_lower[r];
        const double upper = recedes ? cone_side(m->row_upper[r]) : m->row_upper[r];
        all = is_within(activity[r], lower, upper, z);
    }
    vector_free(activity, m->rows);
    return all;
}

/* total += c'x */
static void add_costs(const lp_model *m, mpq_t *x, scratch *z)
{
    for (int j = 0; j < m->cols; j++) {
        mpq_set_d(z->a, m->cost[j]);
        mpq_mul(z->a, z->a, x[j]);
        mpq_add(z->total, z->total, z->a);
    }
}

/* ---- multipliers ------------------------------------------------------------------------ */

/* total += the least of multiplier times what is between the sides; false: there is no end. */
static bool add_least(const mpq_t multiplier, double lower, double upper, scratch *z)
{
    const int sign = mpq_sgn(multiplier);
    const double side = sign > 0 ? lower : upper;
    if (sign == 0)
        return true;
    if (!isfinite(side))
        return false;
    mpq_set_d(z->a, side);
    mpq_mul(z->a, z->a, multiplier);
    mpq_add(z->total, z->total, z->a);
    return true;
}

/* total += what y proves to be the least of cost'x; false: nothing. */
static bool add_bound(const lp_model *m, mpq_t *y, bool with_costs, scratch *z)
{
    for (int r = 0; r < m->rows; r++)
        if (!add_least(y[r], m->row_lower[r], m->row_upper[r], z))
            return false;
    for (int j = 0; j < m->cols; j++) {
        mpq_set_d(z->sum, with_costs ? m->cost[j] : 0.0);
        for (int k = m->start[j]; k < m->start[j + 1]; k++) {
            if (mpq_sgn(y[m->index[k]]) == 0)
                continue;
            mpq_set_d(z->b, m->value[k]);
            mpq_mul(z->b, z->b, y[m->index[k]]);
            mpq_sub(z->sum, z->sum, z->b);
        }
        if (!add_least(z->sum, m->lower[j], m->upper[j], z))
            return false;
    }
    return true;
}

static bool bounds_cross(const lp_model *m)
{
    for (int j = 0; j < m->cols; j++)
        if (m->lower[j] > m->upper[j] || m->lower[j] == LP_INFINITY || m->upper[j] == -LP_INFINITY)
            return true;
    for (int r = 0; r < m->rows; r++)
        if (m->row_lower[r] > m->row_upper[r] || m->row_lower[r] == LP_INFINITY ||
            m->row_upper[r] == -LP_INFINITY)
            return true;
    return false;
}

/* ---- the judge ---------------------------------------------------------------------------- */

static bool is_optimum(const lp_model *m, const lp_exact_proof *p, scratch *z)
{
    if (!p->x || !p->y || !meets(m, p->x, false, z) || !add_bound(m, p->y, true, z))
        return false;
    mpq_neg(z->total, z->total);
    add_costs(m, p->x, z);
    return mpq_sgn(z->total) == 0;
}

static bool is_infeasible(const lp_model *m, const lp_exact_proof *p, scratch *z)
{
    return bounds_cross(m) || (p->y && add_bound(m, p->y, false, z) && mpq_sgn(z->total) > 0);
}

static bool is_unbounded(const lp_model *m, const lp_exact_proof *p, scratch *z)
{
    if (!p->x || !p->ray || !meets(m, p->x, false, z) || !meets(m, p->ray, true, z))
        return false;
    add_costs(m, p->ray, z);
    return mpq_sgn(z->total) < 0;
}

bool lp_exact_proof_holds(const lp_model *m, lp_status status, const lp_exact_proof *p)
{
    scratch z;
    mpq_inits(z.a, z.b, z.sum, z.total, NULL);
    bool holds = p->rows == m->rows && p->cols == m->cols;
    if (status == LP_OPTIMAL)
        holds = holds && is_optimum(m, p, &z);
    else if (status == LP_INFEASIBLE)
        holds = holds && is_infeasible(m, p, &z);
    else
        holds = holds && status == LP_UNBOUNDED && is_unbounded(m, p, &z);
    mpq_clears(z.a, z.b, z.sum, z.total, NULL);
    return holds;
}
