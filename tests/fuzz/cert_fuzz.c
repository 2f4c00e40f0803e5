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

#include "tests/certificate/witness.h"
#include "tests/fuzz/arguments.h"
#include "tests/oracle/bait_instance.h"

enum { LEAST_NODES = 6, MOST_NODES = 12, REPORT_EVERY = 5000 };

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

static bool run_one(uint64_t seed, const fuzz_arguments *a)
{
    OWNED(random_instance) i = any_instance_make(seed, a->size);
    const char *fault = witness_fault(&i.problem, seed, witnesses);
    if (fault) {
        printf("%llu (%s): %s\n", (unsigned long long)seed, any_family_name(any_family(seed)),
               fault);
        report(&i.problem, seed, a->folder);
    }
    return fault != NULL;
}

static void print_counts(long instances, long failed)
{
    printf("%ld instances, %ld schedules, %ld canonical solutions, %ld wrong\n", instances,
           witnesses[CERT_RULES], witnesses[CERT_EXCHANGES], failed);
    fflush(stdout);
}

static bool parse(int argc, char **argv, fuzz_arguments *a)
{
    for (int option; (option = getopt(argc, argv, "n:s:m:o:")) != -1;)
        if (!fuzz_argument(option, a))
            return false;
    return optind == argc && a->count >= 0 && a->size >= LEAST_NODES && a->size <= MOST_NODES;
}

int main(int argc, char **argv)
{
    fuzz_arguments a = {.count = 10000, .size = 7, .folder = "build/fuzz"};
    if (!parse(argc, argv, &a)) {
        fprintf(stderr, "cert_fuzz: -n INSTANCES -s FIRST_SEED -m NODES (%d to %d) -o FOLDER\n",
                LEAST_NODES, MOST_NODES);
        return EXIT_FAILURE;
    }
    fuzz_make_folder(a.folder);
    long failed = 0;
    for (long k = 0; k < a.count; k++) {
        failed += run_one(a.seed + (uint64_t)k, &a);
        if ((k + 1) % REPORT_EVERY == 0)
            print_counts(k + 1, failed);
    }
    print_counts(a.count, failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
