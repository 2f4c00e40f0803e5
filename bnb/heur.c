/* Primal heuristics around the LP solution: rounding with propagation, dives and sub-MIPs. All
 * leave domain, LP and x unchanged. */
#include <assert.h>
#include <limits.h>

#include "bnb/bound.h"
#include "bnb/branch.h"
#include "bnb/duals.h"
#include "bnb/heur.h"
#include "bnb/incumbent.h"
#include "bnb/rank.h"
#include "bnb/run.h"
#include "bnb/search.h"

enum { DIVE_KINDS = 3 };
enum { ROUNDING_EVERY = 8, DIVE_EVERY = 10 }; /* nodes between two calls */
enum { DIVE_DEPTH = 2000 };                   /* most steps of a dive */
enum { FREE_ITERATIONS = 2000 };              /* iterations beyond heuristic_share */

/* ---- a working copy of the node ----------------------------------------- */

typedef struct trial {
    bnb_saved saved;
    int mark;
    long iterations;
} trial;

static trial begin_trial(bnb_context *c)
{
    const trial t = {bnb_save(c), c->domain.trail_count, lp_iterations(c->lp.solver)};
    c->domain.trial++;
    return t;
}

static void end_trial(bnb_context *c, trial *t)
{
    const long now = lp_iterations(c->lp.solver);
    c->heuristic_iterations += now - t->iterations;
    c->domain.trial--;
    bnb_domain_undo(&c->domain, t->mark);
    if (now > t->iterations)
        bnb_restore_basis(c, &t->saved);
    bnb_restore(c, &t->saved);
}

/* Sets one bound of a column for the trial; false if the domain becomes empty. */
static bool tighten_for_trial(bnb_context *c, int col, bool upper, double value)
{
    bnb_domain_tighten(&c->domain, col, upper, value, BNB_BY_HEURISTIC, -1);
    return !c->domain.empty && bnb_domain_propagate(&c->domain);
}

static bool fix_column(bnb_context *c, int col, double value)
{
    const bnb_domain *d = &c->domain;
    value = fmin(fmax(nearbyint(value), d->lower[col]), d->upper[col]);
    return tighten_for_trial(c, col, true, value) && tighten_for_trial(c, col, false, value);
}

/* ---- rounding ----------------------------------------------------------- */

/* Fixes the integers one by one with propagation, the nearest to an integer first. If a value
 * fails, the next integer on the other side of x is tried once. Then an LP over the continuous
 * columns is solved. */
void bnb_heuristic_round(bnb_context *c, const char *source)
{
    const lp_model *m = c->in->model;
    trial t = begin_trial(c);
    bnb_ranked *order = base_malloc((size_t)c->in->integers + 1, sizeof *order);
    int count = 0;
    for (int j = 0; j < m->cols; j++)
        if (m->integer[j] && c->domain.lower[j] < c->domain.upper[j])
            order[count++] = (bnb_ranked){-fabs(t.saved.x[j] - nearbyint(t.saved.x[j])), j};
    bnb_rank(order, count);
    bool fine = true;
    for (int i = 0; fine && i < count; i++) {
        const int j = order[i].index;
        const double x = t.saved.x[j];
        /* Clearly fractional columns are rounded towards the side with fewer locks. */
        const bool split = fabs(x - nearbyint(x)) > 0.2;
        const int down = c->in->down_locks[j], up = c->in->up_locks[j];
        const double near = !split || down == up ? nearbyint(x) : down < up ? floor(x) : ceil(x);
        const int mark = c->domain.trail_count;
        fine = fix_column(c, j, near);
        if (!fine) {
            bnb_domain_undo(&c->domain, mark);
            fine = fix_column(c, j, near > x ? near - 1.0 : near + 1.0);
        }
    }
    if (fine && bnb_relaxation_solve(c, LONG_MAX) == BNB_LP_SOLVED)
        bnb_offer_model(c, c->x, source);
    base_free(order);
    end_trial(c, &t);
}

/* ---- dives -------------------------------------------------------------- */

typedef enum dive_kind { DIVE_FRACTIONAL = 0, DIVE_PSEUDO_COST, DIVE_GUIDED } dive_kind;

/* Returns the score of column j at x (less is better) and its direction. */
static double dive_score(const bnb_context *c, dive_kind kind, int j, double x,
                         const double *incumbent, bool *up)
{
    const double f = x - floor(x);
    if (kind == DIVE_GUIDED) {
        *up = incumbent[j] > x;
        return *up ? 1.0 - f : f;
    }
    const int down_locks = c->in->down_locks[j], up_locks = c->in->up_locks[j];
    if (kind == DIVE_PSEUDO_COST) {
        const double down = bnb_pseudo_gain(&c->pseudo, j, 0, f);
        const double upward = bnb_pseudo_gain(&c->pseudo, j, 1, 1.0 - f);
        *up = f > 0.7 || (f > 0.3 && upward < down);
        return -(1.0 + (*up ? down : upward)) / (1.0 + (*up ? upward : down)) * (*up ? f : 1.0 - f);
    }
    *up = fabs(f - 0.5) < 0.1 ? up_locks < down_locks : f > 0.5;
    return *up ? 1.0 - f : f;
}

static int choose_dive(const bnb_context *c, dive_kind kind, const double *incumbent, bool *up)
{
    int best = -1;
    double best_score = LP_INFINITY;
    for (int j = 0; j < c->in->model->cols; j++) {
        bool direction = false;
        if (!bnb_is_fractional(c, j))
            continue;
        const double score = dive_score(c, kind, j, c->x[j], incumbent, &direction);
        if (score < best_score) {
            best_score = score;
            best = j;
            *up = direction;
        }
    }
    return best;
}

/* Rounds column j in one direction or, if that fails, in the other. Returns false if both fail. */
static bool dive_step(bnb_context *c, int j, bool up)
{
    const double x = c->x[j];
    const int mark = c->domain.trail_count;
    if (tighten_for_trial(c, j, !up, up ? ceil(x) : floor(x)))
        return true;
    bnb_domain_undo(&c->domain, mark);
    return tighten_for_trial(c, j, up, up ? floor(x) : ceil(x));
}

/* Bounds one fractional column after another and solves the LP each time. Columns are chosen by
 * fractionality, by pseudo-costs, or towards the incumbent. Ends after about `budget` iterations.
 */
static void dive(bnb_context *c, int kind, long budget)
{
    static const char *const names[DIVE_KINDS] = {"dive fractional", "dive pseudo-cost",
                                                  "dive guided"};
    double *incumbent = bnb_incumbent(c);
    if (kind == DIVE_GUIDED && !incumbent)
        kind = DIVE_FRACTIONAL;
    trial t = begin_trial(c);
    const long start = t.iterations;
    for (int depth = 0; depth < DIVE_DEPTH && !bnb_stopped(c); depth++) {
        bool up = false;
        const int j = choose_dive(c, (dive_kind)kind, incumbent, &up);
        if (j < 0) {
            bnb_offer_model(c, c->x, names[kind]);
            if (!c->offer_was_solution && !c->search->callbacks->accept)
                bnb_heuristic_round(c, names[kind]);
            break;
        }
        if (!dive_step(c, j, up))
            break;
        const long used = lp_iterations(c->lp.solver) - start;
        if (used > budget)
            break;
        c->bound = t.saved.bound;
        if (bnb_relaxation_solve(c, budget - used + 10) != BNB_LP_SOLVED)
            break;
    }
    base_free(incumbent);
    end_trial(c, &t);
}

/* ---- sub-MIPs ----------------------------------------------------------- */

enum { CUT_ROUNDS = 5 }; /* at a sub-MIP's root */

/* `accept` of the sub-MIP; user: the context of the outer search. */
static bool accept_outer(void *user, const double *x, double *objective)
{
    const bnb_context *c = user;
    const bnb_callbacks *cb = c->search->callbacks;
    double *full = bnb_instance_expand(c->in, x);
    const bool accepted = cb->accept(cb->user, full, objective);
    base_free(full);
    return accepted;
}

/* Returns the model with the agreeing integer columns fixed; NULL: too few agree. */
static lp_model *neighbourhood(bnb_context *c, const double *incumbent)
{
    const lp_model *m = c->in->model;
    lp_model *sub = lp_model_copy(m);
    int fixed = 0;
    for (int j = 0; j < m->cols; j++) {
        sub->lower[j] = c->search->lower[j];
        sub->upper[j] = c->search->upper[j];
        if (!m->integer[j])
            continue;
        const double x = nearbyint(c->x[j]);
        const bool agree = fabs(c->x[j] - x) < 1e-6 && (!incumbent || x == incumbent[j]) &&
                           x >= sub->lower[j] && x <= sub->upper[j];
        if (agree)
            sub->lower[j] = sub->upper[j] = x;
        fixed += sub->lower[j] == sub->upper[j];
    }
    if (fixed >= c->search->params.tuning.submip_fixed * c->in->integers)
        return sub;
    lp_model_free(sub);
    return NULL;
}

/* Integer columns on which the LP and the incumbent agree are fixed (RINS: Danna, Rothberg and Le
 * Pape 2005). Without an incumbent, integer columns at which the LP is integral are fixed (RENS:
 * Berthold 2014). A small tree over the other columns is searched. */
static void search_submip(bnb_context *c)
{
    bnb_search *s = c->search;
    double *incumbent = bnb_incumbent(c);
    lp_model *sub = neighbourhood(c, incumbent);
    if (sub) {
        bnb_params p = s->params;
        p.threads = 1;
        p.log = 0;
        p.tuning.rins = false;
        p.proof = NULL;
        p.cutoff = c->domain.cutoff;
        p.node_limit = p.tuning.submip_nodes;
        p.limits = bnb_limits(c);
        /* Bound the work: the root alone might cost more than the whole search so far. */
        base_limits_shorten(&p.limits, p.tuning.submip_work * bnb_known_work(c));
        if (p.tuning.cut_rounds_root > CUT_ROUNDS)
            p.tuning.cut_rounds_root = CUT_ROUNDS;
        p.tuning.cut_rounds_node = 0;
        const bnb_callbacks cb = {.user = c, .accept = s->callbacks->accept ? accept_outer : NULL};
        bnb_result r = bnb_solve(sub, &p, &cb);
        c->heuristic_iterations += r.iterations;
        atomic_fetch_add(&s->iterations, r.iterations);
        if (r.has_solution)
            bnb_offer_model(c, r.x, incumbent ? "RINS" : "RENS");
        bnb_result_clear(&r);
        lp_model_free(sub);
    }
    base_free(incumbent);
}

/* ---- schedule ----------------------------------------------------------- */

static long budget_left(const bnb_context *c)
{
    const double share = c->search->params.tuning.heuristic_share;
    return FREE_ITERATIONS + (long)(share * (double)c->node_iterations) - c->heuristic_iterations;
}

void bnb_heuristics_node(bnb_context *c)
{
    const bnb_tuning *p = &c->search->params.tuning;
    if (bnb_stopped(c))
        return;
    if (p->rounding && (c->nodes % ROUNDING_EVERY == 0 || c->domain.cutoff == LP_INFINITY) &&
        budget_left(c) > 0)
        bnb_heuristic_round(c, "rounding");
    if (p->dive && c->nodes % DIVE_EVERY == 0 && budget_left(c) > 0)
        dive(c, c->dive_turn++ % DIVE_KINDS, budget_left(c) / 2 + 100);
    if (p->rins && c->nodes >= c->rins_node && budget_left(c) > 0) {
        search_submip(c);
        c->rins_node = 2 * c->nodes + p->rins_first;
    }
}

void bnb_heuristics_root(bnb_context *c)
{
    const bnb_tuning *p = &c->search->params.tuning;
    if (p->rounding && !bnb_stopped(c))
        bnb_heuristic_round(c, "rounding");
    for (int kind = 0; p->dive && kind < DIVE_KINDS && !bnb_stopped(c); kind++)
        if (c->bound < c->domain.cutoff)
            dive(c, kind, c->node_iterations / 2 + 500);
    if (p->rins && !bnb_stopped(c) && c->bound < c->domain.cutoff)
        search_submip(c);
    c->rins_node = p->rins_first;
    c->heuristic_iterations = 0; /* the root's iterations do not count */
}
