/* The lane of what looks for schedules and coarse bounds. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "exact/lane_state.h"
#include "exact/working.h"

void lane_rest(void)
{
    const struct timespec a_while = {.tv_nsec = 100000};
    nanosleep(&a_while, NULL);
}

void lane_report_free(report *r)
{
    schedule_free(r->schedule);
    base_free(r->mask);
    base_free(r->core);
    base_free(r);
}

void lane_find_free(find *f)
{
    schedule_free(f->schedule);
    base_free(f);
}

/* ---- the finder's turns -------------------------------------------------------------- */

/* A mask that was told (NULL: none) takes the place of the finder's. */
static void take_cells(uint8_t **own, uint8_t **told)
{
    if (!*told)
        return;
    base_free(*own);
    *own = *told;
    *told = NULL;
}

static void read_report(lane *l, report *r)
{
    engine *b = &l->own;
    if (r->schedule)
        engine_offer(b, r->schedule, r->source);
    b->lower = fmax(b->lower, r->lower);
    l->read_at = r->at;
    l->read_work = r->work;
    b->result->nodes = r->nodes + l->nodes;
    b->core_closed = r->core_closed;
    take_cells(&b->mask, &r->mask);
    take_cells(&b->core, &r->core);
    l->finder.now = r->now;
}

/* Under the lock: an idle finder is awake from this time on its clock. */
static void wake_up(lane *l, double at)
{
    l->ahead += fmax(0, at - lane_finding_clock(l));
    l->idle = false;
}

/* Under the lock: the next report up to the finder's clock; where it is idle, up to when it wakes,
 * which it does with that. */
static report *take_report(lane *l)
{
    report *r = l->reports;
    if (l->idle && lane_proving_clock(l) > l->wake && !(r && r->at <= l->wake))
        wake_up(l, l->wake);
    if (!r || r->at > (l->idle ? l->wake : lane_finding_clock(l)))
        return NULL;
    l->reports = r->next;
    if (!l->reports)
        l->last_report = &l->reports;
    if (l->idle)
        wake_up(l, r->at);
    return r;
}

/* What the other lane has done by now: since it last reported, as much as its clock says. */
static void count_work(lane *l)
{
    l->own.helpers_work = l->read_work + fmax(0, lane_finding_clock(l) - l->read_at);
    l->own.known_at = base_work_done();
}

/* Reads all that was reported up to now on the finder's clock; false once all is over. */
static bool read_reports(lane *l)
{
    while (!atomic_load(&l->own.called_off)) {
        base_lock(&l->lock);
        report *r = take_report(l);
        const bool all_told = !l->idle && (lane_proving_clock(l) > lane_finding_clock(l) ||
                                           l->reported >= lane_finding_clock(l));
        base_unlock(&l->lock);
        if (r) {
            read_report(l, r);
            lane_report_free(r);
        } else if (all_told) {
            return true;
        } else {
            lane_rest();
            base_rejoin();
        }
    }
    return false;
}

/* A turn, and what it brought. */
static find *turn(lane *l, exact_effort effort)
{
    engine *b = &l->own;
    const double upper = b->upper, lower = b->lower, work = (double)base_work_done(),
                 seconds = base_seconds();
    const exact_result before = *b->result;
    finder_run(&l->finder, effort);
    find *f = base_calloc(1, sizeof *f);
    f->effort = effort;
    f->spent = (exact_spent){.work = 1e-9 * ((double)base_work_done() - work),
                             .seconds = base_seconds() - seconds,
                             .turns = 1,
                             .successes = b->lower > lower || b->upper < upper};
    if (b->upper < upper) {
        f->schedule = schedule_copy(b->result->schedule);
        memcpy(f->source, b->result->source, sizeof f->source);
    }
    f->bound = b->lower;
    f->coarse_bound = b->coarse_bound;
    f->nodes = b->result->nodes - before.nodes;
    f->iterations = b->result->lp_iterations - before.lp_iterations;
    f->cuts = b->result->cuts - before.cuts;
    f->infeasible = b->infeasible;
    f->failed = b->failed;
    l->nodes += f->nodes;
    engine_spend(b, effort, &f->spent);
    return f;
}

static void look(void *context)
{
    lane *l = context;
    base_work_show(&l->found);
    while (read_reports(l)) {
        count_work(l);
        const exact_effort effort = engine_done(&l->own) ? EFFORTS : finder_next(&l->finder);
        find *f = effort == EFFORTS ? NULL : turn(l, effort);
        base_work_show(&l->found);
        base_lock(&l->lock);
        l->idle = !f;
        l->wake = lane_finding_clock(l) + engine_tuning(&l->own)->least_slice;
        if (f && !atomic_load(&l->own.called_off)) {
            f->at = lane_finding_clock(l);
            *l->last_find = f;
            l->last_find = &f->next;
            f = NULL;
        }
        base_unlock(&l->lock);
        if (f)
            lane_find_free(f);
    }
}

void *lane_run_finder(void *data)
{
    lane *l = data;
    uselocale(l->locale);
    l->own.row.thread = pthread_self();
    l->own.work_before = l->own.known_at = base_work_done();
    base_join(l->guard, look, l);
    base_work_show(NULL);
    return NULL;
}
