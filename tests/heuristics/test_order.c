/* Orders of the nodes: topological, of the same nodes, and never one that costs more. */
#include <math.h>

#include "heuristics/anneal.h"
#include "heuristics/order.h"
#include "tests/oracle/oracle.h"
#include "tests/oracle/random_instance.h"
#include "tests/oracle/scattered.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

SUITE("orders", .seconds = 120);

OWNED_POINTER(anneal, anneal_free)

static double optimum(const problem *p)
{
    oracle_result r = oracle_solve(p);
    schedule_free(r.schedule);
    return r.feasible ? r.overhead_joules : INFINITY;
}

TEST(orders_are_no_worse)
{
    int found = 0, better = 0;
    heuristic_tuning tuning = heuristic_tuning_default();
    tuning.order_work = 1e6;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        OWNED(random_instance) instance = random_instance_make(seed, 8);
        const problem *p = &instance.problem;
        const int n = p->graph->n;
        OWNED(int) *order = order_search(p, &tuning, seed);
        if (order) {
            bool seen[8] = {false};
            for (int k = 0; k < n; k++) {
                ck_assert(order[k] >= 0 && order[k] < n && !seen[order[k]]);
                seen[order[k]] = true;
                for (int i = p->graph->input_start[order[k]];
                     i < p->graph->input_start[order[k] + 1]; i++)
                    ck_assert(seen[p->graph->input[i]]);
            }
            OWNED(graph) *g = graph_reorder(p->graph, order);
            problem other = *p;
            other.graph = g;
            const double given = optimum(p), searched = optimum(&other);
            ck_assert_msg(!isinf(searched), "seed %lu", (unsigned long)seed);
            better += searched < given;
            found++;
        }
    }
    ck_assert_int_gt(found, 20);
    ck_assert_msg(better >= 9 * found / 10, "%d of %d orders are better", better, found);
}

/* Two wide branches; the node that reads what survives stands behind them, and a leaf before it
 * could stand behind that. */
TEST(outputs_stay_at_the_end)
{
    static const int zero = 0, one = 1, two = 2, ends[] = {2, 3};
    const graph_node nodes[] = {
        {.name = "a", .bytes = 8, .joules = 1},
        {.name = "b", .bytes = 8, .joules = 1},
        {.name = "c", .inputs = &zero, .input_count = 1, .bytes = 1, .joules = 9, .output = true},
        {.name = "d", .inputs = &one, .input_count = 1, .bytes = 1, .joules = 9, .output = true},
        {.name = "leaf", .inputs = &two, .input_count = 1, .bytes = 8, .joules = 9},
        {.name = "end", .inputs = ends, .input_count = 2}};
    heuristic_tuning tuning = heuristic_tuning_default();
    tuning.order_work = 1e6;
    OWNED(graph) *g = graph_create("branches", nodes, 6, NULL);
    problem p = problem_make(g, 11);
    int found = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        OWNED(int) *order = order_search(&p, &tuning, seed);
        if (order) {
            ck_assert_int_eq(order[5], 5);
            graph_free(graph_reorder(g, order));
            found++;
        }
    }
    ck_assert_int_gt(found, 10);
}

/* Half a thousand nodes in a random order of their layers: within the budget where memory follows
 * a node from place to place, and not where each place is looked at for each. */
LOOP_TEST(order_of_a_large_graph, 3)
{
    base_error error;
    heuristic_tuning tuning = heuristic_tuning_default();
    tuning.order_work = 1e8;
    layered_options options = layered_options_default();
    options.nodes = 500;
    options.width = 29;
    options.degree = 5;
    options.seed = (uint64_t)_i + 2;
    OWNED(graph) *g = scattered_make(&options, &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    problem p = problem_make(g, graph_checkpoint_all_peak(g) * 85 / 100);
    p.allow_paging = false;
    OWNED(int) *order = order_search(&p, &tuning, 1);
    ck_assert_ptr_nonnull(order);
    OWNED(graph) *other = graph_reorder(g, order);
    p.graph = other;
    OWNED(anneal) *a = anneal_create(&p, &tuning, 1);
    ck_assert_double_eq(anneal_joules(a), 0); /* of everything computed once */
}
