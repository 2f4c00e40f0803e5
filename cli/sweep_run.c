/* The searches of a sweep. The points of a graph are divided into `jobs` strands: strand k takes
 * points k, k + jobs, k + 2 jobs, ..., from the loosest to the tightest. Within a strand a search
 * begins at the end of the previous one, and is skipped if the previous one decides it. Strands do
 * not exchange anything, so they may run side by side, and each run repeats exactly. */
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/parallel.h"
#include "cli/cli.h"
#include "cli/engine.h"
#include "cli/outcome.h"
#include "cli/parameters.h"
#include "cli/sweep.h"

typedef struct strand {
    int first, end, step; /* points */
} strand;

typedef struct strand_group {
    sweep *sweep;
    strand *strand;
    int strand_count;
    pthread_mutex_t lock; /* guards the fields below */
    bool *done;           /* by point */
    int done_count, shown;
    bool failed;
} strand_group;

/* ---- results of earlier points ------------------------------------------ */

/* Schedules of the points of the strand before k that are schedules of this one as well. */
static void add_neighbours(const sweep *s, const strand *of, int k, baseline_starts *starts)
{
    base_error error;
    char name[64];
    const problem *p = &s->outcomes.row[k].problem;
    for (int before = k - of->step; before >= of->first; before -= of->step) {
        const cli_outcome *row = &s->outcomes.row[before];
        if (!row->schedule || row->problem.graph != p->graph ||
            schedule_validate(p, row->schedule, NULL, &error) != 0)
            continue;
        snprintf(name, sizeof name, "budget %lld", (long long)row->problem.ram_budget_bytes);
        baseline_starts_add(starts, row->schedule, name);
    }
}

/* True if the optimum of a looser problem, in its order of the nodes, fits into the problem of the
 * row. */
static bool fits(const cli_outcome *looser, const cli_outcome *row, validation *found)
{
    base_error error;
    problem p = row->problem;
    p.graph = looser->problem.graph;
    return strcmp(looser->status, "optimal") == 0 &&
           schedule_validate(&p, looser->schedule, found, &error) == 0;
}

static const char looser_problem[] = "no schedule for the looser problem of ";

/* True if a looser problem decides the row: it has no schedule in the only order, or its optimum
 * fits. */
static bool is_known(const sweep *s, const cli_outcome *looser, cli_outcome *row)
{
    validation found = {0};
    const bool infeasible =
        strcmp(looser->status, "infeasible") == 0 && strcmp(s->options->order, "search") != 0;
    if (!sweep_grants(&looser->problem, &row->problem) ||
        (!infeasible && !fits(looser, row, &found)))
        return false;
    row->problem.graph = looser->problem.graph;
    row->status = looser->status;
    row->exit_status = looser->exit_status;
    row->bound = looser->bound;
    row->minimum_bytes = looser->minimum_bytes;
    row->found = found;
    row->schedule = infeasible ? NULL : schedule_copy(looser->schedule);
    row->nodes = row->lp_iterations = row->cuts = 0;
    row->work = row->seconds = row->cpu_seconds = 0;
    if (infeasible && row->minimum_bytes > row->problem.ram_budget_bytes)
        snprintf(row->reason, sizeof row->reason, "no schedule fits into less than %lld bytes",
                 (long long)row->minimum_bytes);
    else if (infeasible && strncmp(looser->reason, looser_problem, strlen(looser_problem)) == 0)
        snprintf(row->reason, sizeof row->reason, "%s", looser->reason);
    else
        snprintf(row->reason, sizeof row->reason, "%s%lld bytes%s",
                 infeasible ? looser_problem : "the optimum for ",
                 (long long)looser->problem.ram_budget_bytes, infeasible ? "" : " fits: no search");
    return true;
}

/* ---- a point --------------------------------------------------------------------- */

/* Adds that a proof for another order holds for that order only. */
static void note_order(cli_outcome *row)
{
    const size_t used = strlen(row->reason);
    if (row->problem.graph != row->given)
        snprintf(row->reason + used, sizeof row->reason - used, "%sin another order of the nodes",
                 used ? "; " : "");
}

static int search_point(const sweep *s, const strand *of, int k)
{
    base_error error;
    cli_outcome *row = &s->outcomes.row[k];
    const problem *p = &row->problem;
    const cli_clock started = cli_clock_start();
    base_limits limits = cli_limits(s->options);
    FILE *log = s->options->verbose ? stderr : NULL;
    row->own = cli_graph_reordered(s->options, &limits, p);
    if (row->own)
        row->problem.graph = row->own;
    baseline_starts starts;
    const int failed = cli_starts_make(s->options, p, &limits, log, &starts, &error);
    if (failed) {
        cli_fail(0, "--%s", error.text);
    } else {
        add_neighbours(s, of, k, &starts);
        exact_params params = cli_exact_params(s->options, &limits, s->features, &starts, log);
        exact_result result = exact_solve(p, &params);
        cli_outcome_describe(row, &result);
        result.schedule = NULL;
        cli_clock_stop(&started, row);
        if (s->options->jobs > 1) /* the clock counts the whole process */
            row->cpu_seconds = NAN;
        exact_result_clear(&result);
    }
    baseline_starts_clear(&starts);
    return failed;
}

/* Uses the result for the smallest budget. */
static void note_least(const exact_least *found, cli_outcome *row)
{
    if (found->bytes < 0)
        return;
    row->minimum_bytes = found->least;
    const size_t used = strlen(row->reason);
    char *end = row->reason + used;
    const size_t left = sizeof row->reason - used;
    const char *separator = used ? "; " : "";
    if (found->least == found->bytes)
        snprintf(end, left, "%sthe smallest budget: no schedule fits into less", separator);
    else
        snprintf(end, left,
                 "%sthe smallest budget that is known: none fits into less than %lld bytes "
                 "(stopped by the %s)",
                 separator, (long long)found->least,
                 found->stop == BASE_GO ? "node limit" : base_stop_name(found->stop));
    if (found->least < found->bytes && row->exit_status < CLI_LIMIT)
        row->exit_status = CLI_LIMIT;
}

static int run_point(const sweep *s, const strand *of, int k)
{
    cli_outcome *row = &s->outcomes.row[k];
    bool known = false;
    for (int before = k - of->step; before >= of->first && !known; before -= of->step)
        known = is_known(s, &s->outcomes.row[before], row);
    const int failed = known ? 0 : search_point(s, of, k);
    note_order(row);
    if (!failed && s->point[k].least)
        note_least(&s->point[k].found, row);
    return failed;
}

/* ---- lines ------------------------------------------------------------------------ */

/* The lines of all points up to the first that is not done. */
static void print_rows(strand_group *c)
{
    sweep *s = c->sweep;
    for (; c->shown < s->count && c->done[c->shown]; c->shown++) {
        const int k = c->shown;
        const graph *g = s->point[k].problem.graph;
        if (!cli_records_table(s->options))
            continue;
        if (k == 0 || g != s->point[k - 1].problem.graph) {
            fputs(k ? "\n" : "", stdout);
            cli_outcome_print_budgets_heading(stdout, g);
        }
        cli_outcome_print_budget(stdout, &s->outcomes.row[k]);
    }
    fflush(stdout);
    if (!s->options->quiet && !cli_records_table(s->options) && isatty(STDERR_FILENO))
        fprintf(stderr, "\r%d of %d points", c->done_count, s->count);
}

/* ---- side by side ------------------------------------------------------------------ */

/* As many strands of each graph as it takes for all jobs. */
static void make_strands(strand_group *c)
{
    const sweep *s = c->sweep;
    const int jobs = (int)s->options->jobs, each = (jobs + s->graph_count - 1) / s->graph_count;
    c->strand = base_calloc((size_t)each * (size_t)s->graph_count, sizeof *c->strand);
    int end;
    for (int first = 0; first < s->count; first = end) {
        end = first;
        while (end < s->count && s->point[end].problem.graph == s->point[first].problem.graph)
            end++;
        for (int k = 0; k < each && first + k < end; k++)
            c->strand[c->strand_count++] = (strand){first + k, end, each};
    }
}

static bool is_over(strand_group *c)
{
    pthread_mutex_lock(&c->lock);
    const bool over = c->failed;
    pthread_mutex_unlock(&c->lock);
    return over || *c->sweep->interrupt;
}

static void run_strand(void *data, int number)
{
    strand_group *c = data;
    const strand *of = &c->strand[number];
    for (int k = of->first; k < of->end && !is_over(c); k += of->step) {
        const bool failed = run_point(c->sweep, of, k) != 0;
        pthread_mutex_lock(&c->lock);
        c->failed = c->failed || failed;
        c->done[k] = !failed;
        c->done_count++;
        if (!failed)
            print_rows(c);
        pthread_mutex_unlock(&c->lock);
    }
}

/* After an interrupt: the rows of the points that were done. */
static void keep_done(sweep *s, const bool *done)
{
    int kept = 0;
    for (int k = 0; k < s->count; k++)
        if (done[k])
            s->outcomes.row[kept++] = s->outcomes.row[k];
        else
            graph_free(s->outcomes.row[k].own);
    s->outcomes.count = kept;
}

int sweep_run(sweep *s)
{
    strand_group c = {.sweep = s};
    if (cli_records_table(s->options) && !s->options->quiet)
        cli_parameters_print_changed(stdout, &s->options->tuning);
    for (int k = 0; k < s->count; k++)
        cli_outcomes_add(&s->outcomes, &s->point[k].problem, "poetbnb");
    c.done = base_calloc((size_t)s->count + 1, sizeof *c.done);
    pthread_mutex_init(&c.lock, NULL);
    make_strands(&c);
    base_parallel((int)s->options->jobs, c.strand_count, run_strand, &c);
    if (!s->options->quiet && !cli_records_table(s->options) && isatty(STDERR_FILENO))
        fprintf(stderr, "\r%-40s\r", "");
    keep_done(s, c.done);
    pthread_mutex_destroy(&c.lock);
    base_free(c.strand);
    base_free(c.done);
    return c.failed ? -1 : 0;
}
