/* bench-layered: writes a random layered graph for poetbnb --graph, of a training step or
 * scattered.
 *
 *     bench-layered [OPTION...] FILE */
#include <argp.h>
#include <stdlib.h>

#include "benchmarks/scattered.h"
#include "problem/json.h"

typedef struct arguments {
    layered_options graph;
    bool scattered;
    const char *file;
} arguments;

static const struct argp_option options[] = {
    {"nodes", 'n', "N", 0, "nodes of the graph (default: 50)", 0},
    {"width", 'w', "N", 0, "most nodes in a layer (default: 3)", 0},
    {"degree", 'd', "N", 0, "most inputs that a forward node chooses (default: 3)", 0},
    {"seed", 's', "N", 0, "of the random numbers (default: 1)", 0},
    {"platform", 'p', "NAME", 0, "built-in platform of the costs (default: a72nocache)", 0},
    {"scattered", 'r', 0, 0, "without gradients, in a random order", 0},
    {0}};

static int parse_count(struct argp_state *state, const char *text)
{
    char *end;
    const long value = strtol(text, &end, 10);
    if (end == text || *end || value < 1 || value > GRAPH_MAX_NODES)
        argp_error(state, "expected a number from 1 to %d, got '%s'", GRAPH_MAX_NODES, text);
    return (int)value;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    arguments *a = state->input;
    char *end;
    switch (key) {
    case 'n':
        a->graph.nodes = parse_count(state, text);
        return 0;
    case 'w':
        a->graph.width = parse_count(state, text);
        return 0;
    case 'd':
        a->graph.degree = parse_count(state, text);
        return 0;
    case 's':
        a->graph.seed = strtoull(text, &end, 10);
        if (end == text || *end)
            argp_error(state, "--seed: expected a number, got '%s'", text);
        return 0;
    case 'p':
        a->graph.platform = platform_find(text);
        if (!a->graph.platform)
            argp_error(state, "--platform: expected a built-in platform, got '%s'", text);
        return 0;
    case 'r':
        a->scattered = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            argp_error(state, "unexpected argument '%s'", text);
        a->file = text;
        return 0;
    case ARGP_KEY_END:
        if (!a->file)
            argp_error(state, "expected FILE");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv)
{
    arguments a = {.graph = layered_options_default()};
    const struct argp argp = {.options = options,
                              .parser = parse,
                              .args_doc = "FILE",
                              .doc = "Writes a random layered graph for poetbnb --graph; "
                                     "the same for the same options."};
    base_error error;
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    graph *g = a.scattered ? scattered_make(&a.graph, &error) : layered_make(&a.graph, &error);
    base_output *out = g ? base_output_open(a.file, &error) : NULL;
    if (out) {
        graph_print(g, base_output_stream(out));
        fputc('\n', base_output_stream(out));
    }
    const bool failed = !out || base_output_commit(out, &error);
    if (failed)
        fprintf(stderr, "bench-layered: %s\n", error.text);
    graph_free(g);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
