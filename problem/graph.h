/* problem/graph: the training graph with its costs, and one instance of POET on
 * it (Patil et al., ICML 2022, section 5). */
#ifndef PROBLEM_GRAPH_H
#define PROBLEM_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"
#include "base/number.h"

/* Decisions that are forbidden for a node, in bits. Both bits: its output is computed once and
 * stays in RAM until its last reader. */
typedef enum graph_pin {
    GRAPH_NO_RECOMPUTE = 1, /* computed in its own stage only */
    GRAPH_NO_PAGE = 2,      /* its output is neither paged out nor paged in */
    GRAPH_KEEP = GRAPH_NO_RECOMPUTE | GRAPH_NO_PAGE
} graph_pin;

/* "no-recompute", "no-page", "keep"; pin > 0. */
const char *graph_pin_name(unsigned pin);

/* True if computing a node draws random numbers or changes something beside its output. */
typedef enum graph_state {
    GRAPH_PURE = 0,
    GRAPH_REPLAYED, /* it does, and the executor of a schedule undoes the effect when the node is
                       computed again */
    GRAPH_STATEFUL  /* it does: it has the pin GRAPH_NO_RECOMPUTE */
} graph_state;

/* Other names for the memory of a node's output: entries of the graph file that became no nodes
 * of their own (problem/lower.h). They are shown in the output and change nothing else. */
typedef enum graph_alias_kind {
    GRAPH_VIEW = 0,    /* an output that shares the memory */
    GRAPH_OVERWRITTEN, /* an output that the node's own overwrites; it is computed with the node */
    GRAPH_OUTPUT,      /* one of several outputs of the node, in their order from offset 0 on */
    GRAPH_UNREAD,      /* one that nothing reads: a part of the workspace */
    GRAPH_ALIAS_KINDS
} graph_alias_kind;

/* "view", "overwritten", "output", "unread". */
const char *graph_alias_kind_name(graph_alias_kind kind);

typedef struct graph_alias {
    char *name;
    graph_alias_kind kind;
    int64_t bytes; /* of GRAPH_OUTPUT and GRAPH_UNREAD */
    char *note;    /* in the form of node_note; NULL: none */
} graph_alias;

/* A directed acyclic graph, nodes 0..n-1 in a topological order: every input of
 * a node has a smaller number. Arrays of length n unless said otherwise. Never
 * changed once built. */
typedef struct graph {
    int n;
    int edge_count;
    char *name;
    char **node_name;
    int64_t *bytes;         /* size of the output tensor, >= 0 */
    int64_t *workspace;     /* bytes in use beside it only while the node is computed, >= 0 */
    double *seconds;        /* time to compute, >= 0 */
    double *joules;         /* energy to compute, >= 0 */
    double *pagein_joules;  /* energy to page the output in, >= 0 */
    double *pageout_joules; /* energy to page it out, >= 0 */
    double *pagein_seconds; /* time of the same transfers, >= 0 */
    double *pageout_seconds;
    bool *backward; /* gradient node */
    uint8_t *pin;   /* forbidden decisions: bits of graph_pin */
    uint8_t *state; /* graph_state */
    bool *
        output; /* has to be in RAM when the last node has been computed, which reads it or is it */
    int64_t resident_bytes; /* in RAM all the time beside what nodes hold, 0 to GRAPH_MAX_BYTES; no
                               part of the problem: budgets of problems are for nodes */
    int *input_start;       /* n+1: inputs of i are input[input_start[i] .. input_start[i+1]-1] */
    int *input;             /* edge_count, ascending within a node, no duplicates */
    int *user_start;        /* n+1: users of i are user[user_start[i] .. user_start[i+1]-1] */
    int *user;              /* edge_count, ascending within a node */
    int *last_user;         /* largest user of i, i itself without users */
    char *note;             /* notes of its file, as members of a JSON object without braces
                               (one line of ASCII); NULL: none */
    char **node_note;       /* notes of each node, in the same form */
    int alias_count;
    int *alias_start; /* n+1: aliases of i are alias[alias_start[i] .. alias_start[i+1]-1] */
    graph_alias *alias;
    int *reach; /* last stage at which i can be of use: max of reach over users, i without users */
    /* Where it came from, for the "builtin" entry of a schedule file; model is
     * NULL for a graph that was read from a file. */
    char *model;
    char *platform;       /* name, or path of a platform file */
    char *backward_style; /* "published" or "autodiff" */
    int batch_size;
    double mem_power_scale;
} graph;

/* Raw node data to build a graph from; strings and inputs are copied. */
typedef struct graph_node {
    const char *name;
    const int *inputs; /* input_count node numbers, any order */
    int input_count;
    int64_t bytes;
    double seconds, joules;
    double pagein_joules, pageout_joules, pagein_seconds, pageout_seconds;
    bool backward;
    int64_t workspace;
    unsigned pin; /* bits of graph_pin */
    graph_state state;
    bool output;
    const char *note; /* NULL: none */
    const graph_alias *aliases;
    int alias_count;
} graph_node;

/* The costs of a node, in the order of the checksum: the key in files, and the fields of that name
 * of graph_node and (an array of n) of graph. */
enum { GRAPH_COSTS = 6 };
extern const struct graph_cost {
    const char *key;
    size_t in_node, in_graph; /* offsets */
} graph_costs[GRAPH_COSTS];
static inline double *graph_node_cost(const graph_node *node, int k)
{
    const void *field = (const char *)node + graph_costs[k].in_node;
    return (double *)field;
}
static inline double **graph_cost_array(const graph *g, int k)
{
    const void *field = (const char *)g + graph_costs[k].in_graph;
    return (double **)field;
}

/* The range of inputs. Every graph and every problem lies within it, and every statement of the
 * program holds within it. */

/* Largest n accepted; schedules hold n*n cells. */
enum { GRAPH_MAX_NODES = 20000 };

/* Largest sum of all bytes, workspaces among them, accepted. A stage may hold a tensor as kept, as
 * recomputed and as being paged in at once: all sums of bytes stay below 2^51, and are exact as
 * doubles. */
#define GRAPH_MAX_BYTES (INT64_C(1) << 49)

/* A cost is 0 or lies between these, joules or seconds: squares of sums of costs, and of their
 * inverses, are far from the ends of the doubles. */
#define GRAPH_LEAST_COST 1e-30
#define GRAPH_MOST_COST 1e30

/* Most that the largest of all joules (to compute and to transfer) may be of the smallest that is
 * not 0; likewise of all seconds. */
#define GRAPH_MOST_RATIO 1e15

/* A checked graph. NULL with an error naming node and field on: n < 1, an input
 * that is not a smaller node number or appears twice, a negative size, costs or sizes
 * outside of the range above, an output that is neither the last node nor read by it.
 * O(n + edges log). */
graph *graph_create(const char *name, const graph_node *nodes, int n, base_error *error);
void graph_free(graph *g); /* NULL allowed */

/* Checks a node by itself as graph_create does, but for doubled inputs. Returns 0, or -1 with an
 * error. */
int graph_check_nodes(const graph_node *nodes, int n, base_error *error);

/* Node i as graph_create takes it; name, inputs, note and aliases are borrowed from g. */
graph_node graph_node_of(const graph *g, int i);

/* The same graph in another topological order: order[k] (extent n) is the node that becomes node k;
 * of a graph with outputs the last node stays the last. It is no built-in one any more. */
graph *graph_reorder(const graph *g, const int *order);

/* Sum of joules / seconds over all nodes: each computed once. Summed in node
 * order in long double, rounded once. */
double graph_base_joules(const graph *g);
double graph_base_seconds(const graph *g);

/* True if a node is marked as backward. */
bool graph_has_backward(const graph *g);

/* True if some node has a pin, a workspace, is an output. O(n) */
bool graph_has_pins(const graph *g);
bool graph_has_workspaces(const graph *g);
bool graph_has_outputs(const graph *g);

/* FNV-1a over sizes, edges, costs and directions, and over workspaces and pins where there are any;
 * names do not count: equal for graphs that are the same problem. O(n + edges). */
uint64_t graph_checksum(const graph *g);

/* True if they have the same tensors with the same readers: a schedule of one means something for
 * the other. O(n + edges). */
bool graph_same_shape(const graph *a, const graph *b);
/* True if all that the checksum is made of is equal: two graphs of the same problem. O(n + edges).
 */
bool graph_same(const graph *a, const graph *b);

/* Checkpoint-all computes every node once and keeps each output until its last reader. Writes the
 * bytes of each stage, extent n, and their maximum. O(n). */
void graph_checkpoint_all_bytes(const graph *g, int64_t *bytes);
int64_t graph_checkpoint_all_peak(const graph *g);

/* Largest sum of one node's bytes, its workspace and the bytes of its inputs; *node (may be NULL)
 * gets the smallest such node. No schedule fits below it. */
int64_t graph_minimum_bytes(const graph *g, int *node);

/* Largest budget accepted: more than any schedule can hold. */
#define PROBLEM_MAX_BUDGET (INT64_C(1) << 52)
/* Longest deadline accepted, in seconds: more than any schedule can take. */
#define PROBLEM_MAX_DEADLINE 1e50

/* Deadlines as multiples of the base time: less is infeasible, more is no limit. */
#define PROBLEM_LEAST_FACTOR 1e-9
#define PROBLEM_MOST_FACTOR 1e9

/* The edge from i to its user k, an index into user; -1: none. O(users of i) */
static inline int graph_edge(const graph *g, int i, int k)
{
    for (int e = g->user_start[i]; e < g->user_start[i + 1]; e++)
        if (g->user[e] == k)
            return e;
    return -1;
}

/* True if node k reads the output of i. O(inputs of k) */
static inline bool graph_is_input(const graph *g, int i, int k)
{
    for (int e = g->input_start[k]; e < g->input_start[k + 1]; e++)
        if (g->input[e] == i)
            return true;
    return false;
}

/* One instance. The graph is borrowed. */
typedef struct problem {
    const graph *graph;
    int64_t ram_budget_bytes;      /* 0 to PROBLEM_MAX_BUDGET */
    double deadline_seconds;       /* on computation: 0 to PROBLEM_MAX_DEADLINE; INFINITY: none */
    bool allow_paging;             /* false: In = Out = A = 0 */
    bool allow_remat;              /* false: R is the identity */
    int max_computations;          /* how often a node may be computed in all, >= 1; INT_MAX: any
                                      number of times */
    bool charge_pagein_transfer;   /* a page-in takes its bytes in the transfer stage too */
    bool deadline_includes_paging; /* transfers' seconds count against the deadline */
} problem;

/* Defaults: no deadline, paging and recomputation allowed, any number of times, both options off.
 */
problem problem_make(const graph *g, int64_t ram_budget_bytes);

/* The budget for nodes within an amount of RAM. A percentage refers to the peak of
 * checkpoint-all. An amount in bytes is all of the RAM, and the resident bytes are subtracted.
 * Returns 0, or -1 with an error: the amount is below the resident bytes or above
 * PROBLEM_MAX_BUDGET. */
int problem_budget(const graph *g, const base_amount *ram, int64_t *bytes, base_error *error);

/* True if node i may be computed again, whether its output may be paged: the options and its pin.
 */
static inline bool problem_may_recompute(const problem *p, int i)
{
    return p->allow_remat && p->max_computations > 1 && !(p->graph->pin[i] & GRAPH_NO_RECOMPUTE);
}

/* True if nodes may be computed less often than there are stages. */
static inline bool problem_limits_computations(const problem *p)
{
    return p->max_computations < p->graph->n;
}

static inline bool problem_may_page(const problem *p, int i)
{
    return p->allow_paging && !(p->graph->pin[i] & GRAPH_NO_PAGE);
}

/* False: i is in RAM from its first computation to its last use in every schedule. */
static inline bool problem_may_leave(const problem *p, int i)
{
    return problem_may_recompute(p, i) || problem_may_page(p, i);
}

/* Seconds that recomputations (and transfers, with the option) may add to the
 * base time: deadline - graph_base_seconds, plus 1e-12 of the deadline for the
 * rounding of sums; INFINITY without a deadline; negative: infeasible. The one
 * place that says what meets a deadline. */
double problem_slack_seconds(const problem *p);

#endif
