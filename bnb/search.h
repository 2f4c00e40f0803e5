/* bnb/search: what the threads share (the search) and what each has of its own (the
 * context, which callbacks see). Threads tell each other of pseudo-costs, global bounds
 * and cuts through a log of messages that each replays at its own pace; in deterministic
 * mode only at the end of rounds, in the order of the threads. */
#ifndef BNB_SEARCH_H
#define BNB_SEARCH_H

#include "base/lock.h"
#include "bnb/tree.h"
#include "lp/safe.h"

/* ---- messages ----------------------------------------------------------- */

typedef enum bnb_message_kind {
    BNB_MESSAGE_PSEUDO, /* col, upper: direction; value: gain per unit */
    BNB_MESSAGE_BOUND,  /* col, upper, value: holds globally */
    BNB_MESSAGE_CUT     /* cut: one reference held by the message */
} bnb_message_kind;

typedef struct bnb_message {
    bnb_message_kind kind;
    int from; /* thread */
    int col;
    bool upper;
    double value;
    bnb_poolcut *cut;
} bnb_message;

typedef struct bnb_messages {
    bnb_message *item;
    int count, capacity;
} bnb_messages;

/* ---- shared ------------------------------------------------------------- */

typedef enum bnb_stage {
    BNB_STAGE_OVER = 0, /* before the root: nothing is left */
    BNB_STAGE_ROOT,     /* context[0] holds it */
    BNB_STAGE_TREE
} bnb_stage;

struct bnb_search {
    const lp_model *original;
    bnb_params params;              /* debug_solution, limits and all */
    const bnb_callbacks *callbacks; /* never NULL */
    bnb_instance *in;
    int *priority; /* extent model cols, or NULL */
    double start_seconds;
    pthread_mutex_t lock; /* guards all below but atomics */
    pthread_cond_t wake;
    base_guard *guard;  /* whose work the threads do; NULL: none */
    bool guards_itself; /* nobody else knows of what is found */
    bool rounds;        /* deterministic with several threads */
    int met;            /* threads that have come to the present meeting of a round */
    long meetings;      /* held so far */
    bnb_heap open;
    int active;
    double *active_bound;         /* extent threads; INFINITY: idle */
    bnb_node **assigned;          /* extent threads: nodes of a deterministic round */
    struct bnb_context **context; /* extent threads */
    bool finished;
    atomic_int stop; /* 0: go on, else 1 + bnb_status */
    /* incumbent, in the caller's columns */
    double *best; /* NULL: none */
    double best_objective;
    double best_settled; /* what is proven once nothing is left below the cutoff */
    long best_version;
    _Atomic double cutoff; /* prune at bounds >= this */
    double first_incumbent_seconds;
    bnb_messages log; /* numbered from log_first */
    long log_first;
    long *log_position; /* extent threads: next message to replay */
    /* root */
    double root_bound, root_bound_cuts;
    double proven;     /* bnb_search_bound when last all was in order */
    double *root_cost; /* safe reduced costs of the best root bound; model cols, NULL */
    double root_cost_bound;
    double *root_lower, *root_upper; /* bounds they belong to; extent model cols */
    /* counters */
    double trouble_bound; /* least bound of a leaf given up */
    long troubles;
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
    uint64_t work_end;     /* of this run */
    long node_end;
};

/* ---- LP of a thread ----------------------------------------------------- */

typedef struct bnb_relaxation {
    lp_solver *solver;
    lp_model *mirror;  /* the same rows and columns, for safe bounds; own bounds unused */
    int model_rows;    /* the model's core rows */
    bnb_poolcut **cut; /* cuts and lazy rows, references: row model_rows + k */
    int *age;          /* rounds with a basic slack */
    int cuts, capacity;
    int patience; /* rounds of lazy rows that may leave the objective where it is before a solve
                     ends all the same; 0: any number */
    bool rows_missing; /* the last solve ended like that: x may violate lazy rows */
} bnb_relaxation;

typedef struct bnb_pseudo {
    double *sum[2], *count[2]; /* [0] down, [1] up; extent cols */
    double total[2], totals[2];
} bnb_pseudo;

typedef enum bnb_outcome {
    BNB_LP_SOLVED = 0, /* optimal: x, d, y, objective and bound are set */
    BNB_LP_PRUNED,     /* proven: nothing below the cutoff here */
    BNB_LP_ITERATIONS, /* iteration limit: bound is set */
    BNB_LP_UNPROVEN,   /* the LP claims infeasibility or failed: nothing proven */
    BNB_LP_UNBOUNDED,
    BNB_LP_STOPPED /* a limit of the run */
} bnb_outcome;

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
    /* callback views, extent original cols */
    double *view_x, *view_d;
    /* deterministic mode: incumbent found in this round */
    double *found;
    double found_objective;
    const char *found_source;
    /* effort */
    long node_iterations, strong_iterations, heuristic_iterations;
    long lp_solves;
    double exact_work; /* spent in rational arithmetic */
    bool interior_known;
    double *interior; /* extent core rows; NULL: none, or not known yet (interior.c) */
    long nodes;       /* processed here */
    long rins_node;   /* next one to run RINS at */
    int dive_turn;
    double globally_fixed_at; /* cutoff of the last fixing by the root's reduced costs */
    long next_id;             /* of nodes made here */
};

/* ---- search.c ----------------------------------------------------------- */

/* The tree search proper, after the root, with context[0] made: all threads until done or stopped.
 */
void bnb_search_run(bnb_search *s);
/* The thread's counted work (base_work) counts from here / what it did since is added to the
 * search's. */
void bnb_begin_work(bnb_search *s, int thread);
void bnb_charge(bnb_search *s, int thread);
/* Exchanges messages, incumbents and cutoff with the others (not between rounds). */
void bnb_sync(bnb_context *c);
/* Least bound of what is left, capped by the cutoff; -INFINITY before the root's bound. */
double bnb_search_bound(const bnb_search *s);
/* Remembers it for a search that is given up. With the lock held. */
void bnb_note_bound(bnb_search *s);
/* Tells all threads, this one too: *m is copied, and each acts on it when it synchronises. */
void bnb_post(bnb_context *c, const bnb_message *m);
/* Stops everything with that status; the first call counts. */
void bnb_search_stop(bnb_search *s, bnb_status status);
/* Checks the limits; true when to stop. */
bool bnb_stopped(bnb_context *c);

/* ---- context.c ---------------------------------------------------------- */

/* The context of a thread, with its own LP, domain and pseudo-costs; like (may be NULL): a context
 * of which it begins with copies: LP, global bounds, pool, pseudo-costs. NULL may be freed. */
bnb_context *bnb_context_create(bnb_search *s, int thread, const bnb_context *like);
void bnb_context_free(bnb_context *c);
/* Loads a node: bounds, cuts and basis. False when its bounds contradict the global ones. */
bool bnb_context_load(bnb_context *c, bnb_node *n);
/* Tightens a bound globally and tells the others. */
void bnb_global_tighten(bnb_context *c, int col, bool upper, double value);
/* Offers a solution in the model's columns. */
bool bnb_offer_model(bnb_context *c, const double *x, const char *source);
/* Sets the incumbent (the caller's columns) under the lock; false when not better. */
bool bnb_search_set_incumbent(bnb_search *s, const double *full, double objective,
                              const char *source);
/* The cutoff that belongs to an incumbent (full: in the caller's columns; NULL: none in particular)
 * and its objective. */
double bnb_cutoff_for(const bnb_search *s, const double *full, double objective);

/* ---- relaxation.c, exactly.c ------------------------------------------------------- */

/* An LP of the instance's core rows without cuts, or (like not NULL) a copy of that context's. */
void bnb_relaxation_init(bnb_relaxation *r, const bnb_search *s, const bnb_context *like);
void bnb_relaxation_clear(bnb_relaxation *r);
/* Appends the cuts as rows of the LP; each is held while it is one. */
void bnb_relaxation_add_cuts(bnb_relaxation *r, bnb_poolcut *const *cut, int count);
/* Drops the cut rows k with drop[k] (extent r->cuts). */
void bnb_relaxation_drop_cuts(bnb_relaxation *r, const bool *drop);
/* Tells the LP of the domain's changed bounds. */
void bnb_relaxation_sync(bnb_context *c);
/* Solves the LP within the domain (at most `limit` iterations) and evaluates it. */
bnb_outcome bnb_relaxation_solve(bnb_context *c, long limit);
/* A basis saved when the LP had columns and rows for `count` statuses: rows that came since
 * get basic slacks. */
void bnb_relaxation_set_basis(bnb_context *c, const unsigned char *status, int count);
/* Sets c->y, c->d and c->dual_bound to the multipliers y (extent the LP's rows), or to those next
 * to y that prove more (lp_safe_bound_mend), and what they prove within the domain: the bound and
 * the reduced costs are always those of c->y. Returns what is proven, if need be by rational
 * multipliers. */
double bnb_take_duals(bnb_context *c, const double *y);
/* The same with zeros: where no LP has left any. */
void bnb_take_no_duals(bnb_context *c);
/* Makes y (extent the LP's rows), which may prove that the LP has no solution, c->y: c->d and
 * c->dual_bound are void. */
void bnb_keep_farkas(bnb_context *c, const double *y);
/* Does a bound prune by now? For a certificate it must be that of the multipliers at hand. */
bool bnb_bound_prunes(const bnb_context *c);
/* Models of at most so many rows are too small for tolerances to decide anything. */
#define BNB_MOST_EXACT_ROWS 100
/* Solves the LP within the domain in rational arithmetic, from the solver's basis: BNB_LP_SOLVED
 * and BNB_LP_PRUNED as bnb_relaxation_solve, BNB_LP_UNBOUNDED, or BNB_LP_UNPROVEN where that would
 * take too much work. */
bnb_outcome bnb_relaxation_solve_exactly(bnb_context *c);
/* The same for an LP that is solved, but whose duals prove less than its objective; BNB_LP_SOLVED
 * also where nothing more is proven. */
bnb_outcome bnb_bound_exactly(bnb_context *c);
/* Gives the continuous columns of a solution (the caller's columns) their best values in rational
 * arithmetic, and *objective what it is then; false, and both as they were, where it takes too much
 * work or these integers have no exact solution. */
bool bnb_complete_exactly(bnb_context *c, double *full, double *objective);
/* A copy of c->y for the LP's present rows / back again after a trial that may have added
 * rows (zero duals); frees the copy. */
double *bnb_duals_save(bnb_context *c);
void bnb_duals_restore(bnb_context *c, double *y, int rows);
/* Ages the cuts by the last solution; drops those whose slack was basic too often. */
void bnb_relaxation_age(bnb_context *c, int limit);
/* Whether the cut, or lazy row, is a row of the LP. O(cuts). */
bool bnb_relaxation_has(const bnb_relaxation *r, const bnb_poolcut *cut);
/* State for the children; basis and cuts to a state, or to slack basis for NULL. */
bnb_lpstate *bnb_relaxation_state(const bnb_context *c);
void bnb_relaxation_restore(bnb_context *c, const bnb_lpstate *state);
/* d_j of the multipliers c->y in long double with a bound on its error. */
long double bnb_reduced_cost(const bnb_context *c, int j, long double *error);

/* ---- node.c, branch.c, fixing.c, separate.c, heur*.c -------------------- */

typedef enum bnb_verdict {
    BNB_NODE_PRUNED = 0,
    BNB_NODE_BRANCHED, /* children[0] is the one to go on with */
    BNB_NODE_STOPPED   /* a limit: the node stays open */
} bnb_verdict;

typedef struct bnb_children {
    bnb_node *child[2]; /* NULL: pruned at once */
} bnb_children;

/* Processes the loaded node c->node (c->bound set). */
bnb_verdict bnb_node_process(bnb_context *c, bnb_children *children);
/* The root: cut rounds, fixing, heuristics; *restart: presolve again pays. */
bnb_verdict bnb_root_process(bnb_context *c, bnb_children *children, bool *restart);

/* Reduced-cost fixing with c->d, c->dual_bound; true when a bound moved. */
bool bnb_fix_by_reduced_cost(bnb_context *c);
/* Whether picked duals may fix something: the LP is solved, and there is a gap. */
bool bnb_picked_duals_pay(const bnb_context *c);
/* The same, when they may, with duals of the LP just solved that were picked so that many columns
 * are fixed; c->y, c->d and c->x stay those of the LP. Another LP, from the present basis. */
bool bnb_fix_by_picked_duals(bnb_context *c);
/* Remembers the root's reduced costs if they are of its best bound / uses them against the
 * present cutoff for all the tree. */
void bnb_fix_remember_root(bnb_context *c);
void bnb_fix_globally(bnb_context *c);

/* One round of cuts on c->x, the solution of the LP just solved; returns how many went into
 * the LP. Cuts whose slack was basic for more than max_age rounds leave it then. */
int bnb_separate(bnb_context *c, int limit, int max_age);

typedef enum bnb_branch_result {
    BNB_BRANCH_CHOSEN = 0,
    BNB_BRANCH_REDUCED, /* a bound of the node was tightened instead */
    BNB_BRANCH_PRUNED,
    BNB_BRANCH_STOPPED,
    BNB_BRANCH_NONE /* no unfixed integer column */
} bnb_branch_result;

typedef struct bnb_branching {
    int col;
    double value;    /* down: <= value, up: >= value + 1 */
    double bound[2]; /* proven for the children */
    double gain[2];  /* estimates */
} bnb_branching;

/* The column to branch on at the solution c->x, by pseudo-costs that strong branching makes
 * reliable. *b is set for BNB_BRANCH_CHOSEN only. */
bnb_branch_result bnb_branch_select(bnb_context *c, bnb_branching *b);
/* Pseudo-costs: the mean gain of the LP's objective for a unit of change, by column and direction
 * (0: down, 1: up). bnb_pseudo_gain estimates it for so much of a unit, by the mean over all
 * columns where this one has none. */
void bnb_pseudo_init(bnb_pseudo *p, int cols);
void bnb_pseudo_clear(bnb_pseudo *p);
void bnb_pseudo_add(bnb_pseudo *p, int col, int direction, double gain_per_unit);
double bnb_pseudo_gain(const bnb_pseudo *p, int col, int direction, double distance);
/* Tells everybody what the child's LP taught about its branching. */
void bnb_pseudo_learn(bnb_context *c, int col, int direction, double gain_per_unit);

/* Integer columns of c->x off by more than the integrality tolerance. */
int bnb_count_fractional(const bnb_context *c);
/* Heuristics on c->x; the LP, domain and c->x are as before afterwards. */
void bnb_heuristics_node(bnb_context *c);
void bnb_heuristics_root(bnb_context *c);
/* Fixes the integers at x (rounded), solves for the rest and offers the outcome. */
bool bnb_heuristic_polish(bnb_context *c, const double *x, const char *source);
/* Fixes them one by one, propagating, without another LP but the last. */
bool bnb_heuristic_round(bnb_context *c);
/* Fixes one after the other and solves the LP each time. kind: by fractionality, by pseudo-costs,
 * towards the incumbent (0, 1, 2); ends after about `budget` iterations. */
void bnb_heuristic_dive(bnb_context *c, int kind, long budget);
/* Branch and bound on the columns that are left when those are fixed on which c->x and the
 * incumbent (without one: c->x and integrality) agree. */
void bnb_heuristic_submip(bnb_context *c);
/* The caller's own, with c->x and c->d on its columns. */
void bnb_call_heuristic(bnb_context *c);

/* ---- interior.c --------------------------------------------------------- */

/* Changes c->y, c->d and c->dual_bound, which rounding errors have left without a bound, into those
 * of multipliers further inside; returns what is proven, -INFINITY if nothing is. The first call
 * solves an LP with a row for each column of the model without two finite bounds. */
double bnb_interior_bound(bnb_context *c);

/* ---- lazy.c ------------------------------------------------------------- */

/* Adds the lazy rows that x violates, all that are as bad as the given part of the worst, and with
 * `tight` those that it meets exactly with a column that is not zero; how many. None if none is
 * violated. */
int bnb_lazy_add_violated(bnb_context *c, double part, bool tight);
/* Adds those that x meets exactly (or violates): at the same bound they may have multipliers, too.
 * How many; the LP is to be solved again then. */
int bnb_lazy_add_tight(bnb_context *c);

/* ---- restart.c ---------------------------------------------------------- */

/* Do the parameters want one more? */
bool bnb_restart_allowed(const bnb_search *s);
/* Have so many columns been fixed that they are better presolved away? */
bool bnb_many_fixed(const bnb_context *c);
/* Is the root better done again? */
bool bnb_restart_pays(const bnb_context *c);

/* What a restart carries over from the root it leaves. All owned. */
typedef struct bnb_carried {
    bnb_poolcut **cut; /* in the old model's columns */
    int cuts;
    unsigned char *basis; /* old columns, then old model rows, lazy ones too */
    double *x;            /* the basis' point, extent old columns */
    double *y;            /* its duals, extent old model rows, then cuts; NULL: unknown */
    bnb_pseudo pseudo;
} bnb_carried;

/* Replaces s->in by its presolved form; false when infeasible. `old` gets carried through
 * when not NULL: cuts, basis and pseudo-costs then belong to the new model. */
bool bnb_presolve_search(bnb_search *s, bnb_carried *old);
bnb_carried bnb_carry_over(bnb_context *c); /* c keeps nothing but what can be freed */
/* Nothing but params' basis of m, for the first root. */
bnb_carried bnb_carry_basis(const lp_model *m, const bnb_params *params);
/* Hands over to the context of the new instance and frees. */
void bnb_put_back(bnb_context *c, bnb_carried *o);
void bnb_discard_carried(bnb_carried *o);

/* ---- proof.c: events for params.proof, and checks of the debug solution ---- */

/* Nothing happens in these where there is nobody to tell. A cut is told once, when it first goes
 * into an LP; a branching when both children are there. */
void bnb_proof_cut(bnb_context *c, bnb_poolcut *cut);
void bnb_proof_branch(bnb_context *c, const bnb_branching *b, const bnb_children *children);
/* The domain's trail from `mark` on, with the multipliers c->y where they were used. */
void bnb_proof_deduce(bnb_context *c, int mark);
/* Strong branching has moved the column's bound to value: y (extent the LP's rows) proves it. */
void bnb_proof_strong(bnb_context *c, int col, bool upper, double value, const double *y);
/* The node is done for that reason; y: multipliers that prove the bound, NULL: none are needed. */
void bnb_proof_leaf(bnb_context *c, bnb_step kind, double bound, const double *y);

/* ---- log.c -------------------------------------------------------------- */

/* The line of what the model is. */
void bnb_log_start(bnb_search *s);
/* A line of the table; source: NULL or a short name of the incumbent's origin. With the
 * lock held. Without a source only when some seconds have passed, unless force. */
void bnb_log_line(bnb_search *s, const char *source, bool force);
/* A line of its own (printf-style), and the last lines, with the result. */
void bnb_log_text(bnb_search *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void bnb_log_end(bnb_search *s, const bnb_result *r);

#endif
