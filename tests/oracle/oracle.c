/* The search: labels by state in a hash table, the cheapest first, with what is still to be paid
 * at least as the estimate. */
#include "tests/oracle/oracle.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "tests/oracle/amount.h"
#include "tests/oracle/counts.h"
#include "tests/oracle/heap.h"

static_assert((int)ORACLE_MAX_NODES <= (int)AMOUNT_NODES, "room for the costs");
static_assert((int)ORACLE_MAX_NODES <= (int)COUNTS_NODES, "room for the counts");

/* Sets of nodes: bit i is node i. */
typedef unsigned set;

/* A state, and the cheapest way to it found so far that no other way dominates. */
typedef struct label {
    amount joules, seconds;
    amount least; /* joules plus a lower bound on what is still to come */
    int stage;    /* the one that begins now; n: the end */
    int next;     /* in the list of its stage and S, -1 at the end */
    int parent;   /* label when the stage before began, -1 at the start */
    set S;        /* in RAM now */
    set W;        /* in RAM when an earlier stage began: may be on storage */
    set paid;     /* page-out paid for */
    set R;        /* computed in the stage before */
    counts again; /* recomputations so far; 0 without a limit on them */
    bool dominated;
} label;

typedef struct search {
    const problem *p;
    const graph *g;
    amounts cost;
    set inputs[ORACLE_MAX_NODES], users[ORACLE_MAX_NODES];
    set read_from[ORACLE_MAX_NODES + 1]; /* inputs of nodes >= t */
    set pageable;
    label *labels;
    int count, capacity;
    int *head;        /* head[stage << n | S]; -1: none */
    oracle_heap open; /* labels, the least first */
    long stages, limit;
    bool grant; /* early releases */
} search;

static set bit(int i)
{
    return 1u << i;
}

/* ---- sums over sets ------------------------------------------------------------ */

static amount sum_over(set nodes, const amount *values)
{
    amount sum = 0;
    for (; nodes; nodes &= nodes - 1)
        sum += values[__builtin_ctz(nodes)];
    return sum;
}

static int64_t bytes_of(const search *s, set nodes)
{
    int64_t sum = 0;
    for (; nodes; nodes &= nodes - 1)
        sum += s->g->bytes[__builtin_ctz(nodes)];
    return sum;
}

/* ---- labels -------------------------------------------------------------------- */

/* True if i may be computed once more. */
static bool may_recompute(const search *s, const label *l, int i)
{
    return problem_may_recompute(s->p, i) && counts_of(l->again, i) + 1 < s->p->max_computations;
}

/* What bringing back i costs at least, when it is not in RAM: of joules or of seconds; false: it
 * cannot be had. */
static bool least_return(const search *s, const label *l, int i, amount cost[][AMOUNT_NODES],
                         amount *least)
{
    const bool pageable = l->W & bit(i), again = may_recompute(s, l, i);
    if (!pageable && !again)
        return false;
    *least = cost[COMPUTE][i];
    if (pageable) {
        const amount paging = cost[PAGEIN][i] + (l->paid & bit(i) ? 0 : cost[PAGEOUT][i]);
        *least = !again || paging < *least ? paging : *least;
    }
    return true;
}

/* Sets l->least: each tensor that a later stage's own node reads, and that is not in RAM, has to
 * be brought back at least once. False: l leads nowhere. */
static bool set_least(search *s, label *l)
{
    amount seconds = l->seconds;
    l->least = l->joules;
    for (set missing = s->read_from[l->stage] & (bit(l->stage) - 1) & ~l->S; missing;
         missing &= missing - 1) {
        const int i = __builtin_ctz(missing);
        amount joules, time;
        if (!least_return(s, l, i, s->cost.joules, &joules) ||
            !least_return(s, l, i, s->cost.seconds, &time))
            return false;
        l->least += joules;
        seconds += time;
    }
    return !s->cost.timed || seconds <= s->cost.slack;
}

/* True if a can do what b does for as little: it pays for the page-outs that b has paid for. */
static bool dominates(const search *s, const label *a, const label *b)
{
    if (b->W & ~a->W || !counts_at_most(a->again, b->again))
        return false;
    const set pay = b->paid & ~a->paid;
    return a->joules + sum_over(pay, s->cost.joules[PAGEOUT]) <= b->joules &&
           a->seconds + sum_over(pay, s->cost.seconds[PAGEOUT]) <= b->seconds;
}

/* The least first; of equal ones the one that is further. */
static bool before(const void *owner, int a, int b)
{
    const search *s = owner;
    const label *x = &s->labels[a], *y = &s->labels[b];
    return x->least != y->least ? x->least < y->least : x->stage > y->stage;
}

/* Adds l to its state unless another is at least as good; drops those that it dominates. */
static void insert(search *s, label l)
{
    if (!set_least(s, &l))
        return;
    int *link = &s->head[(size_t)l.stage << s->g->n | l.S];
    for (int k = *link; k >= 0; k = s->labels[k].next)
        if (dominates(s, &s->labels[k], &l))
            return;
    while (*link >= 0) {
        label *old = &s->labels[*link];
        if (dominates(s, &l, old)) {
            old->dominated = true;
            *link = old->next;
        } else {
            link = &old->next;
        }
    }
    *link = s->count;
    l.next = -1;
    if (s->count == s->capacity) {
        /* link may point into the block that moves; it is set already. */
        s->capacity *= 2;
        s->labels = base_realloc(s->labels, (size_t)s->capacity, sizeof *s->labels);
    }
    s->labels[s->count++] = l;
    oracle_heap_push(&s->open, s->count - 1);
}

/* ---- one stage -------------------------------------------------------------------- */

/* What was chosen for the stage that begins with the label `from`. */
typedef struct step {
    search *s;
    label from;
    int parent;
    set R;
    set free_choice; /* of R: no node of the stage needs it */
    set keep;        /* of S and R, to be in RAM when the next stage begins */
    set early; /* of S: written out, and released as the stage begins, where that is granted */
    int events, event[ORACLE_MAX_NODES]; /* the nodes of R in order */
    int64_t room[ORACLE_MAX_NODES];      /* budget less what is in RAM at the event */
    int last_use[ORACLE_MAX_NODES];      /* number of the event; -1: none */
} step;

/* Room when nothing is kept; false: it does not fit. */
static bool set_room(step *w)
{
    const search *s = w->s;
    int64_t now = bytes_of(s, w->from.S & ~w->early);
    w->events = 0;
    for (int i = 0; i < s->g->n; i++)
        w->last_use[i] = -1;
    for (set left = w->R; left; left &= left - 1) {
        const int k = __builtin_ctz(left);
        for (set in = s->inputs[k]; in; in &= in - 1)
            w->last_use[__builtin_ctz(in)] = w->events;
        w->event[w->events++] = k;
    }
    for (int e = 0; e < w->events; e++) {
        now += s->g->bytes[w->event[e]];
        w->room[e] = s->p->ram_budget_bytes - now - s->g->workspace[w->event[e]];
        if (w->room[e] < 0)
            return false;
        for (set in = s->inputs[w->event[e]]; in; in &= in - 1)
            if (w->last_use[__builtin_ctz(in)] == e)
                now -= s->g->bytes[__builtin_ctz(in)];
    }
    return true;
}

/* A recomputation that no node of the stage needs brings k for the next stage or releases. */
static bool has_purpose(const step *w, int k)
{
    if (~w->from.S & w->keep & bit(k))
        return true;
    for (set in = w->s->inputs[k] & ~w->keep; in; in &= in - 1) {
        const int i = __builtin_ctz(in);
        if (w->s->g->bytes[i] > 0 && (w->s->users[i] & w->R) == bit(k))
            return true;
    }
    return false;
}

/* All page-ins beside the kept ones; `bytes` of those fit into `room` of the next stage's start. */
static void choose_pageins(step *w, amount joules, amount seconds)
{
    search *s = w->s;
    const label *from = &w->from;
    const set candidates = from->stage + 1 < s->g->n ? from->W & ~(from->S | w->R) : 0;
    const counts again =
        problem_limits_computations(s->p) ? counts_add(from->again, w->R & ~bit(from->stage)) : 0;
    int64_t room = s->p->ram_budget_bytes - bytes_of(s, w->keep);
    if (s->p->charge_pagein_transfer)
        for (int e = 0; e < w->events; e++)
            room = w->room[e] < room ? w->room[e] : room;
    for (set in = candidates;; in = (in - 1) & candidates) {
        const set pay = in & ~from->paid;
        if (bytes_of(s, in) <= room)
            insert(s, (label){.stage = from->stage + 1,
                              .parent = w->parent,
                              .S = w->keep | in,
                              .W = from->W | (from->S & s->pageable),
                              .paid = from->paid | in,
                              .R = w->R,
                              .again = again,
                              .joules = joules + sum_over(in, s->cost.joules[PAGEIN]) +
                                        sum_over(pay, s->cost.joules[PAGEOUT]),
                              .seconds = seconds + sum_over(in, s->cost.seconds[PAGEIN]) +
                                         sum_over(pay, s->cost.seconds[PAGEOUT])});
        if (in == 0)
            return;
    }
}

/* All sets to keep out of `candidates`, beside those in w->keep. */
static void choose_kept(step *w, set candidates, int64_t room, amount joules, amount seconds)
{
    search *s = w->s;
    if (!candidates) {
        s->stages++;
        for (set free = w->free_choice; free; free &= free - 1)
            if (!has_purpose(w, __builtin_ctz(free)))
                return;
        choose_pageins(w, joules, seconds);
        return;
    }
    const int i = __builtin_ctz(candidates);
    const int64_t bytes = s->g->bytes[i];
    const set rest = candidates & ~bit(i);
    choose_kept(w, rest, room, joules, seconds);
    bool fits = bytes <= room;
    const int first = w->last_use[i] < 0 ? w->events : w->last_use[i] + 1;
    for (int e = first; e < w->events; e++)
        fits = fits && bytes <= w->room[e];
    if (!fits)
        return;
    for (int e = first; e < w->events; e++)
        w->room[e] -= bytes;
    w->keep |= bit(i);
    choose_kept(w, rest, room - bytes, joules, seconds);
    w->keep &= ~bit(i);
    for (int e = first; e < w->events; e++)
        w->room[e] += bytes;
}

static bool may_be_of_use(const step *w, int k)
{
    const search *s = w->s;
    if (!(w->from.S & bit(k)) && s->users[k])
        return true;
    for (set in = s->inputs[k]; in; in &= in - 1)
        if (s->g->bytes[__builtin_ctz(in)] > 0 && !(s->users[__builtin_ctz(in)] & w->R))
            return true;
    return false;
}

/* What is kept, once R is chosen; first, with `grant`, what is written out and released early:
 * whatever nothing uses in the stage and is not just computed for the first time. */
static void choose_released(step *w, amount joules, amount seconds)
{
    search *s = w->s;
    const int t = w->from.stage;
    set kept = 0, early = 0;
    for (int i = 0; i < s->g->n && t + 1 < s->g->n; i++)
        if ((w->from.S | w->R) & bit(i) && s->users[i]) {
            kept |= bit(i);
            early |= i + 1 < t && !(s->users[i] & w->R) ? bit(i) : 0;
        }
    early &= s->grant && s->p->allow_remat ? w->from.S & s->pageable & ~w->R & ~w->from.paid : 0;
    const set paid = w->from.paid;
    for (w->early = early;; w->early = (w->early - 1) & early) {
        w->from.paid = paid | w->early;
        if (set_room(w))
            choose_kept(w, kept & ~w->early, s->p->ram_budget_bytes,
                        joules + sum_over(w->early, s->cost.joules[PAGEOUT]),
                        seconds + sum_over(w->early, s->cost.seconds[PAGEOUT]));
        if (w->early == 0)
            return;
    }
}

/* All sets R of nodes up to k beside those chosen above k. */
static void choose_computed(step *w, int k, amount joules, amount seconds)
{
    search *s = w->s;
    if (s->stages > s->limit || (s->cost.timed && seconds > s->cost.slack))
        return;
    if (k < 0) {
        choose_released(w, joules, seconds);
        return;
    }
    const bool needed = !(w->from.S & bit(k)) && s->users[k] & w->R;
    if (!needed)
        choose_computed(w, k - 1, joules, seconds);
    if (!may_recompute(s, &w->from, k) || (!needed && !may_be_of_use(w, k)))
        return;
    w->R |= bit(k);
    w->free_choice |= needed ? 0 : bit(k);
    choose_computed(w, k - 1, joules + s->cost.joules[COMPUTE][k],
                    seconds + s->cost.seconds[COMPUTE][k]);
    w->R &= ~bit(k);
    w->free_choice &= ~bit(k);
}

/* ---- the whole -------------------------------------------------------------------- */

/* Storage: what is paged in is written out when it is in RAM for the first time as a stage begins.
 */
static void add_storage(schedule *s)
{
    for (int i = 0; i < s->n; i++) {
        int last = -1;
        for (int t = i + 1; t < s->n; t++)
            last = s->In[schedule_cell(s, t, i)] ? t : last;
        int t = i + 1;
        while (t < last && !s->S[schedule_cell(s, t, i)])
            t++;
        if (last >= 0)
            s->Out[schedule_cell(s, t, i)] = 1;
        for (t++; t <= last; t++)
            s->A[schedule_cell(s, t, i)] = 1;
    }
}

static schedule *build_schedule(const search *s, int last)
{
    const int n = s->g->n;
    schedule *result = schedule_create(n);
    for (int t = n - 1, k = last; t >= 0; t--, k = s->labels[k].parent) {
        const label *l = &s->labels[k], *from = &s->labels[l->parent];
        for (int i = 0; i <= t; i++) {
            const size_t cell = schedule_cell(result, t, i);
            result->R[cell] = (l->R & bit(i)) != 0;
            result->In[cell] = (l->S & ~(from->S | l->R) & bit(i)) != 0;
            result->S[cell] = (from->S & bit(i)) != 0;
        }
    }
    add_storage(result);
    return result;
}

static void prepare(search *s)
{
    const graph *g = s->g;
    for (int j = 0; j < g->n; j++)
        for (int e = g->input_start[j]; e < g->input_start[j + 1]; e++) {
            s->inputs[j] |= bit(g->input[e]);
            s->users[g->input[e]] |= bit(j);
        }
    for (int i = 0; i < g->n; i++)
        s->pageable |= problem_may_page(s->p, i) ? bit(i) : 0;
    for (int t = g->n - 1; t >= 0; t--)
        s->read_from[t] = s->read_from[t + 1] | s->inputs[t];
    s->cost = amounts_of(s->p);
    s->capacity = 1024;
    s->labels = base_malloc((size_t)s->capacity, sizeof *s->labels);
    s->open = (oracle_heap){.before = before, .owner = s};
    const size_t states = (size_t)(g->n + 1) << g->n;
    s->head = base_malloc(states, sizeof *s->head);
    memset(s->head, 0xff, states * sizeof *s->head);
}

/* The cheapest way to the end; -1: none, or given up. */
static int find_last(search *s)
{
    if (!s->cost.timed || s->cost.slack >= 0)
        insert(s, (label){.parent = -1});
    while (s->open.count > 0 && s->stages <= s->limit) {
        const int k = oracle_heap_pop(&s->open);
        const label l = s->labels[k];
        if (l.dominated)
            continue;
        if (l.stage == s->g->n)
            return k;
        step w = {.s = s, .from = l, .parent = k, .R = bit(l.stage)};
        choose_computed(&w, l.stage - 1, l.joules, l.seconds);
    }
    return -1;
}

static oracle_result solve(const problem *p, long limit, bool grant)
{
    assert(p->graph->n <= ORACLE_MAX_NODES);
    search s = {.p = p, .g = p->graph, .limit = limit, .grant = grant};
    prepare(&s);
    const int last = find_last(&s);
    oracle_result result = {.overhead_joules = INFINITY, .stages = s.stages};
    result.gave_up = s.stages > limit;
    if (last >= 0 && !result.gave_up) {
        result.feasible = true;
        result.overhead_joules = amount_joules(&s.cost, s.labels[last].joules);
        result.schedule = grant ? NULL : build_schedule(&s, last);
    }
    base_free_all(s.labels, s.head);
    oracle_heap_clear(&s.open);
    return result;
}

oracle_result oracle_solve(const problem *p)
{
    return solve(p, LONG_MAX, false);
}

oracle_result oracle_search(const problem *p, long limit)
{
    return solve(p, limit, false);
}

oracle_result oracle_granting(const problem *p, long limit)
{
    return solve(p, limit, true);
}
