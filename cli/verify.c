/* poetbnb verify: checks a certificate in exact arithmetic, without the solver. */
#include "certificate/verify.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/report.h"

static void print_json(certificate_verdict verdict, const certificate_report *report,
                       const base_error *error)
{
    static const char *const words[] = {"holds", "wrong", "malformed"};
    bool holds = verdict == CERTIFICATE_HOLDS, bounded = holds && !report->infeasible;
    json_t *object = json_object();
    json_object_set_new(object, "verdict", json_string(words[verdict]));
    json_object_set_new(object, "claim",
                        !holds               ? json_null()
                        : report->infeasible ? json_string("infeasible")
                        : report->optimal    ? json_string("optimal")
                                             : json_string("bound"));
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

static void print_text(const char *path, const certificate_report *report)
{
    char budget[64];
    const problem *p = &report->problem;
    cli_format_bytes(p->ram_budget_bytes, budget, sizeof budget);
    printf("%s: the proof holds\n", path);
    printf("  Problem         %s, %s of RAM", p->graph->name, budget);
    if (isfinite(p->deadline_seconds))
        printf(", %.6g s", p->deadline_seconds);
    if (report->infeasible)
        printf("\n  Proven          no schedule meets the rules\n");
    else
        printf("\n  Proven          no schedule has less than %.12g J of overhead\n"
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

static int run(const cli_options *options)
{
    base_error error = {""};
    certificate_report report;
    certificate_verdict verdict = certificate_verify(options->file, &report, &error);
    if (options->json)
        print_json(verdict, &report, &error);
    else if (verdict == CERTIFICATE_HOLDS && !options->quiet)
        print_text(options->file, &report);
    if (verdict != CERTIFICATE_HOLDS)
        cli_fail(0, "%s", error.text);
    certificate_report_clear(&report);
    return verdict == CERTIFICATE_HOLDS   ? CLI_DONE
           : verdict == CERTIFICATE_WRONG ? CLI_CHECK_FAILED
                                          : CLI_BAD_INPUT;
}

const cli_command cli_command_verify = {
    .name = "verify",
    .bit = CLI_VERIFY,
    .file = "FILE",
    .summary = "check a certificate of `solve --certificate' in exact arithmetic",
    .help = "Reads the certificate line by line and checks every step: the schedule by the "
            "validator, cuts by enumeration, bounds and eliminations by linear combinations of the "
            "model's rows in exact arithmetic, and that the tree leaves nothing out. Nothing of "
            "the solver is used.\n\n"
            "Exit status: 0 the proof holds, 1 it does not, 2 the file is no certificate.",
    .run = run,
};
