/* Answers that stand by themselves, so that presolve, rational arithmetic and the caller can hold
 * one after the solver is gone. */
#include "lp/answer.h"

#include <math.h>

#include "lp/exact_proof.h"

void lp_answer_free(lp_answer *a)
{
    if (!a)
        return;
    base_free(a->x);
    base_free(a->d);
    base_free(a->activity);
    base_free(a->y);
    base_free(a->basis);
    base_free(a->farkas);
    base_free(a->ray);
    base_free(a->exact_objective);
    lp_exact_proof_free(a->exact_proof);
    base_free(a);
}

lp_answer *lp_answer_create(lp_status status)
{
    lp_answer *a = base_calloc(1, sizeof *a);
    a->status = status;
    a->objective = NAN;
    a->dual_objective = -LP_INFINITY;
    return a;
}
