/* Statistics, processes, kept results and tables. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/exact_run.h"
#include "benchmarks/sheet.h"
#include "benchmarks/statistics.h"
#include "tests/benchmarks/suites.h"

static char folder[64];

static void setup(void)
{
    snprintf(folder, sizeof folder, "/tmp/poetbnb-tools-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void teardown(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}

static char *text_of(const char *name)
{
    char path[160];
    base_error error;
    size_t size;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *text = base_file_read(path, 1 << 20, &size, &error);
    ck_assert_msg(text != NULL, "%s", error.text);
    return text;
}

START_TEST(medians_and_means)
{
    double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2}, times[] = {1, 100};
    ck_assert_double_eq(bench_median(odd, 3), 2);
    ck_assert_double_eq(bench_median(even, 4), 2.5);
    ck_assert(isnan(bench_median(odd, 0)));
    ck_assert_double_eq_tol(bench_shifted_mean(times, 2, 0), 10, 1e-12);
    ck_assert_double_eq_tol(bench_shifted_mean(times, 2, 1), sqrt(2 * 101) - 1, 1e-12);
    ck_assert(isnan(bench_shifted_mean(times, 0, 1)));
}
END_TEST

static bench_usage run(const char *script, double limit)
{
    char out[128], err[128];
    bench_command c = {0};
    snprintf(out, sizeof out, "%s/out", folder);
    snprintf(err, sizeof err, "%s/err", folder);
    bench_command_words(&c, "/bin/sh -c");
    bench_command_word(&c, script);
    bench_usage usage = bench_process_run(&c, out, err, limit, NULL);
    bench_command_clear(&c);
    return usage;
}

START_TEST(processes_are_measured)
{
    bench_usage usage = run("echo said; echo told >&2; exit 3", 10);
    char *out = text_of("out"), *err = text_of("err");
    ck_assert_int_eq(usage.exit_status, 3);
    ck_assert(!usage.killed);
    ck_assert_str_eq(out, "said\n");
    ck_assert_str_eq(err, "told\n");
    ck_assert_int_gt(usage.peak_kilobytes, 100);
    base_free(out);
    base_free(err);
    usage = run("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done", 60);
    ck_assert_double_gt(usage.cpu_seconds, 0.005);
    ck_assert_int_eq(run("kill -TERM $$", 10).exit_status, 128 + 15);
}
END_TEST

START_TEST(late_processes_are_killed)
{
    bench_usage usage = run("exec sleep 30", 0.1);
    ck_assert(usage.killed);
    ck_assert_int_eq(usage.exit_status, 128 + 9);
    ck_assert_double_lt(usage.seconds, 20);
}
END_TEST

START_TEST(missing_programs_are_told)
{
    bench_command c = {0};
    bench_command_words(&c, "/no/such/program");
    ck_assert_int_eq(bench_process_run(&c, "/dev/null", "/dev/null", 10, NULL).exit_status, 127);
    bench_command_clear(&c);
}
END_TEST

START_TEST(interrupted_processes_end)
{
    const base_flag interrupt = 1;
    bench_command c = {0};
    bench_command_words(&c, "sleep 30");
    ck_assert(bench_process_run(&c, "/dev/null", "/dev/null", 60, &interrupt).killed);
    bench_command_clear(&c);
}
END_TEST

/* Another version of the program, and a longer limit where one cut off, need another run. */
START_TEST(named_results_are_kept)
{
    base_error error;
    bench_store store = {.folder = folder, .version = 1};
    char points[128];
    snprintf(points, sizeof points, "mkdir %s/points", folder);
    ck_assert_int_eq(system(points), 0);
    ck_assert_ptr_null(bench_store_load_named(&store, "a", 0));
    json_t *result = json_pack("{s:f, s:i, s:i}", "limit", 10.0, "exit", 4, "value", 42);
    ck_assert_int_eq(bench_store_save_named(&store, "a", result, &error), 0);
    json_t *kept = bench_store_load_named(&store, "a", 10);
    ck_assert_int_eq(json_integer_value(json_object_get(kept, "value")), 42);
    json_decref(kept);
    ck_assert_ptr_null(bench_store_load_named(&store, "a", 11));
    store.version = 2;
    ck_assert_ptr_null(bench_store_load_named(&store, "a", 10));
    result = json_pack("{s:f, s:i}", "limit", 10.0, "exit", 0);
    ck_assert_int_eq(bench_store_save_named(&store, "a", result, &error), 0);
    kept = bench_store_load_named(&store, "a", 11); /* done: more time changes nothing */
    ck_assert_ptr_nonnull(kept);
    json_decref(kept);
}
END_TEST

START_TEST(sheets_are_csv_and_markdown)
{
    base_error error;
    bench_sheet s;
    ck_assert_int_eq(bench_sheet_open(&s, folder, "t", "Title", &error), 0);
    bench_sheet_heading(&s, "a|b");
    bench_sheet_row(&s, "%s|%s", bench_number_text(0.125, 4).text, bench_number_text(NAN, 4).text);
    bench_sheet_text(&s, "%d rows.", 1);
    ck_assert_int_eq(bench_sheet_close(&s, &error), 0);
    char *csv = text_of("t.csv"), *md = text_of("t.md");
    ck_assert_str_eq(csv, "a,b\n0.125,-\n");
    ck_assert_str_eq(md, "# Title\n\n| a | b |\n|---|---|\n| 0.125 | - |\n\n1 rows.\n");
    base_free(csv);
    base_free(md);
}
END_TEST

/* The textbook's figures: 1, 2, 3, 4 have mean 2.5 and standard error 0.6455, times 3.182. */
START_TEST(intervals)
{
    const double value[] = {4, 1, 3, 2};
    bench_interval i = bench_confidence(value, 4);
    ck_assert_double_eq_tol(i.mean, 2.5, 1e-12);
    ck_assert_double_eq_tol(i.high - 2.5, 3.182 * 0.645497, 1e-5);
    ck_assert_double_eq_tol(2.5 - i.low, 3.182 * 0.645497, 1e-5);
    i = bench_confidence(value, 1);
    ck_assert_double_eq(i.mean, 4);
    ck_assert(isinf(i.low) && isinf(i.high));
    ck_assert(isnan(bench_confidence(value, 0).mean));
}
END_TEST

static exact_figures figures(const char *text)
{
    json_error_t error;
    json_t *result = json_loads(text, 0, &error);
    ck_assert_msg(result != NULL, "%s", error.text);
    exact_figures f = exact_run_figures(result);
    json_decref(result);
    return f;
}

/* Overheads come out in base/10000; what the validator refused is no result. */
START_TEST(figures_of_a_run)
{
    exact_figures f = figures(
        "{\"limit\": 20, \"exit\": 4, \"peak_kilobytes\": 2, \"checked\": true, \"output\": "
        "{\"status\": \"feasible\", \"base_joules\": 50, \"overhead_joules\": 0.01, "
        "\"lower_bound_overhead_joules\": 0.005, \"gap\": 0.5, \"nodes\": 3, \"work\": 1.5}}");
    ck_assert_str_eq(f.status, "feasible");
    ck_assert(!f.proven);
    ck_assert_double_eq_tol(f.overhead, 2, 1e-12);
    ck_assert_double_eq_tol(f.bound, 1, 1e-12);
    ck_assert_int_eq(f.nodes, 3);
    ck_assert_double_eq(f.work, 1.5);
    ck_assert_double_eq(f.peak_bytes, 2048);
    ck_assert(isnan(f.root_bound));
    ck_assert(figures("{\"exit\": 3, \"output\": {\"status\": \"infeasible\"}}").proven);
    f = figures("{\"exit\": 0, \"checked\": false, \"output\": {\"status\": \"optimal\"}}");
    ck_assert_str_eq(f.status, "failed");
    ck_assert(!f.proven);
    ck_assert_str_eq(figures("{\"exit\": 5, \"output\": null}").status, "failed");
    ck_assert_str_eq(figures("{\"exit\": 139, \"output\": {\"status\": \"optimal\"}}").status,
                     "failed");
}
END_TEST

TCase *tools_case(void)
{
    TCase *t = tcase_create("tools");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, medians_and_means);
    tcase_add_test(t, intervals);
    tcase_add_test(t, processes_are_measured);
    tcase_add_test(t, late_processes_are_killed);
    tcase_add_test(t, missing_programs_are_told);
    tcase_add_test(t, interrupted_processes_end);
    tcase_add_test(t, named_results_are_kept);
    tcase_add_test(t, sheets_are_csv_and_markdown);
    tcase_add_test(t, figures_of_a_run);
    return t;
}
