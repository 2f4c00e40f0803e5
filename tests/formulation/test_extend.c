/* Duals of a restricted model on the whole one: always a bound, never above the optimum. */
#include <math.h>
#include <string.h>

#include "formulation/extend.h"
#include "formulation/key.h"
#include "lp/safe.h"
#include "tests/formulation/support.h"
#include "tests/lp/owned.h"
#include "tests/oracle/oracle.h"
#include "tests/suite.h"

SUITE("extension", .seconds = 120);

typedef struct pair {
    random_instance instance;
    formulation *small, *whole;
    uint8_t *mask, *full;
} pair;

/* The small model's mask loses each bit with that chance. r stays in place: the models point to its
 * problem. */
static void make_pair(pair *r, uint64_t seed, unsigned drop_percent, unsigned features)
{
    r->instance = mixed_instance(seed, 6);
    const problem *p = &r->instance.problem;
    size_t cells = (size_t)r->instance.graph->n * (size_t)r->instance.graph->n;
    base_rng rng = {seed};
    r->full = formulation_mask_full(p, features);
    r->mask = base_malloc(cells, 1);
    memcpy(r->mask, r->full, cells);
    for (size_t c = 0; c < cells; c++)
        for (int bit = 1; bit < MASK_ALL; bit <<= 1)
            if (base_rng_below(&rng, 100) < drop_percent)
                r->mask[c] &= (uint8_t)~bit;
    r->small = formulation_build(p, features, r->mask, 1.0);
    r->whole = formulation_build(p, features & ~(unsigned)FORMULATION_MERGE, r->full, 1.0);
}

static void free_pair(pair *r)
{
    formulation_free(r->small);
    formulation_free(r->whole);
    base_free(r->mask);
    base_free(r->full);
    random_instance_free(&r->instance);
}

/* The whole model with the cuts as rows at its end. */
static lp_model *with_cuts(const formulation *f, const event_cut_list *cuts)
{
    lp_model *m = lp_model_copy(f->model);
    for (int c = 0; c < cuts->count; c++) {
        int start[2] = {0, cuts->cut[c].count};
        double lower = -LP_INFINITY;
        lp_model_add_rows(m, 1, &lower, &cuts->cut[c].upper, start, cuts->cut[c].col,
                          cuts->cut[c].value, NULL);
    }
    return m;
}

/* The bound that y and cut_y, over the small model's rows and the cuts, give for the whole. */
static double extended_bound(const pair *r, const double *y, const event_cut_list *cuts,
                             const double *cut_y)
{
    OWNED(lp_model) *m = with_cuts(r->whole, cuts);
    extension *e = extension_create(r->whole);
    extension_restrict(e, r->small);
    OWNED(double) *y_whole = base_calloc((size_t)m->rows + 1, sizeof *y_whole);
    OWNED(double) *d = base_calloc((size_t)m->cols + 1, sizeof *d);
    OWNED(double) *check = base_calloc((size_t)m->cols + 1, sizeof *check);
    extension_apply(e, m->upper, y, cuts, cut_y, y_whole, d);
    memcpy(y_whole + r->whole->model->rows, cut_y, (size_t)cuts->count * sizeof *cut_y);
    double bound = lp_safe_bound(m, NULL, NULL, y_whole, check);
    bool signs = true; /* lp_safe_bound takes a multiplier of the wrong sign for 0 */
    for (int k = 0; k < m->rows; k++)
        signs = signs && (y_whole[k] <= 0 || m->row_lower[k] > -LP_INFINITY);
    for (int j = 0; j < m->cols && signs; j++)
        ck_assert_double_eq_tol(d[j], check[j], 1e-7 * (1 + fabs(d[j])));
    extension_free(e);
    return bound;
}

static double optimum_of(const pair *r)
{
    oracle_result o = oracle_solve(&r->instance.problem);
    schedule_free(o.schedule);
    return o.overhead_joules;
}

static void check_bound(double bound, double optimum, uint64_t seed)
{
    ck_assert_msg(bound <= optimum + 1e-9 * (1 + fabs(optimum)),
                  "seed %llu: a bound of %.12g, the optimum is %.12g", (unsigned long long)seed,
                  bound, optimum);
}

TEST(optimal_duals)
{
    int solved = 0, useful = 0;
    for (uint64_t seed = 0; seed < 250; seed++) {
        pair r;
        make_pair(&r, seed, seed % 2 ? 15 : 40, FORMULATION_DEFAULT);
        OWNED(lp_solver) *lp = lp_solver_create(r.small->model, NULL);
        if (lp_solve(lp) == LP_OPTIMAL) {
            event_cut_list cuts = {0};
            double none[1] = {0}, optimum = optimum_of(&r);
            double bound = extended_bound(&r, lp_dual(lp), &cuts, none);
            check_bound(bound, optimum, seed);
            solved++;
            useful += bound > 0.5 * lp_objective(lp) && bound > 0;
        }
        free_pair(&r);
    }
    ck_assert_int_gt(solved, 80);
    ck_assert_int_gt(useful, 15);
}

/* The part of the bound that comes from the rows' sides. */
static double rows_part(const lp_model *m, const double *y)
{
    double sum = 0;
    for (int r = 0; r < m->rows; r++)
        sum += y[r] > 0 ? y[r] * m->row_lower[r] : y[r] < 0 ? y[r] * m->row_upper[r] : 0;
    return sum;
}

/* What missing cells lack shows as their negative reduced costs, so that they can be asked for: no
 * row pays for it with its constant. */
TEST(nothing_is_paid_unseen)
{
    int solved = 0;
    for (uint64_t seed = 0; seed < 250; seed++) {
        pair r;
        make_pair(&r, seed, seed % 2 ? 15 : 40, FORMULATION_DEFAULT);
        OWNED(lp_solver) *lp = lp_solver_create(r.small->model, NULL);
        if (lp_solve(lp) == LP_OPTIMAL) {
            const lp_model *m = r.whole->model;
            event_cut_list cuts = {0};
            double none[1] = {0};
            OWNED(double) *y = base_calloc((size_t)m->rows + 1, sizeof *y);
            OWNED(double) *d = base_calloc((size_t)m->cols + 1, sizeof *d);
            extension *e = extension_create(r.whole);
            extension_restrict(e, r.small);
            extension_apply(e, m->upper, lp_dual(lp), &cuts, none, y, d);
            double small = rows_part(r.small->model, lp_dual(lp)), whole = rows_part(m, y);
            ck_assert_msg(whole >= small - 1e-7 * (1 + fabs(small)),
                          "seed %llu: the rows give %.9g, %.9g before", (unsigned long long)seed,
                          whole, small);
            solved++;
            extension_free(e);
        }
        free_pair(&r);
    }
    ck_assert_int_gt(solved, 80);
}

/* Counts the rows of each kind that only repairs give a multiplier, since the small model has no
 * such row. */
static void count_repaired(const pair *r, const double *y, int repaired[ROW_KINDS])
{
    const lp_model *m = r->whole->model;
    const event_cut_list cuts = {0};
    double none[1] = {0};
    key_table small = key_table_create(r->small->row, r->small->model->rows);
    extension *e = extension_create(r->whole);
    extension_restrict(e, r->small);
    OWNED(double) *y_whole = base_calloc((size_t)m->rows + 1, sizeof *y_whole);
    OWNED(double) *d = base_calloc((size_t)m->cols + 1, sizeof *d);
    extension_apply(e, m->upper, y, &cuts, none, y_whole, d);
    for (int row = 0; row < m->rows; row++)
        if (y_whole[row] != 0 && key_table_find_row(&small, r->whole->row[row]) < 0)
            repaired[r->whole->row[row].kind]++;
    extension_free(e);
    key_table_free(&small);
}

/* Actions that the small model lacks are paid for by the families that the table names, releases by
 * what they follow; families that pay for nothing stay as they are. */
TEST(families_pay_as_the_table_says)
{
    int repaired[ROW_KINDS] = {0};
    for (uint64_t seed = 0; seed < 250; seed++) {
        pair r;
        make_pair(&r, seed, 40, FORMULATION_DEFAULT);
        base_rng rng = {seed};
        const int rows = r.small->model->rows;
        double *y = base_malloc((size_t)rows + 1, sizeof *y);
        for (int row = 0; row < rows; row++) /* few, so that others have something to pay with */
            y[row] = base_rng_below(&rng, 8) == 0 ? -base_rng_double(&rng) : 0;
        count_repaired(&r, y, repaired);
        base_free(y);
        free_pair(&r);
    }
    static const row_kind paying[] = {ROW_INPUT,     ROW_INPUT_FREE, ROW_USED_IN,
                                      ROW_OUT_FIRST, ROW_LATE,       ROW_FREE_USE};
    for (size_t k = 0; k < sizeof paying / sizeof *paying; k++)
        ck_assert_msg(repaired[paying[k]] > 0, "rows %s pay for nothing",
                      formulation_rows[paying[k]].name);
    static const row_kind idle[] = {ROW_ONE, ROW_OUT_FROM, ROW_FREE_ONCE, ROW_OUT_ONCE, ROW_MEMORY};
    for (size_t k = 0; k < sizeof idle / sizeof *idle; k++)
        ck_assert_msg(repaired[idle[k]] == 0, "rows %s pay", formulation_rows[idle[k]].name);
}

/* Nothing missing: the bound is the LP's own. */
TEST(full_mask_loses_nothing)
{
    int positive = 0;
    for (uint64_t seed = 0; seed < 150; seed++) {
        pair r;
        make_pair(&r, seed, 0,
                  seed % 2 ? FORMULATION_DEFAULT
                           : FORMULATION_DEFAULT & ~(unsigned)FORMULATION_MERGE);
        OWNED(lp_solver) *lp = lp_solver_create(r.small->model, NULL);
        if (lp_solve(lp) == LP_OPTIMAL) {
            event_cut_list cuts = {0};
            double none[1] = {0};
            double bound = extended_bound(&r, lp_dual(lp), &cuts, none);
            positive += lp_objective(lp) > 1e-6;
            ck_assert_msg(fabs(bound - lp_objective(lp)) <= 1e-6 * (1 + lp_objective(lp)),
                          "seed %llu: extended %.12g, LP %.12g", (unsigned long long)seed, bound,
                          lp_objective(lp));
        }
        free_pair(&r);
    }
    ck_assert_int_gt(positive, 40);
}

/* Whatever the multipliers, of whatever sign, with cuts among them. */
TEST(random_duals)
{
    base_rng rng = {11};
    int finite = 0, with = 0;
    for (uint64_t seed = 0; seed < 250; seed++) {
        pair r;
        make_pair(&r, seed, 25, FORMULATION_DEFAULT);
        OWNED(lp_solver) *lp = lp_solver_create(r.small->model, NULL);
        event_cut_list cuts = {0};
        if (lp_solve(lp) == LP_OPTIMAL)
            formulation_separate(r.small, lp_primal(lp), &cuts);
        for (int c = 0; c < cuts.count; c++)
            ck_assert(event_cut_express(r.whole, &cuts.cut[c]));
        double optimum = optimum_of(&r);
        double *y = base_calloc((size_t)r.small->model->rows + 1, sizeof *y);
        double *cut_y = base_calloc((size_t)cuts.count + 1, sizeof *cut_y);
        bool solved = lp_last_status(lp) == LP_OPTIMAL;
        for (int trial = 0; trial < 3; trial++) {
            for (int k = 0; k < r.small->model->rows; k++)
                y[k] = (solved ? lp_dual(lp)[k] : 0) + (trial > 0) * (base_rng_double(&rng) - 0.7);
            for (int c = 0; c < cuts.count; c++)
                cut_y[c] = -base_rng_double(&rng) * (trial + 0.1);
            double bound = extended_bound(&r, y, &cuts, cut_y);
            finite += isfinite(bound);
            check_bound(bound, optimum, seed);
        }
        with += cuts.count > 0;
        base_free(y);
        base_free(cut_y);
        event_cut_list_clear(&cuts);
        free_pair(&r);
    }
    ck_assert_int_gt(finite, 300);
    ck_assert_int_gt(with, 15);
}

/* Cells whose reduced cost exceeds the distance from bound to optimum are not in any better
 * schedule: without them the optimum is the same when the cutoff is above it. */
TEST(reduced_costs_eliminate)
{
    int removed = 0;
    for (uint64_t seed = 0; seed < 150; seed++) {
        pair r;
        make_pair(&r, seed, 0, FORMULATION_DEFAULT);
        int cells = r.instance.graph->n * r.instance.graph->n;
        OWNED(lp_solver) *lp = lp_solver_create(r.whole->model, NULL);
        double optimum = optimum_of(&r);
        if (lp_solve(lp) == LP_OPTIMAL && isfinite(optimum)) {
            OWNED(double) *d = base_malloc((size_t)r.whole->model->cols + 1, sizeof *d);
            double bound = lp_safe_bound(r.whole->model, NULL, NULL, lp_dual(lp), d);
            double cutoff = optimum + 0.01;
            for (int kind = 0; kind < CELL_KINDS; kind++)
                for (int c = 0; c < cells; c++) {
                    int col = r.whole->cell[kind][c];
                    if (col >= 0 && d[col] > cutoff - bound + 1e-9) {
                        r.full[c] &= (uint8_t)~formulation_kind_bit[kind];
                        removed++;
                    }
                }
            formulation_mask_propagate(&r.instance.problem, FORMULATION_DEFAULT, r.full);
            double left = mask_optimum(&r.instance.problem, FORMULATION_DEFAULT, r.full);
            ck_assert_msg(fabs(left - optimum) <= 1e-6 * (1 + optimum),
                          "seed %llu: %.9g is left of %.9g", (unsigned long long)seed, left,
                          optimum);
        }
        free_pair(&r);
    }
    ck_assert_int_gt(removed, 300);
}
