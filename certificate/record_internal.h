/* Shared by the files that write certificates; not for others. */
#ifndef CERTIFICATE_RECORD_INTERNAL_H
#define CERTIFICATE_RECORD_INTERNAL_H

#include "certificate/record.h"

/* In place of a record_cut: the row of the second case, and what a certificate does not know. */
enum { RECORD_CASE = -2, RECORD_UNKNOWN = -1 };

/* The certificate cannot be written; the first reason stays. */
void record_give_up(recorder *r, const char *fault);

/* As record_key; gives up where it knows no such row. */
cert_key record_known_key(recorder *r, const formulation *f, int row, double *scale);
void record_write_key(recorder *r, cert_key key);

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

/* What a value is as a number of a certificate: bits below the grid are cut off. */
double record_on_grid(double value);
/* The multiplier y of a row of the tree's model, cuts of the formulation among them, or of a cut,
 * and the coefficient of its slack; false: certificates do not know it. */
bool record_row_term(recorder *r, int row, double y, double slack, record_term *term);
bool record_cut_term(const recorder *r, long id, double y, double slack, record_term *term);
/* The name of the row, or cut, and the end of the line. */
void record_write_name(recorder *r, const record_term *term);

/* How a cut follows by rounding (record_round.c). */
record_round *record_make_round(recorder *r, const bnb_cut *cut, const bnb_rounding *how);
void record_write_round(recorder *r, const record_round *how);
void record_free_round(record_round *how); /* NULL allowed */

#endif
