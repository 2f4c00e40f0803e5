/* Runs `poetbnb solve' on one case within a limit, has `poetbnb check' judge its schedule, keeps
 * the output, and reads the figures from it. */
#include "benchmarks/exact_run.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static const double grace = 60; /* seconds beyond the limit before a run is killed */

/* The last line of a file. */
static json_t *last_line(const char *path)
{
    base_error ignored;
    size_t size;
    char *text = base_file_read(path, (size_t)1 << 28, &size, &ignored);
    while (text && size > 0 && text[size - 1] == '\n')
        text[--size] = '\0';
    const char *line = text ? strrchr(text, '\n') : NULL;
    json_t *result = text ? json_string(line ? line + 1 : text) : NULL;
    base_free(text);
    return result ? result : json_string("");
}

static void paths(const bench_store *store, const char *name, char out[STORE_PATH],
                  char err[STORE_PATH], char schedule[STORE_PATH])
{
    bench_store_named_path(store, name, "out", out);
    bench_store_named_path(store, name, "err", err);
    bench_store_named_path(store, name, "schedule.json", schedule);
}

static bool check(const bench_store *store, const char *name, const base_flag *interrupt)
{
    char out[STORE_PATH], err[STORE_PATH], schedule[STORE_PATH];
    bench_command c = {0};
    paths(store, name, out, err, schedule);
    bench_command_word(&c, store->program);
    bench_command_words(&c, "check --quiet");
    bench_command_word(&c, schedule);
    const bench_usage usage = bench_process_run(&c, out, err, grace, interrupt);
    bench_command_clear(&c);
    return usage.exit_status == 0;
}

json_t *exact_run(const bench_store *store, const exact_case *c, const char *name, double limit,
                  const char *options, const base_flag *interrupt, base_error *error)
{
    char out[STORE_PATH], err[STORE_PATH], schedule[STORE_PATH], graph_path[STORE_PATH];
    bench_command command = {0};
    json_error_t ignored;
    json_t *result = NULL;
    paths(store, name, out, err, schedule);
    bench_store_named_path(store, name, "graph.json", graph_path);
    bench_command_word(&command, store->program);
    int failed = exact_case_command(c, graph_path, &command, error);
    bench_command_words(&command, "--solve-threads=1 --json --quiet");
    bench_command_format(&command, "--time-limit-s=%.9g", limit);
    bench_command_format(&command, "--out=%s", schedule);
    bench_command_words(&command, options);
    if (!failed) {
        unlink(schedule);
        bench_usage usage = bench_process_run(&command, out, err, limit + grace, interrupt);
        json_t *output = json_load_file(out, 0, &ignored);
        result = json_pack("{s:f, s:i, s:f, s:I, s:o, s:o}", "limit", limit, "exit",
                           usage.exit_status, "cpu_seconds", usage.cpu_seconds, "peak_kilobytes",
                           (json_int_t)usage.peak_kilobytes, "output",
                           output ? output : json_null(), "errors", last_line(err));
        if (usage.exit_status == 0 || usage.exit_status == 4)
            json_object_set_new(result, "checked", json_boolean(check(store, name, interrupt)));
        unlink(out);
        unlink(err);
        unlink(graph_path);
    }
    bench_command_clear(&command);
    if (interrupt && *interrupt) {
        json_decref(result);
        base_fail(error, "interrupted");
        return NULL;
    }
    return result;
}

/* ---- figures --------------------------------------------------------------------------------- */

static double real_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static long integer_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) ? (long)json_integer_value(value) : -1;
}

exact_figures exact_run_figures(const json_t *result)
{
    const json_t *output = json_object_get(result, "output");
    const char *status = json_string_value(json_object_get(output, "status"));
    const long code = integer_of(result, "exit");
    const double base = real_of(output, "base_joules"), unit = base > 0 ? base / 1e4 : 1;
    exact_figures f = {.limit = real_of(result, "limit"),
                       .seconds = real_of(output, "seconds"),
                       .cpu_seconds = real_of(result, "cpu_seconds"),
                       .overhead = real_of(output, "overhead_joules") / unit,
                       .bound = real_of(output, "lower_bound_overhead_joules") / unit,
                       .gap = real_of(output, "gap"),
                       .root_bound = real_of(output, "windows_bound_overhead_joules") / unit,
                       .root_bound_cuts =
                           real_of(output, "windows_bound_cuts_overhead_joules") / unit,
                       .work = real_of(output, "work"),
                       .nodes = integer_of(output, "nodes"),
                       .lp_iterations = integer_of(output, "lp_iterations"),
                       .cuts = integer_of(output, "cuts"),
                       .peak_bytes = 1024 * real_of(result, "peak_kilobytes")};
    const bool refused = json_is_false(json_object_get(result, "checked"));
    snprintf(f.status, sizeof f.status, "%s", status ? status : "failed");
    if (refused || code == 1 || code == 2 || code > 5)
        snprintf(f.status, sizeof f.status, "failed");
    f.proven = strcmp(f.status, "optimal") == 0 || strcmp(f.status, "infeasible") == 0;
    return f;
}

double exact_run_covered(const exact_figures *f, double overhead)
{
    const double root = isnan(f->root_bound_cuts) ? f->bound : f->root_bound_cuts;
    return overhead > 0 ? fmin(fmax(root / overhead, 0), 1) : 1;
}
