/* The loop of the search: turns of the proof and of the efforts beside it, in virtual time
 * (base/turns.h). With several threads, the latter and the root of the tree over the rest have
 * turns side by side with the proof, once the search has taken serial_work steps. The start and the
 * choice of each turn depend only on turns that ended before it. */
#include <math.h>
#include <string.h>

#include "base/turns.h"
#include "exact/log.h"
#include "exact/search.h"
#include "exact/task.h"
#include "exact/timeline/coarse.h"

/* Least virtual time of a task, so that a task without steps does not repeat at once. */
#define LEAST_TIME 1e5

/* A place for a turn; seat 0 runs the proof. */
typedef struct seat {
    task *task;             /* NULL: the proof, or none */
    double start, reserved; /* time of its start; its part of the work limit */
    int threads;            /* 0: no turn runs */
} seat;

typedef struct turns {
    search_state *s;
    seat *seat;
    int seats;    /* that may have turns: one in the first serial_work steps, then all */
    double total; /* steps of all turns that have ended */
    engine view;  /* results of the ended turns; states of efforts without a turn */
    exact_result seen;
    beside beside;       /* chooses by the view */
    task *ended, **last; /* ended tasks that the proof has not taken, in order */
    exact_effort effort; /* of the turn of the proof; EFFORTS: none */
    bool is_shared;      /* the proof has every thread that no task needs */
    bool root;           /* copy of search_state.root, made when the turn of the proof was chosen */
    double choice_work, work; /* steps to take ended tasks before the turn, and steps of the turn */
    double time;              /* virtual time of the last choice */
    atomic_bool cancelled;
} turns;

/* ---- the books ------------------------------------------------------------------------ */

/* Steps of all turns up to the virtual time `now`. */
static double work_by(const turns *r, double now)
{
    double work = r->total;
    for (int k = 0; k < r->seats; k++)
        work += r->seat[k].threads * (now - r->seat[k].start);
    return work;
}

static int threads_free(const turns *r)
{
    int threads = r->seats;
    for (int k = 0; k < r->seats; k++)
        threads -= r->seat[k].threads;
    return threads;
}

/* Steps of the work limit that no running turn has reserved or used. */
static double work_left(const turns *r, double now)
{
    double left = 1e9 * r->s->e->params->work_limit - r->total;
    for (int k = 0; k < r->seats; k++)
        left -= fmax(r->seat[k].reserved, r->seat[k].threads * (now - r->seat[k].start));
    return left;
}

/* The least part of the work limit that is worth a turn. */
static double least_work(const turns *r)
{
    return 1e6 * r->seats;
}

/* Starts a turn of e on seat k. For each of its threads it reserves an equal part of the remaining
 * work limit: every free thread has as much. */
static void begin_turn(turns *r, base_turns *t, int k, engine *e, int threads, double now)
{
    const double left = work_left(r, now), work = work_by(r, now);
    seat *s = &r->seat[k];
    const double part = isinf(left) ? 0 : left * threads / threads_free(r);
    e->held_back = isinf(left) ? 0 : 1e9 * e->params->work_limit - work - part;
    e->threads = threads;
    s->reserved = part;
    s->start = now;
    s->threads = threads;
    engine_enter(e, work, now);
    base_turns_begin(t, k);
}

/* ---- results of all ------------------------------------------------------------------- */

static void move_states(engine *from, engine *to)
{
    for (exact_effort effort = 0; effort < EFFORTS; effort++)
        beside_hand_over(from, to, effort);
}

/* Adds the results of the ended tasks to the engine of the proof. */
static void merge_tasks(turns *r)
{
    search_state *s = r->s;
    for (task *t = r->ended, *next; t; t = next) {
        next = t->next;
        task_update_proof(t, s->e);
        if (t->tree) {
            r->beside.busy &= ~(1u << EFFORT_REST);
            search_end_root(s, t->over);
        }
        engine_log_turn(s->e, t->effort, t->tree ? s->rest.bound : -INFINITY);
        task_free(t);
        r->ended = next;
    }
    r->last = &r->ended;
}

/* Copies the results of the proof to the view, and moves the states of the efforts there. */
static void update_view(turns *r)
{
    engine *e = r->s->e, *view = &r->view;
    move_states(e, view);
    engine_take_best(view, e);
    view->lower = e->lower;
    view->coarse_bound = e->coarse_bound;
    engine_note_points(&view->points, &e->points);
    view->infeasible = e->infeasible;
    view->failed = e->failed;
    r->seen.nodes = e->result->nodes;
    memcpy(r->seen.spent, e->result->spent, sizeof r->seen.spent);
    r->beside.now = search_outlook(r->s);
}

static void set_seats(turns *r, int seats)
{
    r->seats = seats;
    r->s->parallel = seats > 1;
}

/* ---- the choice ------------------------------------------------------------------------- */

static bool is_busy(const turns *r, exact_effort effort)
{
    return r->beside.busy & 1u << effort;
}

/* The effort of the proof's next turn: a step of the proof, or an effort beside it if the proof
 * waits or there is one thread only. EFFORTS: nothing is left to do. */
static exact_effort next_effort(turns *r)
{
    search_state *s = r->s;
    s->beside.now = r->beside.now;
    s->beside.busy = r->beside.busy;
    exact_effort effort = EFFORTS;
    if (!s->opened && !is_busy(r, EFFORT_COARSE) && engine_coarse_left(&r->view) &&
        !engine_coarse_begun(&r->view))
        return EFFORT_COARSE;
    if (search_waits(s) || (!s->opened && beside_leads(&r->beside)))
        effort = beside_next(&r->beside);
    else if (r->seats == 1 && s->looked)
        effort = beside_due(&r->beside);
    if (!search_may_run_within(s) && !is_busy(r, EFFORT_REST))
        s->root = false; /* no task has the root: a turn of the proof processes it */
    return effort == EFFORTS ? search_next(s) : effort;
}

/* The effort for a free seat; EFFORTS: none. runs: the proof or a task with the root is running or
 * about to. */
static exact_effort choose_task_effort(const turns *r, bool runs)
{
    if (r->root && !is_busy(r, EFFORT_REST))
        return EFFORT_REST;
    const exact_effort due = beside_due(&r->beside);
    return due == EFFORTS && runs && !r->is_shared ? beside_next(&r->beside) : due;
}

static void begin_task(turns *r, base_turns *t, int k, exact_effort effort, double now)
{
    search_state *s = r->s;
    seat *at = &r->seat[k];
    at->task = task_open(s->e, &r->beside, effort, effort == EFFORT_REST ? s->rest.tree : NULL,
                         &r->cancelled);
    r->beside.busy |= 1u << effort;
    begin_turn(r, t, k, &at->task->own, 1, now);
}

static void begin_proof(turns *r, base_turns *t, double now)
{
    engine *e = r->s->e;
    const int threads = r->is_shared ? threads_free(r) : 1;
    begin_turn(r, t, 0, e, threads, now);
    e->waited += r->choice_work;
}

/* Takes results and chooses the next turn of the proof, if there is one. False: the search is
 * over. */
static bool choose_proof_turn(turns *r, double now)
{
    engine *e = r->s->e;
    engine_enter(e, work_by(r, now), now);
    e->held_back = 0;
    merge_tasks(r);
    update_view(r);
    if (engine_done(e))
        return false;
    r->effort = next_effort(r);
    r->is_shared = search_is_shared(r->s, r->effort);
    r->root = r->s->root;
    if (r->effort != EFFORTS) {
        beside_hand_over(&r->view, e, r->effort);
        r->beside.busy |= 1u << r->effort;
    }
    r->choice_work = engine_work(e) - work_by(r, now);
    r->total += r->choice_work;
    return true;
}

static void choose_turns(void *data, base_turns *t, double now)
{
    turns *r = data;
    const bool proof_is_free = base_turns_is_free(t, 0);
    r->time = now;
    r->view.work_before = base_work_done();
    r->view.helpers_work = work_by(r, now);
    if (work_by(r, now) >= engine_tuning(r->s->e)->serial_work)
        set_seats(r, r->s->e->params->threads);
    if (proof_is_free && !choose_proof_turn(r, now)) {
        atomic_store(&r->cancelled, true);
        base_turns_end(t);
        return;
    }
    if (engine_settled(&r->view) || work_left(r, now) < least_work(r))
        return; /* no turn begins, so that the loop ends with the running ones */
    const bool runs = r->effort != EFFORTS || r->root;
    const int kept = proof_is_free && r->effort != EFFORTS ? 1 : 0; /* thread of the proof */
    for (int k = 1; k < r->seats && threads_free(r) > kept; k++) {
        const exact_effort effort =
            base_turns_is_free(t, k) ? choose_task_effort(r, runs) : EFFORTS;
        if (effort != EFFORTS)
            begin_task(r, t, k, effort, now);
    }
    if (proof_is_free && r->effort != EFFORTS)
        begin_proof(r, t, now);
}

/* ---- turns ------------------------------------------------------------------------------ */

static double run_turn(void *data, int k)
{
    turns *r = data;
    seat *at = &r->seat[k];
    engine *e = at->task ? &at->task->own : r->s->e;
    engine_enter(e, e->helpers_work, e->waited); /* in this thread */
    if (at->task) {
        task_run(at->task);
        return fmax(LEAST_TIME, engine_time(e) - at->start);
    }
    const turn_start before = turn_begin(e);
    search_run(r->s, r->effort);
    const exact_spent spent = turn_end(&before, e);
    engine_spend(e, r->effort, &spent);
    r->work = engine_work(e) - before.work;
    search_log(r->s, r->effort);
    return engine_time(e) - at->start;
}

static void merge_turn(void *data, int k, double now)
{
    turns *r = data;
    task *t = r->seat[k].task;
    (void)now;
    if (t) {
        task_update_view(t, &r->view);
        *r->last = t;
        r->last = &t->next;
    }
    const exact_effort effort = t ? t->effort : r->effort;
    if (!t || !t->tree) /* the root stays busy until the proof has taken its result */
        r->beside.busy &= ~(1u << effort);
    r->total += t ? t->work : r->work;
    if (!t)
        r->effort = EFFORTS;
    r->seat[k] = (seat){0};
}

/* ---- beginning and end -------------------------------------------------------------------- */

static void open_turns(turns *r, search_state *s)
{
    engine *e = s->e;
    *r = (turns){.s = s, .effort = EFFORTS};
    r->last = &r->ended;
    r->seat = base_calloc((size_t)e->params->threads, sizeof *r->seat);
    set_seats(r, 1);
    r->total = engine_work(e);
    r->view = (engine){.p = e->p,
                       .params = e->params,
                       .result = &r->seen,
                       .start = e->start,
                       .features = e->features,
                       .scale = e->scale,
                       .upper = INFINITY,
                       .row = {.effort = EFFORTS, .part = -INFINITY}};
    r->beside = (beside){.e = &r->view};
}

/* Ends the loop. Turns that still run are dropped, so that runs are reproducible. After a
 * limit of time or memory, or an interrupt, their results count. */
static void close_turns(turns *r)
{
    search_state *s = r->s;
    engine *e = s->e;
    engine_enter(e, r->total, r->time);
    e->held_back = 0;
    e->threads = 1;
    if (e->stop == BASE_GO && !engine_settled(e) && work_left(r, r->time) < least_work(r))
        e->stop = BASE_STOP_WORK;
    const bool counts = e->stop != BASE_GO && e->stop != BASE_STOP_WORK;
    for (int k = 1; k < r->seats; k++) {
        task *t = r->seat[k].task;
        if (!t)
            continue;
        r->seat[k].task = NULL;
        move_states(&t->own, &r->view);
        if (t->tree)
            engine_tree_set_engine(t->tree, e);
        if (counts) {
            *r->last = t;
            r->last = &t->next;
        } else {
            task_free(t);
        }
    }
    merge_tasks(r);
    move_states(&r->view, e);
    exact_result_clear(&r->seen);
    schedule_free(r->view.relaxed);
    engine_points_clear(&r->view.points);
    base_free(r->seat);
    s->parallel = s->root = false;
}

static void run_loop(void *context)
{
    turns *r = context;
    const base_turns_calls calls = {choose_turns, run_turn, merge_turn};
    base_turns_run(r->s->e->params->threads, engine_time(r->s->e), &calls, r);
    close_turns(r);
}

void search_run_turns(search_state *s)
{
    turns r;
    open_turns(&r, s);
    if (base_join(base_guard_current(), run_loop, &r) == BASE_GO)
        return;
    /* The run was given up. The guard frees the rest. */
    engine_enter(s->e, r.total, r.time);
    exact_result_clear(&r.seen);
    for (task *t = r.ended; t; t = t->next)
        task_clear(t);
    for (int k = 1; k < r.seats; k++)
        if (r.seat[k].task)
            task_clear(r.seat[k].task);
    base_rejoin();
}
