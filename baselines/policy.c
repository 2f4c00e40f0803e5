/* Splits a graph into forward part and gradients, finds the chain of articulation points, and
 * turns a policy into a schedule with the cheapest recomputations. */
#include "baselines/policy.h"

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- the graph as forward part and gradients ----------------------------- */

static void find_uses(policy_net *net)
{
    const graph *g = net->graph;
    for (int i = 0; i < g->n; i++) {
        net->last_forward[i] = i;
        net->first_gradient[i] = g->n;
        for (int e = g->user_start[i]; e < g->user_start[i + 1]; e++) {
            if (g->user[e] < net->forward)
                net->last_forward[i] = g->user[e];
            else if (net->first_gradient[i] == g->n)
                net->first_gradient[i] = g->user[e];
        }
    }
}

static int find_breaker(const policy_net *net)
{
    const graph *g = net->graph;
    for (int v = 1; v < net->forward; v++)
        if (g->input_start[v + 1] - g->input_start[v] != 1 || g->input[g->input_start[v]] != v - 1)
            return v;
    return -1;
}

policy_net *policy_net_create(const graph *g)
{
    policy_net *net = base_calloc(1, sizeof *net);
    net->graph = g;
    while (net->forward < g->n && !g->backward[net->forward])
        net->forward++;
    net->last_forward = base_malloc((size_t)g->n, sizeof *net->last_forward);
    net->first_gradient = base_malloc((size_t)g->n, sizeof *net->first_gradient);
    net->articulation = base_malloc((size_t)g->n, sizeof *net->articulation);
    find_uses(net);
    net->breaker = find_breaker(net);
    int reach = 0; /* largest forward user of the nodes below v */
    for (int v = 0; v < net->forward; v++) {
        if (v > 0 && v < net->forward - 1 && reach <= v)
            net->articulation[net->articulation_count++] = v;
        if (net->last_forward[v] > reach)
            reach = net->last_forward[v];
    }
    return net;
}

void policy_net_free(policy_net *net)
{
    if (!net)
        return;
    base_free_all(net->last_forward, net->first_gradient, net->articulation, net);
}

/* With one gradient per step of the forward chain, latest first, the turn of x is the gradients
 * of its steps. Otherwise it begins when no later node reads a value beyond point[x+1]. */
static void set_turns(const policy_net *net, policy_chain *chain)
{
    const graph *g = net->graph;
    const bool paired = g->n == 2 * net->forward - 1;
    int begin = net->forward;
    for (int x = chain->steps - 1; x >= 0; x--) {
        chain->turn[x] = begin;
        if (paired)
            begin = g->n - chain->point[x];
        for (int v = chain->point[x] + 1; v <= chain->point[x + 1] && !paired; v++)
            if (g->last_user[v] >= begin)
                begin = g->last_user[v] + 1;
        chain->turn_end[x] = begin - 1;
    }
    chain->turn_end[0] = g->n - 1;
}

policy_chain *policy_chain_create(const policy_net *net, bool articulation,
                                  char reason[BASELINE_REASON])
{
    const graph *g = net->graph;
    if (net->forward < 2) {
        snprintf(reason, BASELINE_REASON, "the graph has no two forward nodes");
        return NULL;
    }
    if (!articulation && net->breaker >= 0) {
        snprintf(reason, BASELINE_REASON,
                 "not a chain: forward node %d (%.80s) reads other than just its predecessor",
                 net->breaker, g->node_name[net->breaker]);
        return NULL;
    }
    policy_chain *chain = base_calloc(1, sizeof *chain);
    chain->point = base_malloc((size_t)net->forward, sizeof *chain->point);
    if (articulation) {
        chain->steps = net->articulation_count + 1;
        memcpy(chain->point + 1, net->articulation,
               (size_t)net->articulation_count * sizeof *chain->point);
    } else {
        chain->steps = net->forward - 1;
        for (int v = 1; v < net->forward - 1; v++)
            chain->point[v] = v;
    }
    chain->point[0] = 0;
    chain->point[chain->steps] = net->forward - 1;
    chain->turn = base_malloc((size_t)chain->steps, sizeof *chain->turn);
    chain->turn_end = base_malloc((size_t)chain->steps, sizeof *chain->turn_end);
    set_turns(net, chain);
    return chain;
}

void policy_chain_free(policy_chain *chain)
{
    if (!chain)
        return;
    base_free_all(chain->point, chain->turn, chain->turn_end, chain);
}

/* ---- from residency to schedule -------------------------------------------- */

void policy_hold(schedule *s, int v, int after, int until)
{
    int first = (after > v ? after : v) + 1;
    int last = until < s->n ? until : s->n - 1;
    base_work(last > first ? 3 * (size_t)(last - first) : 1); /* a column: far from each other */
    for (int t = first; t <= last; t++)
        s->S[schedule_cell(s, t, v)] = 1;
}

void policy_hold_forward(const policy_net *net, schedule *s)
{
    for (int v = 0; v < s->n; v++)
        policy_hold(s, v, v, v < net->forward ? net->last_forward[v] : net->graph->last_user[v]);
}

void policy_finish(const graph *g, schedule *s)
{
    schedule_minimal_compute(g, s);
    schedule_prune(g, s);
}

void policy_measure(const problem *p, const schedule *s, validation *v)
{
    problem loose = *p;
    loose.ram_budget_bytes = INT64_MAX;
    loose.deadline_seconds = INFINITY;
    loose.allow_paging = loose.allow_remat = true;
    loose.max_computations = INT_MAX;
    base_error error;
    int broken = schedule_validate(&loose, s, v, &error);
    assert(!broken);
    (void)broken;
}

schedule *policy_accept(const problem *p, schedule *s, char reason[BASELINE_REASON])
{
    base_error error;
    if (schedule_validate(p, s, NULL, &error) == 0)
        return s;
    snprintf(reason, BASELINE_REASON, "%.255s", error.text);
    schedule_free(s);
    return NULL;
}

/* Checkpoint-all: computes everything once and keeps each tensor until its last reader. Its peak is
 * the reference in which budgets are quoted. O(n^2). */
schedule *baseline_checkpoint_all(const problem *p, const baseline_options *o, int variant,
                                  char reason[BASELINE_REASON])
{
    (void)o, (void)variant;
    return policy_accept(p, schedule_checkpoint_all(p->graph), reason);
}

/* Steps of base_work between two checks of the limits. */
enum { STEPS_BETWEEN = 100 };

bool policy_stopped(const baseline_options *o, char reason[BASELINE_REASON])
{
    base_work_count(STEPS_BETWEEN);
    const base_stop why = base_limits_check(o->limits);
    if (why != BASE_GO)
        snprintf(reason, BASELINE_REASON, "stopped by the %s", base_stop_name(why));
    return why != BASE_GO;
}

/* ---- families ---------------------------------------------------------------- */

policy_family policy_family_make(const problem *p)
{
    return (policy_family){.problem = p, .lowest_peak = INT64_MAX};
}

void policy_family_add(policy_family *family, schedule *s, int64_t parameter)
{
    validation v;
    policy_measure(family->problem, s, &v);
    family->members++;
    if (v.peak_bytes < family->lowest_peak) {
        family->lowest_peak = v.peak_bytes;
        family->lowest_parameter = parameter;
    }
    double base = graph_base_joules(family->problem->graph);
    double overhead = rint(v.overhead_joules / (base > 0.0 ? base : 1.0) * 1e9);
    bool fits = v.peak_bytes <= family->problem->ram_budget_bytes;
    bool better = !family->best || overhead < family->best_overhead ||
                  (overhead == family->best_overhead && v.peak_bytes < family->best_peak);
    if (!fits || !better) {
        schedule_free(s);
        return;
    }
    schedule_free(family->best);
    family->best = s;
    family->best_overhead = overhead;
    family->best_peak = v.peak_bytes;
}

schedule *policy_family_take(policy_family *family, bool stopped, const char *parameter,
                             char reason[BASELINE_REASON])
{
    if (stopped) {
        schedule_free(family->best);
        return NULL;
    }
    if (family->best)
        return policy_accept(family->problem, family->best, reason);
    snprintf(reason, BASELINE_REASON,
             "the lowest peak of %d schedules, at %s = %lld, is %lld bytes; the budget is %lld "
             "bytes",
             family->members, parameter, (long long)family->lowest_parameter,
             (long long)family->lowest_peak, (long long)family->problem->ram_budget_bytes);
    return NULL;
}

/* ---- the clock ------------------------------------------------------------------ */

/* A floating-point type with a mantissa of 113 bits: long double on some processors, __float128 on
 * others. */
#if LDBL_MANT_DIG >= 113
typedef long double policy_quad;
#else
typedef __float128 policy_quad;
#endif

policy_clock policy_clock_of(double seconds)
{
    return (policy_clock)floor(seconds * 1e12 + 0.5);
}

double policy_ratio(policy_clock part, policy_clock factor, policy_clock span)
{
    if (factor <= 0 || span <= 0)
        return INFINITY;
    /* 113 bits hold part exactly and the product of a size below 2^48 and a span
     * below 2^65; the second rounding to double then hardly ever changes the first. */
    return (double)((policy_quad)part / ((policy_quad)factor * (policy_quad)span));
}
