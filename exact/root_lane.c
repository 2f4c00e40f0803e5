/* The root of the tree over the rest beside the trees over the windows. */
#include "exact/root_lane.h"
#include "exact/tree.h"

#include <locale.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

struct root_lane {
    engine *e; /* of the search */
    tree *tree;
    engine own; /* of the thread; what it finds others hear of at the end */
    exact_params params;
    exact_result result;
    bool over;              /* the tree has ended */
    double work, seconds;   /* that the root took */
    _Atomic uint64_t shown; /* steps of the thread so far, at least */
    atomic_bool ended;
    base_guard *guard;
    locale_t locale; /* of who opened it */
    pthread_t thread;
    bool joined;
};

/* With the best schedule, and a part of the limits. */
static void make_engine(root_lane *l)
{
    engine *e = l->e;
    engine_beside(e, &l->own, &l->params, &l->result);
    l->params.node_limit = engine_nodes_left(e);
    l->params.work_limit = 1e-9 * engine_work_left(e); /* which e->root_begun has halved */
    if (e->result->schedule)
        engine_offer(&l->own, e->result->schedule, e->result->source);
}

static void process(void *context)
{
    root_lane *l = context;
    const double seconds = base_seconds();
    base_work_show(&l->shown);
    l->over = engine_tree_run(l->tree, INFINITY, 1);
    l->work = (double)base_work_done();
    l->seconds = base_seconds() - seconds;
    atomic_store(&l->ended, true);
}

static void *run(void *data)
{
    root_lane *l = data;
    uselocale(l->locale);
    l->own.row.thread = pthread_self();
    l->own.work_before = base_work_done();
    base_join(l->guard, process, l);
    base_work_show(NULL);
    return NULL;
}

static void join(root_lane *l)
{
    if (!l->joined)
        pthread_join(l->thread, NULL);
    l->joined = true;
}

static void clear(root_lane *l)
{
    exact_result_clear(&l->result);
    pthread_mutex_destroy(&l->own.lock);
    base_free(l);
}

root_lane *root_lane_open(engine *e, tree *t)
{
    root_lane *l = base_calloc(1, sizeof *l);
    l->e = e;
    l->tree = t;
    l->guard = base_guard_current();
    l->locale = uselocale((locale_t)0);
    e->root_begun = base_work_done();
    make_engine(l);
    engine_tree_lend(t, &l->own);
    if (pthread_create(&l->thread, NULL, run, l) == 0)
        return l;
    engine_tree_lend(t, e);
    e->root_begun = 0;
    clear(l);
    return NULL;
}

/* How far the root is, at least; exactly, once it has ended. */
static double progress(const root_lane *l)
{
    return root_lane_is_idle(l) ? l->work : (double)atomic_load(&l->shown);
}

/* One step of waiting; false: a limit ends it. */
static bool rest_a_while(const root_lane *l)
{
    lane_rest();
    base_rejoin();
    return base_limits_check(&l->e->params->limits) == BASE_GO;
}

bool root_lane_is_idle(const root_lane *l)
{
    return atomic_load(&l->ended);
}

bool root_lane_has_ended(root_lane *l)
{
    while (!root_lane_is_idle(l) && progress(l) <= engine_root_work(l->e) && rest_a_while(l))
        ;
    return root_lane_is_idle(l) && l->work <= engine_root_work(l->e);
}

void root_lane_await(root_lane *l, lane *other)
{
    bool ended;
    double late = 0;
    do {
        ended = root_lane_is_idle(l);
        const double now = fmax(0, progress(l) - engine_root_work(l->e));
        if (other && now > late)
            lane_wait(other, now - late);
        late = fmax(late, now);
    } while (!ended && rest_a_while(l));
    l->e->waited += late;
    l->e->root_begun -= (uint64_t)late;
}

bool root_lane_take(root_lane *l)
{
    engine *e = l->e;
    const bool over = l->over;
    exact_spent spent = {.work = 1e-9 * l->work, .seconds = l->seconds, .turns = 1};
    join(l);
    base_rejoin(); /* may give up, as may what follows: then l is still to be closed */
    if (l->own.upper < e->upper)
        spent.successes = engine_offer(e, l->result.schedule, l->result.source);
    e->failed = e->failed || l->own.failed;
    e->helpers_work += l->work;
    e->result->nodes += l->result.nodes;
    e->result->lp_iterations += l->result.lp_iterations;
    e->root_begun = 0;
    engine_tree_lend(l->tree, e);
    engine_spend(e, EFFORT_REST, &spent);
    clear(l);
    return over;
}

bool root_lane_close(root_lane *l)
{
    if (!l)
        return false;
    atomic_store(&l->own.called_off, true);
    join(l);
    l->e->root_begun = 0;
    engine_tree_lend(l->tree, l->e);
    const bool ended = root_lane_is_idle(l);
    clear(l);
    return ended;
}
