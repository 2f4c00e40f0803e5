/* Outputs, states and resident bytes through the public header. */

#include "library/poetbnb.h"
#include "tests/suite.h"

SUITE("outputs", .seconds = 60);

/* Outputs get a node that reads them, states a pin, and budgets in bytes are beside what is
 * resident.
 */
TEST(outputs_states_and_resident_bytes)
{
    static const int zero = 0, one = 1;
    poetbnb_error error;
    poetbnb_node nodes[3] = {
        {.name = "a", .bytes = 8, .joules = 1, .stateful = POETBNB_STATEFUL},
        {.name = "b", .inputs = &zero, .input_count = 1, .bytes = 4, .joules = 1, .output = 1},
        {.name = "c", .inputs = &one, .input_count = 1, .bytes = 2, .joules = 1, .output = 1}};
    nodes[2].inputs = &zero;
    nodes[2].stateful = POETBNB_REPLAYED;
    poetbnb_graph *g = poetbnb_graph_create("ends", nodes, 3, &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    ck_assert_int_eq(poetbnb_graph_nodes(g), 4);
    poetbnb_node node;
    poetbnb_graph_node(g, 0, &node);
    ck_assert(node.pin == POETBNB_NO_RECOMPUTE && node.stateful == POETBNB_STATEFUL);
    poetbnb_graph_node(g, 2, &node);
    ck_assert(node.pin == 0 && node.stateful == POETBNB_REPLAYED && node.output == 1);
    poetbnb_graph_node(g, 3, &node);
    ck_assert_str_eq(node.name, "outputs");
    ck_assert_int_eq(poetbnb_graph_set_resident_bytes(g, -1, &error), -1);
    ck_assert_contains(error.text, "resident_bytes: 0 to 2^49 are expected, not -1");
    ck_assert_int_eq(poetbnb_graph_set_resident_bytes(g, 100, &error), 0);
    ck_assert_int_eq(poetbnb_graph_resident_bytes(g), 100);
    poetbnb_solver *solver = poetbnb_solver_create(g, &error);
    ck_assert_int_eq(poetbnb_graph_set_resident_bytes(g, 0, &error), -1);
    ck_assert_contains(error.text, "a solver has the graph already");
    ck_assert_int_eq(poetbnb_set(solver, "ram-budget", "114", &error), 0);
    poetbnb_result *result = poetbnb_solve(solver, &error);
    ck_assert_msg(result != NULL, "%s", error.text);
    poetbnb_figures figures;
    poetbnb_result_figures(result, &figures);
    ck_assert_int_eq(figures.ram_budget_bytes, 14);
    poetbnb_result_free(result);
    ck_assert_int_eq(poetbnb_set(solver, "ram-budget", "99", &error), 0);
    ck_assert_ptr_null(poetbnb_solve(solver, &error));
    ck_assert_contains(error.text, "ram-budget: 99 bytes; the resident bytes");
    poetbnb_solver_free(solver);
    poetbnb_graph_free(g);
    nodes[0].stateful = 3;
    ck_assert_ptr_null(poetbnb_graph_create("ends", nodes, 3, &error));
    ck_assert_contains(error.text, "node 0: stateful is 3");
}
