/* Graphs, settings and results through the public header. */
#include <gmp.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "library/poetbnb.h"
#include "plan/plan.h"
#include "problem/json.h"
#include "tests/suite.h"

SUITE("library", .seconds = 60);

static poetbnb_graph *builtin(const char *network)
{
    poetbnb_error error;
    poetbnb_graph *g = poetbnb_graph_builtin(network, "a72", NULL, &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    return g;
}

static void set(poetbnb_solver *solver, const char *name, const char *value)
{
    poetbnb_error error;
    ck_assert_msg(poetbnb_set(solver, name, value, &error) == 0, "%s", error.text);
}

static poetbnb_result *solve(const char *network, const char *budget)
{
    poetbnb_error error;
    poetbnb_graph *g = builtin(network);
    poetbnb_solver *solver = poetbnb_solver_create(g, &error);
    set(solver, "ram-budget", budget);
    set(solver, "solve-threads", "1");
    poetbnb_result *r = poetbnb_solve(solver, &error);
    ck_assert_msg(r != NULL, "%s", error.text);
    poetbnb_solver_free(solver); /* the result keeps what it needs */
    poetbnb_graph_free(g);
    return r;
}

/* ---- results ------------------------------------------------------------------------------- */

/* The file says what the handles say, and the validator agrees. */
static void check_file(const poetbnb_result *r, const poetbnb_figures *f)
{
    poetbnb_error error;
    base_error why;
    validation v;
    char *text = poetbnb_result_json(r, &error);
    ck_assert_msg(text != NULL, "%s", error.text);
    schedule_file *file = schedule_file_parse(text, strlen(text), "it", NULL, &why);
    ck_assert_msg(file != NULL, "%s", why.text);
    ck_assert_int_eq(schedule_validate(&file->problem, file->schedule, &v, &why), 0);
    ck_assert_double_eq(v.overhead_joules, f->overhead_joules);
    ck_assert_int_eq(v.peak_bytes, f->peak_bytes);
    const size_t cells = (size_t)file->graph->n * (size_t)file->graph->n;
    ck_assert_mem_eq(poetbnb_result_matrix(r, POETBNB_R), file->schedule->R, cells);
    ck_assert_mem_eq(poetbnb_result_matrix(r, POETBNB_S), file->schedule->S, cells);
    ck_assert_mem_eq(poetbnb_result_matrix(r, POETBNB_A), file->schedule->A, cells);
    ck_assert_mem_eq(poetbnb_result_matrix(r, POETBNB_IN), file->schedule->In, cells);
    ck_assert_mem_eq(poetbnb_result_matrix(r, POETBNB_OUT), file->schedule->Out, cells);
    schedule_file_free(file);
    poetbnb_free(text);
}

/* Both forms of the plan are of the same steps and addresses. */
static void check_binary(const poetbnb_result *r, const char *text)
{
    base_error error;
    plan_file json, binary;
    size_t size = 0;
    unsigned char *data = poetbnb_plan_binary(r, &size, NULL);
    ck_assert_ptr_nonnull(data);
    ck_assert(plan_file_parse(text, strlen(text), "j", NULL, &json, &error) == 0);
    ck_assert(plan_read_binary(data, size, "b", NULL, &binary, &error) == 0);
    ck_assert_int_eq(json.plan->step_count, binary.plan->step_count);
    for (int k = 0; k < json.plan->step_count; k++) {
        const plan_step *a = &json.plan->step[k], *b = &binary.plan->step[k];
        ck_assert(a->op == b->op && a->buffer == b->buffer);
        ck_assert_int_eq(json.plan->buffer[a->buffer].offset,
                         binary.plan->buffer[b->buffer].offset);
    }
    plan_file_clear(&json);
    plan_file_clear(&binary);
    poetbnb_free(data);
}

TEST(an_optimum_and_all_about_it)
{
    const size_t before = base_memory_used();
    poetbnb_result *r = solve("vgg16_cifar", "50%");
    poetbnb_figures f;
    poetbnb_result_figures(r, &f);
    ck_assert_int_eq(poetbnb_result_status(r), POETBNB_OPTIMAL);
    ck_assert_str_eq(poetbnb_result_status_name(r), "optimal");
    ck_assert_str_eq(poetbnb_result_reason(r), "");
    ck_assert_double_eq_tol(f.overhead_joules, 0.008778992274, 1e-11);
    ck_assert_double_ge(f.bound_joules, f.overhead_joules * (1 - 1e-9));
    ck_assert_double_le(f.gap, 1e-9);
    ck_assert(isinf(f.deadline_seconds));
    const poetbnb_graph *g = poetbnb_result_graph(r);
    ck_assert_int_eq(f.ram_budget_bytes, poetbnb_graph_peak_bytes(g) / 2);
    ck_assert_double_eq_tol(f.energy_joules, poetbnb_graph_joules(g) + f.overhead_joules, 1e-9);
    check_file(r, &f);
    const int n = poetbnb_graph_nodes(g);
    int64_t bytes[256], most = 0;
    ck_assert_int_lt(n, 256);
    ck_assert_int_eq(poetbnb_result_memory(r, bytes), 0);
    for (int t = 0; t < n; t++)
        most = bytes[t] > most ? bytes[t] : most;
    ck_assert_int_eq(most, f.peak_bytes);
    char *text = poetbnb_result_plan(r, NULL);
    ck_assert_contains(text, "\"steps\"");
    check_binary(r, text);
    poetbnb_free(text);
    poetbnb_result_free(r);
    ck_assert_uint_eq(base_memory_used(), before); /* nothing is left */
}

TEST(infeasible_says_why)
{
    poetbnb_figures f;
    poetbnb_error error;
    poetbnb_result *r = solve("linear", "10");
    poetbnb_result_figures(r, &f);
    ck_assert_int_eq(poetbnb_result_status(r), POETBNB_INFEASIBLE);
    ck_assert_int_gt(strlen(poetbnb_result_reason(r)), 10);
    ck_assert_int_eq(f.minimum_bytes, poetbnb_graph_minimum_bytes(poetbnb_result_graph(r)));
    ck_assert(isnan(f.overhead_joules));
    ck_assert_ptr_null(poetbnb_result_matrix(r, POETBNB_R));
    ck_assert_ptr_null(poetbnb_result_json(r, &error));
    ck_assert_str_eq(error.text, "there is no schedule");
    ck_assert_ptr_null(poetbnb_result_plan(r, &error));
    size_t size;
    ck_assert_ptr_null(poetbnb_plan_binary(r, &size, &error));
    ck_assert_contains(error.text, "no schedule");
    ck_assert_int_eq(poetbnb_result_memory(r, NULL), -1);
    poetbnb_result_free(r);
}

TEST(a_memory_limit_is_that_of_the_solve)
{
    const size_t before = base_memory_used();
    poetbnb_error error;
    poetbnb_graph *g = builtin("vgg16_cifar");
    poetbnb_solver *solver = poetbnb_solver_create(g, &error);
    char *other = base_malloc(200 << 20, 1); /* held by the process, not by the solve */
    set(solver, "ram-budget", "50%");
    set(solver, "memory-limit", "100M");
    poetbnb_result *r = poetbnb_solve(solver, &error);
    ck_assert_int_eq(poetbnb_result_status(r), POETBNB_OPTIMAL);
    poetbnb_result_free(r);
    set(solver, "memory-limit", "100K");
    r = poetbnb_solve(solver, &error);
    ck_assert_msg(r != NULL, "%s", error.text);
    ck_assert_int_ge(poetbnb_result_status(r), POETBNB_FEASIBLE);
    ck_assert_str_eq(poetbnb_result_reason(r), "memory limit");
    poetbnb_result_free(r);
    base_free(other);
    poetbnb_graph_free(g);
    poetbnb_solver_free(solver);
    ck_assert_uint_eq(base_memory_used(), before);
}

TEST(the_smallest_budget)
{
    poetbnb_figures f;
    poetbnb_result *r = solve("linear", "min");
    poetbnb_result_figures(r, &f);
    ck_assert_int_eq(poetbnb_result_status(r), POETBNB_OPTIMAL);
    ck_assert_int_eq(f.ram_budget_bytes, f.minimum_bytes);
    ck_assert_int_eq(f.peak_bytes, f.minimum_bytes);
    poetbnb_result_free(r);
    char less[32];
    snprintf(less, sizeof less, "%lld", (long long)f.minimum_bytes - 1);
    r = solve("linear", less);
    ck_assert_int_eq(poetbnb_result_status(r), POETBNB_INFEASIBLE);
    poetbnb_result_free(r);
}

TEST(another_order_has_a_graph_of_its_own)
{
    poetbnb_error error;
    poetbnb_graph *g = builtin("resnet18_cifar");
    poetbnb_solver *solver = poetbnb_solver_create(g, &error);
    set(solver, "ram-budget", "60%");
    set(solver, "order", "search");
    set(solver, "node-limit", "0");
    poetbnb_result *r = poetbnb_solve(solver, &error);
    poetbnb_graph_free(g);
    poetbnb_solver_free(solver);
    ck_assert_msg(r != NULL, "%s", error.text);
    poetbnb_figures f;
    poetbnb_result_figures(r, &f);
    check_file(r, &f);
    poetbnb_result_free(r);
}

/* ---- graphs -------------------------------------------------------------------------------- */

TEST(graphs_go_round)
{
    poetbnb_error error;
    poetbnb_graph *g = builtin("linear");
    const int n = poetbnb_graph_nodes(g);
    poetbnb_node *nodes = calloc((size_t)n, sizeof *nodes);
    for (int i = 0; i < n; i++)
        ck_assert_int_eq(poetbnb_graph_node(g, i, &nodes[i]), 0);
    ck_assert_int_eq(poetbnb_graph_node(g, n, &nodes[0]), -1);
    ck_assert_int_eq(poetbnb_graph_node(g, 0, &nodes[0]), 0);
    ck_assert(nodes[0].workspace_bytes == 0 && nodes[0].pin == 0);
    poetbnb_graph *made = poetbnb_graph_create(poetbnb_graph_name(g), nodes, n, &error);
    ck_assert_msg(made != NULL, "%s", error.text);
    char *one = poetbnb_graph_json(g, &error), *two = poetbnb_graph_json(made, &error);
    ck_assert_str_eq(one, two);
    poetbnb_graph *read = poetbnb_graph_parse(one, strlen(one), "it", NULL, &error);
    ck_assert_msg(read != NULL, "%s", error.text);
    ck_assert_double_eq(poetbnb_graph_seconds(read), poetbnb_graph_seconds(g));
    char marked[64] = "\xef\xbb\xbf{\"nodes\": 1}"; /* a byte order mark */
    ck_assert_ptr_null(poetbnb_graph_parse(marked, strlen(marked), "it", NULL, &error));
    ck_assert_str_eq(error.text, "it: nodes: an array [...] is expected, not an integer");
    ck_assert_int_eq(poetbnb_graph_peak_bytes(read), poetbnb_graph_peak_bytes(made));
    nodes[3].workspace_bytes = 77;
    nodes[4].pin = POETBNB_KEEP;
    poetbnb_graph *pinned = poetbnb_graph_create("pinned", nodes, n, &error);
    ck_assert_msg(pinned != NULL, "%s", error.text);
    poetbnb_node node;
    ck_assert_int_eq(poetbnb_graph_node(pinned, 3, &node), 0);
    ck_assert(node.workspace_bytes == 77 && node.pin == 0);
    ck_assert_int_eq(poetbnb_graph_node(pinned, 4, &node), 0);
    ck_assert(node.workspace_bytes == 0 && node.pin == POETBNB_KEEP);
    nodes[4].pin = 5;
    ck_assert_ptr_null(poetbnb_graph_create("pinned", nodes, n, &error));
    ck_assert_contains(error.text, "pin is 5");
    poetbnb_graph_free(pinned);
    poetbnb_free(one);
    poetbnb_free(two);
    poetbnb_graph_free(made);
    poetbnb_graph_free(read);
    free(nodes);
    poetbnb_graph_free(g);
}

TEST(memory_is_shared)
{
    poetbnb_error error;
    static const int zero = 0, one = 1, two = 2, three[] = {2, 3}, parts[] = {-1, 1};
    static const poetbnb_output pair[] = {{"max", 4}, {"index", 2}};
    poetbnb_node nodes[5] = {{.name = "conv", .bytes = 8, .joules = 1},
                             {.name = "flat", .inputs = &zero, .input_count = 1},
                             {.name = "relu", .inputs = &one, .input_count = 1, .bytes = 8},
                             {.name = "pool", .inputs = &two, .input_count = 1},
                             {.name = "end", .inputs = three, .input_count = 2, .bytes = 1}};
    nodes[1].sharing = POETBNB_VIEW;
    nodes[2].sharing = POETBNB_IN_PLACE;
    nodes[2].shares = 1;
    nodes[2].joules = 2;
    nodes[3].outputs = pair;
    nodes[3].output_count = 2;
    nodes[4].input_outputs = parts;
    poetbnb_graph *g = poetbnb_graph_create("shared", nodes, 5, &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    ck_assert_int_eq(poetbnb_graph_nodes(g), 3);
    ck_assert_double_eq(poetbnb_graph_joules(g), 3);
    ck_assert_int_eq(poetbnb_graph_minimum_bytes(g), 14); /* pool: 8 + 2 + 4 unread */
    const poetbnb_alias expected[] = {{"conv", "overwritten", 0, 0},
                                      {"flat", "view", 0, 0},
                                      {"max", "unread", 1, 4},
                                      {"index", "output", 1, 2}};
    poetbnb_alias alias;
    for (int k = 0; k < 4; k++) {
        ck_assert_int_eq(poetbnb_graph_alias(g, k, &alias), 0);
        ck_assert_str_eq(alias.name, expected[k].name);
        ck_assert_str_eq(alias.kind, expected[k].kind);
        ck_assert_int_eq(alias.node, expected[k].node);
        ck_assert_int_eq(alias.bytes, expected[k].bytes);
    }
    ck_assert_int_eq(poetbnb_graph_alias(g, 4, &alias), -1);
    ck_assert_int_eq(poetbnb_graph_alias(g, -1, &alias), -1);
    poetbnb_graph_free(g);
    nodes[4].inputs = (const int[]){0, 3};
    ck_assert_ptr_null(poetbnb_graph_create("shared", nodes, 5, &error));
    ck_assert_ptr_nonnull(
        strstr(error.text, "node 2 (relu) overwrites node 0 (conv), which node 4"));
    nodes[3].output_count = -1;
    ck_assert_ptr_null(poetbnb_graph_create("shared", nodes, 5, &error));
    ck_assert_contains(error.text, "node 3: output_count is -1");
    nodes[3].output_count = 2;
    nodes[2].sharing = 3;
    ck_assert_ptr_null(poetbnb_graph_create("shared", nodes, 5, &error));
    ck_assert_contains(error.text, "node 2: sharing is 3");
}

/* Every third node has two views, which stand behind all nodes. */
TEST(aliases_know_their_nodes)
{
    enum { NODES = 30, VIEWS = 20 };
    poetbnb_node nodes[NODES + VIEWS] = {{0}};
    poetbnb_error error;
    int input[VIEWS];
    for (int k = 0; k < NODES; k++)
        nodes[k].bytes = 1;
    for (int k = 0; k < VIEWS; k++) {
        input[k] = k / 2 * 3;
        nodes[NODES + k] = (poetbnb_node){
            .name = "v", .inputs = &input[k], .input_count = 1, .sharing = POETBNB_VIEW};
    }
    poetbnb_graph *g = poetbnb_graph_create("views", nodes, NODES + VIEWS, &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    poetbnb_alias alias;
    for (int k = 0; k < VIEWS; k++) {
        ck_assert_int_eq(poetbnb_graph_alias(g, k, &alias), 0);
        ck_assert_int_eq(alias.node, k / 2 * 3);
    }
    ck_assert_int_eq(poetbnb_graph_alias(g, VIEWS, &alias), -1);
    poetbnb_graph_free(g);
}

static void check_error(const void *made, const poetbnb_error *error, const char *expected)
{
    ck_assert_ptr_null(made);
    ck_assert_msg(strstr(error->text, expected) != NULL, "'%s' is not in '%s'", expected,
                  error->text);
}

TEST(bad_graphs_are_refused)
{
    poetbnb_error error;
    const poetbnb_builtin no_batch = {0, 1, "published"}, style = {1, 1, "sideways"};
    check_error(poetbnb_graph_builtin("none", "a72", NULL, &error), &error, "none");
    check_error(poetbnb_graph_builtin("linear", "none", NULL, &error), &error, "none");
    check_error(poetbnb_graph_builtin("linear", "a72", &no_batch, &error), &error, "batch");
    check_error(poetbnb_graph_builtin("linear", "a72", &style, &error), &error, "sideways");
    check_error(poetbnb_graph_read("/nowhere/g.json", NULL, &error), &error, "/nowhere/g.json");
    check_error(poetbnb_graph_parse("{\"nodes\": 1}", 12, "it", NULL, &error), &error, "it: nodes");
    check_error(poetbnb_graph_parse("{", 1, "it", NULL, &error), &error, "it");
    poetbnb_node node = {.bytes = -1};
    check_error(poetbnb_graph_create("g", &node, 1, &error), &error, "bytes");
    check_error(poetbnb_graph_create("g", &node, 0, &error), &error, "1 to 20000 nodes");
    ck_assert_ptr_null(poetbnb_graph_read("/nowhere/g.json", NULL, NULL));
    poetbnb_graph_free(NULL);
}

/* ---- settings ------------------------------------------------------------------------------ */

TEST(settings_are_listed_and_checked)
{
    poetbnb_error error;
    poetbnb_setting_info info;
    poetbnb_graph *g = builtin("linear");
    poetbnb_solver *solver = poetbnb_solver_create(g, &error);
    int count = 0;
    for (; poetbnb_setting(count, &info) == 0; count++) {
        ck_assert_int_gt(strlen(info.help), 5);
        if (info.initial)
            set(solver, info.name, info.initial);
        if (strcmp(info.name, "warm-start") != 0 && strncmp(info.name, "with", 4) != 0 &&
            strcmp(info.name, "certificate") != 0) {
            ck_assert_int_eq(poetbnb_set(solver, info.name, "%", &error), -1);
            ck_assert_msg(strncmp(error.text, info.name, strlen(info.name)) == 0, "%s", error.text);
            ck_assert_contains(error.text, "expected");
        }
    }
    ck_assert_int_eq(count, 29);
    ck_assert_int_eq(poetbnb_setting(-1, &info), -1);
    ck_assert_int_eq(poetbnb_set(solver, "rum-budget", "1", &error), -1);
    ck_assert_contains(error.text, "rum-budget");
    ck_assert_contains(error.text, "ram-budget");
    check_error(poetbnb_solve(solver, &error), &error, "ram-budget: missing; expected");
    set(solver, "ram-budget", "50%");
    set(solver, "warm-start", "nobody");
    check_error(poetbnb_solve(solver, &error), &error, "warm-start: ");
    set(solver, "warm-start", "none");
    set(solver, "without", "nothing");
    check_error(poetbnb_solve(solver, &error), &error, "nothing");
    poetbnb_solver_free(solver);
    poetbnb_graph_free(g);
}

TEST(settings_change_the_problem)
{
    poetbnb_error error;
    poetbnb_figures f;
    poetbnb_graph *g = builtin("vgg16_cifar");
    poetbnb_solver *solver = poetbnb_solver_create(g, &error);
    set(solver, "ram-budget", "50%");
    set(solver, "paging", "off");
    set(solver, "runtime-budget", "2");
    poetbnb_result *r = poetbnb_solve(solver, &error);
    poetbnb_result_figures(r, &f);
    ck_assert_int_eq(f.pagein_count, 0);
    ck_assert_double_eq(f.deadline_seconds, 2 * poetbnb_graph_seconds(g));
    poetbnb_result_free(r);
    set(solver, "paging", "on");
    set(solver, "remat", "off");
    r = poetbnb_solve(solver, &error);
    poetbnb_result_figures(r, &f);
    ck_assert_int_eq(f.recompute_count, 0);
    ck_assert_int_gt(f.pagein_count, 0);
    poetbnb_result_free(r);
    set(solver, "remat", "on");
    set(solver, "max-computations", "1");
    r = poetbnb_solve(solver, &error);
    poetbnb_result_figures(r, &f);
    ck_assert_int_eq(f.recompute_count, 0);
    poetbnb_result_free(r);
    poetbnb_solver_free(solver);
    poetbnb_graph_free(g);
}

/* ---- the program around it ------------------------------------------------------------------ */

static long taken;

static void *count_block(size_t size)
{
    taken++;
    return malloc(size);
}

/* What the program does with jansson and GMP goes the way that it chose, be it before or after. */
TEST(other_users_of_its_libraries_keep_their_memory)
{
    json_malloc_t take;
    json_free_t give;
    json_get_alloc_funcs(&take, &give);
    ck_assert(take != malloc && give != free); /* there is something in between */
    const size_t before = base_memory_used();
    json_t *value = json_pack("{s:i}", "key", 1);
    mpz_t number;
    mpz_init_set_ui(number, 3);
    mpz_pow_ui(number, number, 10000);
    ck_assert_uint_eq(base_memory_used(), before);
    poetbnb_result_free(solve("linear", "50%"));
    json_decref(value);
    mpz_clear(number);
    json_set_alloc_funcs(count_block, free);
    poetbnb_graph *g = builtin("linear");
    char *text = poetbnb_graph_json(g, NULL);
    poetbnb_graph_free(poetbnb_graph_parse(text, strlen(text), "it", NULL, NULL));
    ck_assert_int_gt(taken, 0);
    poetbnb_free(text);
    poetbnb_graph_free(g);
}

/* Counted work tells whether a parameter has arrived; a word that is bad changes nothing. */
TEST(parameters_steer_the_search)
{
    poetbnb_error error;
    poetbnb_figures before, after, last;
    poetbnb_graph *g = builtin("vgg16_cifar");
    poetbnb_solver *solver = poetbnb_solver_create(g, &error);
    set(solver, "ram-budget", "50%");
    set(solver, "solve-threads", "1");
    poetbnb_result *r[3];
    r[0] = poetbnb_solve(solver, &error);
    set(solver, "set", "exact.cut_rounds=0, bnb.rins = off");
    r[1] = poetbnb_solve(solver, &error);
    ck_assert_int_eq(poetbnb_set(solver, "set", "exact.cut_rounds=60,bnb.rins=2", &error), -1);
    ck_assert_contains(error.text, "set: bnb.rins: expected on or off, got '2'");
    ck_assert_int_eq(poetbnb_set(solver, "set", "exact.cut_rounds", &error), -1);
    ck_assert_contains(error.text, "set: expected NAME=VALUE");
    ck_assert_int_eq(poetbnb_set(solver, "set", "exact.cut_round=1", &error), -1);
    ck_assert_contains(error.text, "the nearest name is exact.cut_rounds");
    r[2] = poetbnb_solve(solver, &error);
    poetbnb_result_figures(r[0], &before);
    poetbnb_result_figures(r[1], &after);
    poetbnb_result_figures(r[2], &last);
    ck_assert_int_gt(before.cuts, 0);
    ck_assert_int_ne(after.cuts, before.cuts);
    ck_assert_double_eq(last.work, after.work);
    for (int k = 0; k < 3; k++)
        poetbnb_result_free(r[k]);
    poetbnb_solver_free(solver);
    poetbnb_graph_free(g);
}
