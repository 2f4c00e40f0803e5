/* The optimum of a list of nodes by what views, outputs in place and several outputs mean. Written
 * from docs/formats.md, not from the code that lowers them. */
#include <math.h>

#include "tests/oracle/sharing.h"

typedef unsigned set;

enum { STEPS = 6, ITEMS = 7, NOTHING = -1 };

/* A step computes the nodes of one memory: one that makes it, and those that write over it. An item
 * is what is kept, dropped and paged as one. */
typedef struct world {
    const sharing_list *list;
    const problem *p;
    int steps, items;
    int end[STEPS];                 /* the node whose output remains; NOTHING: what has to be there
                                       when all is done is there */
    int step[SHARING_NODES];        /* of a node; -1: of a view */
    set makes[STEPS], reads[STEPS]; /* items */
    int64_t waste[STEPS];           /* bytes of outputs that nothing reads */
    int maker[ITEMS];               /* step */
    int64_t bytes[ITEMS];
    double pagein[ITEMS], pageout[ITEMS]; /* joules */
    double in_seconds[ITEMS], out_seconds[ITEMS];
    double joules[STEPS], seconds[STEPS];
    unsigned pin[STEPS];
} world;

/* The node whose memory the output of i is before anything is written over it, and which output of
 * it, -1: all. */
static int memory_of(const world *w, int i, int *part)
{
    const lower_node *node = &w->list->node[i];
    if (node->sharing == LOWER_VIEW) {
        if (w->list->node[node->node.inputs[0]].output_count > 0)
            *part = node->input_output[0];
        return memory_of(w, node->node.inputs[0], part);
    }
    return i;
}

/* The node that writes over the memory of i; -1. */
static int writer_over(const world *w, int i)
{
    for (int k = 0; k < w->list->n; k++) {
        int part = -1;
        if (w->list->node[k].sharing == LOWER_IN_PLACE &&
            memory_of(w, w->list->node[k].shares, &part) == i)
            return k;
    }
    return -1;
}

static bool find_steps(world *w)
{
    for (int i = 0; i < w->list->n; i++) {
        w->step[i] = -1;
        if (w->list->node[i].sharing == LOWER_VIEW || writer_over(w, i) >= 0)
            continue;
        if (w->steps == STEPS)
            return false;
        w->step[i] = w->steps;
        w->end[w->steps++] = i;
    }
    for (int i = w->list->n - 1; i >= 0; i--)
        if (w->list->node[i].sharing != LOWER_VIEW && w->step[i] < 0)
            w->step[i] = w->step[writer_over(w, i)];
    for (int i = 0; i < w->list->n; i++)
        if (w->step[i] >= 0) {
            w->joules[w->step[i]] += w->list->node[i].node.joules;
            w->seconds[w->step[i]] += w->list->node[i].node.seconds;
            w->pin[w->step[i]] |= w->list->node[i].node.pin;
            if (w->list->node[i].node.state == GRAPH_STATEFUL)
                w->pin[w->step[i]] |= GRAPH_NO_RECOMPUTE;
        }
    for (int i = 0; i < w->list->n; i++)
        if (w->list->node[i].node.output && (w->steps == 0 || w->end[w->steps - 1] != NOTHING)) {
            if (w->steps == STEPS)
                return false;
            w->end[w->steps++] = NOTHING;
        }
    return true;
}

/* True if a node that is no view reads output `part` of node i, or it has to survive. */
static bool is_read(const world *w, int i, int part)
{
    for (int j = 0; j < w->list->n; j++) {
        const lower_node *node = &w->list->node[j];
        int end = -1;
        if (node->node.output && memory_of(w, j, &end) == i && (end < 0 || end == part))
            return true;
        for (int k = 0; node->sharing != LOWER_VIEW && k < node->node.input_count; k++) {
            const int from = node->node.inputs[k];
            int of = w->list->node[from].output_count > 0 ? node->input_output[k] : -1;
            if (memory_of(w, from, &of) == i && (of < 0 || of == part))
                return true;
        }
    }
    return false;
}

static bool add_item(world *w, int s, int64_t bytes)
{
    if (w->items == ITEMS)
        return false;
    const graph_node *node = &w->list->node[w->end[s]].node;
    const int item = w->items++;
    w->makes[s] |= 1u << item;
    w->maker[item] = s;
    w->bytes[item] = bytes;
    w->pagein[item] = node->pagein_joules;
    w->pageout[item] = node->pageout_joules;
    w->in_seconds[item] = node->pagein_seconds;
    w->out_seconds[item] = node->pageout_seconds;
    return true;
}

/* Transfers of a part cost the part of the whole. */
static void share_costs(world *w, int item, int64_t whole)
{
    const double part = whole > 0 ? (double)w->bytes[item] / (double)whole : 1;
    w->pagein[item] *= part;
    w->pageout[item] *= part;
    w->in_seconds[item] *= part;
    w->out_seconds[item] *= part;
}

static bool find_items(world *w, sharing_freedom freedom,
                       int item_of[SHARING_NODES][SHARING_OUTPUTS])
{
    for (int s = 0; s < w->steps; s++) {
        if (w->end[s] == NOTHING)
            continue;
        const lower_node *node = &w->list->node[w->end[s]];
        const int first = w->items;
        bool any = false;
        int64_t whole = 0;
        for (int k = 0; k < node->output_count; k++)
            any |= is_read(w, w->end[s], k);
        if (node->output_count == 0 && !add_item(w, s, node->node.bytes))
            return false;
        for (int k = 0; k < node->output_count; k++) {
            if (any && !is_read(w, w->end[s], k)) {
                w->waste[s] += node->outputs[k].bytes;
                continue;
            }
            if ((freedom == SHARING_APART || w->items == first) && !add_item(w, s, 0))
                return false;
            item_of[w->end[s]][k] = w->items - 1;
            w->bytes[w->items - 1] += node->outputs[k].bytes;
            whole += node->outputs[k].bytes;
        }
        for (int item = first; freedom == SHARING_APART && item < w->items; item++)
            if (node->output_count > 0)
                share_costs(w, item, whole);
    }
    return true;
}

static void find_reads(world *w, int item_of[SHARING_NODES][SHARING_OUTPUTS])
{
    for (int j = 0; j < w->list->n; j++) {
        const lower_node *node = &w->list->node[j];
        if (node->node.output) {
            int end = -1;
            const int of = memory_of(w, j, &end);
            w->reads[w->steps - 1] |= end < 0 ? w->makes[w->step[of]] : 1u << item_of[of][end];
        }
        for (int k = 0; node->sharing != LOWER_VIEW && k < node->node.input_count; k++) {
            const int from = node->node.inputs[k];
            int part = w->list->node[from].output_count > 0 ? node->input_output[k] : -1;
            const int of = memory_of(w, from, &part), s = w->step[of];
            if (s != w->step[j])
                w->reads[w->step[j]] |= part < 0 ? w->makes[s] : 1u << item_of[of][part];
        }
    }
}

static int64_t size_of(const world *w, set items)
{
    int64_t sum = 0;
    for (int i = 0; i < w->items; i++)
        sum += items >> i & 1 ? w->bytes[i] : 0;
    return sum;
}

/* True if stage t, which computes the steps R, is possible within the budget. */
static bool stage_fits(const world *w, set S, set R, set In, set next)
{
    int64_t memory = size_of(w, S) + (w->p->charge_pagein_transfer ? size_of(w, In) : 0);
    set there = S;
    for (int s = 0; s < w->steps; s++) {
        if (!(R >> s & 1))
            continue;
        if (w->reads[s] & ~there || (w->end[s] == NOTHING && memory > w->p->ram_budget_bytes))
            return false;
        bool allocated = false;
        for (int i = 0; i < w->list->n; i++) {
            if (w->step[i] != s)
                continue;
            if (!allocated) /* the first makes the memory, the others write over it */
                memory += size_of(w, w->makes[s]) + w->waste[s];
            allocated = true;
            if (memory + w->list->node[i].node.workspace > w->p->ram_budget_bytes)
                return false;
        }
        memory -= w->waste[s];
        there |= w->makes[s];
        for (int i = 0; i < w->items; i++) {
            bool later = false;
            for (int k = s + 1; k < w->steps; k++)
                later |= (R >> k & 1) && (w->reads[k] >> i & 1);
            if ((w->reads[s] >> i & 1) && !(next >> i & 1) && !later)
                memory -= w->bytes[i];
        }
    }
    return true;
}

/* ---- ways through the stages ---------------------------------------------------------------- */

typedef struct label {
    double joules, seconds;
} label;

typedef struct labels {
    label *at;
    int count, capacity;
} labels;

static void add_label(labels *l, label new)
{
    for (int k = 0; k < l->count; k++)
        if (l->at[k].joules <= new.joules && l->at[k].seconds <= new.seconds)
            return;
    int kept = 0;
    for (int k = 0; k < l->count; k++)
        if (!(new.joules <= l->at[k].joules &&new.seconds <= l->at[k].seconds))
            l->at[kept++] = l->at[k];
    l->count = kept;
    if (l->count == l->capacity) {
        l->capacity = 2 * l->capacity + 4;
        l->at = base_realloc(l->at, (size_t)l->capacity, sizeof *l->at);
    }
    l->at[l->count++] = new;
}

static size_t state(const world *w, set S, set A)
{
    return ((size_t)A << w->items) | S;
}

static void pass_on(const world *w, const labels *from, labels *to, set R, set In, set Out)
{
    double joules = 0, seconds = 0, transfers = 0;
    for (int s = 0; s < w->steps; s++)
        if (R >> s & 1) {
            joules += w->joules[s];
            seconds += w->seconds[s];
        }
    for (int i = 0; i < w->items; i++) {
        joules += (In >> i & 1 ? w->pagein[i] : 0) + (Out >> i & 1 ? w->pageout[i] : 0);
        transfers += (In >> i & 1 ? w->in_seconds[i] : 0) + (Out >> i & 1 ? w->out_seconds[i] : 0);
    }
    seconds += w->p->deadline_includes_paging ? transfers : 0;
    for (int k = 0; k < from->count; k++) {
        const label l = {from->at[k].joules + joules, from->at[k].seconds + seconds};
        double base = 0;
        for (int s = 0; s < w->steps; s++)
            base += w->seconds[s];
        if (base + l.seconds <= w->p->deadline_seconds)
            add_label(to, l);
    }
}

/* All that can happen in stage t with S in RAM and A on storage. */
static void leave_state(const world *w, int t, set S, set A, const labels *from, labels *to)
{
    set free = 0, pageable = 0;
    for (int s = 0; s < t; s++)
        free |= w->p->allow_remat && !(w->pin[s] & GRAPH_NO_RECOMPUTE) ? 1u << s : 0;
    for (int i = 0; i < w->items; i++)
        if (w->maker[i] < t && w->p->allow_paging && !(w->pin[w->maker[i]] & GRAPH_NO_PAGE))
            pageable |= 1u << i;
    for (set R = free;; R = (R - 1) & free) {
        set made = S | w->makes[t];
        for (int s = 0; s < t; s++)
            made |= R >> s & 1 ? w->makes[s] : 0;
        const set in = A & pageable, out = S & ~A & pageable;
        for (set In = in;; In = (In - 1) & in) {
            const set most = t + 1 < w->steps ? made | In : 0;
            for (set next = most;; next = (next - 1) & most) {
                if (!(In & ~next) && stage_fits(w, S, R | 1u << t, In, next))
                    for (set Out = out;; Out = (Out - 1) & out) {
                        pass_on(w, from, &to[state(w, next, A | Out)], R, In, Out);
                        if (!Out)
                            break;
                    }
                if (!next)
                    break;
            }
            if (!In)
                break;
        }
        if (!R)
            break;
    }
}

static double search(const world *w)
{
    const size_t states = (size_t)1 << (2 * w->items);
    labels *now = base_calloc(states, sizeof *now);
    add_label(&now[0], (label){0, 0});
    for (int t = 0; t < w->steps; t++) {
        labels *next = base_calloc(states, sizeof *next);
        for (size_t k = 0; k < states; k++) {
            if (now[k].count > 0)
                leave_state(w, t, (set)(k & ((1u << w->items) - 1)), (set)(k >> w->items), &now[k],
                            next);
            base_free(now[k].at);
        }
        base_free(now);
        now = next;
    }
    double best = INFINITY;
    for (size_t k = 0; k < states; k++) {
        for (int l = 0; l < now[k].count; l++)
            best = fmin(best, now[k].at[l].joules);
        base_free(now[k].at);
    }
    base_free(now);
    return best;
}

double sharing_optimum(const sharing_list *list, const problem *p, sharing_freedom freedom)
{
    world w = {.list = list, .p = p};
    int item_of[SHARING_NODES][SHARING_OUTPUTS] = {{0}};
    if (!find_steps(&w) || !find_items(&w, freedom, item_of))
        return NAN;
    find_reads(&w, item_of);
    return search(&w);
}
