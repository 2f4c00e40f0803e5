/* poetbnb check: judges a schedule file: every rule, and every figure it claims. */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/plot.h"
#include "cli/report.h"
#include "plan/plan.h"
#include "problem/json.h"

/* Claimed and measured figures agree when they differ by no more than the rounding of a sum in
 * another order. */
static const double claim_tolerance = 1e-9;

/* The result of a check; problems counts the broken rule and every wrong claim. */
typedef struct verdict {
    bool valid;      /* every rule holds */
    base_error rule; /* the first that does not */
    validation found;
    json_t *claims; /* array of texts: the claims that are wrong */
} verdict;

__attribute__((format(printf, 2, 3))) static void wrong_claim(verdict *v, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    json_array_append_new(v->claims, json_string(text));
}

static void compare_real(verdict *v, const char *key, double claimed, double measured)
{
    if (fabs(claimed - measured) > claim_tolerance * fmax(fabs(claimed), fabs(measured)))
        wrong_claim(v, "%s: the file says %.17g, measured %.17g", key, claimed, measured);
}

/* The figures the file states against the measured ones. A figure it does not state is NAN, for
 * which no comparison is true. */
static void judge_claims(const schedule_file *file, verdict *v)
{
    const validation *found = &v->found;
    compare_real(v, "energy_joules", file->energy_joules, found->energy_joules);
    compare_real(v, "overhead_joules", file->overhead_joules, found->overhead_joules);
    compare_real(v, "compute_seconds", file->compute_seconds, found->compute_seconds);
    if (file->peak_bytes >= 0 && file->peak_bytes != found->peak_bytes)
        wrong_claim(v, "peak_bytes: the file says %" PRId64 ", measured %" PRId64, file->peak_bytes,
                    found->peak_bytes);
    double bound = file->lower_bound_overhead_joules;
    double slack = claim_tolerance * found->overhead_joules;
    if (bound > found->overhead_joules + slack)
        wrong_claim(v, "lower_bound_overhead_joules: %.17g is above the overhead, %.17g", bound,
                    found->overhead_joules);
    /* A file need not state its bound, but must not contradict itself. */
    if (file->status && strcmp(file->status, "optimal") == 0 &&
        bound < found->overhead_joules - slack)
        wrong_claim(v,
                    "status: the file says optimal, but its bound, %.17g, is below the overhead, "
                    "%.17g",
                    bound, found->overhead_joules);
}

static void print_json(const schedule_file *file, const verdict *v)
{
    json_t *object = json_pack("{s:b, s:b, s:s?, s:O}", "valid", v->valid, "claims_hold",
                               json_array_size(v->claims) == 0, "rule",
                               v->valid ? NULL : v->rule.text, "wrong_claims", v->claims);
    cli_report_measures(object, &file->problem, &v->found);
    cli_json_print(object);
}

static void print_text(const cli_options *options, const schedule_file *file, const verdict *v)
{
    printf("%s: %s\n", base_text_shown(cli_input_name(options)).text,
           v->valid ? "every rule holds" : "the schedule breaks a rule");
    if (v->valid)
        cli_report_print_measures(stdout, &file->problem, &v->found);
}

static int check_file(const cli_options *options, const schedule_file *file)
{
    verdict v = {.claims = json_array()};
    v.valid = schedule_validate(&file->problem, file->schedule, &v.found, &v.rule) == 0;
    if (v.valid)
        judge_claims(file, &v);
    if (options->json)
        print_json(file, &v);
    else if (!options->quiet)
        print_text(options, file, &v);
    if (!v.valid)
        cli_fail(0, "%s: %s", options->file, v.rule.text);
    for (size_t k = 0; k < json_array_size(v.claims); k++)
        cli_fail(0, "%s: %s", options->file, json_string_value(json_array_get(v.claims, k)));
    bool good = v.valid && json_array_size(v.claims) == 0;
    json_decref(v.claims);
    return good ? CLI_DONE : CLI_CHECK_FAILED;
}

/* True if the text is a plan as `plan --format=text' writes it: for people alone. */
static bool is_text_plan(const char *text)
{
    const char *const head = "without DMA     with DMA  step\n";
    return strncmp(text + strspn(text, " "), head, strlen(head)) == 0;
}

static int check_schedule(const cli_options *options, const char *text, size_t size)
{
    base_error error;
    schedule_file *file = schedule_file_parse(text, size, cli_input_name(options), NULL, &error);
    if (!file)
        return cli_fail(CLI_BAD_INPUT, "%s", error.text);
    int status = check_file(options, file);
    if (options->plot && status == CLI_DONE &&
        cli_plot_write(options->plot, &file->problem, file->schedule, file->method, &error) != 0)
        status = cli_fail(CLI_BAD_INPUT, "--plot: %s", error.text);
    schedule_file_free(file);
    return status;
}

static int run_check(const cli_options *options)
{
    base_error error;
    size_t size;
    char *text = base_file_read(options->file, JSON_FILE_LIMIT, &size, &error);
    if (!text)
        return cli_fail(CLI_BAD_INPUT, "%s", error.text);
    if (is_text_plan(text)) {
        base_free(text);
        return cli_fail(CLI_BAD_INPUT,
                        "%s: line 1: expected a schedule or a plan in JSON or binary, got the text "
                        "of a plan (`poetbnb plan --format=json' writes JSON)",
                        cli_input_name(options));
    }
    int status = plan_file_detect(text, size) ? cli_plan_check(options, text, size)
                                              : check_schedule(options, text, size);
    base_free(text);
    return status;
}

const cli_command cli_command_check = {
    .name = "check",
    .bit = CLI_CHECK,
    .file = "FILE",
    .summary = "validate a schedule or a plan",
    .help = "Judges the schedule in FILE with the validator, which shares no code with what makes "
            "schedules: inputs present, memory and storage have a source, peak memory within the "
            "budget, deadline met. Then compares the figures in the file with the measured ones. A "
            "plan (of `poetbnb plan', JSON or binary) is executed on a simulated "
            "memory: every read must find the value that was written there.\n\n"
            "Exit status: 0 all holds, 1 a rule is broken or a figure is wrong, 2 the file is "
            "neither a schedule nor a plan.",
    .run = run_check,
};
