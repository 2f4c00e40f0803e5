/* lp/presolve: makes a model smaller before the simplex sees it, and turns the answer for
 * the small model into one for the model itself.
 *
 * Each reduction replaces the model by an equivalent one and leaves a record; postsolve goes
 * through the records backwards and makes from an optimal basic solution (values,
 * multipliers, reduced costs, basis) after the reduction one before it. Reductions: empty
 * rows and columns, singleton rows, fixed columns, redundant sides and rows, forcing rows,
 * columns fixed by the signs of their reduced costs (dual fixing, dominated columns),
 * columns without which their rows can always be met, slack columns and other column
 * singletons, substitution of implied free columns and in equations of two columns,
 * parallel rows and columns.
 *
 * Sources: Andersen and Andersen, Presolving in linear programming (1995); Gondzio (1997);
 * Mészáros and Suhl, Advanced preprocessing techniques (2003). Signs are those of
 * lp/simplex.h. */
#ifndef LP_PRESOLVE_H
#define LP_PRESOLVE_H

#include "lp/answer.h"

/* ---- solving with presolve -------------------------------------------------- */

/* Solves m (integrality is ignored): reduces it, runs the simplex on what is left, takes
 * the solution back, and runs the simplex on m from the basis found when the result does
 * not meet the tolerances of params. A model found infeasible or unbounded is solved itself
 * unless the proof can be taken back, so that farkas and ray always speak of m. Limits hold
 * within presolve too; the iteration limit is for all runs together. params NULL: defaults.
 * The caller frees the answer with lp_answer_free. */
lp_answer *lp_presolve_solve(const lp_model *m, const lp_params *params);

/* ---- the steps --------------------------------------------------------------- */

typedef struct lp_presolve lp_presolve;

/* Reduces m, which must stay unchanged as long as the result lives. A few passes, each
 * linear in the entries but for the sorting in the search for parallel rows and columns;
 * total work is capped at a multiple of the entries. tuning NULL: defaults; limits may be NULL. */
lp_presolve *lp_presolve_create(const lp_model *m, const lp_tuning *tuning,
                                const base_limits *limits);
void lp_presolve_free(lp_presolve *p); /* NULL allowed */
/* The limit that stopped the reductions; the reduced model is then still equivalent. */
base_stop lp_presolve_stopped(const lp_presolve *p);
/* True when the reductions met a contradiction: the model has no optimum, up to rounding. */
bool lp_presolve_failed(const lp_presolve *p);
lp_presolve_size lp_presolve_reduced_size(const lp_presolve *p);
/* The reduced model, without names; objectives agree (its offset has the rest). The entries
 * are handed over to it: to be called once. The caller frees it. */
lp_model *lp_presolve_take_model(lp_presolve *p);

/* A basic solution. Extents: cols for x and d, rows for y, cols + rows for basis. */
typedef struct lp_point {
    double *x, *d, *y;
    unsigned char *basis;
} lp_point;

/* Fills to, extents of the model, from an optimal basic solution of the reduced model; of any
 * other basic solution that is feasible x becomes a feasible point. The number of basic
 * variables becomes the number of rows. O(work of the reductions) */
void lp_presolve_restore(const lp_presolve *p, const lp_point *from, lp_point *to);
/* Fills ray, extent cols of the model, from a direction of the reduced model without end. In
 * exact arithmetic it is one of the model; check it with lp_ray_is_proof. */
void lp_presolve_restore_ray(const lp_presolve *p, const double *reduced, double *ray);
/* Fills y, extent rows of the model, from a Farkas ray of the reduced model. In exact
 * arithmetic it is a proof again; check it with lp_farkas_is_proof. */
void lp_presolve_restore_farkas(const lp_presolve *p, const lp_model *reduced, const double *farkas,
                                double *y);

#endif
