/* Allocation: malloc and the like, within the memory limits of the guards. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"

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
    base_bytes_count(block->size);
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
    base_bytes_uncount(before);
    return enter_block(moved, owner);
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
