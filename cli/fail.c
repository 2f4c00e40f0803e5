/* Output of messages, handling of signals, and the check that all output was written. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

int cli_fail(int status, const char *format, ...)
{
    va_list arguments;
    base_error message;
    va_start(arguments, format);
    vsnprintf(message.text, sizeof message.text, format, arguments);
    va_end(arguments);
    base_text_clean(message.text);
    fflush(stdout); /* keep the order where both streams are one file */
    fprintf(stderr, "poetbnb: %s\n", message.text);
    return status;
}

static base_flag interrupted;

/* A sender may deliver one signal twice (timeout(1) does: to the process and to its group), so a
 * second one counts only some time after the first. */
static void on_signal(int number)
{
    static const double again = 0.5; /* seconds */
    static double first;
    if (!interrupted) {
        first = base_seconds();
        interrupted = 1;
    } else if (base_seconds() - first > again) {
        signal(number, SIG_DFL);
        raise(number); /* delivered when this returns */
    }
}

const base_flag *cli_interrupt(void)
{
    static bool installed;
    if (installed)
        return &interrupted;
    installed = true;
    struct sigaction before, action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    sigaddset(&action.sa_mask, SIGHUP);
    sigaction(SIGTERM, &action, NULL);
    /* A background job of a shell ignores Ctrl-C, one of nohup(1) the end of its terminal. */
    static const int ignorable[] = {SIGINT, SIGHUP};
    for (int k = 0; k < 2; k++)
        if (sigaction(ignorable[k], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(ignorable[k], &action, NULL);
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, NULL);
    return &interrupted;
}

int cli_finish_output(void)
{
    static bool said;
    if (said)
        return CLI_BAD_INPUT;
    const int reason = base_flush(stdout, STDOUT_FILENO);
    if (!reason || reason == EPIPE)
        return 0;
    said = true;
    return cli_fail(CLI_BAD_INPUT, "standard output: %s", strerror(reason));
}
