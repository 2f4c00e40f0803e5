/* Answers that stand by themselves: the vectors of a solver copied out, so that presolve,
 * rational arithmetic and the caller can hold an answer after the solver is gone. */
#include "lp/answer.h"
#include "lp/exact_proof.h"
#include "lp/results.h"

#include <math.h>
#include <string.h>

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

static double *copied(const double *from, int extent)
{
    double *to = base_malloc((size_t)extent + 1, sizeof *to);
    memcpy(to, from, (size_t)extent * sizeof *to);
    return to;
}

lp_answer *lp_answer_of(const lp_solver *s)
{
    int rows = lp_rows(s), cols = lp_cols(s);
    lp_answer *a = lp_answer_create(lp_last_status(s));
    a->iterations = lp_iterations(s);
    a->dual_objective = lp_dual_objective(s);
    a->basis = base_malloc((size_t)(rows + cols) + 1, sizeof *a->basis);
    lp_get_basis(s, a->basis);
    if (a->status == LP_OPTIMAL || a->status == LP_UNBOUNDED) {
        a->objective = lp_objective(s);
        a->x = copied(lp_primal(s), cols);
        a->activity = copied(lp_activity(s), rows);
    }
    if (a->status == LP_OPTIMAL) {
        a->d = copied(lp_reduced_cost(s), cols);
        a->y = copied(lp_dual(s), rows);
    }
    a->exact_proof = lp_exact_proof_copy(s->results->exact_proof);
    if (a->status == LP_INFEASIBLE)
        a->farkas = copied(lp_farkas(s), rows);
    if (a->status == LP_UNBOUNDED)
        a->ray = copied(lp_ray(s), cols);
    return a;
}
