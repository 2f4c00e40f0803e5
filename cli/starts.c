#include "cli/starts.h"

#include <string.h>

#include "cli/cli.h"
#include "problem/json.h"

void cli_starts_add(cli_starts *starts, const schedule *s, const char *name)
{
    if (starts->count == starts->capacity) {
        starts->capacity = 2 * starts->capacity + 4;
        size_t capacity = (size_t)starts->capacity;
        starts->schedule = base_realloc(starts->schedule, capacity, sizeof *starts->schedule);
        starts->name = base_realloc(starts->name, capacity, sizeof *starts->name);
    }
    starts->schedule[starts->count] = schedule_copy(s);
    starts->name[starts->count++] = base_strdup(name);
}

void cli_starts_clear(cli_starts *starts)
{
    for (int k = 0; k < starts->count; k++) {
        schedule_free(starts->schedule[k]);
        base_free(starts->name[k]);
    }
    base_free(starts->schedule);
    base_free(starts->name);
    *starts = (cli_starts){0};
}

baseline_options cli_baseline_options(const cli_options *options, const base_limits *limits)
{
    baseline_options how = baseline_options_default();
    how.limits = limits;
    how.snapshots = (int)options->revolve_snapshots;
    how.segment_bytes = options->chen_segment_bytes;
    how.dtr_heuristic = strcmp(options->dtr_heuristic, "eq") == 0      ? BASELINE_DTR_CLASSES
                        : strcmp(options->dtr_heuristic, "local") == 0 ? BASELINE_DTR_LOCAL
                                                                       : BASELINE_DTR_NEIGHBOURHOOD;
    how.dtr_thrash = options->dtr_thrash;
    how.transfer = strcmp(options->capuchin_transfer, "sync") == 0 ? BASELINE_TRANSFER_SYNC
                                                                   : BASELINE_TRANSFER_DMA;
    how.checkmate_threshold = options->checkmate_threshold;
    how.checkmate_draws = (int)options->checkmate_draws;
    how.checkmate_seed = (uint64_t)options->seed;
    how.pofo_slots = (int)options->pofo_slots;
    return how;
}

/* Adds s when it is feasible for p and logs what became of it. */
static void consider(cli_starts *starts, const problem *p, const schedule *s, const char *name,
                     FILE *log)
{
    base_error error;
    validation v;
    if (schedule_validate(p, s, &v, &error) == 0) {
        cli_starts_add(starts, s, name);
        if (log)
            fprintf(log, "Start    %-18s overhead %.8g J\n", name, v.overhead_joules);
    } else if (log) {
        fprintf(log, "Start    %-18s not used: %s\n", name, error.text);
    }
}

/* Why a method has no schedule is logged only when asked: most have none at tight budgets. */
static void run_method(cli_starts *starts, const problem *p, const baseline_method *method,
                       const baseline_options *how, FILE *log, bool log_failure)
{
    char reason[BASELINE_REASON] = "";
    schedule *s = method->run(p, how, reason);
    if (s)
        consider(starts, p, s, method->name, log);
    else if (log && log_failure)
        fprintf(log, "Start    %-18s none: %s\n", method->name, reason);
    schedule_free(s);
}

static void run_cheap_methods(cli_starts *starts, const problem *p, const baseline_options *how,
                              FILE *log, bool log_failures)
{
    int count;
    const baseline_method *methods = baseline_methods(&count);
    for (int k = 0; k < count; k++)
        if (methods[k].cost <= BASELINE_SWEEP)
            run_method(starts, p, &methods[k], how, log, log_failures);
}

/* The same tensors with the same readers: a schedule of one means something for the other. */
static bool same_shape(const graph *a, const graph *b)
{
    size_t n = (size_t)a->n;
    return a->n == b->n && a->edge_count == b->edge_count &&
           memcmp(a->bytes, b->bytes, n * sizeof *a->bytes) == 0 &&
           memcmp(a->input_start, b->input_start, (n + 1) * sizeof *a->input_start) == 0 &&
           memcmp(a->input, b->input, (size_t)a->edge_count * sizeof *a->input) == 0;
}

static int read_file(cli_starts *starts, const problem *p, const char *path, FILE *log)
{
    base_error error;
    schedule_file *file = schedule_file_read(path, &error);
    if (!file)
        return cli_fail(-1, "--warm-start: %s", error.text);
    bool same = same_shape(p->graph, file->graph);
    if (same)
        consider(starts, p, file->schedule, base_text_shown(path).text, log);
    schedule_file_free(file);
    return same ? 0 : cli_fail(-1, "--warm-start: %s: a schedule of another graph", path);
}

int cli_starts_make(const cli_options *options, const problem *p, const base_limits *limits,
                    FILE *log, cli_starts *starts)
{
    *starts = (cli_starts){0};
    const char *wanted = options->warm_start;
    baseline_options how = cli_baseline_options(options, limits);
    if (strcmp(wanted, "none") == 0)
        return 0;
    if (strcmp(wanted, "auto") == 0) {
        run_cheap_methods(starts, p, &how, log, options->verbose);
        return 0;
    }
    if (json_names_file(wanted))
        return read_file(starts, p, wanted, log);
    base_error error;
    const baseline_method *method = baseline_find(wanted, &error);
    if (!method)
        return cli_fail(-1, "--warm-start: %s (or auto, none, a file NAME.json)", error.text);
    run_method(starts, p, method, &how, log, true);
    return 0;
}

char *cli_methods_text(void)
{
    int count;
    const baseline_method *methods = baseline_methods(&count);
    size_t size = 64, used = 0;
    for (int k = 0; k < count; k++)
        size += strlen(methods[k].name) + strlen(methods[k].title) + strlen(methods[k].citation) +
                strlen(methods[k].options) + 64;
    char *text = base_malloc(size, 1);
    used += (size_t)snprintf(text, size, "Methods:\n");
    for (int k = 0; k < count; k++) {
        const baseline_method *m = &methods[k];
        used += (size_t)snprintf(text + used, size - used, "\n%s: %s (%s)%s%s", m->name, m->title,
                                 m->citation, *m->options ? "; options " : "", m->options);
    }
    return text;
}
