/* certificate/record: the recorder, a listener of a run that keeps its proof as steps of a
 * certificate. */
#ifndef CERTIFICATE_RECORD_H
#define CERTIFICATE_RECORD_H

#include "base/buffer.h"
#include "certificate/round.h"
#include "exact/proof.h"
#include <pthread.h>

typedef struct record_term {
    int cut; /* index of a record_cut; -1: the row `key` */
    cert_key key;
    double y;
    double slack; /* of a rounding: coefficient of the row's slack in the cut */
} record_term;

typedef struct record_round_term {
    formulation_key column;
    int last; /* last stage of the term, which begins at column.t */
    double coef;
    cert_side side;
    int64_t from; /* of a total: the value from which it is counted */
} record_round_term;

/* A cert_round with names in place of numbers. */
typedef struct record_round {
    double divisor, rhs;
    int rows, terms;
    record_term *row;
    record_round_term *term;
} record_round;

/* A combination of rows. points > 0: on a timeline of its own, whose rows count points from 0. */
typedef struct record_terms {
    record_term *term;
    int terms;
    int points, *point;
    int totals; /* number of the timeline's columns */
} record_terms;

/* A cut of the engine. */
typedef struct record_cut {
    char *statement;   /* the line of an event or source cut; NULL: a rounded cut */
    record_round *how; /* of a rounded cut */
    double scale;      /* the engine's row is this times the cut */
    int number;        /* number in the certificate; -1: not written yet */
} record_cut;

typedef struct recorder {
    text_buffer steps, part; /* steps that stay; cases and a tree that may be taken back */
    text_buffer *out;        /* the one of both that is written to */
    pthread_mutex_t lock;    /* serialises the events of a tree's threads */
    exact_proof hooks;       /* listener for exact_params; user is the recorder */
    bnb_proof tree_hooks;
    const char *fault; /* reason why there is no certificate; NULL: none so far */
    record_cut *cut;
    int cuts, cut_capacity, written;
    record_term *term;
    int terms, term_capacity;
    record_terms *wait; /* eliminations to write after the tree; extent waiting */
    int waiting;
    double best;       /* best bound over all cells so far, model units */
    record_terms kept; /* terms of the best bound that eliminated nothing; term NULL: none */
    double kept_bound;
    /* formulation of the tree (NULL: none), and the cuts among its model's rows */
    const formulation *f;
    int *row_cut, row_cuts;
    int *total, totals; /* number in the certificate of each total of the graph; -1: not written */
    int written_totals, mark_totals;
    int *cut_of_id; /* record_cut by the tree's number of the cut; -1: none */
    long ids;
    int *node_of_id; /* node in the certificate by the tree's number; -1: none */
    long node_ids;
    int nodes;
    /* cases */
    bool in_case;            /* the tree belongs to the first case */
    bool outside;            /* the first case is proven: the row of the second holds */
    double tree_bound;       /* least bound of the trees kept; INFINITY: none */
    bool closed;             /* a kept tree leaves nothing open: the proof is complete */
    int mark_written;        /* cuts in `steps` when `part` began; -1: no part */
    int last_node, last_row; /* of the last step, if it is a propagation; else -1 */
    /* timelines */
    int written_points, mark_points; /* number of points in `out` */
    int at; /* first point of the timeline that the next combination is about; -1: the cells */
    record_terms *bounds; /* bounds of cells; written once they eliminate some */
    int bounds_count;
    text_buffer whole;  /* steps of one timeline's tree, which prove whole_bound without others */
    double whole_bound; /* best bound of such a tree; -INFINITY: none */
    bool is_whole;      /* `steps` are the steps of `whole` */
    const coarse *c;    /* the timeline, if this recorder is for the tree of one; else NULL */
    const lp_model *model; /* of the tree, without its cuts */
    /* Cases of tensors that are ever away (record_case.c): */
    struct recorder *cases; /* the case that assumes nothing; NULL: none */
    /* Of the recorder of a case, and of a timeline in it: */
    const problem *problem;    /* without the case's pins; NULL: another recorder */
    uint8_t *fate;             /* of the case that assumes nothing: coarse_fate, extent n */
    int tensor;                /* on which the case is split */
    struct recorder *child[2]; /* the tensor is kept, or away; NULL: the case is not split */
} recorder;

/* Prepares the recorder, which must not move while its listener is in use. */
void recorder_init(recorder *r);
/* Ends the recording of a run that has proven the bound (model units; INFINITY: no schedule
 * exists). If one timeline's tree proves the bound, its steps replace all others (is_whole). Else
 * the terms of the best bound are written, if they eliminated no cell and so are not written yet.
 */
void recorder_finish(recorder *r, double bound);
void recorder_clear(recorder *r);

#endif
