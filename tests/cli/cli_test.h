/* What the suites of tests/cli share: running the built program in a folder of the
 * test's own. */
#ifndef TESTS_CLI_CLI_TEST_H
#define TESTS_CLI_CLI_TEST_H

#include <stdbool.h>

#include "tests/suite.h"

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
#define CLI_SUITE(title, limit)                                                                    \
    SUITE(title, .seconds = (limit), .set_up = cli_test_setup, .tear_down = cli_test_teardown)

/* One run of the program; texts end with NUL and live until the next run. */
typedef struct cli_run {
    int status;      /* exit status; 128 + signal when it was killed */
    const char *out; /* standard output */
    const char *err; /* standard error */
} cli_run;

/* Runs a shell command in the working folder, in which the word poetbnb stands for the
 * program under test and $POETBNB is its path. */
cli_run cli_test_run(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, and fails the test unless the run ended with status; shows command and outputs then. */
#define cli_exits(status, ...) cli_exits_at(__FILE__, __LINE__, status, __VA_ARGS__)
cli_run cli_exits_at(const char *file, int line, int status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Fails the test unless text contains each of the parts. */
#define cli_test_contains(text, ...)                                                               \
    cli_test_contains_at(__FILE__, __LINE__, text, (const char *const[]){__VA_ARGS__, NULL})
void cli_test_contains_at(const char *file, int line, const char *text, const char *const *parts);

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

#endif
