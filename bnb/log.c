/* The solver's log: a table with a line per incumbent and every few seconds. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bnb/log.h"
#include "bnb/run.h"
#include "bnb/search.h"

enum { HEADER_EVERY = 20 };
static const double line_seconds = 2.0;

static FILE *stream(const bnb_search *s)
{
    return s->params.log_stream ? s->params.log_stream : stdout;
}

void bnb_log_text(bnb_search *s, const char *format, ...)
{
    if (s->params.log <= 0)
        return;
    va_list args;
    va_start(args, format);
    vfprintf(stream(s), format, args);
    va_end(args);
    fflush(stream(s));
}

void bnb_log_start(bnb_search *s)
{
    const lp_model *m = s->original;
    int integers = 0;
    for (int j = 0; j < m->cols; j++)
        integers += m->integer[j];
    bnb_log_text(s, "Model %s: %s, %s (%d integer), %s\n", m->name ? m->name : "(unnamed)",
                 base_text_counted(m->rows, "row").text, base_text_counted(m->cols, "column").text,
                 integers, base_text_counted(m->start[m->cols], "entry").text);
}

/* Formats a number in the sense of the caller's objective. */
static void format_value(const bnb_search *s, double value, char *text, size_t size)
{
    snprintf(text, size, "%.9g", s->original->maximize ? -value : value);
}

static void format_gap(const bnb_search *s, double bound, double best, char *text, size_t size)
{
    const double gap = best - bound, unit = bnb_gap_unit(best, s->least_cost);
    if (isinf(best) || isinf(bound))
        snprintf(text, size, "inf");
    else if (gap <= 0.0)
        snprintf(text, size, "0%%");
    else if (gap > 99.0 * unit)
        snprintf(text, size, "large");
    else
        snprintf(text, size, gap / unit < 1e-4 ? "%.1e" : "%.2f%%",
                 gap / unit * (gap / unit < 1e-4 ? 1.0 : 100.0));
}

void bnb_log_line(bnb_search *s, const char *source, bool force)
{
    const bnb_progress now = bnb_so_far(s);
    const double seconds = base_seconds();
    if (s->callbacks->progress)
        s->callbacks->progress(s->callbacks->user, &now);
    if (s->params.log <= 0 || (!force && seconds - s->log_seconds < line_seconds))
        return;
    s->log_seconds = seconds;
    if (s->log_lines++ % HEADER_EVERY == 0)
        bnb_log_text(s, "%-17s %9s %8s | %15s %15s %9s | %10s %6s %8s\n", "Source", "Nodes", "Open",
                     "Bound", "Incumbent", "Gap", "LP iters", "Cuts", "Time");
    char bound[32], best[32], gap[32];
    format_value(s, now.bound, bound, sizeof bound);
    /* Without a solution, the cutoff takes the incumbent's place. */
    const double target = s->best_objective < LP_INFINITY ? s->best_objective : s->params.cutoff;
    format_value(s, target, best, sizeof best);
    format_gap(s, now.bound, target, gap, sizeof gap);
    bnb_log_text(s, "%-17s %9ld %8ld | %15s %15s %9s | %10ld %6ld %7.1fs\n", source ? source : "",
                 now.nodes, now.open, bound, target < LP_INFINITY ? best : "-", gap, now.iterations,
                 now.cuts, seconds - s->start_seconds);
}

void bnb_log_end(bnb_search *s, const bnb_result *r)
{
    char bound[32], best[32], gap[32];
    if (r->status == BNB_INFEASIBLE && s->params.cutoff < LP_INFINITY) {
        format_value(s, s->params.cutoff, best, sizeof best);
        bnb_log_text(s, "nothing below %s: %ld nodes, %ld LP iterations, %ld cuts, %.2f s\n", best,
                     r->nodes, r->iterations, r->cuts, r->seconds);
        return;
    }
    format_value(s, r->bound, bound, sizeof bound);
    format_value(s, r->objective, best, sizeof best);
    format_gap(s, r->bound, r->objective, gap, sizeof gap);
    bnb_log_text(s, "%s: objective %s, bound %s, gap %s; %s, %s, %s, %.2f s\n",
                 bnb_status_name(r->status), r->has_solution ? best : "none", bound, gap,
                 base_text_counted(r->nodes, "node").text,
                 base_text_counted(r->iterations, "LP iteration").text,
                 base_text_counted(r->cuts, "cut").text, r->seconds);
    if (r->troubles > 0)
        bnb_log_text(s, "Numerical trouble: no proof of %s\n",
                     base_text_counted(r->troubles, "open node").text);
}
