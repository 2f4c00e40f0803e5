/* cli: the program poetbnb. One file per subcommand. This header declares the exit statuses, the
 * list of subcommands, messages and the interrupt. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/base.h"

/* Exit statuses, the same for every subcommand. */
enum cli_exit {
    CLI_DONE = 0,         /* proven optimal, within the asked gap, or the asked work done */
    CLI_CHECK_FAILED = 1, /* an internal check failed, or `check` found a disagreement */
    CLI_BAD_INPUT = 2,    /* bad usage or bad input */
    CLI_NO_OPTIMUM = 3,   /* proven infeasible; lp and mip also: proven unbounded */
    CLI_LIMIT = 4,        /* stopped by a limit, with a feasible answer */
    CLI_LIMIT_NOTHING = 5 /* stopped by a limit, without one */
};

/* Runs the program on the arguments of main; returns its exit status. */
int cli_main(int argc, char **argv);

/* Prints "poetbnb: text" on stderr, cleaned and cut at 1023 bytes, and returns status. */
int cli_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* From the first call on, SIGINT, SIGTERM and SIGHUP set the flag that is returned, for
 * base_limits.interrupt; a second signal, half a second later or more, ends the
 * process. Writing to a closed pipe becomes a write error instead of a signal. */
const base_flag *cli_interrupt(void);

/* Flushes standard output. Returns 0, or CLI_BAD_INPUT after a message if the output could not be
 * written. A reader that closed the pipe is no error. */
int cli_finish_output(void);

#endif
