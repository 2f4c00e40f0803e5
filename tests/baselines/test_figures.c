/* The methods on the networks of the paper: figures made by an independent
 * implementation of the same rules (tests/data/baselines.txt), and the few that were
 * published with them to three digits. */
#include <math.h>

#include "tests/baselines/support.h"
#include "tests/suite.h"

SUITE("figures", .seconds = 120);

/* Runs the method at that percentage of the checkpoint-all peak. */
static bool run(const graph *g, int percent, const char *name, validation *v,
                char reason[BASELINE_REASON])
{
    problem p = problem_make(g, graph_checkpoint_all_peak(g) * percent / 100);
    return run_method(&p, name, NULL, v, reason);
}

typedef struct figure {
    char model[32], device[32], method[32];
    int percent;
    double overhead;
    int64_t peak, recomputations, pageins, pageouts;
} figure;

static void check_figure(const graph *g, const figure *f)
{
    char where[160], reason[BASELINE_REASON];
    validation v;
    snprintf(where, sizeof where, "%s on %s %s at %d %%", f->method, f->model, f->device,
             f->percent);
    bool feasible = run(g, f->percent, f->method, &v, reason);
    ck_assert_msg(feasible == (f->overhead >= 0), "%s: %s", where, feasible ? "feasible" : reason);
    if (!feasible)
        return;
    double tolerance = 1e-9 * (graph_base_joules(g) + f->overhead);
    ck_assert_msg(fabs(v.overhead_joules - f->overhead) <= tolerance, "%s: %.13g J, not %.13g J",
                  where, v.overhead_joules, f->overhead);
    ck_assert_msg(v.peak_bytes == f->peak, "%s: %lld bytes, not %lld", where,
                  (long long)v.peak_bytes, (long long)f->peak);
    ck_assert_msg(v.recompute_count == f->recomputations && v.pagein_count == f->pageins &&
                      v.pageout_count == f->pageouts,
                  "%s: %lld recomputations, %lld and %lld transfers", where,
                  (long long)v.recompute_count, (long long)v.pagein_count,
                  (long long)v.pageout_count);
}

TEST(figures_of_reference)
{
    FILE *in = fopen("tests/data/baselines.txt", "r");
    ck_assert_ptr_nonnull(in);
    char line[256];
    int checked = 0;
    graph *g = NULL;
    char current[80] = "";
    while (fgets(line, sizeof line, in)) {
        if (line[0] == '#')
            continue;
        figure f;
        long long peak, rec, in_count, out_count;
        int got = sscanf(line, "%31s %31s %d %31s %lf %lld %lld %lld %lld", f.model, f.device,
                         &f.percent, f.method, &f.overhead, &peak, &rec, &in_count, &out_count);
        ck_assert_msg(got == 9, "tests/data/baselines.txt: %s", line);
        f.peak = peak;
        f.recomputations = rec;
        f.pageins = in_count;
        f.pageouts = out_count;
        char wanted[80];
        snprintf(wanted, sizeof wanted, "%s %s", f.model, f.device);
        if (strcmp(wanted, current) != 0) {
            graph_free(g);
            g = network_graph(f.model, f.device);
            snprintf(current, sizeof current, "%s", wanted);
        }
        check_figure(g, &f);
        checked++;
    }
    graph_free(g);
    fclose(in);
    ck_assert_int_gt(checked, 100);
}

/* Half of the checkpoint-all peak; overheads in joules on a72 and m4, cut to the printed
 * digits; the peak in percent where it was printed, else 0. */
TEST(figures_to_three_digits)
{
    static const struct {
        const char *method, *model, *a72, *m4;
        int peak;
    } figures[] = {
        {"chen_sqrtn", "resnet18_cifar", "2.63", "0.182", 45},
        {"chen_sqrtn", "bert", "457", "31.6", 27},
        {"chen_greedy", "vgg16_cifar", "12.3", "0.853", 45},
        {"dtr", "vgg16_cifar", "0.192", "0.0133", 0},
        {"dtr", "resnet18_cifar", "0.0115", "0.000798", 0},
        {"dtr", "bert", "33.6", "2.32", 0},
        {"capuchin", "vgg16_cifar", "0.0119", "0.184", 0},
        {"capuchin", "resnet18_cifar", "0.0119", "0.185", 0},
        {"capuchin", "bert", "1.84", "28.4", 49},
        {"capuchin_sync", "resnet18_cifar", "0.503", "0.0679", 0},
        {"revolve", "vgg16_cifar", "406", "28.1", 0},
    };
    for (size_t k = 0; k < sizeof figures / sizeof *figures; k++)
        for (int device = 0; device < 2; device++) {
            OWNED(graph) *g = network_graph(figures[k].model, device == 0 ? "a72" : "m4");
            char reason[BASELINE_REASON];
            validation v;
            bool feasible = run(g, 50, figures[k].method, &v, reason);
            ck_assert_msg(feasible, "%s: %s", figures[k].method, reason);
            char text[32];
            snprintf(text, sizeof text, "%.3g", v.overhead_joules);
            ck_assert_str_eq(text, device == 0 ? figures[k].a72 : figures[k].m4);
            double percent = 100.0 * (double)v.peak_bytes / (double)graph_checkpoint_all_peak(g);
            if (figures[k].peak > 0)
                ck_assert_int_eq((int)floor(percent + 0.5), figures[k].peak);
        }
}

/* Ties matter at tight budgets: smallest index against the simulator's rule. */
TEST(dtr_ties_at_a_fifth)
{
    OWNED(graph) *g = network_graph("resnet18_cifar", "a72");
    char reason[BASELINE_REASON];
    validation v;
    ck_assert(run(g, 20, "dtr", &v, reason));
    ck_assert_double_eq_tol(v.overhead_joules, 0.874, 5e-4);
    ck_assert(run(g, 20, "dtr_simrd", &v, reason));
    ck_assert_double_eq_tol(v.overhead_joules, 1.372, 5e-4);
}

/* No baseline without paging needs less than Checkmate's optimum. */
TEST(none_beats_checkmate)
{
    OWNED(graph) *g = network_graph("vgg16_cifar", "a72");
    int count, compared = 0;
    const baseline_method *methods = baseline_methods(&count);
    char reason[BASELINE_REASON];
    validation best, v;
    ck_assert(run(g, 60, "checkmate", &best, reason));
    ck_assert_str_eq(reason, "");
    for (int k = 0; k < count; k++)
        if (!methods[k].pages && run(g, 60, methods[k].name, &v, reason)) {
            ck_assert_double_ge(v.overhead_joules, best.overhead_joules * (1.0 - 1e-9));
            compared++;
        }
    ck_assert_int_gt(compared, 8);
}

/* All but the exact one, on one core, in seconds and little memory: the bounds are those of
 * a slow machine that has other work too. */
TEST(bert_in_seconds)
{
    OWNED(graph) *g = network_graph("bert", "a72");
    int count;
    const baseline_method *methods = baseline_methods(&count);
    char reason[BASELINE_REASON];
    validation v;
    double start = base_seconds();
    for (int k = 0; k < count; k++)
        if (methods[k].cost != BASELINE_EXACT)
            run(g, 50, methods[k].name, &v, reason);
    ck_assert_double_le(base_seconds() - start, 60.0);
    ck_assert_uint_le(base_memory_peak(), (size_t)1 << 30);
}
