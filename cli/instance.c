/* From options to problems: the graph, the budgets and the features, with messages. */
#include "cli/instance.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "formulation/formulation.h"
#include "problem/json.h"

static graph *build_network(const cli_options *options, base_error *error)
{
    platform where;
    if (!options->model || !options->platform) {
        base_fail(error, "%s",
                  !options->platform && options->model
                      ? "--model needs --platform (`poetbnb info' lists both)"
                  : options->platform
                      ? "--platform needs --model or --graph (`poetbnb info' lists networks)"
                      : "expected --model and --platform, or --graph");
        return NULL;
    }
    network_options how = network_options_default();
    how.batch_size = (int)options->batch_size;
    how.mem_power_scale = options->mem_power_scale;
    if (network_parse_backward(options->backward, &how.backward, error) != 0 ||
        platform_load(options->platform, &where, error) != 0)
        return NULL;
    base_error inner;
    graph *g = network_build(options->model, &where, how, &inner);
    if (!g)
        base_fail(error, "--model %s on %s: %s", options->model, options->platform, inner.text);
    return g;
}

/* A graph without a name is called as its file is, without folder and suffix. */
static void name_after_file(graph *g, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (g->name && g->name[0])
        return;
    base_free(g->name);
    g->name = base_strdup(slash ? slash + 1 : path);
    char *dot = strrchr(g->name, '.');
    if (dot && dot > g->name)
        *dot = '\0';
}

/* Reads the graph of --graph; --platform gives costs to its FLOPs. */
static graph *read_graph(const cli_options *options, base_error *error)
{
    platform where;
    const graph_costing costing = {&where, options->mem_power_scale};
    if (!options->platform && options->given[CLI_OPT_mem_power_scale]) {
        base_fail(error, "--mem-power-scale: with --graph a --platform is expected");
        return NULL;
    }
    if (options->platform && platform_load(options->platform, &where, error) != 0)
        return NULL;
    graph *g = graph_parse(NULL, 0, options->graph, options->platform ? &costing : NULL, error);
    if (g)
        name_after_file(g, options->graph);
    return g;
}

/* The option that makes no sense with --graph and was given; NULL: none. */
static const char *conflicts_with_file(const cli_options *options)
{
    static const int fixed[] = {CLI_OPT_model, CLI_OPT_batch_size, CLI_OPT_backward};
    for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++)
        if (options->given[fixed[k]])
            return cli_option_table[fixed[k]].name;
    return NULL;
}

graph *cli_graph_open(const cli_options *options)
{
    base_error error;
    graph *g = NULL;
    const char *conflict = options->graph ? conflicts_with_file(options) : NULL;
    if (conflict)
        base_fail(&error, "--graph: a graph from a file cannot be combined with --%s", conflict);
    else if (options->graph)
        g = read_graph(options, &error);
    else
        g = build_network(options, &error);
    if (!g)
        cli_fail(0, "%s", error.text);
    return g;
}

int cli_budgets_open(const cli_options *options, bool lists, bool least, cli_budgets *budgets)
{
    base_error error;
    return cli_budgets_read(options, lists, least, budgets, &error) == 0
               ? 0
               : cli_fail(-1, "--%s", error.text);
}

int cli_problem_make(const cli_options *options, const graph *g, const cli_budgets *budgets, int r,
                     int f, problem *p)
{
    base_error error;
    if (cli_budgets_problem(options, g, budgets, r, f, p, &error) != 0)
        return cli_fail(-1, "--%s", error.text);
    const int64_t bytes = p->ram_budget_bytes;
    if (!budgets->ram[r].amount.percent && bytes <= 100 && bytes < graph_minimum_bytes(g, NULL))
        cli_fail(0, "--ram-budget: %" PRId64 " is taken for bytes; %" PRId64 "%% is a percentage",
                 bytes, bytes);
    return 0;
}

int cli_features_read(const cli_options *options, unsigned *features)
{
    base_error error;
    if (formulation_features_choose(options->without, options->with, features, &error) != 0)
        return cli_fail(-1, "%s", error.text);
    return 0;
}

graph *cli_problem_open(const cli_options *options, bool *least, unsigned *features, problem *p)
{
    cli_budgets budgets;
    if (cli_features_read(options, features) != 0 ||
        cli_budgets_open(options, false, least != NULL, &budgets) != 0)
        return NULL;
    if (least)
        *least = budgets.ram->least;
    graph *g = cli_graph_open(options);
    if (g && cli_problem_make(options, g, &budgets, 0, 0, p) != 0) {
        graph_free(g);
        g = NULL;
    }
    cli_budgets_clear(&budgets);
    return g;
}
