/* mip_fuzz: random mixed-integer models against an exact judge, CBC and GLPK.
 *
 *     mip_fuzz [-n INSTANCES] [-s FIRST_SEED] [-m SIZE] [-p POINTS] [-t SECONDS] [-o FOLDER]
 *
 * Each model is solved with default parameters and with others. Each
 * failure is shrunk and written to FOLDER (default build/fuzz) as MPS with what was wrong in a
 * first comment. A run that was stopped goes on with -s, the first seed that its last line on
 * standard error does not count. Exit status 1 if there were failures. Programs that are not
 * installed are left out, which is said. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bnb/mip_fuzz.h"
#include "tests/fuzz/arguments.h"
#include "tests/lp/reference.h"
#include "tests/lp/shrink_model.h"

enum { PROGRESS_EVERY = 500 };

typedef struct tally {
    long instances, failures, complete, nearly, others_err, solved_by_others, endless;
    long by_status[BNB_TROUBLE + 1];
} tally;

static void failure_of(const void *options, const lp_model *m, uint64_t seed,
                       char text[SHRINK_TEXT])
{
    const mip_fuzz_report report = mip_fuzz_check(m, seed, options);
    memcpy(text, report.failure, SHRINK_TEXT);
}

static void one(uint64_t seed, const mip_fuzz_options *options, tally *t)
{
    mip_family family;
    lp_model *m = mip_instance(seed, options->size, &family);
    const mip_fuzz_report report = mip_fuzz_check(m, seed, options);
    t->instances++;
    t->by_status[report.status]++;
    t->complete += report.complete;
    t->nearly += report.nearly;
    t->others_err += report.others_err;
    t->solved_by_others += report.solved_by_others;
    t->endless += report.endless;
    if (report.solved_by_others && !report.endless)
        printf("seed %llu, %s, %d x %d: %s, but others have an answer\n", (unsigned long long)seed,
               mip_family_name(family), m->rows, m->cols, bnb_status_name(report.status));
    if (report.failure[0]) {
        t->failures++;
        printf("seed %llu, %s, %d x %d: %s\n", (unsigned long long)seed, mip_family_name(family),
               m->rows, m->cols, report.failure);
        fflush(stdout);
        m = shrink_model(m, seed, failure_of, options);
        shrink_save(m, "mip", seed, mip_family_name(family), report.failure, options->folder);
    }
    lp_model_free(m);
}

static void print_summary(const tally *t)
{
    printf("%ld instances:", t->instances);
    for (int status = 0; status <= BNB_TROUBLE; status++)
        if (t->by_status[status] > 0)
            printf(" %ld %s,", t->by_status[status], bnb_status_name((bnb_status)status));
    printf(" %ld enumerated; %ld solutions within the tolerance only; others err on %ld and have "
           "an answer to %ld that we have not (%ld of these are unbounded by the last digits); "
           "%ld failures\n",
           t->complete, t->nearly, t->others_err, t->solved_by_others, t->endless, t->failures);
}

int main(int argc, char **argv)
{
    fuzz_arguments a = {
        .count = 10000, .seed = 1, .size = 9, .seconds = 5.0, .folder = "build/fuzz"};
    double points = 200.0;
    tally t = {0};
    for (int option; (option = getopt(argc, argv, "n:s:m:p:t:o:")) != -1;)
        if (option == 'p')
            points = atof(optarg);
        else if (!fuzz_argument(option, &a))
            return 2;
    fuzz_make_folder(a.folder);
    const mip_fuzz_options options = {.glpk = reference_installed("glpsol"),
                                      .cbc = reference_installed("cbc"),
                                      .size = a.size,
                                      .points = points,
                                      .seconds = a.seconds,
                                      .folder = a.folder};
    if (!options.glpk || !options.cbc)
        printf("%s not installed: not asked\n", options.glpk  ? "cbc is"
                                                : options.cbc ? "glpsol is"
                                                              : "glpsol and cbc are");
    for (long k = 0; k < a.count; k++) {
        one(a.seed + (uint64_t)k, &options, &t);
        if (t.instances % PROGRESS_EVERY == 0)
            fprintf(stderr, "seeds %llu to %llu done, %ld failures\n", (unsigned long long)a.seed,
                    (unsigned long long)a.seed + (uint64_t)k, t.failures);
    }
    print_summary(&t);
    return t.failures > 0;
}
