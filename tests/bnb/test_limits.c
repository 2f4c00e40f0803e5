/* A limit may come at any moment: in a root LP, in a trial of strong branching, in a dive. Whatever
 * it ends, nothing may be called proven that is not. */
#include "lp/safe.h"
#include "models.h"
#include "tests/lp/owned.h"
#include "tests/suite.h"

#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <time.h>

SUITE("limits", .seconds = 120);

LOOP_TEST(no_proof_from_a_limit, 3)
{
    OWNED(lp_model) *m = cover_model(80, 140, (uint64_t)_i);
    bnb_params p = quiet_params();
    p.tuning.lazy_rows = 20;
    const double start = base_seconds();
    OWNED(bnb_result) whole = bnb_solve(m, &p, NULL);
    const double took = base_seconds() - start;
    ck_assert_int_eq(whole.status, BNB_OPTIMAL);
    base_rng rng = {(uint64_t)_i};
    int stopped = 0;
    for (int trial = 0; trial < MANY(40); trial++) {
        bnb_params q = p;
        q.cutoff = whole.objective + 0.01 + 3.0 * base_rng_double(&rng);
        q.tuning.cuts_gomory = trial % 2 == 0;
        q.limits.deadline = base_seconds() + 0.5 * took * base_rng_double(&rng);
        OWNED(bnb_result) r = bnb_solve(m, &q, NULL);
        ck_assert_int_ne(r.status, BNB_INFEASIBLE);
        ck_assert_double_le(r.bound, whole.objective + 1e-6 * fabs(whole.objective));
        if (r.status == BNB_OPTIMAL)
            ck_assert_double_le(r.objective, whole.objective + 1e-6 * fabs(whole.objective));
        stopped += r.status == BNB_LIMIT_TIME;
    }
    ck_assert_int_gt(stopped, MANY(10));
}

/* A limit inside the first LP: what its duals have come to is a bound, better than that of the
 * costs (0 here). */
TEST(a_bound_from_an_unfinished_root)
{
    OWNED(lp_model) *m = cover_model(500, 900, 5);
    bnb_params p = quiet_params();
    p.tuning.presolve = false;
    lp_solver *lp = lp_solver_create(m, NULL);
    const double start = base_seconds();
    ck_assert_int_eq(lp_solve(lp), LP_OPTIMAL);
    const double took = base_seconds() - start, relaxation = lp_objective(lp);
    lp_solver_free(lp);
    int between = 0;
    for (int trial = 1; trial < 40; trial++) {
        bnb_params q = p;
        q.limits.deadline = base_seconds() + took * trial / 40;
        OWNED(bnb_result) r = bnb_solve(m, &q, NULL);
        if (r.status == BNB_LIMIT_TIME && r.iterations > 0 && r.bound < relaxation - 1e-6)
            between += r.bound > 1e-6;
    }
    ck_assert_int_gt(between, 2);
}

static double work_of_root(const lp_model *m, bnb_params p, double share)
{
    p.tuning.submip_work = share;
    p.node_limit = 1;
    OWNED(bnb_result) r = bnb_solve(m, &p, NULL);
    const double work = r.work;
    return work;
}

/* A sub-MIP that would take many times the work of its search gets a share of that. */
TEST(sub_mips_end)
{
    OWNED(lp_model) *m = cover_model(150, 260, 11);
    bnb_params p = quiet_params();
    p.tuning.restarts = p.tuning.dive = p.tuning.rounding = false;
    p.tuning.submip_nodes = 100000;
    p.tuning.submip_fixed = 0;
    const double without = work_of_root(m, p, 0);
    ck_assert_double_gt(work_of_root(m, p, 1000), 2 * without);
    ck_assert_double_le(work_of_root(m, p, 0.5), 1.5 * without);
    ck_assert_double_gt(work_of_root(m, p, 0.5), without);
}

/* Now and then a thread is held up where it looks at its limits. */
static bool hold_up(void *context)
{
    atomic_ulong *state = context;
    base_rng rng = {atomic_fetch_add(state, 0x9e3779b97f4a7c15u)};
    const struct timespec pause = {.tv_nsec = 300000};
    if (base_rng_below(&rng, 100) == 0)
        nanosleep(&pause, NULL);
    return false;
}

/* What a sub-MIP in the tree may take does not depend on how far the other threads are just then.
 */
LONG_TEST(sub_mips_of_threads_are_the_same)
{
    OWNED(lp_model) *m = cover_model(240, 400, 3);
    long iterations = 0;
    double work = 0;
    for (unsigned long run = 0; run < 2; run++) {
        atomic_ulong state = run;
        bnb_params p = quiet_params();
        p.threads = 3;
        p.tuning.restarts = p.tuning.dive = p.tuning.rounding = false;
        p.tuning.rins_first = 0;
        p.tuning.submip_fixed = 0;
        p.tuning.submip_work = 0.02;
        p.tuning.submip_nodes = 100000;
        p.tuning.heuristic_share = 10;
        p.node_limit = 40;
        p.limits.should_stop = hold_up;
        p.limits.should_stop_context = &state;
        OWNED(bnb_result) r = bnb_solve(m, &p, NULL);
        if (run > 0) {
            ck_assert_int_eq(r.iterations, iterations);
            ck_assert_double_eq(r.work, work);
        }
        iterations = r.iterations;
        work = r.work;
    }
}

/* Who writes the proof down has more to do or less, as the threads come. */
static void write_down(void *user)
{
    atomic_ulong *state = user;
    base_rng rng = {atomic_fetch_add(state, 0x9e3779b97f4a7c15u)};
    base_work(base_rng_below(&rng, 3000000));
}

static void write_branch(void *user, long node, int col, double value, long down, long up)
{
    (void)node, (void)col, (void)value, (void)down, (void)up;
    write_down(user);
}

static void write_leaf(void *user, long node, const bnb_leaf *leaf)
{
    (void)node, (void)leaf;
    write_down(user);
}

/* A plain tree of two threads, in rounds. */
static bnb_params in_rounds(void)
{
    bnb_params p = quiet_params();
    p.threads = 2;
    p.tuning.restarts = p.tuning.dive = p.tuning.rounding = p.tuning.rins = false;
    return p;
}

/* That is not the threads' work: rounds end where they ended. */
LONG_TEST(writing_down_decides_nothing)
{
    OWNED(lp_model) *m = cover_model(240, 400, 3);
    long iterations = 0;
    for (unsigned long run = 0; run < 2; run++) {
        atomic_ulong state = 7 * run;
        const bnb_proof proof = {&state, NULL, write_branch, NULL, write_leaf};
        bnb_params p = in_rounds();
        p.node_limit = 40;
        p.proof = &proof;
        OWNED(bnb_result) r = bnb_solve(m, &p, NULL);
        ck_assert_int_ge(r.nodes, 40);
        if (run > 0)
            ck_assert_int_eq(r.iterations, iterations);
        iterations = r.iterations;
    }
}

/* What a recorded search tells of its tree. */
typedef struct told {
    long branchings, leaves;
    double bound; /* the least of a leaf */
} told;

static void count_branch(void *user, long node, int col, double value, long down, long up)
{
    told *t = user;
    (void)node, (void)col, (void)value, (void)down, (void)up;
    t->branchings++;
}

static void count_leaf(void *user, long node, const bnb_leaf *leaf)
{
    told *t = user;
    (void)node;
    t->leaves++;
    if (leaf->kind == BNB_STEP_BOUND)
        t->bound = fmin(t->bound, leaf->bound);
}

static void hear_nothing(void *user, long node, const bnb_deduction *step)
{
    (void)user, (void)node, (void)step;
}

/* In small turns to the end. */
static bnb_status run_recorded(const lp_model *m, double cutoff, told *t)
{
    bnb_params p = quiet_params();
    bnb_status status = BNB_LIMIT_WORK;
    const bnb_proof proof = {t, NULL, count_branch, hear_nothing, count_leaf};
    p.proof = &proof;
    p.cutoff = cutoff;
    p.tuning.reliability = 0;
    p.tuning.cuts_gomory = p.tuning.cuts_mir = false;
    bnb_search *s = bnb_open(m, &p, NULL);
    while (status == BNB_LIMIT_WORK)
        status = bnb_run(s, 1000, LP_INFINITY, LONG_MAX);
    OWNED(bnb_result) r = bnb_close(s);
    return status;
}

/* A recorded search ends when all its leaves are told, each with a bound that is its own: that the
 * costs are whole numbers is no part of it. */
TEST(all_leaves_are_told)
{
    long leaves = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        OWNED(lp_model) *m = cover_model(30, 25, seed);
        bnb_params p = quiet_params();
        OWNED(bnb_result) best = bnb_solve(m, &p, NULL);
        ck_assert_int_eq(best.status, BNB_OPTIMAL);
        for (int below = 0; below < 2; below++) {
            told t = {.bound = LP_INFINITY};
            const double cutoff = below ? best.objective : LP_INFINITY;
            ck_assert_int_eq(run_recorded(m, cutoff, &t), below ? BNB_INFEASIBLE : BNB_OPTIMAL);
            ck_assert_int_eq(t.leaves, t.branchings + 1);
            ck_assert_double_ge(t.bound, best.objective * (1 - 1e-8));
            leaves += t.leaves;
        }
    }
    ck_assert_int_ge(leaves, 130); /* some branch */
}

/* In rounds two threads have nearly the same work, so that neither waits long for the other. */
LONG_TEST(threads_share_the_work)
{
    OWNED(lp_model) *m = cover_model(240, 400, 3);
    bnb_params p = in_rounds();
    p.node_limit = 100;
    bnb_search *s = bnb_open(m, &p, NULL);
    bnb_run(s, LP_INFINITY, LP_INFINITY, 1); /* the root is one thread's */
    const double work = bnb_so_far(s).work, before = (double)base_work_done();
    bnb_run(s, LP_INFINITY, LP_INFINITY, LONG_MAX);
    const double own = (double)base_work_done() - before;
    ck_assert_int_ge(bnb_so_far(s).nodes, 100);
    ck_assert_double_lt(own + bnb_so_far(s).waited, 0.57 * (bnb_so_far(s).work - work));
    OWNED(bnb_result) r = bnb_close(s);
}

/* A round that would take longer ends with the run's work. */
TEST(rounds_end_with_the_work)
{
    OWNED(lp_model) *m = cover_model(120, 210, 3);
    bnb_params p = in_rounds();
    p.tuning.round_nodes = 1000000;
    p.tuning.reliability = 0; /* whose first nodes would take as much as the root */
    bnb_search *s = bnb_open(m, &p, NULL);
    bnb_run(s, LP_INFINITY, LP_INFINITY, 1); /* the root is one thread's */
    const double root = bnb_so_far(s).work;
    for (int turn = 0; turn < 2; turn++) {
        const double before = bnb_so_far(s).work, most = 8 * root; /* more than 20 nodes */
        ck_assert_int_eq(bnb_run(s, 0.5 * most, most, LONG_MAX), BNB_LIMIT_WORK);
        ck_assert_double_ge(bnb_so_far(s).work - before, 0.5 * most);
        ck_assert_double_le(bnb_so_far(s).work - before, 1.1 * most);
    }
    OWNED(bnb_result) r = bnb_close(s);
}

/* By the limits each thread ends in the middle of a node, too, after its part of what is left, and
 * begins none where that is nothing. */
TEST(limits_are_of_all_threads)
{
    OWNED(lp_model) *m = cover_model(120, 210, 3);
    bnb_params p = in_rounds();
    p.tuning.round_nodes = 1000000;
    bnb_search *s = bnb_open(m, &p, NULL);
    bnb_run(s, LP_INFINITY, LP_INFINITY, 1);
    const double before = bnb_so_far(s).work, more = 3 * before;
    const long nodes = bnb_so_far(s).nodes;
    base_limits limits = {0};
    base_limits_shorten(&limits, 0);
    bnb_keep_limits(s, &limits);
    ck_assert_int_eq(bnb_run(s, LP_INFINITY, LP_INFINITY, LONG_MAX), BNB_LIMIT_WORK);
    ck_assert_int_eq(bnb_so_far(s).nodes, nodes);
    limits = (base_limits){0};
    base_limits_shorten(&limits, more);
    bnb_keep_limits(s, &limits);
    ck_assert_int_eq(bnb_run(s, LP_INFINITY, LP_INFINITY, LONG_MAX), BNB_LIMIT_WORK);
    ck_assert_double_ge(bnb_so_far(s).work - before, 0.9 * more);
    ck_assert_double_le(bnb_so_far(s).work - before, 1.02 * more);
    OWNED(bnb_result) r = bnb_close(s);
}

/* What a search that was run in slices found, and how many slices it took. */
static bnb_result solve_in_slices(const lp_model *m, const bnb_params *p, double work, int *slices)
{
    bnb_search *s = bnb_open(m, p, NULL);
    double bound = -LP_INFINITY;
    bnb_status status;
    *slices = 0;
    do {
        const double before = bnb_so_far(s).work;
        const long nodes = bnb_so_far(s).nodes;
        status = bnb_run(s, work, 2 * work, LONG_MAX);
        ck_assert(status != BNB_LIMIT_WORK || bnb_so_far(s).work >= before + work);
        ck_assert_int_ge(bnb_so_far(s).nodes, nodes);
        ck_assert_double_ge(bnb_so_far(s).bound, bound);
        bound = bnb_so_far(s).bound;
        ++*slices;
    } while (status == BNB_LIMIT_WORK && *slices < 10000);
    ck_assert_int_ne(status, BNB_LIMIT_WORK);
    return bnb_close(s);
}

/* An open search that goes on finds what one run finds, and twice the same on its way. */
LOOP_TEST(an_open_search_goes_on, 4)
{
    OWNED(lp_model) *m = cover_model(80, 140, 3);
    bnb_params p = quiet_params();
    p.threads = 1 + _i / 2;
    OWNED(bnb_result) whole = bnb_solve(m, &p, NULL);
    ck_assert_int_eq(whole.status, BNB_OPTIMAL);
    int slices, again;
    const double work = whole.work / (_i % 2 ? 100 : 20);
    OWNED(bnb_result) r = solve_in_slices(m, &p, work, &slices),
                      q = solve_in_slices(m, &p, work, &again);
    ck_assert_int_gt(slices, 3);
    ck_assert_int_eq(r.status, BNB_OPTIMAL);
    ck_assert_double_eq_tol(r.objective, whole.objective, 1e-6 * fabs(whole.objective));
    ck_assert_double_ge(r.bound, whole.objective - 1e-6 * fabs(whole.objective));
    ck_assert_int_eq(slices, again);
    ck_assert_int_eq(r.nodes, q.nodes);
    ck_assert_int_eq(r.iterations, q.iterations);
    ck_assert_double_le(r.work, 3 * whole.work); /* slices do not begin anew */
}

/* A node may take more work than a run. It is finished all the same: to begin it anew in each run
 * would be no progress. */
TEST(each_run_finishes_a_node)
{
    OWNED(lp_model) *m = cover_model(160, 280, 3);
    bnb_params p = quiet_params();
    bnb_search *s = bnb_open(m, &p, NULL);
    bnb_run(s, LP_INFINITY, LP_INFINITY, 1); /* the root */
    for (int run = 0; run < 10; run++) {
        const long nodes = bnb_so_far(s).nodes;
        ck_assert_int_eq(bnb_run(s, 1, 1, LONG_MAX), BNB_LIMIT_WORK);
        ck_assert_int_gt(bnb_so_far(s).nodes, nodes);
    }
    OWNED(bnb_result) r = bnb_close(s);
}

/* A root whose LP takes many runs of little work: it goes on where it was, and proves meanwhile. */
TEST(an_lp_goes_on)
{
    OWNED(lp_model) *m = cover_model(400, 700, 3);
    bnb_params p = quiet_params();
    p.tuning.presolve = p.tuning.dive = p.tuning.rounding = p.tuning.rins = false;
    p.tuning.cut_rounds_root = 0;
    bnb_search *s = bnb_open(m, &p, NULL);
    bnb_run(s, LP_INFINITY, LP_INFINITY, 1);
    const double whole = bnb_so_far(s).work;
    bnb_result r = bnb_close(s);
    bnb_result_clear(&r);
    s = bnb_open(m, &p, NULL);
    double before = bnb_so_far(s).bound;
    int runs = 0, rises = 0;
    for (; bnb_so_far(s).nodes == 0; runs++) {
        const double work = bnb_so_far(s).work, most = fmax(work, whole / 100);
        const bnb_status status = bnb_run(s, most, most, 1);
        ck_assert(status == BNB_LIMIT_WORK || status == BNB_LIMIT_NODES);
        if (runs < 4)
            ck_assert_double_le(bnb_so_far(s).work - work, 3 * most);
        rises += bnb_so_far(s).bound > before;
        before = bnb_so_far(s).bound;
    }
    ck_assert_int_gt(runs, 4);
    ck_assert_int_gt(rises, 2);
    r = bnb_close(s);
    bnb_result_clear(&r);
}

/* A cutoff that falls between two runs: nothing at or above it is looked for any more, and a root
 * whose bound reaches it is done. */
LOOP_TEST(a_cutoff_falls_between_runs, 3)
{
    OWNED(lp_model) *m = cover_model(80, 140, 3);
    bnb_params p = quiet_params();
    OWNED(bnb_result) whole = bnb_solve(m, &p, NULL);
    p.tuning.dive = p.tuning.rounding = p.tuning.rins = _i < 2;
    bnb_search *s = bnb_open(m, &p, NULL);
    bnb_run(s, _i < 2 ? whole.work / 5 : 1, LP_INFINITY, LONG_MAX);
    const bnb_progress then = bnb_so_far(s);
    const double cutoff = _i < 2 ? whole.objective * (_i ? 0.999 : 1.001) : then.bound;
    bnb_lower_cutoff(s, cutoff);
    ck_assert_double_le(bnb_so_far(s).bound, whole.objective + 1e-6);
    const bnb_status status = bnb_run(s, LP_INFINITY, LP_INFINITY, LONG_MAX);
    OWNED(bnb_result) r = bnb_close(s);
    ck_assert(status == BNB_OPTIMAL || status == BNB_INFEASIBLE);
    ck_assert_double_ge(r.bound, fmin(cutoff, whole.objective) - 1e-6);
    ck_assert_double_le(r.bound, _i ? cutoff : whole.objective + 1e-6);
    if (_i == 0)
        ck_assert_double_eq_tol(r.objective, whole.objective, 1e-6);
    if (_i == 2)
        ck_assert_int_le(r.iterations, then.iterations);
}

/* Memory that ends at any allocation, in the root or in one of two threads: what is claimed holds,
 * and nothing stays behind. */
LOOP_TEST(memory_may_end_anywhere, 2)
{
    OWNED(lp_model) *m = cover_model(80, 140, 2);
    bnb_params p = quiet_params();
    p.threads = 1 + _i;
    bnb_result whole = bnb_solve(m, &p, NULL);
    ck_assert_int_eq(whole.status, BNB_OPTIMAL);
    const double optimum = whole.objective, slack = 1e-6 * fabs(optimum);
    bnb_result_clear(&whole);
    const size_t before = base_memory_used();
    int stopped = 0, bounded = 0;
    for (int trial = 0; trial < 60; trial++) {
        bnb_params q = p;
        q.seed = (uint64_t)trial;
        q.limits.memory_bytes = before + (size_t)(20000 * (1 + trial));
        bnb_result r = bnb_solve(m, &q, NULL);
        ck_assert(r.status == BNB_OPTIMAL || r.status == BNB_LIMIT_MEMORY);
        ck_assert_double_le(r.bound, optimum + slack);
        if (r.status == BNB_OPTIMAL)
            ck_assert_double_eq_tol(r.objective, optimum, slack);
        if (r.has_solution)
            ck_assert(lp_largest_miss(m, r.x, 1e-6, NULL) <= 1.0);
        stopped += r.status == BNB_LIMIT_MEMORY;
        bounded += r.bound > -LP_INFINITY;
        bnb_result_clear(&r);
        ck_assert_uint_eq(base_memory_used(), before);
    }
    ck_assert_int_gt(stopped, 10);
    ck_assert_int_gt(bounded, 5);
}
