/* The entry point: the libraries allocate through base/memory, then cli_main. */
#include <gmp.h>
#include <jansson.h>
#include <malloc.h>

#include "base/base.h"
#include "cli/cli.h"

/* Memory of jansson and GMP counts too. */
static void *allocate(size_t size)
{
    return base_malloc(size, 1);
}

static void *reallocate(void *block, size_t before, size_t size)
{
    (void)before;
    return base_realloc(block, size, 1);
}

static void release(void *block, size_t size)
{
    (void)size;
    base_free(block);
}

/* Blocks that are freed stay with the process for the next model, as their pages cost more than
 * they are worth to anybody else (4 % of the time on BERT). */
static void keep_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, 32 << 20); /* the most that glibc allows */
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
}

int main(int argc, char **argv)
{
    base_files_hold_standard();
    keep_memory();
    json_set_alloc_funcs(allocate, base_free);
    mp_set_memory_functions(allocate, reallocate, release);
    return cli_main(argc, argv);
}
