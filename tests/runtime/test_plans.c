/* Plans of random graphs, and of the built-in networks at the budgets of `make bench`. */
#include "baselines/baseline.h"
#include "exact/exact.h"
#include "tests/exact/owned.h"
#include "tests/plan/support.h"
#include "tests/problem/networks.h"
#include "tests/problem/owned.h"
#include "tests/runtime/stamp.h"
#include "tests/suite.h"

SUITE("plans", .seconds = 120);

TEST(random_plans_run)
{
    int run = 0;
    for (int seed = 1; seed <= 400; seed++) {
        OWNED(sample) s = sample_make((uint64_t)seed, 24);
        OWNED(plan) *x = plan_of(&s.problem, s.schedule, seed % 2);
        for (uint64_t bus = 0; bus < 3 && x->arena_bytes <= x->budget_bytes; bus++) {
            const char *wrong = stamp_plan(s.problem.graph, x, bus);
            ck_assert_msg(!wrong, "seed %d, bus %d: %s", seed, (int)bus, wrong);
            run++;
        }
    }
    ck_assert_int_gt(run, 1000);
}

/* Counts of the plans of the networks. */
static long plans, recomputations, pageins;

static void run_schedule(const problem *p, const schedule *s, const char *what)
{
    base_error error;
    validation v;
    ck_assert_msg(schedule_validate(p, s, &v, &error) == 0, "%s", error.text);
    OWNED(plan) *x = plan_of(p, s, true);
    const char *wrong =
        x->arena_bytes <= x->budget_bytes ? stamp_plan(p->graph, x, (uint64_t)plans % 3) : NULL;
    ck_assert_msg(!wrong, "%s at %lld bytes, %s: %s", p->graph->name,
                  (long long)p->ram_budget_bytes, what, wrong);
    if (x->arena_bytes <= x->budget_bytes) {
        plans++;
        recomputations += v.recompute_count;
        pageins += v.pagein_count;
    }
}

static void run_budget(const problem *p)
{
    static const char *const method[] = {"capuchin", "dtr", "pofo"};
    base_error error;
    char reason[BASELINE_REASON];
    const baseline_options options = baseline_options_default();
    for (size_t k = 0; k < sizeof method / sizeof *method; k++) {
        OWNED(schedule) *s =
            baseline_schedule(baseline_find(method[k], &error), p, &options, reason);
        if (s)
            run_schedule(p, s, method[k]);
    }
    exact_params params = exact_params_default();
    params.work_limit = 0.02;
    OWNED(exact_result) found = exact_solve(p, &params);
    if (found.schedule)
        run_schedule(p, found.schedule, "solve");
}

/* A network at budgets in % of keeping everything. */
static void run_network(const char *name, const int *percent, int count)
{
    OWNED(graph) *g = network_graph(name, "m4");
    plans = recomputations = pageins = 0;
    for (int k = 0; k < count; k++) {
        problem p = problem_make(g, graph_checkpoint_all_peak(g) * percent[k] / 100);
        run_budget(&p);
    }
    ck_assert_int_ge(plans, count);
    ck_assert_int_gt(recomputations, 0);
    ck_assert_int_gt(pageins, 0);
}

static const struct {
    const char *network;
    int percent[12], count;
} bench[] = {
    {"linear", {90, 80, 70, 60, 50}, 5},
    {"transformer", {95, 90, 86, 80, 70}, 5},
    {"vgg16_cifar", {95, 90, 85, 80, 75, 70, 65, 60, 50, 45}, 10},
    {"resnet18_cifar", {90, 80, 70, 60, 50, 40, 30, 20, 15, 11}, 10},
    {"resnet18", {90, 75, 60, 45}, 4},
    {"bert", {90, 80, 70, 60, 50, 40, 30, 25, 20, 15}, 10},
    {"resnet50", {90, 80, 70, 60, 50}, 5},
};
enum { NETWORKS = sizeof bench / sizeof *bench };

LOOP_TEST(networks_run, NETWORKS)
{
    run_network(bench[_i].network, bench[_i].percent, bench[_i].count);
}
