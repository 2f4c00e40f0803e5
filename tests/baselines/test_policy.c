/* The graph as forward part, chain and turns; the integer clock. */
#include <math.h>

#include "tests/baselines/support.h"
#include "tests/suite.h"

SUITE("policy");

/* 0 - 1 - 2 - 3 - 4 - 5 with the bypass 1 - 4; gradients 6.. of a published chain. */
static graph *bypassed_chain(void)
{
    const hand_node nodes[] = {
        {"", 1, 1, 1, false},     {"0", 1, 1, 1, false},    {"1", 1, 1, 1, false},
        {"2", 1, 1, 1, false},    {"1 3", 1, 1, 1, false},  {"4", 1, 1, 1, false},
        {"4 5", 1, 1, 1, true},   {"3 4 6", 1, 1, 1, true}, {"2 3 7", 1, 1, 1, true},
        {"1 2 8", 1, 1, 1, true}, {"0 1 9", 1, 1, 1, true},
    };
    return hand_graph(nodes, 11);
}

TEST(net_of_chain)
{
    OWNED(graph) *g = unit_chain(5);
    OWNED(policy_net) *net = policy_net_create(g);
    ck_assert_int_eq(net->forward, 5);
    ck_assert_int_eq(net->breaker, -1);
    ck_assert_int_eq(net->articulation_count, 3);
    for (int k = 0; k < 3; k++)
        ck_assert_int_eq(net->articulation[k], k + 1);
    ck_assert_int_eq(net->last_forward[2], 3);
    ck_assert_int_eq(net->last_forward[4], 4);
    ck_assert_int_eq(net->first_gradient[4], 5);
    ck_assert_int_eq(net->first_gradient[2], 6);
    ck_assert_int_eq(net->first_gradient[8], 9); /* read by nobody */
}

TEST(net_with_bypass)
{
    OWNED(graph) *g = bypassed_chain();
    OWNED(policy_net) *net = policy_net_create(g);
    ck_assert_int_eq(net->breaker, 4);
    ck_assert_int_eq(net->articulation_count, 2);
    ck_assert_int_eq(net->articulation[0], 1);
    ck_assert_int_eq(net->articulation[1], 4);
    char reason[BASELINE_REASON];
    ck_assert_ptr_null(policy_chain_create(net, false, reason));
    ck_assert_contains(reason, "not a chain: forward node 4");
}

TEST(turns_of_articulation_points)
{
    OWNED(graph) *g = bypassed_chain();
    OWNED(policy_net) *net = policy_net_create(g);
    char reason[BASELINE_REASON];
    OWNED(policy_chain) *chain = policy_chain_create(net, true, reason);
    const int point[] = {0, 1, 4, 5}, turn[] = {10, 7, 6}, turn_end[] = {10, 9, 6};
    ck_assert_int_eq(chain->steps, 3);
    for (int x = 0; x < 3; x++) {
        ck_assert_int_eq(chain->point[x], point[x]);
        ck_assert_int_eq(chain->turn[x], turn[x]);
        ck_assert_int_eq(chain->turn_end[x], turn_end[x]);
    }
    ck_assert_int_eq(chain->point[3], point[3]);
}

/* 0 - 1 - 2, and three gradients instead of two: turns end with the last reader. */
TEST(turns_of_unpaired_gradients)
{
    const hand_node nodes[] = {
        {"", 1, 1, 1, false},   {"0", 1, 1, 1, false}, {"1", 1, 1, 1, false},
        {"1 2", 1, 1, 1, true}, {"3", 1, 1, 1, true},  {"0 1 4", 1, 1, 1, true},
    };
    OWNED(graph) *g = hand_graph(nodes, 6);
    OWNED(policy_net) *net = policy_net_create(g);
    char reason[BASELINE_REASON];
    OWNED(policy_chain) *chain = policy_chain_create(net, false, reason);
    ck_assert_int_eq(chain->steps, 2);
    ck_assert_int_eq(chain->turn[1], 3);
    ck_assert_int_eq(chain->turn_end[1], 3);
    ck_assert_int_eq(chain->turn[0], 4);
    ck_assert_int_eq(chain->turn_end[0], 5);
}

TEST(graph_without_gradients)
{
    const hand_node nodes[] = {{"", 1, 1, 1, false}};
    OWNED(graph) *g = hand_graph(nodes, 1);
    OWNED(policy_net) *net = policy_net_create(g);
    ck_assert_int_eq(net->forward, 1);
    char reason[BASELINE_REASON];
    ck_assert_ptr_null(policy_chain_create(net, true, reason));
    ck_assert_contains(reason, "no two forward nodes");
}

TEST(family_takes_least_then_peak_then_first)
{
    OWNED(graph) *g = unit_chain(3);
    problem p = problem_make(g, 4);
    policy_family family = policy_family_make(&p);
    /* Recomputing node 0 in the last stage: 1 J more than checkpoint-all. */
    schedule *dear = schedule_checkpoint_all(g);
    dear->R[schedule_cell(dear, 4, 0)] = 1;
    for (int t = 2; t <= 4; t++)
        dear->S[schedule_cell(dear, t, 0)] = 0;
    policy_family_add(&family, dear, 1);
    ck_assert_ptr_eq(family.best, dear);
    schedule *cheap = schedule_checkpoint_all(g);
    policy_family_add(&family, cheap, 2);
    ck_assert_ptr_eq(family.best, cheap);
    policy_family_add(&family, schedule_copy(cheap), 3);
    ck_assert_ptr_eq(family.best, cheap);
    ck_assert_int_eq(family.members, 3);
    ck_assert_int_eq(family.lowest_parameter, 1);
    char reason[BASELINE_REASON];
    OWNED(schedule) *s = policy_family_take(&family, false, "k", reason);
    ck_assert_ptr_eq(s, cheap);
}

TEST(clock_rounds_half_up)
{
    ck_assert_int_eq((int64_t)policy_clock_of(0.0), 0);
    ck_assert_int_eq((int64_t)policy_clock_of(1.4e-12), 1);
    ck_assert_int_eq((int64_t)policy_clock_of(1.6e-12), 2);
    ck_assert_int_eq((int64_t)policy_clock_of(3.0), INT64_C(3000000000000));
    /* 2^34 s: beyond 64 bits of picoseconds. */
    ck_assert(policy_clock_of(17179869184.0) / 17179869184 == INT64_C(1000000000000));
}

TEST(ratio_is_exact)
{
    ck_assert_double_eq(policy_ratio(6, 3, 1), 2.0);
    ck_assert_double_eq(policy_ratio(1, 3, 1), 1.0 / 3.0);
    ck_assert(isinf(policy_ratio(1, 0, 1)));
    ck_assert(isinf(policy_ratio(0, 0, 1)));
    ck_assert(isinf(policy_ratio(1, 1, 0)));
    /* Products beyond 64 bits, equal as fractions. */
    policy_clock big = (policy_clock)1 << 45;
    ck_assert_double_eq(policy_ratio(3 * big, 9 * big, big), policy_ratio(big, 3 * big, big));
}
