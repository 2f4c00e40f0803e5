/* baselines: the methods that POET is compared with, each a function from a problem to a
 * schedule. One table describes them all: names, citations, abilities (table 1 of Patil et al.,
 * ICML 2022), options and cost.
 *
 * Every method plans with the graph and the RAM budget alone. As in the original papers, it
 * ignores the deadline, --no-paging and --no-remat. schedule_validate then judges its plan for
 * the whole problem, and a schedule that breaks a rule is withheld with the validator's reason.
 * Only anneal, which minimises energy, plans for the whole problem. */
#ifndef BASELINES_BASELINE_H
#define BASELINES_BASELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"
#include "problem/graph.h"
#include "problem/schedule.h"

/* Extent of the buffers that receive why there is no schedule. */
enum { BASELINE_REASON = 256 };

typedef struct baseline_options {
    const base_limits *limits;  /* NULL: none */
    int snapshots;              /* revolve: snapshots held at once; 0: try all, keep the best */
    int64_t segment_bytes;      /* chen_greedy: bytes per segment (b); -1: try all */
    double dtr_thrash;          /* DTR gives up beyond this multiple of the base time */
    double checkmate_threshold; /* checkmate_lp: round S at this value; 0: try 0.1 .. 0.9 */
    int checkmate_draws;        /* checkmate_lp_random: how often S is rounded, >= 1 */
    uint64_t seed;              /* of splitmix64, for checkmate_lp_random and anneal */
    int pofo_slots;             /* memory slots of POFO's dynamic programme, 1..4000 */
} baseline_options;

/* Defaults: no limits, sweeps over snapshots, segments and thresholds, DTR up to 10 times the base,
 * 100 draws from seed 1, 50 slots. */
baseline_options baseline_options_default(void);

/* A method, or several that differ by `variant'. A fresh schedule that schedule_validate accepts
 * for *p (free with schedule_free), or NULL with a sentence in reason. Along with a schedule reason
 * is left as it was or gets a remark ("not proven optimal: ..."). It contains BASELINE_CUT_OFF
 * exactly when a limit kept the method from its end. o is never NULL. */
#define BASELINE_CUT_OFF "stopped by"
typedef schedule *baseline_function(const problem *p, const baseline_options *o, int variant,
                                    char reason[BASELINE_REASON]);

/* How long a method takes, for what runs them in turn. */
typedef enum baseline_cost {
    BASELINE_CHEAP,     /* a few simulations of n stages */
    BASELINE_SWEEP,     /* as many simulations as the method has parameter values */
    BASELINE_PROGRAMME, /* a dynamic programme or an LP */
    BASELINE_EXACT      /* a branch and bound */
} baseline_cost;

typedef struct baseline_method {
    const char *name;
    baseline_function *run;
    int variant;          /* for run */
    const char *title;    /* description, a noun phrase */
    const char *citation; /* authors, title, venue, year */
    const char *options;  /* the command-line options that change it; "" without any */
    const char *work;     /* operation count in n, edges, ... */
    baseline_cost cost;
    bool pages;         /* may produce transfers */
    bool plans_forward; /* plans the forward pass: the nodes before the first marked as backward */
    bool pins;          /* does to no node what its pin forbids */
    /* The columns of table 1: '+' yes, '~' partly, 0 no. */
    char general_graphs, compute_aware, memory_aware, power_aware;
} baseline_method;

/* The table, in the order in which reports list the methods; *count gets its
 * length. Static storage. */
const baseline_method *baseline_methods(int *count);

/* Makes a schedule by the method, as its function does. Returns NULL with a reason also if a node
 * is pinned and the method has no rule for pins. */
schedule *baseline_schedule(const baseline_method *method, const problem *p,
                            const baseline_options *o, char reason[BASELINE_REASON]);

/* The entry of that name. NULL and an error that lists the known names. */
const baseline_method *baseline_find(const char *name, base_error *error);

#endif
