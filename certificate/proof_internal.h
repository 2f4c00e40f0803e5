/* Shared by the files that check a proof's steps; not for others. */
#ifndef CERTIFICATE_PROOF_INTERNAL_H
#define CERTIFICATE_PROOF_INTERNAL_H

#include "certificate/round.h"

enum { PRODUCT_WORK = 50 }; /* of a product that is added, for base_work */

/* Leaves of the span what `to` has too; true when that is less. */
static inline bool cert_span_narrow(cert_span *span, cert_span to)
{
    const bool narrower = to.low > span->low || to.high < span->high;
    if (to.low > span->low)
        span->low = to.low;
    if (to.high < span->high)
        span->high = to.high;
    return narrower;
}

/* The values of a total on one side of a split. */
static inline cert_span cert_span_side(bool above, int64_t value)
{
    return above ? (cert_span){value + 1, INT64_MAX} : (cert_span){INT64_MIN, value};
}

/* ---- node.c */

/* Nothing of interest is in the node. */
void cert_close(cert_proof *p, int node);
/* A cell of the node, which is loaded, is proven to have a value: it gets it, or the node closes.
 */
void cert_fix(cert_proof *p, int node, int col, int value);
/* After a step that fixed cells: what follows from them, at the root. */
void cert_settle_node(cert_proof *p, int node);

/* ---- proof.c */

/* True when the node is closed; otherwise it is loaded. */
bool cert_idle(cert_proof *p, int node);
/* What is wrong with a step at a node that was branched; NULL: it was not. */
const char *cert_branched(const cert_proof *p, int node);

/* ---- bound.c, propagate.c */

/* The row of that name, or the cut (-1: none), into p->row; false: there is none. */
bool cert_proof_row(cert_proof *p, int cut, cert_key key, bool plain);
/* True if the column, which is no load, can be 0 and can be 1 at the loaded node. */
void cert_possible(const cert_proof *p, int col, bool *zero, bool *one);
/* number: d of the column, which is its cost, or 0, where it is not touched. */
void cert_coefficient(cert_proof *p, int col, bool costs);
/* The cells that are not 0 at the root (open or 1 at the loaded node, or 0 there): from *k on,
 * which starts at 0; -1 at the end. */
int cert_next_cell(const cert_proof *p, int *k);

/* True if the multipliers leave nothing of the loaded node: by the overhead, or by the rows alone;
 * what is wrong with them. */
const char *cert_refutes(cert_proof *p, const cert_multiplier *y, int count, bool *proven);
/* The row's terms, equal columns added up. */
void cert_gather(cert_proof *p);

/* ---- total.c */

/* Takes a total (moved) and returns its number. */
int cert_add_total(cert_proof *p, cert_total *total);
/* The column that stands for all that are proven equal to this one, totals among them. */
int cert_same(const cert_proof *p, int col);
/* True if the column is a cell or a total. */
bool cert_is_integer(const cert_proof *p, int col);
int cert_total_column(const cert_proof *p, int k);
/* Its row; plain: without the total. */
void cert_total_row(const cert_proof *p, int k, bool plain, cert_row *row);
/* The total is known to have no other values at the node, which is loaded. */
void cert_narrow(cert_proof *p, int node, int k, cert_span to);
/* The column is above the value, or not above it, at the node, which is loaded; cells: 0. */
void cert_confine(cert_proof *p, int node, int col, bool above, int64_t value);
/* What the node knows against its parent; undo: back to what node 0 knows. */
void cert_apply_limits(cert_proof *p, int node, bool undo);
/* What the sum and the d of total number k say of it; the node is loaded. */
void cert_reduce_total(cert_proof *p, int node, int k, const mpz_t d, bool costs);
/* The same of all that are touched. */
void cert_reduce_totals(cert_proof *p, int node, bool costs);

/* ---- timeline.c */

/* The row of that name of a point, into row; false: there is none. */
bool cert_point_row(const cert_proof *p, cert_key key, cert_row *row);
/* Joules of a column at 1, where the overhead is counted. */
double cert_overhead(const cert_proof *p, int col);
/* Touches the columns that cost something there, beside the cells. */
void cert_touch_priced(cert_proof *p);
/* A column of a timeline has only the value 0 at node 0: so have its cells. */
void cert_lower_cells(cert_proof *p, const cert_total *total);
/* Page-ins that with the page-out before them cost too much, at node 0 before it is branched. */
void cert_reduce_priced(cert_proof *p);

/* ---- proof.c, bound.c */

/* Takes a cut that holds (moved) and returns its number. */
int cert_add_cut(cert_proof *p, cert_cut *cut);
/* Loads node 0, closed or branched or not. */
void cert_load_root(cert_proof *p);
/* The column among those that a sum touches; p->d of a new one is its cost, or 0 without costs.
 * Until cert_forget. */
void cert_touch(cert_proof *p, int col, bool costs);
void cert_forget(cert_proof *p);
/* Least and largest value of a column at the loaded node. */
void cert_range(const cert_proof *p, int col, int64_t *low, int64_t *high);
/* What the multipliers of a cut give at node 0, which is to be loaded: sum of d x over the columns
 * that are touched then <= bound, where d (p->d) is scale times what a coefficient of the cut is;
 * the first ones are the terms. d and bound are in units of 2^-2grid, scale > 0 of 2^-grid. NULL,
 * or what is wrong. */
const char *cert_round_derive(cert_proof *p, const cert_round *round, mpz_t scale, mpz_t bound);
/* After that, also when there was something wrong. */
void cert_round_forget(cert_proof *p, const cert_round *round);

#endif
