/* Reduced-cost fixing: duals picked for it fix more than the LP's own. */
#include "models.h"

#include <string.h>

#include "lp/safe.h"
#include "lp/simplex.h"
#include "tests/lp/owned.h"
#include "tests/suite.h"

SUITE("fixing", .seconds = 60);

/* What the root's reduced costs fix. */
static void count_deduction(void *user, long node, const bnb_deduction *step)
{
    if (node == 0 && step->kind == BNB_STEP_REDUCED_COST)
        (*(int *)user)++;
}

/* Columns fixed at the root alone, nothing but the LP and its duals being used. */
static int fixed_at_root(const lp_model *m, double cutoff, int picked_duals)
{
    int count = 0;
    const bnb_proof proof = {&count, ignore_cut, ignore_branch, count_deduction, ignore_leaf};
    bnb_params p = quiet_params();
    p.proof = &proof;
    p.cutoff = cutoff;
    p.tuning.picked_duals = picked_duals;
    p.tuning.reliability = 0;
    p.tuning.dive = p.tuning.rounding = p.tuning.rins = p.tuning.propagation = false;
    p.tuning.cut_rounds_root = p.tuning.cut_rounds_node = 0;
    p.node_limit = 1;
    OWNED(bnb_result) r = bnb_solve(m, &p, NULL);
    return count;
}

static void add_row(lp_model *m, double upper, int count, const int *col, const double *value)
{
    const int start[2] = {0, count};
    const double lower = -LP_INFINITY;
    lp_model_add_rows(m, 1, &lower, &upper, start, col, value, NULL);
}

/* Each item is made in one stage or more and kept until its own, when it is used; what is kept at
 * a time has a limit, keeping costs next to nothing, and what is made costs less the later. Most
 * rows "what is kept was kept or made" are met as 0 <= 0: the LP has many optimal duals. */
static lp_model *keeping_model(int items, int stages, uint64_t seed)
{
    base_rng rng = {seed};
    lp_model *m = lp_model_create();
    OWNED(int) *kept = base_malloc((size_t)items * (size_t)stages, sizeof *kept);
    OWNED(double) *size = base_malloc((size_t)items, sizeof *size);
    for (int i = 0; i < items; i++) {
        const double cost = 20 + (double)base_rng_below(&rng, 60);
        const int use = stages / 2 + (int)base_rng_below(&rng, (uint64_t)(stages - stages / 2));
        size[i] = 5 + (double)base_rng_below(&rng, 20);
        for (int t = 0; t < stages; t++)
            kept[t * items + i] =
                lp_model_add_col(m, 0.01, t == use, t <= use, true, 0, NULL, NULL, NULL);
        for (int t = 0; t + 1 < stages; t++) {
            const int next = kept[(t + 1) * items + i], now = kept[t * items + i];
            const int made =
                lp_model_add_col(m, cost + 2 * (stages - t), 0, 1, true, 0, NULL, NULL, NULL);
            add_row(m, 0, 3, (int[]){next, now, made}, (double[]){1, -1, -1});
        }
    }
    for (int t = 0; t < stages; t++)
        add_row(m, 4.0 * items, items, kept + t * items, size);
    return m;
}

TEST(picked_duals_fix_more)
{
    int own = 0, picked = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        OWNED(lp_model) *m = keeping_model(20, 30, seed);
        OWNED(lp_solver) *lp = lp_solver_create(m, NULL);
        ck_assert_int_eq(lp_solve(lp), LP_OPTIMAL);
        const double cutoff = 1.001 * lp_objective(lp);
        own += fixed_at_root(m, cutoff, 0);
        picked += fixed_at_root(m, cutoff, 1);
    }
    ck_assert_int_gt(own, 0);
    ck_assert_int_gt(picked, own + own / 4);
}

/* From the slacks, with every row lazy. */
static bnb_result solve_lazily(const lp_model *m, bnb_params p)
{
    unsigned char *basis = base_malloc((size_t)m->cols + (size_t)m->rows, 1);
    OWNED(double) *point = base_malloc((size_t)m->cols, sizeof *point);
    memset(basis, LP_AT_LOWER, (size_t)m->cols);
    memset(basis + m->cols, LP_BASIC, (size_t)m->rows);
    memcpy(point, m->lower, (size_t)m->cols * sizeof *point);
    p.basis = basis;
    p.point = point;
    p.tuning.lazy_rows = p.tuning.picked_duals = 1;
    p.tuning.restart_cols = 0;
    bnb_result r = bnb_solve(m, &p, NULL);
    base_free(basis);
    return r;
}

/* At roots that end before all lazy rows are in, too. */
TEST(picked_early_the_optimum_stays)
{
    int solved = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        OWNED(lp_model) *m = keeping_model(12, 20, seed);
        bnb_params p = quiet_params();
        OWNED(bnb_result) plain = bnb_solve(m, &p, NULL);
        solved += plain.status == BNB_OPTIMAL;
        p.tuning.dive = p.tuning.rounding = p.tuning.rins = seed % 3 == 0;
        for (int k = 0; k < 3; k++) {
            p.cutoff = k == 0 ? LP_INFINITY : plain.objective * (k == 1 ? 1.02 : 1 + 1e-5);
            OWNED(bnb_result) r = solve_lazily(m, p);
            ck_assert_int_eq(r.status, plain.status);
            if (r.has_solution) {
                ck_assert_double_eq_tol(r.objective, plain.objective, 1e-6);
                ck_assert(lp_largest_miss(m, r.x, 1e-9, NULL) <= 1.0);
            }
        }
    }
    ck_assert_int_gt(solved, 6);
}
