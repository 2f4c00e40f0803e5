#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "exact/engine.h"

double engine_work(const engine *e)
{
    return (double)(base_work_done() - e->work_before) + e->helpers_work;
}

void engine_log(engine *e, int level, const char *format, ...)
{
    if (e->params->log < level)
        return;
    FILE *stream = e->params->log_stream ? e->params->log_stream : stdout;
    va_list list;
    va_start(list, format);
    fprintf(stream, "%8.2fs  ", base_seconds() - e->start);
    vfprintf(stream, format, list);
    fputc('\n', stream);
    fflush(stream);
    va_end(list);
}

/* Room for one more. It outlives a search that is given up. */
static void make_room(exact_result *r)
{
    size_t count = (size_t)r->incumbent_count;
    if ((count & (count - 1)) == 0) /* full: the room is a power of two */
        r->incumbent = base_realloc(r->incumbent, count ? 2 * count : 1, sizeof *r->incumbent);
    base_keep(r->incumbent);
}

static void record(engine *e, double overhead_joules, const char *source)
{
    exact_result *r = e->result;
    exact_incumbent *i = &r->incumbent[r->incumbent_count++];
    *i = (exact_incumbent){.overhead_joules = overhead_joules,
                           .seconds = base_seconds() - e->start,
                           .cpu_seconds = (double)clock() / CLOCKS_PER_SEC,
                           .nodes = r->nodes,
                           .lp_iterations = r->lp_iterations};
    snprintf(i->source, sizeof i->source, "%s", source);
}

bool engine_offer(engine *e, const schedule *s, const char *source)
{
    validation v;
    if (schedule_validate(e->p, s, &v, NULL))
        return false;
    base_lock(&e->lock);
    exact_result *r = e->result;
    bool better = !r->schedule || v.overhead_joules < r->validation.overhead_joules;
    if (better) {
        if (!r->schedule)
            r->first_incumbent_seconds = base_seconds() - e->start;
        make_room(r);
        schedule *copy = schedule_copy(s);
        schedule_keep(copy);
        schedule_free(r->schedule);
        r->schedule = copy;
        r->validation = v;
        e->upper = v.overhead_joules * e->scale;
        snprintf(r->source, sizeof r->source, "%s", source);
        record(e, v.overhead_joules, source);
        engine_log(e, 1, "schedule  %.9g J of overhead, peak %.4g %% of the budget, by %s",
                   v.overhead_joules, 100.0 * (double)v.peak_bytes / (double)e->p->ram_budget_bytes,
                   source);
    }
    base_unlock(&e->lock);
    return better;
}

static double less_half(double upper, double gap)
{
    return isinf(upper) ? upper : upper - 0.5 * gap * upper;
}

double engine_cutoff(const engine *e)
{
    return less_half(e->upper, e->params->gap_relative);
}

double engine_elimination_cutoff(const engine *e)
{
    return less_half(e->upper, fmin(e->params->gap_relative, EXACT_OPTIMAL_GAP));
}

void engine_raise(engine *e, double bound)
{
    if (bound > e->lower)
        e->lower = bound;
}

bool engine_done(engine *e)
{
    if (e->failed || e->infeasible)
        return true;
    if (e->result->schedule && e->lower >= engine_cutoff(e))
        return true;
    if (e->stop == BASE_GO)
        e->stop = base_limits_check(&e->params->limits);
    return e->limited || e->stop != BASE_GO;
}
