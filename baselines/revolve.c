/* revolve as a policy for POET's stages (Griewank and Walther, ACM TOMS 26, 2000). The chain has a
 * step for each forward node (revolve) or for each articulation point (revolve_ap). The forward
 * sweep is the forward pass of the graph. The actions that revolve takes before it turns step x run
 * in the stage of the first gradient of x. A turn recomputes the part of the segment of its step
 * that is no snapshot (revolve's taping step). The segment's input is not kept for the next turn.
 * Only the first turn finds both ends of its segment in RAM, from the sweep. */
#include "baselines/revolve.h"

#include <assert.h>

#include "baselines/policy.h"

/* ---- the state machine ------------------------------------------------------- */

int64_t revolve_beta(int64_t s, int64_t r)
{
    if (s < 0 || r < 0)
        return 0;
    if (r < s) {
        int64_t swap = s;
        s = r;
        r = swap;
    }
    __int128 value = 1;
    for (int64_t k = 1; k <= s; k++) {
        value = value * (r + k) / k; /* binomial(r + k, k), exact */
        if (value > INT64_MAX)
            return INT64_MAX;
    }
    return (int64_t)value;
}

int64_t revolve_repetitions(int64_t steps, int64_t snapshots)
{
    int64_t r = 0;
    while (revolve_beta(snapshots, r) < steps)
        r++;
    return r;
}

revolve *revolve_create(int steps, int snapshots)
{
    assert(steps >= 1 && snapshots >= 1);
    revolve *r = base_calloc(1, sizeof *r);
    r->snapshots = snapshots;
    r->fine = steps;
    r->stack = base_malloc((size_t)snapshots, sizeof *r->stack);
    return r;
}

void revolve_free(revolve *r)
{
    if (!r)
        return;
    base_free(r->stack);
    base_free(r);
}

/* How far to advance from the newest snapshot: leave beta steps to it and its
 * successors such that no step is computed more than the least possible times. */
static int advance_to(const revolve *r)
{
    const int64_t left = r->fine - r->state;
    const int64_t d = r->snapshots - (r->stored - 1);
    assert(d >= 1);
    if (d == 1)
        return r->fine - 1;
    const int64_t rep = revolve_repetitions(left, d);
    const int64_t b1 = revolve_beta(d, rep - 1), b2 = revolve_beta(d - 1, rep - 1);
    const int64_t b3 = revolve_beta(d - 2, rep - 1), b4 = revolve_beta(d, rep - 2);
    const int64_t b5 = revolve_beta(d - 3, rep);
    int64_t to;
    if (left <= b1 + b3)
        to = r->state + b4;
    else if (left >= revolve_beta(d, rep) - b5)
        to = r->state + b1;
    else
        to = r->fine - b2 - b3;
    return to > r->state ? (int)to : r->state + 1;
}

revolve_action revolve_next(revolve *r)
{
    if (r->fine == 0)
        return REVOLVE_DONE;
    const bool at_top = r->stored > 0 && r->stack[r->stored - 1] == r->state;
    if (r->fine == r->state) {
        r->state = r->stack[r->stored - 1];
        return REVOLVE_RESTORE;
    }
    if (r->fine - r->state == 1) {
        r->stored -= at_top;
        r->fine--;
        return REVOLVE_TURN;
    }
    if (!at_top) {
        assert(r->stored < r->snapshots);
        r->stack[r->stored++] = r->state;
        return REVOLVE_SNAPSHOT;
    }
    r->state = advance_to(r);
    assert(r->state < r->fine);
    return REVOLVE_ADVANCE;
}

/* ---- the policy ------------------------------------------------------------------ */

/* Residency for the turn of step x: its segment from its first gradient on. */
static void hold_turn(const graph *g, const policy_chain *chain, schedule *s, int x, bool first)
{
    const int from = chain->point[x], to = chain->point[x + 1], turn = chain->turn[x];
    policy_hold(s, from, first ? from : turn, chain->turn_end[x]);
    for (int v = from + 1; v < to; v++)
        policy_hold(s, v, turn, g->last_user[v]);
    policy_hold(s, to, first ? to : turn, chain->turn_end[x]);
}

static schedule *revolve_schedule(const policy_net *net, const policy_chain *chain, int snapshots)
{
    const graph *g = net->graph;
    schedule *s = schedule_create(g->n);
    policy_hold_forward(net, s);
    int *fresh = base_malloc((size_t)snapshots, sizeof *fresh); /* taken since the last turn */
    int fresh_count = 0;
    bool first = true;
    revolve *r = revolve_create(chain->steps, snapshots);
    for (revolve_action a; (a = revolve_next(r)) != REVOLVE_DONE;) {
        if (a == REVOLVE_SNAPSHOT)
            fresh[fresh_count++] = chain->point[r->state];
        if (a != REVOLVE_TURN)
            continue;
        for (int k = 0; k < fresh_count; k++)
            policy_hold(s, fresh[k], first ? fresh[k] : chain->turn[r->state],
                        g->last_user[fresh[k]]);
        hold_turn(g, chain, s, r->state, first);
        fresh_count = 0;
        first = false;
    }
    revolve_free(r);
    base_free(fresh);
    policy_finish(g, s);
    return s;
}

/* Snapshots 1..steps are all tried: sizes and costs are not uniform, so neither peak
 * nor energy need be monotone in them. O(steps n (n + edges)). */
schedule *baseline_revolve(const problem *p, const baseline_options *o, int variant,
                           char reason[BASELINE_REASON])
{
    policy_net *net = policy_net_create(p->graph);
    policy_chain *chain = policy_chain_create(net, variant == BASELINE_POINTS, reason);
    schedule *s = NULL;
    if (chain) {
        policy_family family = policy_family_make(p);
        int least = 1, most = chain->steps;
        if (o->snapshots > 0)
            least = most = o->snapshots < chain->steps ? o->snapshots : chain->steps;
        bool stopped = false;
        for (int c = least; c <= most && !(stopped = policy_stopped(o, reason)); c++)
            policy_family_add(&family, revolve_schedule(net, chain, c), c);
        s = policy_family_take(&family, stopped, "snapshots", reason);
    }
    policy_chain_free(chain);
    policy_net_free(net);
    return s;
}
