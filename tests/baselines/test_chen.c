/* Chen's segments on the unit chain of nine forward nodes: L = 9, n = 17, the gradient
 * of the pair (x, x+1) is stage 16 - x. Checkpoint-all needs 10 bytes, in stage 9. */
#include "tests/baselines/support.h"
#include "tests/suite.h"

SUITE("chen");

/* Candidates 1..7, k = 2: checkpoints 2, 4, 6. Segment [4,6) is wanted first by the
 * gradient of (5,6), stage 11. The last segment, [6,9), is kept. */
TEST(sqrtn_on_chain)
{
    OWNED(graph) *g = unit_chain(9);
    validation v = expect_schedule(WITHIN(g, 10), "chen_sqrtn", NULL, "5@11 3@13 0@15 1@15", "");
    ck_assert_int_eq(v.peak_bytes, 6);
    expect_schedule(WITHIN(g, 6), "chen_sqrtn", NULL, "5@11 3@13 0@15 1@15", "");
    expect_none(WITHIN(g, 5), "chen_sqrtn", NULL, "6 bytes in RAM, the budget is 5");
}

/* Candidates 0..8, k = 3: checkpoints 2, 5, 8. */
TEST(sqrtn_noap_on_chain)
{
    OWNED(graph) *g = unit_chain(9);
    expect_schedule(WITHIN(g, 10), "chen_sqrtn_noap", NULL, "6@9 7@9 3@12 4@12 0@15 1@15", "");
}

/* b = 2: a checkpoint when three bytes have come together: 2 and 5; 8 is no candidate.
 * Segment [2,5) is wanted by the gradient of (4,5), stage 12. */
TEST(greedy_for_given_segments)
{
    OWNED(graph) *g = unit_chain(9);
    baseline_options o = baseline_options_default();
    o.segment_bytes = 2;
    validation v = expect_schedule(WITHIN(g, 10), "chen_greedy", &o, "3@12 4@12 0@15 1@15", "");
    ck_assert_int_eq(v.peak_bytes, 6);
    /* With node 8 a candidate the last segment is just that node. */
    expect_schedule(WITHIN(g, 10), "chen_greedy_noap", &o, "6@9 7@9 3@12 4@12 0@15 1@15", "");
}

/* Of all b only b = 2 fits into 6 bytes; into 10 the set without checkpoints does, and
 * into 9 that of all candidates, b = 0, at the price of node 0. */
TEST(greedy_sweeps_all_segments)
{
    OWNED(graph) *g = unit_chain(9);
    expect_schedule(WITHIN(g, 6), "chen_greedy", NULL, "3@12 4@12 0@15 1@15", "");
    expect_schedule(WITHIN(g, 10), "chen_greedy", NULL, "", "");
    expect_schedule(WITHIN(g, 9), "chen_greedy", NULL, "0@16", "");
    expect_none(WITHIN(g, 5), "chen_greedy", NULL,
                "the lowest peak of 9 schedules, at b = 2, is 6 bytes");
}

/* Without articulation points there are no candidates: nothing is dropped. */
TEST(no_candidates)
{
    const hand_node nodes[] = {
        {"", 1, 1, 1, false},   {"0", 1, 1, 1, false},    {"0 1", 1, 1, 1, false},
        {"1 2", 1, 1, 1, true}, {"0 1 3", 1, 1, 1, true},
    };
    OWNED(graph) *g = hand_graph(nodes, 5);
    expect_schedule(WITHIN(g, 100), "chen_sqrtn", NULL, "", "");
    expect_schedule(WITHIN(g, 100), "chen_greedy", NULL, "", "");
}
