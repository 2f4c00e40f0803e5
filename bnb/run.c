/* State of a run: work done, limits, and the bound proven so far. */
#include "bnb/run.h"

#include "bnb/search.h"

void bnb_begin_work(bnb_search *s, int thread)
{
    bnb_context *c = s->context[thread];
    s->charged[thread] = base_work_done();
    s->share[thread] = 0;
    c->domain.cutoff = fmin(c->domain.cutoff, atomic_load(&s->cutoff));
}

void bnb_charge(bnb_search *s, int thread)
{
    const uint64_t now = base_work_done();
    atomic_fetch_add(&s->work, now - s->charged[thread]);
    s->share[thread] += now - s->charged[thread];
    s->charged[thread] = now;
}

double bnb_known_work(bnb_context *c)
{
    bnb_search *s = c->search;
    bnb_charge(s, c->thread);
    return (double)(s->rounds ? s->round_start + s->share[c->thread] : atomic_load(&s->work));
}

bool bnb_stop_if_spent(bnb_search *s)
{
    const long nodes = atomic_load(&s->nodes);
    if (nodes < s->node_end && atomic_load(&s->work) < s->work_end)
        return false;
    bnb_search_stop(s, nodes >= s->params.node_limit ? BNB_LIMIT_NODES : BNB_LIMIT_WORK);
    return true;
}

void bnb_search_stop(bnb_search *s, bnb_status status)
{
    int none = 0;
    atomic_compare_exchange_strong(&s->stop, &none, 1 + (int)status);
}

bnb_status bnb_limit_status(base_stop stop)
{
    return stop == BASE_STOP_TIME     ? BNB_LIMIT_TIME
           : stop == BASE_STOP_MEMORY ? BNB_LIMIT_MEMORY
           : stop == BASE_STOP_WORK   ? BNB_LIMIT_WORK
                                      : BNB_INTERRUPTED;
}

base_limits bnb_limits(bnb_context *c)
{
    bnb_search *s = c->search;
    base_limits limits = s->params.limits;
    bnb_charge(s, c->thread);
    uint64_t end = s->limit_end, done = atomic_load(&s->work);
    if (s->rounds) {
        end = end > s->round_start ? (end - s->round_start) / (uint64_t)s->params.threads : 0;
        done = s->share[c->thread];
    }
    limits.work_end = base_work_done() + (end > done ? end - done : 0);
    return limits;
}

void bnb_context_stop(bnb_context *c, base_stop why)
{
    if (why == BASE_STOP_WORK && c->search->rounds)
        c->spent = true;
    else
        bnb_search_stop(c->search, bnb_limit_status(why));
}

bool bnb_stopped(bnb_context *c)
{
    bnb_search *s = c->search;
    if (c->spent || atomic_load(&s->stop) != 0)
        return true;
    const base_limits limits = bnb_limits(c);
    if (s->stage == BNB_STAGE_ROOT && bnb_stop_if_spent(s))
        return true;
    const base_stop stop = base_limits_check(&limits);
    if (stop != BASE_GO)
        bnb_context_stop(c, stop);
    return stop != BASE_GO;
}

double bnb_search_bound(const bnb_search *s)
{
    double bound = fmin(bnb_heap_bound(&s->open), s->trouble_bound);
    for (int t = 0; t < s->params.threads; t++)
        bound = fmin(bound, s->active_bound[t]);
    for (int t = 0; t < s->contexts; t++)
        bound = fmin(bound, bnb_heap_bound(&s->context[t]->own));
    const double cutoff = atomic_load(&s->cutoff);
    /* All nodes at or above the cutoff are settled. With a step of the objective, no solution
     * lies between the cutoff and the incumbent. */
    return bound >= cutoff ? s->best ? s->best_proven : cutoff : bound;
}

int bnb_open_nodes(const bnb_search *s)
{
    int count = s->open.count;
    for (int t = 0; t < s->contexts; t++)
        count += s->context[t]->own.count;
    return count;
}
