/* Random layered graphs, models in both units, and the lists of instances. */
#include <math.h>
#include <string.h>

#include "benchmarks/exact_case.h"
#include "benchmarks/layered.h"
#include "benchmarks/lp_cases.h"
#include "benchmarks/scattered.h"
#include "formulation/formulation.h"
#include "lp/simplex.h"
#include "problem/json.h"
#include "problem/network.h"
#include "tests/benchmarks/suites.h"

static graph *layered(int nodes, uint64_t seed, int width)
{
    base_error error;
    layered_options options = layered_options_default();
    options.nodes = nodes;
    options.seed = seed;
    options.width = width;
    graph *g = layered_make(&options, &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    return g;
}

static bool same(const graph *a, const graph *b)
{
    const size_t n = (size_t)a->n;
    return a->n == b->n && a->edge_count == b->edge_count &&
           !memcmp(a->input, b->input, (size_t)a->edge_count * sizeof *a->input) &&
           !memcmp(a->bytes, b->bytes, n * sizeof *a->bytes) &&
           !memcmp(a->joules, b->joules, n * sizeof *a->joules);
}

/* Every forward node but the loss feeds a forward node, every gradient has inputs, and a gradient
 * that is there feeds the gradients of its node's inputs. */
static void check_shape(const graph *g)
{
    const int forward = (g->n + 1) / 2;
    for (int i = 0; i < g->n; i++) {
        const int inputs = g->input_start[i + 1] - g->input_start[i];
        ck_assert_int_eq(g->backward[i], i >= forward);
        ck_assert_int_gt(g->bytes[i], 0);
        ck_assert(i == 0 ? inputs == 0 : inputs > 0);
        if (i < forward - 1)
            ck_assert_int_lt(g->user[g->user_start[i]], forward);
        for (int e = g->input_start[i]; i < forward && e < g->input_start[i + 1]; e++) {
            const int from = 2 * forward - 1 - i, to = 2 * forward - 1 - g->input[e];
            bool found = from >= g->n || to >= g->n;
            for (int k = g->input_start[to < g->n ? to : 0];
                 to < g->n && k < g->input_start[to + 1]; k++)
                found = found || g->input[k] == from;
            ck_assert_msg(found, "gradient %d does not read gradient %d", to, from);
        }
    }
}

START_TEST(layered_graphs_have_their_shape)
{
    for (int nodes = 4; nodes <= 60; nodes++)
        for (uint64_t seed = 1; seed <= 5; seed++) {
            graph *g = layered(nodes, seed, 1 + (int)(seed % 4));
            ck_assert_int_eq(g->n, nodes);
            check_shape(g);
            graph_free(g);
        }
    graph *g = layered(250, 1, 3);
    ck_assert_int_gt(g->edge_count, 2 * g->n); /* several edges a node */
    graph_free(g);
}
END_TEST

/* The files that experiments.toml names are what bench-layered makes. */
START_TEST(layered_files_are_made_here)
{
    static const int nodes[] = {50, 100, 250, 500, 1000};
    char path[80];
    base_error error;
    snprintf(path, sizeof path, "benchmarks/graphs/layered-%d.json.gz", nodes[_i]);
    graph *file = graph_read(path, NULL, &error), *made = layered(nodes[_i], 1, 3);
    ck_assert_msg(file != NULL, "%s", error.text);
    ck_assert(graph_same(file, made));
    graph_free(file);
    graph_free(made);
}
END_TEST

START_TEST(layered_graphs_follow_the_seed)
{
    graph *a = layered(50, 1, 3), *again = layered(50, 1, 3), *other = layered(50, 2, 3);
    ck_assert(same(a, again));
    ck_assert(!same(a, other));
    graph_free(a);
    graph_free(again);
    graph_free(other);
    for (uint64_t seed = 1; seed <= 4; seed++) { /* a large graph, too */
        a = layered(5000, seed, 3);
        other = layered(5000, seed + 1, 3);
        ck_assert(!same(a, other));
        graph_free(a);
        graph_free(other);
    }
}
END_TEST

/* Every node has inputs and, but for the last layer, readers; the order is no order of layers. */
START_TEST(scattered_graphs_have_their_shape)
{
    base_error error;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        layered_options options = layered_options_default();
        options.nodes = 4 + 20 * (int)seed;
        options.width = 9;
        options.seed = seed;
        graph *g = scattered_make(&options, &error), *again = scattered_make(&options, &error);
        ck_assert_msg(g != NULL, "%s", error.text);
        ck_assert_int_eq(g->n, options.nodes);
        ck_assert(same(g, again));
        int unread = 0, back = 0, depth[404] = {0};
        for (int i = 0; i < g->n; i++) {
            ck_assert_int_gt(g->bytes[i], 0);
            ck_assert(i == 0 || g->input_start[i + 1] > g->input_start[i]);
            unread += g->user_start[i + 1] == g->user_start[i];
            for (int k = g->input_start[i]; k < g->input_start[i + 1]; k++)
                if (depth[g->input[k]] >= depth[i])
                    depth[i] = depth[g->input[k]] + 1;
            back += i > 0 && depth[i] < depth[i - 1];
        }
        ck_assert_int_le(unread, options.width);
        ck_assert(g->n < 100 || back > g->n / 20);
        graph_free(g);
        graph_free(again);
    }
}
END_TEST

START_TEST(layered_options_are_checked)
{
    base_error error;
    layered_options options = layered_options_default();
    options.nodes = 3;
    ck_assert_ptr_null(layered_make(&options, &error));
    options.nodes = 50;
    options.width = 0;
    ck_assert_ptr_null(layered_make(&options, &error));
    ck_assert_ptr_null(scattered_make(&options, &error));
}
END_TEST

static double optimum(const lp_model *m)
{
    lp_solver *s = lp_solver_create(m, NULL);
    ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
    const double value = lp_objective(s);
    lp_solver_free(s);
    return value;
}

/* Both units mean the same overhead, for every form; and the forms are ordered. */
START_TEST(units_agree)
{
    base_error error;
    graph *g = network_build("linear", platform_find("m4"), network_options_default(), &error);
    problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    double overhead[3];
    int cols[3];
    for (int form = 0; form < 3; form++) {
        lp_model *joules = bench_model_make(&p, (bench_form)form, UNIT_JOULES, true);
        lp_model *scaled = bench_model_make(&p, (bench_form)form, UNIT_OVERHEAD, true);
        overhead[form] = bench_model_overhead(&p, UNIT_OVERHEAD, optimum(scaled));
        ck_assert_double_eq_tol(bench_model_overhead(&p, UNIT_JOULES, optimum(joules)),
                                overhead[form], 1e-9 + 1e-6 * overhead[form]);
        cols[form] = scaled->cols;
        for (int j = 0; j < scaled->cols; j++)
            ck_assert(!scaled->integer[j]);
        lp_model_free(joules);
        lp_model_free(scaled);
    }
    ck_assert_double_lt(overhead[FORM_PUBLISHED], overhead[FORM_TIGHT]);
    ck_assert_double_le(overhead[FORM_TIGHT], overhead[FORM_DIRECT] * (1 + 1e-9));
    ck_assert_int_lt(cols[FORM_DIRECT], cols[FORM_TIGHT]);
    graph_free(g);
}
END_TEST

/* The restriction leaves out more than page-outs: what lies past the last direct user. */
START_TEST(direct_models_end_with_the_last_user)
{
    base_error error;
    graph *g = network_build("linear", platform_find("m4"), network_options_default(), &error);
    problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    uint8_t *mask = formulation_mask_windows(&p, FORMULATION_DEFAULT, g->n, 0);
    formulation *f = formulation_build(&p, FORMULATION_DEFAULT, mask, 1.0);
    lp_model *direct = bench_model_make(&p, FORM_DIRECT, UNIT_JOULES, false);
    ck_assert_int_lt(direct->cols, f->model->cols);
    bool any = false;
    for (int j = 0; j < direct->cols; j++)
        any = any || direct->integer[j];
    ck_assert(any);
    lp_model_free(direct);
    formulation_free(f);
    base_free(mask);
    graph_free(g);
}
END_TEST

START_TEST(lp_cases_differ)
{
    lp_case cases[LP_CASES];
    lp_cases_list(cases);
    for (int k = 0; k < LP_CASES; k++) {
        graph *g;
        problem p = lp_case_problem(&cases[k], &g);
        ck_assert_ptr_nonnull(g);
        ck_assert_int_ge(p.ram_budget_bytes, graph_minimum_bytes(g, NULL));
        graph_free(g);
        for (int e = 0; e < k; e++)
            ck_assert_str_ne(cases[k].name, cases[e].name);
    }
}
END_TEST

static void check_list(const exact_cases *list)
{
    for (int k = 0; k < list->count; k++) {
        const exact_case *c = &list->item[k];
        graph *g;
        problem p = exact_case_problem(c, &g);
        ck_assert_msg(g != NULL, "%s", c->name);
        ck_assert_int_gt(p.ram_budget_bytes, 0);
        ck_assert_int_eq(p.allow_paging, !c->no_paging);
        ck_assert_double_gt(c->asked, 0);
        graph_free(g);
        for (int e = 0; e < k; e++)
            ck_assert_str_ne(c->name, list->item[e].name);
    }
}

START_TEST(grid_is_whole)
{
    exact_cases list = exact_cases_grid(), pairs = exact_cases_pairs();
    check_list(&list);
    check_list(&pairs);
    int vgg = 0, open = 0, layered_count = 0;
    for (int k = 0; k < list.count; k++) {
        vgg += !strcmp(list.item[k].group, "vgg16");
        open += !strcmp(list.item[k].group, "open");
        layered_count += !strcmp(list.item[k].group, "layered");
    }
    ck_assert_int_eq(vgg, 5 * 6);
    ck_assert_int_eq(open, 3 + 5);
    ck_assert_int_eq(layered_count, 4 * 2 * 2);
    exact_cases_clear(&list);
    exact_cases_clear(&pairs);
}
END_TEST

START_TEST(cases_are_chosen_by_name_and_group)
{
    const exact_case c = {.group = "deadline", .name = "vgg16_cifar-a72-60-t1.001"};
    char *none[] = {NULL}, *part[] = {"m4", "a72-60", NULL}, *group[] = {"deadline", NULL};
    char *other[] = {"dead", "resnet", NULL};
    ck_assert(exact_case_wanted(&c, NULL));
    ck_assert(exact_case_wanted(&c, none));
    ck_assert(exact_case_wanted(&c, part));
    ck_assert(exact_case_wanted(&c, group));
    ck_assert(!exact_case_wanted(&c, other));
    const char *const whole[] = {"bert-a72-40", c.name, NULL}, *const piece[] = {"vgg16", NULL};
    ck_assert(exact_case_chosen(&c, none, whole));
    ck_assert(!exact_case_chosen(&c, none, piece));
    ck_assert(exact_case_chosen(&c, part, piece));
    ck_assert(!exact_case_chosen(&c, other, whole));

    base_error error;
    exact_cases one = {.count = 1, .item = (exact_case *)&c};
    ck_assert_int_eq(exact_cases_check(&one, group, &error), 0);
    ck_assert_int_eq(exact_cases_check(&one, part, &error), -1); /* "m4" fits nothing */
    ck_assert_ptr_nonnull(strstr(error.text, "'m4'"));
    lp_case cases[LP_CASES];
    lp_cases_list(cases);
    ck_assert_int_eq(lp_cases_check(cases, part, &error), -1);
    ck_assert_ptr_nonnull(strstr(error.text, "'a72-60'"));
    ck_assert_int_eq(lp_cases_check(cases, none, &error), 0);
}
END_TEST

START_TEST(command_says_the_instance)
{
    base_error error;
    bench_command c = {0};
    const exact_case k = {.network = "linear",
                          .platform = "m4",
                          .percent = 50,
                          .runtime = "1.001",
                          .autodiff = true,
                          .no_paging = true};
    static const char *const words[] = {"solve",
                                        "--model=linear",
                                        "--platform=m4",
                                        NULL, /* the budget, of another graph than published */
                                        "--runtime-budget=1.001",
                                        "--backward=autodiff",
                                        "--no-paging"};
    ck_assert_int_eq(exact_case_command(&k, "unused", &c, &error), 0);
    ck_assert_int_eq(c.count, 7);
    for (int w = 0; w < 7; w++)
        if (words[w])
            ck_assert_str_eq(c.words[w], words[w]);
    ck_assert_int_eq(strncmp(c.words[3], "--ram-budget=", 13), 0);
    bench_command_clear(&c);
}
END_TEST

TCase *cases_case(void)
{
    TCase *t = tcase_create("cases");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, layered_graphs_have_their_shape);
    tcase_add_loop_test(t, layered_files_are_made_here, 0, 5);
    tcase_add_test(t, layered_graphs_follow_the_seed);
    tcase_add_test(t, scattered_graphs_have_their_shape);
    tcase_add_test(t, layered_options_are_checked);
    tcase_add_test(t, units_agree);
    tcase_add_test(t, direct_models_end_with_the_last_user);
    tcase_add_test(t, lp_cases_differ);
    tcase_add_test(t, grid_is_whole);
    tcase_add_test(t, cases_are_chosen_by_name_and_group);
    tcase_add_test(t, command_says_the_instance);
    return t;
}
