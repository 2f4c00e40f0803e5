/* Work that is given up leaves nothing behind, at any limit. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "base/lock.h"
#include "tests/clock.h"
#include "tests/suite.h"

SUITE("guards");

/* What the steps share. */
typedef struct scene {
    char *block, *kept;
    const char *path;
    base_stop inner;
    int reached;
    base_flag interrupt;
    base_limits limits;
    pthread_mutex_t lock;
    bool helper_waits;
} scene;

static void allocate(void *data)
{
    scene *s = data;
    s->block = base_malloc(10000, 1);
    base_free(base_malloc(20000, 1));
}

TEST(what_returns_keeps_its_blocks)
{
    const size_t before = base_memory_used();
    scene s = {0};
    ck_assert_int_eq(base_try(NULL, allocate, &s), BASE_GO);
    ck_assert_uint_ge(base_memory_used(), before + 10000);
    memset(s.block, 1, 10000);
    base_free(s.block);
    ck_assert_uint_eq(base_memory_used(), before);
    ck_assert_ptr_null(base_guard_current());
}

static void ask_for_too_much(void *data)
{
    scene *s = data;
    s->kept = base_malloc(3000, 1);
    base_keep(s->kept);
    base_malloc(5000, 1);
    base_free(base_calloc(40, 100));
    s->block[0] = 'x';
    s->reached = 1;
    base_malloc(SIZE_MAX / 4, 1);
    s->reached = 2;
}

static void count_apart(void *data)
{
    scene *s = data;
    ck_assert_uint_eq(base_memory_used(), 0);
    s->block = base_malloc(10000, 1);
    ck_assert_uint_ge(base_memory_used(), 10000);
    ck_assert_uint_lt(base_memory_used(), 20000);
    const base_limits limits = {.memory_bytes = 50000};
    s->inner = base_try(&limits, ask_for_too_much, s);
    ck_assert_uint_lt(base_memory_used(), 20000);
}

TEST(work_apart_counts_its_own_memory)
{
    char *large = base_malloc(1 << 20, 1);
    const size_t before = base_memory_used();
    scene s = {0};
    ck_assert_int_eq(base_try_apart(count_apart, &s), BASE_GO);
    ck_assert_int_eq(s.inner, BASE_STOP_MEMORY);
    ck_assert_int_eq(s.reached, 1); /* what fits was given */
    base_free_all(s.kept, s.block);
    ck_assert_uint_eq(base_memory_used(), before);
    base_free(large);
}

static bool ask_third(void *context)
{
    int *asked = context;
    return ++*asked >= 3;
}

static void work_until_asked(void *data)
{
    scene *s = data;
    for (;; s->reached++)
        base_work(1000000);
}

TEST(who_is_asked_ends_the_work)
{
    int asked = 0;
    scene s = {.limits = {.should_stop = ask_third, .should_stop_context = &asked}};
    ck_assert_int_eq(base_limits_check(&s.limits), BASE_GO);
    ck_assert_int_eq(base_limits_check(&s.limits), BASE_GO);
    ck_assert_int_eq(base_limits_check(&s.limits), BASE_STOP_INTERRUPT);
    ck_assert_int_eq(base_try(&s.limits, work_until_asked, &s), BASE_STOP_INTERRUPT);
    ck_assert_int_ge(asked, 4);
}

TEST(lack_of_memory_gives_up)
{
    const size_t before = base_memory_used();
    scene s = {.block = base_malloc(100, 1)};
    ck_assert_int_eq(base_try(NULL, ask_for_too_much, &s), BASE_STOP_MEMORY);
    ck_assert_int_eq(s.reached, 1);
    ck_assert_int_eq(s.block[0], 'x');
    memset(s.kept, 7, 3000);
    base_free_all(s.kept, s.block);
    ck_assert_uint_eq(base_memory_used(), before);
}

static void exceed_limit(void *data)
{
    scene *s = data;
    base_malloc(50000, 1);
    s->reached = 1;
    ck_assert(base_memory_fits(40000));
    ck_assert(!base_memory_fits(70000));
    base_malloc(70000, 1);
    s->reached = 2;
}

TEST(memory_limit_is_asked_before)
{
    const size_t before = base_memory_used(), peak = base_memory_peak();
    scene s = {0};
    s.limits.memory_bytes = before + 60000;
    s.limits.grace_bytes = 40000;
    ck_assert_int_eq(base_try(&s.limits, exceed_limit, &s), BASE_STOP_MEMORY);
    ck_assert_int_eq(s.reached, 1);
    ck_assert_uint_eq(base_memory_used(), before);
    ck_assert_uint_le(base_memory_peak(), peak > before + 100000 ? peak : before + 100000);
}

static void enlarge_too_far(void *data)
{
    scene *s = data;
    s->block = base_realloc(s->block, 200, 1);
    s->block = base_realloc(s->block, SIZE_MAX / 4, 1);
}

TEST(what_cannot_grow_stays)
{
    const size_t before = base_memory_used();
    scene s = {.block = base_strdup("incumbent")};
    ck_assert_int_eq(base_try(NULL, enlarge_too_far, &s), BASE_STOP_MEMORY);
    ck_assert_str_eq(s.block, "incumbent");
    base_free(s.block);
    ck_assert_uint_eq(base_memory_used(), before);
}

static void fail_within(void *data)
{
    scene *s = data;
    char *own = base_strdup("outer");
    s->inner = base_try(NULL, ask_for_too_much, s);
    ck_assert_str_eq(own, "outer");
    base_free_all(own, s->kept);
    s->reached = 3;
}

TEST(the_innermost_guard_ends)
{
    const size_t before = base_memory_used();
    scene s = {.block = base_malloc(100, 1)};
    ck_assert_int_eq(base_try(NULL, fail_within, &s), BASE_GO);
    ck_assert_int_eq(s.inner, BASE_STOP_MEMORY);
    ck_assert_int_eq(s.reached, 3);
    base_free(s.block);
    ck_assert_uint_eq(base_memory_used(), before);
}

static void work_on(void *data)
{
    (void)data;
    base_malloc(1000, 1);
    for (;;)
        base_work(1000);
}

/* Limits of a guard around the one that works. */
static void work_within(void *data)
{
    scene *s = data;
    s->inner = base_try(NULL, work_on, s);
    s->reached = 1;
}

TEST(time_gives_up_after_its_grace)
{
    const size_t before = base_memory_used();
    scene s = {0};
    const double start = base_seconds(), processor = processor_seconds();
    s.limits.deadline = start + 0.05;
    s.limits.grace_seconds = 0.1;
    ck_assert_int_eq(base_try(&s.limits, work_on, &s), BASE_STOP_TIME);
    ck_assert_double_ge(base_seconds() - start, 0.15);
    ck_assert_double_lt(processor_seconds() - processor, 2);
    ck_assert_int_eq(base_try(&s.limits, work_within, &s), BASE_GO);
    ck_assert_int_eq(s.inner, BASE_STOP_TIME);
    ck_assert_uint_eq(base_memory_used(), before);
}

static void work_with_share(void *data)
{
    scene *s = data;
    s->inner = base_try(&s->limits, work_on, NULL);
}

TEST(work_gives_up_after_its_grace)
{
    enum { SHARE = 3000000, GRACE = 1000000, BETWEEN = 1000000 /* from one look to the next */ };
    const size_t before = base_memory_used();
    scene s = {0};
    const uint64_t start = base_work_done();
    base_limits_shorten(&s.limits, SHARE);
    s.limits.grace_work = GRACE;
    ck_assert_int_eq(base_try(NULL, work_with_share, &s), BASE_GO);
    ck_assert_int_eq(s.inner, BASE_STOP_WORK);
    ck_assert_uint_ge(base_work_done() - start, SHARE + GRACE);
    ck_assert_uint_le(base_work_done() - start, SHARE + GRACE + BETWEEN);
    ck_assert_uint_eq(base_memory_used(), before);
}

TEST(the_user_gives_up)
{
    scene s = {.interrupt = 1};
    s.limits.interrupt = &s.interrupt;
    s.limits.grace_seconds = 0.1;
    const double start = base_seconds(), processor = processor_seconds();
    ck_assert_int_eq(base_try(&s.limits, work_on, &s), BASE_STOP_INTERRUPT);
    ck_assert_double_ge(base_seconds() - start, 0.1);
    ck_assert_double_lt(processor_seconds() - processor, 2);
}

static void write_half(void *data)
{
    scene *s = data;
    base_error error;
    base_output *out = base_output_open(s->path, &error);
    ck_assert_msg(out != NULL, "%s", error.text);
    fputs("half", base_output_stream(out));
    base_give_up(BASE_STOP_TIME);
}

TEST(no_half_file_is_left)
{
    char folder[] = "/tmp/poetbnb-guard-XXXXXX", path[64];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/out", folder);
    scene s = {.path = path};
    const size_t before = base_memory_used();
    ck_assert_int_eq(base_try(NULL, write_half, &s), BASE_STOP_TIME);
    ck_assert_uint_eq(base_memory_used(), before);
    ck_assert_int_eq(rmdir(folder), 0); /* it is empty */
}

/* ---- threads ---------------------------------------------------------------- */

static void wait_for_ever(void *data)
{
    scene *s = data;
    base_malloc(1000, 1);
    for (;;) {
        base_lock(&s->lock);
        s->helper_waits = true;
        base_unlock(&s->lock);
    }
}

typedef struct helper {
    scene *s;
    base_guard *guard;
    base_stop why;
} helper;

static void *run_helper(void *data)
{
    helper *h = data;
    h->why = base_join(h->guard, wait_for_ever, h->s);
    ck_assert_ptr_null(base_guard_current());
    return NULL;
}

/* Gives up with the lock held. */
static void fail_with_lock(void *data)
{
    scene *s = data;
    bool waits = false;
    while (!waits) {
        base_lock(&s->lock);
        waits = s->helper_waits;
        if (waits)
            base_malloc(SIZE_MAX / 4, 1);
        base_unlock(&s->lock);
    }
}

static void work_together(void *data)
{
    scene *s = data;
    pthread_t thread;
    helper h = {s, base_guard_current(), BASE_GO};
    base_malloc(5000, 1);
    ck_assert_int_eq(pthread_create(&thread, NULL, run_helper, &h), 0);
    s->inner = base_join(h.guard, fail_with_lock, s);
    ck_assert_int_eq(pthread_mutex_trylock(&s->lock), 0); /* it was given back */
    pthread_mutex_unlock(&s->lock);
    pthread_join(thread, NULL);
    ck_assert_int_eq(h.why, BASE_STOP_MEMORY);
    s->reached = 1;
    base_rejoin();
    s->reached = 2;
}

TEST(helpers_give_up_together)
{
    const size_t before = base_memory_used();
    scene s = {.lock = PTHREAD_MUTEX_INITIALIZER};
    ck_assert_int_eq(base_try(NULL, work_together, &s), BASE_STOP_MEMORY);
    ck_assert_int_eq(s.inner, BASE_STOP_MEMORY);
    ck_assert_int_eq(s.reached, 1);
    ck_assert_uint_eq(base_memory_used(), before);
    ck_assert_int_eq(pthread_mutex_trylock(&s.lock), 0);
    pthread_mutex_unlock(&s.lock);
}

TEST(the_system_has_some_memory)
{
    ck_assert_uint_gt(base_memory_available(), 1 << 20);
}
