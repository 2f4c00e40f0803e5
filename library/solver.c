/* Solvers: settings, callbacks, and the solve. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "baselines/starts.h"
#include "certificate/write.h"
#include "formulation/formulation.h"
#include "heuristics/order.h"
#include "library/library.h"

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

/* The problem on the graph, or on the graph in another order if it costs less there. */
static void reorder(const solving *s, poetbnb_result *r)
{
    const library_settings *set = &s->solver->settings;
    graph *found =
        strcmp(set->order, "search") == 0
            ? order_graph(&r->problem, &s->limits, &set->tuning.heuristics, (uint64_t)set->seed)
            : NULL;
    if (!found)
        return;
    r->graph = library_graph_wrap(found);
    r->problem.graph = found;
}

static exact_params params_of(solving *s, const baseline_starts *starts)
{
    const library_settings *set = &s->solver->settings;
    exact_params params = exact_params_default();
    params.threads = set->threads > 0 ? (int)set->threads : base_threads();
    params.limits = s->limits;
    params.node_limit = (long)set->node_limit;
    params.work_limit = set->work_limit;
    params.gap_relative = set->gap;
    params.features = s->features;
    params.tuning = set->tuning;
    params.heuristics = set->heuristics;
    params.seed = (uint64_t)set->seed;
    params.log = !s->calls.log ? 0 : set->verbose ? 2 : 1;
    params.log_stream = s->calls.log;
    params.incumbent = library_found;
    params.incumbent_user = &s->calls;
    params.starts = (const schedule *const *)starts->schedule;
    params.start_names = (const char *const *)starts->name;
    params.start_count = starts->count;
    return params;
}

/* With the certificate that is asked for. */
static void answer(solving *s, const exact_params *params, poetbnb_result *r)
{
    const library_settings *set = &s->solver->settings;
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

/* The last word belongs to the validator. */
static void check_result(poetbnb_result *r)
{
    exact_result *e = &r->exact;
    base_error error;
    if (e->schedule && schedule_validate(&r->problem, e->schedule, &e->validation, &error) != 0) {
        schedule_free(e->schedule);
        e->schedule = NULL;
        e->status = EXACT_FAILED;
        snprintf(r->reason, sizeof r->reason, "internal check failed: %.200s", error.text);
    } else if (e->status == EXACT_INFEASIBLE) {
        snprintf(r->reason, sizeof r->reason, "%s", e->infeasible_reason);
    } else if (e->status == EXACT_LIMIT) {
        snprintf(r->reason, sizeof r->reason, "%s", exact_stop_name(e));
    } else if (e->status == EXACT_FAILED) {
        snprintf(r->reason, sizeof r->reason, "internal check failed");
    }
}

static int prepare_solve(solving *s, problem *p)
{
    const library_settings *set = &s->solver->settings;
    if (library_settings_problem(set, s->solver->graph->g, p, &s->error) != 0 ||
        formulation_features_choose(set->without, set->with, &s->features, &s->error) != 0)
        return -1;
    base_error error;
    if (set->certificate && certificate_check(p, s->features, &error) != 0)
        return base_fail(&s->error, "certificate: %s", error.text);
    s->limits = base_limits_make(set->time_limit, (size_t)set->memory_limit, &s->solver->stop);
    s->limits.should_stop = library_should_stop;
    s->limits.should_stop_context = &s->calls;
    return 0;
}

typedef struct least_search {
    solving *s;
    const problem *p;
    exact_least found;
} least_search;

static void least_step(void *data)
{
    least_search *l = data;
    const baseline_starts none = {0};
    const exact_params params = params_of(l->s, &none);
    l->found = exact_least_budget(l->p, &params);
}

/* The smallest budget, or the smallest that is known; as it is where none is enough. */
static void find_least(solving *s, problem *p)
{
    least_search l = {.s = s, .p = p, .found = {.bytes = -1}};
    if (s->solver->settings.least && base_try(&s->limits, least_step, &l) == BASE_GO &&
        l.found.bytes >= 0) {
        p->ram_budget_bytes = l.found.bytes;
        s->least = l.found.least;
    }
}

static void solve_step(void *data)
{
    solving *s = data;
    const library_settings *set = &s->solver->settings;
    problem p;
    base_error why;
    if (prepare_solve(s, &p) != 0)
        return;
    find_least(s, &p);
    poetbnb_result *r = base_calloc(1, sizeof *r);
    r->problem = p;
    r->graph = s->graph;
    r->least = s->least;
    reorder(s, r);
    baseline_starts starts;
    baseline_options how = baseline_options_default();
    how.limits = &s->limits;
    how.seed = (uint64_t)set->seed;
    if (baseline_starts_make(set->warm_start, &r->problem, &how, s->calls.log, set->verbose,
                             &starts, &why) == 0) {
        const exact_params params = params_of(s, &starts);
        answer(s, &params, r);
        check_result(r);
        s->result = r;
    } else {
        base_fail(&s->error, "warm-start: %s", why.text);
        if (r->graph != s->graph)
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
