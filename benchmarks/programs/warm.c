/* bench-warm: what the schedules that solve starts from are worth: time and work until the first
 * schedule within 5 % of the optimum, and until the proof.
 *
 *     bench-warm [OPTION...] PROGRAM FOLDER [NAME...] */
#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/arguments.h"
#include "benchmarks/exact_run.h"
#include "benchmarks/sheet.h"
#include "benchmarks/statistics.h"

static const double near = 0.05; /* of the optimum */
static const double shift = 1;   /* seconds, of the geometric means */

/* ---- variants and cases ---------------------------------------------------------------------- */

typedef struct variant {
    const char *name, *options;
} variant;

static const variant variants[] = {
    {"nothing", "--warm-start=none --no-heuristics"},
    {"auto without search", "--warm-start=auto --no-heuristics"},
    {"search alone", "--warm-start=none"},
    {"dtr", "--warm-start=dtr"},
    {"capuchin", "--warm-start=capuchin"},
    {"auto", "--warm-start=auto"},
};

enum { VARIANTS = sizeof variants / sizeof *variants, MOST_CASES = 96 };

static const char *const networks[] = {"vgg16_cifar", "resnet18_cifar", "bert"};
static const char *const platforms[] = {"a72", "m0", "m4"};
static const int percents[] = {90, 80, 70, 60, 50, 40, 30, 20};

static int list_cases(exact_case list[MOST_CASES])
{
    int count = 0;
    for (size_t n = 0; n < sizeof networks / sizeof *networks; n++)
        for (size_t p = 0; p < sizeof platforms / sizeof *platforms; p++)
            for (size_t b = 0; b < sizeof percents / sizeof *percents; b++) {
                exact_case *c = &list[count++];
                *c = (exact_case){.group = networks[n],
                                  .network = networks[n],
                                  .platform = platforms[p],
                                  .percent = percents[b],
                                  .runtime = "none"};
                snprintf(c->name, sizeof c->name, "%s-%s-%d", networks[n], platforms[p],
                         percents[b]);
            }
    return count;
}

/* vgg16_cifar fits no less than 42 % of its peak. */
static bool is_possible(const exact_case *c)
{
    graph *g;
    const problem p = exact_case_problem(c, &g);
    const bool possible = p.ram_budget_bytes >= graph_minimum_bytes(g, NULL);
    graph_free(g);
    return possible;
}

static void result_name(const exact_case *c, const variant *v, char name[256])
{
    size_t used = (size_t)snprintf(name, 256, "warm-%s", c->name);
    for (const char *at = v->options; *at && used < 250; at++)
        if (*at != '-' || at[1] != '-')
            name[used++] = *at == ' ' || *at == ',' ? '_' : *at;
    name[used] = '\0';
}

static json_t *load(const bench_store *store, const exact_case *c, int v, double limit)
{
    char name[256];
    result_name(c, &variants[v], name);
    return bench_store_load_named(store, name, limit);
}

/* ---- figures --------------------------------------------------------------------------------- */

/* When the schedule came within `near` of the target; NAN and -1: it did not. */
typedef struct arrival {
    double seconds;
    long nodes, lp_iterations;
    char source[64];
} arrival;

/* target in joules. */
static arrival find_arrival(const json_t *result, double target)
{
    arrival a = {NAN, -1, -1, "-"};
    const json_t *list = json_object_get(json_object_get(result, "output"), "incumbents");
    for (size_t k = 0; k < json_array_size(list); k++) {
        const json_t *i = json_array_get(list, k);
        if (json_number_value(json_object_get(i, "overhead_joules")) > target * (1 + near))
            continue;
        const char *source = json_string_value(json_object_get(i, "source"));
        a.seconds = json_number_value(json_object_get(i, "cpu_seconds"));
        a.nodes = (long)json_integer_value(json_object_get(i, "nodes"));
        a.lp_iterations = (long)json_integer_value(json_object_get(i, "lp_iterations"));
        snprintf(a.source, sizeof a.source, "%s", source ? source : "-");
        break;
    }
    return a;
}

/* All results of one case: NULL where there is none. */
typedef struct row {
    json_t *result[VARIANTS];
    exact_figures figures[VARIANTS];
    arrival arrival[VARIANTS];
    double target; /* the least overhead that any variant found, joules; NAN without one */
} row;

static void load_row(const bench_store *store, const exact_case *c, row *r)
{
    *r = (row){.target = NAN};
    for (int v = 0; v < VARIANTS; v++) {
        r->result[v] = load(store, c, v, 0);
        if (!r->result[v])
            continue;
        r->figures[v] = exact_run_figures(r->result[v]);
        const json_t *found =
            json_object_get(json_object_get(r->result[v], "output"), "overhead_joules");
        if (json_is_number(found))
            r->target = fmin(r->target, json_number_value(found));
    }
    for (int v = 0; v < VARIANTS; v++)
        if (r->result[v])
            r->arrival[v] = find_arrival(r->result[v], r->target);
}

static void clear_row(row *r)
{
    for (int v = 0; v < VARIANTS; v++)
        json_decref(r->result[v]);
}

/* True if every variant has a result. */
static bool is_complete(const row *r)
{
    for (int v = 0; v < VARIANTS; v++)
        if (!r->result[v])
            return false;
    return true;
}

static int write_table(const bench_limited *a, const bench_store *store, const exact_case *cases,
                       int count, base_error *error)
{
    bench_sheet s;
    if (bench_sheet_open(&s, a->common.folder, "table", "Warm starts, instance by instance", error))
        return -1;
    bench_sheet_heading(&s, "instance|start|status|overhead|gap %|near after s|LP iterations|"
                            "nodes|found by|ended after s|LP iterations|nodes");
    for (int k = 0; k < count; k++) {
        row r;
        load_row(store, &cases[k], &r);
        for (int v = 0; v < VARIANTS; v++) {
            const exact_figures *f = &r.figures[v];
            const arrival *n = &r.arrival[v];
            if (r.result[v])
                bench_sheet_row(&s, "%s|%s|%s|%s|%s|%s|%ld|%ld|%s|%.2f|%ld|%ld", cases[k].name,
                                variants[v].name, f->status, bench_number_text(f->overhead, 9).text,
                                bench_number_text(100 * f->gap, 3).text,
                                bench_number_text(n->seconds, 3).text, n->lp_iterations, n->nodes,
                                n->source, f->cpu_seconds, f->lp_iterations, f->nodes);
        }
        clear_row(&r);
    }
    return bench_sheet_close(&s, error);
}

/* ---- the summary ----------------------------------------------------------------------------- */

typedef struct totals {
    int count, near, proven, found;
    double near_seconds[MOST_CASES], near_iterations[MOST_CASES];
    double seconds[MOST_CASES], iterations[MOST_CASES], nodes[MOST_CASES];
    double excess[MOST_CASES]; /* of the schedules found over the best known; extent found */
} totals;

/* What never arrived counts with all that the run took, and at least the limit. */
static void add_up(totals *t, const row *r, int v)
{
    const exact_figures *f = &r->figures[v];
    const arrival *n = &r->arrival[v];
    const bool arrived = isfinite(n->seconds);
    const int k = t->count++;
    t->near += arrived;
    t->proven += f->proven;
    t->near_seconds[k] = arrived ? n->seconds : fmax(f->limit, f->cpu_seconds);
    t->near_iterations[k] = (double)(arrived ? n->lp_iterations : f->lp_iterations);
    t->seconds[k] = f->proven ? f->cpu_seconds : fmax(f->limit, f->cpu_seconds);
    t->iterations[k] = (double)f->lp_iterations;
    t->nodes[k] = (double)f->nodes;
    const double found = json_number_value(
        json_object_get(json_object_get(r->result[v], "output"), "overhead_joules"));
    if (found > 0 && r->target > 0)
        t->excess[t->found++] = fmax(0, found / r->target - 1);
}

static int write_summary(const bench_limited *a, const bench_store *store, const exact_case *cases,
                         int count, base_error *error)
{
    bench_sheet s;
    totals *t = base_calloc(VARIANTS, sizeof *t);
    for (int k = 0; k < count; k++) {
        row r;
        load_row(store, &cases[k], &r);
        for (int v = 0; v < VARIANTS && is_complete(&r); v++)
            add_up(&t[v], &r, v);
        clear_row(&r);
    }
    const int opened =
        bench_sheet_open(&s, a->common.folder, "summary", "What warm starts buy", error);
    if (opened == 0) {
        bench_sheet_heading(&s, "start|instances|near|seconds|LP iterations|proven|seconds|"
                                "LP iterations|nodes|left over the best %");
        for (int v = 0; v < VARIANTS; v++) {
            totals *u = &t[v];
            bench_sheet_row(&s, "%s|%d|%d|%.2f|%.0f|%d|%.2f|%.0f|%.1f|%.2f", variants[v].name,
                            u->count, u->near, bench_shifted_mean(u->near_seconds, u->count, shift),
                            bench_shifted_mean(u->near_iterations, u->count, 100), u->proven,
                            bench_shifted_mean(u->seconds, u->count, shift),
                            bench_shifted_mean(u->iterations, u->count, 100),
                            bench_shifted_mean(u->nodes, u->count, 10),
                            100 * bench_shifted_mean(u->excess, u->found, 1));
        }
        bench_sheet_text(
            &s,
            "Near: a schedule within %g %% of the best that any row found (the optimum "
            "where it is proven), the time and the LP iterations of the steps before "
            "it. Then the same for the whole run. Processor seconds, one thread, "
            "shifted geometric means (shifts: %g s, 100 iterations, 10 nodes); what did "
            "not happen counts with the limit of %g s. The last column is by how much "
            "the schedule at the end, where there is one, exceeds the best.",
            100 * near, shift, a->limit);
    }
    base_free(t);
    return opened ? -1 : bench_sheet_close(&s, error);
}

/* ---- the command line ------------------------------------------------------------------------ */

static int run_one(const bench_limited *a, const bench_store *store, const exact_case *c,
                   const variant *v, const base_flag *interrupt, base_error *error)
{
    char name[256];
    result_name(c, v, name);
    json_t *result = exact_run(store, c, name, a->limit, v->options, interrupt, error);
    if (!result)
        return *interrupt ? 0 : -1;
    const exact_figures f = exact_run_figures(result);
    fprintf(stderr, "%-24s %-24s %-10s %12.8g %8.2f s\n", c->name, v->name, f.status, f.overhead,
            f.cpu_seconds);
    return bench_store_save_named(store, name, result, error);
}

static int run_all(const bench_limited *a, const bench_store *store, const exact_case *cases,
                   int count, const base_flag *interrupt, base_error *error)
{
    const double started = base_seconds();
    for (int k = 0; k < count; k++) {
        if (!exact_case_wanted(&cases[k], a->common.names) || !is_possible(&cases[k]))
            continue;
        for (int v = 0; v < VARIANTS && !*interrupt; v++) {
            json_t *done = load(store, &cases[k], v, a->limit);
            json_decref(done);
            if (done)
                continue;
            if (bench_time_over(&a->common, started))
                return 0;
            if (run_one(a, store, &cases[k], &variants[v], interrupt, error))
                return -1;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    bench_limited a = {.limit = 60, .common = bench_arguments_default()};
    const struct argp argp = {.children = bench_limited_children,
                              .args_doc = "PROGRAM FOLDER [NAME...]",
                              .doc = "Runs poetbnb solve from different starts. NAMEs choose "
                                     "instances, like bert-m4 or m4-50. Results that are there are "
                                     "kept."};
    base_error error;
    bench_store store;
    exact_case cases[MOST_CASES];
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    const int count = list_cases(cases);
    const base_flag *interrupt = bench_interrupt_catch();
    bench_process_pin(a.common.processor);
    int failed = bench_store_open(a.common.program, a.common.folder, &store, &error) ||
                 run_all(&a, &store, cases, count, interrupt, &error) ||
                 write_table(&a, &store, cases, count, &error) ||
                 write_summary(&a, &store, cases, count, &error);
    if (failed)
        fprintf(stderr, "bench-warm: %s\n", error.text);
    return failed ? EXIT_FAILURE : *interrupt ? 130 : EXIT_SUCCESS;
}
