/* Inputs of the nodes of a graph file: references by position, name and output, and their order. */
#include <string.h>

#include "base/buffer.h"
#include "problem/node_list.h"

/* ---- references --------------------------------------------------------------------------- */

/* A node and one of its outputs, or -1 for all, as one number; -1: several have that name. */
enum { OUTPUTS = GRAPH_MAX_NODES + 1 };

static void enter_name(node_list *list, const char *name, int node, int output)
{
    const int64_t entry = (int64_t)node * OUTPUTS + output + 1;
    json_object_set_new(list->numbers, name,
                        json_integer(json_object_get(list->numbers, name) ? -1 : entry));
}

/* Enters NODE.OUTPUT. */
static void enter_output(node_list *list, int i, const char *output, int k)
{
    const char *node = list->nodes[i].node.name;
    text_buffer name = {0};
    text_print(&name, "%s.%s", node ? node : "", output);
    enter_name(list, name.data, i, k);
    text_clear(&name);
}

static void number_names(node_list *list)
{
    list->numbers = json_object();
    for (int i = 0; i < list->n; i++) {
        const lower_node *raw = &list->nodes[i];
        if (raw->node.name)
            enter_name(list, raw->node.name, i, -1);
        for (int k = 0; k < raw->output_count; k++)
            enter_output(list, i, raw->outputs[k].name, k);
        for (int k = 0; k < raw->node.alias_count; k++) {
            const graph_alias *alias = &raw->node.aliases[k];
            if (alias->kind == GRAPH_VIEW)
                enter_name(list, alias->name, i, -1);
            else if (alias->kind == GRAPH_OUTPUT)
                enter_output(list, i, alias->name, -1);
        }
    }
}

static int read_name(const json_t *value, const strict_place *place, node_list *list,
                     node_reference *to, base_error *error)
{
    const char *name = json_string_value(value);
    if (!list->numbers)
        number_names(list);
    const json_t *found = json_object_get(list->numbers, name);
    if (!found)
        return strict_fail(place, error, "no node is called \"%s\"", name);
    const int64_t entry = json_integer_value(found);
    if (entry < 0)
        return strict_fail(
            place, error, "several nodes are called \"%s\"; the position of one is expected", name);
    to->node = (int)(entry / OUTPUTS);
    to->output = (int)(entry % OUTPUTS) - 1;
    return 0;
}

static int read_position(const json_t *value, const strict_place *place, const node_list *list,
                         node_reference *to, base_error *error)
{
    int64_t number;
    if (strict_integer(value, place, 0, list->n - 1, &number, error))
        return -1;
    *to = (node_reference){(int)number, -1};
    return 0;
}

/* [NODE, INDEX] */
static int read_pair(const json_t *value, const strict_place *place, node_list *list,
                     node_reference *to, base_error *error)
{
    if (strict_array(value, place, 2, 2, error))
        return -1;
    const strict_place first = strict_index(place, 0), second = strict_index(place, 1);
    const json_t *node = json_array_get(value, 0);
    int64_t output;
    if (json_is_string(node) ? read_name(node, &first, list, to, error)
                             : read_position(node, &first, list, to, error))
        return -1;
    const int count = list->nodes[to->node].output_count;
    if (strict_integer(json_array_get(value, 1), &second, 0, count > 0 ? count - 1 : 0, &output,
                       error))
        return -1;
    to->output = count > 0 ? (int)output : -1;
    return 0;
}

int node_list_read_reference(const json_t *value, const strict_place *place, node_list *list,
                             node_reference *to, base_error *error)
{
    if (json_is_string(value))
        return read_name(value, place, list, to, error);
    return json_is_array(value) ? read_pair(value, place, list, to, error)
                                : read_position(value, place, list, to, error);
}

/* True if node i has read that before; notes that it reads it. */
static bool reads_twice(node_list *list, int i, const node_reference *to)
{
    int *mark = to->output < 0 ? &list->whole[to->node]
                               : &list->part[list->output_start[to->node] + to->output];
    const bool twice = *mark == i + 1 || list->whole[to->node] == i + 1 ||
                       (to->output < 0 && list->reader[to->node] == i + 1);
    *mark = list->reader[to->node] = i + 1;
    return twice;
}

/* Most references that a node can make: each output, or each node. */
static size_t most_inputs(const node_list *list)
{
    const int outputs = list->output_start[list->n];
    return (size_t)list->n + (size_t)outputs;
}

int node_list_read_inputs(const json_t *value, const strict_place *place, node_list *list, int i,
                          base_error *error)
{
    const strict_place here = strict_key(place, "inputs");
    if (strict_array(value, &here, 0, most_inputs(list), error))
        return -1;
    const size_t count = json_array_size(value);
    int *inputs = list->inputs[i] = base_malloc(2 * count, sizeof *inputs);
    list->nodes[i].node.inputs = inputs;
    list->nodes[i].input_output = inputs + count;
    for (size_t k = 0; k < count; k++) {
        const strict_place element = strict_index(&here, k);
        node_reference to = {0, -1};
        if (node_list_read_reference(json_array_get(value, k), &element, list, &to, error))
            return -1;
        inputs[k] = to.node;
        inputs[count + k] = to.output;
        if (reads_twice(list, i, &to))
            return strict_fail(&element, error, "input %d appears twice", to.node);
    }
    list->nodes[i].node.input_count = (int)count;
    return 0;
}

/* ---- order ---------------------------------------------------------------------------------- */

/* Lists the readers of each node: i has the readers reader[start[i]] .. reader[start[i + 1] - 1].
 */
static int *list_readers(const node_list *list, int *start)
{
    size_t edges = 0;
    for (int i = 0; i < list->n; i++) {
        edges += (size_t)list->nodes[i].node.input_count;
        for (int k = 0; k < list->nodes[i].node.input_count; k++)
            start[list->inputs[i][k]]++;
    }
    for (int i = 0, sum = 0; i <= list->n; i++)
        start[i] = sum += start[i]; /* for now the end */
    int *reader = base_malloc(edges, sizeof *reader);
    for (int i = 0; i < list->n; i++)
        for (int k = 0; k < list->nodes[i].node.input_count; k++)
            reader[--start[list->inputs[i][k]]] = i;
    return reader;
}

/* Marks the nodes that a topological order can reach. O(n + edges) */
static void mark_reachable(const node_list *list, bool *done)
{
    size_t n = (size_t)list->n;
    int *start = base_calloc(n + 1, sizeof *start), *reader = list_readers(list, start);
    int *missing = base_malloc(n, sizeof *missing), *ready = base_malloc(n, sizeof *ready);
    int count = 0;
    for (int i = 0; i < list->n; i++)
        if ((missing[i] = list->nodes[i].node.input_count) == 0)
            ready[count++] = i;
    while (count > 0) {
        int i = ready[--count];
        done[i] = true;
        for (int e = start[i]; e < start[i + 1]; e++)
            if (--missing[reader[e]] == 0)
                ready[count++] = reader[e];
    }
    base_free_all(start, reader, missing, ready);
}

/* A node that no topological order reaches has an input of the same kind; walking along such
 * inputs finds a cycle. Returns a node on it, with all such nodes unmarked in done, or -1 if
 * there is none. */
static int find_cycle(const node_list *list, bool *done)
{
    mark_reachable(list, done);
    int node = 0;
    while (node < list->n && done[node])
        node++;
    if (node == list->n)
        return -1;
    for (int step = 0; step < list->n; step++) {
        int k = 0;
        while (done[list->inputs[node][k]])
            k++;
        node = list->inputs[node][k];
    }
    return node;
}

static int fail_with_cycle(const node_list *list, const bool *done, int start,
                           const strict_place *place, base_error *error)
{
    char text[320] = "";
    int node = start, shown = 0;
    do {
        size_t used = strlen(text);
        const char *name = list->nodes[node].node.name;
        if (++shown <= 8)
            snprintf(text + used, sizeof text - used, "%d (%.16s) reads ", node, name ? name : "");
        else if (shown == 9)
            snprintf(text + used, sizeof text - used, "... reads ");
        int k = 0;
        while (done[list->inputs[node][k]])
            k++;
        node = list->inputs[node][k];
    } while (node != start);
    return strict_fail(place, error, "the graph has a cycle: node %s%d", text, start);
}

/* Every input has a smaller number; if not, says whether renumbering would help. */
int node_list_check_order(const node_list *list, const strict_place *nodes, base_error *error)
{
    for (int i = 0; i < list->n; i++)
        for (int k = 0; k < list->nodes[i].node.input_count; k++) {
            if (list->inputs[i][k] < i)
                continue;
            bool *done = base_calloc((size_t)list->n, sizeof *done);
            int cycle = find_cycle(list, done);
            const strict_place node = strict_index(nodes, (size_t)i);
            const strict_place inputs = strict_key(&node, "inputs");
            const strict_place element = strict_index(&inputs, (size_t)k);
            if (cycle >= 0)
                fail_with_cycle(list, done, cycle, nodes, error);
            else
                strict_fail(&element, error,
                            "node %d is listed after its user %d; nodes in a topological order, "
                            "inputs before their users, are expected",
                            list->inputs[i][k], i);
            base_free(done);
            return -1;
        }
    return 0;
}
