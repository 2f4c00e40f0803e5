/* Makes a plan: draft, page-ins forward, addresses; where no addresses are found, page-ins go
 * back, twice as many each time, until there are. */
#include <assert.h>

#include "plan/draft.h"

/* Undoes the page-in that holds the most memory for the longest before the schedule's slot
 * for it. false when none was moved. */
static bool retract_one(draft *d)
{
    int worst = -1;
    double most = 0;
    for (int b = 0; b < d->buffer_count; b++) {
        const draft_buffer *x = &d->buffer[b];
        double area = (double)d->graph->bytes[x->node] * (x->scheduled_birth - x->birth);
        if (x->birth < x->scheduled_birth && (worst < 0 || area > most)) {
            worst = b;
            most = area;
        }
    }
    if (worst < 0)
        return false;
    draft_set_birth(d, worst, d->buffer[worst].scheduled_birth);
    for (int k = 0; k < d->pageout_count; k++)
        if (d->pageout[k].buffer == worst && d->pageout[k].slot < d->buffer[worst].birth)
            d->pageout[k].slot = d->buffer[worst].birth;
    return true;
}

/* Addresses within the budget, at the price of what the transfer planner gained where there
 * is no other way. */
static void assign_addresses(draft *d, const base_limits *limits)
{
    if (arena_assign(d, draft_peak(d), ARENA_WORK, limits) <= d->budget)
        return;
    for (int b = 0; b < d->buffer_count; b++)
        draft_linger(d, b, d->buffer[b].scheduled_death);
    int moved = 1;
    while (arena_assign(d, draft_peak(d), ARENA_WORK / 4, limits) > d->budget) {
        bool some = false;
        for (int k = 0; k < moved && retract_one(d); k++)
            some = true;
        if (!some)
            return;
        moved *= 2;
    }
}

plan *plan_make(const problem *p, const schedule *s, const plan_options *options, base_error *error)
{
    if (schedule_validate(p, s, NULL, error) != 0)
        return NULL;
    schedule *pruned = schedule_copy(s);
    schedule_prune(p->graph, pruned);
    draft *d = draft_create(p, pruned);
    assert(draft_peak(d) <= p->ram_budget_bytes);
    schedule_free(pruned);
    if (options->overlap)
        transfer_plan(d);
    assert(draft_peak(d) <= p->ram_budget_bytes);
    assign_addresses(d, options->limits);
    plan *x = draft_finish(d, NULL);
    draft_free(d);
    return x;
}
