/* Turns in virtual time: a lock, the clocks of the turns that run, and the rule which of their ends
 * comes next. */
#include "base/turns.h"

#include <stdatomic.h>
#include <time.h>

#include "base/base.h"
#include "base/lock.h"
#include "base/parallel.h"

typedef enum seat_state { FREE, READY, RUNS, ENDED } seat_state;

typedef struct place {
    seat_state state;
    double start, end;
    uint64_t began;         /* base_work_done of its thread at the start */
    _Atomic uint64_t shown; /* base_work_done of its thread at its last check of limits */
} place;

struct base_turns {
    pthread_mutex_t lock; /* of all below */
    place *seat;
    int seats;
    const base_turns_calls *calls;
    void *data;
    double now;
    int idle; /* threads that wait */
    bool over;
};

bool base_turns_is_free(const base_turns *t, int seat)
{
    return t->seat[seat].state == FREE;
}

void base_turns_begin(base_turns *t, int seat)
{
    t->seat[seat].state = READY;
    t->seat[seat].start = t->now;
}

void base_turns_end(base_turns *t)
{
    t->over = true;
}

static bool is_under_way(const place *s)
{
    return s->state == READY || s->state == RUNS;
}

/* A time that the turn's end is not before. */
static double clock_of(const place *s)
{
    return s->start + (s->state == RUNS ? (double)(atomic_load(&s->shown) - s->began) : 0);
}

/* The seat with the turn that ended first, if every other turn ends later; -1: none, or
 * undecided. */
static int first_end(const base_turns *t)
{
    int first = -1;
    for (int k = 0; k < t->seats; k++)
        if (t->seat[k].state == ENDED && (first < 0 || t->seat[k].end < t->seat[first].end))
            first = k;
    for (int k = 0; first >= 0 && k < t->seats; k++)
        if (is_under_way(&t->seat[k]) && clock_of(&t->seat[k]) <= t->seat[first].end)
            return -1;
    return first;
}

static void choose_turns(base_turns *t)
{
    bool runs = false;
    t->calls->choose(t->data, t, t->now);
    for (int k = 0; k < t->seats; k++)
        runs = runs || t->seat[k].state != FREE;
    t->over = t->over || !runs;
}

/* Deals with the next end. False: it is not yet known. */
static bool handle_next_end(base_turns *t)
{
    const int k = first_end(t);
    if (k < 0)
        return false;
    t->now = t->seat[k].end;
    t->seat[k].state = FREE;
    t->calls->merge(t->data, k, t->now);
    choose_turns(t);
    return true;
}

/* The seat of the turn that this thread runs next; -1: none. The first thread has the first seat.
 * It takes other seats only if there are fewer threads than seats. */
static int next_ready(const base_turns *t, int thread)
{
    if (thread == 0 && t->seat[0].state == READY)
        return 0;
    for (int k = 1; k < t->seats && (thread > 0 || t->idle == 0); k++)
        if (t->seat[k].state == READY)
            return k;
    return -1;
}

/* Within the lock, but for the turn. */
static void run_turn(base_turns *t, int k)
{
    place *s = &t->seat[k];
    s->state = RUNS;
    s->began = base_work_done();
    base_work_show(&s->shown);
    base_unlock(&t->lock);
    const double steps = t->calls->run(t->data, k);
    base_lock(&t->lock);
    base_work_show(NULL);
    s->end = s->start + steps;
    s->state = ENDED;
}

/* A short sleep; the turns waited for take longer. */
static void sleep_briefly(base_turns *t)
{
    const struct timespec a_while = {.tv_nsec = 100000};
    t->idle++;
    base_unlock(&t->lock);
    nanosleep(&a_while, NULL);
    base_lock(&t->lock);
    t->idle--;
}

typedef struct worker {
    base_turns *turns;
    int thread;
} worker;

static void take_turns(void *context)
{
    const worker *w = context;
    base_turns *t = w->turns;
    base_lock(&t->lock);
    while (!t->over) {
        if (handle_next_end(t))
            continue;
        const int k = next_ready(t, w->thread);
        if (k >= 0)
            run_turn(t, k);
        else
            sleep_briefly(t);
    }
    base_unlock(&t->lock);
}

static void run_worker(void *data, int thread)
{
    worker w = {data, thread};
    base_join(base_guard_current(), take_turns, &w);
    base_work_show(NULL);
    base_rejoin();
}

void base_turns_run(int seats, double now, const base_turns_calls *calls, void *data)
{
    base_turns t = {.lock = PTHREAD_MUTEX_INITIALIZER,
                    .seat = base_calloc((size_t)seats, sizeof *t.seat),
                    .seats = seats,
                    .calls = calls,
                    .data = data,
                    .now = now};
    choose_turns(&t);
    if (!t.over)
        base_parallel(seats, seats, run_worker, &t);
    base_free(t.seat);
}
