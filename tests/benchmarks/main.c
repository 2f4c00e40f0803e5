/* The runner of the benchmarks from the outside, with a program of the test's own in the
 * place of poetbnb: what it runs again and what it keeps. */
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "benchmarks/page.h"
#include "benchmarks/runner.h"
#include "benchmarks/table.h"
#include "tests/benchmarks/suites.h"

static char folder[64], program[128], results[128];

/* Notes every call in the file `calls', waits for as long as the file `delay' says, and
 * prints a result; with a file `broken' no JSON, with `reject' its check refuses. */
static const char fake[] =
    "#!/bin/bash\n"
    "here=$(dirname \"$0\")\n"
    "echo \"$*\" >> $here/calls\n"
    "[ -f $here/delay ] && sleep $(cat $here/delay)\n"
    "[ -f $here/broken ] && { echo nonsense; exit 0; }\n"
    "case $1 in\n"
    "check) [ ! -f $here/reject ]; exit;;\n"
    "solve) echo '{\"status\": \"feasible\", \"overhead_joules\": 2.5, \"peak_bytes\": 7,"
    " \"lower_bound_overhead_joules\": 2.0, \"seconds\": 0.5}'; exit $(cat $here/exit);;\n"
    "compare) echo '{\"methods\": [{\"status\": \"feasible\", \"overhead_joules\": 3.5,"
    " \"peak_bytes\": 9}]}';;\n"
    "esac\n";

static void write_file(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    fputs(text, out);
    fclose(out);
}

static void setup(void)
{
    snprintf(folder, sizeof folder, "/tmp/poetbnb-bench-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(program, sizeof program, "%s/program", folder);
    snprintf(results, sizeof results, "%s/results/here", folder);
    write_file("program", fake);
    write_file("exit", "0");
    char command[256];
    snprintf(command, sizeof command, "chmod +x %s", program);
    ck_assert_int_eq(system(command), 0);
}

static void teardown(void)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}

static int lines_of_calls(void)
{
    char path[256];
    base_error ignored;
    size_t size;
    int lines = 0;
    snprintf(path, sizeof path, "%s/calls", folder);
    char *text = base_file_read(path, 1 << 20, &size, &ignored);
    for (const char *at = text; at && *at; at++)
        lines += *at == '\n';
    base_free(text);
    return lines;
}

static bench_store open_store(void)
{
    base_error error;
    bench_store store;
    ck_assert_msg(bench_store_open(program, results, &store, &error) == 0, "%s", error.text);
    return store;
}

static bench_summary run_points(const bench_points *points)
{
    bench_store store = open_store();
    bench_runner_options options = {.jobs = 2, .quiet = true};
    return bench_run(&store, points, &options);
}

START_TEST(second_run_does_nothing)
{
    bench_points points = bench_points_make(BENCH_SMOKE, NULL);
    bench_summary first = run_points(&points);
    ck_assert_int_eq(first.points, points.count);
    ck_assert_int_eq(first.ran, points.count);
    ck_assert_int_eq(first.failed, 0);
    const int calls = lines_of_calls();
    ck_assert_int_eq(calls, points.count + 1); /* one of them is solve and check */
    ck_assert_int_eq(run_points(&points).ran, 0);
    ck_assert_int_eq(lines_of_calls(), calls);
    bench_points_clear(&points);
}
END_TEST

/* Another program is another version. */
START_TEST(changed_program_runs_again)
{
    bench_points points = bench_points_make(BENCH_SMOKE, NULL);
    run_points(&points);
    char path[256];
    snprintf(path, sizeof path, "%s/program", folder);
    FILE *out = fopen(path, "a");
    fputs("# changed\n", out);
    fclose(out);
    ck_assert_int_eq(run_points(&points).ran, points.count);
    bench_points_clear(&points);
}
END_TEST

/* A result that a limit cut off serves as long as no more time is offered. */
START_TEST(longer_limit_runs_again)
{
    bench_points all = bench_points_make(BENCH_SMOKE, NULL);
    bench_points one = {.count = 1, .point = &all.point[all.count - 1]};
    ck_assert_int_eq(one.point->kind, BENCH_EXACT);
    write_file("exit", "4");
    ck_assert_int_eq(run_points(&one).ran, 1);
    ck_assert_int_eq(run_points(&one).ran, 0);
    one.point->limit *= 2;
    ck_assert_int_eq(run_points(&one).ran, 1);
    write_file("exit", "0");
    one.point->limit *= 2;
    ck_assert_int_eq(run_points(&one).ran, 1);
    one.point->limit *= 2; /* proven: more time changes nothing */
    ck_assert_int_eq(run_points(&one).ran, 0);
    bench_points_clear(&all);
}
END_TEST

START_TEST(failures_are_told)
{
    bench_points all = bench_points_make(BENCH_SMOKE, NULL);
    bench_points one = {.count = 1, .point = &all.point[all.count - 1]};
    write_file("reject", "");
    ck_assert_int_eq(freopen("/dev/null", "w", stderr) != NULL, 1);
    ck_assert_int_eq(run_points(&one).failed, 1);
    bench_store store = open_store();
    bench_table table = bench_table_make(&store, &one);
    ck_assert_str_eq(table.row[0].status, "failed");
    ck_assert(!table.row[0].has_schedule);
    bench_table_clear(&table);

    bench_points two = {.count = 1, .point = &all.point[0]};
    write_file("broken", "");
    ck_assert_int_eq(run_points(&two).failed, 1);
    table = bench_table_make(&store, &two);
    ck_assert_str_eq(table.row[0].status, "failed");
    bench_table_clear(&table);
    bench_points_clear(&all);
}
END_TEST

/* The runner is killed without warning while points run; a second one finishes, and no
 * point that was done is run again. */
START_TEST(killed_runner_loses_what_was_in_flight)
{
    bench_points points = bench_points_make(BENCH_SMOKE, NULL);
    write_file("delay", "0.1");
    pid_t child = fork();
    if (child == 0) {
        run_points(&points);
        _exit(0);
    }
    const struct timespec pause = {.tv_nsec = 10000000};
    while (lines_of_calls() < points.count / 2)
        nanosleep(&pause, NULL);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    const int calls = lines_of_calls();
    bench_summary rest = run_points(&points);
    ck_assert_int_gt(rest.ran, 0);
    ck_assert_int_le(calls + rest.ran, points.count + 2); /* two were in flight */
    bench_store store = open_store();
    bench_table table = bench_table_make(&store, &points);
    for (int k = 0; k < table.count; k++)
        ck_assert(table.row[k].has_schedule);
    bench_table_clear(&table);
    bench_points_clear(&points);
}
END_TEST

/* Points without a result are rows all the same. */
START_TEST(missing_points_are_rows)
{
    base_error error;
    char path[256];
    size_t size;
    bench_store store = open_store();
    bench_points points = bench_points_make(BENCH_SMOKE, NULL);
    bench_table table = bench_table_make(&store, &points);
    ck_assert_int_eq(bench_table_write(&table, results, &error), 0);
    snprintf(path, sizeof path, "%s/smoke.csv", results);
    char *text = base_file_read(path, 1 << 20, &size, &error);
    int lines = 0, missing = 0;
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    for (const char *at = text; (at = strstr(at, ",missing,")); at++)
        missing++;
    ck_assert_int_eq(lines, points.count + 1);
    ck_assert_int_eq(missing, points.count);
    base_free(text);
    bench_table_clear(&table);
    bench_points_clear(&points);
}
END_TEST

/* Every network and platform of the list exists, and the paper's grid is there. */
START_TEST(full_grid_is_complete)
{
    bench_points points = bench_points_make(BENCH_FULL, "fig3");
    bench_store store = open_store();
    bench_table table = bench_table_make(&store, &points);
    int ours = 0;
    for (int k = 0; k < table.count; k++) {
        ck_assert_int_gt(table.row[k].n, 0);
        ours += table.row[k].point->kind == BENCH_EXACT;
    }
    ck_assert_int_eq(ours, 3 * 4 * 10);
    bench_table_clear(&table);
    bench_points_clear(&points);
}
END_TEST

START_TEST(page_escapes_html)
{
    base_error error;
    page p;
    char path[256];
    size_t size;
    ck_assert_int_eq(page_open(&p, folder, "t", &error), 0);
    page_text(&p, "%s", "a < b & c");
    page_table_begin(&p, "x|y");
    page_table_row(&p, "1|2");
    page_table_end(&p);
    ck_assert_int_eq(page_close(&p, &error), 0);
    snprintf(path, sizeof path, "%s/report.html", folder);
    char *text = base_file_read(path, 1 << 20, &size, &error);
    ck_assert_ptr_nonnull(strstr(text, "a &lt; b &amp; c"));
    ck_assert_ptr_nonnull(strstr(text, "<tr><td>1</td><td>2</td></tr>"));
    base_free(text);
    snprintf(path, sizeof path, "%s/report.md", folder);
    text = base_file_read(path, 1 << 20, &size, &error);
    ck_assert_ptr_nonnull(strstr(text, "| x | y |\n|---|---|\n| 1 | 2 |"));
    base_free(text);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("benchmarks");
    TCase *t = tcase_create("runner");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, second_run_does_nothing);
    tcase_add_test(t, changed_program_runs_again);
    tcase_add_test(t, longer_limit_runs_again);
    tcase_add_test(t, failures_are_told);
    tcase_add_test(t, killed_runner_loses_what_was_in_flight);
    tcase_add_test(t, missing_points_are_rows);
    tcase_add_test(t, full_grid_is_complete);
    tcase_add_test(t, page_escapes_html);
    suite_add_tcase(s, t);
    suite_add_tcase(s, solvers_case());
    suite_add_tcase(s, cases_case());
    suite_add_tcase(s, tools_case());
    suite_add_tcase(s, arguments_case());
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
