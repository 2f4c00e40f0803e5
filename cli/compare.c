/* poetbnb compare: every method at one or several budgets and deadlines, in a table. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/instance.h"
#include "cli/outcome.h"
#include "cli/parameters.h"
#include "cli/report.h"

static const char exact_name[] = "poetbnb";

/* Resources of a comparison. */
typedef struct compare {
    const cli_options *options;
    unsigned features;
    cli_budgets budgets;
    graph *graph;
    const baseline_method **method; /* in the order of the table; NULL entry: the exact solver */
    int method_count;
    cli_outcomes outcomes;
    const base_flag *interrupt;
    int status; /* exit status so far */
} compare;

/* ---- which methods ---------------------------------------------------------- */

static void add_method(compare *c, const baseline_method *method)
{
    c->method = base_realloc(c->method, (size_t)c->method_count + 1, sizeof *c->method);
    c->method[c->method_count++] = method;
}

static int choose_methods(compare *c)
{
    const cli_options *options = c->options;
    int count;
    const baseline_method *all = baseline_methods(&count);
    if (!options->methods) {
        for (int k = 0; k < count; k++)
            if (!options->no_exact || all[k].cost != BASELINE_EXACT)
                add_method(c, &all[k]);
        if (!options->no_exact)
            add_method(c, NULL);
        return 0;
    }
    char word[64];
    base_error error;
    const char *at = options->methods;
    while (base_next_word(&at, word, sizeof word)) {
        const baseline_method *method = NULL;
        if (strcmp(word, exact_name) != 0) {
            method = baseline_find(word, &error);
            if (!method)
                return cli_fail(-1, "--methods: %s, %s", error.text, exact_name);
        } else if (options->no_exact) {
            continue;
        }
        add_method(c, method);
    }
    if (*at || c->method_count == 0)
        return cli_fail(-1, "--methods: expected names between commas, got '%s'", options->methods);
    return 0;
}

/* ---- running them ----------------------------------------------------------- */

/* A baseline at work. */
typedef struct baseline_run {
    const baseline_method *method;
    const problem *problem;
    const baseline_options *how;
    schedule *schedule;
    char reason[BASELINE_REASON];
} baseline_run;

static void baseline_step(void *data)
{
    baseline_run *b = data;
    b->schedule = baseline_schedule(b->method, b->problem, b->how, b->reason);
}

static void run_baseline(const compare *c, const baseline_method *method, cli_outcome *row)
{
    base_error error;
    base_limits limits = cli_limits(c->options);
    baseline_options how = cli_baseline_options(c->options, &limits);
    baseline_run b = {method, &row->problem, &how, NULL, ""};
    const base_stop why = base_try(&limits, baseline_step, &b);
    if (why == BASE_GO) {
        row->schedule = b.schedule;
        snprintf(row->reason, sizeof row->reason, "%s", b.reason);
        const base_stop reached = base_limits_check(&limits);
        row->stopped_by = reached != BASE_GO                   ? base_stop_name(reached)
                          : strstr(b.reason, BASELINE_CUT_OFF) ? "limit"
                                                               : NULL;
    } else {
        row->stopped_by = base_stop_name(why);
        snprintf(row->reason, sizeof row->reason, "stopped by the %s", base_stop_name(why));
    }
    if (method->plans_forward && !graph_has_backward(row->problem.graph)) {
        const size_t used = strlen(row->reason);
        snprintf(row->reason + used, sizeof row->reason - used,
                 "%sno node is marked as backward: all nodes count as forward", used ? "; " : "");
    }
    if (!row->schedule)
        return;
    row->status = "feasible";
    /* The methods have validated it; nothing is printed on another's word. */
    if (schedule_validate(&row->problem, row->schedule, &row->found, &error) != 0) {
        cli_fail(0, "internal check failed: %s: %s", method->name, error.text);
        snprintf(row->reason, sizeof row->reason, "%s", error.text);
        schedule_free(row->schedule);
        row->schedule = NULL;
        row->status = "failed";
    }
}

/* Writes the row's schedule into the folder of --schedules. */
static int write_schedule(const compare *c, const cli_outcome *row)
{
    char path[PATH_MAX], deadline[64] = "";
    if (!c->options->schedules || !row->schedule)
        return 0;
    if (isfinite(row->problem.deadline_seconds))
        snprintf(deadline, sizeof deadline, "-%s",
                 base_number_shortest(row->problem.deadline_seconds).text);
    if (snprintf(path, sizeof path, "%s/%s-%" PRId64 "%s.json", c->options->schedules, row->method,
                 row->problem.ram_budget_bytes, deadline) >= (int)sizeof path)
        return cli_fail(-1, "--schedules: the name is too long");
    return cli_outcome_write(path, row);
}

/* The exact solver starts from the schedules of the baselines for the same problem. */
static void run_exact(compare *c, int first_row, cli_outcome *row)
{
    base_limits limits = cli_limits(c->options);
    baseline_starts starts = {0};
    for (int k = first_row; k < c->outcomes.count; k++)
        if (c->outcomes.row[k].schedule)
            baseline_starts_add(&starts, c->outcomes.row[k].schedule, c->outcomes.row[k].method);
    FILE *log = c->options->verbose ? stderr : NULL;
    exact_params params = cli_exact_params(c->options, &limits, c->features, &starts, log);
    exact_result result = exact_solve(&row->problem, &params);
    int exit_status = cli_exact_exit(&result);
    cli_outcome_describe(row, &result);
    result.schedule = NULL;
    if (exit_status == CLI_CHECK_FAILED)
        c->status = CLI_CHECK_FAILED;
    else if (exit_status >= CLI_LIMIT && c->status == CLI_DONE)
        c->status = CLI_LIMIT;
    exact_result_clear(&result);
    baseline_starts_clear(&starts);
}

/* method: "" when it has ended. */
static void show_progress(const compare *c, const char *method)
{
    if (!c->options->quiet && isatty(STDERR_FILENO))
        fprintf(stderr, "\r%-60s\r%s%s", "", method, *method ? " ..." : "");
}

/* p: in the order of own, which the first row then owns; NULL: in the given order. */
static int run_point(compare *c, const problem *p, graph *own)
{
    bool table = cli_records_table(c->options);
    int first_row = c->outcomes.count;
    if (table) {
        cli_outcome_print_problem(stdout, p);
        cli_outcome_print_heading(stdout);
    }
    for (int k = 0; k < c->method_count && !*c->interrupt; k++) {
        const char *name = c->method[k] ? c->method[k]->name : exact_name;
        show_progress(c, name);
        const cli_clock started = cli_clock_start();
        cli_outcome *row = cli_outcomes_add(&c->outcomes, p, name);
        row->given = c->graph;
        row->own = k == 0 ? own : NULL;
        if (c->method[k])
            run_baseline(c, c->method[k], row);
        else
            run_exact(c, first_row, row);
        cli_clock_stop(&started, row);
        if (strcmp(row->status, "failed") == 0)
            c->status = CLI_CHECK_FAILED;
        show_progress(c, "");
        if (write_schedule(c, row) != 0)
            return -1;
        if (table) {
            cli_outcome_print(stdout, row);
            fflush(stdout);
        }
    }
    if (c->outcomes.count == first_row)
        graph_free(own);
    if (table)
        putchar('\n');
    return 0;
}

static int run_points(compare *c)
{
    if (cli_records_table(c->options) && !c->options->quiet)
        cli_parameters_print_changed(stdout, &c->options->tuning);
    for (int r = 0; r < c->budgets.ram_count; r++)
        for (int f = 0; f < c->budgets.factor_count && !*c->interrupt; f++) {
            problem p;
            const base_limits limits = cli_limits(c->options);
            if (cli_problem_make(c->options, c->graph, &c->budgets, r, f, &p) != 0)
                return -1;
            graph *own = cli_graph_reordered(c->options, &limits, &p);
            p.graph = own ? own : p.graph;
            if (cli_records_table(c->options) && strcmp(c->options->order, "search") == 0)
                puts(own ? "Order: another one, for this point" : "Order: as given");
            if (run_point(c, &p, own) != 0)
                return -1;
        }
    if (*c->interrupt && c->status == CLI_DONE)
        c->status = CLI_LIMIT;
    return 0;
}

/* ---- the command -------------------------------------------------------------- */

/* A step of cli_guard. */
static int prepare_compare(void *data)
{
    compare *c = data;
    const cli_options *options = c->options;
    c->interrupt = cli_interrupt();
    if (choose_methods(c) != 0 || cli_features_read(options, &c->features) != 0 ||
        cli_budgets_open(options, true, false, &c->budgets) != 0 || cli_records_check(options) != 0)
        return -1;
    c->graph = cli_graph_open(options);
    if (!c->graph)
        return -1;
    if (options->schedules && mkdir(options->schedules, 0777) != 0 && errno != EEXIST)
        return cli_fail(-1, "--schedules: %s: %s", base_text_shown(options->schedules).text,
                        strerror(errno));
    return 0;
}

static int run_compare(const cli_options *options)
{
    compare c = {.options = options};
    const base_limits limits = cli_limits(options);
    int status = cli_guard(&limits, "reading the problem", prepare_compare, &c);
    if (status == CLI_LIMIT_NOTHING)
        return status; /* all of it is freed */
    if (status == CLI_DONE)
        status = run_points(&c) == 0 && cli_records_write(options, &c.outcomes, "methods") == 0
                     ? c.status
                     : CLI_BAD_INPUT;
    cli_outcomes_clear(&c.outcomes);
    graph_free(c.graph);
    cli_budgets_clear(&c.budgets);
    base_free(c.method);
    return status;
}

const cli_command cli_command_compare = {
    .name = "compare",
    .bit = CLI_COMPARE,
    .summary = "run the baselines and the exact solver, and tabulate them",
    .help =
        "Runs every method at every combination of the listed budgets and deadlines. Where a "
        "method does not apply, the table gives the reason. Every schedule has passed the "
        "validator. poetbnb starts from the baselines' schedules. `poetbnb info --methods' lists "
        "the methods.\n\n"
        "Exit status: 0 all done, 1 an internal check failed, 2 bad usage or input, 4 a limit "
        "or Ctrl-C left something out or unproven.",
    .run = run_compare,
};
