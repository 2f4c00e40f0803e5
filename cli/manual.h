/* cli/manual: the options as text for other programs: manual page and completions. Both come from
 * the tables of commands and options. */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

#include <stdio.h>

/* The manual page poetbnb(1), in roff with the macros man. */
void cli_manual_print(FILE *out);

/* A bash script that completes commands, options, and the values of options that have a list of
 * them. */
void cli_completion_print(FILE *out);

#endif
