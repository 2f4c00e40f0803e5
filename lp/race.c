#include "lp/race.h"

#include <stdatomic.h>

#include "base/lock.h"

enum { RACERS = 2 };

#define FIRST_LAP 2e5 /* work */
#define LAP_GROWTH 1.2

typedef struct racer {
    lp_solver *s;
    int lap;
    bool out; /* its solve has ended */
    lp_status status;
    atomic_bool beaten;
} racer;

struct lp_race {
    pthread_mutex_t lock;
    pthread_cond_t change;
    racer racer[RACERS];
    int running, threads;
    base_guard *guard; /* whose work this is */
};

static bool is_answer(lp_status status)
{
    return status == LP_OPTIMAL || status == LP_INFEASIBLE || status == LP_UNBOUNDED ||
           status == LP_CUTOFF;
}

/* ---- with the lock held ------------------------------------------------------- */

/* Whether the answer of racer k counts before one of racer j in the lap that this is in. */
static bool is_before(const lp_race *r, int k, int j)
{
    const racer *a = &r->racer[k], *b = &r->racer[j];
    return a->lap < b->lap || (a->lap == b->lap && k < j);
}

/* The first of those with an answer; -1: none. */
static int leader(const lp_race *r)
{
    int first = -1;
    for (int k = 0; k < RACERS; k++)
        if (r->racer[k].out && is_answer(r->racer[k].status) &&
            (first < 0 || is_before(r, k, first)))
            first = k;
    return first;
}

static void note_beaten(lp_race *r)
{
    const int first = leader(r);
    for (int k = 0; k < RACERS && first >= 0; k++)
        if (!r->racer[k].out && is_before(r, first, k))
            atomic_store(&r->racer[k].beaten, true);
}

/* No other one is in an earlier lap, and there is a thread to spare. */
static bool may_go(const lp_race *r, int k)
{
    for (int j = 0; j < RACERS; j++)
        if (!r->racer[j].out && r->racer[j].lap < r->racer[k].lap)
            return false;
    return r->running < r->threads;
}

static void wait_for_go(lp_race *r, int k)
{
    while (!atomic_load(&r->racer[k].beaten) && !may_go(r, k))
        base_wait(&r->change, &r->lock);
    r->running++;
}

static void stop_running(lp_race *r)
{
    r->running--;
    note_beaten(r);
    pthread_cond_broadcast(&r->change);
}

/* ---- one racer -------------------------------------------------------------------- */

static void race_alone(void *data)
{
    racer *me = data;
    lp_solver *s = me->s;
    lp_race *r = s->race;
    base_lock(&r->lock);
    wait_for_go(r, s->racer);
    base_unlock(&r->lock);
    s->lap_end = FIRST_LAP;
    const lp_status status = lp_engine_run(s);
    base_lock(&r->lock);
    me->status = status;
    me->out = true;
    stop_running(r);
    base_unlock(&r->lock);
}

/* As a helper of the guard: both threads come to an end before it is given up. */
static void *race_in_thread(void *data)
{
    racer *me = data;
    lp_race *r = me->s->race;
    if (base_join(r->guard, race_alone, me) == BASE_GO)
        return NULL;
    pthread_mutex_lock(&r->lock);
    pthread_cond_broadcast(&r->change);
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

lp_status lp_race_poll(lp_solver *s, double work)
{
    lp_race *r = s->race;
    racer *me = &r->racer[s->racer];
    while (work >= s->lap_end && !atomic_load(&me->beaten)) {
        s->lap_end *= LAP_GROWTH;
        base_lock(&r->lock);
        me->lap++;
        stop_running(r);
        wait_for_go(r, s->racer);
        base_unlock(&r->lock);
    }
    return atomic_load(&me->beaten) ? LP_INTERRUPTED : LP_UNSOLVED;
}

/* ---- the race ------------------------------------------------------------------------ */

static void exchange(lp_solver *a, lp_solver *b)
{
    const lp_solver kept = *a;
    *a = *b;
    *b = kept;
}

lp_status lp_race_run(lp_solver *s)
{
    lp_race r = {.threads = s->params.threads > 1 ? s->params.threads : 1,
                 .guard = base_guard_current()};
    pthread_t thread;
    pthread_mutex_init(&r.lock, NULL);
    pthread_cond_init(&r.change, NULL);
    for (int k = 0; k < RACERS; k++) {
        racer *one = &r.racer[k];
        one->s = k == 0 ? s : lp_solver_copy(s);
        one->s->race = &r;
        one->s->racer = k;
        atomic_init(&one->beaten, false);
    }
    lp_solver *other = r.racer[1].s;
    other->iteration_end = s->iteration_end;
    other->cutoff = s->cutoff;
    other->from_nothing = s->from_nothing;
    const bool alone = pthread_create(&thread, NULL, race_in_thread, &r.racer[1]) != 0;
    if (alone)
        r.racer[1].out = true;
    race_in_thread(&r.racer[0]);
    if (!alone)
        pthread_join(thread, NULL);
    base_rejoin();
    const int winner = leader(&r) > 0 ? 1 : 0;
    if (winner == 1)
        exchange(s, other);
    lp_solver_free(other);
    s->race = NULL;
    s->racer = 0;
    pthread_mutex_destroy(&r.lock);
    pthread_cond_destroy(&r.change);
    return r.racer[winner].status;
}
