/* exact/cells/working: models over a mask of cells with their LPs and cuts. Not for others. */
#ifndef EXACT_WORKING_H
#define EXACT_WORKING_H

#include "exact/engine.h"

/* A model over a mask with its LP and its event cuts. Rows of the LP: the rows of the formulation,
 * then the cuts. */
typedef struct working {
    formulation *f;
    lp_solver *lp;
    event_cut_list cuts;
    lp_status status;
    double bound_before_cuts;
    double bound;            /* LP objective; not safe by itself */
    double work;             /* steps of its first solve and its rounds of cuts */
    struct warm_start *warm; /* of the first solve; NULL: slack basis, or the solve has ended */
} working;

/* Builds the model over the mask with the cuts of `from` (NULL: none), without an LP, for a tree.
 * totals: with integer totals if the parameters ask for them, in units only if they pay. */
working *working_build(engine *e, const uint8_t *mask, const working *from, bool totals);
/* True if totals in units of a cost (formulation/total.h) pay: the gap is below one unit. */
bool engine_units_pay(const engine *e);
/* Builds the model over the mask with the cuts of `from` (NULL: none), and its LP, unsolved.
 * wanted: number of its cells that `from` lacks. The LP starts from the basis of `from`; with
 * wanted = 0 from the slack basis. */
working *working_open(engine *e, const uint8_t *mask, const working *from, int wanted);
/* Continues the first solve for about `work` steps, or more if a few pivots need more. True once it
 * has ended: w->status. */
bool working_solve(engine *e, working *w, double work);
void working_free(working *w); /* NULL allowed */
/* State of the rounds of cuts on a solved LP. */
typedef struct cut_rounds {
    int count, stalled;      /* rounds so far; rounds in a row with little gain */
    double before, at_stall; /* bound before the rounds; bound at the last gain */
} cut_rounds;

cut_rounds working_cut_begin(const working *w);
/* One more round. False: there is no further round; cuts that do not bind are dropped. */
bool working_cut_round(engine *e, working *w, cut_rounds *rounds);
/* True if the rounds raised the bound. */
bool working_cuts_raised(const working *w, const cut_rounds *rounds);

/* Copies the cuts, expressed on the columns of another formulation of the same problem. */
event_cut_list cuts_translate(const event_cut_list *cuts, const formulation *f);

/* A copy of the model of f with the cuts, expressed on f, as rows after its own. */
lp_model *model_with_cuts(const formulation *f, const event_cut_list *cuts);

/* True if a model over the mask can fit into memory. */
bool engine_has_room(const engine *e, const uint8_t *mask);
/* Gives up the run if a model over the mask cannot fit into memory. */
void engine_require_room(const engine *e, const uint8_t *mask);

#endif
