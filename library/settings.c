/* The table of settings: names, values, ranges and messages as on the command line, and each
 * value written to its field. */
#include "library/settings.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "exact/parameters.h"
#include "formulation/formulation.h"

typedef enum kind { BUDGET, FACTOR, REAL, INTEGER, BYTES, SWITCH, CHOICE, TEXT, PARAMETERS } kind;

typedef struct row {
    kind kind;
    const char *name, *values, *initial, *help;
    size_t offset;
    double low, high;    /* REAL, FACTOR */
    int64_t least, most; /* INTEGER */
} row;

/* Of a setting and its field; behind the help the ends of its range. */
#define ROW(what, field, title, forms, at_first, words, ...)                                       \
    {                                                                                              \
        .kind = what, .name = title, .values = forms, .initial = at_first, .help = words,          \
        .offset = offsetof(library_settings, field), __VA_ARGS__                                   \
    }

static const row table[] = {
    ROW(BUDGET, ram_budget, "ram-budget",
        "bytes (3000000, 1.2M or 1.2MiB, 1.2MB), a percentage (50%) or min", NULL,
        "memory for activations; percentages are of the memory that keeping everything takes; min: "
        "the smallest budget with a schedule"),
    ROW(FACTOR, runtime_budget, "runtime-budget", "none, or 1e-9 to 1e9", "none",
        "deadline, as a multiple of the time of computing every node once",
        .low = PROBLEM_LEAST_FACTOR, .high = PROBLEM_MOST_FACTOR),
    ROW(SWITCH, paging, "paging", "on, off", "on", "allow paging to secondary storage"),
    ROW(SWITCH, remat, "remat", "on, off", "on", "allow to compute a node again"),
    ROW(INTEGER, max_computations, "max-computations", "1 and more", NULL,
        "most computations of a node in all", .least = 1, .most = INT_MAX),
    ROW(CHOICE, charge_pagein, "charge-pagein", "arrival|transfer", "arrival",
        "a page-in takes its memory from the stage after the transfer on, or also in the stage of "
        "the transfer"),
    ROW(SWITCH, deadline_includes_paging, "deadline-includes-paging", "on, off", "off",
        "count the seconds of transfers against the deadline"),
    ROW(CHOICE, order, "order", "given|search", "given",
        "order of the nodes: as given, or one found by annealing"),
    ROW(TEXT, warm_start, "warm-start",
        "auto, none, baselines, schedule files (several between commas)", "auto",
        "schedules to start from; auto: all cheap baselines"),
    ROW(REAL, gap, "gap", "0 to 1", "1e-9", "relative gap of the overhead at which the search ends",
        .high = 1),
    ROW(TEXT, with, "with", "names between commas", NULL, "features to add to the formulation"),
    ROW(TEXT, without, "without", "names between commas", NULL,
        "features to leave out, before `with'"),
    ROW(PARAMETERS, tuning, "set", "NAME=VALUE, several between commas", NULL,
        "changes parameters of the search (`poetbnb info --parameters' lists them); parameters set "
        "by earlier calls keep their values"),
    ROW(SWITCH, heuristics, "heuristics", "on, off", "on", "allow annealing"),
    ROW(INTEGER, seed, "seed", "0 to 2^63-1", "1", "seed of the random choices", .most = INT64_MAX),
    ROW(REAL, time_limit, "time-limit-s", "seconds", NULL,
        "stop after this time with the best answer", .low = DBL_MIN, .high = DBL_MAX),
    ROW(INTEGER, node_limit, "node-limit", "0 and more", NULL,
        "stop after this many nodes of the search tree", .most = LONG_MAX),
    ROW(REAL, work_limit, "work-limit", "10^9 steps", NULL,
        "stop after this many 10^9 counted steps, about a second each: at the same place on every "
        "machine",
        .high = DBL_MAX),
    ROW(BYTES, memory_limit, "memory-limit", "bytes (3000000, 1.2M or 1.2MiB, 1.2MB)", NULL,
        "use at most this much memory (default: the memory of the system)"),
    ROW(INTEGER, threads, "solve-threads", "1 to 256", NULL, "threads (without: one a processor)",
        .least = 1, .most = 256),
    ROW(TEXT, certificate, "certificate", "path of a file", NULL,
        "record a proof of the answer here, for `poetbnb verify'"),
    ROW(CHOICE, trust, "trust", "exchanges|rules", "exchanges", "what the certificate may rest on"),
    ROW(SWITCH, verbose, "verbose", "on, off", "off", "a longer log"),
};
enum { ROWS = sizeof table / sizeof *table };

static void set_text(char **field, const char *value)
{
    char *copy = base_strdup(value);
    base_free(*field);
    *field = copy;
}

static int set_budget(library_settings *s, const char *value, base_error *error)
{
    base_amount amount;
    const bool least = strcmp(value, "min") == 0;
    if (base_number_amount(least ? "100%" : value, true, &amount, error) != 0)
        return -1;
    set_text(&s->ram_budget, value);
    s->ram = amount;
    s->least = least;
    return 0;
}

static int set_bytes(int64_t *field, const char *value, base_error *error)
{
    base_amount amount;
    if (base_number_amount(value, false, &amount, error) != 0)
        return -1;
    return base_amount_bytes(&amount, 0, field, error);
}

static int set_switch(bool *field, const char *value, base_error *error)
{
    const bool on = strcmp(value, "on") == 0;
    if (!on && strcmp(value, "off") != 0)
        return base_fail(error, "expected on or off, got '%s'", value);
    *field = on;
    return 0;
}

/* All of the assignments, or none. */
static int set_parameters(exact_tuning *tuning, const char *value, base_error *error)
{
    exact_tuning changed = *tuning;
    char word[160];
    const char *at = value;
    const int count = base_count_words(value);
    for (int k = 0; k < count; k++) {
        exact_assignment a;
        if (!base_next_word(&at, word, sizeof word))
            return base_fail(error, "expected NAME=VALUE between commas, got '%s'", value);
        if (exact_assignment_read(word, &a, error) != 0)
            return -1;
        exact_assign(&a, &changed);
    }
    *tuning = changed;
    return 0;
}

static int set_value(library_settings *s, const row *r, const char *value, base_error *error)
{
    void *field = (char *)s + r->offset;
    switch (r->kind) {
    case BUDGET:
        return set_budget(s, value, error);
    case FACTOR:
        if (strcmp(value, "none") == 0) {
            *(double *)field = INFINITY;
            return 0;
        }
        return base_number_real(value, r->low, r->high, field, error);
    case REAL:
        return base_number_real(value, r->low, r->high, field, error);
    case INTEGER:
        return base_number_integer(value, r->least, r->most, field, error);
    case BYTES:
        return set_bytes(field, value, error);
    case SWITCH:
        return set_switch(field, value, error);
    case CHOICE:
        if (!base_is_choice(r->values, value))
            return base_fail(error, "expected %s, got '%s'", r->values, value);
        break;
    case PARAMETERS:
        return set_parameters(field, value, error);
    case TEXT:
        if (*value == '\0')
            return base_fail(error, "expected %s, got nothing", r->values);
        break;
    }
    set_text(field, value);
    return 0;
}

static int fail_unknown(const char *name, base_error *error)
{
    char known[512] = "";
    size_t used = 0;
    int nearest = 0;
    for (int k = 1; k < ROWS; k++)
        if (base_text_distance(table[k].name, name) < base_text_distance(table[nearest].name, name))
            nearest = k;
    for (int k = 0; k < ROWS && used < sizeof known; k++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", k ? ", " : "",
                                 table[k].name);
    return base_fail(error, "no setting is called '%s'; the nearest name is %s, all are %s", name,
                     table[nearest].name, known);
}

int library_settings_set(library_settings *s, const char *name, const char *value,
                         base_error *error)
{
    base_error why;
    for (int k = 0; k < ROWS; k++) {
        if (strcmp(table[k].name, name) != 0)
            continue;
        if (set_value(s, &table[k], value, &why) != 0)
            return base_fail(error, "%s: %s", name, why.text);
        return 0;
    }
    return fail_unknown(name, error);
}

void library_settings_init(library_settings *s)
{
    *s = (library_settings){.time_limit = DBL_MAX,
                            .work_limit = DBL_MAX,
                            .node_limit = LONG_MAX,
                            .max_computations = INT_MAX,
                            .tuning = exact_tuning_default()};
    for (int k = 0; k < ROWS; k++)
        if (table[k].initial)
            set_value(s, &table[k], table[k].initial, NULL);
}

void library_settings_clear(library_settings *s)
{
    for (int k = 0; k < ROWS; k++)
        if (table[k].kind == BUDGET || table[k].kind == CHOICE || table[k].kind == TEXT)
            base_free(*(char **)((char *)s + table[k].offset));
    *s = (library_settings){0};
}

int library_settings_problem(const library_settings *s, const graph *g, problem *p,
                             base_error *error)
{
    base_error why;
    int64_t bytes;
    if (!s->ram_budget)
        return base_fail(error, "ram-budget: expected %s, nothing was set", table[0].values);
    if (problem_budget(g, &s->ram, &bytes, &why) != 0)
        return base_fail(error, "ram-budget: %s", why.text);
    *p = problem_make(g, bytes);
    if (isfinite(s->runtime_budget))
        p->deadline_seconds = s->runtime_budget * graph_base_seconds(g);
    p->allow_paging = s->paging;
    p->allow_remat = s->remat;
    p->max_computations = (int)s->max_computations;
    p->charge_pagein_transfer = strcmp(s->charge_pagein, "transfer") == 0;
    p->deadline_includes_paging = s->deadline_includes_paging;
    return 0;
}

int poetbnb_setting(int index, poetbnb_setting_info *info)
{
    if (index < 0 || index >= ROWS)
        return -1;
    const row *r = &table[index];
    *info = (poetbnb_setting_info){
        .name = r->name, .values = r->values, .initial = r->initial, .help = r->help};
    return 0;
}
