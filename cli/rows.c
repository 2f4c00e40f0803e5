/* Reads a schedule and has the models' rows checked against it. */
#include "cli/rows.h"

#include "cli/cli.h"
#include "formulation/check.h"
#include "problem/json.h"

int cli_rows_check(const cli_options *options, const problem *p, unsigned features)
{
    base_error error;
    const char *path = options->check_rows;
    schedule_file *file = schedule_file_read(path, &error);
    if (!file)
        return cli_fail(CLI_BAD_INPUT, "--check-rows: %s", error.text);
    int status = CLI_BAD_INPUT;
    if (!graph_same_shape(p->graph, file->graph)) {
        cli_fail(0, "--check-rows: %s: a schedule of another graph", path);
    } else if (schedule_validate(p, file->schedule, NULL, &error) != 0) {
        cli_fail(0, "--check-rows: %s: expected a schedule that is good: %s", path, error.text);
    } else {
        FILE *out = options->quiet ? NULL : stdout;
        const bool holds = formulation_check_schedule(p, features, file->schedule, out);
        status = holds ? CLI_DONE : CLI_CHECK_FAILED;
    }
    schedule_file_free(file);
    return status;
}
