/* base/turns: turns of several threads in virtual time.
 *
 * A turn takes a seat. Its time is counted work: it begins at the time at which it was chosen and
 * ends as many steps later as it takes. The end of a turn is handled once every other turn is
 * certain to end later: its results are merged, and the next turns are chosen. So merges and
 * choices come in the order of their times, and are the same in every run, however long a thread
 * is held up. A thread waits only where another one counts slower than it. */
#ifndef BASE_TURNS_H
#define BASE_TURNS_H

#include <stdbool.h>

typedef struct base_turns base_turns;

typedef struct base_turns_calls {
    /* Begins turns in free seats (base_turns_begin) or ends the run (base_turns_end); one call at a
     * time. */
    void (*choose)(void *data, base_turns *t, double now);
    /* Runs the turn of a seat, in a thread of its own. Returns its steps: at least the steps that
     * the thread has counted (base_work_done). */
    double (*run)(void *data, int seat);
    /* The turn of the seat has ended; one call at a time. */
    void (*merge)(void *data, int seat, double now);
} base_turns_calls;

/* Runs turns from the virtual time `now` on, until base_turns_end is called or no turn runs. There
 * is one thread for each seat, as far as the system grants them. One thread runs all turns of seat
 * 0; it is the calling thread if no thread is missing. Under the guard of the caller, as
 * base_parallel. */
void base_turns_run(int seats, double now, const base_turns_calls *calls, void *data);

/* For choose: */
bool base_turns_is_free(const base_turns *t, int seat);
/* A turn begins now. */
void base_turns_begin(base_turns *t, int seat);
/* No more turns begin, and running turns are not merged. */
void base_turns_end(base_turns *t);

#endif
