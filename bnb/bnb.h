/* bnb: branch and bound on any mixed-integer model. Through callbacks, a model-specific caller
 * adds cuts, solutions and branching priorities; nothing here depends on neural networks. One
 * tree is searched in rounds by any number of threads. The run is the same for the same input and
 * number of threads. */
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
    BNB_LIMIT_WORK /* the work limit of the run is reached (bnb_run) */
} bnb_status;

/* Name of the status in the log; a constant text. */
const char *bnb_status_name(bnb_status status);

/* A cut: lower <= sum value[k] x[col[k]] <= upper, valid for every solution that improves on the
 * incumbent. Columns of the caller's model, each at most once. */
typedef struct bnb_cut {
    int count;
    const int *col;
    const double *value;
    double lower, upper;
    long tag; /* mark of the caller; proof events return it */
} bnb_cut;

typedef struct bnb_context bnb_context; /* passed to callbacks; one per thread */

/* For callbacks; all thread safe. Columns and vectors refer to the caller's model, before
 * presolve. Vectors have extent cols. */

/* Adds a cut inside `separate`; it is copied and taken as globally valid. Ignored elsewhere. */
void bnb_add_cut(bnb_context *c, const bnb_cut *cut);

/* Progress of a search in all its runs so far. */
typedef struct bnb_progress {
    long nodes, open, iterations;
    long cuts;     /* in the LP */
    double bound;  /* lower bound, as bnb_result.bound */
    double work;   /* of all threads, in steps of base_work */
    double waited; /* steps of other threads for which the thread that calls bnb_run waited at the
                      ends of rounds */
} bnb_progress;

/* With several threads, all callbacks but `priority`, `incumbent` and `progress` are called at
 * the same time from different threads, each with its own context. */
typedef struct bnb_callbacks {
    void *user;
    /* Separates cuts for the LP solution x. Called in every round of cuts. */
    void (*separate)(void *user, bnb_context *c, const double *x);
    /* Decides on an integral x (integers rounded). Returns true and sets *objective if x is a
     * solution of the user's real problem. The objective must not be below the model's objective
     * for the same integers, or bounds are meaningless. NULL: the model's rows decide. */
    bool (*accept)(void *user, const double *x, double *objective);
    /* Writes branching priorities (extent cols, 0 = default). Of the fractional columns, the ones
     * of highest priority are branched on first. Called when the root starts and after each
     * restart. May be NULL. */
    void (*priority)(void *user, int *priority);
    /* Called with every new incumbent. */
    void (*incumbent)(void *user, const double *x, double objective, const char *source);
    /* For a log: called after every node, every incumbent and every round of cuts at the root. It
     * may run under the search's lock, so it must not call functions of the search. */
    void (*progress)(void *user, const bnb_progress *now);
} bnb_callbacks;

/* ---- proof events ------------------------------------------------------- */

/* Multipliers of a proof: for rows of the model (extent rows) and for cuts, by id. */
typedef struct bnb_multipliers {
    const double *rows;
    int cuts;
    const long *cut_id;
    const double *cut_value;
} bnb_multipliers;

typedef enum bnb_step {
    BNB_STEP_PROPAGATION,   /* activity bound of one row within the node's bounds */
    BNB_STEP_REDUCED_COST,  /* beyond the new bound, the multipliers' bound passes the cutoff */
    BNB_STEP_STRONG_BRANCH, /* on the far side of the new bound: the same, or a Farkas proof */
    BNB_STEP_BOUND,         /* leaf: the multipliers prove its bound; a leaf below the cutoff
                               keeps its bound open (BNB_TROUBLE) */
    BNB_STEP_FARKAS,        /* leaf: the multipliers prove that no point satisfies the rows */
    BNB_STEP_SOLUTION       /* leaf: all integers fixed; `accept` decided on the solution */
} bnb_step;

typedef struct bnb_deduction {
    bnb_step kind;
    int col;
    bool upper;   /* true: upper bound of the column; false: lower */
    double value; /* the new bound */
    int row;      /* PROPAGATION: the row; the model's number of rows: the objective against the
                     cutoff */
    double cutoff;
    const bnb_multipliers *multipliers; /* REDUCED_COST, STRONG_BRANCH; else NULL */
    bool again; /* same multipliers as in the deduction reported just before */
} bnb_deduction;

typedef struct bnb_leaf {
    bnb_step kind;
    double bound, cutoff;
    int row;                            /* PROPAGATION: the row that no point satisfies */
    const double *lower, *upper;        /* column bounds at the leaf, extent cols */
    const bnb_multipliers *multipliers; /* BOUND, FARKAS; else NULL */
} bnb_leaf;

/* Origin from which a column is counted when a sum of rows is rounded: its lower or upper bound
 * at the root. BNB_SIDE_NONE: the column is relaxed to the bound that is best for the sum, or
 * fixed at 0. */
typedef enum bnb_side { BNB_SIDE_NONE, BNB_SIDE_LOWER, BNB_SIDE_UPPER } bnb_side;

/* Derivation of a cut sum value x <= upper. Rows and earlier cuts, with their slacks, are summed
 * with weights. The sum is divided by `divisor` and rounded as bnb/cuts/cut_mir.c says. */
typedef struct bnb_rounding {
    double divisor;
    int rows;
    const int *row;       /* of the model; -1: a cut; extent rows, like the next four arrays */
    const long *cut_id;   /* -1: a row */
    const double *weight; /* of any sign */
    const bool *upper;    /* slack is measured from the upper side; irrelevant in equations */
    const double *slack;  /* coefficients of the slacks in the cut */
    int cols;             /* columns of the rows, each once */
    const int *col;
    const bnb_side *side; /* extent cols */
    const double *bound;  /* origin of the column; extent cols */
} bnb_rounding;

/* Receives the events of which a certificate of optimality is made. Each step follows from
 * earlier ones; calls are serialised over the threads. Rows and columns are the caller's. For a
 * proof, presolve removes only columns that are fixed at 0, and deductions leave bounds of
 * continuous columns unchanged. The root is node 0. */
typedef struct bnb_proof {
    void *user;
    /* A cut that later multipliers may name. how: derivation of a cut of kind "mir" or "gomory";
     * NULL for a cut of the caller ("user"). */
    void (*cut)(void *user, long id, const bnb_cut *cut, const char *kind, const bnb_rounding *how);
    /* node is split into down: x[col] <= value and up: x[col] >= value + 1. */
    void (*branch)(void *user, long node, int col, double value, long down, long up);
    void (*deduce)(void *user, long node, const bnb_deduction *step);
    void (*leaf)(void *user, long node, const bnb_leaf *leaf);
} bnb_proof;

/* ---- parameters and results --------------------------------------------- */

/* Returns the least nonzero |cost| of a column; 0: all costs are 0. O(cols). */
double bnb_least_cost(const lp_model *m);
/* Returns the unit of relative gaps: |objective|, or least_cost if |objective| is below 1e-9 of
 * it. No meaningful value of a column with a cost makes a smaller objective. If costs and
 * objective are scaled by a number, so is the unit. */
double bnb_gap_unit(double objective, double least_cost);

typedef struct bnb_params {
    int threads;         /* 1 */
    double gap_relative; /* stop when (incumbent - bound) <= gap * bnb_gap_unit; 1e-9 */
    double cutoff;       /* only solutions below it, by more than half the gap, count; INFINITY */
    long node_limit;     /* LONG_MAX */
    base_limits limits;
    int log;          /* 0 silent, 1 a table of progress */
    FILE *log_stream; /* stream of the log; NULL: stdout */
    uint64_t seed;
    double feasibility;     /* tolerance of rows, relative to min(1 + |side|, 1001); 1e-6 */
    lp_tuning lp;           /* parameters of the LPs */
    bnb_tuning tuning;      /* parameters of the search */
    const bnb_proof *proof; /* proof listener; NULL: none */
    /* Warm start of the root LP; hints of any quality. basis: lp_basis_status of the caller's
     * columns, then rows; NULL: slack basis. point: solution of the basis (extent cols).
     * multipliers (extent rows; NULL: none): duals that may be better than the duals of the
     * basis. The basis is then changed to fit them (lp_push_duals). */
    const unsigned char *basis;
    const double *point;
    const double *multipliers;
} bnb_params;

bnb_params bnb_params_default(void);

typedef struct bnb_result {
    bnb_status status;
    bool has_solution;
    double objective; /* of the incumbent; INFINITY without one */
    double bound;     /* lower bound */
    double gap;  /* (objective - bound) / bnb_gap_unit, at least 0; the cutoff replaces a higher
                    objective; INFINITY without a solution */
    bool proven; /* bound and infeasibility hold in spite of rounding errors. False:
                    the model has an open column (lp_open_column), and a result of the
                    simplex counted that its multipliers do not prove */
    double root_bound;      /* bound of the root LP before cuts */
    double root_bound_cuts; /* bound after the root's rounds of cuts */
    double *x;              /* extent cols, NULL without a solution; free with bnb_result_clear */
    long nodes, iterations, cuts, open_nodes;
    long troubles; /* leaves given up without a proof */
    double work;   /* of all threads, in steps of base_work */
    double seconds;
} bnb_result;

/* A search that can be continued in several runs; keeps nodes, cuts, pseudo-costs and incumbent. */
typedef struct bnb_search bnb_search;

/* Opens a search on m and presolves it; to be closed. m, callbacks and the data of params must
 * outlive the search, except for basis, point and multipliers. callbacks may be NULL. The search
 * sets up no memory guard; the caller may (base_try). */
bnb_search *bnb_open(const lp_model *m, const bnb_params *params, const bnb_callbacks *callbacks);
/* Continues the search for about `work` steps of base_work, summed over all threads, and at most
 * about `nodes` nodes. It stops between two nodes, after at least one, and at the root between two
 * LPs. LPs of the root stop after `most` steps of this run and continue in the next run. Rounds of
 * several threads may also take up to `most` steps. Because a part of the root is repeated, the
 * root gets at least as much work as in all runs before. Returns BNB_LIMIT_WORK if `work` is used
 * up. After this or any other limit the search can continue. */
bnb_status bnb_run(bnb_search *s, double work, double most, long nodes);
/* Replaces the limits. Their work_end refers to the thread that calls bnb_run. */
void bnb_keep_limits(bnb_search *s, const base_limits *limits);
/* Sets the number of threads, at most the number with which the search was opened. */
void bnb_use_threads(bnb_search *s, int threads);
/* Lowers the cutoff: only solutions below it count from now on. */
void bnb_lower_cutoff(bnb_search *s, double cutoff);
bnb_progress bnb_so_far(const bnb_search *s);
/* Ends the search. The caller clears the result. */
bnb_result bnb_close(bnb_search *s);

/* Solves m in one run, under a memory guard if callbacks is NULL. The caller clears the result. */
bnb_result bnb_solve(const lp_model *m, const bnb_params *params, const bnb_callbacks *callbacks);
void bnb_result_clear(bnb_result *r);

#endif
