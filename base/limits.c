/* The clock, the limits of a run made from it, and the memory and processors that the process may
 * use. */
#include "base/base.h"

#include <float.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

double base_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* First number in a file; 0: none. */
static double number_in(const char *path)
{
    char text[64] = "";
    FILE *stream = fopen(path, "re");
    if (!stream)
        return 0;
    const size_t size = fread(text, 1, sizeof text - 1, stream);
    fclose(stream);
    text[size] = '\0';
    return strtod(text, NULL);
}

static double least(double a, double b)
{
    return b > 0 && b < a ? b : a;
}

size_t base_memory_available(void)
{
    const double page = (double)sysconf(_SC_PAGESIZE);
    double most = (double)sysconf(_SC_PHYS_PAGES) * page;
    most = least(most, number_in("/sys/fs/cgroup/memory.max"));
    most = least(most, number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        const double mapped = number_in("/proc/self/statm") * page;
        most = least(most, fmax(1, (double)limit.rlim_cur - mapped));
    }
    if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        most = least(most, (double)limit.rlim_cur);
    return most > 0 ? (size_t)most : 0;
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
