/* Fills the columns of a record in their order, and writes records as JSON and CSV. */
#include "cli/outcome.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/number.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/parameters.h"
#include "cli/plot.h"
#include "cli/report.h"

/* ---- columns ------------------------------------------------------------------ */

static void set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static void set_text(json_t *object, const char *key, const char *text)
{
    set(object, key, text && *text ? cli_json_text(text) : json_null());
}

static void set_count(json_t *object, const char *key, int64_t count)
{
    set(object, key, count >= 0 ? json_integer(count) : json_null());
}

/* ---- factors that reproduce a figure -------------------------------------------------------- */

/* True if --ram-budget=value% of whole is the problem's budget; with whole 0 if
 * --runtime-budget=value is its deadline. */
static bool gives(double value, const problem *p, int64_t whole)
{
    char text[40];
    base_amount amount;
    int64_t bytes;
    if (whole == 0)
        return value * graph_base_seconds(p->graph) == p->deadline_seconds;
    snprintf(text, sizeof text, "%s%%", base_number_shortest(value).text);
    return base_number_amount(text, true, &amount, NULL) == 0 &&
           base_amount_bytes(&amount, whole, &bytes, NULL) == 0 && bytes == p->ram_budget_bytes;
}

/* Returns the quotient with the fewest digits that gives the figure. A budget gets at least 12
 * digits, since many percentages are rounded down to it. */
static double ratio(double quotient, const problem *p, int64_t whole)
{
    enum { DIGITS = 17, PERCENT_DIGITS = 12, NEIGHBOURS = 8 };
    char text[40];
    double side[2] = {quotient, quotient};
    if (!isfinite(quotient))
        return NAN;
    for (int digits = whole > 0 ? PERCENT_DIGITS : 1; digits <= DIGITS; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, quotient);
        const double value = strtod(text, NULL);
        if (gives(value, p, whole))
            return value;
    }
    for (int k = 0; k < 2 * NEIGHBOURS; k++) {
        side[k % 2] = nextafter(side[k % 2], k % 2 ? -INFINITY : INFINITY);
        if (gives(side[k % 2], p, whole))
            return side[k % 2];
    }
    return quotient;
}

/* ---- the members ------------------------------------------------------------------------------
 */

static void set_problem(json_t *object, const problem *p, const graph *given)
{
    const graph *g = p->graph;
    const int64_t whole = graph_checkpoint_all_peak(given);
    const double base = graph_base_seconds(g),
                 percent = 100 * (double)p->ram_budget_bytes / (double)whole;
    set_text(object, "network", g->name);
    set_text(object, "platform", g->platform);
    set_text(object, "graph_checksum", cli_format_checksum(g).text);
    set_count(object, "graph_nodes", g->n);
    set_count(object, "ram_budget_bytes", p->ram_budget_bytes);
    set(object, "ram_budget_percent", cli_json_real(whole > 0 ? ratio(percent, p, whole) : NAN));
    set(object, "runtime_budget",
        cli_json_real(base > 0 ? ratio(p->deadline_seconds / base, p, 0) : NAN));
    set(object, "deadline_seconds", cli_json_real(p->deadline_seconds));
}

/* The options, and the parameters that were changed, as "set:NAME=VALUE". */
static void set_options(json_t *object, const cli_options *options)
{
    text_buffer text = {0};
    char *given = cli_options_text(options);
    json_t *changed = cli_parameters_changed_json(&options->tuning), *value;
    const char *name;
    text_print(&text, "%s", given);
    json_object_foreach(changed, name, value)
    {
        text_print(&text, "%sset:%s=%s", text.size > 0 ? " " : "", name,
                   base_number_shortest(json_number_value(value)).text);
    }
    set_text(object, "options", text.data);
    json_decref(changed);
    base_free(given);
    text_clear(&text);
}

static void set_run(json_t *object, const cli_options *options, const char *method)
{
    set_text(object, "method", method);
    set_options(object, options);
    set_count(object, "seed", options->seed);
    set_count(object, "threads", cli_threads(options));
    set(object, "time_limit_seconds",
        cli_json_real(options->given[CLI_OPT_time_limit] ? options->time_limit : NAN));
    set_text(object, "version", BASE_VERSION);
}

static void set_schedule(json_t *object, const cli_outcome *row)
{
    const validation *v = row->schedule ? &row->found : NULL;
    set(object, "base_joules", cli_json_real(graph_base_joules(row->problem.graph)));
    set(object, "energy_joules", cli_json_real(v ? v->energy_joules : NAN));
    set(object, "overhead_joules", cli_json_real(v ? v->overhead_joules : NAN));
    set(object, "overhead_percent", cli_json_real(cli_outcome_percent(row)));
    set(object, "lower_bound_overhead_joules", cli_json_real(row->bound));
    set(object, "gap", cli_json_real(v ? exact_gap(v->overhead_joules, row->bound) : NAN));
    set(object, "windows_bound_overhead_joules", cli_json_real(row->windows_bound));
    set(object, "windows_bound_cuts_overhead_joules", cli_json_real(row->windows_bound_cuts));
    set_count(object, "minimum_bytes", row->minimum_bytes);
    set_count(object, "peak_bytes", v ? v->peak_bytes : -1);
    set(object, "compute_seconds", cli_json_real(v ? v->compute_seconds : NAN));
    set(object, "transfer_seconds", cli_json_real(v ? v->transfer_seconds : NAN));
    set_count(object, "recompute_count", v ? v->recompute_count : -1);
    set_count(object, "pagein_count", v ? v->pagein_count : -1);
    set_count(object, "pageout_count", v ? v->pageout_count : -1);
}

json_t *cli_record_json(const cli_options *options, const cli_outcome *row)
{
    const bool unknown = !row->schedule && strcmp(row->status, "unknown") == 0;
    json_t *object = json_object();
    set_problem(object, &row->problem, row->given);
    set_run(object, options, row->method);
    set_text(object, "status", row->status);
    set_text(object, "stopped_by", row->stopped_by);
    set(object, "feasible", unknown ? json_null() : json_boolean(row->schedule != NULL));
    set_text(object, "reason", row->reason);
    set_schedule(object, row);
    set_count(object, "nodes", row->nodes);
    set_count(object, "lp_iterations", row->lp_iterations);
    set_count(object, "cuts", row->cuts);
    set(object, "work", cli_json_real(row->work));
    set(object, "span", cli_json_real(row->span));
    set(object, "seconds", cli_json_real(row->seconds));
    set(object, "cpu_seconds", cli_json_real(row->cpu_seconds));
    set_count(object, "resident_bytes", row->problem.graph->resident_bytes);
    return object;
}

/* ---- comma-separated values ----------------------------------------------------- */

/* A spreadsheet takes a text that begins like a formula for one, be it quoted or not; behind an
 * apostrophe it does not. */
static void csv_text(FILE *stream, const char *text)
{
    const char *guard = *text && strchr("=+-@", *text) ? "'" : "";
    if (!strpbrk(text, ",\"\r\n")) {
        fprintf(stream, "%s%s", guard, text);
        return;
    }
    fprintf(stream, "\"%s", guard);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

static void csv_value(FILE *stream, const json_t *value)
{
    if (json_is_string(value))
        csv_text(stream, json_string_value(value));
    else if (json_is_integer(value))
        fprintf(stream, "%" PRId64, (int64_t)json_integer_value(value));
    else if (json_is_real(value))
        fputs(base_number_shortest(json_real_value(value)).text, stream);
    else if (json_is_boolean(value))
        fputs(json_is_true(value) ? "true" : "false", stream);
}

static void csv_line(FILE *stream, json_t *record, bool heading)
{
    const char *key, *separator = "";
    json_t *value;
    json_object_foreach(record, key, value)
    {
        fputs(separator, stream);
        separator = ",";
        if (heading)
            fputs(key, stream);
        else
            csv_value(stream, value);
    }
    fputc('\n', stream);
}

static void print_csv(FILE *stream, const cli_options *options, const cli_outcomes *list)
{
    for (int k = 0; k < list->count; k++) {
        json_t *record = cli_record_json(options, &list->row[k]);
        if (k == 0)
            csv_line(stream, record, true);
        csv_line(stream, record, false);
        json_decref(record);
    }
}

/* ---- rows of compare and sweep ------------------------------------------------ */

bool cli_records_table(const cli_options *options)
{
    return !options->json && !options->csv;
}

int cli_records_check(const cli_options *options)
{
    base_error error;
    if (options->json && options->csv)
        return cli_fail(-1, "--json and --csv exclude each other");
    if (options->plot && cli_plot_check(options->plot, &error) != 0)
        return cli_fail(-1, "--plot: %s", error.text);
    return cli_output_probe(options->out, &error) == 0 ? 0 : cli_fail(-1, "%s", error.text);
}

int cli_records_write(const cli_options *options, const cli_outcomes *list, const char *name)
{
    base_error error;
    if (options->json) {
        json_t *array = json_array();
        for (int k = 0; k < list->count; k++)
            json_array_append_new(array, cli_record_json(options, &list->row[k]));
        cli_json_print(json_pack("{s:o, s:o}", "parameters",
                                 cli_parameters_changed_json(&options->tuning), name, array));
    } else if (options->csv) {
        print_csv(stdout, options, list);
    }
    if (options->plot && cli_frontier_write(options->plot, list, &error) != 0)
        return cli_fail(-1, "--plot: %s", error.text);
    if (!options->out)
        return 0;
    base_output *out = base_output_open(options->out, &error);
    if (!out)
        return cli_fail(-1, "%s", error.text);
    print_csv(base_output_stream(out), options, list);
    return base_output_commit(out, &error) == 0 ? 0 : cli_fail(-1, "%s", error.text);
}
