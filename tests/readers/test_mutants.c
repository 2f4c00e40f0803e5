/* Each reader on inputs that are nearly right: a few seconds of what tests/fuzz/read_fuzz.c does
 * for hours. */
#include <string.h>

#include "tests/readers/readers.h"
#include "tests/readers/suites.h"

enum { EXECUTIONS = 3000 };

START_TEST(inputs_of_the_program_are_read)
{
    const reader_kind kind = (reader_kind)_i;
    reader_corpus corpus = reader_corpus_make(kind);
    ck_assert_int_gt(corpus.count, 4);
    for (int k = 0; k < corpus.count; k++) {
        const char *wrong = reader_run(kind, corpus.entry[k].data, corpus.entry[k].size);
        ck_assert_msg(!wrong, "%s: %s\n%s", reader_name(kind), wrong, corpus.entry[k].data);
    }
    reader_corpus_clear(&corpus);
}
END_TEST

START_TEST(mutants_are_read_or_refused)
{
    const reader_kind kind = (reader_kind)_i;
    reader_corpus corpus = reader_corpus_make(kind);
    for (uint64_t k = 0; k < EXECUTIONS; k++) {
        base_rng rng = {k};
        reader_input input = reader_mutate(kind, &corpus, &rng);
        const char *wrong = reader_run(kind, input.data, input.size);
        ck_assert_msg(!wrong, "%s, mutant %d: %s\n%s", reader_name(kind), (int)k, wrong,
                      input.data);
        base_free(input.data);
    }
    reader_corpus_clear(&corpus);
}
END_TEST

/* The same number, the same mutant. */
START_TEST(mutants_are_reproducible)
{
    reader_corpus corpus = reader_corpus_make(READER_LP);
    for (uint64_t k = 0; k < 200; k++) {
        base_rng a = {k}, b = {k};
        reader_input x = reader_mutate(READER_LP, &corpus, &a);
        reader_input y = reader_mutate(READER_LP, &corpus, &b);
        ck_assert_uint_eq(x.size, y.size);
        ck_assert_int_eq(memcmp(x.data, y.data, x.size), 0);
        base_free(x.data);
        base_free(y.data);
    }
    reader_corpus_clear(&corpus);
}
END_TEST

Suite *suite_mutants(void)
{
    Suite *suite = suite_create("mutants");
    TCase *tests = tcase_create("mutants");
    tcase_set_timeout(tests, 600);
    tcase_add_loop_test(tests, inputs_of_the_program_are_read, 0, READERS);
    tcase_add_loop_test(tests, mutants_are_read_or_refused, 0, READERS);
    tcase_add_test(tests, mutants_are_reproducible);
    suite_add_tcase(suite, tests);
    return suite;
}
