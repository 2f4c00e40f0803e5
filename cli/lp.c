/* poetbnb lp: the simplex alone, on any model in a file. */
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/parameters.h"
#include "cli/report.h"
#include "lp/safe.h"
#include "lp/simplex.h"

/* What --check found: the proof that belongs to the status, judged on the model that was solved. */
typedef struct lp_verdict {
    bool holds;
    const char *proof; /* what was checked */
    lp_kkt kkt;        /* of an optimum */
    double scale_row, scale_cost;
} lp_verdict;

/* Violations are judged relative to the largest number that a row side, bound or cost
 * has in the model. */
static const double check_tolerance = 1e-6;

static double largest(const double *values, int count)
{
    double most = 0;
    for (int k = 0; k < count; k++)
        if (isfinite(values[k]))
            most = fmax(most, fabs(values[k]));
    return most;
}

static void check_optimum(const lp_model *model, const double *x, const double *y, lp_verdict *v)
{
    v->proof = "optimality conditions";
    v->scale_row = fmax(
        1, fmax(largest(model->row_lower, model->rows), largest(model->row_upper, model->rows)));
    v->scale_cost = largest(model->cost, model->cols);
    if (v->scale_cost == 0)
        v->scale_cost = 1;
    v->kkt = lp_kkt_check(model, x, y);
    v->holds = v->kkt.primal_row <= check_tolerance * v->scale_row &&
               v->kkt.primal_bound <= check_tolerance * v->scale_row &&
               v->kkt.dual <= check_tolerance * v->scale_cost &&
               v->kkt.complementarity <= check_tolerance;
}

/* *v enters as "nothing claimed". */
static void check_answer(const lp_model *model, const lp_solver *s, lp_status status, lp_verdict *v)
{
    switch (status) {
    case LP_OPTIMAL:
        check_optimum(model, lp_primal(s), lp_dual(s), v);
        break;
    case LP_INFEASIBLE:
        v->proof = "Farkas ray";
        v->holds = lp_farkas_is_proof(model, NULL, NULL, lp_farkas(s));
        break;
    case LP_UNBOUNDED:
        v->proof = "unbounded ray";
        v->holds = lp_ray_is_proof(model, lp_ray(s));
        break;
    default: /* nothing is claimed */
        break;
    }
}

static json_t *verdict_json(const lp_verdict *v)
{
    json_t *check = json_object();
    json_object_set_new(check, "holds", json_boolean(v->holds));
    json_object_set_new(check, "proof", v->proof ? json_string(v->proof) : json_null());
    if (v->scale_row > 0) {
        json_object_set_new(check, "primal_row", cli_json_real(v->kkt.primal_row));
        json_object_set_new(check, "primal_bound", cli_json_real(v->kkt.primal_bound));
        json_object_set_new(check, "dual", cli_json_real(v->kkt.dual));
        json_object_set_new(check, "complementarity", cli_json_real(v->kkt.complementarity));
    }
    return check;
}

static void verdict_print(const lp_verdict *v)
{
    if (!v->proof) {
        printf("Check      nothing claimed, nothing to check\n");
        return;
    }
    printf("Check      %s: %s\n", v->proof, v->holds ? "holds" : "FAILED");
    if (v->scale_row > 0)
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

/* A run of the simplex. solver: NULL where a limit ended it in the middle of something, whose
 * status is then the answer. */
typedef struct lp_run {
    cli_engine *engine;
    lp_params params;
    lp_solver *solver;
    lp_status status;
    bool proven; /* the answer holds in spite of rounding errors; false where none is claimed */
    double bound;
} lp_run;

/* The bound of an optimum that its multipliers prove; elsewhere, and where that is none, what the
 * simplex says. */
static void take_bound(lp_run *r)
{
    const lp_model *model = r->engine->model;
    r->proven = false;
    r->bound = lp_dual_objective(r->solver);
    if (r->status == LP_OPTIMAL) {
        const double safe = lp_safe_bound(model, NULL, NULL, lp_dual(r->solver), NULL);
        r->proven = isfinite(safe);
        r->bound = r->proven ? safe : r->bound;
    } else if (r->status == LP_INFEASIBLE) {
        r->proven = lp_farkas_is_proof(model, NULL, NULL, lp_farkas(r->solver));
    } else if (r->status == LP_UNBOUNDED) {
        r->proven = lp_ray_is_proof(model, lp_ray(r->solver));
    }
}

static void solve_once(lp_run *r)
{
    lp_solver_free(r->solver);
    r->solver = lp_solver_create(r->engine->model, &r->params);
    r->status = lp_solve(r->solver);
}

static void solve_step(void *data)
{
    lp_run *r = data;
    solve_once(r);
    if (r->status == LP_INFEASIBLE) {
        cli_engine_widen(r->engine);
        solve_once(r);
    }
    take_bound(r);
}

static cli_answer make_answer(const lp_run *r)
{
    cli_answer answer = {.status = lp_status_name(r->status),
                         .objective = NAN,
                         .bound = NAN,
                         .proven = r->proven,
                         .stopped = exit_status(r->status) == CLI_LIMIT_NOTHING,
                         .iterations = r->solver ? lp_iterations(r->solver) : 0};
    if (r->status == LP_OPTIMAL)
        answer.objective = lp_objective(r->solver);
    if (r->solver && (r->status == LP_OPTIMAL || exit_status(r->status) == CLI_LIMIT_NOTHING))
        answer.bound = r->bound;
    return answer;
}

static int report(const cli_options *options, lp_run *r)
{
    cli_answer answer = make_answer(r);
    int result = exit_status(r->status);
    lp_verdict verdict = {.holds = true};
    if (options->check) {
        check_answer(r->engine->model, r->solver, r->status, &verdict);
        if (!verdict.holds)
            result = CLI_CHECK_FAILED;
        if (options->json)
            answer.more = json_pack("{so}", "check", verdict_json(&verdict));
    }
    cli_engine_print(options, r->engine, &answer);
    if (options->check && !options->json)
        verdict_print(&verdict);
    if (!verdict.holds)
        cli_fail(0, "%s: the %s of the answer '%s' did not pass the check", options->file,
                 verdict.proof, answer.status);
    if (r->status == LP_OPTIMAL) {
        int written =
            cli_engine_write(r->engine, &answer, lp_primal(r->solver), lp_reduced_cost(r->solver),
                             lp_activity(r->solver), lp_dual(r->solver));
        if (written)
            return written;
    }
    return result;
}

static int run(const cli_options *options)
{
    cli_engine engine;
    int failed = cli_engine_open(options, &engine);
    if (failed)
        return failed;
    if (!options->quiet && !options->json)
        cli_parameters_print_changed(stdout, &options->tuning);
    lp_run r = {.engine = &engine, .params = lp_params_default()};
    r.params.limits = engine.limits;
    r.params.tuning = options->tuning.lp;
    r.params.method = strcmp(options->method, "primal") == 0 ? LP_METHOD_PRIMAL : LP_METHOD_DUAL;
    r.params.seed = (uint64_t)options->seed;
    if (options->verbose)
        r.params.log = 2;
    else if (!options->quiet && isatty(STDERR_FILENO))
        r.params.log = 1;
    const base_stop why = base_try(&engine.limits, solve_step, &r);
    if (why != BASE_GO) {
        r.solver = NULL; /* went with the rest of what was unfinished */
        r.status = lp_limit_status(why);
    }
    int status = report(options, &r);
    lp_solver_free(r.solver);
    cli_engine_close(&engine);
    return status;
}

const cli_command cli_command_lp = {
    .name = "lp",
    .bit = CLI_LP,
    .file = "FILE",
    .summary = "solve a linear programme from an MPS or LP file",
    .help = "Solves the model in FILE (MPS, free or fixed, or CPLEX-LP) with the simplex method; "
            "integrality is ignored. With --json the object has at least the members status, "
            "objective, bound, proven, widened, iterations, nodes and seconds.\n\n" CLI_ENGINE_RULE
            "\n\n"
            "Exit status: 0 optimal, 1 numerical trouble or a failed --check, 2 bad input, 3 "
            "infeasible or unbounded (`status' says which), 5 stopped by a limit.",
    .run = run,
};
