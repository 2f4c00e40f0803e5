/* The binary form; the format is in docs/formats.md, "Binary plans". */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/buffer.h"
#include "base/number.h"
#include "plan/draft.h"
#include "problem/network.h"

static const char magic[4] = {'P', 'X', 'P', '1'};
static const char magic_work[4] = {'P', 'X', 'P', '2'}; /* format of plans with workspaces */

/* ---- bytes --------------------------------------------------------------------------- */

static uint32_t checksum(const void *data, size_t size)
{
    return (uint32_t)crc32_z(0, data, size);
}

static void put_byte(text_buffer *w, uint8_t byte)
{
    text_append(w, &byte, 1);
}

static void put_number(text_buffer *w, uint64_t value)
{
    for (; value >= 128; value >>= 7)
        put_byte(w, (uint8_t)(value | 128));
    put_byte(w, (uint8_t)value);
}

static void put_word(text_buffer *w, uint32_t value)
{
    for (int k = 0; k < 4; k++)
        put_byte(w, (uint8_t)(value >> (8 * k)));
}

static void put_text(text_buffer *w, const char *text)
{
    put_number(w, strlen(text));
    text_append(w, text, strlen(text));
}

/* After the first failure all reads give 0. */
typedef struct reader {
    const uint8_t *data;
    size_t size, at;
    bool failed;
} reader;

static uint8_t get_byte(reader *r)
{
    if (r->at >= r->size)
        r->failed = true;
    return r->failed ? 0 : r->data[r->at++];
}

/* Reads a number of at most `most`. Refuses a longer form than needed, so that each plan has one
 * form. */
static uint64_t get_number(reader *r, uint64_t most)
{
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        uint8_t byte = get_byte(r);
        if (shift == 63 && byte > 1)
            break;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            r->failed = r->failed || value > most || (shift > 0 && byte == 0);
            return r->failed ? 0 : value;
        }
    }
    r->failed = true;
    return 0;
}

static uint32_t get_word(reader *r)
{
    uint32_t value = 0;
    for (int k = 0; k < 4; k++)
        value |= (uint32_t)get_byte(r) << (8 * k);
    return value;
}

enum { TEXT_SIZE = 128 };

static void get_text(reader *r, char text[TEXT_SIZE])
{
    size_t length = (size_t)get_number(r, TEXT_SIZE - 1);
    for (size_t k = 0; k < length; k++)
        text[k] = (char)get_byte(r);
    text[length] = '\0';
    r->failed = r->failed || strlen(text) != length;
}

uint32_t plan_graph_crc(const graph *g)
{
    text_buffer w = {0};
    for (int i = 0; i < g->n; i++) {
        put_number(&w, (uint64_t)g->bytes[i]);
        put_number(&w, (uint64_t)(g->input_start[i + 1] - g->input_start[i]));
        for (int e = g->input_start[i]; e < g->input_start[i + 1]; e++)
            put_number(&w, (uint64_t)g->input[e]);
    }
    for (int i = 0; i < g->n && graph_has_workspaces(g); i++)
        put_number(&w, (uint64_t)g->workspace[i]);
    uint32_t crc = checksum(w.data, w.size);
    base_free(w.data);
    return crc;
}

bool plan_is_binary(const uint8_t *data, size_t size)
{
    return size >= sizeof magic &&
           (memcmp(data, magic, sizeof magic) == 0 || memcmp(data, magic_work, sizeof magic) == 0);
}

/* ---- writing ----------------------------------------------------------------------------- */

static int compare_offsets(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* True if a step computes a node with a workspace. */
static bool is_working(const graph *g, const plan *x, int k)
{
    return x->step[k].op == PLAN_COMPUTE && g->workspace[x->buffer[x->step[k].buffer].node] > 0;
}

/* Distinct offsets, ascending; *count: their number. A fresh block. */
static int64_t *offset_table(const graph *g, const plan *x, int *count)
{
    int64_t *table =
        base_malloc((size_t)x->buffer_count + (size_t)x->step_count + 1, sizeof *table);
    int used = 0;
    for (int b = 0; b < x->buffer_count; b++)
        table[used++] = x->buffer[b].offset;
    for (int k = 0; k < x->step_count; k++)
        if (is_working(g, x, k))
            table[used++] = x->step[k].workspace;
    qsort(table, (size_t)used, sizeof *table, compare_offsets);
    *count = 0;
    for (int b = 0; b < used; b++)
        if (*count == 0 || table[b] != table[*count - 1])
            table[(*count)++] = table[b];
    return table;
}

static int find_offset(const int64_t *table, int count, int64_t offset)
{
    const int64_t *found = bsearch(&offset, table, (size_t)count, sizeof *table, compare_offsets);
    assert(found);
    return (int)(found - table);
}

static void put_header(text_buffer *w, const graph *g, const plan *x)
{
    const bool builtin = g->model && platform_find(g->platform);
    const char *begin = graph_has_workspaces(g) ? magic_work : magic;
    text_append(w, begin, sizeof magic);
    put_number(w, (uint64_t)x->n);
    put_word(w, plan_graph_crc(g));
    put_text(w, builtin ? g->model : "");
    put_text(w, builtin ? g->platform : "");
    put_number(w, (uint64_t)(builtin ? g->batch_size : 1));
    put_number(w, builtin && strcmp(g->backward_style, "autodiff") == 0);
    put_number(w, (uint64_t)x->budget_bytes);
}

static void put_offsets(text_buffer *w, const int64_t *table, int count)
{
    int64_t unit = 0, previous = 0;
    for (int k = 0; k < count; k++)
        unit = base_gcd(unit, table[k]);
    unit = unit ? unit : 1;
    put_number(w, (uint64_t)unit);
    put_number(w, (uint64_t)count);
    for (int k = 0; k < count; k++) {
        put_number(w, (uint64_t)((table[k] - previous) / unit));
        previous = table[k];
    }
}

/* Writes the steps (docs/formats.md, "Binary plans"). mark as in plan_write_binary. */
static void put_steps(text_buffer *w, const graph *g, const plan *x, const int64_t *table,
                      int count, size_t *mark)
{
    const bool works = graph_has_workspaces(g);
    int done = 0;
    put_number(w, (uint64_t)x->step_count);
    for (int k = 0; k < x->step_count; k++) {
        const plan_step *step = &x->step[k];
        const plan_buffer *buffer = &x->buffer[step->buffer];
        const bool writes = step->op == PLAN_COMPUTE || step->op == PLAN_PAGEIN;
        assert(buffer->node <= done);
        if (mark)
            mark[k] = w->size;
        const int argument = writes ? done - buffer->node : buffer->reg;
        put_number(w, 4 * (uint64_t)argument + (uint64_t)step->op);
        if (writes)
            put_number(w, (uint64_t)find_offset(table, count, buffer->offset));
        if (works && is_working(g, x, k))
            put_number(w, 1 + (uint64_t)find_offset(table, count, step->workspace));
        else if (works && step->op == PLAN_COMPUTE)
            put_number(w, 0);
        done += step->op == PLAN_COMPUTE && buffer->node == done;
    }
}

uint8_t *plan_write_binary(const graph *g, const plan *x, size_t *size, size_t *mark)
{
    text_buffer w = {0};
    int count;
    int64_t *table = offset_table(g, x, &count);
    put_header(&w, g, x);
    put_offsets(&w, table, count);
    put_steps(&w, g, x, table, count, mark);
    if (mark)
        mark[x->step_count] = w.size;
    put_word(&w, checksum(w.data, w.size));
    base_free(table);
    *size = w.size;
    return (uint8_t *)w.data;
}

/* ---- reading ------------------------------------------------------------------------------- */

typedef struct header {
    int n, batch_size;
    uint32_t crc;
    char model[TEXT_SIZE], platform[TEXT_SIZE];
    bool autodiff;
    int64_t budget;
} header;

static header get_header(reader *r)
{
    header h = {0};
    r->at += sizeof magic;
    h.n = (int)get_number(r, GRAPH_MAX_NODES);
    h.crc = get_word(r);
    get_text(r, h.model);
    get_text(r, h.platform);
    h.batch_size = (int)get_number(r, LAYER_MAX_BATCH);
    h.autodiff = get_number(r, 1) == 1;
    h.budget = (int64_t)get_number(r, PROBLEM_MAX_BUDGET);
    return h;
}

/* The graph of the plan: the given one, or the built-in one, which is then *built. */
static const graph *find_graph(const header *h, const char *name, const graph *given, graph **built,
                               base_error *error)
{
    base_error why;
    const graph *g = given;
    const platform *p = h->platform[0] ? platform_find(h->platform) : NULL;
    if (!g && p) {
        network_options options = network_options_default();
        options.batch_size = h->batch_size;
        options.backward = h->autodiff ? LAYER_BACKWARD_AUTODIFF : LAYER_BACKWARD_PUBLISHED;
        g = *built = network_build(h->model, p, options, &why);
        if (!g) {
            base_fail(error, "%s: %s", name, why.text);
            return NULL;
        }
    }
    if (!g) {
        base_fail(error,
                  "%s: a binary plan does not hold its graph, and this one is for no built-in "
                  "network on a built-in platform: expected the graph beside it (--graph FILE)",
                  name);
        return NULL;
    }
    if (g->n != h->n || plan_graph_crc(g) != h->crc) {
        base_fail(error, "%s: the plan is for another graph", name);
        return NULL;
    }
    return g;
}

static int64_t *get_offsets(reader *r, int *count)
{
    const int64_t unit = (int64_t)get_number(r, PROBLEM_MAX_BUDGET);
    *count = (int)get_number(r, r->size); /* at least one byte each */
    int64_t *table = base_calloc((size_t)*count + 1, sizeof *table);
    int64_t previous = 0;
    for (int k = 0; k < *count && !r->failed; k++) {
        uint64_t units = get_number(r, PROBLEM_MAX_BUDGET);
        if (unit <= 0 || units > (uint64_t)((PROBLEM_MAX_BUDGET - previous) / unit))
            r->failed = true;
        else
            table[k] = previous += (int64_t)units * unit;
    }
    return table;
}

/* Reads the number of a workspace's offset in the table, from 1 on; 0: no workspace. Returns the
 * offset. Fails if the number does not agree with `has`: the node has a workspace. */
static int64_t get_workspace(reader *r, const int64_t *table, int count, bool has)
{
    const int number = (int)get_number(r, (uint64_t)count);
    r->failed = r->failed || has != (number > 0);
    return r->failed || !has ? 0 : table[number - 1];
}

/* Reads the steps, which refer to registers; tracks the buffer in each register. */
static void get_steps(reader *r, const graph *g, const int64_t *table, int count, plan *x)
{
    const bool works = graph_has_workspaces(g);
    x->step_count = (int)get_number(r, r->size);
    x->step = base_calloc((size_t)x->step_count + 1, sizeof *x->step);
    x->buffer = base_calloc((size_t)x->step_count + 1, sizeof *x->buffer);
    int *holder = base_malloc((size_t)x->step_count + 1, sizeof *holder); /* buffer of a register */
    for (int k = 0; k <= x->step_count; k++)
        holder[k] = -1;
    int done = 0, lowest = 0; /* no register below it is free */
    for (int k = 0; k < x->step_count && !r->failed; k++) {
        const uint64_t number = get_number(r, (uint64_t)4 * INT32_MAX);
        const plan_op op = (plan_op)(number % 4);
        const int argument = (int)(number / 4);
        if (op == PLAN_COMPUTE || op == PLAN_PAGEIN) {
            const int offset = (int)get_number(r, (uint64_t)count);
            while (holder[lowest] >= 0)
                lowest++;
            if (argument > done || done - argument >= x->n || offset >= count) {
                r->failed = true;
                break;
            }
            holder[lowest] = x->buffer_count;
            x->buffer[x->buffer_count] = (plan_buffer){done - argument, lowest, table[offset]};
            x->step[k] = (plan_step){.op = op, .buffer = x->buffer_count++};
            if (works && op == PLAN_COMPUTE)
                x->step[k].workspace =
                    get_workspace(r, table, count, g->workspace[done - argument] > 0);
            done += op == PLAN_COMPUTE && argument == 0;
        } else if (argument >= x->step_count || holder[argument] < 0) {
            r->failed = true;
        } else {
            x->step[k] = (plan_step){.op = op, .buffer = holder[argument]};
            if (op == PLAN_FREE)
                holder[argument] = -1;
            if (op == PLAN_FREE && argument < lowest)
                lowest = argument;
        }
    }
    base_free(holder);
}

static int fail_binary(plan_file *file, const char *name, const reader *r, base_error *error)
{
    plan_file_clear(file);
    return base_fail(error, "%s: byte %zu: not a plan from here on", name, r->at);
}

int plan_read_binary(const uint8_t *data, size_t size, const char *name, const graph *given,
                     plan_file *file, base_error *error)
{
    *file = (plan_file){0};
    if (!plan_is_binary(data, size) || size < sizeof magic + 4)
        return base_fail(error, "%s: not a binary plan", name);
    reader r = {.data = data, .size = size, .at = size - 4};
    if (get_word(&r) != checksum(data, size - 4))
        return base_fail(error, "%s: the check sum is wrong: damaged or cut off", name);
    r = (reader){.data = data, .size = size - 4};
    header h = get_header(&r);
    if (r.failed)
        return fail_binary(file, name, &r, error);
    const graph *g = find_graph(&h, name, given, &file->graph, error);
    if (!g) {
        plan_file_clear(file);
        return -1;
    }
    plan *x = file->plan = base_calloc(1, sizeof *x);
    x->n = h.n;
    x->budget_bytes = h.budget;
    int count;
    int64_t *table = get_offsets(&r, &count);
    if (!r.failed)
        get_steps(&r, g, table, count, x);
    base_free(table);
    const bool other = graph_has_workspaces(g) != (memcmp(data, magic_work, sizeof magic) == 0);
    if (other || r.failed || r.at != r.size || plan_check_shape(x, error))
        return fail_binary(file, name, &r, error);
    plan_measure(g, x);
    return 0;
}
