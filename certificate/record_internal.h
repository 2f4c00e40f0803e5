/* Inside the recorder: shared by the files record_*.c. */
#ifndef CERTIFICATE_RECORD_INTERNAL_H
#define CERTIFICATE_RECORD_INTERNAL_H

#include "certificate/record.h"

/* Indices in place of a record_cut: the row of the second case; a cut without a name. */
enum { RECORD_CASE = -2, RECORD_UNKNOWN = -1 };

/* Ends the recording with the first reason given. */
void record_give_up(recorder *r, const char *fault);

/* Name of a row of f, or of c unless that is NULL; the kind is CERT_ROW_KINDS where certificates
 * have none. *scale: the row is this times the named one. */
cert_key record_key(const formulation *f, const coarse *c, int row, double *scale);

/* Writes the statement of a total of the graph. */
void record_write_total(recorder *r, int k);

/* Takes a cut and returns its index. */
int record_add_cut(recorder *r, const record_cut *c);
/* Index of the formulation's cut, which is added if it is new; RECORD_CASE for the row of the
 * second case. */
int record_remember(recorder *r, const event_cut *from);
/* Writes the statement of a cut unless it is written. */
void record_write_cut(recorder *r, int index);

/* Index of the record_cut of the tree's cut. */
int record_cut_of(const recorder *r, long id);
/* The term of a record_cut, or of RECORD_CASE, with multiplier y and slack; false: it has no name.
 */
bool record_name_cut(const recorder *r, int index, double y, double slack, record_term *term);

/* ---- coarse timelines (record_timeline.c) */

/* Name of a row of c; points count from 0. *scale as of record_key. */
cert_key record_coarse_key(const coarse *c, int row, double *scale);
/* Number of the column among the totals of the timeline. */
int record_coarse_total(const coarse *c, int col);
/* Writes the statement without the end of the line. */
void record_write_timeline(text_buffer *out, int points, const int *point);
/* Begins the recorder of a timeline of r, and ends it: r keeps the steps that prove most. */
exact_timeline record_begin_timeline(void *user, const coarse *c);
void record_end_timeline(void *user, exact_timeline timeline, double bound);

/* ---- cases of tensors that are ever away (record_case.c) */

const exact_proof *record_begin_fates(void *user, const problem *p, const uint8_t *fate);
void record_split_case(void *user, int i, const exact_proof *child[2]);
void record_bound_case(void *user, const coarse *c, const double *y, double bound);
/* Writes the cases of r as a proof of the bound (model units); false: they do not prove it. */
bool record_write_cases(const recorder *r, double bound, text_buffer *out);
void record_free_cases(recorder *r); /* NULL allowed */
/* Number of totals of the timeline before point j + 1; for c->points all but `early' and `stay'. */
int record_totals_before(const coarse *c, int j);

/* ---- record_terms.c */

/* Sets the terms from the multipliers y of the rows of f, or of c unless that is NULL. */
void record_add_rows(recorder *r, const formulation *f, const coarse *c, const double *y);
/* Adds the multiplier -y of a record_cut. */
void record_add_multiplier(recorder *r, int index, double y);
/* Writes the missing statements of the cuts that the terms name / the terms. */
void record_write_new_cuts(recorder *r);
void record_write_terms(recorder *r);
/* Moves the terms to the caller. */
record_terms record_take_terms(recorder *r);
void record_free_terms(record_terms *terms);

/* Number in the certificate of the total that is a column of the tree's model. */
int record_total(const recorder *r, int i);
/* Key of the column; a total is one of the tree's. *scale: the engine's column is this times it. */
formulation_key record_column(const recorder *r, int col, double *scale);

/* The value without the bits below the certificate's grid. */
double record_on_grid(double value);
/* The term of a row of the tree's model, or of one of its first cuts, with
 * multiplier y and slack; false: it has no name. */
bool record_row_term(recorder *r, int row, double y, double slack, record_term *term);
/* Writes the name of the row or cut, and the end of the line. */
void record_write_name(recorder *r, const record_term *term);

/* Listener for a tree (record_tree.c). */
bnb_proof record_tree_hooks(recorder *r);

/* Cuts by rounding (record_round.c); NULL: a row of the sum has no name. */
record_round *record_make_round(recorder *r, const bnb_cut *cut, const bnb_rounding *how);
void record_free_round(record_round *how); /* NULL allowed */

#endif
