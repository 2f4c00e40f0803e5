/* DTR's choices on graphs where each can be worked out. Times are seconds; h is cost /
 * (bytes * staleness). */
#include "tests/baselines/support.h"
#include "tests/suite.h"

SUITE("dtr");

static const char *const all[] = {"dtr", "dtr_eq", "dtr_local", "dtr_simrd"};
enum { ALL = sizeof all / sizeof *all };

/* Three sources of 2, 4 and 1 bytes that take 4, 2 and 1 s; then 3 needs 4 bytes more
 * than a budget of 10 leaves. At 7 s h is 4/(2*3), 2/(4*1) and infinite: 1 goes. */
static const hand_node three_sources[] = {
    {"", 2, 4, 0, false}, {"", 4, 2, 0, false},      {"", 1, 1, 0, false},
    {"", 4, 1, 0, false}, {"0 1 2", 1, 1, 0, false},
};

TEST(evicts_least_h)
{
    OWNED(graph) *g = hand_graph(three_sources, 5);
    for (int k = 0; k < ALL; k++) {
        validation v = expect_schedule(WITHIN(g, 10), all[k], NULL, "1@4", "");
        ck_assert_double_eq(v.overhead_joules, 2.0);
        ck_assert_int_eq(v.peak_bytes, 8);
    }
    for (int k = 0; k < ALL; k++)
        expect_schedule(WITHIN(g, 11), all[k], NULL, "", "");
}

TEST(out_of_memory)
{
    OWNED(graph) *g = hand_graph(three_sources, 5);
    for (int k = 0; k < ALL; k++)
        expect_none(WITHIN(g, 7), all[k], NULL,
                    "out of memory in stage 4: node 4 (node) needs 1 bytes beside 7");
}

/* 0 (10 s) is freed after its reader 1; when 4 needs room, 1 has bytes 4, staleness 2 and
 * a cost of 1 s alone or 11 s with the evicted 0; 2 has 1 s / (4 * 1). */
TEST(counts_evicted_neighbourhood)
{
    const hand_node nodes[] = {
        {"", 80, 10, 0, false}, {"0", 4, 1, 0, false}, {"", 4, 1, 0, false},
        {"", 1, 1, 0, false},   {"", 84, 1, 0, false}, {"1 2", 1, 1, 0, false},
    };
    OWNED(graph) *g = hand_graph(nodes, 6);
    expect_schedule(WITHIN(g, 91), "dtr", NULL, "2@5", "");
    expect_schedule(WITHIN(g, 91), "dtr_eq", NULL, "2@5", "");
    expect_schedule(WITHIN(g, 91), "dtr_simrd", NULL, "2@5", "");
    expect_schedule(WITHIN(g, 91), "dtr_local", NULL, "0@5 1@5", "");
}

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

TEST(ties_by_index_or_age)
{
    OWNED(graph) *g = tied_sources(1.0);
    expect_schedule(WITHIN(g, 11), "dtr", NULL, "0@5", "");
    expect_schedule(WITHIN(g, 11), "dtr_simrd", NULL, "1@6", "");
}

/* The simulator stops looking at the first h = 0. */
TEST(ties_at_zero)
{
    OWNED(graph) *g = tied_sources(0.0);
    expect_schedule(WITHIN(g, 11), "dtr", NULL, "0@5", "");
    expect_schedule(WITHIN(g, 11), "dtr_simrd", NULL, "0@5", "");
}

/* Under 11 bytes dtr computes 0 once more: 5 s over a base of 15 s. */
TEST(gives_up_on_thrashing)
{
    const hand_node nodes[] = {
        {"", 4, 5, 0, false}, {"", 4, 5, 0, false},  {"0 1", 1, 1, 0, false},
        {"", 4, 2, 0, false}, {"0", 1, 1, 0, false}, {"1", 1, 1, 0, false},
    };
    OWNED(graph) *g = hand_graph(nodes, 6);
    baseline_options o = baseline_options_default();
    o.dtr_thrash = 1.34;
    expect_schedule(WITHIN(g, 11), "dtr", &o, "0@4", "");
    o.dtr_thrash = 1.3;
    expect_none(WITHIN(g, 11), "dtr", &o,
                "computes for more than 1.3 times the base time in stage 5");
}

/* 0 (100 bytes) is read by 1 and 2, which are freed, and is evicted for 5: with classes
 * the three become one, worth 102 s. When 0 comes back for 6, the class keeps 1 and 2,
 * though nothing evicted joins them any more. 3, which read 1, then has a staleness of
 * 4 s and a cost of 1 + 1 s, by classes 1 + 101 s; 4 has 2 s / (4 * 2). */
TEST(classes_never_split)
{
    const hand_node nodes[] = {
        {"", 100, 1, 0, false}, {"0", 1, 1, 0, false},   {"0", 1, 100, 0, false},
        {"1", 4, 1, 0, false},  {"", 4, 2, 0, false},    {"", 1, 1, 0, false},
        {"0", 1, 1, 0, false},  {"3 4", 1, 1, 0, false},
    };
    OWNED(graph) *g = hand_graph(nodes, 8);
    expect_schedule(WITHIN(g, 108), "dtr", NULL, "0@6 0@7 1@7 3@7", "");
    expect_schedule(WITHIN(g, 108), "dtr_local", NULL, "0@6 0@7 1@7 3@7", "");
    expect_schedule(WITHIN(g, 108), "dtr_eq", NULL, "0@6 4@7", "");
}
