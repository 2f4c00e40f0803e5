/* Inside the exchange checks: a tensor in two stages, as states on which every change can be tried.
 */
#ifndef CERTIFICATE_EXCHANGE_INTERNAL_H
#define CERTIFICATE_EXCHANGE_INTERNAL_H

#include "certificate/exchange.h"

enum { NOBODY = -1, STAGES = 2 };

/* A tensor j in stages t and t+1. */
typedef struct state {
    bool s[STAGES + 1], r[STAGES], in[STAGES], out[STAGES];
    bool stored;      /* paged out before t */
    int last[STAGES]; /* last user that is computed in the stage, or NOBODY */
} state;

/* The properties of tensor and stages that states depend on, as integers that are compared. A node
 * has a place: 0 for the tensor, APART r for its r-th user; the places between are other nodes. */
enum { APART = 4 };
typedef struct frame {
    int users;                         /* users up to node t+1 */
    int stage[STAGES];                 /* place of its node */
    int own[STAGES];                   /* 1: the tensor's own stage */
    int next[STAGES];                  /* 1: the stage after its own */
    int exists[STAGES], final[STAGES]; /* 1: the stage exists; it is the last one */
    int has_user[STAGES];              /* 1: it is the own stage of a user */
    int charged;                       /* 1: a page-in counts in its stage */
} frame;

/* The claims, in an order in which each may use those before it. Of tensor i in stage t: */
typedef enum claim {
    WEIGHTLESS, /* a tensor without bytes: neither computed again nor paged */
    USED_R,     /* computed again only for a use */
    R_TWICE,    /* not computed again while it is in RAM */
    IN_TWICE,   /* not paged in while it is in RAM or computed */
    IN_KEPT,    /* not paged in to be dropped at once */
    OUT_NEW,    /* not paged out while it is on storage */
    OUT_READ,   /* not paged out without a later page-in */
    USED_S,     /* kept only for a use */
    USED_IN,    /* paged in in the stage before its use */
    OUT_FIRST,  /* paged out at the first chance */
    OUT_ONCE,
    LATE, /* not computed again to be kept where computing it in the next stage would do */
    CLAIMS
} claim;

/* True if no user is computed in stage t + b and the tensor is not kept after it. */
bool exchange_idle(const state *x, int b);

/* Copies of the tensor that count at the event of the node at place k of stage t + b. An idle copy
 * counts 0, unless it is paged out in the first stage that allows it. */
int exchange_copies(const frame *f, const state *x, int b, int k);

/* True if the state has the fault of the claim in stage b. OUT_READ, OUT_ONCE and LATE: false, as
 * these take more than a state. */
bool exchange_fault(const frame *f, const state *x, claim c, int b);

/* True if the state obeys the rules of schedules that concern one tensor. */
bool exchange_obeys(const frame *f, const state *x);

/* True if good(x) for each state that obeys the rules and has no fault of the claims before
 * `shown`; adds the number of states to *cases. */
typedef bool (*exchange_judge)(const frame *f, const state *x, const void *data);
bool exchange_all_states(const frame *f, claim shown, exchange_judge good, const void *data,
                         long *cases);

/* Judges (data: NULL). True for a tensor without bytes if the state stays valid when the tensor is
 * kept up to its last use in place of all its actions. */
bool exchange_weightless(const frame *f, const state *x, const void *data);
/* True if a state without faults satisfies, for each possible origin of its copies, the rows of one
 * tensor on releases and origins, the rules of certificate/settle, and the assumptions of event and
 * source cuts. */
bool exchange_follows(const frame *f, const state *x, const void *data);

#endif
