/* Options of baselines, and the starts that --warm-start names. */
#include "cli/starts.h"

#include <string.h>

#include "base/buffer.h"
#include "cli/cli.h"

baseline_options cli_baseline_options(const cli_options *options, const base_limits *limits)
{
    baseline_options how = baseline_options_default();
    how.limits = limits;
    how.snapshots = (int)options->revolve_snapshots;
    how.segment_bytes = options->chen_segment_bytes;
    how.dtr_heuristic = strcmp(options->dtr_heuristic, "eq") == 0      ? BASELINE_DTR_CLASSES
                        : strcmp(options->dtr_heuristic, "local") == 0 ? BASELINE_DTR_LOCAL
                                                                       : BASELINE_DTR_NEIGHBOURHOOD;
    how.dtr_thrash = options->dtr_thrash;
    how.transfer = strcmp(options->capuchin_transfer, "sync") == 0 ? BASELINE_TRANSFER_SYNC
                                                                   : BASELINE_TRANSFER_DMA;
    how.checkmate_threshold = options->checkmate_threshold;
    how.checkmate_draws = (int)options->checkmate_draws;
    how.seed = (uint64_t)options->seed;
    how.pofo_slots = (int)options->pofo_slots;
    return how;
}

int cli_starts_make(const cli_options *options, const problem *p, const base_limits *limits,
                    bool sparing, FILE *log, baseline_starts *starts)
{
    base_error error;
    baseline_options how = cli_baseline_options(options, limits);
    how.sparing = sparing;
    if (baseline_starts_make(options->warm_start, p, &how, log, options->verbose, starts, &error) !=
        0)
        return cli_fail(-1, "--warm-start: %s", error.text);
    return 0;
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
