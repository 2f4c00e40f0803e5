/* Capuchin's choices on graphs where each can be worked out. */
#include "tests/baselines/support.h"
#include "tests/suite.h"

SUITE("capuchin");

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

TEST(pages_what_can_be_hidden)
{
    OWNED(graph) *g = one_gap(1.0);
    validation v = expect_schedule(WITHIN(g, 12), "capuchin", NULL, "", "0>1 0<4");
    ck_assert_int_eq(v.peak_bytes, 12);
    ck_assert_double_eq(v.overhead_joules, 2.0);
    expect_schedule(WITHIN(g, 20), "capuchin", NULL, "", "");
    expect_none(WITHIN(g, 11), "capuchin", NULL, "relieves stage 5, which needs 12 bytes");
}

/* Two transfers take longer than the gap: nothing is hidden, 0 is recomputed. */
TEST(recomputes_what_cannot)
{
    graph *g = one_gap(2.0);
    expect_schedule(WITHIN(g, 12), "capuchin", NULL, "0@5", "");
    graph_free(g);
    g = one_gap(1.5); /* exactly hidden */
    expect_schedule(WITHIN(g, 12), "capuchin", NULL, "", "0>1 0<4");
    graph_free(g);
}

/* Blocking transfers: the cheaper in time, paging when equal. */
TEST(sync_takes_the_faster)
{
    graph *g = one_gap(1.0);
    expect_schedule(WITHIN(g, 12), "capuchin_sync", NULL, "0@5", "");
    graph_free(g);
    g = one_gap(0.5);
    expect_schedule(WITHIN(g, 12), "capuchin_sync", NULL, "", "0>1 0<4");
    graph_free(g);
}

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
TEST(recomputes_most_saving_first)
{
    OWNED(graph) *g = three_waiting();
    expect_schedule(WITHIN(g, 17), "capuchin", NULL, "1@5", "");
    expect_schedule(WITHIN(g, 16), "capuchin", NULL, "1@5 0@6", "");
    expect_schedule(WITHIN(g, 11), "capuchin", NULL, "1@5 0@6", "");
    expect_none(WITHIN(g, 10), "capuchin", NULL, "relieves stage 4, which needs 11 bytes");
}

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

TEST(updates_recomputation_times)
{
    OWNED(graph) *g = dependent_waiting();
    /* Stage 4 needs 40 + 4 + 4 + 1 + 36 = 85, without 0 45; stage 1 needs 44. */
    expect_schedule(WITHIN(g, 45), "capuchin", NULL, "0@8", "");
    expect_schedule(WITHIN(g, 44), "capuchin", NULL, "2@6 0@8", "");
    expect_none(WITHIN(g, 43), "capuchin", NULL, "relieves stage 1, which needs 44 bytes");
}

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
TEST(counts_runs_of_a_source)
{
    OWNED(graph) *g = waiting_chain(10, 20);
    problem p = problem_make(g, 112); /* stage 5: 178, without 1 and 2 118 */
    expect_schedule(&p, "capuchin", NULL, "3@7 1@8 2@8", "");
}

/* MSPS 40 and 30 bring 2, then 0, which 1 is computed from: 2 s now, and twice, as 2 is
 * computed from 1: 20 bytes / 4 s, less than 3. */
TEST(counts_users_of_a_tensor)
{
    OWNED(graph) *g = waiting_chain(30, 20);
    problem p = problem_make(g, 122); /* stage 5: 198, without 0 and 2 128 */
    expect_schedule(&p, "capuchin", NULL, "3@7 2@8 0@10", "");
}

/* 0 <- 1 <- 2 <- 3 and 4 wait while 6 takes 1000 bytes. MSPS bring 3, then 2, which makes
 * 1 a source of both: 200 bytes / 2 s, more than 0 with 90 / 1 s; then 0 runs for three:
 * 90 bytes / 3 s, less than 4 with 40 / 1 s. */
TEST(passes_sources_on)
{
    const hand_node nodes[] = {
        {"", 90, 1, 99, false},    {"0", 200, 1, 99, false}, {"1", 300, 1, 99, false},
        {"2", 400, 1, 99, false},  {"", 40, 1, 99, false},   {"", 1, 1, 99, false},
        {"5", 1000, 1, 99, false}, {"6", 1, 1, 99, false},   {"4 7", 1, 1, 99, false},
        {"3 8", 1, 1, 99, false},  {"2 9", 1, 1, 99, false}, {"1 10", 1, 1, 99, false},
        {"0 11", 1, 1, 99, false},
    };
    OWNED(graph) *g = hand_graph(nodes, 13);
    problem p = problem_make(g, 1100); /* stage 6: 2031, without 1, 2 and 3 1131 */
    expect_schedule(&p, "capuchin", NULL, "4@8 1@9 2@9 3@9", "");
}

/* 1 would have to be computed from 0, long dead: 12 bytes / 6 s, less than 2 with 3 / 1 s. */
TEST(counts_dead_inputs)
{
    const hand_node nodes[] = {
        {"", 1, 5, 99, false},    {"0", 12, 1, 99, false},  {"", 3, 1, 99, false},
        {"", 1, 1, 99, false},    {"3", 8, 1, 99, false},   {"4", 1, 1, 99, false},
        {"2 5", 1, 1, 99, false}, {"1 6", 1, 1, 99, false},
    };
    OWNED(graph) *g = hand_graph(nodes, 8);
    problem p = problem_make(g, 22); /* stage 4: 24 */
    expect_schedule(&p, "capuchin", NULL, "2@6", "");
    p.ram_budget_bytes = 20;
    expect_schedule(&p, "capuchin", NULL, "2@6 0@7 1@7", "");
}

/* Only stage 9 needs too much, where 0 comes back: 0, first in order, is left alone and 2
 * is paged. */
TEST(takes_out_what_relieves)
{
    const hand_node nodes[] = {
        {"", 10, 1, 0, false},    {"0", 1, 1, 0, false}, {"", 4, 1, 0, false},
        {"", 1, 1, 0, false},     {"3", 1, 1, 0, false}, {"2 4", 1, 1, 0, false},
        {"5", 1, 1, 0, false},    {"6", 1, 1, 0, false}, {"7", 1, 1, 0, false},
        {"0 8", 20, 1, 0, false}, {"9", 1, 1, 0, false}, {"2 10", 1, 1, 0, false},
    };
    OWNED(graph) *g = hand_graph(nodes, 12);
    problem p = problem_make(g, 31); /* stage 9: 35 */
    expect_schedule(&p, "capuchin", NULL, "", "2>5 2<10");
}

/* 0 is paged out in stage 5 for the sake of stage 8. 1, computed from 0, has to go for
 * stage 5 and comes back in stage 6, too soon after the page-out: 0 stays after all, and
 * stage 8 is left to 3. */
TEST(keeps_what_is_wanted_too_soon)
{
    const hand_node nodes[] = {
        {"", 10, 1, 0.1, false},  {"0", 8, 1, 99, false},   {"1", 1, 1, 99, false},
        {"", 2, 1, 99, false},    {"", 20, 1, 99, false},   {"0 4", 1, 1, 99, false},
        {"1 5", 1, 1, 99, false}, {"", 21, 1, 99, false},   {"7", 1, 1, 99, false},
        {"8", 1, 1, 99, false},   {"0 9", 1, 1, 99, false}, {"3 10", 1, 1, 99, false},
    };
    OWNED(graph) *g = hand_graph(nodes, 12);
    expect_schedule(WITHIN(g, 32), "capuchin", NULL, "1@6 3@11", "");
    expect_none(WITHIN(g, 31), "capuchin", NULL, "relieves stage 8, which needs 32 bytes");
}

/* 0 is read by 4 and by 8: of the equal gaps the first counts, and stage 2 needs room. */
TEST(earliest_of_equal_gaps)
{
    const hand_node nodes[] = {
        {"", 10, 1, 0, false}, {"", 1, 1, 0, false},    {"1", 20, 1, 0, false},
        {"2", 1, 1, 0, false}, {"0 3", 1, 1, 0, false}, {"4", 1, 1, 0, false},
        {"5", 1, 1, 0, false}, {"6", 1, 1, 0, false},   {"0 7", 1, 1, 0, false},
    };
    OWNED(graph) *g = hand_graph(nodes, 9);
    expect_schedule(WITHIN(g, 30), "capuchin", NULL, "", "0>1 0<3");
}

TEST(equal_savings_by_index)
{
    const hand_node nodes[] = {
        {"", 4, 1, 99, false},    {"", 4, 1, 99, false},  {"", 1, 1, 99, false},
        {"2", 8, 1, 99, false},   {"3", 1, 1, 99, false}, {"1 4", 1, 1, 99, false},
        {"0 5", 1, 1, 99, false},
    };
    OWNED(graph) *g = hand_graph(nodes, 7);
    expect_schedule(WITHIN(g, 13), "capuchin", NULL, "0@6", "");
}

/* Capuchin's collective recomputation: 1 is computed from 0 and wanted first, 0 comes
 * back on the way in stage 6 and stays for stage 7 rather than be computed twice. */
TEST(collects_recomputations)
{
    const hand_node nodes[] = {
        {"", 8, 4, 99, false},    {"0", 8, 1, 99, false},   {"", 1, 1, 99, false},
        {"2", 30, 1, 99, false},  {"3", 1, 1, 99, false},   {"4", 1, 1, 99, false},
        {"1 5", 1, 1, 99, false}, {"0 6", 1, 1, 99, false},
    };
    OWNED(graph) *g = hand_graph(nodes, 8);
    validation v = expect_schedule(WITHIN(g, 33), "capuchin", NULL, "0@6 1@6", "");
    ck_assert_double_eq(v.overhead_joules, 5.0);
}
