/* Draws the layers, then an order, then writes the nodes down in that order. */
#include "tests/oracle/scattered.h"

#include <assert.h>

#include "tests/oracle/draw.h"

typedef struct scattered {
    const layered_options *options;
    base_rng rng;
    int *inputs, *input_start;
    int input_count, capacity;
    bool *used; /* n */
} scattered;

/* The node that is being drawn reads this one, too. */
static void connect(scattered *s, int from, int begin)
{
    for (int k = begin; k < s->input_count; k++)
        if (s->inputs[k] == from)
            return;
    if (s->input_count == s->capacity) {
        s->capacity = 2 * s->capacity + 64;
        s->inputs = base_realloc(s->inputs, (size_t)s->capacity, sizeof *s->inputs);
    }
    s->inputs[s->input_count++] = from;
    s->used[from] = true;
}

/* Nodes begin..end-1 read the layer before..begin-1. */
static void draw_layer(scattered *s, int before, int begin, int end)
{
    for (int i = begin; i < end; i++) {
        const int first = s->input_start[i] = s->input_count;
        for (int k = draw_below(&s->rng, 2 * s->options->degree - 1); k >= 0; k--)
            connect(s,
                    draw_below(&s->rng, 8) ? before + draw_below(&s->rng, begin - before)
                                           : draw_below(&s->rng, begin),
                    first);
        for (int u = before + i - begin; u < begin; u += end - begin)
            if (!s->used[u])
                connect(s, u, first);
    }
}

static void draw_layers(scattered *s)
{
    const int n = s->options->nodes;
    s->input_start[0] = 0;
    for (int before = 0, begin = 1; begin < n;) {
        const int widest = n - begin < s->options->width ? n - begin : s->options->width;
        const int end = begin + 1 + draw_below(&s->rng, widest);
        draw_layer(s, before, begin, end);
        before = begin;
        begin = end;
    }
    s->input_start[n] = s->input_count;
}

/* place[i]: of node i in the order; at[k]: the node there. */
static void draw_order(scattered *s, int *place, int *at)
{
    const int n = s->options->nodes;
    int *ready = base_malloc((size_t)n, sizeof *ready), count = 1;
    int *waiting = base_malloc((size_t)n, sizeof *waiting);
    int *user = base_malloc((size_t)s->input_count, sizeof *user);
    int *user_start = base_calloc((size_t)n + 2, sizeof *user_start);
    assert(s->inputs != NULL); /* node 1 reads node 0 */
    for (int k = 0; k < s->input_count; k++)
        user_start[s->inputs[k] + 2]++;
    for (int i = 0; i < n; i++)
        user_start[i + 2] += user_start[i + 1];
    for (int i = 0; i < n; i++) {
        waiting[i] = s->input_start[i + 1] - s->input_start[i];
        for (int k = s->input_start[i]; k < s->input_start[i + 1]; k++)
            user[user_start[s->inputs[k] + 1]++] = i;
    }
    ready[0] = 0;
    for (int k = 0; k < n; k++) {
        const int i = ready[--count], before = count;
        place[i] = k;
        at[k] = i;
        for (int e = user_start[i]; e < user_start[i + 1]; e++)
            if (--waiting[user[e]] == 0) {
                const int other = before + draw_below(&s->rng, count - before + 1);
                ready[count++] = ready[other];
                ready[other] = user[e];
            }
    }
    base_free_all(ready, waiting, user, user_start);
}

/* The distance of the sum of three dice from its mean. */
static int64_t draw_bytes(scattered *s)
{
    const int sum =
        draw_below(&s->rng, 3000) + draw_below(&s->rng, 3000) + draw_below(&s->rng, 3000) - 4500;
    return 10 * (1 + (int64_t)(sum < 0 ? -sum : sum) / 6);
}

static graph *build(scattered *s, const int *place, const int *at, base_error *error)
{
    const layered_options *o = s->options;
    char name[64], (*names)[16] = base_calloc((size_t)o->nodes, sizeof *names);
    graph_node *nodes = base_calloc((size_t)o->nodes, sizeof *nodes);
    for (int k = 0; k < s->input_count; k++)
        s->inputs[k] = place[s->inputs[k]];
    for (int k = 0; k < o->nodes; k++) {
        const int i = at[k];
        const double cost = 1 + draw_below(&s->rng, 1000);
        snprintf(names[k], sizeof names[k], "node%d", i);
        nodes[k] = (graph_node){.name = names[k],
                                .inputs = &s->inputs[s->input_start[i]],
                                .input_count = s->input_start[i + 1] - s->input_start[i],
                                .bytes = draw_bytes(s),
                                .seconds = cost,
                                .joules = cost,
                                .pagein_seconds = cost,
                                .pageout_seconds = cost,
                                .pagein_joules = cost,
                                .pageout_joules = cost};
    }
    snprintf(name, sizeof name, "scattered-n%d-w%d-d%d-s%llu", o->nodes, o->width, o->degree,
             (unsigned long long)o->seed);
    graph *g = graph_create(name, nodes, o->nodes, error);
    base_free_all(nodes, names);
    return g;
}

graph *scattered_make(const layered_options *options, base_error *error)
{
    if (!layered_options_fit(options, error))
        return NULL;
    const size_t n = (size_t)options->nodes;
    scattered s = {.options = options,
                   .rng = {(options->seed << 12) + (uint64_t)options->nodes},
                   .input_start = base_calloc(n + 1, sizeof *s.input_start),
                   .used = base_calloc(n, sizeof *s.used)};
    int *place = base_malloc(n, sizeof *place), *at = base_malloc(n, sizeof *at);
    draw_layers(&s);
    draw_order(&s, place, at);
    graph *g = build(&s, place, at, error);
    base_free_all(s.inputs, s.input_start, s.used, place, at);
    return g;
}
