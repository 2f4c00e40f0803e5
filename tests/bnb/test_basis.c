/* The search from a given basis: the same answer whatever it is, less work when it is good. */
#include "models.h"
#include "tests/lp/owned.h"
#include "tests/suite.h"

#include <stdlib.h>

SUITE("basis", .seconds = 60);

/* The optimal basis of the relaxation and its point; both are the caller's. */
static unsigned char *relaxed_basis(const lp_model *m, double **point)
{
    OWNED(lp_solver) *lp = lp_solver_create(m, NULL);
    unsigned char *status = base_malloc((size_t)(m->cols + m->rows) + 1, sizeof *status);
    *point = base_calloc((size_t)m->cols + 1, sizeof **point);
    if (lp_solve(lp) == LP_OPTIMAL)
        for (int j = 0; j < m->cols; j++)
            (*point)[j] = lp_primal(lp)[j];
    lp_get_basis(lp, status);
    return status;
}

LOOP_TEST(any_basis_gives_the_optimum, MODEL_KINDS)
{
    for (uint64_t seed = 0; seed < 30; seed++) {
        OWNED(lp_model) *m = random_model(_i, seed);
        const oracle_result o = oracle_solve(m);
        double *point;
        unsigned char *status = relaxed_basis(m, &point);
        bnb_params p = quiet_params();
        p.basis = status;
        p.point = point;
        p.tuning.presolve = seed % 3 != 0;
        bnb_result r = bnb_solve(m, &p, NULL);
        assert_agrees(m, &r, &o, "relaxation's basis", _i, seed);
        bnb_result_clear(&r);
        base_rng rng = {seed};
        OWNED(double) *multipliers = base_malloc((size_t)m->rows + 1, sizeof *multipliers);
        for (int v = 0; v < m->cols + m->rows; v++)
            status[v] = base_rng_below(&rng, 2) ? LP_BASIC : LP_AT_LOWER;
        for (int k = 0; k < m->rows; k++)
            multipliers[k] = (double)base_rng_below(&rng, 9) - 4.0;
        p.multipliers = seed % 2 ? multipliers : NULL;
        r = bnb_solve(m, &p, NULL);
        assert_agrees(m, &r, &o, "nonsense", _i, seed);
        bnb_result_clear(&r);
        base_free(status);
        base_free(point);
    }
}

TEST(good_basis_saves_work)
{
    OWNED(lp_model) *m = cover_model(400, 250, 3);
    double *point;
    unsigned char *status = relaxed_basis(m, &point);
    bnb_params p = quiet_params();
    p.tuning.reliability = 0;
    p.tuning.dive = p.tuning.rounding = p.tuning.rins = p.tuning.restarts = false;
    p.tuning.cut_rounds_root = p.tuning.cut_rounds_node = 0;
    p.node_limit = 1;
    OWNED(bnb_result) cold = bnb_solve(m, &p, NULL);
    p.basis = status;
    p.point = point;
    OWNED(bnb_result) warm = bnb_solve(m, &p, NULL);
    ck_assert_int_gt(cold.iterations, 50);
    ck_assert_int_lt(warm.iterations, cold.iterations / 3);
    base_free(status);
    base_free(point);
}

/* From the slack basis, the relaxation's multipliers save some of the way. */
TEST(good_multipliers_save_work)
{
    OWNED(lp_model) *m = cover_model(400, 250, 3);
    OWNED(lp_solver) *lp = lp_solver_create(m, NULL);
    ck_assert_int_eq(lp_solve(lp), LP_OPTIMAL);
    unsigned char *slack = base_malloc((size_t)(m->cols + m->rows) + 1, sizeof *slack);
    OWNED(double) *zeros = base_calloc((size_t)m->cols + 1, sizeof *zeros);
    for (int v = 0; v < m->cols + m->rows; v++)
        slack[v] = v < m->cols ? LP_AT_LOWER : LP_BASIC;
    bnb_params p = quiet_params();
    p.tuning.reliability = 0;
    p.tuning.dive = p.tuning.rounding = p.tuning.rins = p.tuning.restarts = false;
    p.tuning.cut_rounds_root = p.tuning.cut_rounds_node = 0;
    p.node_limit = 1;
    p.tuning.lazy_rows = 0;
    p.basis = slack;
    p.point = zeros;
    OWNED(bnb_result) cold = bnb_solve(m, &p, NULL);
    p.multipliers = lp_dual(lp);
    p.point = lp_primal(lp);
    OWNED(bnb_result) warm = bnb_solve(m, &p, NULL);
    ck_assert_int_lt(warm.iterations, cold.iterations * 3 / 4);
    ck_assert_double_eq_tol(warm.bound, cold.bound, 1e-6);
    base_free(slack);
}
