/* poetbnb sweep: the exact solver at many budgets, each started from its neighbours. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/exact_run.h"
#include "cli/instance.h"
#include "cli/outcome.h"
#include "cli/output.h"
#include "cli/parameters.h"
#include "cli/plot.h"
#include "cli/record.h"
#include "cli/report.h"

/* What a sweep holds open. */
typedef struct sweep {
    const cli_options *options;
    unsigned features;
    cli_budgets budgets;
    graph **graph; /* extent graph_count, networks, for each of them platforms */
    int graph_count;
    problem *point; /* extent count, those of a graph together, the loosest first */
    int count;
    cli_outcomes outcomes; /* of the points done, in the same order */
    const base_flag *interrupt;
    exact_neighbour *neighbour; /* of the point before */
    bool prepared;
} sweep;

/* ---- graphs and points --------------------------------------------------------- */

/* Whether what holds for all schedules of x does so for those of y: x grants as much or more. */
static bool is_looser(const problem *x, const problem *y)
{
    return x->graph == y->graph && x->ram_budget_bytes >= y->ram_budget_bytes &&
           x->deadline_seconds >= y->deadline_seconds;
}

/* The loosest first: its optimum often fits into the next budget, which is decided by that. */
static int looser(const void *a, const void *b)
{
    const problem *x = a, *y = b;
    if (x->ram_budget_bytes != y->ram_budget_bytes)
        return x->ram_budget_bytes > y->ram_budget_bytes ? -1 : 1;
    if (x->deadline_seconds != y->deadline_seconds)
        return x->deadline_seconds > y->deadline_seconds ? -1 : 1;
    return 0;
}

static int add_graph(sweep *s, const cli_options *options)
{
    const cli_budgets *budgets = &s->budgets;
    graph *g = cli_graph_open(options);
    if (!g)
        return -1;
    s->graph = base_realloc(s->graph, (size_t)s->graph_count + 1, sizeof(graph *));
    s->graph[s->graph_count++] = g;
    const size_t first = (size_t)s->count,
                 more = (size_t)budgets->ram_count * (size_t)budgets->factor_count;
    s->point = base_realloc(s->point, first + more, sizeof *s->point);
    for (int r = 0; r < budgets->ram_count; r++)
        for (int f = 0; f < budgets->factor_count; f++)
            if (cli_problem_make(options, g, budgets, r, f, &s->point[s->count++]) != 0)
                return -1;
    qsort(s->point + first, more, sizeof *s->point, looser);
    return 0;
}

/* The next word of a list, the whole of one that names a file; NULL text: once, without a word. */
static bool next_name(const char **at, char *word, size_t size, bool *once)
{
    if (!*at || access(*at, F_OK) == 0) {
        const bool first = !*once;
        *once = true;
        if (*at && first)
            snprintf(word, size, "%s", *at);
        return first;
    }
    *once = true;
    return base_next_word(at, word, size);
}

static int add_platforms(sweep *s, const cli_options *options)
{
    char word[4096];
    cli_options one = *options;
    const char *at = s->options->platform;
    bool once = false;
    while (next_name(&at, word, sizeof word, &once)) {
        one.platform = at ? word : NULL;
        if (add_graph(s, &one) != 0)
            return -1;
    }
    return at && *at && access(at, F_OK) != 0
               ? cli_fail(-1, "--platform: expected names between commas, got '%s'",
                          s->options->platform)
               : 0;
}

static int make_points(sweep *s)
{
    char word[128];
    const char *at = s->options->model;
    cli_options options = *s->options;
    if (!at)
        return add_platforms(s, &options);
    while (base_next_word(&at, word, sizeof word)) {
        options.model = word;
        if (add_platforms(s, &options) != 0)
            return -1;
    }
    return *at ? cli_fail(-1, "--model: expected names between commas, got '%s'", s->options->model)
               : 0;
}

/* ---- solving -------------------------------------------------------------------- */

static void add_neighbours(const sweep *s, const problem *p, baseline_starts *starts)
{
    base_error error;
    char name[64];
    for (int k = s->outcomes.count - 1; k >= 0; k--) {
        const cli_outcome *row = &s->outcomes.row[k];
        if (row->problem.graph != p->graph || !row->schedule ||
            schedule_validate(p, row->schedule, NULL, &error) != 0)
            continue;
        snprintf(name, sizeof name, "budget %lld", (long long)row->problem.ram_budget_bytes);
        baseline_starts_add(starts, row->schedule, name);
    }
}

/* Whether a looser problem decides p: it has no schedule, or its optimum is a schedule of p. Then
 * in *known. */
static bool is_known(const sweep *s, const problem *p, cli_outcome *known)
{
    base_error error;
    validation found = {0};
    for (int k = s->outcomes.count - 1; k >= 0; k--) {
        const cli_outcome *row = &s->outcomes.row[k];
        const bool infeasible = strcmp(row->status, "infeasible") == 0;
        if (!is_looser(&row->problem, p) || (!infeasible && strcmp(row->status, "optimal") != 0) ||
            (!infeasible && schedule_validate(p, row->schedule, &found, &error) != 0))
            continue;
        *known = *row;
        known->problem = *p;
        known->found = found;
        known->schedule = infeasible ? NULL : schedule_copy(row->schedule);
        known->nodes = known->lp_iterations = known->cuts = 0;
        known->work = known->seconds = known->cpu_seconds = 0;
        known->windows_bound = known->windows_bound_cuts = NAN;
        snprintf(known->reason, sizeof known->reason,
                 infeasible ? "no schedule for the looser problem of %lld bytes"
                            : "the optimum for %lld bytes fits: no search",
                 (long long)row->problem.ram_budget_bytes);
        return true;
    }
    return false;
}

static int run_point(sweep *s, const problem *p)
{
    cli_outcome known;
    if (is_known(s, p, &known)) {
        *cli_outcomes_add(&s->outcomes, p, "poetbnb") = known;
        return 0;
    }
    const cli_clock started = cli_clock_start();
    base_limits limits = cli_limits(s->options);
    FILE *log = s->options->verbose ? stderr : NULL;
    baseline_starts starts;
    int failed = cli_starts_make(s->options, p, &limits, log, &starts);
    if (!failed) {
        add_neighbours(s, p, &starts);
        exact_params params = cli_exact_params(s->options, &limits, s->features, &starts, log);
        params.neighbour = s->neighbour;
        exact_result result = exact_solve(p, &params);
        cli_outcome *row = cli_outcomes_add(&s->outcomes, p, "poetbnb");
        cli_outcome_take(row, &result);
        cli_clock_stop(&started, row);
        exact_result_clear(&result);
    }
    baseline_starts_clear(&starts);
    return failed;
}

/* ---- what points say of each other ------------------------------------------------ */

/* A row whose bound has risen may be proven now. */
static void settle(cli_outcome *row)
{
    if (!row->schedule || row->bound < row->found.overhead_joules * (1 - EXACT_OPTIMAL_GAP))
        return;
    row->bound = fmin(row->bound, row->found.overhead_joules);
    row->status = "optimal";
    row->exit_status = CLI_DONE;
}

/* A schedule of a tighter problem is one of a looser one. */
static void share_schedule(cli_outcome *loose, const cli_outcome *tight)
{
    base_error error;
    validation found;
    if (!tight->schedule || loose->exit_status < CLI_LIMIT ||
        (loose->schedule && loose->found.overhead_joules <= tight->found.overhead_joules) ||
        schedule_validate(&loose->problem, tight->schedule, &found, &error) != 0)
        return;
    schedule_free(loose->schedule);
    loose->schedule = schedule_copy(tight->schedule);
    loose->found = found;
    loose->status = "feasible";
    loose->exit_status = CLI_LIMIT;
    snprintf(loose->reason, sizeof loose->reason, "the schedule is that for %lld bytes",
             (long long)tight->problem.ram_budget_bytes);
}

/* A bound for a looser problem holds for a tighter one. */
static void share(cli_outcomes *outcomes)
{
    for (int a = 0; a < outcomes->count; a++)
        for (int b = a + 1; b < outcomes->count; b++) {
            cli_outcome *loose = &outcomes->row[a], *tight = &outcomes->row[b];
            if (!is_looser(&loose->problem, &tight->problem))
                continue;
            share_schedule(loose, tight);
            if (!isnan(tight->bound) && loose->bound > tight->bound)
                tight->bound = loose->bound;
        }
    for (int k = 0; k < outcomes->count; k++)
        settle(&outcomes->row[k]);
}

/* The smallest budget of each graph first. */
static void turn_round(cli_outcomes *outcomes)
{
    int end;
    for (int first = 0; first < outcomes->count; first = end) {
        end = first;
        while (end < outcomes->count &&
               outcomes->row[end].problem.graph == outcomes->row[first].problem.graph)
            end++;
        for (int a = first, b = end - 1; a < b; a++, b--) {
            const cli_outcome row = outcomes->row[a];
            outcomes->row[a] = outcomes->row[b];
            outcomes->row[b] = row;
        }
    }
}

/* Proven infeasible is an answer; the worst of the others is the sweep's. */
static int exit_status(const sweep *s)
{
    int status = *s->interrupt ? CLI_LIMIT : CLI_DONE;
    for (int k = 0; k < s->outcomes.count; k++) {
        int row = s->outcomes.row[k].exit_status;
        if (row == CLI_CHECK_FAILED)
            return row;
        if (row >= CLI_LIMIT && row > status)
            status = row;
    }
    return status;
}

static int run_points(sweep *s)
{
    const cli_options *options = s->options;
    bool table = !options->json && !options->csv;
    if (table && !options->quiet)
        cli_parameters_print_changed(stdout, &options->tuning);
    bool progress = !options->quiet && !table && isatty(STDERR_FILENO);
    for (int k = 0; k < s->count && !*s->interrupt; k++) {
        const bool first = k == 0 || s->point[k].graph != s->point[k - 1].graph;
        if (first) {
            exact_neighbour_free(s->neighbour);
            s->neighbour = exact_neighbour_create();
        }
        if (table && first) {
            fputs(k ? "\n" : "", stdout);
            cli_outcome_print_budgets_heading(stdout, s->point[k].graph);
        }
        if (progress)
            fprintf(stderr, "\rpoint %d of %d", k + 1, s->count);
        if (run_point(s, &s->point[k]) != 0)
            return -1;
        if (table) {
            cli_outcome_print_budget(stdout, &s->outcomes.row[k]);
            fflush(stdout);
        }
    }
    if (progress)
        fprintf(stderr, "\r%-40s\r", "");
    share(&s->outcomes);
    turn_round(&s->outcomes);
    return 0;
}

static int write_csv(const sweep *s)
{
    base_error error;
    if (!s->options->out)
        return 0;
    base_output *out = base_output_open(s->options->out, &error);
    if (!out)
        return cli_fail(-1, "%s", error.text);
    cli_records_csv(base_output_stream(out), s->options, &s->outcomes);
    return base_output_commit(out, &error) == 0 ? 0 : cli_fail(-1, "%s", error.text);
}

static int report(sweep *s)
{
    if (s->options->json) {
        cli_json_print(json_pack("{s:o, s:o}", "parameters",
                                 cli_parameters_changed_json(&s->options->tuning), "points",
                                 cli_records_json(s->options, &s->outcomes)));
    } else if (s->options->csv) {
        cli_records_csv(stdout, s->options, &s->outcomes);
    }
    base_error error;
    if (s->options->plot && cli_frontier_write(s->options->plot, &s->outcomes, &error) != 0)
        return cli_fail(CLI_BAD_INPUT, "--plot: %s", error.text);
    return write_csv(s) == 0 ? exit_status(s) : CLI_BAD_INPUT;
}

static int prepare(sweep *s)
{
    const cli_options *options = s->options;
    base_error error;
    s->interrupt = cli_interrupt();
    if (options->json && options->csv)
        return cli_fail(-1, "--json and --csv exclude each other");
    if (cli_features_read(options, &s->features) != 0 ||
        cli_budgets_read(options, true, &s->budgets) != 0)
        return -1;
    if (options->plot && cli_plot_check(options->plot, &error) != 0)
        return cli_fail(-1, "--plot: %s", error.text);
    if (make_points(s) != 0)
        return -1;
    if (cli_output_probe(options->out, &error) != 0)
        return cli_fail(-1, "%s", error.text);
    return 0;
}

static void prepare_step(void *data)
{
    sweep *s = data;
    s->prepared = prepare(s) == 0;
}

static int run(const cli_options *options)
{
    sweep s = {.options = options};
    const base_limits limits = cli_limits(options);
    int status = cli_guard(&limits, "reading the problem", prepare_step, &s);
    if (status)
        return status;
    status = CLI_BAD_INPUT;
    if (s.prepared && run_points(&s) == 0)
        status = report(&s);
    exact_neighbour_free(s.neighbour);
    cli_outcomes_clear(&s.outcomes);
    base_free(s.point);
    for (int k = 0; k < s.graph_count; k++)
        graph_free(s.graph[k]);
    base_free(s.graph);
    cli_budgets_clear(&s.budgets);
    return status;
}

const cli_command cli_command_sweep = {
    .name = "sweep",
    .bit = CLI_SWEEP,
    .summary = "solve at many budgets and deadlines",
    .help = "Solves every combination of the listed budgets and deadlines, of one network and "
            "platform or of each of a list of both. The loosest budget comes first: an optimum "
            "that fits "
            "into a smaller one is the optimum there, and needs no search; a bound holds for all "
            "tighter problems, a schedule for all looser ones.\n\n"
            "Exit status: 0 every point proven (optimal, infeasible, or within the --gap that was "
            "asked for), 1 an internal check "
            "failed, 2 bad usage or input, 4 a limit left a point unproven, 5 or without a "
            "schedule.",
    .run = run,
};
