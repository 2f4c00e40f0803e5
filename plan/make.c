/* Makes a plan: draft, page-ins moved forward, addresses. While no addresses are found, page-ins
 * move back, twice as many each time. */
#include <assert.h>

#include "plan/draft.h"

/* Moves the page-in that holds the most memory times slots before its scheduled slot back to that
 * slot. False: none was moved. */
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

arena_answer draft_assign(draft *d, int64_t *effort)
{
    const size_t count = (size_t)d->buffer_count;
    arena_buffer *buffer = base_malloc(count, sizeof *buffer);
    int64_t *offset = base_malloc(count, sizeof *offset);
    for (int b = 0; b < d->buffer_count; b++)
        buffer[b] = (arena_buffer){
            .birth = d->buffer[b].birth, .death = d->buffer[b].death, .bytes = draft_bytes(d, b)};
    const arena_answer answer = arena_assign(buffer, d->buffer_count, d->budget, offset, effort);
    for (int b = 0; b < d->buffer_count; b++)
        d->buffer[b].offset = offset[b];
    base_free(buffer);
    base_free(offset);
    return answer;
}

/* An attempt with a quarter of the remaining effort. */
static arena_answer assign_quarter(draft *d, int64_t *effort)
{
    const int64_t quarter = *effort / 4;
    int64_t left = quarter;
    const arena_answer answer = draft_assign(d, &left);
    *effort -= quarter - left;
    return answer;
}

/* Finds addresses within the budget, if need be without the transfer planner's gain: the last
 * attempt, with all remaining effort, has the schedule's own placement. */
static arena_answer assign_addresses(draft *d, int64_t *effort, bool moved)
{
    if (moved && assign_quarter(d, effort) == ARENA_FITS)
        return ARENA_FITS;
    for (int b = 0; b < d->buffer_count; b++)
        draft_extend_life(d, b, d->buffer[b].scheduled_death);
    for (int back = 1; moved; back *= 2) {
        for (int k = 0; k < back && moved; k++)
            moved = retract_one(d);
        if (moved && *effort > 0 && assign_quarter(d, effort) == ARENA_FITS)
            return ARENA_FITS;
    }
    return draft_assign(d, effort);
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
    int64_t effort = options->work > 0 ? options->work : PLAN_WORK;
    const arena_answer answer = assign_addresses(d, &effort, options->overlap);
    plan *x = draft_finish(d, NULL);
    x->no_packing = answer == ARENA_IMPOSSIBLE;
    draft_free(d);
    return x;
}
