/* cli/parameters: the parameters of all rooms (base/params.h): --set, --params, and how they are
 * listed and shown. */
#ifndef CLI_PARAMETERS_H
#define CLI_PARAMETERS_H

#include <jansson.h>
#include <stdio.h>

#include "base/base.h"
#include "exact/tuning.h"

/* command: the subcommand's bit (cli/options.h). It takes the parameters of the rooms that it
 * runs. */

/* Reads NAME=VALUE. 0, or -1 with an error: no such parameter (the nearest name is in the text),
 * one of a room that the command does not run (known_only: passed over), or a value out of range.
 */
int cli_parameters_set(unsigned command, const char *text, bool known_only, exact_tuning *tuning,
                       base_error *error);

/* Reads a file of lines NAME = VALUE, in which # begins a comment. The last value of a parameter
 * counts; parameters of rooms that the command does not run are checked and ignored. Returns 0,
 * or -1 with an error that names file and line; tuning is then partly changed. */
int cli_parameters_read(unsigned command, const char *path, exact_tuning *tuning,
                        base_error *error);

/* One line for each parameter that is not at its default. */
void cli_parameters_print_changed(FILE *stream, const exact_tuning *tuning);
/* The parameters that are not at their default: a JSON object of full names and values. */
json_t *cli_parameters_changed_json(const exact_tuning *tuning);

/* All parameters, then the features of the formulation, as aligned Markdown tables on standard
 * output, or as one JSON object. */
void cli_parameters_list(bool json);

/* The features, and the families of rows, with their sections of docs/formulation.md, likewise. */
void cli_features_list(bool json);

#endif
