/* cli/output: the files of a run. Outputs that a long run writes at its end are tried before the
 * work and opened after it, so that a process that is killed in between leaves nothing behind. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdio.h>

#include "library/options.h"

/* True if path, which may be NULL, stands for standard output. */
bool cli_output_is_standard(const char *path);

/* Checks that a file can be written at path, leaving it as it is; a NULL path and "-" pass. A
 * pipe or device is not opened; only its permissions are checked. 0, or -1 with an error. */
int cli_output_probe(const char *path, base_error *error);

/* Sets *log to the file of --log, which is opened and emptied, or without --log to `usual` (NULL:
 * no log). 0, or -1 after a message. */
int cli_log_open(const cli_options *options, FILE *usual, FILE **log);
/* Closes that file, if it is one. 0, or CLI_BAD_INPUT after a message if something could not be
 * written. */
int cli_log_close(const cli_options *options, FILE *log);

/* Checks that the files of the options do not collide. A written file must not be read, be written
 * for another option, or be standard output or standard error. A file that can be read only once
 * must not be read twice. Returns 0, or -1 after a message that names both options. */
int cli_files_check(const cli_options *options);

#endif
