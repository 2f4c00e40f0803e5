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
    static const char *const required[] = {"model", "platform", NULL};
    static const char *const optional[] = {"batch_size", "backward", "mem_power_scale", NULL};
    const char *model = NULL, *device = NULL, *backward = "published";
    network_options options = network_options_default();
    int64_t batch_size = options.batch_size;
    if (strict_object(value, place, required, optional, error) ||
        strict_get_string(value, "model", place, &model, error) ||
        strict_get_string(value, "platform", place, &device, error) ||
        strict_get_string(value, "backward", place, &backward, error) ||
        strict_get_integer(value, "batch_size", place, 1, LAYER_MAX_BATCH, &batch_size, error) ||
        strict_get_real(value, "mem_power_scale", place, false, &options.mem_power_scale, error))
        return NULL;
    options.batch_size = (int)batch_size;
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

static bool is_stated(const json_t *root, const char *key)
{
    const json_t *value = json_object_get(root, key);
    return value && !json_is_null(value);
}

static int read_claims(const json_t *root, const strict_place *file, schedule_file *f,
                       base_error *error)
{
    const struct {
        const char *key;
        double *target;
    } claims[] = {
        {"energy_joules", &f->energy_joules},
        {"overhead_joules", &f->overhead_joules},
        {"lower_bound_overhead_joules", &f->lower_bound_overhead_joules},
        {"compute_seconds", &f->compute_seconds},
    };
    for (size_t k = 0; k < sizeof claims / sizeof *claims; k++) {
        *claims[k].target = NAN;
        if (is_stated(root, claims[k].key) &&
            strict_get_real(root, claims[k].key, file, true, claims[k].target, error))
            return -1;
    }
    f->peak_bytes = -1;
    const char *method = NULL, *status = NULL;
    if ((is_stated(root, "peak_bytes") &&
         strict_get_integer(root, "peak_bytes", file, 0, INT64_MAX, &f->peak_bytes, error)) ||
        strict_get_string(root, "method", file, &method, error) ||
        strict_get_string(root, "status", file, &status, error))
        return -1;
    f->method = method ? base_strdup(method) : NULL;
    f->status = status ? base_strdup(status) : NULL;
    return 0;
}

static int read_problem(const json_t *root, const strict_place *file, problem *p, base_error *error)
{
    int64_t computations = p->max_computations;
    if (strict_get_integer(root, "ram_budget_bytes", file, 0, PROBLEM_MAX_BUDGET,
                           &p->ram_budget_bytes, error) ||
        (is_stated(root, "deadline_seconds") &&
         strict_get_real(root, "deadline_seconds", file, false, &p->deadline_seconds, error)) ||
        strict_get_bool(root, "allow_paging", file, &p->allow_paging, error) ||
        strict_get_bool(root, "allow_remat", file, &p->allow_remat, error) ||
        strict_get_integer(root, "max_computations", file, 1, INT_MAX, &computations, error) ||
        strict_get_bool(root, "charge_pagein_transfer", file, &p->charge_pagein_transfer, error) ||
        strict_get_bool(root, "deadline_includes_paging", file, &p->deadline_includes_paging,
                        error))
        return -1;
    p->max_computations = (int)computations;
    const strict_place deadline = strict_key(file, "deadline_seconds");
    if (isfinite(p->deadline_seconds) && p->deadline_seconds > PROBLEM_MAX_DEADLINE)
        return strict_fail(&deadline, error, "%g; null or at most %g is expected",
                           p->deadline_seconds, PROBLEM_MAX_DEADLINE);
    return 0;
}

static int schedule_file_from_json(const json_t *root, const strict_place *file, schedule_file *f,
                                   base_error *error)
{
    static const char *const required[] = {"ram_budget_bytes", "R", "S", "A", "In", "Out", NULL};
    static const char *const optional[] = {"graph",
                                           "builtin",
                                           "deadline_seconds",
                                           "method",
                                           "status",
                                           "energy_joules",
                                           "overhead_joules",
                                           "lower_bound_overhead_joules",
                                           "peak_bytes",
                                           "compute_seconds",
                                           "allow_paging",
                                           "allow_remat",
                                           "max_computations",
                                           "charge_pagein_transfer",
                                           "deadline_includes_paging",
                                           NULL};
    if (strict_object(root, file, required, optional, error))
        return -1;
    f->graph = graph_source_read(root, file, error);
    if (!f->graph)
        return -1;
    f->problem = problem_make(f->graph, 0);
    if (read_problem(root, file, &f->problem, error) || read_claims(root, file, f, error))
        return -1;
    f->schedule = read_matrices(root, file, f->graph->n, error);
    return f->schedule ? 0 : -1;
}

/* Takes the reference to root. */
static schedule_file *take_root(json_t *root, const char *name, base_error *error)
{
    const strict_place file = strict_file(name);
    schedule_file *f = base_calloc(1, sizeof *f);
    if (schedule_file_from_json(root, &file, f, error)) {
        schedule_file_free(f);
        f = NULL;
    }
    json_decref(root);
    return f;
}

schedule_file *schedule_file_read(const char *path, base_error *error)
{
    json_t *root;
    if (strict_load(path, &root, error))
        return NULL;
    return take_root(root, path, error);
}

schedule_file *schedule_file_parse(const char *text, size_t size, const char *name, size_t *length,
                                   base_error *error)
{
    json_t *root;
    if (strict_parse(text, size, name, length, &root, error))
        return NULL;
    return take_root(root, name, error);
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

void schedule_file_print(const schedule_file *file, FILE *out)
{
    const problem *p = &file->problem;
    assert(p->graph == file->graph && file->schedule->n == file->graph->n);
    fputs("{", out);
    graph_source_print(file->graph, out);
    fprintf(out, ",\n\"ram_budget_bytes\": %lld", (long long)p->ram_budget_bytes);
    print_real("deadline_seconds", p->deadline_seconds, true, out);
    print_flag("allow_paging", p->allow_paging, true, out);
    print_flag("allow_remat", p->allow_remat, true, out);
    if (p->max_computations < INT_MAX)
        fprintf(out, ",\n\"max_computations\": %d", p->max_computations);
    print_flag("charge_pagein_transfer", p->charge_pagein_transfer, false, out);
    print_flag("deadline_includes_paging", p->deadline_includes_paging, false, out);
    print_text("method", file->method, out);
    print_text("status", file->status, out);
    print_real("energy_joules", file->energy_joules, false, out);
    print_real("overhead_joules", file->overhead_joules, false, out);
    print_real("lower_bound_overhead_joules", file->lower_bound_overhead_joules, true, out);
    if (file->peak_bytes >= 0)
        fprintf(out, ",\n\"peak_bytes\": %lld", (long long)file->peak_bytes);
    print_real("compute_seconds", file->compute_seconds, false, out);
    for (int k = 0; k < MATRIX_COUNT; k++)
        print_matrix(file->schedule, k, out);
    fputs("}", out);
}

void schedule_print(const problem *p, const schedule *s, const validation *v, const char *method,
                    const char *status, double bound, FILE *out)
{
    const schedule_file file = {.graph = (graph *)p->graph, /* all of it is only read */
                                .problem = *p,
                                .schedule = (schedule *)s,
                                .method = (char *)method,
                                .status = (char *)status,
                                .energy_joules = v ? v->energy_joules : NAN,
                                .overhead_joules = v ? v->overhead_joules : NAN,
                                .lower_bound_overhead_joules = bound,
                                .compute_seconds = v ? v->compute_seconds : NAN,
                                .peak_bytes = v ? v->peak_bytes : -1};
    schedule_file_print(&file, out);
    fputc('\n', out);
}
