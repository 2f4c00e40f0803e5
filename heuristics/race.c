/* A race of local searches: each start has a valley of its own, and which one is deep does not show
 * in the overhead it starts with. All begin with a little work; the better half goes on with twice
 * as much each, until one is left. */
#include <math.h>
#include <stdlib.h>

#include "heuristics/search.h"

typedef struct runner {
    schedule *s;   /* its best; NULL: nothing yet */
    double joules; /* of s */
    int number;    /* order of entry */
} runner;

typedef struct race {
    const problem *problem;
    const heuristic_params *params;
    runner runner[HEURISTIC_MOST_RUNNERS];
    int count;
    double best; /* joules of the best schedule told to the caller */
} race;

/* Runners that entered as equals are the same schedule, more often than not. */
static bool is_known(const race *r, double joules)
{
    for (int k = 0; k < r->count; k++)
        if (fabs(r->runner[k].joules - joules) <= 1e-12 * joules)
            return true;
    return false;
}

static void enter(race *r, const schedule *s)
{
    validation v;
    if (r->count >= r->params->tuning.race_runners || s->n != r->problem->graph->n ||
        schedule_validate(r->problem, s, &v, NULL) || is_known(r, v.overhead_joules))
        return;
    r->runner[r->count] = (runner){schedule_copy(s), v.overhead_joules, r->count};
    r->count++;
}

static int compare(const void *a, const void *b)
{
    const runner *p = a, *q = b;
    if (p->joules != q->joules)
        return p->joules < q->joules ? -1 : 1;
    return p->number - q->number;
}

/* Passes on what is better than what all runners had. */
static void improved(void *context, const schedule *s, double joules)
{
    race *r = context;
    if (!(joules < r->best))
        return;
    r->best = joules;
    if (r->params->improved)
        r->params->improved(r->params->context, s, joules);
}

static bool is_over(const race *r)
{
    return r->best <= r->params->lower_bound_joules * (1 + 1e-9) ||
           base_limits_check(r->params->limits) != BASE_GO;
}

/* So much work for one runner; the one without a start builds its own. */
static void run(race *r, runner *who, int level, uint64_t work)
{
    heuristic_params params = *r->params;
    params.improved = improved;
    params.context = r;
    params.work_limit = work;
    params.seed =
        r->params->seed + (uint64_t)(level * r->params->tuning.race_runners + who->number);
    params.construct = who->s == NULL;
    const schedule *start[1] = {who->s};
    schedule *s = heuristic_search(r->problem, start, who->s != NULL, &params, NULL);
    validation v;
    if (s && schedule_validate(r->problem, s, &v, NULL) == 0 && v.overhead_joules < who->joules) {
        schedule_free(who->s);
        who->s = s;
        who->joules = v.overhead_joules;
    } else {
        schedule_free(s);
    }
}

int heuristic_race(const problem *p, const schedule *const *starts, int start_count,
                   const heuristic_params *hp, schedule **found, int most)
{
    race r = {.problem = p, .params = hp, .best = INFINITY};
    if (hp->construct)
        r.runner[r.count++] = (runner){.joules = INFINITY};
    for (int k = 0; k < start_count; k++)
        enter(&r, starts[k]);
    for (int k = 0; k < r.count; k++)
        r.best = fmin(r.best, r.runner[k].joules);
    int levels = 1;
    for (int left = r.count; left > 1; left = (left + 1) / 2)
        levels++;
    const uint64_t level_work = hp->work_limit / (uint64_t)levels;
    int left = r.count;
    for (int level = 0; level < levels && left > 0; level++) {
        for (int k = 0; k < left && !is_over(&r); k++)
            run(&r, &r.runner[k], level, level_work / (uint64_t)left + 1);
        qsort(r.runner, (size_t)left, sizeof *r.runner, compare);
        left = (left + 1) / 2;
    }
    int count = 0; /* who fell back was behind all that went on, and these only gained */
    for (int k = 0; k < r.count; k++) {
        const bool twin = k > 0 && r.runner[k].joules <= r.runner[k - 1].joules * (1 + 1e-9);
        if (r.runner[k].s && count < most && !twin)
            found[count++] = r.runner[k].s;
        else
            schedule_free(r.runner[k].s);
    }
    return count;
}
