/* Parameters of the exact solver from the options, and its result as text and as exit status. */
#include "cli/exact_run.h"

#include <inttypes.h>

#include "cli/cli.h"
#include "cli/engine.h"
#include "cli/report.h"

int cli_exact_exit(const exact_result *result)
{
    switch (result->status) {
    case EXACT_OPTIMAL:
    case EXACT_WITHIN_GAP:
        return CLI_DONE;
    case EXACT_INFEASIBLE:
        return CLI_NO_OPTIMUM;
    case EXACT_LIMIT:
        return result->schedule ? CLI_LIMIT : CLI_LIMIT_NOTHING;
    case EXACT_FAILED:
        break;
    }
    return CLI_CHECK_FAILED;
}

static double gap_of(const exact_result *result)
{
    return exact_gap(result->validation.overhead_joules, result->bound_overhead_joules);
}

/* For a schedule that is not proven optimal. */
static void print_gap(FILE *stream, const exact_result *result)
{
    if (result->bound_overhead_joules > 0)
        fprintf(
            stream,
            "No schedule saves more than %.4g %% of its overhead: none has less than %.10g J.\n",
            100 * gap_of(result), result->bound_overhead_joules);
    else
        fprintf(stream, "Nothing is proven yet about how much less is possible.\n");
}

static void print_headline(FILE *stream, const problem *p, const exact_result *result)
{
    switch (result->status) {
    case EXACT_OPTIMAL:
        if (result->validation.overhead_joules == 0)
            fprintf(stream, "Proven optimal: the budget costs no energy at all.\n");
        else
            fprintf(stream,
                    "Proven optimal: no schedule within the budget has less than %.10g J of "
                    "overhead.\n",
                    result->validation.overhead_joules);
        break;
    case EXACT_WITHIN_GAP:
        fprintf(stream, "Ended within the given gap: not proven optimal.\n");
        print_gap(stream, result);
        break;
    case EXACT_INFEASIBLE:
        fprintf(stream, "Proven infeasible: %s.\n", result->infeasible_reason);
        if (result->minimum_bytes > p->ram_budget_bytes)
            fprintf(stream, "No schedule fits into less than %s.\n",
                    cli_format_bytes(result->minimum_bytes).text);
        break;
    case EXACT_LIMIT:
        fprintf(stream, "Stopped by the %s %s.\n", exact_stop_name(result),
                result->schedule ? "with a schedule that is not proven optimal"
                                 : "before a schedule was found");
        if (result->schedule)
            print_gap(stream, result);
        else if (result->bound_overhead_joules > 0)
            fprintf(stream, "Proven: none has less than %.10g J of overhead.\n",
                    result->bound_overhead_joules);
        break;
    case EXACT_FAILED:
        fprintf(stream, "An internal check failed: this is a defect of the program.\n");
        break;
    }
}

void cli_exact_print(FILE *stream, const problem *p, const exact_result *result, double seconds)
{
    print_headline(stream, p, result);
    if (result->schedule) {
        cli_report_print_measures(stream, p, &result->validation);
        fprintf(stream, "  Lower bound     %.10g J of overhead, gap %.3g %%\n",
                result->bound_overhead_joules, 100 * gap_of(result));
        fprintf(stream, "  Found by        %s; the first schedule after %.2f s\n", result->source,
                result->first_incumbent_seconds);
    }
    fprintf(stream, "  Work            %s, %s, %s, %.2f s\n",
            base_text_counted(result->nodes, "node").text,
            base_text_counted(result->lp_iterations, "LP iteration").text,
            base_text_counted(result->cuts, "cut").text, seconds);
}

void cli_exact_print_profile(FILE *stream, const exact_result *result)
{
    if (result->work <= 0)
        return;
    fprintf(stream, "%-9s %7s %9s %6s %9s\n", "Profile", "work", "seconds", "turns", "successes");
    for (int k = 0; k < EFFORTS; k++) {
        const exact_spent *s = &result->spent[k];
        if (s->turns > 0)
            fprintf(stream, "  %-7s %5.1f %% %9.2f %6ld %9ld\n", exact_effort_name(k),
                    100 * s->work / result->work, s->seconds, s->turns, s->successes);
    }
    if (result->span < result->work)
        fprintf(stream, "  %.3f of work, %.3f one after the other\n", result->work, result->span);
}
