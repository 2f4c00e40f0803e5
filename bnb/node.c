/* Processing of one node: propagate, bound, fix, cut, heuristics, branch. */
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <string.h>

#include "bnb/bound.h"
#include "bnb/branch.h"
#include "bnb/duals.h"
#include "bnb/fixing.h"
#include "bnb/heur.h"
#include "bnb/incumbent.h"
#include "bnb/log.h"
#include "bnb/node.h"
#include "bnb/proof.h"
#include "bnb/restart.h"
#include "bnb/run.h"
#include "bnb/search.h"
#include "bnb/separate.h"
#include "lp/refine.h"

enum { MAX_RESOLVES = 50 };               /* LP solves of a node after bounds were tightened */
enum { CUTS_ROOT = 500, CUTS_NODE = 50 }; /* most cuts of a round */
enum { AGE_ROOT = 3, AGE_NODE = 8 };      /* rounds that a cut stays in the LP without binding */
enum { STALL_ROOT = 6, STALL_NODE = 1 };  /* rounds in a row that may close less than cut_gain */
enum { CUTS_REFUSED = 20 };               /* rounds of cuts against refused integral solutions */
enum { PATIENCE_GROWTH = 4 }; /* growth of lp.patience from one early pick to the next */
/* Least share of the gap closed by cuts for which duals are picked again. */
#define PICK_GAIN 0.1

/* Outcome of one step of a node's processing. */
typedef enum step {
    STEP_GO_ON = 0,
    STEP_AGAIN, /* bounds or cuts changed: solve the LP again */
    STEP_PRUNED,
    STEP_STOPPED
} step;

/* Prunes the node: the multipliers c->y prove its bound, and the cutoff has reached it. */
static step prune_by_bound(bnb_context *c)
{
    bnb_proof_leaf(c, BNB_STEP_BOUND, c->bound, c->y);
    return STEP_PRUNED;
}

/* Replaces c->y by zero multipliers if they prove at least as much. With all integers fixed, most
 * costs are fixed, too, and rounding may lose more of y's bound than the rows add. */
static void prefer_no_duals(bnb_context *c)
{
    const double bound = c->y_is_farkas ? -LP_INFINITY : c->dual_bound;
    double *y = bnb_duals_save(c);
    bnb_store_zero_duals(c);
    if (c->dual_bound < bound)
        bnb_store_duals(c, y);
    base_free(y);
}

/* Gives the node up; its bound still counts in the bound of the tree. In a proof, the bound must
 * be the one that the multipliers c->y prove. */
static step give_up(bnb_context *c)
{
    bnb_search *s = c->search;
    prefer_no_duals(c);
    c->bound = s->params.proof ? c->dual_bound : fmax(c->bound, c->dual_bound);
    bnb_proof_leaf(c, BNB_STEP_BOUND, c->bound, c->y);
    base_lock(&s->lock);
    s->troubles += c->bound < c->domain.cutoff;
    s->trouble_bound = fmin(s->trouble_bound, c->bound);
    base_unlock(&s->lock);
    return STEP_PRUNED;
}

static step propagate(bnb_context *c)
{
    if (!c->search->params.tuning.propagation)
        return c->domain.empty ? STEP_PRUNED : STEP_GO_ON;
    const int mark = c->domain.trail_count;
    const bool possible = bnb_domain_propagate(&c->domain);
    bnb_proof_deduce(c, mark);
    if (possible)
        return STEP_GO_ON;
    bnb_proof_leaf(c, BNB_STEP_PROPAGATION, c->domain.cutoff, NULL);
    return STEP_PRUNED;
}

/* The LP proves nothing. Continues with an x within the bounds, for branching on an unfixed
 * integer column. If all are fixed, `accept` decides exactly; without `accept` the node is given
 * up. */
static step handle_unproven(bnb_context *c)
{
    if (bnb_domain_is_fixed(&c->domain) && !c->search->callbacks->accept)
        return give_up(c);
    bnb_store_zero_duals(c);
    for (int j = 0; j < c->in->model->cols; j++) {
        const double l = c->domain.lower[j], u = c->domain.upper[j];
        c->x[j] = isfinite(l) ? l : isfinite(u) ? u : 0.0;
    }
    return STEP_GO_ON;
}

static step solve_lp(bnb_context *c)
{
    const long before = lp_iterations(c->lp.solver);
    const bnb_outcome outcome = bnb_relaxation_solve(c, LONG_MAX);
    c->node_iterations += lp_iterations(c->lp.solver) - before;
    switch (outcome) {
    case BNB_LP_SOLVED:
        return STEP_GO_ON;
    case BNB_LP_PRUNED:
        bnb_proof_leaf(c, c->y_is_farkas ? BNB_STEP_FARKAS : BNB_STEP_BOUND, c->bound, c->y);
        return STEP_PRUNED;
    case BNB_LP_STOPPED:
        return STEP_STOPPED;
    case BNB_LP_UNBOUNDED:
        c->search->unbounded = true;
        bnb_search_stop(c->search, BNB_UNBOUNDED);
        return STEP_STOPPED;
    default:
        return handle_unproven(c);
    }
}

/* Updates the pseudo-costs with the effect of the node's branching on the LP, once per node. */
static void update_pseudo_cost(bnb_context *c)
{
    bnb_node *n = c->node;
    if (n->depth == 0 || n->distance <= 0.0 || n->change[0].reason != BNB_BY_BRANCHING)
        return;
    const double gain = fmax(0.0, c->objective - n->parent_objective);
    bnb_pseudo_update(c, n->change[0].col, !n->change[0].upper, gain / n->distance);
    n->distance = 0.0;
}

/* Propagates the bounds tightened since `mark`. Returns STEP_AGAIN only if x violates one of
 * them: otherwise another LP would not help. */
static step follow_up(bnb_context *c, int mark)
{
    const step next = propagate(c);
    if (next != STEP_GO_ON)
        return next;
    for (int k = mark; k < c->domain.trail_count; k++) {
        const int j = c->domain.trail[k].change.col;
        if (c->x[j] < c->domain.lower[j] - 1e-9 || c->x[j] > c->domain.upper[j] + 1e-9)
            return STEP_AGAIN;
    }
    return STEP_GO_ON;
}

/* Reduced-cost fixing and propagation of its results. */
static step fix_columns(bnb_context *c)
{
    const int mark = c->domain.trail_count;
    if (!bnb_fix_by_reduced_cost(c))
        return STEP_GO_ON;
    bnb_proof_deduce(c, mark);
    if (c->domain.empty) {
        bnb_proof_leaf(c, BNB_STEP_BOUND, c->domain.cutoff, c->y);
        return STEP_PRUNED;
    }
    return follow_up(c, mark);
}

/* Solves the LP until its bounds are stable. */
static step bound_node(bnb_context *c)
{
    for (int k = 0; k < MAX_RESOLVES; k++) {
        step next = solve_lp(c);
        if (next != STEP_GO_ON)
            return next;
        update_pseudo_cost(c);
        next = fix_columns(c);
        if (next != STEP_AGAIN)
            return next;
    }
    return STEP_GO_ON;
}

/* Offers an integral LP solution. If `accept` refuses it, the solution satisfies the rows only
 * within their tolerance. Then adds cuts, which may separate it, and offers the next one. */
static step offer_integral(bnb_context *c, const char *source)
{
    for (int round = 0;; round++) {
        bnb_offer_model(c, c->x, source);
        const bool refused = c->search->callbacks->accept && !c->offer_was_solution &&
                             !bnb_domain_is_fixed(&c->domain) &&
                             lp_last_status(c->lp.solver) == LP_OPTIMAL;
        if (!refused || round == CUTS_REFUSED || bnb_separate(c, CUTS_NODE, AGE_NODE) == 0)
            return STEP_GO_ON;
        const step next = bound_node(c);
        if (next != STEP_GO_ON || bnb_count_fractional(c) > 0)
            return next;
    }
}

/* Handles an LP solution if it is integral. Prunes the node if it cannot contain a better one. */
static step handle_integral(bnb_context *c)
{
    const char *source = c->node->depth == 0 ? "root LP" : "tree LP";
    const bool judged = c->search->callbacks->accept != NULL;
    if (bnb_count_fractional(c) > 0)
        return STEP_GO_ON;
    const step next = offer_integral(c, source);
    if (next != STEP_GO_ON || bnb_count_fractional(c) > 0)
        return next;
    if (!c->offer_was_solution && !judged)
        bnb_heuristic_round(c, source);
    if (bnb_bound_prunes(c) || bnb_refine(c, LP_REFINEMENTS, source))
        return prune_by_bound(c);
    if (!bnb_domain_is_fixed(&c->domain))
        return STEP_GO_ON; /* branch_or_prune branches on an unfixed column */
    if (!judged)
        return bnb_is_refuted(c) ? STEP_PRUNED : give_up(c);
    /* `accept` has decided on these integers. */
    bnb_proof_leaf(c, BNB_STEP_SOLUTION, c->bound, NULL);
    return STEP_PRUNED;
}

/* ---- cut rounds --------------------------------------------------------- */

/* Records the bound of the root for the log and for a search that is given up. */
static void note_root_bound(bnb_context *c, bool first)
{
    bnb_search *s = c->search;
    base_lock(&s->lock);
    s->active_bound[c->thread] = c->bound;
    s->proven = fmax(s->proven, bnb_search_bound(s));
    bnb_log_line(s, NULL, first);
    base_unlock(&s->lock);
}

/* Returns the gain of the LP objective since `before`, as a share of the gap at that time. */
static double gap_share(const bnb_context *c, double before)
{
    const double open =
        c->domain.cutoff < LP_INFINITY ? c->domain.cutoff - before : 0.2 * fabs(before);
    return (c->objective - before) / fmax(open, DBL_MIN);
}

static step cut_rounds(bnb_context *c, int rounds)
{
    const bnb_tuning *p = &c->search->params.tuning;
    const bool root = c->node->depth == 0;
    const int limit = root ? STALL_ROOT : STALL_NODE;
    int stalled = 0;
    for (int round = 0; round < rounds && stalled < limit; round++) {
        const double before = c->objective;
        if (bnb_count_fractional(c) == 0 || (root && bnb_restart_pays(c)))
            return STEP_GO_ON;
        if (bnb_separate(c, root ? CUTS_ROOT : CUTS_NODE, root ? AGE_ROOT : AGE_NODE) == 0)
            return STEP_GO_ON;
        const step next = bound_node(c);
        if (next != STEP_GO_ON)
            return next;
        if (bnb_stopped(c))
            return STEP_STOPPED;
        stalled = gap_share(c, before) > p->cut_gain ? 0 : stalled + 1;
        if (root) {
            bnb_remember_root_costs(c);
            note_root_bound(c, false);
        }
    }
    return STEP_GO_ON;
}

/* ---- branching ---------------------------------------------------------- */

static bnb_node *make_child(bnb_context *c, const bnb_branching *b, int up, bnb_lpstate *state)
{
    const bnb_change change = {up ? b->value + 1.0 : b->value, b->col, -1, !up, BNB_BY_BRANCHING};
    bnb_node *n = bnb_node_create(c->node, &change, fmax(c->bound, b->bound[up]), state);
    n->id = ++c->next_id * c->search->most_threads + c->thread;
    n->parent_objective = c->objective;
    n->distance = up ? b->value + 1.0 - c->x[b->col] : c->x[b->col] - b->value;
    return n;
}

static void branch(bnb_context *c, const bnb_branching *b, bnb_node **child)
{
    bnb_search *s = c->search;
    bnb_lpstate *state = bnb_relaxation_state(c);
    assert(c->lp.patience == 0); /* x satisfies every row */
    /* The child with the smaller gain is processed next. */
    const double x = c->x[b->col];
    const int first = b->gain[1] < b->gain[0] || (b->gain[1] == b->gain[0] && x - b->value > 0.5);
    base_lock(&s->lock);
    state->refs = 2;
    bnb_node_add_changes(c->node, c->domain.trail, c->domain.trail_count);
    child[0] = make_child(c, b, first, state);
    child[1] = make_child(c, b, !first, state);
    bnb_lpstate_release(c->node->state);
    c->node->state = NULL;
    base_unlock(&s->lock);
    bnb_proof_branch(c, b, child);
}

/* Keeps the root's bounds for the whole tree. Returns true if the root should be restarted. */
static bool finish_root(bnb_context *c)
{
    const size_t bytes = (size_t)c->in->model->cols * sizeof(double);
    bnb_remember_root_costs(c);
    memcpy(c->search->lower, c->domain.lower, bytes);
    memcpy(c->search->upper, c->domain.upper, bytes);
    return bnb_restart_pays(c);
}

/* Branches, or tightens the node and bounds it again, until it has children (STEP_GO_ON) or is
 * pruned. restart (NULL below the root): set if the tightened bounds justify a restart. */
static step branch_or_prune(bnb_context *c, bnb_node **child, bool *restart)
{
    for (;;) {
        bnb_branching b;
        if (bnb_stopped(c))
            return STEP_STOPPED;
        switch (bnb_branch_select(c, &b)) {
        case BNB_BRANCH_CHOSEN:
            branch(c, &b, child);
            return STEP_GO_ON;
        case BNB_BRANCH_STOPPED:
            return STEP_STOPPED;
        case BNB_BRANCH_PRUNED:
            bnb_proof_leaf(c, BNB_STEP_PROPAGATION, c->domain.cutoff, NULL);
            return STEP_PRUNED;
        case BNB_BRANCH_NONE:
            return give_up(c);
        case BNB_BRANCH_REDUCED:
            break;
        }
        step next = bound_node(c);
        if (next == STEP_GO_ON)
            next = handle_integral(c);
        if (next != STEP_GO_ON)
            return next;
        if (restart && bnb_restart_pays(c)) {
            *restart = finish_root(c);
            return STEP_GO_ON;
        }
    }
}

bool bnb_node_process(bnb_context *c, bnb_node **child)
{
    step next = propagate(c);
    if (next == STEP_GO_ON)
        next = bound_node(c);
    if (next == STEP_GO_ON)
        next = cut_rounds(c, c->search->params.tuning.cut_rounds_node);
    if (next == STEP_GO_ON)
        next = handle_integral(c);
    if (next == STEP_GO_ON) {
        bnb_heuristics_node(c);
        next = bnb_bound_prunes(c) ? prune_by_bound(c) : branch_or_prune(c, child, NULL);
    }
    return next != STEP_STOPPED;
}

/* ---- root --------------------------------------------------------------- */

/* Fixes columns by picked duals and propagates the results. More rows leave more duals to choose
 * from: rows that x satisfies with equality enter the LP first, and stay. */
static step pick_duals(bnb_context *c)
{
    if (!bnb_picked_duals_pay(c))
        return STEP_GO_ON;
    if (bnb_lazy_add_tight(c) > 0) {
        const step next = bound_node(c);
        if (next != STEP_GO_ON || !bnb_picked_duals_pay(c))
            return next;
    }
    const int mark = c->domain.trail_count;
    const bool changed = bnb_fix_by_picked_duals(c);
    if (bnb_stopped(c))
        return STEP_STOPPED;
    if (!changed)
        return STEP_GO_ON;
    assert(!c->domain.empty); /* a fixed column keeps its bound, so a value is left */
    const step next = follow_up(c, mark);
    return next == STEP_AGAIN ? bound_node(c) : next;
}

/* Solves the first LP. Its bound is final long before all lazy rows are in it. Further rounds
 * only change x, and are better spent on a smaller model. So duals are picked early; if they fix
 * many columns, *restart is set. */
static step bound_root(bnb_context *c, bool *restart)
{
    const bnb_tuning *p = &c->search->params.tuning;
    int patience = bnb_restart_allowed(c->search) ? 1 : 0;
    step next = propagate(c);
    for (int k = 0; next == STEP_GO_ON && !*restart; k++) {
        c->lp.patience = k < p->early_picks ? patience : 0;
        next = bound_node(c);
        if (next != STEP_GO_ON || !c->lp.rows_missing)
            break;
        next = pick_duals(c);
        *restart = next == STEP_GO_ON && bnb_many_fixed(c);
        patience *= PATIENCE_GROWTH;
    }
    c->lp.patience = 0;
    return next;
}

static step root_steps(bnb_context *c, bool *restart)
{
    bnb_search *s = c->search;
    step next = bound_root(c, restart);
    if (next != STEP_GO_ON)
        return next;
    if (s->restarts == 0)
        s->root_bound = c->bound;
    s->root_bound_cuts = fmax(s->root_bound_cuts, c->bound);
    note_root_bound(c, true);
    if (!*restart && bnb_count_fractional(c) > 0) {
        const double before = c->objective;
        next = pick_duals(c);
        if (next == STEP_GO_ON)
            next = cut_rounds(c, s->params.tuning.cut_rounds_root);
        if (next == STEP_GO_ON && bnb_count_fractional(c) > 0 && gap_share(c, before) > PICK_GAIN)
            next = pick_duals(c);
    }
    s->root_bound_cuts = fmax(s->root_bound_cuts, c->bound);
    return next;
}

bool bnb_root_process(bnb_context *c, bnb_node **child, bool *restart)
{
    bnb_domain_queue_all(&c->domain);
    step next = root_steps(c, restart);
    if (next == STEP_GO_ON && !*restart && bnb_count_fractional(c) > 0) {
        bnb_remember_root_costs(c);
        if (!bnb_restart_pays(c))
            bnb_heuristics_root(c);
        next = bnb_bound_prunes(c) ? prune_by_bound(c) : fix_columns(c);
        if (next == STEP_AGAIN)
            next = bound_node(c);
    }
    if (next == STEP_GO_ON && !*restart)
        next = handle_integral(c);
    if (next == STEP_GO_ON) {
        *restart |= finish_root(c);
        if (!*restart && bnb_order_pays(c))
            *restart = c->search->ordered = true;
        if (!*restart)
            next = branch_or_prune(c, child, restart);
    }
    return next != STEP_STOPPED;
}
