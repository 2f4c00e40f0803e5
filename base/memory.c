#include "base/base.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The allocator's own block sizes are counted, so that no header is needed and
 * what is counted is what the process really holds. */
static atomic_size_t memory_used;
static atomic_size_t memory_peak;

static void count_block(void *block)
{
    size_t size = malloc_usable_size(block);
    size_t now = atomic_fetch_add_explicit(&memory_used, size, memory_order_relaxed) + size;
    size_t peak = atomic_load_explicit(&memory_peak, memory_order_relaxed);
    while (now > peak && !atomic_compare_exchange_weak_explicit(
                             &memory_peak, &peak, now, memory_order_relaxed, memory_order_relaxed))
        ;
}

static void uncount_block(void *block)
{
    atomic_fetch_sub_explicit(&memory_used, malloc_usable_size(block), memory_order_relaxed);
}

void base_memory_keep(void)
{
    mallopt(M_MMAP_THRESHOLD, 32 << 20); /* the most that glibc allows */
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
}

static _Noreturn void out_of_memory(size_t count, size_t size)
{
    fprintf(stderr, "poetbnb: out of memory: %zu x %zu bytes asked for, %zu held\n", count, size,
            base_memory_used());
    exit(5);
}

/* count * size, at least 1 so that NULL always means failure. */
static size_t block_size(size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total) || total > PTRDIFF_MAX)
        out_of_memory(count, size);
    return total ? total : 1;
}

void *base_malloc(size_t count, size_t size)
{
    void *block = malloc(block_size(count, size));
    if (!block)
        out_of_memory(count, size);
    count_block(block);
    return block;
}

void *base_calloc(size_t count, size_t size)
{
    void *block = calloc(1, block_size(count, size));
    if (!block)
        out_of_memory(count, size);
    count_block(block);
    return block;
}

void *base_realloc(void *block, size_t count, size_t size)
{
    size_t total = block_size(count, size);
    if (block)
        uncount_block(block);
    void *moved = realloc(block, total);
    if (!moved)
        out_of_memory(count, size);
    count_block(moved);
    return moved;
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
    uncount_block(block);
    free(block);
}

size_t base_memory_used(void)
{
    return atomic_load_explicit(&memory_used, memory_order_relaxed);
}

size_t base_memory_peak(void)
{
    return atomic_load_explicit(&memory_peak, memory_order_relaxed);
}
