/* Best-first search by the order of docs/formulation.md: labels are compared by cost first, then
 * by the parts of the order one after the other. */
#include "tests/oracle/canonical.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "tests/oracle/amount.h"
#include "tests/oracle/counts.h"
#include "tests/oracle/heap.h"

static_assert((int)CANONICAL_MAX_NODES <= (int)AMOUNT_NODES, "room for the costs");
static_assert((int)CANONICAL_MAX_NODES <= (int)COUNTS_NODES, "room for the counts");

/* Sets of nodes: bit i is node i. */
typedef unsigned set;

/* The order, by its parts; the last one is a draw. */
typedef struct standing {
    amount joules;
    int actions, residents, out_stages;
    uint64_t drawn;
} standing;

/* A state, and a way to it. */
typedef struct label {
    standing rank;
    standing least; /* rank and a lower bound on what is still to come */
    amount seconds; /* so far */
    int stage;      /* the one that begins now; n: the end */
    int next;       /* in the list of its stage and S, -1 at the end */
    int parent;     /* label when the stage before began, -1 at the start */
    set S, A;       /* now */
    set R, In, Out; /* of the stage before */
    counts again;   /* recomputations so far; 0 without a limit on them */
    bool dominated;
} label;

typedef struct search {
    const problem *p;
    int n;
    amounts cost;
    set inputs[CANONICAL_MAX_NODES], users[CANONICAL_MAX_NODES];
    set read;                                /* nodes with users */
    set again, pageable;                     /* what may be computed again, what may be paged */
    set read_from[CANONICAL_MAX_NODES + 1];  /* inputs of nodes >= t */
    int64_t bytes[1 << CANONICAL_MAX_NODES]; /* of a set */
    uint32_t draw[3][CANONICAL_MAX_NODES][CANONICAL_MAX_NODES]; /* of R, In and Out in (t,i) */
    uint32_t draw_S[CANONICAL_MAX_NODES + 1][CANONICAL_MAX_NODES];
    label *labels;
    int count, capacity;
    int *head;        /* head[stage << n | S]; -1: none */
    oracle_heap open; /* labels, the least first */
    long ways, limit;
} search;

/* One way through a stage, from the label `from`. */
typedef struct step {
    search *s;
    label from;
    int parent;
    set R, Out;
    counts again; /* with R */
    set used;     /* inputs of R */
    int events, event[CANONICAL_MAX_NODES];
    set last_use[CANONICAL_MAX_NODES]; /* at each event: its inputs that no later one reads */
    standing rank;                     /* with R and Out */
    amount seconds;
} step;

static set bit(int i)
{
    return 1u << i;
}

/* ---- the order ------------------------------------------------------------------- */

static int compare(const standing *a, const standing *b)
{
    if (a->joules != b->joules)
        return a->joules < b->joules ? -1 : 1;
    if (a->actions != b->actions)
        return a->actions < b->actions ? -1 : 1;
    if (a->residents != b->residents)
        return a->residents < b->residents ? -1 : 1;
    if (a->out_stages != b->out_stages)
        return a->out_stages < b->out_stages ? -1 : 1;
    return a->drawn != b->drawn ? (a->drawn < b->drawn ? -1 : 1) : 0;
}

/* Adds the actions of one kind (COMPUTE, PAGEIN, PAGEOUT) on the nodes in stage t. */
static void act(const search *s, int kind, set nodes, int t, standing *to, amount *seconds)
{
    for (; nodes; nodes &= nodes - 1) {
        const int i = __builtin_ctz(nodes);
        to->joules += s->cost.joules[kind][i];
        *seconds += s->cost.seconds[kind][i];
        to->actions++;
        to->out_stages += kind == PAGEOUT ? t : 0;
        to->drawn += s->draw[kind][t][i];
    }
}

static void reside(const search *s, set nodes, int t, standing *to)
{
    to->residents += __builtin_popcount(nodes);
    for (; nodes; nodes &= nodes - 1)
        to->drawn += s->draw_S[t][__builtin_ctz(nodes)];
}

/* Sets l->least: each tensor that a later stage's own node reads and that is not in RAM comes back
 * by a page-in, if it is on storage, or a recomputation. False: that cannot be. */
static bool set_least(const search *s, label *l)
{
    amount seconds = l->seconds;
    l->least = l->rank;
    for (set missing = s->read_from[l->stage] & (bit(l->stage) - 1) & ~l->S; missing;
         missing &= missing - 1) {
        const int i = __builtin_ctz(missing);
        amount joules = s->cost.joules[COMPUTE][i], time = s->cost.seconds[COMPUTE][i];
        const bool stored = l->A & bit(i);
        const bool again = s->again & bit(i) && counts_of(l->again, i) + 1 < s->p->max_computations;
        if (!again && !stored)
            return false;
        if (stored && (!again || s->cost.joules[PAGEIN][i] < joules))
            joules = s->cost.joules[PAGEIN][i];
        if (stored && (!again || s->cost.seconds[PAGEIN][i] < time))
            time = s->cost.seconds[PAGEIN][i];
        l->least.joules += joules;
        l->least.actions++;
        seconds += time;
    }
    return !s->cost.timed || seconds <= s->cost.slack;
}

/* ---- labels -------------------------------------------------------------------------- */

static bool dominates(const label *a, const label *b)
{
    return !(b->A & ~a->A) && a->seconds <= b->seconds && counts_at_most(a->again, b->again) &&
           compare(&a->rank, &b->rank) <= 0;
}

/* The least first; of equal ones the one that is further. */
static bool before(const void *owner, int a, int b)
{
    const search *s = owner;
    const label *x = &s->labels[a], *y = &s->labels[b];
    const int order = compare(&x->least, &y->least);
    return order != 0 ? order < 0 : x->stage > y->stage;
}

/* Adds l to its state unless another is at least as good; drops those that it dominates. */
static void insert(search *s, label l)
{
    if (!set_least(s, &l))
        return;
    int *link = &s->head[(size_t)l.stage << s->n | l.S];
    for (int k = *link; k >= 0; k = s->labels[k].next)
        if (dominates(&s->labels[k], &l))
            return;
    while (*link >= 0) {
        label *old = &s->labels[*link];
        if (dominates(&l, old)) {
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

/* ---- one stage ------------------------------------------------------------------------ */

static set early_releases(const step *w, set kept)
{
    const int t = w->from.stage;
    set early = w->Out & ~kept & ~w->used;
    return t > 0 ? early & (bit(t - 1) - 1) : 0; /* those i with i + 1 < t */
}

/* The memory rule, with early releases. */
static bool fits(const step *w, set kept, set in)
{
    const search *s = w->s;
    const set nothing = early_releases(w, kept);
    int64_t now = s->bytes[w->from.S & ~nothing];
    if (s->p->charge_pagein_transfer)
        now += s->bytes[in];
    for (int e = 0; e < w->events; e++) {
        now += s->bytes[bit(w->event[e]) & ~nothing];
        if (now + s->p->graph->workspace[w->event[e]] > s->p->ram_budget_bytes)
            return false;
        now -= s->bytes[w->last_use[e] & ~kept];
    }
    return true;
}

/* All S[t+1], with the page-ins that they need. */
static void choose_kept(step *w)
{
    search *s = w->s;
    const label *from = &w->from;
    const set here = from->S | w->R, last = from->stage + 1 == s->n;
    const set candidates = last ? 0 : (here | from->A) & s->read;
    for (set kept = candidates;; kept = (kept - 1) & candidates) {
        const set in = kept & ~here;
        s->ways++;
        if (s->bytes[kept] <= s->p->ram_budget_bytes && fits(w, kept, in)) {
            label l = {.stage = from->stage + 1,
                       .parent = w->parent,
                       .S = kept,
                       .A = from->A | w->Out,
                       .R = w->R,
                       .again = w->again,
                       .In = in,
                       .Out = w->Out,
                       .rank = w->rank,
                       .seconds = w->seconds};
            act(s, PAGEIN, in, from->stage, &l.rank, &l.seconds);
            reside(s, kept, l.stage, &l.rank);
            insert(s, l);
        }
        if (kept == 0)
            return;
    }
}

/* All Out[t], once R is chosen. */
static void choose_written(step *w)
{
    const search *s = w->s;
    const label *from = &w->from;
    const int t = from->stage;
    const set candidates = from->S & s->pageable;
    const standing rank = w->rank;
    const amount seconds = w->seconds;
    for (w->Out = candidates;; w->Out = (w->Out - 1) & candidates) {
        w->rank = rank;
        w->seconds = seconds;
        act(s, PAGEOUT, w->Out, t, &w->rank, &w->seconds);
        if (!(w->Out & from->A & ~early_releases(w, 0)))
            choose_kept(w);
        if (w->Out == 0)
            break;
    }
    w->rank = rank;
    w->seconds = seconds;
}

/* The nodes before stage t that may be computed once more. */
static set computable(const search *s, const label *l)
{
    set nodes = (bit(l->stage) - 1) & s->again;
    for (int i = 0; i < l->stage; i++)
        if (counts_of(l->again, i) + 1 >= s->p->max_computations)
            nodes &= ~bit(i);
    return nodes;
}

/* All R[t] that have their inputs. */
static void choose_computed(step *w)
{
    search *s = w->s;
    const int t = w->from.stage;
    const set all = computable(s, &w->from);
    for (set again = all;; again = (again - 1) & all) {
        w->R = again | bit(t);
        if (problem_limits_computations(s->p))
            w->again = counts_add(w->from.again, again);
        w->used = 0;
        w->events = 0;
        for (set left = w->R; left; left &= left - 1) {
            const int k = __builtin_ctz(left);
            for (int e = 0; e < w->events; e++)
                w->last_use[e] &= ~s->inputs[k];
            w->last_use[w->events] = s->inputs[k];
            w->event[w->events++] = k;
            w->used |= s->inputs[k];
        }
        w->rank = w->from.rank;
        w->seconds = w->from.seconds;
        act(s, COMPUTE, again, t, &w->rank, &w->seconds);
        if (!(w->used & ~(w->from.S | w->R)))
            choose_written(w);
        if (again == 0 || s->ways > s->limit)
            return;
    }
}

/* ---- the whole -------------------------------------------------------------------------- */

static void prepare(search *s, uint64_t seed)
{
    const graph *g = s->p->graph;
    base_rng rng = {seed};
    for (int j = 0; j < s->n; j++)
        for (int e = g->input_start[j]; e < g->input_start[j + 1]; e++) {
            s->inputs[j] |= bit(g->input[e]);
            s->users[g->input[e]] |= bit(j);
            s->read |= bit(g->input[e]);
        }
    for (int t = s->n - 1; t >= 0; t--)
        s->read_from[t] = s->read_from[t + 1] | s->inputs[t];
    for (int i = 0; i < s->n; i++) {
        s->again |= problem_may_recompute(s->p, i) ? bit(i) : 0;
        s->pageable |= problem_may_page(s->p, i) ? bit(i) : 0;
    }
    for (set nodes = 1; nodes < bit(s->n); nodes++)
        s->bytes[nodes] = s->bytes[nodes & (nodes - 1)] + g->bytes[__builtin_ctz(nodes)];
    for (int t = 0; t < s->n; t++)
        for (int i = 0; i < t; i++) {
            for (int kind = 0; kind < COSTS; kind++)
                s->draw[kind][t][i] = (uint32_t)base_rng_next(&rng);
            s->draw_S[t][i] = (uint32_t)base_rng_next(&rng);
        }
    s->cost = amounts_of(s->p);
    s->capacity = 1024;
    s->labels = base_malloc((size_t)s->capacity, sizeof *s->labels);
    s->open = (oracle_heap){.before = before, .owner = s};
    const size_t states = (size_t)(s->n + 1) << s->n;
    s->head = base_malloc(states, sizeof *s->head);
    memset(s->head, 0xff, states * sizeof *s->head);
}

/* The least way to the end; -1: none, or given up. */
static int find_last(search *s)
{
    if (!s->cost.timed || s->cost.slack >= 0)
        insert(s, (label){.parent = -1});
    while (s->open.count > 0 && s->ways <= s->limit) {
        const int k = oracle_heap_pop(&s->open);
        const label l = s->labels[k];
        if (l.dominated)
            continue;
        if (l.stage == s->n)
            return k;
        step w = {.s = s, .from = l, .parent = k};
        choose_computed(&w);
    }
    return -1;
}

static schedule *build_schedule(const search *s, int last)
{
    schedule *result = schedule_create(s->n);
    for (int t = s->n - 1, k = last; t >= 0; t--, k = s->labels[k].parent) {
        const label *l = &s->labels[k], *from = &s->labels[l->parent];
        for (int i = 0; i <= t; i++) {
            const size_t cell = schedule_cell(result, t, i);
            result->R[cell] = (l->R & bit(i)) != 0;
            result->In[cell] = (l->In & bit(i)) != 0;
            result->Out[cell] = (l->Out & bit(i)) != 0;
            result->S[cell] = (from->S & bit(i)) != 0;
            result->A[cell] = (from->A & bit(i)) != 0;
        }
    }
    return result;
}

canonical_result canonical_least(const problem *p, uint64_t seed, long limit)
{
    assert(p->graph->n <= CANONICAL_MAX_NODES);
    search *s = base_calloc(1, sizeof *s);
    *s = (search){.p = p, .n = p->graph->n, .limit = limit};
    prepare(s, seed);
    const int last = find_last(s);
    canonical_result result = {.overhead_joules = INFINITY, .ways = s->ways};
    result.gave_up = s->ways > limit;
    if (last >= 0 && !result.gave_up) {
        result.overhead_joules = amount_joules(&s->cost, s->labels[last].rank.joules);
        result.schedule = build_schedule(s, last);
    }
    base_free_all(s->labels, s->head);
    oracle_heap_clear(&s->open);
    base_free(s);
    return result;
}
