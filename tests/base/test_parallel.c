/* Tasks side by side: each runs once, in regions within regions, from several threads at once and
 * after a fork; what one gives up, all give up. */
#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "base/parallel.h"
#include "tests/suite.h"

SUITE("parallel");

enum { MOST = 40 };

typedef struct scene {
    atomic_int ran[MOST];
    pthread_t caller;
    int inner; /* tasks within each */
    atomic_int total;
    bool first_is_caller;
    locale_t locale;
    atomic_int other_locale;
    atomic_int began, reached;
} scene;

static void count_inner(void *data, int k)
{
    scene *s = data;
    (void)k;
    atomic_fetch_add(&s->total, 1);
}

static void count(void *data, int k)
{
    scene *s = data;
    atomic_fetch_add(&s->ran[k], 1);
    if (k == 0)
        s->first_is_caller = pthread_equal(pthread_self(), s->caller);
    if (uselocale((locale_t)0) != s->locale)
        atomic_fetch_add(&s->other_locale, 1);
    base_parallel(2, s->inner, count_inner, s);
}

/* A region of so many threads and tasks; whether all is as it should be. */
static bool is_right(int threads, int tasks, int inner)
{
    scene s = {.caller = pthread_self(), .inner = inner, .locale = uselocale((locale_t)0)};
    base_parallel(threads, tasks, count, &s);
    bool right = atomic_load(&s.total) == tasks * inner && atomic_load(&s.other_locale) == 0 &&
                 (threads < tasks || tasks == 0 || s.first_is_caller);
    for (int k = 0; k < MOST; k++)
        right = right && atomic_load(&s.ran[k]) == (k < tasks);
    return right;
}

TEST(each_task_runs_once)
{
    const locale_t own = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(own);
    for (int threads = 1; threads <= 5; threads++)
        for (int tasks = 0; tasks <= MOST; tasks = 2 * tasks + 1)
            ck_assert_msg(is_right(threads, tasks, threads % 3), "%d threads, %d tasks", threads,
                          tasks);
    uselocale(before);
    freelocale(own);
}

static void note_thread(void *data, int k)
{
    ((pthread_t *)data)[k] = pthread_self();
}

static void note_threads(void *data, int k)
{
    base_parallel(2, 2, note_thread, (pthread_t *)data + (size_t)2 * (size_t)k);
}

TEST(regions_within_regions_have_threads)
{
    pthread_t thread[4];
    base_parallel(2, 2, note_threads, thread);
    ck_assert(!pthread_equal(thread[0], thread[1]) && !pthread_equal(thread[2], thread[3]));
    ck_assert(!pthread_equal(thread[0], thread[2]));
}

static void *call_often(void *data)
{
    atomic_int *wrong = data;
    for (int k = 0; k < 50; k++)
        if (!is_right(3, k % 4, 2))
            atomic_fetch_add(wrong, 1);
    return NULL;
}

TEST(several_threads_call_at_once)
{
    pthread_t thread[3];
    atomic_int wrong = 0;
    for (int k = 0; k < 3; k++)
        ck_assert_int_eq(pthread_create(&thread[k], NULL, call_often, &wrong), 0);
    for (int k = 0; k < 3; k++)
        pthread_join(thread[k], NULL);
    ck_assert_int_eq(atomic_load(&wrong), 0);
}

/* The threads that wait for the next region are not in the child. */
TEST(a_child_begins_anew)
{
    ck_assert(is_right(3, 3, 2));
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        alarm(20);
        _exit(is_right(3, 3, 2) ? 7 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 7);
    ck_assert(is_right(3, 3, 2));
}

/* Task 1 fails once all have begun; without it the others would go on for ever. */
static void fail_in_one(void *data, int k)
{
    scene *s = data;
    char *block = base_malloc(1000, 1);
    block[0] = (char)k;
    atomic_fetch_add(&s->began, 1);
    if (k == 1) {
        while (atomic_load(&s->began) < s->inner)
            ;
        base_malloc(SIZE_MAX / 4, 1);
    }
    for (;;)
        base_work(1000);
}

static void begin_to_fail(void *data)
{
    scene *s = data;
    base_malloc(5000, 1);
    base_parallel(s->inner, s->inner, fail_in_one, s);
    atomic_store(&s->reached, 1);
}

TEST(all_give_up_together)
{
    const size_t before = base_memory_used();
    for (int threads = 2; threads <= 4; threads++) {
        scene s = {.inner = threads};
        ck_assert_int_eq(base_try(NULL, begin_to_fail, &s), BASE_STOP_MEMORY);
        ck_assert_int_eq(atomic_load(&s.began), threads);
        ck_assert_int_eq(atomic_load(&s.reached), 0);
        ck_assert_uint_eq(base_memory_used(), before);
        ck_assert_ptr_null(base_guard_current());
    }
    ck_assert(is_right(3, 3, 2)); /* and the next region is as always */
}

static void keep_block(void *data, int k)
{
    ((char **)data)[k] = base_malloc(100, 1);
}

static void keep_blocks(void *data)
{
    base_parallel(3, 3, keep_block, data);
}

TEST(blocks_of_tasks_outlive_them)
{
    const size_t before = base_memory_used();
    char *block[3];
    ck_assert_int_eq(base_try(NULL, keep_blocks, block), BASE_GO);
    for (int k = 0; k < 3; k++) {
        memset(block[k], k, 100);
        base_free(block[k]);
    }
    ck_assert_uint_eq(base_memory_used(), before);
}

TEST(the_environment_names_the_threads)
{
    static const struct {
        const char *text;
        int threads; /* 0: the processors */
    } cases[] = {{"3", 3}, {"5,2", 5}, {"0", 0}, {"-1", 0}, {"many", 0}, {"2x", 0}, {"1000", 256}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        setenv("OMP_NUM_THREADS", cases[k].text, 1);
        ck_assert_int_eq(base_threads(), cases[k].threads ? cases[k].threads : base_processors());
    }
    unsetenv("OMP_NUM_THREADS");
    ck_assert_int_eq(base_threads(), base_processors());
}
