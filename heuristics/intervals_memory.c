/* The memory of stages: what copies of tensors take at the end of each, the most within it, and
 * what is above the budget. */
#include "heuristics/intervals_change.h"

/* Whether the copy stays to the end of the stage of its last reader, since the next one arrives
 * then: the rules know tensors, not copies. */
static bool is_joined(const tensor_copies *c, int k)
{
    return k + 1 < c->count && c->at[k + 1].paged && c->at[k + 1].first == c->at[k].last + 1;
}

void intervals_mark(intervals *s, int stage)
{
    if (!s->change->dirty[stage]) {
        s->change->dirty[stage] = true;
        node_list_append(&s->change->stages, stage);
    }
}

static void widen(intervals *s, int first, int last)
{
    intervals_change *ch = s->change;
    ch->low = first < ch->low ? first : ch->low;
    ch->high = last > ch->high ? last : ch->high;
}

static void add_hold(intervals *s, int stage, int64_t bytes)
{
    s->hold[stage] += bytes;
    widen(s, stage, stage);
}

void intervals_count_bytes(intervals *s, int v, int sign)
{
    const tensor_copies *c = &s->tensor[v];
    const int64_t bytes = sign * s->p->graph->bytes[v];
    for (int k = 0; k < c->count; k++) {
        const copy *a = &c->at[k];
        int64_t *keep = s->keep;
        for (int t = a->first + 1; t <= a->last; t++)
            keep[t] += bytes;
        if (a->last > a->first)
            widen(s, a->first, a->last - 1);
        if (is_joined(c, k))
            add_hold(s, a->last, bytes);
        if (a->last >= 0)
            intervals_mark(s, a->last);
        else
            add_hold(s, a->first, bytes);
        if (a->paged && s->p->charge_pagein_transfer)
            add_hold(s, a->first - 1, bytes);
        base_work(8 + (size_t)(a->last > a->first ? a->last - a->first : 0) / 8);
    }
    if (c->held)
        add_hold(s, c->out, bytes);
}

void intervals_vacate(intervals *s, int v)
{
    if (s->change->vacant[v])
        return;
    s->change->vacant[v] = true;
    node_list_append(&s->change->open, v);
    intervals_count_bytes(s, v, -1);
}

void intervals_find_last(intervals *s, int v)
{
    const graph *g = s->p->graph;
    tensor_copies *c = &s->tensor[v];
    bool read_in_out = false;
    for (int k = 0; k < c->count; k++)
        c->at[k].last = -1;
    for (int e = g->user_start[v]; e < g->user_start[v + 1]; e++) {
        const tensor_copies *user = &s->tensor[g->user[e]];
        base_work(4 * (size_t)user->count);
        for (int b = 0; b < user->count; b++) {
            const int t = user->at[b].first;
            if (user->at[b].paged)
                continue;
            copy *a = &c->at[intervals_serving(s, v, t)];
            a->last = t > a->last ? t : a->last;
            read_in_out = read_in_out || t == c->out;
        }
    }
    c->held = false;
    if (c->out >= 0) {
        copy *a = &c->at[intervals_serving(s, v, c->out)];
        c->held = !read_in_out && a->last <= c->out;
        a->last = c->out > a->last ? c->out : a->last;
    }
}

/* The most that stage t holds beyond what is there at its end: backwards, each computation gives
 * back what it released, and takes away what it made. */
void intervals_find_inner(intervals *s, int t)
{
    const graph *g = s->p->graph;
    intervals_change *ch = s->change;
    const int stamp = ++ch->stamp_now;
    int64_t sum = 0, most = 0;
    for (int e = s->again[t].count; e >= 0; e--) {
        const int node = e == s->again[t].count ? t : s->again[t].at[e];
        base_work(4 + 4 * (size_t)(g->input_start[node + 1] - g->input_start[node]));
        for (int i = g->input_start[node]; i < g->input_start[node + 1]; i++) {
            const int u = g->input[i];
            if (ch->stamp[u] == stamp)
                continue;
            ch->stamp[u] = stamp;
            const int k = intervals_serving(s, u, t);
            if (s->tensor[u].at[k].last == t && !is_joined(&s->tensor[u], k))
                sum += g->bytes[u];
        }
        most = sum + g->workspace[node] > most ? sum + g->workspace[node] : most;
        sum -= g->bytes[node];
    }
    if (s->inner[t] != most)
        widen(s, t, t);
    s->inner[t] = most;
}

void intervals_find_excess(intervals *s)
{
    intervals_change *ch = s->change;
    const int64_t budget = s->p->ram_budget_bytes;
    const int64_t *keep = s->keep + 1, *hold = s->hold, *inner = s->inner;
    const double *price = s->price;
    int64_t *beyond = s->beyond;
    for (int from = ch->low; from <= ch->high;) {
        const int block = from / INTERVALS_BLOCK;
        const int end = (block + 1) * INTERVALS_BLOCK <= ch->high ? (block + 1) * INTERVALS_BLOCK
                                                                  : ch->high + 1;
        int64_t change = 0;
        double charge = 0;
        for (int t = from; t < end; t++) {
            const int64_t now = keep[t] + hold[t] + inner[t] - budget, before = beyond[t];
            const int64_t more = (now > 0 ? now : 0) - (before > 0 ? before : 0);
            change += more;
            charge += price[t] * (double)more;
            beyond[t] = now;
        }
        s->block_over[block] += (double)change;
        s->excess += change;
        s->charge += charge;
        from = end;
    }
    base_work(ch->high >= ch->low ? (size_t)(ch->high - ch->low) / 4 : 0);
    ch->low = s->p->graph->n;
    ch->high = -1;
}

/* ---- above the budget ---------------------------------------------------------------- */

void intervals_set_price(intervals *s, double each, const double *weight)
{
    s->charge = 0;
    for (int t = 0; t < s->p->graph->n; t++) {
        s->price[t] = each * weight[t];
        s->charge += s->price[t] * (double)intervals_over(s, t);
    }
}

double intervals_rise(const intervals *s, int first, int last, int64_t bytes, double most)
{
    const int64_t *beyond = s->beyond;
    const double *price = s->price;
    double rise = 0;
    base_work(last >= first ? (size_t)(last - first) / 4 + 2 : 0);
    for (int from = first; from <= last && rise <= most; from += INTERVALS_BLOCK) {
        const int end = from + INTERVALS_BLOCK <= last ? from + INTERVALS_BLOCK : last + 1;
        for (int t = from; t < end; t++) {
            const int64_t now = beyond[t], then = now + bytes;
            rise += price[t] * (double)((then > 0 ? then : 0) - (now > 0 ? now : 0));
        }
    }
    return rise;
}

int intervals_over_from(const intervals *s, int t)
{
    const int n = s->p->graph->n, blocks = (n + INTERVALS_BLOCK - 1) / INTERVALS_BLOCK;
    if (s->excess == 0)
        return -1;
    for (int k = 0; k <= blocks; k++) {
        const int block = (t / INTERVALS_BLOCK + k) % blocks, from = block * INTERVALS_BLOCK;
        const int end = from + INTERVALS_BLOCK < n ? from + INTERVALS_BLOCK : n;
        if (s->block_over[block] > 0)
            for (int at = k == 0 ? t : from; at < end; at++)
                if (s->beyond[at] > 0)
                    return at;
    }
    return -1;
}
