/* certificate/row: the rows of the model, by name. */
#ifndef CERTIFICATE_ROW_H
#define CERTIFICATE_ROW_H

#include "certificate/model.h"

/* present(t,i) is S[t][i] + R[t][i], less TWICE[t,i] where a proof rests on the rules alone. */
typedef enum cert_row_kind {
    CERT_ROW_INPUT,     /* t i k: R[t][k] + releases of i before k <= present(t,i), i an input of k
                         */
    CERT_ROW_SOURCE_C,  /* t i: C[t+1][i] <= C[t][i] + R[t][i] */
    CERT_ROW_SOURCE_P,  /* t i: P[t+1][i] <= P[t][i] + In[t][i] */
    CERT_ROW_STORED_P,  /* t i: P[t][i] <= page-outs of i before t */
    CERT_ROW_STORED_IN, /* t i: In[t][i] <= P[t+1][i]; rules: <= page-outs of i before t */
    CERT_ROW_OUT_FROM,  /* t i: Out[t][i] <= C[t][i]; rules: <= S[t][i] */
    CERT_ROW_OUT_FIRST, /* t i, t > i+1: Out[t][i] <= R[t-1][i] */
    CERT_ROW_OUT_ONCE,  /* i: C[i+1][i] + page-outs of i after i+1 <= 1 */
    CERT_ROW_ONE,       /* t i: R + In + S <= 1; rules: present(t,i) <= 1 */
    CERT_ROW_TWICE,     /* t i: TWICE[t,i] <= S[t][i] */
    CERT_ROW_USED_R,    /* t i: R[t][i] <= readers of i computed in t + S[t+1][i] */
    CERT_ROW_USED_S,    /* t i: S[t][i] <= readers of i computed in t + S[t+1][i] + Out[t][i] */
    CERT_ROW_USED_IN,   /* t i: In[t][i] <= readers of i computed in t+1 */
    CERT_ROW_FREE_USE,  /* t i k: FREE[t,(i,k)] <= R[t][k]; k = -1: EARLY[t,i] <= Out[t][i] */
    CERT_ROW_FREE_KEEP, /* t i: releases of i + S[t+1][i] <= present(t,i) + In */
    CERT_ROW_FREE_ONCE, /* t i: releases of i <= present(t,i) */
    CERT_ROW_FREE_OR,   /* t i: releases of i + S[t+1][i] <= 1 */
    CERT_ROW_LATE,      /* t i: R[t][i] <= readers computed in t + Out[t+1][i] + inputs that die, or
                           may be released in t+1 before i is computed there */
    CERT_ROW_LOAD,      /* t: LOAD[t] = bytes of S[t] */
    CERT_ROW_MEMORY,    /* t k: LOAD[t] + bytes computed by k - bytes released before k <= budget */
    CERT_ROW_DEADLINE,  /* seconds added <= slack */
    /* i: recomputations of i <= what the limit on computations leaves */
    CERT_ROW_COMPUTATIONS,
    /* of the proof, not the model: */
    /* Of point t of a timeline (certificate/timeline.h): */
    CERT_ROW_POINT_KEPT,   /* t i: kept <= live */
    CERT_ROW_POINT_LEFT,   /* t i: kept <= live at the next point */
    CERT_ROW_POINT_LIVE,   /* t i: live at the next point <= kept + compute + pagein */
    CERT_ROW_POINT_INPUT,  /* t i k: k is computed <= live + compute + pagein, i an input of k */
    CERT_ROW_POINT_STORED, /* t i: pagein <= out */
    CERT_ROW_POINT_USED,   /* t i: pagein <= compute of the users of i */
    CERT_ROW_POINT_LOAD,   /* t: bytes of kept <= load */
    CERT_ROW_POINT_MEMORY, /* t: bytes of live, and of the point's node <= budget */
    CERT_ROW_POINT_ROOM, /* t k: load + bytes of k and of its inputs, if it is computed <= budget */
    CERT_ROW_POINT_DEADLINE,     /* t: seconds of its timeline <= slack */
    CERT_ROW_POINT_COMPUTATIONS, /* t i: compute of its timeline <= what the limit leaves */
    /* ... where its interval is one stage: */
    CERT_ROW_POINT_AGAIN, /* t i k: compute of k <= needed of (i,k) */
    CERT_ROW_POINT_LATER, /* t i k: what is needed behind k <= needed of (i,k) */
    CERT_ROW_POINT_FROM,  /* t i: what is needed at all <= from + compute */
    CERT_ROW_POINT_STAYS, /* t i: kept <= from */
    CERT_ROW_POINT_THERE, /* t k: there of the event before + what changes <= there of k */
    CERT_ROW_POINT_EVENT, /* t k: there, and bytes of k if it is computed <= budget */
    CERT_ROW_TOTAL,       /* i: the sum of total number i = the total */
    CERT_ROW_CASE,        /* a cell that the first case took for 0 is 1 */
    CERT_ROW_KINDS
} cert_row_kind;

/* Word and arguments (of t, i, k in this order) of each kind. */
typedef struct cert_row_name {
    const char *word;
    bool t, i, k;
    bool canonical; /* not to be had by the rules alone */
} cert_row_name;

extern const cert_row_name cert_row_names[CERT_ROW_KINDS];

/* The kind of that word; CERT_ROW_KINDS: there is none. */
cert_row_kind cert_row_named(const char *word);

/* True if rows of that kind are equalities, whose multipliers have any sign. */
bool cert_row_is_equality(cert_row_kind kind);

/* True if rows of that kind are about a point of a timeline, their t. */
bool cert_row_is_of_point(cert_row_kind kind);

/* True if rows of that kind, in a model with canonical rows, hold for canonical schedules only. */
bool cert_row_assumes(cert_row_kind kind);

typedef struct cert_key {
    cert_row_kind kind;
    int t, i, k; /* -1: none */
} cert_key;

/* sum coef x <= rhs over columns, or = rhs. Coefficients are exact. */
typedef struct cert_row {
    int count, capacity;
    int *col;
    double *coef;
    double rhs;
    bool equality;
} cert_row;

void cert_row_clear(cert_row *row);
void cert_row_reset(cert_row *row); /* no terms, rhs 0, not an equality */
/* A term; nothing where col is -1. */
void cert_row_add(cert_row *row, int col, double coef);
/* coef times "i is computed in stage t", a constant for i = t. */
void cert_row_add_computed(cert_row *row, const cert_model *m, int t, int i, double coef);
/* coef times C[t][i] + P[t][i]. */
void cert_row_add_resident(cert_row *row, const cert_model *m, int t, int i, double coef);
/* coef times present(t,i). */
void cert_row_add_present(cert_row *row, const cert_model *m, int t, int i, double coef);
/* coef times the releases of i in stage t by readers below k. */
void cert_row_add_released(cert_row *row, const cert_model *m, int t, int i, int below,
                           double coef);

/* The row of that name, into row, which is reset. plain: a memory row with the load written out
 * over the cells, and a load row as bytes of S[t] <= budget. False when there is no such row: t, i
 * or k out of range, no edge (i,k), or a row that the model's trust does not extend to. */
bool cert_row_make(const cert_model *m, cert_key key, bool plain, cert_row *row);

#endif
