/* The simplex in rational arithmetic, and where the simplex in doubles goes on with it. */
#include <math.h>
#include <string.h>

#include "lp/factor/rational_lu.h"
#include "lp/rational.h"
#include "lp/safe.h"
#include "tests/lp/certify.h"
#include "tests/lp/compare.h"
#include "tests/lp/nearby.h"
#include "tests/lp/sample.h"
#include "tests/lp/simplex_models.h"
#include "tests/lp/suites.h"

/* ---- factors ------------------------------------------------------------------- */

enum { ORDER = 12 };

/* A square matrix by columns, and the same with all its zeros. */
typedef struct matrix {
    int start[ORDER + 1], row[ORDER * ORDER];
    double value[ORDER * ORDER], dense[ORDER][ORDER]; /* dense: row, column */
} matrix;

static matrix random_matrix(base_rng *rng)
{
    matrix b = {{0}, {0}, {0}, {{0}}};
    int entries = 0;
    for (int c = 0; c < ORDER; c++) {
        for (int r = 0; r < ORDER; r++) {
            const double value = r == (c * 5) % ORDER         ? 3.0 + base_rng_double(rng)
                                 : base_rng_below(rng, 4) > 0 ? 0.0
                                                              : base_rng_double(rng) - 0.5;
            b.dense[r][c] = value;
            if (value == 0.0)
                continue;
            b.row[entries] = r;
            b.value[entries++] = value;
        }
        b.start[c + 1] = entries;
    }
    return b;
}

/* right := B left, or B'left. */
static void multiply(const matrix *b, bool transposed, mpq_t *left, mpq_t *right)
{
    mpq_t term;
    mpq_init(term);
    rational_vector_zero(right, ORDER);
    for (int r = 0; r < ORDER; r++)
        for (int c = 0; c < ORDER; c++) {
            mpq_set_d(term, b->dense[r][c]);
            mpq_mul(term, term, left[transposed ? r : c]);
            const int to = transposed ? c : r;
            mpq_add(right[to], right[to], term);
        }
    mpq_clear(term);
}

START_TEST(factors_solve_without_rounding)
{
    base_rng rng = {(uint64_t)_i + 1};
    const matrix b = random_matrix(&rng);
    rational_budget budget = {NULL, INFINITY};
    rational_lu *f = rational_lu_create(ORDER, b.start, b.row, b.value, &budget);
    int unused[2][ORDER];
    ck_assert_int_eq(rational_lu_deficiency(f, unused[0], unused[1]), 0);
    mpq_t *x = rational_vector_create(ORDER), *v = rational_vector_create(ORDER);
    for (int transposed = 0; transposed < 2; transposed++) {
        for (int k = 0; k < ORDER; k++)
            mpq_set_d(x[k], base_rng_below(&rng, 3) > 0 ? base_rng_double(&rng) : 0.0);
        multiply(&b, transposed == 1, x, v);
        if (transposed)
            rational_lu_solve_transposed(f, v);
        else
            rational_lu_solve(f, v);
        for (int k = 0; k < ORDER; k++)
            ck_assert_msg(mpq_equal(x[k], v[k]), "transposed %d, entry %d", transposed, k);
    }
    rational_vector_clear(x, ORDER);
    rational_vector_clear(v, ORDER);
    rational_lu_free(f);
}
END_TEST

/* Columns 3 and 7 become combinations of others, but for what rounding of them leaves over, which
 * is nothing where the factors are powers of two; unit vectors in their place make the matrix
 * regular.
 */
START_TEST(dependent_columns_are_named)
{
    base_rng rng = {(uint64_t)_i + 100};
    matrix b = random_matrix(&rng);
    int entries = 0, column[ORDER], row[ORDER];
    for (int c = 0; c < ORDER; c++) {
        for (int r = 0; r < ORDER; r++) {
            if (c == 3 || c == 7)
                b.dense[r][c] = (c == 3 ? 4.0 : -0.5) * b.dense[r][c - 3];
            if (b.dense[r][c] == 0.0)
                continue;
            b.row[entries] = r;
            b.value[entries++] = b.dense[r][c];
        }
        b.start[c + 1] = entries;
    }
    rational_budget budget = {NULL, INFINITY};
    rational_lu *f = rational_lu_create(ORDER, b.start, b.row, b.value, &budget);
    const int missing = rational_lu_deficiency(f, column, row);
    ck_assert_int_eq(missing, 2);
    rational_lu_free(f);
    for (int k = 0; k < missing; k++)
        for (int r = 0; r < ORDER; r++)
            b.dense[r][column[k]] = r == row[k];
    entries = 0;
    for (int c = 0; c < ORDER; c++) {
        for (int r = 0; r < ORDER; r++)
            if (b.dense[r][c] != 0.0) {
                b.row[entries] = r;
                b.value[entries++] = b.dense[r][c];
            }
        b.start[c + 1] = entries;
    }
    f = rational_lu_create(ORDER, b.start, b.row, b.value, &budget);
    ck_assert_int_eq(rational_lu_deficiency(f, column, row), 0);
    rational_lu_free(f);
}
END_TEST

START_TEST(factors_end_with_the_budget)
{
    base_rng rng = {7};
    const matrix b = random_matrix(&rng);
    const base_flag stop = 1;
    const base_limits limits = {.interrupt = &stop};
    rational_budget little = {NULL, 20.0}, stopped = {&limits, INFINITY};
    ck_assert(!rational_lu_create(ORDER, b.start, b.row, b.value, &little));
    ck_assert(!rational_lu_create(ORDER, b.start, b.row, b.value, &stopped));
}
END_TEST

/* ---- the simplex ------------------------------------------------------------------ */

static const char
    *const beale = /* on which the simplex turns in circles without a rule against it */
    "Minimize\n obj: -0.75 a + 150 b - 0.02 c + 6 d\nSubject To\n r: 0.25 a - 60 b - 0.04 c + 9 d "
    "<= 0\n s: 0.5 a - 90 b - 0.02 c + 3 d <= 0\n t: c <= 1\nEnd\n";
static const char *const thirds =
    "Minimize\n obj: - x - y\nSubject To\n c: 3 x + y <= 1\n d: x + 7 y <= 2\nEnd\n";
static const char *const contradiction =
    "Minimize\n obj: x\nSubject To\n c: x + y >= 3\n d: x + 3 y <= 2\n e: x - y <= 1\nEnd\n";
static const char *const endless =
    "Minimize\n obj: x - 2 y\nSubject To\n c: x - y >= -3\n d: x + y >= 1\nEnd\n";
/* what the last bit of 0.1 + 0.2 leaves of it: x is as small as -2^54 */
static const char *const last_bit =
    "Minimize\n obj: x\nSubject To\n c: 0.30000000000000004 x - 0.3 y "
    ">= -1\n d: x - y <= 0\nBounds\n x free\n y free\nEnd\n";

static const struct {
    const char *const *text;
    lp_status status;
    const char *objective;
} known[] = {
    {&beale, LP_OPTIMAL, NULL},
    {&thirds, LP_OPTIMAL, "-1/2"},
    {&contradiction, LP_INFEASIBLE, NULL},
    {&endless, LP_UNBOUNDED, NULL},
    {&last_bit, LP_OPTIMAL, "-18014398509481984"},
};

static lp_model *read_text(const char *text, const char *extension)
{
    base_error error;
    lp_model *m = model_from_text(text, extension, &error);
    ck_assert_msg(m != NULL, "%s", error.text);
    return m;
}

START_TEST(known_answers)
{
    lp_model *m = read_text(*known[_i].text, ".lp");
    lp_answer *a = lp_rational_solve(m, NULL, NULL, INFINITY);
    ck_assert_int_eq(a->status, known[_i].status);
    if (known[_i].objective)
        ck_assert_str_eq(a->exact_objective, known[_i].objective);
    const char *bad = certify_answer(m, a, 1e-12);
    ck_assert_msg(*bad == '\0', "%s", bad);
    lp_answer_free(a);
    lp_model_free(m);
}
END_TEST

/* With the first variable that improves entering once steps stall, these turn in circles if of the
 * variables that stop a step of length 0 another one leaves than the first: the last (the first
 * model), or the one in the last position (the second) or in the first (the third). */
static const char *const circles[] = {
    "Minimize\n obj: -4 a + 4 b + 4 c + 3 d + 2 e\nSubject To\n r: 3 a + c - d - e <= 0\n"
    " s: -2 a - 2 b + 2 c + d <= 0\n t: a - 3 b - c + 4 d - 2 e <= 0\nEnd\n",
    "Minimize\n obj: a + b - 2 c + 3 d - 2 e\nSubject To\n r: 4 a + 2 b - 2 d + e <= 0\n"
    " s: 4 b + 2 c - 3 d + e <= 0\n t: -4 a + 3 b - 4 c + d - e <= 0\nEnd\n",
    "Minimize\n obj: 2 a + 9 b + 6 c + d - 6 e\nSubject To\n r: 4 b + 5 c - 4 d - 6 e <= 0\n"
    " s: 2 a + 9 b - 3 c - 4 d + e <= 0\n t: 6 a - 5 b - 8 c + 2 d + 8 e <= 0\nEnd\n",
};

START_TEST(steps_of_length_zero_end)
{
    lp_model *m = read_text(circles[_i], ".lp");
    lp_params params = lp_params_default();
    params.iteration_limit = 1000;
    lp_answer *a = lp_rational_solve(m, NULL, &params, INFINITY);
    ck_assert_int_ne(a->status, LP_ITERATION_LIMIT);
    lp_answer_free(a);
    lp_model_free(m);
}
END_TEST

/* From x = y = 0 each row is missed. As x grows, c comes nearer and d goes farther away; it is c
 * that stops x, at 1, and d then y, at 1.5. */
START_TEST(what_moves_away_does_not_stop_a_step)
{
    lp_model *m = read_text("Minimize\n obj: x + y\nSubject To\n c: 3 x >= 3\n"
                            " d: y - x >= 0.5\nEnd\n",
                            ".lp");
    lp_answer *a = lp_rational_solve(m, NULL, NULL, INFINITY);
    ck_assert_int_eq(a->status, LP_OPTIMAL);
    ck_assert_str_eq(a->exact_objective, "5/2");
    ck_assert_int_eq(a->exact_iterations, 2);
    lp_answer_free(a);
    lp_model_free(m);
}
END_TEST

/* A basis for the seed: good for nothing as a rule, be it singular or of the wrong size. */
static unsigned char *any_basis(base_rng *rng, const lp_model *m)
{
    const int vars = m->rows + m->cols;
    unsigned char *basis = base_malloc((size_t)vars, sizeof *basis);
    for (int j = 0; j < vars; j++)
        basis[j] = (unsigned char)base_rng_below(rng, LP_FIXED + 1);
    return basis;
}

/* The same exact answer from any basis, which carries its certificate. */
START_TEST(all_starts_lead_to_the_same_answer)
{
    base_rng rng = {(uint64_t)_i + 1};
    lp_model *m =
        sample_model(&rng, (sample_family)(_i % SAMPLE_FAMILIES), 3 + _i % 8, 2 + _i % 11);
    lp_answer *a = lp_rational_solve(m, NULL, NULL, INFINITY);
    const char *bad = certify_answer(m, a, 1e-9);
    ck_assert_msg(*bad == '\0', "%s", bad);
    for (int start = 0; start < 3; start++) {
        unsigned char *basis = any_basis(&rng, m);
        if (start == 2 && a->status == LP_OPTIMAL)
            memcpy(basis, a->basis, (size_t)m->rows + (size_t)m->cols);
        lp_answer *b = lp_rational_solve(m, basis, NULL, INFINITY);
        ck_assert_int_eq(b->status, a->status);
        if (a->status == LP_OPTIMAL)
            ck_assert_str_eq(b->exact_objective, a->exact_objective);
        if (start == 2 && a->status == LP_OPTIMAL)
            ck_assert_int_eq(b->exact_iterations, 0);
        base_free(basis);
        lp_answer_free(b);
    }
    lp_answer_free(a);
    lp_model_free(m);
}
END_TEST

START_TEST(rational_limits)
{
    base_rng rng = {3};
    lp_model *m = sample_model(&rng, SAMPLE_COVERING, 8, 8);
    const base_flag stop = 1;
    lp_params params = lp_params_default();
    params.iteration_limit = 1;
    lp_answer *a = lp_rational_solve(m, NULL, &params, INFINITY);
    ck_assert_int_eq(a->status, LP_ITERATION_LIMIT);
    ck_assert_int_eq(a->iterations, 1);
    lp_answer_free(a);
    a = lp_rational_solve(m, NULL, NULL, 10.0);
    ck_assert_int_eq(a->status, LP_ITERATION_LIMIT);
    lp_answer_free(a);
    params.limits.interrupt = &stop;
    a = lp_rational_solve(m, NULL, &params, INFINITY);
    ck_assert_int_eq(a->status, LP_INTERRUPTED);
    lp_answer_free(a);
    m->lower[0] = 2.0;
    m->upper[0] = 1.0;
    a = lp_rational_solve(m, NULL, NULL, INFINITY);
    ck_assert_int_eq(a->status, LP_INFEASIBLE);
    lp_answer_free(a);
    lp_model_free(m);
}
END_TEST

/* ---- where doubles do not suffice --------------------------------------------------- */

/* Rows and columns that are parallel but for the eighth digit. Without end, exactly; the simplex in
 * doubles ends at points of 1e6 to 1e8, where its tolerances are less than a rounding error. */
static const char *const undecided[] = {
    "NAME model FREE\nROWS\n N obj\n E r1\n L r2\n E r3\n L r4\n G r5\nCOLUMNS\n"
    " c1 r2 8.475999999999999 r3 25.427999999999997\n c1 r5 25\n c2 r1 -6.013 r2 -6\n"
    " c2 r3 -18 r4 -6.013000716805458\n c2 r5 -18\n c3 r1 -1 r2 -1\n c3 r3 -8 r4 -1\n c3 r5 -1\n"
    " c4 r1 7 r2 6\n c4 r3 18 r4 7.000000834465027\n c4 r5 1\n c5 obj -1.958 r1 2\n c5 r2 9 r3 27\n"
    " c5 r4 2 r5 27\n c6 r2 -6 r3 -18\n c6 r5 -1\nRHS\nRANGES\n RNG r4 1\nBOUNDS\n FR BND c1\n"
    " FR BND c5\nENDATA\n",
    "NAME model FREE\nROWS\n N obj\n L r1\n E r2\n G r3\nCOLUMNS\n c1 r1 -9.34 r2 -19.44588\n"
    " c1 r3 18.68\n c2 obj -6.686 r1 -1.146\n c2 r2 -2.3859721422150133 r3 2.292000136613846\n"
    " c3 r1 8 r2 16.656\n c3 r3 -16\nRHS\n RHS r1 89.06 r2 175.01291999999998\n RHS r3 -176.12\n"
    "BOUNDS\n FR BND c1\n FR BND c3\nENDATA\n",
};

START_TEST(rational_arithmetic_decides)
{
    lp_model *m = read_text(undecided[_i], ".mps");
    for (int method = LP_METHOD_DUAL; method <= LP_METHOD_PRIMAL; method++) {
        lp_params params = lp_params_default();
        params.method = (lp_method)method;
        lp_solver *s = lp_solver_create(m, &params);
        lp_answer *a = lp_presolve_solve(m, &params);
        const char *bad = certify(m, s, lp_solve(s), 1e-9);
        ck_assert_msg(lp_last_status(s) == LP_UNBOUNDED && !*bad, "method %d: %s: %s", method,
                      lp_status_name(lp_last_status(s)), bad);
        ck_assert(lp_ray_is_proof(m, lp_ray(s)));
        bad = certify_answer(m, a, 1e-9);
        ck_assert_msg(a->status == LP_UNBOUNDED && !*bad, "presolved, method %d: %s: %s", method,
                      lp_status_name(a->status), bad);
        lp_answer_free(a);
        lp_solver_free(s);
    }
    lp_model_free(m);
}
END_TEST

/* Models that doubles leave undecided, and whose optimal basis they do not find. */
static lp_model *hard_sample(int seed)
{
    base_rng rng = {(uint64_t)seed + 1};
    return sample_model(&rng, SAMPLE_NEARLY_SINGULAR, 2 + seed % 7, 2 + seed % 9);
}

static const int hard_seeds[] = {25656, 26069, 31503};

/* A row of the tableau is that combination of the rows that its multipliers say, and of the basic
 * columns it has its own alone. */
START_TEST(tableau_of_an_exact_basis)
{
    lp_model *m = hard_sample(hard_seeds[_i]);
    lp_solver *s = lp_solver_create(m, NULL);
    double *alpha = base_malloc((size_t)m->cols, sizeof *alpha);
    double *rho = base_malloc((size_t)m->rows, sizeof *rho);
    lp_answer *exact = lp_rational_solve(m, NULL, NULL, INFINITY);
    ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
    ck_assert_int_eq(exact->status, LP_OPTIMAL);
    ck_assert_double_eq_tol(lp_objective(s), exact->objective, 1e-12 * fabs(exact->objective));
    ck_assert_double_le(lp_dual_objective(s), lp_objective(s)); /* rounded down */
    ck_assert_double_ge(lp_dual_objective(s), nextafter(lp_objective(s), -LP_INFINITY));
    for (int r = 0; r < m->rows; r++) {
        int variable;
        lp_tableau_row(s, r, &variable, alpha, rho);
        ck_assert_int_eq(variable, lp_basis_header(s)[r]);
        for (int j = 0; j < m->cols; j++) {
            double sum = 0.0, size = 1.0;
            for (int e = m->start[j]; e < m->start[j + 1]; e++) {
                sum += rho[m->index[e]] * m->value[e];
                size += fabs(rho[m->index[e]] * m->value[e]);
            }
            ck_assert_double_eq_tol(alpha[j], sum, 1e-12 * size);
            for (int p = 0; p < m->rows; p++)
                if (lp_basis_header(s)[p] == j)
                    ck_assert_double_eq_tol(alpha[j], p == r ? 1.0 : 0.0, 1e-12 * size);
        }
    }
    lp_answer_free(exact);
    lp_solver_free(s);
    lp_model_free(m);
    base_free(alpha);
    base_free(rho);
}
END_TEST

/* What is solved next is what any other solver would. */
START_TEST(solving_goes_on)
{
    lp_model *m = _i < 2 ? read_text(undecided[_i], ".mps") : hard_sample(hard_seeds[_i - 2]);
    lp_solver *s = lp_solver_create(m, NULL);
    ck_assert_int_eq(lp_solve(s), _i < 2 ? LP_UNBOUNDED : LP_OPTIMAL);
    for (int j = 0; j < m->cols; j++) {
        m->lower[j] = fmax(m->lower[j], -100.0);
        m->upper[j] = fmin(m->upper[j], 100.0);
        lp_set_bounds(s, j, m->lower[j], m->upper[j]);
    }
    lp_answer *exact = lp_rational_solve(m, NULL, NULL, INFINITY);
    const char *bad = certify(m, s, lp_solve(s), 1e-9);
    ck_assert_msg(*bad == '\0', "%s", bad);
    ck_assert_int_eq(lp_last_status(s), exact->status);
    if (exact->status == LP_OPTIMAL)
        ck_assert_double_eq_tol(lp_objective(s), exact->objective,
                                1e-6 * (1.0 + fabs(exact->objective)));
    lp_answer_free(exact);
    lp_solver_free(s);
    lp_model_free(m);
}
END_TEST

/* The primal ends with a row violated by 1.7e-8, more than was asked for, at an optimum that this
 * makes less by a sixth. */
START_TEST(violations_beyond_the_tolerances)
{
    base_rng rng = {7047};
    const int rows = 1 + (int)base_rng_below(&rng, 20), cols = 1 + (int)base_rng_below(&rng, 60);
    lp_model *m = sample_model(&rng, SAMPLE_NEARLY_SINGULAR, rows, cols);
    lp_answer *exact = lp_rational_solve(m, NULL, NULL, INFINITY);
    ck_assert_int_eq(exact->status, LP_OPTIMAL);
    for (int method = LP_METHOD_DUAL; method <= LP_METHOD_PRIMAL; method++) {
        lp_params params = lp_params_default();
        params.method = (lp_method)method;
        lp_solver *s = lp_solver_create(m, &params);
        ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
        ck_assert_double_eq_tol(lp_objective(s), exact->objective, 1e-9 * exact->objective);
        lp_solver_free(s);
    }
    lp_answer_free(exact);
    lp_model_free(m);
}
END_TEST

/* The primal ends at a point of 4e11 whose reduced costs are wrong by 2; there is no end, but no
 * ray that proves itself in doubles. */
START_TEST(no_end_within_rounding)
{
    lp_model *m = simplex_model(4, 1 + 881 % 6, 881);
    lp_params params = lp_params_default();
    params.method = LP_METHOD_PRIMAL;
    lp_solver *s = lp_solver_create(m, &params);
    const lp_status status = lp_solve(s);
    const char *bad = certify(m, s, status, 1e-8);
    ck_assert_msg(*bad == '\0', "%s: %s", lp_status_name(status), bad);
    lp_solver_free(s);
    lp_model_free(m);
}
END_TEST

/* ---- the fuzzer's proof of nearby optima ------------------------------------------------ */

START_TEST(optima_nearby)
{
    lp_model *m = read_text(thirds, ".lp");
    const double x[] = {1.0 / 4.0, 1.0 / 4.0}, y[] = {-0.3, -0.1}, off[] = {0.25, 0.25 + 3e-9},
                 wrong[] = {-0.3, -0.1 + 3e-9};
    ck_assert(is_optimum_nearby(m, x, y, 1e-15));
    ck_assert(!is_optimum_nearby(m, off, y, 1e-9)); /* 3 x + y misses 1 by 3e-9 */
    ck_assert(is_optimum_nearby(m, off, y, 1e-8));
    ck_assert(!is_optimum_nearby(m, x, wrong, 1e-9)); /* y costs 2.1e-8 */
    ck_assert(is_optimum_nearby(m, x, wrong, 1e-7));
    ck_assert(!is_optimum_nearby(m, x, (double[]){0.0, 0.0}, 1e-3));
    m->lower[0] = 0.25 + 1e-6;
    ck_assert(!is_optimum_nearby(m, x, y, 1e-9));
    lp_model_free(m);
    m = read_text("Minimize\n obj: x\nSubject To\n c: x + y >= 1\n d: x + y <= 3\nEnd\n", ".lp");
    const double none[] = {0.0, 0.0}; /* multipliers: nothing but the rows themselves objects */
    ck_assert(is_optimum_nearby(m, (double[]){0.0, 2.0}, none, 1e-9));
    ck_assert(!is_optimum_nearby(m, (double[]){0.0, 1.0 - 3e-9}, none, 1e-9));
    ck_assert(is_optimum_nearby(m, (double[]){0.0, 1.0 - 3e-9}, none, 1e-8));
    ck_assert(!is_optimum_nearby(m, (double[]){0.0, 3.1}, none, 1e-9));
    lp_model_free(m);
}
END_TEST

Suite *suite_rational(void)
{
    Suite *suite = suite_create("lp rational");
    TCase *tests = tcase_create("rational");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, factors_solve_without_rounding, 0, 20);
    tcase_add_loop_test(tests, dependent_columns_are_named, 0, 5);
    tcase_add_test(tests, factors_end_with_the_budget);
    tcase_add_loop_test(tests, known_answers, 0, (int)(sizeof known / sizeof *known));
    tcase_add_loop_test(tests, all_starts_lead_to_the_same_answer, 0, 66);
    tcase_add_loop_test(tests, steps_of_length_zero_end, 0, 3);
    tcase_add_test(tests, what_moves_away_does_not_stop_a_step);
    tcase_add_test(tests, rational_limits);
    tcase_add_loop_test(tests, rational_arithmetic_decides, 0, 2);
    tcase_add_loop_test(tests, tableau_of_an_exact_basis, 0, 3);
    tcase_add_loop_test(tests, solving_goes_on, 0, 5);
    tcase_add_test(tests, violations_beyond_the_tolerances);
    tcase_add_test(tests, no_end_within_rounding);
    tcase_add_test(tests, optima_nearby);
    suite_add_tcase(suite, tests);
    return suite;
}
