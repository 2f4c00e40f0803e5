/* cli/output: the files of a run. Outputs that a long run writes at its end are tried before the
 * work and opened after it, so that a process that is killed in between leaves nothing behind. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdio.h>

#include "cli/options.h"

/* True if path, which may be NULL, stands for standard output. */
bool cli_output_is_standard(const char *path);

/* Checks that a file can be written at path, leaving it as it is; a NULL path and "-" pass. A
 * pipe or device is not opened; only its permissions are checked. 0, or -1 with an error. */
int cli_output_probe(const char *path, base_error *error);

/* Where the log goes: to the file of --log, which is opened (made empty if it is there), or else to
 * usual (NULL: nowhere). 0, or -1 after a message. */
int cli_log_open(const cli_options *options, FILE *usual, FILE **log);
/* Closes that file, if it is one. 0, or CLI_BAD_INPUT after a message if something could not be
 * written. */
int cli_log_close(const cli_options *options, FILE *log);

/* True if the files that the options name can be used side by side: none is written that is also
 * read, written for another option, or standard output or standard error; none that can be read
 * only once is read twice. 0, or -1 after a message that names both options. */
int cli_files_check(const cli_options *options);

#endif
