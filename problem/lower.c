/* Views disappear, an overwritten output joins the node that overwrites it, several outputs
 * become one tensor and a workspace. The names of all remain as aliases. */
#include "problem/lower.h"

#include <string.h>

/* A tensor is the output, or are the outputs, of its owner. */
typedef struct lowering {
    const lower_node *raw;
    graph_node *node; /* as they come; bytes, workspace and costs are filled in */
    int n;
    int *owner;        /* n: node that owns the memory of the output of i. For a view the owner of
                          its input, else i */
    int *part;         /* of a view, which output of the owner; -1: all */
    int *into;         /* the node that overwrites i; -1: none */
    int *number;       /* of the node of the graph that i is part of */
    int *output_start; /* n+1: outputs of i are output_start[i] .. output_start[i+1]-1 */
    bool *read;        /* of each output */
} lowering;

static const char *name_of(const lowering *l, int i)
{
    return l->raw[i].node.name ? l->raw[i].node.name : "";
}

static lowering lowering_make(const lower_node *raw, int n)
{
    const size_t count = (size_t)n;
    lowering l = {.raw = raw, .n = n};
    l.node = base_calloc(count, sizeof *l.node);
    l.owner = base_calloc(count, sizeof *l.owner);
    l.part = base_calloc(count, sizeof *l.part);
    l.into = base_calloc(count, sizeof *l.into);
    l.number = base_calloc(count, sizeof *l.number);
    l.output_start = base_calloc(count + 1, sizeof *l.output_start);
    for (int i = 0; i < n; i++) {
        l.node[i] = raw[i].node;
        l.owner[i] = i;
        l.part[i] = l.into[i] = -1;
        l.output_start[i + 1] = l.output_start[i] + raw[i].output_count;
    }
    l.read = base_calloc((size_t)l.output_start[n], sizeof *l.read);
    return l;
}

/* ---- checks -------------------------------------------------------------------------------- */

/* Which output input k of node i is; -1: all, or the only one. */
static int input_part(const lowering *l, int i, int k)
{
    const lower_node *raw = &l->raw[i];
    const int from = raw->node.inputs[k], part = raw->input_output ? raw->input_output[k] : -1;
    if (l->raw[from].sharing == LOWER_VIEW)
        return l->part[from];
    return l->raw[from].output_count > 0 ? part : -1;
}

static int check_inputs(const lowering *l, int i, base_error *error)
{
    const lower_node *raw = &l->raw[i];
    for (int k = 0; k < raw->node.input_count; k++) {
        const int from = raw->node.inputs[k], part = raw->input_output ? raw->input_output[k] : -1;
        if (from < 0 || from >= i)
            return base_fail(error, "node %d (%s): input %d is not the number of an earlier node",
                             i, name_of(l, i), from);
        const int count = l->raw[from].output_count > 0 ? l->raw[from].output_count : 1;
        if (part < -1 || part >= count)
            return base_fail(
                error, "node %d (%s): output %d of node %d (%s) is read, which has %d output%s", i,
                name_of(l, i), part, from, name_of(l, from), count, count == 1 ? "" : "s");
    }
    return 0;
}

static int check_view(const lowering *l, int i, base_error *error)
{
    const graph_node *v = &l->raw[i].node;
    if (v->input_count != 1)
        return base_fail(error, "node %d (%s): a view has %d inputs; one is expected", i,
                         name_of(l, i), v->input_count);
    bool costs = l->raw[i].has_flops;
    for (int k = 0; k < GRAPH_COSTS; k++)
        costs |= *graph_node_cost(v, k) != 0;
    if (v->bytes || v->workspace || v->pin || costs || l->raw[i].output_count > 0)
        return base_fail(error,
                         "node %d (%s): a view without bytes, costs, workspace, pin and outputs of "
                         "its own is expected",
                         i, name_of(l, i));
    return 0;
}

static int check_outputs(const lowering *l, int i, base_error *error)
{
    const lower_node *raw = &l->raw[i];
    for (int k = 0; k < raw->output_count; k++)
        if (raw->outputs[k].bytes < 0 || raw->outputs[k].bytes > GRAPH_MAX_BYTES)
            return base_fail(error,
                             "node %d (%s): output %d has %lld bytes; 0 to 2^49 are expected", i,
                             name_of(l, i), k, (long long)raw->outputs[k].bytes);
    if (raw->output_count > 0 && raw->node.bytes != 0)
        return base_fail(error, "node %d (%s): either bytes or outputs are expected, not both", i,
                         name_of(l, i));
    return 0;
}

/* Checks the nodes by themselves, and finds the owner of each tensor. */
static int find_owners(lowering *l, base_error *error)
{
    for (int i = 0; i < l->n; i++) {
        if (check_inputs(l, i, error) || check_outputs(l, i, error))
            return -1;
        if (l->raw[i].sharing != LOWER_VIEW)
            continue;
        if (check_view(l, i, error))
            return -1;
        const int base = l->raw[i].node.inputs[0];
        l->owner[i] = l->owner[base];
        l->part[i] = input_part(l, i, 0);
    }
    return 0;
}

/* Has, or had before it was lowered. */
static bool has_outputs(const lower_node *raw)
{
    for (int k = 0; k < raw->node.alias_count; k++)
        if (raw->node.aliases[k].kind >= GRAPH_OUTPUT)
            return true;
    return raw->output_count > 0;
}

/* Node i writes over the tensor of u. */
static int check_in_place(const lowering *l, int i, int u, base_error *error)
{
    const lower_node *raw = &l->raw[i];
    bool reads = false;
    for (int k = 0; k < raw->node.input_count; k++)
        reads |= raw->node.inputs[k] == raw->shares;
    if (!reads)
        return base_fail(error, "node %d (%s): in_place is node %d; one of its inputs is expected",
                         i, name_of(l, i), raw->shares);
    const int several = has_outputs(raw) ? i : has_outputs(&l->raw[u]) ? u : -1;
    if (several >= 0)
        return base_fail(error,
                         "node %d (%s): node %d (%s) has several outputs; in place both nodes are "
                         "expected to have one",
                         i, name_of(l, i), several, name_of(l, several));
    if (raw->node.bytes != l->raw[u].node.bytes)
        return base_fail(error,
                         "node %d (%s): %lld bytes are expected as in node %d (%s), which it "
                         "overwrites, not %lld",
                         i, name_of(l, i), (long long)l->raw[u].node.bytes, u, name_of(l, u),
                         (long long)raw->node.bytes);
    return 0;
}

static int find_overwritten(lowering *l, base_error *error)
{
    for (int i = 0; i < l->n; i++) {
        const lower_node *raw = &l->raw[i];
        if (raw->sharing != LOWER_IN_PLACE)
            continue;
        if (raw->shares < 0 || raw->shares >= i)
            return base_fail(error, "node %d (%s): in_place is not the number of an earlier node",
                             i, name_of(l, i));
        const int u = l->owner[raw->shares];
        if (check_in_place(l, i, u, error))
            return -1;
        l->into[u] = i; /* a second one reads u as well, and is refused below */
    }
    for (int i = 0; i < l->n; i++)
        for (int k = 0; l->raw[i].sharing != LOWER_VIEW && k < l->raw[i].node.input_count; k++) {
            const int u = l->owner[l->raw[i].node.inputs[k]], w = l->into[u];
            if (w >= 0 && w != i)
                return base_fail(error,
                                 "node %d (%s) overwrites node %d (%s), which node %d (%s) reads "
                                 "too; no other reader of an overwritten output is expected",
                                 w, name_of(l, w), u, name_of(l, u), i, name_of(l, i));
        }
    return 0;
}

/* ---- sizes and costs ----------------------------------------------------------------------- */

/* Nodes with several outputs: the outputs that are read make the tensor, the others are in use
 * while the node is computed. If none is read all of them are the tensor, as for any node without
 * readers. */
static void assign_outputs(lowering *l)
{
    for (int i = 0; i < l->n; i++)
        for (int k = 0; l->raw[i].sharing != LOWER_VIEW && k < l->raw[i].node.input_count; k++) {
            const int u = l->owner[l->raw[i].node.inputs[k]], part = input_part(l, i, k);
            const int start = l->output_start[u];
            for (int o = start; o < l->output_start[u + 1]; o++)
                l->read[o] |= part < 0 || part == o - start;
        }
    for (int i = 0; i < l->n; i++) {
        const int start = l->output_start[i], count = l->raw[i].output_count;
        bool some = false;
        for (int k = 0; k < count; k++)
            some |= l->read[start + k];
        for (int k = 0; k < count; k++) {
            l->read[start + k] |= !some;
            int64_t *sum = l->read[start + k] ? &l->node[i].bytes : &l->node[i].workspace;
            const int64_t bytes = l->raw[i].outputs[k].bytes;
            *sum = bytes > INT64_MAX - *sum ? INT64_MAX : *sum + bytes; /* refused later */
        }
    }
}

static void cost_flops(lowering *l, const graph_costing *costing)
{
    for (int i = 0; i < l->n; i++)
        if (l->raw[i].has_flops)
            platform_cost(costing->platform, costing->mem_power_scale, l->raw[i].flops,
                          &l->node[i]);
}

/* ---- the graph ----------------------------------------------------------------------------- */

/* Numbers nodes that remain; returns how many. */
static int number_nodes(lowering *l)
{
    int count = 0;
    for (int i = 0; i < l->n; i++)
        if (l->owner[i] == i && l->into[i] < 0)
            l->number[i] = count++;
    /* the overwriting node stands behind and takes its number */
    for (int i = l->n - 1; i >= 0; i--)
        if (l->owner[i] == i && l->into[i] >= 0)
            l->number[i] = l->number[l->into[i]];
    for (int i = 0; i < l->n; i++)
        l->number[i] = l->number[l->owner[i]];
    return count;
}

/* The node that i overwrites; -1: none. */
static int overwritten(const lowering *l, int i)
{
    return l->raw[i].sharing == LOWER_IN_PLACE ? l->owner[l->raw[i].shares] : -1;
}

/* Writes the inputs of i and of the nodes that it overwrites to `inputs`, each once; returns
 * their number. mark[k] is number + 1 once node k is among them. */
static int gather_inputs(const lowering *l, int i, int *mark, int *inputs)
{
    const int number = l->number[i];
    int count = 0;
    for (; i >= 0; i = overwritten(l, i))
        for (int k = 0; k < l->raw[i].node.input_count; k++) {
            const int from = l->number[l->raw[i].node.inputs[k]];
            if (from == number || mark[from] == number + 1)
                continue;
            mark[from] = number + 1;
            inputs[count++] = from;
        }
    return count;
}

/* Adds to node i the nodes that it overwrites. */
static graph_node merge_overwritten(const lowering *l, int i)
{
    graph_node made = l->node[i];
    for (int u = overwritten(l, i); u >= 0; u = overwritten(l, u)) {
        const graph_node *node = &l->node[u];
        made.seconds += node->seconds;
        made.joules += node->joules;
        made.pin |= node->pin;
        made.state = node->state > made.state ? node->state : made.state;
        if (node->workspace > made.workspace)
            made.workspace = node->workspace;
    }
    return made;
}

/* The aliases that node i of the list gives, written to `to` unless that is NULL; how many. */
static int list_aliases(const lowering *l, int i, graph_alias *to)
{
    const lower_node *raw = &l->raw[i];
    int count = 0;
    if (l->owner[i] != i || l->into[i] >= 0) {
        if (name_of(l, i)[0] || raw->node.note) {
            if (to)
                to[count] = (graph_alias){.name = (char *)name_of(l, i), /* only copied */
                                          .kind = l->owner[i] != i ? GRAPH_VIEW : GRAPH_OVERWRITTEN,
                                          .note = (char *)raw->node.note};
            count++;
        }
    }
    for (int k = 0; k < raw->output_count; k++, count++)
        if (to)
            to[count] =
                (graph_alias){.name = (char *)(raw->outputs[k].name ? raw->outputs[k].name : ""),
                              .kind = l->read[l->output_start[i] + k] ? GRAPH_OUTPUT : GRAPH_UNREAD,
                              .bytes = raw->outputs[k].bytes};
    for (int k = 0; k < raw->node.alias_count; k++, count++)
        if (to)
            to[count] = raw->node.aliases[k];
    return count;
}

/* Fills in the aliases of the made nodes; returns their array. */
static graph_alias *gather_aliases(const lowering *l, graph_node *made, int count)
{
    int *start = base_calloc((size_t)count + 1, sizeof *start);
    for (int i = 0; i < l->n; i++)
        start[l->number[i] + 1] += list_aliases(l, i, NULL);
    for (int k = 0; k < count; k++)
        start[k + 1] += start[k];
    graph_alias *alias = base_calloc((size_t)start[count], sizeof *alias);
    for (int k = 0; k < count; k++) {
        made[k].aliases = alias + start[k];
        made[k].alias_count = start[k + 1] - start[k];
    }
    for (int i = 0; i < l->n; i++)
        start[l->number[i]] += list_aliases(l, i, alias + start[l->number[i]]);
    base_free(start);
    return alias;
}

static graph *make_graph(lowering *l, const char *name, base_error *error)
{
    const int count = number_nodes(l);
    size_t edges = 0;
    for (int i = 0; i < l->n; i++)
        edges += (size_t)l->raw[i].node.input_count;
    graph_node *made = base_calloc((size_t)count, sizeof *made);
    int *inputs = base_malloc(edges + 1, sizeof *inputs), *at = inputs;
    int *mark = base_calloc((size_t)count, sizeof *mark);
    for (int i = 0; i < l->n; i++) {
        if (l->owner[i] != i || l->into[i] >= 0)
            continue;
        graph_node *node = &made[l->number[i]];
        *node = merge_overwritten(l, i);
        node->inputs = at;
        node->input_count = gather_inputs(l, i, mark, at);
        at += node->input_count;
    }
    for (int i = 0; i < l->n; i++)
        made[l->number[i]].output |= l->raw[i].node.output;
    graph_alias *alias = gather_aliases(l, made, count);
    graph *g = graph_create(name, made, count, error);
    base_free_all(alias, made, inputs, mark);
    return g;
}

/* Doubled inputs, which gathering would hide. */
static int check_doubles(const lowering *l, base_error *error)
{
    int *reader = base_calloc((size_t)l->n, sizeof *reader);
    int *whole = base_calloc((size_t)l->n, sizeof *whole);
    int *part = base_calloc((size_t)l->output_start[l->n], sizeof *part);
    int failed = 0;
    for (int i = 0; i < l->n && !failed; i++)
        for (int k = 0; k < l->raw[i].node.input_count && !failed; k++) {
            const int from = l->raw[i].node.inputs[k];
            const int one = l->raw[from].sharing == LOWER_VIEW ? -1 : input_part(l, i, k);
            int *mark = one < 0 ? &whole[from] : &part[l->output_start[from] + one];
            if (whole[from] == i + 1 || *mark == i + 1 || (one < 0 && reader[from] == i + 1))
                failed = base_fail(error, "node %d (%s): input %d appears twice", i, name_of(l, i),
                                   from);
            *mark = reader[from] = i + 1;
        }
    base_free_all(reader, whole, part);
    return failed;
}

static graph *lower(const char *name, const lower_node *nodes, int n, const graph_costing *costing,
                    base_error *error)
{
    lowering l = lowering_make(nodes, n);
    graph *g = NULL;
    if (find_owners(&l, error) == 0 && check_doubles(&l, error) == 0 &&
        find_overwritten(&l, error) == 0) {
        assign_outputs(&l);
        cost_flops(&l, costing);
        if (graph_check_nodes(l.node, n, error) == 0)
            g = make_graph(&l, name, error);
    }
    base_free_all(l.node, l.owner, l.part, l.into, l.number, l.output_start, l.read);
    return g;
}

/* ---- what remains -------------------------------------------------------------------------- */

/* True if the last node of the list is in memory of its own and all outputs are in RAM when it has
 * been computed. */
static bool last_holds_outputs(const lower_node *nodes, int n)
{
    const lower_node *last = &nodes[n - 1];
    bool *whole = base_calloc((size_t)n, sizeof *whole);
    whole[n - 1] = true;
    for (int k = 0; k < last->node.input_count; k++)
        if ((!last->input_output || last->input_output[k] < 0) && last->node.inputs[k] >= 0 &&
            last->node.inputs[k] < n)
            whole[last->node.inputs[k]] = true;
    bool all = last->sharing == LOWER_OWN;
    for (int i = 0; i < n; i++)
        all &= whole[i] || !nodes[i].node.output;
    base_free(whole);
    return all;
}

/* With a node behind the others, without size and costs, that reads all outputs. */
static graph *lower_with_end(const char *name, const lower_node *nodes, int n,
                             const graph_costing *costing, base_error *error)
{
    lower_node *list = base_malloc((size_t)n + 1, sizeof *list), *end = &list[n];
    int *inputs = base_malloc((size_t)n, sizeof *inputs), count = 0;
    memcpy(list, nodes, (size_t)n * sizeof *list);
    *end =
        (lower_node){.node = {.name = "outputs", .inputs = inputs, .note = "\"op\": \"outputs\""}};
    for (int i = 0; i < n; i++) {
        end->node.backward |= nodes[i].node.backward;
        if (nodes[i].node.output)
            inputs[count++] = i;
    }
    end->node.input_count = count;
    graph *g = lower(name, list, n + 1, costing, error);
    base_free(inputs);
    base_free(list);
    return g;
}

graph *graph_lower(const char *name, const lower_node *nodes, int n, const graph_costing *costing,
                   base_error *error)
{
    bool ends = n < 1 || n > GRAPH_MAX_NODES || last_holds_outputs(nodes, n);
    if (n < 1 || n + !ends > GRAPH_MAX_NODES) {
        base_fail(error, "%d nodes%s; 1 to %d are expected", n,
                  ends ? "" : " and one that reads the outputs", GRAPH_MAX_NODES);
        return NULL;
    }
    return ends ? lower(name, nodes, n, costing, error)
                : lower_with_end(name, nodes, n, costing, error);
}
