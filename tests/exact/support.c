/* The problems and engines that several suites of the room share. */
#include "tests/exact/support.h"

#include <check.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "exact/beside.h"
#include "exact/cells/prove.h"
#include "exact/finder/anneal.h"
#include "formulation/formulation.h"
#include "tests/oracle/bait_instance.h"
#include "tests/oracle/nested_instance.h"
#include "tests/oracle/oracle.h"
#include "tests/oracle/scattered.h"

graph *scattered_problem(uint64_t seed, int percent, problem *p)
{
    base_error error;
    layered_options options = layered_options_default();
    options.nodes = 60;
    options.width = 8;
    options.seed = seed;
    graph *g = scattered_make(&options, &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    *p = problem_make(g, graph_checkpoint_all_peak(g) * percent / 100);
    p->allow_paging = false;
    return g;
}

random_instance unlimited_instance_make(uint64_t seed)
{
    random_instance r = seed % 4 ? any_instance_make(seed, 8) : nested_instance_make(seed);
    r.problem.deadline_seconds = INFINITY;
    r.problem.max_computations = INT_MAX;
    if (seed % 3 == 0)
        r.problem.allow_paging = false;
    return r;
}

bool is_away(const schedule *s, int i)
{
    for (int t = i + 1; t < s->n; t++)
        if (s->R[schedule_cell(s, t, i)] || s->In[schedule_cell(s, t, i)])
            return true;
    return false;
}

double optimum_keeping(const problem *p, int i)
{
    graph g = *p->graph;
    problem q = *p;
    OWNED(uint8_t) *pin = base_malloc((size_t)g.n, 1);
    memcpy(pin, g.pin, (size_t)g.n);
    pin[i] |= GRAPH_NO_RECOMPUTE | GRAPH_NO_PAGE;
    g.pin = pin;
    q.graph = &g;
    const oracle_result r = oracle_granting(&q, LONG_MAX);
    return r.feasible ? r.overhead_joules : INFINITY;
}

engine engine_for(const problem *p, const exact_params *params, exact_result *result)
{
    return (engine){.p = p,
                    .params = params,
                    .result = result,
                    .features = params->features,
                    .scale = formulation_default_scale(p->graph),
                    .upper = INFINITY,
                    .lock = PTHREAD_MUTEX_INITIALIZER};
}

void engine_end(engine *e)
{
    beside_clear(e);
    engine_anneal_clear(e);
    engine_prove_clear(e);
    base_free(e->mask);
    pthread_mutex_destroy(&e->lock);
    exact_result_clear(e->result);
}
