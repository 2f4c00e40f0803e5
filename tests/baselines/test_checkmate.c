/* Rounding of Checkmate's relaxation. Its optima are not unique, so what is tested holds
 * for any. (Its optimum is tested against the oracle in test_random.c.) */
#include <math.h>

#include "tests/baselines/support.h"
#include "tests/suite.h"

SUITE("checkmate", .seconds = 60);

/* Ten bytes hold the larger of two nodes, nine do not: the relaxation is infeasible at 90 %. */
TEST(relaxation_has_nine_tenths)
{
    const hand_node nodes[] = {{"", 10, 1, 0, false}, {"", 1, 1, 0, false}};
    OWNED(graph) *g = hand_graph(nodes, 2);
    expect_schedule(WITHIN(g, 10), "checkpoint_all", NULL, "", "");
    expect_none(WITHIN(g, 10), "checkmate_lp", NULL,
                "the LP relaxation is infeasible at 90 %, 9 bytes");
    expect_none(WITHIN(g, 10), "checkmate_lp_random", NULL,
                "the LP relaxation is infeasible at 90 %");
    expect_schedule(WITHIN(g, 12), "checkmate_lp", NULL, "", "");
    expect_schedule(WITHIN(g, 12), "checkmate_lp_random", NULL, "", "");
}

/* The sweep is as good as the best of its thresholds, and these differ. */
TEST(sweep_takes_the_best_threshold)
{
    OWNED(graph) *g = network_graph("vgg16_cifar", "a72");
    problem p = problem_make(g, graph_checkpoint_all_peak(g) * 7 / 10);
    char reason[BASELINE_REASON];
    validation v;
    double best = INFINITY, worst = 0.0;
    for (int tenth = 1; tenth <= 9; tenth++) {
        baseline_options o = baseline_options_default();
        o.checkmate_threshold = tenth / 10.0;
        if (!run_method(&p, "checkmate_lp", &o, &v, reason)) {
            ck_assert_contains(reason, "threshold per mille");
            continue;
        }
        best = fmin(best, v.overhead_joules);
        worst = fmax(worst, v.overhead_joules);
    }
    ck_assert_double_lt(best, worst);
    ck_assert(run_method(&p, "checkmate_lp", NULL, &v, reason));
    ck_assert_double_eq(v.overhead_joules, best);
}

TEST(draws_follow_the_seed)
{
    OWNED(graph) *g = network_graph("resnet18_cifar", "a72");
    problem p = problem_make(g, graph_checkpoint_all_peak(g) * 7 / 10);
    char reason[BASELINE_REASON];
    validation v;
    baseline_options o = baseline_options_default();
    o.checkmate_draws = 1;
    enum { RUNS = 2 * MANY(10) };
    double single[RUNS];
    bool differs = false;
    for (int k = 0; k < RUNS; k++) {
        o.seed = (uint64_t)k / 2; /* each seed twice */
        single[k] = run_method(&p, "checkmate_lp_random", &o, &v, reason) ? v.overhead_joules : -1;
        differs |= single[k] != single[0];
    }
    for (int k = 0; k < RUNS; k += 2)
        ck_assert_double_eq(single[k], single[k + 1]);
    ck_assert(differs);
    o.seed = 0;
    o.checkmate_draws = 30; /* the first of them the single one */
    ck_assert(run_method(&p, "checkmate_lp_random", &o, &v, reason));
    ck_assert(single[0] < 0 || v.overhead_joules <= single[0]);
}

/* The model of thousands of nodes is not begun, as no LP that large ends. */
TEST(large_relaxation_is_not_begun)
{
    OWNED(graph) *g = unit_chain(2500);
    expect_none(WITHIN(g, graph_checkpoint_all_peak(g) * 9 / 10), "checkmate_lp", NULL,
                "GiB, more than 4");
}
