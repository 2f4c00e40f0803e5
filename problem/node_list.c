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

int node_list_read_inputs(const json_t *value, const strict_place *place, node_list *list, int i,
                          base_error *error)
{
    const strict_place here = strict_key(place, "inputs");
    if (strict_array(value, &here, 0, (size_t)list->n + list->output_count, error))
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
    }
    list->nodes[i].node.input_count = (int)count;
    return 0;
}

/* ---- order ---------------------------------------------------------------------------------- */

/* Follows inputs, depth first, up to a cycle. Returns its length; path (extent n) gets its nodes,
 * each of which reads the next one, and the last one the first. 0: there is none. O(n + edges) */
static int find_cycle(const node_list *list, int *path)
{
    enum { OPEN = 1, DONE };
    const size_t n = (size_t)list->n;
    uint8_t *state = base_calloc(n, sizeof *state);
    int *next = base_calloc(n, sizeof *next); /* input to be followed next */
    int length = 0;
    for (int root = 0; root < list->n && length == 0; root++)
        for (int depth = state[root] ? 0 : 1, i = path[0] = root; depth > 0;) {
            state[i] = OPEN;
            if (next[i] == list->nodes[i].node.input_count) {
                state[i] = DONE;
                i = --depth > 0 ? path[depth - 1] : -1;
                continue;
            }
            const int from = list->inputs[i][next[i]++];
            if (!state[from])
                i = path[depth++] = from;
            if (state[from] != OPEN)
                continue;
            int begin = depth - 1;
            while (path[begin] != from)
                begin--;
            length = depth - begin;
            memmove(path, path + begin, (size_t)length * sizeof *path);
            break;
        }
    base_free_all(state, next);
    return length;
}

static int fail_with_cycle(const node_list *list, const int *path, int length,
                           const strict_place *place, base_error *error)
{
    enum { SHOWN = 8 };
    text_buffer text = {0};
    for (int k = 0; k < length && k < SHOWN; k++) {
        const char *name = list->nodes[path[k]].node.name;
        text_print(&text, "%d (%.16s) reads ", path[k], name ? name : "");
    }
    strict_fail(place, error, "the graph has a cycle: node %s%s%d", text.data,
                length > SHOWN ? "... reads " : "", path[0]);
    text_clear(&text);
    return -1;
}

/* Every input has a smaller number; if not, says whether renumbering would help. */
int node_list_check_order(const node_list *list, const strict_place *nodes, base_error *error)
{
    for (int i = 0; i < list->n; i++)
        for (int k = 0; k < list->nodes[i].node.input_count; k++) {
            if (list->inputs[i][k] < i)
                continue;
            int *path = base_malloc((size_t)list->n, sizeof *path);
            const int length = find_cycle(list, path);
            const strict_place node = strict_index(nodes, (size_t)i);
            const strict_place inputs = strict_key(&node, "inputs");
            const strict_place element = strict_index(&inputs, (size_t)k);
            if (length > 0)
                fail_with_cycle(list, path, length, nodes, error);
            else
                strict_fail(&element, error,
                            "node %d is listed after its user %d; nodes in a topological order, "
                            "inputs before their users, are expected",
                            list->inputs[i][k], i);
            base_free(path);
            return -1;
        }
    return 0;
}
