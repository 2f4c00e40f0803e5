/* Blocks of memory: their bytes are counted, and each lies on a ring of the guard that owns it. */
#include <stdlib.h>

#include "base/guard.h"

static _Thread_local base_guard *current;
static atomic_size_t memory_used;
static atomic_size_t memory_peak;

_Static_assert(sizeof(base_block) % _Alignof(max_align_t) == 0, "the bytes behind it are aligned");

base_guard *base_guard_current(void)
{
    return current;
}

void base_guard_set(base_guard *guard)
{
    current = guard;
}

/* ---- bytes ----------------------------------------------------------------------- */

/* Adds to the byte count of base_try_apart, if this thread runs inside of one. */
static void count_apart(long long size)
{
    const base_guard *guard = base_guard_current();
    if (guard && guard->held)
        atomic_fetch_add_explicit(guard->held, size, memory_order_relaxed);
}

void base_bytes_count(size_t size)
{
    count_apart((long long)size);
    size_t now = atomic_fetch_add_explicit(&memory_used, size, memory_order_relaxed) + size;
    size_t peak = atomic_load_explicit(&memory_peak, memory_order_relaxed);
    while (now > peak && !atomic_compare_exchange_weak_explicit(
                             &memory_peak, &peak, now, memory_order_relaxed, memory_order_relaxed))
        ;
}

void base_bytes_uncount(size_t size)
{
    count_apart(-(long long)size);
    atomic_fetch_sub_explicit(&memory_used, size, memory_order_relaxed);
}

size_t base_memory_used(void)
{
    const base_guard *guard = base_guard_current();
    if (!guard || !guard->held)
        return atomic_load_explicit(&memory_used, memory_order_relaxed);
    const long long held = atomic_load_explicit(guard->held, memory_order_relaxed);
    return held > 0 ? (size_t)held : 0;
}

size_t base_memory_peak(void)
{
    return atomic_load_explicit(&memory_peak, memory_order_relaxed);
}

/* ---- rings ------------------------------------------------------------------------ */

static base_ring *ring_of(base_guard *guard, const base_block *block)
{
    return &guard->ring[((uintptr_t)block >> 5) % BASE_RINGS];
}

static void ring_lock(base_ring *ring)
{
    while (atomic_flag_test_and_set_explicit(&ring->busy, memory_order_acquire))
        ;
}

static void ring_unlock(base_ring *ring)
{
    atomic_flag_clear_explicit(&ring->busy, memory_order_release);
}

void base_guard_add(base_guard *guard, base_block *block)
{
    block->owner = guard;
    if (!guard)
        return;
    base_ring *ring = ring_of(guard, block);
    ring_lock(ring);
    block->before = &ring->first;
    block->next = ring->first.next;
    block->next->before = block;
    ring->first.next = block;
    ring_unlock(ring);
}

void base_guard_remove(base_block *block)
{
    base_guard *guard = block->owner;
    if (!guard)
        return;
    base_ring *ring = ring_of(guard, block);
    ring_lock(ring);
    block->next->before = block->before;
    block->before->next = block->next;
    ring_unlock(ring);
    block->owner = NULL;
}

void base_keep(void *block)
{
    if (block)
        base_guard_remove((base_block *)block - 1);
}

/* ---- blocks ----------------------------------------------------------------------- */

void base_block_free(base_block *block)
{
    base_bytes_uncount(block->size);
    free(block);
}
