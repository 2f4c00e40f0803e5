/* bnb: branch and bound on any mixed-integer model, with callbacks through which a
 * model-specific caller adds cuts, schedules and branching advice. It knows nothing of
 * neural networks. One tree, searched in rounds by any number of threads: the same run for the same
 * input and number of threads. */
#ifndef BNB_BNB_H
#define BNB_BNB_H

#include "bnb/tuning.h"
#include "lp/simplex.h"

typedef enum bnb_status {
    BNB_OPTIMAL = 0, /* bound within params.gap_relative of the incumbent, proven */
    BNB_INFEASIBLE,  /* proven: no solution (better than params.cutoff) exists */
    BNB_UNBOUNDED,
    BNB_LIMIT_TIME,
    BNB_LIMIT_NODES,
    BNB_LIMIT_MEMORY,
    BNB_INTERRUPTED,
    BNB_TROUBLE,   /* numerical trouble left nodes without a proof; bound holds */
    BNB_LIMIT_WORK /* the run's work is done (bnb_run) */
} bnb_status;

/* As the log has it; a constant text. */
const char *bnb_status_name(bnb_status status);

/* A cut: lower <= sum value[k] x[col[k]] <= upper, valid for every solution that
 * improves on the incumbent. Columns are those of the caller's model, each at most once. */
typedef struct bnb_cut {
    int count;
    const int *col;
    const double *value;
    double lower, upper;
    long tag; /* the caller's mark, which comes back in the events of a proof */
} bnb_cut;

typedef struct bnb_context bnb_context; /* passed to callbacks; one per thread */

/* For callbacks; all thread safe. Columns and vectors are always those of the caller's
 * model, whatever presolve removed; x is read and written with extent cols. */

/* Hands over a cut inside `separate`; copied, globally valid. Ignored elsewhere. */
void bnb_add_cut(bnb_context *c, const bnb_cut *cut);
int bnb_thread(const bnb_context *c); /* 0 .. threads-1 */

/* How far a search is. */
typedef struct bnb_progress {
    long nodes, open, iterations;
    long cuts;    /* in the LP */
    double bound; /* as bnb_result.bound */
} bnb_progress;

/* With several threads all of these but `priority`, `incumbent` and `progress` are called at the
 * same time from different threads, each with its own context. */
typedef struct bnb_callbacks {
    void *user;
    /* Separates cuts for the LP solution x. At the root in every round; below it at fewer and fewer
     * nodes, as long as the cuts close little. */
    void (*separate)(void *user, bnb_context *c, const double *x);
    /* Last judge of an integral x (integers rounded): true and the objective when it
     * is a solution of the user's real problem; its objective must not be below the
     * model's objective for the same integers, or the bounds are meaningless. NULL: the
     * model's own rows decide. */
    bool (*accept)(void *user, const double *x, double *objective);
    /* Chooses what to branch on: writes scores into priority (extent cols, 0 = default;
     * higher is branched on first among fractional ones). Called once. May be NULL. */
    void (*priority)(void *user, int *priority);
    /* Told of every incumbent. */
    void (*incumbent)(void *user, const double *x, double objective, const char *source);
    /* Told after every node and round of cuts at the root, for a log; under a lock of the search,
     * which must not be asked anything then. */
    void (*progress)(void *user, const bnb_progress *now);
} bnb_callbacks;

/* ---- proof events ------------------------------------------------------- */

/* Multipliers of a proof: for the rows of the model (extent rows) and for cuts, by id. */
typedef struct bnb_multipliers {
    const double *rows;
    int cuts;
    const long *cut_id;
    const double *cut_value;
} bnb_multipliers;

typedef enum bnb_step {
    BNB_STEP_PROPAGATION,   /* activity bound of one row within the node's bounds */
    BNB_STEP_REDUCED_COST,  /* the multipliers' bound passes the cutoff beyond the new bound */
    BNB_STEP_STRONG_BRANCH, /* the same, or a Farkas proof, on the far side of the new bound */
    BNB_STEP_BOUND,         /* leaf: the multipliers prove its bound; one that is below the cutoff
                               counts with that (BNB_TROUBLE) */
    BNB_STEP_FARKAS,        /* leaf: the multipliers prove that the rows cannot be met */
    BNB_STEP_SOLUTION       /* leaf: all integers fixed, the solution was judged */
} bnb_step;

typedef struct bnb_deduction {
    bnb_step kind;
    int col;
    bool upper;   /* which bound */
    double value; /* the new bound */
    int row;      /* PROPAGATION: the row; rows: the objective against the cutoff */
    double cutoff;
    const bnb_multipliers *multipliers; /* REDUCED_COST, STRONG_BRANCH; else NULL */
    bool again; /* the multipliers are those of the deduction told just before */
} bnb_deduction;

typedef struct bnb_leaf {
    bnb_step kind;
    double bound, cutoff;
    int row;                            /* PROPAGATION: the row that cannot be met */
    const double *lower, *upper;        /* column bounds at the leaf, extent cols */
    const bnb_multipliers *multipliers; /* BOUND, FARKAS; else NULL */
} bnb_leaf;

/* From where a column is counted when a sum of rows is rounded: from a bound that it has at the
 * root, or not at all: it is relaxed to the bound that is best for the sum, or fixed at 0. */
typedef enum bnb_side { BNB_SIDE_NONE, BNB_SIDE_LOWER, BNB_SIDE_UPPER } bnb_side;

/* How a cut sum value x <= upper follows: weights times rows and earlier cuts, with their slacks,
 * are summed up, and the sum divided by `divisor` is rounded, as bnb/cuts/cut_mir.c says. */
typedef struct bnb_rounding {
    double divisor;
    int rows;
    const int *row;       /* of the model; -1: a cut; extent rows, as the next ones */
    const long *cut_id;   /* -1: a row */
    const double *weight; /* of any sign */
    const bool *upper;    /* the slack is measured from the upper side; of no matter in equations */
    const double *slack;  /* coefficients of the slacks in the cut */
    int cols;             /* of the rows, each once */
    const int *col;
    const bnb_side *side; /* extent cols */
    const double *bound;  /* from which the column is counted; extent cols */
} bnb_rounding;

/* Receives what a certificate of optimality is made of, in an order in which every step
 * follows from the ones before; serialised over the threads. Rows and columns are the caller's:
 * presolve takes nothing but columns that are fixed at 0, and deductions leave the bounds of
 * continuous columns as they are. The root is node 0. */
typedef struct bnb_proof {
    void *user;
    /* A cut that later multipliers may name. how: of a cut of kind "mir" or "gomory", NULL for one
     * of the caller's ("user"). */
    void (*cut)(void *user, long id, const bnb_cut *cut, const char *kind, const bnb_rounding *how);
    /* node is split into down: x[col] <= value and up: x[col] >= value + 1. */
    void (*branch)(void *user, long node, int col, double value, long down, long up);
    void (*deduce)(void *user, long node, const bnb_deduction *step);
    void (*leaf)(void *user, long node, const bnb_leaf *leaf);
} bnb_proof;

/* ---- parameters and results --------------------------------------------- */

/* The least cost of a column that has one, by its size; 0: none has. O(cols). */
double bnb_least_cost(const lp_model *m);
/* Relative gaps are parts of this: the size of the objective; of one below 1e-9 of the least cost,
 * which no value of a column that means anything would leave, that cost. Costs and objective times
 * a number make it that number times as large. */
double bnb_gap_unit(double objective, double least_cost);

typedef struct bnb_params {
    int threads;         /* 1 */
    double gap_relative; /* stop when (incumbent - bound) <= gap * bnb_gap_unit; 1e-9 */
    double cutoff;       /* only solutions below it (by more than half the gap) are of
                            interest; INFINITY */
    double integrality;  /* 1e-6 */
    long node_limit;     /* LONG_MAX */
    base_limits limits;
    int log;          /* 0 silent, 1 a table of progress, 2 also every root cut round */
    FILE *log_stream; /* where to; NULL: stdout */
    uint64_t seed;
    double feasibility; /* rows may be violated by this, relative to 1 + |side|, of which no more
                           than 1001 counts; 1e-6 */
    lp_tuning lp;       /* effort of the LPs */
    bnb_tuning tuning;  /* components and effort */
    const double *debug_solution; /* extent cols or NULL: every bound change, cut and pruning
                                 that would lose this solution while it is better than the
                                 cutoff aborts with the place */
    const bnb_proof *proof;       /* NULL: none */
    /* A basis from which the root LP starts, lp_basis_status of the columns, then the rows, of
     * the caller's model, and its point (extent cols); hints, of whatever quality. NULL: the slack
     * basis. multipliers (extent rows; NULL: none) are duals that may be better than the basis'
     * own, which is then changed into theirs (lp_push_duals). */
    const unsigned char *basis;
    const double *point;
    const double *multipliers;
} bnb_params;

bnb_params bnb_params_default(void);

typedef struct bnb_result {
    bnb_status status;
    bool has_solution;
    double objective; /* of the incumbent; INFINITY without */
    double bound;     /* lower bound */
    double gap; /* (objective - bound) / bnb_gap_unit, at least 0, with the cutoff for the objective
                   where that is lower; INFINITY without a solution */
    bool proven;            /* bound and infeasibility hold in spite of rounding errors; false: the
                               model has an open column (lp_open_column), and the simplex was believed
                               where its multipliers prove nothing */
    double root_bound;      /* of the root LP before cuts */
    double root_bound_cuts; /* after the root's cut rounds */
    double *x;              /* extent cols, NULL without a solution; free with bnb_result_clear */
    long nodes, iterations, cuts, open_nodes;
    long troubles; /* leaves given up without a proof */
    double work;   /* steps of base_work, of all threads */
    double seconds;
    double first_incumbent_seconds;
} bnb_result;

/* A search that stays open between runs: its nodes, cuts, pseudo-costs and incumbent. */
typedef struct bnb_search bnb_search;

/* Opens a search on m with its presolve. m, callbacks and what params points to must outlive it,
 * but for basis, point and multipliers.
 * callbacks and start (a solution vector, extent cols, offered first) may be NULL. Nobody guards
 * its memory but the caller (base_try). To be closed. */
bnb_search *bnb_open(const lp_model *m, const bnb_params *params, const bnb_callbacks *callbacks,
                     const double *start);
/* Goes on for about so many steps of base_work, of all threads together, and so many nodes; it ends
 * between two LPs, but for those of the root, which end after `most` steps of this run and go on
 * from their basis in the next one. Rounds of several threads may take it up to `most`, too. The
 * root takes at least as much work as in all runs before, since a part of it begins anew.
 * BNB_LIMIT_WORK: the search can go on; so it can after any other limit. */
bnb_status bnb_run(bnb_search *s, double work, double most, long nodes);
/* From now on it keeps these limits; their work_end is one of the thread that calls bnb_run. */
void bnb_keep_limits(bnb_search *s, const base_limits *limits);
/* From now on it has so many threads, at most as many as it was opened with. */
void bnb_use_threads(bnb_search *s, int threads);
/* From now on only solutions below the cutoff are of interest. */
void bnb_lower_cutoff(bnb_search *s, double cutoff);
/* Proven so far, as bnb_result.bound. */
double bnb_bound(const bnb_search *s);
/* Of all runs so far: nodes processed, LP iterations, steps of counted work (base_work). */
long bnb_nodes(const bnb_search *s);
long bnb_iterations(const bnb_search *s);
double bnb_work(const bnb_search *s);
/* Steps of other threads for which the one that calls bnb_run has waited at the ends of rounds. */
double bnb_waited(const bnb_search *s);
/* Ends the search; the result must be cleared. */
bnb_result bnb_close(bnb_search *s);

/* Solves m in one run. callbacks and start (a solution vector, extent cols, offered first) may be
 * NULL. The result must be cleared. */
bnb_result bnb_solve(const lp_model *m, const bnb_params *params, const bnb_callbacks *callbacks,
                     const double *start);
void bnb_result_clear(bnb_result *r);

#endif
