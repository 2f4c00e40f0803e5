/* poetbnb info: the built-in networks and platforms, their sizes and costs; parameters, features
 * and methods. */
#include <inttypes.h>
#include <string.h>

#include "baselines/baseline.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/instance.h"
#include "cli/parameters.h"
#include "cli/report.h"
#include "problem/json.h"

/* ---- one graph -------------------------------------------------------------- */

static void print_summary(const graph *g)
{
    int node;
    int64_t minimum = graph_minimum_bytes(g, &node);
    printf("%s: %s, %s\n", g->name, base_text_counted(g->n, "node").text,
           base_text_counted(g->edge_count, "edge").text);
    printf("  Keeping everything takes      %s\n",
           cli_format_bytes(graph_checkpoint_all_peak(g)).text);
    if (g->resident_bytes > 0)
        printf("  Resident beside that          %s\n", cli_format_bytes(g->resident_bytes).text);
    printf("  No schedule fits below        %s, which node %d (%s) needs\n",
           cli_format_bytes(minimum).text, node, g->node_name[node]);
    printf("  Computing every node once     %.10g J, %.10g s\n\n", graph_base_joules(g),
           graph_base_seconds(g));
}

static void print_nodes(const graph *g)
{
    printf("%5s %-24s %12s %11s %11s %11s %11s  %s\n", "node", "name", "bytes", "compute J",
           "compute s", "page-in J", "page-out J", "inputs");
    for (int i = 0; i < g->n; i++) {
        printf("%5d %-24s %12" PRId64 " %11.5g %11.5g %11.5g %11.5g ", i, g->node_name[i],
               g->bytes[i], g->joules[i], g->seconds[i], g->pagein_joules[i], g->pageout_joules[i]);
        for (int e = g->input_start[i]; e < g->input_start[i + 1]; e++)
            printf(" %d", g->input[e]);
        if (g->workspace[i] > 0)
            printf("; works in %" PRId64 " bytes", g->workspace[i]);
        printf("%s%s", g->pin[i] ? "; " : "", g->pin[i] ? graph_pin_name(g->pin[i]) : "");
        if (g->state[i])
            fputs(g->state[i] == GRAPH_STATEFUL ? "; stateful" : "; stateful, replayed", stdout);
        fputs(g->output[i] ? "; output" : "", stdout);
        graph_print_also(g, i, -1, stdout);
        putchar('\n');
    }
}

static int show_graph(const cli_options *options)
{
    graph *g = cli_graph_open(options);
    if (!g)
        return CLI_BAD_INPUT;
    if (options->json) {
        graph_print(g, stdout);
        putchar('\n');
    } else {
        print_summary(g);
        print_nodes(g);
    }
    graph_free(g);
    return CLI_DONE;
}

/* ---- one platform ----------------------------------------------------------- */

static void print_platform(const platform *p)
{
    printf("%s\n", p->name);
    for (int k = 0; k < PLATFORM_FIELDS; k++)
        printf("  %-24s %.10g\n", platform_fields[k].key, *platform_number(p, k));
    if (p->note[0])
        printf("  %-24s %s\n", "note", p->note);
}

static int show_platform(const cli_options *options)
{
    base_error error;
    platform p;
    if (platform_load(options->platform, &p, &error) != 0)
        return cli_fail(CLI_BAD_INPUT, "%s", error.text);
    if (options->json) {
        platform_print(&p, stdout);
        putchar('\n');
    } else {
        print_platform(&p);
    }
    return CLI_DONE;
}

/* ---- all of them ------------------------------------------------------------ */

/* Adds a network's sizes, which do not depend on the platform, to `networks', and its costs on each
 * platform to `costs'. 0, or -1 after a message. */
static int add_network(const cli_options *options, const char *name, const char *description,
                       json_t *networks, json_t *costs)
{
    cli_options one = *options;
    one.model = name;
    for (int p = 0; platform_builtin(p); p++) {
        one.platform = platform_builtin(p)->name;
        graph *g = cli_graph_open(&one);
        if (!g)
            return -1;
        if (p == 0)
            json_array_append_new(
                networks,
                json_pack("{s:s, s:s, s:i, s:i, s:I, s:I}", "name", name, "description",
                          description, "nodes", g->n, "edges", g->edge_count,
                          "checkpoint_all_peak_bytes", (json_int_t)graph_checkpoint_all_peak(g),
                          "minimum_bytes", (json_int_t)graph_minimum_bytes(g, NULL)));
        json_array_append_new(costs, json_pack("{s:s, s:s, s:f, s:f}", "network", name, "platform",
                                               one.platform, "base_joules", graph_base_joules(g),
                                               "base_seconds", graph_base_seconds(g)));
        graph_free(g);
    }
    return 0;
}

/* The network of --model, or all of them. */
static int add_networks(const cli_options *options, json_t *networks, json_t *costs)
{
    int failed = 0;
    if (!options->model) {
        for (int k = 0; !failed && network_name(k); k++)
            failed = add_network(options, network_name(k), network_description(k), networks, costs);
        return failed;
    }
    int k = 0;
    while (network_name(k) && strcmp(network_name(k), options->model) != 0)
        k++;
    return add_network(options, options->model, network_description(k), networks, costs);
}

static json_t *platforms_json(void)
{
    json_t *platforms = json_array();
    for (int i = 0; platform_builtin(i); i++) {
        const platform *p = platform_builtin(i);
        json_t *one = json_pack("{s:s, s:s}", "name", p->name, "note", p->note);
        for (int k = 0; k < PLATFORM_FIELDS; k++)
            json_object_set_new(one, platform_fields[k].key, json_real(*platform_number(p, k)));
        json_array_append_new(platforms, one);
    }
    return platforms;
}

/* Networks, their costs on each platform, and the platforms. */
static int show_networks(const cli_options *options)
{
    static const cli_column sizes[] = {{"network", "name"},
                                       {"nodes", "nodes"},
                                       {"edges", "edges"},
                                       {"keep all, B", "checkpoint_all_peak_bytes"},
                                       {"at least, B", "minimum_bytes"},
                                       {"what it is", "description"}};
    static const cli_column once[] = {{"network", "network"},
                                      {"platform", "platform"},
                                      {"J", "base_joules"},
                                      {"s", "base_seconds"}};
    json_t *networks = json_array(), *costs = json_array();
    if (add_networks(options, networks, costs) != 0) {
        json_decref(networks);
        json_decref(costs);
        return CLI_BAD_INPUT;
    }
    if (options->json) {
        cli_json_print(json_pack("{s:o, s:o, s:o}", "networks", networks, "costs", costs,
                                 "platforms", platforms_json()));
        return CLI_DONE;
    }
    cli_table_print("Networks", networks, sizes, 6);
    putchar('\n');
    cli_table_print("Computing every node once", costs, once, 4);
    printf("\nPlatforms\n---------\n");
    for (int p = 0; platform_builtin(p); p++)
        print_platform(platform_builtin(p));
    return CLI_DONE;
}

/* ---- methods ---------------------------------------------------------------- */

static const char *column_word(char value)
{
    return value == '+' ? "yes" : value == '~' ? "partly" : "no";
}

/* section: where docs/baselines.md writes of the method. */
static json_t *methods_json(void)
{
    int count;
    const baseline_method *methods = baseline_methods(&count);
    json_t *list = json_array();
    for (const baseline_method *m = methods; m < methods + count; m++)
        json_array_append_new(
            list,
            json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:b, s:b, s:s, s:s, s:s, s:s, s:s+}", "name",
                      m->name, "title", m->title, "citation", m->citation, "options", m->options,
                      "operations", m->work, "pages", m->pages, "pins", m->pins, "plans_forward",
                      m->plans_forward, "general_graphs", column_word(m->general_graphs),
                      "compute_aware", column_word(m->compute_aware), "memory_aware",
                      column_word(m->memory_aware), "power_aware", column_word(m->power_aware),
                      "section", "docs/baselines.md#", m->name));
    return list;
}

static void list_methods(void)
{
    static const cli_column abilities[] = {
        {"method", "name"},         {"general", "general_graphs"}, {"compute", "compute_aware"},
        {"memory", "memory_aware"}, {"power", "power_aware"},      {"pages", "pages"}};
    static const cli_column sources[] = {{"method", "name"},     {"what it is", "title"},
                                         {"options", "options"}, {"operations", "operations"},
                                         {"source", "citation"}, {"section", "section"}};
    cli_table_print("Methods", methods_json(), abilities, 6);
    putchar('\n');
    cli_table_print("Sources", methods_json(), sources, 6);
}

static int run_info(const cli_options *options)
{
    if (options->features || options->parameters) {
        (options->features ? cli_features_list : cli_parameters_list)(options->json);
        return CLI_DONE;
    }
    if (options->list_methods) {
        if (options->json)
            cli_json_print(json_pack("{s:o}", "methods", methods_json()));
        else
            list_methods();
        return CLI_DONE;
    }
    if (options->graph || (options->model && options->platform))
        return show_graph(options);
    if (options->platform)
        return show_platform(options);
    return show_networks(options);
}

const cli_command cli_command_info = {
    .name = "info",
    .bit = CLI_INFO,
    .summary = "show networks, platforms, their sizes and costs",
    .help = "Without options: all built-in networks and platforms. With --model and --platform, or "
            "--graph: the nodes of this graph; with --json as a graph file, which --graph reads. "
            "With --platform alone: this platform; with --json as a platform file. With "
            "--parameters: everything that --set, --with and --without change. With --features: "
            "the features and the rows of the model, with the places of their proofs. With "
            "--methods: the methods of compare except poetbnb, with the places of their rules.\n\n"
            "Exit status: 0 done, 2 bad input.",
    .run = run_info,
};
