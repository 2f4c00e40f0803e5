/* baselines/revolve: the offline schedule of Griewank and Walther, Algorithm 799:
 * revolve, ACM TOMS 26 (2000), for reversing a chain with few snapshots. Internal to
 * the room, but for its tests. */
#ifndef BASELINES_REVOLVE_H
#define BASELINES_REVOLVE_H

#include <stdint.h>

typedef enum revolve_action {
    REVOLVE_ADVANCE,  /* compute from the current state up to state */
    REVOLVE_SNAPSHOT, /* store the current state */
    REVOLVE_RESTORE,  /* make the newest snapshot the current state */
    REVOLVE_TURN,     /* reverse step state -> state + 1; the current state is state */
    REVOLVE_DONE      /* all steps are reversed */
} revolve_action;

typedef struct revolve {
    int snapshots; /* c >= 1 */
    int state;     /* the current state, from 0 (`capo` in the paper) */
    int fine;      /* first step already reversed: steps fine.. are done */
    int stored;    /* snapshots on the stack */
    int *stack;    /* c entries */
} revolve;

/* A chain of steps >= 1 steps and states 0..steps. */
revolve *revolve_create(int steps, int snapshots);
void revolve_free(revolve *r);

/* Performs the next action; r->state is the state that it leads to (REVOLVE_TURN:
 * the state that was turned). O(snapshots). */
revolve_action revolve_next(revolve *r);

/* Repetitions: the least r with binomial(c + r, c) >= steps; steps, c >= 1. */
int64_t revolve_repetitions(int64_t steps, int64_t snapshots);

/* beta(s, r) = binomial(s + r, s), 0 when s or r is negative; at most INT64_MAX. */
int64_t revolve_beta(int64_t s, int64_t r);

#endif
