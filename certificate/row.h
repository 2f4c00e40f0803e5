/* certificate/row: the rows of the model, by name. */
#ifndef CERTIFICATE_ROW_H
#define CERTIFICATE_ROW_H

#include "certificate/model.h"

/* The rows: kind, word, which of t, i and k are arguments of the name, in this order, and whether
 * the row holds by exchanges only. present(t,i) is S[t][i] + R[t][i], less TWICE[t,i] where a proof
 * rests on the rules alone; "rules:" is the row of such a proof. */
/* clang-format off */
#define CERT_ROWS(X) \
    /* R[t][k] + releases of i before k <= present(t,i), for an edge (i,k) */ \
    X(INPUT, input, 1, 1, 1, 0) \
    X(SOURCE_C, source_c, 1, 1, 0, 0) /* C[t+1][i] <= C[t][i] + R[t][i] */ \
    X(SOURCE_P, source_p, 1, 1, 0, 0) /* P[t+1][i] <= P[t][i] + In[t][i] */ \
    X(STORED_P, stored_p, 1, 1, 0, 0) /* P[t][i] <= page-outs of i before t */ \
    /* In[t][i] <= P[t+1][i]; rules: <= page-outs of i before t */ \
    X(STORED_IN, stored_in, 1, 1, 0, 0) \
    X(OUT_FROM, out_from, 1, 1, 0, 0) /* Out[t][i] <= C[t][i]; rules: <= S[t][i] */ \
    X(OUT_FIRST, out_first, 1, 1, 0, 1) /* t > i+1: Out[t][i] <= R[t-1][i] */ \
    X(OUT_ONCE, out_once, 0, 1, 0, 1) /* C[i+1][i] + page-outs of i after i+1 <= 1 */ \
    X(ONE, one, 1, 1, 0, 0) /* R + In + S <= 1; rules: present(t,i) <= 1 */ \
    X(TWICE, twice, 1, 1, 0, 0) /* TWICE[t,i] <= S[t][i] */ \
    X(USED_R, used_r, 1, 1, 0, 1) /* R[t][i] <= users of i computed in t + S[t+1][i] */ \
    /* S[t][i] <= users of i computed in t + S[t+1][i] + Out[t][i] */ \
    X(USED_S, used_s, 1, 1, 0, 1) \
    X(USED_IN, used_in, 1, 1, 0, 1) /* In[t][i] <= users of i computed in t+1 */ \
    /* FREE[t,(i,k)] <= R[t][k]; k = -1: EARLY[t,i] <= Out[t][i] */ \
    X(FREE_USE, free_use, 1, 1, 1, 0) \
    X(FREE_KEEP, free_keep, 1, 1, 0, 0) /* releases of i + S[t+1][i] <= present(t,i) + In */ \
    X(FREE_ONCE, free_once, 1, 1, 0, 0) /* releases of i <= present(t,i) */ \
    X(FREE_OR, free_or, 1, 1, 0, 0) /* releases of i + S[t+1][i] <= 1 */ \
    /* R[t][i] <= users computed in t + Out[t+1][i] + inputs released in t, or in t+1 before i */ \
    X(LATE, late, 1, 1, 0, 1) \
    X(LOAD, load, 1, 0, 0, 0) /* LOAD[t] = bytes of S[t] */ \
    /* LOAD[t] + bytes computed by k - bytes released before k <= budget */ \
    X(MEMORY, memory, 1, 0, 1, 0) \
    X(DEADLINE, deadline, 0, 0, 0, 0) /* seconds added <= slack */ \
    /* recomputations of i <= limit on computations - 1 */ \
    X(COMPUTATIONS, computations, 0, 1, 0, 0) \
    /* of point t of a timeline (certificate/timeline.h): */ \
    X(POINT_KEPT, point_kept, 1, 1, 0, 1) /* kept <= live */ \
    X(POINT_LEFT, point_left, 1, 1, 0, 1) /* kept <= live at the next point */ \
    /* live at the next point <= kept + compute + pagein */ \
    X(POINT_LIVE, point_live, 1, 1, 0, 1) \
    /* "k is computed" <= live + compute + pagein, for an edge (i,k) */ \
    X(POINT_INPUT, point_input, 1, 1, 1, 1) \
    X(POINT_STORED, point_stored, 1, 1, 0, 1) /* pagein <= out */ \
    X(POINT_USED, point_used, 1, 1, 0, 1) /* pagein <= compute of the users of i */ \
    /* kept, computed by the next use, or out */ \
    X(POINT_BACK, point_back, 1, 1, 0, 1) \
    X(POINT_LOAD, point_load, 1, 0, 0, 1) /* bytes of kept <= load */ \
    /* bytes of live and of the point's node <= budget */ \
    X(POINT_MEMORY, point_memory, 1, 0, 0, 1) \
    /* load + bytes of k and its inputs where k is computed <= budget */ \
    X(POINT_ROOM, point_room, 1, 0, 1, 1) \
    X(POINT_DEADLINE, point_deadline, 1, 0, 0, 1) /* seconds of the timeline <= slack */ \
    /* compute of the timeline <= limit - 1 */ \
    X(POINT_COMPUTATIONS, point_computations, 1, 1, 0, 1) \
    /* of a point whose interval is one stage: */ \
    X(POINT_AGAIN, point_again, 1, 1, 1, 1) /* compute of k <= needed of (i,k) */ \
    /* needed of the next user of i <= needed of (i,k) */ \
    X(POINT_LATER, point_later, 1, 1, 1, 1) \
    /* needed of the first user of i <= from + compute */ \
    X(POINT_FROM, point_from, 1, 1, 0, 1) \
    X(POINT_STAYS, point_stays, 1, 1, 0, 1) /* kept <= from */ \
    /* there of the event before + changes since <= there of k */ \
    X(POINT_THERE, point_there, 1, 0, 1, 1) \
    /* there of k + bytes of k where it is computed <= budget */ \
    X(POINT_EVENT, point_event, 1, 0, 1, 1) \
    /* i stays, comes again in an interval, or is away where it is first computed only */ \
    X(POINT_AWAY, point_away, 1, 1, 0, 1) \
    /* of the proof: */ \
    X(TOTAL, total, 0, 1, 0, 0) /* sum of the cells of total number i = the total */ \
    X(CASE, case, 0, 0, 0, 0) /* some cell that is 0 in the first case is 1 */
/* clang-format on */

#define CERT_ROW_ENUM(kind, word, t, i, k, canonical) CERT_ROW_##kind,
typedef enum cert_row_kind { CERT_ROWS(CERT_ROW_ENUM) CERT_ROW_KINDS } cert_row_kind;

/* Word of each kind, and its arguments among t, i, k. */
typedef struct cert_row_name {
    const char *word;
    bool t, i, k;
    bool canonical; /* has no row by the rules alone */
} cert_row_name;

extern const cert_row_name cert_row_names[CERT_ROW_KINDS];

/* Kind of the word; CERT_ROW_KINDS: none. */
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
void cert_row_reset(cert_row *row); /* makes the row empty: rhs 0, no equality */
/* Adds a term; nothing if col is -1. */
void cert_row_add(cert_row *row, int col, double coef);
/* Adds the terms and the right side of another row. */
void cert_row_append(cert_row *row, const cert_row *from);
/* Adds coef times "i is computed in stage t", a constant for i = t. */
void cert_row_add_computed(cert_row *row, const cert_model *m, int t, int i, double coef);
/* Adds coef times C[t][i] + P[t][i]. */
void cert_row_add_resident(cert_row *row, const cert_model *m, int t, int i, double coef);
/* Adds coef times the releases of i in stage t by users below k. */
void cert_row_add_released(cert_row *row, const cert_model *m, int t, int i, int below,
                           double coef);

/* Writes the named row. plain: a memory row with the load as cells, a load row as bytes of S[t] <=
 * budget. False: no such row, as t, i or k is out of range, (i,k) is no edge, or the model's trust
 * does not allow it. */
bool cert_row_make(const cert_model *m, cert_key key, bool plain, cert_row *row);

#endif
