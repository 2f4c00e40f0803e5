/* The clock, the limits of a run made from it, and the processors that the process may use. */
#include "base/base.h"

#include <float.h>
#include <math.h>
#include <sched.h>
#include <time.h>

double base_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Sets the limit on blocks for a limit of `bytes` in all: a part is for the program itself and for
 * gaps between blocks. */
static void set_memory(base_limits *limits, double bytes)
{
    static const double program = 16 << 20;
    const double blocks = fmax(bytes - bytes / 16 - program, bytes / 4);
    limits->grace_bytes = (size_t)(blocks / 16);
    limits->memory_bytes = (size_t)blocks - limits->grace_bytes;
    if (limits->memory_bytes == 0)
        limits->memory_bytes = 1;
}

void base_limits_shorten(base_limits *limits, double work)
{
    if (work >= 0x1p62) /* no limit in effect */
        return;
    const uint64_t end = base_work_done() + (uint64_t)work + 1;
    if (limits->work_end == 0 || end < limits->work_end)
        limits->work_end = end;
}

void base_limits_keep_back(base_limits *limits, double work)
{
    if (limits->deadline > 0)
        limits->deadline -= 1e-9 * work;
}

base_limits base_limits_make(double seconds, size_t bytes, const base_flag *interrupt)
{
    base_limits limits = {.interrupt = interrupt, .grace_seconds = 0.3};
    if (seconds < DBL_MAX) {
        limits.deadline = base_seconds() + seconds;
        limits.grace_seconds += 0.05 * seconds;
    }
    if (bytes == 0)
        bytes = base_memory_available();
    if (bytes > 0)
        set_memory(&limits, (double)bytes);
    return limits;
}

const char *base_stop_name(base_stop stop)
{
    return stop == BASE_STOP_TIME     ? "time limit"
           : stop == BASE_STOP_MEMORY ? "memory limit"
           : stop == BASE_STOP_WORK   ? "work limit"
                                      : "interrupt";
}

int base_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    const int processors = CPU_COUNT(&set);
    return processors < 1 ? 1 : processors > 256 ? 256 : processors;
}
