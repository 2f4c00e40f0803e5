/* plan_fuzz: damaged plans against the runtime of devices.
 *
 *     plan_fuzz [-n PLANS] [-s FIRST_SEED]
 *
 * Damages plans of random instances, 200 times each, until PLANS (default 1000000) have been run
 * with tests/runtime/damage.h, which says what is wrong with an answer. Exit status 1 if anything
 * was; a seed repeats it. Accesses outside end the process in a build with the sanitizers. */
#include <stdio.h>

#include "tests/fuzz/arguments.h"
#include "tests/runtime/damage.h"

enum { EACH = 200, REPORT_EVERY = 100000 };

int main(int argc, char **argv)
{
    damage_counts counts = {0};
    fuzz_arguments a = {.count = 1000000, .seed = 1};
    long failures = 0, reported = 0;
    for (int option; (option = getopt(argc, argv, "n:s:")) != -1;)
        if (!fuzz_argument(option, &a))
            return 2;
    for (; counts.run < a.count; a.seed++) {
        const char *wrong = damage_run(a.seed, EACH, &counts);
        if (wrong)
            printf("seed %llu: %s\n", (unsigned long long)a.seed, wrong);
        failures += wrong != NULL;
        if (counts.run / REPORT_EVERY > reported) {
            reported = counts.run / REPORT_EVERY;
            printf("%ld plans, %ld accepted, %ld failures\n", counts.run, counts.accepted,
                   failures);
            fflush(stdout);
        }
    }
    printf("plan_fuzz: %ld damaged plans, %ld accepted, %ld failures\n", counts.run,
           counts.accepted, failures);
    return failures > 0;
}
