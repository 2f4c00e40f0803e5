/* certificate/proof: the state of a proof while its steps are checked one by one.
 *
 * The claim: no schedule has an overhead below the target (or none exists at all). The proof is a
 * tree. Node 0 stands for all schedules that the claim denies; a node has cells that are 0 or 1 in
 * all of its schedules. Multipliers y >= 0 (of any sign on equalities) on rows sum y (a x - b)
 * <= 0 prove scale * overhead >= -sum y b + sum over columns of min over [l,u] of d x,   d = scale
 * c + sum y a in exact arithmetic; without the overhead (c = 0) a sum above 0 proves that there is
 * no solution. */
#ifndef CERTIFICATE_PROOF_H
#define CERTIFICATE_PROOF_H

#include "certificate/cut.h"

/* One term of a linear combination of rows. */
typedef struct cert_multiplier {
    int cut; /* number in the proof's list; -1: the row `key` */
    cert_key key;
    number y;
    number slack; /* of a rounded cut: coefficient of the row's slack in it */
} cert_multiplier;

/* Multipliers are multiples of 2^-CERT_MULTIPLIER_GRID. */
enum { CERT_MULTIPLIER_GRID = 200 };

typedef struct cert_fixing {
    int col;
    int value;
} cert_fixing;

/* Integers from low to high; empty if high < low. */
typedef struct cert_span {
    int64_t low, high;
} cert_span;

/* Columns of a timeline (certificate/timeline.h). */
typedef enum cert_coarse {
    CERT_COARSE_OUT,
    CERT_COARSE_LIVE,
    CERT_COARSE_KEPT,
    CERT_COARSE_COMPUTE,
    CERT_COARSE_PAGEIN,
    CERT_COARSE_LOAD,
    /* in an interval of one stage: */
    CERT_COARSE_NEEDED,
    CERT_COARSE_FROM,
    CERT_COARSE_THERE,
    /* where tensors are kept or away: */
    CERT_COARSE_EARLY,
    CERT_COARSE_STAY
} cert_coarse;

/* A column beside the cells: an integer sum of weighted cells of one kind over all stages, or a
 * column of a timeline. */
typedef struct cert_total {
    cert_kind kind;
    int count;
    int *tensor;     /* ascending; extent count */
    int64_t *weight; /* 1 to CERT_MAX_WEIGHT; extent count */
    /* values at the loaded node, at node 0, and at node 0 before the first case */
    cert_span now, root, before;
    /* A column of a timeline, at that point, in place of a sum: */
    bool coarse;
    cert_coarse what;
    int point, node; /* tensor or node; of CERT_COARSE_NEEDED the edge */
} cert_total;

/* A coarse timeline: some stages are points. */
typedef struct cert_timeline {
    int first_point, points; /* number of the first point, and how many */
    int first, end;          /* first total, and the one behind the last */
    int *at;                 /* of each stage: the last point before it; -1: none; extent n */
    bool fates;              /* its last columns are `early' and `stay' */
    bool *once;              /* if fates: nodes that never come again; else NULL; extent n */
} cert_timeline;

/* A point, and its interval: the stages after its own up to `end`, the stage of the next point or
 * the last stage of the graph. */
typedef struct cert_point {
    int timeline, stage, end;
    int first;         /* first total */
    bool last, events; /* last: of its timeline; events: another one follows in the next stage */
} cert_point;

/* Largest weight, and largest value in a step. */
#define CERT_MAX_WEIGHT (INT64_C(1) << 30)
#define CERT_MAX_TOTAL (INT64_C(1) << 60)

/* A restriction of a total at a node, beyond its parent. */
typedef struct cert_limit {
    int total;
    cert_span span;
} cert_limit;

typedef struct cert_node {
    int parent;   /* -1: the root */
    int children; /* number of the first of two; -1: not branched */
    bool closed;  /* proven to hold no schedule that the claim denies */
    int fixings, capacity;
    cert_fixing *fixing; /* cells known beyond the parent */
    int limits;
    cert_limit *limit;
} cert_node;

/* A statement about all schedules of the present case. */
typedef struct cert_fact {
    int tensor;  /* stays in RAM, or is away at some time; -1: the cells of `cases' */
    bool second; /* it is away; one of the cells is 1 */
    bool open;   /* the first of two cases: the second one is still to come */
} cert_fact;

typedef enum cert_fate { CERT_ANY_FATE, CERT_KEPT, CERT_AWAY } cert_fate;

typedef struct cert_proof {
    cert_model *m;
    bool impossible; /* the claim: there is no schedule */
    bool used[CERT_ROW_KINDS], used_event, used_source, used_nested; /* in the steps */
    number scale;
    long grid;    /* exponent of the sums' unit, 2^-grid */
    mpz_t target; /* scaled */
    cert_cut *cut;
    int cuts, cut_capacity;
    cert_total *total; /* column m->cols + k is number k */
    int totals, total_capacity;
    cert_timeline *timeline;
    int timelines;
    cert_point *point; /* points of all timelines */
    int points;
    int priced; /* timeline on which a combination counts the overhead; -1: on the cells */
    cert_node *node;
    int nodes, node_capacity, open;
    long kept;     /* fixings of all nodes but closed ones without children */
    int loaded;    /* node of the cells in `value` */
    int8_t *value; /* cells of the loaded node; the model's own array until the root is branched;
                      extent cols */
    int *cell;     /* from then on: the cells that were not 0 */
    int cells;
    bool any_one;    /* some cell was known to be 1 at some node */
    cert_fact *fact; /* in which the present case lies, in their order */
    int facts;
    uint8_t *fate;     /* cert_fate of each tensor in the present case; extent n */
    cert_row case_row; /* -sum <= -1 over the cells of `cases', a row of the second case */
    struct {           /* before the first case */
        int8_t *value; /* cells and equalities; extents cols */
        int *same;
        bool closed;
        int cuts, totals, timelines, points;
    } before;
    /* Scratch: the columns that a combination touches and their d, extents touched_capacity; place:
     * the index of a column among them, -1: none, extent cols + totals. */
    mpz_t *d;
    int *touched, *place;
    int touched_count, touched_capacity;
    cert_row row;
    mpz_t sum, number, scratch;
} cert_proof;

/* target_joules: the claimed bound, unless `impossible`. scale > 0: model units per joule. NULL
 * with an error. */
cert_proof *cert_proof_create(const problem *p, cert_trust trust, bool impossible,
                              double target_joules, double scale, base_error *error);
void cert_proof_free(cert_proof *proof); /* NULL allowed */

/* Adds an event or source cut (moved) and returns its number. *fault: NULL if it holds, else a
 * static text. */
int cert_proof_cut(cert_proof *proof, cert_cut *cut, const char **fault);

/* Adds a total (moved), which need not have values, and returns its number. */
int cert_proof_total(cert_proof *proof, cert_total *total);
void cert_total_clear(cert_total *total);

/* Number of columns of a timeline with these stages (ascending). */
long cert_timeline_columns(const cert_proof *proof, const int *stage, int points);
/* Adds a timeline with at least one stage, ascending. once: nodes that count as never computed
 * again, all of which are kept, extent count; NULL: no columns `early' and `stay'. Returns NULL or
 * a fault. */
const char *cert_proof_timeline(cert_proof *proof, const int *stage, int points, const int *once,
                                int count);
/* Sets where the next combinations count the overhead: the timeline of that point; -1: the cells.
 */
void cert_proof_price(cert_proof *proof, int point);

/* The steps. Each returns NULL or a fault. On a closed node a step does nothing. */

/* Fixes cells and restricts totals of the node by reduced costs; where the overhead is counted on a
 * timeline, only columns of timelines. Closes the node if the sum proves that. */
const char *cert_proof_reduce(cert_proof *proof, int node, const cert_multiplier *y, int count);
/* The same for cells and columns of timelines, at node 0 before it is branched, with the overhead
 * on a timeline. */
const char *cert_proof_eliminate(cert_proof *proof, const cert_multiplier *y, int count);
/* Restricts a column to the other side: above `value`, or up to it, the multipliers close the node.
 * The column is a cell (value 0) or a total, number m->cols and up. */
const char *cert_proof_probe(cert_proof *proof, int node, int col, bool above, int64_t value,
                             const cert_multiplier *y, int count);
/* Propagates a row at the node. A cut: kind CERT_ROW_KINDS, i its number. NULL: the overhead
 * against the target. */
const char *cert_proof_propagate(cert_proof *proof, int node, const cert_key *key);
/* Branches the node on such a column: at most `value`, and above. *first: number of the first
 * child; the next one has the other side. */
const char *cert_proof_branch(cert_proof *proof, int node, int col, int64_t value, int *first);
/* Closes the node by the multipliers. */
const char *cert_proof_leaf(cert_proof *proof, int node, const cert_multiplier *y, int count);
/* Closes a node of fixed cells whose schedule breaks a rule, with early releases granted to
 * canonical ones, or is not better than the target. */
const char *cert_proof_leaf_schedule(cert_proof *proof, int node);

/* Cases. Each begins with the state before all cases and with its facts; cuts and columns of the
 * case before are gone. */

/* Begins the first of two cases, in which all these cells (extent count) are 0; before all others,
 * and before node 0 is branched. */
const char *cert_proof_first_case(cert_proof *proof, const int *col, int count);
/* Begins the first of two cases, in which the tensor stays in RAM: it is neither computed again nor
 * paged in. In the second one it is away. Before node 0 is branched. */
const char *cert_proof_keep(cert_proof *proof, int tensor);
/* Adds the fact that follows by a pair of nested tensors (certificate/nested.c): with the outer one
 * the inner one stays, with the inner one the outer one is away. */
const char *cert_proof_nested(cert_proof *proof, int outer, int inner);
/* Begins the second of the two cases that began last, after the first is closed. Of cells the row
 * CERT_ROW_CASE holds. */
const char *cert_proof_next_case(cert_proof *proof);
/* The last case of two of which the second is still to come; -1: none. */
int cert_proof_open_case(const cert_proof *proof);
/* True if the second case of cells has begun. */
bool cert_proof_has_case_row(const cert_proof *proof);

/* sum = scale times the overhead of s in units of 2^-grid, exactly. */
void cert_proof_overhead(cert_proof *proof, const schedule *s, mpz_t sum);

#endif
