/* The revolve machine against its closed form and a dynamic programme, and its policy. */
#include "baselines/revolve.h"

#include "tests/baselines/support.h"
#include "tests/suite.h"

SUITE("revolve");

enum { MOST_STEPS = 60, MOST_SNAPSHOTS = 19 };

/* Steps computed by the machine; fails unless it reverses 0..steps-1 from the last to
 * the first, each from its own state, and restores only what it stored. */
static int64_t count_advances(int steps, int snapshots)
{
    revolve *r = revolve_create(steps, snapshots);
    bool stored[MOST_STEPS + 1] = {false};
    int64_t advances = 0;
    int state = 0, turned = steps;
    for (revolve_action a; (a = revolve_next(r)) != REVOLVE_DONE;) {
        ck_assert_int_le(r->stored, snapshots);
        switch (a) {
        case REVOLVE_ADVANCE:
            ck_assert_int_gt(r->state, state);
            advances += r->state - state;
            break;
        case REVOLVE_SNAPSHOT:
            ck_assert_int_eq(r->state, state);
            stored[state] = true;
            break;
        case REVOLVE_RESTORE:
            ck_assert(stored[r->state]);
            break;
        case REVOLVE_TURN:
            ck_assert_int_eq(r->state, state);
            ck_assert_int_eq(state, --turned);
            break;
        case REVOLVE_DONE:
            break;
        }
        state = r->state;
    }
    ck_assert_int_eq(turned, 0);
    revolve_free(r);
    return advances;
}

/* Griewank and Walther: r l - beta(c + 1, r - 1) advances. */
TEST(machine_meets_closed_form)
{
    for (int l = 1; l <= MOST_STEPS; l++)
        for (int c = 1; c <= MOST_SNAPSHOTS; c++) {
            int64_t r = revolve_repetitions(l, c);
            ck_assert_int_eq(count_advances(l, c), r * l - revolve_beta(c + 1, r - 1));
        }
}

/* Least advances for l steps with c snapshots, one of them on the first state: advance
 * by j, reverse the rest with one fewer, then the first j. */
TEST(machine_is_optimal)
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
            ck_assert_int_eq(count_advances(l, c), best);
        }
}

TEST(beta_is_binomial)
{
    ck_assert_int_eq(revolve_beta(3, 2), 10);
    ck_assert_int_eq(revolve_beta(2, 3), 10);
    ck_assert_int_eq(revolve_beta(0, 5), 1);
    ck_assert_int_eq(revolve_beta(-1, 5), 0);
    ck_assert_int_eq(revolve_beta(5, -1), 0);
    ck_assert_int_eq(revolve_beta(30, 30), INT64_C(118264581564861424));
    ck_assert_int_eq(revolve_beta(500, 500), INT64_MAX);
    ck_assert_int_eq(revolve_repetitions(10, 3), 2);
    ck_assert_int_eq(revolve_repetitions(11, 3), 3);
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
