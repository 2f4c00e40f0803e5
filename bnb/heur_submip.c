/* Sub-MIPs. Integer columns on which the LP and the incumbent agree are fixed (RINS: Danna,
 * Rothberg and Le Pape 2005). Without an incumbent, integer columns at which the LP is integral
 * are fixed (RENS: Berthold 2014). A small tree over the other columns is searched. */
#include <string.h>

#include "bnb/heur.h"
#include "bnb/incumbent.h"
#include "bnb/run.h"
#include "bnb/search.h"

enum { CUT_ROUNDS = 5 }; /* at a sub-MIP's root */

/* `accept` of the sub-MIP; user: the context of the outer search. */
static bool accept_outer(void *user, const double *x, double *objective)
{
    const bnb_context *c = user;
    const bnb_callbacks *cb = c->search->callbacks;
    double *full = base_malloc((size_t)c->in->original_cols + 1, sizeof *full);
    bnb_instance_expand(c->in, x, full);
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

void bnb_heuristic_submip(bnb_context *c)
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
        p.cutoff = c->cutoff;
        p.node_limit = p.tuning.submip_nodes;
        p.limits = bnb_limits(c);
        /* Bound the work: the root alone might cost more than the whole search so far. */
        base_limits_shorten(&p.limits, p.tuning.submip_work * bnb_known_work(c));
        if (p.tuning.cut_rounds_root > CUT_ROUNDS)
            p.tuning.cut_rounds_root = CUT_ROUNDS;
        p.tuning.cut_rounds_node = 0;
        const bnb_callbacks cb = {.user = c, .accept = s->callbacks->accept ? accept_outer : NULL};
        bnb_result r = s->solve(sub, &p, &cb, NULL);
        c->heuristic_iterations += r.iterations;
        atomic_fetch_add(&s->iterations, r.iterations);
        if (r.has_solution)
            bnb_offer_model(c, r.x, incumbent ? "RINS" : "RENS");
        bnb_result_clear(&r);
        lp_model_free(sub);
    }
    base_free(incumbent);
}
