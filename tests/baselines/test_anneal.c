/* Annealing on graphs whose optimum can be worked out, and its limits. */
#include "tests/baselines/support.h"
#include "tests/suite.h"

SUITE("anneal", .seconds = 120);

/* 0 (10 bytes, 3 s) is read by 1 and again by 5; in between 2 and 3 need 10 bytes together. Its two
 * transfers take 2 s and 2 J, its computation 3 J. */
static graph *one_gap(void)
{
    const hand_node nodes[] = {
        {"", 10, 3, 1, false}, {"0", 1, 1, 1, false}, {"1", 5, 1, 1, false},
        {"2", 5, 1, 1, false}, {"3", 1, 1, 1, false}, {"0 4", 1, 1, 1, false},
    };
    return hand_graph(nodes, 6);
}

static double overhead(const problem *p, const baseline_options *o)
{
    validation v;
    char reason[BASELINE_REASON] = "";
    ck_assert_msg(run_method(p, "anneal", o, &v, reason), "%s", reason);
    return v.overhead_joules;
}

TEST(takes_what_costs_least)
{
    OWNED(graph) *g = one_gap();
    problem p = problem_make(g, 12);
    ck_assert_double_eq_tol(overhead(&p, NULL), 2.0, 1e-12);
    p.allow_paging = false;
    expect_schedule(&p, "anneal", NULL, "0@5", "");
    p.allow_remat = false;
    expect_none(&p, "anneal", NULL, "no schedule within the budget was found");
    p.allow_paging = true;
    ck_assert_double_eq_tol(overhead(&p, NULL), 2.0, 1e-12);
}

/* What it plans keeps the deadline: recomputation takes 3 s, transfers none of the time. */
TEST(keeps_the_deadline)
{
    OWNED(graph) *g = one_gap();
    problem p = problem_make(g, 12);
    p.allow_paging = false;
    p.deadline_seconds = graph_base_seconds(g) + 3;
    expect_schedule(&p, "anneal", NULL, "0@5", "");
    p.deadline_seconds = graph_base_seconds(g) + 2;
    expect_none(&p, "anneal", NULL, "no schedule within the budget was found");
}

/* The same seed gives the same schedule. */
TEST(is_reproducible)
{
    OWNED(graph) *g = network_graph("vgg16_cifar", "a72");
    problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    baseline_options o = baseline_options_default();
    const double first = overhead(&p, &o);
    ck_assert_double_eq(overhead(&p, &o), first);
    ck_assert_double_lt(first, 0.02); /* the optimum is 0.0088 */
}

TEST(ends_at_a_limit_with_its_best)
{
    OWNED(graph) *g = network_graph("vgg16_cifar", "a72");
    problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    base_limits limits = {.work_end = base_work_done() + 25000000};
    baseline_options o = baseline_options_default();
    o.limits = &limits;
    validation v;
    char reason[BASELINE_REASON] = "";
    ck_assert(run_method(&p, "anneal", &o, &v, reason));
    ck_assert_contains(reason, "stopped by the work limit");
    ck_assert_double_ge(v.overhead_joules, overhead(&p, NULL));
    const base_flag interrupt = 1;
    limits = (base_limits){.interrupt = &interrupt};
    expect_none(&p, "anneal", &o, "stopped by the interrupt");
}
