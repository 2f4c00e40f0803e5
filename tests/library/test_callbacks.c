/* Callbacks, stopping, threads, locales. */
#include <jansson.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "library/poetbnb.h"
#include "tests/suite.h"

SUITE("callbacks", .seconds = 60);

typedef struct listener {
    poetbnb_solver *solver;
    int lines, found, asked;
    double last;          /* overhead of the last schedule */
    char first_line[128]; /* of the log */
    int stop_after;       /* questions; 0: never */
    char *block;          /* what a callback allocates is the caller's */
} listener;

static poetbnb_solver *solver_on(const char *network, const char *platform, const char *budget)
{
    poetbnb_error error;
    poetbnb_graph *g = poetbnb_graph_builtin(network, platform, NULL, &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    poetbnb_solver *solver = poetbnb_solver_create(g, &error);
    poetbnb_graph_free(g);
    ck_assert_int_eq(poetbnb_set(solver, "ram-budget", budget, &error), 0);
    return solver;
}

static void hear(void *user, const char *line)
{
    listener *l = user;
    ck_assert_ptr_null(strchr(line, '\n'));
    if (l->lines++ == 0)
        strncpy(l->first_line, line, sizeof l->first_line - 1);
}

static void see(void *user, const poetbnb_incumbent *what)
{
    listener *l = user;
    ck_assert(l->found == 0 || what->overhead_joules < l->last);
    ck_assert_int_gt(strlen(what->source), 0);
    ck_assert_int_gt(what->peak_bytes, 0);
    l->last = what->overhead_joules;
    l->found++;
    free(l->block);
    l->block = base_malloc(1000, 1); /* by no guard: it lives on */
    char *mine = malloc(1000);
    base_free(l->block);
    l->block = mine;
}

static int answer(void *user)
{
    listener *l = user;
    return ++l->asked >= l->stop_after && l->stop_after > 0;
}

TEST(callbacks_tell_of_the_solve)
{
    poetbnb_error error;
    poetbnb_figures f;
    listener l = {0};
    poetbnb_solver *solver = solver_on("vgg16_cifar", "a72", "50%");
    poetbnb_on_log(solver, hear, &l);
    poetbnb_on_incumbent(solver, see, &l);
    poetbnb_on_stop(solver, answer, &l);
    poetbnb_result *r = poetbnb_solve(solver, &error);
    poetbnb_result_figures(r, &f);
    ck_assert_int_ge(l.lines, 3);
    ck_assert_msg(strstr(l.first_line, "Start ") == l.first_line, "%s", l.first_line);
    ck_assert_int_gt(l.found, 0);
    ck_assert_int_gt(l.asked, 0);
    ck_assert_double_eq(l.last, f.overhead_joules);
    poetbnb_result_free(r);
    poetbnb_on_log(solver, NULL, NULL);
    const int before = l.lines;
    l.found = 0;
    r = poetbnb_solve(solver, &error);
    ck_assert_int_eq(l.lines, before);
    poetbnb_result_free(r);
    free(l.block);
    poetbnb_solver_free(solver);
}

static void check_stopped(poetbnb_result *r, double started)
{
    ck_assert_double_lt(base_seconds() - started, 20); /* of hours */
    ck_assert_int_ge(poetbnb_result_status(r), POETBNB_FEASIBLE);
    ck_assert_int_ne(poetbnb_result_status(r), POETBNB_FAILED);
    ck_assert_str_eq(poetbnb_result_reason(r), "interrupt");
    poetbnb_result_free(r);
}

TEST(a_callback_stops_the_solve)
{
    poetbnb_error error;
    listener l = {.stop_after = 5};
    poetbnb_solver *solver = solver_on("bert", "m4", "15%");
    poetbnb_on_stop(solver, answer, &l);
    const double started = base_seconds();
    check_stopped(poetbnb_solve(solver, &error), started);
    ck_assert_int_eq(l.asked, 5);
    poetbnb_solver_free(solver);
}

static void *stop_later(void *data)
{
    usleep(300000);
    poetbnb_stop(data);
    return NULL;
}

TEST(another_thread_stops_the_solve)
{
    poetbnb_error error;
    pthread_t thread;
    poetbnb_solver *solver = solver_on("bert", "m4", "15%");
    const double started = base_seconds();
    pthread_create(&thread, NULL, stop_later, solver);
    check_stopped(poetbnb_solve(solver, &error), started);
    pthread_join(thread, NULL);
    poetbnb_stop(solver); /* the next one then */
    check_stopped(poetbnb_solve(solver, &error), base_seconds());
    poetbnb_solver_free(solver);
}

/* ---- two at once ---------------------------------------------------------------------------- */

typedef struct task {
    const char *network, *budget;
    poetbnb_figures alone, beside;
} task;

static poetbnb_figures solve_one(const task *t)
{
    poetbnb_error error;
    poetbnb_figures f;
    listener l = {0};
    poetbnb_solver *solver = solver_on(t->network, "a72", t->budget);
    poetbnb_on_log(solver, hear, &l);
    ck_assert_int_eq(poetbnb_set(solver, "solve-threads", "2", &error), 0);
    poetbnb_result *r = poetbnb_solve(solver, &error);
    ck_assert_int_eq(poetbnb_result_status(r), POETBNB_OPTIMAL);
    poetbnb_result_figures(r, &f);
    poetbnb_result_free(r);
    poetbnb_solver_free(solver);
    return f;
}

static void *run_task(void *data)
{
    task *t = data;
    t->beside = solve_one(t);
    return NULL;
}

TEST(threads_solve_side_by_side)
{
    task tasks[] = {{.network = "vgg16_cifar", .budget = "50%"},
                    {.network = "linear", .budget = "60%"},
                    {.network = "vgg16_cifar", .budget = "60%"}};
    enum { TASKS = sizeof tasks / sizeof *tasks };
    pthread_t thread[TASKS];
    for (int k = 0; k < TASKS; k++)
        tasks[k].alone = solve_one(&tasks[k]);
    for (int k = 0; k < TASKS; k++)
        pthread_create(&thread[k], NULL, run_task, &tasks[k]);
    for (int k = 0; k < TASKS; k++)
        pthread_join(thread[k], NULL);
    for (int k = 0; k < TASKS; k++) {
        ck_assert_double_eq(tasks[k].alone.overhead_joules, tasks[k].beside.overhead_joules);
        ck_assert_int_eq(tasks[k].alone.search_nodes, tasks[k].beside.search_nodes);
        ck_assert_int_eq(tasks[k].alone.lp_iterations, tasks[k].beside.lp_iterations);
    }
}

/* ---- locales --------------------------------------------------------------------------------- */

static locale_t mine;
static int inside; /* memory taken by jansson within the library */

static void *take_inside(size_t size)
{
    ck_assert(uselocale((locale_t)0) != mine);
    ck_assert_str_eq(localeconv()->decimal_point, ".");
    inside++;
    return malloc(size);
}

static void hear_in_mine(void *user, const char *line)
{
    listener *l = user;
    ck_assert(line != NULL && uselocale((locale_t)0) == mine);
    l->lines++;
}

/* The library's steps run in the locale "C", the caller's functions in the caller's. */
TEST(locales_are_kept_apart)
{
    poetbnb_error error;
    listener l = {0};
    mine = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);
    ck_assert(mine != (locale_t)0);
    uselocale(mine);
    poetbnb_solver *solver = solver_on("linear", "a72", "50%");
    poetbnb_on_log(solver, hear_in_mine, &l);
    ck_assert_int_eq(poetbnb_set(solver, "solve-threads", "1", &error), 0);
    poetbnb_result *r = poetbnb_solve(solver, &error);
    ck_assert_int_gt(l.lines, 0);
    json_set_alloc_funcs(take_inside, free);
    char *text = poetbnb_graph_json(poetbnb_result_graph(r), &error);
    poetbnb_graph_free(poetbnb_graph_parse(text, strlen(text), "it", NULL, &error));
    ck_assert_int_gt(inside, 0);
    ck_assert(uselocale((locale_t)0) == mine);
    poetbnb_free(text);
    poetbnb_result_free(r);
    poetbnb_solver_free(solver);
    uselocale(LC_GLOBAL_LOCALE);
    freelocale(mine);
}
