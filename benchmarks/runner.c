#include "benchmarks/runner.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "benchmarks/process.h"

enum { GRACE = 60 };

/* A point under way. */
typedef struct job {
    const bench_point *point; /* NULL: the place is free */
    pid_t process;
    int step;     /* of the commands of its kind */
    double limit; /* granted */
    double started, step_started;
    int exit_status; /* of step 0 */
    bool checked;
} job;

typedef struct runner {
    const bench_store *store;
    const bench_points *points;
    const bench_runner_options *options;
    job *jobs;
    bool *todo; /* extent points->count */
    int left;   /* todo and not started */
    double started, last_shown;
    double spent; /* seconds of processes that ended */
    int ended;
    bench_summary summary;
} runner;

/* ---- commands ------------------------------------------------------------------------------ */

static void add_instance(bench_command *c, const bench_point *p)
{
    bench_command_word(c, "--model");
    bench_command_word(c, p->network);
    bench_command_word(c, "--platform");
    bench_command_word(c, p->platform);
    bench_command_word(c, "--ram-budget");
    bench_command_word(c, p->budget);
    if (strcmp(p->runtime, "none") != 0) {
        bench_command_word(c, "--runtime-budget");
        bench_command_word(c, p->runtime);
    }
}

static void add_limit(bench_command *c, double limit)
{
    char text[64];
    snprintf(text, sizeof text, "%.3f", limit);
    bench_command_word(c, "--time-limit-s");
    bench_command_word(c, text);
    bench_command_word(c, "--solve-threads");
    bench_command_word(c, "1");
    bench_command_word(c, "--json");
}

/* The command of a step; false after the last one. */
static bool make_command(const runner *r, const job *j, bench_command *c)
{
    const bench_point *p = j->point;
    char path[STORE_PATH];
    *c = (bench_command){0};
    bench_command_word(c, r->store->program);
    if (p->kind == BENCH_EXACT && j->step == 0) {
        bench_store_path(r->store, p, "schedule.json", path);
        bench_command_word(c, "solve");
        add_instance(c, p);
        add_limit(c, j->limit);
        if (!strstr(p->options, "--verbose"))
            bench_command_word(c, "--quiet");
        bench_command_words(c, p->options);
        bench_command_word(c, "--out");
        bench_command_word(c, path);
        return true;
    }
    if (p->kind == BENCH_EXACT && j->step == 1 && (j->exit_status == 0 || j->exit_status == 4)) {
        bench_store_path(r->store, p, "schedule.json", path);
        bench_command_word(c, "check");
        bench_command_word(c, "--quiet");
        bench_command_word(c, path);
        return true;
    }
    if (p->kind == BENCH_BASELINE && j->step == 0) {
        bench_command_word(c, "compare");
        add_instance(c, p);
        add_limit(c, j->limit);
        bench_command_word(c, "--quiet");
        bench_command_word(c, "--methods");
        bench_command_word(c, p->method);
        bench_command_words(c, p->options);
        return true;
    }
    if (p->kind == BENCH_RELAX && j->step < 2) {
        bench_store_path(r->store, p, "mps", path);
        if (j->step == 0) {
            bench_command_word(c, "export");
            add_instance(c, p);
            bench_command_word(c, "--relax");
            bench_command_word(c, "--formulation");
            bench_command_word(c, p->method);
            bench_command_word(c, "--out");
            bench_command_word(c, path);
        } else {
            bench_command_word(c, "lp");
            bench_command_word(c, path);
            add_limit(c, j->limit);
        }
        return true;
    }
    return false;
}

/* ---- processes ------------------------------------------------------------------------------- */

/* In the child: becomes the program, with its streams in the point's files. */
static void become(const runner *r, const job *j, const bench_command *c, pid_t parent)
{
    const bool first = j->step == 0;
    char out[STORE_PATH], err[STORE_PATH];
    bench_store_path(r->store, j->point, first || j->point->kind == BENCH_RELAX ? "out" : "out2",
                     out);
    bench_store_path(r->store, j->point, first ? "log" : "log2", err);
    bench_process_become(c, out, err, parent);
}

/* Starts the job's step; false when there is none. */
static bool start_step(runner *r, job *j)
{
    bench_command c;
    bool any = make_command(r, j, &c);
    if (any) {
        pid_t parent = getpid();
        fflush(NULL);
        j->step_started = base_seconds();
        j->process = fork();
        if (j->process == 0)
            become(r, j, &c, parent);
        if (j->process < 0) {
            fprintf(stderr, "bench: fork: %s\n", strerror(errno));
            exit(EXIT_FAILURE);
        }
    }
    bench_command_clear(&c);
    return any;
}

/* Whether the point may use up its limit: the others take seconds. */
static bool is_search(const bench_point *p)
{
    return p->kind == BENCH_EXACT || strcmp(p->method, "checkmate") == 0;
}

/* The limit, but for a search at most its share of the time that is left. */
static double granted(const runner *r, const bench_point *p)
{
    if (r->options->total_seconds <= 0 || !is_search(p))
        return p->limit;
    int searches = 0;
    for (int k = 0; k < r->points->count; k++)
        searches += r->todo[k] && is_search(&r->points->point[k]);
    const double rest = r->started + r->options->total_seconds - base_seconds();
    const double share = 1.5 * rest * r->options->jobs / (searches + r->options->jobs);
    const double least = 1;
    return share >= p->limit ? p->limit : share > least ? share : least;
}

static void start_job(runner *r, job *j, const bench_point *p)
{
    *j = (job){.point = p, .started = base_seconds(), .limit = granted(r, p)};
    start_step(r, j);
}

/* The last line of the job's log, for what went wrong. */
static json_t *last_error(const runner *r, const job *j)
{
    base_error ignored;
    char path[STORE_PATH];
    size_t size;
    bench_store_path(r->store, j->point, "log", path);
    char *text = base_file_read(path, 1 << 26, &size, &ignored);
    while (text && size > 0 && text[size - 1] == '\n')
        text[--size] = '\0';
    const char *line = text ? strrchr(text, '\n') : NULL;
    json_t *result = text ? json_string(line ? line + 1 : text) : NULL;
    base_free(text);
    return result ? result : json_string("");
}

static json_t *read_output(const runner *r, const job *j)
{
    char path[STORE_PATH];
    json_error_t ignored;
    bench_store_path(r->store, j->point, "out", path);
    json_t *output = json_load_file(path, 0, &ignored);
    return output ? output : json_null();
}

static void remove_leftovers(const runner *r, const job *j)
{
    static const char *const suffix[] = {"out", "out2", "log2", "mps"};
    char path[STORE_PATH];
    for (size_t k = 0; k < sizeof suffix / sizeof *suffix; k++) {
        bench_store_path(r->store, j->point, suffix[k], path);
        unlink(path);
    }
}

static void finish_job(runner *r, job *j)
{
    base_error error;
    json_t *result =
        json_pack("{s:f, s:f, s:i, s:o, s:o}", "limit", j->point->limit, "granted", j->limit,
                  "exit", j->exit_status, "output", read_output(r, j), "errors", last_error(r, j));
    bool failed = !bench_result_figures(result) || j->exit_status == 1 || j->exit_status == 2;
    if (j->point->kind == BENCH_EXACT && (j->exit_status == 0 || j->exit_status == 4)) {
        json_object_set_new(result, "checked", json_boolean(j->checked));
        failed = failed || !j->checked;
    }
    if (failed) {
        r->summary.failed++;
        fprintf(stderr, "\nbench: failed: %s on %s at %s, %s: exit status %d: %s\n",
                j->point->network, j->point->platform, j->point->budget, j->point->method,
                j->exit_status, json_string_value(json_object_get(result, "errors")));
    }
    if (bench_store_save(r->store, j->point, result, &error))
        fprintf(stderr, "\nbench: %s\n", error.text);
    remove_leftovers(r, j);
    r->spent += base_seconds() - j->started;
    r->ended++;
    r->summary.ran++;
    j->point = NULL;
}

/* A process of the job ended with that wait status. */
static void advance_job(runner *r, job *j, int status)
{
    int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (j->step == 0 || j->point->kind == BENCH_RELAX)
        j->exit_status = code;
    else
        j->checked = code == 0;
    j->step++;
    if (j->exit_status > 5 || (j->point->kind == BENCH_RELAX && code != 0) || !start_step(r, j))
        finish_job(r, j);
}

/* ---- progress -------------------------------------------------------------------------------- */

static int running(const runner *r)
{
    int count = 0;
    for (int k = 0; k < r->options->jobs; k++)
        count += r->jobs[k].point != NULL;
    return count;
}

/* The time left, if every point to come took its limit's share as those done did. */
static void show_progress(runner *r, bool force)
{
    const double now = base_seconds(), every = isatty(STDERR_FILENO) ? 1 : 30;
    if (r->options->quiet || (!force && now - r->last_shown < every))
        return;
    r->last_shown = now;
    const int waiting = r->left + running(r), total = r->summary.points;
    const double mean = r->ended > 0 ? r->spent / r->ended : 0;
    double rest = 0;
    for (int k = 0; k < r->points->count; k++)
        if (r->todo[k]) {
            const bench_point *p = &r->points->point[k];
            rest += is_search(p) ? 0.5 * p->limit : mean;
        }
    fprintf(stderr, isatty(STDERR_FILENO) ? "\r%-70s\r" : "%s", "");
    fprintf(stderr, "%d of %d points done, %d running, about %.0f s left", total - waiting, total,
            running(r), rest / r->options->jobs);
    if (!isatty(STDERR_FILENO))
        fputc('\n', stderr);
    fflush(stderr);
}

/* ---- the loop -------------------------------------------------------------------------------- */

/* Points with the same key as an earlier one, and those that have a result, need no run. */
static void choose(runner *r)
{
    const bench_points *points = r->points;
    for (int k = 0; k < points->count; k++) {
        uint64_t key = bench_store_key(r->store, &points->point[k]);
        json_t *done = bench_store_load(r->store, &points->point[k]);
        r->todo[k] = done == NULL;
        json_decref(done);
        for (int e = 0; e < k && r->todo[k]; e++)
            if (r->todo[e] && bench_store_key(r->store, &points->point[e]) == key)
                r->todo[k] = false;
        r->left += r->todo[k];
    }
    r->summary.points = points->count;
}

static void fill_places(runner *r, int *next)
{
    for (int k = 0; k < r->options->jobs; k++) {
        while (*next < r->points->count && !r->todo[*next])
            ++*next;
        if (r->jobs[k].point || *next == r->points->count)
            continue;
        r->todo[*next] = false;
        r->left--;
        start_job(r, &r->jobs[k], &r->points->point[*next]);
    }
}

static void kill_late(runner *r)
{
    for (int k = 0; k < r->options->jobs; k++) {
        job *j = &r->jobs[k];
        if (j->point && base_seconds() - j->step_started > j->limit + GRACE)
            kill(j->process, SIGKILL);
    }
}

static void collect(runner *r)
{
    int status;
    pid_t process;
    while ((process = waitpid(-1, &status, WNOHANG)) > 0)
        for (int k = 0; k < r->options->jobs; k++)
            if (r->jobs[k].point && r->jobs[k].process == process)
                advance_job(r, &r->jobs[k], status);
}

static void stop_all(runner *r)
{
    for (int k = 0; k < r->options->jobs; k++)
        if (r->jobs[k].point) {
            kill(r->jobs[k].process, SIGKILL);
            waitpid(r->jobs[k].process, NULL, 0);
        }
    r->summary.interrupted = true;
}

bench_summary bench_run(const bench_store *store, const bench_points *points,
                        const bench_runner_options *options)
{
    const struct timespec pause = {.tv_nsec = 5000000};
    runner r = {.store = store,
                .points = points,
                .options = options,
                .jobs = base_calloc((size_t)options->jobs, sizeof *r.jobs),
                .todo = base_calloc((size_t)points->count + 1, sizeof *r.todo),
                .started = base_seconds()};
    int next = 0;
    choose(&r);
    show_progress(&r, true);
    while (r.left > 0 || running(&r) > 0) {
        if (options->interrupt && *options->interrupt) {
            stop_all(&r);
            break;
        }
        fill_places(&r, &next);
        nanosleep(&pause, NULL);
        collect(&r);
        kill_late(&r);
        show_progress(&r, false);
    }
    show_progress(&r, true);
    if (!options->quiet && isatty(STDERR_FILENO))
        fputc('\n', stderr);
    base_free(r.jobs);
    base_free(r.todo);
    return r.summary;
}
