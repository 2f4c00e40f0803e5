/* Orders of the nodes: topological, of the same nodes, and never one that costs more. */
#include <math.h>

#include "heuristics/anneal.h"
#include "heuristics/order.h"
#include "tests/heuristics/suites.h"
#include "tests/oracle/oracle.h"
#include "tests/oracle/random_instance.h"

static double optimum(const problem *p)
{
    oracle_result r = oracle_solve(p);
    schedule_free(r.schedule);
    return r.feasible ? r.overhead_joules : INFINITY;
}

START_TEST(orders_are_no_worse)
{
    int found = 0, better = 0;
    heuristic_tuning tuning = heuristic_tuning_default();
    tuning.order_work = 1e6;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        random_instance instance = random_instance_make(seed, 8);
        const problem *p = &instance.problem;
        const int n = p->graph->n;
        int *order = order_search(p, &tuning, seed);
        if (order) {
            bool seen[8] = {false};
            for (int k = 0; k < n; k++) {
                ck_assert(order[k] >= 0 && order[k] < n && !seen[order[k]]);
                seen[order[k]] = true;
                for (int i = p->graph->input_start[order[k]];
                     i < p->graph->input_start[order[k] + 1]; i++)
                    ck_assert(seen[p->graph->input[i]]);
            }
            graph *g = graph_reorder(p->graph, order);
            problem other = *p;
            other.graph = g;
            const double given = optimum(p), searched = optimum(&other);
            ck_assert_msg(!isinf(searched), "seed %lu", (unsigned long)seed);
            better += searched < given;
            found++;
            graph_free(g);
        }
        base_free(order);
        random_instance_free(&instance);
    }
    ck_assert_int_gt(found, 20);
    ck_assert_msg(better >= 9 * found / 10, "%d of %d orders are better", better, found);
}
END_TEST

Suite *order_suite(void)
{
    Suite *suite = suite_create("heuristics/order");
    TCase *tests = tcase_create("orders");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, orders_are_no_worse);
    suite_add_tcase(suite, tests);
    return suite;
}
