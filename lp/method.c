/* Solves that have nothing to start from, by other methods than the simplex alone. */
#include <math.h>

#include "lp/engine.h"
#include "lp/sift.h"

lp_status lp_engine_sift(lp_solver *s)
{
    lp_sift_params params = lp_sift_params_default();
    params.lp = s->params;
    lp_status limit = lp_limit_status(base_limits_check(&s->params.limits));
    if (limit != LP_UNSOLVED)
        return limit;
    lp_sift_result r = lp_sift_model(s->model, NULL, &params);
    s->statistics.iterations += r.iterations;
    lp_set_basis(s, r.basis);
    s->save_wanted = false;
    s->last_dual_bound = r.bound;
    lp_status status = r.status;
    if (status == LP_INFEASIBLE)
        lp_results_keep_farkas(s, r.y);
    else if (status == LP_OPTIMAL || status == LP_UNBOUNDED || status == LP_NUMERICAL_TROUBLE)
        status = LP_UNSOLVED;
    lp_sift_result_clear(&r);
    return status;
}
