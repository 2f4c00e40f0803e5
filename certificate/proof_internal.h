/* Inside the checker: functions that its files share, the lower files first. */
#ifndef CERTIFICATE_PROOF_INTERNAL_H
#define CERTIFICATE_PROOF_INTERNAL_H

#include "certificate/round.h"

enum { PRODUCT_WORK = 50 }; /* steps of base_work to multiply and add two numbers */

/* Restricts the span to the values of `to`; true if that removes some. */
static inline bool cert_span_narrow(cert_span *span, cert_span to)
{
    const bool narrower = to.low > span->low || to.high < span->high;
    if (to.low > span->low)
        span->low = to.low;
    if (to.high < span->high)
        span->high = to.high;
    return narrower;
}

/* The values above `value`, or the values up to it. */
static inline cert_span cert_span_side(bool above, int64_t value)
{
    return above ? (cert_span){value + 1, INT64_MAX} : (cert_span){INT64_MIN, value};
}

/* ---- node.c */

/* Appends an open node and returns its number; parent -1: the root. */
int cert_add_node(cert_proof *p, int parent);
/* Frees and removes all nodes. */
void cert_forget_nodes(cert_proof *p);
/* Ends the root: from here on a fixed cell belongs to a node and to those below it. */
void cert_freeze_root(cert_proof *p);
/* Makes `node` the loaded one, whose cells p->value holds. */
void cert_load_node(cert_proof *p, int node);
/* True if the node is closed; else loads it. */
bool cert_idle(cert_proof *p, int node);
/* The fault of a step at a node that was branched; NULL: it was not. */
const char *cert_branched(const cert_proof *p, int node);
/* Closes the node: it is proven to hold no schedule that the claim denies. */
void cert_close(cert_proof *p, int node);
/* Fixes a cell of the loaded node at a value proven for it; closes the node where the cell has the
 * other one. */
void cert_fix(cert_proof *p, int node, int col, int value);
/* After a step that fixed cells, at the root: fixes cells that follow by the rules. */
void cert_settle_node(cert_proof *p, int node);

/* ---- cases.c, nested.c */

/* Forgets the cuts, totals and timelines from these numbers on. */
void cert_forget_columns(cert_proof *p, int cuts, int totals, int timelines);
/* The condition of nested tensors that does not hold in the present case, a static text; NULL: all
 * hold. */
const char *cert_nested_fault(const cert_proof *p, int outer, int inner);

/* ---- total.c */

/* Takes a total (moved) and returns its number. */
int cert_add_total(cert_proof *p, cert_total *total);
/* Number of the column that stands for this one and all columns proven equal to it. */
int cert_same(const cert_proof *p, int col);
/* True if the column is a cell or a total. */
bool cert_is_integer(const cert_proof *p, int col);
int cert_total_column(const cert_proof *p, int k);
/* Writes the row of total number k: its cells less the column (plain: its cells alone). */
void cert_total_row(const cert_proof *p, int k, bool plain, cert_row *row);
/* Where the column of a timeline is 0, so are cells of its tensor: of the kind that is returned, in
 * the stages from first to last; none if last < first. */
cert_kind cert_cells_of(const cert_proof *p, const cert_total *total, int *first, int *last);
/* Restricts the total to `to`, proven for the loaded node; closes the node where no value is left.
 * At the root a column of a timeline that becomes 0 fixes its cells at 0. */
void cert_narrow(cert_proof *p, int node, int k, cert_span to);
/* Restricts a column of the loaded node, cell or total, to values above `value`, or up to it;
 * value of a cell: 0. */
void cert_confine(cert_proof *p, int node, int col, bool above, int64_t value);
/* Restricts total number k of the loaded node by p->sum and the total's d. */
void cert_reduce_total(cert_proof *p, int node, int k, const mpz_t d, bool costs);
/* The same for all totals that the sum touches. */
void cert_reduce_totals(cert_proof *p, int node, bool costs);

/* ---- sum.c */

/* Adds the column to the sum, with d its cost, or 0 without costs; no change where the sum has it.
 */
void cert_touch(cert_proof *p, int col, bool costs);
/* Empties the list of the sum's columns. */
void cert_forget(cert_proof *p);
/* Sets p->number to the coefficient d of the column in the sum. For a column that is not in the
 * sum: its cost, or 0 without costs. */
void cert_coefficient(cert_proof *p, int col, bool costs);
/* Least and largest value of a column at the loaded node. */
void cert_range(const cert_proof *p, int col, int64_t *low, int64_t *high);
/* The next cell that is not 0 at the root (at the loaded node it may be); -1: no more. *k: 0 at
 * the first call. */
int cert_next_cell(const cert_proof *p, int *k);

/* ---- bound.c */

/* Writes the named row, or cut number `cut` (-1: the row), into p->row; false: there is none. */
bool cert_proof_row(cert_proof *p, int cut, cert_key key, bool plain);

/* ---- round.c */

/* Sums up the multipliers of a cut at node 0, which has to be loaded: then the sum of d x over the
 * touched columns is at most bound. d (p->d) is scale times a coefficient of the cut, and the
 * columns of the terms come first. d and bound are in units of 2^-2grid, scale > 0 of 2^-grid.
 * Returns a fault or NULL; cert_round_forget has to follow in both cases. */
const char *cert_round_derive(cert_proof *p, const cert_round *round, mpz_t scale, mpz_t bound);
void cert_round_forget(cert_proof *p, const cert_round *round);

/* ---- proof.c */

/* Takes a cut that holds (moved) and returns its number. */
int cert_add_cut(cert_proof *p, cert_cut *cut);

#endif
