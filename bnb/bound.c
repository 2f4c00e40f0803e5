/* Bounds a node. Solves the LP within tolerances and adds lazy rows that its solution violates.
 * The node's bound is the one that the multipliers prove, not the one that the simplex claims.
 * Unproven results of the simplex count only for models with an open column. */
#include "bnb/bound.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "bnb/duals.h"
#include "bnb/incumbent.h"
#include "bnb/run.h"
#include "bnb/search.h"
#include "lp/refine.h"
#include "lp/safe.h"

/* Lazy rows enter first if their violation is at least LAZY_FIRST of the largest one. Each further
 * round multiplies this share by LAZY_NEXT: a few more rows cost less than another round. After
 * VIOLATED_ROUNDS rounds, rows that x satisfies with equality enter, too: in a chain of rows they
 * would be violated next. */
#define LAZY_FIRST 0.1
#define LAZY_NEXT 0.5
enum { VIOLATED_ROUNDS = 2 };
/* Lazy rows: a round makes no progress if it closes less than STILL of the gap to the cutoff. The
 * same holds if less than ARRIVED of the first round's gap is left. */
#define STILL 0.05
#define ARRIVED 0.01

/* True if a result of the simplex may count that its multipliers do not prove. Records this for the
 * result. */
static bool may_use_unproven(bnb_context *c)
{
    bnb_search *s = c->search;
    if (s->open_column < 0 || s->params.proof)
        return false;
    atomic_store(&s->used_unproven, true);
    return true;
}

/* Improves c->bound by the unproven bound of these multipliers, if it may count. */
static void use_unproven_duals(bnb_context *c, const double *y, const double *low)
{
    const double bound =
        lp_unproven_bound(lp_solver_model(c->lp.solver), c->domain.lower, c->domain.upper, y, low);
    if (bound > c->bound && may_use_unproven(c))
        c->bound = bound;
}

/* Evaluates an LP that ended early; true if the bound of its multipliers prunes the node. */
static bool evaluate_duals(bnb_context *c)
{
    const double bound = bnb_store_duals(c, lp_dual(c->lp.solver));
    c->objective = lp_dual_objective(c->lp.solver);
    c->bound = fmax(c->bound, bound);
    if (bound == -LP_INFINITY)
        use_unproven_duals(c, lp_dual(c->lp.solver), NULL);
    return bnb_bound_prunes(c);
}

/* Handles a limit that ended the LP: the bound of its duals is valid all the same. */
static bnb_outcome end_at_limit(bnb_context *c, base_stop why)
{
    if (c->domain.trial == 0)
        c->bound = fmax(c->bound, bnb_store_duals(c, lp_dual(c->lp.solver)));
    bnb_context_stop(c, why);
    return BNB_LP_STOPPED;
}

/* One round of refinement of x and y + low. Returns LP_INFEASIBLE if it proves that the LP has no
 * point, LP_CUTOFF if the bound prunes. */
static lp_status refine_once(bnb_context *c, const char *source, unsigned char *basis, double *y,
                             double *low)
{
    const lp_status status = lp_refine(c->lp.solver, basis, c->x, y, low);
    if (status == LP_INFEASIBLE) {
        bnb_keep_farkas(c, y);
        assert(lp_farkas_is_proof(lp_solver_model(c->lp.solver), c->domain.lower, c->domain.upper,
                                  c->y));
    }
    if (status != LP_OPTIMAL)
        return status;
    if (source)
        bnb_offer_model(c, c->x, source);
    const double fine =
        lp_safe_bound_fine(lp_solver_model(c->lp.solver), c->domain.lower, c->domain.upper, y, low);
    c->bound = fmax(c->bound, fmax(fine, bnb_store_duals(c, y)));
    return bnb_bound_prunes(c) ? LP_CUTOFF : LP_OPTIMAL;
}

bool bnb_refine(bnb_context *c, int rounds, const char *source)
{
    const bnb_search *s = c->search;
    const size_t rows = (size_t)lp_solver_model(c->lp.solver)->rows,
                 cols = (size_t)lp_solver_model(c->lp.solver)->cols;
    unsigned char *basis = base_malloc(cols + rows + 1, sizeof *basis);
    double *y = base_copy(c->y, rows, sizeof *y);
    double *low = base_calloc(rows + 1, sizeof *low);
    bnb_relaxation_sync(c); /* a heuristic may have left its bounds in the LP */
    lp_get_basis(c->lp.solver, basis);
    if (s->callbacks->accept || s->params.proof)
        rounds = 0;
    lp_status status = c->y_is_farkas ? LP_UNSOLVED : LP_OPTIMAL;
    for (int k = 0; k < rounds && status == LP_OPTIMAL; k++)
        status = refine_once(c, source, basis, y, low);
    bool prunes = status == LP_INFEASIBLE || status == LP_CUTOFF;
    if (!prunes) {
        use_unproven_duals(c, y, low);
        prunes = bnb_bound_prunes(c);
    }
    base_free_all(basis, y, low);
    return prunes;
}

/* Evaluates an optimal LP: x and the bound of its multipliers. Refines the solution if the
 * objective passes the cutoff but the bound does not, or if the multipliers prove nothing. */
static bnb_outcome evaluate_optimum(bnb_context *c)
{
    lp_solver *lp = c->lp.solver;
    c->objective = lp_objective(lp);
    const double bound = bnb_store_duals(c, lp_dual(lp));
    c->bound = fmax(c->bound, bound);
    if (bnb_bound_prunes(c))
        return BNB_LP_PRUNED;
    memcpy(c->x, lp_primal(lp), (size_t)c->in->model->cols * sizeof *c->x);
    const int rounds = c->objective >= c->domain.cutoff ? LP_REFINEMENTS
                       : bound == -LP_INFINITY          ? 1
                                                        : 0;
    return rounds > 0 && bnb_refine(c, rounds, NULL) ? BNB_LP_PRUNED : BNB_LP_SOLVED;
}

static bnb_outcome evaluate(bnb_context *c, lp_status status)
{
    lp_solver *lp = c->lp.solver;
    switch (status) {
    case LP_OPTIMAL:
        return evaluate_optimum(c);
    case LP_CUTOFF:
        return evaluate_duals(c) ? BNB_LP_PRUNED : BNB_LP_UNPROVEN;
    case LP_ITERATION_LIMIT:
        return evaluate_duals(c) ? BNB_LP_PRUNED : BNB_LP_ITERATIONS;
    case LP_INFEASIBLE:
        bnb_keep_farkas(c, lp_farkas(lp));
        return lp_farkas_is_proof(lp_solver_model(lp), c->domain.lower, c->domain.upper, c->y) ||
                       may_use_unproven(c)
                   ? BNB_LP_PRUNED
                   : BNB_LP_UNPROVEN;
    case LP_UNBOUNDED:
        return lp_ray_is_proof(lp_solver_model(c->lp.solver), lp_ray(lp)) ? BNB_LP_UNBOUNDED
                                                                          : BNB_LP_UNPROVEN;
    case LP_TIME_LIMIT:
    case LP_MEMORY_LIMIT:
    case LP_INTERRUPTED:
    case LP_WORK_LIMIT:
        return end_at_limit(c, lp_status_limit(status));
    default:
        return BNB_LP_UNPROVEN;
    }
}

/* Repeats a failed solve without a cutoff: first from the present basis, then from the slack basis,
 * last with the primal simplex. */
static lp_status solve_again(bnb_context *c, int attempt)
{
    lp_solver *lp = c->lp.solver;
    lp_params *p = lp_solver_params(lp);
    if (attempt > 0)
        lp_set_slack_basis(lp);
    p->cutoff = LP_INFINITY;
    p->method = attempt > 1 ? LP_METHOD_PRIMAL : LP_METHOD_DUAL;
    const lp_status result = lp_solve(lp);
    p->method = LP_METHOD_DUAL;
    return result;
}

static bnb_outcome solve_present_rows(bnb_context *c, long limit)
{
    bnb_search *s = c->search;
    lp_params *p = lp_solver_params(c->lp.solver);
    const long before = lp_iterations(c->lp.solver);
    bnb_relaxation_sync(c);
    /* A little beyond the cutoff, so that the safe bound reaches the cutoff, too. */
    p->cutoff =
        c->domain.cutoff == LP_INFINITY
            ? LP_INFINITY
            : c->domain.cutoff + 1e-7 * bnb_gap_unit(c->domain.cutoff, c->search->least_cost);
    p->iteration_limit = limit;
    p->limits = bnb_limits(c);
    if (s->stage == BNB_STAGE_ROOT && c->domain.trial == 0) {
        /* LPs of the root may be long. They continue from their basis in the next run. */
        const uint64_t done = atomic_load(&s->work);
        base_limits_shorten(&p->limits, done < s->most_end ? (double)(s->most_end - done) : 0);
    }
    bnb_outcome outcome = evaluate(c, lp_solve(c->lp.solver));
    for (int attempt = 0; attempt < 3 && outcome == BNB_LP_UNPROVEN && limit == LONG_MAX; attempt++)
        outcome = evaluate(c, solve_again(c, attempt));
    atomic_fetch_add(&c->search->iterations, lp_iterations(c->lp.solver) - before);
    c->lp_solves++;
    return outcome;
}

bnb_outcome bnb_relaxation_solve(bnb_context *c, long limit)
{
    const long start = lp_iterations(c->lp.solver);
    bnb_outcome outcome = solve_present_rows(c, limit);
    const double first = c->objective;
    double part = LAZY_FIRST, before = -LP_INFINITY;
    int still = 0;
    c->lp.rows_missing = false;
    for (int round = 0; outcome == BNB_LP_SOLVED && c->in->core_rows < c->in->model->rows;
         round++) {
        const double left = c->domain.cutoff - c->objective;
        still +=
            c->objective - before < STILL * left || left < ARRIVED * (c->domain.cutoff - first);
        c->lp.rows_missing = c->lp.patience > 0 && still >= c->lp.patience;
        if (c->lp.rows_missing || bnb_lazy_add_violated(c, part, round >= VIOLATED_ROUNDS) == 0)
            break;
        before = c->objective;
        part *= LAZY_NEXT;
        const long used = lp_iterations(c->lp.solver) - start;
        outcome = solve_present_rows(c, limit == LONG_MAX ? limit
                                        : limit > used    ? limit - used
                                                          : 1);
    }
    return outcome;
}
