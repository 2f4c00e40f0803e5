/* Plans from JSON, and the choice between the two forms. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "plan/draft.h"
#include "problem/graph_json.h"
#include "problem/strict.h"

static int read_buffer(const json_t *value, const strict_place *place, const graph *g,
                       plan_buffer *buffer, base_error *error)
{
    int64_t bytes = -1;
    buffer->reg = -1;
    const strict_field fields[] = {
        STRICT_KEY("node", STRICT_INT, &buffer->node, .most = g->n - 1, .required = true),
        STRICT_KEY("offset", STRICT_INTEGER, &buffer->offset, .most = PROBLEM_MAX_BUDGET,
                   .required = true),
        STRICT_KEY("register", STRICT_INT, &buffer->reg, .most = INT32_MAX),
        STRICT_KEY("bytes", STRICT_INTEGER, &bytes, .most = GRAPH_MAX_BYTES)};
    if (STRICT_READ(value, place, fields, error))
        return -1;
    const int node = buffer->node;
    if (bytes >= 0 && bytes != g->bytes[node])
        return strict_fail(place, error, "node %d has %" PRId64 " bytes, not %" PRId64, node,
                           g->bytes[node], bytes);
    return 0;
}

static int read_step(const json_t *value, const strict_place *place, const graph *g, const plan *x,
                     plan_step *step, base_error *error)
{
    const char *name = "";
    int node = -1;
    int64_t work = -1;
    double time;
    const strict_field fields[] = {
        STRICT_KEY("op", STRICT_STRING, &name, .required = true),
        STRICT_KEY("buffer", STRICT_INT, &step->buffer, .most = x->buffer_count - 1,
                   .required = true),
        STRICT_KEY("node", STRICT_INT, &node, .most = x->n - 1),
        STRICT_KEY("start", STRICT_REAL, &time),
        STRICT_KEY("finish", STRICT_REAL, &time),
        STRICT_KEY("workspace_offset", STRICT_INTEGER, &work, .most = PROBLEM_MAX_BUDGET)};
    if (STRICT_READ(value, place, fields, error))
        return -1;
    for (step->op = PLAN_COMPUTE; strcmp(plan_op_name(step->op), name) != 0; step->op++)
        if (step->op == PLAN_FREE)
            return strict_fail(place, error, "\"%s\" is no operation", name);
    const int holds = x->buffer[step->buffer].node;
    if (node >= 0 && node != holds)
        return strict_fail(place, error, "buffer %d holds node %d, not %d", step->buffer, holds,
                           node);
    const bool works = step->op == PLAN_COMPUTE && g->workspace[holds] > 0;
    if (works != (work >= 0))
        return strict_fail(place, error,
                           works ? "node %d works in memory: its \"workspace_offset\" is missing"
                                 : "\"workspace_offset\", but no computation with a workspace "
                                   "(node %d)",
                           holds);
    step->workspace = works ? work : 0;
    return 0;
}

static int read_lists(const json_t *root, const strict_place *file, const graph *g, plan *x,
                      base_error *error)
{
    enum { MOST = 1 << 26 };
    const json_t *buffers = json_object_get(root, "buffers"),
                 *steps = json_object_get(root, "steps");
    const strict_place at_buffers = strict_key(file, "buffers"),
                       at_steps = strict_key(file, "steps");
    if (strict_array(buffers, &at_buffers, 1, MOST, error) ||
        strict_array(steps, &at_steps, 1, MOST, error))
        return -1;
    x->buffer_count = (int)json_array_size(buffers);
    x->step_count = (int)json_array_size(steps);
    x->buffer = base_calloc((size_t)x->buffer_count, sizeof *x->buffer);
    x->step = base_calloc((size_t)x->step_count, sizeof *x->step);
    for (int b = 0; b < x->buffer_count; b++) {
        const strict_place here = strict_index(&at_buffers, (size_t)b);
        if (read_buffer(json_array_get(buffers, (size_t)b), &here, g, &x->buffer[b], error))
            return -1;
    }
    for (int k = 0; k < x->step_count; k++) {
        const strict_place here = strict_index(&at_steps, (size_t)k);
        if (read_step(json_array_get(steps, (size_t)k), &here, g, x, &x->step[k], error))
            return -1;
    }
    base_error why;
    if (plan_check_shape(x, &why))
        return strict_fail(&at_steps, error, "%s", why.text);
    return 0;
}

/* Compares the file's figures and registers with the figures and registers of its steps. */
static int check_figures(const strict_place *file, const graph *g, plan *x, int64_t arena,
                         int64_t peak, int64_t registers, base_error *error)
{
    int *stated = base_malloc((size_t)x->buffer_count, sizeof *stated);
    for (int b = 0; b < x->buffer_count; b++)
        stated[b] = x->buffer[b].reg;
    plan_measure(g, x);
    int wrong = -1;
    for (int b = 0; b < x->buffer_count && wrong < 0; b++)
        if (stated[b] >= 0 && stated[b] != x->buffer[b].reg)
            wrong = b;
    int found = wrong >= 0 ? stated[wrong] : 0;
    base_free(stated);
    if (wrong >= 0)
        return strict_fail(file, error, "buffers[%d].register: %d where %d is the lowest free",
                           wrong, found, x->buffer[wrong].reg);
    const struct {
        const char *key;
        int64_t stated, measured;
    } figure[] = {{"arena_bytes", arena, x->arena_bytes},
                  {"peak_bytes", peak, x->peak_bytes},
                  {"registers", registers, x->register_count}};
    for (size_t k = 0; k < sizeof figure / sizeof *figure; k++) {
        const strict_place here = strict_key(file, figure[k].key);
        if (figure[k].stated >= 0 && figure[k].stated != figure[k].measured)
            return strict_fail(&here, error, "the file says %" PRId64 ", its steps %" PRId64,
                               figure[k].stated, figure[k].measured);
    }
    return 0;
}

static int from_json(const json_t *root, const strict_place *file, const graph *given,
                     plan_file *result, base_error *error)
{
    int64_t budget = 0, arena = -1, peak = -1, registers = -1;
    const strict_field fields[] = {
        STRICT_KEY("ram_budget_bytes", STRICT_INTEGER, &budget, .most = PROBLEM_MAX_BUDGET,
                   .required = true),
        STRICT_KEY("buffers", STRICT_ANY, NULL, .required = true),
        STRICT_KEY("steps", STRICT_ANY, NULL, .required = true),
        STRICT_KEY("graph", STRICT_ANY, NULL),
        STRICT_KEY("builtin", STRICT_ANY, NULL),
        STRICT_KEY("arena_bytes", STRICT_INTEGER, &arena, .most = INT64_MAX),
        STRICT_KEY("peak_bytes", STRICT_INTEGER, &peak, .most = INT64_MAX),
        STRICT_KEY("registers", STRICT_INTEGER, &registers, .most = INT32_MAX),
        STRICT_KEY("seconds", STRICT_ANY, NULL)};
    if (STRICT_READ(root, file, fields, error))
        return -1;
    result->graph = graph_source_read(root, file, error);
    if (!result->graph)
        return -1;
    if (given && plan_graph_crc(given) != plan_graph_crc(result->graph))
        return strict_fail(file, error, "the plan is for another graph");
    plan *x = result->plan = base_calloc(1, sizeof *x);
    x->n = result->graph->n;
    x->budget_bytes = budget;
    return read_lists(root, file, result->graph, x, error) ||
                   check_figures(file, result->graph, x, arena, peak, registers, error)
               ? -1
               : 0;
}

static int plan_read_json(const char *text, size_t size, const char *name, const graph *g,
                          plan_file *file, base_error *error)
{
    json_t *root;
    *file = (plan_file){0};
    if (strict_parse(text, size, name, NULL, &root, error))
        return -1;
    const strict_place place = strict_file(name);
    int failed = from_json(root, &place, g, file, error);
    json_decref(root);
    if (failed)
        plan_file_clear(file);
    return failed;
}

bool plan_file_detect(const char *text, size_t size)
{
    static const char key[] = "\"steps\"";
    if (plan_is_binary((const uint8_t *)text, size))
        return true;
    if (!memmem(text, size, key, sizeof key - 1)) /* a quick test that saves parsing most files */
        return false;
    json_error_t ignored;
    json_t *root = json_loadb(text, size, 0, &ignored);
    bool is = json_is_object(root) && json_object_get(root, "steps");
    json_decref(root);
    return is;
}

int plan_file_parse(const char *text, size_t size, const char *name, const graph *g,
                    plan_file *file, base_error *error)
{
    if (plan_is_binary((const uint8_t *)text, size))
        return plan_read_binary((const uint8_t *)text, size, name, g, file, error);
    return plan_read_json(text, size, name, g, file, error);
}
