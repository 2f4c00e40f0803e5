/* Forward dynamic programme over sets of tensors in RAM and on storage, every choice of every
 * stage tried. */
#include "tests/problem/stages.h"

#include "tests/oracle/counts.h"

#include <assert.h>
#include <math.h>

/* Sets of nodes: bit i is node i. */
typedef unsigned set;

/* One way to reach a state: what was added so far, and the stage that led here. */
typedef struct label {
    double joules, seconds;
    int next;     /* in the list of its state, -1 at the end */
    set S, A;     /* the state: in RAM and on storage when the next stage begins */
    counts again; /* recomputations so far; 0 without a limit on them */
} label;

typedef struct search {
    const problem *p;
    const graph *g;
    double slack;
    set inputs[STAGES_MAX_NODES], users[STAGES_MAX_NODES];
    set again, pageable; /* what may be computed again, what may be paged */
    label *labels;
    int count, capacity;
    int *head; /* head[S << n | A] of the stage's states; -1: none */
} search;

static set bit(int i)
{
    return 1u << i;
}

static double sum_over(set nodes, const double *values)
{
    double sum = 0;
    for (int i = 0; i < STAGES_MAX_NODES; i++)
        if (nodes & bit(i))
            sum += values[i];
    return sum;
}

static size_t state_of(const search *s, set S, set A)
{
    return (size_t)S << s->g->n | A;
}

/* True if the stage that begins with S, computes R and leaves S_next stays within
 * the budget. */
static bool fits(const search *s, set S, set R, set In, set S_next)
{
    const int64_t *bytes = s->g->bytes;
    int64_t now = 0;
    for (int i = 0; i < s->g->n; i++) {
        now += S & bit(i) ? bytes[i] : 0;
        now += s->p->charge_pagein_transfer && In & bit(i) ? bytes[i] : 0;
    }
    for (int k = 0; k < s->g->n; k++) {
        if (!(R & bit(k)))
            continue;
        now += bytes[k];
        if (now + s->g->workspace[k] > s->p->ram_budget_bytes)
            return false;
        const set later = R & ~(bit(k + 1) - 1);
        for (int i = 0; i < k; i++)
            if (s->inputs[k] & bit(i) && !(S_next & bit(i)) && !(s->users[i] & later))
                now -= bytes[i];
    }
    return true;
}

static bool inputs_present(const search *s, set S, set R)
{
    for (int k = 0; k < s->g->n; k++)
        if (R & bit(k) && s->inputs[k] & ~(S | R))
            return false;
    return true;
}

/* Adds a label to its state unless another is at least as good; drops those that
 * it dominates. */
static void insert(search *s, label new_label)
{
    int *link = &s->head[state_of(s, new_label.S, new_label.A)];
    while (*link >= 0) {
        label *old = &s->labels[*link];
        if (old->joules <= new_label.joules && old->seconds <= new_label.seconds &&
            counts_at_most(old->again, new_label.again))
            return;
        if (old->joules >= new_label.joules && old->seconds >= new_label.seconds &&
            counts_at_most(new_label.again, old->again))
            *link = old->next;
        else
            link = &old->next;
    }
    *link = s->count;
    new_label.next = -1;
    if (s->count == s->capacity) {
        /* link may point into the block that moves; it is set already. */
        s->capacity *= 2;
        s->labels = base_realloc(s->labels, (size_t)s->capacity, sizeof *s->labels);
    }
    s->labels[s->count++] = new_label;
}

/* All ways to leave the state (S, A) of one label through (R, In, S_next). */
static void extend(search *s, int parent, set R, set In, set S_next, int t)
{
    const graph *g = s->g;
    const problem *p = s->p;
    const label from = s->labels[parent];
    const set extra = R & ~bit(t);
    const set writable = from.S & ~from.A & s->pageable;
    counts again = 0;
    if (problem_limits_computations(p))
        again = counts_add(from.again, extra);
    for (int i = 0; i < g->n; i++)
        if (counts_of(again, i) >= p->max_computations)
            return;
    double seconds = sum_over(extra, g->seconds);
    double joules = sum_over(extra, g->joules) + sum_over(In, g->pagein_joules);
    if (p->deadline_includes_paging)
        seconds += sum_over(In, g->pagein_seconds);
    for (set Out = writable;; Out = (Out - 1) & writable) {
        label to = {.S = S_next, .A = from.A | Out, .again = again};
        to.joules = from.joules + joules + sum_over(Out, g->pageout_joules);
        to.seconds = from.seconds + seconds;
        if (p->deadline_includes_paging)
            to.seconds += sum_over(Out, g->pageout_seconds);
        if (to.seconds <= s->slack) {
            if (isinf(s->slack))
                to.seconds = 0; /* without a deadline only energy compares */
            insert(s, to);
        }
        if (Out == 0)
            return;
    }
}

/* Stage t from the states of `from` (head lists) to those of s->head. */
static void do_stage(search *s, const int *from, int t)
{
    const set known = bit(t) - 1, all = bit(t + 1) - 1;
    const set next_all = t + 1 < s->g->n ? all : 0;
    for (set S = 0; S <= known; S++)
        for (set extra = 0; extra <= known; extra++) {
            const set R = extra | bit(t);
            if (extra & ~s->again || !inputs_present(s, S, R))
                continue;
            for (set S_next = 0; S_next <= next_all; S_next++) {
                const set In = S_next & ~(S | R);
                if (!fits(s, S, R, In, S_next))
                    continue;
                for (set A = 0; A <= known; A++)
                    for (int k = from[state_of(s, S, A)]; k >= 0 && !(In & ~A);
                         k = s->labels[k].next)
                        extend(s, k, R, In, S_next, t);
            }
        }
}

double stages_optimum(const problem *p)
{
    const int n = p->graph->n;
    assert(n <= STAGES_MAX_NODES);
    search s = {.p = p, .g = p->graph, .slack = problem_slack_seconds(p), .capacity = 1024};
    for (int j = 0; j < n; j++)
        for (int e = p->graph->input_start[j]; e < p->graph->input_start[j + 1]; e++) {
            s.inputs[j] |= bit(p->graph->input[e]);
            s.users[p->graph->input[e]] |= bit(j);
        }
    for (int i = 0; i < n; i++) {
        s.again |= problem_may_recompute(p, i) ? bit(i) : 0;
        s.pageable |= problem_may_page(p, i) ? bit(i) : 0;
    }
    s.labels = base_malloc((size_t)s.capacity, sizeof *s.labels);
    const size_t states = (size_t)1 << (2 * n);
    int *from = base_malloc(states, sizeof *from);
    s.head = base_malloc(states, sizeof *s.head);
    for (size_t k = 0; k < states; k++)
        s.head[k] = -1;
    if (s.slack >= 0)
        insert(&s, (label){0});
    for (int t = 0; t < n; t++) {
        int *swap = from;
        from = s.head;
        s.head = swap;
        for (size_t k = 0; k < states; k++)
            s.head[k] = -1;
        do_stage(&s, from, t);
    }
    double best = INFINITY;
    for (size_t k = 0; k < states; k++)
        for (int l = s.head[k]; l >= 0; l = s.labels[l].next)
            best = fmin(best, s.labels[l].joules);
    base_free_all(s.labels, s.head, from);
    return best;
}
