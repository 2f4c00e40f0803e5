/* The solver's answers come with certificates that hold. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "certificate/record.h"
#include "formulation/formulation.h"
#include "tests/certificate/support.h"
#include "tests/formulation/support.h"
#include "tests/problem/networks.h"
#include "tests/suite.h"

SUITE("holds", .seconds = 600);

typedef struct tally {
    int optimal, within_gap, infeasible, proofs, trees, totals, unproven;
} tally;

static bool splits_by_totals(const char *text)
{
    int node, total;
    while (text && sscanf(text, "branch %d total %d", &node, &total) != 2) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return text != NULL;
}

static void check_instance(const problem *p, const exact_params *params, tally *t)
{
    OWNED(exact_result) r = {0};
    OWNED(certificate_report) report = {0};
    base_error error;
    OWNED(char) *text = certified(p, params, CERT_EXCHANGES, &r);
    if (!text) {
        t->unproven++;
        return;
    }
    certificate_verdict verdict = judge_text(text, &report, &error);
    ck_assert_msg(verdict == CERTIFICATE_HOLDS, "%s", error.text);
    ck_assert_int_eq(report.infeasible, r.status == EXACT_INFEASIBLE);
    if (r.status == EXACT_OPTIMAL) {
        double overhead = r.validation.overhead_joules;
        ck_assert(report.optimal);
        ck_assert_double_eq(report.overhead_joules, overhead);
        ck_assert_double_le(report.bound_joules, overhead);
        ck_assert_double_ge(report.bound_joules, overhead * (1 - 1e-9));
    }
    if (r.status == EXACT_WITHIN_GAP)
        ck_assert_double_ge(report.bound_joules, r.bound_overhead_joules);
    t->optimal += r.status == EXACT_OPTIMAL;
    t->within_gap += r.status == EXACT_WITHIN_GAP;
    t->infeasible += r.status == EXACT_INFEASIBLE;
    t->proofs += report.steps > 0;
    t->trees += report.nodes > 1;
    t->totals += splits_by_totals(text);
}

/* Without local search, which takes longer than all else on small instances. */
static exact_params quick(void)
{
    exact_params params = exact_params_default();
    params.heuristics = false;
    return params;
}

static tally check_seeds(uint64_t first, int count, int nodes, exact_params params)
{
    tally t = {0};
    for (uint64_t seed = first; seed < first + (uint64_t)count; seed++) {
        OWNED(random_instance) i = draw_instance(seed, nodes);
        params.seed = seed;
        check_instance(&i.problem, &params, &t);
    }
    return t;
}

TEST(small_instances)
{
    tally t = check_seeds(0, MANY(700), 6, quick());
    ck_assert_int_ge(t.optimal, MANY(300));
    ck_assert_int_ge(t.infeasible, MANY(20));
    ck_assert_int_ge(t.proofs, MANY(200));
}

TEST(larger_instances)
{
    tally t = check_seeds(5000, 60, 14, quick());
    ck_assert_int_ge(t.proofs, 20);
    ck_assert_int_le(t.unproven, 3);
}

/* Costs and sizes at the edge of the range; of every second answer no more is asked than a gap. */
TEST(edge_of_the_range)
{
    tally t = {0};
    for (uint64_t seed = 300; seed < 300 + MANY(200); seed++) {
        OWNED(random_instance) i = draw_instance(seed, 6);
        extreme_instance_stretch(&i, seed);
        exact_params params = quick();
        params.seed = seed;
        params.gap_relative = seed % 2 == 0 ? 0.2 : params.gap_relative;
        check_instance(&i.problem, &params, &t);
    }
    ck_assert_int_ge(t.optimal, MANY(120));
    ck_assert_int_ge(t.within_gap, MANY(2));
    ck_assert_int_eq(t.unproven, 0);
}

/* Features that make no rows of their own may be off. */
LOOP_TEST(weaker_models, 3)
{
    static const unsigned off[] = {FORMULATION_MERGE, FORMULATION_LATE, 0};
    exact_params params = quick();
    params.features = FORMULATION_DEFAULT & ~off[_i];
    params.tuning.windows = off[_i] != 0;
    tally t = check_seeds(20000 + 1000 * (uint64_t)_i, 100, 10, params);
    ck_assert_int_ge(t.proofs, 30);
}

/* Without cuts there are trees. */
TEST(without_cuts)
{
    exact_params params = quick();
    params.features &= ~(unsigned)(FORMULATION_EVENT_CUTS | FORMULATION_SOURCE_CUTS);
    tally t = check_seeds(50000, MANY(120), 12, params);
    ck_assert_int_ge(t.trees, MANY(5));
}

TEST(features_that_are_not_known_are_refused)
{
    const unsigned bad[] = {FORMULATION_DEFAULT & ~(unsigned)FORMULATION_ORIGIN,
                            FORMULATION_DEFAULT & ~(unsigned)FORMULATION_ROUND,
                            FORMULATION_DEFAULT | FORMULATION_TOTALS,
                            FORMULATION_DEFAULT | FORMULATION_UNITS};
    ck_assert_ptr_null(certificate_unsupported(FORMULATION_DEFAULT));
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        ck_assert_ptr_nonnull(certificate_unsupported(bad[k]));
}

typedef struct network_case {
    const char *model, *platform;
    double fraction, deadline;
    bool only_paging;
} network_case;

static const network_case networks[] = {
    {"linear", "a72", 0.5, 0, false},      {"linear", "a72", 0.5, 1.0, false},
    {"linear", "m4", 0.45, 0, false},      {"linear", "m4", 0.5, 1.0, false},
    {"transformer", "a72", 0.9, 0, false}, {"transformer", "m4", 0.86, 0, false},
    {"vgg16_cifar", "a72", 0.8, 0, false}, {"bert", "a72", 0.6, 0, false}};

static tally check_network(const network_case *c, const exact_params *params)
{
    OWNED(graph) *g = network_graph(c->model, c->platform);
    problem p = fraction_problem(g, c->fraction);
    p.allow_remat = !c->only_paging;
    if (c->deadline > 0)
        p.deadline_seconds = c->deadline * graph_base_seconds(g);
    tally t = {0};
    check_instance(&p, params, &t);
    return t;
}

LOOP_TEST(of_networks, LENGTH(networks))
{
    const exact_params params = exact_params_default();
    ck_assert_int_eq(check_network(&networks[_i], &params).proofs, 1);
    ck_assert(!certified_again());
}

/* Where one tree is over everything it has totals from its beginning. */
TEST(totals_of_the_first_tree)
{
    const exact_params params = exact_params_default();
    const network_case c = {"vgg16_cifar", "a72", 0.44, 0, true};
    ck_assert_int_eq(check_network(&c, &params).totals, 1);
}

/* The tree has totals as soon as it may, and one thread or three. */
LOOP_TEST(branches_on_totals, 2)
{
    exact_params params = exact_params_default();
    params.threads = 1 + 2 * _i;
    params.tuning.look_nodes = 1;
    params.tuning.coarse = false;
    const tally t =
        check_network(&(network_case){"vgg16_cifar", "a72", 0.6, 1.0001, false}, &params);
    ck_assert_int_eq(t.totals, 1);
}

/* What a recorder writes of a bound of 2 that eliminates nothing when that much is proven in the
 * end.
 */
static long steps_for(double proven)
{
    OWNED(random_instance) i = draw_instance(20, 6);
    OWNED(uint8_t) *mask = formulation_mask_full(&i.problem, FORMULATION_DEFAULT);
    OWNED(formulation) *f = formulation_build(&i.problem, FORMULATION_DEFAULT, mask,
                                              formulation_default_scale(i.graph));
    OWNED(double) *y = base_calloc((size_t)f->model->rows + 1, sizeof *y);
    const event_cut_list none = {0};
    recorder r;
    recorder_init(&r);
    y[0] = -1;
    r.hooks.eliminate(&r, f, y, &none, NULL, 2, 0);
    y[0] = -3;
    r.hooks.eliminate(&r, f, y, &none, NULL, 1, 0);
    recorder_finish(&r, proven);
    const bool written = r.steps.size > 0 && strncmp(r.steps.data, "reduce 0 1\n0x1p", 15) == 0;
    ck_assert_msg(written || r.steps.size == 0, "%s", r.steps.data);
    recorder_clear(&r);
    return written;
}

/* A schedule that is found later meets a bound that eliminated nothing when it was proven. */
TEST(a_bound_that_is_met_later)
{
    ck_assert_int_eq(steps_for(2), 1);
    ck_assert_int_eq(steps_for(1.5), 1);
    ck_assert_int_eq(steps_for(2.5), 0);
}

TEST(a_limit_leaves_no_file)
{
    base_error error;
    OWNED(random_instance) i = draw_instance(20, 6);
    exact_params params = quick();
    OWNED(exact_result) r = exact_solve(&i.problem, &params);
    base_flag interrupt = 1;
    params.limits.interrupt = &interrupt;
    cert_trust trust = CERT_EXCHANGES;
    ck_assert_int_eq(certificate_write("/tmp/poetbnb-no-such-certificate", &i.problem, &params,
                                       &trust, &r, &error),
                     CERTIFICATE_LIMIT);
    ck_assert_ptr_null(fopen("/tmp/poetbnb-no-such-certificate", "r"));
}
