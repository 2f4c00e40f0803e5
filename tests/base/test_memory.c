/* Blocks are counted, and those that cannot be had end the process or the work. */
#include <omp.h>
#include <stdint.h>
#include <string.h>

#include "base/base.h"
#include "tests/suite.h"

/* Under the sanitizers malloc may fail as it does elsewhere. */
const char *__asan_default_options(void); /* NOLINT(bugprone-reserved-identifier) */
const char *__asan_default_options(void)  /* NOLINT(bugprone-reserved-identifier) */
{
    return "allocator_may_return_null=1";
}

const char *__tsan_default_options(void); /* NOLINT(bugprone-reserved-identifier) */
const char *__tsan_default_options(void)  /* NOLINT(bugprone-reserved-identifier) */
{
    return "allocator_may_return_null=1";
}

SUITE("memory");

TEST(counts_what_is_held)
{
    size_t before = base_memory_used();
    char *a = base_malloc(1000, 10);
    char *b = base_calloc(500, 8);
    ck_assert_uint_ge(base_memory_used(), before + 14000);
    ck_assert_uint_ge(base_memory_peak(), base_memory_used());
    for (int i = 0; i < 4000; i++)
        ck_assert_int_eq(b[i], 0);
    a = base_realloc(a, 200000, 1);
    ck_assert_uint_ge(base_memory_used(), before + 204000);
    size_t peak = base_memory_peak();
    base_free_all(a, b, NULL);
    ck_assert_uint_eq(base_memory_used(), before);
    ck_assert_uint_eq(base_memory_peak(), peak);
}

TEST(copies_have_room_for_one_more)
{
    const int numbers[3] = {3, 1, 4};
    int *copy = base_copy(numbers, 3, sizeof *copy), *none = base_copy(NULL, 0, sizeof *none);
    ck_assert_mem_eq(copy, numbers, sizeof numbers);
    copy[3] = none[0] = 1;
    base_free(copy);
    base_free(none);
}

TEST(realloc_keeps_contents)
{
    char *text = base_strdup("gradient");
    text = base_realloc(text, 100000, 1);
    ck_assert_str_eq(text, "gradient");
    text = base_realloc(text, 9, 1);
    ck_assert_str_eq(text, "gradient");
    base_free(text);
    text = base_realloc(NULL, 4, 1);
    memcpy(text, "abc", 4);
    ck_assert_str_eq(text, "abc");
    base_free(text);
}

TEST(zero_sizes_are_blocks)
{
    void *a = base_malloc(0, 8), *b = base_calloc(8, 0);
    ck_assert_ptr_nonnull(a);
    ck_assert_ptr_nonnull(b);
    a = base_realloc(a, 0, 4);
    ck_assert_ptr_nonnull(a);
    base_free_all(a, b);
}

/* The product would wrap around to 16. */
SIGNAL_TEST(overflow_without_a_guard_aborts, SIGABRT)
{
    base_malloc(SIZE_MAX / 16 + 2, 16);
}

SIGNAL_TEST(too_much_without_a_guard_aborts, SIGABRT)
{
    base_calloc((size_t)1 << 40, (size_t)1 << 22);
}

TEST(counts_over_threads)
{
    size_t before = base_memory_used();
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 20000; i++) {
        char *block = base_malloc((size_t)(i % 300) + 1, 3);
        block = base_realloc(block, (size_t)(i % 700) + 1, 2);
        base_free(block);
    }
    ck_assert_uint_eq(base_memory_used(), before);
}
