/* Peng, Shi, Dai, Jin, Ma, Xiong, Yang, Qian: Capuchin, ASPLOS 2020. A measured run
 * (checkpoint-all on the integer clock) gives for each tensor the longest gap (a, b)
 * between consecutive accesses. While some stage exceeds the budget, tensors with a gap over
 * such a stage leave RAM during the gap: they are paged or recomputed.
 *
 * Free time FT = instant at which a page-in must begin for b - instant at which a
 * page-out begun after a ends. In order of falling FT (then bytes, then index):
 *   dma:  tensors with FT >= 0 are paged; when they do not suffice, the remaining
 *         ones are recomputed, largest memory saving per second (MSPS) first;
 *   sync: nothing can be hidden, so each is paged if both transfers take no longer
 *         than its recomputation, else recomputed.
 * MSPS = bytes / recomputation time, kept up to date as sources of a recomputation
 * become recomputed themselves (their algorithm 2). Decisions are never revisited.
 * Transfers do not contend, as in POET's model; a page-in runs in the stage before b.
 * Their feedback on when to begin it and their passive mode are not modelled. */
#include "base/bits.h"
#include "baselines/policy.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef enum capuchin_choice { CAPUCHIN_KEEP, CAPUCHIN_PAGE, CAPUCHIN_RECOMPUTE } capuchin_choice;

typedef struct capuchin_tensor {
    bool candidate;    /* has a gap that a page-out and a page-in fit into */
    int before, after; /* the gap: accesses a and b */
    int pageout;       /* stage of the page-out if paged */
    capuchin_choice choice;
    policy_clock free_time; /* FT */
    policy_clock transfer;  /* page-out plus page-in */
    policy_clock once;      /* rp: one recomputation from the sources */
    policy_clock total;     /* exe: all its recomputations, also as a source of others */
    uint64_t *source;       /* set of nodes that it is recomputed from */
} capuchin_tensor;

typedef struct capuchin {
    const problem *problem;
    const graph *graph;
    policy_clock *time;      /* n */
    capuchin_tensor *tensor; /* n */
    int *order;              /* candidates by falling FT */
    int candidates;
    int words;      /* of a set */
    int recomputed; /* number chosen */
    /* Of the schedule for the decisions so far: */
    schedule *schedule;
    validation measured;
    bool *exceeded; /* n: the stage needs more than the budget */
    /* Scratch of a schedule's construction: */
    int *back;        /* n: stage by which a tensor taken out is back */
    bool *stays;      /* n: the choice is paging, but a use comes too soon: kept in RAM */
    int *mark, marks; /* n: number of the last call of bring_inputs that computed the tensor; marks:
                         number of the present call */
    int *stack;       /* n */
} capuchin;

/* ---- candidates ------------------------------------------------------------------ */

/* The longest gap between consecutive accesses of i, the earliest of equal ones. */
static void find_gap(const graph *g, int i, capuchin_tensor *x)
{
    int previous = i;
    x->before = x->after = i;
    for (int e = g->user_start[i]; e < g->user_start[i + 1]; e++) {
        if (g->user[e] - previous > x->after - x->before) {
            x->before = previous;
            x->after = g->user[e];
        }
        previous = g->user[e];
    }
    x->pageout = x->before > i ? x->before : i + 1;
    x->candidate = x->after >= x->pageout + 2;
}

/* Sources: the inputs of i alive at the gap's end. A dead input is replaced by its own sources,
 * at the price of computing it too. */
static void find_sources(capuchin *c, int i)
{
    const graph *g = c->graph;
    capuchin_tensor *x = &c->tensor[i];
    x->source = base_calloc((size_t)c->words, sizeof *x->source);
    base_work(4 * (size_t)i + (size_t)c->words);
    x->once = c->time[i];
    for (int e = g->input_start[i]; e < g->input_start[i + 1]; e++)
        bits_add(x->source, g->input[e]);
    for (int u = i - 1; u >= 0; u--) {
        if (!bits_has(x->source, u) || g->last_user[u] >= x->after)
            continue;
        bits_remove(x->source, u);
        x->once += c->time[u];
        for (int e = g->input_start[u]; e < g->input_start[u + 1]; e++)
            bits_add(x->source, g->input[e]);
    }
    x->total = x->once;
}

static int by_free_time(const void *left, const void *right, void *data)
{
    const capuchin *c = data;
    const int i = *(const int *)left, j = *(const int *)right;
    const capuchin_tensor *x = &c->tensor[i], *y = &c->tensor[j];
    if (x->free_time != y->free_time)
        return x->free_time > y->free_time ? -1 : 1;
    if (c->graph->bytes[i] != c->graph->bytes[j])
        return c->graph->bytes[i] > c->graph->bytes[j] ? -1 : 1;
    return i < j ? -1 : 1;
}

static void find_candidates(capuchin *c)
{
    const graph *g = c->graph;
    policy_clock *start = base_calloc((size_t)g->n + 1, sizeof *start);
    for (int i = 0; i < g->n; i++) {
        c->time[i] = policy_clock_of(g->seconds[i]);
        start[i + 1] = start[i] + c->time[i];
    }
    for (int i = 0; i < g->n; i++) {
        capuchin_tensor *x = &c->tensor[i];
        find_gap(g, i, x);
        if (!x->candidate)
            continue;
        policy_clock in = policy_clock_of(g->pagein_seconds[i]);
        policy_clock out = policy_clock_of(g->pageout_seconds[i]);
        x->transfer = in + out;
        x->free_time = (start[x->after] - in) - (start[x->before + 1] + out);
        find_sources(c, i);
        c->order[c->candidates++] = i;
    }
    base_free(start);
    qsort_r(c->order, (size_t)c->candidates, sizeof *c->order, by_free_time, c);
}

/* ---- the schedule for the decisions so far ---------------------------------------- */

/* True if i is in RAM when stage t begins. */
static bool is_there(const capuchin *c, int i, int t)
{
    const capuchin_tensor *x = &c->tensor[i];
    if (t > c->graph->last_user[i])
        return false;
    if (x->choice == CAPUCHIN_PAGE && !c->stays[i])
        return t <= x->pageout || t >= c->back[i];
    if (x->choice == CAPUCHIN_RECOMPUTE)
        return t <= x->before || t > c->back[i];
    return true;
}

/* Makes the inputs of i present in stage t: paged tensors come back earlier, others are
 * recomputed in the same stage from their own inputs. With collect (Capuchin's collective
 * recomputation) a tensor that is recomputed anyway then stays. */
static void bring_inputs(capuchin *c, int i, int t, bool collect)
{
    const graph *g = c->graph;
    int depth = 0;
    c->stack[depth++] = i;
    c->mark[i] = ++c->marks;
    while (depth > 0) {
        int v = c->stack[--depth];
        base_work(2 + 2 * (size_t)(g->input_start[v + 1] - g->input_start[v]));
        for (int e = g->input_start[v]; e < g->input_start[v + 1]; e++) {
            int u = g->input[e];
            if (c->mark[u] == c->marks || is_there(c, u, t))
                continue;
            capuchin_tensor *x = &c->tensor[u];
            bool wanted = t <= g->last_user[u];
            if (wanted && x->choice == CAPUCHIN_PAGE) {
                c->back[u] = t;
                c->stays[u] = t < x->pageout + 2;
                continue;
            }
            if (wanted && x->choice == CAPUCHIN_RECOMPUTE && collect)
                c->back[u] = t;
            c->mark[u] = c->marks;
            c->stack[depth++] = u;
        }
    }
}

/* Decides when tensors come back, recomputations in the order of their stages. */
static void plan_returns(capuchin *c, bool collect)
{
    const graph *g = c->graph;
    for (int i = 0; i < g->n; i++) {
        c->back[i] = c->tensor[i].after;
        c->stays[i] = false;
    }
    for (int t = 0; t < g->n && c->recomputed > 0; t++)
        for (int e = g->input_start[t]; e < g->input_start[t + 1]; e++) {
            int i = g->input[e];
            if (c->tensor[i].choice == CAPUCHIN_RECOMPUTE && c->tensor[i].after == t &&
                c->back[i] == t)
                bring_inputs(c, i, t, collect);
        }
}

static schedule *build_schedule(capuchin *c, bool collect)
{
    const graph *g = c->graph;
    plan_returns(c, collect);
    schedule *s = schedule_create(g->n);
    for (int i = 0; i < g->n; i++) {
        const capuchin_tensor *x = &c->tensor[i];
        int back = c->back[i];
        if (x->choice == CAPUCHIN_PAGE && !c->stays[i]) {
            policy_hold(s, i, i, x->pageout);
            s->Out[schedule_cell(s, x->pageout, i)] = 1;
            s->In[schedule_cell(s, back - 1, i)] = 1;
            base_work((size_t)(back - x->pageout));
            for (int t = x->pageout + 1; t < back; t++)
                s->A[schedule_cell(s, t, i)] = 1;
            policy_hold(s, i, back - 1, g->last_user[i]);
        } else if (x->choice == CAPUCHIN_RECOMPUTE) {
            policy_hold(s, i, i, x->before);
            policy_hold(s, i, back, g->last_user[i]);
        } else {
            policy_hold(s, i, i, g->last_user[i]);
        }
    }
    policy_finish(g, s);
    return s;
}

/* Replaces the schedule by the schedule of the decisions so far: with or without collective
 * recomputation, the one within the budget with less energy, else the one with the
 * lower peak. */
static void simulate(capuchin *c)
{
    const int64_t budget = c->problem->ram_budget_bytes;
    schedule_free(c->schedule);
    c->schedule = build_schedule(c, true);
    policy_measure(c->problem, c->schedule, &c->measured);
    if (c->recomputed > 0) {
        schedule *other = build_schedule(c, false);
        validation v;
        policy_measure(c->problem, other, &v);
        bool this_fits = c->measured.peak_bytes <= budget, other_fits = v.peak_bytes <= budget;
        bool better = this_fits != other_fits ? other_fits
                      : this_fits             ? v.overhead_joules < c->measured.overhead_joules
                                              : v.peak_bytes < c->measured.peak_bytes;
        if (better) {
            schedule *swap = c->schedule;
            c->schedule = other;
            c->measured = v;
            other = swap;
        }
        schedule_free(other);
    }
    for (int t = 0; t < c->graph->n; t++)
        c->exceeded[t] = schedule_stage_memory(c->problem, c->schedule, t, NULL) > budget;
}

static bool fits(const capuchin *c)
{
    return c->measured.peak_bytes <= c->problem->ram_budget_bytes;
}

/* True if i is out of RAM, if chosen, in a stage that exceeds the budget. */
static bool relieves(const capuchin *c, int i)
{
    base_work((size_t)(c->tensor[i].after - c->tensor[i].pageout));
    for (int t = c->tensor[i].pageout + 1; t < c->tensor[i].after; t++)
        if (c->exceeded[t])
            return true;
    return false;
}

/* ---- decisions ---------------------------------------------------------------------- */

static void replace_source(const capuchin *c, uint64_t *set, int chosen)
{
    bits_remove(set, chosen);
    base_work((size_t)c->words);
    for (int w = 0; w < c->words; w++)
        set[w] |= c->tensor[chosen].source[w];
}

/* Chooses to recompute i and brings the times of all others up to date. */
static void recompute(capuchin *c, int i)
{
    capuchin_tensor *x = &c->tensor[i];
    int runs = 1;
    base_work(2 * (size_t)c->candidates);
    for (int k = 0; k < c->candidates; k++) {
        capuchin_tensor *r = &c->tensor[c->order[k]];
        if (r->choice == CAPUCHIN_RECOMPUTE && bits_has(r->source, i)) {
            replace_source(c, r->source, i);
            runs++;
        }
    }
    x->choice = CAPUCHIN_RECOMPUTE;
    c->recomputed++;
    for (int k = 0; k < c->candidates; k++) {
        const int j = c->order[k];
        capuchin_tensor *y = &c->tensor[j];
        if (y->choice != CAPUCHIN_KEEP)
            continue;
        if (bits_has(y->source, i)) {
            replace_source(c, y->source, i);
            y->once += x->once;
            int users = 0;
            base_work((size_t)c->candidates);
            for (int q = 0; q < c->candidates; q++) {
                const capuchin_tensor *r = &c->tensor[c->order[q]];
                users += r->choice == CAPUCHIN_RECOMPUTE && bits_has(r->source, j);
            }
            y->total = y->once * (1 + users);
        }
        if (bits_has(x->source, j))
            y->total = runs * y->once;
    }
}

/* The relieving tensor with the largest MSPS, the smallest of equal ones; -1 without. */
static int best_saving(const capuchin *c)
{
    int best = -1;
    double most = 0;
    for (int i = 0; i < c->graph->n; i++) {
        const capuchin_tensor *x = &c->tensor[i];
        if (!x->candidate || x->choice != CAPUCHIN_KEEP || !relieves(c, i))
            continue;
        double saving = policy_ratio(c->graph->bytes[i], x->total, 1);
        if (best >= 0 && saving <= most)
            continue;
        best = i;
        most = saving;
    }
    return best;
}

static void decide(capuchin *c, bool dma, const baseline_options *o, bool *stopped,
                   char reason[BASELINE_REASON])
{
    for (int k = 0; k < c->candidates && !fits(c); k++) {
        const int i = c->order[k];
        capuchin_tensor *x = &c->tensor[i];
        if ((dma && x->free_time < 0) || !relieves(c, i))
            continue;
        if (dma || x->transfer <= x->total)
            x->choice = CAPUCHIN_PAGE;
        else
            recompute(c, i);
        simulate(c);
        if ((*stopped = policy_stopped(o, reason)))
            return;
    }
    for (int i; dma && !fits(c) && (i = best_saving(c)) >= 0;) {
        recompute(c, i);
        simulate(c);
        if ((*stopped = policy_stopped(o, reason)))
            return;
    }
}

/* ---- the method --------------------------------------------------------------------- */

static capuchin *capuchin_create(const problem *p)
{
    const size_t n = (size_t)p->graph->n;
    capuchin *c = base_calloc(1, sizeof *c);
    c->problem = p;
    c->graph = p->graph;
    c->words = bits_words(p->graph->n);
    c->time = base_malloc(n, sizeof *c->time);
    c->tensor = base_calloc(n, sizeof *c->tensor);
    c->order = base_malloc(n, sizeof *c->order);
    c->exceeded = base_calloc(n, sizeof *c->exceeded);
    c->back = base_malloc(n, sizeof *c->back);
    c->stays = base_calloc(n, sizeof *c->stays);
    c->mark = base_calloc(n, sizeof *c->mark);
    c->stack = base_malloc(n, sizeof *c->stack);
    find_candidates(c);
    return c;
}

schedule *baseline_capuchin(const problem *p, const baseline_options *o, int variant,
                            char reason[BASELINE_REASON])
{
    capuchin *c = capuchin_create(p);
    bool stopped = false;
    simulate(c);
    decide(c, variant == BASELINE_CAPUCHIN_DMA, o, &stopped, reason);
    schedule *s = c->schedule;
    if (!stopped && fits(c)) {
        s = policy_accept(p, s, reason);
    } else {
        if (!stopped)
            snprintf(reason, BASELINE_REASON,
                     "no candidate is left that relieves stage %d, which needs %lld bytes; the "
                     "budget is %lld bytes",
                     c->measured.peak_stage, (long long)c->measured.peak_bytes,
                     (long long)p->ram_budget_bytes);
        schedule_free(s);
        s = NULL;
    }
    for (int i = 0; i < p->graph->n; i++)
        base_free(c->tensor[i].source);
    base_free_all(c->time, c->tensor, c->order, c->exceeded, c->back, c->stays, c->mark, c->stack,
                  c);
    return s;
}
