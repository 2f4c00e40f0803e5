/* lp_fuzz: random LPs against certificates, GLPK and exact arithmetic.
 *
 *     lp_fuzz [-n INSTANCES] [-s FIRST_SEED] [-m SIZE] [-t SECONDS] [-o FOLDER]
 *
 * Each failure is shrunk and written to FOLDER (default build/fuzz) as MPS with what was
 * wrong in a first comment. Exit status 1 if there were any. Programs that are not
 * installed are left out, which is said. How far it is goes to standard error. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lp/fuzz.h"
#include "tests/lp/shrink_model.h"

enum { PROGRESS_EVERY = 1000 };

typedef struct tally {
    long instances, failures, exact_answered, glpk_differs, borderline, unverified, ill_posed;
    long by_status[LP_NUMERICAL_TROUBLE + 1];
} tally;

static void one(uint64_t seed, const fuzz_options *options, const char *folder, tally *t)
{
    sample_family family;
    lp_model *m = fuzz_instance(seed, options->size, &family);
    const fuzz_report report = fuzz_check(m, seed, options);
    t->instances++;
    t->by_status[report.status]++;
    t->glpk_differs += report.glpk_differs;
    t->exact_answered += report.exact_answered;
    t->ill_posed += report.ill_posed;
    t->borderline += report.borderline;
    t->unverified += report.unverified;
    if (report.failure[0]) {
        t->failures++;
        printf("seed %llu, %s, %d x %d: %s\n", (unsigned long long)seed, sample_family_name(family),
               m->rows, m->cols, report.failure);
        m = fuzz_shrink(m, seed, options);
        shrink_save(m, "lp", seed, sample_family_name(family), report.failure, folder);
    }
    lp_model_free(m);
}

int main(int argc, char **argv)
{
    long instances = 20000;
    uint64_t seed = 1;
    const char *folder = "build/fuzz";
    fuzz_options options = {.size = 30, .seconds = 20.0};
    tally t = {0};
    int option;
    while ((option = getopt(argc, argv, "n:s:m:t:o:")) != -1) {
        if (option == 'n')
            instances = atol(optarg);
        else if (option == 's')
            seed = strtoull(optarg, NULL, 10);
        else if (option == 'm')
            options.size = atoi(optarg);
        else if (option == 't')
            options.seconds = atof(optarg);
        else if (option == 'o')
            folder = optarg;
        else
            return 2;
    }
    mkdir("build", 0777);
    mkdir(folder, 0777);
    options.folder = folder;
    options.glpk = reference_installed("glpsol");
    options.exact = true;
    if (!options.glpk)
        printf("glpsol is not installed: no comparison with GLPK\n");
    for (long k = 0; k < instances; k++) {
        one(seed + (uint64_t)k, &options, folder, &t);
        if (t.instances % PROGRESS_EVERY == 0)
            fprintf(stderr, "%ld of %ld instances, %ld failures\n", t.instances, instances,
                    t.failures);
    }
    printf("%ld instances: %ld optimal, %ld infeasible (%ld without a safe proof), %ld unbounded, "
           "%ld in trouble; "
           "%ld with an exact verdict, %ld borderline, %ld failed but ill-posed, GLPK differs on "
           "%ld; %ld failures\n",
           t.instances, t.by_status[LP_OPTIMAL], t.by_status[LP_INFEASIBLE], t.unverified,
           t.by_status[LP_UNBOUNDED], t.by_status[LP_NUMERICAL_TROUBLE], t.exact_answered,
           t.borderline, t.ill_posed, t.glpk_differs, t.failures);
    return t.failures > 0;
}
