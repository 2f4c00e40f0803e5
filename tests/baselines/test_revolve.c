/* The snapshots of revolve against their closed form and a dynamic programme, and its policy. */
#include "baselines/policy.h"

#include "tests/baselines/support.h"
#include "tests/suite.h"

SUITE("revolve");

enum { MOST_STEPS = 60, MOST_SNAPSHOTS = 19 };

/* Steps computed to reverse from..end-1; fails if a snapshot is at no step between. */
static int64_t count_advances(int from, int end, int snapshots)
{
    int64_t advances = 0;
    while (end - from > 1) {
        const int to = revolve_next_snapshot(from, end, snapshots);
        ck_assert(from < to && to < end && (snapshots > 1 || to == end - 1));
        advances += to - from + count_advances(to, end, snapshots - 1);
        end = to;
    }
    return advances;
}

static int64_t binomial(int n, int k)
{
    int64_t value = 1;
    for (int j = 1; j <= k; j++)
        value = value * (n - k + j) / j;
    return value;
}

/* Griewank and Walther: r l - beta(c + 1, r - 1) advances. */
TEST(snapshots_meet_closed_form)
{
    for (int l = 1; l <= MOST_STEPS; l++)
        for (int c = 1; c <= MOST_SNAPSHOTS; c++) {
            int r = 0;
            while (binomial(c + r, c) < l)
                r++;
            const int64_t below = r > 0 ? binomial(c + r, c + 1) : 0;
            ck_assert_int_eq(count_advances(0, l, c), (int64_t)r * l - below);
        }
}

/* Least advances for l steps with c snapshots, one of them on the first state: advance
 * by j, reverse the rest with one fewer, then the first j. */
TEST(snapshots_are_optimal)
{
    static int64_t least[MOST_STEPS + 1][MOST_SNAPSHOTS + 1];
    for (int c = 0; c <= MOST_SNAPSHOTS; c++)
        least[0][c] = least[1][c] = 0;
    for (int l = 2; l <= MOST_STEPS; l++)
        for (int c = 1; c <= MOST_SNAPSHOTS; c++) {
            int64_t best = (int64_t)l * (l - 1) / 2; /* from the first state each time */
            for (int j = 1; c > 1 && j < l; j++) {
                int64_t sum = j + least[l - j][c - 1] + least[j][c];
                best = sum < best ? sum : best;
            }
            least[l][c] = best;
            ck_assert_int_eq(count_advances(0, l, c), best);
        }
}

/* L = 4, n = 7. One snapshot, of node 0: turn 2 (stage 4) finds 2 and 3 there, turn 1
 * (stage 5) and turn 0 (stage 6) compute their way from 0. With three, nodes 0 and 1
 * are stored and only the taping of 2 remains. */
TEST(policy_on_chain)
{
    OWNED(graph) *g = unit_chain(4);
    baseline_options o = baseline_options_default();
    o.snapshots = 1;
    expect_schedule(WITHIN(g, 5), "revolve", &o, "1@5 2@5 1@6", "");
    o.snapshots = 3;
    expect_schedule(WITHIN(g, 5), "revolve", &o, "2@5", "");
    expect_schedule(WITHIN(g, 5), "revolve", NULL, "2@5", "");
    expect_schedule(WITHIN(g, 5), "revolve_ap", NULL, "2@5", "");
    expect_none(WITHIN(g, 4), "revolve", NULL, "snapshots = 1, is 5 bytes; the budget is 4");
}

/* 0 - 1 - 2 - 3 - 4 with the bypass 1 - 3; turns: (3,4) in stage 5, (1,3) in 6..7, (0,1)
 * in 8. With snapshots enough, 0 and 1 are stored, and turn (1,3) computes 2 and 3. */
TEST(policy_on_articulation_points)
{
    const hand_node nodes[] = {
        {"", 1, 1, 1, false},     {"0", 1, 1, 1, false},    {"1", 1, 1, 1, false},
        {"1 2", 1, 1, 1, false},  {"3", 1, 1, 1, false},    {"3 4", 1, 1, 1, true},
        {"2 3 5", 1, 1, 1, true}, {"1 2 6", 1, 1, 1, true}, {"0 1 7", 1, 1, 1, true},
    };
    OWNED(graph) *g = hand_graph(nodes, 9);
    expect_none(WITHIN(g, 6), "revolve", NULL, "not a chain");
    baseline_options o = baseline_options_default();
    o.snapshots = 3;
    expect_schedule(WITHIN(g, 6), "revolve_ap", &o, "2@6 3@6", "");
    o.snapshots = 1;
    expect_schedule(WITHIN(g, 6), "revolve_ap", &o, "1@6 2@6 3@6 1@8", "");
}
