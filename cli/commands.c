/* The list of subcommands. */
#include "cli/commands.h"

const cli_command *const cli_commands[] = {
    &cli_command_solve, &cli_command_compare, &cli_command_sweep,  &cli_command_plan,
    &cli_command_check, &cli_command_verify,  &cli_command_export, &cli_command_import,
    &cli_command_lp,    &cli_command_mip,     &cli_command_info,
};
const int cli_command_count = sizeof cli_commands / sizeof cli_commands[0];

const char cli_exit_text[] =
    "0 proven optimal, or within the given --gap, or the task done, 1 an internal check failed, "
    "2 bad usage or bad input, 3 proven infeasible, 4 stopped by a limit with a "
    "feasible schedule, 5 stopped by a limit without one.";
