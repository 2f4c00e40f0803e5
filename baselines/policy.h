/* baselines/policy: the methods, one function each, and their shared code. A policy lists for each
 * value the stages during which it stays in RAM; the cheapest recomputations, the memory and the
 * energy follow. Internal to the room. */
#ifndef BASELINES_POLICY_H
#define BASELINES_POLICY_H

#include "baselines/baseline.h"

/* ---- the methods -------------------------------------------------------------- */

/* The definition of each states its rules, its ties and its adaptations to POET. Other rooms take
 * them from the table in baselines/baseline.h. */
baseline_function baseline_checkpoint_all, baseline_chen_sqrtn, baseline_chen_greedy,
    baseline_revolve, baseline_checkmate, baseline_checkmate_lp, baseline_dtr, baseline_capuchin,
    baseline_pofo, baseline_anneal;

/* Variants of chen_sqrtn, chen_greedy, revolve and pofo: the nodes that they choose from. */
enum { BASELINE_NODES, /* all forward nodes */ BASELINE_POINTS /* the articulation points */ };
/* Variants of dtr: the cost of the eviction of a tensor besides its own recomputation. */
enum {
    BASELINE_DTR_NEIGHBOURHOOD, /* of all evicted tensors connected to it (h_DTR) */
    BASELINE_DTR_CLASSES,       /* of the classes of its evicted neighbours (h_DTR^eq) */
    BASELINE_DTR_LOCAL,         /* nothing (h_DTR^local) */
    BASELINE_DTR_SIMULATOR      /* h_DTR, with the ties of simrd */
};
/* Variants of checkmate_lp: rounding at thresholds, or at random. */
enum { BASELINE_LP_THRESHOLDS, BASELINE_LP_RANDOM };
/* Variants of capuchin: transfers beside the computation, or one after the other with it. */
enum { BASELINE_CAPUCHIN_DMA, BASELINE_CAPUCHIN_SYNC };

/* ---- shared parts --------------------------------------------------------------- */

/* The graph as a forward part 0..forward-1 (the last of it the loss) followed by
 * gradient nodes. A graph without gradient nodes is all forward. */
typedef struct policy_net {
    const graph *graph;
    int forward;         /* L: number of nodes before the first gradient node */
    int *last_forward;   /* n: largest user below forward, the node itself without one */
    int *first_gradient; /* n: smallest user from forward on, n without one */
    int *articulation;   /* ascending: 0 < v < L-1 that no forward edge bypasses */
    int articulation_count;
    int breaker; /* smallest forward node v > 0 that does not read just v-1, or -1 */
} policy_net;

/* O(n + edges). */
policy_net *policy_net_create(const graph *g);
void policy_net_free(policy_net *net);

/* A chain of forward nodes point[0] = 0 < ... < point[steps] = L-1 such that no
 * edge bypasses an inner one: step x leads from point[x] to point[x+1] through the
 * segment point[x]+1 .. point[x+1]. Its gradients ("the turn of x") are the stages
 * turn[x] .. turn_end[x], an empty range where turn[x] > turn_end[x]; turns follow
 * each other from x = steps-1 down to 0. */
typedef struct policy_chain {
    int steps;
    int *point;    /* steps + 1 */
    int *turn;     /* steps */
    int *turn_end; /* steps */
} policy_chain;

/* The chain of all forward nodes, or with articulation set of 0, the articulation
 * points and L-1. NULL and a reason when there is no step, or when articulation is
 * not set and the forward part is not a chain. O(n). */
policy_chain *policy_chain_create(const policy_net *net, bool articulation,
                                  char reason[BASELINE_REASON]);
void policy_chain_free(policy_chain *chain);

/* Keeps v in RAM at the start of the stages after+1 .. until, as far as they exist
 * and follow v. O(until - after). */
void policy_hold(schedule *s, int v, int after, int until);

/* policy_hold of each node until its last use in the forward part (gradient nodes:
 * until their last use): what every policy needs. */
void policy_hold_forward(const policy_net *net, schedule *s);

/* Turns the S (and In, Out) of a policy into a schedule: the cheapest R, then
 * everything dead removed. */
void policy_finish(const graph *g, schedule *s);

/* Memory, energy and counts of a schedule that keeps every rule but perhaps budget,
 * deadline and the options of p. Dies in a debug build when it breaks another. */
void policy_measure(const problem *p, const schedule *s, validation *v);

/* Passes s on when schedule_validate accepts it for p; else frees it, writes the
 * rule that is broken into reason and returns NULL. */
schedule *policy_accept(const problem *p, schedule *s, char reason[BASELINE_REASON]);

/* True if a limit is reached; then reason says so. */
bool policy_stopped(const baseline_options *o, char reason[BASELINE_REASON]);

/* The state, from < state < end, of the next snapshot before the steps from..end-1 of a chain are
 * reversed, two steps at least, with that many snapshots, the first of them of state `from`: no
 * choice computes fewer steps again (Griewank and Walther's Algorithm 799). For revolve. */
int revolve_next_snapshot(int from, int end, int snapshots);

/* The best member so far of a family of schedules with one parameter. Of the members within the
 * budget the smallest triple wins: overhead / base in units of 1e-9, rounded; peak; parameter. Also
 * the lowest peak of all members. Members come in ascending order of the parameter. */
typedef struct policy_family {
    const problem *problem;
    schedule *best; /* owned; NULL: none fits */
    double best_overhead;
    int64_t best_peak;
    int members;
    int64_t lowest_peak, lowest_parameter;
} policy_family;

/* A family without members. */
policy_family policy_family_make(const problem *p);

/* Offers a finished schedule, which the family then owns. */
void policy_family_add(policy_family *family, schedule *s, int64_t parameter);

/* The best member if policy_accept does, else NULL and a reason, in which the
 * parameter goes by the given name. stopped: a limit left out members, as reason says already:
 * NULL. Nothing is left to free. */
schedule *policy_family_take(policy_family *family, bool stopped, const char *parameter,
                             char reason[BASELINE_REASON]);

/* Instants and durations in picoseconds, so that comparisons do not depend on how
 * sums are rounded. 128 bits: sums of 20000 durations of 10^6 seconds overflow 64. */
typedef __int128 policy_clock;

/* floor(seconds * 1e12 + 0.5). */
policy_clock policy_clock_of(double seconds);

/* part / (factor * span) rounded once to double; INFINITY where the denominator is
 * not positive. */
double policy_ratio(policy_clock part, policy_clock factor, policy_clock span);

#endif
