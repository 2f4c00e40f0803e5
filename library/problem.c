/* Lists of budgets and deadlines with their ranges and percentages, problems made from them, and
 * the parameters of a search. */
#include "library/problem.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/parallel.h"
#include "heuristics/order.h"

/* ---- budgets and problems ---------------------------------------------------------- */

enum { MOST_BUDGETS = 10000 };

static void add_ram(cli_budgets *budgets, cli_ram ram)
{
    budgets->ram = base_realloc(budgets->ram, (size_t)budgets->ram_count + 1, sizeof ram);
    budgets->ram[budgets->ram_count++] = ram;
}

static void add_least(cli_budgets *budgets)
{
    add_ram(budgets, (cli_ram){.amount = {.percent = true, .digits = 100}, .least = true});
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
    for (int k = 0; k <= (int)count; k++) {
        char text[40];
        cli_ram ram = {.above_least = least >= 0};
        snprintf(text, sizeof text, "%.12g%%", first + k * step);
        if (base_number_amount(text, true, &ram.amount, error) != 0)
            return -1;
        add_ram(budgets, ram);
    }
    if (least >= 0)
        add_least(budgets);
    return 0;
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

int cli_budgets_read(const cli_options *options, bool lists, bool least, cli_budgets *budgets,
                     base_error *error)
{
    base_error why;
    const char *ram = options->ram_budget;
    const char *factors = options->runtime_budget ? options->runtime_budget : "none";
    const char *wrong = NULL;
    *budgets = (cli_budgets){0};
    if (!ram) {
        wrong = "ram-budget";
        base_fail(&why, "missing; expected: bytes (3000000, 1.2M) or a percentage (50%%)");
    } else if (read_ram(ram, lists, least, budgets, &why) != 0) {
        wrong = "ram-budget";
    } else if (read_factors(factors, budgets, &why) != 0) {
        wrong = "runtime-budget";
    } else if (!lists && (budgets->ram_count > 1 || budgets->factor_count > 1)) {
        wrong = budgets->ram_count > 1 ? "ram-budget" : "runtime-budget";
        base_fail(&why, "expected one value, got the list '%s'",
                  budgets->ram_count > 1 ? ram : factors);
    }
    if (!wrong)
        return 0;
    cli_budgets_clear(budgets);
    return base_fail(error, "%s: %s", wrong, why.text);
}

void cli_budgets_clear(cli_budgets *budgets)
{
    base_free_all(budgets->ram, budgets->factor);
    *budgets = (cli_budgets){0};
}

int cli_budgets_problem(const cli_options *options, const graph *g, const cli_budgets *budgets,
                        int r, int f, problem *p, base_error *error)
{
    base_error why;
    int64_t bytes;
    if (problem_budget(g, &budgets->ram[r].amount, &bytes, &why) != 0)
        return base_fail(error, "ram-budget: %s", why.text);
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

/* ---- searches ------------------------------------------------------------------------ */

int cli_threads(const cli_options *options)
{
    const int share = base_threads() / (int)options->jobs;
    return options->threads > 0 ? (int)options->threads : share > 1 ? share : 1;
}

exact_params cli_exact_params(const cli_options *options, const base_limits *limits,
                              unsigned features, const baseline_starts *starts, FILE *log)
{
    exact_params params = exact_params_default();
    params.threads = cli_threads(options);
    params.limits = *limits;
    params.node_limit = (long)options->node_limit;
    params.work_limit = options->work_limit;
    params.log = !log ? 0 : options->verbose ? 2 : 1;
    params.log_stream = log;
    params.seed = (uint64_t)options->seed;
    params.gap_relative = options->gap;
    params.features = features;
    params.tuning = options->tuning;
    params.heuristics = options->heuristics;
    params.starts = (const schedule *const *)starts->schedule;
    params.start_names = (const char *const *)starts->name;
    params.start_count = starts->count;
    return params;
}

typedef struct least_search {
    const problem *problem;
    exact_params params;
    exact_least found;
} least_search;

static void least_step(void *data)
{
    least_search *l = data;
    l->found = exact_least_budget(l->problem, &l->params);
}

exact_least cli_exact_least(const cli_options *options, const base_limits *limits,
                            unsigned features, const problem *p)
{
    const baseline_starts none = {0};
    least_search l = {.problem = p,
                      .params = cli_exact_params(options, limits, features, &none, NULL),
                      .found = {.bytes = -1, .least = graph_minimum_bytes(p->graph, NULL)}};
    const base_stop why = base_try(limits, least_step, &l);
    if (why != BASE_GO)
        l.found.stop = why;
    return l.found;
}

graph *cli_graph_reordered(const cli_options *options, const base_limits *limits, const problem *p)
{
    if (strcmp(options->order, "search") != 0)
        return NULL;
    return order_graph(p, limits, &options->tuning.heuristics, (uint64_t)options->seed);
}

baseline_options cli_baseline_options(const cli_options *options, const base_limits *limits)
{
    baseline_options how = baseline_options_default();
    how.limits = limits;
    how.snapshots = (int)options->revolve_snapshots;
    how.segment_bytes = options->chen_segment_bytes;
    how.dtr_thrash = options->dtr_thrash;
    how.checkmate_threshold = options->checkmate_threshold;
    how.checkmate_draws = (int)options->checkmate_draws;
    how.seed = (uint64_t)options->seed;
    how.pofo_slots = (int)options->pofo_slots;
    return how;
}

int cli_starts_make(const cli_options *options, const problem *p, const base_limits *limits,
                    FILE *log, baseline_starts *starts, base_error *error)
{
    base_error why;
    const baseline_options how = cli_baseline_options(options, limits);
    if (baseline_starts_make(options->warm_start, p, &how, log, options->verbose, starts, &why) !=
        0)
        return base_fail(error, "warm-start: %s", why.text);
    return 0;
}

int cli_result_check(const problem *p, exact_result *result, base_error *error)
{
    if (!result->schedule ||
        schedule_validate(p, result->schedule, &result->validation, error) == 0)
        return 0;
    schedule_free(result->schedule);
    result->schedule = NULL;
    result->status = EXACT_FAILED;
    return -1;
}
