/* The simplex on seeded random models of many kinds: whatever it says is certified by
 * independent code from the solution, multipliers or ray it gives. */
#include <math.h>
#include <stdlib.h>

#include "lp/safe.h"
#include "tests/lp/certify.h"
#include "tests/lp/owned.h"
#include "tests/lp/simplex_models.h"
#include "tests/suite.h"

SUITE("simplex", .seconds = 300);

/* More seeds for a long run: LP_TEST_SEEDS=1000. */
static int seeds(int otherwise)
{
    const char *text = getenv("LP_TEST_SEEDS");
    return text ? atoi(text) : otherwise;
}

static lp_status solve_seed(int family, int seed, lp_method method)
{
    OWNED(lp_model) *m = simplex_model(family, 1 + seed % 6, (uint64_t)seed);
    lp_params params = lp_params_default();
    params.method = method;
    OWNED(lp_solver) *s = lp_solver_create(m, &params);
    lp_status status = lp_solve(s);
    const char *bad = certify(m, s, status, 1e-8);
    ck_assert_msg(*bad == '\0', "%s, seed %d: %s: %s", simplex_model_family_name(family), seed,
                  lp_status_name(status), bad);
    return status;
}

static void solve_family(int family, lp_method method)
{
    int solved = 0;
    for (int seed = 0; seed < seeds(40); seed++)
        solved += solve_seed(family, seed, method) == LP_OPTIMAL;
    ck_assert_int_gt(solved, 0);
}

/* The answer is that of the model, whatever unit its costs are in. */
LOOP_TEST(costs_in_any_unit, SIMPLEX_MODEL_FAMILIES)
{
    for (int seed = 0; seed < 24; seed++) {
        const double unit = ldexp(1.0, seed % 2 ? -40 : 40);
        OWNED(lp_model) *m = simplex_model(_i, 1 + seed % 6, (uint64_t)seed),
                        *scaled = lp_model_copy(m);
        double size = fabs(m->offset);
        for (int j = 0; j < m->cols; j++)
            scaled->cost[j] *= unit;
        scaled->offset *= unit;
        OWNED(lp_solver) *a = lp_solver_create(m, NULL), *b = lp_solver_create(scaled, NULL);
        const lp_status status = lp_solve(a);
        ck_assert_str_eq(lp_status_name(lp_solve(b)), lp_status_name(status));
        for (int j = 0; status == LP_OPTIMAL && j < m->cols; j++)
            size += fabs(m->cost[j] * lp_primal(a)[j]);
        if (status == LP_OPTIMAL) {
            const lp_kkt kkt = lp_kkt_check(scaled, lp_primal(b), lp_dual(b));
            ck_assert(fabs(lp_objective(b) / unit - lp_objective(a)) <= 1e-8 * size);
            ck_assert_double_le(kkt.complementarity, 1e-7);
        }
    }
}

/* Both simplexes come to a vertex where nothing moves and nothing is proven. */
TEST(stuck_vertex)
{
    ck_assert_int_eq(solve_seed(4, 190, LP_METHOD_PRIMAL), LP_OPTIMAL);
}

/* A step of 3e8, in which variables that move at a rate of 5e-10 leave their bounds: where that is
 * not seen the primal simplex comes back to the same vertex again and again. */
TEST(long_steps)
{
    OWNED(lp_model) *m = simplex_model(4, 1 + 177 % 6, 177);
    for (int method = LP_METHOD_DUAL; method <= LP_METHOD_PRIMAL; method++) {
        lp_params params = lp_params_default();
        params.method = (lp_method)method;
        params.iteration_limit = 200;
        OWNED(lp_solver) *s = lp_solver_create(m, &params);
        ck_assert_str_eq(lp_status_name(lp_solve(s)), "optimal");
    }
}

/* Entries from 1e-4 to 1e4: the dual simplex leads into bases that nothing can be done with, the
 * primal from the slack basis does not. */
TEST(another_way)
{
    OWNED(lp_model) *m = simplex_model(4, 60, 3);
    OWNED(lp_solver) *s = lp_solver_create(m, NULL);
    ck_assert_str_eq(lp_status_name(lp_solve(s)), "optimal");
    ck_assert_str_eq(certify(m, s, LP_OPTIMAL, 1e-7), "");
}

LOOP_TEST(dual_simplex, SIMPLEX_MODEL_FAMILIES)
{
    solve_family(_i, LP_METHOD_DUAL);
}

LOOP_TEST(primal_simplex, SIMPLEX_MODEL_FAMILIES)
{
    solve_family(_i, LP_METHOD_PRIMAL);
}

/* ---- corner cases --------------------------------------------------------- */

static lp_status solve(const lp_model *m, lp_solver **solver)
{
    *solver = lp_solver_create(m, NULL);
    return lp_solve(*solver);
}

static void expect(lp_model *m, lp_status wanted, double objective)
{
    lp_solver *s;
    lp_status status = solve(m, &s);
    ck_assert_str_eq(lp_status_name(status), lp_status_name(wanted));
    if (wanted == LP_OPTIMAL)
        ck_assert_double_eq_tol(lp_objective(s), objective, 1e-9);
    const char *bad = certify(m, s, status, 1e-9);
    ck_assert_msg(*bad == '\0', "%s", bad);
    lp_solver_free(s);
    lp_model_free(m);
}

static const int row0[] = {0};
static const double one[] = {1.0};

TEST(no_rows_no_columns)
{
    lp_model *m = lp_model_create();
    m->offset = 2.5;
    expect(m, LP_OPTIMAL, 2.5);
}

TEST(no_rows)
{
    lp_model *m = lp_model_create();
    lp_model_add_col(m, 1.0, -3.0, 4.0, false, 0, NULL, NULL, NULL);
    lp_model_add_col(m, -2.0, -3.0, 4.0, false, 0, NULL, NULL, NULL);
    lp_model_add_col(m, 0.0, -LP_INFINITY, LP_INFINITY, false, 0, NULL, NULL, NULL);
    expect(m, LP_OPTIMAL, -11.0);
}

TEST(unbounded_column_without_entries)
{
    lp_model *m = lp_model_create();
    lp_model_add_row(m, -LP_INFINITY, 1.0, NULL);
    lp_model_add_col(m, 1.0, 0.0, LP_INFINITY, false, 1, row0, one, NULL);
    lp_model_add_col(m, -1.0, 0.0, LP_INFINITY, false, 0, NULL, NULL, NULL);
    expect(m, LP_UNBOUNDED, 0.0);
}

TEST(empty_row_that_cannot_hold)
{
    lp_model *m = lp_model_create();
    lp_model_add_row(m, 1.0, LP_INFINITY, NULL);
    lp_model_add_col(m, 1.0, 0.0, 1.0, false, 0, NULL, NULL, NULL);
    expect(m, LP_INFEASIBLE, 0.0);
}

TEST(crossed_column_bounds)
{
    lp_model *m = lp_model_create();
    lp_model_add_row(m, 0.0, 1.0, NULL);
    lp_model_add_col(m, 1.0, 2.0, 1.0, false, 1, row0, one, NULL);
    expect(m, LP_INFEASIBLE, 0.0);
}

TEST(crossed_row_bounds)
{
    lp_model *m = lp_model_create();
    lp_model_add_row(m, 2.0, 1.0, NULL);
    lp_model_add_col(m, 1.0, 0.0, 3.0, false, 1, row0, one, NULL);
    expect(m, LP_INFEASIBLE, 0.0);
}

TEST(negative_upper_bound_and_free_row)
{
    lp_model *m = lp_model_create();
    lp_model_add_row(m, -LP_INFINITY, LP_INFINITY, NULL);
    lp_model_add_col(m, -1.0, -LP_INFINITY, -2.0, false, 1, row0, one, NULL);
    expect(m, LP_OPTIMAL, 2.0);
}

TEST(free_column_and_equality)
{
    lp_model *m = lp_model_create();
    lp_model_add_row(m, 3.0, 3.0, NULL);
    lp_model_add_row(m, -LP_INFINITY, 1.0, NULL);
    const int rows[] = {0, 1};
    const double a[] = {1.0, 1.0}, b[] = {1.0, -1.0};
    lp_model_add_col(m, 1.0, -LP_INFINITY, LP_INFINITY, false, 2, rows, a, NULL);
    lp_model_add_col(m, 3.0, -LP_INFINITY, LP_INFINITY, false, 2, rows, b, NULL);
    expect(m, LP_OPTIMAL, 5.0); /* x + y = 3, x - y <= 1 */
}

/* Beale's example, on which the textbook simplex cycles. */
TEST(beale)
{
    lp_model *m = lp_model_create();
    lp_model_add_row(m, -LP_INFINITY, 0.0, NULL);
    lp_model_add_row(m, -LP_INFINITY, 0.0, NULL);
    lp_model_add_row(m, -LP_INFINITY, 1.0, NULL);
    const int rows[] = {0, 1, 2};
    const double a[] = {0.25, 0.5, 0.0}, b[] = {-60.0, -90.0, 0.0}, c[] = {-0.04, -0.02, 1.0},
                 d[] = {9.0, 3.0, 0.0};
    lp_model_add_col(m, -0.75, 0.0, LP_INFINITY, false, 3, rows, a, NULL);
    lp_model_add_col(m, 150.0, 0.0, LP_INFINITY, false, 3, rows, b, NULL);
    lp_model_add_col(m, -0.02, 0.0, LP_INFINITY, false, 3, rows, c, NULL);
    lp_model_add_col(m, 6.0, 0.0, LP_INFINITY, false, 3, rows, d, NULL);
    expect(m, LP_OPTIMAL, -0.05);
}

/* Klee and Minty's cube. */
TEST(klee_minty)
{
    enum { N = 12 };
    lp_model *m = lp_model_create();
    for (int i = 0; i < N; i++)
        lp_model_add_row(m, -LP_INFINITY, pow(5.0, i + 1), NULL);
    for (int j = 0; j < N; j++) {
        int rows[N], count = 0;
        double a[N];
        for (int i = j; i < N; i++) {
            rows[count] = i;
            a[count++] = i == j ? 1.0 : pow(2.0, i - j + 1);
        }
        lp_model_add_col(m, -pow(2.0, N - 1 - j), 0.0, LP_INFINITY, false, count, rows, a, NULL);
    }
    expect(m, LP_OPTIMAL, -pow(5.0, N));
}

TEST(tableau_row_is_one_of_the_system)
{
    for (int seed = 0; seed < 40; seed++) {
        OWNED(lp_model) *m = simplex_model(seed % 2 ? 8 : 1, 3, (uint64_t)seed);
        lp_solver *s;
        if (solve(m, &s) == LP_OPTIMAL) {
            OWNED(double) *rho = base_malloc((size_t)m->rows + 1, sizeof *rho);
            for (int p = 0; p < m->rows; p++) {
                lp_tableau_row(s, p, rho);
                for (int q = 0; q < m->rows; q++) { /* a unit vector on the basis */
                    const int j = lp_basis_header(s)[q];
                    double a = j < m->cols ? 0.0 : -rho[j - m->cols];
                    for (int e = j < m->cols ? m->start[j] : 0; j < m->cols && e < m->start[j + 1];
                         e++)
                        a += rho[m->index[e]] * m->value[e];
                    ck_assert_double_eq_tol(a, p == q ? 1.0 : 0.0, 1e-7);
                }
            }
        }
        lp_solver_free(s);
    }
}
