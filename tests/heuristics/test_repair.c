/* heuristic_repair from exact and blurred values, and heuristic_improve of wasteful
 * schedules. */
#include <math.h>
#include <string.h>

#include "heuristics/search.h"
#include "problem/network.h"
#include "tests/heuristics/suites.h"

typedef struct fixture {
    graph *g;
    problem p;
    schedule *good;
    validation v;
} fixture;

static fixture setup_network(const char *model, const char *device, double fraction)
{
    fixture f;
    f.g = network_build(model, platform_find(device), network_options_default(), NULL);
    f.p = problem_make(f.g, (int64_t)(fraction * (double)graph_checkpoint_all_peak(f.g)));
    heuristic_params hp = heuristic_params_default();
    hp.work_limit = 1000000;
    f.good = heuristic_search(&f.p, NULL, 0, &hp, NULL);
    ck_assert(f.good && schedule_validate(&f.p, f.good, &f.v, NULL) == 0);
    return f;
}

static void teardown(fixture *f)
{
    schedule_free(f->good);
    graph_free(f->g);
}

/* The cells of matrix as numbers, mixed with `share` of those of other. */
static double *blend(const uint8_t *matrix, const uint8_t *other, double share, int n)
{
    double *values = base_malloc((size_t)n * (size_t)n, sizeof *values);
    for (size_t c = 0; c < (size_t)n * (size_t)n; c++)
        values[c] = (1 - share) * matrix[c] + share * other[c];
    return values;
}

static double repaired(const fixture *f, const schedule *other, double share, double cutoff)
{
    const int n = f->g->n;
    double *keep = blend(f->good->S, other->S, share, n);
    double *compute = blend(f->good->R, other->R, share, n);
    double *pagein = blend(f->good->In, other->In, share, n);
    const heuristic_guide guide = {keep, compute, pagein};
    schedule *s = heuristic_repair(&f->p, &guide, NULL, 4, 1, cutoff, NULL);
    const base_limits over = {.work_end = 1};
    ck_assert_ptr_null(heuristic_repair(&f->p, &guide, NULL, 4, 1, cutoff, &over));
    double overhead = INFINITY;
    if (s) {
        validation v;
        base_error error;
        ck_assert_msg(schedule_validate(&f->p, s, &v, &error) == 0, "%s", error.text);
        ck_assert(v.overhead_joules < cutoff);
        overhead = v.overhead_joules;
    }
    schedule_free(s);
    base_free(keep);
    base_free(compute);
    base_free(pagein);
    return overhead;
}

START_TEST(test_repair_of_a_schedule)
{
    fixture f = setup_network("vgg16_cifar", _i ? "m4" : "a72", 0.5);
    /* Its own cells lead back to the schedule, and to nothing cheaper than itself. */
    const double joules = repaired(&f, f.good, 0, INFINITY);
    ck_assert_double_le(joules, f.v.overhead_joules * (1 + 1e-9));
    ck_assert(isinf(repaired(&f, f.good, 0, f.v.overhead_joules * 0.5)));
    /* Mixed with checkpoint-all, which does not fit, it still leads to one. */
    schedule *all = schedule_checkpoint_all(f.g);
    ck_assert_double_le(repaired(&f, all, 0.4, INFINITY), f.v.overhead_joules * 2);
    schedule_free(all);
    teardown(&f);
}
END_TEST

START_TEST(test_improve_removes_waste)
{
    fixture f = setup_network("vgg16_cifar", "a72", 0.7);
    const int n = f.g->n;
    /* Page out and in whatever is long unused, far more than needed. */
    schedule *s = schedule_checkpoint_all(f.g);
    for (int i = 0; i < n / 2; i++) {
        int first = f.g->user[f.g->user_start[i]], next = n;
        for (int e = f.g->user_start[i]; e < f.g->user_start[i + 1]; e++)
            if (f.g->user[e] > n / 2 && f.g->user[e] < next)
                next = f.g->user[e];
        if (f.g->last_user[i] < first + 8 || next == n || next < first + 4)
            continue;
        s->Out[schedule_cell(s, i + 1, i)] = 1;
        s->In[schedule_cell(s, next - 1, i)] = 1;
        for (int t = i + 2; t < next; t++)
            s->A[schedule_cell(s, t, i)] = 1;
        for (int t = n / 2 + 1; t < next; t++)
            s->S[schedule_cell(s, t, i)] = 0;
    }
    schedule_prune(f.g, s);
    validation before, after;
    base_error error;
    ck_assert_msg(schedule_validate(&f.p, s, &before, &error) == 0, "%s", error.text);
    schedule *better = heuristic_improve(&f.p, s, NULL, 0, NULL, &error);
    ck_assert_msg(better && schedule_validate(&f.p, better, &after, &error) == 0, "%s", error.text);
    ck_assert_double_lt(after.overhead_joules, before.overhead_joules * 0.5);
    /* Without work that is left it stays as it is. */
    const base_limits over = {.work_end = 1};
    schedule *kept = heuristic_improve(&f.p, s, NULL, 0, &over, &error);
    validation unchanged;
    ck_assert_int_eq(schedule_validate(&f.p, kept, &unchanged, &error), 0);
    ck_assert_double_eq_tol(unchanged.overhead_joules, before.overhead_joules, 1e-12);
    schedule_free(kept);
    /* An optimum stays what it is; an invalid schedule is refused. */
    schedule *same = heuristic_improve(&f.p, better, NULL, 0, NULL, &error);
    ck_assert_int_eq(schedule_validate(&f.p, same, &before, NULL), 0);
    ck_assert_double_le(before.overhead_joules, after.overhead_joules);
    schedule *all = schedule_checkpoint_all(f.g);
    ck_assert_ptr_null(heuristic_improve(&f.p, all, NULL, 0, NULL, &error));
    ck_assert(strstr(error.text, "bytes") != NULL);
    schedule_free(all);
    schedule_free(same);
    schedule_free(better);
    schedule_free(s);
    teardown(&f);
}
END_TEST

Suite *repair_suite(void)
{
    Suite *suite = suite_create("heuristics/repair");
    TCase *tests = tcase_create("repair");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, test_repair_of_a_schedule, 0, 2);
    tcase_add_test(tests, test_improve_removes_waste);
    suite_add_tcase(suite, tests);
    return suite;
}
