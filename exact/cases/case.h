/* exact/cases/case: one case of the branching on dear tensors (exact/cases/cases.h): its problem,
 * its timelines, and its LP bounds for the tensors that are still open. Part of
 * exact/cases/cases.c; not for others. */
#ifndef EXACT_CASE_H
#define EXACT_CASE_H

#include "exact/cases/nested.h"
#include "exact/engine.h"

typedef struct engine_case {
    struct engine_case *next;
    uint8_t *fate;            /* coarse_fate of each tensor, extent n */
    double bound;             /* on the schedules of the case, model units */
    bool decided;             /* no fate is open, and the timelines have begun anew */
    int tries;                /* times that labels were tried */
    unsigned passed;          /* moments tried with labels of the present width, bit by bit */
    const exact_proof *proof; /* listener of the case */
    bool is_open;             /* the members below are initialized; own.points always are */
    graph graph;              /* graph of the search, with pins on kept tensors */
    problem problem;
    exact_params params;
    engine own; /* engine of its timelines; shares the result of the search */
} engine_case;

/* Creates a case of `from`, which is the search or another case. fate: copied. proof: its listener.
 * bound: dual bound of its schedules. The first timeline has the points of the best one of
 * `from`. */
engine_case *case_create(const engine *from, const uint8_t *fate, const exact_proof *proof,
                         double bound);
void case_free(engine_case *c); /* NULL allowed */

/* Gives the timelines of the case, if there are any, the limits, counts of work and incumbent of e.
 * In each turn that is first, even before a case is freed: the limits of earlier turns are gone. */
void case_enter(engine_case *c, engine *e);
/* Continues the timelines of the case for about `work` steps. Schedules go to e. Raises c->bound.
 * False: the timelines can prove no more. */
bool case_run(engine_case *c, engine *e, double work);
/* Drops the timelines and the points, and runs new timelines from the fullest stage on for about
 * `work` steps. Requires timelines. */
void case_restart(engine_case *c, engine *e, double work);
/* Frees the timelines, for example after a change of fates. */
void case_close(engine_case *c);

/* Bounds both fates of each open tensor by the LP of the case's best timeline. kept and away
 * (extents n, model units) bound the schedules of the case with this fate. -INFINITY: the fate is
 * not open, the LP has no solution, or about `work` steps are over. Returns the LP bound of the
 * case, which its tree mostly exceeds. */
double case_probe(engine_case *c, engine *e, double work, double *kept, double *away);

#endif
