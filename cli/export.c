/* poetbnb export: the model of a problem as a file for any other solver. */
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/instance.h"
#include "formulation/formulation.h"

/* A step of cli_guard. */
static int export_model(void *data)
{
    const cli_options *options = data;
    base_error error;
    unsigned features;
    problem p;
    graph *g = cli_problem_open(options, NULL, &features, &p);
    if (!g)
        return CLI_BAD_INPUT;
    bool published = strcmp(options->formulation, "published") == 0;
    bool overhead = strcmp(options->objective, "overhead") == 0;
    lp_model *model = formulation_export(&p, published, options->relax, overhead, features);
    int failed = lp_model_write(model, options->out, &error);
    if (failed)
        cli_fail(0, "%s", error.text);
    else if (!options->quiet)
        fprintf(stderr, "%s: %d rows, %d columns, %d entries\n", base_text_shown(options->out).text,
                model->rows, model->cols, model->start[model->cols]);
    lp_model_free(model);
    graph_free(g);
    return failed ? CLI_BAD_INPUT : CLI_DONE;
}

/* The file's ending selects the format; output to other places is MPS. */
static bool has_format(const char *path)
{
    struct stat status;
    const bool device = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    return cli_output_is_standard(path) || device || base_path_ends(path, ".mps") ||
           base_path_ends(path, ".lp");
}

static int run_export(const cli_options *options)
{
    if (!options->out)
        return cli_fail(CLI_BAD_INPUT, "--out: expected a file to write");
    if (!has_format(options->out))
        return cli_fail(CLI_BAD_INPUT,
                        "--out: %s: expected a name that ends in .mps or .lp, or in .mps.gz or "
                        ".lp.gz",
                        options->out);
    const base_limits limits = cli_limits(options);
    return cli_guard(&limits, "no model is written", export_model, (void *)options);
}

const cli_command cli_command_export = {
    .name = "export",
    .bit = CLI_EXPORT,
    .summary = "write the model of a problem to an MPS or LP file",
    .help =
        "Writes the mixed-integer model of a problem for another solver: CPLEX-LP when "
        "FILE ends in .lp, free MPS when it ends in .mps (packed with .gz behind it) or is - or a "
        "device. The objective is in joules: the total energy, or with "
        "--objective=overhead the part beyond computing every node once, so that a solver's "
        "relative gap has the same meaning as here. Names contain cell, stage and node: "
        "R_t43_n16_relu7 is R in stage 43 of node 16, called relu7. `poetbnb import' turns "
        "the solver's solution into a schedule.\n\n"
        "Exit status: 0 written, 2 bad input, 5 stopped by a limit or Ctrl-C.",
    .run = run_export,
};
