/* The root of a tree in a thread of its own. */
#include <check.h>
#include <math.h>

#include "exact/root_lane.h"
#include "exact/tree.h"
#include "exact/working.h"
#include "problem/network.h"
#include "tests/exact/suites.h"

/* A tree over narrow windows, not begun. */
typedef struct fixture {
    graph *g;
    problem p;
    exact_params params;
    exact_result result;
    engine e;
    working *w;
    tree *t;
} fixture;

static void setup(fixture *f)
{
    base_error error;
    *f = (fixture){.params = exact_params_default()};
    f->g = network_build("vgg16_cifar", platform_find("m4"), network_options_default(), &error);
    ck_assert_msg(f->g != NULL, "%s", error.text);
    f->p = problem_make(f->g, graph_checkpoint_all_peak(f->g) * 6 / 10);
    f->e = (engine){.p = &f->p,
                    .params = &f->params,
                    .result = &f->result,
                    .features = f->params.features,
                    .scale = formulation_default_scale(f->g),
                    .work_before = base_work_done(),
                    .upper = INFINITY};
    pthread_mutex_init(&f->e.lock, NULL);
    f->e.mask = formulation_mask_windows(&f->p, f->e.features, 1, 1);
    formulation_mask_propagate(&f->p, f->e.features, f->e.mask);
    f->w = working_open(&f->e, f->e.mask, NULL, 0);
    ck_assert(working_solve(&f->e, f->w, INFINITY));
    f->t = engine_tree_open(&f->e, f->w, f->w, EFFORT_REST, false);
}

static void teardown(fixture *f)
{
    engine_tree_close(f->t, NULL);
    working_free(f->w);
    base_free(f->e.mask);
    pthread_mutex_destroy(&f->e.lock);
    exact_result_clear(&f->result);
    graph_free(f->g);
}

/* Steps that the root takes: what the search has to wait for if it does nothing meanwhile. */
static double waits_for(fixture *f)
{
    const double before = engine_work(&f->e);
    root_lane *l = root_lane_open(&f->e, f->t);
    ck_assert_ptr_nonnull(l);
    root_lane_await(l, NULL);
    ck_assert(root_lane_has_ended(l));
    root_lane_take(l);
    ck_assert_double_gt(f->e.waited, 1e4);
    ck_assert_double_ge(engine_work(&f->e), before + f->e.waited);
    return f->e.waited;
}

/* What the tree is after its root, wherever that was processed. */
START_TEST(root_is_a_turn_of_the_tree)
{
    fixture f, g;
    setup(&f);
    waits_for(&f);
    setup(&g);
    engine_tree_run(g.t, INFINITY, 1);
    ck_assert_int_eq(engine_tree_nodes(f.t), engine_tree_nodes(g.t));
    ck_assert_double_eq(engine_tree_bound(f.t), engine_tree_bound(g.t));
    ck_assert_double_gt(engine_tree_bound(f.t), 0);
    ck_assert_int_eq(f.result.nodes, g.result.nodes);
    ck_assert_int_eq(f.result.lp_iterations, g.result.lp_iterations);
    ck_assert_double_eq(f.e.upper, g.e.upper);
    ck_assert_int_eq(f.result.spent[EFFORT_REST].turns, 1);
    engine_tree_run(f.t, INFINITY, 1000000);
    engine_tree_run(g.t, INFINITY, 1000000);
    ck_assert_int_eq(f.result.nodes, g.result.nodes);
    ck_assert_double_eq(f.e.upper, g.e.upper);
    ck_assert(isfinite(f.e.upper));
    teardown(&g);
    teardown(&f);
}
END_TEST

/* The search hears of it when it has itself done as much, be the thread long at its end or hardly
 * begun. */
START_TEST(is_heard_of_by_the_clock)
{
    fixture f;
    setup(&f);
    const double work = waits_for(&f);
    teardown(&f);
    setup(&f);
    root_lane *l = root_lane_open(&f.e, f.t);
    while (!root_lane_is_idle(l))
        lane_rest();
    ck_assert(!root_lane_has_ended(l));
    base_work_count((size_t)work / 2);
    ck_assert(!root_lane_has_ended(l));
    base_work_count((size_t)work - (size_t)work / 2);
    ck_assert(root_lane_has_ended(l));
    root_lane_take(l);
    ck_assert_double_eq(f.e.waited, 0);
    teardown(&f);
    setup(&f);
    l = root_lane_open(&f.e, f.t);
    base_work_count((size_t)work);
    ck_assert(root_lane_has_ended(l));
    root_lane_take(l);
    teardown(&f);
}
END_TEST

/* The search and the root have half each of the work that is left. */
START_TEST(work_limit_is_shared)
{
    fixture f;
    setup(&f);
    const double work = waits_for(&f);
    teardown(&f);
    setup(&f);
    const double left = 1.5 * work;
    f.params.work_limit = 1e-9 * (engine_work(&f.e) + left);
    root_lane *l = root_lane_open(&f.e, f.t);
    ck_assert_double_le(engine_work_left(&f.e), 0.5 * left);
    base_work_count((size_t)(0.5 * left));
    ck_assert_double_le(engine_work_left(&f.e), 1);
    root_lane_await(l, NULL);
    ck_assert(!root_lane_take(l));
    ck_assert_int_eq(engine_tree_nodes(f.t), 0);
    ck_assert_double_le(engine_work(&f.e), 1e9 * f.params.work_limit + 0.05 * work);
    teardown(&f);
}
END_TEST

/* Nothing stays of a root that is called off. */
START_TEST(may_be_called_off)
{
    const size_t before = base_memory_used();
    fixture f;
    setup(&f);
    root_lane_close(NULL);
    root_lane_close(root_lane_open(&f.e, f.t));
    ck_assert_int_eq(f.result.nodes, 0);
    ck_assert_double_eq(f.e.upper, INFINITY);
    teardown(&f);
    ck_assert_uint_eq(base_memory_used(), before);
}
END_TEST

Suite *root_lane_suite(void)
{
    Suite *suite = suite_create("exact: the root's lane");
    TCase *tcase = tcase_create("root lane");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, root_is_a_turn_of_the_tree);
    tcase_add_test(tcase, is_heard_of_by_the_clock);
    tcase_add_test(tcase, work_limit_is_shared);
    tcase_add_test(tcase, may_be_called_off);
    suite_add_tcase(suite, tcase);
    return suite;
}
