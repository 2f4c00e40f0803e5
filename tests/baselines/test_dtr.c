/* DTR's choices on graphs where each can be worked out. Times are seconds; h is cost /
 * (bytes * staleness). */
#include "tests/baselines/suites.h"
#include "tests/baselines/support.h"

static const char *const all[] = {"dtr", "dtr_eq", "dtr_local", "dtr_simrd"};
enum { ALL = sizeof all / sizeof *all };

/* Three sources of 2, 4 and 1 bytes that take 4, 2 and 1 s; then 3 needs 4 bytes more
 * than a budget of 10 leaves. At 7 s h is 4/(2*3), 2/(4*1) and infinite: 1 goes. */
static const hand_node three_sources[] = {
    {"", 2, 4, 0, false}, {"", 4, 2, 0, false},      {"", 1, 1, 0, false},
    {"", 4, 1, 0, false}, {"0 1 2", 1, 1, 0, false},
};

START_TEST(evicts_least_h)
{
    graph *g = hand_graph(three_sources, 5);
    problem p = problem_make(g, 10);
    for (int k = 0; k < ALL; k++) {
        validation v = expect_schedule(&p, all[k], NULL, "1@4", "");
        ck_assert_double_eq(v.overhead_joules, 2.0);
        ck_assert_int_eq(v.peak_bytes, 8);
    }
    p.ram_budget_bytes = 11;
    for (int k = 0; k < ALL; k++)
        expect_schedule(&p, all[k], NULL, "", "");
    graph_free(g);
}
END_TEST

START_TEST(out_of_memory)
{
    graph *g = hand_graph(three_sources, 5);
    problem p = problem_make(g, 7);
    for (int k = 0; k < ALL; k++)
        expect_none(&p, all[k], NULL,
                    "out of memory in stage 4: node 4 (node) needs 1 bytes beside 7");
    graph_free(g);
}
END_TEST

/* 0 (10 s) is freed after its reader 1; when 4 needs room, 1 has bytes 4, staleness 2 and
 * a cost of 1 s alone or 11 s with the evicted 0; 2 has 1 s / (4 * 1). */
START_TEST(counts_evicted_neighbourhood)
{
    const hand_node nodes[] = {
        {"", 80, 10, 0, false}, {"0", 4, 1, 0, false}, {"", 4, 1, 0, false},
        {"", 1, 1, 0, false},   {"", 84, 1, 0, false}, {"1 2", 1, 1, 0, false},
    };
    graph *g = hand_graph(nodes, 6);
    problem p = problem_make(g, 91);
    expect_schedule(&p, "dtr", NULL, "2@5", "");
    expect_schedule(&p, "dtr_eq", NULL, "2@5", "");
    expect_schedule(&p, "dtr_simrd", NULL, "2@5", "");
    expect_schedule(&p, "dtr_local", NULL, "0@5 1@5", "");
    baseline_options o = baseline_options_default();
    o.dtr_heuristic = BASELINE_DTR_LOCAL;
    expect_schedule(&p, "dtr", &o, "0@5 1@5", "");
    expect_schedule(&p, "dtr_eq", &o, "2@5", "");
    graph_free(g);
}
END_TEST

/* 0 and 1 are alike and were read last by the same operator, 2; 3 lets them age, then 4
 * needs room, and 5 and 6 tell which one went. All h are 0 for sources of 0 s. */
static graph *tied_sources(double seconds)
{
    const hand_node nodes[] = {
        {"", 4, seconds, 0, false}, {"", 4, seconds, 0, false}, {"0 1", 1, seconds, 0, false},
        {"", 1, 1, 0, false},       {"", 4, 1, 0, false},       {"0", 1, 1, 0, false},
        {"1", 1, 1, 0, false},
    };
    return hand_graph(nodes, 7);
}

START_TEST(ties_by_index_or_age)
{
    graph *g = tied_sources(1.0);
    problem p = problem_make(g, 11);
    expect_schedule(&p, "dtr", NULL, "0@5", "");
    expect_schedule(&p, "dtr_simrd", NULL, "1@6", "");
    graph_free(g);
}
END_TEST

/* The simulator stops looking at the first h = 0. */
START_TEST(ties_at_zero)
{
    graph *g = tied_sources(0.0);
    problem p = problem_make(g, 11);
    expect_schedule(&p, "dtr", NULL, "0@5", "");
    expect_schedule(&p, "dtr_simrd", NULL, "0@5", "");
    graph_free(g);
}
END_TEST

/* Under 11 bytes dtr computes 0 once more: 5 s over a base of 15 s. */
START_TEST(gives_up_on_thrashing)
{
    const hand_node nodes[] = {
        {"", 4, 5, 0, false}, {"", 4, 5, 0, false},  {"0 1", 1, 1, 0, false},
        {"", 4, 2, 0, false}, {"0", 1, 1, 0, false}, {"1", 1, 1, 0, false},
    };
    graph *g = hand_graph(nodes, 6);
    problem p = problem_make(g, 11);
    baseline_options o = baseline_options_default();
    o.dtr_thrash = 1.34;
    expect_schedule(&p, "dtr", &o, "0@4", "");
    o.dtr_thrash = 1.3;
    expect_none(&p, "dtr", &o, "computes for more than 1.3 times the base time in stage 5");
    graph_free(g);
}
END_TEST

/* 0 (100 bytes) is read by 1 and 2, which are freed, and is evicted for 5: with classes
 * the three become one, worth 102 s. When 0 comes back for 6, the class keeps 1 and 2,
 * though nothing evicted joins them any more. 3, which read 1, then has a staleness of
 * 4 s and a cost of 1 + 1 s, by classes 1 + 101 s; 4 has 2 s / (4 * 2). */
START_TEST(classes_never_split)
{
    const hand_node nodes[] = {
        {"", 100, 1, 0, false}, {"0", 1, 1, 0, false},   {"0", 1, 100, 0, false},
        {"1", 4, 1, 0, false},  {"", 4, 2, 0, false},    {"", 1, 1, 0, false},
        {"0", 1, 1, 0, false},  {"3 4", 1, 1, 0, false},
    };
    graph *g = hand_graph(nodes, 8);
    problem p = problem_make(g, 108);
    expect_schedule(&p, "dtr", NULL, "0@6 0@7 1@7 3@7", "");
    expect_schedule(&p, "dtr_local", NULL, "0@6 0@7 1@7 3@7", "");
    expect_schedule(&p, "dtr_eq", NULL, "0@6 4@7", "");
    graph_free(g);
}
END_TEST

Suite *dtr_suite(void)
{
    Suite *s = suite_create("dtr");
    TCase *t = tcase_create("dtr");
    tcase_add_test(t, evicts_least_h);
    tcase_add_test(t, out_of_memory);
    tcase_add_test(t, counts_evicted_neighbourhood);
    tcase_add_test(t, ties_by_index_or_age);
    tcase_add_test(t, ties_at_zero);
    tcase_add_test(t, gives_up_on_thrashing);
    tcase_add_test(t, classes_never_split);
    suite_add_tcase(s, t);
    return s;
}
