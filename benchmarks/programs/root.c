/* bench-root: the bound of the complete tight relaxation, from models that grow by the columns that
 * the duals want, beside the simplex on the whole model.
 *
 *     bench-root [OPTION...] PROGRAM FOLDER [NAME...]
 *
 * Both are `poetbnb solve' without cuts, heuristics and tree, from the same schedule, so that what
 * it eliminates by cost is the same; both end with a safe bound over all cells. Times are those of
 * the whole process. */
#include <argp.h>
#include <math.h>
#include <stdlib.h>

#include "benchmarks/arguments.h"
#include "benchmarks/exact_run.h"
#include "benchmarks/sheet.h"

#define LP_ALONE                                                                                   \
    "--node-limit=0 --no-heuristics --warm-start=dtr_local "                                       \
    "--set=exact.coarse=off "                                                                      \
    "--without=event-cuts,conditional-cuts,weight-cuts,source-cuts"

enum { GROWING, WHOLE, WAYS };

static const struct {
    const char *name, *options;
} ways[WAYS] = {{"growing", LP_ALONE}, {"whole", LP_ALONE " --set=exact.windows=off"}};

/* Parts of the names of the cases when none are given. */
static char *standard[] = {"resnet50", NULL};

static void result_name(const exact_case *c, int way, char name[128])
{
    snprintf(name, 128, "root-%s-%s", c->name, ways[way].name);
}

static void write_row(bench_sheet *s, const exact_case *c, const exact_figures f[WAYS])
{
    bench_sheet_row(s, "%s|%ld|%.2f|%s|%ld|%.2f|%s|%.1f", c->name, f[GROWING].lp_iterations,
                    f[GROWING].cpu_seconds, bench_number_text(f[GROWING].bound, 9).text,
                    f[WHOLE].lp_iterations, f[WHOLE].cpu_seconds,
                    bench_number_text(f[WHOLE].bound, 9).text,
                    f[WHOLE].cpu_seconds / f[GROWING].cpu_seconds);
}

static int write_table(const bench_limited *a, const bench_store *store, const exact_cases *cases,
                       base_error *error)
{
    bench_sheet s;
    if (bench_sheet_open(&s, a->common.folder, "root", "The complete tight relaxation", error))
        return -1;
    bench_sheet_heading(&s, "instance|growing: iterations|processor s|bound|whole: iterations|"
                            "processor s|bound|times as long");
    for (int k = 0; k < cases->count; k++) {
        exact_figures f[WAYS];
        int known = 0;
        for (int way = 0; way < WAYS; way++) {
            char name[128];
            result_name(&cases->item[k], way, name);
            json_t *result = bench_store_load_named(store, name, 0);
            if (result) {
                f[way] = exact_run_figures(result);
                known++;
            }
            json_decref(result);
        }
        if (known == WAYS)
            write_row(&s, &cases->item[k], f);
    }
    bench_sheet_text(&s,
                     "Bounds are in base/10000, as in bench-exact's table, and safe. Where the "
                     "simplex on the whole model reached the limit of %g s its bound is lower, and "
                     "the last column a lower limit.",
                     a->limit);
    return bench_sheet_close(&s, error);
}

/* ---- the command line ------------------------------------------------------------------------ */

static int run_all(const bench_limited *a, const bench_store *store, const exact_cases *cases,
                   const base_flag *interrupt, base_error *error)
{
    const double started = base_seconds();
    for (int k = 0; k < WAYS * cases->count && !*interrupt; k++) {
        const exact_case *c = &cases->item[k / WAYS];
        char name[128];
        result_name(c, k % WAYS, name);
        json_t *done = bench_store_load_named(store, name, a->limit);
        json_decref(done);
        if (done || !exact_case_wanted(c, *a->common.names ? a->common.names : standard))
            continue;
        if (bench_time_over(&a->common, started)) {
            fprintf(stderr, "bench-root: the time is over before %s\n", name);
            break;
        }
        json_t *result =
            exact_run(store, c, name, a->limit, ways[k % WAYS].options, interrupt, error);
        if (!result)
            return *interrupt ? 0 : -1;
        const exact_figures f = exact_run_figures(result);
        fprintf(stderr, "%-40s %8.2f s  bound %.9g\n", name, f.cpu_seconds, f.bound);
        if (bench_store_save_named(store, name, result, error))
            return -1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    bench_limited a = {.limit = 1200, .common = bench_arguments_default()};
    const struct argp argp = {.children = bench_limited_children,
                              .args_doc = "PROGRAM FOLDER [NAME...]",
                              .doc = "Times the bound of the complete tight relaxation, from "
                                     "growing models and from the whole one. NAMEs choose cases of "
                                     "bench-exact. Results that are there are kept."};
    base_error error;
    bench_store store;
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    const base_flag *interrupt = bench_interrupt_catch();
    exact_cases cases = exact_cases_grid();
    bench_process_pin(a.common.processor);
    int failed = exact_cases_check(&cases, a.common.names, &error) ||
                 bench_store_open(a.common.program, a.common.folder, &store, &error) ||
                 run_all(&a, &store, &cases, interrupt, &error) ||
                 write_table(&a, &store, &cases, &error);
    if (failed)
        fprintf(stderr, "bench-root: %s\n", error.text);
    exact_cases_clear(&cases);
    return failed ? EXIT_FAILURE : *interrupt ? 130 : EXIT_SUCCESS;
}
