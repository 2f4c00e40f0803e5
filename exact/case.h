/* exact/case: one case of the split on which dear tensors are ever away (exact/cases.h): its
 * problem, its timelines, and what its LP says of the tensors that are not yet decided. Of
 * exact/cases.c; not for others. */
#ifndef EXACT_CASE_H
#define EXACT_CASE_H

#include "exact/engine.h"
#include "formulation/coarse_fate.h"

typedef struct engine_case {
    struct engine_case *next;
    uint8_t *fate; /* coarse_fate of each tensor, extent n */
    double bound;  /* on the schedules of the case, model units */
    bool decided;  /* no fate is open */
    bool is_open;  /* the rest is there: */
    graph graph;   /* the search's, with pins on what is kept */
    problem problem;
    exact_params params;
    engine own; /* of its timelines; shares the search's result */
} engine_case;

/* With a copy of the fates. */
engine_case *case_create(const engine *e, const uint8_t *fate, double bound);
void case_free(engine_case *c); /* NULL allowed */

/* Goes on with the timelines of the case for about so much work, on behalf of e, which gets the
 * schedules. Raises c->bound. False: they can prove no more. */
bool case_run(engine_case *c, engine *e, double work);
/* Frees the timelines, as after a change of fates. */
void case_close(engine_case *c);

/* What follows from the fates by the exchange of nested tensors (docs/formulation.md, section 4):
 * where the outer one is kept so is the inner one, where the inner one is away so is the outer one.
 * False: a tensor would have to be both. O(n + degree * square of the tensors with a fate). */
bool case_follow(const problem *p, uint8_t *fate);

/* What the LP of the timeline that has proven most says of each tensor whose fate is open: bounds
 * (model units) on the schedules of the case in which it is kept, and on those in which it is away;
 * extents n; -INFINITY: without a solution of the LP, or where about so much work is over. Returns
 * the LP's bound on the case, which its tree mostly exceeds. */
double case_probe(engine_case *c, engine *e, double work, double *kept, double *away);

#endif
