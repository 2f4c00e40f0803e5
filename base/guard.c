/* Steps that can be given up. A step runs in a frame of setjmp, and its blocks lie on rings of its
 * guard. Giving up runs the cleanups, frees the blocks, unlocks the locks and jumps back. Limits
 * are checked after each WORK_BETWEEN_LOOKS steps of counted work. */
#include "base/guard.h"

#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>

#include "base/lock.h"

enum { MOST_LOCKS = 8 }; /* held by one thread at once */

/* The point to which a thread returns when it gives up. */
typedef struct frame {
    struct frame *outer;
    base_guard *guard; /* NULL: none */
    int locks;         /* number of locks held when it began */
    jmp_buf jump;
} frame;

static _Thread_local frame *present;
static _Thread_local pthread_mutex_t *held[MOST_LOCKS];
static _Thread_local int held_count;

/* ---- counted work, which limits of work and shares of work are measured in ------------ */

enum { WORK_BETWEEN_LOOKS = 200000 }; /* about 0.2 ms */

_Thread_local long base_work_left = WORK_BETWEEN_LOOKS;
_Thread_local uint64_t base_work_counted;
static _Thread_local uint64_t work_before; /* steps of base_work before the last check of limits */
static _Thread_local bool is_aside;        /* steps do not count now */
static _Thread_local uint64_t work_then;   /* base_work_done while they do not */
static _Thread_local _Atomic uint64_t *shown; /* NULL: not shown */

/* All steps, counted or aside. */
static uint64_t all_work(void)
{
    return work_before + (uint64_t)(WORK_BETWEEN_LOOKS - base_work_left) + base_work_counted;
}

uint64_t base_work_done(void)
{
    return is_aside ? work_then : all_work();
}

void base_work_aside(bool aside)
{
    assert(!(aside && is_aside));
    if (is_aside && !aside)
        work_before -= all_work() - work_then;
    else if (aside)
        work_then = base_work_done();
    is_aside = aside;
}

static void publish_work(void)
{
    if (shown)
        atomic_store(shown, base_work_done());
}

void base_work_show(_Atomic uint64_t *place)
{
    shown = place;
    publish_work();
}

/* Begins the next stretch of steps after which base_work looks at limits. */
static void refill_work(void)
{
    work_before += (uint64_t)(WORK_BETWEEN_LOOKS - base_work_left);
    base_work_left = WORK_BETWEEN_LOOKS;
    publish_work();
}

/* ---- the guard --------------------------------------------------------------------- */

static void guard_begin(base_guard *guard, base_guard *outer, const base_limits *limits)
{
    static const base_limits none;
    guard->outer = outer;
    guard->held = outer ? outer->held : NULL;
    guard->limits = limits ? *limits : none;
    atomic_init(&guard->failed, BASE_GO);
    atomic_init(&guard->interrupted, 0.0);
    guard->cleanup = NULL;
    for (int k = 0; k < BASE_RINGS; k++) {
        atomic_flag_clear(&guard->ring[k].busy);
        guard->ring[k].first.next = guard->ring[k].first.before = &guard->ring[k].first;
    }
}

/* Gives the blocks and cleanups of a step that returned to the outer guard. */
static void guard_hand_over(base_guard *guard)
{
    for (int k = 0; k < BASE_RINGS; k++) {
        base_block *first = &guard->ring[k].first;
        while (first->next != first) {
            base_block *block = first->next;
            base_guard_remove(block);
            base_guard_add(guard->outer, block);
        }
    }
    while (guard->cleanup) {
        base_cleanup *c = guard->cleanup;
        guard->cleanup = c->next;
        c->guard = guard->outer;
        if (guard->outer) {
            c->next = guard->outer->cleanup;
            guard->outer->cleanup = c;
        }
    }
}

static void guard_abandon(base_guard *guard)
{
    while (guard->cleanup) {
        base_cleanup *c = guard->cleanup;
        guard->cleanup = c->next;
        c->guard = NULL;
        c->run(c);
    }
    for (int k = 0; k < BASE_RINGS; k++) {
        base_block *first = &guard->ring[k].first;
        for (base_block *block = first->next, *next; block != first; block = next) {
            next = block->next;
            base_block_free(block);
        }
    }
}

/* Makes this frame the present one; NULL: none. */
static void set_frame(frame *f)
{
    present = f;
    base_guard_set(f ? f->guard : NULL);
}

/* Runs the step in a frame of its own. False: it was given up. */
static bool run_step(base_guard *guard, void (*step)(void *), void *context)
{
    frame here = {.outer = present, .guard = guard, .locks = held_count};
    const bool first = setjmp(here.jump) == 0;
    if (first) {
        set_frame(&here);
        step(context);
    }
    set_frame(here.outer);
    if (!first)
        base_work_aside(false);
    return first;
}

static base_stop guard_run(base_guard *guard, void (*step)(void *), void *context)
{
    if (run_step(guard, step, context)) {
        guard_hand_over(guard);
        return BASE_GO;
    }
    guard_abandon(guard);
    return (base_stop)atomic_load(&guard->failed);
}

base_stop base_try(const base_limits *limits, void (*step)(void *), void *context)
{
    base_guard guard;
    guard_begin(&guard, base_guard_current(), limits);
    return guard_run(&guard, step, context);
}

base_stop base_try_apart(void (*step)(void *), void *context)
{
    base_guard guard;
    atomic_llong bytes;
    atomic_init(&bytes, 0);
    guard_begin(&guard, NULL, NULL);
    guard.held = &bytes;
    return guard_run(&guard, step, context);
}

base_stop base_join(base_guard *guard, void (*step)(void *), void *context)
{
    if (run_step(guard, step, context))
        return BASE_GO;
    return guard ? (base_stop)atomic_load(&guard->failed) : BASE_STOP_MEMORY;
}

/* Reason for which this thread's work is being given up; BASE_GO: it is not. */
static base_stop give_up_reason(void)
{
    const base_guard *guard = base_guard_current();
    return guard ? (base_stop)atomic_load_explicit(&guard->failed, memory_order_relaxed) : BASE_GO;
}

void base_rejoin(void)
{
    const base_stop why = give_up_reason();
    if (why != BASE_GO)
        base_give_up(why);
}

_Noreturn void base_give_up(base_stop why)
{
    frame *here = present;
    if (!here || !here->guard) {
        fprintf(stderr, "poetbnb: out of memory: %zu bytes held\n", base_memory_used());
        abort();
    }
    int none = BASE_GO;
    atomic_compare_exchange_strong(&here->guard->failed, &none, (int)why);
    while (held_count > here->locks)
        pthread_mutex_unlock(held[--held_count]);
    longjmp(here->jump, 1);
}

/* ---- limits ---------------------------------------------------------------------------- */

static bool is_interrupted(const base_limits *limits)
{
    return (limits->interrupt && *limits->interrupt) ||
           (limits->should_stop && limits->should_stop(limits->should_stop_context));
}

/* The limit of the guard that is exceeded by its grace, or BASE_GO. */
static base_stop overdue(base_guard *guard)
{
    const base_limits *limits = &guard->limits;
    if (limits->grace_work > 0 && limits->work_end > 0 &&
        base_work_done() >= limits->work_end + limits->grace_work)
        return BASE_STOP_WORK;
    const bool interrupted = is_interrupted(limits);
    if (!interrupted && limits->deadline <= 0.0)
        return BASE_GO;
    const double now = base_seconds();
    double none = 0.0;
    if (interrupted && !atomic_compare_exchange_strong(&guard->interrupted, &none, now) &&
        now >= none + limits->grace_seconds)
        return BASE_STOP_INTERRUPT;
    if (limits->deadline > 0.0 && now >= limits->deadline + limits->grace_seconds)
        return BASE_STOP_TIME;
    return BASE_GO;
}

/* Checks the innermost guard and all guards around it. */
void base_poll(void)
{
    refill_work();
    base_rejoin();
    for (base_guard *guard = base_guard_current(); guard; guard = guard->outer) {
        const base_stop why = overdue(guard);
        if (why != BASE_GO)
            base_give_up(why);
    }
}

bool base_memory_fits(double bytes)
{
    for (const base_guard *guard = base_guard_current(); guard; guard = guard->outer) {
        const base_limits *limits = &guard->limits;
        if (limits->memory_bytes > 0 &&
            (double)base_memory_used() + bytes >
                (double)limits->memory_bytes + (double)limits->grace_bytes)
            return false;
    }
    return true;
}

base_stop base_limits_check(const base_limits *limits)
{
    publish_work();
    const base_stop why = give_up_reason();
    if (why != BASE_GO || !limits)
        return why;
    if (is_interrupted(limits))
        return BASE_STOP_INTERRUPT;
    if (limits->memory_bytes > 0 && base_memory_used() > limits->memory_bytes)
        return BASE_STOP_MEMORY;
    if (limits->work_end > 0 && base_work_done() >= limits->work_end)
        return BASE_STOP_WORK;
    if (limits->deadline > 0.0 && base_seconds() >= limits->deadline)
        return BASE_STOP_TIME;
    return BASE_GO;
}

base_stop base_guards_check(void)
{
    base_stop why = BASE_GO;
    for (const base_guard *guard = base_guard_current(); guard && why == BASE_GO;
         guard = guard->outer)
        why = base_limits_check(&guard->limits);
    return why;
}

/* ---- cleanups and locks ------------------------------------------------------------------ */

void base_cleanup_add(base_cleanup *cleanup, void (*run)(base_cleanup *self))
{
    base_guard *guard = base_guard_current();
    *cleanup = (base_cleanup){.run = run, .guard = guard};
    if (guard) {
        cleanup->next = guard->cleanup;
        guard->cleanup = cleanup;
    }
}

void base_cleanup_remove(base_cleanup *cleanup)
{
    if (!cleanup->guard)
        return;
    base_cleanup **link = &cleanup->guard->cleanup;
    while (*link != cleanup)
        link = &(*link)->next;
    *link = cleanup->next;
    cleanup->guard = NULL;
}

void base_lock(pthread_mutex_t *mutex)
{
    pthread_mutex_lock(mutex);
    assert(held_count < MOST_LOCKS);
    held[held_count++] = mutex;
    base_rejoin(); /* the locked data may be half changed */
}

void base_unlock(pthread_mutex_t *mutex)
{
    assert(held_count > 0 && held[held_count - 1] == mutex);
    held_count--;
    pthread_mutex_unlock(mutex);
}
