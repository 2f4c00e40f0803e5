#include "base/base.h"

#include <time.h>

double base_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

base_stop base_limits_check(const base_limits *limits)
{
    if (!limits)
        return BASE_GO;
    if (limits->interrupt && *limits->interrupt)
        return BASE_STOP_INTERRUPT;
    if (limits->memory_bytes > 0 && base_memory_used() > limits->memory_bytes)
        return BASE_STOP_MEMORY;
    if (limits->deadline > 0.0 && base_seconds() >= limits->deadline)
        return BASE_STOP_TIME;
    return BASE_GO;
}
