/* How long something took, whatever else the machine does meanwhile. */
#ifndef TESTS_CLOCK_H
#define TESTS_CLOCK_H

#include <sys/resource.h>

static inline double clock_of(int who)
{
    struct rusage use;
    getrusage(who, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

/* Processor seconds of this process, all threads, and of its children that have ended: what works
 * up to a limit takes at most those of the limit, for each thread. It says nothing of waiting. */
static inline double processor_seconds(void)
{
    return clock_of(RUSAGE_SELF) + clock_of(RUSAGE_CHILDREN);
}

#endif
