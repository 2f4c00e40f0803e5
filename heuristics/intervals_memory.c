/* The memory of stages: bytes of copies at the end of each, the most within it, and the bytes
 * above the budget. */
#include "heuristics/intervals_change.h"

/* True if copy k stays to the end of the stage of its last reader, because the next copy is paged
 * in then: the rules of the problem count tensors, not copies. */
static bool is_joined(const tensor_copies *c, int k)
{
    return k + 1 < c->count && c->at[k + 1].paged && c->at[k + 1].first == c->at[k].last + 1;
}

void intervals_mark(intervals *s, int stage)
{
    if (!s->change->dirty[stage]) {
        s->change->dirty[stage] = true;
        index_list_append(&s->change->stages, stage);
    }
}

static void touch(intervals *s, int block, enum intervals_touch how)
{
    intervals_change *ch = s->change;
    if (ch->touch[block] == UNTOUCHED)
        index_list_append(&ch->blocks, block);
    if (ch->touch[block] < how)
        ch->touch[block] = how;
}

/* The stage behind the last one of a block. */
static int block_end(const intervals *s, int block)
{
    const int n = s->p->graph->n, end = (block + 1) * INTERVALS_BLOCK;
    return end < n ? end : n;
}

/* Adds `bytes` to each of the stages first..last. */
static void add_bytes(intervals *s, int first, int last, int64_t bytes)
{
    int64_t *beyond = s->beyond;
    for (int from = first; from <= last;) {
        const int block = from / INTERVALS_BLOCK, whole = block_end(s, block);
        const int end = whole <= last ? whole : last + 1;
        if (from == block * INTERVALS_BLOCK && end == whole) {
            s->block[block].shift += bytes;
            touch(s, block, SHIFTED);
        } else {
            for (int t = from; t < end; t++)
                beyond[t] += bytes;
            touch(s, block, CHANGED);
        }
        from = end;
    }
}

void intervals_count_bytes(intervals *s, int v, int sign)
{
    const tensor_copies *c = &s->tensor[v];
    const int64_t bytes = sign * s->p->graph->bytes[v];
    for (int k = 0; k < c->count; k++) {
        const copy *a = &c->at[k];
        add_bytes(s, a->first, a->last - 1, bytes);
        if (is_joined(c, k))
            add_bytes(s, a->last, a->last, bytes);
        if (a->last >= 0)
            intervals_mark(s, a->last);
        else
            add_bytes(s, a->first, a->first, bytes);
        if (a->paged && s->p->charge_pagein_transfer)
            add_bytes(s, a->first - 1, a->first - 1, bytes);
        base_work(16 + (size_t)(a->last > a->first ? a->last - a->first : 0) / 32);
    }
    if (c->held)
        add_bytes(s, c->out, c->out, bytes);
}

void intervals_vacate(intervals *s, int v)
{
    if (s->change->vacant[v])
        return;
    s->change->vacant[v] = true;
    index_list_append(&s->change->open, v);
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
            const int t = b == 0 ? g->user[e] : user->at[b].first;
            if (b > 0 && user->at[b].paged)
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

/* Finds the most that stage t holds beyond the bytes at its end. Goes through its computations
 * backwards: each gives back the inputs that it released, and takes away its output. */
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
        add_bytes(s, t, t, most - s->inner[t]);
    s->inner[t] = most;
}

/* Returns the charge of the block: price times bytes above the budget, summed over its stages. */
static double find_charge(const intervals *s, int block)
{
    const int64_t *beyond = s->beyond, shift = s->block[block].shift;
    const double *price = s->price;
    double charge = 0;
    for (int t = block * INTERVALS_BLOCK; t < block_end(s, block); t++) {
        const int64_t now = beyond[t] + shift;
        charge += price[t] * (double)(now > 0 ? now : 0);
    }
    return charge;
}

static int64_t find_most(const intervals *s, int block)
{
    const int64_t *beyond = s->beyond + (size_t)block * INTERVALS_BLOCK;
    int64_t most = beyond[0];
    for (int t = 1; t < INTERVALS_BLOCK; t++)
        most = beyond[t] > most ? beyond[t] : most;
    return most;
}

static int64_t find_over(const intervals *s, int block)
{
    const int64_t *beyond = s->beyond + (size_t)block * INTERVALS_BLOCK;
    const int64_t shift = s->block[block].shift;
    int64_t over = 0;
    for (int t = 0; t < INTERVALS_BLOCK; t++)
        over += beyond[t] + shift > 0 ? beyond[t] + shift : 0;
    return over;
}

void intervals_find_excess(intervals *s)
{
    intervals_change *ch = s->change;
    base_work((size_t)ch->blocks.count);
    while (ch->blocks.count > 0) {
        const int number = ch->blocks.at[--ch->blocks.count];
        intervals_block *b = &s->block[number];
        if (ch->touch[number] == CHANGED) {
            b->most = find_most(s, number);
            base_work(INTERVALS_BLOCK / 8);
        }
        ch->touch[number] = UNTOUCHED;
        if (b->over == 0 && b->most + b->shift <= 0)
            continue;
        base_work(INTERVALS_BLOCK / 4);
        const int64_t over = find_over(s, number);
        const double charge = over > 0 ? find_charge(s, number) : 0;
        s->excess += over - b->over;
        s->charge += charge - b->charge;
        b->over = over;
        b->charge = charge;
    }
}

/* ---- above the budget ---------------------------------------------------------------- */

static int block_count(const intervals *s)
{
    return (s->p->graph->n + INTERVALS_BLOCK - 1) / INTERVALS_BLOCK;
}

void intervals_set_price(intervals *s, double each, const double *weight)
{
    for (int t = 0; t < s->p->graph->n; t++)
        s->price[t] = each * weight[t];
    s->charge = 0;
    for (int block = 0; block < block_count(s); block++) {
        s->block[block].charge = s->block[block].over > 0 ? find_charge(s, block) : 0;
        s->charge += s->block[block].charge;
    }
}

double intervals_rise(const intervals *s, int first, int last, int64_t bytes, double most)
{
    const int64_t *beyond = s->beyond;
    const double *price = s->price;
    double rise = 0;
    for (int from = first; from <= last && rise <= most;) {
        const intervals_block *b = &s->block[from / INTERVALS_BLOCK];
        const int whole = block_end(s, from / INTERVALS_BLOCK),
                  end = whole <= last ? whole : last + 1;
        const int64_t shift = b->shift;
        base_work(1);
        if (b->most + shift + (bytes > 0 ? bytes : 0) > 0) {
            base_work((size_t)(end - from) / 4);
            for (int t = from; t < end; t++) {
                const int64_t now = beyond[t] + shift, then = now + bytes;
                rise += price[t] * (double)((then > 0 ? then : 0) - (now > 0 ? now : 0));
            }
        }
        from = end;
    }
    return rise;
}

int intervals_over_from(const intervals *s, int t)
{
    const int blocks = block_count(s);
    if (s->excess == 0)
        return -1;
    for (int k = 0; k <= blocks; k++) {
        const int block = (t / INTERVALS_BLOCK + k) % blocks, from = block * INTERVALS_BLOCK;
        if (s->block[block].over > 0)
            for (int at = k == 0 ? t : from; at < block_end(s, block); at++)
                if (intervals_beyond(s, at) > 0)
                    return at;
    }
    return -1;
}
