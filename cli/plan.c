/* poetbnb plan: turns a schedule into the steps, addresses and times of the device. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/instance.h"
#include "cli/report.h"
#include "plan/plan.h"
#include "problem/json.h"

static void print_summary(FILE *stream, const graph *g, const plan *x)
{
    plan_timeline alone = plan_simulate(g, x, false), beside = plan_simulate(g, x, true);
    fprintf(stream, "%s with %s, %s\n", base_text_counted(x->step_count, "step").text,
            base_text_counted(x->register_count, "register").text,
            base_text_counted(x->buffer_count, "buffer").text);
    fprintf(stream, "  Arena           %s of %s\n", cli_format_bytes(x->arena_bytes).text,
            cli_format_bytes(x->budget_bytes).text);
    fprintf(stream, "  Peak            %s in use at once\n", cli_format_bytes(x->peak_bytes).text);
    fprintf(stream, "  Computation     %.6g s\n  Transfers       %.6g s\n", alone.compute_seconds,
            alone.transfer_seconds);
    fprintf(stream, "  Without DMA     %.6g s\n", alone.total_seconds);
    fprintf(stream, "  With DMA        %.6g s, of which the processor stalls %.6g s\n",
            beside.total_seconds, beside.stall_seconds);
    plan_timeline_clear(&alone);
    plan_timeline_clear(&beside);
}

/* Returns the word of --format, or without that option the form that the name of --out ends in. */
static const char *form_of(const cli_options *options)
{
    static const char *const ending[][2] = {{".json", "json"}, {".bin", "binary"}, {".h", "c"}};
    if (options->given[CLI_OPT_format])
        return options->format;
    if (options->json)
        return "json";
    for (size_t k = 0; options->out && k < sizeof ending / sizeof *ending; k++)
        if (base_path_ends(options->out, ending[k][0]))
            return ending[k][1];
    return options->format;
}

/* Writes the plan in its form. */
static int write_plan(const cli_options *options, const graph *g, const plan *x)
{
    base_error error;
    const char *form = form_of(options);
    base_output *out = base_output_open(options->out ? options->out : "-", &error);
    if (!out)
        return cli_fail(CLI_BAD_INPUT, "%s", error.text);
    FILE *stream = base_output_stream(out);
    if (strcmp(form, "binary") == 0) {
        size_t size;
        uint8_t *data = plan_write_binary(g, x, &size, NULL);
        fwrite(data, 1, size, stream);
        base_free(data);
    } else if (strcmp(form, "c") == 0) {
        if (plan_print_c(g, x, stream, &error) != 0) {
            base_output_abort(out);
            return cli_fail(CLI_BAD_INPUT, "%s: %s", options->file, error.text);
        }
    } else if (strcmp(form, "json") == 0) {
        plan_print_json(g, x, stream);
        fputc('\n', stream);
    } else {
        plan_print_text(g, x, stream);
    }
    if (base_output_commit(out, &error) != 0)
        return cli_fail(CLI_BAD_INPUT, "%s", error.text);
    return CLI_DONE;
}

/* For a plan without addresses within the budget. */
static int fail_addresses(const cli_options *options, const plan *x)
{
    if (x->no_packing)
        return cli_fail(CLI_NO_OPTIMUM,
                        "%s: proven: no addresses for this schedule end within the budget of "
                        "%" PRId64 " bytes, although its buffers take only %" PRId64 " at once",
                        options->file, x->budget_bytes, x->peak_bytes);
    return cli_fail(CLI_LIMIT_NOTHING,
                    "%s: no addresses were found within the budget, nor a proof that there are "
                    "none, before the work limit: the buffers take %" PRId64
                    " bytes at once, %" PRId64 " with the best addresses, the budget is %" PRId64
                    " (--work-limit raises the limit)",
                    options->file, x->peak_bytes, x->arena_bytes, x->budget_bytes);
}

/* Executes the plan before it is written. */
static int finish_plan(const cli_options *options, const schedule_file *file, const plan *x)
{
    base_error error;
    const graph *g = file->graph;
    if (x->arena_bytes > x->budget_bytes)
        return fail_addresses(options, x);
    if (plan_execute(g, x, NULL, &error) != 0)
        return cli_fail(CLI_CHECK_FAILED, "internal check failed: %s", error.text);
    int status = write_plan(options, g, x);
    if (status == CLI_DONE && !options->quiet && !options->json)
        print_summary(options->out ? stdout : stderr, g, x);
    return status;
}

static int run_plan(const cli_options *options)
{
    base_error error;
    schedule_file *file = schedule_file_parse(NULL, 0, options->file, NULL, &error);
    if (!file)
        return cli_fail(CLI_BAD_INPUT, "%s", error.text);
    plan_options how = plan_options_default();
    how.overlap = options->dma;
    if (options->work_limit < (double)INT64_MAX / 1e9)
        how.work = (int64_t)fmax(options->work_limit * 1e9, 1);
    plan *x = plan_make(&file->problem, file->schedule, &how, &error);
    int status = x ? finish_plan(options, file, x)
                   : cli_fail(CLI_CHECK_FAILED, "%s: %s", options->file, error.text);
    plan_free(x);
    schedule_file_free(file);
    return status;
}

const cli_command cli_command_plan = {
    .name = "plan",
    .bit = CLI_PLAN,
    .file = "SCHEDULE",
    .summary = "turn a schedule into a plan that a device executes",
    .help = "Prints the steps - compute, page in, page out, free - with registers, a fixed "
            "address for every buffer in an arena within the budget, and the times at which they "
            "start without and with DMA. Page-ins are moved forward, as far as the budget allows, "
            "so that they arrive in time and do not contend for the bus; the remaining wait is "
            "reported as a stall. --format=json writes all of it, --format=binary the few hundred "
            "bytes "
            "for the device, --format=c the same as a C header for the runtime of devices "
            "(runtime/poet_runtime.h). Without --format, an --out FILE that ends in .json, .bin or "
            ".h has that form. `poetbnb check' executes a JSON or binary plan on a "
            "simulated memory.\n\n"
            "Exit status: 0 done, 1 the schedule breaks a rule, 2 bad usage or input, 3 "
            "proven: no addresses are within the budget, 5 none were found before the work limit "
            "(default: 3).",
    .run = run_plan,
};

/* ---- check ------------------------------------------------------------------ */

static void print_execution(const cli_options *options, const graph *g, const plan *x,
                            const plan_execution *found, const char *wrong)
{
    if (options->json) {
        cli_json_print(json_pack(
            "{s:b, s:s?, s:f, s:f, s:I, s:I, s:I, s:f, s:f, s:I, s:I, s:I}", "valid", !wrong,
            "rule", wrong, "energy_joules", found->energy_joules, "overhead_joules",
            found->overhead_joules, "peak_bytes", (json_int_t)found->peak_bytes, "arena_bytes",
            (json_int_t)found->arena_bytes, "ram_budget_bytes", (json_int_t)x->budget_bytes,
            "compute_seconds", found->compute_seconds, "transfer_seconds", found->transfer_seconds,
            "recompute_count", (json_int_t)found->recompute_count, "pagein_count",
            (json_int_t)found->pagein_count, "pageout_count", (json_int_t)found->pageout_count));
    } else if (!options->quiet) {
        printf("%s: %s\n", base_text_shown(cli_input_name(options)).text,
               wrong ? "the plan fails" : "executed: every read found its value");
        if (!wrong) {
            print_summary(stdout, g, x);
            printf("  Overhead        %.10g J, %s, %s, %s\n", found->overhead_joules,
                   base_text_counted(found->recompute_count, "recomputation").text,
                   base_text_counted(found->pagein_count, "page-in").text,
                   base_text_counted(found->pageout_count, "page-out").text);
        }
    }
    if (wrong)
        cli_fail(0, "%s: %s", options->file, wrong);
}

int cli_plan_check(const cli_options *options, const char *text, size_t size)
{
    base_error error;
    plan_file file;
    graph *given = NULL;
    if (options->graph && !(given = cli_graph_open(options)))
        return CLI_BAD_INPUT;
    if (plan_file_parse(text, size, cli_input_name(options), given, &file, &error) != 0) {
        graph_free(given);
        return cli_fail(CLI_BAD_INPUT, "%s", error.text);
    }
    const graph *g = file.graph ? file.graph : given;
    plan_execution found;
    bool good = plan_execute(g, file.plan, &found, &error) == 0;
    print_execution(options, g, file.plan, &found, good ? NULL : error.text);
    plan_file_clear(&file);
    graph_free(given);
    return good ? CLI_DONE : CLI_CHECK_FAILED;
}
