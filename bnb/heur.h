/* bnb/heur: primal heuristics around the LP solution. */
#ifndef BNB_HEUR_H
#define BNB_HEUR_H

#include "bnb/bnb.h"

/* Heuristics on c->x; they leave LP, domain and c->x unchanged. */
void bnb_heuristics_node(bnb_context *c);
void bnb_heuristics_root(bnb_context *c);
/* Rounds the integers of c->x, solves for the other columns and offers the solution. source: its
 * name in the log. */
void bnb_heuristic_round(bnb_context *c, const char *source);

#endif
