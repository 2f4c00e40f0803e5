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
#include "cli/record.h"
#include "cli/report.h"

/* What a sweep holds open. */
typedef struct sweep {
    const cli_options *options;
    unsigned features;
    cli_budgets budgets;
    graph *graph;
    problem *point; /* extent count, tightest first */
    int count;
    cli_outcomes outcomes; /* of the points done, in the same order */
    const base_flag *interrupt;
    bool prepared;
} sweep;

/* A schedule for a tight budget is one for every looser budget too, so the tightest comes
 * first; a point's predecessors with the same deadline or a shorter one are its starts. */
static int tighter(const void *a, const void *b)
{
    const problem *x = a, *y = b;
    if (x->ram_budget_bytes != y->ram_budget_bytes)
        return x->ram_budget_bytes < y->ram_budget_bytes ? -1 : 1;
    if (x->deadline_seconds != y->deadline_seconds)
        return x->deadline_seconds < y->deadline_seconds ? -1 : 1;
    return 0;
}

static int make_points(sweep *s)
{
    const cli_budgets *budgets = &s->budgets;
    s->point =
        base_calloc((size_t)budgets->ram_count * (size_t)budgets->factor_count, sizeof *s->point);
    for (int r = 0; r < budgets->ram_count; r++)
        for (int f = 0; f < budgets->factor_count; f++)
            if (cli_problem_make(s->options, s->graph, budgets, r, f, &s->point[s->count++]) != 0)
                return -1;
    qsort(s->point, (size_t)s->count, sizeof *s->point, tighter);
    return 0;
}

static void add_neighbours(const sweep *s, const problem *p, baseline_starts *starts)
{
    base_error error;
    char name[64];
    for (int k = s->outcomes.count - 1; k >= 0; k--) {
        const cli_outcome *row = &s->outcomes.row[k];
        if (!row->schedule || schedule_validate(p, row->schedule, NULL, &error) != 0)
            continue;
        snprintf(name, sizeof name, "budget %lld", (long long)row->problem.ram_budget_bytes);
        baseline_starts_add(starts, row->schedule, name);
    }
}

static int run_point(sweep *s, const problem *p)
{
    const cli_clock started = cli_clock_start();
    base_limits limits = cli_limits(s->options);
    FILE *log = s->options->verbose ? stderr : NULL;
    baseline_starts starts;
    int failed = cli_starts_make(s->options, p, &limits, log, &starts);
    if (!failed) {
        add_neighbours(s, p, &starts);
        exact_params params = cli_exact_params(s->options, &limits, s->features, &starts, log);
        exact_result result = exact_solve(p, &params);
        cli_outcome *row = cli_outcomes_add(&s->outcomes, p, "poetbnb");
        cli_outcome_take(row, &result);
        cli_clock_stop(&started, row);
        exact_result_clear(&result);
    }
    baseline_starts_clear(&starts);
    return failed;
}

/* A row whose bound has risen may be proven now. */
static void settle(cli_outcome *row)
{
    if (!row->schedule || row->bound < row->found.overhead_joules * (1 - EXACT_OPTIMAL_GAP))
        return;
    row->bound = fmin(row->bound, row->found.overhead_joules);
    row->status = "optimal";
    row->exit_status = CLI_DONE;
}

/* A bound for a looser problem holds for a tighter one. */
static void share_bounds(cli_outcomes *outcomes)
{
    for (int a = 0; a < outcomes->count; a++)
        for (int b = a + 1; b < outcomes->count; b++) {
            cli_outcome *tight = &outcomes->row[a];
            const cli_outcome *loose = &outcomes->row[b];
            if (loose->problem.deadline_seconds >= tight->problem.deadline_seconds &&
                !isnan(tight->bound) && loose->bound > tight->bound)
                tight->bound = loose->bound;
            settle(tight);
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
        if (table && k == 0)
            cli_outcome_print_budgets_heading(stdout, s->graph);
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
    share_bounds(&s->outcomes);
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
    s->graph = cli_graph_open(options);
    if (!s->graph || make_points(s) != 0)
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
    cli_outcomes_clear(&s.outcomes);
    base_free(s.point);
    graph_free(s.graph);
    cli_budgets_clear(&s.budgets);
    return status;
}

const cli_command cli_command_sweep = {
    .name = "sweep",
    .bit = CLI_SWEEP,
    .summary = "solve at many budgets and deadlines",
    .help = "Solves every combination of the listed budgets and deadlines, the tightest first, so "
            "that each schedule starts the looser problems; a bound proven for a looser problem "
            "counts for the tighter ones.\n\n"
            "Exit status: 0 every point proven (optimal, infeasible, or within the --gap that was "
            "asked for), 1 an internal check "
            "failed, 2 bad usage or input, 4 a limit left a point unproven, 5 or without a "
            "schedule.",
    .run = run,
};
