/* A direction without end where the simplex has found one that rounding errors spoil. */
#include <math.h>
#include <string.h>

#include "lp/engine.h"
#include "lp/safe.h"

#define LENGTH 1048576.0 /* so long that the absolute tolerances are small beside it */

static double cone_side(double side, double box)
{
    return isfinite(side) ? 0.0 : box;
}

/* The directions in which the model has no end, of length at most LENGTH, with its costs. */
static lp_model *make_cone(const lp_model *m)
{
    lp_model *cone = lp_model_copy(m);
    cone->offset = 0.0;
    for (int j = 0; j < m->cols; j++) {
        cone->lower[j] = cone_side(m->lower[j], -LENGTH);
        cone->upper[j] = cone_side(m->upper[j], LENGTH);
    }
    for (int r = 0; r < m->rows; r++) {
        cone->row_lower[r] = cone_side(m->row_lower[r], -LP_INFINITY);
        cone->row_upper[r] = cone_side(m->row_upper[r], LP_INFINITY);
    }
    return cone;
}

bool lp_engine_find_ray(lp_solver *s)
{
    lp_results *r = s->results;
    lp_params params = lp_params_default();
    params.limits = s->params.limits;
    params.iteration_limit = s->iteration_end - s->iterations;
    lp_model *cone = make_cone(s->model);
    lp_solver *search = lp_solver_create(cone, &params);
    lp_model_free(cone);
    r->have_ray = lp_solve(search) == LP_OPTIMAL && lp_ray_is_proof(s->model, lp_primal(search));
    if (r->have_ray) {
        r->ray = base_realloc(r->ray, (size_t)s->cols + 1, sizeof *r->ray);
        memcpy(r->ray, lp_primal(search), (size_t)s->cols * sizeof *r->ray);
    }
    s->iterations += lp_iterations(search);
    lp_solver_free(search);
    return r->have_ray;
}
