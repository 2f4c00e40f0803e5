/* Limits, cutoff and interruption. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lp/safe.h"
#include "lp/simplex/compute.h"
#include "tests/clock.h"
#include "tests/lp/certify.h"
#include "tests/lp/compare.h"
#include "tests/lp/owned.h"
#include "tests/lp/sample.h"
#include "tests/lp/simplex_models.h"
#include "tests/suite.h"

SUITE("limits", .seconds = 120);

TEST(iteration_limit_is_kept)
{
    OWNED(lp_model) *m = simplex_model(8, 12, 3);
    lp_params params = lp_params_default();
    lp_solver *s = lp_solver_create(m, &params);
    ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
    double objective = lp_objective(s);
    lp_solver_free(s);
    params.iteration_limit = 7;
    s = lp_solver_create(m, &params);
    double bound = -INFINITY;
    int rounds = 0;
    for (lp_status status = LP_ITERATION_LIMIT; status != LP_OPTIMAL; rounds++) {
        long before = lp_iterations(s);
        status = lp_solve(s);
        ck_assert(status == LP_ITERATION_LIMIT || status == LP_OPTIMAL);
        ck_assert_int_le(lp_iterations(s) - before, 7);
        ck_assert_double_ge(lp_dual_objective(s), bound - 1e-6);
        ck_assert_double_le(lp_dual_objective(s), objective + 1e-7 * (1 + fabs(objective)));
        bound = lp_dual_objective(s);
    }
    ck_assert_int_gt(rounds, 3);
    ck_assert_double_eq_tol(lp_objective(s), objective, 1e-8 * (1 + fabs(objective)));
    lp_solver_free(s);
}

/* Solves m in pieces of some iterations each, and in one: the same result by about the same pivots,
 * since a solve goes on where a limit ended the one before. */
static void solve_in_pieces(const lp_model *m, long piece, const char *family, uint64_t seed)
{
    lp_params params = lp_params_default();
    OWNED(lp_solver) *whole = lp_solver_create(m, &params);
    const lp_status wanted = lp_solve(whole);
    const long enough = 2 * lp_iterations(whole) + 200;
    params.iteration_limit = piece;
    OWNED(lp_solver) *s = lp_solver_create(m, &params);
    lp_status status = LP_ITERATION_LIMIT;
    for (long k = 0; k <= enough && status == LP_ITERATION_LIMIT; k++)
        status = lp_solve(s);
    ck_assert_msg(status == wanted && lp_iterations(s) <= enough,
                  "%s, seed %d, pieces of %ld: %s after %ld iterations, not %s after %ld", family,
                  (int)seed, piece, lp_status_name(status), lp_iterations(s),
                  lp_status_name(wanted), lp_iterations(whole));
    const char *bad = wanted == LP_NUMERICAL_TROUBLE ? "" : certify(m, s, status, 1e-7);
    ck_assert_msg(*bad == '\0', "%s, seed %d, pieces of %ld: %s", family, (int)seed, piece, bad);
}

static const long pieces[] = {1, 2, 7};
enum { PIECES = sizeof pieces / sizeof *pieces };

LOOP_TEST(solves_go_on_after_a_limit, SAMPLE_FAMILIES)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        base_rng rng = {seed};
        OWNED(lp_model) *m = sample_model(&rng, (sample_family)_i, 30, 40);
        solve_in_pieces(m, pieces[seed % PIECES], sample_family_name((sample_family)_i), seed);
    }
}

/* A solve goes on whichever limit ended it. */
TEST(every_limit_stops_a_solve)
{
    ck_assert(lp_is_stopped(LP_ITERATION_LIMIT));
    for (base_stop stop = BASE_STOP_TIME; stop <= BASE_STOP_WORK; stop++)
        ck_assert_msg(lp_is_stopped(lp_limit_status(stop)), "%s",
                      lp_status_name(lp_limit_status(stop)));
    for (lp_status status = LP_UNSOLVED; status < LP_ITERATION_LIMIT; status++)
        ck_assert(!lp_is_stopped(status));
    ck_assert(!lp_is_stopped(LP_NUMERICAL_TROUBLE));
}

/* Rows of sizes from one byte to gigabytes, in units of a large one, beside rows of ones. Their
 * pivots are of all sizes, so that the dual simplex sets rows aside. */
static lp_model *bytes_model(uint64_t seed)
{
    enum { ROWS = 24, SIZED = 12, COLS = 18 };
    base_rng rng = {seed};
    lp_model *m = lp_model_create();
    double size[COLS];
    for (int j = 0; j < COLS; j++) {
        const bool small = base_rng_below(&rng, 2);
        const int exponent = small ? 0 : 10 + (int)base_rng_below(&rng, 25);
        size[j] = ldexp(1.0 + (double)base_rng_below(&rng, 9), exponent - 34);
    }
    for (int r = 0; r < ROWS; r++) {
        const double most = size[base_rng_below(&rng, COLS)];
        lp_model_add_row(m, -LP_INFINITY, r < SIZED ? most : (double)base_rng_below(&rng, 2), NULL);
    }
    for (int j = 0; j < COLS; j++) {
        int row[ROWS], count = 0;
        double value[ROWS];
        for (int r = 0; r < ROWS; r++)
            if (base_rng_below(&rng, 3) == 0) {
                const double sign = base_rng_below(&rng, r < SIZED ? 4 : 2) ? 1.0 : -1.0;
                row[count] = r;
                value[count++] = r < SIZED ? sign * size[j] : sign;
            }
        lp_model_add_col(m, (double)base_rng_below(&rng, 4) - 2.0, 0, 1, false, count, row, value,
                         NULL);
    }
    return m;
}

/* A row that was set aside is infeasible all the same when the solve goes on. */
LOOP_TEST(rows_set_aside_come_back, PIECES)
{
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        OWNED(lp_model) *m = bytes_model(seed);
        solve_in_pieces(m, pieces[_i], "sizes in bytes", seed);
    }
}

TEST(cutoff_is_a_bound)
{
    int cut = 0;
    for (int seed = 0; seed < 30; seed++) {
        OWNED(lp_model) *m = simplex_model(7 + seed % 2, 5, (uint64_t)seed);
        m->offset = 3.0;
        lp_params params = lp_params_default();
        lp_solver *s = lp_solver_create(m, &params);
        lp_status status = lp_solve(s);
        double objective = lp_objective(s);
        lp_solver_free(s);
        if (status == LP_OPTIMAL) {
            params.cutoff = 0.5 * (3.0 + objective);
            s = lp_solver_create(m, &params);
            status = lp_solve(s);
            ck_assert(status == LP_CUTOFF || objective <= params.cutoff + 1e-9);
            if (status == LP_CUTOFF) {
                ck_assert_double_gt(lp_dual_objective(s), params.cutoff);
                ck_assert_double_le(lp_dual_objective(s), objective + 1e-7);
                cut++;
            }
            lp_solver_params(s)->cutoff = objective + 1e-3;
            ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
            ck_assert_double_eq_tol(lp_objective(s), objective, 1e-7);
            lp_solver_free(s);
        }
    }
    ck_assert_int_gt(cut, 5);
}

/* Costs that had to be shifted for the dual simplex to begin say nothing about the cutoff: its
 * status comes with multipliers that prove it, here on models some of which are infeasible. */
LOOP_TEST(cutoff_is_proven, SAMPLE_FAMILIES)
{
    static const double cutoffs[] = {-10.0, 0.0, 1.0, 20.0, 1e3};
    int cut = 0, infeasible = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        for (size_t k = 0; k < sizeof cutoffs / sizeof *cutoffs; k++) {
            base_rng rng = {seed};
            OWNED(lp_model) *m = sample_model(&rng, (sample_family)_i, 30, 40);
            lp_params params = lp_params_default();
            params.cutoff = cutoffs[k];
            OWNED(lp_solver) *s = lp_solver_create(m, &params);
            lp_status status = lp_solve(s);
            infeasible += status == LP_INFEASIBLE;
            if (status == LP_CUTOFF) {
                double room = 1e-7 * (1.0 + fabs(params.cutoff));
                double safe = lp_safe_bound(m, NULL, NULL, lp_dual(s), NULL);
                cut++;
                const bool open = lp_open_column(m) >= 0 && isinf(safe);
                ck_assert_msg(lp_dual_objective(s) > params.cutoff &&
                                  (open || safe > params.cutoff - room),
                              "%s, seed %d: cutoff %g, dual objective %g, safe bound %g",
                              sample_family_name((sample_family)_i), (int)seed, params.cutoff,
                              lp_dual_objective(s), safe);
            } else if (status != LP_NUMERICAL_TROUBLE || _i != SAMPLE_NEARLY_SINGULAR) {
                const char *bad = certify(m, s, status, 1e-7);
                ck_assert_msg(*bad == '\0', "%s, seed %d, cutoff %g: %s",
                              sample_family_name((sample_family)_i), (int)seed, params.cutoff, bad);
            }
        }
    }
    if (_i == SAMPLE_COVERING)
        ck_assert(cut > 20 && infeasible > 2);
}

/* The model takes a second without a limit. */
TEST(time_limit_and_interrupt)
{
    OWNED(lp_model) *m = simplex_model(7, 120, 5);
    lp_params params = lp_params_default();
    params.limits.deadline = base_seconds() + 0.02;
    OWNED(lp_solver) *s = lp_solver_create(m, &params);
    const double before = processor_seconds();
    lp_status status = lp_solve(s);
    ck_assert_str_eq(lp_status_name(status), "time limit");
    ck_assert_double_lt(processor_seconds() - before, 1.0);
    base_flag stop = 1;
    lp_solver_params(s)->limits = (base_limits){.interrupt = &stop};
    ck_assert_str_eq(lp_status_name(lp_solve(s)), "interrupted");
    lp_solver_params(s)->limits = (base_limits){.memory_bytes = 1};
    ck_assert_str_eq(lp_status_name(lp_solve(s)), "memory limit");
}

typedef struct reading {
    const char *path;
    int checks; /* of the interrupt, before it comes; < 0: never */
    lp_model *model;
} reading;

static bool is_due(void *data)
{
    reading *r = data;
    if (r->checks <= 0)
        return r->checks == 0;
    r->checks--;
    return false;
}

static void read_step(void *data)
{
    reading *r = data;
    r->model = lp_model_read(r->path, NULL);
}

/* A file of some thousand lines and words: the limits are checked while it is read from the disk
 * and several times in its text. */
LOOP_TEST(reading_is_interrupted, 2)
{
    const char *path = temporary_path(_i == 0 ? "long.mps" : "long.lp");
    base_error error;
    lp_model *m = lp_model_create();
    int row = lp_model_add_row(m, 0.0, 1.0, NULL);
    double value = 1.0;
    for (int j = 0; j < 6000; j++)
        lp_model_add_col(m, 1.0, 0.0, 1.0, false, 1, &row, &value, NULL);
    ck_assert_int_eq(lp_model_write(m, path, &error), 0);
    lp_model_free(m);
    reading r = {.path = path, .checks = -1};
    const base_limits limits = {.should_stop = is_due, .should_stop_context = &r};
    ck_assert_int_eq(base_try(&limits, read_step, &r), BASE_GO);
    ck_assert_int_eq(r.model->cols, 6000);
    lp_model_free(r.model);
    for (int checks = 0; checks < 8; checks++) {
        r.checks = checks;
        ck_assert_int_eq(base_try(&limits, read_step, &r), BASE_STOP_INTERRUPT);
    }
    remove(path);
}

/* Work is counted in every solve, also where one goes back to factors that were kept, as in strong
 * branching, or where rows come: a pivot never costs nothing. */
TEST(work_is_counted)
{
    OWNED(lp_model) *m = simplex_model(8, 12, 3);
    OWNED(lp_solver) *s = lp_solver_create(m, NULL);
    unsigned char *basis = base_malloc((size_t)(m->cols + m->rows) + 2, 1);
    ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
    lp_get_basis(s, basis);
    const uint64_t start = base_work_done();
    uint64_t all = 0;
    for (int trial = 0; trial < 40; trial++) {
        const int j = trial % m->cols;
        const double x = lp_primal(s)[j];
        const uint64_t before = base_work_done();
        const long iterations = lp_iterations(s);
        lp_set_bounds(s, j, m->lower[j], fmax(m->lower[j], x - 1));
        lp_solve(s);
        const uint64_t done = base_work_done() - before;
        const long pivots = lp_iterations(s) - iterations;
        ck_assert_msg(done >= (uint64_t)pivots && done < 1000000000, "%llu steps, %ld pivots",
                      (unsigned long long)done, pivots);
        all += done;
        lp_set_bounds(s, j, m->lower[j], m->upper[j]);
        lp_set_basis(s, basis);
        ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
    }
    ck_assert_uint_ge(base_work_done() - start, all);
    const double lower = -LP_INFINITY, upper = LP_INFINITY;
    const uint64_t before = base_work_done();
    lp_add_rows(s, 1, &lower, &upper, (int[]){0, 0}, NULL, NULL);
    lp_solve(s);
    ck_assert(base_work_done() > before && base_work_done() - before < 1000000000);
    base_free(basis);
}
