/* Makes starts from the words of --starts. Each word names a method, which runs within a limit of
 * work, or a schedule file. Feasible schedules are kept. */
#include "baselines/starts.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "baselines/policy.h"
#include "problem/json.h"

/* Limit of work of a method, in steps of base_work, and the grace after it: a method that still
 * runs then is given up. */
#define METHOD_WORK 100000000
#define METHOD_GRACE 10000000
/* Least work to make and judge one schedule, per pair of nodes. */
#define SCHEDULE_WORK 5

static void append_start(baseline_starts *starts, schedule *s, const char *name, bool owned)
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

void baseline_starts_add(baseline_starts *starts, schedule *s, const char *name)
{
    append_start(starts, s, name, false);
}

void baseline_starts_clear(baseline_starts *starts)
{
    for (int k = 0; k < starts->count; k++) {
        if (starts->owned[k])
            schedule_free(starts->schedule[k]);
        base_free(starts->name[k]);
    }
    base_free_all(starts->schedule, starts->owned, starts->name);
    *starts = (baseline_starts){0};
}

/* A schedule to start from that is being made, within limits. */
typedef struct start_attempt {
    const problem *p;
    const baseline_method *method; /* NULL: the schedule comes from the file `path` */
    const baseline_options *how;
    const char *path;
    schedule *s;       /* feasible; NULL: none */
    double joules;     /* its overhead */
    bool made;         /* the method or file gave a schedule, feasible or not */
    base_error reason; /* why there is no schedule, or why it is not feasible */
    bool failed;       /* bad input */
    base_error *error; /* error of the input if `failed` */
} start_attempt;

static void check_start(start_attempt *m)
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
    start_attempt *m = data;
    char reason[BASELINE_REASON] = "";
    m->s = baseline_schedule(m->method, m->p, m->how, reason);
    snprintf(m->reason.text, sizeof m->reason.text, "%s", reason);
    check_start(m);
}

/* Takes the result of a step and logs it. The reason for a missing schedule is logged only on
 * request: most methods have none at tight budgets. */
static void make_start(baseline_starts *starts, start_attempt *m, void (*step)(void *),
                       const char *name, FILE *log, bool log_failure)
{
    const base_stop why = base_try(m->how->limits, step, m);
    if (why != BASE_GO) {
        m->s = NULL;
        m->made = false;
        base_fail(&m->reason, "stopped by the %s", base_stop_name(why));
    }
    if (m->s)
        append_start(starts, m->s, name, true);
    if (!log || m->failed)
        return;
    if (m->s)
        fprintf(log, "Start    %-18s overhead %.8g J\n", name, m->joules);
    else if (m->made || log_failure)
        fprintf(log, "Start    %-18s %s: %s\n", name, m->made ? "not used" : "none",
                m->reason.text);
}

static void run_method(baseline_starts *starts, const problem *p, const baseline_method *method,
                       const baseline_options *how, FILE *log, bool log_failure)
{
    start_attempt m = {.p = p, .method = method, .how = how};
    make_start(starts, &m, make_by_method, method->name, log, log_failure);
}

/* True if the method makes many schedules without regard to the budget and returns the best one
 * that fits. */
static bool is_family(const baseline_method *method)
{
    return method->cost == BASELINE_SWEEP && method->plans_forward;
}

/* Runs all methods of at most BASELINE_SWEEP, families only if no other gives a schedule, each for
 * at most METHOD_WORK steps: on graphs with thousands of nodes some of them would take minutes. */
static void run_cheap_methods(baseline_starts *starts, const problem *p,
                              const baseline_options *how, FILE *log, bool log_failures)
{
    if (SCHEDULE_WORK * (double)p->graph->n * (double)p->graph->n > METHOD_WORK) {
        if (log && log_failures)
            fprintf(log,
                    "Start    none: a schedule of %d nodes takes more than a method's share of "
                    "the work\n",
                    p->graph->n);
        return;
    }
    int count;
    const baseline_method *methods = baseline_methods(&count);
    baseline_options shortly = *how;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < count && base_limits_check(how->limits) == BASE_GO; k++) {
            base_limits limits = how->limits ? *how->limits : (base_limits){0};
            base_limits_shorten(&limits, METHOD_WORK);
            limits.grace_work = METHOD_GRACE;
            shortly.limits = &limits;
            if (methods[k].cost <= BASELINE_SWEEP && pass == is_family(&methods[k]) &&
                (!pass || starts->count == 0))
                run_method(starts, p, &methods[k], &shortly, log, log_failures);
        }
}

/* Reads a schedule of g; NULL with an error. */
static schedule_file *read_schedule(const char *path, const graph *g, base_error *error)
{
    schedule_file *file = schedule_file_parse(NULL, 0, path, NULL, error);
    if (!file || graph_same_shape(g, file->graph))
        return file;
    base_fail(error, "%s: a schedule of another graph", path);
    schedule_file_free(file);
    return NULL;
}

static void make_from_file(void *data)
{
    start_attempt *m = data;
    schedule_file *file = read_schedule(m->path, m->p->graph, m->error);
    m->failed = !file;
    if (file) {
        m->s = file->schedule;
        file->schedule = NULL;
        check_start(m);
    }
    schedule_file_free(file);
}

/* The words of --warm-start, and the starts made from them. */
typedef struct starting {
    const problem *p;
    const baseline_options *how;
    FILE *log;
    bool log_failures;
    baseline_starts *starts; /* NULL: the words are only checked */
    base_error *error;
} starting;

/* A file that can be read once is not read for a check. */
static int check_file(const char *path, const starting *s)
{
    struct stat about;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return 0;
    schedule_file *file = read_schedule(path, s->p->graph, s->error);
    schedule_file_free(file);
    return file ? 0 : -1;
}

static int make_file(const char *path, const starting *s)
{
    start_attempt m = {.p = s->p, .how = s->how, .path = path, .error = s->error};
    make_start(s->starts, &m, make_from_file, base_text_shown(path).text, s->log, true);
    return m.failed ? -1 : 0;
}

static int take_word(const char *word, const starting *s)
{
    if (strcmp(word, "none") == 0)
        return 0;
    if (strcmp(word, "auto") == 0) {
        if (s->starts)
            run_cheap_methods(s->starts, s->p, s->how, s->log, s->log_failures);
        return 0;
    }
    if (json_names_file(word))
        return s->starts ? make_file(word, s) : check_file(word, s);
    base_error why;
    const baseline_method *method = baseline_find(word, &why);
    if (!method)
        return base_fail(s->error, "%s (or auto, none, a file NAME.json)", why.text);
    if (s->starts)
        run_method(s->starts, s->p, method, s->how, s->log, true);
    return 0;
}

static int take_words(const char *words, const starting *s)
{
    /* A file with a comma in its name can be given alone. */
    if (access(words, R_OK) == 0)
        return take_word(words, s);
    char *copy = base_strdup(words), *rest = copy, *word;
    int failed = 0;
    while (!failed && (word = strsep(&rest, ",")))
        failed = take_word(word, s);
    base_free(copy);
    return failed;
}

int baseline_starts_make(const char *words, const problem *p, const baseline_options *how,
                         FILE *log, bool log_failures, baseline_starts *starts, base_error *error)
{
    *starts = (baseline_starts){0};
    return take_words(words, &(starting){p, how, log, log_failures, starts, error});
}

int baseline_starts_check(const char *words, const graph *g, base_error *error)
{
    const problem p = {.graph = g};
    return take_words(words, &(starting){.p = &p, .error = error});
}
