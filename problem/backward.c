/* The training graph of a list of layers: forward nodes and their gradients. */
#include "problem/layer.h"

#include <assert.h>
#include <stdio.h>

enum { BYTES_PER_ELEMENT = 4, NAME_SIZE = 40 };

/* The activation that the derivative of a layer reads beside the incoming gradient. */
static const struct {
    const char *name;
    bool reads_input, reads_output;
} kind_table[LAYER_KIND_COUNT] = {
    [LAYER_INPUT] = {"input", false, false},
    [LAYER_CONV] = {"conv", true, false},
    [LAYER_LINEAR] = {"linear", true, false},
    [LAYER_LINEAR_RELU] = {"linear_relu", true, true},
    [LAYER_BATCHNORM] = {"batchnorm", true, false},
    [LAYER_RELU] = {"relu", false, true},
    [LAYER_ADD] = {"add", false, false},
    [LAYER_FLATTEN] = {"flatten", false, false},
    [LAYER_DROPOUT] = {"dropout", false, true},
    [LAYER_MAXPOOL] = {"maxpool", true, true},
    [LAYER_AVGPOOL] = {"avgpool", false, false},
    [LAYER_CROSS_ENTROPY] = {"cross_entropy", true, true},
    [LAYER_QKV] = {"qkv", true, false},
    [LAYER_QKT] = {"qkt", true, true},
    [LAYER_QKTV] = {"qktv", true, false},
};

/* The nodes under construction; node k reads inputs[input_start[k]...]. */
typedef struct builder {
    const layer_list *list;
    const platform *platform;
    double mem_power_scale;
    graph_node *nodes;
    char (*names)[NAME_SIZE];
    int *input_start; /* nodes point into inputs only at the end: it moves */
    int *inputs;
    int count, input_count, input_capacity;
} builder;

static void add_input(builder *b, int number)
{
    assert(number >= 0 && number < b->count);
    for (int k = b->input_start[b->count]; k < b->input_count; k++)
        if (b->inputs[k] == number)
            return;
    b->inputs = base_grow(b->inputs, b->input_count, &b->input_capacity, sizeof *b->inputs);
    b->inputs[b->input_count++] = number;
}

/* Closes the node after its inputs have been added; returns its number. */
static int finish_node(builder *b, const char *prefix, const layer *of, int64_t elements,
                       int64_t flops, bool backward)
{
    snprintf(b->names[b->count], NAME_SIZE, "%s%s%d", prefix, kind_table[of->kind].name,
             of->ordinal);
    b->nodes[b->count] = (graph_node){
        .name = b->names[b->count],
        .input_count = b->input_count - b->input_start[b->count],
        .bytes = BYTES_PER_ELEMENT * elements,
        .backward = backward,
    };
    platform_cost(b->platform, b->mem_power_scale, flops, &b->nodes[b->count]);
    b->input_start[b->count + 1] = b->input_count;
    return b->count++;
}

static void build_forward(builder *b, layer_backward style)
{
    for (int v = 0; v < b->list->count; v++) {
        const layer *l = &b->list->layers[v];
        for (int k = 0; k < l->input_count; k++)
            add_input(b, l->input[k]);
        if (style == LAYER_BACKWARD_AUTODIFF && l->hidden_input >= 0)
            add_input(b, l->hidden_input);
        finish_node(b, "", l, l->elements, l->flops, false);
    }
}

static void build_published(builder *b)
{
    const layer *layers = b->list->layers;
    int previous = -1;
    for (int later = b->list->count - 1; later > 0; later--) {
        const int earlier = later - 1;
        add_input(b, earlier);
        add_input(b, later);
        if (previous >= 0)
            add_input(b, previous);
        previous = finish_node(b, "grad_", &layers[earlier], layers[later].elements,
                               2 * layers[earlier].flops, true);
    }
}

static void build_autodiff(builder *b)
{
    const int count = b->list->count;
    /* gradient[v] = the node that is the gradient of layer v. */
    int *gradient = base_calloc((size_t)count, sizeof *gradient);
    for (int v = count - 1; v >= 0; v--) {
        const layer *l = &b->list->layers[v];
        if (l->kind == LAYER_INPUT)
            continue;
        for (int u = v + 1; u < count; u++) {
            const layer *user = &b->list->layers[u];
            if (user->input[0] == v || user->input[1] == v || user->hidden_input == v)
                add_input(b, gradient[u]);
        }
        for (int k = 0; kind_table[l->kind].reads_input && k < l->input_count; k++)
            add_input(b, l->input[k]);
        if (kind_table[l->kind].reads_input && l->hidden_input >= 0)
            add_input(b, l->hidden_input);
        if (kind_table[l->kind].reads_output)
            add_input(b, v);
        gradient[v] = finish_node(b, "grad_", l, l->gradient_elements, 2 * l->flops, true);
    }
    base_free(gradient);
}

graph *layer_list_graph(const layer_list *list, const char *name, const platform *p,
                        double mem_power_scale, layer_backward style, base_error *error)
{
    const size_t most = 2 * (size_t)list->count;
    builder b = {.list = list, .platform = p, .mem_power_scale = mem_power_scale};
    b.nodes = base_calloc(most, sizeof *b.nodes);
    b.names = base_calloc(most, sizeof *b.names);
    b.input_start = base_calloc(most + 1, sizeof *b.input_start);
    build_forward(&b, style);
    if (style == LAYER_BACKWARD_PUBLISHED)
        build_published(&b);
    else
        build_autodiff(&b);
    for (int k = 0; k < b.count; k++)
        b.nodes[k].inputs = b.inputs + b.input_start[k];
    graph *g = graph_create(name, b.nodes, b.count, error);
    base_free_all(b.nodes, b.names, b.input_start, b.inputs);
    return g;
}

const char *layer_backward_name(layer_backward style)
{
    return style == LAYER_BACKWARD_PUBLISHED ? "published" : "autodiff";
}
