/* The validator: each rule holds where it should and is named where it is broken. */
#include <math.h>

#include "tests/problem/owned.h"
#include "tests/problem/support.h"
#include "tests/suite.h"

static graph *g;
static schedule *s;
static problem p;

static void set_up(void)
{
    g = five_nodes();
    s = schedule_checkpoint_all(g);
    p = problem_make(g, 26);
}

static void tear_down(void)
{
    schedule_free(s);
    graph_free(g);
}

static void set(uint8_t *matrix, int t, int i, uint8_t value)
{
    matrix[schedule_cell(s, t, i)] = value;
}

/* Recomputes 1 in stage 4 instead of keeping it, and keeps 0 for that. */
static void rematerialise(void)
{
    set(s->S, 3, 1, 0);
    set(s->S, 4, 1, 0);
    set(s->S, 4, 0, 1);
    set(s->R, 4, 1, 1);
}

/* Writes 1 out in stage 2 and brings it back in stage 3 for stage 4. */
static void page(void)
{
    set(s->S, 3, 1, 0);
    set(s->Out, 2, 1, 1);
    set(s->A, 3, 1, 1);
    set(s->In, 3, 1, 1);
}

static void expect_valid(void)
{
    base_error error = {""};
    ck_assert_msg(schedule_validate(&p, s, NULL, &error) == 0, "%s", error.text);
}

static void expect_refused(const char *message)
{
    base_error error = {""};
    ck_assert_int_eq(schedule_validate(&p, s, NULL, &error), -1);
    ck_assert_contains(error.text, message);
    ck_assert_int_eq(schedule_validate(&p, s, NULL, NULL), -1);
}

static void expect_profile(int t, const int64_t *expected)
{
    int64_t profile[5], largest = 0;
    int64_t got = schedule_stage_memory(&p, s, t, profile);
    for (int k = 0; k <= t; k++) {
        ck_assert_msg(profile[k] == expected[k], "stage %d node %d: %ld, not %ld", t, k,
                      (long)profile[k], (long)expected[k]);
        if (expected[k] > largest)
            largest = expected[k];
    }
    ck_assert_int_eq(got, largest);
    ck_assert_int_eq(schedule_stage_memory(&p, s, t, NULL), largest);
}

SUITE("validator", .set_up = set_up, .tear_down = tear_down);

TEST(checkpoint_all)
{
    validation v;
    base_error error;
    ck_assert_int_eq(schedule_validate(&p, s, &v, &error), 0);
    ck_assert(v.energy_joules == 11111 && v.overhead_joules == 0);
    ck_assert(v.compute_seconds == 31 && v.transfer_seconds == 0);
    ck_assert_int_eq(v.peak_bytes, 26);
    ck_assert_int_eq(v.peak_stage, 4);
    ck_assert_int_eq(v.peak_node, 4);
    ck_assert_int_eq(v.recompute_count + v.pagein_count + v.pageout_count, 0);
    expect_profile(0, (int64_t[]){1});
    expect_profile(1, (int64_t[]){1, 3});
    expect_profile(2, (int64_t[]){3, 3, 7});
    expect_profile(3, (int64_t[]){7, 7, 7, 15});
    expect_profile(4, (int64_t[]){10, 10, 10, 10, 26});
}

TEST(recomputation)
{
    rematerialise();
    validation v;
    base_error error;
    ck_assert_int_eq(schedule_validate(&p, s, &v, &error), 0);
    ck_assert(v.energy_joules == 11121 && v.overhead_joules == 10);
    ck_assert(v.compute_seconds == 33);
    ck_assert_int_eq(v.recompute_count, 1);
    ck_assert_int_eq(v.peak_bytes, 26);
    /* 1 is released in stage 2 right after node 2, 2 in stage 3 after node 3,
     * 0 in stage 4 after the recomputation. */
    expect_profile(2, (int64_t[]){3, 3, 7});
    expect_profile(3, (int64_t[]){5, 5, 5, 13});
    expect_profile(4, (int64_t[]){9, 11, 10, 10, 26});
}

/* A release waits for the last reader within the stage. */
TEST(chain_within_a_stage)
{
    rematerialise();
    set(s->S, 3, 2, 0);
    set(s->R, 3, 1, 1);
    set(s->R, 3, 2, 1);
    expect_valid();
    /* 0 stays for node 3 and for stage 4; 1 goes after node 2. */
    expect_profile(3, (int64_t[]){1, 3, 7, 13});
    set(s->S, 4, 1, 1);
    set(s->S, 4, 0, 0);
    set(s->R, 4, 1, 0);
    expect_valid();
    expect_profile(3, (int64_t[]){1, 3, 7, 15});
}

TEST(kept_and_recomputed_counts_twice)
{
    set(s->S, 4, 0, 1);
    set(s->R, 4, 1, 1);
    expect_profile(4, (int64_t[]){11, 13, 12, 12, 28});
    p.ram_budget_bytes = 28;
    expect_valid();
    p.ram_budget_bytes = 27;
    expect_refused("stage 4, node 4 (d): 28 bytes in RAM, the budget is 27 bytes");
}

TEST(paging)
{
    page();
    validation v;
    base_error error;
    ck_assert_int_eq(schedule_validate(&p, s, &v, &error), 0);
    ck_assert(v.overhead_joules == 0.75 && v.energy_joules == 11111.75);
    ck_assert(v.transfer_seconds == 0.75 && v.compute_seconds == 31);
    ck_assert_int_eq(v.pagein_count, 1);
    ck_assert_int_eq(v.pageout_count, 1);
    expect_profile(3, (int64_t[]){5, 5, 5, 13});
    expect_profile(4, (int64_t[]){10, 10, 10, 10, 26});
    p.charge_pagein_transfer = true;
    expect_valid();
    expect_profile(3, (int64_t[]){7, 7, 7, 15});
    expect_profile(4, (int64_t[]){10, 10, 10, 10, 26});
}

/* A tensor that nothing computed in the stage reads stays to its end, even when
 * the next stage does not keep it. */
TEST(unread_stays_to_the_end)
{
    set(s->S, 4, 2, 1);
    expect_profile(3, (int64_t[]){7, 7, 7, 15});
    expect_profile(4, (int64_t[]){14, 14, 14, 14, 30});
    p.ram_budget_bytes = 30;
    expect_valid();
}

TEST(budget)
{
    p.ram_budget_bytes = 25;
    expect_refused("stage 4, node 4 (d): 26 bytes in RAM, the budget is 25 bytes");
    validation v;
    ck_assert_int_eq(schedule_validate(&p, s, &v, NULL), -1);
    ck_assert_int_eq(v.peak_bytes, 26);
    ck_assert(v.energy_joules == 11111);
}

TEST(deadline)
{
    p.deadline_seconds = 31;
    expect_valid();
    page();
    expect_valid();
    p.deadline_includes_paging = true;
    expect_refused("takes 31.75 seconds, the deadline is 31 seconds");
    p.deadline_seconds = 31.75;
    expect_valid();
    p.deadline_seconds = 31.5;
    expect_refused("deadline");
    p.deadline_includes_paging = false;
    expect_valid();
    p.deadline_seconds = 30.5;
    expect_refused("takes 31 seconds");
}

/* No sum of floating-point numbers tells these from the deadline. */
TEST(deadline_is_exact)
{
    for (int i = 0; i < g->n; i++)
        g->seconds[i] = 0;
    page();
    p.deadline_includes_paging = true;
    p.deadline_seconds = 3;
    g->pagein_seconds[1] = problem_slack_seconds(&p);
    g->pageout_seconds[1] = 0;
    expect_valid();
    g->pageout_seconds[1] = 0x1p-70;
    expect_refused("deadline");
    g->pagein_seconds[1] = nextafter(g->pagein_seconds[1], 0);
    expect_valid();
}

TEST(deadline_of_recomputation)
{
    rematerialise();
    p.deadline_seconds = 33;
    expect_valid();
    p.deadline_seconds = 32.5;
    expect_refused("takes 33 seconds, the deadline is 32.5 seconds");
}

TEST(options)
{
    p.allow_paging = false;
    rematerialise();
    expect_valid();
    p.allow_remat = false;
    expect_refused("stage 4, node 1 (a): recomputed although");
    set(s->R, 4, 1, 0);
    set(s->S, 3, 1, 1);
    set(s->S, 4, 1, 1);
    p.ram_budget_bytes = 27;
    expect_valid();
    set(s->Out, 2, 1, 1);
    expect_refused("stage 2, node 1 (a): paged although");
    set(s->A, 3, 1, 1);
    set(s->Out, 2, 1, 0);
    p.allow_paging = true;
    expect_refused("on storage, but");
}

/* While a node is computed, first or again, its workspace counts, and not afterwards. */
TEST(workspace)
{
    rematerialise();
    g->workspace[1] = 30; /* more than what anything else takes */
    g->workspace[3] = 1;
    p.ram_budget_bytes = 41;
    expect_valid();
    expect_profile(1, (int64_t[]){1, 33});
    expect_profile(3, (int64_t[]){5, 5, 5, 14});
    expect_profile(4, (int64_t[]){9, 41, 10, 10, 26});
    validation v;
    ck_assert_int_eq(schedule_validate(&p, s, &v, NULL), 0);
    ck_assert_int_eq(v.peak_bytes, 41);
    ck_assert_int_eq(v.peak_stage, 4);
    ck_assert_int_eq(v.peak_node, 1);
    p.ram_budget_bytes = 40;
    expect_refused("stage 4, node 1 (a): 41 bytes in RAM, the budget is 40 bytes");
}

TEST(pins)
{
    p.ram_budget_bytes = 100;
    for (unsigned pin = 1; pin <= GRAPH_KEEP; pin++) {
        g->pin[1] = (uint8_t)pin;
        expect_valid();
    }
    rematerialise();
    expect_refused("stage 4, node 1 (a): recomputed although its pin forbids that");
    g->pin[1] = GRAPH_NO_PAGE;
    expect_valid();
}

TEST(limited_computations)
{
    p.ram_budget_bytes = 100;
    rematerialise();
    p.max_computations = 2;
    expect_valid();
    p.max_computations = 1;
    expect_refused("stage 4, node 1 (a): computed for the 2. time, at most 1 are allowed");
}

TEST(pins_against_paging)
{
    p.ram_budget_bytes = 100;
    page();
    g->pin[1] = GRAPH_NO_RECOMPUTE;
    g->pin[0] = GRAPH_KEEP;
    expect_valid();
    g->pin[1] = GRAPH_NO_PAGE;
    expect_refused("stage 2, node 1 (a): paged although its pin forbids that");
    set(s->In, 3, 1, 0);
    set(s->A, 3, 1, 0);
    set(s->S, 3, 1, 1);
    expect_refused("stage 2, node 1 (a): paged although");
    set(s->Out, 2, 1, 0);
    expect_valid();
}

TEST(inputs_present)
{
    set(s->S, 4, 1, 0);
    set(s->S, 3, 1, 0);
    expect_refused("stage 4, node 4 (d): computed while its input 1 (a) is neither");
    set(s->R, 4, 1, 1); /* recomputed, but now its own input is missing */
    expect_refused("stage 4, node 1 (a): computed while its input 0 (in)");
    set(s->R, 4, 0, 1);
    expect_valid();
}

TEST(ram_has_a_source)
{
    set(s->S, 3, 1, 0);
    expect_refused("stage 4, node 1 (a): in RAM, but in the stage before neither");
}

TEST(storage_has_a_source)
{
    page();
    set(s->Out, 2, 1, 0);
    expect_refused("stage 3, node 1 (a): on storage, but in the stage before neither");
}

TEST(pagein_from_storage)
{
    page();
    set(s->A, 3, 1, 0);
    expect_refused("stage 3, node 1 (a): paged in but not on storage");
    /* On storage only from the next stage on: too late. */
    set(s->Out, 2, 1, 0);
    set(s->S, 3, 1, 1);
    set(s->Out, 3, 1, 1);
    set(s->A, 4, 1, 1);
    expect_refused("stage 3, node 1 (a): paged in but not on storage");
    set(s->In, 3, 1, 0);
    expect_valid();
}

TEST(pageout_from_ram)
{
    page();
    set(s->S, 2, 1, 0);
    set(s->R, 2, 1, 1); /* computed in the stage is not in RAM when it begins */
    expect_refused("stage 2, node 1 (a): paged out but not in RAM");
}

TEST(shape)
{
    set(s->R, 2, 2, 0);
    expect_refused("stage 2 does not compute its own node");
    set(s->R, 2, 2, 1);
    set(s->R, 2, 3, 1);
    expect_refused("R[2][3] is set");
    set(s->R, 2, 3, 0);
    set(s->S, 3, 1, 2);
    expect_refused("S[3][1] is 2, not 0 or 1");
    set(s->S, 3, 1, 1);
    uint8_t *const matrices[] = {s->S, s->A, s->In, s->Out};
    const char *const messages[] = {"S[3][3] is set", "A[3][3]", "In[3][3]", "Out[3][3]"};
    for (int k = 0; k < 4; k++) {
        set(matrices[k], 3, 3, 1);
        expect_refused(messages[k]);
        set(matrices[k], 3, 3, 0);
    }
    expect_valid();
}

TEST(size)
{
    OWNED(schedule) *other = schedule_create(4);
    base_error error;
    ck_assert_int_eq(schedule_validate(&p, other, NULL, &error), -1);
    ck_assert_contains(error.text, "4 stages, the graph 5 nodes");
}

/* Three times the most bytes in one stage. */
TEST(largest_sizes)
{
    const int zero = 0, one = 1;
    graph_node nodes[] = {{.bytes = GRAPH_MAX_BYTES},
                          {.inputs = &zero, .input_count = 1},
                          {.inputs = &one, .input_count = 1}};
    OWNED(graph) *huge = graph_create("", nodes, 3, NULL);
    OWNED(schedule) *h = schedule_checkpoint_all(huge);
    problem q = problem_make(huge, PROBLEM_MAX_BUDGET);
    q.charge_pagein_transfer = true;
    h->S[schedule_cell(h, 2, 0)] = 1;
    h->Out[schedule_cell(h, 1, 0)] = h->A[schedule_cell(h, 2, 0)] = 1;
    h->In[schedule_cell(h, 2, 0)] = h->R[schedule_cell(h, 2, 0)] = 1;
    validation v;
    base_error error;
    ck_assert_int_eq(schedule_validate(&q, h, &v, &error), 0);
    ck_assert(v.peak_bytes == 3 * GRAPH_MAX_BYTES);
}

/* Sizes 1, 6, 0 without edges; stage 2 computes all: 1, 7, 7. */
TEST(first_of_equal_peaks)
{
    graph_node nodes[] = {{.bytes = 1}, {.bytes = 6}, {0}};
    OWNED(graph) *h = graph_create("", nodes, 3, NULL);
    OWNED(schedule) *all = schedule_create(3);
    all->R[schedule_cell(all, 2, 0)] = all->R[schedule_cell(all, 2, 1)] = 1;
    problem q = problem_make(h, 7);
    validation v;
    ck_assert_int_eq(schedule_validate(&q, all, &v, NULL), 0);
    ck_assert_int_eq(v.peak_bytes, 7);
    ck_assert_int_eq(v.peak_stage, 2);
    ck_assert_int_eq(v.peak_node, 1);
}

/* Half a million terms beside one of 1e9. */
TEST(sums_are_exact)
{
    enum { N = 1000 };
    static graph_node nodes[N];
    for (int i = 0; i < N; i++)
        nodes[i] = (graph_node){.joules = i ? 1e-3 : 1e9, .seconds = 1e-3};
    OWNED(graph) *many = graph_create("", nodes, N, NULL);
    OWNED(schedule) *all = schedule_create(N);
    for (int t = 0; t < N; t++)
        for (int i = 1; i < t; i++)
            all->R[schedule_cell(all, t, i)] = 1;
    problem q = problem_make(many, 0);
    validation v;
    ck_assert_int_eq(schedule_validate(&q, all, &v, NULL), 0);
    ck_assert_double_eq_tol(v.overhead_joules, 498.501, 1e-12);
    ck_assert_double_eq_tol(v.energy_joules, 1e9 + 498.501 + 0.999, 2e-7);
}
