/* base/guard: what base/memory.c and base/guard.c share. */
#ifndef BASE_GUARD_H
#define BASE_GUARD_H

#include <setjmp.h>
#include <stdatomic.h>

#include "base/base.h"

/* In front of every block. Sized so that what follows is aligned as malloc's blocks are. */
typedef struct base_block {
    struct base_block *next, *before; /* in a ring of its guard; NULL without one */
    base_guard *owner;
    size_t size; /* what the allocator took for it */
} base_block;

/* A guard's blocks lie in several rings, by their address, so that threads seldom wait for each
 * other. */
enum { BASE_RINGS = 16 };

typedef struct base_ring {
    atomic_flag busy;
    base_block first; /* no block itself */
} base_ring;

struct base_guard {
    base_guard *outer;
    base_limits limits;
    atomic_int failed;          /* a base_stop: why it is given up */
    _Atomic double interrupted; /* when the interrupt was first seen; 0: not yet */
    base_cleanup *cleanup;
    atomic_llong *held; /* bytes of work that is apart; NULL: of the process */
    base_ring ring[BASE_RINGS];
};

void base_guard_add(base_guard *guard, base_block *block);
/* Takes a block out of its guard, if it has one. */
void base_guard_remove(base_block *block);

/* memory.c */
void base_block_free(base_block *block);

#endif
