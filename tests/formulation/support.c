/* Instances of all families, optima of models, random points, and failed instances saved to a
 * file. */
#include "tests/formulation/support.h"
#include "formulation/internal.h"
#include "tests/problem/owned.h"

#include <check.h>
#include <math.h>
#include <sys/stat.h>

random_instance mixed_instance(uint64_t seed, int max_nodes)
{
    uint64_t family = seed % (SPECIAL_FAMILIES + 1);
    if (family == SPECIAL_FAMILIES)
        return random_instance_make(seed, max_nodes);
    return special_instance_make((special_family)family, seed / (SPECIAL_FAMILIES + 1), max_nodes);
}

double model_optimum(const lp_model *m, double **x)
{
    bnb_params params = bnb_params_default();
    bnb_result r = bnb_solve(m, &params, NULL);
    ck_assert_msg(r.status == BNB_OPTIMAL || r.status == BNB_INFEASIBLE, "bnb: %s",
                  bnb_status_name(r.status));
    double optimum = r.has_solution ? r.objective : INFINITY;
    if (x) {
        *x = r.x;
        r.x = NULL;
    }
    bnb_result_clear(&r);
    return optimum;
}

double mask_optimum(const problem *p, unsigned features, const uint8_t *mask)
{
    OWNED(formulation) *f = formulation_build(p, features, mask, 1.0);
    return model_optimum(f->model, NULL);
}

double *random_point(const formulation *f, base_rng *rng)
{
    lp_model *m = lp_model_copy(f->model);
    for (int j = 0; j < m->cols; j++) {
        if (f->column[j].kind < CELL_KINDS)
            m->cost[j] = (double)base_rng_below(rng, 41) - 20;
        if (f->column[j].kind == COLUMN_FREE && f->column[j].k < 0)
            m->upper[j] = 0; /* early releases are the model's, not the rules' */
    }
    double *x;
    model_optimum(m, &x);
    lp_model_free(m);
    if (!x)
        return NULL;
    base_error error = {""};
    OWNED(schedule) *s = formulation_extract(f, x);
    ck_assert_msg(schedule_validate(f->problem, s, NULL, &error) == 0, "%s", error.text);
    ck_assert(formulation_vector(f, s, x));
    return x;
}

const char *saved_failure(const problem *p, random_instance_fails fails, void *context)
{
    static char text[1200];
    const char *path = "build/failed-formulation.json";
    base_error error;
    mkdir("build", 0777);
    OWNED(random_instance) small = random_instance_shrink(p, fails, context);
    if (random_instance_save(&small.problem, path, &error))
        snprintf(text, sizeof text, "not saved: %s", error.text);
    else
        snprintf(text, sizeof text, "shrunk to %s", path);
    return text;
}

bool formulation_vector(const formulation *f, const schedule *s, double *x)
{
    formulation_key missing;
    if (!formulation_place(f, s, x, &missing))
        return false;
    double *activity = formulation_activity(f, x);
    bool good = true;
    for (int r = 0; r < f->model->rows && good; r++)
        good = formulation_row_holds(f, r, activity[r]);
    base_free(activity);
    return good;
}
