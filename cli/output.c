/* Checks of output files before the work: each can be written, and none is also an input, another
 * output or standard output. */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "problem/json.h"

bool cli_output_is_standard(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

int cli_output_probe(const char *path, base_error *error)
{
    struct stat status;
    if (!path || cli_output_is_standard(path))
        return 0;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
        if (access(path, W_OK) == 0)
            return 0;
        return base_fail(error, "%s: cannot be written: %s", path, strerror(errno));
    }
    base_output *probe = base_output_open(path, error);
    base_output_abort(probe);
    return probe ? 0 : -1;
}

static bool has_log_file(const cli_options *options)
{
    return options->log && !cli_output_is_standard(options->log);
}

int cli_log_open(const cli_options *options, FILE *usual, FILE **log)
{
    *log = usual;
    if (!has_log_file(options))
        return 0;
    /* A FIFO without a reader is an error, not a wait. */
    const int file =
        open(options->log, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC, 0666);
    if (file >= 0)
        fcntl(file, F_SETFL, 0);
    *log = file >= 0 ? fdopen(file, "w") : NULL;
    return *log ? 0
                : cli_fail(-1, "--log: %s: cannot be written: %s", options->log, strerror(errno));
}

int cli_log_close(const cli_options *options, FILE *log)
{
    if (!has_log_file(options) || !log)
        return 0;
    int reason = base_flush(log, fileno(log));
    if (fclose(log) != 0 && !reason)
        reason = errno;
    return reason ? cli_fail(CLI_BAD_INPUT, "--log: %s: writing failed: %s", options->log,
                             strerror(reason))
                  : 0;
}

/* ---- files beside each other ---------------------------------------------------- */

/* A file of a run, by the option that names it. */
typedef struct named_file {
    const char *name, *path; /* NULL: not given */
} named_file;

static const char *path_in(const char *text)
{
    return text && json_names_file(text) ? text : NULL;
}

static bool is_regular(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static int fail_both(const named_file *file, const named_file *other)
{
    return cli_fail(-1, "%s: %s is also %s; another file is expected", file->name, file->path,
                    other->name);
}

int cli_files_check(const cli_options *options)
{
    static const char *const picture[] = {".svg", ".png", ".pdf", ".gp"};
    for (size_t k = 0; options->out && k < sizeof picture / sizeof *picture; k++)
        if (base_path_ends(options->out, picture[k]))
            return cli_fail(-1,
                            "--out: %s: expected the name of another file than a picture, which "
                            "--plot draws",
                            options->out);
    const named_file other[] = {
        {"the input file", options->file},          {"--graph", options->graph},
        {"--platform", path_in(options->platform)}, {"--params", options->params},
        {"--check-rows", options->check_rows},      {"--warm-start", path_in(options->warm_start)},
        {"standard output", "/dev/fd/1"},           {"standard error", "/dev/fd/2"}};
    const named_file output[] = {{"--out", options->out},
                                 {"--certificate", options->certificate},
                                 {"--plot", options->plot},
                                 {"--solution", options->solution},
                                 {"--log", options->log}};
    enum { OTHERS = sizeof other / sizeof *other, OUTPUTS = sizeof output / sizeof *output };
    for (int a = 0; a < OUTPUTS; a++) {
        if (!output[a].path || cli_output_is_standard(output[a].path))
            continue;
        for (int k = 0; k < OTHERS && is_regular(output[a].path); k++) {
            const char *path = cli_output_is_standard(other[k].path) ? "/dev/fd/0" : other[k].path;
            if (path && base_path_same(output[a].path, path))
                return fail_both(&output[a], &other[k]);
        }
        for (int b = 0; b < a; b++)
            if (output[b].path && base_path_same(output[a].path, output[b].path))
                return fail_both(&output[a], &output[b]);
    }
    return 0;
}
