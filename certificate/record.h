/* certificate/record: writes what a run of the engine tells as the steps of a certificate. */
#ifndef CERTIFICATE_RECORD_H
#define CERTIFICATE_RECORD_H

#include "certificate/round.h"
#include "certificate/text.h"
#include "exact/proof.h"
#include <pthread.h>

typedef struct record_term {
    int cut; /* index of a record_cut; -1: the row `key` */
    cert_key key;
    double y;
    double slack; /* of a rounding: the coefficient of the row's slack in the cut */
} record_term;

typedef struct record_round_term {
    formulation_key column;
    int last; /* stage, from column.t on */
    double coef;
    cert_side side;
    int64_t from; /* of a total */
} record_round_term;

/* A cert_round in names. */
typedef struct record_round {
    double divisor, rhs;
    int rows, terms;
    record_term *row;
    record_round_term *term;
} record_round;

/* A combination of rows; of a timeline, if it has points: its rows' points are numbered from 0. */
typedef struct record_terms {
    record_term *term;
    int terms;
    int points, *point;
    int totals; /* columns of the timeline */
} record_terms;

/* A cut that the engine made. */
typedef struct record_cut {
    cert_cut cut;
    record_round *how; /* of a rounded cut, which has nothing else */
    double scale;      /* the engine's row is this times the cut */
    int number;        /* among the cuts of the certificate; -1: not written yet */
} record_cut;

typedef struct recorder {
    cert_text steps, part; /* what stays; cases and a tree that may be taken back */
    cert_text *out;        /* one of them: where steps are written */
    pthread_mutex_t lock;  /* what threads of the tree tell comes one by one */
    exact_proof hooks;     /* for exact_params; user is the recorder */
    bnb_proof tree_hooks;
    const char *fault; /* what the certificate cannot say, NULL: nothing so far */
    record_cut *cut;
    int cuts, cut_capacity, written;
    record_term *term;
    int terms, term_capacity;
    record_terms *wait; /* eliminations to be written after the tree; extent waiting */
    int waiting;
    double best;       /* bound of all cells that was told so far, in the model's unit */
    record_terms kept; /* of the best one that eliminated nothing; term NULL: there is none */
    double kept_bound;
    /* the tree: its formulation (NULL: there is none), and the cuts that are rows of its model */
    const formulation *f;
    int *row_cut, row_cuts;
    int *total, totals; /* number in the certificate of each total of the graph; -1: not written */
    int written_totals, mark_totals;
    int *cut_of_id; /* record_cut by the tree's number; -1: none */
    long ids;
    int *node_of_id; /* node of the certificate by the tree's number; -1: none */
    long node_ids;
    int nodes;
    /* cases */
    bool in_case;      /* the tree is the first one's */
    bool outside;      /* the first one is kept: the row of the second holds */
    double tree_bound; /* least bound of the trees that are kept; INFINITY: there is none */
    bool closed;       /* a tree is kept that leaves nothing open, and so the proof is complete */
    int mark_written;  /* cuts in `steps` when `part` began; -1: there is none */
    int last_node, last_row; /* of the propagation just written; -1: something else came since */
    /* timelines */
    int written_points, mark_points; /* points of timelines in `out` */
    int at;                          /* the next combination counts on it; -1: on the cells */
    record_terms *bounds;            /* of cells; written when they eliminate some */
    int bounds_count;
    cert_text whole; /* steps of a timeline's tree that prove whole_bound by themselves */
    double whole_bound;
    bool is_whole; /* they are what is in `steps` */
    /* The recorder of such a tree: */
    const coarse *c; /* NULL: it is none */
} recorder;

/* r must stay in place while its hooks are in use. */
void recorder_init(recorder *r);
/* The run has ended and proven that bound (in the model's unit; INFINITY: that there is no
 * schedule): what proves it though it eliminated nothing is written, or a tree over a timeline that
 * proves it takes the place of all steps: is_whole. */
void recorder_finish(recorder *r, double bound);
void recorder_clear(recorder *r);

#endif
