/* bench-exact: what the exact solver proves in which time, over the grid of exact_case.h.
 *
 *     bench-exact [OPTION...] PROGRAM FOLDER [NAME...] */
#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/arguments.h"
#include "benchmarks/exact_run.h"
#include "benchmarks/sheet.h"
#include "benchmarks/statistics.h"

static const double shift = 1; /* seconds, of the geometric means */

typedef struct arguments {
    bench_arguments common;
    double scale, least;
    bool list;
} arguments;

static double limit_of(const arguments *a, const exact_case *c)
{
    return fmax(c->asked * a->scale, a->least);
}

static void result_name(const exact_case *c, char name[128])
{
    snprintf(name, 128, "exact-%s", c->name);
}

/* ---- the table ------------------------------------------------------------------------------- */

static bool in_time(const exact_case *c, const exact_figures *f)
{
    return f->proven && f->seconds <= c->asked;
}

static void write_row(bench_sheet *s, const exact_case *c, const exact_figures *f)
{
    bench_sheet_row(s, "%s|%s|%g|%g|%s|%s|%s|%s|%ld|%ld|%ld|%s|%s|%.2f|%.2f|%.1f|%s", c->group,
                    c->name, c->asked, f->limit, f->status, bench_number_text(f->bound, 10).text,
                    bench_number_text(f->overhead, 10).text,
                    bench_number_text(100 * f->gap, 3).text, f->nodes, f->lp_iterations, f->cuts,
                    bench_number_text(f->root_bound, 7).text,
                    bench_number_text(f->root_bound_cuts, 7).text, f->seconds, f->cpu_seconds,
                    f->peak_bytes / (1 << 20), in_time(c, f) ? "yes" : "no");
}

/* What a group comes to; returns how many of its cases have a result. */
static int write_group(bench_sheet *s, const bench_store *store, const exact_cases *cases,
                       const char *group)
{
    int known = 0, proven = 0, timely = 0;
    double *seconds = base_calloc((size_t)cases->count, sizeof *seconds), worst = 0;
    for (int k = 0; k < cases->count; k++) {
        char name[128];
        const exact_case *c = &cases->item[k];
        result_name(c, name);
        json_t *result =
            strcmp(c->group, group) == 0 ? bench_store_load_named(store, name, 0) : NULL;
        if (!result)
            continue;
        const exact_figures f = exact_run_figures(result);
        proven += f.proven;
        timely += in_time(c, &f);
        worst = fmax(worst, isfinite(f.gap) ? f.gap : f.proven ? 0 : 1);
        seconds[known++] = isfinite(f.seconds) ? f.seconds : f.limit;
        json_decref(result);
    }
    if (known > 0)
        bench_sheet_text(s,
                         "%s: %d run, %d proven, %d of them in the asked time; shifted geometric "
                         "mean %.3f s (shift %g s); largest gap %.3g %%.",
                         group, known, proven, timely, bench_shifted_mean(seconds, known, shift),
                         shift, 100 * worst);
    base_free(seconds);
    return known;
}

static int write_table(const arguments *a, const bench_store *store, const exact_cases *cases,
                       base_error *error)
{
    bench_sheet s;
    if (bench_sheet_open(&s, a->common.folder, "table", "The exact solver, one thread", error))
        return -1;
    bench_sheet_heading(&s, "group|instance|asked s|limit s|status|bound|overhead|gap %|nodes|"
                            "LP iterations|cuts|root bound|after cuts|seconds|processor s|"
                            "peak MiB|in time");
    for (int k = 0; k < cases->count; k++) {
        char name[128];
        result_name(&cases->item[k], name);
        json_t *result = bench_store_load_named(store, name, 0);
        if (result) {
            const exact_figures f = exact_run_figures(result);
            write_row(&s, &cases->item[k], &f);
        }
        json_decref(result);
    }
    bench_sheet_text(&s, "Bounds and overheads are in base/10000: 1e4 times the overhead over the "
                         "energy of computing every node once. A name is network, platform and "
                         "percent of what keeping everything takes; for layered graphs, nodes.seed "
                         "and percent of the way from the least that any schedule needs to that.");
    for (int k = 0; k < cases->count; k++)
        if (k == 0 || strcmp(cases->item[k].group, cases->item[k - 1].group) != 0)
            write_group(&s, store, cases, cases->item[k].group);
    return bench_sheet_close(&s, error);
}

/* ---- the command line ------------------------------------------------------------------------ */

static const struct argp_option options[] = {
    {"scale", 's', "X", 0, "limits are X times the asked times (default: 1)", 0},
    {"least", 'l', "S", 0, "... but at least this (default: 20)", 0},
    {"list", 'n', NULL, 0, "only print the names of the cases, with their groups", 0},
    {0}};

static const struct argp_child children[] = {{&bench_arguments_argp, 0, NULL, 0}, {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 's':
        a->scale = bench_parse_number(state, text);
        return 0;
    case 'l':
        a->least = bench_parse_number(state, text);
        return 0;
    case 'n':
        a->list = a->common.alone = true;
        return 0;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->common;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int run_case(const arguments *a, const bench_store *store, const exact_case *c,
                    const base_flag *interrupt, base_error *error)
{
    char name[128];
    result_name(c, name);
    json_t *result = exact_run(store, c, name, limit_of(a, c), "", interrupt, error);
    if (!result)
        return *interrupt ? 0 : -1;
    const exact_figures f = exact_run_figures(result);
    fprintf(stderr, "%-45s %-10s %8.2f s  gap %.3g %%\n", c->name, f.status, f.seconds,
            100 * f.gap);
    return bench_store_save_named(store, name, result, error);
}

static int run_all(const arguments *a, const bench_store *store, const exact_cases *cases,
                   const base_flag *interrupt, base_error *error)
{
    const double started = base_seconds();
    for (int k = 0; k < cases->count && !*interrupt; k++) {
        char name[128];
        const exact_case *c = &cases->item[k];
        result_name(c, name);
        json_t *done = bench_store_load_named(store, name, limit_of(a, c));
        json_decref(done);
        if (done || !exact_case_wanted(c, a->common.names))
            continue;
        if (bench_time_over(&a->common, started)) {
            fprintf(stderr, "bench-exact: the time is over before %s\n", c->name);
            break;
        }
        if (run_case(a, store, c, interrupt, error))
            return -1;
    }
    return 0;
}

static int print_list(const exact_cases *cases)
{
    for (int k = 0; k < cases->count; k++)
        printf("%-10s %s\n", cases->item[k].group, cases->item[k].name);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    arguments a = {.scale = 1, .least = 20, .common = bench_arguments_default()};
    const struct argp argp = {.options = options,
                              .parser = parse,
                              .children = children,
                              .args_doc = "PROGRAM FOLDER [NAME...]",
                              .doc = "Runs poetbnb solve over a grid of instances. NAMEs choose "
                                     "groups, or cases whose names contain one of them. Results "
                                     "that are there are kept."};
    base_error error;
    bench_store store;
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    const base_flag *interrupt = bench_interrupt_catch();
    exact_cases cases = exact_cases_grid();
    int failed = 0;
    if (a.list) {
        print_list(&cases);
    } else {
        bench_process_pin(a.common.processor);
        failed = exact_cases_check(&cases, a.common.names, &error) ||
                 bench_store_open(a.common.program, a.common.folder, &store, &error) ||
                 run_all(&a, &store, &cases, interrupt, &error) ||
                 write_table(&a, &store, &cases, &error);
        if (failed)
            fprintf(stderr, "bench-exact: %s\n", error.text);
    }
    exact_cases_clear(&cases);
    return failed ? EXIT_FAILURE : *interrupt ? 130 : EXIT_SUCCESS;
}
