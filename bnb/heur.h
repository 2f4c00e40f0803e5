/* bnb/heur: primal heuristics around the LP solution. */
#ifndef BNB_HEUR_H
#define BNB_HEUR_H

#include "bnb/bnb.h"

/* Heuristics on c->x; the LP, domain and c->x are as before afterwards. */
void bnb_heuristics_node(bnb_context *c);
void bnb_heuristics_root(bnb_context *c);
/* Fixes the integers at x (rounded), solves for the rest and offers the outcome. */
bool bnb_heuristic_polish(bnb_context *c, const double *x, const char *source);
/* Branch and bound on the columns that are left when those are fixed on which c->x and the
 * incumbent (without one: c->x and integrality) agree. */
void bnb_heuristic_submip(bnb_context *c);

#endif
