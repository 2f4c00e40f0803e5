/* base/guard: inside base/, between blocks (block.c) and guards (guard.c). */
#ifndef BASE_GUARD_H
#define BASE_GUARD_H

#include <stdatomic.h>

#include "base/base.h"

/* Header of every block. Its size keeps the bytes behind it aligned as malloc's blocks are. */
typedef struct base_block {
    struct base_block *next, *before; /* neighbours on a ring of its guard; NULL without one */
    base_guard *owner;
    size_t size; /* bytes that the allocator took for it */
} base_block;

/* A guard's blocks lie on several rings, chosen by address, so that threads seldom wait. */
enum { BASE_RINGS = 16 };

typedef struct base_ring {
    atomic_flag busy;
    base_block first; /* a head, not a block */
} base_ring;

struct base_guard {
    base_guard *outer;
    base_limits limits;
    atomic_int failed;          /* a base_stop: reason for which it is given up */
    _Atomic double interrupted; /* when the interrupt was first seen; 0: not yet */
    base_cleanup *cleanup;
    atomic_llong *held; /* bytes held inside of base_try_apart; NULL: not inside of one */
    base_ring ring[BASE_RINGS];
};

/* Makes `guard` (NULL: none) the guard of this thread. */
void base_guard_set(base_guard *guard);
/* Puts the block on a ring of the guard, its owner from then on. guard NULL: no owner. */
void base_guard_add(base_guard *guard, base_block *block);
/* Takes the block from its guard, if it has one. */
void base_guard_remove(base_block *block);
/* Frees a block that is on no ring, or on a ring that is never read again. */
void base_block_free(base_block *block);

#endif
