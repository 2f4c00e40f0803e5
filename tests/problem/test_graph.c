/* Graphs: derived lists and sums, other orders, what is refused. */
#include <math.h>

#include "tests/problem/owned.h"
#include "tests/problem/support.h"
#include "tests/suite.h"

SUITE("graph");

TEST(lists_are_derived)
{
    OWNED(graph) *g = five_nodes();
    ck_assert_int_eq(g->n, 5);
    ck_assert_int_eq(g->edge_count, 6);
    const int input_start[] = {0, 0, 1, 2, 4, 6}, input[] = {0, 1, 0, 2, 1, 3};
    const int user_start[] = {0, 2, 4, 5, 6, 6}, user[] = {1, 3, 2, 4, 3, 4};
    const int last_user[] = {3, 4, 3, 4, 4}, reach[] = {4, 4, 4, 4, 4};
    ck_assert_mem_eq(g->input_start, input_start, sizeof input_start);
    ck_assert_mem_eq(g->input, input, sizeof input);
    ck_assert_mem_eq(g->user_start, user_start, sizeof user_start);
    ck_assert_mem_eq(g->user, user, sizeof user);
    ck_assert_mem_eq(g->last_user, last_user, sizeof last_user);
    ck_assert_mem_eq(g->reach, reach, sizeof reach);
    ck_assert_str_eq(g->name, "five");
    ck_assert_str_eq(g->node_name[3], "c");
    ck_assert(!g->backward[2] && g->backward[3]);
    ck_assert_ptr_null(g->model);
    graph_free(NULL);
}

/* reach follows users of users, also where they end at different stages. */
TEST(reach_of_a_forest)
{
    const int zero = 0, one = 1, two = 2;
    graph_node nodes[5] = {{0},
                           {.inputs = &zero, .input_count = 1},
                           {0},
                           {.inputs = &one, .input_count = 1},
                           {.inputs = &two, .input_count = 1}};
    OWNED(graph) *g = graph_create(NULL, nodes, 5, NULL);
    const int reach[] = {3, 3, 4, 3, 4}, last_user[] = {1, 3, 4, 3, 4};
    ck_assert_mem_eq(g->reach, reach, sizeof reach);
    ck_assert_mem_eq(g->last_user, last_user, sizeof last_user);
    ck_assert_str_eq(g->name, "");
    ck_assert_str_eq(g->node_name[0], "");
}

TEST(another_order)
{
    const int zero = 0, one = 1, both[] = {2, 3};
    const graph_node nodes[5] = {
        {.name = "a", .bytes = 1, .joules = 1},
        {.name = "b", .bytes = 2, .joules = 2},
        {.name = "c", .bytes = 4, .joules = 4, .inputs = &zero, .input_count = 1},
        {.name = "d", .bytes = 8, .joules = 8, .inputs = &one, .input_count = 1},
        {.name = "e", .bytes = 16, .joules = 16, .inputs = both, .input_count = 2}};
    OWNED(graph) *g = graph_create("branches", nodes, 5, NULL);
    const int order[] = {1, 3, 0, 2, 4}, back[] = {2, 0, 3, 1, 4};
    OWNED(graph) *other = graph_reorder(g, order), *same = graph_reorder(other, back);
    const int64_t bytes[] = {2, 8, 1, 4, 16};
    const int input[] = {0, 2, 1, 3};
    ck_assert_mem_eq(other->bytes, bytes, sizeof bytes);
    ck_assert_mem_eq(other->input, input, sizeof input);
    ck_assert_str_eq(other->node_name[3], "c");
    ck_assert_int_eq(graph_checkpoint_all_peak(other), 28);
    ck_assert(graph_checksum(other) != graph_checksum(g));
    ck_assert(graph_checksum(same) == graph_checksum(g));
}

TEST(sums)
{
    OWNED(graph) *g = five_nodes();
    ck_assert(graph_base_joules(g) == 11111);
    ck_assert(graph_base_seconds(g) == 31);
    ck_assert_int_eq(graph_checkpoint_all_peak(g), 26);
    int node;
    ck_assert_int_eq(graph_minimum_bytes(g, &node), 26);
    ck_assert_int_eq(node, 4);
    ck_assert_int_eq(graph_minimum_bytes(g, NULL), 26);
}

/* Of two equal maxima the first node is named. */
TEST(minimum_bytes_first_of_equals)
{
    graph_node nodes[3] = {{.bytes = 3}, {.bytes = 5}, {.bytes = 5}};
    OWNED(graph) *g = graph_create("", nodes, 3, NULL);
    int node = -1;
    ck_assert_int_eq(graph_minimum_bytes(g, &node), 5);
    ck_assert_int_eq(node, 1);
}

TEST(workspaces_count_while_a_node_is_computed)
{
    OWNED(graph) *g = five_nodes();
    int node;
    const int64_t peak = graph_checkpoint_all_peak(g), least = graph_minimum_bytes(g, NULL);
    ck_assert(!graph_has_workspaces(g) && !graph_has_pins(g));
    g->workspace[1] = peak;
    ck_assert_int_eq(graph_checkpoint_all_peak(g), peak + 3); /* nodes 0 and 1 */
    ck_assert_int_eq(graph_minimum_bytes(g, &node), peak + 3);
    ck_assert_int_eq(node, 1);
    g->workspace[1] = 0;
    g->workspace[4] = 5;
    g->pin[2] = GRAPH_NO_PAGE;
    ck_assert_int_eq(graph_checkpoint_all_peak(g), peak + 5);
    ck_assert_int_eq(graph_minimum_bytes(g, &node), least + 5);
    const int order[] = {0, 1, 2, 3, 4};
    OWNED(graph) *same = graph_reorder(g, order);
    ck_assert(graph_same(g, same) && graph_has_workspaces(same) && graph_has_pins(same));
}

TEST(bad_nodes_are_refused)
{
    const int self = 1, negative = -1, late = 2, twice[] = {0, 0};
    const struct {
        graph_node node; /* number 1 of three */
        const char *message;
    } cases[] = {
        {{.inputs = &self, .input_count = 1}, "node 1 (x): input 1 is not"},
        {{.inputs = &negative, .input_count = 1}, "input -1 is not"},
        {{.inputs = &late, .input_count = 1}, "input 2 is not"},
        {{.inputs = twice, .input_count = 2}, "node 1 (x): input 0 appears twice"},
        {{.bytes = -1}, "node 1 (x): bytes is -1"},
        {{.bytes = GRAPH_MAX_BYTES}, "sum of bytes exceeds 2^49"},
        {{.workspace = GRAPH_MAX_BYTES}, "sum of bytes exceeds 2^49"},
        {{.workspace = -1}, "node 1 (x): workspace_bytes is -1"},
        {{.pin = 4}, "node 1 (x): pin is 4; bits of 3"},
        {{.seconds = -1}, "seconds is -1"},
        {{.joules = NAN}, "joules is nan"},
        {{.pagein_joules = INFINITY}, "pagein_joules is inf"},
        {{.pageout_joules = -INFINITY}, "pageout_joules is -inf"},
        {{.pagein_seconds = -1e-300}, "pagein_seconds is -1e-300"},
        {{.pageout_seconds = NAN}, "pageout_seconds is"},
        {{.joules = 1e-310}, "node 1 (x): joules is 1e-310; 0 or a number from 1e-30 to 1e+30"},
        {{.joules = 0.99e-30}, "joules is 9.9e-31"},
        {{.pagein_joules = 1.01e30}, "pagein_joules is 1.01e+30"},
        {{.seconds = 1e-31}, "node 1 (x): seconds is 1e-31"},
        {{.pageout_seconds = 1e200}, "pageout_seconds is 1e+200"},
        {{.joules = 1e-8, .pageout_joules = 1.01e7},
         "node 1 (x): joules is 1e-08, and pageout_joules of node 1 (x) is 1.01e+07; at most "
         "1e+15 times as much is expected"},
        {{.seconds = 1e-30, .pagein_seconds = 1e30}, "seconds is 1e-30, and pagein_seconds of"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        graph_node nodes[3] = {{.bytes = 1}, cases[k].node, {0}};
        nodes[1].name = "x";
        base_error error = {""};
        ck_assert_ptr_null(graph_create("", nodes, 3, &error));
        ck_assert_contains(error.text, cases[k].message);
    }
    base_error error;
    graph_node one = {0};
    ck_assert_ptr_null(graph_create("", &one, 0, &error));
    ck_assert_contains(error.text, "0 nodes");
    ck_assert_ptr_null(graph_create("", &one, GRAPH_MAX_NODES + 1, &error));
    ck_assert_contains(error.text, "20001 nodes");
    graph_node largest[2] = {
        {.bytes = GRAPH_MAX_BYTES, .joules = GRAPH_MOST_COST, .seconds = GRAPH_LEAST_COST},
        {.pagein_joules = GRAPH_MOST_COST / GRAPH_MOST_RATIO,
         .pageout_seconds = GRAPH_LEAST_COST * GRAPH_MOST_RATIO}};
    OWNED(graph) *g = graph_create("", largest, 2, &error);
    ck_assert_msg(g != NULL, "%s", error.text);
}

TEST(slack)
{
    OWNED(graph) *g = five_nodes();
    problem p = problem_make(g, 100);
    ck_assert(p.allow_paging && p.allow_remat);
    ck_assert(!p.charge_pagein_transfer && !p.deadline_includes_paging);
    ck_assert(isinf(problem_slack_seconds(&p)));
    p.deadline_seconds = 31;
    ck_assert_double_ge(problem_slack_seconds(&p), 0);
    ck_assert_double_le(problem_slack_seconds(&p), 1e-10);
    p.deadline_seconds = 30.75;
    ck_assert_double_lt(problem_slack_seconds(&p), -0.2);
    p.deadline_seconds = 40;
    ck_assert_double_eq_tol(problem_slack_seconds(&p), 9, 1e-10);
}
