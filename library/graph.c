/* Graphs behind handles. */
#include <string.h>

#include "library/library.h"
#include "problem/json.h"
#include "problem/lower.h"
#include "problem/network.h"

/* The sources of a graph; each creating function sets its own. */
typedef struct making {
    const char *name, *device, *text;
    size_t size;
    poetbnb_builtin how;
    const poetbnb_node *nodes;
    int count;
    graph *(*make)(struct making *m);
    poetbnb_graph *made;
    base_error error;
} making;

poetbnb_graph *library_graph_wrap(graph *g)
{
    poetbnb_graph *made = base_malloc(1, sizeof *made);
    made->g = g;
    atomic_init(&made->users, 1);
    return made;
}

poetbnb_graph *library_graph_share(const poetbnb_graph *handle)
{
    poetbnb_graph *shared = (poetbnb_graph *)handle; /* only its count changes */
    atomic_fetch_add(&shared->users, 1);
    return shared;
}

static void make_step(void *data)
{
    making *m = data;
    graph *g = m->make(m);
    m->made = g ? library_graph_wrap(g) : NULL;
}

static poetbnb_graph *make(making *m, poetbnb_error *error)
{
    if (!library_run(make_step, m, error))
        return NULL;
    if (!m->made)
        library_fail(&m->error, error);
    return m->made;
}

static graph *make_builtin(making *m)
{
    platform where;
    network_options how = network_options_default();
    how.batch_size = m->how.batch_size;
    how.mem_power_scale = m->how.mem_power_scale;
    if (network_parse_backward(m->how.backward, &how.backward, &m->error) != 0 ||
        platform_load(m->device, &where, &m->error) != 0)
        return NULL;
    return network_build(m->name, &where, how, &m->error);
}

poetbnb_graph *poetbnb_graph_builtin(const char *network, const char *device,
                                     const poetbnb_builtin *how, poetbnb_error *error)
{
    static const poetbnb_builtin initial = {1, 1.0, "published"};
    making m = {
        .name = network, .device = device, .how = how ? *how : initial, .make = make_builtin};
    return make(&m, error);
}

/* Of a file, or of a text. */
static graph *make_read(making *m)
{
    platform where;
    const graph_costing of = {&where, 1}, *costing = m->device ? &of : NULL;
    if (m->device && platform_load(m->device, &where, &m->error) != 0)
        return NULL;
    const size_t mark = m->text ? base_text_mark(m->text, m->size) : 0;
    return graph_parse(m->text ? m->text + mark : NULL, m->size - mark, m->name, costing,
                       &m->error);
}

poetbnb_graph *poetbnb_graph_read(const char *path, const char *device, poetbnb_error *error)
{
    making m = {.name = path, .device = device, .make = make_read};
    return make(&m, error);
}

poetbnb_graph *poetbnb_graph_parse(const char *text, size_t size, const char *name,
                                   const char *device, poetbnb_error *error)
{
    making m = {.name = name, .text = text, .size = size, .device = device, .make = make_read};
    return make(&m, error);
}

/* Copies a node; its outputs to `output`. */
static int copy_node(const poetbnb_node *given, int i, lower_node *node, lower_output *output,
                     base_error *error)
{
    if (given->sharing < POETBNB_OWN || given->sharing > POETBNB_IN_PLACE)
        return base_fail(error, "node %d: sharing is %d; one of poetbnb_sharing is expected", i,
                         given->sharing);
    for (int k = 0; k < given->output_count; k++)
        output[k] = (lower_output){given->outputs[k].name, given->outputs[k].bytes};
    if (given->stateful < 0 || given->stateful > POETBNB_STATEFUL)
        return base_fail(error, "node %d: stateful is %d; one of poetbnb_stateful is expected", i,
                         given->stateful);
    *node = (lower_node){.sharing = (lower_sharing)given->sharing,
                         .shares = given->shares,
                         .input_output = given->input_outputs,
                         .outputs = output,
                         .output_count = given->output_count};
    node->node = (graph_node){.name = given->name ? given->name : "",
                              .inputs = given->inputs,
                              .input_count = given->input_count,
                              .bytes = given->bytes,
                              .seconds = given->seconds,
                              .joules = given->joules,
                              .pagein_joules = given->pagein_joules,
                              .pageout_joules = given->pageout_joules,
                              .pagein_seconds = given->pagein_seconds,
                              .pageout_seconds = given->pageout_seconds,
                              .backward = given->backward != 0,
                              .workspace = given->workspace_bytes,
                              .pin = (unsigned)given->pin,
                              .output = given->output != 0,
                              .state = (graph_state)given->stateful};
    return 0;
}

static graph *make_created(making *m)
{
    int outputs = 0;
    if (m->count < 1 || m->count > GRAPH_MAX_NODES) {
        base_fail(&m->error, "expected 1 to %d nodes, got %d", GRAPH_MAX_NODES, m->count);
        return NULL;
    }
    for (int i = 0; i < m->count; i++) {
        const int count = m->nodes[i].output_count;
        if (count < 0 || count > GRAPH_MAX_NODES) {
            base_fail(&m->error, "node %d: output_count is %d; 0 to %d are expected", i, count,
                      GRAPH_MAX_NODES);
            return NULL;
        }
        outputs += count; /* below 2^29 */
    }
    lower_node *node = base_calloc((size_t)m->count, sizeof *node);
    lower_output *output = base_calloc((size_t)outputs, sizeof *output), *next = output;
    bool good = true;
    for (int i = 0; i < m->count && good; i++) {
        good = copy_node(&m->nodes[i], i, &node[i], next, &m->error) == 0;
        next += m->nodes[i].output_count;
    }
    graph *g = good ? graph_lower(m->name ? m->name : "", node, m->count, NULL, &m->error) : NULL;
    base_free(output);
    base_free(node);
    return g;
}

poetbnb_graph *poetbnb_graph_create(const char *name, const poetbnb_node *nodes, int count,
                                    poetbnb_error *error)
{
    making m = {.name = name, .nodes = nodes, .count = count, .make = make_created};
    return make(&m, error);
}

int poetbnb_graph_set_resident_bytes(poetbnb_graph *handle, int64_t bytes, poetbnb_error *error)
{
    base_error why = {""};
    if (bytes < 0 || bytes > GRAPH_MAX_BYTES)
        base_fail(&why, "resident_bytes: 0 to 2^49 are expected, not %lld", (long long)bytes);
    else if (atomic_load(&handle->users) > 1)
        base_fail(&why, "resident_bytes: a solver has the graph already");
    if (why.text[0]) {
        library_fail(&why, error);
        return -1;
    }
    handle->g->resident_bytes = bytes;
    return 0;
}

int64_t poetbnb_graph_resident_bytes(const poetbnb_graph *handle)
{
    return handle->g->resident_bytes;
}

void poetbnb_graph_free(poetbnb_graph *handle)
{
    if (!handle || atomic_fetch_sub(&handle->users, 1) > 1)
        return;
    graph_free(handle->g);
    base_free(handle);
}

/* ---- figures ------------------------------------------------------------------------------- */

const char *poetbnb_graph_name(const poetbnb_graph *handle)
{
    return handle->g->name;
}

int poetbnb_graph_nodes(const poetbnb_graph *handle)
{
    return handle->g->n;
}

int poetbnb_graph_node(const poetbnb_graph *handle, int index, poetbnb_node *node)
{
    const graph *g = handle->g;
    if (index < 0 || index >= g->n)
        return -1;
    *node = (poetbnb_node){.name = g->node_name[index],
                           .inputs = g->input + g->input_start[index],
                           .input_count = g->input_start[index + 1] - g->input_start[index],
                           .backward = g->backward[index],
                           .bytes = g->bytes[index],
                           .seconds = g->seconds[index],
                           .joules = g->joules[index],
                           .pagein_joules = g->pagein_joules[index],
                           .pageout_joules = g->pageout_joules[index],
                           .pagein_seconds = g->pagein_seconds[index],
                           .pageout_seconds = g->pageout_seconds[index],
                           .workspace_bytes = g->workspace[index],
                           .pin = g->pin[index],
                           .output = g->output[index],
                           .stateful = g->state[index]};
    return 0;
}

int poetbnb_graph_alias(const poetbnb_graph *handle, int index, poetbnb_alias *alias)
{
    const graph *g = handle->g;
    if (index < 0 || index >= g->alias_count)
        return -1;
    int low = 0, high = g->n - 1; /* the last node with its first alias at most at index */
    while (low < high) {
        const int middle = high - (high - low) / 2;
        if (g->alias_start[middle] <= index)
            low = middle;
        else
            high = middle - 1;
    }
    *alias = (poetbnb_alias){.name = g->alias[index].name,
                             .kind = graph_alias_kind_name(g->alias[index].kind),
                             .node = low,
                             .bytes = g->alias[index].bytes};
    return 0;
}

double poetbnb_graph_joules(const poetbnb_graph *handle)
{
    return graph_base_joules(handle->g);
}

double poetbnb_graph_seconds(const poetbnb_graph *handle)
{
    return graph_base_seconds(handle->g);
}

int64_t poetbnb_graph_peak_bytes(const poetbnb_graph *handle)
{
    return graph_checkpoint_all_peak(handle->g);
}

int64_t poetbnb_graph_minimum_bytes(const poetbnb_graph *handle)
{
    return graph_minimum_bytes(handle->g, NULL);
}

static int print_graph(void *context, FILE *stream, base_error *error)
{
    (void)error;
    graph_print(context, stream);
    fputc('\n', stream);
    return 0;
}

char *poetbnb_graph_json(const poetbnb_graph *handle, poetbnb_error *error)
{
    return library_block(print_graph, handle->g, NULL, error);
}
