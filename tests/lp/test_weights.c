/* Dual steepest edge weights, taken out of a solver and set in another. */
#include <math.h>

#include "tests/lp/certify.h"
#include "tests/lp/owned.h"
#include "tests/lp/simplex_models.h"
#include "tests/suite.h"

SUITE("weights", .seconds = 60);

/* The weights of a basis without scaling are the squared lengths of the rows of its inverse. */
static void check_weights(const lp_model *m, lp_solver *s, const double *weight)
{
    double *rho = base_malloc((size_t)m->rows + 1, sizeof *rho), sum = 0.0;
    for (int p = 0; p < m->rows; p++) {
        const int variable = lp_basis_header(s)[p];
        double length = 0.0;
        lp_tableau_row(s, p, rho);
        for (int r = 0; r < m->rows; r++)
            length += rho[r] * rho[r];
        ck_assert_double_eq_tol(weight[variable], length, 1e-6 * length);
        sum += weight[variable];
    }
    for (int v = 0; v < m->rows + m->cols; v++)
        sum -= weight[v];
    ck_assert_double_eq_tol(sum, 0.0, 1e-9); /* those that are not basic have none */
    base_free(rho);
}

LOOP_TEST(weights_move_to_another_solver, 6)
{
    lp_params unscaled = lp_params_default();
    unscaled.scale = false;
    OWNED(lp_model) *m = simplex_model(8, 5, (uint64_t)_i + 3);
    for (int j = 0; j < m->cols; j++)
        m->cost[j] = fabs(m->cost[j]); /* all steps are the dual's */
    const size_t vars = (size_t)m->rows + (size_t)m->cols;
    lp_solver *s = lp_solver_create(m, &unscaled), *other = lp_solver_create(m, &unscaled);
    double *weight = base_malloc(vars, sizeof *weight), *moved = base_malloc(vars, sizeof *moved);
    unsigned char *status = base_malloc(vars, 1);
    ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
    ck_assert_int_gt(lp_iterations(s), 0);
    lp_get_weights(s, weight);
    check_weights(m, s, weight);
    lp_get_basis(s, status);
    lp_set_basis(other, status);
    lp_set_weights(other, weight);
    lp_get_weights(other, moved);
    for (size_t v = 0; v < vars; v++)
        ck_assert_double_eq(moved[v], weight[v]);
    lp_solver_free(other);
    /* Scaled by powers of two, the other one counts its own way. */
    other = lp_solver_create(m, NULL);
    lp_set_basis(other, status);
    lp_set_weights(other, weight);
    lp_get_weights(other, moved);
    for (size_t v = 0; v < vars; v++)
        ck_assert_double_eq(moved[v], weight[v]);
    ck_assert_int_eq(lp_solve(other), LP_OPTIMAL);
    ck_assert_double_eq_tol(lp_objective(other), lp_objective(s), 1e-9 * (1 + lp_objective(s)));
    base_free_all(weight, moved, status);
    lp_solver_free(s);
    lp_solver_free(other);
}

/* Scaling makes all entries 1 by columns, so that the rows share one unit, and it is a common one
 * that sets the weights apart from the lengths of the rows of the inverse. */
TEST(weights_are_in_the_columns_units)
{
    OWNED(lp_model) *m = lp_model_create();
    const double fine = ldexp(1.0, -8), lower[3] = {3.0, 1.0, 1.0},
                 upper[3] = {LP_INFINITY, LP_INFINITY, LP_INFINITY};
    for (int j = 0; j < 3; j++)
        lp_model_add_col(m, j == 0 ? fine : 1.0, 0.0, LP_INFINITY, false, 0, NULL, NULL, NULL);
    lp_model_add_rows(m, 3, lower, upper, (const int[]){0, 3, 6, 9},
                      (const int[]){0, 1, 2, 0, 1, 2, 0, 1, 2},
                      (const double[]){fine, 1, 1, fine, -1, 1, fine, 1, -1}, NULL);
    OWNED(lp_solver) *s = lp_solver_create(m, NULL);
    double weight[6], rho[3], unit = 0.0;
    ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
    lp_get_weights(s, weight);
    for (int p = 0; p < 3; p++) {
        const int variable = lp_basis_header(s)[p];
        lp_tableau_row(s, p, rho);
        const double length = rho[0] * rho[0] + rho[1] * rho[1] + rho[2] * rho[2];
        if (p == 0)
            unit = weight[variable] / length;
        ck_assert_double_eq_tol(weight[variable], unit * length, 1e-6 * unit * length);
    }
}

/* Weights that mean nothing change nothing, and 0 is none. */
LOOP_TEST(any_weights_will_do, 2 * SIMPLEX_MODEL_FAMILIES)
{
    base_rng rng = {(uint64_t)_i};
    OWNED(lp_model) *m = simplex_model(_i % SIMPLEX_MODEL_FAMILIES, 4, 7);
    double *weight = base_malloc((size_t)(m->rows + m->cols) + 1, sizeof *weight);
    OWNED(lp_solver) *s = lp_solver_create(m, NULL);
    for (int k = 0; k < 10; k++) {
        for (int v = 0; v < m->rows + m->cols; v++)
            weight[v] = v % 5 == k ? 0.0 : ldexp(1.0, (int)base_rng_below(&rng, 40) - 20);
        lp_set_weights(s, weight);
        lp_get_weights(s, weight);
        for (int p = 0; p < m->rows; p++)
            ck_assert_double_gt(weight[lp_basis_header(s)[p]], 0.0);
        const char *bad = certify_and_fix(m, s, &rng);
        ck_assert_msg(*bad == '\0', "%s", bad);
    }
    base_free(weight);
}
