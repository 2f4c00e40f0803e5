#include "cli/starts.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/engine.h"
#include "problem/json.h"

/* Steps of base_work that a method may take for a start. */
#define METHOD_WORK 100000000

static void add(cli_starts *starts, schedule *s, const char *name, bool owned)
{
    if (starts->count == starts->capacity) {
        starts->capacity = 2 * starts->capacity + 4;
        size_t capacity = (size_t)starts->capacity;
        starts->schedule = base_realloc(starts->schedule, capacity, sizeof *starts->schedule);
        starts->name = base_realloc(starts->name, capacity, sizeof *starts->name);
        starts->owned = base_realloc(starts->owned, capacity, sizeof *starts->owned);
    }
    starts->schedule[starts->count] = s;
    starts->owned[starts->count] = owned;
    starts->name[starts->count++] = base_strdup(name);
}

void cli_starts_add(cli_starts *starts, schedule *s, const char *name)
{
    add(starts, s, name, false);
}

void cli_starts_clear(cli_starts *starts)
{
    for (int k = 0; k < starts->count; k++) {
        if (starts->owned[k])
            schedule_free(starts->schedule[k]);
        base_free(starts->name[k]);
    }
    base_free(starts->schedule);
    base_free(starts->owned);
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

/* A schedule to start from that is being made, within limits. */
typedef struct making {
    const problem *p;
    const baseline_method *method; /* NULL: the file */
    const baseline_options *how;
    const char *path;
    schedule *s;       /* feasible; NULL: none */
    double joules;     /* its overhead */
    bool made;         /* a schedule was there, if not a feasible one */
    base_error reason; /* why not */
    bool failed;       /* bad input */
} making;

static void judge(making *m)
{
    validation v;
    m->made = m->s != NULL;
    if (m->s && schedule_validate(m->p, m->s, &v, &m->reason) != 0) {
        schedule_free(m->s);
        m->s = NULL;
    }
    m->joules = m->s ? v.overhead_joules : INFINITY;
}

static void make_by_method(void *data)
{
    making *m = data;
    char reason[BASELINE_REASON] = "";
    m->s = m->method->run(m->p, m->how, reason);
    snprintf(m->reason.text, sizeof m->reason.text, "%s", reason);
    judge(m);
}

/* Takes what a step made and logs what became of it. Why there is none is logged only when asked:
 * most methods have none at tight budgets. */
static void take(cli_starts *starts, making *m, void (*step)(void *), const char *name, FILE *log,
                 bool log_failure)
{
    const base_stop why = base_try(m->how->limits, step, m);
    if (why != BASE_GO) {
        m->s = NULL;
        m->made = false;
        base_fail(&m->reason, "stopped by the %s", cli_stop_name(why));
    }
    if (m->s)
        add(starts, m->s, name, true);
    if (!log || m->failed)
        return;
    if (m->s)
        fprintf(log, "Start    %-18s overhead %.8g J\n", name, m->joules);
    else if (m->made || log_failure)
        fprintf(log, "Start    %-18s %s: %s\n", name, m->made ? "not used" : "none",
                m->reason.text);
}

static void run_method(cli_starts *starts, const problem *p, const baseline_method *method,
                       const baseline_options *how, FILE *log, bool log_failure)
{
    making m = {.p = p, .method = method, .how = how};
    take(starts, &m, make_by_method, method->name, log, log_failure);
}

/* Each for a while: of a graph with thousands of nodes some sweep for minutes. */
static void run_cheap_methods(cli_starts *starts, const problem *p, const baseline_options *how,
                              FILE *log, bool log_failures)
{
    int count;
    const baseline_method *methods = baseline_methods(&count);
    base_limits limits = how->limits ? *how->limits : (base_limits){0};
    baseline_options shortly = *how;
    shortly.limits = &limits;
    for (int k = 0; k < count && base_limits_check(how->limits) == BASE_GO; k++) {
        limits.work_end = base_work_done() + METHOD_WORK;
        if (methods[k].cost <= BASELINE_SWEEP)
            run_method(starts, p, &methods[k], &shortly, log, log_failures);
    }
}

static void make_from_file(void *data)
{
    making *m = data;
    base_error error;
    schedule_file *file = schedule_file_read(m->path, &error);
    m->failed = !file || !graph_same_shape(m->p->graph, file->graph);
    if (!file)
        cli_fail(0, "--warm-start: %s", error.text);
    else if (m->failed)
        cli_fail(0, "--warm-start: %s: a schedule of another graph", m->path);
    if (!m->failed) {
        m->s = file->schedule;
        file->schedule = NULL;
        judge(m);
    }
    schedule_file_free(file);
}

static int read_file(cli_starts *starts, const problem *p, const char *path,
                     const baseline_options *how, FILE *log)
{
    making m = {.p = p, .how = how, .path = path};
    take(starts, &m, make_from_file, base_text_shown(path).text, log, true);
    return m.failed ? -1 : 0;
}

/* One of the words of --warm-start. */
static int make_word(const cli_options *options, const char *word, const problem *p,
                     const base_limits *limits, FILE *log, cli_starts *starts)
{
    baseline_options how = cli_baseline_options(options, limits);
    if (strcmp(word, "none") == 0)
        return 0;
    if (strcmp(word, "auto") == 0) {
        run_cheap_methods(starts, p, &how, log, options->verbose);
        return 0;
    }
    if (json_names_file(word))
        return read_file(starts, p, word, &how, log);
    base_error error;
    const baseline_method *method = baseline_find(word, &error);
    if (!method)
        return cli_fail(-1, "--warm-start: %s (or auto, none, a file NAME.json)", error.text);
    run_method(starts, p, method, &how, log, true);
    return 0;
}

int cli_starts_make(const cli_options *options, const problem *p, const base_limits *limits,
                    FILE *log, cli_starts *starts)
{
    *starts = (cli_starts){0};
    /* A file whose name has a comma can be given alone. */
    if (access(options->warm_start, R_OK) == 0)
        return make_word(options, options->warm_start, p, limits, log, starts);
    char *words = base_strdup(options->warm_start), *rest = words, *word;
    int failed = 0;
    while (!failed && (word = strsep(&rest, ",")))
        failed = make_word(options, word, p, limits, log, starts);
    base_free(words);
    return failed;
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
