/* The primal's steepest edge weights, against the rows of the tableau. */
#include <math.h>

#include "lp/simplex/compute.h"
#include "lp/simplex/primal.h"
#include "tests/lp/sample.h"
#include "tests/lp/suites.h"

/* Extent cols + rows: 1 plus the squared length of each variable's column of the tableau. */
static double *tableau_weights(lp_solver *s)
{
    const int rows = lp_rows(s), cols = lp_cols(s);
    double *weight = base_malloc((size_t)(rows + cols) + 1, sizeof *weight);
    double *alpha = base_malloc((size_t)cols + 1, sizeof *alpha);
    double *rho = base_malloc((size_t)rows + 1, sizeof *rho);
    for (int j = 0; j < cols + rows; j++)
        weight[j] = 1.0;
    for (int p = 0; p < rows; p++) {
        int variable;
        lp_tableau_row(s, p, &variable, alpha, rho);
        for (int j = 0; j < cols; j++)
            weight[j] += alpha[j] * alpha[j];
        for (int r = 0; r < rows; r++)
            weight[cols + r] += rho[r] * rho[r];
    }
    base_free(alpha);
    base_free(rho);
    return weight;
}

static void compute_column(lp_solver *s, int j)
{
    lp_vector_clear(&s->column);
    lp_engine_subtract_column(s, &s->column, j, -1.0);
    lp_factor_ftran(s->factor, &s->column, &s->expected.column, false);
}

/* What is said of variable j whose weight is the given share of the exact one. */
static bool weigh(lp_solver *s, int j, double share, double exact)
{
    double *weight = base_malloc((size_t)s->vars + 1, sizeof *weight);
    for (int k = 0; k < s->vars; k++)
        weight[k] = 7.0;
    weight[j] = share * exact;
    lp_primal_state l = {.weight = weight, .pivot.entering = j};
    const bool low = lp_primal_weigh(s, &l);
    ck_assert_double_eq_tol(weight[j], exact, 1e-9 * exact);
    for (int k = 0; k < s->vars; k++)
        ck_assert(k == j || weight[k] == 7.0);
    base_free(weight);
    return low;
}

static int check_model(uint64_t seed)
{
    base_rng rng = {seed};
    lp_model *m = sample_model(&rng, SAMPLE_BOXED, 12, 20);
    lp_params params = lp_params_default();
    params.scale = false;
    lp_solver *s = lp_solver_create(m, &params);
    int checked = 0;
    if (lp_solve(s) == LP_OPTIMAL) {
        double *exact = tableau_weights(s);
        for (int j = 0; j < s->vars; j++) {
            if (s->status[j] == LP_BASIC)
                continue;
            compute_column(s, j);
            ck_assert(weigh(s, j, 0.01, exact[j]));
            ck_assert(weigh(s, j, 0.2, exact[j]));
            ck_assert(!weigh(s, j, 0.3, exact[j]));
            ck_assert(!weigh(s, j, 1.0, exact[j]));
            ck_assert(!weigh(s, j, 50.0, exact[j]));
            checked += exact[j] > 1.5;
        }
        base_free(exact);
    }
    lp_solver_free(s);
    lp_model_free(m);
    return checked;
}

START_TEST(weight_is_exact)
{
    int checked = 0;
    for (uint64_t seed = 1; seed <= 30; seed++)
        checked += check_model(seed);
    ck_assert_int_gt(checked, 100);
}
END_TEST

Suite *suite_primal(void)
{
    Suite *s = suite_create("primal");
    TCase *c = tcase_create("weights");
    tcase_add_test(c, weight_is_exact);
    suite_add_tcase(s, c);
    return s;
}
