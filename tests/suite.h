/* Every file of tests includes this: Check, and macros with which suites and tests enter themselves
 * into the runner that they are linked into. tests/suite.c has the runner's main().
 *
 *     SUITE("files", .seconds = 60, .set_up = make_folder, .tear_down = remove_folder);
 *
 *     TEST(one) { ck_assert(...); }
 *     LOOP_TEST(each, LENGTH(table)) { check(&table[_i]); }
 */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>
#include <string.h>

/* As in Check, but an assertion that holds leaves no trace. Check writes the place of each to a
 * file, which takes most of the time of tests with many assertions. */
#undef ck_assert_msg
#define ck_assert_msg(expr, ...)                                                                   \
    ((expr) ? (void)0                                                                              \
            : _ck_assert_failed(__FILE__, __LINE__, "Assertion '" #expr "' failed", __VA_ARGS__))

/* Fails unless text contains part; shows both. */
#define ck_assert_contains(text, part)                                                             \
    ck_assert_msg(strstr((text), (part)) != NULL, "\"%s\" does not contain \"%s\"", (text), (part))

/* Number of elements of an array. */
#define LENGTH(array) ((int)(sizeof(array) / sizeof *(array)))

typedef struct suite_entry {
    const char *file; /* place in the source, by which entries are sorted */
    int line;
    const TTest *test; /* NULL: begins the suite of the file */
    int count;         /* runs of a test, with _i = 0, 1, ... */
    int signal;        /* that has to end the test; 0: none */
    const char *name;  /* of a suite: the case of Check, CK_RUN_CASE */
    int seconds;       /* time limit of each test; 0: the default, 4 */
    SFun set_up, tear_down;
    struct suite_entry *next;
} suite_entry;

/* Adds an entry, which has to stay, to the runner's list. */
void suite_enter(suite_entry *entry);

#define SUITE_ENTER(id, ...)                                                                       \
    __attribute__((constructor)) static void id(void)                                              \
    {                                                                                              \
        static suite_entry entry;                                                                  \
        entry = (suite_entry){.file = __FILE__, .line = __LINE__, __VA_ARGS__};                    \
        suite_enter(&entry);                                                                       \
    }

/* Begins the suite of a file, above its first test. The declaration takes the semicolon. */
#define SUITE(title, ...)                                                                          \
    SUITE_ENTER(suite_begin, .name = (title), __VA_ARGS__)                                         \
    struct suite_entry

#define TEST_OF(id, ...)                                                                           \
    static void id##_run(int _i);                                                                  \
    static const TTest id##_test = {#id, id##_run, __FILE__, __LINE__};                            \
    SUITE_ENTER(id##_enter, .test = &id##_test, __VA_ARGS__)                                       \
    static void id##_run(int _i __attribute__((unused)))

#define TEST(id) TEST_OF(id, .count = 1)
/* Runs with _i = 0, 1, ..., runs - 1. */
#define LOOP_TEST(id, runs) TEST_OF(id, .count = (runs))
/* MANY(n): n instances, with the address sanitizer a third of them.
 * LONG_TEST: a test of larger problems or amounts of work whose code shorter tests run, too. It is
 * left out with the address sanitizer, where it would take several times as long. */
#ifdef __SANITIZE_ADDRESS__
#define LONG_LOOP_TEST(id, runs) TEST_OF(id, .count = 0)
enum { SUITE_PART = 3 };
#else
#define LONG_LOOP_TEST(id, runs) LOOP_TEST(id, runs)
enum { SUITE_PART = 1 };
#endif
#define MANY(n) (((n) + SUITE_PART - 1) / SUITE_PART)
#define LONG_TEST(id) LONG_LOOP_TEST(id, 1)
/* Passes when the signal ends it. */
#define SIGNAL_TEST(id, number) TEST_OF(id, .count = 1, .signal = (number))

#endif
