/* Searches that begin where the one before ended, over the same graph: against the oracle, whatever
 * changed in between; and on a network that it saves work. */
#include <math.h>

#include "problem/network.h"
#include "tests/exact/agree.h"
#include "tests/oracle/random_instance.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

SUITE("neighbours", .seconds = 120);

/* The same graph within other budgets, by other rules. */
static problem vary(const problem *p, int k)
{
    problem q = *p;
    const int64_t most = graph_checkpoint_all_peak(p->graph), least = p->ram_budget_bytes;
    q.ram_budget_bytes = k % 3 == 0 ? most - 1 : k % 3 == 1 ? (most + least) / 2 : least;
    if (k == 4)
        q.deadline_seconds = INFINITY;
    if (k == 5)
        q.allow_paging = !q.allow_paging;
    return q;
}

LOOP_TEST(answers_are_the_oracles, 2)
{
    int interesting = 0;
    const size_t held = base_memory_used();
    for (uint64_t seed = 0; seed < 250; seed++) {
        OWNED(random_instance) r = random_instance_make(1000 * (uint64_t)_i + seed, 6);
        exact_params params = agree_params();
        params.neighbour = exact_neighbour_create();
        for (int k = 0; k < 6; k++) {
            const problem p = vary(&r.problem, k);
            oracle_result oracle = oracle_solve(&p);
            interesting += oracle.feasible && oracle.overhead_joules > 0;
            const char *fault = agree_fault(&p, &params, &oracle);
            ck_assert_msg(!fault, "seed %d, step %d: %s", 1000 * _i + (int)seed, k, fault);
            schedule_free(oracle.schedule);
        }
        exact_neighbour_free(params.neighbour);
    }
    ck_assert_int_gt(interesting, 300);
    ck_assert_int_eq(base_memory_used(), held);
}

static graph *vgg16(void)
{
    base_error error;
    graph *g =
        network_build("vgg16_cifar", platform_find("a72"), network_options_default(), &error);
    ck_assert_ptr_nonnull(g);
    return g;
}

/* What needs the LP over the windows. */
static exact_params params_with(exact_neighbour *neighbour)
{
    exact_params params = exact_params_default();
    params.tuning.coarse = false;
    params.neighbour = neighbour;
    return params;
}

/* From the schedule `start`; NULL: none. */
static exact_result solve(const graph *g, double share, exact_neighbour *neighbour,
                          const schedule *start)
{
    static const char *const name = "start";
    const problem p = problem_make(g, (int64_t)(share * (double)graph_checkpoint_all_peak(g)));
    exact_params params = params_with(neighbour);
    params.starts = &start;
    params.start_names = &name;
    params.start_count = start != NULL;
    return exact_solve(&p, &params);
}

TEST(a_neighbour_saves_work)
{
    exact_neighbour *neighbour = exact_neighbour_create();
    OWNED(graph) *g = vgg16();
    exact_result before = solve(g, 0.6, neighbour, NULL), first = solve(g, 0.55, NULL, NULL);
    ck_assert_int_eq(first.status, EXACT_OPTIMAL);
    /* The optimum is known, so that the LPs decide. */
    exact_result alone = solve(g, 0.55, NULL, first.schedule),
                 then = solve(g, 0.55, neighbour, first.schedule);
    ck_assert_int_eq(alone.status, EXACT_OPTIMAL);
    ck_assert_int_eq(then.status, EXACT_OPTIMAL);
    ck_assert_double_eq_tol(then.validation.overhead_joules, alone.validation.overhead_joules,
                            1e-9 * alone.validation.overhead_joules);
    ck_assert_int_lt(10 * then.lp_iterations, alone.lp_iterations);
    ck_assert_double_lt(then.work, 0.8 * alone.work);
    exact_result_clear(&before);
    exact_result_clear(&first);
    exact_result_clear(&alone);
    exact_result_clear(&then);
    exact_neighbour_free(neighbour);
}

/* What was given up leaves nothing behind, and takes nothing away that is still needed. */
TEST(limits_leave_it_usable)
{
    exact_neighbour *neighbour = exact_neighbour_create();
    OWNED(graph) *g = vgg16();
    for (int k = 0; k < 6; k++) {
        const problem p =
            problem_make(g, (int64_t)(0.6 * (double)graph_checkpoint_all_peak(g)) - k);
        exact_params params = params_with(neighbour);
        if (k % 2 == 1)
            params.limits = base_limits_make(INFINITY, (size_t)3 << 20, NULL);
        OWNED(exact_result) r = exact_solve(&p, &params);
        ck_assert_int_eq(r.status, k % 2 == 1 ? EXACT_LIMIT : EXACT_OPTIMAL);
    }
    exact_neighbour_free(neighbour);
}
