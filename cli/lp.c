/* poetbnb lp: the simplex alone, on any model in a file. */
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/parameters.h"
#include "cli/report.h"
#include "lp/exact_proof.h"
#include "lp/presolve.h"
#include "lp/rational.h"
#include "lp/safe.h"

/* What --check found: the proof that belongs to the status, judged on the model as read. */
typedef struct lp_verdict {
    bool holds;
    const char *proof; /* what was checked */
    lp_kkt kkt;        /* of an optimum */
    double scale_row, scale_cost;
    bool has_safe_bound;
    double safe_bound;
} lp_verdict;

/* Violations are judged relative to the largest number that a row side, bound or cost
 * has in the model. */
static const double check_tolerance = 1e-6;

static double largest(const double *values, int count, double so_far)
{
    for (int k = 0; k < count; k++)
        if (isfinite(values[k]))
            so_far = fmax(so_far, fabs(values[k]));
    return so_far;
}

static void check_optimum(const lp_model *model, const double *x, const double *y, lp_verdict *v)
{
    v->proof = "optimality conditions";
    v->scale_row = largest(model->row_lower, model->rows, 1);
    v->scale_row = largest(model->row_upper, model->rows, v->scale_row);
    v->scale_cost = largest(model->cost, model->cols, 1);
    v->kkt = lp_kkt_check(model, x, y);
    v->safe_bound = lp_safe_bound(model, NULL, NULL, y, NULL);
    v->has_safe_bound = true;
    v->holds = v->kkt.primal_row <= check_tolerance * v->scale_row &&
               v->kkt.primal_bound <= check_tolerance * v->scale_row &&
               v->kkt.dual <= check_tolerance * v->scale_cost &&
               v->kkt.complementarity <= check_tolerance;
}

/* An answer of rational arithmetic is judged as it was before rounding. */
static void check_exactly(const lp_model *model, const lp_answer *found, lp_verdict *v)
{
    v->proof = found->status == LP_OPTIMAL      ? "exact optimality conditions"
               : found->status == LP_INFEASIBLE ? "exact Farkas ray"
                                                : "exact unbounded ray";
    v->holds = lp_exact_proof_holds(model, found->status, found->exact_proof);
    v->has_safe_bound = v->holds && found->status == LP_OPTIMAL;
    v->safe_bound = found->dual_objective;
}

/* *v enters as "nothing claimed". */
static void check_answer(const lp_model *model, const lp_answer *found, lp_verdict *v)
{
    switch (found->status) {
    case LP_OPTIMAL:
        check_optimum(model, found->x, found->y, v);
        break;
    case LP_INFEASIBLE:
        v->proof = "Farkas ray";
        v->holds = lp_farkas_is_proof(model, NULL, NULL, found->farkas);
        break;
    case LP_UNBOUNDED:
        v->proof = "unbounded ray";
        v->holds = lp_ray_is_proof(model, found->ray);
        break;
    default: /* nothing is claimed */
        break;
    }
    if (!v->holds && found->exact_proof)
        check_exactly(model, found, v);
}

static json_t *verdict_json(const lp_verdict *v)
{
    json_t *check = json_object();
    json_object_set_new(check, "holds", json_boolean(v->holds));
    json_object_set_new(check, "proof", v->proof ? json_string(v->proof) : json_null());
    if (v->scale_cost > 0) {
        json_object_set_new(check, "primal_row", cli_json_real(v->kkt.primal_row));
        json_object_set_new(check, "primal_bound", cli_json_real(v->kkt.primal_bound));
        json_object_set_new(check, "dual", cli_json_real(v->kkt.dual));
        json_object_set_new(check, "complementarity", cli_json_real(v->kkt.complementarity));
    }
    if (v->has_safe_bound)
        json_object_set_new(check, "safe_bound", cli_json_real(v->safe_bound));
    return check;
}

static void verdict_print(const lp_verdict *v)
{
    if (!v->proof) {
        printf("Check      nothing claimed, nothing to check\n");
        return;
    }
    printf("Check      %s: %s\n", v->proof, v->holds ? "holds" : "FAILED");
    if (v->scale_cost > 0)
        printf("           largest violation: row %.2g, bound %.2g, dual %.2g; gap %.2g\n",
               v->kkt.primal_row, v->kkt.primal_bound, v->kkt.dual, v->kkt.complementarity);
}

static int exit_status(lp_status status)
{
    switch (status) {
    case LP_OPTIMAL:
        return CLI_DONE;
    case LP_INFEASIBLE:
    case LP_UNBOUNDED:
        return CLI_NO_OPTIMUM;
    case LP_NUMERICAL_TROUBLE:
        return CLI_CHECK_FAILED;
    default:
        return CLI_LIMIT_NOTHING;
    }
}

static bool is_presolved(const cli_options *options)
{
    return strcmp(options->presolve, "on") == 0;
}

static cli_answer make_answer(const lp_answer *found)
{
    lp_status status = found->status;
    cli_answer answer = {.status = lp_status_name(status),
                         .objective = NAN,
                         .bound = NAN,
                         .iterations = found->iterations};
    if (status == LP_OPTIMAL)
        answer.objective = found->objective;
    if (status == LP_OPTIMAL || exit_status(status) == CLI_LIMIT_NOTHING)
        answer.bound = found->dual_objective;
    return answer;
}

/* The exact objective with the sign of the model as it was written; NULL when there is none, else
 * the caller frees it. */
static char *exact_objective(const cli_engine *engine, const lp_answer *found)
{
    const char *minimised = found->exact_objective;
    if (!minimised)
        return NULL;
    const bool negative = minimised[0] == '-';
    const size_t size = strlen(minimised) + 2;
    char *shown = base_malloc(size, 1);
    if (!engine->model->maximize || strcmp(minimised, "0") == 0)
        snprintf(shown, size, "%s", minimised);
    else
        snprintf(shown, size, "%s%s", negative ? "" : "-", minimised + negative);
    return shown;
}

static json_t *exact_json(const cli_engine *engine, const lp_answer *found)
{
    char *objective = exact_objective(engine, found);
    json_t *exact = json_pack("{ss?,sI}", "objective", objective, "iterations",
                              (json_int_t)found->exact_iterations);
    base_free(objective);
    return exact;
}

static void exact_print(const cli_engine *engine, const lp_answer *found)
{
    char *objective = exact_objective(engine, found);
    printf("Exact      %s%s%ld iterations in rational arithmetic\n", objective ? objective : "",
           objective ? ", " : "", found->exact_iterations);
    base_free(objective);
}

/* Further members of the JSON object. */
static json_t *more_json(const cli_options *options, const cli_engine *engine,
                         const lp_answer *found, const lp_verdict *verdict)
{
    json_t *more = json_object();
    if (is_presolved(options))
        json_object_set_new(more, "presolved",
                            json_pack("{si,si,si,sI}", "rows", found->reduced.rows, "columns",
                                      found->reduced.cols, "entries", found->reduced.entries,
                                      "clean_up_iterations",
                                      (json_int_t)found->clean_up_iterations));
    if (options->exact)
        json_object_set_new(more, "exact", exact_json(engine, found));
    if (options->check)
        json_object_set_new(more, "check", verdict_json(verdict));
    return more;
}

static int report(const cli_options *options, cli_engine *engine, const lp_answer *found)
{
    cli_answer answer = make_answer(found);
    int result = exit_status(found->status);
    lp_verdict verdict = {.holds = true};
    if (options->check) {
        if (options->exact && found->exact_proof)
            check_exactly(engine->model, found, &verdict);
        else
            check_answer(engine->model, found, &verdict);
        if (!verdict.holds)
            result = CLI_CHECK_FAILED;
    }
    if (options->json)
        answer.more = more_json(options, engine, found, &verdict);
    cli_engine_print(options, engine, &answer);
    if (is_presolved(options) && !options->json)
        printf("Presolve   left %d rows, %d columns, %d entries\n", found->reduced.rows,
               found->reduced.cols, found->reduced.entries);
    if (options->exact && !options->json)
        exact_print(engine, found);
    if (options->check && !options->json)
        verdict_print(&verdict);
    if (!verdict.holds)
        cli_fail(0, "%s: the %s of the answer '%s' did not pass the check", options->file,
                 verdict.proof, answer.status);
    if (found->status == LP_OPTIMAL) {
        int written =
            cli_engine_write(engine, &answer, found->x, found->d, found->activity, found->y);
        if (written)
            return written;
    }
    return result;
}

static lp_method method_of(const cli_options *options)
{
    return strcmp(options->method, "primal") == 0 ? LP_METHOD_PRIMAL : LP_METHOD_DUAL;
}

static lp_answer *solve_without_presolve(const lp_model *model, const lp_params *params)
{
    lp_solver *solver = lp_solver_create(model, params);
    lp_solve(solver);
    lp_answer *found = lp_answer_of(solver);
    lp_solver_free(solver);
    return found;
}

static bool is_limit(lp_status status)
{
    return exit_status(status) == CLI_LIMIT_NOTHING;
}

/* A run of the simplex, then of rational arithmetic. */
typedef struct lp_run {
    const cli_options *options;
    const lp_model *model;
    const lp_params *params;
    lp_answer *found, *exact;
} lp_run;

static void solve_step(void *data)
{
    lp_run *r = data;
    r->found = is_presolved(r->options) ? lp_presolve_solve(r->model, r->params)
                                        : solve_without_presolve(r->model, r->params);
}

static void exact_step(void *data)
{
    lp_run *r = data;
    r->exact = lp_rational_solve(r->model, r->found->basis, r->params, INFINITY);
}

/* The answer of rational arithmetic, from where double precision ended. */
static void solve_exactly(lp_run *r)
{
    const base_stop why = base_try(&r->params->limits, exact_step, r);
    lp_answer *found = r->found;
    lp_answer *exact = why == BASE_GO ? r->exact : lp_answer_create(lp_limit_status(why));
    exact->iterations += found->iterations;
    exact->clean_up_iterations = found->clean_up_iterations;
    exact->cleaned_up = found->cleaned_up;
    exact->reduced = found->reduced;
    if (is_limit(exact->status))
        exact->dual_objective = found->dual_objective;
    lp_answer_free(found);
    r->found = exact;
}

static int run(const cli_options *options)
{
    cli_engine engine;
    int failed = cli_engine_open(options, &engine);
    if (failed)
        return failed;
    if (!options->quiet && !options->json)
        cli_parameters_print_changed(stdout, &options->tuning);
    lp_params params = lp_params_default();
    params.limits = engine.limits;
    params.tuning = options->tuning.lp;
    params.method = method_of(options);
    params.seed = (uint64_t)options->seed;
    if (options->verbose)
        params.log = 2;
    else if (!options->quiet && isatty(STDERR_FILENO))
        params.log = 1;

    lp_run r = {options, engine.model, &params, NULL, NULL};
    const base_stop why = base_try(&engine.limits, solve_step, &r);
    if (why != BASE_GO)
        r.found = lp_answer_create(lp_limit_status(why));
    if (options->exact && !is_limit(r.found->status))
        solve_exactly(&r);
    int status = report(options, &engine, r.found);
    lp_answer_free(r.found);
    cli_engine_close(&engine);
    return status;
}

const cli_command cli_command_lp = {
    .name = "lp",
    .bit = CLI_LP,
    .file = "FILE",
    .summary = "solve a linear programme from an MPS or LP file",
    .help = "Solves the model in FILE (MPS, free or fixed, or CPLEX-LP) with the simplex "
            "method; integrality is ignored. The model is reduced before (--presolve) and the "
            "answer taken back, so that all that is printed, checked and written is of the model "
            "in FILE. With --json the object has at least the members status, objective, bound, "
            "iterations, nodes and seconds, and with presolve what it left as presolved.\n\n"
            "Exit status: 0 optimal, 1 numerical trouble or a failed --check, 2 bad input, "
            "3 proven infeasible or unbounded (`status' says which), 5 stopped by a limit.",
    .run = run,
};
