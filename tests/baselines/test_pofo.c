/* POFO: rotor's table against plain recursion, and plans that can be foreseen. */
#include <math.h>

#include "baselines/pofo_chain.h"
#include "tests/baselines/support.h"
#include "tests/suite.h"

SUITE("pofo");

OWNED_POINTER(pofo_chain, pofo_chain_free)

/* ---- rotor ----------------------------------------------------------------------- */

/* The definition, in bytes: least seconds to compute stages a..b again from x[a] and
 * reverse them in so many bytes beyond x[a]. */
static double rotor_by_definition(const pofo_chain *c, int a, int b, int64_t bytes)
{
    const int64_t *x = c->input_bytes, *segment = c->segment_bytes;
    const int64_t incoming = c->gradient_bytes[b + 1];
    if (bytes < 0)
        return INFINITY;
    double best = INFINITY;
    if (bytes >= segment[a + 1] + incoming && bytes >= c->turn_bytes[a])
        best = c->forward_seconds[a] + c->backward_seconds[a] +
               (a < b ? rotor_by_definition(c, a + 1, b, bytes - segment[a + 1]) : 0.0);
    double seconds = 0.0;
    int64_t need = 0;
    for (int j = a + 1; j <= b; j++) {
        seconds += c->forward_seconds[j - 1];
        int64_t step = c->drop_bytes[j - 1] + (j - 1 > a ? x[j - 1] : 0) + incoming;
        need = step > need ? step : need;
        if (bytes >= need)
            best = fmin(best, seconds + rotor_by_definition(c, j, b, bytes - x[j]) +
                                  rotor_by_definition(c, a, j - 1, bytes));
    }
    return best;
}

/* A published training graph with the bypasses 1 - 3, 4 - 6, ... and random costs. */
static graph *bypassed_graph(int forward, base_rng *rng)
{
    const int n = 2 * forward - 1;
    hand_node *nodes = base_calloc((size_t)n, sizeof *nodes);
    char(*inputs)[40] = base_calloc((size_t)n, sizeof *inputs);
    for (int i = 1; i < n; i++) {
        const int x = n - 1 - i;
        if (i >= forward)
            snprintf(inputs[i], sizeof *inputs, i > forward ? "%d %d %d" : "%d %d", x, x + 1,
                     i - 1);
        else
            snprintf(inputs[i], sizeof *inputs, i % 3 == 0 ? "%d %d" : "%d", i - 1, i - 2);
    }
    for (int i = 0; i < n; i++)
        nodes[i] = (hand_node){inputs[i], 1 + (int64_t)base_rng_below(rng, 4),
                               (double)base_rng_below(rng, 8) / 4.0, 1.0, i >= forward};
    graph *g = hand_graph(nodes, n);
    base_free_all(inputs, nodes);
    return g;
}

TEST(rotor_meets_definition)
{
    enum { SLOTS = 40 };
    base_rng rng = {7};
    int finite = 0;
    for (int round = 0; round < 20; round++) {
        OWNED(graph) *g = bypassed_graph(13, &rng);
        OWNED(policy_net) *net = policy_net_create(g);
        char reason[BASELINE_REASON];
        OWNED(policy_chain) *steps = policy_chain_create(net, true, reason);
        OWNED(pofo_chain) *c = pofo_chain_create(net, steps);
        ck_assert_int_eq(c->stages, 8);
        rotor_table *r = rotor_create(c, SLOTS, 1.0, NULL);
        for (int a = 0; a < c->stages; a++)
            for (int b = a; b < c->stages; b++)
                for (int k = 0; k <= SLOTS; k++) {
                    double exact = rotor_by_definition(c, a, b, k);
                    ck_assert_double_eq(rotor_seconds(r, a, b, k), exact);
                    finite += isfinite(exact) != 0;
                }
        ck_assert(isinf(rotor_seconds(r, 0, 0, -1)));
        rotor_free(r);
    }
    ck_assert_int_gt(finite, 1000);
}

/* 0 - 1 - 2 - 3 - 4 with the bypass 1 - 3; bytes are powers of two. */
TEST(chain_measures_segments)
{
    const hand_node nodes[] = {
        {"", 1, 1, 2, false},      {"0", 2, 2, 2, false},      {"1", 4, 3, 2, false},
        {"1 2", 8, 4, 2, false},   {"3", 16, 5, 2, false},     {"3 4", 32, 6, 2, true},
        {"2 3 5", 64, 7, 2, true}, {"1 2 6", 128, 8, 2, true}, {"0 1 7", 256, 9, 2, true},
    };
    OWNED(graph) *g = hand_graph(nodes, 9);
    OWNED(policy_net) *net = policy_net_create(g);
    char reason[BASELINE_REASON];
    OWNED(policy_chain) *steps = policy_chain_create(net, true, reason);
    OWNED(pofo_chain) *c = pofo_chain_create(net, steps);
    ck_assert_int_eq(c->stages, 3);
    const int64_t input[] = {1, 2, 8, 16}, segment[] = {1, 2, 12, 16};
    const int64_t gradient[] = {256, 128, 32, 0};
    const double forward[] = {2, 7, 5}, backward[] = {9, 15, 6};
    for (int l = 0; l <= 3; l++) {
        ck_assert_int_eq(c->input_bytes[l], input[l]);
        ck_assert_int_eq(c->segment_bytes[l], segment[l]);
        ck_assert_int_eq(c->gradient_bytes[l], gradient[l]);
    }
    for (int l = 0; l < 3; l++) {
        ck_assert_double_eq(c->forward_seconds[l], forward[l]);
        ck_assert_double_eq(c->backward_seconds[l], backward[l]);
    }
    ck_assert_int_eq(c->drop_bytes[1], 4 + 8);
    /* Stage 6: 2, 3, 5 and 6; stage 7: 2, 6 and 7. */
    ck_assert_int_eq(c->turn_bytes[1], 4 + 64 + 128);
    ck_assert_int_eq(c->turn_bytes[2], 16 + 32);
    /* Transfers of any size take 2 s: all latency, and a rate that moves the largest
     * tensor in that time. */
    ck_assert_double_eq_tol(c->pageout_rate, 128.0, 1e-9);
    ck_assert_double_eq_tol(c->pageout_latency_bytes, 255.0, 1e-9);
}

/* 1 - 2 - 3 - 4 - 5 with the bypass 1 - 4: of the segment 2, 3, 4 the first goes once 3 is
 * there. */
TEST(dropped_segment_releases)
{
    const hand_node nodes[] = {
        {"", 1, 1, 1, false},  {"0", 2, 1, 1, false},    {"1", 4, 1, 1, false},
        {"2", 8, 1, 1, false}, {"1 3", 16, 1, 1, false}, {"4", 32, 1, 1, false},
    };
    OWNED(graph) *g = hand_graph(nodes, 6);
    OWNED(policy_net) *net = policy_net_create(g);
    char reason[BASELINE_REASON];
    OWNED(policy_chain) *steps = policy_chain_create(net, true, reason);
    OWNED(pofo_chain) *c = pofo_chain_create(net, steps);
    ck_assert_int_eq(c->stages, 3);
    ck_assert_int_eq(c->drop_bytes[1], 8 + 16);
    ck_assert_int_eq(c->segment_bytes[2], 4 + 8 + 16);
}

/* ---- plans ------------------------------------------------------------------------- */

/* Transfers that never end: nothing is paged. Of a unit chain of six, checkpoint-all
 * keeps six and computes a gradient. One byte less: one of 1..4 is dropped and comes back
 * in its turn, beside those before it, its successor and two gradients: 1 or 2. Equal
 * times: the range begins as late as it can, so 2. */
TEST(recomputes_when_paging_is_slow)
{
    const int64_t bytes[] = {1, 1, 1, 1, 1, 1};
    const double seconds[] = {1, 1, 1, 1, 1, 1};
    OWNED(graph) *g = chain_graph(6, bytes, seconds, 1e9);
    baseline_options o = baseline_options_default();
    o.pofo_slots = 7;
    expect_schedule(WITHIN(g, 7), "pofo", &o, "", "");
    o.pofo_slots = 6;
    validation v = expect_schedule(WITHIN(g, 6), "pofo", &o, "2@8", "");
    ck_assert_int_eq(v.peak_bytes, 6);
}

/* Free transfers: ties are broken for paging, so everything leaves that has
 * time to: 4 would be wanted in stage 6, one after its page-out. */
TEST(pages_when_it_is_free)
{
    const int64_t bytes[] = {1, 1, 1, 1, 1, 1};
    const double seconds[] = {1, 1, 1, 1, 1, 1};
    OWNED(graph) *g = chain_graph(6, bytes, seconds, 0.0);
    problem p = problem_make(g, 100);
    expect_schedule(&p, "pofo", NULL, "", "0>1 1>2 2>3 3>4 3<6 2<7 1<8 0<9");
    p.allow_paging = false;
    expect_none(&p, "pofo", NULL, "pag");
}

TEST(says_why_not)
{
    graph *g = unit_chain(6);
    expect_none(WITHIN(g, 2), "pofo", NULL, "over 5 stages and 50 slots finds no sequence");
    graph_free(g);
    const hand_node nodes[] = {
        {"", 1, 1, 1, false},   {"0", 1, 1, 1, false},    {"0 1", 1, 1, 1, false},
        {"1 2", 1, 1, 1, true}, {"0 1 3", 1, 1, 1, true},
    };
    g = hand_graph(nodes, 5);
    expect_none(WITHIN(g, 100), "pofo", NULL, "not a chain: forward node 2");
    expect_schedule(WITHIN(g, 100), "pofo_ap", NULL, "", "");
    graph_free(g);
    g = unit_chain(3000);
    expect_none(WITHIN(g, 100), "pofo", NULL, "need a table of");
    graph_free(g);
}
