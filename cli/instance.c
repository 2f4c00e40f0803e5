/* From options to problems: the graph, the lists of budgets and deadlines with their ranges and
 * percentages, and the features. */
#include "cli/instance.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "formulation/formulation.h"
#include "heuristics/order.h"
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
    graph *g = graph_read(options->graph, options->platform ? &costing : NULL, error);
    if (g)
        name_after_file(g, options->graph);
    return g;
}

/* The option that makes no sense with --graph and was given; NULL: none. */
static const char *conflicts_with_file(const cli_options *options)
{
    static const struct {
        int number;
        const char *name;
    } fixed[] = {{CLI_OPT_model, "model"},
                 {CLI_OPT_batch_size, "batch-size"},
                 {CLI_OPT_backward, "backward"}};
    for (size_t k = 0; k < sizeof fixed / sizeof fixed[0]; k++)
        if (options->given[fixed[k].number])
            return fixed[k].name;
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

enum { MOST_BUDGETS = 10000 };

static void add_ram(cli_budgets *budgets, cli_ram ram)
{
    budgets->ram = base_realloc(budgets->ram, (size_t)budgets->ram_count + 1, sizeof ram);
    budgets->ram[budgets->ram_count++] = ram;
}

static const cli_ram all_ram = {.amount = {.percent = true, .digits = 100}};

static void add_least(cli_budgets *budgets)
{
    cli_ram ram = all_ram;
    ram.least = true;
    add_ram(budgets, ram);
}

/* Steps of a range, in percent. */
typedef struct ram_range {
    double first, step;
    int steps;
    bool above_least; /* down to the smallest budget */
} ram_range;

static int add_range(const ram_range *range, cli_budgets *budgets, base_error *error)
{
    char text[40];
    for (int k = 0; k <= range->steps; k++) {
        cli_ram ram = {.above_least = range->above_least};
        snprintf(text, sizeof text, "%.12g%%", range->first + k * range->step);
        if (base_number_amount(text, true, &ram.amount, error) != 0)
            return -1;
        add_ram(budgets, ram);
    }
    if (range->above_least)
        add_least(budgets);
    return 0;
}

/* FIRST:LAST:STEP in percent, with or without the sign, up or down; one end may be "min". */
static int read_range(const char *word, bool least_allowed, cli_budgets *budgets, base_error *error)
{
    char part[3][32] = {"", "", ""};
    double value[3] = {0, 0, 0};
    int length = 0, least = -1;
    sscanf(word, "%31[^:]:%31[^:]:%31[^:]%n", part[0], part[1], part[2], &length);
    for (int k = 0; k < 3; k++) {
        part[k][strcspn(part[k], "%")] = '\0';
        if (least_allowed && k < 2 && least < 0 && strcmp(part[k], "min") == 0)
            least = k;
        else if (length == 0 || word[length] != '\0' ||
                 base_number_real(part[k], DBL_MIN, 1e6, &value[k], error) != 0)
            return base_fail(error, "expected FIRST:LAST:STEP in percent (90:20:10%s), got '%s'",
                             least_allowed ? ", 90:min:10" : "", word);
    }
    /* The values above 0 of a range that ends somewhere above it. */
    const double first = least == 0 ? value[1] : value[0], last = least < 0 ? value[1] : 0,
                 step = last < first ? -value[2] : value[2],
                 steps = (last - first) / step * (1 + 1e-12) + 1e-9;
    const double count = least < 0 ? floor(steps) : ceil(steps - 1 - 1e-6);
    if (!(count < MOST_BUDGETS))
        return base_fail(error, "%s: at most %d budgets are expected", word, MOST_BUDGETS);
    return add_range(&(ram_range){first, step, (int)count, least >= 0}, budgets, error);
}

static int read_ram(const char *list, bool lists, bool least, cli_budgets *budgets,
                    base_error *error)
{
    char word[128];
    const char *at = list;
    int count = base_count_words(list);
    for (int k = 0; k < count; k++) {
        cli_ram ram = {0};
        if (!base_next_word(&at, word, sizeof word))
            return base_fail(error, "expected amounts of memory between commas, got '%s'", list);
        if (least && strcmp(word, "min") == 0) {
            add_least(budgets);
            continue;
        }
        if (lists && strchr(word, ':')) {
            if (read_range(word, least, budgets, error) != 0)
                return -1;
            continue;
        }
        if (strcmp(word, "min") == 0)
            return base_fail(error, "expected an amount, got 'min', which is for solve and sweep");
        if (base_number_amount(word, true, &ram.amount, error) != 0)
            return -1;
        add_ram(budgets, ram);
    }
    return 0;
}

static int read_factors(const char *list, cli_budgets *budgets, base_error *error)
{
    char word[64];
    const char *at = list;
    int count = base_count_words(list);
    budgets->factor = base_calloc((size_t)count, sizeof *budgets->factor);
    for (int k = 0; k < count; k++) {
        if (!base_next_word(&at, word, sizeof word))
            return base_fail(error, "expected numbers between commas, got '%s'", list);
        if (strcmp(word, "none") == 0)
            budgets->factor[k] = INFINITY;
        else if (base_number_real(word, PROBLEM_LEAST_FACTOR, PROBLEM_MOST_FACTOR,
                                  &budgets->factor[k], error) != 0)
            return -1;
    }
    budgets->factor_count = count;
    return 0;
}

int cli_budgets_read(const cli_options *options, bool lists, bool least, cli_budgets *budgets)
{
    *budgets = (cli_budgets){0};
    base_error error;
    const char *ram = options->ram_budget;
    const char *factors = options->runtime_budget ? options->runtime_budget : "none";
    const char *wrong = NULL;
    if (!ram) {
        wrong = "ram-budget";
        base_fail(&error, "missing; expected: bytes (3000000, 1.2M) or a percentage (50%%)");
    } else if (read_ram(ram, lists, least, budgets, &error) != 0) {
        wrong = "ram-budget";
    } else if (read_factors(factors, budgets, &error) != 0) {
        wrong = "runtime-budget";
    } else if (!budgets->ram) {
        wrong = "ram-budget";
        base_fail(&error, "expected an amount, got nothing");
    } else if (!lists && (budgets->ram_count > 1 || budgets->factor_count > 1)) {
        wrong = budgets->ram_count > 1 ? "ram-budget" : "runtime-budget";
        base_fail(&error, "expected one value, got the list '%s'",
                  budgets->ram_count > 1 ? ram : factors);
    }
    if (!wrong)
        return 0;
    cli_budgets_clear(budgets);
    cli_fail(-1, "--%s: %s", wrong, error.text);
    return -1;
}

void cli_budgets_clear(cli_budgets *budgets)
{
    base_free(budgets->ram);
    base_free(budgets->factor);
    *budgets = (cli_budgets){0};
}

int cli_problem_make(const cli_options *options, const graph *g, const cli_budgets *budgets, int r,
                     int f, problem *p)
{
    base_error error;
    int64_t bytes;
    if (problem_budget(g, &budgets->ram[r].amount, &bytes, &error) != 0)
        return cli_fail(-1, "--ram-budget: %s", error.text);
    if (!budgets->ram[r].amount.percent && bytes <= 100 && bytes < graph_minimum_bytes(g, NULL))
        cli_fail(0, "--ram-budget: %" PRId64 " is taken for bytes; %" PRId64 "%% is a percentage",
                 bytes, bytes);
    *p = problem_make(g, bytes);
    if (isfinite(budgets->factor[f]))
        p->deadline_seconds = budgets->factor[f] * graph_base_seconds(g);
    p->allow_paging = options->paging;
    p->allow_remat = options->remat;
    p->max_computations = (int)options->max_computations;
    p->charge_pagein_transfer = strcmp(options->charge_pagein, "transfer") == 0;
    p->deadline_includes_paging = options->deadline_includes_paging;
    return 0;
}

int cli_features_read(const cli_options *options, unsigned *features)
{
    base_error error;
    if (formulation_features_choose(options->without, options->with, features, &error) != 0)
        return cli_fail(-1, "%s", error.text);
    return 0;
}

graph *cli_problem_open(const cli_options *options, unsigned *features, problem *p)
{
    cli_budgets budgets;
    if (cli_features_read(options, features) != 0 ||
        cli_budgets_read(options, false, false, &budgets) != 0)
        return NULL;
    graph *g = cli_graph_open(options);
    if (g && cli_problem_make(options, g, &budgets, 0, 0, p) != 0) {
        graph_free(g);
        g = NULL;
    }
    cli_budgets_clear(&budgets);
    return g;
}

graph *cli_graph_reordered(const cli_options *options, const base_limits *limits, const problem *p)
{
    return order_graph(p, limits, &options->tuning.heuristics, (uint64_t)options->seed);
}
