/* bench-ablation: what each component of the exact solver is worth: every one switched off alone.
 *
 *     bench-ablation [OPTION...] PROGRAM FOLDER [NAME...] */
#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/arguments.h"
#include "benchmarks/exact_run.h"
#include "benchmarks/sheet.h"
#include "benchmarks/statistics.h"
#include "exact/tuning.h"
#include "formulation/formulation.h"

static const double shift = 1; /* seconds, of the geometric means */

/* ---- variants and cases ---------------------------------------------------------------------- */

enum { MOST_VARIANTS = 48 };

typedef struct variant {
    char name[48], options[96];
} variant;

/* Beside every feature of the formulation and every switch of the search. */
static const variant further[] = {
    {"no warm starts", "--warm-start=none"},
    {"no heuristics", "--no-heuristics"},
    {"neither", "--warm-start=none --no-heuristics"},
    {"no cuts", "--without=event-cuts,conditional-cuts,source-cuts"},
    {"no picked duals", "--set=bnb.picked_duals=0"},
    {"no features", "--without=all"},
};

static int list_variants(variant list[MOST_VARIANTS])
{
    int features, count = 0;
    const formulation_feature_info *table = formulation_features(&features);
    list[count++] = (variant){.name = "as it is", .options = ""};
    for (int k = 0; k < features && count < MOST_VARIANTS; k++) {
        variant *v = &list[count++];
        const bool on = FORMULATION_DEFAULT & table[k].bit;
        snprintf(v->name, sizeof v->name, "%s %s", on ? "without" : "with", table[k].name);
        snprintf(v->options, sizeof v->options, "--%s=%s", on ? "without" : "with", table[k].name);
    }
    for (const params_entry *e = exact_parameters.entry; e->name && count < MOST_VARIANTS; e++) {
        const bool on = e->initial != 0;
        if (e->kind != PARAMS_SWITCH)
            continue;
        variant *v = &list[count++];
        snprintf(v->name, sizeof v->name, "%s exact.%s", on ? "without" : "with", e->name);
        snprintf(v->options, sizeof v->options, "--set=exact.%s=%s", e->name, on ? "off" : "on");
    }
    for (size_t k = 0; k < sizeof further / sizeof *further && count < MOST_VARIANTS; k++)
        list[count++] = further[k];
    return count;
}

/* Of the grid; all of them when no name is given. */
static const char *const standard[] = {"vgg16_cifar-a72-50",         "vgg16_cifar-m4-60",
                                       "vgg16_cifar-a72-60-t1.0001", "resnet18_cifar-a72-50",
                                       "resnet18_cifar-m0-30",       "bert-a72-40",
                                       "layered50.1-a72nocache-40",  NULL};

typedef struct arguments {
    bench_arguments common;
    double limit;
    bool list;
} arguments;

/* By the options, so that a variant keeps its results when others come and go. */
static void result_name(const exact_case *c, const variant *v, char name[256])
{
    size_t used = (size_t)snprintf(name, 256, "ablation-%s", c->name);
    for (const char *at = v->options; *at && used < 250; at++)
        if (*at != '-' || at[1] != '-')
            name[used++] = *at == ' ' || *at == ',' ? '_' : *at;
    name[used] = '\0';
}

/* ---- the tables ------------------------------------------------------------------------------ */

static json_t *load(const bench_store *store, const exact_case *c, const variant *v, double limit)
{
    char name[256];
    result_name(c, v, name);
    return bench_store_load_named(store, name, limit);
}

static void write_row(bench_sheet *s, const exact_case *c, const variant *v, const exact_figures *f)
{
    bench_sheet_row(
        s, "%s|%s|%s|%s|%s|%s|%s|%s|%ld|%ld|%ld|%.2f", c->name, v->name, f->status,
        bench_number_text(f->root_bound, 7).text, bench_number_text(f->root_bound_cuts, 7).text,
        bench_number_text(f->bound, 9).text, bench_number_text(f->overhead, 9).text,
        bench_number_text(100 * f->gap, 3).text, f->nodes, f->lp_iterations, f->cuts, f->seconds);
}

static int write_table(const arguments *a, const bench_store *store, const exact_cases *cases,
                       const variant *variants, int count, base_error *error)
{
    bench_sheet s;
    if (bench_sheet_open(&s, a->common.folder, "table", "Components switched off, one thread",
                         error))
        return -1;
    bench_sheet_heading(&s, "instance|variant|status|root bound|after cuts|bound|overhead|gap %|"
                            "nodes|LP iterations|cuts|seconds");
    for (int k = 0; k < cases->count; k++)
        for (int v = 0; v < count; v++) {
            json_t *result = load(store, &cases->item[k], &variants[v], 0);
            if (result) {
                const exact_figures f = exact_run_figures(result);
                write_row(&s, &cases->item[k], &variants[v], &f);
            }
            json_decref(result);
        }
    return bench_sheet_close(&s, error);
}

typedef struct totals {
    int known, proven, wrong;
    double *seconds, *nodes, *iterations, *closed;
} totals;

/* Over the cases for which both the variant and the solver as it is have a result. */
static void sum_variant(const bench_store *store, const exact_cases *cases, const variant *v,
                        const variant *whole, totals *t)
{
    for (int k = 0; k < cases->count; k++) {
        json_t *reference = load(store, &cases->item[k], whole, 0);
        json_t *result = reference ? load(store, &cases->item[k], v, 0) : NULL;
        if (result) {
            const exact_figures f = exact_run_figures(result), r = exact_run_figures(reference);
            t->proven += f.proven;
            t->wrong += f.proven && r.proven && isfinite(f.overhead + r.overhead) &&
                        fabs(f.overhead - r.overhead) > 1e-6 * fabs(r.overhead);
            t->seconds[t->known] = f.proven && isfinite(f.seconds) ? f.seconds : f.limit;
            t->nodes[t->known] = (double)f.nodes;
            t->iterations[t->known] = (double)f.lp_iterations;
            t->closed[t->known++] = exact_run_covered(&f, r.overhead);
        }
        json_decref(result);
        json_decref(reference);
    }
}

static double mean(const double *value, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += value[k];
    return count > 0 ? sum / count : NAN;
}

static int write_summary(const arguments *a, const bench_store *store, const exact_cases *cases,
                         const variant *variants, int count, base_error *error)
{
    bench_sheet s;
    const size_t most = (size_t)cases->count;
    double whole = NAN;
    if (bench_sheet_open(&s, a->common.folder, "summary", "What each component is worth", error))
        return -1;
    bench_sheet_heading(&s, "variant|instances|proven|root bound % of the overhead|nodes|"
                            "LP iterations|seconds|times as long|other optimum");
    for (int v = 0; v < count; v++) {
        totals t = {.seconds = base_calloc(most, sizeof(double)),
                    .nodes = base_calloc(most, sizeof(double)),
                    .iterations = base_calloc(most, sizeof(double)),
                    .closed = base_calloc(most, sizeof(double))};
        sum_variant(store, cases, &variants[v], &variants[0], &t);
        const double seconds = bench_shifted_mean(t.seconds, t.known, shift);
        if (v == 0)
            whole = seconds;
        if (t.known > 0)
            bench_sheet_row(
                &s, "%s|%d|%d|%.2f|%.1f|%.0f|%.2f|%.2f|%d", variants[v].name, t.known, t.proven,
                100 * mean(t.closed, t.known), bench_shifted_mean(t.nodes, t.known, 10),
                bench_shifted_mean(t.iterations, t.known, 100), seconds, seconds / whole, t.wrong);
        base_free(t.seconds);
        base_free(t.nodes);
        base_free(t.iterations);
        base_free(t.closed);
    }
    bench_sheet_text(&s,
                     "Shifted geometric means (shifts: 10 nodes, 100 iterations, %g s); a run that "
                     "the limit of %g s cut off counts with the limit. The root bound is the one "
                     "after cuts, the mean over the instances of its part of the overhead of the "
                     "schedule that the first variant finds. The last column counts optima, proven "
                     "with and without, that "
                     "differ: it must be 0.",
                     shift, a->limit);
    return bench_sheet_close(&s, error);
}

/* ---- the command line ------------------------------------------------------------------------ */

static const struct argp_option options[] = {
    {"time-limit", 'l', "S", 0, "of each run (default: 60)", 0},
    {"list", 'n', NULL, 0, "only print the variants", 0},
    {0}};

static const struct argp_child children[] = {{&bench_arguments_argp, 0, NULL, 0}, {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 'l':
        a->limit = bench_parse_number(state, text);
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

static int run_one(const arguments *a, const bench_store *store, const exact_case *c,
                   const variant *v, const base_flag *interrupt, base_error *error)
{
    char name[256];
    result_name(c, v, name);
    json_t *result = exact_run(store, c, name, a->limit, v->options, interrupt, error);
    if (!result)
        return *interrupt ? 0 : -1;
    const exact_figures f = exact_run_figures(result);
    fprintf(stderr, "%-28s %-28s %-10s %8.2f s\n", c->name, v->name, f.status, f.seconds);
    return bench_store_save_named(store, name, result, error);
}

static int run_all(const arguments *a, const bench_store *store, const exact_cases *cases,
                   const variant *variants, int count, const base_flag *interrupt,
                   base_error *error)
{
    const double started = base_seconds();
    for (int k = 0; k < cases->count; k++)
        for (int v = 0; v < count && !*interrupt; v++) {
            json_t *done = load(store, &cases->item[k], &variants[v], a->limit);
            json_decref(done);
            if (done || !exact_case_chosen(&cases->item[k], a->common.names, standard))
                continue;
            if (bench_time_over(&a->common, started))
                return 0;
            if (run_one(a, store, &cases->item[k], &variants[v], interrupt, error))
                return -1;
        }
    return 0;
}

int main(int argc, char **argv)
{
    arguments a = {.limit = 60, .common = bench_arguments_default()};
    const struct argp argp = {.options = options,
                              .parser = parse,
                              .children = children,
                              .args_doc = "PROGRAM FOLDER [NAME...]",
                              .doc = "Runs poetbnb solve with each of its components switched off "
                                     "in turn. NAMEs choose instances of bench-exact. Results that "
                                     "are there are kept."};
    base_error error;
    bench_store store;
    variant variants[MOST_VARIANTS];
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    const int count = list_variants(variants);
    if (a.list) {
        for (int v = 0; v < count; v++)
            printf("%-28s %s\n", variants[v].name, variants[v].options);
        return EXIT_SUCCESS;
    }
    const base_flag *interrupt = bench_interrupt_catch();
    exact_cases cases = exact_cases_grid();
    bench_process_pin(a.common.processor);
    int failed = exact_cases_check(&cases, a.common.names, &error) ||
                 bench_store_open(a.common.program, a.common.folder, &store, &error) ||
                 run_all(&a, &store, &cases, variants, count, interrupt, &error) ||
                 write_table(&a, &store, &cases, variants, count, &error) ||
                 write_summary(&a, &store, &cases, variants, count, &error);
    if (failed)
        fprintf(stderr, "bench-ablation: %s\n", error.text);
    exact_cases_clear(&cases);
    return failed ? EXIT_FAILURE : *interrupt ? 130 : EXIT_SUCCESS;
}
