/* The table of methods, and what holds for all of them. */
#include "tests/baselines/suites.h"
#include "tests/baselines/support.h"

START_TEST(table_is_complete)
{
    int count;
    const baseline_method *table = baseline_methods(&count);
    ck_assert_int_eq(count, 19);
    base_error error;
    for (int k = 0; k < count; k++) {
        ck_assert_ptr_eq(baseline_find(table[k].name, &error), &table[k]);
        ck_assert(table[k].run != NULL);
        ck_assert_int_gt((int)strlen(table[k].title), 0);
        ck_assert_int_gt((int)strlen(table[k].citation), 0);
        ck_assert_int_gt((int)strlen(table[k].work), 0);
        ck_assert_ptr_nonnull(table[k].options);
    }
}
END_TEST

START_TEST(unknown_method_lists_known)
{
    base_error error;
    ck_assert_ptr_null(baseline_find("capucin", &error));
    ck_assert_contains(error.text, "unknown method 'capucin'");
    int count;
    const baseline_method *table = baseline_methods(&count);
    for (int k = 0; k < count; k++)
        ck_assert_contains(error.text, table[k].name);
}
END_TEST

/* Planned without a thought of the deadline or of what is allowed, judged for it. */
START_TEST(deadline_and_options_decide_at_the_end)
{
    graph *g = unit_chain(9);
    problem p = problem_make(g, 6);
    p.deadline_seconds = 27.0; /* the base is 9 + 8 * 2 s, chen_sqrtn needs 4 more */
    expect_none(&p, "chen_sqrtn", NULL, "the deadline is 27 seconds");
    expect_none(&p, "chen_greedy", NULL, "the deadline is 27 seconds");
    p.deadline_seconds = 29.0;
    expect_schedule(&p, "chen_sqrtn", NULL, "5@11 3@13 0@15 1@15", "");
    p.allow_remat = false;
    expect_none(&p, "chen_sqrtn", NULL, "recomput");
    graph_free(g);
}
END_TEST

/* A method that does not know pins says so; with workspaces all of them count them. */
START_TEST(pins_are_known_or_refused)
{
    graph *g = unit_chain(9);
    int count;
    const baseline_method *table = baseline_methods(&count);
    g->pin[3] = GRAPH_NO_PAGE;
    problem p = problem_make(g, graph_checkpoint_all_peak(g));
    for (int k = 0; k < count; k++) {
        if (table[k].pins)
            expect_schedule(&p, table[k].name, NULL, "", "");
        else
            expect_none(&p, table[k].name, NULL, "does not know pins, and node 3");
    }
    g->pin[3] = 0;
    g->workspace[0] = 1; /* the peak is elsewhere */
    expect_schedule(&p, "checkpoint_all", NULL, "", "");
    for (int i = 0; i < g->n; i++)
        g->workspace[i] = 1;
    expect_none(&p, "checkpoint_all", NULL, "the budget is");
    g->workspace[8] = 100;
    expect_none(&p, "dtr", NULL, "needs 101 bytes");
    graph_free(g);
}
END_TEST

START_TEST(limits_stop_a_method)
{
    graph *g = unit_chain(9);
    problem p = problem_make(g, 6);
    const base_flag interrupt = 1;
    base_limits limits = {.interrupt = &interrupt};
    baseline_options o = baseline_options_default();
    o.limits = &limits;
    const char *const stopping[] = {"chen_greedy", "revolve",  "dtr",          "dtr_eq",
                                    "pofo",        "capuchin", "capuchin_sync"};
    for (size_t k = 0; k < sizeof stopping / sizeof *stopping; k++)
        expect_none(&p, stopping[k], &o, "stopped by the user");
    graph_free(g);
    ck_assert_uint_eq(base_memory_used(), 0);
}
END_TEST

Suite *registry_suite(void)
{
    Suite *s = suite_create("registry");
    TCase *t = tcase_create("registry");
    tcase_add_test(t, table_is_complete);
    tcase_add_test(t, unknown_method_lists_known);
    tcase_add_test(t, deadline_and_options_decide_at_the_end);
    tcase_add_test(t, pins_are_known_or_refused);
    tcase_add_test(t, limits_stop_a_method);
    suite_add_tcase(s, t);
    return s;
}
