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

#include "tests/fuzz/arguments.h"
#include "tests/lp/fuzz.h"
#include "tests/lp/shrink_model.h"

enum { PROGRESS_EVERY = 1000 };

typedef struct tally {
    long instances, failures, exact_answered, glpk_differs, borderline, unverified, ill_posed;
    long by_status[LP_NUMERICAL_TROUBLE + 1];
} tally;

static void one(uint64_t seed, const fuzz_options *options, tally *t)
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
        shrink_save(m, "lp", seed, sample_family_name(family), report.failure, options->folder);
    }
    lp_model_free(m);
}

int main(int argc, char **argv)
{
    fuzz_arguments a = {
        .count = 20000, .seed = 1, .size = 30, .seconds = 20.0, .folder = "build/fuzz"};
    tally t = {0};
    for (int option; (option = getopt(argc, argv, "n:s:m:t:o:")) != -1;)
        if (!fuzz_argument(option, &a))
            return 2;
    fuzz_make_folder(a.folder);
    const fuzz_options options = {.glpk = reference_installed("glpsol"),
                                  .exact = true,
                                  .size = a.size,
                                  .seconds = a.seconds,
                                  .folder = a.folder};
    if (!options.glpk)
        printf("glpsol is not installed: no comparison with GLPK\n");
    for (long k = 0; k < a.count; k++) {
        one(a.seed + (uint64_t)k, &options, &t);
        if (t.instances % PROGRESS_EVERY == 0)
            fprintf(stderr, "%ld of %ld instances, %ld failures\n", t.instances, a.count,
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
