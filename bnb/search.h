/* bnb/search: the data that all threads share (bnb_search) and the data of one thread
 * (bnb_context, which callbacks see). */
#ifndef BNB_SEARCH_H
#define BNB_SEARCH_H

#include "base/lock.h"
#include "bnb/cuts/separation.h"
#include "bnb/exchange.h"
#include "bnb/relaxation.h"
#include "bnb/tree.h"

/* ---- shared ------------------------------------------------------------- */

typedef enum bnb_stage {
    BNB_STAGE_OVER = 0, /* before the root, or nothing is left to search */
    BNB_STAGE_ROOT,     /* context[0] holds the root */
    BNB_STAGE_TREE
} bnb_stage;

struct bnb_search {
    const lp_model *original;
    bnb_params params;              /* with limits */
    const bnb_callbacks *callbacks; /* never NULL */
    bnb_instance *in;
    int *priority;     /* extent model cols; NULL: none */
    int most_threads;  /* extent of the arrays per thread; params.threads are in use */
    double least_cost; /* bnb_least_cost of the original */
    int open_column;   /* lp_open_column of the original */
    double start_seconds;
    pthread_mutex_t lock; /* guards all fields below except atomics */
    bool guards_itself;   /* bnb_solve sets up a guard: keep the incumbent (base_keep) */
    bool rounds;          /* several threads are in a round */
    bnb_heap open;
    double *active_bound;  /* extent threads: bound of the node processed; INFINITY: idle */
    bnb_context **context; /* extent threads */
    atomic_int stop;       /* 0: go on, else 1 + bnb_status */
    /* incumbent, in the caller's columns */
    double *best; /* NULL: none */
    double best_objective;
    double best_proven;    /* proven lower bound once no open node is below the cutoff */
    _Atomic double cutoff; /* nodes with bounds >= this are pruned */
    /* root */
    double root_bound, root_bound_cuts;
    double proven;         /* best bnb_search_bound so far, if the search is given up */
    double *lower, *upper; /* extent model cols: bounds that hold in the whole tree */
    double *root_cost;     /* reduced costs of root_cost_bound; extent model cols; NULL: none */
    double root_cost_bound;
    /* counters */
    double trouble_bound; /* least bound of the leaves given up */
    long troubles;
    atomic_bool used_unproven; /* a claim of the simplex was used without a proof */
    atomic_long nodes, iterations, cuts, next_cut_id, cuts_in_lp;
    double log_seconds; /* time of the last line */
    int log_lines;
    bool unbounded;
    int restarts;
    bool ordered; /* presolve orders twins (bnb/model/twins.h) */
    int twins;    /* last rows of the instance, which order twins */
    /* between runs */
    bnb_stage stage;
    bnb_status status;
    int contexts;          /* number of contexts that exist */
    _Atomic uint64_t work; /* of all threads in all runs, in steps of base_work */
    uint64_t *charged;     /* extent threads: base_work_done when steps were last added to work */
    uint64_t *share;       /* extent threads: steps of the thread in this round */
    uint64_t round_start;  /* work when this round began */
    uint64_t round_work;   /* steps of a thread in this round */
    uint64_t root_work;    /* work and nodes before the tree */
    long root_nodes;
    double waited;      /* result of bnb_waited */
    uint64_t work_end;  /* value of work at which this run ends */
    uint64_t most_end;  /* value of work at which an LP of the root, or a round, ends */
    uint64_t limit_end; /* value of work at which the limits end the search */
    long node_end;
};

/* ---- data of one thread ------------------------------------------------- */

struct bnb_context {
    bnb_search *search;
    const bnb_instance *in;
    int thread;
    bnb_domain
        domain; /* cutoff: of the search when the round began, or of a solution found since */
    bnb_relaxation lp;
    bnb_pseudo pseudo;
    bnb_pool pool;
    bnb_separation separation;
    bnb_messages outbox;
    /* present node */
    bnb_node *node;
    int reductions;    /* bounds tightened by strong branching */
    double bound;      /* proven for the node by any multipliers so far */
    double dual_bound; /* proven by y; the reduced costs d belong to it */
    double objective;  /* of the node's last LP */
    double *x, *d;     /* extent cols: last LP solution, safe reduced costs */
    double *y;         /* extent y_capacity >= LP rows of the last solve */
    int y_capacity;
    bool y_is_farkas; /* y is to prove that the LP is infeasible; d and dual_bound are void */
    bool separating;  /* inside the separate callback */
    bool offer_was_solution; /* the last vector offered was a solution, better or not */
    /* in this round: nodes of this thread, and the best solution it found */
    bnb_heap own;
    bool spent; /* its part of the work limit is used up */
    double *found;
    double found_objective;
    const char *found_source;
    /* effort */
    long node_iterations, strong_iterations, heuristic_iterations;
    long lp_solves;
    long nodes;     /* nodes processed by this thread */
    long rins_node; /* value of nodes from which on the next sub-MIP is tried */
    int dive_turn;
    long next_id; /* counter for ids of nodes created by this thread */
};

/* ---- context.c ---------------------------------------------------------- */

/* Creates the context of a thread, with its own LP, domain and pseudo-costs. like: a context to
 * copy cut pool and pseudo-costs from; NULL: none. */
bnb_context *bnb_context_create(bnb_search *s, int thread, const bnb_context *like);
void bnb_context_free(bnb_context *c);
/* Loads the bounds of a node; bnb_relaxation_restore loads its cuts and basis. Returns false if
 * they contradict the bounds of the whole tree. */
bool bnb_context_load(bnb_context *c, bnb_node *n);

/* ---- search.c ----------------------------------------------------------- */

/* Searches the tree in rounds until it is empty or the search stops. Requires context[0] and the
 * root's children. */
void bnb_search_run(bnb_search *s);

#endif
