#include "cli/outcome.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/exact_run.h"
#include "cli/report.h"

cli_outcome *cli_outcomes_add(cli_outcomes *list, const problem *p, const char *method)
{
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 16;
        list->row = base_realloc(list->row, (size_t)list->capacity, sizeof *list->row);
    }
    cli_outcome *row = &list->row[list->count++];
    *row = (cli_outcome){.problem = *p, .method = method, .status = "none", .bound = NAN};
    return row;
}

void cli_outcomes_clear(cli_outcomes *list)
{
    for (int k = 0; k < list->count; k++)
        schedule_free(list->row[k].schedule);
    base_free(list->row);
    *list = (cli_outcomes){0};
}

void cli_outcome_take(cli_outcome *row, exact_result *result)
{
    row->status = cli_exact_status(result);
    row->exit_status = cli_exact_exit(result);
    row->schedule = result->schedule;
    result->schedule = NULL;
    row->found = result->validation;
    if (result->status != EXACT_INFEASIBLE && result->status != EXACT_FAILED)
        row->bound = result->bound_overhead_joules;
    if (result->status == EXACT_INFEASIBLE)
        snprintf(row->reason, sizeof row->reason, "proven infeasible: %s",
                 result->infeasible_reason);
    else if (!row->schedule)
        snprintf(row->reason, sizeof row->reason, "stopped before a schedule was found");
}

static double percent(const cli_outcome *row)
{
    double base = graph_base_joules(row->problem.graph);
    return base > 0 ? 100 * row->found.overhead_joules / base : NAN;
}

/* ---- table ------------------------------------------------------------------ */

void cli_outcome_print_heading(FILE *stream, const problem *p)
{
    char budget[64];
    const graph *g = p->graph;
    fprintf(stream, "%s%s%s: %s of RAM, %.4g %% of keeping everything; ",
            g->name ? g->name : "graph", g->platform ? " on " : "", g->platform ? g->platform : "",
            cli_format_bytes(p->ram_budget_bytes, budget, sizeof budget),
            100 * (double)p->ram_budget_bytes / (double)graph_checkpoint_all_peak(g));
    if (isfinite(p->deadline_seconds))
        fprintf(stream, "deadline %.6g s\n", p->deadline_seconds);
    else
        fprintf(stream, "no deadline\n");
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
                row->method, row->status, v->overhead_joules, percent(row), v->peak_bytes,
                v->compute_seconds, v->transfer_seconds, v->recompute_count, v->pagein_count,
                v->pageout_count, row->seconds, row->reason[0] ? "  " : "", row->reason);
    else
        fprintf(stream, "%-19s %-10s %s\n", row->method, row->status, row->reason);
}

void cli_outcome_print_budgets_heading(FILE *stream, const graph *g)
{
    fprintf(stream, "%s%s%s, keeping everything takes %" PRId64 " bytes\n",
            g->name ? g->name : "graph", g->platform ? " on " : "", g->platform ? g->platform : "",
            graph_checkpoint_all_peak(g));
    fprintf(stream, "%12s %6s %11s %-10s %13s %13s %10s %6s %5s %5s %8s\n", "budget bytes", "%",
            "deadline s", "status", "overhead J", "bound J", "% of base", "again", "in", "out",
            "took s");
}

void cli_outcome_print_budget(FILE *stream, const cli_outcome *row)
{
    const problem *p = &row->problem;
    const validation *v = &row->found;
    fprintf(stream, "%12" PRId64 " %6.2f ", p->ram_budget_bytes,
            100 * (double)p->ram_budget_bytes / (double)graph_checkpoint_all_peak(p->graph));
    if (isfinite(p->deadline_seconds))
        fprintf(stream, "%11.6g ", p->deadline_seconds);
    else
        fprintf(stream, "%11s ", "none");
    if (row->schedule)
        fprintf(stream, "%-10s %13.8g %13.8g %10.4g %6" PRId64 " %5" PRId64 " %5" PRId64 " %8.2f\n",
                row->status, v->overhead_joules, row->bound, percent(row), v->recompute_count,
                v->pagein_count, v->pageout_count, row->seconds);
    else
        fprintf(stream, "%-10s %s\n", row->status, row->reason);
}

/* ---- comma-separated values ------------------------------------------------- */

/* A spreadsheet takes a text that begins like a formula for one, be it quoted or not; behind an
 * apostrophe it does not. */
static void csv_text(FILE *stream, const char *text)
{
    text = text ? text : "";
    const char *guard = *text && strchr("=+-@", *text) ? "'" : "";
    if (!strpbrk(text, ",\"\r\n")) {
        fprintf(stream, "%s%s,", guard, text);
        return;
    }
    fprintf(stream, "\"%s", guard);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputs("\",", stream);
}

static void csv_real(FILE *stream, double value)
{
    if (isfinite(value))
        fprintf(stream, "%.17g", value);
    fputc(',', stream);
}

static void csv_header(FILE *stream)
{
    fprintf(stream, "graph,platform,ram_budget_bytes,deadline_seconds,method,status,"
                    "overhead_joules,overhead_percent,lower_bound_overhead_joules,"
                    "compute_seconds,transfer_seconds,seconds,reason,"
                    "peak_bytes,recompute_count,pagein_count,pageout_count\n");
}

static void csv_row(FILE *stream, const cli_outcome *row)
{
    const graph *g = row->problem.graph;
    const validation *v = &row->found;
    csv_text(stream, g->name);
    csv_text(stream, g->platform);
    fprintf(stream, "%" PRId64 ",", row->problem.ram_budget_bytes);
    csv_real(stream, row->problem.deadline_seconds);
    csv_text(stream, row->method);
    csv_text(stream, row->status);
    csv_real(stream, row->schedule ? v->overhead_joules : NAN);
    csv_real(stream, row->schedule ? percent(row) : NAN);
    csv_real(stream, row->bound);
    csv_real(stream, row->schedule ? v->compute_seconds : NAN);
    csv_real(stream, row->schedule ? v->transfer_seconds : NAN);
    csv_real(stream, row->seconds);
    csv_text(stream, row->reason);
    if (row->schedule)
        fprintf(stream, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "\n", v->peak_bytes,
                v->recompute_count, v->pagein_count, v->pageout_count);
    else
        fprintf(stream, ",,,\n");
}

void cli_outcomes_csv(FILE *stream, const cli_outcomes *list)
{
    csv_header(stream);
    for (int k = 0; k < list->count; k++)
        csv_row(stream, &list->row[k]);
}

/* ---- JSON ------------------------------------------------------------------- */

json_t *cli_outcome_json(const cli_outcome *row)
{
    bool unknown = !row->schedule && strcmp(row->status, "unknown") == 0;
    json_t *object = json_object();
    json_object_set_new(object, "method", json_string(row->method));
    json_object_set_new(object, "status", json_string(row->status));
    json_object_set_new(object, "feasible",
                        unknown ? json_null() : json_boolean(row->schedule != NULL));
    if (row->schedule) {
        cli_report_measures(object, &row->problem, &row->found);
        json_object_set_new(object, "overhead_percent", cli_json_real(percent(row)));
    } else {
        static const char *const absent[] = {"overhead_joules", "overhead_percent", "peak_bytes",
                                             "compute_seconds", "recompute_count",  "pagein_count",
                                             "pageout_count"};
        for (size_t k = 0; k < sizeof absent / sizeof absent[0]; k++)
            json_object_set_new(object, absent[k], json_null());
        json_object_set_new(object, "ram_budget_bytes",
                            json_integer(row->problem.ram_budget_bytes));
        json_object_set_new(object, "deadline_seconds",
                            cli_json_real(row->problem.deadline_seconds));
    }
    json_object_set_new(object, "lower_bound_overhead_joules", cli_json_real(row->bound));
    json_object_set_new(object, "seconds", cli_json_real(row->seconds));
    json_object_set_new(object, "reason",
                        row->reason[0] ? cli_json_text(row->reason) : json_null());
    return object;
}
