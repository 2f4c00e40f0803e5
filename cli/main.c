#include "base/base.h"
#include "cli/cli.h"

int main(int argc, char **argv)
{
    base_files_hold_standard();
    base_memory_keep();
    return cli_main(argc, argv);
}
