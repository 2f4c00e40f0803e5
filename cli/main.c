/* The entry point: settings of the whole process, then cli_main. */
#include <malloc.h>

#include "cli/cli.h"
#include "library/library.h"

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
    library_count_memory();
    return cli_main(argc, argv);
}
