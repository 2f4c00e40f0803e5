/* base/guard: inside base/, between blocks (block.c), counted work (work.c), guards (guard.c) and
 * allocation (memory.c). */
#ifndef BASE_GUARD_H
#define BASE_GUARD_H

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

/* ---- block.c */

/* Makes `guard` (NULL: none) the guard of this thread. */
void base_guard_set(base_guard *guard);
/* Adds the bytes to, or takes them from, base_memory_used and the peak. */
void base_bytes_count(size_t size);
void base_bytes_uncount(size_t size);
/* Puts the block on a ring of the guard, its owner from then on. guard NULL: no owner. */
void base_guard_add(base_guard *guard, base_block *block);
/* Takes the block from its guard, if it has one. */
void base_guard_remove(base_block *block);
/* Frees a block that is on no ring, or whose ring is never read again. */
void base_block_free(base_block *block);

/* ---- work.c */

/* Writes base_work_done() to the place of base_work_show. */
void base_work_publish(void);
/* Begins the next stretch of steps after which base_work looks at limits. */
void base_work_refill(void);

#endif
