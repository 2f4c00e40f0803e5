/* A search from its model to its result: presolve, the root and its restarts, the tree, and runs
 * of an open search. */
#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "bnb/incumbent.h"
#include "bnb/log.h"
#include "bnb/node.h"
#include "bnb/restart.h"
#include "bnb/run.h"
#include "bnb/search.h"
#include "lp/safe.h"

/* ---- set-up ------------------------------------------------------------- */

static const bnb_callbacks no_callbacks;

static void search_init(bnb_search *s, const lp_model *m, const bnb_params *params,
                        const bnb_callbacks *callbacks)
{
    const size_t cols = (size_t)m->cols + 1;
    *s = (bnb_search){.original = m, .start_seconds = base_seconds()};
    s->params = params ? *params : bnb_params_default();
    /* First set the fields of the result: memory may end in any later step. */
    s->least_cost = bnb_least_cost(m);
    s->best_objective = s->trouble_bound = LP_INFINITY;
    s->root_bound = s->root_bound_cuts = s->proven = -LP_INFINITY;
    atomic_init(&s->cutoff, bnb_cutoff_for(s, NULL, LP_INFINITY));
    s->callbacks = callbacks ? callbacks : &no_callbacks;
    const int threads = s->params.threads > 1 ? s->params.threads : 1;
    s->params.threads = s->most_threads = threads;
    pthread_mutex_init(&s->lock, NULL);
    s->active_bound = base_malloc((size_t)threads, sizeof *s->active_bound);
    s->context = base_calloc((size_t)threads, sizeof(bnb_context *));
    s->charged = base_calloc((size_t)threads, sizeof *s->charged);
    s->share = base_calloc((size_t)threads, sizeof *s->share);
    s->lower = base_malloc(cols, sizeof *s->lower);
    s->upper = base_malloc(cols, sizeof *s->upper);
    for (int t = 0; t < threads; t++)
        s->active_bound[t] = LP_INFINITY;
    s->active_bound[0] = -LP_INFINITY;
    s->open_column = lp_open_column(m);
}

static void search_clear(bnb_search *s)
{
    if (s->stage == BNB_STAGE_ROOT)
        bnb_node_release(s->context[0]->node);
    for (int t = 0; t < s->contexts; t++)
        bnb_context_free(s->context[t]);
    bnb_heap_clear(&s->open);
    base_free_all(s->charged, s->share, s->active_bound, s->context, s->root_cost, s->lower,
                  s->upper, s->priority, s->best);
    bnb_instance_free(s->in);
    pthread_mutex_destroy(&s->lock);
}

/* Gets the caller's priorities and maps them to the model's columns. */
static void ask_priorities(bnb_search *s)
{
    const bnb_instance *in = s->in;
    base_free(s->priority);
    s->priority = NULL;
    if (!s->callbacks->priority)
        return;
    int *full = base_calloc((size_t)in->original_cols + 1, sizeof *full);
    s->callbacks->priority(s->callbacks->user, full);
    s->priority = base_malloc((size_t)in->model->cols + 1, sizeof *s->priority);
    for (int j = 0; j < in->model->cols; j++)
        s->priority[j] = full[in->to_original[j]];
    base_free(full);
}

/* Rounds bounds of integer columns to integers. Returns false if a row or column has no value
 * left. */
static bool normalise_bounds(lp_model *m)
{
    bool possible = true;
    for (int j = 0; j < m->cols; j++) {
        if (m->integer[j]) {
            m->lower[j] = ceil(m->lower[j] - BNB_INTEGER_SLACK);
            m->upper[j] = floor(m->upper[j] + BNB_INTEGER_SLACK);
        }
        possible = possible && m->lower[j] <= m->upper[j];
    }
    for (int r = 0; r < m->rows; r++)
        possible = possible && m->row_lower[r] <= m->row_upper[r];
    return possible;
}

/* ---- root --------------------------------------------------------------- */

/* Returns the bound that costs and column bounds prove without an LP. */
static double bound_from_costs(const bnb_search *s)
{
    const lp_model *m = s->in->model;
    double *zeros = base_calloc((size_t)m->rows + 1, sizeof *zeros);
    const double bound = lp_safe_bound(m, NULL, NULL, zeros, NULL);
    base_free(zeros);
    return fmax(bound, s->root_bound_cuts);
}

/* Presolves the search's model and creates the root's context and node. The search is over if
 * nothing is left. Takes over old, the data of another root; NULL: none. */
static void begin_root(bnb_search *s, bnb_carried *old)
{
    s->stage = BNB_STAGE_OVER;
    if ((s->restarts > 0 || s->params.tuning.presolve) && !bnb_presolve_search(s, old)) {
        if (old)
            bnb_discard_carried(old);
        return;
    }
    const size_t bytes = (size_t)s->in->model->cols * sizeof(double);
    memcpy(s->lower, s->in->model->lower, bytes);
    memcpy(s->upper, s->in->model->upper, bytes);
    bnb_context *c = s->context[0] = bnb_context_create(s, 0, NULL);
    s->contexts = 1;
    bnb_node *root = bnb_node_create(NULL, NULL, bound_from_costs(s), NULL);
    if (old)
        bnb_put_back(c, old);
    ask_priorities(s);
    bnb_context_load(c, root);
    s->active_bound[0] = root->bound;
    s->stage = BNB_STAGE_ROOT;
}

/* Starts a new root, with the bounds and data of the present one. */
static void restart_root(bnb_search *s)
{
    bnb_context *c = s->context[0];
    bnb_log_text(s, "Restart: the root fixed columns, presolving again\n");
    s->restarts++;
    bnb_carried old = bnb_carry_over(c);
    memcpy(s->in->model->lower, s->lower, (size_t)s->in->model->cols * sizeof(double));
    memcpy(s->in->model->upper, s->upper, (size_t)s->in->model->cols * sizeof(double));
    bnb_context_free(c);
    s->context[0] = NULL;
    s->contexts = 0;
    base_free(s->root_cost);
    s->root_cost = NULL;
    begin_root(s, &old);
}

/* Processes the root until its children are open nodes, nothing is left, or the run stops. In the
 * last case the next run continues from the root's LP. */
static void process_root(bnb_search *s)
{
    while (s->stage == BNB_STAGE_ROOT) {
        bnb_context *c = s->context[0];
        bnb_node *child[2] = {NULL, NULL};
        bool restart = false;
        const bool done = bnb_root_process(c, child, &restart);
        s->active_bound[0] = c->bound;
        if (!done)
            return;
        atomic_fetch_add(&s->nodes, !restart);
        c->nodes = 1;
        bnb_node_release(c->node);
        c->node = NULL;
        for (int k = 0; child[0] && k < 2; k++)
            bnb_heap_push(&s->open, child[k]);
        if (restart)
            restart_root(s);
        else
            s->stage = child[0] ? BNB_STAGE_TREE : BNB_STAGE_OVER;
    }
    s->active_bound[0] = LP_INFINITY;
}

/* ---- unbounded models --------------------------------------------------- */

/* The LP is unbounded. With rational data, the model is unbounded or infeasible: a solution, or a
 * search without costs, decides between them. */
static bnb_status settle_unbounded(bnb_search *s)
{
    if (s->best)
        return BNB_UNBOUNDED;
    lp_model *m = lp_model_copy(s->original);
    bnb_params p = s->params;
    bnb_callbacks cb = {.user = s->callbacks->user, .accept = s->callbacks->accept};
    for (int j = 0; j < m->cols; j++)
        m->cost[j] = 0.0;
    p.log = 0;
    p.cutoff = LP_INFINITY;
    p.proof = NULL;
    p.basis = NULL;
    p.point = p.multipliers = NULL;
    bnb_result r = bnb_solve(m, &p, &cb);
    const bnb_status status = r.status == BNB_OPTIMAL ? BNB_UNBOUNDED : r.status;
    if (r.has_solution) {
        s->best = r.x;
        r.x = NULL;
        s->best_objective = lp_model_objective(s->original, s->best);
    }
    bnb_result_clear(&r);
    lp_model_free(m);
    return status;
}

/* ---- result ------------------------------------------------------------- */

/* Returns the relative gap between the bound and the incumbent, or the cutoff if that is lower. */
static double gap_of(const bnb_search *s, double bound)
{
    if (!s->best || bound == -LP_INFINITY)
        return LP_INFINITY;
    const double wanted = fmin(s->best_objective, s->params.cutoff);
    const double gap = fmax(0.0, wanted - bound);
    return gap == 0.0 ? 0.0 : gap / bnb_gap_unit(wanted, s->least_cost);
}

static bnb_status final_status(bnb_search *s)
{
    const int stop = atomic_load(&s->stop);
    if (s->unbounded)
        return settle_unbounded(s);
    const bool closed = bnb_search_bound(s) >= atomic_load(&s->cutoff);
    const bool reported =
        !s->params.proof || (s->stage != BNB_STAGE_ROOT && bnb_open_nodes(s) == 0);
    /* Nodes below the cutoff are open, or leaves are not reported: the limit is the status. */
    if (stop != 0 && !(closed && reported))
        return (bnb_status)(stop - 1);
    if (!s->best)
        return closed ? BNB_INFEASIBLE : BNB_TROUBLE;
    return gap_of(s, bnb_search_bound(s)) <= s->params.gap_relative ? BNB_OPTIMAL : BNB_TROUBLE;
}

/* Returns the result with this status and bound, and takes the incumbent. */
static bnb_result make_result(bnb_search *s, bnb_status status, double bound)
{
    const bnb_result r = {.status = status,
                          .has_solution = s->best != NULL,
                          .objective = s->best_objective,
                          .bound = bound,
                          .gap = gap_of(s, bound),
                          .proven = !atomic_load(&s->used_unproven),
                          .root_bound = s->root_bound,
                          .root_bound_cuts = s->root_bound_cuts,
                          .x = s->best,
                          .nodes = atomic_load(&s->nodes),
                          .iterations = atomic_load(&s->iterations),
                          .work = (double)atomic_load(&s->work),
                          .cuts = atomic_load(&s->cuts),
                          .troubles = s->troubles,
                          .seconds = base_seconds() - s->start_seconds};
    s->best = NULL;
    return r;
}

/* Ends the search: returns its result and frees it. */
static bnb_result finish_search(bnb_search *s)
{
    const bool infeasible = s->status == BNB_INFEASIBLE;
    bnb_result r =
        make_result(s, s->status, infeasible ? atomic_load(&s->cutoff) : bnb_so_far(s).bound);
    r.open_nodes = bnb_open_nodes(s);
    bnb_log_end(s, &r);
    search_clear(s);
    return r;
}

/* Returns the result of a search that was given up at a limit of memory, time or work, or
 * interrupted. Uses only fields that are consistent at every point. */
static bnb_result result_at_give_up(bnb_search *s, base_stop why)
{
    const bool closed = s->proven >= atomic_load(&s->cutoff);
    const bool optimal = closed && gap_of(s, s->proven) <= s->params.gap_relative;
    const bnb_status status = optimal              ? BNB_OPTIMAL
                              : closed && !s->best ? BNB_INFEASIBLE
                                                   : bnb_limit_status(why);
    pthread_mutex_destroy(&s->lock);
    return make_result(s, status, s->proven);
}

/* ---- the search, open ---------------------------------------------------- */

/* Sets up the search, up to the root. guards: bnb_solve has set up a memory guard. */
static void open_search(bnb_search *s, const lp_model *m, const bnb_params *params,
                        const bnb_callbacks *callbacks, bool guards)
{
    search_init(s, m, params, callbacks);
    s->guards_itself = guards;
    bnb_log_start(s);
    lp_model *copy = lp_model_copy(m);
    const bool possible = normalise_bounds(copy);
    s->in = bnb_instance_create(copy, copy->rows, m->cols, NULL, NULL, bnb_counts_steps(s));
    if (possible && s->params.basis && s->params.point) {
        bnb_carried given = bnb_carry_basis(copy, &s->params);
        begin_root(s, &given);
    } else if (possible) {
        begin_root(s, NULL);
    }
    if (s->stage == BNB_STAGE_OVER)
        s->active_bound[0] = LP_INFINITY;
    s->params.basis = NULL; /* the caller need not keep it any longer */
    s->params.point = s->params.multipliers = NULL;
}

bnb_search *bnb_open(const lp_model *m, const bnb_params *params, const bnb_callbacks *callbacks)
{
    bnb_search *s = base_malloc(1, sizeof *s);
    open_search(s, m, params, callbacks, false);
    return s;
}

/* Converts counted work to an integer, at most 2^62. */
static uint64_t to_steps(double work)
{
    return work < 0x1p62 ? (uint64_t)work : (uint64_t)1 << 62;
}

bnb_status bnb_run(bnb_search *s, double work, double most, long nodes)
{
    const uint64_t done = atomic_load(&s->work);
    atomic_store(&s->stop, 0);
    /* A stopped root repeats some of its steps, so it gets at least the work done so far. */
    const bool root = s->stage == BNB_STAGE_ROOT;
    s->work_end = done + to_steps(root ? fmax(work, (double)done) : work);
    s->most_end = done + to_steps(most);
    const uint64_t limit = s->params.limits.work_end, own = base_work_done();
    s->limit_end = done + (limit == 0 ? to_steps(INFINITY) : limit > own ? limit - own : 0);
    const long before = atomic_load(&s->nodes);
    s->node_end = nodes < s->params.node_limit - before ? before + nodes : s->params.node_limit;
    if (root) {
        bnb_begin_work(s, 0);
        process_root(s);
        bnb_charge(s, 0);
        s->root_work = atomic_load(&s->work);
        s->root_nodes = atomic_load(&s->nodes);
    }
    if (s->stage == BNB_STAGE_TREE && !(root && bnb_stop_if_spent(s)))
        bnb_search_run(s);
    s->status = final_status(s);
    return s->status;
}

void bnb_keep_limits(bnb_search *s, const base_limits *limits)
{
    s->params.limits = *limits;
}

void bnb_use_threads(bnb_search *s, int threads)
{
    s->params.threads = threads < 1 ? 1 : threads < s->most_threads ? threads : s->most_threads;
}

void bnb_lower_cutoff(bnb_search *s, double cutoff)
{
    s->params.cutoff = fmin(s->params.cutoff, cutoff);
    const double below = bnb_cutoff_for(s, NULL, LP_INFINITY);
    if (below < atomic_load(&s->cutoff)) {
        atomic_store(&s->cutoff, below);
        s->best_proven = below;
    }
}

bnb_progress bnb_so_far(const bnb_search *s)
{
    return (bnb_progress){.nodes = atomic_load(&s->nodes),
                          .open = bnb_open_nodes(s),
                          .iterations = atomic_load(&s->iterations),
                          .cuts = atomic_load(&s->cuts_in_lp),
                          .bound = s->unbounded ? -LP_INFINITY : bnb_search_bound(s),
                          .work = (double)atomic_load(&s->work),
                          .waited = s->waited};
}

bnb_result bnb_close(bnb_search *s)
{
    const bnb_result r = finish_search(s);
    base_free(s);
    return r;
}

/* ---- in one run ------------------------------------------------------------- */

/* Arguments and result of bnb_solve. */
typedef struct call {
    const lp_model *m;
    const bnb_params *params;
    const bnb_callbacks *callbacks;
    bnb_search *search;
    bnb_result result;
} call;

static void solve_guarded(void *data)
{
    call *a = data;
    bnb_search *s = a->search;
    open_search(s, a->m, a->params, a->callbacks, !a->callbacks);
    bnb_run(s, LP_INFINITY, LP_INFINITY, LONG_MAX);
    a->result = finish_search(s);
}

bnb_result bnb_solve(const lp_model *m, const bnb_params *params, const bnb_callbacks *callbacks)
{
    bnb_search s = {.proven = -LP_INFINITY};
    call a = {m, params, callbacks, &s, {0}};
    if (callbacks) {
        solve_guarded(&a);
        return a.result;
    }
    const base_stop why = base_try(params ? &params->limits : NULL, solve_guarded, &a);
    return why == BASE_GO ? a.result : result_at_give_up(&s, why);
}
