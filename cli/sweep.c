/* poetbnb sweep: the exact solver at many budgets. Exchanges results between the points at the
 * end, and prints the answer. The points are in sweep_points.c, their searches in sweep_run.c. */
#include <math.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/outcome.h"
#include "cli/sweep.h"

/* ---- results that points share ---------------------------------------------------- */

/* Uses the schedule of a tighter problem for a looser one, if it is better there. */
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
    snprintf(loose->reason, sizeof loose->reason, "the schedule was found for %lld bytes",
             (long long)tight->problem.ram_budget_bytes);
}

/* A bound for a looser problem holds for a tighter one. */
static void share_results(cli_outcomes *outcomes)
{
    for (int a = 0; a < outcomes->count; a++)
        for (int b = a + 1; b < outcomes->count; b++) {
            cli_outcome *loose = &outcomes->row[a], *tight = &outcomes->row[b];
            if (!sweep_is_looser(&loose->problem, &tight->problem))
                continue;
            share_schedule(loose, tight);
            if (!isnan(tight->bound) && loose->bound > tight->bound)
                tight->bound = loose->bound;
        }
    for (int k = 0; k < outcomes->count; k++)
        cli_outcome_settle(&outcomes->row[k]);
}

/* Reverses the rows of each graph: the smallest budget comes first. */
static void reverse_rows(cli_outcomes *outcomes)
{
    int end;
    for (int first = 0; first < outcomes->count; first = end) {
        end = first;
        while (end < outcomes->count && outcomes->row[end].given == outcomes->row[first].given)
            end++;
        for (int a = first, b = end - 1; a < b; a++, b--) {
            const cli_outcome row = outcomes->row[a];
            outcomes->row[a] = outcomes->row[b];
            outcomes->row[b] = row;
        }
    }
}

/* Returns the worst exit status of the points; a proven infeasible point counts as solved. */
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

/* A step of cli_guard. */
static int prepare_sweep(void *data)
{
    sweep *s = data;
    s->interrupt = cli_interrupt();
    if (cli_features_read(s->options, &s->features) != 0 ||
        cli_budgets_open(s->options, true, true, &s->budgets) != 0 ||
        cli_records_check(s->options) != 0)
        return -1;
    return sweep_open(s);
}

static int run_sweep(const cli_options *options)
{
    sweep s = {.options = options};
    const base_limits limits = cli_limits(options);
    int status = cli_guard(&limits, "reading the problem", prepare_sweep, &s);
    if (status == CLI_LIMIT_NOTHING)
        return status; /* all of it is freed */
    if (status == CLI_DONE && sweep_make_points(&s) == 0 && sweep_run(&s) == 0) {
        share_results(&s.outcomes);
        reverse_rows(&s.outcomes);
        status = cli_records_write(options, &s.outcomes, "points") == 0 ? exit_status(&s)
                                                                        : CLI_BAD_INPUT;
    } else {
        status = CLI_BAD_INPUT;
    }
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
    .help = "Solves every combination of the listed budgets and deadlines, for one network and "
            "platform or for lists of both. The loosest budget comes first. An optimum that fits "
            "into the next budget is the optimum there, without a search. A search starts from the "
            "last LP basis of the previous one. A bound holds for all tighter problems, a schedule "
            "for all looser ones. Baselines that try many sets of checkpoints run only where the "
            "other baselines have no schedule.\n\n"
            "Exit status: 0 every point proven (optimal, infeasible, or within the given --gap), 1 "
            "an internal check "
            "failed, 2 bad usage or input, 4 a limit left a point unproven, 5 a limit left a point "
            "without a schedule.",
    .run = run_sweep,
};
