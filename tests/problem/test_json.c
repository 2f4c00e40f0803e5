/* Graph files: round trips and everything that must be refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "problem/json.h"
#include "tests/oracle/random_instance.h"
#include "tests/problem/owned.h"
#include "tests/problem/support.h"
#include "tests/suite.h"

SUITE("graph files");

static graph *read_text(const char *text, base_error *error)
{
    char path[64];
    write_file(path, text);
    graph *g = graph_parse(NULL, 0, path, NULL, error);
    if (!g)
        ck_assert_contains(error->text, path);
    unlink(path);
    return g;
}

static void expect_same(const graph *a, const graph *b)
{
    const size_t n = (size_t)a->n;
    ck_assert_int_eq(a->n, b->n);
    ck_assert_int_eq(a->edge_count, b->edge_count);
    ck_assert_str_eq(a->name, b->name);
    for (int i = 0; i < a->n; i++)
        ck_assert_str_eq(a->node_name[i], b->node_name[i]);
    ck_assert_mem_eq(a->bytes, b->bytes, n * sizeof *a->bytes);
    ck_assert_mem_eq(a->seconds, b->seconds, n * sizeof *a->seconds);
    ck_assert_mem_eq(a->joules, b->joules, n * sizeof *a->joules);
    ck_assert_mem_eq(a->pagein_joules, b->pagein_joules, n * sizeof *a->joules);
    ck_assert_mem_eq(a->pageout_joules, b->pageout_joules, n * sizeof *a->joules);
    ck_assert_mem_eq(a->pagein_seconds, b->pagein_seconds, n * sizeof *a->joules);
    ck_assert_mem_eq(a->pageout_seconds, b->pageout_seconds, n * sizeof *a->joules);
    ck_assert_mem_eq(a->backward, b->backward, n * sizeof *a->backward);
    ck_assert_mem_eq(a->input_start, b->input_start, (n + 1) * sizeof(int));
    ck_assert_mem_eq(a->input, b->input, (size_t)a->edge_count * sizeof(int));
}

TEST(round_trip_of_networks)
{
    for (int k = 0; network_name(k); k++) {
        OWNED(graph) *g = network_build(network_name(k), platform_find("jetsontx2"),
                                        network_options_default(), NULL);
        char *text = graph_text(g);
        base_error error = {""};
        OWNED(graph) *back = read_text(text, &error);
        ck_assert_msg(back != NULL, "%s", error.text);
        expect_same(g, back);
        ck_assert_ptr_null(back->model);
        free(text);
    }
}

TEST(odd_names_and_numbers)
{
    graph_node nodes[2] = {{.name = "a\"b\\c `d` 'e' %f", .joules = 0.1, .seconds = 1e-30},
                           {.name = "\xe5\xb1\xa4",
                            .bytes = GRAPH_MAX_BYTES,
                            .joules = 1.0 / 3,
                            .pagein_joules = 1.0 / 7,
                            .pageout_joules = 1.2345678901234567e13}};
    OWNED(graph) *g = graph_create("", nodes, 2, NULL);
    char *text = graph_text(g);
    base_error error = {""};
    OWNED(graph) *back = read_text(text, &error);
    ck_assert_msg(back != NULL, "%s", error.text);
    expect_same(g, back);
    free(text);
}

/* A name that is not UTF-8, or holds controls, still gives a file that can be read. */
TEST(names_that_are_not_utf8)
{
    graph_node node = {.name = "x\xff\n\033["};
    OWNED(graph) *g = graph_create("\xc3", &node, 1, NULL);
    char *text = graph_text(g);
    base_error error = {""};
    OWNED(graph) *back = read_text(text, &error);
    ck_assert_msg(back != NULL, "%s", error.text);
    ck_assert_str_eq(back->node_name[0], "x???[");
    free(text);
}

#define COSTS                                                                                      \
    "\"seconds\": 1, \"joules\": 1, \"pagein_joules\": 1, \"pageout_joules\": 1, "                 \
    "\"pagein_seconds\": 1, \"pageout_seconds\": 1"
#define FIRST "{\"name\": \"n0\", \"inputs\": [], \"bytes\": 4, " COSTS "}"
#define NODE(name, inputs)                                                                         \
    "{\"name\": \"" name "\", \"inputs\": [" inputs "], \"bytes\": 4, " COSTS "}"
#define GRAPH(nodes) "{\"name\": \"g\", \"nodes\": [" nodes "]}"

#define WITH(more) GRAPH("{\"inputs\": [], \"bytes\": 4, " COSTS ", " more "}")

TEST(workspaces_and_pins)
{
    static const struct {
        const char *text;
        int64_t workspace;
        unsigned pin;
    } cases[] = {{WITH("\"workspace_bytes\": 7"), 7, 0},
                 {WITH("\"pin\": \"no-recompute\""), 0, GRAPH_NO_RECOMPUTE},
                 {WITH("\"pin\": \"no-page\""), 0, GRAPH_NO_PAGE},
                 {WITH("\"pin\": \"keep\", \"workspace_bytes\": 1"), 1, GRAPH_KEEP},
                 {WITH("\"workspace_bytes\": 0"), 0, 0}};
    base_error error = {""};
    OWNED(graph) *plain = read_text(GRAPH(FIRST), &error);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        OWNED(graph) *g = read_text(cases[k].text, &error);
        ck_assert_msg(g != NULL, "%s", error.text);
        ck_assert_int_eq(g->workspace[0], cases[k].workspace);
        ck_assert_uint_eq(g->pin[0], cases[k].pin);
        char *text = graph_text(g);
        OWNED(graph) *again = graph_parse(text, strlen(text), "again", NULL, &error);
        ck_assert_msg(again != NULL, "%s", error.text);
        ck_assert(graph_same(g, again));
        const bool same = cases[k].workspace == 0 && cases[k].pin == 0;
        ck_assert(graph_same(g, plain) == same);
        ck_assert((graph_checksum(g) == graph_checksum(plain)) == same);
        ck_assert(graph_same_shape(g, plain));
        free(text);
    }
}

TEST(optional_keys)
{
    base_error error = {""};
    OWNED(graph) *g = read_text("{\"nodes\": [{\"inputs\": [], \"bytes\": 4, " COSTS "}]}", &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    ck_assert_str_eq(g->node_name[0], "");
    ck_assert(!g->backward[0]);
}

static const struct {
    const char *text, *message;
} bad_graphs[] = {
    /* syntax, truncation, binary */
    {"", "line 1, column 0"},
    {"{\"nodes\": [", "line 1, column 11"},
    {"{\"name\": \"g\",\n\"nodes\": [" FIRST, "line 2, column"},
    {"{\"nodes\": [" FIRST "]} x", "end of file expected"},
    {"\x7f\x45\x4c\x46\x02\x01", "line 1, column 1"},
    {"{\"name\": \"\xff\xfe\", \"nodes\": []}", "decode byte 0xff"},
    {"[1, 2]", "an object {...} is expected"},
    {"17", "line 1"},
    {"{\"nodes\": [" FIRST "], \"nodes\": []}", "duplicate object key"},
    {GRAPH("{\"inputs\": [], \"inputs\": [], \"bytes\": 4, " COSTS "}"), "duplicate object key"},
    /* keys and types */
    {"{\"name\": \"g\"}", "key \"nodes\" is missing"},
    {"{\"name\": 5, \"nodes\": [" FIRST "]}", "name: a string is expected, not an integer"},
    {"{\"nodes\": {}}", "nodes: an array [...] is expected, not an object"},
    {"{\"nodes\": []}", "nodes: 0 elements; 1 to 20000 are expected"},
    {"{\"nodes\": [" FIRST "], \"edges\": []}", "unknown key \"edges\""},
    {GRAPH(FIRST ", 3"), "nodes[1]: an object {...} is expected, not an integer"},
    {GRAPH("{\"inputs\": [], " COSTS "}"), "nodes[0]: key \"bytes\" is missing"},
    {GRAPH("{\"bytes\": 1, \"inputs\": [], \"seconds\": 1, \"joules\": 1, \"pagein_joules\": 1, "
           "\"pageout_joules\": 1, \"pagein_seconds\": 1}"),
     "nodes[0]: key \"pageout_seconds\" is missing"},
    {GRAPH(FIRST ", {\"inputs\": [0], \"bytes\": 4, \"cost\": 1, " COSTS "}"),
     "nodes[1]: unknown key \"cost\""},
    {GRAPH("{\"name\": null, \"inputs\": [], \"bytes\": 4, " COSTS "}"),
     "nodes[0].name: a string is expected, not null"},
    {GRAPH("{\"backward\": 1, \"inputs\": [], \"bytes\": 4, " COSTS "}"),
     "nodes[0].backward: true or false is expected, not an integer"},
    {GRAPH("{\"inputs\": 0, \"bytes\": 4, " COSTS "}"), "nodes[0].inputs: an array"},
    {GRAPH(NODE("a\\u001b[2J", "")), "nodes[0].name: a text without control characters"},
    {GRAPH(NODE("a\xc2\x9b", "")), "nodes[0].name: a text without control characters"},
    {"{\"name\": \"x\\u202ey\", \"nodes\": [" FIRST "]}", "name: a text without control"},
    {WITH("\"pin\": \"recompute\""),
     "nodes[0].pin: \"keep\", \"no-recompute\" or \"no-page\" is expected, not \"recompute\""},
    {WITH("\"pin\": \"\""), "nodes[0].pin: \"keep\", \"no-recompute\" or \"no-page\" is expected"},
    {WITH("\"pin\": true"), "nodes[0].pin: a string is expected, not a boolean"},
    {WITH("\"workspace_bytes\": -1"), "nodes[0].workspace_bytes: -1 is out of range"},
    {WITH("\"workspace_bytes\": 1.5"), "nodes[0].workspace_bytes: an integer is expected"},
    {WITH("\"workspace_bytes\": 562949953421312"), "node 0 (): the sum of bytes exceeds 2^49"},
    /* numbers */
    {GRAPH("{\"inputs\": [], \"bytes\": 4.5, " COSTS "}"),
     "nodes[0].bytes: an integer is expected, not a real number"},
    {GRAPH("{\"inputs\": [], \"bytes\": \"4\", " COSTS "}"), "not a string"},
    {GRAPH("{\"inputs\": [], \"bytes\": -4, " COSTS "}"), "nodes[0].bytes: -4 is out of range"},
    {GRAPH("{\"inputs\": [], \"bytes\": 562949953421313, " COSTS "}"),
     "nodes[0].bytes: 562949953421313 is out of range"},
    {GRAPH("{\"inputs\": [], \"bytes\": 9223372036854775808, " COSTS "}"), "too big integer"},
    {GRAPH("{\"inputs\": [], \"bytes\": 562949953421312, " COSTS "}, " NODE("a", "0")),
     "nodes: node 1 (a): the sum of bytes exceeds 2^49"},
    {GRAPH("{\"inputs\": [], \"bytes\": 4, \"seconds\": -1, \"joules\": 1, \"pagein_joules\": 1, "
           "\"pageout_joules\": 1, \"pagein_seconds\": 1, \"pageout_seconds\": 1}"),
     "nodes[0].seconds: -1; a finite number >= 0 is expected"},
    {GRAPH("{\"inputs\": [], \"bytes\": 4, \"seconds\": 1e999, \"joules\": 1}"),
     "real number overflow"},
    {GRAPH("{\"inputs\": [], \"bytes\": 4,\n\"seconds\": 1e-320, \"joules\": 1}"),
     "line 2: 1e-320 is too small for a double"},
    {GRAPH("{\"inputs\": [], \"bytes\": 4, \"seconds\": 0.0e-999, \"joules\": 10.0E-400}"),
     "line 1: 10.0E-400 is too small for a double"},
    {GRAPH("{\"name\": \"1e-400 \\\" 2e-400\", \"inputs\": [], \"bytes\": 4, \"seconds\": 1e-31, "
           "\"joules\": 1, \"pagein_joules\": 1, \"pageout_joules\": 1, "
           "\"pagein_seconds\": 1, \"pageout_seconds\": 1}"),
     "nodes: node 0 (1e-400 \" 2e-400): seconds is 1e-31; 0 or a number from 1e-30"},
    {GRAPH("{\"inputs\": [], \"bytes\": 4, \"seconds\": NaN, \"joules\": 1}"), "invalid token"},
    {GRAPH("{\"inputs\": [], \"bytes\": 4, \"seconds\": Infinity, \"joules\": 1}"),
     "invalid token"},
    {GRAPH("{\"inputs\": [], \"bytes\": 4, \"joules\": true, \"seconds\": 1, "
           "\"pagein_joules\": 1, \"pageout_joules\": 1, \"pagein_seconds\": 1, "
           "\"pageout_seconds\": 1}"),
     "nodes[0].joules: a number is expected, not a boolean"},
    /* inputs */
    {GRAPH(FIRST ", " NODE("a", "7")), "nodes[1].inputs[0]: 7 is out of range; 0 to 1"},
    {GRAPH(FIRST ", " NODE("a", "-1")), "nodes[1].inputs[0]: -1 is out of range"},
    {GRAPH(FIRST ", " NODE("a", "0.0")), "nodes[1].inputs[0]: an integer is expected"},
    {GRAPH(FIRST ", " NODE("a", "0, 0")), "nodes: node 1 (a): input 0 appears twice"},
    {GRAPH(FIRST ", " NODE("a", "0, 0, 0")), "nodes[1].inputs: 3 elements; 0 to 2"},
    {GRAPH(FIRST ", " NODE("a", "1")), "nodes: the graph has a cycle: node 1 (a) reads 1"},
    {GRAPH(NODE("a", "2") ", " NODE("b", "0") ", " NODE("c", "1")), "the graph has a cycle: node"},
    {GRAPH(FIRST ", " NODE("a", "0, 3") ", " NODE("b", "1") ", " NODE("c", "2, 0")),
     "node 1 (a) reads 3 (c) reads 2 (b) reads 1"},
    {GRAPH(NODE("a", "1") ", " NODE("b", "")),
     "nodes[0].inputs[0]: node 1 is listed after its user 0; nodes in a topological order"},
    {GRAPH(FIRST ", " NODE("a", "\"b\"")), "nodes[1].inputs[0]: no node is called \"b\""},
    {GRAPH(FIRST ", " NODE("a", "\"a\"")), "nodes: the graph has a cycle: node 1 (a) reads 1"},
    {GRAPH(FIRST ", " NODE("a", "0, \"n0\"")), "nodes: node 1 (a): input 0 appears twice"},
    {GRAPH(FIRST ", " FIRST ", " NODE("a", "\"n0\"")),
     "nodes[2].inputs[0]: several nodes are called \"n0\"; the position of one is expected"},
    {GRAPH(FIRST ", " NODE("a", "null")), "nodes[1].inputs[0]: an integer is expected, not null"},
    /* what is said beside the problem */
    {GRAPH("{\"op\": 1, \"inputs\": [], \"bytes\": 4, " COSTS "}"),
     "nodes[0].op: a string is expected, not an integer"},
    {GRAPH("{\"op\": \"a\\u001b\", \"inputs\": [], \"bytes\": 4, " COSTS "}"),
     "nodes[0].op: a text without control characters"},
    {GRAPH("{\"shape\": 3, \"inputs\": [], \"bytes\": 4, " COSTS "}"),
     "nodes[0].shape: an array [...] is expected, not an integer"},
    {GRAPH("{\"shape\": [3, -1], \"inputs\": [], \"bytes\": 4, " COSTS "}"),
     "nodes[0].shape[1]: -1 is out of range; 0 to"},
    {"{\"op\": \"conv\", \"nodes\": [" FIRST "]}", "unknown key \"op\""},
    {"{\"ram_budget_bytes\": 1, \"R\": []}",
     "unknown key \"ram_budget_bytes\": the file seems to be a schedule"},
    {"{\"steps\": [], \"buffers\": []}", "unknown key \"steps\": the file seems to be a plan"},
    /* FLOPs */
    {GRAPH("{\"flops\": 10, \"inputs\": [], \"bytes\": 4}"),
     "nodes[0].flops: a platform is needed to cost FLOPs (--platform)"},
    {GRAPH("{\"inputs\": [], \"bytes\": 4}"),
     "nodes[0]: key \"seconds\" is missing (or \"flops\", from which a platform makes costs)"},
};

LOOP_TEST(bad_graph, LENGTH(bad_graphs))
{
    base_error error = {""};
    ck_assert_ptr_null(read_text(bad_graphs[_i].text, &error));
    ck_assert_contains(error.text, bad_graphs[_i].message);
    for (const char *c = error.text; *c; c++)
        ck_assert_int_ge((unsigned char)*c, 0x20);
}

static const struct {
    const char *text, *message;
} badly_costed[] = {
    {GRAPH(FIRST), "it: nodes: no node has \"flops\", from which a platform makes costs"},
    {GRAPH("{\"flops\": 1.5, \"inputs\": [], \"bytes\": 4}"),
     "it: nodes[0].flops: an integer is expected, not a real number"},
    {GRAPH("{\"flops\": -1, \"inputs\": [], \"bytes\": 4}"),
     "it: nodes[0].flops: -1 is out of range; 0 to"},
    {GRAPH("{\"flops\": 1, \"joules\": 1, \"inputs\": [], \"bytes\": 4}"),
     "it: nodes[0]: either \"flops\" or costs are expected, not \"joules\" beside it"},
    {GRAPH("{\"flops\": 1, \"inputs\": [], \"bytes\": -4}"),
     "it: nodes[0].bytes: -4 is out of range"},
};

LOOP_TEST(bad_flops, LENGTH(badly_costed))
{
    base_error error = {""};
    const graph_costing costing = {platform_find("m4"), 1};
    const char *text = badly_costed[_i].text;
    ck_assert_ptr_null(graph_parse(text, strlen(text), "it", &costing, &error));
    ck_assert_contains(error.text, badly_costed[_i].message);
}

/* A graph of FLOPs has the costs that the built-in networks have of the same numbers. */
TEST(flops_are_costed_as_those_of_networks)
{
    static const char text[] =
        "{\"name\": \"g\", \"notes\": [1], \"nodes\": ["
        "{\"name\": \"a\", \"inputs\": [], \"bytes\": 4096, \"flops\": 3000000},"
        "{\"name\": \"b\", \"inputs\": [\"a\"], \"bytes\": 4, " COSTS "}]}";
    base_error error = {""};
    const platform *m4 = platform_find("m4");
    const graph_costing costing = {m4, 2.5};
    OWNED(graph) *g = graph_parse(text, strlen(text), "it", &costing, &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    ck_assert_double_eq(g->seconds[0], 3e6 / m4->flops_per_second);
    ck_assert_double_eq(g->joules[0], 3e6 / m4->flops_per_joule);
    const double in = m4->pagein_latency_seconds + 4096 / m4->pagein_bytes_per_second;
    const double out = m4->pageout_latency_seconds + 4096 / m4->pageout_bytes_per_second;
    ck_assert_double_eq(g->pagein_seconds[0], in);
    ck_assert_double_eq(g->pageout_seconds[0], out);
    ck_assert_double_eq(g->pagein_joules[0], in * m4->storage_watts * 2.5);
    ck_assert_double_eq(g->pageout_joules[0], out * m4->storage_watts * 2.5);
    ck_assert_double_eq(g->seconds[1], 1);
    ck_assert_str_eq(g->platform, m4->name);
    ck_assert_ptr_null(g->model);
    char *printed = graph_text(g);
    OWNED(graph) *back = graph_parse(printed, strlen(printed), "back", NULL, &error);
    ck_assert_msg(back != NULL, "%s", error.text);
    expect_same(g, back);
    ck_assert(graph_same(g, back));
    free(printed);
}

/* Inputs by name or position; notes stay with their nodes, also in another order. */
TEST(names_and_notes)
{
    static const char text[] =
        "{\"name\": \"g\", \"notes\": {\"by\": \"me \\u001b\", \"x\": [0.1, null]}, \"nodes\": ["
        "{\"name\": \"a\", \"op\": \"conv\", \"shape\": [1, 3, 0], \"inputs\": [], \"bytes\": "
        "4, " COSTS "},"
        "{\"name\": \"b\", \"inputs\": [], \"bytes\": 4, " COSTS "},"
        "{\"name\": \"c\", \"inputs\": [\"b\", 0], \"bytes\": 4, \"notes\": \"last\", " COSTS "}]}";
    base_error error = {""};
    OWNED(graph) *g = graph_parse(text, strlen(text), "it", NULL, &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    ck_assert_int_eq(g->edge_count, 2);
    ck_assert_int_eq(g->input[0], 0);
    ck_assert_int_eq(g->input[1], 1);
    ck_assert_str_eq(g->node_note[0], "\"op\": \"conv\", \"shape\": [1, 3, 0]");
    ck_assert_ptr_null(g->node_note[1]);
    ck_assert_str_eq(g->node_note[2], "\"notes\": \"last\"");
    ck_assert_str_eq(g->note,
                     "\"notes\": {\"by\": \"me \\u001B\", \"x\": [0.10000000000000001, null]}");
    const int order[] = {1, 0, 2};
    OWNED(graph) *other = graph_reorder(g, order);
    char *printed = graph_text(other);
    OWNED(graph) *back = graph_parse(printed, strlen(printed), "back", NULL, &error);
    ck_assert_msg(back != NULL, "%s", error.text);
    ck_assert_str_eq(back->node_note[1], g->node_note[0]);
    ck_assert_ptr_null(back->node_note[0]);
    ck_assert_str_eq(back->note, g->note);
    ck_assert_uint_eq(graph_checksum(back), graph_checksum(other));
    free(printed);
}

TEST(missing_file)
{
    base_error error = {""};
    ck_assert_ptr_null(graph_parse(NULL, 0, "/tmp/poetbnb-no-such-file.json", NULL, &error));
    ck_assert_contains(error.text, "/tmp/poetbnb-no-such-file.json: cannot be read: No such file");
    ck_assert_ptr_null(graph_parse(NULL, 0, "/tmp", NULL, &error));
    ck_assert_contains(error.text, "/tmp: cannot be read");
}

/* Every prefix of a good file is refused, and no single wrong byte crashes. */
TEST(prefixes_and_noise)
{
    OWNED(random_instance) instance = random_instance_make(3, 4);
    char *text = graph_text(instance.graph), *copy = strdup(text);
    base_error error;
    const size_t length = strlen(text);
    for (size_t cut = 0; cut < length; cut += 1 + cut / 40) {
        copy[cut] = '\0';
        ck_assert_ptr_null(read_text(copy, &error));
        copy[cut] = text[cut];
    }
    base_rng rng = {1};
    for (int round = 0; round < 500; round++) {
        size_t place = base_rng_below(&rng, length);
        copy[place] = (char)(1 + base_rng_below(&rng, 255));
        graph_free(read_text(copy, &error));
        copy[place] = text[place];
    }
    free(text);
    free(copy);
}

/* A key with an escape sequence must not reach the terminal. */
TEST(messages_are_printable)
{
    base_error error;
    ck_assert_ptr_null(read_text("{\"\\u001b[31m\": 1, \"nodes\": []}", &error));
    ck_assert_contains(error.text, "unknown key \"?[31m\"");
}
