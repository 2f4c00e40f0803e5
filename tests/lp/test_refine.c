/* Iterative refinement against rational optima, and the checks of points, multipliers and
 * directions that decide on an answer. */
#include "lp/refine.h"

#include <string.h>

#include "lp/safe.h"
#include "tests/lp/exact_lp.h"
#include "tests/lp/owned.h"
#include "tests/lp/sample.h"
#include "tests/suite.h"

SUITE("refine");

/* A point with its multipliers. */
typedef struct pair {
    unsigned char *basis;
    double *x, *y, *low;
} pair;

static pair take_pair(const lp_solver *s)
{
    const size_t rows = (size_t)lp_solver_model(s)->rows, cols = (size_t)lp_solver_model(s)->cols;
    const pair p = {base_malloc(rows + cols + 1, 1), base_malloc(cols + 1, sizeof(double)),
                    base_malloc(rows + 1, sizeof(double)), base_calloc(rows + 1, sizeof(double))};
    lp_get_basis(s, p.basis);
    memcpy(p.x, lp_primal(s), cols * sizeof *p.x);
    memcpy(p.y, lp_dual(s), rows * sizeof *p.y);
    return p;
}

static void free_pair(pair *p)
{
    base_free_all(p->basis, p->x, p->y, p->low);
}

/* Moves the basic columns and the multipliers of rows that are not basic by up to 1e-5. */
static void blur(pair *p, const lp_solver *s, base_rng *rng)
{
    for (int j = 0; j < lp_solver_model(s)->cols; j++)
        if (p->basis[j] == LP_BASIC)
            p->x[j] += 1e-5 * (2.0 * base_rng_double(rng) - 1.0);
    for (int r = 0; r < lp_solver_model(s)->rows; r++)
        if (p->basis[lp_solver_model(s)->cols + r] != LP_BASIC)
            p->y[r] += 1e-5 * (2.0 * base_rng_double(rng) - 1.0);
}

/* From a blurred optimum to the rational one; the bound of each round does not exceed it. */
LOOP_TEST(refinement_reaches_the_optimum, 40)
{
    base_rng rng = {(uint64_t)_i + 11};
    OWNED(lp_model) *m = sample_model(&rng, SAMPLE_BOXED, 6, 8);
    lp_solver *s = lp_solver_create(m, NULL);
    exact_lp_answer a = exact_lp_solve(m);
    if (lp_solve(s) == LP_OPTIMAL && a.status == LP_OPTIMAL) {
        const double best = mpq_get_d(a.objective), room = 1e-12 * (1.0 + fabs(best));
        pair p = take_pair(s);
        blur(&p, s, &rng);
        for (int k = 0; k < LP_REFINEMENTS; k++) {
            if (lp_refine(s, p.basis, p.x, p.y, p.low) != LP_OPTIMAL)
                break;
            ck_assert_double_le(lp_safe_bound_fine(m, NULL, NULL, p.y, p.low), best + 1e-15 * room);
        }
        ck_assert_double_eq_tol(lp_model_objective(m, p.x), best, room);
        ck_assert_double_ge(lp_safe_bound_fine(m, NULL, NULL, p.y, p.low), best - room);
        ck_assert_double_le(lp_largest_miss(m, p.x, 1e-12, NULL), 1.0);
        free_pair(&p);
    }
    exact_lp_clear(&a);
    lp_solver_free(s);
}

static lp_model *model_of(int rows, const double *lower, const double *upper, int cols,
                          const double *cost, const double *least, const double *value)
{
    lp_model *m = lp_model_create();
    int all[8];
    for (int r = 0; r < rows; r++) {
        lp_model_add_row(m, lower[r], upper[r], NULL);
        all[r] = r;
    }
    for (int j = 0; j < cols; j++)
        lp_model_add_col(m, cost[j], least[j], LP_INFINITY, false, rows, all, value + rows * j,
                         NULL);
    return m;
}

/* x + y is 1 and 1 + 1e-10: the simplex has a point within its tolerance, and there is none. */
TEST(refinement_proves_infeasibility)
{
    const double side[2] = {1.0, 1.0 + 1e-10}, cost[2] = {1.0, 2.0}, zero[2] = {0.0, 0.0},
                 one[4] = {1.0, 1.0, 1.0, 1.0};
    OWNED(lp_model) *m = model_of(2, side, side, 2, cost, zero, one);
    OWNED(lp_solver) *s = lp_solver_create(m, NULL);
    ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
    pair p = take_pair(s);
    lp_status status = LP_OPTIMAL;
    for (int k = 0; k < LP_REFINEMENTS && status == LP_OPTIMAL; k++)
        status = lp_refine(s, p.basis, p.x, p.y, p.low);
    ck_assert_int_eq(status, LP_INFEASIBLE);
    ck_assert(lp_farkas_is_proof(m, NULL, NULL, p.y));
    free_pair(&p);
}

/* 3 x + 7 y >= 10, x and y free, costs of a third of the entries: with a multiplier of 1/3 the
 * reduced costs are what rounding leaves. */
TEST(what_rounding_leaves_is_believed)
{
    const double low = 10.0, high = LP_INFINITY, value[2] = {3.0, 7.0},
                 free[2] = {-LP_INFINITY, -LP_INFINITY};
    const double cost[2] = {1.0, 2.3333333333}, third = 1.0 / 3.0, less = third - 1e-7;
    OWNED(lp_model) *m = model_of(1, &low, &high, 2, cost, free, value);
    ck_assert_double_eq_tol(lp_unproven_bound(m, NULL, NULL, &third, NULL), 10.0 / 3.0, 1e-12);
    ck_assert(isinf(lp_unproven_bound(m, NULL, NULL, &less, NULL)));
    const double rest = 1e-7;
    ck_assert_double_eq_tol(lp_unproven_bound(m, NULL, NULL, &less, &rest), 10.0 / 3.0, 1e-12);
    const double below = -third; /* points at an infinite side: 0 */
    ck_assert(isinf(lp_unproven_bound(m, NULL, NULL, &below, NULL)));
    ck_assert(isinf(lp_safe_bound(m, NULL, NULL, &third, NULL)));
}

/* Multipliers in [0, ...) of a row without an upper side: negative ones count as 0. */
TEST(multipliers_of_infinite_sides_count_as_0)
{
    const double low = 10.0, high = LP_INFINITY, value[2] = {3.0, 7.0}, one[2] = {1.0, 1.0};
    const double cost[2] = {1.0, 2.0}, below = -0.5;
    OWNED(lp_model) *m = model_of(1, &low, &high, 2, cost, one, value);
    ck_assert_double_eq(lp_unproven_bound(m, NULL, NULL, &below, NULL), 3.0);
    ck_assert_double_eq_tol(lp_safe_bound(m, NULL, NULL, &below, NULL), 3.0, 1e-12);
}

/* A third, rounded, leaves a reduced cost of 1e-17 in a box of 1e9; the second part takes it away.
 */
TEST(multipliers_have_a_second_part)
{
    const double low = 10.0, high = LP_INFINITY, value[2] = {3.0, 7.0}, cost[2] = {1.0, 2.5},
                 least[2] = {-1e9, -1e9}, best = (10.0 + 7e9) / 3.0 - 2.5e9;
    OWNED(lp_model) *m = model_of(1, &low, &high, 2, cost, least, value);
    m->upper[0] = m->upper[1] = 4e9;
    OWNED(lp_solver) *s = lp_solver_create(m, NULL);
    ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
    pair p = take_pair(s);
    ck_assert_double_eq(p.y[0], 1.0 / 3.0);
    ck_assert_double_lt(lp_safe_bound_fine(m, NULL, NULL, p.y, p.low), best - 1e-9);
    ck_assert_int_eq(lp_refine(s, p.basis, p.x, p.y, p.low), LP_OPTIMAL);
    ck_assert_double_ne(p.low[0], 0.0);
    ck_assert_double_eq_tol(lp_safe_bound_fine(m, NULL, NULL, p.y, p.low), best,
                            1e-15 * fabs(best));
    free_pair(&p);
}

TEST(directions_have_a_course)
{
    static const struct {
        double along[2];
        lp_course course;
    } cases[] = {
        {{7.0, -3.0}, LP_COURSE_FLAT},     {{8.0, -3.0}, LP_COURSE_RISES},
        {{-1.0, 1.0}, LP_COURSE_BLOCKED},  {{7.00001, -3.0}, LP_COURSE_RISES},
        {{-1.0, -0.1}, LP_COURSE_BLOCKED}, {{NAN, 1.0}, LP_COURSE_BLOCKED},
    };
    const double low = 10.0, high = LP_INFINITY, value[2] = {3.0, 7.0},
                 least[2] = {0.0, -LP_INFINITY}, cost[2] = {1.0, 2.3333333333};
    OWNED(lp_model) *m = model_of(1, &low, &high, 2, cost, least, value);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        ck_assert_int_eq(lp_direction_course(m, cases[k].along), cases[k].course);
    m->cost[1] = 2.4;
    ck_assert_int_eq(lp_direction_course(m, cases[0].along), LP_COURSE_FALLS);
    ck_assert(lp_ray_is_proof(m, cases[0].along));
}

/* Each bound and each side blocks a direction that leaves through it, and no other. */
TEST(each_side_blocks)
{
    for (int k = 0; k < 4; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const double none = -LP_INFINITY, all = LP_INFINITY, least = -LP_INFINITY, cost = -1.0,
                         one = 1.0, along = sign;
            OWNED(lp_model) *m = model_of(1, &none, &all, 1, &cost, &least, &one);
            double *const side[] = {m->lower, m->upper, m->row_lower, m->row_upper};
            *side[k] = 5.0;
            const bool blocked = (k % 2 == 0) == (sign < 0);
            ck_assert_int_eq(lp_direction_course(m, &along), blocked    ? LP_COURSE_BLOCKED
                                                             : sign > 0 ? LP_COURSE_FALLS
                                                                        : LP_COURSE_RISES);
        }
}

/* In parts of 1e-6 (1 + side), of which no more than 1001 counts. */
TEST(misses_are_judged_side_by_side)
{
    const double side[2] = {9.0, 1e9}, cost[2] = {0.0, 0.0}, least[2] = {0.0, -1.0},
                 value[4] = {1.0, 0.0, 0.0, 1.0};
    OWNED(lp_model) *m = model_of(2, side, side, 2, cost, least, value);
    int at;
    const double first[2] = {9.0 + 2e-5, 1e9}, second[2] = {9.0, 1e9 - 0.004004};
    const double third[2] = {-3e-6, 1e9}, none[2] = {9.0, 1e9};
    ck_assert_double_eq_tol(lp_largest_miss(m, first, 1e-6, &at), 2.0, 1e-6);
    ck_assert_int_eq(at, 2);
    ck_assert_double_eq_tol(lp_largest_miss(m, second, 1e-6, &at), 4.0, 1e-3);
    ck_assert_int_eq(at, 3);
    m->row_lower[0] = -LP_INFINITY;
    ck_assert_double_eq_tol(lp_largest_miss(m, third, 1e-6, &at), 3.0, 1e-6);
    ck_assert_int_eq(at, 0);
    ck_assert_double_eq(lp_largest_miss(m, none, 1e-6, NULL), 0.0);
}
