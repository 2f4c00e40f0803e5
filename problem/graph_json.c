/* Graphs from and to JSON: nodes with costs or FLOPs, inputs by position or name, and errors
 * that name a cycle or say that renumbering would help. */
#include <string.h>

#include "problem/node_list.h"

static void node_list_free(node_list *list)
{
    for (int i = 0; i < list->n; i++) {
        base_free(list->inputs[i]);
        base_free(list->outputs[i]);
        for (int k = 0; k < list->nodes[i].node.alias_count; k++)
            base_free(list->aliases[i][k].note);
        base_free(list->aliases[i]);
        base_free(list->notes[i]);
    }
    json_decref(list->numbers);
    base_free_all(list->notes, list->aliases, list->outputs, list->inputs, list->nodes);
}

/* ---- operators, shapes and notes, which the program keeps and writes again --------------------
 */

/* Longest shape of a tensor. */
enum { MOST_DIMENSIONS = 64 };

static int check_shape(const json_t *value, const strict_place *place, base_error *error)
{
    if (strict_array(value, place, 0, MOST_DIMENSIONS, error))
        return -1;
    for (size_t k = 0; k < json_array_size(value); k++) {
        int64_t side;
        const strict_place element = strict_index(place, k);
        if (strict_integer(json_array_get(value, k), &element, 0, GRAPH_MAX_BYTES, &side, error))
            return -1;
    }
    return 0;
}

/* The members of an object as text, without its braces. */
static char *members_text(const json_t *object)
{
    const size_t flags = JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17);
    const size_t size = json_dumpb(object, NULL, 0, flags);
    char *text = base_malloc(size + 1, 1);
    json_dumpb(object, text, size, flags);
    memmove(text, text + 1, size - 2);
    text[size - 2] = '\0';
    return text;
}

/* Reads the members "op" (a text, as its field of the object states), "shape" (an array of whole
 * numbers) and "notes" (any value) of an object. *note becomes their members of a JSON object
 * without braces, one line of ASCII, or NULL if there are none. */
static int read_note(const json_t *object, const strict_place *place, char **note,
                     base_error *error)
{
    static const char *const keys[] = {"op", "shape", "notes"};
    const json_t *shape = json_object_get(object, "shape");
    const strict_place here = strict_key(place, "shape");
    *note = NULL;
    if (shape && check_shape(shape, &here, error))
        return -1;
    json_t *kept = json_object();
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (json_object_get(object, keys[k]))
            json_object_set(kept, keys[k], json_object_get(object, keys[k]));
    if (json_object_size(kept) > 0)
        *note = members_text(kept);
    json_decref(kept);
    return 0;
}

/* ---- costs, pins and states ------------------------------------------------------------------ */

/* Either all costs, or FLOPs, which a platform will cost. */
static int check_costs(const json_t *value, const strict_place *place, node_list *list,
                       lower_node *node, base_error *error)
{
    const strict_place here = strict_key(place, "flops");
    node->has_flops = json_object_get(value, "flops") != NULL;
    list->costed += node->has_flops;
    for (int k = 0; k < GRAPH_COSTS; k++)
        if (!json_object_get(value, graph_costs[k].key) != node->has_flops)
            return strict_fail(
                place, error,
                node->has_flops
                    ? "either \"flops\" or costs are expected, not \"%s\" beside it"
                    : "key \"%s\" is missing (or \"flops\", from which a platform makes costs)",
                graph_costs[k].key);
    if (node->has_flops && !list->costing)
        return strict_fail(&here, error, "a platform is needed to cost FLOPs (--platform)");
    return 0;
}

static int set_pin(const char *name, const strict_place *place, graph_node *node, base_error *error)
{
    const strict_place here = strict_key(place, "pin");
    for (unsigned pin = 1; name && pin <= GRAPH_KEEP; pin++)
        if (strcmp(name, graph_pin_name(pin)) == 0)
            node->pin = pin;
    if (name && !node->pin)
        return strict_fail(&here, error,
                           "\"keep\", \"no-recompute\" or \"no-page\" is expected, not \"%s\"",
                           name);
    return 0;
}

/* true, or "replayed". */
static int read_state(const json_t *value, const strict_place *place, graph_node *node,
                      base_error *error)
{
    const json_t *state = json_object_get(value, "stateful");
    const strict_place here = strict_key(place, "stateful");
    if (!state || json_is_boolean(state)) {
        node->state = json_is_true(state) ? GRAPH_STATEFUL : GRAPH_PURE;
        return 0;
    }
    if (!json_is_string(state) || strcmp(json_string_value(state), "replayed") != 0)
        return strict_fail(&here, error, "true, false or \"replayed\" is expected");
    node->state = GRAPH_REPLAYED;
    return 0;
}

/* ---- aliases ------------------------------------------------------------------------------- */

static bool has_bytes(graph_alias_kind kind)
{
    return kind == GRAPH_OUTPUT || kind == GRAPH_UNREAD;
}

static int read_alias(const json_t *value, const strict_place *place, graph_alias *to,
                      base_error *error)
{
    const strict_place here = strict_key(place, "kind");
    const char *name = "", *kind = "", *op;
    const strict_field fields[] = {
        STRICT_KEY("name", STRICT_STRING, &name, .required = true),
        STRICT_KEY("kind", STRICT_STRING, &kind, .required = true),
        STRICT_KEY("bytes", STRICT_INTEGER, &to->bytes, .most = GRAPH_MAX_BYTES),
        STRICT_KEY("op", STRICT_STRING, &op),
        STRICT_KEY("shape", STRICT_ANY, NULL),
        STRICT_KEY("notes", STRICT_ANY, NULL)};
    if (STRICT_READ(value, place, fields, error))
        return -1;
    to->name = (char *)name; /* of the file; only copied */
    while (to->kind < GRAPH_ALIAS_KINDS && strcmp(kind, graph_alias_kind_name(to->kind)) != 0)
        to->kind++;
    if (to->kind == GRAPH_ALIAS_KINDS)
        return strict_fail(
            &here, error,
            "\"view\", \"overwritten\", \"output\" or \"unread\" is expected, not \"%s\"", kind);
    if (has_bytes(to->kind) != (json_object_get(value, "bytes") != NULL))
        return strict_fail(place, error, "\"bytes\" are expected of outputs, and of these alone");
    return read_note(value, place, &to->note, error);
}

/* The outputs that are read make the bytes of the node, the unread ones are a part of its
 * workspace. */
static int check_parts(const graph_node *node, const strict_place *place, base_error *error)
{
    int64_t bytes = 0, unread = 0;
    bool some = false;
    for (int k = 0; k < node->alias_count; k++) {
        const graph_alias *alias = &node->aliases[k];
        int64_t *sum = alias->kind == GRAPH_OUTPUT ? &bytes : &unread;
        some |= alias->kind == GRAPH_OUTPUT;
        if (alias->bytes > GRAPH_MAX_BYTES - *sum)
            return strict_fail(place, error, "the sum of bytes exceeds 2^49");
        *sum += alias->bytes;
    }
    if ((some && bytes != node->bytes) || unread > node->workspace)
        return strict_fail(place, error,
                           "outputs of %lld bytes in sum, and unread ones of at most %lld are "
                           "expected",
                           (long long)node->bytes, (long long)node->workspace);
    return 0;
}

static int read_aliases(const json_t *value, const strict_place *place, node_list *list, int i,
                        base_error *error)
{
    const json_t *aliases = json_object_get(value, "aliases");
    const strict_place here = strict_key(place, "aliases");
    graph_node *node = &list->nodes[i].node;
    if (!aliases)
        return 0;
    if (strict_array(aliases, &here, 0, INT32_MAX / 2, error))
        return -1;
    const size_t count = json_array_size(aliases);
    node->aliases = list->aliases[i] = base_calloc(count, sizeof **list->aliases);
    node->alias_count = (int)count;
    for (size_t k = 0; k < count; k++) {
        const strict_place element = strict_index(&here, k);
        if (read_alias(json_array_get(aliases, k), &element, &list->aliases[i][k], error))
            return -1;
    }
    return check_parts(node, &here, error);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* A view has nothing of its own beside it. */
static int check_view(const json_t *value, const strict_place *place, base_error *error)
{
    static const char *const own[] = {"in_place", "outputs",         "bytes",    "flops", "pin",
                                      "aliases",  "workspace_bytes", "stateful", NULL};
    for (int k = 0; own[k]; k++)
        if (json_object_get(value, own[k]))
            return strict_fail(place, error, "a view has no \"%s\" of its own", own[k]);
    for (int k = 0; k < GRAPH_COSTS; k++)
        if (json_object_get(value, graph_costs[k].key))
            return strict_fail(place, error, "a view has no \"%s\" of its own", graph_costs[k].key);
    return 0;
}

/* {"name": "max", "bytes": 4096}, ... in place of "bytes". */
static int read_outputs(const json_t *value, const strict_place *place, node_list *list, int i,
                        base_error *error)
{
    const strict_place here = strict_key(place, "outputs");
    if (json_object_get(value, "bytes") || json_object_get(value, "aliases"))
        return strict_fail(place, error, "\"outputs\" or \"%s\" are expected, not both",
                           json_object_get(value, "bytes") ? "bytes" : "aliases");
    const json_t *outputs = json_object_get(value, "outputs");
    if (strict_array(outputs, &here, 1, GRAPH_MAX_NODES, error))
        return -1;
    const size_t count = json_array_size(outputs);
    list->nodes[i].outputs = list->outputs[i] = base_calloc(count, sizeof **list->outputs);
    list->nodes[i].output_count = (int)count;
    list->output_count += count;
    for (size_t k = 0; k < count; k++) {
        const strict_place element = strict_index(&here, k);
        const json_t *output = json_array_get(outputs, k);
        lower_output *to = &list->outputs[i][k];
        const strict_field fields[] = {STRICT_KEY("bytes", STRICT_INTEGER, &to->bytes,
                                                  .most = GRAPH_MAX_BYTES, .required = true),
                                       STRICT_KEY("name", STRICT_STRING, &to->name)};
        to->name = "";
        if (STRICT_READ(output, &element, fields, error))
            return -1;
    }
    return 0;
}

/* All but the inputs. */
static int read_node(const json_t *value, const strict_place *place, node_list *list, int i,
                     base_error *error)
{
    lower_node *node = &list->nodes[i];
    graph_node *to = &node->node;
    const char *pin = NULL, *op;
    bool view = false;
    enum { KEYS = 16 };
    strict_field fields[KEYS + GRAPH_COSTS] = {
        STRICT_KEY("inputs", STRICT_ANY, NULL, .required = true),
        STRICT_KEY("name", STRICT_STRING, &to->name),
        STRICT_KEY("bytes", STRICT_INTEGER, &to->bytes, .most = GRAPH_MAX_BYTES),
        STRICT_KEY("workspace_bytes", STRICT_INTEGER, &to->workspace, .most = GRAPH_MAX_BYTES),
        STRICT_KEY("flops", STRICT_INTEGER, &node->flops, .most = INT64_C(1) << 60),
        STRICT_KEY("backward", STRICT_BOOL, &to->backward),
        STRICT_KEY("output", STRICT_BOOL, &to->output),
        STRICT_KEY("view", STRICT_BOOL, &view),
        STRICT_KEY("pin", STRICT_STRING, &pin),
        STRICT_KEY("op", STRICT_STRING, &op),
        STRICT_KEY("stateful", STRICT_ANY, NULL),
        STRICT_KEY("in_place", STRICT_ANY, NULL),
        STRICT_KEY("outputs", STRICT_ANY, NULL),
        STRICT_KEY("aliases", STRICT_ANY, NULL),
        STRICT_KEY("shape", STRICT_ANY, NULL),
        STRICT_KEY("notes", STRICT_ANY, NULL)};
    for (int k = 0; k < GRAPH_COSTS; k++)
        fields[KEYS + k] =
            (strict_field)STRICT_KEY(graph_costs[k].key, STRICT_REAL, graph_node_cost(to, k));
    if (STRICT_READ(value, place, fields, error) || read_note(value, place, &list->notes[i], error))
        return -1;
    to->note = list->notes[i];
    if (view) {
        node->sharing = LOWER_VIEW;
        return check_view(value, place, error);
    }
    const bool outputs = json_object_get(value, "outputs") != NULL;
    if (!outputs && !json_object_get(value, "bytes"))
        return strict_fail(place, error, "key \"bytes\" is missing");
    return (outputs && read_outputs(value, place, list, i, error)) ||
                   set_pin(pin, place, to, error) || read_state(value, place, to, error) ||
                   check_costs(value, place, list, node, error) ||
                   read_aliases(value, place, list, i, error)
               ? -1
               : 0;
}

/* Inputs, and which of them the output overwrites. */
static int read_edges(const json_t *value, const strict_place *place, node_list *list, int i,
                      base_error *error)
{
    const json_t *in_place = json_object_get(value, "in_place");
    const strict_place here = strict_key(place, "in_place");
    lower_node *node = &list->nodes[i];
    node_reference to = {0, -1};
    if (node_list_read_inputs(json_object_get(value, "inputs"), place, list, i, error))
        return -1;
    if (!in_place)
        return 0;
    if (node_list_read_reference(in_place, &here, list, &to, error))
        return -1;
    node->sharing = LOWER_IN_PLACE;
    node->shares = to.node;
    return 0;
}

static int read_nodes(const json_t *value, const strict_place *place, node_list *list,
                      base_error *error)
{
    if (strict_array(value, place, 1, GRAPH_MAX_NODES, error))
        return -1;
    list->n = (int)json_array_size(value);
    const size_t n = (size_t)list->n;
    list->nodes = base_calloc(n, sizeof *list->nodes);
    list->inputs = base_calloc(n, sizeof *list->inputs);
    list->outputs = base_calloc(n, sizeof *list->outputs);
    list->aliases = base_calloc(n, sizeof *list->aliases);
    list->notes = base_calloc(n, sizeof *list->notes);
    for (size_t i = 0; i < n; i++) {
        const strict_place node = strict_index(place, i);
        if (read_node(json_array_get(value, i), &node, list, (int)i, error))
            return -1;
    }
    for (size_t i = 0; i < n; i++) {
        const strict_place node = strict_index(place, i);
        if (read_edges(json_array_get(value, i), &node, list, (int)i, error))
            return -1;
    }
    if (list->costing && list->costed == 0)
        return strict_fail(place, error,
                           "no node has \"flops\", from which a platform makes costs");
    return node_list_check_order(list, place, error);
}

graph *graph_from_json(const json_t *value, const strict_place *place, const graph_costing *costing,
                       base_error *error)
{
    const char *name = "";
    char *note;
    int64_t resident = 0;
    const strict_field fields[] = {
        STRICT_KEY("nodes", STRICT_ANY, NULL, .required = true),
        STRICT_KEY("name", STRICT_STRING, &name), STRICT_KEY("notes", STRICT_ANY, NULL),
        STRICT_KEY("resident_bytes", STRICT_INTEGER, &resident, .most = GRAPH_MAX_BYTES)};
    if (STRICT_READ(value, place, fields, error) || read_note(value, place, &note, error))
        return NULL;
    const strict_place nodes = strict_key(place, "nodes");
    node_list list = {.costing = costing};
    graph *g = NULL;
    if (read_nodes(json_object_get(value, "nodes"), &nodes, &list, error) == 0) {
        base_error why;
        g = graph_lower(name, list.nodes, list.n, costing, &why);
        if (!g)
            strict_fail(&nodes, error, "%s", why.text);
    }
    node_list_free(&list);
    if (g) {
        g->note = note;
        g->resident_bytes = resident;
        g->platform = costing ? base_strdup(costing->platform->name) : NULL;
        g->mem_power_scale = costing ? costing->mem_power_scale : 1;
    } else {
        base_free(note);
    }
    return g;
}

graph *graph_parse(const char *text, size_t size, const char *name, const graph_costing *costing,
                   base_error *error)
{
    json_t *root;
    const strict_place file = strict_file(name);
    if (strict_parse(text, size, name, NULL, &root, error))
        return NULL;
    graph *g = graph_from_json(root, &file, costing, error);
    json_decref(root);
    return g;
}

static void print_note(const char *note, FILE *out)
{
    if (note)
        fprintf(out, ", %s", note);
}

static void print_aliases(const graph *g, int i, FILE *out)
{
    const char *between = ", \"aliases\": [";
    for (int k = g->alias_start[i]; k < g->alias_start[i + 1]; k++) {
        const graph_alias *alias = &g->alias[k];
        fprintf(out, "%s{\"name\": ", between);
        strict_print_string(alias->name, out);
        fprintf(out, ", \"kind\": \"%s\"", graph_alias_kind_name(alias->kind));
        if (has_bytes(alias->kind))
            fprintf(out, ", \"bytes\": %lld", (long long)alias->bytes);
        print_note(alias->note, out);
        fputc('}', out);
        between = ", ";
    }
    fputs(g->alias_start[i] < g->alias_start[i + 1] ? "]" : "", out);
}

void graph_print_also(const graph *g, int i, int64_t offset, FILE *out)
{
    const char *between = "; also ";
    for (int k = g->alias_start[i]; k < g->alias_start[i + 1]; k++) {
        const graph_alias *alias = &g->alias[k];
        fprintf(out, "%s%s", between, alias->name);
        if (alias->kind == GRAPH_OUTPUT && offset >= 0) {
            fprintf(out, " @%lld", (long long)offset);
            offset += alias->bytes;
        }
        fprintf(out, " (%s)", graph_alias_kind_name(alias->kind));
        between = ", ";
    }
}

void graph_print(const graph *g, FILE *out)
{
    fputs("{\"name\": ", out);
    strict_print_string(g->name, out);
    if (g->resident_bytes > 0)
        fprintf(out, ", \"resident_bytes\": %lld", (long long)g->resident_bytes);
    print_note(g->note, out);
    fputs(", \"nodes\": [", out);
    for (int i = 0; i < g->n; i++) {
        fputs(i ? ",\n  {\"name\": " : "\n  {\"name\": ", out);
        strict_print_string(g->node_name[i], out);
        fputs(", \"inputs\": [", out);
        for (int e = g->input_start[i]; e < g->input_start[i + 1]; e++)
            fprintf(out, "%s%d", e > g->input_start[i] ? ", " : "", g->input[e]);
        fprintf(out, "], \"bytes\": %lld", (long long)g->bytes[i]);
        for (int k = 0; k < GRAPH_COSTS; k++) {
            fprintf(out, ", \"%s\": ", graph_costs[k].key);
            strict_print_real((*graph_cost_array(g, k))[i], out);
        }
        fprintf(out, ", \"backward\": %s", g->backward[i] ? "true" : "false");
        if (g->workspace[i] > 0)
            fprintf(out, ", \"workspace_bytes\": %lld", (long long)g->workspace[i]);
        if (g->pin[i])
            fprintf(out, ", \"pin\": \"%s\"", graph_pin_name(g->pin[i]));
        if (g->output[i])
            fputs(", \"output\": true", out);
        if (g->state[i])
            fprintf(out, ", \"stateful\": %s",
                    g->state[i] == GRAPH_STATEFUL ? "true" : "\"replayed\"");
        print_aliases(g, i, out);
        print_note(g->node_note[i], out);
        fputc('}', out);
    }
    fputs("\n]}", out);
}
