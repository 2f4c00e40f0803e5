/* The primal simplex on rational numbers: phase 1 minimises the sum of infeasibilities, the
 * largest reduced cost enters, and after a stall the variable of the lowest number does (Bland's
 * rule), so that it ends. */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "lp/exact/rational_internal.h"
#include "lp/exact_proof.h"

enum { STALLED = 20 }; /* steps of length zero in a row, from which on the lowest numbers decide */

/* ---- the model ------------------------------------------------------------------ */

static bool bounds_cross(const lp_model *m)
{
    for (int j = 0; j < m->cols; j++)
        if (m->lower[j] > m->upper[j] || m->lower[j] == INFINITY || m->upper[j] == -INFINITY)
            return true;
    for (int r = 0; r < m->rows; r++)
        if (m->row_lower[r] > m->row_upper[r] || m->row_lower[r] == INFINITY ||
            m->row_upper[r] == -INFINITY)
            return true;
    return false;
}

/* ---- the iterate ---------------------------------------------------------------- */

static void compute_x(exact *s)
{
    rational_vector_zero(s->x, s->rows);
    for (int j = 0; j < s->vars; j++) {
        const double value = s->status[j] == LP_BASIC ? 0.0 : rational_resting_value(s, j);
        if (value == 0.0)
            continue;
        mpq_set_d(s->d, -value);
        rational_add_column(s, s->x, j, s->d);
    }
    rational_lu_solve(s->lu, s->x);
}

/* -1 where the basic variable in a position is below its lower bound, 1 above the upper, else 0. */
static int side_missed(exact *s, int p)
{
    const double lower = rational_lower(s, s->head[p]), upper = rational_upper(s, s->head[p]);
    if (isfinite(lower)) {
        mpq_set_d(s->term, lower);
        if (mpq_cmp(s->x[p], s->term) < 0)
            return -1;
    }
    if (isfinite(upper)) {
        mpq_set_d(s->term, upper);
        if (mpq_cmp(s->x[p], s->term) > 0)
            return 1;
    }
    return 0;
}

/* Multipliers of the sum of infeasibilities or, without any, of the costs. */
static void compute_y(exact *s)
{
    s->feasible = true;
    for (int p = 0; p < s->rows; p++) {
        const int missed = side_missed(s, p);
        mpq_set_si(s->y[p], missed, 1);
        s->feasible = s->feasible && missed == 0;
    }
    for (int p = 0; s->feasible && p < s->rows; p++)
        if (s->head[p] < s->cols)
            mpq_set_d(s->y[p], s->m->cost[s->head[p]]);
    rational_lu_solve_transposed(s->lu, s->y);
}

/* ---- a step ------------------------------------------------------------------------ */

static bool improves(unsigned char status, int sign)
{
    return (sign < 0 && (status == LP_AT_LOWER || status == LP_FREE)) ||
           (sign > 0 && (status == LP_AT_UPPER || status == LP_FREE));
}

/* The entering variable: of the largest reduced cost, roughly, or after a stall the first one. */
static void choose_entering(exact *s, step *t)
{
    double best = -1.0;
    t->entering = -1;
    for (int j = 0; j < s->vars; j++) {
        if (s->status[j] == LP_BASIC || s->status[j] == LP_FIXED)
            continue;
        rational_reduced_cost(s, j);
        const int sign = mpq_sgn(s->d);
        const double size = fabs(mpq_get_d(s->d));
        if (!improves(s->status[j], sign) || size <= best)
            continue;
        best = size;
        t->entering = j;
        t->up = sign < 0;
        if (s->stalled >= STALLED)
            return;
    }
}

/* The bound that stops the basic variable in a position that grows or shrinks; infinite: none. One
 * out of its bounds stops at the first one that it reaches. */
static double stop_of(exact *s, int p, bool grows, bool *to_upper)
{
    const int missed = side_missed(s, p);
    if (missed != 0 && (missed < 0) != grows)
        return INFINITY;
    *to_upper = missed == 0 ? grows : missed > 0;
    return *to_upper ? rational_upper(s, s->head[p]) : rational_lower(s, s->head[p]);
}

/* Takes the length s->term for the step's if it is shorter; of equal ones the lowest number. */
static void offer(exact *s, step *t, int position, bool to_upper)
{
    const int order = t->endless ? -1 : mpq_cmp(s->term, s->step);
    if (order > 0 || (order == 0 && (t->position < 0 || s->head[position] > s->head[t->position])))
        return;
    mpq_set(s->step, s->term);
    t->position = position;
    t->to_upper = to_upper;
    t->endless = false;
}

/* The leaving variable, and how long the step is. */
static void choose_leaving(exact *s, step *t)
{
    const int q = t->entering;
    rational_vector_zero(s->column, s->rows);
    mpq_set_si(s->d, 1, 1);
    rational_add_column(s, s->column, q, s->d);
    rational_lu_solve(s->lu, s->column);
    t->position = -1;
    t->to_upper = t->up;
    t->endless = isinf(rational_lower(s, q)) || isinf(rational_upper(s, q));
    if (!t->endless) {
        mpq_set_d(s->step, rational_upper(s, q));
        mpq_set_d(s->term, rational_lower(s, q));
        mpq_sub(s->step, s->step, s->term);
    }
    for (int p = 0; p < s->rows; p++) {
        const int sign = mpq_sgn(s->column[p]);
        const bool grows = (sign < 0) == t->up;
        bool to_upper = false;
        const double stop = sign == 0 ? INFINITY : stop_of(s, p, grows, &to_upper);
        if (isinf(stop))
            continue;
        mpq_set_d(s->term, stop);
        mpq_sub(s->term, s->term, s->x[p]);
        mpq_div(s->term, s->term, s->column[p]);
        mpq_abs(s->term, s->term);
        offer(s, t, p, to_upper);
    }
}

static void make_step(exact *s, const step *t)
{
    s->iterations++;
    s->stalled = mpq_sgn(s->step) == 0 ? s->stalled + 1 : 0;
    if (t->position < 0) {
        s->status[t->entering] = t->to_upper ? LP_AT_UPPER : LP_AT_LOWER;
        return;
    }
    const int leaving = s->head[t->position];
    s->status[leaving] = rational_rest(s, leaving, t->to_upper ? LP_AT_UPPER : LP_AT_LOWER);
    s->status[t->entering] = LP_BASIC;
    s->head[t->position] = t->entering;
}

static lp_status limit_of(const exact *s)
{
    const lp_status status = lp_limit_status(base_limits_check(s->budget.limits));
    return status == LP_UNSOLVED ? LP_ITERATION_LIMIT : status;
}

/* Steps until there is an answer or a limit. *last: the step that shows the answer. */
static lp_status run(exact *s, long limit, step *last)
{
    for (bool moved = true;;) {
        if (!rational_budget_lasts(&s->budget) || (moved && !rational_refactor(s)))
            return limit_of(s);
        compute_x(s);
        compute_y(s);
        choose_entering(s, last);
        if (last->entering < 0)
            return s->feasible ? LP_OPTIMAL : LP_INFEASIBLE;
        choose_leaving(s, last);
        assert(s->feasible || !last->endless);
        if (last->endless)
            return LP_UNBOUNDED;
        if (s->iterations >= limit)
            return LP_ITERATION_LIMIT;
        moved = last->position >= 0;
        make_step(s, last);
    }
}

/* ---- life ------------------------------------------------------------------------ */

static void begin(exact *s, const lp_model *m, const unsigned char *basis, rational_budget budget)
{
    const int entries = m->start[m->cols];
    *s = (exact){.m = m, .budget = budget, .rows = m->rows, .cols = m->cols};
    s->vars = m->rows + m->cols;
    s->a = rational_vector_create(entries);
    for (int e = 0; e < entries; e++)
        mpq_set_d(s->a[e], m->value[e]);
    s->status = base_malloc((size_t)s->vars + 1, sizeof *s->status);
    s->head = base_malloc((size_t)s->rows + 1, sizeof *s->head);
    s->x = rational_vector_create(s->rows);
    s->y = rational_vector_create(s->rows);
    s->column = rational_vector_create(s->rows);
    mpq_inits(s->d, s->term, s->step, NULL);
    rational_take_basis(s, basis);
}

static void end(exact *s)
{
    rational_vector_clear(s->a, s->m->start[s->cols]);
    rational_vector_clear(s->x, s->rows);
    rational_vector_clear(s->y, s->rows);
    rational_vector_clear(s->column, s->rows);
    mpq_clears(s->d, s->term, s->step, NULL);
    rational_lu_free(s->lu);
    base_free(s->status);
    base_free(s->head);
}

lp_answer *lp_rational_solve(const lp_model *m, const unsigned char *basis, const lp_params *params,
                             double work)
{
    const lp_params used = params ? *params : lp_params_default();
    if (bounds_cross(m)) { /* no multipliers are needed */
        lp_answer *a = lp_answer_create(LP_INFEASIBLE);
        a->farkas = base_calloc((size_t)m->rows + 1, sizeof *a->farkas);
        a->exact_proof = lp_exact_proof_create(m);
        return a;
    }
    exact s;
    step last = {.entering = -1};
    begin(&s, m, basis, (rational_budget){&used.limits, work});
    const lp_status status = run(&s, used.iteration_limit, &last);
    lp_answer *a = rational_give_answer(&s, status, &last);
    end(&s);
    return a;
}
