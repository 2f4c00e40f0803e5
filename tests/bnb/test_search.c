/* Statuses, limits, callbacks, threads and the proof events of the search. */
#include "models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lp/safe.h"
#include "tests/clock.h"
#include "tests/lp/owned.h"
#include "tests/suite.h"

SUITE("search", .seconds = 120);

/* A multi-dimensional knapsack that takes a while: n binaries, rows of weights 1..1000. */
static lp_model *hard_model(int n, int rows, uint64_t seed)
{
    base_rng rng = {seed};
    lp_model *m = lp_model_create();
    for (int j = 0; j < n; j++)
        lp_model_add_col(m, -(double)(300 + base_rng_below(&rng, 700)), 0.0, 1.0, true, 0, NULL,
                         NULL, NULL);
    for (int r = 0; r < rows; r++) {
        int cols[200];
        double values[200], sum = 0.0;
        for (int j = 0; j < n; j++) {
            cols[j] = j;
            values[j] = 1.0 + (double)base_rng_below(&rng, 1000);
            sum += values[j];
        }
        const int start[2] = {0, n};
        const double none = -LP_INFINITY, half = floor(sum / 2.0);
        lp_model_add_rows(m, 1, &none, &half, start, cols, values, NULL);
    }
    return m;
}

/* ---- statuses ----------------------------------------------------------- */

static int add_column(lp_model *m, double cost, double lower, double upper, bool integer)
{
    return lp_model_add_col(m, cost, lower, upper, integer, 0, NULL, NULL, NULL);
}

static void add_row(lp_model *m, double lower, double upper, int count, const int *cols,
                    const double *values)
{
    const int start[2] = {0, count};
    lp_model_add_rows(m, 1, &lower, &upper, start, cols, values, NULL);
}

static bnb_result solve(const lp_model *m)
{
    const bnb_params p = quiet_params();
    return bnb_solve(m, &p, NULL);
}

TEST(model_without_rows)
{
    OWNED(lp_model) *m = lp_model_create();
    m->offset = 10.0;
    add_column(m, 2.0, -3.5, 4.0, true);
    add_column(m, -1.0, 0.0, 2.5, false);
    OWNED(bnb_result) r = solve(m);
    ck_assert_int_eq(r.status, BNB_OPTIMAL);
    ck_assert_double_eq_tol(r.objective, 10.0 - 6.0 - 2.5, 1e-9);
}

TEST(model_without_integers_or_columns)
{
    OWNED(lp_model) *m = lp_model_create();
    bnb_result r = solve(m);
    ck_assert_int_eq(r.status, BNB_OPTIMAL);
    ck_assert_double_eq(r.objective, 0.0);
    bnb_result_clear(&r);
    const int cols[2] = {add_column(m, 1.0, 0.0, LP_INFINITY, false),
                         add_column(m, 2.0, -LP_INFINITY, LP_INFINITY, false)};
    const double values[2] = {1.0, 1.0};
    add_row(m, 3.0, LP_INFINITY, 2, cols, values);
    const double apart[2] = {1.0, -1.0};
    add_row(m, -1.0, 1.0, 2, cols, apart);
    r = solve(m);
    ck_assert_int_eq(r.status, BNB_OPTIMAL);
    ck_assert_double_eq_tol(r.objective, 4.0, 1e-7);
    bnb_result_clear(&r);
}

TEST(free_integers)
{
    OWNED(lp_model) *m = lp_model_create();
    const int cols[2] = {add_column(m, 1.0, -LP_INFINITY, LP_INFINITY, true),
                         add_column(m, 1.0, -LP_INFINITY, LP_INFINITY, true)};
    const double a[2] = {2.0, 5.0}, b[2] = {3.0, -1.0};
    add_row(m, -30.5, LP_INFINITY, 2, cols, a);
    add_row(m, -12.5, 8.0, 2, cols, b);
    OWNED(bnb_result) r = solve(m);
    ck_assert_int_eq(r.status, BNB_OPTIMAL);
    /* Enumerated by hand over -40..40: least x + y. */
    double best = LP_INFINITY;
    for (int x = -40; x <= 40; x++)
        for (int y = -40; y <= 40; y++)
            if (2 * x + 5 * y >= -30.5 && 3 * x - y >= -12.5 && 3 * x - y <= 8.0)
                best = fmin(best, x + y);
    ck_assert_double_eq_tol(r.objective, best, 1e-6);
}

TEST(unbounded_and_infeasible)
{
    OWNED(lp_model) *m = lp_model_create();
    const int cols[2] = {add_column(m, -1.0, 0.0, LP_INFINITY, true),
                         add_column(m, 0.0, 0.0, LP_INFINITY, true)};
    const double a[2] = {1.0, -1.0};
    add_row(m, -LP_INFINITY, 3.5, 2, cols, a);
    bnb_result r = solve(m);
    ck_assert_int_eq(r.status, BNB_UNBOUNDED);
    bnb_result_clear(&r);
    /* The same LP ray, but 2y - 2z = 1 has no integral point. */
    const double even[2] = {2.0, -2.0};
    add_row(m, 1.0, 1.0, 2, cols, even);
    m->upper[0] = m->upper[1] = 50.0;
    r = solve(m);
    ck_assert_int_eq(r.status, BNB_INFEASIBLE);
    ck_assert(!r.has_solution);
    bnb_result_clear(&r);
    m->lower[0] = 0.4;
    m->upper[0] = 0.6; /* no integer inside */
    r = solve(m);
    ck_assert_int_eq(r.status, BNB_INFEASIBLE);
    bnb_result_clear(&r);
}

TEST(cutoff_excludes_the_optimum)
{
    OWNED(lp_model) *m = hard_model(20, 3, 7);
    bnb_params p = quiet_params();
    OWNED(bnb_result) r = bnb_solve(m, &p, NULL);
    ck_assert_int_eq(r.status, BNB_OPTIMAL);
    p.cutoff = r.objective; /* nothing is below */
    OWNED(bnb_result) none = bnb_solve(m, &p, NULL);
    ck_assert_int_eq(none.status, BNB_INFEASIBLE);
    p.cutoff = r.objective + 1.0;
    OWNED(bnb_result) again = bnb_solve(m, &p, NULL);
    ck_assert_int_eq(again.status, BNB_OPTIMAL);
    ck_assert_double_eq_tol(again.objective, r.objective, 1e-6);
}

/* ---- limits ------------------------------------------------------------- */

static void check_stopped(const lp_model *m, bnb_params *p, bnb_status expected)
{
    OWNED(bnb_result) r = bnb_solve(m, p, NULL);
    ck_assert_int_eq(r.status, expected);
    ck_assert(r.bound <= r.objective);
    ck_assert(isfinite(r.bound));
    if (r.has_solution)
        ck_assert(lp_largest_miss(m, r.x, 1e-6, NULL) <= 1.0);
}

TEST(limits_stop_the_search)
{
    OWNED(lp_model) *m = hard_model(120, 12, 3);
    for (int threads = 1; threads <= 2; threads++) {
        bnb_params p = quiet_params();
        p.threads = threads;
        p.node_limit = 40;
        check_stopped(m, &p, BNB_LIMIT_NODES);
        p = quiet_params();
        p.threads = threads;
        const double before = processor_seconds();
        p.limits.deadline = base_seconds() + 0.8;
        check_stopped(m, &p, BNB_LIMIT_TIME);
        ck_assert_double_lt(processor_seconds() - before, threads * (0.8 + 2.0));
    }
}

TEST(memory_limit_and_interrupt)
{
    static base_flag interrupt;
    OWNED(lp_model) *m = hard_model(120, 12, 4);
    bnb_params p = quiet_params();
    p.limits.memory_bytes = base_memory_used() + 3000000;
    check_stopped(m, &p, BNB_LIMIT_MEMORY);
    p = quiet_params();
    interrupt = 1;
    p.limits.interrupt = &interrupt;
    OWNED(bnb_result) r = bnb_solve(m, &p, NULL);
    ck_assert_int_eq(r.status, BNB_INTERRUPTED);
}

/* ---- lazy rows ---------------------------------------------------------- */

/* A knapsack with many precedences x_i <= x_j and conflicts: few rows matter at a time. */
static lp_model *precedence_model(uint64_t seed)
{
    enum { COLS = 30, PAIRS = 150 };
    base_rng rng = {seed};
    lp_model *m = lp_model_create();
    int cols[COLS];
    double weights[COLS], sum = 0.0;
    for (int j = 0; j < COLS; j++) {
        add_column(m, -(double)(1 + base_rng_below(&rng, 40)), 0.0, 1.0, true);
        cols[j] = j;
        weights[j] = 1.0 + (double)base_rng_below(&rng, 30);
        sum += weights[j];
    }
    add_row(m, -LP_INFINITY, floor(0.4 * sum), COLS, cols, weights);
    for (int r = 0; r < PAIRS; r++) {
        const int a = (int)base_rng_below(&rng, COLS - 1);
        const int pair[2] = {a, a + 1 + (int)base_rng_below(&rng, (uint64_t)(COLS - 1 - a))};
        const double before[2] = {1.0, -1.0}, apart[2] = {1.0, 1.0};
        if (r % 6 == 0)
            add_row(m, -LP_INFINITY, 1.0, 2, pair, apart);
        else
            add_row(m, -LP_INFINITY, 0.0, 2, pair, before);
    }
    return m;
}

/* Most lazy rows of any presolve that the log tells of. */
static int lazy_rows_in(const char *log)
{
    int most = 0;
    for (const char *at = strstr(log, " lazy)"); at; at = strstr(at + 1, " lazy)")) {
        const char *digit = at;
        while (digit > log && digit[-1] != '(')
            digit--;
        const int count = (int)strtol(digit, NULL, 10);
        most = count > most ? count : most;
    }
    return most;
}

TEST(lazy_rows_are_enforced)
{
    int lazy = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        OWNED(lp_model) *m = precedence_model(seed);
        bnb_params p = quiet_params();
        p.tuning.lazy_rows = 0;
        OWNED(bnb_result) plain = bnb_solve(m, &p, NULL);
        char *text = NULL;
        size_t size = 0;
        p.log = 1;
        p.log_stream = open_memstream(&text, &size);
        p.tuning.lazy_rows = 10;
        p.tuning.restart_cols = 0;
        p.tuning.presolve = seed % 2 == 0;
        p.threads = seed % 5 == 0 ? 2 : 1;
        p.tuning.rounding = p.tuning.dive = p.tuning.rins = seed % 3 == 0;
        OWNED(bnb_result) r = bnb_solve(m, &p, NULL);
        fclose(p.log_stream);
        lazy += lazy_rows_in(text) > 0;
        free(text);
        ck_assert_int_eq(plain.status, BNB_OPTIMAL);
        ck_assert_int_eq(r.status, BNB_OPTIMAL);
        ck_assert_double_eq_tol(r.objective, plain.objective, 1e-6);
        ck_assert(lp_largest_miss(m, r.x, 1e-9, NULL) <= 1.0);
    }
    ck_assert_int_gt(lazy, 10);
}

/* ---- threads ------------------------------------------------------------ */

TEST(same_optimum_for_any_threads)
{
    OWNED(lp_model) *m = hard_model(40, 5, 11);
    double optimum = 0.0;
    long nodes = 0;
    for (int run = 0; run < 4; run++) {
        bnb_params p = quiet_params();
        p.threads = run < 1 ? 1 : run < 2 ? 3 : 4; /* the last two: the same run twice */
        p.tuning.cut_rounds_root = 1;
        p.tuning.dive = p.tuning.rounding = p.tuning.rins = false;
        OWNED(bnb_result) r = bnb_solve(m, &p, NULL);
        ck_assert_int_eq(r.status, BNB_OPTIMAL);
        if (run == 0)
            optimum = r.objective;
        ck_assert_double_eq_tol(r.objective, optimum, 1e-6);
        if (run == 2)
            nodes = r.nodes;
        if (run == 3)
            ck_assert_int_eq(r.nodes, nodes);
        ck_assert_int_gt(r.nodes, 10);
    }
}

/* ---- callbacks ---------------------------------------------------------- */

typedef struct judge {
    const lp_model *m;
    int asked, incumbents;
    double last;
} judge;

/* Refuses solutions with an odd number of ones. */
static bool even_only(void *user, const double *x, double *objective)
{
    judge *j = user;
    int ones = 0;
    for (int k = 0; k < j->m->cols; k++)
        ones += x[k] > 0.5;
    j->asked++;
    *objective = lp_model_objective(j->m, x);
    return ones % 2 == 0 && lp_largest_miss(j->m, x, 1e-9, NULL) <= 1.0;
}

static void count_incumbent(void *user, const double *x, double objective, const char *source)
{
    judge *j = user;
    (void)x;
    ck_assert_ptr_nonnull(source);
    ck_assert(j->incumbents == 0 || objective < j->last);
    j->incumbents++;
    j->last = objective;
}

TEST(rejected_solutions_are_not_pruned)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        OWNED(lp_model) *m = random_model(seed % 2 ? 1 : 7, seed + 6000);
        double best = LP_INFINITY;
        for (unsigned point = 0; point < 1u << m->cols; point++) {
            double x[16];
            int ones = 0;
            for (int j = 0; j < m->cols; j++) {
                x[j] = point >> j & 1u;
                ones += (int)x[j];
            }
            if (ones % 2 == 0 && lp_largest_miss(m, x, 1e-9, NULL) <= 1.0)
                best = fmin(best, lp_model_objective(m, x));
        }
        judge j = {.m = m};
        const bnb_callbacks cb = {.user = &j, .accept = even_only, .incumbent = count_incumbent};
        const bnb_params p = quiet_params();
        OWNED(bnb_result) r = bnb_solve(m, &p, &cb);
        ck_assert_int_gt(j.asked, 0);
        ck_assert_int_eq(r.status, isinf(best) ? BNB_INFEASIBLE : BNB_OPTIMAL);
        if (r.has_solution)
            ck_assert_double_eq_tol(r.objective, best, 1e-7);
        ck_assert(r.has_solution == (j.incumbents > 0));
    }
}

typedef struct lazy {
    int calls, cut_calls;
} lazy;

/* Adds x_0 + x_1 <= 1 as a cut: callers know more than the model. */
static void add_lazy_cut(void *user, bnb_context *c, const double *x)
{
    lazy *l = user;
    const int cols[2] = {0, 1};
    const double ones[2] = {1.0, 1.0};
    const bnb_cut cut = {2, cols, ones, -LP_INFINITY, 1.0, 0};
    l->calls++;
    if (x[0] + x[1] > 1.0 + 1e-6) {
        bnb_add_cut(c, &cut);
        l->cut_calls++;
    }
}

static bool not_both(void *user, const double *x, double *objective)
{
    (void)user, (void)objective;
    return x[0] + x[1] < 1.5;
}

/* The cut of add_lazy_cut turned around: x_0 + x_1 >= 1. */
static void add_unmet_cut(void *user, bnb_context *c, const double *x)
{
    const int cols[2] = {0, 1};
    const double ones[2] = {1.0, 1.0};
    const bnb_cut cut = {2, cols, ones, 1.0, LP_INFINITY, 0};
    (void)user;
    if (x[0] + x[1] < 1.0 - 1e-6)
        bnb_add_cut(c, &cut);
}

static bool at_least_one(void *user, const double *x, double *objective)
{
    (void)user, (void)objective;
    return x[0] + x[1] > 0.5;
}

/* Presolve has removed all of the cut's columns: what is left of it cannot be met. */
TEST(cut_without_columns_ends_the_search)
{
    OWNED(lp_model) *m = hard_model(24, 3, 5);
    const bnb_callbacks cb = {.separate = add_unmet_cut, .accept = at_least_one};
    bnb_params p = quiet_params();
    m->upper[0] = m->upper[1] = 0.0;
    OWNED(bnb_result) r = bnb_solve(m, &p, &cb);
    ck_assert_int_eq(r.status, BNB_INFEASIBLE);
    ck_assert_int_eq(r.nodes, 1);
}

TEST(callers_cuts_and_priorities)
{
    OWNED(lp_model) *m = hard_model(14, 2, 5);
    m->cost[0] = m->cost[1] = -2000.0; /* both wanted, not both allowed */
    lazy l = {0};
    const bnb_callbacks cb = {.user = &l, .separate = add_lazy_cut, .accept = not_both};
    bnb_params p = quiet_params();
    OWNED(bnb_result) r = bnb_solve(m, &p, &cb);
    const double infinity = LP_INFINITY;
    const int cols[2] = {0, 1};
    const double ones[2] = {1.0, 1.0};
    add_row(m, -infinity, 1.0, 2, cols, ones);
    OWNED(bnb_result) with_row = bnb_solve(m, &p, NULL);
    ck_assert_int_eq(r.status, BNB_OPTIMAL);
    ck_assert_double_eq_tol(r.objective, with_row.objective, 1e-6);
    ck_assert(l.calls > 0 && l.cut_calls > 0);
}

/* ---- proof events ------------------------------------------------------- */

enum { MAX_NODES = 20000 };

typedef struct ledger {
    const lp_model *m;
    bool open[MAX_NODES], known[MAX_NODES];
    int opened, closed, farkas, bounds;
    long highest;
} ledger;

static void on_branch(void *user, long node, int col, double value, long down, long up)
{
    ledger *l = user;
    ck_assert(l->m->integer[col] && value == floor(value));
    ck_assert(down < MAX_NODES && up < MAX_NODES && l->open[node]);
    ck_assert(!l->known[down] && !l->known[up]);
    l->open[node] = false;
    l->open[down] = l->open[up] = l->known[down] = l->known[up] = true;
    l->opened += 2;
    l->closed++;
}

static void on_leaf(void *user, long node, const bnb_leaf *leaf)
{
    ledger *l = user;
    ck_assert(l->open[node]);
    l->open[node] = false;
    l->closed++;
    if ((leaf->kind == BNB_STEP_BOUND || leaf->kind == BNB_STEP_FARKAS) &&
        leaf->multipliers->cuts == 0 && leaf->kind == BNB_STEP_FARKAS) {
        ck_assert(lp_farkas_is_proof(l->m, leaf->lower, leaf->upper, leaf->multipliers->rows));
        l->farkas++;
    }
    if (leaf->kind == BNB_STEP_BOUND && leaf->multipliers->cuts == 0) {
        const double bound =
            lp_safe_bound(l->m, leaf->lower, leaf->upper, leaf->multipliers->rows, NULL);
        ck_assert(bound >= leaf->cutoff);
        l->bounds++;
    }
}

TEST(proof_events_close_the_tree)
{
    static ledger l;
    int nodes = 0, proofs = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        OWNED(lp_model) *m = seed % 3 ? hard_model(16, 3, seed) : random_model(5, seed + 7000);
        memset(&l, 0, sizeof l);
        l.m = m;
        l.open[0] = l.known[0] = true;
        l.opened = 1;
        const bnb_proof proof = {.user = &l, .branch = on_branch, .leaf = on_leaf};
        bnb_params p = quiet_params();
        p.proof = &proof;
        p.tuning.cuts_mir = p.tuning.cuts_gomory = false;
        OWNED(bnb_result) r = bnb_solve(m, &p, NULL);
        ck_assert(r.status == BNB_OPTIMAL || r.status == BNB_INFEASIBLE);
        ck_assert_msg(l.opened == l.closed, "seed %lu: %d nodes opened, %d closed",
                      (unsigned long)seed, l.opened, l.closed);
        nodes += l.opened;
        proofs += l.farkas + l.bounds;
    }
    ck_assert_int_gt(nodes, 100);
    ck_assert_int_gt(proofs, 20);
}
