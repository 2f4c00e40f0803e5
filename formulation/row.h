/* Shared by the files that state rows, formulation/row*.c; not for others.
 *
 * A family of rows is a function row_make_NAME in a file of its own (families that make one
 * argument share one), and a line of formulation/row_table.h. The function adds terms to the open
 * row and closes it, as often as its scope has rows. */
#ifndef FORMULATION_ROW_H
#define FORMULATION_ROW_H

#include "formulation/internal.h"

/* Scope: the values (b, t, i) for which a statement is called. */
typedef enum row_scope {
    ROW_SCOPE_COMPUTED,    /* every node i <= t that may be computed in stage t */
    ROW_SCOPE_CELL,        /* every tensor i <= t of every stage t */
    ROW_SCOPE_STAGE,       /* every stage t; i = -1 */
    ROW_SCOPE_TENSOR,      /* every tensor i, after all stages; t = -1 */
    ROW_SCOPE_MODEL,       /* once, after all tensors; t = i = -1 */
    ROW_SCOPE_WITH_OTHERS, /* for nothing: the statement of another kind states it too */
    ROW_SCOPES
} row_scope;

/* Collects rows; each is sum of terms <= upper, constants moved to the right. */
typedef struct row_builder {
    formulation *f;
    lp_row_list rows;
    formulation_key *key; /* of the rows */
    int key_capacity;
    int *place;      /* entry of a column in the open row, -1; extent cols */
    double constant; /* of the open row's left side */
} row_builder;

#define ROW_PROTOTYPE(kind, name, scope, features, pays, statement, description)                   \
    void row_make_##statement(row_builder *b, int t, int i);
FORMULATION_ROW_TABLE(ROW_PROTOTYPE)
#undef ROW_PROTOTYPE

/* ---- terms of the open row ------------------------------------------------------- */

/* coef times a column; nothing where col is -1. */
void row_add(row_builder *b, int col, double coef);
/* coef times S[t][i] = C[t][i] + P[t][i]; nothing past the last stage. */
void row_add_s(row_builder *b, int t, int i, double coef);
/* coef times R[t][i], a constant 1 on the diagonal. */
void row_add_r(row_builder *b, int t, int i, double coef);
/* coef times "i is in RAM in stage t": S + R, less D where both are 1. */
void row_add_present(row_builder *b, int t, int i, double coef);
/* coef times the number of users of i computed in stage t. */
void row_add_users(row_builder *b, int t, int i, double coef);
/* coef times the page-outs of i before stage t: 1 if i is on storage then. */
void row_add_stored(row_builder *b, int t, int i, double coef);
/* coef times the releases of i in stage t: the early release, and the releases after users k <
 * below. */
void row_add_releases(row_builder *b, int t, int i, int below, double coef);

/* Ends the open row, lower <= terms <= upper, under its key. Terms that cancelled are dropped; so
 * is a row without terms that holds (one that does not makes the model infeasible, as it should).
 */
void row_close(row_builder *b, double lower, double upper, formulation_key key);
/* Ends it as terms <= upper. k: -1 where the row is about no node. */
void row_at_most(row_builder *b, double upper, row_kind kind, int t, int i, int k);

/* True if i has a release column in stage t, early or after a user k < below. */
bool row_has_release(const formulation *f, int t, int i, int below);

#endif
