/* bench: computes the figures and tables of the paper with poetbnb.
 *
 *     bench [OPTION...] PROGRAM FOLDER
 *
 * Results, tables, pictures and the report go to FOLDER. */
#include <argp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/process.h"
#include "benchmarks/report.h"
#include "benchmarks/runner.h"

typedef struct arguments {
    const char *program, *folder, *only, *plots;
    bench_setting setting;
    int jobs;
    double total_seconds;
    bool quiet;
} arguments;

static const struct argp_option options[] = {
    {"setting", 's', "quick|full|smoke", 0, "which list of points (default: quick)", 0},
    {"only", 'o', "EXPERIMENT", 0, "only this one", 0},
    {"jobs", 'j', "N", 0, "processes at a time (default: one a processor)", 0},
    {"total-seconds", 't', "S", 0,
     "shorten the limits of points so that all end by about then (default: no)", 0},
    {"plots", 'p', "FOLDER", 0, "where the gnuplot scripts are (default: plots)", 0},
    {"quiet", 'q', NULL, 0, "no progress", 0},
    {0}};

static int parse_setting(const char *text, bench_setting *setting)
{
    static const char *const names[] = {"quick", "full", "smoke"};
    for (int k = 0; k < 3; k++)
        if (strcmp(text, names[k]) == 0) {
            *setting = (bench_setting)k;
            return 0;
        }
    return -1;
}

static double parse_number(struct argp_state *state, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= 1 && value <= 1e7))
        argp_error(state, "expected a number from 1 to 1e7, got '%s'", text);
    return value;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 's':
        if (parse_setting(text, &a->setting))
            argp_error(state, "--setting: expected quick, full or smoke, got '%s'", text);
        return 0;
    case 'o':
        a->only = text;
        return 0;
    case 'j':
        a->jobs = (int)parse_number(state, text);
        return 0;
    case 't':
        a->total_seconds = parse_number(state, text);
        return 0;
    case 'p':
        a->plots = text;
        return 0;
    case 'q':
        a->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num == 0)
            a->program = text;
        else if (state->arg_num == 1)
            a->folder = text;
        else
            argp_error(state, "unexpected argument '%s'", text);
        return 0;
    case ARGP_KEY_END:
        if (!a->folder)
            argp_error(state, "expected PROGRAM and FOLDER");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

static int fail(const base_error *error)
{
    fprintf(stderr, "bench: %s\n", error->text);
    return EXIT_FAILURE;
}

/* Tables, pictures and report of what there is. */
static int present(const arguments *a, const bench_store *store, const bench_points *points)
{
    base_error error;
    bench_table table = bench_table_make(store, points);
    int failed = bench_table_write(&table, a->folder, &error) ||
                 bench_tables_write(a->folder, &error) || bench_trace_write(store, &table, &error);
    if (!failed && bench_pictures_draw(store, a->plots, &error))
        fail(&error); /* the report says which pictures are missing */
    failed = failed || bench_report_write(store, &table, a->setting, &error);
    bench_table_clear(&table);
    return failed ? fail(&error) : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    arguments a = {.plots = "plots", .jobs = processors()};
    const struct argp argp = {.options = options,
                              .parser = parse,
                              .args_doc = "PROGRAM FOLDER",
                              .doc = "Computes the figures and tables of the POET paper with the "
                                     "program poetbnb. Results that are there are kept; whenever "
                                     "it is stopped, the next run goes on from there."};
    argp_parse(&argp, argc, argv, 0, NULL, &a);

    base_error error;
    bench_store store;
    if (bench_store_open(a.program, a.folder, &store, &error))
        return fail(&error);
    bench_points points = bench_points_make(a.setting, a.only);
    if (points.count == 0) {
        base_fail(&error, "no points of experiment %s in this setting", a.only ? a.only : "");
        return fail(&error);
    }
    bench_runner_options how = {.jobs = a.jobs,
                                .total_seconds = a.total_seconds,
                                .quiet = a.quiet,
                                .interrupt = bench_interrupt_catch()};
    bench_summary summary = bench_run(&store, &points, &how);
    int status = summary.interrupted ? 130 : present(&a, &store, &points);
    if (!a.quiet || summary.failed > 0)
        fprintf(stderr, "bench: %d points, %d run now, %d failed%s\n", summary.points, summary.ran,
                summary.failed, summary.interrupted ? "; stopped" : "");
    bench_points_clear(&points);
    return status == EXIT_SUCCESS && summary.failed > 0 ? EXIT_FAILURE : status;
}
