/* What survives the step, what is drawn at random, and what is resident: the keys "output",
 * "stateful" and "resident_bytes". */
#include "problem/json.h"
#include "tests/problem/graph_text.h"
#include "tests/problem/owned.h"
#include "tests/problem/support.h"
#include "tests/suite.h"

SUITE("outputs");

#define OUTPUT "\"output\": true, "

/* Where the last node does not read them all, one more does. */
TEST(outputs_are_read_at_the_end)
{
    graph *g = parse_good_graph(
        GRAPH(OUTPUTS("a", "", THREE), NODE("b", "\"a.max\"", "8", OUTPUT),
              "{\"name\": \"v\", \"view\": true, \"output\": true, \"inputs\": [[\"a\", 1]]}",
              NODE("c", "\"b\"", "2", "\"backward\": true, ")));
    ck_assert_int_eq(g->n, 4);
    ck_assert_int_eq(g->bytes[0], 6); /* what survives is read */
    ck_assert(g->output[0] && g->output[1] && !g->output[2] && !g->output[3]);
    expect_read_nodes(g, 3, 2, (const int[]){0, 1});
    ck_assert_str_eq(g->node_name[3], "outputs");
    ck_assert_str_eq(g->node_note[3], "\"op\": \"outputs\"");
    ck_assert(g->backward[3] && g->bytes[3] == 0 && g->joules[3] == 0 && g->seconds[3] == 0);
    const int order[] = {0, 1, 3, 2};
    base_error error = {""};
    graph_node nodes[4];
    for (int i = 0; i < 4; i++)
        nodes[i] = graph_node_of(g, order[i]);
    ck_assert_ptr_null(graph_create("wrong", nodes, 4, &error));
    ck_assert_contains(error.text, "node 0 (a): an output is expected to be read by the last node");
    graph_free(g);
    /* the last one reads them, or is it */
    g = parse_good_graph(GRAPH(NODE("a", "", "4", OUTPUT), NODE("b", "0", "8", OUTPUT)));
    ck_assert_int_eq(g->n, 2);
    graph_free(g);
    /* a part is not all, a view is no node, and what is in place may have no readers */
    g = parse_good_graph(GRAPH("{\"inputs\": [], \"output\": true, \"outputs\": [" THREE
                               "], " COSTS("1") "}",
                               NODE("b", "[0, 1]", "8", "")));
    ck_assert_int_eq(g->n, 3);
    ck_assert_int_eq(g->bytes[0], 22);
    graph_free(g);
    g = parse_good_graph(GRAPH(NODE("a", "", "4", ""),
                               NODE("b", "0", "4", "\"in_place\": 0, " OUTPUT), VIEW("v", "1")));
    ck_assert_int_eq(g->n, 2);
    ck_assert(g->output[0]);
    graph_free(g);
}

TEST(stateful_nodes_are_pinned)
{
    OWNED(graph) *g = parse_good_graph("{\"resident_bytes\": 77, \"nodes\": [" LIST4(
        NODE("a", "", "4", "\"stateful\": true, \"pin\": \"no-page\", "),
        NODE("b", "0", "4", "\"in_place\": 0, \"stateful\": \"replayed\", "),
        NODE("c", "1", "4", "\"stateful\": \"replayed\", "),
        NODE("d", "2", "4", "\"stateful\": false, ")) "]}");
    ck_assert_int_eq(g->n, 3);
    ck_assert_int_eq(g->resident_bytes, 77);
    ck_assert_int_eq(g->state[0], GRAPH_STATEFUL); /* of both */
    ck_assert_uint_eq(g->pin[0], GRAPH_KEEP);
    ck_assert_int_eq(g->state[1], GRAPH_REPLAYED);
    ck_assert_uint_eq(g->pin[1], 0);
    ck_assert_int_eq(g->state[2], GRAPH_PURE);
    const int order[] = {0, 1, 2};
    OWNED(graph) *other = graph_reorder(g, order);
    ck_assert_int_eq(other->resident_bytes, 77);
    ck_assert_int_eq(other->state[1], GRAPH_REPLAYED);
}

/* Bytes are all of the RAM, a percentage is of what nodes take. */
TEST(budgets_beside_what_is_resident)
{
    OWNED(graph) *g = parse_good_graph("{\"resident_bytes\": 100, \"nodes\": [" LIST2(
        NODE("a", "", "40", ""), NODE("b", "0", "20", "")) "]}");
    base_amount ram;
    base_error error = {""};
    int64_t bytes;
    ck_assert_int_eq(base_number_amount("50%", true, &ram, &error), 0);
    ck_assert_int_eq(problem_budget(g, &ram, &bytes, &error), 0);
    ck_assert_int_eq(bytes, 30);
    ck_assert_int_eq(base_number_amount("160", true, &ram, &error), 0);
    ck_assert_int_eq(problem_budget(g, &ram, &bytes, &error), 0);
    ck_assert_int_eq(bytes, 60);
    ck_assert_int_eq(base_number_amount("99", true, &ram, &error), 0);
    ck_assert_int_eq(problem_budget(g, &ram, &bytes, &error), -1);
    ck_assert_str_eq(error.text, "99 bytes; the resident bytes of the graph alone are 100");
}
