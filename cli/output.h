/* cli/output: files that a long run writes at its end. They are tried before the work and
 * opened after it, so that a process that is killed in between leaves nothing behind. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "base/base.h"

/* Finds out whether a file can be written at path, leaving it as it is; a NULL path and "-"
 * can. A pipe or device is not opened, only its permissions are looked at. 0, or -1 with an
 * error. */
int cli_output_probe(const char *path, base_error *error);

#endif
