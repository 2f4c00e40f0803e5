/* poetbnb verify: checks a certificate in exact arithmetic, without the solver. */
#include "certificate/verify.h"
#include <string.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/report.h"

/* What is checked, and what came of it. */
typedef struct check {
    const char *path;
    certificate_verdict verdict;
    certificate_report report;
    base_error error;
} check;

static json_t *builtin_json(const graph *g)
{
    json_t *object = json_object();
    json_object_set_new(object, "model", cli_json_text(g->model));
    json_object_set_new(object, "platform", cli_json_text(g->platform));
    json_object_set_new(object, "batch_size", json_integer(g->batch_size));
    json_object_set_new(object, "backward", cli_json_text(g->backward_style));
    json_object_set_new(object, "mem_power_scale", cli_json_real(g->mem_power_scale));
    return object;
}

/* What the claim is about: nobody is to take it for one about another problem. */
static json_t *problem_json(const problem *p)
{
    const graph *g = p->graph;
    json_t *object = json_object();
    json_object_set_new(object, "graph", cli_json_text(g->name));
    json_object_set_new(object, "builtin", g->model ? builtin_json(g) : json_null());
    json_object_set_new(object, "node_count", json_integer(g->n));
    json_object_set_new(object, "edge_count", json_integer(g->edge_count));
    json_object_set_new(object, "base_joules", cli_json_real(graph_base_joules(g)));
    json_object_set_new(object, "ram_budget_bytes", json_integer(p->ram_budget_bytes));
    json_object_set_new(object, "deadline_seconds", cli_json_real(p->deadline_seconds));
    json_object_set_new(object, "allow_paging", json_boolean(p->allow_paging));
    json_object_set_new(object, "allow_remat", json_boolean(p->allow_remat));
    json_object_set_new(object, "charge_pagein_transfer", json_boolean(p->charge_pagein_transfer));
    json_object_set_new(object, "deadline_includes_paging",
                        json_boolean(p->deadline_includes_paging));
    return object;
}

static const char *const words[] = {"holds", "wrong", "malformed"};

static void print_json(const char *verdict, const certificate_report *report,
                       const base_error *error)
{
    bool holds = verdict == words[CERTIFICATE_HOLDS], bounded = holds && !report->infeasible;
    json_t *object = json_object();
    json_object_set_new(object, "verdict", json_string(verdict));
    json_object_set_new(object, "claim",
                        !holds               ? json_null()
                        : report->infeasible ? json_string("infeasible")
                        : report->optimal    ? json_string("optimal")
                                             : json_string("bound"));
    json_object_set_new(object, "problem", holds ? problem_json(&report->problem) : json_null());
    json_object_set_new(object, "trust",
                        !holds              ? json_null()
                        : report->canonical ? json_string("canonical")
                                            : json_string("rules"));
    json_object_set_new(object, "lower_bound_overhead_joules",
                        cli_json_real(bounded ? report->bound_joules : NAN));
    json_object_set_new(object, "overhead_joules",
                        cli_json_real(bounded ? report->overhead_joules : NAN));
    json_object_set_new(object, "steps", json_integer(report->steps));
    json_object_set_new(object, "nodes", json_integer(report->nodes));
    json_object_set_new(object, "cuts", json_integer(report->cuts));
    json_object_set_new(object, "multipliers", json_integer(report->multipliers));
    json_object_set_new(object, "error", holds ? json_null() : json_string(error->text));
    cli_json_print(object);
}

static void print_problem(const problem *p)
{
    char budget[64];
    const graph *g = p->graph;
    if (g->model)
        printf("  Problem         %s on %s, built in, batch size %d, gradients %s", g->model,
               g->platform, g->batch_size, g->backward_style);
    else
        printf("  Problem         the file's own graph \"%s\": %d nodes, %d edges, %.10g J once",
               g->name, g->n, g->edge_count, graph_base_joules(g));
    if (g->mem_power_scale != 1)
        printf(", storage power times %.10g", g->mem_power_scale);
    printf("\n  Rules           %s of RAM",
           cli_format_bytes(p->ram_budget_bytes, budget, sizeof budget));
    if (isfinite(p->deadline_seconds))
        printf(", %.10g s%s", p->deadline_seconds,
               p->deadline_includes_paging ? " with transfers" : "");
    printf("%s%s%s\n", p->charge_pagein_transfer ? ", page-ins charged in transfer" : "",
           p->allow_paging ? "" : ", no paging", p->allow_remat ? "" : ", no rematerialisation");
}

static void print_text(const char *path, const certificate_report *report)
{
    printf("%s: the proof holds\n", base_text_shown(path).text);
    print_problem(&report->problem);
    if (report->infeasible)
        printf("  Proven          no schedule meets the rules\n");
    else
        printf("  Proven          no schedule has less than %.12g J of overhead\n"
               "  Schedule        %.12g J of overhead%s\n",
               report->bound_joules, report->overhead_joules,
               report->optimal ? ": optimal" : ": not proven optimal by this bound");
    printf("  Rests on        %s\n",
           report->canonical ? "the rules, and the proofs that an optimal schedule may be assumed "
                               "to be canonical (docs/formulation.md)"
                             : "the rules of schedules alone");
    printf("  Proof           %ld steps, %ld nodes, %ld cuts, %ld multipliers\n", report->steps,
           report->nodes, report->cuts, report->multipliers);
}

static void check_step(void *data)
{
    check *c = data;
    c->verdict = certificate_verify(c->path, &c->report, &c->error);
}

static int run(const cli_options *options)
{
    check c = {.path = options->file};
    const base_limits limits = cli_limits(options);
    const base_stop stop = base_try(&limits, check_step, &c);
    const bool holds = stop == BASE_GO && c.verdict == CERTIFICATE_HOLDS;
    if (stop != BASE_GO) { /* what it held is gone */
        c.report = (certificate_report){0};
        base_fail(&c.error, "%s: stopped by the %s: nothing is known", c.path, cli_stop_name(stop));
    }
    if (options->json)
        print_json(stop == BASE_GO ? words[c.verdict] : "unknown", &c.report, &c.error);
    else if (holds && !options->quiet)
        print_text(c.path, &c.report);
    if (!holds)
        cli_fail(0, "%s", c.error.text);
    certificate_report_clear(&c.report);
    return stop != BASE_GO                  ? CLI_LIMIT_NOTHING
           : holds                          ? CLI_DONE
           : c.verdict == CERTIFICATE_WRONG ? CLI_CHECK_FAILED
                                            : CLI_BAD_INPUT;
}

const cli_command cli_command_verify = {
    .name = "verify",
    .bit = CLI_VERIFY,
    .file = "FILE",
    .summary = "check a certificate of `solve --certificate' in exact arithmetic",
    .help =
        "Reads the certificate line by line and checks every step: the schedule by the "
        "validator, cuts by enumeration, bounds and eliminations by linear combinations of the "
        "model's rows in exact arithmetic, and that the tree leaves nothing out. Nothing of "
        "the solver is used.\n\n"
        "Exit status: 0 the proof holds, 1 it does not, 2 the file is no certificate, 5 a limit "
        "ended the check.",
    .run = run,
};
