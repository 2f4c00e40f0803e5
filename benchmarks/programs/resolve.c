/* bench-resolve: what a bound change at the optimum of a linear relaxation costs the simplex, as in
 * a branch and bound.
 *
 *     bench-resolve [OPTION...] FOLDER [NAME...]
 *
 * Solves the relaxation cold, then again and again draws a fractional integer column, rounds one of
 * its bounds beyond its value, solves from the basis at hand (this is timed), and takes the change
 * back and returns to the first optimum's basis, as strong branching does (this is not). Times are
 * processor time. */
#include <argp.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "benchmarks/lp_cases.h"
#include "benchmarks/process.h"
#include "benchmarks/sheet.h"
#include "benchmarks/statistics.h"
#include "benchmarks/store.h"
#include "lp/simplex.h"

enum { MOST_CHANGES = 100000 };

/* Parts of the names of the cases when none are given. */
static char *standard[] = {"vgg16_cifar-a72-50", "vgg16_cifar-m4-50", "resnet18_cifar-a72-50",
                           "resnet18_cifar-m4-50", NULL};

typedef struct arguments {
    const char *folder;
    char **names; /* NULL at the end; none: the default cases */
    int changes, processor;
    uint64_t seed;
} arguments;

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- measuring ------------------------------------------------------------------------------- */

typedef struct measured {
    double create, cold; /* seconds to set up a solver and to solve */
    long cold_iterations;
    double *seconds, *iterations; /* of each re-solve, extent count */
    int count, infeasible, failed;
} measured;

/* A fractional integer column, drawn; -1 when there is none. */
static int draw_column(const lp_model *m, lp_solver *s, base_rng *rng)
{
    const double *x = lp_primal(s);
    int count = 0, chosen = -1;
    for (int j = 0; j < m->cols; j++)
        if (m->integer[j] && fabs(x[j] - floor(x[j] + 0.5)) > 1e-6 &&
            base_rng_below(rng, (uint64_t)++count) == 0)
            chosen = j;
    return chosen;
}

static void resolve(const lp_model *m, lp_solver *s, int column, bool up, measured *r)
{
    const double value = lp_primal(s)[column];
    const long before = lp_iterations(s);
    const double lower = m->lower[column], upper = m->upper[column];
    const double started = processor_seconds();
    lp_set_bounds(s, column, up ? ceil(value) : lower, up ? upper : floor(value));
    const lp_status status = lp_solve(s);
    r->seconds[r->count] = processor_seconds() - started;
    r->iterations[r->count++] = (double)(lp_iterations(s) - before);
    r->infeasible += status == LP_INFEASIBLE;
    r->failed += status != LP_INFEASIBLE && status != LP_OPTIMAL;
    lp_set_bounds(s, column, m->lower[column], m->upper[column]);
}

/* False when interrupted or the relaxation has no optimum. */
static bool measure(const arguments *a, const lp_model *m, const base_flag *interrupt, measured *r)
{
    lp_params params = lp_params_default();
    params.limits.interrupt = interrupt;
    base_rng rng = {a->seed};
    double started = processor_seconds();
    lp_solver *s = lp_solver_create(m, &params);
    r->create = processor_seconds() - started;
    started = processor_seconds();
    bool optimal = lp_solve(s) == LP_OPTIMAL;
    r->cold = processor_seconds() - started;
    r->cold_iterations = lp_iterations(s);
    unsigned char *basis = base_malloc((size_t)m->rows + (size_t)m->cols + 1, sizeof *basis);
    lp_get_basis(s, basis);
    while (optimal && r->count < a->changes) {
        const int column = draw_column(m, s, &rng);
        if (column < 0)
            break;
        resolve(m, s, column, base_rng_below(&rng, 2), r);
        lp_set_basis(s, basis);
        optimal = lp_solve(s) == LP_OPTIMAL;
    }
    base_free(basis);
    lp_solver_free(s);
    return optimal;
}

static json_t *summary(measured *r)
{
    double worst = 0;
    for (int k = 0; k < r->count; k++)
        worst = fmax(worst, r->seconds[k]);
    const double seconds = bench_median(r->seconds, r->count);
    const double iterations = bench_median(r->iterations, r->count);
    return json_pack("{s:i, s:f, s:f, s:I, s:f, s:f, s:f, s:i, s:i, s:i}", "exit", 0,
                     "create_seconds", r->create, "cold_seconds", r->cold, "cold_iterations",
                     (json_int_t)r->cold_iterations, "seconds", r->count ? seconds : 0.0,
                     "iterations", r->count ? iterations : 0.0, "worst_seconds", worst, "changes",
                     r->count, "infeasible", r->infeasible, "failed", r->failed);
}

static json_t *run_case(const arguments *a, const lp_case *c, const base_flag *interrupt)
{
    graph *g;
    problem p = lp_case_problem(c, &g);
    lp_model *m = bench_model_make(&p, c->form, UNIT_OVERHEAD, false);
    measured r = {.seconds = base_calloc((size_t)a->changes + 1, sizeof *r.seconds),
                  .iterations = base_calloc((size_t)a->changes + 1, sizeof *r.iterations)};
    json_t *result = measure(a, m, interrupt, &r) ? summary(&r) : NULL;
    base_free(r.seconds);
    base_free(r.iterations);
    lp_model_free(m);
    graph_free(g);
    return result;
}

/* ---- the table ------------------------------------------------------------------------------- */

static double real_of(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static void write_row(bench_sheet *s, const lp_case *c, const json_t *r)
{
    const double cold = real_of(r, "cold_seconds"), seconds = real_of(r, "seconds");
    bench_sheet_row(s, "%s|%.4f|%.4f|%.0f|%.0f|%.5f|%.0f|%.5f|%.5f|%.0f|%.0f", c->name,
                    real_of(r, "create_seconds"), cold, real_of(r, "cold_iterations"),
                    real_of(r, "changes"), seconds, real_of(r, "iterations"), seconds / cold,
                    real_of(r, "worst_seconds") / cold, real_of(r, "infeasible"),
                    real_of(r, "failed"));
}

static void result_name(const arguments *a, const lp_case *c, char name[160])
{
    snprintf(name, 160, "resolve-%s-%d-%llu", c->name, a->changes, (unsigned long long)a->seed);
}

static int write_table(const arguments *a, const bench_store *store, const lp_case cases[LP_CASES],
                       base_error *error)
{
    bench_sheet s;
    if (bench_sheet_open(&s, a->folder, "resolve", "Solving again after one bound change", error))
        return -1;
    bench_sheet_heading(&s, "model|set-up s|cold solve s|iterations|changes|median re-solve s|"
                            "median iterations|median ratio|worst ratio|infeasible|failed");
    for (int k = 0; k < LP_CASES; k++) {
        char name[160];
        result_name(a, &cases[k], name);
        json_t *result = bench_store_load_named(store, name, 0);
        if (result)
            write_row(&s, &cases[k], result);
        json_decref(result);
    }
    return bench_sheet_close(&s, error);
}

/* ---- the command line ------------------------------------------------------------------------ */

static const struct argp_option options[] = {
    {"changes", 'c', "N", 0, "bound changes on each relaxation (default: 200)", 0},
    {"seed", 's', "N", 0, "of the random choices (default: 1)", 0},
    {"processor", 'p', "N", 0, "the one to run on (default: the last)", 0},
    {0}};

static long parse_count(struct argp_state *state, const char *text)
{
    char *end;
    const long value = strtol(text, &end, 10);
    if (end == text || *end || value < 0 || value > MOST_CHANGES)
        argp_error(state, "expected a number from 0 to %d, got '%s'", MOST_CHANGES, text);
    return value;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 'c':
        a->changes = (int)parse_count(state, text);
        return 0;
    case 's':
        a->seed = (uint64_t)parse_count(state, text);
        return 0;
    case 'p':
        a->processor = (int)parse_count(state, text);
        return 0;
    case ARGP_KEY_ARGS:
        a->folder = state->argv[state->next];
        a->names = state->argv + state->next + 1;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "expected FOLDER");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv)
{
    arguments a = {.changes = 200, .seed = 1, .processor = -1};
    const struct argp argp = {.options = options,
                              .parser = parse,
                              .args_doc = "FOLDER [NAME...]",
                              .doc = "Times the simplex after single bound changes. NAMEs choose "
                                     "cases of bench-lp by a part of their name. Results that are "
                                     "there are kept."};
    base_error error;
    bench_store store;
    lp_case cases[LP_CASES];
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    const base_flag *interrupt = bench_interrupt_catch();
    lp_cases_list(cases);
    bench_process_pin(a.processor);
    int failed = lp_cases_check(cases, a.names, &error) ||
                 bench_store_open("/proc/self/exe", a.folder, &store, &error);
    for (int k = 0; k < LP_CASES && !failed && !*interrupt; k++) {
        char name[160];
        result_name(&a, &cases[k], name);
        json_t *done = bench_store_load_named(&store, name, 0);
        json_decref(done);
        if (done || !lp_case_wanted(&cases[k], *a.names ? a.names : standard))
            continue;
        fprintf(stderr, "%s\n", name);
        json_t *result = run_case(&a, &cases[k], interrupt);
        if (result)
            failed = bench_store_save_named(&store, name, result, &error);
        else if (!*interrupt)
            fprintf(stderr, "bench-resolve: %s has no optimum\n", cases[k].name);
    }
    failed = failed || write_table(&a, &store, cases, &error);
    if (failed)
        fprintf(stderr, "bench-resolve: %s\n", error.text);
    return failed ? EXIT_FAILURE : *interrupt ? 130 : EXIT_SUCCESS;
}
