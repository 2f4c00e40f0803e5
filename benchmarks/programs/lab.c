/* bench-lab: what one feature of the formulation is worth, over chosen instances and seeds, with
 * confidence intervals.
 *
 *     bench-lab --feature NAME [OPTION...] PROGRAM FOLDER [NAME...] */
#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/arguments.h"
#include "benchmarks/exact_run.h"
#include "benchmarks/sheet.h"
#include "benchmarks/statistics.h"
#include "formulation/formulation.h"

/* Of the grid, when no name is given: proven in a second or a few, of all kinds. */
static const char *const standard[] = {"vgg16_cifar-a72-50",        "vgg16_cifar-m4-60",
                                       "vgg16_cifar-m0-70",         "resnet18_cifar-a72-50",
                                       "resnet18_cifar-m0-30",      "bert-a72-40",
                                       "layered50.1-a72nocache-40", NULL};

typedef struct arguments {
    bench_limited limited;
    const char *feature;
    double seeds;
    char options[2][64]; /* that leave the feature out, and that have it */
} arguments;

enum { WITHOUT, WITH, SIDES };

/* ---- runs ------------------------------------------------------------------------------------ */

static void result_name(const arguments *a, const exact_case *c, int side, int seed, char name[256])
{
    snprintf(name, 256, "lab-%s-%s-%s-%d", c->name, a->feature, side == WITH ? "with" : "without",
             seed);
}

static json_t *load(const arguments *a, const bench_store *store, const exact_case *c, int side,
                    int seed)
{
    char name[256];
    result_name(a, c, side, seed, name);
    return bench_store_load_named(store, name, a->limited.limit);
}

static int run_one(const arguments *a, const bench_store *store, const exact_case *c, int side,
                   int seed, const base_flag *interrupt, base_error *error)
{
    char name[256], options[128];
    json_t *done = load(a, store, c, side, seed);
    json_decref(done);
    if (done)
        return 0;
    result_name(a, c, side, seed, name);
    snprintf(options, sizeof options, "--seed=%d %s", seed, a->options[side]);
    json_t *result = exact_run(store, c, name, a->limited.limit, options, interrupt, error);
    if (!result)
        return *interrupt ? 0 : -1;
    const exact_figures f = exact_run_figures(result);
    fprintf(stderr, "%-28s seed %d %-8s %-10s %8ld nodes %8.2f s\n", c->name, seed,
            side == WITH ? "with" : "without", f.status, f.nodes, f.cpu_seconds);
    return bench_store_save_named(store, name, result, error);
}

/* Both sides of a pair one after the other, each first in turn. */
static int run_all(const arguments *a, const bench_store *store, const exact_cases *cases,
                   const base_flag *interrupt, base_error *error)
{
    const double started = base_seconds();
    for (int k = 0; k < cases->count; k++)
        for (int seed = 1; seed <= a->seeds &&
                           exact_case_chosen(&cases->item[k], a->limited.common.names, standard);
             seed++)
            for (int side = 0; side < SIDES && !*interrupt; side++) {
                if (bench_time_over(&a->limited.common, started))
                    return 0;
                if (run_one(a, store, &cases->item[k], (side + seed) % SIDES, seed, interrupt,
                            error))
                    return -1;
            }
    return 0;
}

/* ---- the tables ------------------------------------------------------------------------------ */

/* Figures that are compared; with a shift as the logarithm of a ratio, else as a difference. */
typedef enum figure { ROOT, NODES, WORK, SECONDS, FIGURES } figure;

static const struct {
    const char *name;
    double shift;
    int digits;
} figures[FIGURES] = {{"root bound after cuts, % of the overhead", 0, 5},
                      {"nodes", 10, 4},
                      {"work, 10^9 steps", 0.1, 4},
                      {"processor seconds", 0.1, 4}};

/* Of one instance: means over the seeds for which both sides have a result. */
typedef struct summary {
    int pairs, proven[SIDES], wrong;
    double mean[SIDES][FIGURES],
        effect[FIGURES]; /* of figures, logarithms for those with a shift */
} summary;

static void figures_of(const exact_figures *f, double overhead, double value[FIGURES])
{
    value[ROOT] = 100 * exact_run_covered(f, overhead);
    value[NODES] = (double)f->nodes;
    value[WORK] = f->work;
    value[SECONDS] = f->cpu_seconds;
    for (int k = 0; k < FIGURES; k++)
        if (figures[k].shift > 0)
            value[k] = log(fmax(value[k], 0) + figures[k].shift);
}

static void add_pair(summary *s, const exact_figures f[SIDES])
{
    const double overhead = fmin(f[WITHOUT].overhead, f[WITH].overhead);
    for (int side = 0; side < SIDES; side++) {
        double value[FIGURES];
        figures_of(&f[side], overhead, value);
        s->proven[side] += f[side].proven;
        for (int k = 0; k < FIGURES; k++)
            s->mean[side][k] += value[k];
    }
    s->wrong += f[WITHOUT].proven && f[WITH].proven &&
                isfinite(f[WITHOUT].overhead + f[WITH].overhead) &&
                fabs(f[WITHOUT].overhead - f[WITH].overhead) > 1e-6 * overhead;
    s->pairs++;
}

static summary sum_case(const arguments *a, const bench_store *store, const exact_case *c)
{
    summary s = {0};
    for (int seed = 1; seed <= a->seeds; seed++) {
        json_t *result[SIDES] = {load(a, store, c, WITHOUT, seed), load(a, store, c, WITH, seed)};
        if (result[WITHOUT] && result[WITH]) {
            const exact_figures f[SIDES] = {exact_run_figures(result[WITHOUT]),
                                            exact_run_figures(result[WITH])};
            if (isfinite(f[WITHOUT].work) && isfinite(f[WITH].work))
                add_pair(&s, f);
        }
        json_decref(result[WITHOUT]);
        json_decref(result[WITH]);
    }
    for (int k = 0; k < FIGURES && s.pairs > 0; k++) {
        for (int side = 0; side < SIDES; side++)
            s.mean[side][k] /= s.pairs;
        s.effect[k] = s.mean[WITH][k] - s.mean[WITHOUT][k];
    }
    return s;
}

static double shown(figure k, double value)
{
    return figures[k].shift > 0 ? exp(value) - figures[k].shift : value;
}

static void write_case(bench_sheet *s, const char *name, const summary *x)
{
    char text[512];
    size_t used = 0;
    for (int k = 0; k < FIGURES; k++)
        used += (size_t)snprintf(
            text + used, sizeof text - used, "|%s|%s",
            bench_number_text(shown((figure)k, x->mean[WITHOUT][k]), figures[k].digits).text,
            bench_number_text(shown((figure)k, x->mean[WITH][k]), figures[k].digits).text);
    bench_sheet_row(s, "%s|%d|%d|%d%s", name, x->pairs, x->proven[WITHOUT], x->proven[WITH], text);
}

/* A difference of percentages, 0 where only rounding makes it another. */
static double without_noise(double difference)
{
    return fabs(difference) < 1e-9 ? 0 : difference;
}

/* One row a figure: both means, and the effect over the instances with its interval. */
static void write_figure(bench_sheet *s, figure k, const summary *x, int count)
{
    double mean[SIDES] = {0}, *effect = base_calloc((size_t)count + 1, sizeof *effect);
    for (int c = 0; c < count; c++) {
        effect[c] = x[c].effect[k];
        for (int side = 0; side < SIDES; side++)
            mean[side] += x[c].mean[side][k] / count;
    }
    bench_interval i = bench_confidence(effect, count);
    if (figures[k].shift > 0)
        i = (bench_interval){exp(i.mean), exp(i.low), exp(i.high)};
    else
        i = (bench_interval){without_noise(i.mean), without_noise(i.low), without_noise(i.high)};
    bench_sheet_row(s, "%s|%s|%s|%s%s|%s to %s", figures[k].name,
                    bench_number_text(shown(k, mean[WITHOUT]), figures[k].digits).text,
                    bench_number_text(shown(k, mean[WITH]), figures[k].digits).text,
                    figures[k].shift > 0 ? "x "
                    : i.mean > 0         ? "+"
                                         : "",
                    bench_number_text(i.mean, 4).text, bench_number_text(i.low, 4).text,
                    bench_number_text(i.high, 4).text);
    base_free(effect);
}

static int write_tables(const arguments *a, const bench_store *store, const exact_cases *cases,
                        base_error *error)
{
    bench_sheet runs, table;
    char title[128];
    summary *x = base_calloc((size_t)cases->count + 1, sizeof *x);
    int count = 0, pairs = 0, wrong = 0, proven[SIDES] = {0};
    snprintf(title, sizeof title, "The feature %s, one thread, up to %g seeds", a->feature,
             a->seeds);
    int failed = bench_sheet_open(&runs, a->limited.common.folder, "instances", title, error);
    if (!failed)
        bench_sheet_heading(&runs, "instance|seeds|proven without|with|root % without|with|"
                                   "nodes without|with|work without|with|seconds without|with");
    for (int c = 0; c < cases->count && !failed; c++) {
        x[count] = exact_case_chosen(&cases->item[c], a->limited.common.names, standard)
                       ? sum_case(a, store, &cases->item[c])
                       : (summary){0};
        if (x[count].pairs == 0)
            continue;
        write_case(&runs, cases->item[c].name, &x[count]);
        pairs += x[count].pairs;
        wrong += x[count].wrong;
        for (int side = 0; side < SIDES; side++)
            proven[side] += x[count].proven[side];
        count++;
    }
    failed = failed || bench_sheet_close(&runs, error) ||
             bench_sheet_open(&table, a->limited.common.folder, "table", title, error);
    if (!failed) {
        bench_sheet_heading(&table, "figure|without|with|effect|95 % confidence");
        for (int k = 0; k < FIGURES; k++)
            write_figure(&table, (figure)k, x, count);
        bench_sheet_text(
            &table,
            "%d pairs of runs on %d instances; proven without %d, with %d; optima that differ, "
            "which "
            "must be 0: %d. Shifted geometric means (shifts: 10 nodes, 0.1 of work and seconds), "
            "of "
            "the root bound the mean. The effect is the mean over the instances of that over the "
            "seeds; the interval is Student's, over instances. A run that the limit of %g s cut "
            "off "
            "counts with what it spent.",
            pairs, count, proven[WITHOUT], proven[WITH], wrong, a->limited.limit);
        failed = bench_sheet_close(&table, error);
    }
    base_free(x);
    return failed;
}

/* Shows the table. */
static int print_table(const arguments *a, base_error *error)
{
    char path[STORE_PATH];
    size_t size;
    snprintf(path, sizeof path, "%s/table.md", a->limited.common.folder);
    char *text = base_file_read(path, (size_t)1 << 20, &size, error);
    if (text)
        fputs(text, stdout);
    base_free(text);
    return text ? 0 : -1;
}

/* ---- the command line ------------------------------------------------------------------------ */

static const struct argp_option options[] = {
    {"feature", 'f', "NAME", 0, "a feature of `poetbnb info --features'", 0},
    {"seeds", 's', "N", 0, "runs of each instance, with seeds 1 to N (default: 4)", 0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 'f':
        a->feature = text;
        return 0;
    case 's':
        a->seeds = bench_parse_number(state, text);
        return 0;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->limited;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* A name with a point is a switch among the parameters, which the program judges. */
static int choose_feature(arguments *a, base_error *error)
{
    char(*option)[64] = a->options;
    const unsigned bit = a->feature ? formulation_feature_by_name(a->feature) : 0;
    if (!bit && a->feature && strchr(a->feature, '.') && strlen(a->feature) < 48) {
        snprintf(option[WITHOUT], sizeof *option, "--set=%s=off", a->feature);
        snprintf(option[WITH], sizeof *option, "--set=%s=on", a->feature);
        return 0;
    }
    if (!bit)
        return base_fail(
            error,
            "NAME: expected a feature or a switch, got '%s'; `poetbnb info --features' "
            "and `--parameters' list them",
            a->feature ? base_text_shown(a->feature).text : "");
    const bool on = FORMULATION_DEFAULT & bit;
    snprintf(option[on ? WITHOUT : WITH], sizeof *option, "--%s=%s", on ? "without" : "with",
             a->feature);
    return 0;
}

int main(int argc, char **argv)
{
    arguments a = {.seeds = 4, .limited = {.limit = 15, .common = bench_arguments_default()}};
    const struct argp argp = {.options = options,
                              .parser = parse,
                              .children = bench_limited_children,
                              .args_doc = "PROGRAM FOLDER [NAME...]",
                              .doc =
                                  "Runs poetbnb solve with and without a feature and writes root "
                                  "bound, nodes, work and time of both with confidence "
                                  "intervals. NAMEs choose instances of bench-exact. Results "
                                  "that are there are kept."};
    base_error error;
    bench_store store;
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    const base_flag *interrupt = bench_interrupt_catch();
    exact_cases cases = exact_cases_grid();
    bench_process_pin(a.limited.common.processor);
    int failed =
        choose_feature(&a, &error) || exact_cases_check(&cases, a.limited.common.names, &error) ||
        bench_store_open(a.limited.common.program, a.limited.common.folder, &store, &error) ||
        run_all(&a, &store, &cases, interrupt, &error) ||
        write_tables(&a, &store, &cases, &error) || print_table(&a, &error);
    if (failed)
        fprintf(stderr, "bench-lab: %s\n", error.text);
    exact_cases_clear(&cases);
    return failed ? EXIT_FAILURE : *interrupt ? 130 : EXIT_SUCCESS;
}
