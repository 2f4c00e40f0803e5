/* Rows of results: filled from the result of a method or of the solver, and printed as lines of
 * the tables of compare and sweep; the answer of solve. */
#include "cli/outcome.h"

#include <inttypes.h>
#include <math.h>
#include <time.h>

#include "cli/cli.h"
#include "cli/report.h"
#include "problem/json.h"

cli_outcome *cli_outcomes_add(cli_outcomes *list, const problem *p, const char *method)
{
    list->row = base_grow(list->row, list->count, &list->capacity, sizeof *list->row);
    cli_outcome *row = &list->row[list->count++];
    *row = cli_outcome_make(p, method);
    return row;
}

cli_outcome cli_outcome_make(const problem *p, const char *method)
{
    return (cli_outcome){.problem = *p,
                         .given = p->graph,
                         .method = method,
                         .status = "none",
                         .bound = NAN,
                         .windows_bound = NAN,
                         .windows_bound_cuts = NAN,
                         .work = NAN,
                         .span = NAN,
                         .nodes = -1,
                         .lp_iterations = -1,
                         .cuts = -1,
                         .minimum_bytes = -1};
}

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

cli_clock cli_clock_start(void)
{
    return (cli_clock){base_seconds(), cpu_seconds()};
}

void cli_clock_stop(const cli_clock *started, cli_outcome *row)
{
    row->seconds = base_seconds() - started->seconds;
    row->cpu_seconds = cpu_seconds() - started->cpu_seconds;
}

void cli_outcomes_clear(cli_outcomes *list)
{
    for (int k = 0; k < list->count; k++) {
        schedule_free(list->row[k].schedule);
        graph_free(list->row[k].own);
    }
    base_free(list->row);
    *list = (cli_outcomes){0};
}

void cli_outcome_describe(cli_outcome *row, const exact_result *result)
{
    row->status = exact_status_name(result);
    row->exit_status = cli_exact_exit(result);
    row->stopped_by = result->status == EXACT_LIMIT ? exact_stop_name(result) : NULL;
    row->schedule = result->schedule;
    row->found = result->validation;
    row->nodes = result->nodes;
    row->lp_iterations = result->lp_iterations;
    row->cuts = result->cuts;
    row->work = result->work;
    row->span = result->span;
    if (result->status != EXACT_INFEASIBLE && result->status != EXACT_FAILED) {
        row->bound = result->bound_overhead_joules;
        row->windows_bound = result->root_bound;
        row->windows_bound_cuts = result->root_bound_cuts;
    }
    if (result->status == EXACT_INFEASIBLE) {
        row->minimum_bytes = result->minimum_bytes;
        snprintf(row->reason, sizeof row->reason, "proven infeasible: %s",
                 result->infeasible_reason);
    } else if (!row->schedule) {
        snprintf(row->reason, sizeof row->reason, "stopped before a schedule was found");
    }
}

void cli_outcome_settle(cli_outcome *row)
{
    /* false where the bound is NAN: no bound proves nothing */
    if (row->schedule && row->bound >= row->found.overhead_joules * (1 - EXACT_OPTIMAL_GAP)) {
        row->bound = fmin(row->bound, row->found.overhead_joules);
        row->status = "optimal";
        row->exit_status = CLI_DONE;
    }
}

double cli_outcome_percent(const cli_outcome *row)
{
    double base = graph_base_joules(row->problem.graph);
    return row->schedule && base > 0 ? 100 * row->found.overhead_joules / base : NAN;
}

/* ---- table ------------------------------------------------------------------ */

base_shown cli_graph_words(const graph *g)
{
    base_shown words;
    snprintf(words.text, sizeof words.text, "%s%s%s", *g->name ? g->name : "graph",
             g->platform ? " on " : "", g->platform ? g->platform : "");
    return words;
}

void cli_outcome_print_problem(FILE *stream, const problem *p)
{
    const graph *g = p->graph;
    fprintf(stream, "%s: %s of RAM, %.4g %% of keeping everything; ", cli_graph_words(g).text,
            cli_format_bytes(p->ram_budget_bytes).text,
            100 * (double)p->ram_budget_bytes / (double)graph_checkpoint_all_peak(g));
    if (g->resident_bytes > 0)
        fprintf(stream, "%s with what is resident; ",
                cli_format_bytes(p->ram_budget_bytes + g->resident_bytes).text);
    if (isfinite(p->deadline_seconds))
        fprintf(stream, "deadline %.6g s\n", p->deadline_seconds);
    else
        fprintf(stream, "no deadline\n");
}

void cli_outcome_print_heading(FILE *stream)
{
    fprintf(stream, "%-19s %-10s %13s %10s %12s %11s %11s %6s %5s %5s %8s\n", "method", "status",
            "overhead J", "% of base", "peak bytes", "compute s", "transfer s", "again", "in",
            "out", "took s");
}

void cli_outcome_print(FILE *stream, const cli_outcome *row)
{
    const validation *v = &row->found;
    if (row->schedule)
        fprintf(stream,
                "%-19s %-10s %13.7g %10.4g %12" PRId64 " %11.5g %11.4g %6" PRId64 " %5" PRId64
                " %5" PRId64 " %8.2f%s%s\n",
                row->method, row->status, v->overhead_joules, cli_outcome_percent(row),
                v->peak_bytes, v->compute_seconds, v->transfer_seconds, v->recompute_count,
                v->pagein_count, v->pageout_count, row->seconds, row->reason[0] ? "  " : "",
                row->reason);
    else
        fprintf(stream, "%-19s %-10s %s\n", row->method, row->status, row->reason);
}

void cli_outcome_print_budgets_heading(FILE *stream, const graph *g)
{
    fprintf(stream, "%s, keeping everything takes %" PRId64 " bytes", cli_graph_words(g).text,
            graph_checkpoint_all_peak(g));
    if (g->resident_bytes > 0)
        fprintf(stream, "; resident beside any budget: %" PRId64 " bytes", g->resident_bytes);
    fputc('\n', stream);
    fprintf(stream, "%12s %6s %11s %-10s %13s %13s %10s %6s %5s %5s %8s\n", "budget bytes", "%",
            "deadline s", "status", "overhead J", "bound J", "% of base", "again", "in", "out",
            "took s");
}

void cli_outcome_print_budget(FILE *stream, const cli_outcome *row)
{
    const problem *p = &row->problem;
    const validation *v = &row->found;
    fprintf(stream, "%12" PRId64 " %6.2f ", p->ram_budget_bytes,
            100 * (double)p->ram_budget_bytes / (double)graph_checkpoint_all_peak(row->given));
    if (isfinite(p->deadline_seconds))
        fprintf(stream, "%11.6g ", p->deadline_seconds);
    else
        fprintf(stream, "%11s ", "none");
    if (row->schedule)
        fprintf(stream, "%-10s %13.8g %13.8g %10.4g %6" PRId64 " %5" PRId64 " %5" PRId64 " %8.2f\n",
                row->status, v->overhead_joules, row->bound, cli_outcome_percent(row),
                v->recompute_count, v->pagein_count, v->pageout_count, row->seconds);
    else
        fprintf(stream, "%-10s %s\n", row->status, row->reason);
}

/* ---- one run in sentences -------------------------------------------------------- */

int cli_exact_exit(const exact_result *result)
{
    switch (result->status) {
    case EXACT_OPTIMAL:
    case EXACT_WITHIN_GAP:
        return CLI_DONE;
    case EXACT_INFEASIBLE:
        return CLI_NO_OPTIMUM;
    case EXACT_LIMIT:
        return result->schedule ? CLI_LIMIT : CLI_LIMIT_NOTHING;
    case EXACT_FAILED:
        break;
    }
    return CLI_CHECK_FAILED;
}

static double gap_of(const exact_result *result)
{
    return exact_gap(result->validation.overhead_joules, result->bound_overhead_joules);
}

/* For a schedule that is not proven optimal. */
static void print_gap(FILE *stream, const exact_result *result)
{
    if (result->bound_overhead_joules > 0)
        fprintf(
            stream,
            "No schedule saves more than %.4g %% of its overhead: none has less than %.10g J.\n",
            100 * gap_of(result), result->bound_overhead_joules);
    else
        fprintf(stream, "Nothing is proven yet about how much less is possible.\n");
}

static void print_headline(FILE *stream, const problem *p, const exact_result *result)
{
    switch (result->status) {
    case EXACT_OPTIMAL:
        if (result->validation.overhead_joules == 0)
            fprintf(stream, "Proven optimal: the budget costs no energy at all.\n");
        else
            fprintf(stream,
                    "Proven optimal: no schedule within the budget has less than %.10g J of "
                    "overhead.\n",
                    result->validation.overhead_joules);
        break;
    case EXACT_WITHIN_GAP:
        fprintf(stream, "Ended within the given gap: not proven optimal.\n");
        print_gap(stream, result);
        break;
    case EXACT_INFEASIBLE:
        fprintf(stream, "Proven infeasible: %s.\n", result->infeasible_reason);
        if (result->minimum_bytes > p->ram_budget_bytes)
            fprintf(stream, "No schedule fits into less than %s.\n",
                    cli_format_bytes(result->minimum_bytes).text);
        break;
    case EXACT_LIMIT:
        fprintf(stream, "Stopped by the %s %s.\n", exact_stop_name(result),
                result->schedule ? "with a schedule that is not proven optimal"
                                 : "before a schedule was found");
        if (result->schedule)
            print_gap(stream, result);
        else if (result->bound_overhead_joules > 0)
            fprintf(stream, "Proven: none has less than %.10g J of overhead.\n",
                    result->bound_overhead_joules);
        break;
    case EXACT_FAILED:
        fprintf(stream, "An internal check failed: this is a defect of the program.\n");
        break;
    }
}

void cli_exact_print(FILE *stream, const problem *p, const exact_result *result, double seconds)
{
    print_headline(stream, p, result);
    if (result->schedule) {
        cli_report_print_measures(stream, p, &result->validation);
        fprintf(stream, "  Lower bound     %.10g J of overhead, gap %.3g %%\n",
                result->bound_overhead_joules, 100 * gap_of(result));
        fprintf(stream, "  Found by        %s; the first schedule after %.2f s\n", result->source,
                result->first_incumbent_seconds);
    }
    fprintf(stream, "  Work            %s, %s, %s, %.2f s\n",
            base_text_counted(result->nodes, "node").text,
            base_text_counted(result->lp_iterations, "LP iteration").text,
            base_text_counted(result->cuts, "cut").text, seconds);
}

void cli_exact_print_profile(FILE *stream, const exact_result *result)
{
    if (result->work <= 0)
        return;
    fprintf(stream, "%-9s %7s %9s %6s %9s\n", "Profile", "work", "seconds", "turns", "successes");
    for (int k = 0; k < EFFORTS; k++) {
        const exact_spent *s = &result->spent[k];
        if (s->turns > 0)
            fprintf(stream, "  %-7s %5.1f %% %9.2f %6ld %9ld\n", exact_effort_name(k),
                    100 * s->work / result->work, s->seconds, s->turns, s->successes);
    }
    if (result->span < result->work)
        fprintf(stream, "  %.3f of work, %.3f one after the other\n", result->work, result->span);
}

/* ---- schedule file ----------------------------------------------------------- */

int cli_outcome_write(const char *path, const cli_outcome *row)
{
    base_error error;
    base_output *out = base_output_open(path, &error);
    if (!out)
        return cli_fail(-1, "%s", error.text);
    schedule_print(&row->problem, row->schedule, &row->found, row->method, row->status, row->bound,
                   base_output_stream(out));
    return base_output_commit(out, &error) == 0 ? 0 : cli_fail(-1, "%s", error.text);
}
