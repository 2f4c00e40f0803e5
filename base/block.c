/* Blocks of memory: their bytes are counted, and each lies on a ring of the guard that owns it. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

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

static void count_bytes(size_t size)
{
    count_apart((long long)size);
    size_t now = atomic_fetch_add_explicit(&memory_used, size, memory_order_relaxed) + size;
    size_t peak = atomic_load_explicit(&memory_peak, memory_order_relaxed);
    while (now > peak && !atomic_compare_exchange_weak_explicit(
                             &memory_peak, &peak, now, memory_order_relaxed, memory_order_relaxed))
        ;
}

static void uncount_bytes(size_t size)
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

/* ---- allocation: malloc and the like, within the memory limits of the guards ------------ */

void base_block_free(base_block *block)
{
    uncount_bytes(block->size);
    free(block);
}

/* Steps of base_work, so that code that allocates much reaches its limits' checks. */
enum { WORK_PER_BLOCK = 100 };

/* Bytes of a block with its header, number * size behind it; `held`: bytes that the block has
 * already. Gives up where that exceeds a limit, or where the guard is being given up. */
static size_t block_size(size_t number, size_t size, size_t held)
{
    size_t bytes;
    if (__builtin_mul_overflow(number, size, &bytes) || bytes > PTRDIFF_MAX - sizeof(base_block) ||
        !base_memory_fits((double)bytes - (double)held))
        base_give_up(BASE_STOP_MEMORY);
    base_rejoin();
    base_work(WORK_PER_BLOCK);
    return bytes + sizeof(base_block);
}

/* Counts a new block with its size in the allocator, adds it to the guard and returns the bytes
 * behind its header. NULL: gives up. */
static void *enter_block(base_block *block, base_guard *guard)
{
    if (!block)
        base_give_up(BASE_STOP_MEMORY);
    block->size = malloc_usable_size(block);
    count_bytes(block->size);
    base_guard_add(guard, block);
    return block + 1;
}

void *base_malloc(size_t number, size_t size)
{
    return enter_block(malloc(block_size(number, size, 0)), base_guard_current());
}

void *base_calloc(size_t number, size_t size)
{
    return enter_block(calloc(1, block_size(number, size, 0)), base_guard_current());
}

void *base_realloc(void *block, size_t number, size_t size)
{
    if (!block)
        return base_malloc(number, size);
    base_block *old = (base_block *)block - 1;
    base_guard *owner = old->owner;
    const size_t before = old->size, total = block_size(number, size, before);
    base_guard_remove(old);
    base_block *moved = realloc(old, total);
    if (!moved) {
        base_guard_add(owner, old);
        base_give_up(BASE_STOP_MEMORY);
    }
    uncount_bytes(before);
    return enter_block(moved, owner);
}

void *base_copy(const void *from, size_t count, size_t size)
{
    void *copy = base_malloc(count + 1, size);
    return count > 0 ? memcpy(copy, from, count * size) : copy;
}

char *base_strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(base_malloc(size, 1), text, size);
}

void base_free(void *block)
{
    if (!block)
        return;
    base_guard_remove((base_block *)block - 1);
    base_block_free((base_block *)block - 1);
}

void base_free_blocks(void *const *block, size_t count)
{
    for (size_t k = 0; k < count; k++)
        base_free(block[k]);
}

void *base_grow(void *block, int count, int *capacity, size_t size)
{
    if (count < *capacity)
        return block;
    *capacity = 2 * *capacity + 16;
    return base_realloc(block, (size_t)*capacity, size);
}
