/* What the suites of tests/cli share: running the built program in a folder of the
 * test's own. */
#ifndef TESTS_CLI_CLI_TEST_H
#define TESTS_CLI_CLI_TEST_H

#include <check.h>
#include <stdbool.h>

/* How long after a limit a run may take to end, in seconds; sanitizers are slow. */
#if defined(__SANITIZE_THREAD__)
#define CLI_TEST_SLACK 60
#elif defined(__SANITIZE_ADDRESS__)
#define CLI_TEST_SLACK 20
#else
#define CLI_TEST_SLACK 4
#endif

/* Fixture of every case that runs the program: an empty working folder, removed
 * afterwards. */
void cli_test_setup(void);
void cli_test_teardown(void);

/* One run of the program; texts end with NUL and live until the next run. */
typedef struct cli_run {
    int status;      /* exit status; 128 + signal when it was killed */
    const char *out; /* standard output */
    const char *err; /* standard error */
} cli_run;

/* Runs a shell command in the working folder, in which the word poetbnb stands for the
 * program under test and $POETBNB is its path. */
cli_run cli_test_run(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Fails the test unless the run ended with status; shows both outputs then. */
#define cli_test_status(run, expected)                                                             \
    ck_assert_msg((run).status == (expected),                                                      \
                  "exit status %d, expected %d\nout: %.2000s\nerr: "                               \
                  "%.2000s",                                                                       \
                  (run).status, (expected), (run).out, (run).err)

/* Fails the test unless text contains part. */
#define cli_test_contains(text, part)                                                              \
    ck_assert_msg(strstr((text), (part)) != NULL, "expected '%s' in:\n%.4000s", (part), (text))

/* Writes a file into the working folder. */
void cli_test_write(const char *name, const char *text);
/* Reads one; NULL when it is not there. Lives until the next call. */
const char *cli_test_read(const char *name);
/* Number of files in the working folder, those of the runner itself not counted. */
int cli_test_files(void);

/* The number after "key": in JSON text; fails the test when it is not there or null. */
double cli_test_number(const char *json, const char *key);
/* True if "key" has this text as value. */
bool cli_test_text(const char *json, const char *key, const char *value);

Suite *suite_help(void);
Suite *suite_manual(void);
Suite *suite_import(void);
Suite *suite_nodes(void);
Suite *suite_engine(void);
Suite *suite_rule(void);
Suite *suite_limits(void);
Suite *suite_problem(void);
Suite *suite_sweep(void);
Suite *suite_bad_input(void);
Suite *suite_cross(void);
Suite *suite_plan(void);
Suite *suite_plot(void);
Suite *suite_certificate(void);
Suite *suite_outside(void);
Suite *suite_parameters(void);
Suite *suite_records(void);
Suite *suite_log(void);

#endif
