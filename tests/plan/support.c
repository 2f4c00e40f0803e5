/* Random schedules that obey the rules, made stage by stage, with a budget that fits them. */
#include "tests/plan/support.h"

#include <limits.h>
#include <stdlib.h>

#include "tests/oracle/draw.h"

/* Also outside of a test, where Check's assertions cannot be used. */
static void require(bool holds, const base_error *error)
{
    if (holds)
        return;
    fprintf(stderr, "tests/plan: %s\n", error->text);
    abort();
}

/* S, A, In and Out at random, R as they need it, stage by stage. */
static schedule *random_schedule(const problem *p, base_rng *rng)
{
    const graph *g = p->graph;
    const int n = g->n, density = 20 + (int)base_rng_below(rng, 81);
    schedule *s = schedule_create(n);
    for (int t = 0; t < n; t++) {
        const size_t row = schedule_cell(s, t, 0), next = row + (size_t)n;
        for (int j = t; j >= 0; j--) {
            s->R[row + j] = s->R[row + j] ||
                            (j < t && problem_may_recompute(p, j) && draw_chance(rng, density / 8));
            for (int e = g->input_start[j]; s->R[row + j] && e < g->input_start[j + 1]; e++)
                s->R[row + g->input[e]] |= !s->S[row + g->input[e]];
        }
        for (int i = 0; i < t && p->allow_paging; i++) {
            s->In[row + i] = s->A[row + i] && draw_chance(rng, density);
            s->Out[row + i] = s->S[row + i] && problem_may_page(p, i) && draw_chance(rng, 40);
        }
        for (int i = 0; t + 1 < n && i <= t; i++) {
            bool source = s->S[row + i] || s->R[row + i] || s->In[row + i];
            s->S[next + i] = source && (!problem_may_recompute(p, i) || draw_chance(rng, density));
            s->A[next + i] = (s->A[row + i] || s->Out[row + i]) && draw_chance(rng, 85);
        }
    }
    return s;
}

sample sample_make(uint64_t seed, int max_nodes)
{
    base_rng rng = {.state = seed * 7919 + 3};
    sample x = {.instance = random_instance_make(seed, max_nodes)};
    x.problem = x.instance.problem;
    x.problem.deadline_seconds = INFINITY;
    x.problem.max_computations = INT_MAX;
    x.problem.ram_budget_bytes = INT64_MAX / 4;
    x.schedule = random_schedule(&x.problem, &rng);
    base_error error;
    require(schedule_validate(&x.problem, x.schedule, &x.found, &error) == 0, &error);
    x.problem.ram_budget_bytes = x.found.peak_bytes;
    if (draw_chance(&rng, 60))
        x.problem.ram_budget_bytes +=
            (int64_t)base_rng_below(&rng, 1 + (uint64_t)x.found.peak_bytes);
    return x;
}

void sample_free(sample *s)
{
    schedule_free(s->schedule);
    random_instance_free(&s->instance);
}

graph *chain_of_six(void)
{
    static const int inputs[6][2] = {{0}, {0}, {1}, {2}, {3}, {4, 0}};
    graph_node nodes[6];
    for (int i = 0; i < 6; i++)
        nodes[i] = (graph_node){.name = "abcdef" + i,
                                .inputs = inputs[i],
                                .input_count = i == 0   ? 0
                                               : i == 5 ? 2
                                                        : 1,
                                .bytes = 10,
                                .seconds = 4,
                                .joules = 1,
                                .pagein_joules = 0.5,
                                .pageout_joules = 0.25,
                                .pagein_seconds = 2,
                                .pageout_seconds = 1};
    base_error error;
    graph *g = graph_create("six", nodes, 6, &error);
    require(g != NULL, &error);
    return g;
}

schedule *paged_schedule(void)
{
    schedule *s = schedule_create(6);
    for (int i = 0; i < 5; i++)
        s->S[schedule_cell(s, i + 1, i)] = 1;
    s->S[schedule_cell(s, 2, 0)] = 1;
    s->Out[schedule_cell(s, 2, 0)] = 1;
    s->A[schedule_cell(s, 3, 0)] = s->A[schedule_cell(s, 4, 0)] = 1;
    s->In[schedule_cell(s, 4, 0)] = 1;
    s->S[schedule_cell(s, 5, 0)] = 1;
    return s;
}

plan *plan_of(const problem *p, const schedule *s, bool overlap)
{
    base_error error;
    plan *x = plan_make(p, s, &(plan_options){.overlap = overlap}, &error);
    require(x != NULL, &error);
    return x;
}
