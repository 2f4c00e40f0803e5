/* What the files of certificate/exchange share: all that a change can do to a tensor, as states in
 * two stages. */
#ifndef CERTIFICATE_EXCHANGE_INTERNAL_H
#define CERTIFICATE_EXCHANGE_INTERNAL_H

#include "certificate/exchange.h"

enum { NOBODY = -1, STAGES = 2 };

/* A tensor j in stages t and t+1. */
typedef struct state {
    bool s[STAGES + 1], r[STAGES], in[STAGES], out[STAGES];
    bool stored;      /* paged out before t */
    int last[STAGES]; /* the last user that is computed in the stage */
} state;

/* What the states of a tensor in stages t and t+1 depend on, all of it integers to be compared.
 * Nodes are given by their places: the tensor's is 0, its r-th user's APART r, from 1 on, and what
 * lies between is in between. */
enum { APART = 4 };
typedef struct frame {
    int users;                         /* up to t+1 */
    int stage[STAGES];                 /* the place of its node */
    int own[STAGES];                   /* the tensor's own stage, */
    int next[STAGES];                  /* ... and the one after that */
    int exists[STAGES], final[STAGES]; /* there is such a stage; it is the last one */
    int has_user[STAGES];              /* a user has it for its own */
    int charged;                       /* a page-in counts in its stage */
} frame;

/* What is shown, in an order in which each may use those before it. Of tensor i in stage t: */
typedef enum claim {
    WEIGHTLESS, /* neither computed again nor paged where it takes no memory */
    USED_R,     /* not computed again without use */
    R_TWICE,    /* nor where it is in RAM */
    IN_TWICE,   /* not paged in where it is in RAM or computed */
    IN_KEPT,    /* nor to be dropped at once */
    OUT_NEW,    /* not paged out where it is on storage */
    OUT_READ,   /* nor if it is never paged in after that */
    USED_S,     /* not kept without use */
    USED_IN,    /* not paged in a stage before its use */
    OUT_FIRST,  /* not paged out later than it might be */
    OUT_ONCE,
    LATE, /* not computed again to be kept where the next stage would do */
    CLAIMS
} claim;

/* No user is computed in the first stage (b = 0) or the second, and the tensor is not kept. */
bool exchange_idle(const state *x, int b);

/* Copies of the tensor that count at the event at place k of stage t + b. One that is idle counts
 * nothing, unless it is paged out in the first stage in which it may be. */
int exchange_copies(const frame *f, const state *x, int b, int k);

/* The rules, as far as they concern the tensor. */
bool exchange_obeys(const frame *f, const state *x);

/* True if good(x) for each state that obeys the rules and has none of the faults of the claims
 * before shown; counts them. */
typedef bool (*exchange_judge)(const frame *f, const state *x, const void *data);
bool exchange_all_states(const frame *f, claim shown, exchange_judge good, const void *data,
                         long *cases);

/* Judges (data: NULL). Of a tensor that takes no memory: kept to its last use instead of every
 * action, it obeys the rules. */
bool exchange_weightless(const frame *f, const state *x, const void *data);
/* Of a state without faults, its copies being of the origin that they have: what the rows of one
 * tensor say of releases and origins, what settles cells, and what event and source cuts assume. */
bool exchange_follows(const frame *f, const state *x, const void *data);

#endif
