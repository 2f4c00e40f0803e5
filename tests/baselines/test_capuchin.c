/* Capuchin's choices on graphs where each can be worked out. */
#include "tests/baselines/suites.h"
#include "tests/baselines/support.h"

/* 0 (10 bytes) is read by 1 and again by 5; in between 2 and 3 need 10 bytes together.
 * Gap (1, 5); free time 5 - 2 - (page-in + page-out) seconds. */
static graph *one_gap(double transfer)
{
    const hand_node nodes[] = {
        {"", 10, 1, transfer, false}, {"0", 1, 1, transfer, false}, {"1", 5, 1, transfer, false},
        {"2", 5, 1, transfer, false}, {"3", 1, 1, transfer, false}, {"0 4", 1, 1, transfer, false},
    };
    return hand_graph(nodes, 6);
}

START_TEST(pages_what_can_be_hidden)
{
    graph *g = one_gap(1.0);
    problem p = problem_make(g, 12);
    validation v = expect_schedule(&p, "capuchin", NULL, "", "0>1 0<4");
    ck_assert_int_eq(v.peak_bytes, 12);
    ck_assert_double_eq(v.overhead_joules, 2.0);
    p.ram_budget_bytes = 20;
    expect_schedule(&p, "capuchin", NULL, "", "");
    p.ram_budget_bytes = 11;
    expect_none(&p, "capuchin", NULL, "relieves stage 5, which needs 12 bytes");
    graph_free(g);
}
END_TEST

/* Two transfers take longer than the gap: nothing is hidden, 0 is recomputed. */
START_TEST(recomputes_what_cannot)
{
    graph *g = one_gap(2.0);
    problem p = problem_make(g, 12);
    expect_schedule(&p, "capuchin", NULL, "0@5", "");
    graph_free(g);
    g = one_gap(1.5); /* exactly hidden */
    p = problem_make(g, 12);
    expect_schedule(&p, "capuchin", NULL, "", "0>1 0<4");
    graph_free(g);
}
END_TEST

/* Blocking transfers: the cheaper in time, paging when equal. */
START_TEST(sync_takes_the_faster)
{
    graph *g = one_gap(1.0);
    problem p = problem_make(g, 12);
    expect_schedule(&p, "capuchin_sync", NULL, "0@5", "");
    baseline_options o = baseline_options_default();
    o.transfer = BASELINE_TRANSFER_SYNC;
    expect_schedule(&p, "capuchin", &o, "0@5", "");
    graph_free(g);
    g = one_gap(0.5);
    p = problem_make(g, 12);
    expect_schedule(&p, "capuchin_sync", NULL, "", "0>1 0<4");
    graph_free(g);
}
END_TEST

/* 0, 1 and 2 wait for the end, 3 needs room, 4 to 6 read them again, latest first.
 * Transfers cannot be hidden. MSPS: 0: 6/2, 1: 4/1, 2: 2/1 bytes per second. */
static graph *three_waiting(void)
{
    const hand_node nodes[] = {
        {"", 6, 2, 99, false},    {"", 4, 1, 99, false},    {"", 2, 1, 99, false},
        {"", 8, 1, 99, false},    {"2 3", 1, 1, 99, false}, {"1 4", 1, 1, 99, false},
        {"0 5", 1, 1, 99, false},
    };
    return hand_graph(nodes, 7);
}

/* Stage 3 needs 12 + 8 bytes, stage 4 one more. Gaps: 0: (0,6), 1: (1,5), 2: (2,4), too short to
 * take 2 out: its page-out in stage 3 leaves no stage before the page-in. */
START_TEST(recomputes_most_saving_first)
{
    graph *g = three_waiting();
    problem p = problem_make(g, 17);
    expect_schedule(&p, "capuchin", NULL, "1@5", "");
    p.ram_budget_bytes = 16;
    expect_schedule(&p, "capuchin", NULL, "1@5 0@6", "");
    p.ram_budget_bytes = 11;
    expect_schedule(&p, "capuchin", NULL, "1@5 0@6", "");
    p.ram_budget_bytes = 10;
    expect_none(&p, "capuchin", NULL, "relieves stage 4, which needs 11 bytes");
    graph_free(g);
}
END_TEST

/* 0, 1 and 2 wait while 4 needs room; 1 is computed from 0. MSPS: 0: 40/4, 1: 4/1,
 * 2: 4/2; but once 0 is to be recomputed, 1 takes 4 + 1 s, and 2 goes before it. */
static graph *dependent_waiting(void)
{
    const hand_node nodes[] = {
        {"", 40, 4, 99, false},   {"0", 4, 1, 99, false},   {"", 4, 2, 99, false},
        {"", 1, 1, 99, false},    {"3", 36, 1, 99, false},  {"4", 1, 1, 99, false},
        {"2 5", 1, 1, 99, false}, {"1 6", 1, 1, 99, false}, {"0 7", 1, 1, 99, false},
    };
    return hand_graph(nodes, 9);
}

START_TEST(updates_recomputation_times)
{
    graph *g = dependent_waiting();
    /* Stage 4 needs 40 + 4 + 4 + 1 + 36 = 85, without 0 45; stage 1 needs 44. */
    problem p = problem_make(g, 45);
    expect_schedule(&p, "capuchin", NULL, "0@8", "");
    p.ram_budget_bytes = 44;
    expect_schedule(&p, "capuchin", NULL, "2@6 0@8", "");
    p.ram_budget_bytes = 43;
    expect_none(&p, "capuchin", NULL, "relieves stage 1, which needs 44 bytes");
    graph_free(g);
}
END_TEST

/* 0 <- 1 <- 2 and 3 wait while 5 takes 100 bytes; 7, 8, 9, 10 read 3, 2, 1, 0 again. */
static graph *waiting_chain(int64_t bytes0, int64_t bytes1)
{
    const hand_node nodes[] = {
        {"", bytes0, 1, 99, false}, {"0", bytes1, 1, 99, false}, {"1", 40, 1, 99, false},
        {"", 7, 1, 99, false},      {"", 1, 1, 99, false},       {"4", 100, 1, 99, false},
        {"5", 1, 1, 99, false},     {"3 6", 1, 1, 99, false},    {"2 7", 1, 1, 99, false},
        {"1 8", 1, 1, 99, false},   {"0 9", 1, 1, 99, false},
    };
    return hand_graph(nodes, 11);
}

/* MSPS 40 and 20 bring 2, then 1, which 2 is computed from and so runs twice; its source 0
 * would then run twice too: 10 bytes / 2 s, less than 3 with 7 / 1 s. */
START_TEST(counts_runs_of_a_source)
{
    graph *g = waiting_chain(10, 20);
    problem p = problem_make(g, 112); /* stage 5: 178, without 1 and 2 118 */
    expect_schedule(&p, "capuchin", NULL, "3@7 1@8 2@8", "");
    graph_free(g);
}
END_TEST

/* MSPS 40 and 30 bring 2, then 0, which 1 is computed from: 2 s now, and twice, as 2 is
 * computed from 1: 20 bytes / 4 s, less than 3. */
START_TEST(counts_users_of_a_tensor)
{
    graph *g = waiting_chain(30, 20);
    problem p = problem_make(g, 122); /* stage 5: 198, without 0 and 2 128 */
    expect_schedule(&p, "capuchin", NULL, "3@7 2@8 0@10", "");
    graph_free(g);
}
END_TEST

/* 0 <- 1 <- 2 <- 3 and 4 wait while 6 takes 1000 bytes. MSPS bring 3, then 2, which makes
 * 1 a source of both: 200 bytes / 2 s, more than 0 with 90 / 1 s; then 0 runs for three:
 * 90 bytes / 3 s, less than 4 with 40 / 1 s. */
START_TEST(passes_sources_on)
{
    const hand_node nodes[] = {
        {"", 90, 1, 99, false},    {"0", 200, 1, 99, false}, {"1", 300, 1, 99, false},
        {"2", 400, 1, 99, false},  {"", 40, 1, 99, false},   {"", 1, 1, 99, false},
        {"5", 1000, 1, 99, false}, {"6", 1, 1, 99, false},   {"4 7", 1, 1, 99, false},
        {"3 8", 1, 1, 99, false},  {"2 9", 1, 1, 99, false}, {"1 10", 1, 1, 99, false},
        {"0 11", 1, 1, 99, false},
    };
    graph *g = hand_graph(nodes, 13);
    problem p = problem_make(g, 1100); /* stage 6: 2031, without 1, 2 and 3 1131 */
    expect_schedule(&p, "capuchin", NULL, "4@8 1@9 2@9 3@9", "");
    graph_free(g);
}
END_TEST

/* 1 would have to be computed from 0, long dead: 12 bytes / 6 s, less than 2 with 3 / 1 s. */
START_TEST(counts_dead_inputs)
{
    const hand_node nodes[] = {
        {"", 1, 5, 99, false},    {"0", 12, 1, 99, false},  {"", 3, 1, 99, false},
        {"", 1, 1, 99, false},    {"3", 8, 1, 99, false},   {"4", 1, 1, 99, false},
        {"2 5", 1, 1, 99, false}, {"1 6", 1, 1, 99, false},
    };
    graph *g = hand_graph(nodes, 8);
    problem p = problem_make(g, 22); /* stage 4: 24 */
    expect_schedule(&p, "capuchin", NULL, "2@6", "");
    p.ram_budget_bytes = 20;
    expect_schedule(&p, "capuchin", NULL, "2@6 0@7 1@7", "");
    graph_free(g);
}
END_TEST

/* Only stage 9 needs too much, where 0 comes back: 0, first in order, is left alone and 2
 * is paged. */
START_TEST(takes_out_what_relieves)
{
    const hand_node nodes[] = {
        {"", 10, 1, 0, false},    {"0", 1, 1, 0, false}, {"", 4, 1, 0, false},
        {"", 1, 1, 0, false},     {"3", 1, 1, 0, false}, {"2 4", 1, 1, 0, false},
        {"5", 1, 1, 0, false},    {"6", 1, 1, 0, false}, {"7", 1, 1, 0, false},
        {"0 8", 20, 1, 0, false}, {"9", 1, 1, 0, false}, {"2 10", 1, 1, 0, false},
    };
    graph *g = hand_graph(nodes, 12);
    problem p = problem_make(g, 31); /* stage 9: 35 */
    expect_schedule(&p, "capuchin", NULL, "", "2>5 2<10");
    graph_free(g);
}
END_TEST

/* 0 is paged out in stage 5 for the sake of stage 8. 1, computed from 0, has to go for
 * stage 5 and comes back in stage 6, too soon after the page-out: 0 stays after all, and
 * stage 8 is left to 3. */
START_TEST(keeps_what_is_wanted_too_soon)
{
    const hand_node nodes[] = {
        {"", 10, 1, 0.1, false},  {"0", 8, 1, 99, false},   {"1", 1, 1, 99, false},
        {"", 2, 1, 99, false},    {"", 20, 1, 99, false},   {"0 4", 1, 1, 99, false},
        {"1 5", 1, 1, 99, false}, {"", 21, 1, 99, false},   {"7", 1, 1, 99, false},
        {"8", 1, 1, 99, false},   {"0 9", 1, 1, 99, false}, {"3 10", 1, 1, 99, false},
    };
    graph *g = hand_graph(nodes, 12);
    problem p = problem_make(g, 32);
    expect_schedule(&p, "capuchin", NULL, "1@6 3@11", "");
    p.ram_budget_bytes = 31;
    expect_none(&p, "capuchin", NULL, "relieves stage 8, which needs 32 bytes");
    graph_free(g);
}
END_TEST

/* 0 is read by 4 and by 8: of the equal gaps the first counts, and stage 2 needs room. */
START_TEST(earliest_of_equal_gaps)
{
    const hand_node nodes[] = {
        {"", 10, 1, 0, false}, {"", 1, 1, 0, false},    {"1", 20, 1, 0, false},
        {"2", 1, 1, 0, false}, {"0 3", 1, 1, 0, false}, {"4", 1, 1, 0, false},
        {"5", 1, 1, 0, false}, {"6", 1, 1, 0, false},   {"0 7", 1, 1, 0, false},
    };
    graph *g = hand_graph(nodes, 9);
    problem p = problem_make(g, 30);
    expect_schedule(&p, "capuchin", NULL, "", "0>1 0<3");
    graph_free(g);
}
END_TEST

START_TEST(equal_savings_by_index)
{
    const hand_node nodes[] = {
        {"", 4, 1, 99, false},    {"", 4, 1, 99, false},  {"", 1, 1, 99, false},
        {"2", 8, 1, 99, false},   {"3", 1, 1, 99, false}, {"1 4", 1, 1, 99, false},
        {"0 5", 1, 1, 99, false},
    };
    graph *g = hand_graph(nodes, 7);
    problem p = problem_make(g, 13);
    expect_schedule(&p, "capuchin", NULL, "0@6", "");
    graph_free(g);
}
END_TEST

/* Capuchin's collective recomputation: 1 is computed from 0 and wanted first, 0 comes
 * back on the way in stage 6 and stays for stage 7 rather than be computed twice. */
START_TEST(collects_recomputations)
{
    const hand_node nodes[] = {
        {"", 8, 4, 99, false},    {"0", 8, 1, 99, false},   {"", 1, 1, 99, false},
        {"2", 30, 1, 99, false},  {"3", 1, 1, 99, false},   {"4", 1, 1, 99, false},
        {"1 5", 1, 1, 99, false}, {"0 6", 1, 1, 99, false},
    };
    graph *g = hand_graph(nodes, 8);
    problem p = problem_make(g, 33);
    validation v = expect_schedule(&p, "capuchin", NULL, "0@6 1@6", "");
    ck_assert_double_eq(v.overhead_joules, 5.0);
    graph_free(g);
}
END_TEST

Suite *capuchin_suite(void)
{
    Suite *s = suite_create("capuchin");
    TCase *t = tcase_create("capuchin");
    tcase_add_test(t, pages_what_can_be_hidden);
    tcase_add_test(t, recomputes_what_cannot);
    tcase_add_test(t, sync_takes_the_faster);
    tcase_add_test(t, recomputes_most_saving_first);
    tcase_add_test(t, updates_recomputation_times);
    tcase_add_test(t, counts_runs_of_a_source);
    tcase_add_test(t, counts_users_of_a_tensor);
    tcase_add_test(t, passes_sources_on);
    tcase_add_test(t, counts_dead_inputs);
    tcase_add_test(t, takes_out_what_relieves);
    tcase_add_test(t, keeps_what_is_wanted_too_soon);
    tcase_add_test(t, earliest_of_equal_gaps);
    tcase_add_test(t, equal_savings_by_index);
    tcase_add_test(t, collects_recomputations);
    suite_add_tcase(s, t);
    return s;
}
