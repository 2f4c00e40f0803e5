/* Reliability branching (Achterberg, Koch and Martin 2005). Candidates are sorted by pseudo-cost
 * score. Candidates with few observations are tried by strong branching: a few simplex iterations
 * in each child. If a child is proven empty, the node is tightened instead. Bounds proven in a
 * trial become bounds of the child. */
#include <assert.h>
#include <limits.h>
#include <stdlib.h>

#include "bnb/bound.h"
#include "bnb/branch.h"
#include "bnb/duals.h"
#include "bnb/incumbent.h"
#include "bnb/proof.h"
#include "bnb/rank.h"
#include "bnb/run.h"
#include "bnb/search.h"

/* Most bounds of a node that strong branching may tighten. A column without a second bound could
 * be tightened for ever, so its tightenings count ENDLESS_REDUCTION times. */
enum { MAX_REDUCTIONS = 100, ENDLESS_REDUCTION = 10 };
enum { TRIAL_ITERATIONS = 100 }; /* most simplex iterations of a trial */
enum { STRONG_START = 20000 };   /* iterations of trials beyond strong_share */
/* Beyond this, x and x + 1 may be the same double. */
static const double largest_split = 0x1p52;

typedef struct candidate {
    bnb_ranked rank; /* by score */
    double x;
    bnb_branching branching;
} candidate;

static double product_score(const double *gain)
{
    return fmax(gain[0], 1e-6) * fmax(gain[1], 1e-6);
}

bool bnb_is_fractional(const bnb_context *c, int j)
{
    return c->in->model->integer[j] && fabs(c->x[j] - nearbyint(c->x[j])) > BNB_INTEGER_SLACK;
}

int bnb_count_fractional(const bnb_context *c)
{
    int count = 0;
    for (int j = 0; j < c->in->model->cols; j++)
        count += bnb_is_fractional(c, j);
    return count;
}

/* Collects the fractional columns of the highest priority; returns their number. */
static int collect_candidates(const bnb_context *c, candidate *list)
{
    const int *priority = c->search->priority;
    int count = 0, highest = INT_MIN;
    for (int j = 0; j < c->in->model->cols; j++) {
        if (!bnb_is_fractional(c, j))
            continue;
        const int p = priority ? priority[j] : 0;
        if (p < highest)
            continue;
        if (p > highest)
            count = 0;
        highest = p;
        const double value = floor(c->x[j]), f = c->x[j] - value;
        const bnb_branching b = {
            j,
            value,
            {c->bound, c->bound},
            {bnb_pseudo_gain(&c->pseudo, j, 0, f), bnb_pseudo_gain(&c->pseudo, j, 1, 1.0 - f)}};
        list[count++] = (candidate){{product_score(b.gain), j}, c->x[j], b};
    }
    return count;
}

/* ---- strong branching --------------------------------------------------- */

/* Solves one child of k for at most `limit` iterations from the saved basis. BNB_LP_PRUNED: it is
 * proven empty. */
static bnb_outcome try_child(bnb_context *c, const bnb_saved *saved, candidate *k, int up,
                             long limit)
{
    bnb_domain *d = &c->domain;
    bnb_branching *b = &k->branching;
    const int mark = d->trail_count;
    const double value = up ? ceil(k->x) : floor(k->x);
    bnb_outcome outcome = BNB_LP_PRUNED;
    d->trial++;
    bnb_domain_tighten(d, b->col, !up, value, BNB_BY_HEURISTIC, -1);
    if (c->search->params.tuning.propagation && !c->search->params.proof)
        bnb_domain_propagate(d);
    if (!d->empty) {
        bnb_restore_basis(c, saved);
        c->bound = saved->bound;
        c->objective = saved->objective;
        outcome = bnb_relaxation_solve(c, limit);
        b->bound[up] = fmax(b->bound[up], c->bound);
        const double gain = fmax(0.0, c->objective - saved->objective);
        if (outcome == BNB_LP_SOLVED || outcome == BNB_LP_ITERATIONS)
            b->gain[up] = isfinite(gain) ? gain : b->gain[up];
        if (outcome == BNB_LP_SOLVED) {
            bnb_pseudo_update(c, b->col, up, gain / fmax(fabs(value - k->x), 1e-6));
            if (bnb_count_fractional(c) == 0)
                bnb_offer_model(c, c->x, "strong branching");
        }
        if (outcome == BNB_LP_PRUNED)
            bnb_proof_strong(c, b->col, up, up ? value - 1.0 : value + 1.0, c->y);
    }
    bnb_domain_undo(d, mark);
    d->trial--;
    return outcome;
}

/* Returns the observations that make a column reliable. Fewer are needed when strong branching
 * has used much of its share. */
static double needed_reliability(const bnb_context *c)
{
    const bnb_tuning *p = &c->search->params.tuning;
    const double allowed =
        p->strong_share * (double)(c->node_iterations + c->heuristic_iterations) + STRONG_START;
    const double used = (double)c->strong_iterations;
    if (p->reliability == 0 || used > 2.0 * allowed || c->reductions >= MAX_REDUCTIONS)
        return 0.0;
    if (used <= 0.5 * allowed || c->node->depth == 0)
        return p->reliability;
    return fmax(1.0, p->reliability * (2.0 - 2.0 * used / (2.0 * allowed)));
}

static long trial_iterations(const bnb_context *c)
{
    const double average =
        c->lp_solves > 0 ? (double)c->node_iterations / (double)c->lp_solves : 10.0;
    const double limit = fmax(10.0, fmin(2.0 * average, TRIAL_ITERATIONS));
    return c->node->depth == 0 ? TRIAL_ITERATIONS : (long)limit;
}

/* Tightens the node to the other child, after one child is proven empty. */
static bnb_branch_result tighten_to_child(bnb_context *c, const candidate *k, int empty_child)
{
    bnb_domain *d = &c->domain;
    const bool upper = empty_child == 1;
    const int j = k->branching.col;
    c->reductions += isinf(upper ? d->lower[j] : d->upper[j]) ? ENDLESS_REDUCTION : 1;
    bnb_domain_tighten(d, j, upper, upper ? floor(k->x) : ceil(k->x), BNB_BY_STRONG_BRANCHING, -1);
    if (!d->empty && c->search->params.tuning.propagation) {
        const int mark = d->trail_count;
        bnb_domain_propagate(d);
        bnb_proof_deduce(c, mark);
    }
    return d->empty ? BNB_BRANCH_PRUNED : BNB_BRANCH_REDUCED;
}

/* Strong branching on k. Returns CHOSEN if both children stay open. */
static bnb_branch_result strong_branch(bnb_context *c, const bnb_saved *saved, candidate *k)
{
    const long limit = trial_iterations(c);
    const long before = lp_iterations(c->lp.solver);
    bnb_outcome child[2] = {BNB_LP_SOLVED, BNB_LP_SOLVED};
    for (int up = 0; up < 2 && child[0] != BNB_LP_STOPPED; up++)
        child[up] = try_child(c, saved, k, up, limit);
    c->strong_iterations += lp_iterations(c->lp.solver) - before;
    k->rank.key = product_score(k->branching.gain);
    if (child[0] == BNB_LP_STOPPED || child[1] == BNB_LP_STOPPED || bnb_stopped(c))
        return BNB_BRANCH_STOPPED;
    if (child[0] == BNB_LP_PRUNED && child[1] == BNB_LP_PRUNED)
        return BNB_BRANCH_PRUNED;
    if (child[0] == BNB_LP_PRUNED || child[1] == BNB_LP_PRUNED)
        return tighten_to_child(c, k, child[0] == BNB_LP_PRUNED ? 0 : 1);
    return BNB_BRANCH_CHOSEN;
}

/* Chooses the best candidate, or returns the result of strong branching that makes a choice
 * unnecessary. */
static bnb_branch_result choose_candidate(bnb_context *c, candidate *list, int count, int *best)
{
    const bnb_tuning *p = &c->search->params.tuning;
    const double needed = needed_reliability(c);
    bnb_saved saved = {0};
    bnb_branch_result result = BNB_BRANCH_CHOSEN;
    int misses = 0, trials = 0;
    *best = -1;
    for (int k = 0; k < count && k < p->strong_candidates && misses < p->strong_lookahead; k++) {
        const int j = list[k].branching.col;
        if (fmin(c->pseudo.col[0][j].count, c->pseudo.col[1][j].count) < needed) {
            if (trials++ == 0)
                saved = bnb_save(c);
            result = strong_branch(c, &saved, &list[k]);
            if (result != BNB_BRANCH_CHOSEN)
                break;
            misses++;
        }
        if (*best < 0 || list[k].rank.key > list[*best].rank.key * (1.0 + 1e-9)) {
            *best = k;
            misses = 0;
        }
    }
    if (trials > 0) {
        bnb_restore_basis(c, &saved);
        bnb_restore(c, &saved);
    }
    return result;
}

/* ---- integral LP solutions that are no solutions ------------------------ */

/* The LP solution is integral within the tolerance. Branches on the unfixed integer column that
 * is farthest from an integer, since the solution depends on the tolerance there. Ties: highest
 * priority. */
static bnb_branch_result split_unfixed(const bnb_context *c, bnb_branching *b)
{
    static const double noise = 1e-10;
    const lp_model *m = c->in->model;
    const bnb_domain *d = &c->domain;
    const int *priority = c->search->priority;
    int best = -1;
    double farthest = 0;
    for (int j = 0; j < m->cols; j++) {
        if (!m->integer[j] || d->lower[j] >= d->upper[j] || fabs(c->x[j]) >= largest_split)
            continue;
        const double away = fabs(c->x[j] - nearbyint(c->x[j]));
        if (best < 0 || away > farthest + noise ||
            (away >= farthest - noise && priority && priority[j] > priority[best])) {
            farthest = fmax(farthest, away);
            best = j;
        }
    }
    if (best < 0)
        return BNB_BRANCH_NONE;
    const double x = nearbyint(c->x[best]);
    *b = (bnb_branching){best, x < d->upper[best] ? x : x - 1.0, {c->bound, c->bound}, {0.0, 0.0}};
    return BNB_BRANCH_CHOSEN;
}

bnb_branch_result bnb_branch_select(bnb_context *c, bnb_branching *b)
{
    candidate *list = base_malloc((size_t)c->in->integers + 1, sizeof *list);
    const int count = collect_candidates(c, list);
    if (count == 0) {
        base_free(list);
        return split_unfixed(c, b);
    }
    qsort(list, (size_t)count, sizeof *list, bnb_ranked_compare); /* rank comes first */
    int best = -1;
    const bnb_branch_result result = choose_candidate(c, list, count, &best);
    if (result == BNB_BRANCH_CHOSEN) {
        *b = list[best].branching;
        assert(list[best].x >= c->domain.lower[b->col] - 1e-6 &&
               list[best].x <= c->domain.upper[b->col] + 1e-6);
    }
    base_free(list);
    return result;
}
