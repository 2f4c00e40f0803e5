/* Solvers: settings, callbacks, and the solve. */
#include <math.h>
#include <string.h>

#include "certificate/write.h"
#include "formulation/formulation.h"
#include "library/library.h"
#include "library/problem.h"

/* ---- handles and settings ------------------------------------------------------------------ */

static void create_step(void *data)
{
    poetbnb_solver **made = data;
    poetbnb_solver *solver = base_calloc(1, sizeof *solver);
    library_settings_init(&solver->settings);
    *made = solver;
}

poetbnb_solver *poetbnb_solver_create(poetbnb_graph *handle, poetbnb_error *error)
{
    poetbnb_solver *solver = NULL;
    if (!library_run(create_step, &solver, error))
        return NULL;
    solver->graph = library_graph_share(handle);
    return solver;
}

void poetbnb_solver_free(poetbnb_solver *solver)
{
    if (!solver)
        return;
    poetbnb_graph_free(solver->graph);
    library_settings_clear(&solver->settings);
    base_free(solver);
}

typedef struct setting {
    poetbnb_solver *solver;
    const char *name, *value;
    int failed;
    base_error error;
} setting;

static void set_step(void *data)
{
    setting *s = data;
    s->failed = library_settings_set(&s->solver->settings, s->name, s->value, &s->error);
}

int poetbnb_set(poetbnb_solver *solver, const char *name, const char *value, poetbnb_error *error)
{
    setting s = {.solver = solver, .name = name, .value = value};
    if (!library_run(set_step, &s, error))
        return -1;
    return s.failed ? library_fail(&s.error, error) : 0;
}

void poetbnb_on_log(poetbnb_solver *solver, void (*log)(void *user, const char *line), void *user)
{
    solver->callbacks.log = log;
    solver->callbacks.log_user = user;
}

void poetbnb_on_incumbent(poetbnb_solver *solver,
                          void (*found)(void *user, const poetbnb_incumbent *what), void *user)
{
    solver->callbacks.found = found;
    solver->callbacks.found_user = user;
}

void poetbnb_on_stop(poetbnb_solver *solver, int (*stop)(void *user), void *user)
{
    solver->callbacks.stop = stop;
    solver->callbacks.stop_user = user;
}

void poetbnb_stop(poetbnb_solver *solver)
{
    solver->stop = 1;
}

/* ---- the solve ----------------------------------------------------------------------------- */

typedef struct solving {
    poetbnb_solver *solver;
    library_calls calls;
    base_limits limits;
    unsigned features;
    poetbnb_graph *graph;   /* the solver's */
    int64_t least;          /* no schedule fits into less; -1: not asked for */
    poetbnb_result *result; /* NULL with an error: bad input, or no memory */
    base_error error;
} solving;

/* With the certificate that is asked for. */
static void answer(solving *s, const exact_params *params, poetbnb_result *r)
{
    const cli_options *set = &s->solver->settings.options;
    if (!set->certificate) {
        r->exact = exact_solve(&r->problem, params);
        return;
    }
    cert_trust trust = strcmp(set->trust, "rules") == 0 ? CERT_RULES : CERT_EXCHANGES;
    const certificate_outcome outcome = certificate_solve(set->certificate, &r->problem, params,
                                                          &trust, &r->exact, &r->uncertified);
    r->certified = certificate_possible(&r->exact) && outcome == CERTIFICATE_WRITTEN;
    if (!certificate_possible(&r->exact))
        base_fail(&r->uncertified, "nothing is proven");
    else if (outcome == CERTIFICATE_LIMIT)
        base_fail(&r->uncertified, "a limit ended its proof");
}

static void check_result(poetbnb_result *r)
{
    exact_result *e = &r->exact;
    base_error error;
    if (cli_result_check(&r->problem, e, &error) != 0)
        snprintf(r->reason, sizeof r->reason, "internal check failed: %.200s", error.text);
    else if (e->status == EXACT_INFEASIBLE)
        snprintf(r->reason, sizeof r->reason, "%s", e->infeasible_reason);
    else if (e->status == EXACT_LIMIT)
        snprintf(r->reason, sizeof r->reason, "%s", exact_stop_name(e));
    else if (e->status == EXACT_FAILED)
        snprintf(r->reason, sizeof r->reason, "internal check failed");
}

/* The problem, with the smallest budget if that is asked for, or with the smallest that is known;
 * as it is where none is enough. */
static int prepare_solve(solving *s, problem *p)
{
    const cli_options *set = &s->solver->settings.options;
    const graph *g = s->solver->graph->g;
    cli_budgets budgets;
    base_error error;
    if (cli_budgets_read(set, false, true, &budgets, &s->error) != 0)
        return -1;
    const bool least = budgets.ram->least;
    const int failed = cli_budgets_problem(set, g, &budgets, 0, 0, p, &s->error);
    cli_budgets_clear(&budgets);
    if (failed ||
        formulation_features_choose(set->without, set->with, &s->features, &s->error) != 0)
        return -1;
    if (set->certificate && certificate_check(p, s->features, &error) != 0)
        return base_fail(&s->error, "certificate: %s", error.text);
    const int64_t memory = set->memory_limit < INT64_MAX ? set->memory_limit : 0;
    s->limits = base_limits_make(set->time_limit, (size_t)memory, &s->solver->stop);
    s->limits.should_stop = library_should_stop;
    s->limits.should_stop_context = &s->calls;
    if (!least)
        return 0;
    const exact_least found = cli_exact_least(set, &s->limits, s->features, p);
    if (found.bytes >= 0) {
        p->ram_budget_bytes = found.bytes;
        s->least = found.least;
    }
    return 0;
}

static void solve_step(void *data)
{
    solving *s = data;
    const cli_options *set = &s->solver->settings.options;
    problem p;
    if (prepare_solve(s, &p) != 0)
        return;
    poetbnb_result *r = base_calloc(1, sizeof *r);
    r->problem = p;
    r->graph = s->graph;
    r->least = s->least;
    graph *other = cli_graph_reordered(set, &s->limits, &p);
    if (other) {
        r->graph = library_graph_wrap(other);
        r->problem.graph = other;
    }
    baseline_starts starts;
    if (cli_starts_make(set, &r->problem, &s->limits, s->calls.log, &starts, &s->error) == 0) {
        exact_params params = cli_exact_params(set, &s->limits, s->features, &starts, s->calls.log);
        params.incumbent = library_found;
        params.incumbent_user = &s->calls;
        answer(s, &params, r);
        check_result(r);
        s->result = r;
    } else {
        if (other)
            poetbnb_graph_free(r->graph);
        base_free(r);
    }
    baseline_starts_clear(&starts);
}

poetbnb_result *poetbnb_solve(poetbnb_solver *solver, poetbnb_error *error)
{
    solving s = {.solver = solver, .least = -1};
    static const base_error no_memory = {"out of memory"};
    if (library_calls_begin(&s.calls, solver) != 0) {
        library_fail(&no_memory, error);
        return NULL;
    }
    s.graph = library_graph_share(solver->graph);
    if (!library_run(solve_step, &s, error))
        s.result = NULL;
    else if (!s.result)
        library_fail(&s.error, error);
    if (!s.result || s.result->graph != s.graph)
        poetbnb_graph_free(s.graph);
    library_calls_end(&s.calls);
    solver->stop = 0;
    return s.result;
}
