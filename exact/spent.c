/* The work of each kind of turn, and the length of turns. */
#include "exact/spent.h"

#include <math.h>

double engine_spent_on(const engine *e, exact_effort effort)
{
    return 1e9 * e->result->spent[effort].work;
}

void engine_spend(engine *e, exact_effort effort, const exact_spent *turn)
{
    exact_spent *spent = &e->result->spent[effort];
    spent->work += turn->work;
    spent->seconds += turn->seconds;
    spent->turns += turn->turns;
    spent->successes += turn->successes;
}

turn_start turn_begin(const engine *e)
{
    return (turn_start){engine_work(e), base_seconds(), e->lower, e->upper};
}

exact_spent turn_end(const turn_start *before, const engine *e)
{
    return (exact_spent){.work = 1e-9 * (engine_work(e) - before->work),
                         .seconds = base_seconds() - before->seconds,
                         .turns = 1,
                         .successes = e->lower > before->lower || e->upper < before->upper};
}

bool engine_is_within_effort(const engine *e, exact_effort effort, double per_mille)
{
    return 1000 * engine_spent_on(e, effort) < per_mille * engine_work(e);
}

double engine_slice(const engine *e)
{
    return fmax(engine_tuning(e)->least_slice, engine_tuning(e)->slice * engine_work(e));
}
