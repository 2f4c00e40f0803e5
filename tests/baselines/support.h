/* Graphs small enough to work out by hand, and what a method makes of them. */
#ifndef TESTS_BASELINES_SUPPORT_H
#define TESTS_BASELINES_SUPPORT_H

#include "baselines/baseline.h"
#include "baselines/policy.h"
#include "tests/problem/networks.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

OWNED_POINTER(policy_net, policy_net_free)
OWNED_POINTER(policy_chain, policy_chain_free)

/* A node of a hand-made graph: it reads the nodes in inputs ("0 2"), takes as many
 * joules as seconds, and either of its transfers takes that many seconds and joules. */
typedef struct hand_node {
    const char *inputs;
    int64_t bytes;
    double seconds;
    double transfer;
    bool backward;
} hand_node;

graph *hand_graph(const hand_node *nodes, int n);

/* The published training graph of a chain of forward nodes (the last is the loss): a
 * gradient per pair of neighbours, latest first, that reads both and the gradient
 * before it, has the size of the later and takes twice the seconds of the earlier. */
graph *chain_graph(int forward, const int64_t *bytes, const double *seconds, double transfer);

/* The same with all bytes and seconds 1. */
graph *unit_chain(int forward);

/* A schedule's list of recomputations "node@stage ...", ascending by stage, then node;
 * likewise transfers as "node>stage" (out) and "node<stage" (in). Fresh, base_free. */
char *list_recomputations(const schedule *s);
char *list_transfers(const schedule *s);

/* Runs the method (o NULL: defaults). A schedule has passed the validator: *v is filled and
 * the result true; else reason says why there is none. Fails when a schedule is not valid
 * or the name is unknown. */
bool run_method(const problem *p, const char *method, const baseline_options *o, validation *v,
                char reason[BASELINE_REASON]);

/* The problem of a graph within a budget of bytes, for the calls below; the other options are the
 * defaults. */
#define WITHIN(graph, bytes) (&(problem[]){problem_make(graph, bytes)}[0])

/* Runs the method; fails unless it returns a schedule that validates and recomputes
 * and transfers just what the lists say. */
validation expect_schedule(const problem *p, const char *method, const baseline_options *o,
                           const char *recomputations, const char *transfers);

/* Fails unless the method returns none for a reason that contains the text. */
void expect_none(const problem *p, const char *method, const baseline_options *o,
                 const char *reason);

#endif
