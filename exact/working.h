/* exact/working: models over a mask of cells with their LPs and cuts. Not for others. */
#ifndef EXACT_WORKING_H
#define EXACT_WORKING_H

#include "exact/engine.h"

/* A model over a mask with its LP and the event cuts now in it, rows in this order:
 * those of the formulation, then the cuts. */
typedef struct working {
    formulation *f;
    lp_solver *lp;
    event_cut_list cuts;
    lp_status status;
    double bound_before_cuts;
    double bound;            /* LP objective; not safe by itself */
    double work;             /* that its first solve and its rounds of cuts took */
    struct warm_start *warm; /* of the first solve; NULL: from the slacks, or it has ended */
} working;

/* The model over the mask with the cuts of another working model (NULL: none), without an LP:
 * for the tree alone. totals: with integer totals, if the features ask for them, of units only if
 * they pay. */
working *working_build(engine *e, const uint8_t *mask, const working *from, bool totals);
/* True if totals in units of a cost (formulation/total.h) decide much: the gap is a small part of a
 * unit. */
bool engine_units_pay(const engine *e);
/* The model over the mask and its LP with the cuts of another working model (NULL: none), not
 * solved. wanted: how many cells it has that the other one lacks; then its LP begins with that
 * one's basis, 0: with the slacks. */
working *working_open(engine *e, const uint8_t *mask, const working *from, int wanted);
/* Goes on with the first solve of that LP for about so much work, which is more where so few pivots
 * need more. True when it ended: w->status. */
bool working_solve(engine *e, working *w, double work);
void working_free(working *w); /* NULL allowed */
/* Rounds of cuts on an LP, which must be solved. */
typedef struct cut_rounds {
    int count, stalled;      /* those; how many in a row brought little */
    double before, at_stall; /* the bound before them; where it began to stand */
} cut_rounds;

cut_rounds working_cut_begin(const working *w);
/* One round more. False: there is no other; cuts that do not bind are dropped. */
bool working_cut_round(engine *e, working *w, cut_rounds *rounds);
/* True if the bound rose with them. */
bool working_cut_rose(const working *w, const cut_rounds *rounds);

/* Adds cuts, which are moved, to the LP and solves it; keeps those that bind. */
void working_add_cuts(engine *e, working *w, event_cut_list *cuts);

/* The cuts, written on the columns of another formulation of the same problem. */
event_cut_list cuts_express(const event_cut_list *cuts, const formulation *f);

/* A copy of the model of f with the cuts, expressed on f, as rows after its own. */
lp_model *model_with_cuts(const formulation *f, const event_cut_list *cuts);

/* True if a model over the mask can fit into the memory. */
bool engine_has_room(const engine *e, const uint8_t *mask);
/* Builds no model over the mask that cannot fit: gives up instead. */
void engine_require_room(const engine *e, const uint8_t *mask);

#endif
