/* cli/spelling: suggestions for options and commands that do not exist. */
#ifndef CLI_SPELLING_H
#define CLI_SPELLING_H

#include "cli/options.h"

/* Checks the options in argv[1..] as getopt_long takes them, abbreviations included. Exits with
 * status 2 and a message that names the nearest option where the command has none of that name,
 * or several. command NULL: the program without a command. */
void cli_spelling_check(const cli_command *command, int argc, char **argv);

#endif
