#include <gmp.h>
#include <jansson.h>

#include "base/base.h"
#include "cli/cli.h"

/* What the libraries allocate counts too. */
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

int main(int argc, char **argv)
{
    base_files_hold_standard();
    base_memory_keep();
    json_set_alloc_funcs(allocate, base_free);
    mp_set_memory_functions(allocate, reallocate, release);
    return cli_main(argc, argv);
}
