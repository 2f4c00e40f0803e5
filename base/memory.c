/* Blocks that are counted, as a sum for the process and in the list of the guard that they belong
 * to. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"

/* The allocator's own block sizes are counted: what the process really holds. */
static atomic_size_t memory_used;
static atomic_size_t memory_peak;

_Static_assert(sizeof(base_block) % _Alignof(max_align_t) == 0, "what follows is aligned");

/* Steps of base_work: who allocates much is asked about limits often enough. */
enum { WORK_PER_BLOCK = 100 };

/* Of the present work, if it is apart. */
static void count_apart(long long size)
{
    const base_guard *guard = base_guard_current();
    if (guard && guard->held)
        atomic_fetch_add_explicit(guard->held, size, memory_order_relaxed);
}

static void count(size_t size)
{
    count_apart((long long)size);
    size_t now = atomic_fetch_add_explicit(&memory_used, size, memory_order_relaxed) + size;
    size_t peak = atomic_load_explicit(&memory_peak, memory_order_relaxed);
    while (now > peak && !atomic_compare_exchange_weak_explicit(
                             &memory_peak, &peak, now, memory_order_relaxed, memory_order_relaxed))
        ;
}

static void uncount(size_t size)
{
    count_apart(-(long long)size);
    atomic_fetch_sub_explicit(&memory_used, size, memory_order_relaxed);
}

/* number * size and the header, of which `held` are there already. Gives up where it is too much,
 * or the guard is being given up already. */
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

/* A fresh block becomes the guard's. */
static void *enter(base_block *block, base_guard *guard)
{
    if (!block)
        base_give_up(BASE_STOP_MEMORY);
    block->size = malloc_usable_size(block);
    count(block->size);
    base_guard_add(guard, block);
    return block + 1;
}

void *base_malloc(size_t number, size_t size)
{
    return enter(malloc(block_size(number, size, 0)), base_guard_current());
}

void *base_calloc(size_t number, size_t size)
{
    return enter(calloc(1, block_size(number, size, 0)), base_guard_current());
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
    uncount(before);
    return enter(moved, owner);
}

char *base_strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(base_malloc(size, 1), text, size);
}

void base_block_free(base_block *block)
{
    uncount(block->size);
    free(block);
}

void base_free(void *block)
{
    if (!block)
        return;
    base_guard_remove((base_block *)block - 1);
    base_block_free((base_block *)block - 1);
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
