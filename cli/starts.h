/* cli/starts: the schedules that a solve starts from, as --warm-start asks. */
#ifndef CLI_STARTS_H
#define CLI_STARTS_H

#include "baselines/starts.h"
#include "cli/options.h"

/* The methods' options as the command line gave them. limits is kept by reference. */
baseline_options cli_baseline_options(const cli_options *options, const base_limits *limits);

/* baseline_starts_make with the words of --warm-start; sparing as in baseline_options. 0, or -1
 * after a message. */
int cli_starts_make(const cli_options *options, const problem *p, const base_limits *limits,
                    bool sparing, FILE *log, baseline_starts *starts);
/* A paragraph for each baseline: name, description, citation, options. Free with base_free. */
char *cli_methods_text(void);

#endif
