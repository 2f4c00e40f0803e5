/* Counted work of a thread, which limits of work and shares of work are measured in. */
#include <assert.h>

#include "base/guard.h"

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

void base_work_publish(void)
{
    if (shown)
        atomic_store(shown, base_work_done());
}

void base_work_show(_Atomic uint64_t *place)
{
    shown = place;
    base_work_publish();
}

void base_work_refill(void)
{
    work_before += (uint64_t)(WORK_BETWEEN_LOOKS - base_work_left);
    base_work_left = WORK_BETWEEN_LOOKS;
    base_work_publish();
}
