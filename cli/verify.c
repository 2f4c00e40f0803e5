/* poetbnb verify: checks a certificate in exact arithmetic, without the solver. */
#include "certificate/verify.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/instance.h"
#include "cli/report.h"

/* Input and result of a check. */
typedef struct check {
    const cli_options *options;
    certificate_verdict verdict;
    certificate_report report;
    base_error error;
    bool asked;        /* for a proof of the problem that options name */
    problem problem;   /* the problem of the options */
    graph *wanted;     /* its graph; NULL otherwise */
    bool matches;      /* true: the certificate is about that problem; else error names the
                          difference */
    graph *known;      /* the built-in graph that equals the certificate's graph; NULL: none */
    const graph *seen; /* known, or else the certificate's graph */
} check;

/* ---- which problem ---------------------------------------------------------- */

/* True if an option names the problem that the certificate must be about. */
static bool names_problem(const cli_options *options)
{
    for (int k = 0; k < CLI_OPTION_COUNT; k++)
        if (options->given[k] && cli_option_table[k].group <= CLI_GROUP_BUDGET)
            return true;
    return false;
}

/* Adds the difference between the proven problem and the expected one to the error. */
__attribute__((format(printf, 2, 3))) static void differ(check *c, const char *format, ...)
{
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const size_t used = strlen(c->error.text);
    snprintf(c->error.text + used, sizeof c->error.text - used, "%s %s", c->matches ? "" : ",",
             what);
    c->matches = false;
}

/* A limit on computations. */
static base_counted count_text(int most)
{
    base_counted shown = {"any number of"};
    if (most < INT_MAX)
        snprintf(shown.text, sizeof shown.text, "at most %d", most);
    return shown;
}

/* Compares the problem of the certificate with the problem that `solve` solves with the same
 * options. */
static void compare_problems(check *c)
{
    const problem *has = &c->report.problem, *wants = &c->problem;
    c->matches = true;
    base_fail(&c->error,
              "%s: the proof holds, but it is about another problem:", cli_input_name(c->options));
    if (!graph_same(has->graph, wants->graph))
        differ(c, "a graph of %d nodes and %d edges that is not the one of %d and %d",
               has->graph->n, has->graph->edge_count, wants->graph->n, wants->graph->edge_count);
    if (has->ram_budget_bytes != wants->ram_budget_bytes)
        differ(c, "%lld bytes of RAM instead of %lld", (long long)has->ram_budget_bytes,
               (long long)wants->ram_budget_bytes);
    if (has->deadline_seconds != wants->deadline_seconds)
        differ(c, "a deadline of %.17g s instead of %.17g s", has->deadline_seconds,
               wants->deadline_seconds);
    if (has->allow_paging != wants->allow_paging)
        differ(c, "%s paging", has->allow_paging ? "with" : "without");
    if (has->allow_remat != wants->allow_remat)
        differ(c, "%s rematerialisation", has->allow_remat ? "with" : "without");
    if (has->max_computations != wants->max_computations)
        differ(c, "%s computations of a node instead of %s", count_text(has->max_computations).text,
               count_text(wants->max_computations).text);
    if (has->charge_pagein_transfer != wants->charge_pagein_transfer)
        differ(c, "page-ins charged %s",
               has->charge_pagein_transfer ? "in the transfer's stage" : "on arrival");
    if (has->deadline_includes_paging != wants->deadline_includes_paging)
        differ(c, "transfers %sin the deadline", has->deadline_includes_paging ? "" : "not ");
}

/* The built-in graph that g is, if it has the name of a network; NULL: none. */
static graph *find_builtin(const graph *g)
{
    base_error error;
    for (int i = 0; platform_builtin(i); i++)
        for (int style = 0; style < 2; style++) {
            network_options how = network_options_default();
            how.backward = style == 0 ? LAYER_BACKWARD_PUBLISHED : LAYER_BACKWARD_AUTODIFF;
            graph *built = network_build(g->name, platform_builtin(i), how, &error);
            if (built && graph_same(g, built))
                return built;
            graph_free(built);
        }
    return NULL;
}

static bool names_network(const char *name)
{
    for (int i = 0; network_name(i); i++)
        if (strcmp(name, network_name(i)) == 0)
            return true;
    return false;
}

/* ---- output ------------------------------------------------------------- */

static json_t *builtin_json(const graph *g)
{
    return json_pack("{s:o, s:o, s:i, s:o, s:o}", "model", cli_json_text(g->model), "platform",
                     cli_json_text(g->platform), "batch_size", g->batch_size, "backward",
                     cli_json_text(g->backward_style), "mem_power_scale",
                     cli_json_real(g->mem_power_scale));
}

/* Prints the problem of the claim, so that no reader takes it for another one. */
static json_t *problem_json(const check *c)
{
    const problem *p = &c->report.problem;
    const graph *g = c->seen;
    return json_pack(
        "{s:o, s:o, s:s, s:i, s:i, s:f, s:I, s:o, s:b, s:b, s:o, s:b, s:b}", "graph",
        cli_json_text(p->graph->name), "builtin", g->model ? builtin_json(g) : json_null(),
        "graph_checksum", cli_format_checksum(g).text, "node_count", g->n, "edge_count",
        g->edge_count, "base_joules", graph_base_joules(g), "ram_budget_bytes",
        (json_int_t)p->ram_budget_bytes, "deadline_seconds", cli_json_real(p->deadline_seconds),
        "allow_paging", p->allow_paging, "allow_remat", p->allow_remat, "max_computations",
        p->max_computations < INT_MAX ? json_integer(p->max_computations) : json_null(),
        "charge_pagein_transfer", p->charge_pagein_transfer, "deadline_includes_paging",
        p->deadline_includes_paging);
}

static json_t *families_json(const certificate_report *report)
{
    json_t *list = json_array();
    for (int k = 0; k < report->families; k++)
        json_array_append_new(list, json_string(report->family[k]));
    return list;
}

/* holds: the proof holds, and its problem is the one of the options, if they name one. */
static void print_json(const check *c, const char *verdict, bool holds)
{
    const certificate_report *report = &c->report;
    const bool bounded = holds && !report->infeasible;
    const char *claim = !holds               ? NULL
                        : report->infeasible ? "infeasible"
                        : report->optimal    ? "optimal"
                                             : "bound";
    json_t *exchanges = holds && report->trust == CERT_EXCHANGES
                            ? json_pack("{s:I, s:I}", "rows", (json_int_t)report->exchange_rows,
                                        "cases", (json_int_t)report->exchange_cases)
                            : json_null();
    cli_json_print(json_pack(
        "{s:s, s:s?, s:o, s:o, s:s?, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:o}", "verdict",
        verdict, "claim", claim, "problem", c->seen ? problem_json(c) : json_null(), "matches",
        c->seen && c->asked ? json_boolean(c->matches) : json_null(), "trust",
        holds ? cert_trust_word[report->trust] : NULL, "families",
        holds ? families_json(report) : json_null(), "exchanges", exchanges,
        "lower_bound_overhead_joules", cli_json_real(bounded ? report->bound_joules : NAN),
        "overhead_joules", cli_json_real(bounded ? report->overhead_joules : NAN), "steps",
        (json_int_t)report->steps, "nodes", (json_int_t)report->nodes, "cuts",
        (json_int_t)report->cuts, "multipliers", (json_int_t)report->multipliers, "error",
        holds ? json_null() : cli_json_text(c->error.text)));
}

static void print_graph(const check *c)
{
    const graph *g = c->seen;
    if (g->model)
        printf("  Problem         %s on %s, built in, batch size %d, gradients %s", g->model,
               g->platform, g->batch_size, g->backward_style);
    else
        printf("  Problem         the file's own graph \"%s\"%s", g->name,
               names_network(g->name) ? ", which is not the built-in network" : "");
    if (g->mem_power_scale != 1)
        printf(", storage power times %.10g", g->mem_power_scale);
    printf("\n                  %d nodes, %d edges, %.10g J once, %s\n", g->n, g->edge_count,
           graph_base_joules(g), cli_format_checksum(g).text);
}

static void print_rules(const problem *p)
{
    printf("  Rules           %s of RAM", cli_format_bytes(p->ram_budget_bytes).text);
    if (isfinite(p->deadline_seconds))
        printf(", %.10g s%s", p->deadline_seconds,
               p->deadline_includes_paging ? " with transfers" : "");
    if (p->max_computations < INT_MAX)
        printf(", at most %d computations of a node", p->max_computations);
    printf("%s%s%s\n", p->charge_pagein_transfer ? ", page-ins charged in transfer" : "",
           p->allow_paging ? "" : ", no paging", p->allow_remat ? "" : ", no rematerialisation");
}

static void print_trust(const certificate_report *report)
{
    printf("  Rests on        %s",
           report->trust == CERT_EXCHANGES
               ? "exchanges: the rules, and exchanges that were carried out for these families:\n"
                 "                 "
               : "rules: the rules of schedules alone");
    bool nested = false;
    for (int k = 0; k < report->families; k++) {
        printf("%s %s", k ? "," : "", report->family[k]);
        nested = nested || strcmp(report->family[k], "nested") == 0;
    }
    putchar('\n');
    if (nested)
        puts("  Nested tensors  their conditions were checked, the proof is in "
             "certificate/FORMAT.md");
    if (report->trust == CERT_EXCHANGES)
        printf("  Exchanges       checked for this graph: %ld rows, %ld cases\n",
               report->exchange_rows, report->exchange_cases);
}

static void print_text(const check *c)
{
    const certificate_report *report = &c->report;
    printf("%s: the proof holds%s\n", base_text_shown(c->options->file).text,
           c->asked ? ", of the problem asked for" : "");
    print_graph(c);
    print_rules(&report->problem);
    if (report->infeasible)
        printf("  Proven          no schedule meets the rules\n");
    else
        printf("  Proven          no schedule has less than %.12g J of overhead\n"
               "  Schedule        %.12g J of overhead%s\n",
               report->bound_joules, report->overhead_joules,
               report->optimal ? ": optimal" : ": not proven optimal by this bound");
    print_trust(report);
    printf("  Proof           %s, %s, %s, %s\n", base_text_counted(report->steps, "step").text,
           base_text_counted(report->nodes, "node").text,
           base_text_counted(report->cuts, "cut").text,
           base_text_counted(report->multipliers, "multiplier").text);
}

/* ---- the command ---------------------------------------------------------------- */

/* A step of cli_guard. */
static int read_wanted(void *data)
{
    check *c = data;
    unsigned features;
    c->wanted = cli_problem_open(c->options, NULL, &features, &c->problem);
    return c->wanted ? 0 : -1;
}

static void check_step(void *data)
{
    check *c = data;
    c->verdict = certificate_verify(c->options->file, &c->report, &c->error);
    if (c->verdict == CERTIFICATE_HOLDS && c->report.trust == CERT_EXCHANGES)
        c->verdict = certificate_exchanges(&c->report, &c->error);
    if (c->verdict != CERTIFICATE_HOLDS)
        return;
    if (!c->report.graph->model)
        c->known = find_builtin(c->report.graph);
    if (c->asked)
        compare_problems(c);
    c->seen = c->known ? c->known : c->report.graph;
}

/* Prints the verdict; returns the exit status. */
static int conclude(const check *c)
{
    static const char *const words[] = {"holds", "wrong", "malformed"};
    const bool proven = c->verdict == CERTIFICATE_HOLDS,
               holds = proven && (!c->asked || c->matches);
    if (c->options->json)
        print_json(c, proven && !holds ? "another problem" : words[c->verdict], holds);
    else if (holds && !c->options->quiet)
        print_text(c);
    if (!holds)
        cli_fail(0, "%s", c->error.text);
    return holds                                 ? CLI_DONE
           : c->verdict == CERTIFICATE_MALFORMED ? CLI_BAD_INPUT
                                                 : CLI_CHECK_FAILED;
}

static int run_verify(const cli_options *options)
{
    check c = {.options = options, .asked = names_problem(options)};
    const base_limits limits = cli_limits(options);
    int status = c.asked ? cli_guard(&limits, "reading the problem", read_wanted, &c) : CLI_DONE;
    if (status == CLI_DONE) {
        const base_stop stop = base_try(&limits, check_step, &c);
        if (stop == BASE_GO) {
            status = conclude(&c);
        } else { /* the check's data are freed */
            c = (check){.options = options};
            base_fail(&c.error, "%s: stopped by the %s: nothing is known", options->file,
                      base_stop_name(stop));
            if (options->json)
                print_json(&c, "unknown", false);
            status = cli_fail(CLI_LIMIT_NOTHING, "%s", c.error.text);
        }
    }
    graph_free(c.known);
    graph_free(c.wanted);
    certificate_report_clear(&c.report);
    return status;
}

const cli_command cli_command_verify = {
    .name = "verify",
    .bit = CLI_VERIFY,
    .file = "FILE",
    .summary = "check a certificate of `solve --certificate' in exact arithmetic",
    .help =
        "Reads the certificate line by line and checks every step: the schedule by the "
        "validator, cuts by enumeration, bounds and eliminations by linear combinations of the "
        "model's rows in exact arithmetic, and the completeness of the tree. The checker shares no "
        "code with the solver.\n\n"
        "With the options of `solve' that name a problem (at least a graph and --ram-budget), the "
        "certificate must also be about this problem: graph, budget, deadline and rules.\n\n"
        "Exit status: 0 the proof holds, 1 it does not hold or is about another problem than the "
        "given one, 2 the file is no certificate, 5 a limit ended the check.",
    .run = run_verify,
};
