/* Networks whose optimum other solvers have found. */
#include <math.h>

#include "formulation/formulation.h"
#include "problem/network.h"
#include "tests/exact/agree.h"
#include "tests/problem/networks.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

SUITE("known optima", .seconds = 180);

typedef struct known {
    const char *model, *platform;
    double fraction, deadline; /* of the checkpoint-all peak, of the base time; 0: none */
    double overhead;           /* base energy / 10000 */
} known;

/* HiGHS 1.15 at zero gap, the linear and transformer rows on the published formulation too. */
static const known table[] = {
    {"linear", "a72", 0.5, 0, 14.6510821},       {"linear", "a72", 0.5, 1.0, 23.3358103},
    {"linear", "a72", 0.45, 0, 16.7792871},      {"linear", "m4", 0.5, 0, 108.9505939},
    {"linear", "m4", 0.5, 1.0, 6030.2790151},    {"transformer", "a72", 0.9, 0, 2.4825938},
    {"transformer", "m4", 0.86, 0, 433.5293765}, {"vgg16_cifar", "a72", 0.8, 0, 0.6056121714},
};

static void check_known(const known *k, bool heuristics)
{
    OWNED(graph) *g = network_graph(k->model, k->platform);
    problem p = fraction_problem(g, k->fraction);
    if (k->deadline > 0)
        p.deadline_seconds = k->deadline * graph_base_seconds(g);
    exact_params params = agree_params();
    params.heuristics = params.tuning.coarse = heuristics;
    OWNED(exact_result) r = exact_solve(&p, &params);
    double unit = graph_base_joules(g) / 1e4;
    ck_assert_int_eq(r.status, EXACT_OPTIMAL);
    ck_assert_int_eq(schedule_validate(&p, r.schedule, NULL, NULL), 0);
    ck_assert_msg(fabs(r.validation.overhead_joules / unit - k->overhead) <= 1e-7 * k->overhead,
                  "%s on %s: %.10g, known is %.10g", k->model, k->platform,
                  r.validation.overhead_joules / unit, k->overhead);
    ck_assert_double_ge(r.bound_overhead_joules, r.validation.overhead_joules * (1 - 1e-9));
    ck_assert_double_le(r.bound_overhead_joules, r.validation.overhead_joules);
}

LONG_LOOP_TEST(by_the_tree, LENGTH(table))
{
    check_known(&table[_i], false);
}

LOOP_TEST(with_local_search, LENGTH(table) - 1)
{
    check_known(&table[_i], true);
}

/* What the peak lacks is no sum of sizes, and the LP's price of a byte is the same for all: cuts on
 * sums of sizes and branching on totals of costs see that, branching on cells alone does not in a
 * thousand nodes. */
LONG_LOOP_TEST(sizes_that_do_not_add_up, 2)
{
    static const struct {
        double fraction;
        long nodes;
    } row[] = {{0.6, 1000}, {0.8, 1000}};
    OWNED(graph) *g = network_graph("resnet18", "a72");
    problem p = fraction_problem(g, row[_i].fraction);
    exact_params params = exact_params_default();
    params.node_limit = row[_i].nodes;
    params.tuning.coarse = false;
    OWNED(exact_result) r = exact_solve(&p, &params);
    ck_assert_int_eq(r.status, EXACT_OPTIMAL);
}

/* A convolution is computed again as a whole or not at all, and the LP pays for a part of it. The
 * windows close at their root; the tree over the rest has to know how many such recomputations
 * there are, or it pays for parts of that one in different stages. */
LONG_TEST(recomputations_are_counted)
{
    base_error error;
    network_options options = network_options_default();
    options.backward = LAYER_BACKWARD_AUTODIFF;
    OWNED(graph) *g = network_build("vgg16_cifar", platform_find("m4"), options, &error);
    ck_assert(g);
    problem p = fraction_problem(g, 0.66);
    exact_params params = exact_params_default();
    params.work_limit = 3;
    params.tuning.coarse = params.tuning.labels = false;
    OWNED(exact_result) r = exact_solve(&p, &params);
    ck_assert_int_eq(r.status, EXACT_OPTIMAL);
}

/* Growing ends with the bound of the LP, which is the same over the windows and over all cells:
 * nothing is lost in a run of cells that are one column of the model for one kind of residency and
 * several for the other. */
LONG_LOOP_TEST(growing_loses_nothing, 2)
{
    static const struct {
        const char *platform;
        double fraction;
    } row[] = {{"a72", 0.4}, {"m4", 0.25}};
    OWNED(graph) *g = network_graph("resnet18_cifar", row[_i].platform);
    problem p = fraction_problem(g, row[_i].fraction);
    exact_params params = exact_params_default();
    params.node_limit = 0;
    params.heuristics = false;
    params.features &= ~(unsigned)(FORMULATION_EVENT_CUTS | FORMULATION_CONDITIONAL |
                                   FORMULATION_SOURCE_CUTS | FORMULATION_WEIGHT_CUTS);
    params.tuning.coarse = params.tuning.labels = false;
    OWNED(exact_result) r = exact_solve(&p, &params);
    ck_assert_double_eq_tol(r.bound_overhead_joules, r.root_bound, 1e-7 * r.root_bound);
}

/* What a run did, as far as it must not depend on the clock. */
typedef struct path {
    long nodes, iterations, cuts;
    int incumbents;
    double overhead, bound, work;
} path;

static path path_of(const problem *p, double seconds, uint64_t seed)
{
    exact_params params = exact_params_default();
    params.seed = seed;
    params.limits.deadline = seconds > 0 ? base_seconds() + seconds : 0;
    OWNED(exact_result) r = exact_solve(p, &params);
    ck_assert_int_eq(r.status, EXACT_OPTIMAL);
    const path way = {r.nodes,
                      r.lp_iterations,
                      r.cuts,
                      r.incumbent_count,
                      r.bound_overhead_joules,
                      r.validation.overhead_joules,
                      r.work};
    return way;
}

/* The time that is left decides nothing, nor does what else was done before. */
LOOP_TEST(the_clock_only_ends_a_run, 3)
{
    static const struct {
        const char *network;
        double fraction;
    } row[] = {{"resnet18_cifar", 0.5}, {"vgg16_cifar", 0.45}, {"resnet18", 0.6}};
    OWNED(graph) *g = network_graph(row[_i].network, "a72");
    problem p = fraction_problem(g, row[_i].fraction);
    const path first = path_of(&p, 0, 1);
    path_of(&p, 0, 2);
    const path limited = path_of(&p, 170, 1);
    ck_assert_int_eq(first.nodes, limited.nodes);
    ck_assert_int_eq(first.iterations, limited.iterations);
    ck_assert_int_eq(first.cuts, limited.cuts);
    ck_assert_int_eq(first.incumbents, limited.incumbents);
    ck_assert_double_eq(first.bound, limited.bound);
    ck_assert_double_eq(first.overhead, limited.overhead);
    ck_assert_double_eq(first.work, limited.work);
}

/* The profile accounts for the work, and tells what came of it, without the coarse timeline and
 * with it, which is all that it takes. */
LOOP_TEST(profile_accounts_for_the_work, 2)
{
    OWNED(graph) *g = network_graph("resnet18_cifar", "a72");
    problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    exact_params params = exact_params_default();
    params.tuning.coarse = _i;
    params.tuning.cut_rounds = 0;
    OWNED(exact_result) r = exact_solve(&p, &params);
    ck_assert_int_eq(r.status, EXACT_OPTIMAL);
    double work = 0, seconds = 0;
    for (int k = 0; k < EFFORTS; k++) {
        const exact_spent *s = &r.spent[k];
        ck_assert(s->work >= 0 && s->seconds >= 0 && s->successes <= s->turns);
        ck_assert(s->turns > 0 || s->work == 0);
        work += s->work;
        seconds += s->seconds;
    }
    /* What is in no turn: the starts. */
    ck_assert(work <= r.work * (1 + 1e-9) && work >= 0.9 * r.work);
    ck_assert(seconds <= r.seconds);
    if (_i) {
        ck_assert_int_eq(r.spent[EFFORT_COARSE].successes, 1);
        ck_assert_int_eq(r.spent[EFFORT_BEGIN].turns, 0);
    } else {
        ck_assert_int_eq(r.spent[EFFORT_BEGIN].turns, 4); /* cells, model, its LP, no cuts */
        /* Its bound is that of all schedules. */
        ck_assert_int_gt(r.spent[EFFORT_GROW].successes, 0);
    }
}
