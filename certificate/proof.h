/* certificate/proof: the state of a proof while its steps are checked one by one.
 *
 * The claim: no schedule has an overhead below the target (or none exists at all). The proof is a
 * tree. Node 0 stands for all schedules that the claim denies; every node knows cells that are 0 or
 * 1 in all of its schedules. Multipliers y >= 0 (of any sign on equalities) on rows sum y (a x - b)
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
    number slack; /* of a rounded cut: the coefficient in it of the row's slack */
} cert_multiplier;

/* Multipliers are multiples of 2^-CERT_MULTIPLIER_GRID. */
enum { CERT_MULTIPLIER_GRID = 200 };

typedef struct cert_fixing {
    int col;
    int value;
} cert_fixing;

/* Integers from low to high; none if high is less. */
typedef struct cert_span {
    int64_t low, high;
} cert_span;

/* What a column of a timeline says (certificate/timeline.h). */
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
    CERT_COARSE_THERE
} cert_coarse;

/* A sum of weights times cells of one kind, over all stages: an integer in every schedule, and a
 * column of its own. */
typedef struct cert_total {
    cert_kind kind;
    int count;
    int *tensor;     /* ascending; extent count */
    int64_t *weight; /* 1 to CERT_MAX_WEIGHT; extent count */
    /* its values at the loaded node, at node 0, and there before the first case */
    cert_span now, root, before;
    /* No sum, but a column of a timeline (certificate/timeline.h), of that point: */
    bool coarse;
    cert_coarse what;
    int point, node; /* node: the edge of a CERT_COARSE_NEEDED */
} cert_total;

/* A coarse timeline: stages as points, between which nothing is said of order. */
typedef struct cert_timeline {
    int first_point, points; /* numbers among those of all timelines */
    int first, end;          /* of its totals, and behind them */
    int *at; /* by stage, the number of the last point before it; -1: none; extent n */
} cert_timeline;

/* The interval behind a point are the stages after its own, up to `end`: the stage of the next
 * point of the timeline or, where it is the last one, of the graph. */
typedef struct cert_point {
    int timeline, stage, end;
    int first;         /* of its totals */
    bool last, events; /* not the last one, and its interval is one stage */
} cert_point;

/* Largest weight, and value that a step may name. */
#define CERT_MAX_WEIGHT (INT64_C(1) << 30)
#define CERT_MAX_TOTAL (INT64_C(1) << 60)

/* What a node knows of a total, against the parent. */
typedef struct cert_limit {
    int total;
    cert_span span;
} cert_limit;

typedef struct cert_node {
    int parent;   /* -1: the root */
    int children; /* first of two, -1: not branched */
    bool closed;  /* proven: nothing of interest here */
    int fixings, capacity;
    cert_fixing *fixing; /* against the parent */
    int limits;
    cert_limit *limit;
} cert_node;

typedef struct cert_proof {
    cert_model *m;
    bool impossible;                                    /* the claim is that there is no schedule */
    bool used[CERT_ROW_KINDS], used_event, used_source; /* rows and cuts that steps named */
    number scale;
    long grid;    /* sums are in units of 2^-grid */
    mpz_t target; /* scaled */
    cert_cut *cut;
    int cuts, cut_capacity;
    cert_total *total; /* column m->cols + k is number k */
    int totals, total_capacity;
    cert_timeline *timeline;
    int timelines;
    cert_point *point; /* of all timelines */
    int points;
    int priced; /* the timeline on which a combination counts the overhead; -1: on the cells */
    cert_node *node;
    int nodes, node_capacity, open;
    long kept;     /* fixings of nodes, but of closed ones without children */
    int loaded;    /* node whose cells `value` holds */
    int8_t *value; /* the model's own until the root is branched; extent cols */
    int *cell;     /* then: the cells that were not 0 */
    int cells;
    bool any_one; /* some cell has been known to be 1 at some node */
    /* two cases: first all of some cells are 0, then one of them is 1 */
    enum { CERT_NO_CASE, CERT_FIRST_CASE, CERT_SECOND_CASE } cases;
    cert_row case_row;    /* -sum <= -1 over the cells, which holds in the second case */
    int8_t *before_value; /* the model's cells before the first case; extents cols */
    int *before_same;
    bool before_closed;
    /* scratch: the columns that a combination touches, and their d, extents touched_capacity;
     * place: where a column is among them, -1: nowhere, as between steps; extent cols + totals */
    mpz_t *d;
    int *touched, *place;
    int touched_count, touched_capacity;
    cert_row row;
    mpz_t sum, number, scratch;
} cert_proof;

/* target_joules: the claimed bound; impossible: no target. scale > 0: model units per joule. */
cert_proof *cert_proof_create(const problem *p, cert_trust trust, bool impossible,
                              double target_joules, double scale, base_error *error);
void cert_proof_free(cert_proof *proof); /* NULL allowed */

/* Takes an event or source cut (moved) and returns its number; NULL in *fault when it holds, else
 * what is wrong. */
int cert_proof_cut(cert_proof *proof, cert_cut *cut, const char **fault);

/* Takes a total, without its values, (moved) and returns its number. */
int cert_proof_total(cert_proof *proof, cert_total *total);
void cert_total_clear(cert_total *total);

/* Columns of a timeline of so many stages (ascending). */
long cert_timeline_columns(const cert_proof *proof, const int *stage, int points);
/* Takes a timeline of so many stages (at least one, ascending). NULL, or what is wrong. */
const char *cert_proof_timeline(cert_proof *proof, const int *stage, int points);
/* The next combinations count the overhead on the timeline of that point; -1: on the cells. */
void cert_proof_price(cert_proof *proof, int point);

/* The steps. Each returns NULL, or what is wrong. On a closed node every step is idle. */

/* Cells and totals of the node that the multipliers fix, or, where the overhead is counted on a
 * timeline, columns of timelines; closes it when they prove it empty. */
const char *cert_proof_reduce(cert_proof *proof, int node, const cert_multiplier *y, int count);
/* The same of cells and columns of timelines at node 0, before it is branched; the overhead is
 * counted on a timeline. */
const char *cert_proof_eliminate(cert_proof *proof, const cert_multiplier *y, int count);
/* With the cell at value the multipliers leave nothing: it is the other one. */
const char *cert_proof_probe(cert_proof *proof, int node, int col, int value,
                             const cert_multiplier *y, int count);
/* Likewise with the total above the value, or not above it: it is on the other side. */
const char *cert_proof_probe_total(cert_proof *proof, int node, int total, bool above,
                                   int64_t value, const cert_multiplier *y, int count);
/* What one row (a cut: the key's kind is CERT_ROW_KINDS and i its number; NULL: the overhead
 * against the target) makes of the cells of the node. */
const char *cert_proof_propagate(cert_proof *proof, int node, const cert_key *key);
/* Splits the node by a cell; the children, 0 and 1, get the next two numbers; *first the lower. */
const char *cert_proof_branch(cert_proof *proof, int node, int col, int *first);
/* Splits it by a total: the children have it at most at the value, and above. */
const char *cert_proof_split(cert_proof *proof, int node, int total, int64_t value, int *first);
/* The multipliers leave nothing of the node. */
const char *cert_proof_leaf(cert_proof *proof, int node, const cert_multiplier *y, int count);
/* Every cell of the node is fixed, and the schedule breaks a rule, though early releases are
 * granted to canonical ones, or is not better than the target. */
const char *cert_proof_leaf_schedule(cert_proof *proof, int node);

/* Before node 0 is branched, once: from here on all of these cells (extent count) are 0 ... */
const char *cert_proof_first_case(cert_proof *proof, const int *col, int count);
/* ... and after that case is closed, nodes start anew with what was known before it, and the row
 * that says that one of the cells is 1. */
const char *cert_proof_second_case(cert_proof *proof);

/* sum of the overhead of s in units of 2^-grid, times scale; exact. */
void cert_proof_overhead(cert_proof *proof, const schedule *s, mpz_t sum);

#endif
