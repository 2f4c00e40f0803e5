/* bench-mip: the exact solver beside CBC and the HiGHS in SciPy, on the models of the same
 * instances.
 *
 *     bench-mip [OPTION...] PROGRAM FOLDER [NAME...]
 *
 * poetbnb solve gets the instance; the others get the tight model, complete (no windows, no cuts
 * of ours), and CBC the published one too, with the overhead in base/10000 as objective and a
 * relative gap of 1e-9. All run one after the other on one processor. */
#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "benchmarks/arguments.h"
#include "benchmarks/exact_run.h"
#include "benchmarks/model.h"
#include "benchmarks/sheet.h"
#include "benchmarks/solvers.h"
#include "benchmarks/statistics.h"

static const double shift = 1; /* seconds, of the geometric means */

/* What runs beside poetbnb. */
static const struct {
    const char *name, *solver;
    bench_form form;
} others[] = {{"cbc tight", "cbc", FORM_TIGHT},
              {"highs tight", "highs", FORM_TIGHT},
              {"cbc published", "cbc", FORM_PUBLISHED}};
enum { OTHERS = sizeof others / sizeof *others };

typedef struct bench {
    const bench_limited *a;
    bench_store store;
    bool installed[OTHERS];
    const base_flag *interrupt;
} bench;

static void result_name(const exact_case *c, char name[128])
{
    snprintf(name, 128, "mip-%s", c->name);
}

/* Of the small ones, only the published model: it is there to agree with. */
static bool applies(const exact_case *c, int other)
{
    return strcmp(c->group, "small") != 0 || others[other].form == FORM_PUBLISHED;
}

/* ---- measuring ------------------------------------------------------------------------------- */

static char *read_text(const char *path)
{
    base_error ignored;
    size_t size;
    char *text = base_file_read(path, (size_t)1 << 30, &size, &ignored);
    return text ? text : base_strdup("");
}

static json_t *real_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *run_other(const bench *b, const bench_solver *solver, const char *file)
{
    char out[STORE_PATH + 8], err[STORE_PATH + 8];
    bench_command c = {0};
    snprintf(out, sizeof out, "%s.out", file);
    snprintf(err, sizeof err, "%s.err", file);
    bench_command_word(&c, solver->program);
    solver->solve(&c, file, b->a->limit);
    const bench_usage usage = bench_process_run(&c, out, err, 2 * b->a->limit + 60, b->interrupt);
    char *output = read_text(out);
    const bench_answer answer = solver->answer(output, "");
    json_t *result = json_pack(
        "{s:s, s:o, s:o, s:f, s:f, s:I, s:I}", "status", usage.killed ? "killed" : answer.status,
        "objective", real_or_null(answer.objective), "bound", real_or_null(answer.bound), "seconds",
        isfinite(answer.seconds) ? answer.seconds : usage.seconds, "cpu_seconds", usage.cpu_seconds,
        "nodes", (json_int_t)answer.nodes, "peak_kilobytes", (json_int_t)usage.peak_kilobytes);
    base_free(output);
    unlink(out);
    unlink(err);
    bench_command_clear(&c);
    return result;
}

static int run_others(const bench *b, const exact_case *c, json_t *into, base_error *error)
{
    char name[128], file[STORE_PATH];
    graph *g;
    problem p = exact_case_problem(c, &g);
    int failed = 0;
    result_name(c, name);
    bench_store_named_path(&b->store, name, "mps", file);
    for (int k = 0; k < OTHERS && !failed && !*b->interrupt; k++) {
        if (!b->installed[k] || !applies(c, k))
            continue;
        lp_model *m = bench_model_make(&p, others[k].form, UNIT_OVERHEAD, false);
        failed = lp_model_write(m, file, error);
        lp_model_free(m);
        if (!failed)
            json_object_set_new(into, others[k].name,
                                run_other(b, bench_solver_find(others[k].solver), file));
        unlink(file);
    }
    graph_free(g);
    return failed;
}

static int run_case(const bench *b, const exact_case *c, base_error *error)
{
    char name[128];
    result_name(c, name);
    fprintf(stderr, "%s\n", name);
    json_t *ours = exact_run(&b->store, c, name, b->a->limit, "", b->interrupt, error);
    if (!ours)
        return *b->interrupt ? 0 : -1;
    json_t *rest = json_object();
    /* "exit" 4: more time could say more, of whatever was cut off */
    json_t *result = json_pack("{s:f, s:i, s:o, s:o}", "limit", b->a->limit, "exit", 4, "poetbnb",
                               ours, "others", rest);
    int failed = run_others(b, c, rest, error);
    if (failed || *b->interrupt)
        json_decref(result);
    else
        failed = bench_store_save_named(&b->store, name, result, error);
    return failed;
}

/* ---- the table ------------------------------------------------------------------------------- */

typedef struct sums {
    double *ours, *other;         /* seconds of the cases that both solve */
    double *all_ours, *all_other; /* of all, the limit where it cut off */
    int both, asked, solved, differ;
} sums;

static double real_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static bool is_proven(const json_t *other)
{
    const char *status = json_string_value(json_object_get(other, "status"));
    return status && (strcmp(status, "optimal") == 0 || strcmp(status, "infeasible") == 0);
}

static void write_other(bench_sheet *s, const exact_case *c, int k, const exact_figures *f,
                        const json_t *other, sums *q)
{
    const double objective = real_of(other, "objective"), bound = real_of(other, "bound");
    const double seconds = real_of(other, "seconds");
    const bool both = f->proven && is_proven(other);
    const double difference = fabs(objective - f->overhead) / fmax(fabs(f->overhead), 1e-9);
    q->all_ours[q->asked] = f->proven ? f->cpu_seconds : fmax(f->cpu_seconds, f->limit);
    q->all_other[q->asked++] = is_proven(other) ? seconds : fmax(seconds, f->limit);
    q->solved += is_proven(other);
    q->differ +=
        both && (strcmp(f->status, json_string_value(json_object_get(other, "status"))) != 0 ||
                 difference > 1e-6);
    if (both) {
        q->ours[q->both] = f->cpu_seconds;
        q->other[q->both++] = seconds;
    }
    bench_sheet_row(
        s, "%s|%s|%s|%s|%s|%s|%.2f|%.0f|%.0f|%s|%s", c->name, others[k].name,
        json_string_value(json_object_get(other, "status")), bench_number_text(bound, 10).text,
        bench_number_text(objective, 10).text,
        bench_number_text(100 * (objective - bound) / objective, 3).text, seconds,
        real_of(other, "nodes"), real_of(other, "peak_kilobytes") / 1024,
        bench_number_text(both ? fmax(f->cpu_seconds, 0.01) / fmax(seconds, 0.01) : NAN, 3).text,
        bench_number_text(both ? difference : NAN, 2).text);
}

static void write_case(bench_sheet *s, const exact_case *c, const json_t *result, sums all[OTHERS],
                       int *solved)
{
    const exact_figures f = exact_run_figures(json_object_get(result, "poetbnb"));
    *solved += f.proven;
    bench_sheet_row(s, "%s|poetbnb|%s|%s|%s|%s|%.2f|%ld|%.0f|-|-", c->name, f.status,
                    bench_number_text(f.bound, 10).text, bench_number_text(f.overhead, 10).text,
                    bench_number_text(100 * f.gap, 3).text, f.cpu_seconds, f.nodes,
                    f.peak_bytes / (1 << 20));
    for (int k = 0; k < OTHERS; k++) {
        const json_t *other = json_object_get(json_object_get(result, "others"), others[k].name);
        if (other)
            write_other(s, c, k, &f, other, &all[k]);
    }
}

static void write_sums(bench_sheet *s, const sums *q, const char *name)
{
    const double ours = bench_shifted_mean(q->ours, q->both, shift);
    const double other = bench_shifted_mean(q->other, q->both, shift);
    const double all_ours = bench_shifted_mean(q->all_ours, q->asked, shift);
    const double all_other = bench_shifted_mean(q->all_other, q->asked, shift);
    bench_sheet_text(s,
                     "%s: solves %d of %d. On the %d that poetbnb solves too, shifted geometric "
                     "means: poetbnb %s s, %s %s s (shift %g s), ratio %s; on all, with the limit "
                     "for what it cut off: %s s, %s s, ratio %s. Answers that differ (optima by "
                     "more than 1e-6): %d.",
                     name, q->solved, q->asked, q->both, bench_number_text(ours, 4).text, name,
                     bench_number_text(other, 4).text, shift,
                     bench_number_text(ours / other, 3).text, bench_number_text(all_ours, 4).text,
                     bench_number_text(all_other, 4).text,
                     bench_number_text(all_ours / all_other, 3).text, q->differ);
}

static int write_table(const bench *b, const exact_cases *cases, base_error *error)
{
    bench_sheet s;
    sums all[OTHERS] = {{0}};
    int known = 0, solved = 0;
    if (bench_sheet_open(&s, b->a->common.folder, "compare", "Beside other solvers, one thread",
                         error))
        return -1;
    for (int k = 0; k < OTHERS; k++) {
        all[k].ours = base_calloc((size_t)cases->count + 1, sizeof *all[k].ours);
        all[k].other = base_calloc((size_t)cases->count + 1, sizeof *all[k].other);
        all[k].all_ours = base_calloc((size_t)cases->count + 1, sizeof *all[k].all_ours);
        all[k].all_other = base_calloc((size_t)cases->count + 1, sizeof *all[k].all_other);
    }
    bench_sheet_heading(&s, "instance|program and model|status|bound|overhead|gap %|seconds|nodes|"
                            "peak MiB|poetbnb's time to its|difference");
    for (int k = 0; k < cases->count; k++) {
        char name[128];
        result_name(&cases->item[k], name);
        json_t *result = bench_store_load_named(&b->store, name, 0);
        known += result != NULL;
        if (result)
            write_case(&s, &cases->item[k], result, all, &solved);
        json_decref(result);
    }
    bench_sheet_text(&s,
                     "poetbnb solves %d of %d; the limit is %g s. Bounds and overheads are in "
                     "base/10000. The tight model is complete, as poetbnb export writes it; "
                     "seconds are processor time: poetbnb's of the whole process, "
                     "the others' of the search without reading.",
                     solved, known, b->a->limit);
    for (int k = 0; k < OTHERS; k++) {
        write_sums(&s, &all[k], others[k].name);
        base_free(all[k].ours);
        base_free(all[k].other);
        base_free(all[k].all_ours);
        base_free(all[k].all_other);
    }
    return bench_sheet_close(&s, error);
}

/* ---- the command line ------------------------------------------------------------------------ */

static int run_all(bench *b, const exact_cases *cases, base_error *error)
{
    for (int k = 0; k < OTHERS; k++) {
        b->installed[k] = bench_solver_installed(bench_solver_find(others[k].solver));
        if (!b->installed[k])
            fprintf(stderr, "bench-mip: %s is not installed\n", others[k].solver);
    }
    const double started = base_seconds();
    for (int k = 0; k < cases->count && !*b->interrupt; k++) {
        char name[128];
        if (bench_time_over(&b->a->common, started))
            break;
        result_name(&cases->item[k], name);
        json_t *done = bench_store_load_named(&b->store, name, b->a->limit);
        json_decref(done);
        if (!done && exact_case_wanted(&cases->item[k], b->a->common.names) &&
            run_case(b, &cases->item[k], error))
            return -1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    bench_limited a = {.limit = 120, .common = bench_arguments_default()};
    const struct argp argp = {.children = bench_limited_children,
                              .args_doc = "PROGRAM FOLDER [NAME...]",
                              .doc = "Runs poetbnb, CBC and the HiGHS in SciPy on the same "
                                     "instances. NAMEs choose groups (small, pairs), or instances "
                                     "whose names contain one of them. Results that are there are "
                                     "kept."};
    base_error error;
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    bench b = {.a = &a, .interrupt = bench_interrupt_catch()};
    exact_cases cases = exact_cases_pairs();
    bench_process_pin(a.common.processor);
    int failed = exact_cases_check(&cases, a.common.names, &error) ||
                 bench_store_open(a.common.program, a.common.folder, &b.store, &error) ||
                 run_all(&b, &cases, &error) || write_table(&b, &cases, &error);
    if (failed)
        fprintf(stderr, "bench-mip: %s\n", error.text);
    exact_cases_clear(&cases);
    return failed ? EXIT_FAILURE : *b.interrupt ? 130 : EXIT_SUCCESS;
}
