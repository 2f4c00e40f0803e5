#include "cli/exact_run.h"

#include <inttypes.h>

#include "cli/cli.h"
#include "cli/engine.h"
#include "cli/report.h"
#include "problem/json.h"

exact_params cli_exact_params(const cli_options *options, const base_limits *limits,
                              unsigned features, const cli_starts *starts, FILE *log)
{
    exact_params params = exact_params_default();
    params.threads = cli_threads(options);
    params.deterministic = options->deterministic || !options->no_deterministic;
    params.limits = *limits;
    params.node_limit = (long)options->node_limit;
    params.log = !log ? 0 : options->verbose ? 2 : 1;
    params.log_stream = log;
    params.seed = (uint64_t)options->seed;
    params.gap_relative = options->gap;
    params.features = features;
    params.tuning = options->tuning;
    params.heuristics = options->heuristics;
    params.starts = (const schedule *const *)starts->schedule;
    params.start_names = (const char *const *)starts->name;
    params.start_count = starts->count;
    return params;
}

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

const char *cli_exact_status(const exact_result *result)
{
    switch (result->status) {
    case EXACT_OPTIMAL:
        return "optimal";
    case EXACT_WITHIN_GAP:
        return "within gap";
    case EXACT_INFEASIBLE:
        return "infeasible";
    case EXACT_LIMIT:
        return result->schedule ? "feasible" : "unknown";
    case EXACT_FAILED:
        break;
    }
    return "failed";
}

/* What stopped a run that ended early. */
static const char *stop_name(const exact_result *result)
{
    if (result->stop != BASE_GO)
        return cli_stop_name(result->stop);
    return result->unproven ? "numerical trouble" : "node limit";
}

double cli_exact_gap(const exact_result *result)
{
    if (!result->schedule)
        return NAN;
    double overhead = result->validation.overhead_joules;
    double bound = fmax(result->bound_overhead_joules, 0);
    return bound >= overhead ? 0 : (overhead - bound) / overhead;
}

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

json_t *cli_exact_json(const problem *p, const exact_result *result, double seconds)
{
    json_t *object = json_object();
    json_object_set_new(object, "status", json_string(cli_exact_status(result)));
    json_object_set_new(object, "method", json_string("poetbnb"));
    json_object_set_new(object, "stopped_by",
                        result->status == EXACT_LIMIT ? json_string(stop_name(result))
                                                      : json_null());
    if (result->schedule) {
        cli_report_measures(object, p, &result->validation);
    } else {
        json_object_set_new(object, "base_joules", cli_json_real(graph_base_joules(p->graph)));
        json_object_set_new(object, "ram_budget_bytes", json_integer(p->ram_budget_bytes));
        json_object_set_new(object, "deadline_seconds", cli_json_real(p->deadline_seconds));
    }
    bool bounded = result->status != EXACT_INFEASIBLE && result->status != EXACT_FAILED;
    json_object_set_new(object, "lower_bound_overhead_joules",
                        cli_json_real(bounded ? result->bound_overhead_joules : NAN));
    json_object_set_new(object, "gap", cli_json_real(bounded ? cli_exact_gap(result) : NAN));
    json_object_set_new(object, "nodes", json_integer(result->nodes));
    json_object_set_new(object, "lp_iterations", json_integer(result->lp_iterations));
    json_object_set_new(object, "work", json_real(result->work));
    json_object_set_new(object, "cuts", json_integer(result->cuts));
    json_object_set_new(object, "root_bound_joules", cli_json_real(result->root_bound));
    json_object_set_new(object, "root_bound_cuts_joules", cli_json_real(result->root_bound_cuts));
    json_object_set_new(object, "seconds", cli_json_real(seconds));
    json_object_set_new(object, "first_incumbent_seconds",
                        cli_json_real(result->first_incumbent_seconds));
    json_object_set_new(object, "incumbent_source",
                        result->schedule ? cli_json_text(result->source) : json_null());
    json_object_set_new(object, "incumbents", incumbents_json(result));
    if (result->status == EXACT_INFEASIBLE) {
        json_object_set_new(object, "reason", cli_json_text(result->infeasible_reason));
        json_object_set_new(object, "minimum_bytes", json_integer(result->minimum_bytes));
    }
    return object;
}

/* For a schedule that is not proven optimal. */
static void print_gap(FILE *stream, const exact_result *result)
{
    if (result->bound_overhead_joules > 0)
        fprintf(
            stream,
            "No schedule saves more than %.4g %% of its overhead: none has less than %.10g J.\n",
            100 * cli_exact_gap(result), result->bound_overhead_joules);
    else
        fprintf(stream, "Nothing is proven yet about how much less is possible.\n");
}

static void print_headline(FILE *stream, const problem *p, const exact_result *result)
{
    char text[64];
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
        fprintf(stream, "Ended within the gap that was asked for: not proven optimal.\n");
        print_gap(stream, result);
        break;
    case EXACT_INFEASIBLE:
        fprintf(stream, "Proven infeasible: %s.\n", result->infeasible_reason);
        if (result->minimum_bytes > p->ram_budget_bytes)
            fprintf(stream, "No schedule fits into less than %s.\n",
                    cli_format_bytes(result->minimum_bytes, text, sizeof text));
        break;
    case EXACT_LIMIT:
        fprintf(stream, "Stopped by the %s %s.\n", stop_name(result),
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
                result->bound_overhead_joules, 100 * cli_exact_gap(result));
        fprintf(stream, "  Found by        %s; the first schedule after %.2f s\n", result->source,
                result->first_incumbent_seconds);
    }
    fprintf(stream, "  Work            %ld node%s, %ld LP iterations, %ld cuts, %.3g, %.2f s\n",
            result->nodes, result->nodes == 1 ? "" : "s", result->lp_iterations, result->cuts,
            result->work, seconds);
}

void cli_exact_write(FILE *stream, const problem *p, const exact_result *result)
{
    static char method[] = "poetbnb";
    char status[16];
    snprintf(status, sizeof status, "%s", cli_exact_status(result));
    schedule_file file = {.graph = (graph *)p->graph, /* only read */
                          .problem = *p,
                          .schedule = result->schedule,
                          .method = method,
                          .status = status,
                          .energy_joules = result->validation.energy_joules,
                          .overhead_joules = result->validation.overhead_joules,
                          .lower_bound_overhead_joules = result->bound_overhead_joules,
                          .compute_seconds = result->validation.compute_seconds,
                          .peak_bytes = result->validation.peak_bytes};
    schedule_file_print(&file, stream);
    fputc('\n', stream);
}
