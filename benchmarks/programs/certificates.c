/* bench-certificates: what a certificate costs: time beside the solve without one, time to check
 * it, and its size.
 *
 *     bench-certificates [OPTION...] PROGRAM FOLDER [NAME...] */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "benchmarks/arguments.h"
#include "benchmarks/exact_run.h"
#include "benchmarks/sheet.h"
#include "benchmarks/statistics.h"

static const double shift = 1; /* seconds, of the geometric means */

/* What is run for each case: without a certificate, and for each of them. */
static const struct {
    const char *name, *options;
} runs[] = {{"plain", ""}, {"exchanges", ""}, {"rules", "--trust=rules"}};
enum { PLAIN, RUNS = sizeof runs / sizeof *runs };

typedef struct bench {
    bench_limited *a;
    bool rules; /* proofs by the rules alone are asked for too */
    bench_store store;
    const base_flag *interrupt;
} bench;

static void result_name(const exact_case *c, int run, char name[160])
{
    snprintf(name, 160, "certificate-%s-%s", c->name, runs[run].name);
}

/* ---- measuring ------------------------------------------------------------------------------- */

/* {"bytes", "exit", "cpu_seconds", "output"} of `poetbnb verify' on the file. */
static json_t *verify(const bench *b, const char *path)
{
    char out[STORE_PATH], err[STORE_PATH];
    struct stat file;
    bench_command command = {0};
    json_error_t ignored;
    bench_store_named_path(&b->store, "certificate", "out", out);
    bench_store_named_path(&b->store, "certificate", "err", err);
    if (stat(path, &file) != 0)
        return json_null();
    bench_command_word(&command, b->store.program);
    bench_command_words(&command, "verify --json");
    bench_command_word(&command, path);
    const bench_usage usage =
        bench_process_run(&command, out, err, 10 * b->a->limit + 60, b->interrupt);
    bench_command_clear(&command);
    json_t *output = json_load_file(out, 0, &ignored);
    unlink(out);
    unlink(err);
    return json_pack("{s:I, s:i, s:f, s:o}", "bytes", (json_int_t)file.st_size, "exit",
                     usage.exit_status, "cpu_seconds", usage.cpu_seconds, "output",
                     output ? output : json_null());
}

static int run_one(const bench *b, const exact_case *c, int run, base_error *error)
{
    char name[160], path[STORE_PATH], options[STORE_PATH + 64];
    result_name(c, run, name);
    bench_store_named_path(&b->store, name, "txt", path);
    unlink(path);
    snprintf(options, sizeof options, "%s%s %s",
             run == PLAIN ? "" : "--certificate=", run == PLAIN ? "" : path, runs[run].options);
    json_t *result = exact_run(&b->store, c, name, b->a->limit, options, b->interrupt, error);
    if (!result)
        return *b->interrupt ? 0 : -1;
    if (run != PLAIN)
        json_object_set_new(result, "verify", verify(b, path));
    unlink(path);
    const exact_figures f = exact_run_figures(result);
    fprintf(stderr, "%-40s %-10s %-10s %8.2f s\n", c->name, runs[run].name, f.status,
            f.cpu_seconds);
    if (*b->interrupt) {
        json_decref(result);
        return 0;
    }
    return bench_store_save_named(&b->store, name, result, error);
}

static int run_all(const bench *b, const exact_cases *cases, base_error *error)
{
    const double started = base_seconds();
    for (int k = 0; k < cases->count; k++)
        for (int run = 0; run < (b->rules ? RUNS : RUNS - 1) && !*b->interrupt; run++) {
            char name[160];
            result_name(&cases->item[k], run, name);
            json_t *done = bench_store_load_named(&b->store, name, b->a->limit);
            json_decref(done);
            if (done || !exact_case_wanted(&cases->item[k], b->a->common.names))
                continue;
            if (bench_time_over(&b->a->common, started))
                return 0;
            if (run_one(b, &cases->item[k], run, error))
                return -1;
        }
    return 0;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Of the cases of a group, or of all, with one kind of certificate. */
typedef struct sums {
    int proven, certified, checked; /* without one; with one; of these, by verify */
    double *plain, *with, *verify;  /* seconds of the cases that are certified */
    double worst;                   /* ratio */
} sums;

static double real_of(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static sums sums_make(int count)
{
    sums s = {0};
    s.plain = base_calloc((size_t)count + 1, sizeof *s.plain);
    s.with = base_calloc((size_t)count + 1, sizeof *s.with);
    s.verify = base_calloc((size_t)count + 1, sizeof *s.verify);
    return s;
}

static void sums_clear(sums *s)
{
    base_free(s->plain);
    base_free(s->with);
    base_free(s->verify);
}

static void add_up(sums *s, const exact_figures *plain, const exact_figures *with,
                   const json_t *verified)
{
    s->proven += plain->proven;
    if (!plain->proven || !json_is_object(verified))
        return;
    s->plain[s->certified] = plain->cpu_seconds;
    s->with[s->certified] = with->cpu_seconds;
    s->verify[s->certified++] = real_of(verified, "cpu_seconds");
    s->checked += json_integer_value(json_object_get(verified, "exit")) == 0;
    s->worst = fmax(s->worst, with->cpu_seconds / fmax(plain->cpu_seconds, 0.01));
}

/* The row of a case; sheet NULL: only the sums. */
static void take_case(const bench *b, const exact_case *c, int run, bench_sheet *sheet, sums *s)
{
    char name[160];
    result_name(c, PLAIN, name);
    json_t *without = bench_store_load_named(&b->store, name, 0);
    result_name(c, run, name);
    json_t *with = bench_store_load_named(&b->store, name, 0);
    if (without && with) {
        const exact_figures f = exact_run_figures(without), g = exact_run_figures(with);
        const json_t *verified = json_object_get(with, "verify");
        const json_t *said = json_object_get(verified, "output");
        const char *trust = json_string_value(json_object_get(said, "trust"));
        const bool is_there = json_is_object(verified);
        if (sheet)
            bench_sheet_row(
                sheet, "%s|%s|%s|%s|%s|%.2f|%.2f|%s|%s|%s|%s|%s|%s", c->group, c->name,
                runs[run].name, f.status, is_there ? trust ? trust : "REFUSED" : "none",
                f.cpu_seconds, g.cpu_seconds,
                bench_number_text(is_there ? g.cpu_seconds / fmax(f.cpu_seconds, 0.01) : NAN, 3)
                    .text,
                bench_number_text(is_there ? real_of(verified, "cpu_seconds") : NAN, 3).text,
                bench_number_text(is_there ? real_of(verified, "bytes") / 1024 : NAN, 4).text,
                bench_number_text(is_there ? real_of(said, "steps") : NAN, 9).text,
                bench_number_text(is_there ? real_of(said, "nodes") : NAN, 9).text,
                bench_number_text(is_there ? real_of(said, "cuts") : NAN, 9).text);
        add_up(s, &f, &g, verified);
    }
    json_decref(without);
    json_decref(with);
}

static void write_sums(bench_sheet *sheet, const char *group, int run, const sums *s)
{
    if (s->proven == 0)
        return;
    const double plain = bench_shifted_mean(s->plain, s->certified, shift);
    const double with = bench_shifted_mean(s->with, s->certified, shift);
    bench_sheet_row(sheet, "%s|%s|%d|%d|%d|%s|%s|%s|%s|%s", group, runs[run].name, s->proven,
                    s->certified, s->checked, bench_number_text(plain, 3).text,
                    bench_number_text(with, 3).text, bench_number_text(with / plain, 3).text,
                    bench_number_text(s->worst, 3).text,
                    bench_number_text(bench_shifted_mean(s->verify, s->certified, shift), 3).text);
}

/* Rows of the cases if there is a sheet for them, and the sums of those in the group (NULL: all).
 */
static void take_group(const bench *b, const exact_cases *cases, const char *group,
                       bench_sheet *sheet, bool rows)
{
    for (int run = PLAIN + 1; run < RUNS; run++) {
        sums s = sums_make(cases->count);
        for (int k = 0; k < cases->count; k++)
            if (!group || strcmp(cases->item[k].group, group) == 0)
                take_case(b, &cases->item[k], run, rows ? sheet : NULL, &s);
        if (!rows)
            write_sums(sheet, group ? group : "all", run, &s);
        sums_clear(&s);
    }
}

static int write_table(const bench *b, const exact_cases *cases, base_error *error)
{
    bench_sheet s;
    if (bench_sheet_open(&s, b->a->common.folder, "certificates", "Certificates, one thread",
                         error))
        return -1;
    bench_sheet_heading(&s, "group|instance|asked|without one|trust|seconds|with one|ratio|verify|"
                            "KiB|steps|nodes|cuts");
    take_group(b, cases, NULL, &s, true);
    bench_sheet_text(&s,
                     "Seconds are processor time of whole processes. A solve with a certificate "
                     "has checked it before it is done. Sums are over what is proven without one; "
                     "times are shifted geometric means (shift %g s) of the certified. The limit "
                     "was %g s for each run.",
                     shift, b->a->limit);
    bench_sheet_heading(
        &s, "group|asked|proven|certified|accepted|seconds|with one|ratio|worst ratio|verify");
    for (int k = 0; k < cases->count; k++)
        if (k == 0 || strcmp(cases->item[k].group, cases->item[k - 1].group) != 0)
            take_group(b, cases, cases->item[k].group, &s, false);
    take_group(b, cases, NULL, &s, false);
    return bench_sheet_close(&s, error);
}

/* ---- the command line ------------------------------------------------------------------------ */

static const struct argp_option options[] = {
    {"rules", 'r', NULL, 0, "also proofs that rest on the rules of schedules alone", 0}, {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    bench *b = state->input;
    (void)text;
    switch (key) {
    case 'r':
        b->rules = true;
        return 0;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = b->a;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv)
{
    bench_limited a = {.limit = 60, .common = bench_arguments_default()};
    bench b = {.a = &a};
    const struct argp argp = {.options = options,
                              .parser = parse,
                              .children = bench_limited_children,
                              .args_doc = "PROGRAM FOLDER [NAME...]",
                              .doc = "Runs poetbnb solve without and with a certificate, and "
                                     "poetbnb verify. NAMEs choose groups, or cases whose names "
                                     "contain one of them. Results that are there are kept."};
    base_error error;
    argp_parse(&argp, argc, argv, 0, NULL, &b);
    b.interrupt = bench_interrupt_catch();
    exact_cases cases = exact_cases_grid();
    bench_process_pin(a.common.processor);
    const int failed = exact_cases_check(&cases, a.common.names, &error) ||
                       bench_store_open(a.common.program, a.common.folder, &b.store, &error) ||
                       run_all(&b, &cases, &error) || write_table(&b, &cases, &error);
    if (failed)
        fprintf(stderr, "bench-certificates: %s\n", error.text);
    exact_cases_clear(&cases);
    return failed ? EXIT_FAILURE : *b.interrupt ? 130 : EXIT_SUCCESS;
}
