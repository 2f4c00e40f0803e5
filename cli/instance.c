#include "cli/instance.h"

#include <string.h>

#include "cli/cli.h"
#include "formulation/formulation.h"
#include "problem/json.h"

/* Of --runtime-budget: less is infeasible, more is no limit. */
#define LEAST_FACTOR 1e-9
#define MOST_FACTOR 1e9

static graph *build_network(const cli_options *options, base_error *error)
{
    platform where;
    if (!options->model || !options->platform) {
        base_fail(error, "expected --model and --platform, or --graph");
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

/* The option that makes no sense with --graph and was given; NULL: none. */
static const char *conflicts_with_file(const cli_options *options)
{
    static const struct {
        int number;
        const char *name;
    } fixed[] = {{CLI_OPT_model, "model"},
                 {CLI_OPT_platform, "platform"},
                 {CLI_OPT_batch_size, "batch-size"},
                 {CLI_OPT_mem_power_scale, "mem-power-scale"},
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
        g = graph_read(options->graph, &error);
    else
        g = build_network(options, &error);
    if (!g)
        cli_fail(0, "%s", error.text);
    return g;
}

bool cli_next_word(const char **at, char *word, size_t size)
{
    if (!**at)
        return false;
    size_t length = strcspn(*at, ",");
    if (length == 0 || length >= size)
        return false;
    memcpy(word, *at, length);
    word[length] = '\0';
    *at += length;
    if (**at == ',' && (*at)[1] != '\0') /* a comma at the end stays, as an empty word */
        ++*at;
    return true;
}

static int count_words(const char *list)
{
    int count = 1;
    for (; *list; list++)
        count += *list == ',';
    return count;
}

static int read_ram(const char *list, cli_budgets *budgets, base_error *error)
{
    char word[64];
    const char *at = list;
    int count = count_words(list);
    budgets->ram = base_calloc((size_t)count, sizeof *budgets->ram);
    for (int k = 0; k < count; k++) {
        if (!cli_next_word(&at, word, sizeof word))
            return base_fail(error, "expected amounts of memory between commas, got '%s'", list);
        if (cli_number_amount(word, true, &budgets->ram[k], error) != 0)
            return -1;
    }
    budgets->ram_count = count;
    return 0;
}

static int read_factors(const char *list, cli_budgets *budgets, base_error *error)
{
    char word[64];
    const char *at = list;
    int count = count_words(list);
    budgets->factor = base_calloc((size_t)count, sizeof *budgets->factor);
    for (int k = 0; k < count; k++) {
        if (!cli_next_word(&at, word, sizeof word))
            return base_fail(error, "expected numbers between commas, got '%s'", list);
        if (strcmp(word, "none") == 0)
            budgets->factor[k] = INFINITY;
        else if (cli_number_real(word, LEAST_FACTOR, MOST_FACTOR, &budgets->factor[k], error) != 0)
            return -1;
    }
    budgets->factor_count = count;
    return 0;
}

int cli_budgets_read(const cli_options *options, bool lists, cli_budgets *budgets)
{
    *budgets = (cli_budgets){0};
    base_error error;
    const char *ram = options->ram_budget;
    const char *factors = options->runtime_budget ? options->runtime_budget : "none";
    const char *wrong = NULL;
    if (!ram) {
        wrong = "ram-budget";
        base_fail(&error, "expected: bytes (3000000, 1.2M) or a percentage (50%%)");
    } else if (read_ram(ram, budgets, &error) != 0) {
        wrong = "ram-budget";
    } else if (read_factors(factors, budgets, &error) != 0) {
        wrong = "runtime-budget";
    } else if (!lists && (budgets->ram_count > 1 || budgets->factor_count > 1)) {
        wrong = budgets->ram_count > 1 ? "ram-budget" : "runtime-budget";
        base_fail(&error, "expected one value, got a list");
    }
    if (!wrong)
        return 0;
    cli_budgets_clear(budgets);
    return cli_fail(-1, "--%s: %s", wrong, error.text);
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
    if (cli_amount_bytes(&budgets->ram[r], graph_checkpoint_all_peak(g), &bytes, &error) != 0)
        return cli_fail(-1, "--ram-budget: %s", error.text);
    if (bytes > PROBLEM_MAX_BUDGET)
        return cli_fail(-1, "--ram-budget: more than 2^52 bytes");
    *p = problem_make(g, bytes);
    if (isfinite(budgets->factor[f]))
        p->deadline_seconds = budgets->factor[f] * graph_base_seconds(g);
    p->allow_paging = options->paging;
    p->allow_remat = options->remat;
    p->charge_pagein_transfer = strcmp(options->charge_pagein, "transfer") == 0;
    p->deadline_includes_paging = options->deadline_includes_paging;
    return 0;
}

/* Bits of the comma-separated names; `all' stands for all when allowed. */
static int read_features(const char *list, bool all_allowed, unsigned *bits, base_error *error)
{
    char word[64], known[512] = "";
    *bits = 0;
    const char *at = list;
    int left = count_words(list);
    for (; left > 0 && cli_next_word(&at, word, sizeof word); left--) {
        unsigned bit = formulation_feature_by_name(word);
        if (!bit && all_allowed && strcmp(word, "all") == 0)
            bit = ~0u;
        if (!bit)
            break;
        *bits |= bit;
    }
    if (left == 0)
        return 0;
    int count;
    const formulation_feature_info *table = formulation_features(&count);
    size_t used = 0;
    for (int k = 0; k < count && used < sizeof known; k++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", k ? ", " : "",
                                 table[k].name);
    return base_fail(error, "expected names of %s between commas, got '%s'", known, list);
}

int cli_features_read(const cli_options *options, unsigned *features)
{
    base_error error;
    unsigned added = 0, dropped = 0;
    if (options->without && read_features(options->without, true, &dropped, &error) != 0)
        return cli_fail(-1, "--without: %s", error.text);
    if (options->with && read_features(options->with, false, &added, &error) != 0)
        return cli_fail(-1, "--with: %s", error.text);
    *features = (FORMULATION_DEFAULT & ~dropped) | added;
    return 0;
}
