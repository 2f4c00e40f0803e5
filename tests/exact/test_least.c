/* The smallest budget, against the oracle. */
#include "tests/exact/agree.h"
#include "tests/oracle/oracle.h"
#include "tests/oracle/random_instance.h"
#include "tests/suite.h"

SUITE("least", .seconds = 60);

enum { ROUNDS = 60, MOST_NODES = 7 };

static bool fits(const problem *p, int64_t bytes)
{
    problem q = *p;
    q.ram_budget_bytes = bytes;
    oracle_result r = oracle_solve(&q);
    schedule_free(r.schedule);
    return r.feasible;
}

LOOP_TEST(least_is_the_oracles, 3)
{
    int none = 0, above = 0;
    for (int k = 0; k < ROUNDS; k++) {
        OWNED(random_instance) r =
            random_instance_make(1000 * (uint64_t)_i + (uint64_t)k, MOST_NODES);
        const problem *p = &r.problem;
        const exact_params params = agree_params();
        const exact_least found = exact_least_budget(p, &params);
        if (found.bytes < 0) {
            none++;
            ck_assert(!fits(p, PROBLEM_MAX_BUDGET));
        } else {
            above += found.bytes > graph_minimum_bytes(p->graph, NULL);
            ck_assert_int_eq(found.bytes, found.least);
            ck_assert_msg(fits(p, found.bytes), "seed %d", 1000 * _i + k);
            ck_assert_msg(found.bytes == 0 || !fits(p, found.bytes - 1), "seed %d", 1000 * _i + k);
        }
    }
    ck_assert_int_lt(none, ROUNDS / 2);
    ck_assert_int_gt(above, 0);
}

TEST(no_budget_helps_against_a_deadline)
{
    OWNED(random_instance) r = random_instance_make(7, MOST_NODES);
    problem p = r.problem;
    p.deadline_seconds = 0.5 * graph_base_seconds(p.graph);
    const exact_params params = agree_params();
    ck_assert_double_gt(p.deadline_seconds, 0);
    ck_assert_int_eq(exact_least_budget(&p, &params).bytes, -1);
}
