/* Draws a layered training graph: forward layers with skips, then the gradients in reverse
 * order. */
#include "tests/oracle/layered.h"

#include <string.h>

#include "tests/oracle/draw.h"

/* A node under construction. */
typedef struct vertex {
    int *inputs;
    int input_count, capacity;
    int64_t bytes, flops;
    bool used; /* by the layer after its own */
} vertex;

typedef struct layered {
    const layered_options *options;
    base_rng rng;
    vertex *v; /* extent options->nodes */
    int forward;
} layered;

layered_options layered_options_default(void)
{
    return (layered_options){
        .nodes = 50, .width = 3, .degree = 3, .seed = 1, .platform = platform_find("a72nocache")};
}

/* Adds the input unless it is there. */
static void connect(layered *l, int from, int to)
{
    vertex *v = &l->v[to];
    for (int k = 0; k < v->input_count; k++)
        if (v->inputs[k] == from)
            return;
    if (v->input_count == v->capacity) {
        v->capacity = 2 * v->capacity + 4;
        v->inputs = base_realloc(v->inputs, (size_t)v->capacity, sizeof *v->inputs);
    }
    v->inputs[v->input_count++] = from;
}

static void draw_costs(layered *l, int i)
{
    vertex *v = &l->v[i];
    v->bytes = (INT64_C(16384) << draw_below(&l->rng, 4)) * (1 + draw_below(&l->rng, 3));
    const int64_t each =
        draw_below(&l->rng, 2) ? 1 + draw_below(&l->rng, 4) : INT64_C(32) << draw_below(&l->rng, 6);
    v->flops = v->bytes / 4 * each;
}

/* Nodes begin..end-1 become a layer behind the one that begins at before; first is where the
 * earliest layer that may be read begins. */
static void draw_layer(layered *l, int first, int before, int begin, int end)
{
    for (int i = begin; i < end; i++) {
        const int nearest = before + draw_below(&l->rng, begin - before);
        connect(l, nearest, i);
        l->v[nearest].used = true;
        for (int more = draw_below(&l->rng, l->options->degree); more > 0; more--) {
            const int other = first + draw_below(&l->rng, begin - first);
            connect(l, other, i);
            l->v[other].used = true;
        }
        draw_costs(l, i);
    }
    for (int i = before; i < begin; i++)
        if (!l->v[i].used)
            connect(l, i, begin + draw_below(&l->rng, end - begin));
}

static void draw_forward(layered *l)
{
    int start[4] = {0, 0, 0, 0}; /* of the layers read so far, the last is the newest */
    const int loss = l->forward - 1;
    draw_costs(l, 0);
    l->v[0].flops = 0;
    for (int begin = 1; begin < loss;) {
        const int widest = loss - begin < l->options->width ? loss - begin : l->options->width;
        const int end = begin + 1 + draw_below(&l->rng, widest);
        draw_layer(l, start[1], start[3], begin, end);
        memmove(start, start + 1, 3 * sizeof *start);
        start[3] = begin;
        begin = end;
    }
    for (int i = start[3]; i < loss; i++)
        connect(l, i, loss);
    l->v[loss].bytes = 64;
    l->v[loss].flops = 4096;
}

/* The gradient of node i is node 2 * forward - 1 - i; those beyond the last node do not exist. */
static void draw_gradient(layered *l, int i)
{
    const int gradient = 2 * l->forward - 1 - i;
    vertex *g = &l->v[gradient];
    for (int user = i + 1; user < l->forward; user++)
        for (int k = 0; k < l->v[user].input_count; k++)
            if (l->v[user].inputs[k] == i)
                connect(l, 2 * l->forward - 1 - user, gradient);
    if (i == l->forward - 1 || l->v[i].input_count == 0 || draw_below(&l->rng, 2))
        connect(l, i, gradient);
    else
        for (int k = 0; k < l->v[i].input_count; k++)
            connect(l, l->v[i].inputs[k], gradient);
    g->bytes = l->v[i].bytes;
    g->flops = 2 * l->v[i].flops;
}

static graph *build(const layered *l, base_error *error)
{
    const layered_options *o = l->options;
    char name[64], (*names)[16] = base_calloc((size_t)o->nodes, sizeof *names);
    graph_node *nodes = base_calloc((size_t)o->nodes, sizeof *nodes);
    for (int i = 0; i < o->nodes; i++) {
        const vertex *v = &l->v[i];
        const bool backward = i >= l->forward;
        snprintf(names[i], sizeof names[i],
                 backward ? "grad%d"
                 : i == 0 ? "input%d"
                          : "node%d",
                 backward ? 2 * l->forward - 1 - i : i);
        nodes[i] = (graph_node){.name = names[i],
                                .inputs = v->inputs,
                                .input_count = v->input_count,
                                .bytes = v->bytes,
                                .backward = backward};
        platform_cost(o->platform, 1, v->flops, &nodes[i]);
    }
    snprintf(name, sizeof name, "layered-n%d-w%d-d%d-s%llu", o->nodes, o->width, o->degree,
             (unsigned long long)o->seed);
    graph *g = graph_create(name, nodes, o->nodes, error);
    base_free_all(nodes, names);
    return g;
}

bool layered_options_fit(const layered_options *options, base_error *error)
{
    if (options->nodes >= 4 && options->nodes <= GRAPH_MAX_NODES && options->width >= 1 &&
        options->degree >= 1)
        return true;
    base_fail(error, "a layered graph: expected 4 to %d nodes, width and degree at least 1",
              GRAPH_MAX_NODES);
    return false;
}

graph *layered_make(const layered_options *options, base_error *error)
{
    if (!layered_options_fit(options, error))
        return NULL;
    layered l = {.options = options,
                 .rng = {(options->seed << 12) + (uint64_t)options->nodes},
                 .forward = (options->nodes + 1) / 2,
                 .v = base_calloc((size_t)options->nodes, sizeof *l.v)};
    const size_t n = (size_t)options->nodes;
    draw_forward(&l);
    for (int i = l.forward - 1; i >= 0 && 2 * l.forward - 1 - i < options->nodes; i--)
        draw_gradient(&l, i);
    graph *g = build(&l, error);
    for (size_t i = 0; i < n; i++)
        base_free(l.v[i].inputs);
    base_free(l.v);
    return g;
}
