/* bnb/search: what the threads share (the search) and what each has of its own (the
 * context, which callbacks see). */
#ifndef BNB_SEARCH_H
#define BNB_SEARCH_H

#include "base/lock.h"
#include "bnb/cuts/separation.h"
#include "bnb/exchange.h"
#include "bnb/pseudo.h"
#include "bnb/relaxation.h"
#include "bnb/tree.h"

/* ---- shared ------------------------------------------------------------- */

typedef enum bnb_stage {
    BNB_STAGE_OVER = 0, /* before the root: nothing is left */
    BNB_STAGE_ROOT,     /* context[0] holds it */
    BNB_STAGE_TREE
} bnb_stage;

/* bnb_solve is one. */
typedef bnb_result bnb_solver(const lp_model *m, const bnb_params *params,
                              const bnb_callbacks *callbacks, const double *start);

struct bnb_search {
    const lp_model *original;
    bnb_params params;              /* debug_solution, limits and all */
    const bnb_callbacks *callbacks; /* never NULL */
    bnb_instance *in;
    int *priority;     /* extent model cols, or NULL */
    int most_threads;  /* extents of what each has; params.threads are in use */
    double least_cost; /* of the original */
    int open_column;   /* lp_open_column of the original */
    double start_seconds;
    pthread_mutex_t lock; /* guards all below but atomics */
    bool guards_itself;   /* nobody else knows of what is found */
    bool rounds;          /* several threads are in a round */
    bnb_heap open;
    double *active_bound;  /* extent threads; INFINITY: idle */
    bnb_context **context; /* extent threads */
    atomic_int stop;       /* 0: go on, else 1 + bnb_status */
    /* incumbent, in the caller's columns */
    double *best; /* NULL: none */
    double best_objective;
    double best_settled; /* what is proven once nothing is left below the cutoff */
    long best_version;
    _Atomic double cutoff; /* prune at bounds >= this */
    double first_incumbent_seconds;
    /* root */
    double root_bound, root_bound_cuts;
    double proven;     /* bnb_search_bound when last all was in order */
    double *root_cost; /* safe reduced costs of the best root bound; model cols, NULL */
    double root_cost_bound;
    double *root_lower, *root_upper; /* bounds they belong to; extent model cols */
    /* counters */
    double trouble_bound; /* least bound of a leaf given up */
    long troubles;
    atomic_bool believed; /* the simplex was, without a proof */
    atomic_long nodes, iterations, cuts, next_cut_id, cuts_in_lp;
    atomic_int rejected; /* integral solutions that `accept` refused */
    double log_seconds;  /* when the last line was printed */
    int log_lines;
    bool unbounded;
    int restarts;
    /* between runs */
    bnb_stage stage;
    bnb_status status;
    int contexts;          /* in context */
    _Atomic uint64_t work; /* of all threads in all runs, in steps of base_work */
    uint64_t *charged;     /* extent threads: base_work_done when work was last told of it */
    uint64_t *share;       /* extent threads: ... and the work since the last round */
    uint64_t settled;      /* work at the last round */
    uint64_t round_work;   /* of a thread, until the next one */
    uint64_t root_work;    /* work and nodes before the tree */
    long root_nodes;
    double waited;      /* bnb_waited */
    uint64_t work_end;  /* of this run */
    uint64_t most_end;  /* ... of an LP of the root, or a round */
    uint64_t limit_end; /* ... by the limits */
    long node_end;
    bnb_solver *solve; /* of a whole model, for sub-MIPs */
};

/* ---- of a thread -------------------------------------------------------- */

struct bnb_context {
    bnb_search *search;
    const bnb_instance *in;
    int thread;
    double cutoff; /* as this thread knows it */
    bnb_domain domain;
    double *global_lower, *global_upper; /* extent cols; tighter than the model's */
    bnb_relaxation lp;
    bnb_pseudo pseudo;
    bnb_pool pool;
    bnb_separation separation;
    bnb_messages outbox;
    /* present node */
    bnb_node *node;
    int cut_round;
    int reductions;          /* by strong branching */
    int cut_pause, cut_wait; /* nodes until the next one is cut; after the last one that was */
    double bound;            /* proven for the node, by whatever multipliers */
    double dual_bound;       /* proven by y: what the reduced costs d belong to */
    double objective;        /* of its last LP */
    double *x, *d;           /* extent cols: last LP solution, safe reduced costs */
    double *y;               /* extent y_capacity >= LP rows of the last solve */
    int y_capacity;
    bool y_is_farkas;        /* of an LP that has no solution: d and dual_bound are void */
    bool separating;         /* inside the separate callback */
    bool offer_was_solution; /* the last vector offered was one, better or not */
    double *view_x;          /* x in the caller's columns, for `separate' */
    /* what this thread has to search, and the incumbent found, in this round */
    bnb_heap own;
    bool spent; /* its part of the work is done */
    double *found;
    double found_objective;
    const char *found_source;
    /* effort */
    long node_iterations, strong_iterations, heuristic_iterations;
    long lp_solves;
    long nodes;     /* processed here */
    long rins_node; /* next one to run RINS at */
    int dive_turn;
    double globally_fixed_at; /* cutoff of the last fixing by the root's reduced costs */
    long next_id;             /* of nodes made here */
};

/* ---- search.c ----------------------------------------------------------- */

/* The tree search proper, after the root, with context[0] made: rounds until done or stopped. */
void bnb_search_run(bnb_search *s);

#endif
