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
    int col;
    double x;
    double score;
    double gain[2];
    double bound[2];
} candidate;

static double product_score(double down, double up)
{
    return fmax(down, 1e-6) * fmax(up, 1e-6);
}

static int by_score(const void *a, const void *b)
{
    const candidate *p = a, *q = b;
    if (p->score != q->score)
        return p->score > q->score ? -1 : 1;
    return (p->col > q->col) - (p->col < q->col);
}

int bnb_count_fractional(const bnb_context *c)
{
    const lp_model *m = c->in->model;
    const double tolerance = c->search->params.integrality;
    int count = 0;
    for (int j = 0; j < m->cols; j++)
        count += m->integer[j] && fabs(c->x[j] - nearbyint(c->x[j])) > tolerance;
    return count;
}

/* Collects the fractional columns of the highest priority; returns their number. */
static int collect_candidates(const bnb_context *c, candidate *list)
{
    const lp_model *m = c->in->model;
    const int *priority = c->search->priority;
    const double tolerance = c->search->params.integrality;
    int count = 0, highest = INT_MIN;
    for (int j = 0; j < m->cols; j++) {
        if (!m->integer[j] || fabs(c->x[j] - nearbyint(c->x[j])) <= tolerance)
            continue;
        const int p = priority ? priority[j] : 0;
        if (p < highest)
            continue;
        if (p > highest)
            count = 0;
        highest = p;
        candidate *k = &list[count++];
        *k = (candidate){.col = j, .x = c->x[j], .bound = {c->bound, c->bound}};
        const double f = k->x - floor(k->x);
        k->gain[0] = bnb_pseudo_gain(&c->pseudo, j, 0, f);
        k->gain[1] = bnb_pseudo_gain(&c->pseudo, j, 1, 1.0 - f);
        k->score = product_score(k->gain[0], k->gain[1]);
    }
    return count;
}

/* ---- strong branching --------------------------------------------------- */

typedef enum trial_result {
    TRIAL_OPEN = 0,
    TRIAL_EMPTY, /* proven */
    TRIAL_STOPPED
} trial_result;

/* Solves one child of k for at most `limit` iterations from the saved basis. */
static trial_result try_child(bnb_context *c, const bnb_saved *saved, candidate *k, int up,
                              long limit)
{
    bnb_domain *d = &c->domain;
    const int mark = bnb_domain_mark(d);
    const double value = up ? ceil(k->x) : floor(k->x);
    trial_result result = TRIAL_OPEN;
    d->trial++;
    bnb_domain_tighten(d, k->col, !up, value, BNB_BY_HEURISTIC, -1);
    if (c->search->params.tuning.propagation && !c->search->params.proof)
        bnb_domain_propagate(d);
    if (d->empty) {
        result = TRIAL_EMPTY;
    } else {
        bnb_restore_basis(c, saved);
        c->bound = saved->bound;
        c->objective = saved->objective;
        const bnb_outcome outcome = bnb_relaxation_solve(c, limit);
        if (outcome == BNB_LP_STOPPED)
            result = TRIAL_STOPPED;
        else if (outcome == BNB_LP_PRUNED)
            result = TRIAL_EMPTY;
        k->bound[up] = fmax(k->bound[up], c->bound);
        const double gain = fmax(0.0, c->objective - saved->objective);
        if (outcome == BNB_LP_SOLVED || outcome == BNB_LP_ITERATIONS)
            k->gain[up] = isfinite(gain) ? gain : k->gain[up];
        if (outcome == BNB_LP_SOLVED) {
            const double distance = up ? ceil(k->x) - k->x : k->x - floor(k->x);
            bnb_pseudo_update(c, k->col, up, gain / fmax(distance, 1e-6));
            if (bnb_count_fractional(c) == 0)
                bnb_offer_model(c, c->x, "strong branching");
        }
        if (result == TRIAL_EMPTY)
            bnb_proof_strong(c, k->col, up, up ? value - 1.0 : value + 1.0, c->y);
    }
    bnb_domain_undo(d, mark);
    d->trial--;
    return result;
}

static bool is_reliable(const bnb_context *c, int col, double needed)
{
    return fmin(c->pseudo.count[0][col], c->pseudo.count[1][col]) >= needed;
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
    c->reductions += isinf(upper ? d->lower[k->col] : d->upper[k->col]) ? ENDLESS_REDUCTION : 1;
    bnb_domain_tighten(d, k->col, upper, upper ? floor(k->x) : ceil(k->x), BNB_BY_STRONG_BRANCHING,
                       -1);
    if (!d->empty && c->search->params.tuning.propagation) {
        const int mark = bnb_domain_mark(d);
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
    trial_result result[2] = {TRIAL_OPEN, TRIAL_OPEN};
    for (int up = 0; up < 2 && result[0] != TRIAL_STOPPED; up++)
        result[up] = try_child(c, saved, k, up, limit);
    c->strong_iterations += lp_iterations(c->lp.solver) - before;
    k->score = product_score(k->gain[0], k->gain[1]);
    if (result[0] == TRIAL_STOPPED || result[1] == TRIAL_STOPPED || bnb_stopped(c))
        return BNB_BRANCH_STOPPED;
    if (result[0] == TRIAL_EMPTY && result[1] == TRIAL_EMPTY)
        return BNB_BRANCH_PRUNED;
    if (result[0] == TRIAL_EMPTY)
        return tighten_to_child(c, k, 0);
    if (result[1] == TRIAL_EMPTY)
        return tighten_to_child(c, k, 1);
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
        if (!is_reliable(c, list[k].col, needed)) {
            if (trials++ == 0)
                saved = bnb_save(c);
            result = strong_branch(c, &saved, &list[k]);
            if (result != BNB_BRANCH_CHOSEN)
                break;
            misses++;
        }
        if (*best < 0 || list[k].score > list[*best].score * (1.0 + 1e-9)) {
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
    qsort(list, (size_t)count, sizeof *list, by_score);
    int best = -1;
    const bnb_branch_result result = choose_candidate(c, list, count, &best);
    if (result == BNB_BRANCH_CHOSEN) {
        const candidate *k = &list[best];
        assert(k->x >= c->domain.lower[k->col] - 1e-6 && k->x <= c->domain.upper[k->col] + 1e-6);
        *b = (bnb_branching){
            k->col, floor(k->x), {k->bound[0], k->bound[1]}, {k->gain[0], k->gain[1]}};
    }
    base_free(list);
    return result;
}
