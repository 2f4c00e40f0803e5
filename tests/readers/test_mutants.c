/* Each reader on inputs that are nearly right: a few seconds of what tests/fuzz/read_fuzz.c does
 * for hours. */
#include <string.h>

#include "tests/readers/readers.h"
#include "tests/suite.h"

SUITE("mutants", .seconds = 600);

enum { EXECUTIONS = 3000 };

LOOP_TEST(inputs_of_the_program_are_read, READERS)
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

LOOP_TEST(mutants_are_read_or_refused, READERS)
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

/* The same number, the same mutant. */
TEST(mutants_are_reproducible)
{
    reader_corpus corpus = reader_corpus_make(READER_LP);
    for (uint64_t k = 0; k < 200; k++) {
        base_rng a = {k}, b = {k};
        reader_input x = reader_mutate(READER_LP, &corpus, &a);
        reader_input y = reader_mutate(READER_LP, &corpus, &b);
        ck_assert_uint_eq(x.size, y.size);
        ck_assert_int_eq(memcmp(x.data, y.data, x.size), 0);
        base_free_all(x.data, y.data);
    }
    reader_corpus_clear(&corpus);
}
