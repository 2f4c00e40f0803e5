/* The options that the fuzzers share. */
#ifndef TESTS_FUZZ_ARGUMENTS_H
#define TESTS_FUZZ_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct fuzz_arguments {
    long count;         /* -n; of instances, executions or plans */
    uint64_t seed;      /* -s; the first one */
    int size;           /* -m; largest, of an instance */
    double seconds;     /* -t; time limit of a solve */
    const char *folder; /* -o */
} fuzz_arguments;

/* Stores optarg for one of these options, as getopt returned it; false for any other one. */
static inline bool fuzz_argument(int option, fuzz_arguments *a)
{
    switch (option) {
    case 'n':
        a->count = strtol(optarg, NULL, 10);
        return true;
    case 's':
        a->seed = strtoull(optarg, NULL, 10);
        return true;
    case 'm':
        a->size = (int)strtol(optarg, NULL, 10);
        return true;
    case 't':
        a->seconds = strtod(optarg, NULL);
        return true;
    case 'o':
        a->folder = optarg;
        return true;
    default:
        return false;
    }
}

/* Creates the folder in build/, or elsewhere, if it is not there. */
static inline void fuzz_make_folder(const char *folder)
{
    mkdir("build", 0777);
    mkdir(folder, 0777);
}

#endif
