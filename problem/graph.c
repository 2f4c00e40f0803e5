/* Builds graphs: checks of sizes, inputs and ranges of costs, adjacency in both directions,
 * reordering, sums and the checksum. */
#include "problem/graph.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COST(name)                                                                                 \
    {                                                                                              \
#name, offsetof(graph_node, name), offsetof(graph, name)                                   \
    }
const struct graph_cost graph_costs[GRAPH_COSTS] = {
    COST(seconds),        COST(joules),         COST(pagein_joules),
    COST(pageout_joules), COST(pagein_seconds), COST(pageout_seconds),
};

static graph *graph_allocate(const char *name, int n, int edge_count, int alias_count)
{
    size_t count = (size_t)n;
    graph *g = base_calloc(1, sizeof *g);
    g->n = n;
    g->edge_count = edge_count;
    g->alias_count = alias_count;
    g->name = base_strdup(name ? name : "");
    g->node_name = base_calloc(count, sizeof *g->node_name);
    g->node_note = base_calloc(count, sizeof *g->node_note);
    g->alias_start = base_calloc(count + 1, sizeof *g->alias_start);
    g->alias = base_calloc((size_t)alias_count, sizeof *g->alias);
    g->bytes = base_calloc(count, sizeof *g->bytes);
    g->workspace = base_calloc(count, sizeof *g->workspace);
    for (int k = 0; k < GRAPH_COSTS; k++)
        *graph_cost_array(g, k) = base_calloc(count, sizeof(double));
    g->backward = base_calloc(count, sizeof *g->backward);
    g->pin = base_calloc(count, sizeof *g->pin);
    g->state = base_calloc(count, sizeof *g->state);
    g->output = base_calloc(count, sizeof *g->output);
    g->input_start = base_calloc(count + 1, sizeof *g->input_start);
    g->input = base_calloc((size_t)edge_count, sizeof *g->input);
    g->user_start = base_calloc(count + 1, sizeof *g->user_start);
    g->user = base_calloc((size_t)edge_count, sizeof *g->user);
    g->last_user = base_calloc(count, sizeof *g->last_user);
    g->reach = base_calloc(count, sizeof *g->reach);
    g->batch_size = 1;
    g->mem_power_scale = 1.0;
    return g;
}

void graph_free(graph *g)
{
    if (!g)
        return;
    for (int i = 0; i < g->n; i++) {
        base_free(g->node_name[i]);
        base_free(g->node_note[i]);
    }
    for (int k = 0; k < g->alias_count; k++) {
        base_free(g->alias[k].name);
        base_free(g->alias[k].note);
    }
    for (int k = 0; k < GRAPH_COSTS; k++)
        base_free(*graph_cost_array(g, k));
    base_free_all(g->name, g->note, g->node_note, g->alias_start, g->alias, g->node_name, g->bytes,
                  g->workspace, g->backward, g->pin, g->state, g->output, g->input_start, g->input,
                  g->user_start, g->user, g->last_user, g->reach, g->model, g->platform,
                  g->backward_style, g);
}

static const char *name_of(const graph_node *node)
{
    return node->name ? node->name : "";
}

/* A cost of a node. */
typedef struct cost_at {
    double value;
    int node, cost;
} cost_at;

/* The costs with this unit in their keys: each within its range, and no two too far apart. */
static int check_costs(const graph_node *nodes, int n, const char *unit, base_error *error)
{
    cost_at least = {.value = INFINITY}, most = {.value = 0};
    for (int i = 0; i < n; i++)
        for (int k = 0; k < GRAPH_COSTS; k++) {
            const cost_at cost = {*graph_node_cost(&nodes[i], k), i, k};
            if (cost.value == 0.0 || !strstr(graph_costs[k].key, unit))
                continue;
            if (!(cost.value >= GRAPH_LEAST_COST && cost.value <= GRAPH_MOST_COST))
                return base_fail(error,
                                 "node %d (%s): %s is %g; 0 or a number from %g to %g is expected",
                                 i, name_of(&nodes[i]), graph_costs[k].key, cost.value,
                                 GRAPH_LEAST_COST, GRAPH_MOST_COST);
            least = cost.value < least.value ? cost : least;
            most = cost.value > most.value ? cost : most;
        }
    if (!(most.value > GRAPH_MOST_RATIO * least.value))
        return 0;
    return base_fail(error,
                     "node %d (%s): %s is %g, and %s of node %d (%s) is %g; at most %g times as "
                     "much is expected",
                     least.node, name_of(&nodes[least.node]), graph_costs[least.cost].key,
                     least.value, graph_costs[most.cost].key, most.node, name_of(&nodes[most.node]),
                     most.value, GRAPH_MOST_RATIO);
}

/* Sizes and inputs. */
static int check_sizes(const graph_node *nodes, int n, base_error *error)
{
    int64_t total_bytes = 0, edges = 0;
    for (int i = 0; i < n; i++) {
        const graph_node *node = &nodes[i];
        const char *name = name_of(node);
        if (node->bytes < 0)
            return base_fail(error, "node %d (%s): bytes is %lld; a number >= 0 is expected", i,
                             name, (long long)node->bytes);
        if (node->workspace < 0)
            return base_fail(error,
                             "node %d (%s): workspace_bytes is %lld; a number >= 0 is expected", i,
                             name, (long long)node->workspace);
        if (node->pin > GRAPH_KEEP)
            return base_fail(error, "node %d (%s): pin is %u; bits of %u are expected", i, name,
                             node->pin, (unsigned)GRAPH_KEEP);
        if (node->bytes > GRAPH_MAX_BYTES - total_bytes ||
            node->workspace > GRAPH_MAX_BYTES - total_bytes - node->bytes)
            return base_fail(error, "node %d (%s): the sum of bytes exceeds 2^49", i, name);
        total_bytes += node->bytes + node->workspace;
        edges += node->input_count;
        for (int k = 0; k < node->input_count; k++)
            if (node->inputs[k] < 0 || node->inputs[k] >= i)
                return base_fail(error,
                                 "node %d (%s): input %d is not the number of an earlier node", i,
                                 name, node->inputs[k]);
    }
    return edges > INT32_MAX ? base_fail(error, "more than 2^31 edges") : 0;
}

int graph_check_nodes(const graph_node *nodes, int n, base_error *error)
{
    if (n < 1 || n > GRAPH_MAX_NODES)
        return base_fail(error, "%d nodes; 1 to %d are expected", n, GRAPH_MAX_NODES);
    return check_sizes(nodes, n, error) || check_costs(nodes, n, "joules", error) ||
                   check_costs(nodes, n, "seconds", error)
               ? -1
               : 0;
}

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void copy_aliases(graph *g, int i, const graph_node *node)
{
    g->alias_start[i + 1] = g->alias_start[i] + node->alias_count;
    for (int k = 0; k < node->alias_count; k++) {
        const graph_alias *from = &node->aliases[k];
        g->alias[g->alias_start[i] + k] =
            (graph_alias){.name = base_strdup(from->name),
                          .kind = from->kind,
                          .bytes = from->bytes,
                          .note = from->note ? base_strdup(from->note) : NULL};
    }
}

/* Copies node i; its inputs are sorted at the end of g->input. */
static int copy_node(graph *g, int i, const graph_node *node, base_error *error)
{
    g->node_name[i] = base_strdup(name_of(node));
    g->node_note[i] = node->note ? base_strdup(node->note) : NULL;
    g->bytes[i] = node->bytes;
    g->workspace[i] = node->workspace;
    g->pin[i] = (uint8_t)(node->pin | (node->state == GRAPH_STATEFUL ? GRAPH_NO_RECOMPUTE : 0));
    g->state[i] = (uint8_t)node->state;
    g->output[i] = node->output;
    for (int k = 0; k < GRAPH_COSTS; k++)
        (*graph_cost_array(g, k))[i] = *graph_node_cost(node, k);
    g->backward[i] = node->backward;
    copy_aliases(g, i, node);
    int *inputs = g->input + g->input_start[i];
    g->input_start[i + 1] = g->input_start[i] + node->input_count;
    if (node->input_count == 0)
        return 0;
    memcpy(inputs, node->inputs, (size_t)node->input_count * sizeof *inputs);
    qsort(inputs, (size_t)node->input_count, sizeof *inputs, compare_ints);
    for (int k = 1; k < node->input_count; k++)
        if (inputs[k] == inputs[k - 1])
            return base_fail(error, "node %d (%s): input %d appears twice", i, g->node_name[i],
                             inputs[k]);
    return 0;
}

/* The transposed lists by counting; visiting readers in order sorts them. */
static void derive_users(graph *g)
{
    for (int e = 0; e < g->edge_count; e++)
        g->user_start[g->input[e] + 1]++;
    for (int i = 0; i < g->n; i++)
        g->user_start[i + 1] += g->user_start[i];
    int *fill = base_malloc((size_t)g->n, sizeof *fill);
    memcpy(fill, g->user_start, (size_t)g->n * sizeof *fill);
    for (int j = 0; j < g->n; j++)
        for (int e = g->input_start[j]; e < g->input_start[j + 1]; e++)
            g->user[fill[g->input[e]]++] = j;
    base_free(fill);
    for (int i = g->n - 1; i >= 0; i--) {
        g->last_user[i] = g->reach[i] = i;
        for (int e = g->user_start[i]; e < g->user_start[i + 1]; e++) {
            int j = g->user[e];
            assert(j > i);
            g->last_user[i] = j;
            if (g->reach[j] > g->reach[i])
                g->reach[i] = g->reach[j];
        }
    }
}

/* The last node holds or reads every output. */
static int check_outputs(const graph *g, base_error *error)
{
    for (int i = 0; i < g->n - 1; i++)
        if (g->output[i] && g->last_user[i] < g->n - 1)
            return base_fail(error,
                             "node %d (%s): an output is expected to be read by the last node", i,
                             g->node_name[i]);
    return 0;
}

graph *graph_create(const char *name, const graph_node *nodes, int n, base_error *error)
{
    int edge_count = 0, alias_count = 0;
    if (graph_check_nodes(nodes, n, error))
        return NULL;
    for (int i = 0; i < n; i++) {
        edge_count += nodes[i].input_count;
        alias_count += nodes[i].alias_count;
    }
    graph *g = graph_allocate(name, n, edge_count, alias_count);
    for (int i = 0; i < n; i++)
        if (copy_node(g, i, &nodes[i], error)) {
            graph_free(g);
            return NULL;
        }
    derive_users(g);
    if (check_outputs(g, error)) {
        graph_free(g);
        return NULL;
    }
    return g;
}

const char *graph_alias_kind_name(graph_alias_kind kind)
{
    static const char *const name[GRAPH_ALIAS_KINDS] = {"view", "overwritten", "output", "unread"};
    return name[kind];
}

const char *graph_pin_name(unsigned pin)
{
    static const char *const name[] = {
        [GRAPH_NO_RECOMPUTE] = "no-recompute", [GRAPH_NO_PAGE] = "no-page", [GRAPH_KEEP] = "keep"};
    assert(pin > 0 && pin <= GRAPH_KEEP);
    return name[pin];
}

graph_node graph_node_of(const graph *g, int i)
{
    graph_node node = {.name = g->node_name[i],
                       .inputs = g->input + g->input_start[i],
                       .input_count = g->input_start[i + 1] - g->input_start[i],
                       .bytes = g->bytes[i],
                       .backward = g->backward[i],
                       .workspace = g->workspace[i],
                       .pin = g->pin[i],
                       .state = (graph_state)g->state[i],
                       .output = g->output[i],
                       .note = g->node_note[i],
                       .aliases = g->alias + g->alias_start[i],
                       .alias_count = g->alias_start[i + 1] - g->alias_start[i]};
    for (int k = 0; k < GRAPH_COSTS; k++)
        *graph_node_cost(&node, k) = (*graph_cost_array(g, k))[i];
    return node;
}

graph *graph_reorder(const graph *g, const int *order)
{
    const size_t n = (size_t)g->n;
    graph_node *node = base_calloc(n, sizeof *node);
    int *number = base_malloc(n, sizeof *number);
    int *inputs = base_malloc((size_t)g->edge_count + 1, sizeof *inputs);
    for (int k = 0; k < g->n; k++)
        number[order[k]] = k;
    for (int e = 0; e < g->edge_count; e++)
        inputs[e] = number[g->input[e]];
    for (int k = 0; k < g->n; k++) {
        node[k] = graph_node_of(g, order[k]);
        node[k].inputs = inputs + g->input_start[order[k]];
    }
    graph *made = graph_create(g->name, node, g->n, NULL);
    assert(made);
    made->note = g->note ? base_strdup(g->note) : NULL;
    made->resident_bytes = g->resident_bytes;
    base_free_all(node, number, inputs);
    return made;
}

static double sum_exactly(const double *values, int n)
{
    long double sum = 0.0L;
    for (int i = 0; i < n; i++)
        sum += values[i];
    return (double)sum;
}

double graph_base_joules(const graph *g)
{
    return sum_exactly(g->joules, g->n);
}

double graph_base_seconds(const graph *g)
{
    return sum_exactly(g->seconds, g->n);
}

/* True if one of the bytes is not 0. */
static bool is_set(const void *field, size_t bytes)
{
    const unsigned char *at = field, *end = at + bytes;
    while (at < end && !*at)
        at++;
    return at < end;
}

bool graph_has_backward(const graph *g)
{
    return is_set(g->backward, (size_t)g->n * sizeof *g->backward);
}

bool graph_has_pins(const graph *g)
{
    return is_set(g->pin, (size_t)g->n * sizeof *g->pin);
}

bool graph_has_workspaces(const graph *g)
{
    return is_set(g->workspace, (size_t)g->n * sizeof *g->workspace);
}

bool graph_has_outputs(const graph *g)
{
    return is_set(g->output, (size_t)g->n * sizeof *g->output);
}

static uint64_t fnv(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t k = 0; k < size; k++)
        hash = (hash ^ bytes[k]) * UINT64_C(1099511628211);
    return hash;
}

uint64_t graph_checksum(const graph *g)
{
    const size_t n = (size_t)g->n;
    uint64_t hash = fnv(UINT64_C(14695981039346656037), g->bytes, n * sizeof *g->bytes);
    hash = fnv(hash, g->input_start, (n + 1) * sizeof *g->input_start);
    hash = fnv(hash, g->input, (size_t)g->edge_count * sizeof *g->input);
    hash = fnv(hash, g->backward, n * sizeof *g->backward);
    for (int k = 0; k < GRAPH_COSTS; k++)
        for (size_t i = 0; i < n; i++) {
            const double value = (*graph_cost_array(g, k))[i] + 0.0; /* -0 is 0 */
            hash = fnv(hash, &value, sizeof value);
        }
    if (graph_has_workspaces(g) || graph_has_pins(g)) {
        hash = fnv(hash, g->workspace, n * sizeof *g->workspace);
        hash = fnv(hash, g->pin, n * sizeof *g->pin);
    }
    return hash;
}

static bool has_same_costs(const graph *a, const graph *b)
{
    for (int k = 0; k < GRAPH_COSTS; k++)
        for (int i = 0; i < a->n; i++)
            if ((*graph_cost_array(a, k))[i] != (*graph_cost_array(b, k))[i])
                return false;
    return true;
}

bool graph_same_shape(const graph *a, const graph *b)
{
    const size_t n = (size_t)a->n, edges = (size_t)a->edge_count;
    return a->n == b->n && a->edge_count == b->edge_count &&
           memcmp(a->bytes, b->bytes, n * sizeof *a->bytes) == 0 &&
           memcmp(a->input_start, b->input_start, (n + 1) * sizeof *a->input_start) == 0 &&
           (edges == 0 || memcmp(a->input, b->input, edges * sizeof *a->input) == 0);
}

bool graph_same(const graph *a, const graph *b)
{
    const size_t n = (size_t)a->n;
    return graph_same_shape(a, b) &&
           memcmp(a->backward, b->backward, n * sizeof *a->backward) == 0 &&
           memcmp(a->workspace, b->workspace, n * sizeof *a->workspace) == 0 &&
           memcmp(a->pin, b->pin, n * sizeof *a->pin) == 0 && has_same_costs(a, b);
}
