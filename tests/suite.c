/* The main() of all runners: runs the suites and tests that have entered themselves. */
#include "tests/suite.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static suite_entry *entries;

static bool comes_first(const suite_entry *one, const suite_entry *other)
{
    int order = strcmp(one->file, other->file);
    return order < 0 || (order == 0 && one->line < other->line);
}

void suite_enter(suite_entry *entry)
{
    suite_entry **place = &entries;
    while (*place && comes_first(*place, entry))
        place = &(*place)->next;
    entry->next = *place;
    *place = entry;
}

static TCase *new_case(Suite *all, const suite_entry *entry)
{
    TCase *tests = tcase_create(entry->name);
    if (entry->seconds > 0)
        tcase_set_timeout(tests, entry->seconds);
    tcase_add_checked_fixture(tests, entry->set_up, entry->tear_down);
    suite_add_tcase(all, tests);
    return tests;
}

int main(int argc, char **argv)
{
    (void)argc;
    Suite *all = suite_create(argv[0]);
    TCase *tests = NULL;
    const char *file = "";
    for (const suite_entry *entry = entries; entry; entry = entry->next) {
        if (!entry->test == (strcmp(entry->file, file) == 0)) {
            fprintf(stderr, "%s:%d: a file has one SUITE, above its tests\n", entry->file,
                    entry->line);
            return EXIT_FAILURE;
        }
        file = entry->file;
        if (entry->test)
            tcase_add_loop_test_raise_signal(tests, entry->test, entry->signal, 0, entry->count);
        else
            tests = new_case(all, entry);
    }
    SRunner *runner = srunner_create(all);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
