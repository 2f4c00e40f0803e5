/* The oracle against plain enumeration of all schedules, and the shrinking of
 * instances. */
#include <limits.h>
#include <math.h>
#include <unistd.h>

#include "problem/json.h"
#include "tests/oracle/bait_instance.h"
#include "tests/oracle/oracle.h"
#include "tests/oracle/random_instance.h"
#include "tests/problem/owned.h"
#include "tests/problem/stages.h"
#include "tests/problem/support.h"
#include "tests/suite.h"

SUITE("oracle", .seconds = 120);

/* The cells below the diagonal in one list: cell c is (stage[c], node[c]). */
typedef struct cells {
    int count, stage[6], node[6];
} cells;

static cells list_cells(int n)
{
    cells c = {0};
    for (int t = 0; t < n; t++)
        for (int i = 0; i < t; i++) {
            c.stage[c.count] = t;
            c.node[c.count++] = i;
        }
    return c;
}

static void fill(const schedule *s, uint8_t *matrix, const cells *c, unsigned bits)
{
    for (int k = 0; k < c->count; k++)
        matrix[schedule_cell(s, c->stage[k], c->node[k])] = bits >> k & 1;
}

static double cost(const cells *c, unsigned bits, const double *joules)
{
    double sum = 0;
    for (int k = 0; k < c->count; k++)
        sum += bits >> k & 1 ? joules[c->node[k]] : 0;
    return sum;
}

/* Storage holds whatever was written out before. */
static void fill_storage(schedule *s)
{
    for (int t = 1; t < s->n; t++)
        for (int i = 0; i < t; i++)
            s->A[schedule_cell(s, t, i)] = i < t - 1 && (s->A[schedule_cell(s, t - 1, i)] ||
                                                         s->Out[schedule_cell(s, t - 1, i)]);
}

/* The least overhead that the validator accepts over all R, S, In and Out;
 * INFINITY without any. 2^12 schedules for n = 3, 2^24 for n = 4, of which only
 * those cheaper than the best so far are validated. */
static double enumerate(const problem *p)
{
    const graph *g = p->graph;
    const cells c = list_cells(g->n);
    const unsigned end = 1u << c.count;
    OWNED(schedule) *s = schedule_create(g->n);
    double best = INFINITY, in_cost[64], out_cost[64];
    for (unsigned bits = 0; bits < end; bits++) {
        in_cost[bits] = cost(&c, bits, g->pagein_joules);
        out_cost[bits] = cost(&c, bits, g->pageout_joules);
    }
    for (unsigned R = 0; R < end; R++) {
        const double computed = cost(&c, R, g->joules);
        fill(s, s->R, &c, R);
        for (unsigned S = 0; S < end; S++) {
            fill(s, s->S, &c, S);
            for (unsigned Out = 0; Out < end; Out++) {
                if (Out & ~S) /* Out <= S is a rule of its own */
                    continue;
                fill(s, s->Out, &c, Out);
                fill_storage(s);
                for (unsigned In = 0; In < end; In++) {
                    const double joules = computed + in_cost[In] + out_cost[Out];
                    if (joules >= best)
                        continue;
                    fill(s, s->In, &c, In);
                    if (schedule_validate(p, s, NULL, NULL) == 0)
                        best = joules;
                }
            }
        }
    }
    return best;
}

static double optimum(const problem *p)
{
    oracle_result result = oracle_solve(p);
    ck_assert(result.feasible == !isinf(result.overhead_joules));
    schedule_free(result.schedule);
    return result.overhead_joules;
}

/* Instances from seed 0 on; of more than `least` the optimum is above 0. */
static void compare(uint64_t instances, int max_nodes, int least)
{
    int interesting = 0;
    for (uint64_t seed = 0; seed < instances; seed++) {
        OWNED(random_instance) instance = random_instance_make(seed, max_nodes);
        const double expected = enumerate(&instance.problem), found = optimum(&instance.problem);
        ck_assert_msg(found == expected, "seed %lu: oracle %.17g, enumeration %.17g",
                      (unsigned long)seed, found, expected);
        interesting += isfinite(expected) && expected > 0;
    }
    ck_assert_int_gt(interesting, least);
}

TEST(three_nodes)
{
    compare(3000, 3, 100);
}

LONG_TEST(four_nodes)
{
    compare(40, 4, 3);
}

/* Where stages have several events, and recomputations only release: every family. */
TEST(all_ways_through_stages)
{
    int interesting = 0;
    for (uint64_t seed = 0; seed < 6000; seed++) {
        OWNED(random_instance) instance = any_instance_make(seed, 6 + (seed % 8 == 0));
        const double expected = stages_optimum(&instance.problem);
        const double found = optimum(&instance.problem);
        ck_assert_msg(found == expected || fabs(found - expected) <= 1e-12 * expected,
                      "seed %d: oracle %.17g, all ways %.17g", (int)seed, found, expected);
        interesting += !isinf(expected) && expected > 0;
    }
    ck_assert_int_gt(interesting, 2900);
}

/* What the oracle returns is valid and costs what it says; pruning it costs no more; early releases
 * granted do not either, and some instances need them. */
TEST(schedules_are_valid)
{
    int paged = 0, recomputed = 0, infeasible = 0, granted = 0;
    for (uint64_t seed = 0; seed < 4000; seed++) {
        OWNED(random_instance) instance = any_instance_make(seed, 6 + (int)(seed % 5));
        oracle_result result = oracle_solve(&instance.problem);
        const oracle_result granting = oracle_granting(&instance.problem, LONG_MAX);
        ck_assert(granting.overhead_joules <= result.overhead_joules);
        granted += granting.overhead_joules < result.overhead_joules;
        infeasible += !result.feasible;
        if (result.feasible) {
            validation v;
            base_error error = {""};
            ck_assert_msg(schedule_validate(&instance.problem, result.schedule, &v, &error) == 0,
                          "seed %d: %s", (int)seed, error.text);
            ck_assert(v.overhead_joules == result.overhead_joules);
            paged += v.pagein_count > 0;
            recomputed += v.recompute_count > 0;
            schedule_prune(instance.graph, result.schedule);
            ck_assert(schedule_validate(&instance.problem, result.schedule, &v, &error) != 0 ||
                      v.overhead_joules <= result.overhead_joules);
        }
        schedule_free(result.schedule);
    }
    ck_assert_int_gt(paged, 400);
    ck_assert_int_gt(recomputed, 1000);
    ck_assert_int_gt(infeasible, 100);
    ck_assert_int_gt(granted, 0);
}

/* A search that is cut short says so. */
TEST(gives_up)
{
    OWNED(random_instance) instance = any_instance_make(17, 12);
    oracle_result whole = oracle_solve(&instance.problem);
    oracle_result part = oracle_search(&instance.problem, 5);
    ck_assert(!whole.gave_up && whole.stages > 5);
    ck_assert(part.gave_up && !part.feasible && part.schedule == NULL);
    schedule_free(whole.schedule);
}

/* More memory, more time and more freedom never cost energy. */
TEST(monotone)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        OWNED(random_instance) instance = random_instance_make(seed, 6);
        problem p = instance.problem;
        double last = optimum(&p);
        for (int step = 0; step < 7; step++) {
            if (step == 0)
                p.allow_paging = true;
            else if (step == 1)
                p.allow_remat = true;
            else if (step == 2)
                p.charge_pagein_transfer = false;
            else if (step == 3)
                p.deadline_includes_paging = false;
            else if (step == 4)
                p.deadline_seconds = INFINITY;
            else if (step == 5)
                p.max_computations =
                    p.max_computations < INT_MAX ? p.max_computations + 1 : INT_MAX;
            else
                p.ram_budget_bytes += p.ram_budget_bytes / 8 + 1;
            double now = optimum(&p);
            ck_assert_double_le(now, last);
            last = now;
        }
        p.ram_budget_bytes = graph_checkpoint_all_peak(instance.graph);
        ck_assert(optimum(&p) == 0);
    }
}

/* By hand: tensor 0 is read again by the last node, and there is no room for it in
 * stages 3 and 4. It is written out by stage 2 and read back in stage 4 (3 + 2
 * joules, 1 + 1 seconds), or recomputed in stage 5 (100 joules, 0.5 seconds). */
TEST(six_nodes_by_hand)
{
    static const int inputs[6][2] = {{-1}, {0}, {1}, {2}, {3}, {0, 4}};
    static const int counts[6] = {0, 1, 1, 1, 1, 2}, sizes[6] = {4, 2, 8, 8, 8, 1};
    graph_node nodes[6];
    for (int i = 0; i < 6; i++)
        nodes[i] = (graph_node){.inputs = inputs[i],
                                .input_count = counts[i],
                                .bytes = sizes[i],
                                .seconds = 0.5,
                                .joules = 100,
                                .pagein_joules = 2,
                                .pageout_joules = 3,
                                .pagein_seconds = 1,
                                .pageout_seconds = 1};
    OWNED(graph) *g = graph_create("", nodes, 6, NULL);
    problem p = problem_make(g, 17);
    ck_assert(optimum(&p) == 5);
    p.charge_pagein_transfer = true; /* 0 would arrive in stage 4, beside 3 and 4 */
    ck_assert(optimum(&p) == 100);
    p.ram_budget_bytes = 20;
    ck_assert(optimum(&p) == 0);
    p.charge_pagein_transfer = false;
    p.ram_budget_bytes = 17;
    p.deadline_seconds = 3; /* every node once */
    ck_assert(optimum(&p) == 5);
    p.deadline_includes_paging = true;
    ck_assert(isinf(optimum(&p)));
    p.deadline_seconds = 3.5;
    ck_assert(optimum(&p) == 100);
    p.deadline_seconds = 5;
    ck_assert(optimum(&p) == 5);
    p.allow_paging = false;
    ck_assert(optimum(&p) == 100);
    p.allow_remat = false;
    ck_assert(isinf(optimum(&p)));
    p.allow_paging = true;
    ck_assert(optimum(&p) == 5);
    p.ram_budget_bytes = 15; /* less than nodes 3 and 2 together */
    ck_assert(isinf(optimum(&p)));
}

TEST(instances_are_reproducible)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        OWNED(random_instance) a = random_instance_make(seed, 9), b = random_instance_make(seed, 9);
        ck_assert_int_eq(a.graph->n, b.graph->n);
        ck_assert_int_eq(a.problem.ram_budget_bytes, b.problem.ram_budget_bytes);
        ck_assert_mem_eq(a.graph->joules, b.graph->joules,
                         (size_t)a.graph->n * sizeof *a.graph->joules);
    }
}

static bool needs_paging(const problem *p, void *context)
{
    ++*(int *)context;
    problem without = *p;
    without.allow_paging = false;
    return optimum(p) < optimum(&without);
}

/* "Paging helps" shrinks to a smaller instance of the same, that survives a trip
 * through a file. */
TEST(shrinking)
{
    int shrunk = 0, calls = 0, nodes_saved = 0, edges_saved = 0;
    for (uint64_t seed = 0; seed < 200 && shrunk < 10; seed++) {
        OWNED(random_instance) instance = random_instance_make(seed, 6);
        if (instance.graph->n > 4 && needs_paging(&instance.problem, &calls)) {
            random_instance small = random_instance_shrink(&instance.problem, needs_paging, &calls);
            ck_assert(needs_paging(&small.problem, &calls));
            nodes_saved += instance.graph->n - small.graph->n;
            edges_saved += instance.graph->edge_count - small.graph->edge_count;
            problem without_deadline = small.problem;
            without_deadline.deadline_seconds = INFINITY;
            ck_assert(isinf(small.problem.deadline_seconds) ||
                      !needs_paging(&without_deadline, &calls));
            char path[64];
            base_error error = {""};
            write_file(path, "");
            ck_assert_msg(random_instance_save(&small.problem, path, &error) == 0, "%s",
                          error.text);
            schedule_file *file = schedule_file_parse(NULL, 0, path, NULL, &error);
            unlink(path);
            ck_assert_msg(file != NULL, "%s", error.text);
            ck_assert(needs_paging(&file->problem, &calls));
            schedule_file_free(file);
            random_instance_free(&small);
            shrunk++;
        }
    }
    ck_assert_int_eq(shrunk, 10);
    ck_assert_int_ge(nodes_saved, 5);
    ck_assert_int_ge(edges_saved, 20);
}
