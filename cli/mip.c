/* poetbnb mip: the branch and bound alone, on any model in a file. */
#include <unistd.h>

#include "bnb/bnb.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/parameters.h"
#include "cli/report.h"

static int exit_status(const bnb_result *result)
{
    switch (result->status) {
    case BNB_OPTIMAL:
        return CLI_DONE;
    case BNB_INFEASIBLE:
    case BNB_UNBOUNDED:
        return CLI_NO_OPTIMUM;
    case BNB_TROUBLE:
        return CLI_CHECK_FAILED;
    default:
        return result->has_solution ? CLI_LIMIT : CLI_LIMIT_NOTHING;
    }
}

/* Least relative gap: rounding errors of an objective with terms of both signs. */
static const double least_gap = 1e-12;

static bnb_params make_params(const cli_options *options, const cli_engine *engine)
{
    bnb_params params = bnb_params_default();
    params.limits = engine->limits;
    params.threads = cli_threads(options);
    params.seed = (uint64_t)options->seed;
    params.node_limit = (long)options->node_limit;
    params.gap_relative = fmax(options->gap, least_gap);
    params.tuning = options->tuning.bnb;
    params.lp = options->tuning.lp;
    if (options->json) {
        /* standard output belongs to the object */
        params.log_stream = stderr;
        params.log = options->verbose || (!options->quiet && isatty(STDERR_FILENO));
    } else {
        params.log_stream = stdout;
        params.log = !options->quiet;
    }
    if (options->log)
        params.log = 1;
    return params;
}

static json_t *tree_json(const cli_options *options, const cli_engine *engine,
                         const bnb_result *result)
{
    return json_pack("{s:o, s:o, s:o, s:I, s:I, s:i}", "gap",
                     cli_json_real(result->has_solution ? result->gap : NAN), "root_bound",
                     cli_json_real(cli_engine_shown(engine, result->root_bound)), "root_bound_cuts",
                     cli_json_real(cli_engine_shown(engine, result->root_bound_cuts)), "cuts",
                     (json_int_t)result->cuts, "open_nodes", (json_int_t)result->open_nodes,
                     "threads", cli_threads(options));
}

/* As in solve, `optimal' means a gap within 1e-9, even if a larger gap was asked for. */
static const char *status_name(const bnb_result *result)
{
    if (result->status == BNB_OPTIMAL && !(result->gap <= bnb_params_default().gap_relative))
        return "within gap";
    return bnb_status_name(result->status);
}

static int report(const cli_options *options, cli_engine *engine, const bnb_result *result)
{
    bool decided = result->status == BNB_INFEASIBLE || result->status == BNB_UNBOUNDED;
    bool solved = result->has_solution && !decided;
    cli_answer answer = {.status = status_name(result),
                         .objective = solved ? result->objective : NAN,
                         .bound = decided ? NAN : result->bound,
                         .proven = result->proven && result->status != BNB_TROUBLE,
                         .iterations = result->iterations,
                         .nodes = result->nodes,
                         .with_nodes = true};
    if (options->json)
        answer.more = tree_json(options, engine, result);
    cli_engine_print(options, engine, &answer);
    if (solved && !options->json && isfinite(result->gap))
        printf("Gap        %.2g\n", result->gap);
    if (solved) {
        int written = cli_engine_write(engine, &answer, result->x, NULL, NULL, NULL);
        if (written)
            return written;
    }
    return exit_status(result);
}

/* Solves; without an answer, or without a point, once more with wider sides, which counts if it is
 * an answer. */
static bnb_result solve_mip(cli_engine *engine, bnb_params params)
{
    bnb_result result = bnb_solve(engine->model, &params, NULL);
    if (result.status != BNB_INFEASIBLE && result.status != BNB_TROUBLE)
        return result;
    if (params.log)
        fprintf(params.log_stream, "%s: again, all sides and bounds wider by 1e-6\n",
                result.status == BNB_TROUBLE ? "No answer" : "No point meets all rows and bounds");
    cli_engine_widen(engine);
    params.feasibility = cli_engine_room(engine);
    bnb_result wider = bnb_solve(engine->model, &params, NULL);
    const bool answers = wider.status != BNB_TROUBLE || !result.has_solution;
    bnb_result_clear(answers ? &result : &wider);
    if (answers)
        return wider;
    cli_engine_narrow(engine);
    return result;
}

static int run_mip(const cli_options *options)
{
    cli_engine engine;
    int failed = cli_engine_open(options, &engine);
    if (failed)
        return failed;
    bnb_params params = make_params(options, &engine);
    if (cli_log_open(options, params.log_stream, &params.log_stream) != 0) {
        cli_engine_close(&engine);
        return CLI_BAD_INPUT;
    }
    if (params.log)
        cli_parameters_print_changed(params.log_stream, &options->tuning);
    bnb_result result = solve_mip(&engine, params);
    int status = report(options, &engine, &result);
    const int unwritten = cli_log_close(options, params.log_stream);
    if (unwritten)
        status = unwritten;
    bnb_result_clear(&result);
    cli_engine_close(&engine);
    return status;
}

const cli_command cli_command_mip = {
    .name = "mip",
    .bit = CLI_MIP,
    .file = "FILE",
    .summary = "solve a mixed-integer programme from an MPS or LP file",
    .help = "Solves the model in FILE (MPS, free or fixed, or CPLEX-LP) with the branch and "
            "bound that `solve' uses. With --json the object has at least the members status, "
            "objective, bound, iterations, nodes and seconds.\n\n" CLI_ENGINE_RULE "\n\n"
            "`within gap' means that the gap is at most the given --gap (a --gap below 1e-12 "
            "counts as 1e-12). An integer column without bounds may make the search "
            "endless.\n\n"
            "Exit status: 0 optimal, or within the given --gap, 1 numerical trouble "
            "left nodes without a proof, 2 bad "
            "input, 3 infeasible or unbounded (`status' says which), 4 stopped by a "
            "limit with a solution, 5 stopped by a limit without one.",
    .run = run_mip,
};
