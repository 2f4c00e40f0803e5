/* poetbnb info: the built-in networks and platforms, their sizes and costs; parameters, features
 * and methods. */
#include <inttypes.h>
#include <string.h>

#include "base/buffer.h"
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
    printf("  Computation   %.6g FLOP/s, %.6g FLOP/J, %.6g W\n", p->flops_per_second,
           p->flops_per_joule, p->compute_watts);
    printf("  Page-in       %.6g s + bytes / %.6g bytes/s\n", p->pagein_latency_seconds,
           p->pagein_bytes_per_second);
    printf("  Page-out      %.6g s + bytes / %.6g bytes/s\n", p->pageout_latency_seconds,
           p->pageout_bytes_per_second);
    printf("  Storage       %.6g W while it transfers\n", p->storage_watts);
    if (p->note[0])
        printf("  Note          %s\n", p->note);
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

/* Sizes, which do not depend on the platform, and costs; NULL after a message. */
static json_t *network_json(const cli_options *options, const char *model)
{
    json_t *network = json_object(), *costs = json_array();
    cli_options one = *options;
    one.model = model;
    for (int p = 0; platform_builtin(p); p++) {
        one.platform = platform_builtin(p)->name;
        graph *g = cli_graph_open(&one);
        if (!g) {
            json_decref(network);
            json_decref(costs);
            return NULL;
        }
        if (p == 0)
            json_object_update_new(
                network, json_pack("{s:s, s:i, s:i, s:I, s:I}", "name", model, "nodes", g->n,
                                   "edges", g->edge_count, "checkpoint_all_peak_bytes",
                                   (json_int_t)graph_checkpoint_all_peak(g), "minimum_bytes",
                                   (json_int_t)graph_minimum_bytes(g, NULL)));
        json_array_append_new(costs,
                              json_pack("{s:s, s:f, s:f}", "platform", platform_builtin(p)->name,
                                        "base_joules", graph_base_joules(g), "base_seconds",
                                        graph_base_seconds(g)));
        graph_free(g);
    }
    json_object_set_new(network, "costs", costs);
    return network;
}

/* The network of --model, or all of them; NULL after a message. */
static json_t *networks_json(const cli_options *options)
{
    json_t *networks = json_array();
    for (int k = 0; options->model ? k < 1 : network_name(k) != NULL; k++) {
        json_t *network = network_json(options, options->model ? options->model : network_name(k));
        if (!network) {
            json_decref(networks);
            return NULL;
        }
        json_array_append_new(networks, network);
    }
    return networks;
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

/* A line of a table with the description, or a sentence without. */
static void print_sizes(const json_t *network, const char *description)
{
    const char *name;
    int nodes, edges;
    json_int_t peak, least;
    json_unpack((json_t *)network, "{s:s, s:i, s:i, s:I, s:I}", "name", &name, "nodes", &nodes,
                "edges", &edges, "checkpoint_all_peak_bytes", &peak, "minimum_bytes", &least);
    if (description)
        printf("%-15s %5d %6d %14lld %14lld  %s\n", name, nodes, edges, (long long)peak,
               (long long)least, description);
    else
        printf(
            "%s: %d nodes, %d edges; keeping everything takes %lld bytes, no schedule fits below "
            "%lld bytes\n",
            name, nodes, edges, (long long)peak, (long long)least);
}

/* Base energy and time on every built-in platform. */
static void print_costs(const json_t *networks)
{
    size_t k, p;
    json_t *network, *cost;
    printf("\nJoules and seconds of computing every node once\n%-15s", "network");
    for (int i = 0; platform_builtin(i); i++)
        printf(" %21s", platform_builtin(i)->name);
    putchar('\n');
    json_array_foreach(networks, k, network)
    {
        printf("%-15s", json_string_value(json_object_get(network, "name")));
        json_array_foreach(json_object_get(network, "costs"), p, cost)
        {
            printf(" %10.5g %10.4g", json_real_value(json_object_get(cost, "base_joules")),
                   json_real_value(json_object_get(cost, "base_seconds")));
        }
        putchar('\n');
    }
}

/* One network, or all of them and the platforms. */
static int show_networks(const cli_options *options)
{
    if (options->json && options->model)
        return cli_fail(CLI_BAD_INPUT,
                        "--platform: expected with --model and --json, for the costs");
    json_t *networks = networks_json(options);
    if (!networks)
        return CLI_BAD_INPUT;
    if (options->json) {
        cli_json_print(
            json_pack("{s:o, s:o}", "networks", networks, "platforms", platforms_json()));
        return CLI_DONE;
    }
    if (!options->model)
        printf("%-15s %5s %6s %14s %14s  %s\n", "network", "nodes", "edges", "keep all, B",
               "at least, B", "what it is");
    for (size_t k = 0; k < json_array_size(networks); k++)
        print_sizes(json_array_get(networks, k),
                    options->model ? NULL : network_description((int)k));
    print_costs(networks);
    json_decref(networks);
    if (!options->model)
        printf("\nPlatforms\n");
    for (int p = 0; !options->model && platform_builtin(p); p++)
        print_platform(platform_builtin(p));
    return CLI_DONE;
}

/* ---- methods ---------------------------------------------------------------- */

/* Where docs/baselines.md writes of a method. */
static base_shown section_of(const baseline_method *m)
{
    base_shown shown;
    snprintf(shown.text, sizeof shown.text, "docs/baselines.md#%s", m->name);
    return shown;
}

static const char *column_word(char value)
{
    return value == '+' ? "yes" : value == '~' ? "partly" : "no";
}

static json_t *method_json(const baseline_method *m)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:b, s:b, s:s, s:s, s:s, s:s, s:s}", "name",
                     m->name, "title", m->title, "citation", m->citation, "options", m->options,
                     "operations", m->work, "pages", m->pages, "pins", m->pins, "plans_forward",
                     m->plans_forward, "general_graphs", column_word(m->general_graphs),
                     "compute_aware", column_word(m->compute_aware), "memory_aware",
                     column_word(m->memory_aware), "power_aware", column_word(m->power_aware),
                     "section", section_of(m).text);
}

/* Prints the text in lines of at most `width` columns, each indented by four. */
static void print_wrapped(const char *text, int width)
{
    int column = 0;
    for (const char *word = text; *word;) {
        const int letters = (int)strcspn(word, " ");
        const bool breaks = column == 0 || column + 1 + letters > width;
        printf("%s%s%.*s", breaks && column ? "\n" : "", breaks ? "    " : " ", letters, word);
        column = breaks ? 4 + letters : column + 1 + letters;
        word += letters + strspn(word + letters, " ");
    }
    putchar('\n');
}

static void print_methods(const baseline_method *methods, int count)
{
    printf("%-20s %-8s %-8s %-8s %-8s %s\n"
           "    title; source; options; operations; section\n",
           "method", "general", "compute", "memory", "power", "pages");
    for (int k = 0; k < count; k++) {
        const baseline_method *m = &methods[k];
        char text[2400];
        printf("%-20s %-8s %-8s %-8s %-8s %s\n", m->name, column_word(m->general_graphs),
               column_word(m->compute_aware), column_word(m->memory_aware),
               column_word(m->power_aware), m->pages ? "yes" : "no");
        snprintf(text, sizeof text, "%s; %s; %s%s%s; %s", m->title, m->citation, m->options,
                 *m->options ? "; " : "", m->work, section_of(m).text);
        print_wrapped(text, 79);
    }
}

static int show_methods(const cli_options *options)
{
    int count;
    const baseline_method *methods = baseline_methods(&count);
    if (!options->json) {
        print_methods(methods, count);
        return CLI_DONE;
    }
    json_t *list = json_array();
    for (int k = 0; k < count; k++)
        json_array_append_new(list, method_json(&methods[k]));
    cli_json_print(json_pack("{s:o}", "methods", list));
    return CLI_DONE;
}

char *cli_methods_text(void)
{
    int count;
    const baseline_method *methods = baseline_methods(&count);
    text_buffer text = {0};
    text_print(&text, "Methods:\n");
    for (const baseline_method *m = methods; m < methods + count; m++)
        text_print(&text, "\n%s: %s (%s)%s%s", m->name, m->title, m->citation,
                   *m->options ? "; options " : "", m->options);
    return text.data;
}

static int run_info(const cli_options *options)
{
    if (options->features || options->parameters) {
        (options->features ? cli_features_list : cli_parameters_list)(options->json);
        return CLI_DONE;
    }
    if (options->list_methods)
        return show_methods(options);
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
