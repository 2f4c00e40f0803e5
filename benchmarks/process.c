/* Command lines word by word, and running one as a process with a limit and its resource usage.
 * */
#include "benchmarks/process.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- command lines ------------------------------------------------------------------------- */

void bench_command_word(bench_command *c, const char *word)
{
    if (c->count < COMMAND_WORDS - 1)
        c->words[c->count++] = base_strdup(word);
}

void bench_command_words(bench_command *c, const char *text)
{
    char *copy = base_strdup(text), *rest;
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        bench_command_word(c, word);
    base_free(copy);
}

void bench_command_format(bench_command *c, const char *format, ...)
{
    char text[4200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    bench_command_word(c, text);
}

void bench_command_clear(bench_command *c)
{
    for (int k = 0; k < c->count; k++)
        base_free(c->words[k]);
    *c = (bench_command){0};
}

/* ---- processes ------------------------------------------------------------------------------- */

void bench_process_become(const bench_command *c, const char *out, const char *err, pid_t parent)
{
    const char *const path[] = {out, err};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    for (int k = 0; k < 2; k++) {
        int file = open(path[k], O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (file < 0 || dup2(file, k + 1) < 0)
            _exit(127);
        close(file);
    }
    int null = open("/dev/null", O_RDONLY);
    if (null >= 0)
        dup2(null, 0);
    execvp(c->words[0], c->words);
    _exit(127);
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

bench_usage bench_process_run(const bench_command *c, const char *out, const char *err,
                              double limit, const base_flag *interrupt)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    const pid_t parent = getpid();
    bench_usage usage = {.exit_status = 127};
    struct rusage resources;
    int status = 0;
    const double started = base_seconds();
    fflush(NULL);
    pid_t process = fork();
    if (process == 0)
        bench_process_become(c, out, err, parent);
    if (process < 0)
        return usage;
    while (wait4(process, &status, WNOHANG, &resources) == 0) {
        if (base_seconds() - started > limit || (interrupt && *interrupt)) {
            usage.killed = true;
            kill(process, SIGKILL);
            while (wait4(process, &status, 0, &resources) < 0 && errno == EINTR)
                ;
            break;
        }
        nanosleep(&pause, NULL);
    }
    usage.seconds = base_seconds() - started;
    usage.exit_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    usage.cpu_seconds = seconds_of(resources.ru_utime) + seconds_of(resources.ru_stime);
    usage.peak_kilobytes = resources.ru_maxrss;
    return usage;
}

int bench_process_pin(int processor)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return -1;
    if (processor < 0)
        for (int k = 0; k < CPU_SETSIZE; k++)
            if (CPU_ISSET(k, &set))
                processor = k;
    if (processor < 0 || processor >= CPU_SETSIZE || !CPU_ISSET(processor, &set))
        return -1;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0 ? processor : -1;
}

static base_flag interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

const base_flag *bench_interrupt_catch(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return &interrupted;
}
