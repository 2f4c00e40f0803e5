/* Schedule files: the graph or its built-in names, the problem, claims and matrices. */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "problem/graph_json.h"
#include "problem/json.h"
#include "problem/strict.h"

enum { MATRIX_COUNT = 5 };

static const char *const matrix_name[MATRIX_COUNT] = {"R", "S", "A", "In", "Out"};

static uint8_t *matrix_of(const schedule *s, int k)
{
    uint8_t *const matrix[MATRIX_COUNT] = {s->R, s->S, s->A, s->In, s->Out};
    return matrix[k];
}

/* ---- reading ----------------------------------------------------------------- */

/* [t, i], or [t, i, u] for the cells of stages t to u. */
static int read_cells(const json_t *value, const strict_place *place, schedule *s, int k,
                      base_error *error)
{
    const strict_place stage = strict_index(place, 0), node = strict_index(place, 1),
                       last = strict_index(place, 2);
    int64_t t, i, u;
    if (strict_array(value, place, 2, 3, error) ||
        strict_integer(json_array_get(value, 0), &stage, 0, s->n - 1, &t, error) ||
        strict_integer(json_array_get(value, 1), &node, 0, s->n - 1, &i, error))
        return -1;
    if (k == 0 ? i > t : i >= t)
        return strict_fail(place, error, "[%d, %d]: in %s a node number %s the stage is expected",
                           (int)t, (int)i, matrix_name[k], k == 0 ? "up to" : "below");
    u = t;
    if (json_array_size(value) == 3 &&
        strict_integer(json_array_get(value, 2), &last, t, s->n - 1, &u, error))
        return -1;
    for (uint8_t *matrix = matrix_of(s, k); t <= u; t++) {
        uint8_t *cell = &matrix[schedule_cell(s, (int)t, (int)i)];
        if (*cell)
            return strict_fail(place, error, "[%d, %d] appears twice", (int)t, (int)i);
        *cell = 1;
    }
    return 0;
}

static schedule *read_matrices(const json_t *root, const strict_place *file, int n,
                               base_error *error)
{
    schedule *s = schedule_create(n);
    for (int t = 0; t < n; t++)
        s->R[schedule_cell(s, t, t)] = 0;
    for (int k = 0; k < MATRIX_COUNT; k++) {
        const json_t *list = json_object_get(root, matrix_name[k]);
        const strict_place here = strict_key(file, matrix_name[k]);
        const size_t cells = (size_t)n * ((size_t)n + 1) / 2;
        bool good = strict_array(list, &here, 0, cells, error) == 0;
        for (size_t e = 0; good && e < json_array_size(list); e++) {
            const strict_place place = strict_index(&here, e);
            good = read_cells(json_array_get(list, e), &place, s, k, error) == 0;
        }
        if (!good) {
            schedule_free(s);
            return NULL;
        }
    }
    return s;
}

static graph *read_builtin(const json_t *value, const strict_place *place, base_error *error)
{
    const char *model = NULL, *device = NULL, *backward = "published";
    network_options options = network_options_default();
    const strict_field fields[] = {
        STRICT_KEY("model", STRICT_STRING, &model, .required = true),
        STRICT_KEY("platform", STRICT_STRING, &device, .required = true),
        STRICT_KEY("backward", STRICT_STRING, &backward),
        STRICT_KEY("batch_size", STRICT_INT, &options.batch_size, .least = 1,
                   .most = LAYER_MAX_BATCH),
        STRICT_KEY("mem_power_scale", STRICT_REAL, &options.mem_power_scale)};
    if (STRICT_READ(value, place, fields, error))
        return NULL;
    base_error why;
    const platform *p = platform_find(device);
    if (!p) {
        strict_fail(place, error, "\"%s\" is not a built-in platform", device);
        return NULL;
    }
    graph *g = NULL;
    if (network_parse_backward(backward, &options.backward, &why) == 0)
        g = network_build(model, p, options, &why);
    if (!g)
        strict_fail(place, error, "%s", why.text);
    return g;
}

graph *graph_source_read(const json_t *root, const strict_place *file, base_error *error)
{
    const json_t *whole = json_object_get(root, "graph"),
                 *builtin = json_object_get(root, "builtin");
    if (!whole == !builtin) {
        strict_fail(file, error, "one of the keys \"graph\" and \"builtin\" is expected%s",
                    whole ? ", not both" : "");
        return NULL;
    }
    const strict_place here = strict_key(file, whole ? "graph" : "builtin");
    return whole ? graph_from_json(whole, &here, NULL, error) : read_builtin(builtin, &here, error);
}

static int schedule_file_from_json(const json_t *root, const strict_place *file, schedule_file *f,
                                   base_error *error)
{
    const char *method = NULL, *status = NULL;
    problem p = problem_make(NULL, 0);
    f->energy_joules = f->overhead_joules = f->lower_bound_overhead_joules = f->compute_seconds =
        NAN;
    f->peak_bytes = -1;
    const strict_field fields[] = {
        STRICT_KEY("ram_budget_bytes", STRICT_INTEGER, &p.ram_budget_bytes,
                   .most = PROBLEM_MAX_BUDGET, .required = true),
        STRICT_KEY("R", STRICT_ANY, NULL, .required = true),
        STRICT_KEY("S", STRICT_ANY, NULL, .required = true),
        STRICT_KEY("A", STRICT_ANY, NULL, .required = true),
        STRICT_KEY("In", STRICT_ANY, NULL, .required = true),
        STRICT_KEY("Out", STRICT_ANY, NULL, .required = true),
        STRICT_KEY("graph", STRICT_ANY, NULL),
        STRICT_KEY("builtin", STRICT_ANY, NULL),
        STRICT_KEY("deadline_seconds", STRICT_REAL, &p.deadline_seconds, .nullable = true),
        STRICT_KEY("allow_paging", STRICT_BOOL, &p.allow_paging),
        STRICT_KEY("allow_remat", STRICT_BOOL, &p.allow_remat),
        STRICT_KEY("max_computations", STRICT_INT, &p.max_computations, .least = 1,
                   .most = INT_MAX),
        STRICT_KEY("charge_pagein_transfer", STRICT_BOOL, &p.charge_pagein_transfer),
        STRICT_KEY("deadline_includes_paging", STRICT_BOOL, &p.deadline_includes_paging),
        STRICT_KEY("method", STRICT_STRING, &method),
        STRICT_KEY("status", STRICT_STRING, &status),
        STRICT_KEY("energy_joules", STRICT_SIGNED, &f->energy_joules, .nullable = true),
        STRICT_KEY("overhead_joules", STRICT_SIGNED, &f->overhead_joules, .nullable = true),
        STRICT_KEY("lower_bound_overhead_joules", STRICT_SIGNED, &f->lower_bound_overhead_joules,
                   .nullable = true),
        STRICT_KEY("compute_seconds", STRICT_SIGNED, &f->compute_seconds, .nullable = true),
        STRICT_KEY("peak_bytes", STRICT_INTEGER, &f->peak_bytes, .most = INT64_MAX,
                   .nullable = true)};
    if (STRICT_READ(root, file, fields, error))
        return -1;
    f->graph = graph_source_read(root, file, error);
    if (!f->graph)
        return -1;
    p.graph = f->graph;
    f->problem = p;
    f->method = method ? base_strdup(method) : NULL;
    f->status = status ? base_strdup(status) : NULL;
    const strict_place deadline = strict_key(file, "deadline_seconds");
    if (isfinite(p.deadline_seconds) && p.deadline_seconds > PROBLEM_MAX_DEADLINE)
        return strict_fail(&deadline, error, "%g; null or at most %g is expected",
                           p.deadline_seconds, PROBLEM_MAX_DEADLINE);
    f->schedule = read_matrices(root, file, f->graph->n, error);
    return f->schedule ? 0 : -1;
}

schedule_file *schedule_file_parse(const char *text, size_t size, const char *name, size_t *length,
                                   base_error *error)
{
    json_t *root;
    const strict_place file = strict_file(name);
    if (strict_parse(text, size, name, length, &root, error))
        return NULL;
    schedule_file *f = base_calloc(1, sizeof *f);
    if (schedule_file_from_json(root, &file, f, error)) {
        schedule_file_free(f);
        f = NULL;
    }
    json_decref(root);
    return f;
}

void schedule_file_free(schedule_file *file)
{
    if (!file)
        return;
    graph_free(file->graph);
    schedule_free(file->schedule);
    base_free_all(file->method, file->status, file);
}

/* ---- writing ----------------------------------------------------------------- */

void graph_source_print(const graph *g, FILE *out)
{
    if (!g->model || !platform_find(g->platform)) {
        fputs("\"graph\": ", out);
        graph_print(g, out);
        return;
    }
    fputs("\"builtin\": {\"model\": ", out);
    strict_print_string(g->model, out);
    fputs(", \"platform\": ", out);
    strict_print_string(g->platform, out);
    fprintf(out, ", \"batch_size\": %d, \"backward\": ", g->batch_size);
    strict_print_string(g->backward_style, out);
    if (g->mem_power_scale != 1.0) {
        fputs(", \"mem_power_scale\": ", out);
        strict_print_real(g->mem_power_scale, out);
    }
    fputs("}", out);
}

static void print_flag(const char *key, bool value, bool usual, FILE *out)
{
    if (value != usual)
        fprintf(out, ",\n\"%s\": %s", key, value ? "true" : "false");
}

static void print_real(const char *key, double value, bool even_null, FILE *out)
{
    if (!isfinite(value) && !even_null)
        return;
    fprintf(out, ",\n\"%s\": ", key);
    strict_print_real(value, out);
}

static void print_text(const char *key, const char *value, FILE *out)
{
    if (!value)
        return;
    fprintf(out, ",\n\"%s\": ", key);
    strict_print_string(value, out);
}

static void print_matrix(const schedule *s, int k, FILE *out)
{
    const uint8_t *matrix = matrix_of(s, k);
    const char *between = "";
    fprintf(out, ",\n\"%s\": [", matrix_name[k]);
    for (int t = 0; t < s->n; t++)
        for (int i = 0; i <= t; i++) {
            if (!matrix[schedule_cell(s, t, i)] || (t > i && matrix[schedule_cell(s, t - 1, i)]))
                continue;
            int u = t;
            while (u + 1 < s->n && matrix[schedule_cell(s, u + 1, i)])
                u++;
            fprintf(out, u > t ? "%s[%d,%d,%d]" : "%s[%d,%d]", between, t, i, u);
            between = ",";
        }
    fputs("]", out);
}

void schedule_print(const problem *p, const schedule *s, const validation *v, const char *method,
                    const char *status, double bound, FILE *out)
{
    assert(s->n == p->graph->n);
    fputs("{", out);
    graph_source_print(p->graph, out);
    fprintf(out, ",\n\"ram_budget_bytes\": %lld", (long long)p->ram_budget_bytes);
    print_real("deadline_seconds", p->deadline_seconds, true, out);
    print_flag("allow_paging", p->allow_paging, true, out);
    print_flag("allow_remat", p->allow_remat, true, out);
    if (p->max_computations < INT_MAX)
        fprintf(out, ",\n\"max_computations\": %d", p->max_computations);
    print_flag("charge_pagein_transfer", p->charge_pagein_transfer, false, out);
    print_flag("deadline_includes_paging", p->deadline_includes_paging, false, out);
    print_text("method", method, out);
    print_text("status", status, out);
    print_real("energy_joules", v ? v->energy_joules : NAN, false, out);
    print_real("overhead_joules", v ? v->overhead_joules : NAN, false, out);
    print_real("lower_bound_overhead_joules", bound, true, out);
    if (v && v->peak_bytes >= 0)
        fprintf(out, ",\n\"peak_bytes\": %lld", (long long)v->peak_bytes);
    print_real("compute_seconds", v ? v->compute_seconds : NAN, false, out);
    for (int k = 0; k < MATRIX_COUNT; k++)
        print_matrix(s, k, out);
    fputs("}\n", out);
}
