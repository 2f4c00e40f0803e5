/* poetbnb solve: the schedule with the least energy, with a proof. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "certificate/write.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/instance.h"
#include "cli/outcome.h"
#include "cli/parameters.h"
#include "cli/plot.h"
#include "cli/report.h"
#include "formulation/check.h"
#include "problem/json.h"

/* Resources of a solve. */
typedef struct solve {
    const cli_options *options;
    cli_clock started;
    base_limits limits;
    unsigned features;
    graph *graph, *given; /* in the order of the problem, and as it was given */
    problem problem;
    FILE *text;  /* stream of the answer: standard output, or standard error if the schedule is
                    printed */
    FILE *usual; /* stream of the log without --log; NULL: none */
    FILE *log;   /* stream of the log; NULL: none */
    bool budget_is_min; /* --ram-budget min */
    exact_least least;  /* the result of the search for it */
    cert_trust trust;   /* the arguments that the certificate uses */
    base_error again;   /* the reason for a second run to prove the answer; "": none was needed */
} solve;

static void choose_streams(solve *s)
{
    const cli_options *options = s->options;
    s->text = cli_output_is_standard(options->out) ? stderr : stdout;
    if (options->json)
        s->usual = options->verbose || (!options->quiet && isatty(STDERR_FILENO)) ? stderr : NULL;
    else
        s->usual = options->quiet ? NULL : s->text;
}

/* Files that cannot be written are found out before the work, not after it. */
static int probe_outputs(const solve *s)
{
    const cli_options *options = s->options;
    base_error error;
    if (options->json && cli_output_is_standard(options->out))
        return cli_fail(-1, "--out: the schedule and the --json object cannot both go to "
                            "standard output");
    if (options->plot && cli_plot_check(options->plot, &error) != 0)
        return cli_fail(-1, "--plot: %s", error.text);
    if (options->certificate && certificate_check(&s->problem, s->features, &error) != 0)
        return cli_fail(-1, "--certificate: %s", error.text);
    if (cli_output_is_standard(options->certificate))
        return cli_fail(-1, "--certificate: the name of a file is expected");
    if (cli_output_probe(options->out, &error) != 0 ||
        cli_output_probe(options->certificate, &error) != 0)
        return cli_fail(-1, "%s", error.text);
    return 0;
}

/* A step of cli_guard. */
static int prepare_solve(void *data)
{
    solve *s = data;
    base_error error;
    const cli_options *options = s->options;
    s->graph = s->given = cli_problem_open(options, &s->budget_is_min, &s->features, &s->problem);
    if (!s->graph)
        return -1;
    if (baseline_starts_check(options->warm_start, s->graph, &error) != 0)
        return cli_fail(-1, "--warm-start: %s", error.text);
    return probe_outputs(s) != 0 ? -1 : cli_log_open(options, s->usual, &s->log);
}

/* For --check-rows: checks all rows of the models against a schedule that is known to be good, and
 * prints the broken ones. A step of cli_guard. */
static int check_rows(void *data)
{
    const solve *s = data;
    base_error error;
    const char *path = s->options->check_rows;
    schedule_file *file = schedule_file_parse(NULL, 0, path, NULL, &error);
    if (!file)
        return cli_fail(CLI_BAD_INPUT, "--check-rows: %s", error.text);
    int status = CLI_BAD_INPUT;
    if (!graph_same_shape(s->graph, file->graph)) {
        cli_fail(0, "--check-rows: %s: a schedule of another graph", path);
    } else if (schedule_validate(&s->problem, file->schedule, NULL, &error) != 0) {
        cli_fail(0, "--check-rows: %s: expected a schedule that is good: %s", path, error.text);
    } else {
        FILE *out = s->options->quiet ? NULL : stdout;
        const bool holds =
            formulation_check_schedule(&s->problem, s->features, file->schedule, out);
        status = holds ? CLI_DONE : CLI_CHECK_FAILED;
    }
    schedule_file_free(file);
    return status;
}

static void log_problem(const solve *s)
{
    const graph *g = s->graph;
    if (!s->log)
        return;
    char *options = cli_options_text(s->options);
    fprintf(s->log, "poetbnb %s\n", BASE_VERSION);
    cli_outcome_print_problem(s->log, &s->problem);
    fprintf(s->log, "%s, %s, %s; seed %" PRId64 ", %s%s%s\n", base_text_counted(g->n, "node").text,
            base_text_counted(g->input_start[g->n], "edge").text, cli_format_checksum(g).text,
            s->options->seed, base_text_counted(cli_threads(s->options), "thread").text,
            *options ? "; " : "", options);
    base_free(options);
    cli_parameters_print_changed(s->log, &s->options->tuning);
}

/* The problem in another order of the nodes, if it costs less there. */
static void reorder(solve *s)
{
    graph *other = cli_graph_reordered(s->options, &s->limits, &s->problem);
    if (other)
        s->problem.graph = s->graph = other;
    if (s->log && strcmp(s->options->order, "search") == 0)
        fprintf(s->log, "Order    %s\n",
                other ? "another one, in which schedules cost less" : "as given");
}

static int write_schedule(const solve *s, const exact_result *result)
{
    if (!s->options->out || !result->schedule)
        return 0;
    cli_outcome row = cli_outcome_make(&s->problem, "poetbnb");
    cli_outcome_describe(&row, result);
    return cli_outcome_write(s->options->out, &row);
}

static int draw_schedule(const solve *s, const exact_result *result)
{
    base_error error;
    if (!s->options->plot || !result->schedule)
        return 0;
    if (cli_plot_write(s->options->plot, &s->problem, result->schedule, "poetbnb", &error) != 0)
        return cli_fail(-1, "%s", error.text);
    return 0;
}

/* Solves, with a certificate if options ask for one. Returns the exit status of the certificate,
 * 0: no fault. */
static int answer(solve *s, const exact_params *params, exact_result *result)
{
    const cli_options *options = s->options;
    s->trust = strcmp(options->trust, "rules") == 0 ? CERT_RULES : CERT_EXCHANGES;
    if (!options->certificate) {
        *result = exact_solve(&s->problem, params);
        return 0;
    }
    const certificate_outcome outcome =
        certificate_solve(options->certificate, &s->problem, params, &s->trust, result, &s->again);
    if (!certificate_possible(result))
        return cli_fail(0, "--certificate: nothing is proven: no file is written");
    switch (outcome) {
    case CERTIFICATE_WRITTEN:
        return 0;
    case CERTIFICATE_LIMIT:
        return cli_fail(result->schedule ? CLI_LIMIT : CLI_LIMIT_NOTHING,
                        "--certificate: a limit ended its proof: no file is written");
    case CERTIFICATE_UNPROVEN:
        return cli_fail(result->schedule ? CLI_LIMIT : CLI_LIMIT_NOTHING,
                        "--certificate: %s: no file is written", s->again.text);
    case CERTIFICATE_UNWRITABLE:
        return cli_fail(CLI_BAD_INPUT, "%s", s->again.text);
    case CERTIFICATE_FAILED:
        break;
    }
    return cli_fail(CLI_CHECK_FAILED, "--certificate: %s", s->again.text);
}

/* ---- the answer -------------------------------------------------------------- */

/* How the schedule got better. */
static json_t *incumbents_json(const exact_result *result)
{
    json_t *list = json_array();
    for (int k = 0; k < result->incumbent_count; k++) {
        const exact_incumbent *i = &result->incumbent[k];
        json_array_append_new(
            list, json_pack("{s:f, s:f, s:f, s:I, s:I, s:o}", "overhead_joules", i->overhead_joules,
                            "seconds", i->seconds, "cpu_seconds", i->cpu_seconds, "nodes",
                            (json_int_t)i->nodes, "lp_iterations", (json_int_t)i->lp_iterations,
                            "source", cli_json_text(i->source)));
    }
    return list;
}

/* How the bound rose. */
static json_t *bounds_json(const exact_result *result)
{
    json_t *list = json_array();
    for (int k = 0; k < result->bound_count; k++) {
        const exact_bound *b = &result->bound[k];
        json_array_append_new(list, json_pack("{s:f, s:f, s:s}", "overhead_joules",
                                              b->overhead_joules, "seconds", b->seconds, "of",
                                              b->windows ? "windows" : "all"));
    }
    return list;
}

static json_t *profile_json(const exact_result *result)
{
    json_t *list = json_array();
    for (int k = 0; k < EFFORTS; k++) {
        const exact_spent *s = &result->spent[k];
        json_array_append_new(list, json_pack("{s:s, s:f, s:f, s:I, s:I}", "effort",
                                              exact_effort_name(k), "work", s->work, "seconds",
                                              s->seconds, "turns", (json_int_t)s->turns,
                                              "successes", (json_int_t)s->successes));
    }
    return list;
}

/* The record, and the members of a single run. */
static json_t *answer_json(const solve *s, const exact_result *result, const cli_clock *started)
{
    cli_outcome row = cli_outcome_make(&s->problem, "poetbnb");
    row.given = s->given;
    cli_outcome_describe(&row, result);
    cli_clock_stop(started, &row);
    json_t *object = cli_record_json(s->options, &row);
    json_object_set_new(object, "first_incumbent_seconds",
                        cli_json_real(result->first_incumbent_seconds));
    json_object_set_new(object, "incumbent_source",
                        result->schedule ? cli_json_text(result->source) : json_null());
    json_object_set_new(object, "incumbents", incumbents_json(result));
    json_object_set_new(object, "bounds", bounds_json(result));
    json_object_set_new(object, "profile", profile_json(result));
    if (s->budget_is_min) {
        json_object_set_new(object, "least_budget_bytes", json_integer(s->least.bytes));
        json_object_set_new(object, "least_budget_bound_bytes", json_integer(s->least.least));
    }
    json_object_set_new(object, "order", json_string(s->graph != s->given ? "searched" : "given"));
    return object;
}

static void print_least(FILE *stream, const exact_least *least, int64_t resident)
{
    if (least->bytes < 0)
        return;
    fprintf(stream, "  Smallest budget %s", cli_format_bytes(least->bytes).text);
    if (resident > 0)
        fprintf(stream, ", %" PRId64 " with what is resident", least->bytes + resident);
    if (least->least == least->bytes)
        fputs(": proven, no schedule fits into less\n", stream);
    else
        fprintf(stream, " at most; none fits into less than %" PRId64 " (stopped by the %s)\n",
                least->least, least->stop == BASE_GO ? "node limit" : base_stop_name(least->stop));
}

static void print_answer(const solve *s, FILE *stream, const exact_result *result, bool written,
                         bool certified)
{
    cli_exact_print(stream, &s->problem, result, base_seconds() - s->started.seconds);
    if (s->budget_is_min)
        print_least(stream, &s->least, s->given->resident_bytes);
    if (s->graph != s->given) {
        const bool is_free = result->schedule && result->validation.overhead_joules <= 0;
        fprintf(stream, "  Order           not that of the graph; %s\n",
                is_free ? "no order has less than 0 J" : "what is proven holds for this order");
    }
    if (written)
        fprintf(stream, "  Schedule        in %s\n", base_text_shown(s->options->out).text);
    if (certified)
        fprintf(stream, "  Certificate     in %s, verified%s%s\n",
                base_text_shown(s->options->certificate).text,
                s->again.text[0] ? ", of a second run; the first: " : "", s->again.text);
}

static void set_certificate(const solve *s, json_t *object, bool certified)
{
    if (!s->options->certificate)
        return;
    json_object_set_new(object, "certificate",
                        certified ? cli_json_text(s->options->certificate) : json_null());
    json_object_set_new(object, "certificate_trust",
                        certified ? json_string(cert_trust_word[s->trust]) : json_null());
    json_object_set_new(object, "certificate_second_run",
                        certified && s->again.text[0] ? cli_json_text(s->again.text) : json_null());
}

/* uncertified: the exit status if the certificate is missing; 0: it was written or not asked for.
 */
static int report(const solve *s, const exact_result *result, int uncertified)
{
    const int failed = write_schedule(s, result) || draw_schedule(s, result);
    const bool written = s->options->out && result->schedule && !failed;
    const int status = cli_exact_exit(result);
    bool certified =
        s->options->certificate && !uncertified && (status == CLI_DONE || status == CLI_NO_OPTIMUM);
    if (s->log) {
        fputc('\n', s->log);
        cli_exact_print_profile(s->log, result);
        fputc('\n', s->log);
    }
    if (s->log && s->log != s->usual)
        print_answer(s, s->log, result, written, certified);
    if (s->options->json) {
        json_t *object = answer_json(s, result, &s->started);
        json_object_set_new(object, "parameters", cli_parameters_changed_json(&s->options->tuning));
        set_certificate(s, object, certified);
        cli_json_print(object);
    } else {
        print_answer(s, s->text, result, written, certified);
    }
    return failed ? CLI_BAD_INPUT : uncertified ? uncertified : status;
}

/* ---- the run ------------------------------------------------------------------- */

/* Solves the problem that was read and prints the answer. With --ram-budget=min the problem gets
 * the smallest budget, or the smallest that is known. Returns the exit status. */
static int solve_problem(solve *s)
{
    base_error error;
    int status = CLI_BAD_INPUT;
    baseline_starts starts = {0};
    if (s->budget_is_min)
        s->least = cli_exact_least(s->options, &s->limits, s->features, &s->problem);
    if (s->budget_is_min && s->least.bytes >= 0)
        s->problem.ram_budget_bytes = s->least.bytes;
    log_problem(s);
    reorder(s);
    if (cli_starts_make(s->options, &s->problem, &s->limits, s->log, &starts, &error) == 0) {
        exact_params params =
            cli_exact_params(s->options, &s->limits, s->features, &starts, s->log);
        exact_result result;
        const int uncertified = answer(s, &params, &result);
        if (cli_result_check(&s->problem, &result, &error) != 0)
            cli_fail(0, "internal check failed: %s", error.text);
        status = report(s, &result, uncertified);
        exact_result_clear(&result);
    } else {
        cli_fail(0, "--%s", error.text);
    }
    baseline_starts_clear(&starts);
    return status;
}

static int run_solve(const cli_options *options)
{
    solve s = {.options = options, .started = cli_clock_start(), .limits = cli_limits(options)};
    choose_streams(&s);
    int status = cli_guard(&s.limits, "reading the problem", prepare_solve, &s);
    if (status == CLI_LIMIT_NOTHING)
        return status; /* all of it is freed */
    if (status == CLI_DONE)
        status = options->check_rows ? cli_guard(&s.limits, "checking rows", check_rows, &s)
                                     : solve_problem(&s);
    graph_free(s.given != s.graph ? s.given : NULL);
    graph_free(s.graph);
    const int unwritten = cli_log_close(options, s.log);
    return unwritten ? unwritten : status;
}

const cli_command cli_command_solve = {
    .name = "solve",
    .bit = CLI_SOLVE,
    .summary = "find the schedule with the least energy and prove it",
    .help = "Prints the schedule's figures; --out writes the schedule itself. \"Optimal\" means: a "
            "lower bound that holds in spite of rounding errors lies within a relative 1e-9 of the "
            "overhead, which is what the schedule spends beyond computing every node once, and "
            "the validator accepts the schedule. With a larger --gap the search ends earlier, and "
            "says \"within gap\".\n\n"
            "Exit status: 0 proven optimal or within the given --gap, 1 an internal "
            "check failed, 2 bad usage or input, 3 "
            "proven infeasible, 4 stopped by a limit with a schedule, 5 stopped by a limit "
            "without one. Ctrl-C is such a limit; the second one ends the program at once.",
    .run = run_solve,
};
