/* Parallel tasks in a region of OpenMP. No longjmp may leave the region. So each task runs in a
 * frame of its own (base_join), and base_give_up takes effect after the region (base_rejoin).
 * Without OpenMP the caller runs the tasks one after the other. */
#include "base/parallel.h"

#include <locale.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "base/base.h"

typedef struct task_group {
    void (*task)(void *data, int k);
    void *data;
    base_guard *guard;
    locale_t locale; /* the caller's locale, for numbers */
} task_group;

typedef struct job {
    const task_group *group;
    int number;
} job;

static void run_job(void *context)
{
    const job *j = context;
    j->group->task(j->group->data, j->number);
}

static void run_task(const task_group *c, int number)
{
    job j = {c, number};
    const locale_t own = uselocale(c->locale);
    base_join(c->guard, run_job, &j);
    uselocale(own);
}

#ifdef _OPENMP

/* Annotations for the thread sanitizer, which does not see the barriers of OpenMP and must ignore
 * the region itself. */
#ifdef __SANITIZE_THREAD__
void __tsan_acquire(void *address);
void __tsan_release(void *address);
#define UNSEEN __attribute__((no_sanitize("thread")))
#else
#define __tsan_acquire(address) ((void)0)
#define __tsan_release(address) ((void)0)
#define UNSEEN
#endif

static void enter_task(task_group *c, int number)
{
    __tsan_acquire(c);
    run_task(c, number);
    __tsan_release(c);
}

UNSEEN static void run_each(task_group *c, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int k = 0; k < threads; k++)
        enter_task(c, k);
}

UNSEEN static void run_by_turns(task_group *c, int threads, int tasks)
{
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int k = 0; k < tasks; k++)
        enter_task(c, k);
}

/* ---- threads that there are ---------------------------------------------------- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Atomic int granted = 1; /* largest number of threads of a region so far */

/* After a fork: the child has none of the threads that OpenMP keeps for its next region, and would
 * wait for them. */
static void forget_threads(void)
{
    omp_pause_resource_all(omp_pause_soft);
}

static void register_fork_handler(void)
{
    pthread_atfork(forget_threads, NULL, NULL);
}

static void *wait_for_others(void *lock)
{
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    return NULL;
}

/* Number of these threads that the system grants. OpenMP ends the process if it gets fewer than it
 * asks for, so a number above the largest so far is tried first. */
static int try_threads(int threads)
{
    if (threads <= granted)
        return threads;
    pthread_t *thread = malloc((size_t)threads * sizeof *thread);
    if (!thread)
        return 1;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int started = 0;
    pthread_mutex_lock(&lock);
    while (started + 1 < threads &&
           pthread_create(&thread[started], NULL, wait_for_others, &lock) == 0)
        started++;
    pthread_mutex_unlock(&lock);
    for (int k = 0; k < started; k++)
        pthread_join(thread[k], NULL);
    pthread_mutex_destroy(&lock);
    free(thread);
    granted = started + 1;
    return granted;
}

static void run_group(task_group *c, int threads, int tasks)
{
    const int levels = omp_get_max_active_levels();
    pthread_once(&once, register_fork_handler);
    omp_set_max_active_levels(omp_get_active_level() + 1); /* regions within regions, too */
    __tsan_release(c);
    if (threads == tasks)
        run_each(c, threads);
    else
        run_by_turns(c, threads, tasks);
    __tsan_acquire(c);
    omp_set_max_active_levels(levels);
}

#else

static int try_threads(int threads)
{
    (void)threads;
    return 1;
}

static void run_group(task_group *c, int threads, int tasks)
{
    (void)threads;
    for (int k = 0; k < tasks; k++)
        run_task(c, k);
}

#endif

void base_parallel(int threads, int tasks, void (*task)(void *data, int k), void *data)
{
    const int most = threads < tasks ? threads : tasks;
    const int team = most > 1 ? try_threads(most) : 1;
    if (team == 1) {
        for (int k = 0; k < tasks; k++)
            task(data, k);
        return;
    }
    task_group c = {task, data, base_guard_current(), uselocale((locale_t)0)};
    run_group(&c, team, tasks);
    base_rejoin();
}

int base_threads(void)
{
    const char *text = getenv("OMP_NUM_THREADS");
    char *end;
    const long wanted = text ? strtol(text, &end, 10) : 0;
    return wanted < 1 || (*end != '\0' && *end != ',') ? base_processors()
           : wanted > 256                              ? 256
                                                       : (int)wanted;
}
