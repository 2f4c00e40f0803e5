/* Views, outputs in place and several outputs: what they become, what is refused, and that the
 * graph's optimum is the list's. */
#include <math.h>
#include <stdlib.h>

#include "problem/json.h"
#include "problem/lower.h"
#include "tests/oracle/oracle.h"
#include "tests/oracle/sharing.h"
#include "tests/problem/graph_text.h"
#include "tests/problem/owned.h"
#include "tests/problem/support.h"
#include "tests/suite.h"

SUITE("lower", .seconds = 120);

static void expect_alias(const graph *g, int k, int node, const char *name, graph_alias_kind kind,
                         int64_t bytes)
{
    ck_assert_int_lt(k, g->alias_count);
    ck_assert_int_ge(k, g->alias_start[node]);
    ck_assert_int_lt(k, g->alias_start[node + 1]);
    ck_assert_str_eq(g->alias[k].name, name);
    ck_assert_int_eq(g->alias[k].kind, kind);
    ck_assert_int_eq(g->alias[k].bytes, bytes);
}

TEST(views_vanish)
{
    OWNED(graph) *g = parse_good_graph(GRAPH(
        NODE("a", "", "4", ""), VIEW("v", "\"a\""), VIEW("w", "1"), NODE("b", "\"w\", 0", "8", ""),
        "{\"view\": true, \"inputs\": [3]}", NODE("c", "\"v\", 4", "1", "")));
    ck_assert_int_eq(g->n, 3);
    expect_read_nodes(g, 1, 1, (const int[]){0});
    expect_read_nodes(g, 2, 2, (const int[]){0, 1});
    ck_assert_int_eq(g->alias_count, 2); /* one says nothing */
    expect_alias(g, 0, 0, "v", GRAPH_VIEW, 0);
    expect_alias(g, 1, 0, "w", GRAPH_VIEW, 0);
    OWNED(graph) *plain = parse_good_graph(
        GRAPH(NODE("a", "", "4", ""), NODE("b", "0", "8", ""), NODE("c", "0, 1", "1", "")));
    ck_assert(graph_same(g, plain));
    ck_assert(graph_checksum(g) == graph_checksum(plain));
}

TEST(what_is_overwritten_joins)
{
    OWNED(graph) *g = parse_good_graph(GRAPH(
        NODE("x", "", "1", ""),
        NODE("conv", "0", "4", "\"workspace_bytes\": 9, \"pin\": \"no-page\", "),
        NODE("skip", "0", "4", ""), VIEW("flat", "1"),
        NODE("add", "\"flat\", \"skip\"", "4", "\"in_place\": \"flat\", \"workspace_bytes\": 2, "),
        NODE("relu", "\"add\"", "4", "\"in_place\": 4, \"pin\": \"no-recompute\", "),
        NODE("end", "\"relu\", 2", "1", "")));
    ck_assert_int_eq(g->n, 4);
    ck_assert_str_eq(g->node_name[2], "relu");
    expect_read_nodes(g, 1, 1, (const int[]){0});
    expect_read_nodes(g, 2, 2, (const int[]){0, 1});
    expect_read_nodes(g, 3, 2, (const int[]){1, 2});
    ck_assert_int_eq(g->bytes[2], 4);
    ck_assert_int_eq(g->workspace[2], 9);
    ck_assert_uint_eq(g->pin[2], GRAPH_KEEP);
    ck_assert_double_eq(g->joules[2], 6);
    ck_assert_double_eq(g->seconds[2], 6);
    ck_assert_double_eq(g->pagein_joules[2], 2);
    ck_assert_int_eq(g->alias_count, 3);
    expect_alias(g, 0, 2, "conv", GRAPH_OVERWRITTEN, 0);
    expect_alias(g, 1, 2, "flat", GRAPH_VIEW, 0);
    expect_alias(g, 2, 2, "add", GRAPH_OVERWRITTEN, 0);
}

TEST(outputs_are_one_tensor_and_a_workspace)
{
    graph *g = parse_good_graph(GRAPH(OUTPUTS("pool", "", THREE), VIEW("v", "[0, 1]"),
                                      NODE("a", "\"pool.max\"", "1", ""),
                                      NODE("b", "[\"pool\", 0], \"v\"", "1", "")));
    ck_assert_int_eq(g->n, 3);
    ck_assert_int_eq(g->bytes[0], 6);
    ck_assert_int_eq(g->workspace[0], 16);
    expect_read_nodes(g, 2, 1, (const int[]){0});
    expect_alias(g, 0, 0, "max", GRAPH_OUTPUT, 4);
    expect_alias(g, 1, 0, "index", GRAPH_OUTPUT, 2);
    expect_alias(g, 2, 0, "", GRAPH_UNREAD, 16);
    expect_alias(g, 3, 0, "v", GRAPH_VIEW, 0);
    graph_free(g);
    /* a view that nobody reads reads nothing; who names the node reads all of it */
    g = parse_good_graph(
        GRAPH(OUTPUTS("pool", "", THREE), VIEW("v", "[0, 1]"), NODE("a", "\"pool.max\"", "1", "")));
    ck_assert_int_eq(g->bytes[0], 4);
    ck_assert_int_eq(g->workspace[0], 18);
    graph_free(g);
    g = parse_good_graph(GRAPH(OUTPUTS("pool", "", THREE), NODE("a", "\"pool\"", "1", "")));
    ck_assert_int_eq(g->bytes[0], 22);
    ck_assert_int_eq(g->workspace[0], 0);
    graph_free(g);
    g = parse_good_graph(GRAPH(OUTPUTS("pool", "", THREE)));
    ck_assert_int_eq(g->bytes[0], 22);
    graph_free(g);
}

/* Names survive, and what reads by them. */
TEST(written_and_read_again)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        sharing_list *list = sharing_list_draw(seed, 6);
        char *text = graph_text(list->graph);
        base_error error = {""};
        OWNED(graph) *again = graph_parse(text, strlen(text), "again", NULL, &error);
        ck_assert_msg(again != NULL, "seed %d: %s", (int)seed, error.text);
        ck_assert(graph_same(list->graph, again));
        for (int i = 0; i < again->n; i++) {
            ck_assert_int_eq(list->graph->output[i], again->output[i]);
            ck_assert_int_eq(list->graph->state[i], again->state[i]);
        }
        ck_assert_int_eq(list->graph->alias_count, again->alias_count);
        for (int k = 0; k < again->alias_count; k++) {
            ck_assert_str_eq(list->graph->alias[k].name, again->alias[k].name);
            ck_assert_int_eq(list->graph->alias[k].kind, again->alias[k].kind);
            ck_assert_int_eq(list->graph->alias[k].bytes, again->alias[k].bytes);
        }
        free(text);
        sharing_list_free(list);
    }
    OWNED(graph) *g = parse_good_graph(
        GRAPH(NODE("a", "", "6",
                   "\"aliases\": [{\"name\": \"v\", \"kind\": \"view\", \"op\": \"flatten\"}, "
                   "{\"name\": \"max\", \"kind\": \"output\", \"bytes\": 6}], "),
              NODE("b", "\"v\"", "1", ""), NODE("c", "\"a.max\"", "1", "")));
    expect_read_nodes(g, 1, 1, (const int[]){0});
    expect_read_nodes(g, 2, 1, (const int[]){0});
    ck_assert_str_eq(g->alias[0].note, "\"op\": \"flatten\"");
    const int order[] = {0, 2, 1};
    OWNED(graph) *other = graph_reorder(g, order);
    expect_alias(other, 1, 0, "max", GRAPH_OUTPUT, 6);
}

#define A NODE("a", "", "4", "")
#define ALIAS(text) GRAPH(NODE("a", "", "4", "\"workspace_bytes\": 3, \"aliases\": [" text "], "))

static const struct {
    const char *text, *message;
} bad[] = {
    {GRAPH(A, "{\"view\": 1, \"inputs\": [0]}"),
     "it: nodes[1].view: true or false is expected, not an integer"},
    {GRAPH(A, VIEW("v", "")), "it: nodes: node 1 (v): a view has 0 inputs; one is expected"},
    {GRAPH(A, A, VIEW("v", "0, 1")), "it: nodes: node 2 (v): a view has 2 inputs; one is expected"},
    {GRAPH(A, "{\"view\": true}"), "it: nodes[1]: key \"inputs\" is missing"},
    {GRAPH(A, "{\"view\": true, \"inputs\": [0], \"bytes\": 0}"),
     "it: nodes[1]: a view has no \"bytes\" of its own"},
    {GRAPH(A, "{\"view\": true, \"inputs\": [0], \"pin\": \"keep\"}"),
     "it: nodes[1]: a view has no \"pin\" of its own"},
    {GRAPH(A, "{\"view\": true, \"inputs\": [0], \"in_place\": 0}"),
     "it: nodes[1]: a view has no \"in_place\" of its own"},
    {GRAPH(A, "{\"view\": true, \"inputs\": [0], \"outputs\": []}"),
     "it: nodes[1]: a view has no \"outputs\" of its own"},
    {GRAPH(A, "{\"view\": true, \"inputs\": [0], \"workspace_bytes\": 1}"),
     "it: nodes[1]: a view has no \"workspace_bytes\" of its own"},
    {GRAPH(A, "{\"view\": true, \"inputs\": [0], \"aliases\": []}"),
     "it: nodes[1]: a view has no \"aliases\" of its own"},
    {GRAPH(A, "{\"view\": true, \"inputs\": [0], \"flops\": 1}"),
     "it: nodes[1]: a view has no \"flops\" of its own"},
    {GRAPH(A, "{\"view\": true, \"inputs\": [0], \"joules\": 1}"),
     "it: nodes[1]: a view has no \"joules\" of its own"},
    {GRAPH(VIEW("v", "1"), A), "it: nodes[0].inputs[0]: node 1 is listed after its user 0"},
    {GRAPH(VIEW("v", "0")), "it: nodes: the graph has a cycle: node 0 (v) reads 0"},
    {GRAPH(A, VIEW("v", "0"), NODE("b", "1, \"v\"", "1", "")),
     "it: nodes: node 2 (b): input 1 appears twice"},
    {GRAPH(A, "{\"view\": true, \"inputs\": [0], \"stateful\": true}"),
     "it: nodes[1]: a view has no \"stateful\" of its own"},
    /* outputs, states, what is resident */
    {GRAPH(NODE("a", "", "4", "\"output\": 1, ")),
     "it: nodes[0].output: true or false is expected, not an integer"},
    {GRAPH(NODE("a", "", "4", "\"output\": true, "), NODE("b", "0", "4", "\"in_place\": 0, ")),
     "it: nodes: node 1 (b) overwrites node 0 (a), which node 2 (outputs) reads too"},
    {GRAPH(NODE("a", "", "4", "\"stateful\": \"replay\", ")),
     "it: nodes[0].stateful: true, false or \"replayed\" is expected"},
    {GRAPH(NODE("a", "", "4", "\"stateful\": 1, ")), "it: nodes[0].stateful: true, false or"},
    {"{\"resident_bytes\": -1, \"nodes\": [" A "]}", "it: resident_bytes: -1 is out of range"},
    {"{\"resident_bytes\": 1.5, \"nodes\": [" A "]}", "it: resident_bytes: an integer is expected"},
    {"{\"resident_bytes\": 562949953421313, \"nodes\": [" A "]}",
     "it: resident_bytes: 562949953421313 is out of range"},
    /* in place */
    {GRAPH(A, NODE("b", "0", "4", "\"in_place\": true, ")),
     "it: nodes[1].in_place: an integer is expected, not a boolean"},
    {GRAPH(A, NODE("b", "0", "4", "\"in_place\": \"c\", ")),
     "it: nodes[1].in_place: no node is called \"c\""},
    {GRAPH(A, NODE("b", "0", "4", "\"in_place\": 2, ")),
     "it: nodes[1].in_place: 2 is out of range; 0 to 1"},
    {GRAPH(A, NODE("b", "", "4", "\"in_place\": 0, ")),
     "it: nodes: node 1 (b): in_place is node 0; one of its inputs is expected"},
    {GRAPH(A, NODE("b", "0", "5", "\"in_place\": 0, ")),
     "it: nodes: node 1 (b): 4 bytes are expected as in node 0 (a), which it overwrites, not 5"},
    {GRAPH(A, NODE("b", "0", "4", "\"in_place\": 0, "), NODE("c", "0", "4", "")),
     "it: nodes: node 1 (b) overwrites node 0 (a), which node 2 (c) reads too; no other reader "
     "of an overwritten output is expected"},
    {GRAPH(A, VIEW("v", "0"), NODE("c", "1", "1", ""), NODE("b", "0", "4", "\"in_place\": 0, ")),
     "it: nodes: node 3 (b) overwrites node 0 (a), which node 2 (c) reads too"},
    {GRAPH(A, NODE("b", "0", "4", "\"in_place\": 0, "), NODE("c", "0", "4", "\"in_place\": 0, ")),
     "overwrites node 0 (a), which node 1 (b) reads too"},
    {GRAPH(OUTPUTS("p", "", THREE), NODE("b", "[0, 0]", "4", "\"in_place\": [0, 0], ")),
     "it: nodes: node 1 (b): node 0 (p) has several outputs; in place both nodes are expected to "
     "have one"},
    {GRAPH(A, "{\"inputs\": [0], \"in_place\": 0, \"outputs\": [" THREE "], " COSTS("1") "}"),
     "it: nodes: node 1 (): node 1 () has several outputs"},
    {GRAPH(NODE("p", "", "4",
                "\"aliases\": [{\"name\": \"o\", \"kind\": \"output\", \"bytes\": 4}], "),
           NODE("b", "0", "4", "\"in_place\": 0, ")),
     "it: nodes: node 1 (b): node 0 (p) has several outputs"},
    /* several outputs */
    {GRAPH(OUTPUTS("p", "", "")), "it: nodes[0].outputs: 0 elements; 1 to 20000 are expected"},
    {GRAPH("{\"inputs\": [], \"outputs\": {}, " COSTS("1") "}"),
     "it: nodes[0].outputs: an array [...] is expected, not an object"},
    {GRAPH(OUTPUTS("p", "", "3")), "it: nodes[0].outputs[0]: an object {...} is expected"},
    {GRAPH(OUTPUTS("p", "", "{\"name\": \"x\"}")),
     "it: nodes[0].outputs[0]: key \"bytes\" is missing"},
    {GRAPH(OUTPUTS("p", "", "{\"bytes\": -1}")),
     "it: nodes[0].outputs[0].bytes: -1 is out of range"},
    {GRAPH(OUTPUTS("p", "", "{\"bytes\": 1, \"name\": 3}")),
     "it: nodes[0].outputs[0].name: a string is expected"},
    {GRAPH(OUTPUTS("p", "", "{\"bytes\": 1, \"size\": 3}")),
     "it: nodes[0].outputs[0]: unknown key \"size\""},
    {GRAPH(OUTPUTS("p", "", "{\"bytes\": 562949953421312}, {\"bytes\": 1}")),
     "it: nodes: node 0 (p): the sum of bytes exceeds 2^49"},
    {GRAPH("{\"inputs\": [], \"bytes\": 1, \"outputs\": [" THREE "], " COSTS("1") "}"),
     "it: nodes[0]: \"outputs\" or \"bytes\" are expected, not both"},
    {GRAPH("{\"inputs\": [], \"aliases\": [], \"outputs\": [" THREE "], " COSTS("1") "}"),
     "it: nodes[0]: \"outputs\" or \"aliases\" are expected, not both"},
    {GRAPH(OUTPUTS("p", "", THREE), NODE("a", "[0, 3]", "1", "")),
     "it: nodes[1].inputs[0][1]: 3 is out of range; 0 to 2"},
    {GRAPH(OUTPUTS("p", "", THREE), NODE("a", "[0]", "1", "")),
     "it: nodes[1].inputs[0]: 1 elements; 2 to 2 are expected"},
    {GRAPH(OUTPUTS("p", "", THREE), NODE("a", "[7, 0]", "1", "")),
     "it: nodes[1].inputs[0][0]: 7 is out of range; 0 to 1"},
    {GRAPH(OUTPUTS("p", "", THREE), NODE("a", "[\"q\", 0]", "1", "")),
     "it: nodes[1].inputs[0][0]: no node is called \"q\""},
    {GRAPH(OUTPUTS("p", "", THREE), NODE("a", "\"p.min\"", "1", "")),
     "it: nodes[1].inputs[0]: no node is called \"p.min\""},
    {GRAPH(OUTPUTS("p", "", THREE), NODE("a", "[0, 1], \"p.index\"", "1", "")),
     "it: nodes: node 1 (a): input 0 appears twice"},
    {GRAPH(OUTPUTS("p", "", THREE), NODE("a", "[0, 1], 0", "1", "")),
     "it: nodes: node 1 (a): input 0 appears twice"},
    {GRAPH(OUTPUTS("p", "", THREE), NODE("a", "0, [0, 1]", "1", "")),
     "it: nodes: node 1 (a): input 0 appears twice"},
    {GRAPH(A, NODE("b", "[0, 1]", "1", "")),
     "it: nodes[1].inputs[0][1]: 1 is out of range; 0 to 0"},
    /* aliases */
    {ALIAS("{\"name\": \"x\"}"), "it: nodes[0].aliases[0]: key \"kind\" is missing"},
    {ALIAS("{\"kind\": \"view\"}"), "it: nodes[0].aliases[0]: key \"name\" is missing"},
    {ALIAS("{\"name\": \"x\", \"kind\": \"copy\"}"),
     "it: nodes[0].aliases[0].kind: \"view\", \"overwritten\", \"output\" or \"unread\" is "
     "expected, not \"copy\""},
    {ALIAS("{\"name\": \"x\", \"kind\": \"view\", \"bytes\": 1}"),
     "it: nodes[0].aliases[0]: \"bytes\" are expected of outputs, and of these alone"},
    {ALIAS("{\"name\": \"x\", \"kind\": \"output\"}"), "\"bytes\" are expected of outputs"},
    {ALIAS("{\"name\": \"x\", \"kind\": \"output\", \"bytes\": 3}"),
     "it: nodes[0].aliases: outputs of 4 bytes in sum, and unread ones of at most 3 are expected"},
    {ALIAS("{\"name\": \"x\", \"kind\": \"unread\", \"bytes\": 4}"),
     "it: nodes[0].aliases: outputs of 4 bytes in sum, and unread ones of at most 3 are expected"},
    {ALIAS("{\"name\": \"x\", \"kind\": \"view\", \"shape\": 1}"),
     "it: nodes[0].aliases[0].shape: an array"},
    {GRAPH(NODE("a", "", "4", "\"aliases\": 1, ")), "it: nodes[0].aliases: an array"},
    {GRAPH(NODE("a", "", "4", "\"aliases\": [{\"name\": \"o\", \"kind\": \"overwritten\"}], "),
           NODE("b", "\"o\"", "1", "")),
     "it: nodes[1].inputs[0]: no node is called \"o\""},
};

LOOP_TEST(malformed, LENGTH(bad))
{
    base_error error = {""};
    ck_assert_ptr_null(parse_graph(bad[_i].text, &error));
    ck_assert_contains(error.text, bad[_i].message);
}

/* What no file can say, but the library's callers. */
TEST(malformed_lists)
{
    static const int zero = 0, one = 1, far = 7, part = 2, below = -2;
    static const lower_output negative = {"x", -1};
    const struct {
        lower_node node; /* number 1 */
        const char *message;
    } cases[] = {
        {{.sharing = LOWER_VIEW}, "node 1 (x): a view has 0 inputs; one is expected"},
        {{.node = {.inputs = &zero, .input_count = 1, .bytes = 1}, .sharing = LOWER_VIEW},
         "node 1 (x): a view without bytes, costs, workspace, pin and outputs of its own"},
        {{.node = {.inputs = &zero, .input_count = 1, .pagein_joules = NAN}, .sharing = LOWER_VIEW},
         "a view without"},
        {{.node = {.inputs = &one, .input_count = 1}, .sharing = LOWER_VIEW},
         "input 1 is not the number of an earlier node"},
        {{.node = {.inputs = &far, .input_count = 1}}, "input 7 is not the number"},
        {{.node = {.inputs = &zero, .input_count = 1}, .sharing = LOWER_IN_PLACE, .shares = 1},
         "node 1 (x): in_place is not the number of an earlier node"},
        {{.node = {.inputs = &zero, .input_count = 0}, .sharing = LOWER_IN_PLACE, .shares = 0},
         "node 1 (x): in_place is node 0; one of its inputs is expected"},
        {{.node = {.inputs = &zero, .input_count = 1}, .input_output = &part},
         "node 1 (x): output 2 of node 0 () is read, which has 1 output"},
        {{.node = {.inputs = &zero, .input_count = 1}, .input_output = &below}, "output -2"},
        {{.outputs = &negative, .output_count = 1},
         "node 1 (x): output 0 has -1 bytes; 0 to 2^49 are expected"},
        {{.node = {.bytes = 1}, .outputs = &negative + 0, .output_count = 1}, "output 0 has -1"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        lower_node nodes[2] = {{.node = {.bytes = 1}}, cases[k].node};
        nodes[1].node.name = "x";
        base_error error = {""};
        ck_assert_ptr_null(graph_lower("", nodes, 2, NULL, &error));
        ck_assert_contains(error.text, cases[k].message);
    }
}

/* The least overhead of the graph is that of the list, by the brute force that knows no graph. */
TEST(optimum_is_the_lists)
{
    int compared = 0, interesting = 0, shared[3] = {0}, outputs = 0, unread = 0, ends = 0;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        sharing_list *list = sharing_list_draw(seed, 5);
        problem p = sharing_problem_draw(list, seed);
        const double native = sharing_optimum(list, &p, SHARING_TOGETHER);
        ck_assert(!isnan(native));
        oracle_result found = oracle_solve(&p);
        ck_assert_msg(found.overhead_joules == native, "seed %d: %.17g, by the list %.17g",
                      (int)seed, found.overhead_joules, native);
        compared++;
        if (found.feasible && native > 0) {
            interesting++;
            ends += graph_has_outputs(list->graph);
            for (int i = 0; i < list->n; i++) {
                shared[list->node[i].sharing]++;
                outputs += list->node[i].output_count > 1;
            }
            for (int k = 0; k < list->graph->alias_count; k++)
                unread += list->graph->alias[k].kind == GRAPH_UNREAD;
        }
        schedule_free(found.schedule);
        sharing_list_free(list);
    }
    ck_assert_int_eq(compared, 1500);
    ck_assert_int_ge(interesting, 300);
    ck_assert_int_ge(ends, 100);
    ck_assert_int_ge(shared[LOWER_VIEW], 200);
    ck_assert_int_ge(shared[LOWER_IN_PLACE], 100);
    ck_assert_int_ge(outputs, 200);
    ck_assert_int_ge(unread, 50);
}
