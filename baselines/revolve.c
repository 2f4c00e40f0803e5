/* revolve as a policy for POET's stages (Griewank and Walther, ACM TOMS 26, 2000). The chain has a
 * step for each forward node (revolve) or for each articulation point (revolve_ap). The forward
 * sweep is the forward pass of the graph. The actions that revolve takes before it turns step x run
 * in the stage of the first gradient of x. A turn recomputes the part of the segment of its step
 * that is no snapshot (revolve's taping step). The segment's input is not kept for the next turn.
 * Only the first turn finds both ends of its segment in RAM, from the sweep. */
#include "baselines/policy.h"

/* ---- places of snapshots --------------------------------------------------------- */

/* binomial(s + r, s); 0 where s or r is negative. */
static int64_t beta(int64_t s, int64_t r)
{
    const int64_t least = s < r ? s : r, most = s < r ? r : s;
    int64_t value = least >= 0;
    for (int64_t k = 1; k <= least; k++)
        value = value * (most + k) / k; /* binomial(most + k, k), exact */
    return value;
}

int revolve_next_snapshot(int from, int end, int snapshots)
{
    const int64_t left = end - from, d = snapshots;
    int64_t rep = 0; /* most often that a step is computed */
    if (d == 1)
        return end - 1;
    while (beta(d, rep) < left)
        rep++;
    int64_t to = end - beta(d - 1, rep - 1) - beta(d - 2, rep - 1);
    if (left <= beta(d, rep - 1) + beta(d - 2, rep - 1))
        to = from + beta(d, rep - 2);
    else if (left >= beta(d, rep) - beta(d - 3, rep))
        to = from + beta(d, rep - 1);
    return to > from ? (int)to : from + 1;
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

/* A schedule under construction. */
typedef struct reversal {
    const graph *graph;
    const policy_chain *chain;
    schedule *s;
} reversal;

/* Reverses the steps from..end-1 with that many snapshots, the first of them of state `from`. It is
 * in RAM from the turn of step end - 1 on; one of the forward sweep from its own stage on. */
static void reverse_steps(const reversal *r, int from, int end, int snapshots)
{
    const int node = r->chain->point[from];
    if (end - from > 1)
        policy_hold(r->s, node, end == r->chain->steps ? node : r->chain->turn[end - 1],
                    r->graph->last_user[node]);
    while (end - from > 1) {
        const int to = revolve_next_snapshot(from, end, snapshots);
        reverse_steps(r, to, end, snapshots - 1);
        end = to;
    }
    hold_turn(r->graph, r->chain, r->s, from, end == r->chain->steps);
}

static schedule *revolve_schedule(const policy_net *net, const policy_chain *chain, int snapshots)
{
    const reversal r = {net->graph, chain, schedule_create(net->graph->n)};
    policy_hold_forward(net, r.s);
    reverse_steps(&r, 0, chain->steps, snapshots);
    policy_finish(net->graph, r.s);
    return r.s;
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
