/* Schedules: copies, checkpoint-all, closures, what pruning drops and keeps. */

#include "problem/network.h"
#include "tests/oracle/random_instance.h"
#include "tests/problem/owned.h"
#include "tests/problem/support.h"
#include "tests/suite.h"

SUITE("schedule", .seconds = 60);

static int ones(const schedule *s, const uint8_t *matrix)
{
    int count = 0;
    for (int k = 0; k < s->n * s->n; k++)
        count += matrix[k];
    return count;
}

static bool same(const schedule *a, const schedule *b)
{
    size_t cells = (size_t)a->n * (size_t)a->n;
    return memcmp(a->R, b->R, cells) == 0 && memcmp(a->S, b->S, cells) == 0 &&
           memcmp(a->A, b->A, cells) == 0 && memcmp(a->In, b->In, cells) == 0 &&
           memcmp(a->Out, b->Out, cells) == 0;
}

TEST(create_and_copy)
{
    OWNED(schedule) *s = schedule_create(7);
    ck_assert_int_eq(ones(s, s->R), 7);
    for (int t = 0; t < 7; t++)
        ck_assert_int_eq(s->R[schedule_cell(s, t, t)], 1);
    ck_assert_int_eq(ones(s, s->S) + ones(s, s->A) + ones(s, s->In) + ones(s, s->Out), 0);
    s->Out[schedule_cell(s, 6, 5)] = s->In[schedule_cell(s, 6, 4)] = 1;
    s->A[schedule_cell(s, 5, 4)] = s->S[schedule_cell(s, 5, 3)] = 1;
    OWNED(schedule) *copy = schedule_copy(s);
    ck_assert(same(s, copy));
    copy->Out[schedule_cell(s, 6, 5)] = 0;
    ck_assert(!same(s, copy));
    schedule_assign(copy, s);
    ck_assert(same(s, copy));
    schedule_free(NULL);
}

/* Whole pages of either are zero. */
TEST(large_ones_are_assigned)
{
    enum { N = 300 };
    base_rng rng = {5};
    OWNED(schedule) *from = schedule_create(N), *to = schedule_create(N);
    for (int k = 0; k < 20; k++) {
        from->S[base_rng_below(&rng, N * N)] = 1;
        to->Out[base_rng_below(&rng, N * N)] = 1;
    }
    schedule_assign(to, from);
    ck_assert(same(from, to));
}

TEST(checkpoint_all_is_the_reference)
{
    for (int k = 0; network_name(k); k++) {
        network_options options = network_options_default();
        options.backward = k % 2 ? LAYER_BACKWARD_PUBLISHED : LAYER_BACKWARD_AUTODIFF;
        OWNED(graph) *g = network_build(network_name(k), platform_find("m4"), options, NULL);
        OWNED(schedule) *s = schedule_checkpoint_all(g);
        problem p = problem_make(g, graph_checkpoint_all_peak(g));
        p.deadline_seconds = graph_base_seconds(g);
        p.allow_paging = p.allow_remat = false;
        validation v;
        base_error error = {""};
        ck_assert_msg(schedule_validate(&p, s, &v, &error) == 0, "%s", error.text);
        ck_assert_int_eq(v.peak_bytes, p.ram_budget_bytes);
        ck_assert(v.overhead_joules == 0);
        OWNED(schedule) *pruned = schedule_copy(s);
        schedule_prune(g, pruned);
        ck_assert(same(s, pruned));
    }
}

/* Stage 4 keeps 1 and 3, but 1 has no source: stage 3 computes it, from 0, which
 * is not there either. */
TEST(minimal_compute_closes_over_inputs)
{
    OWNED(graph) *g = five_nodes();
    OWNED(schedule) *s = schedule_checkpoint_all(g);
    for (int t = 0; t < 5; t++)
        for (int i = 0; i <= t; i++)
            s->R[schedule_cell(s, t, i)] = 1; /* forgotten */
    s->S[schedule_cell(s, 3, 0)] = s->S[schedule_cell(s, 3, 1)] = 0;
    schedule_minimal_compute(g, s);
    const int expected[][2] = {{0, 0}, {1, 1}, {2, 2}, {3, 0}, {3, 1}, {3, 3}, {4, 4}};
    ck_assert_int_eq(ones(s, s->R), 7);
    for (int k = 0; k < 7; k++)
        ck_assert_int_eq(s->R[schedule_cell(s, expected[k][0], expected[k][1])], 1);
    problem p = problem_make(g, 1000);
    base_error error = {""};
    ck_assert_msg(schedule_validate(&p, s, NULL, &error) == 0, "%s", error.text);
    /* A page-in is a source. */
    s->Out[schedule_cell(s, 2, 1)] = s->A[schedule_cell(s, 3, 1)] = 1;
    s->In[schedule_cell(s, 3, 1)] = 1;
    schedule_minimal_compute(g, s);
    ck_assert_int_eq(ones(s, s->R), 6);
    ck_assert_int_eq(s->R[schedule_cell(s, 3, 1)], 0);
}

/* The R of any valid schedule contains the minimal one for its S and In. */
TEST(minimal_compute_is_least)
{
    for (uint64_t seed = 0; seed < 2000; seed++) {
        OWNED(random_instance) instance = random_instance_make(seed, 12);
        base_rng rng = {seed};
        OWNED(schedule) *s = random_schedule(instance.graph, &rng), *least = schedule_copy(s);
        problem p = problem_make(instance.graph, INT64_MAX);
        base_error error = {""};
        ck_assert_msg(schedule_validate(&p, s, NULL, &error) == 0, "%s", error.text);
        schedule_minimal_compute(instance.graph, least);
        ck_assert_msg(schedule_validate(&p, least, NULL, &error) == 0, "%s", error.text);
        for (int k = 0; k < s->n * s->n; k++)
            ck_assert_int_le(least->R[k], s->R[k]);
    }
}

TEST(prune_drops_what_is_dead)
{
    OWNED(graph) *g = five_nodes();
    OWNED(schedule) *s = schedule_checkpoint_all(g);
    OWNED(schedule) *clean = schedule_copy(s);
    s->S[schedule_cell(s, 4, 0)] = s->S[schedule_cell(s, 4, 2)] = 1; /* kept for nothing */
    s->R[schedule_cell(s, 4, 2)] = 1;                                /* computed for nothing */
    s->Out[schedule_cell(s, 3, 0)] = s->A[schedule_cell(s, 4, 0)] = 1;
    s->Out[schedule_cell(s, 2, 1)] = s->A[schedule_cell(s, 3, 1)] = 1;
    s->In[schedule_cell(s, 3, 1)] = 1; /* and paged in though it is there */
    problem p = problem_make(g, 1000);
    base_error error = {""};
    ck_assert_msg(schedule_validate(&p, s, NULL, &error) == 0, "%s", error.text);
    schedule_prune(g, s);
    /* The page-in is the source of S[4][1] now, and 1 is not kept meanwhile. */
    clean->S[schedule_cell(s, 3, 1)] = 0;
    clean->Out[schedule_cell(s, 2, 1)] = clean->A[schedule_cell(s, 3, 1)] = 1;
    clean->In[schedule_cell(s, 3, 1)] = 1;
    ck_assert(same(s, clean));
}

/* Paging in what is in RAM anyway goes, and with it the page-out. */
TEST(prune_drops_useless_transfers)
{
    OWNED(graph) *g = five_nodes();
    OWNED(schedule) *s = schedule_checkpoint_all(g);
    s->S[schedule_cell(s, 3, 1)] = s->S[schedule_cell(s, 4, 1)] = 0;
    s->S[schedule_cell(s, 4, 0)] = s->R[schedule_cell(s, 4, 1)] = 1;
    OWNED(schedule) *clean = schedule_copy(s);
    s->Out[schedule_cell(s, 1, 0)] = 1;
    s->A[schedule_cell(s, 2, 0)] = s->A[schedule_cell(s, 3, 0)] = 1;
    s->In[schedule_cell(s, 3, 0)] = 1; /* node 3 reads 0 in stage 3 */
    problem p = problem_make(g, 1000);
    ck_assert_int_eq(schedule_validate(&p, s, NULL, NULL), 0);
    schedule_prune(g, s);
    ck_assert(same(s, clean));
}

/* On random schedules: still valid, no more energy or seconds, no stage higher,
 * and a second pass finds nothing. */
TEST(prune_never_costs)
{
    int smaller = 0;
    for (uint64_t seed = 0; seed < 4000; seed++) {
        OWNED(random_instance) instance = random_instance_make(seed, 14);
        base_rng rng = {seed + 1};
        OWNED(schedule) *s = random_schedule(instance.graph, &rng), *pruned = schedule_copy(s);
        schedule_prune(instance.graph, pruned);
        problem p = problem_make(instance.graph, INT64_MAX);
        p.charge_pagein_transfer = seed % 2;
        validation before, after;
        base_error error = {""};
        ck_assert_msg(schedule_validate(&p, s, &before, &error) == 0, "%s", error.text);
        ck_assert_msg(schedule_validate(&p, pruned, &after, &error) == 0, "%s", error.text);
        ck_assert_double_le(after.overhead_joules, before.overhead_joules);
        ck_assert_double_le(after.compute_seconds, before.compute_seconds);
        ck_assert_double_le(after.transfer_seconds, before.transfer_seconds);
        for (int t = 0; t < s->n; t++)
            ck_assert_msg(schedule_stage_memory(&p, pruned, t, NULL) <=
                              schedule_stage_memory(&p, s, t, NULL),
                          "seed %d stage %d", (int)seed, t);
        smaller += after.overhead_joules < before.overhead_joules;
        OWNED(schedule) *again = schedule_copy(pruned);
        schedule_prune(instance.graph, again);
        ck_assert(same(again, pruned));
    }
    ck_assert_int_gt(smaller, 1000);
}

/* S as large as its sources allow comes down to what is needed, R stays. */
TEST(prune_of_a_liberal_S)
{
    OWNED(graph) *g = five_nodes();
    OWNED(schedule) *s = schedule_create(5);
    s->R[schedule_cell(s, 4, 1)] = 1;
    for (int t = 0; t < 5; t++)
        for (int i = 0; i < t; i++)
            s->S[schedule_cell(s, t, i)] = 1;
    schedule_prune(g, s);
    ck_assert_int_eq(s->R[schedule_cell(s, 4, 1)], 1);
    const int kept[][2] = {{1, 0}, {2, 0}, {2, 1}, {3, 0}, {3, 2}, {4, 0}, {4, 3}};
    ck_assert_int_eq(ones(s, s->S), 7);
    for (int k = 0; k < 7; k++)
        ck_assert_int_eq(s->S[schedule_cell(s, kept[k][0], kept[k][1])], 1);
}
