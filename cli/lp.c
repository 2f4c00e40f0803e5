/* poetbnb lp: the simplex alone, on any model in a file. */
#include <string.h>

#include "bnb/bnb.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/parameters.h"
#include "cli/report.h"
#include "lp/refine.h"
#include "lp/safe.h"
#include "lp/simplex.h"

/* A run of the simplex, and its results. */
typedef struct lp_run {
    cli_engine *engine;
    lp_params params;
    lp_solver *solver; /* NULL: a limit ended it in the middle of something */
    lp_status status;
    bool proven; /* the answer holds in spite of rounding errors; false where none is claimed */
    double bound;
    /* of a point that the simplex calls optimal; NULL and unset without one */
    double *x, *y, *low;   /* extents cols, rows, rows: the point, its multipliers y + low */
    double objective, gap; /* gap: relative to bnb_gap_unit */
    double miss;           /* largest miss of a side, in parts of the rule's tolerance */
    int missed;            /* the column with that miss, or cols + its row */
} lp_run;

static double largest_gap(void)
{
    return bnb_params_default().gap_relative;
}

/* The rule of CLI_ENGINE_RULE: sides that the point misses, row by row, and the gap that its
 * multipliers leave. */
static bool is_optimum(const lp_run *r)
{
    return r->miss <= 1.0 && r->gap <= largest_gap();
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

static double gap_to(const lp_run *r, double bound)
{
    const double gap = fmax(0.0, r->objective - bound);
    return gap == 0.0 ? 0.0 : gap / bnb_gap_unit(r->objective, bnb_least_cost(r->engine->model));
}

/* Bound, gap and misses of the point at hand. Where the multipliers prove too little of a model
 * with an open column, the bound that they make likely counts. */
static void verify_point(lp_run *r)
{
    const lp_model *model = r->engine->model;
    r->objective = lp_model_objective(model, r->x);
    r->miss = cli_engine_miss(r->engine, r->x, &r->missed);
    r->bound = fmax(lp_safe_bound(model, NULL, NULL, r->y, NULL),
                    lp_safe_bound_fine(model, NULL, NULL, r->y, r->low));
    r->gap = gap_to(r, r->bound);
    r->proven = isfinite(r->bound);
    if (r->gap <= largest_gap() || lp_open_column(model) < 0)
        return;
    const double unproven = fmin(r->objective, lp_unproven_bound(model, NULL, NULL, r->y, r->low));
    if (unproven > r->bound) {
        r->bound = unproven;
        r->gap = gap_to(r, unproven);
        r->proven = false;
    }
}

static void drop_point(lp_run *r)
{
    base_free_all(r->x, r->y, r->low);
    r->x = r->y = r->low = NULL;
}

/* The answer that a point and the end of its refinement leave. */
static void set_final_status(lp_run *r, lp_status refined)
{
    if (refined == LP_INFEASIBLE) {
        r->status = LP_INFEASIBLE;
        r->proven = true;
        drop_point(r);
    } else if (!is_optimum(r)) {
        r->status = LP_NUMERICAL_TROUBLE;
    }
}

static void copy_point(const lp_run *from, lp_run *to)
{
    const lp_model *model = from->engine->model;
    *to = *from;
    to->x = base_copy(from->x, (size_t)model->cols, sizeof(double));
    to->y = base_copy(from->y, (size_t)model->rows, sizeof(double));
    to->low = base_copy(from->low, (size_t)model->rows, sizeof(double));
}

/* Turns the simplex's optimum within tolerances into an optimum by CLI_ENGINE_RULE, with a proof
 * if possible; else into trouble. */
static void verify_optimum(lp_run *r)
{
    const lp_model *model = r->engine->model;
    unsigned char *basis = base_malloc((size_t)model->cols + (size_t)model->rows + 1, 1);
    lp_run fallback = *r;
    lp_get_basis(r->solver, basis);
    r->x = base_copy(lp_primal(r->solver), (size_t)model->cols, sizeof(double));
    r->y = base_copy(lp_dual(r->solver), (size_t)model->rows, sizeof(double));
    r->low = base_calloc((size_t)model->rows + 1, sizeof *r->low);
    verify_point(r);
    lp_status status = LP_OPTIMAL;
    for (int k = 0; k < LP_REFINEMENTS && status == LP_OPTIMAL; k++) {
        if (is_optimum(r)) {
            if (r->proven)
                break;
            drop_point(&fallback);
            copy_point(r, &fallback);
        }
        status = lp_refine(r->solver, basis, r->x, r->y, r->low);
        if (status == LP_OPTIMAL)
            verify_point(r);
    }
    base_free(basis);
    if (!is_optimum(r) && fallback.x) {
        drop_point(r);
        *r = fallback;
    } else {
        drop_point(&fallback);
        set_final_status(r, status);
    }
}

/* Sets r->proven by the multipliers or the ray. Infeasibility without a proof is numerical
 * trouble if all columns have finite bounds. */
static void verify_result(lp_run *r)
{
    const lp_model *model = r->engine->model;
    int missed;
    r->proven = false;
    r->bound = lp_dual_objective(r->solver);
    if (r->status == LP_OPTIMAL) {
        verify_optimum(r);
    } else if (r->status == LP_INFEASIBLE) {
        r->proven = lp_farkas_is_proof(model, NULL, NULL, lp_farkas(r->solver));
        if (!r->proven && lp_open_column(model) < 0)
            r->status = LP_NUMERICAL_TROUBLE;
    } else if (r->status == LP_UNBOUNDED) {
        r->proven = lp_ray_is_proof(model, lp_ray(r->solver));
        if (cli_engine_miss(r->engine, lp_primal(r->solver), &missed) > 1.0)
            r->status = LP_NUMERICAL_TROUBLE;
    }
}

static void solve_once(lp_run *r)
{
    r->x = r->y = r->low = NULL;
    r->solver = lp_solver_create(r->engine->model, &r->params);
    r->status = lp_solve(r->solver);
    verify_result(r);
}

static void clear(lp_run *r)
{
    lp_solver_free(r->solver);
    r->solver = NULL;
    drop_point(r);
}

/* Solves; without an answer, or without a point, once more with wider sides, which counts if it is
 * an answer. */
static void solve_step(void *data)
{
    lp_run *r = data;
    solve_once(r);
    if (r->status != LP_INFEASIBLE && r->status != LP_NUMERICAL_TROUBLE)
        return;
    lp_run narrow = *r;
    cli_engine_widen(r->engine);
    solve_once(r);
    if (r->status == LP_NUMERICAL_TROUBLE && narrow.x) {
        clear(r);
        *r = narrow;
        cli_engine_narrow(r->engine);
    } else {
        clear(&narrow);
    }
}

static cli_answer make_answer(const lp_run *r)
{
    cli_answer answer = {.status = lp_status_name(r->status),
                         .objective = NAN,
                         .bound = NAN,
                         .proven = r->proven && r->status != LP_NUMERICAL_TROUBLE,
                         .stopped = exit_status(r->status) == CLI_LIMIT_NOTHING,
                         .iterations = r->solver ? lp_iterations(r->solver) : 0};
    if (r->x) {
        answer.objective = r->objective;
        answer.miss = r->miss;
        answer.missed = r->missed;
    }
    if (r->x || (r->solver && exit_status(r->status) == CLI_LIMIT_NOTHING))
        answer.bound = r->bound;
    return answer;
}

/* Writes the solution file: of an optimum. */
static int write_solution(const lp_run *r, const cli_answer *answer)
{
    const lp_model *model = r->engine->model;
    double *activity = base_calloc((size_t)model->rows + 1, sizeof *activity);
    double *d = base_copy(model->cost, (size_t)model->cols, sizeof(double));
    for (int j = 0; j < model->cols; j++)
        for (int k = model->start[j]; k < model->start[j + 1]; k++) {
            activity[model->index[k]] += model->value[k] * r->x[j];
            d[j] -= model->value[k] * r->y[model->index[k]];
        }
    const int written = cli_engine_write(r->engine, answer, r->x, d, activity, r->y);
    base_free(activity);
    base_free(d);
    return written;
}

static int report(const cli_options *options, const lp_run *r)
{
    cli_answer answer = make_answer(r);
    if (options->json)
        answer.more = json_pack("{so}", "gap", cli_json_real(r->x ? r->gap : NAN));
    cli_engine_print(options, r->engine, &answer);
    if (r->x && !options->json)
        printf("Gap        %.2g\n", r->gap);
    const int failed = r->status == LP_OPTIMAL ? write_solution(r, &answer) : 0;
    return failed ? failed : exit_status(r->status);
}

static int run_lp(const cli_options *options)
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
    r.params.log = options->verbose;
    const base_stop why = base_try(&engine.limits, solve_step, &r);
    if (why != BASE_GO) {
        r.solver = NULL; /* freed with the rest of the unfinished work */
        r.x = r.y = r.low = NULL;
        r.status = lp_limit_status(why);
    }
    int status = report(options, &r);
    clear(&r);
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
            "Exit status: 0 optimal, 1 numerical trouble, 2 bad input, 3 "
            "infeasible or unbounded (`status' says which), 5 stopped by a limit.",
    .run = run_lp,
};
