/* A node's LP in rational arithmetic: what is left when floating point has an answer that its
 * duals do not prove, or none. */
#include <limits.h>
#include <string.h>

#include "bnb/duals.h"
#include "bnb/exactly.h"
#include "bnb/run.h"
#include "bnb/search.h"
#include "lp/rational.h"
#include "lp/safe.h"

/* Most work of one lp_rational_solve, some tenths of a second; of all: so many of these, and more
 * in proportion to the simplex iterations. */
#define WORK 1e6
#define START_WORK 1e8
#define WORK_PER_ITERATION 1e3
#define WORK_PER_ENTRY 30.0 /* of an iteration, about */
#define MOST_ENTRIES 50000  /* each becomes a rational number */

/* Takes an optimum over: the point, duals next to the exact ones, and the exact bound. */
static bnb_outcome take_optimum(bnb_context *c, const lp_answer *a)
{
    c->objective = a->objective;
    /* Rounded towards zero: one step down is below it. */
    const double exact = nextafter(a->objective, -LP_INFINITY);
    bnb_take_duals(c, a->y);
    memcpy(c->x, a->x, (size_t)c->in->model->cols * sizeof *c->x);
    if (!c->search->params.proof) /* whose multipliers are doubles, and prove less */
        c->bound = fmax(c->bound, exact);
    return bnb_bound_prunes(c) ? BNB_LP_PRUNED : BNB_LP_SOLVED;
}

/* A certificate takes multipliers that are doubles, and proofs by those alone. */
static bnb_outcome take_farkas(bnb_context *c, const lp_model *m, const lp_answer *a)
{
    bnb_keep_farkas(c, a->farkas);
    return c->search->params.proof && !lp_farkas_is_proof(m, NULL, NULL, c->y) ? BNB_LP_UNPROVEN
                                                                               : BNB_LP_PRUNED;
}

static bnb_outcome take(bnb_context *c, const lp_model *m, const lp_answer *a)
{
    switch (a->status) {
    case LP_OPTIMAL:
        return take_optimum(c, a);
    case LP_INFEASIBLE:
        return take_farkas(c, m, a);
    case LP_UNBOUNDED:
        return BNB_LP_UNBOUNDED;
    default:
        return BNB_LP_UNPROVEN;
    }
}

static lp_answer *solve_from(bnb_context *c, const lp_model *m, const unsigned char *basis)
{
    lp_params p = *lp_solver_params(c->lp.solver);
    p.iteration_limit = LONG_MAX;
    lp_answer *a = lp_rational_solve(m, basis, &p, WORK);
    c->exact_work += fmin(WORK, WORK_PER_ENTRY * (m->start[m->cols] + m->rows + m->cols) *
                                    (double)(a->iterations + 1));
    atomic_fetch_add(&c->search->iterations, a->iterations);
    return a;
}

/* Whether m is small enough, and there is work left. */
static bool is_affordable(const bnb_context *c, const lp_model *m)
{
    const double allowed =
        START_WORK + WORK_PER_ITERATION * (double)lp_iterations(c->lp.solver) - c->exact_work;
    return allowed >= WORK && m->start[m->cols] <= MOST_ENTRIES;
}

bnb_outcome bnb_relaxation_solve_exactly(bnb_context *c)
{
    if (!is_affordable(c, c->lp.mirror))
        return BNB_LP_UNPROVEN;
    lp_model *m = lp_model_copy(c->lp.mirror);
    unsigned char *basis = base_malloc((size_t)(m->rows + m->cols) + 1, sizeof *basis);
    memcpy(m->lower, c->domain.lower, (size_t)m->cols * sizeof *m->lower);
    memcpy(m->upper, c->domain.upper, (size_t)m->cols * sizeof *m->upper);
    lp_get_basis(c->lp.solver, basis);
    lp_answer *a = solve_from(c, m, basis);
    const bnb_outcome outcome = take(c, m, a);
    lp_answer_free(a);
    base_free(basis);
    lp_model_free(m);
    return outcome;
}

bnb_outcome bnb_bound_exactly(bnb_context *c)
{
    const bnb_outcome outcome = bnb_relaxation_solve_exactly(c);
    return outcome == BNB_LP_UNPROVEN ? BNB_LP_SOLVED : outcome;
}

/* From the basis that floating point ends with. */
static lp_answer *solve_alone(bnb_context *c, const lp_model *m)
{
    lp_params p = lp_params_default();
    p.limits = bnb_limits(c);
    p.tuning = c->search->params.lp;
    lp_solver *s = lp_solver_create(m, &p);
    unsigned char *basis = base_malloc((size_t)(m->rows + m->cols) + 1, sizeof *basis);
    lp_solve(s);
    lp_get_basis(s, basis);
    atomic_fetch_add(&c->search->iterations, lp_iterations(s));
    lp_answer *a = solve_from(c, m, basis);
    base_free(basis);
    lp_solver_free(s);
    return a;
}

bool bnb_complete_exactly(bnb_context *c, double *full, double *objective)
{
    const lp_model *original = c->search->original;
    bool any = false, completed = false;
    if (original->rows > BNB_MOST_EXACT_ROWS || !is_affordable(c, original))
        return false;
    lp_model *m = lp_model_copy(original);
    for (int j = 0; j < m->cols; j++) {
        any = any || !m->integer[j];
        if (m->integer[j])
            m->lower[j] = m->upper[j] = full[j];
    }
    if (any) {
        lp_answer *a = solve_alone(c, m);
        completed = a->status == LP_OPTIMAL;
        if (completed) {
            memcpy(full, a->x, (size_t)m->cols * sizeof *full);
            *objective = a->objective;
        }
        lp_answer_free(a);
    }
    lp_model_free(m);
    return completed;
}
