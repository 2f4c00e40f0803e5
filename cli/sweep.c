/* poetbnb sweep: the exact solver at many budgets. Makes the points from the lists of networks,
 * files, platforms, budgets and deadlines, exchanges results between them at the end, and prints
 * the answer. Their searches are in sweep_run.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/outcome.h"
#include "cli/sweep.h"

/* ---- graphs ---------------------------------------------------------------------- */

/* The next word of a list; the whole of one that names a file; NULL text: once, without a word. */
static bool next_name(const char **at, char *word, size_t size, bool *begun)
{
    const bool first = !*begun;
    *begun = true;
    if (!*at || (first && access(*at, F_OK) == 0)) {
        if (first && *at)
            *at += snprintf(word, size, "%s", *at);
        return first;
    }
    return base_next_word(at, word, size);
}

/* A list that ends in the middle. */
static int check_list(const char *name, const char *list, const char *at)
{
    return at && *at ? cli_fail(-1, "--%s: expected names between commas, got '%s'", name, list)
                     : 0;
}

static int add_platforms(sweep *s, const cli_options *options)
{
    char word[4096];
    cli_options one = *options;
    const char *at = s->options->platform;
    bool begun = false;
    while (next_name(&at, word, sizeof word, &begun)) {
        one.platform = at ? word : NULL;
        graph *g = cli_graph_open(&one);
        if (!g)
            return -1;
        s->graph = base_realloc(s->graph, (size_t)s->graph_count + 1, sizeof(graph *));
        s->graph[s->graph_count++] = g;
    }
    return check_list("platform", s->options->platform, at);
}

static int open_graphs(sweep *s)
{
    char word[4096];
    cli_options one = *s->options;
    const bool files = one.graph != NULL;
    const char *list = files ? one.graph : one.model, *at = list;
    bool begun = false;
    while (next_name(&at, word, sizeof word, &begun)) {
        *(files ? &one.graph : &one.model) = at ? word : NULL;
        if (add_platforms(s, &one) != 0)
            return -1;
    }
    return check_list(files ? "graph" : "model", list, at);
}

static bool budget_is_min(const cli_budgets *budgets)
{
    for (int r = 0; r < budgets->ram_count; r++)
        if (budgets->ram[r].least)
            return true;
    return false;
}

/* ---- points ---------------------------------------------------------------------- */

bool sweep_grants(const problem *x, const problem *y)
{
    return x->ram_budget_bytes >= y->ram_budget_bytes && x->deadline_seconds >= y->deadline_seconds;
}

/* The loosest first: its optimum often fits into the next budget and decides it. */
static int looser(const void *a, const void *b)
{
    const problem *x = &((const sweep_point *)a)->problem, *y = &((const sweep_point *)b)->problem;
    if (x->ram_budget_bytes != y->ram_budget_bytes)
        return x->ram_budget_bytes > y->ram_budget_bytes ? -1 : 1;
    if (x->deadline_seconds != y->deadline_seconds)
        return x->deadline_seconds > y->deadline_seconds ? -1 : 1;
    return 0;
}

/* The budgets at one deadline. */
static int add_budgets(sweep *s, const graph *g, int factor)
{
    const cli_budgets *budgets = &s->budgets;
    exact_least least = {.bytes = -1};
    for (int r = 0; r < budgets->ram_count; r++) {
        const cli_ram *ram = &budgets->ram[r];
        sweep_point point = {.least = ram->least};
        if (cli_problem_make(s->options, g, budgets, r, factor, &point.problem) != 0)
            return -1;
        if (r == 0 && budget_is_min(budgets)) {
            const base_limits limits = cli_limits(s->options);
            least = cli_exact_least(s->options, &limits, s->features, &point.problem);
        }
        if (ram->above_least && point.problem.ram_budget_bytes <= least.bytes)
            continue;
        point.found = least;
        if (ram->least && least.bytes >= 0)
            point.problem.ram_budget_bytes = least.bytes;
        s->point[s->count++] = point;
    }
    return 0;
}

static int make_points(sweep *s)
{
    const size_t most =
        (size_t)s->graph_count * (size_t)s->budgets.ram_count * (size_t)s->budgets.factor_count;
    s->point = base_calloc(most + 1, sizeof *s->point);
    for (int k = 0; k < s->graph_count; k++) {
        const int first = s->count;
        for (int f = 0; f < s->budgets.factor_count; f++)
            if (add_budgets(s, s->graph[k], f) != 0)
                return -1;
        qsort(s->point + first, (size_t)(s->count - first), sizeof *s->point, looser);
    }
    return 0;
}

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
            if (loose->problem.graph != tight->problem.graph ||
                !sweep_grants(&loose->problem, &tight->problem))
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
    return open_graphs(s);
}

static int run_sweep(const cli_options *options)
{
    sweep s = {.options = options};
    const base_limits limits = cli_limits(options);
    int status = cli_guard(&limits, "reading the problem", prepare_sweep, &s);
    if (status == CLI_LIMIT_NOTHING)
        return status; /* all of it is freed */
    if (status == CLI_DONE && make_points(&s) == 0 && sweep_run(&s) == 0) {
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
