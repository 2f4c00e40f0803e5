/* The log of a solve: one table with a line for every better schedule, after every turn that
 * changed something, and every few seconds. The clock decides only which lines are shown. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "exact/log.h"

enum { HEADER_EVERY = 30 };
static const double line_seconds = 2.0;

static FILE *stream(const engine *e)
{
    return e->params->log_stream ? e->params->log_stream : stdout;
}

void engine_log(engine *e, int level, const char *format, ...)
{
    if (e->params->log < level)
        return;
    va_list list;
    va_start(list, format);
    fputs("  ", stream(e));
    vfprintf(stream(e), format, list);
    fputc('\n', stream(e));
    fflush(stream(e));
    va_end(list);
}

static void print_header(engine *e)
{
    fprintf(stream(e), "  %-16s %7s %6s | %12s %12s %12s %8s | %9s %5s %8s | %8s %9s\n", "Source",
            "Nodes", "Open", "Part bound", "Bound", "Incumbent", "Gap", "LP iters", "Cuts",
            "Columns", "Work", "Time");
}

/* Formats an overhead in joules; a dash if there is none. */
static const char *format_overhead(const engine *e, double overhead, char *text, size_t size)
{
    if (isfinite(overhead))
        snprintf(text, size, "%.7g", fmax(0, overhead) / e->scale);
    else
        snprintf(text, size, "-");
    return text;
}

/* Dual bound of all schedules. */
static double lower_of(const engine *e)
{
    return e->parent ? e->parent->lower : e->lower;
}

static const char *gap_shown(const engine *e, char *text, size_t size)
{
    const double gap = (e->upper - fmax(0, lower_of(e))) / e->upper;
    if (!isfinite(e->upper))
        snprintf(text, size, "-");
    else if (e->upper <= 0 || gap <= 0)
        snprintf(text, size, "0 %%");
    else
        snprintf(text, size, gap < 1e-4 ? "%.1e" : "%.3g %%", gap < 1e-4 ? gap : 100 * gap);
    return text;
}

/* Prints a line; under the lock. */
static void print_line(engine *e, char mark, const char *source)
{
    engine_row *row = &e->row;
    char part[32], bound[32], best[32], gap[32];
    if (pthread_equal(pthread_self(), row->thread))
        row->work = engine_work(e);
    if (row->lines++ % HEADER_EVERY == 0)
        print_header(e);
    fprintf(stream(e),
            "%c %-16.16s %7ld %6ld | %12s %12s %12s %8s | %9ld %5ld %8ld | %8.3f %8.2fs\n", mark,
            source, e->result->nodes + row->nodes, row->open,
            format_overhead(e, row->part, part, sizeof part),
            format_overhead(e, lower_of(e), bound, sizeof bound),
            format_overhead(e, e->upper, best, sizeof best), gap_shown(e, gap, sizeof gap),
            e->result->lp_iterations + row->iterations, row->cuts, row->columns, 1e-9 * row->work,
            base_seconds() - e->start);
    fflush(stream(e));
    row->seconds = base_seconds();
    row->lower = lower_of(e);
}

void engine_log_schedule(engine *e, const char *source)
{
    if (e->params->log > 0)
        print_line(e, '*', source);
}

void engine_log_turn(engine *e, exact_effort effort, double part)
{
    if (e->params->log <= 0)
        return;
    engine_lock(e);
    const bool is_new = e->row.effort != effort, rose = e->lower > e->row.lower;
    e->row.effort = effort;
    e->row.part = part;
    if (is_new || rose || base_seconds() - e->row.seconds >= line_seconds)
        print_line(e, ' ', exact_effort_name(effort));
    e->row.part = -INFINITY;
    engine_unlock(e);
}

void engine_log_progress(engine *e, exact_effort effort, const bnb_progress *now)
{
    if (e->params->log <= 0)
        return;
    engine_lock(e);
    engine_row *row = &e->row;
    row->nodes = now->nodes - row->nodes_before;
    row->iterations = now->iterations - row->iterations_before;
    row->open = now->open;
    row->cuts = now->cuts;
    row->part = now->bound;
    if (base_seconds() - row->seconds >= line_seconds)
        print_line(e, ' ', exact_effort_name(effort));
    engine_unlock(e);
}
