/* cli/commands: the subcommands' entry points and descriptions, one per file. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/options.h"

/* All of them, in the order of `poetbnb --help'. */
extern const cli_command *const cli_commands[];
extern const int cli_command_count;

/* Of check: executes the plan in the text of options->file on a simulated memory and prints the
 * result. The graph is in the file or comes from --graph. Returns the exit status. */
int cli_plan_check(const cli_options *options, const char *text, size_t size);

/* A paragraph for each baseline: name, description, citation, options. Free with base_free. */
char *cli_methods_text(void);

extern const cli_command cli_command_check;
extern const cli_command cli_command_compare;
extern const cli_command cli_command_export;
extern const cli_command cli_command_import;
extern const cli_command cli_command_info;
extern const cli_command cli_command_lp;
extern const cli_command cli_command_mip;
extern const cli_command cli_command_plan;
extern const cli_command cli_command_solve;
extern const cli_command cli_command_sweep;
extern const cli_command cli_command_verify;

#endif
