/* Graphs from and to JSON: nodes with costs or FLOPs, inputs by position or name, and errors
 * that name a cycle or say that renumbering would help. */
#include "problem/graph_json.h"

#include <string.h>

#include "problem/json.h"

/* The nodes of a file while they are checked; graph_create copies them. */
typedef struct node_list {
    graph_node *nodes;
    int **inputs;    /* inputs[i]: of node i, nodes[i].input_count of them */
    int *reader;     /* reader[i] = last node found to read i, plus one */
    char **notes;    /* notes[i]: of node i */
    json_t *numbers; /* name -> number of its node, -1: of several; NULL before one is needed */
    const json_t *values;         /* the array of nodes */
    const graph_costing *costing; /* NULL: none */
    int costed;                   /* nodes whose FLOPs were costed */
    int n;
} node_list;

static void node_list_free(node_list *list)
{
    for (int i = 0; i < list->n; i++) {
        base_free(list->inputs[i]);
        base_free(list->notes[i]);
    }
    json_decref(list->numbers);
    base_free(list->notes);
    base_free(list->inputs);
    base_free(list->reader);
    base_free(list->nodes);
}

static void number_names(node_list *list)
{
    list->numbers = json_object();
    for (int i = 0; i < list->n; i++) {
        const json_t *node = json_array_get(list->values, (size_t)i);
        const char *name = json_string_value(json_object_get(node, "name"));
        if (name)
            json_object_set_new(list->numbers, name,
                                json_integer(json_object_get(list->numbers, name) ? -1 : i));
    }
}

/* The number of the node that an element of "inputs" names. */
static int read_name(const json_t *value, const strict_place *place, node_list *list,
                     int64_t *number, base_error *error)
{
    const char *name = json_string_value(value);
    if (!list->numbers)
        number_names(list);
    const json_t *found = json_object_get(list->numbers, name);
    if (!found)
        return strict_fail(place, error, "no node is called \"%s\"", name);
    *number = json_integer_value(found);
    if (*number < 0)
        return strict_fail(
            place, error, "several nodes are called \"%s\"; the position of one is expected", name);
    return 0;
}

static int read_inputs(const json_t *value, const strict_place *place, node_list *list, int i,
                       base_error *error)
{
    const strict_place here = strict_key(place, "inputs");
    if (strict_array(value, &here, 0, (size_t)list->n, error))
        return -1;
    size_t count = json_array_size(value);
    int *inputs = list->inputs[i] = base_malloc(count, sizeof *inputs);
    list->nodes[i].inputs = inputs;
    for (size_t k = 0; k < count; k++) {
        const strict_place element = strict_index(&here, k);
        int64_t number;
        const json_t *input = json_array_get(value, k);
        if (json_is_string(input) ? read_name(input, &element, list, &number, error)
                                  : strict_integer(input, &element, 0, list->n - 1, &number, error))
            return -1;
        inputs[k] = (int)number;
        if (list->reader[number] == i + 1)
            return strict_fail(&element, error, "input %d appears twice", inputs[k]);
        list->reader[number] = i + 1;
    }
    list->nodes[i].input_count = (int)count;
    return 0;
}

static const char *const cost_keys[] = {"seconds",        "joules",         "pagein_joules",
                                        "pageout_joules", "pagein_seconds", "pageout_seconds"};
enum { COST_KEYS = sizeof cost_keys / sizeof *cost_keys };

/* The costs of a node that has "flops": from those and its bytes, which have been read. */
static int cost_node(const json_t *value, const strict_place *place, node_list *list,
                     graph_node *node, base_error *error)
{
    static const int64_t most = INT64_C(1) << 60;
    int64_t flops = 0;
    const strict_place here = strict_key(place, "flops");
    for (int k = 0; k < COST_KEYS; k++)
        if (json_object_get(value, cost_keys[k]))
            return strict_fail(place, error,
                               "either \"flops\" or costs are expected, not \"%s\" beside it",
                               cost_keys[k]);
    if (strict_get_integer(value, "flops", place, 0, most, &flops, error))
        return -1;
    if (!list->costing)
        return strict_fail(&here, error, "a platform is needed to cost FLOPs (--platform)");
    platform_cost(list->costing->platform, list->costing->mem_power_scale, flops, node);
    list->costed++;
    return 0;
}

static int read_costs(const json_t *value, const strict_place *place, graph_node *node,
                      base_error *error)
{
    double *const field[] = {&node->seconds,        &node->joules,         &node->pagein_joules,
                             &node->pageout_joules, &node->pagein_seconds, &node->pageout_seconds};
    for (int k = 0; k < COST_KEYS; k++) {
        if (!json_object_get(value, cost_keys[k]))
            return strict_fail(place, error,
                               "key \"%s\" is missing (or \"flops\", for a platform to cost)",
                               cost_keys[k]);
        if (strict_get_real(value, cost_keys[k], place, false, field[k], error))
            return -1;
    }
    return 0;
}

static int read_pin(const json_t *value, const strict_place *place, graph_node *node,
                    base_error *error)
{
    const strict_place here = strict_key(place, "pin");
    const char *name = NULL;
    if (strict_get_string(value, "pin", place, &name, error))
        return -1;
    for (unsigned pin = 1; name && pin <= GRAPH_KEEP; pin++)
        if (strcmp(name, graph_pin_name(pin)) == 0)
            node->pin = pin;
    if (name && !node->pin)
        return strict_fail(&here, error,
                           "\"keep\", \"no-recompute\" or \"no-page\" is expected, not \"%s\"",
                           name);
    return 0;
}

static int read_node(const json_t *value, const strict_place *place, node_list *list, int i,
                     base_error *error)
{
    static const char *const required[] = {"inputs", "bytes", NULL};
    static const char *const optional[] = {"name",
                                           "backward",
                                           "flops",
                                           "pin",
                                           "workspace_bytes",
                                           "op",
                                           "shape",
                                           "notes",
                                           "seconds",
                                           "joules",
                                           "pagein_joules",
                                           "pageout_joules",
                                           "pagein_seconds",
                                           "pageout_seconds",
                                           NULL};
    graph_node *node = &list->nodes[i];
    if (strict_object(value, place, required, optional, error) ||
        strict_get_string(value, "name", place, &node->name, error) ||
        strict_get_integer(value, "bytes", place, 0, GRAPH_MAX_BYTES, &node->bytes, error) ||
        strict_get_bool(value, "backward", place, &node->backward, error) ||
        strict_get_integer(value, "workspace_bytes", place, 0, GRAPH_MAX_BYTES, &node->workspace,
                           error) ||
        read_pin(value, place, node, error) ||
        graph_note_from_json(value, place, &list->notes[i], error))
        return -1;
    node->note = list->notes[i];
    if (json_object_get(value, "flops") ? cost_node(value, place, list, node, error)
                                        : read_costs(value, place, node, error))
        return -1;
    return read_inputs(json_object_get(value, "inputs"), place, list, i, error);
}

/* Readers of each node: those of i are reader[start[i]] .. reader[start[i + 1] - 1]. */
static int *list_readers(const node_list *list, int *start)
{
    size_t edges = 0;
    for (int i = 0; i < list->n; i++) {
        edges += (size_t)list->nodes[i].input_count;
        for (int k = 0; k < list->nodes[i].input_count; k++)
            start[list->inputs[i][k]]++;
    }
    for (int i = 0, sum = 0; i <= list->n; i++)
        start[i] = sum += start[i]; /* for now the end */
    int *reader = base_malloc(edges, sizeof *reader);
    for (int i = 0; i < list->n; i++)
        for (int k = 0; k < list->nodes[i].input_count; k++)
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
        if ((missing[i] = list->nodes[i].input_count) == 0)
            ready[count++] = i;
    while (count > 0) {
        int i = ready[--count];
        done[i] = true;
        for (int e = start[i]; e < start[i + 1]; e++)
            if (--missing[reader[e]] == 0)
                ready[count++] = reader[e];
    }
    base_free(start);
    base_free(reader);
    base_free(missing);
    base_free(ready);
}

/* What a topological order cannot reach has an input of that kind: walking along those finds a
 * cycle. Returns a node on it and all such nodes unmarked in done, or -1 when there is none. */
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
        const char *name = list->nodes[node].name;
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
static int check_order(const node_list *list, const strict_place *nodes, base_error *error)
{
    for (int i = 0; i < list->n; i++)
        for (int k = 0; k < list->nodes[i].input_count; k++) {
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

static int read_nodes(const json_t *value, const strict_place *place, node_list *list,
                      base_error *error)
{
    if (strict_array(value, place, 1, GRAPH_MAX_NODES, error))
        return -1;
    list->n = (int)json_array_size(value);
    list->nodes = base_calloc((size_t)list->n, sizeof *list->nodes);
    list->values = value;
    list->inputs = base_calloc((size_t)list->n, sizeof *list->inputs);
    list->notes = base_calloc((size_t)list->n, sizeof *list->notes);
    list->reader = base_calloc((size_t)list->n, sizeof *list->reader);
    for (int i = 0; i < list->n; i++) {
        const strict_place node = strict_index(place, (size_t)i);
        if (read_node(json_array_get(value, (size_t)i), &node, list, i, error))
            return -1;
    }
    if (list->costing && list->costed == 0)
        return strict_fail(place, error,
                           "no node has \"flops\": there is nothing to cost for a platform");
    return check_order(list, place, error);
}

graph *graph_from_json(const json_t *value, const strict_place *place, const graph_costing *costing,
                       base_error *error)
{
    static const char *const required[] = {"nodes", NULL};
    static const char *const optional[] = {"name", "notes", NULL};
    const char *name = "";
    char *note;
    if (strict_object(value, place, required, optional, error) ||
        strict_get_string(value, "name", place, &name, error) ||
        graph_note_from_json(value, place, &note, error))
        return NULL;
    const strict_place nodes = strict_key(place, "nodes");
    node_list list = {.costing = costing};
    graph *g = NULL;
    if (read_nodes(json_object_get(value, "nodes"), &nodes, &list, error) == 0) {
        base_error why;
        g = graph_create(name, list.nodes, list.n, &why);
        if (!g)
            strict_fail(&nodes, error, "%s", why.text);
    }
    node_list_free(&list);
    if (g) {
        g->note = note;
        g->platform = costing ? base_strdup(costing->platform->name) : NULL;
        g->mem_power_scale = costing ? costing->mem_power_scale : 1;
    } else {
        base_free(note);
    }
    return g;
}

static graph *take_root(json_t *root, const char *name, const graph_costing *costing,
                        base_error *error)
{
    const strict_place file = strict_file(name);
    graph *g = graph_from_json(root, &file, costing, error);
    json_decref(root);
    return g;
}

graph *graph_read(const char *path, const graph_costing *costing, base_error *error)
{
    json_t *root;
    return strict_load(path, &root, error) ? NULL : take_root(root, path, costing, error);
}

graph *graph_parse(const char *text, size_t size, const char *name, const graph_costing *costing,
                   base_error *error)
{
    json_t *root;
    return strict_parse(text, size, name, NULL, &root, error)
               ? NULL
               : take_root(root, name, costing, error);
}

static void print_field(const char *key, double value, FILE *out)
{
    fprintf(out, ", \"%s\": ", key);
    strict_print_real(value, out);
}

static void print_note(const char *note, FILE *out)
{
    if (note)
        fprintf(out, ", %s", note);
}

void graph_print(const graph *g, FILE *out)
{
    fputs("{\"name\": ", out);
    strict_print_string(g->name, out);
    print_note(g->note, out);
    fputs(", \"nodes\": [", out);
    for (int i = 0; i < g->n; i++) {
        fputs(i ? ",\n  {\"name\": " : "\n  {\"name\": ", out);
        strict_print_string(g->node_name[i], out);
        fputs(", \"inputs\": [", out);
        for (int e = g->input_start[i]; e < g->input_start[i + 1]; e++)
            fprintf(out, "%s%d", e > g->input_start[i] ? ", " : "", g->input[e]);
        fprintf(out, "], \"bytes\": %lld", (long long)g->bytes[i]);
        print_field("seconds", g->seconds[i], out);
        print_field("joules", g->joules[i], out);
        print_field("pagein_joules", g->pagein_joules[i], out);
        print_field("pageout_joules", g->pageout_joules[i], out);
        print_field("pagein_seconds", g->pagein_seconds[i], out);
        print_field("pageout_seconds", g->pageout_seconds[i], out);
        fprintf(out, ", \"backward\": %s", g->backward[i] ? "true" : "false");
        if (g->workspace[i] > 0)
            fprintf(out, ", \"workspace_bytes\": %lld", (long long)g->workspace[i]);
        if (g->pin[i])
            fprintf(out, ", \"pin\": \"%s\"", graph_pin_name(g->pin[i]));
        print_note(g->node_note[i], out);
        fputc('}', out);
    }
    fputs("\n]}", out);
}
