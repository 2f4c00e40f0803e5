/* Chen, Xu, Zhang, Guestrin: Training deep nets with sublinear memory cost (2016).
 * Some forward nodes are checkpoints; the segments between them are dropped after
 * their forward pass and recomputed as a whole when the first gradient reads them.
 * The last segment is never dropped.
 *
 * sqrt(n): every k-th candidate is a checkpoint, k = floor(sqrt(candidates)).
 * greedy: a candidate becomes one when more than b bytes have accumulated since the
 * last; all b that give different checkpoints are tried (their two-level search).
 * Candidates are the articulation points, or with noap all forward nodes.
 *
 * The residency follows their algorithm 1. The published code of Checkmate keeps a
 * segment one stage longer and never frees it, and the code of POET never recomputes. */
#include "baselines/policy.h"

#include <assert.h>
#include <math.h>

/* First gradient stage that reads a node of begin..end-1, n without one. */
static int first_reader(const policy_net *net, int begin, int end)
{
    int first = net->graph->n;
    for (int v = begin; v < end; v++)
        if (net->first_gradient[v] < first)
            first = net->first_gradient[v];
    return first;
}

/* The schedule for a set of checkpoints; is_checkpoint has L entries. O(n (n + edges)). */
static schedule *chen_schedule(const policy_net *net, const bool *is_checkpoint)
{
    const graph *g = net->graph;
    schedule *s = schedule_create(g->n);
    policy_hold_forward(net, s);
    for (int begin = 0, end; begin < net->forward; begin = end) {
        end = begin + 1;
        while (end < net->forward && !is_checkpoint[end])
            end++;
        const int first = first_reader(net, begin, end);
        for (int v = begin; v < end; v++) {
            bool kept = is_checkpoint[v] || end == net->forward;
            policy_hold(s, v, kept ? v : first, g->last_user[v]);
        }
    }
    policy_finish(g, s);
    return s;
}

/* is_candidate[v], v < L; returns how many. */
static int mark_candidates(const policy_net *net, bool articulation, bool *is_candidate)
{
    for (int v = 0; v < net->forward; v++)
        is_candidate[v] = !articulation;
    if (!articulation)
        return net->forward;
    for (int k = 0; k < net->articulation_count; k++)
        is_candidate[net->articulation[k]] = true;
    return net->articulation_count;
}

schedule *baseline_chen_sqrtn(const problem *p, const baseline_options *o, int variant,
                              char reason[BASELINE_REASON])
{
    (void)o;
    policy_net *net = policy_net_create(p->graph);
    bool *chosen = base_calloc((size_t)p->graph->n, sizeof *chosen);
    const int count = mark_candidates(net, variant == BASELINE_POINTS, chosen);
    const int every = (int)sqrt((double)count); /* rounded correctly, so that squares are exact */
    int seen = 0;
    for (int v = 0; v < net->forward; v++)
        if (chosen[v])
            chosen[v] = ++seen % every == 0;
    schedule *s = chen_schedule(net, chosen);
    base_free(chosen);
    policy_net_free(net);
    return policy_accept(p, s, reason);
}

/* Marks the checkpoints for b bytes per segment. Returns the smallest larger b that
 * gives other ones, or -1 without one: the comparison that fails first as b grows. */
static int64_t greedy_checkpoints(const policy_net *net, const bool *is_candidate, int64_t b,
                                  bool *is_checkpoint)
{
    int64_t sum = 0, next = -1;
    for (int v = 0; v < net->forward; v++) {
        sum += net->graph->bytes[v];
        is_checkpoint[v] = is_candidate[v] && sum > b;
        if (!is_checkpoint[v])
            continue;
        if (next < 0 || sum < next)
            next = sum;
        sum = 0;
    }
    assert(next < 0 || next > b);
    return next;
}

/* The checkpoints move strictly up as b grows, so no set is met twice. */
schedule *baseline_chen_greedy(const problem *p, const baseline_options *o, int variant,
                               char reason[BASELINE_REASON])
{
    policy_net *net = policy_net_create(p->graph);
    bool *candidate = base_calloc((size_t)p->graph->n, sizeof *candidate);
    bool *chosen = base_calloc((size_t)p->graph->n, sizeof *chosen);
    policy_family family = policy_family_make(p);
    mark_candidates(net, variant == BASELINE_POINTS, candidate);
    bool stopped = false;
    int64_t b = o->segment_bytes >= 0 ? o->segment_bytes : 0;
    do {
        int64_t next = greedy_checkpoints(net, candidate, b, chosen);
        policy_family_add(&family, chen_schedule(net, chosen), b);
        b = o->segment_bytes >= 0 ? -1 : next;
    } while (b >= 0 && !(stopped = policy_stopped(o, reason)));
    base_free_all(chosen, candidate);
    policy_net_free(net);
    return policy_family_take(&family, stopped, "b", reason);
}
