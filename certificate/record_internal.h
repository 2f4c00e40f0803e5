/* Shared by the files that write certificates; not for others. */
#ifndef CERTIFICATE_RECORD_INTERNAL_H
#define CERTIFICATE_RECORD_INTERNAL_H

#include "certificate/record.h"

/* In place of a record_cut: the row of the second case, and what a certificate does not know. */
enum { RECORD_CASE = -2, RECORD_UNKNOWN = -1 };

/* The certificate cannot be written; the first reason stays. */
void record_give_up(recorder *r, const char *fault);

/* Name of a row of f; the kind is CERT_ROW_KINDS where certificates have none. */
cert_key record_key(const formulation *f, int row, double *scale);
/* Name of a row of f, or of c unless that is NULL; gives up where certificates have no name for it.
 * *scale: the row is this times the named one. */
cert_key record_known_key(recorder *r, const formulation *f, const coarse *c, int row,
                          double *scale);

/* The statement of a total of the graph. */
void record_write_total(recorder *r, int k);

/* Takes a cut and returns its index. */
int record_add_cut(recorder *r, const record_cut *c);
/* Index of the cut of the formulation, which is remembered; RECORD_CASE: of the row that says that
 * a cell outside is used. */
int record_remember(recorder *r, const event_cut *from);
/* The statement of a cut, once, before the first step that names it. */
void record_write_cut(recorder *r, int index);

/* The record_cut of a cut of the tree. */
int record_cut_of(const recorder *r, long id);
/* The multiplier y of a record_cut, or of RECORD_CASE, and the coefficient of its slack; false:
 * there is none. */
bool record_name_cut(const recorder *r, int index, double y, double slack, record_term *term);

/* ---- coarse timelines (record_timeline.c) */

/* Name of a row of c, points numbered from 0; *scale as record_key's. */
cert_key record_coarse_key(const coarse *c, int row, double *scale);
/* Number of the column among the totals of the timeline. */
int record_coarse_total(const coarse *c, int col);
void record_write_timeline(cert_text *out, int points, const int *point);
/* Totals of the timeline. */
int record_coarse_totals(const coarse *c);

/* ---- record_terms.c */

/* Makes the terms those of the multipliers y of the rows of f, or of c unless that is NULL. */
void record_add_rows(recorder *r, const formulation *f, const coarse *c, const double *y);
/* One more: the multiplier -y of a record_cut. */
void record_add_multiplier(recorder *r, int index, double y);
/* The statements of cuts that the terms name and that have none yet; then the terms. */
void record_write_new_cuts(recorder *r);
void record_write_terms(recorder *r);
/* The terms as somebody else's. */
record_terms record_take_terms(recorder *r);
void record_free_terms(record_terms *terms);

/* Number of the total that is a column of the tree's model. */
int record_total(const recorder *r, int i);
/* What the column is: a total is one of the tree's. *scale: the engine's column is this times it.
 */
formulation_key record_column(const recorder *r, int col, double *scale);
/* Rows of the tree's model before its cuts. */
int record_own_rows(const recorder *r);

/* What a value is as a number of a certificate: bits below the grid are cut off. */
double record_on_grid(double value);
/* The multiplier y of a row of the tree's model, cuts of the formulation among them, or of a cut,
 * and the coefficient of its slack; false: certificates do not know it. */
bool record_row_term(recorder *r, int row, double y, double slack, record_term *term);
bool record_cut_term(const recorder *r, long id, double y, double slack, record_term *term);
/* The name of the row, or cut, and the end of the line. */
void record_write_name(recorder *r, const record_term *term);

/* What a tree tells (record_tree.c). */
bnb_proof record_tree_hooks(recorder *r);

/* How a cut follows by rounding (record_round.c). */
record_round *record_make_round(recorder *r, const bnb_cut *cut, const bnb_rounding *how);
void record_write_round(recorder *r, const record_round *how);
void record_free_round(record_round *how); /* NULL allowed */

#endif
