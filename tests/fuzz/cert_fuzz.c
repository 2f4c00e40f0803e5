/* cert_fuzz: false proofs against the checker of certificates.
 *
 *     cert_fuzz [-n INSTANCES] [-s FIRST_SEED] [-m NODES] [-o FOLDER]
 *
 * Instance number s has up to NODES nodes (default 7) of a family of any_instance_make, which take
 * turns. Schedules and canonical solutions of it are drawn, and each row, reduction, cut and random
 * step of the checker must keep them (tests/certificate/witness.h). Each failure is shrunk and
 * written to FOLDER (default build/fuzz) as a schedule file. Exit status 1 if anything failed. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/certificate/witness.h"
#include "tests/oracle/bait_instance.h"

enum { LEAST_NODES = 6, MOST_NODES = 12, REPORT_EVERY = 5000 };

typedef struct options {
    long instances;
    uint64_t seed;
    int nodes;
    const char *folder;
} options;

static long witnesses[CERT_TRUSTS];

static bool fails_again(const problem *p, void *context)
{
    long none[CERT_TRUSTS] = {0};
    return witness_fault(p, *(const uint64_t *)context, none) != NULL;
}

static void report(const problem *p, uint64_t seed, const char *folder)
{
    char path[600];
    base_error error;
    long none[CERT_TRUSTS] = {0};
    OWNED(random_instance) small = random_instance_shrink(p, fails_again, &seed);
    snprintf(path, sizeof path, "%s/cert-%llu.json", folder, (unsigned long long)seed);
    printf("  shrunk to %d nodes: %s\n", small.graph->n, witness_fault(&small.problem, seed, none));
    if (random_instance_save(&small.problem, path, &error))
        fprintf(stderr, "cert_fuzz: %s\n", error.text);
    printf("  written to %s\n", path);
    fflush(stdout);
}

static bool run_one(uint64_t seed, const options *o)
{
    OWNED(random_instance) i = any_instance_make(seed, o->nodes);
    const char *fault = witness_fault(&i.problem, seed, witnesses);
    if (fault) {
        printf("%llu (%s): %s\n", (unsigned long long)seed, any_family_name(any_family(seed)),
               fault);
        report(&i.problem, seed, o->folder);
    }
    return fault != NULL;
}

static void print_counts(long instances, long failed)
{
    printf("%ld instances, %ld schedules, %ld canonical solutions, %ld wrong\n", instances,
           witnesses[CERT_RULES], witnesses[CERT_EXCHANGES], failed);
    fflush(stdout);
}

static bool parse(int argc, char **argv, options *o)
{
    for (int c; (c = getopt(argc, argv, "n:s:m:o:")) >= 0;)
        switch (c) {
        case 'n':
            o->instances = strtol(optarg, NULL, 10);
            break;
        case 's':
            o->seed = strtoull(optarg, NULL, 10);
            break;
        case 'm':
            o->nodes = (int)strtol(optarg, NULL, 10);
            break;
        case 'o':
            o->folder = optarg;
            break;
        default:
            return false;
        }
    return optind == argc && o->instances >= 0 && o->nodes >= LEAST_NODES && o->nodes <= MOST_NODES;
}

int main(int argc, char **argv)
{
    options o = {.instances = 10000, .nodes = 7, .folder = "build/fuzz"};
    if (!parse(argc, argv, &o)) {
        fprintf(stderr, "cert_fuzz: -n INSTANCES -s FIRST_SEED -m NODES (%d to %d) -o FOLDER\n",
                LEAST_NODES, MOST_NODES);
        return EXIT_FAILURE;
    }
    mkdir(o.folder, 0777);
    long failed = 0;
    for (long k = 0; k < o.instances; k++) {
        failed += run_one(o.seed + (uint64_t)k, &o);
        if ((k + 1) % REPORT_EVERY == 0)
            print_counts(k + 1, failed);
    }
    print_counts(o.instances, failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
