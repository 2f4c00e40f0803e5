/* Copies of tensors and the memory of stages, changed together and undone together. */
#include "heuristics/intervals.h"

#include <assert.h>
#include <string.h>

/* Copies of some tensors, as they were. */
struct intervals_saved {
    struct {
        int node, count, from, out; /* its copies are copy[from..] */
    } * tensor;
    int count, capacity;
    copy *copy;
    int copies, copy_capacity;
    double joules, seconds; /* of a whole state */
};

/* What changed since intervals_begin, and what has to be brought up to date. */
typedef struct intervals_change {
    intervals_saved before; /* of the tensors that were changed */
    int move;               /* number of the change */
    int *noted;             /* n: move in which a tensor's copies were noted */
    bool *vacant;           /* n: its bytes are not counted now */
    node_list open;         /* vacant tensors */
    node_list stages;       /* whose inner is out of date */
    bool *dirty;            /* n: in stages */
    int *stamp;             /* n: scratch */
    int stamp_now;
    int low, high; /* stages whose keep or hold changed; low > high: none */
} intervals_change;

/* ---- questions ---------------------------------------------------------------------- */

int intervals_serving(const intervals *s, int v, int t)
{
    const tensor_copies *c = &s->tensor[v];
    int low = 0, high = c->count - 1;
    assert(t >= v);
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (c->at[middle].first <= t)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

int intervals_next_read(const intervals *s, int v, int k, int t)
{
    const graph *g = s->p->graph;
    const tensor_copies *c = &s->tensor[v];
    const int end = k + 1 < c->count ? c->at[k + 1].first : g->n;
    int next = end;
    for (int e = g->user_start[v]; e < g->user_start[v + 1]; e++) {
        const tensor_copies *user = &s->tensor[g->user[e]];
        for (int b = 0; b < user->count && user->at[b].first < next; b++)
            if (!user->at[b].paged && user->at[b].first > t)
                next = user->at[b].first;
    }
    return next < end ? next : -1;
}

int intervals_read_before(const intervals *s, int v, int k, int t)
{
    const graph *g = s->p->graph;
    int before = s->tensor[v].at[k].first;
    for (int e = g->user_start[v]; e < g->user_start[v + 1]; e++) {
        const tensor_copies *user = &s->tensor[g->user[e]];
        for (int b = 0; b < user->count && user->at[b].first < t; b++)
            if (!user->at[b].paged && user->at[b].first > before)
                before = user->at[b].first;
    }
    return before;
}

bool intervals_can_add(const intervals *s, int v, int first, bool paged, int out)
{
    const tensor_copies *c = &s->tensor[v];
    const int k = intervals_serving(s, v, first);
    const bool may = paged ? problem_may_page(s->p, v) : problem_may_recompute(s->p, v);
    if (!may || first <= v || first >= s->p->graph->n || c->at[k].first == first)
        return false;
    if (!paged) /* else the page-out has nothing to begin with */
        return c->out != first && c->computed < s->p->max_computations;
    if (c->out >= 0)
        return first - 1 > c->out;
    if (out <= v || first - 1 <= out)
        return false;
    const copy *from = &c->at[intervals_serving(s, v, out)];
    return from->paged || from->first < out;
}

/* ---- memory ------------------------------------------------------------------------- */

/* Whether the copy stays to the end of the stage of its last reader, since the next one arrives
 * then: the rules know tensors, not copies. */
static bool is_joined(const tensor_copies *c, int k)
{
    return k + 1 < c->count && c->at[k + 1].paged && c->at[k + 1].first == c->at[k].last + 1;
}

static void mark(intervals *s, int stage)
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

/* Adds the bytes of a tensor's copies, or takes them away (sign -1). */
static void count_bytes(intervals *s, int v, int sign)
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
            mark(s, a->last);
        else
            add_hold(s, a->first, bytes);
        if (a->paged && s->p->charge_pagein_transfer)
            add_hold(s, a->first - 1, bytes);
        base_work(8 + (size_t)(a->last > a->first ? a->last - a->first : 0) / 8);
    }
    if (c->held)
        add_hold(s, c->out, bytes);
}

static void vacate(intervals *s, int v)
{
    if (s->change->vacant[v])
        return;
    s->change->vacant[v] = true;
    node_list_append(&s->change->open, v);
    count_bytes(s, v, -1);
}

/* Stages of the last readers. */
static void find_last(intervals *s, int v)
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
static void find_inner(intervals *s, int t)
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

static void find_excess(intervals *s)
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

/* ---- changes ------------------------------------------------------------------------ */

void intervals_begin(intervals *s)
{
    intervals_change *ch = s->change;
    assert(ch->open.count == 0);
    ch->before.count = ch->before.copies = 0;
    ch->move++;
}

static void keep_copies(intervals_saved *to, const tensor_copies *c, int v)
{
    if (to->count == to->capacity) {
        to->capacity = 2 * to->capacity + 16;
        to->tensor = base_realloc(to->tensor, (size_t)to->capacity, sizeof *to->tensor);
    }
    if (to->copies + c->count > to->copy_capacity) {
        to->copy_capacity = 2 * (to->copies + c->count) + 64;
        to->copy = base_realloc(to->copy, (size_t)to->copy_capacity, sizeof *to->copy);
    }
    to->tensor[to->count].node = v;
    to->tensor[to->count].count = c->count;
    to->tensor[to->count].from = to->copies;
    to->tensor[to->count++].out = c->out;
    memcpy(&to->copy[to->copies], c->at, (size_t)c->count * sizeof *c->at);
    to->copies += c->count;
}

/* Notes the copies of v as they were when the change began. */
static void note(intervals *s, int v)
{
    intervals_change *ch = s->change;
    if (ch->noted[v] != ch->move)
        keep_copies(&ch->before, &s->tensor[v], v);
    ch->noted[v] = ch->move;
}

static void vacate_inputs(intervals *s, int v)
{
    const graph *g = s->p->graph;
    for (int i = g->input_start[v]; i < g->input_start[v + 1]; i++)
        vacate(s, g->input[i]);
}

/* Costs of a copy, sign +1 or -1. */
static void count_cost(intervals *s, int v, bool paged, int sign)
{
    const graph *g = s->p->graph;
    s->joules += sign * (paged ? g->pagein_joules[v] : g->joules[v]);
    if (!paged)
        s->seconds += sign * g->seconds[v];
    else if (s->p->deadline_includes_paging)
        s->seconds += sign * g->pagein_seconds[v];
}

static void set_out(intervals *s, int v, int out)
{
    const graph *g = s->p->graph;
    const int sign = (out >= 0) - (s->tensor[v].out >= 0);
    s->joules += sign * g->pageout_joules[v];
    if (s->p->deadline_includes_paging)
        s->seconds += sign * g->pageout_seconds[v];
    s->tensor[v].out = out;
}

static void list_more(intervals *s, int v)
{
    node_list *l = &s->more;
    const bool listed = s->more_at[v] >= 0;
    if (!listed && s->tensor[v].count > 1) {
        s->more_at[v] = l->count;
        node_list_append(l, v);
    } else if (listed && s->tensor[v].count == 1) {
        const int last = l->at[--l->count];
        l->at[s->more_at[v]] = last;
        s->more_at[last] = s->more_at[v];
        s->more_at[v] = -1;
    }
}

/* A copy enters or leaves; the bytes of v are not counted now. */
static void put_copy(intervals *s, int v, int k, copy a)
{
    tensor_copies *c = &s->tensor[v];
    if (c->count == c->capacity) {
        c->capacity = c->capacity ? 2 * c->capacity : 2;
        c->at = base_realloc(c->at, (size_t)c->capacity, sizeof *c->at);
    }
    memmove(&c->at[k + 1], &c->at[k], (size_t)(c->count - k) * sizeof *c->at);
    c->at[k] = a;
    c->count++;
    c->computed += !a.paged;
    if (!a.paged && k > 0) {
        node_list_insert(&s->again[a.first], v);
        mark(s, a.first);
        vacate_inputs(s, v);
    }
    if (k > 0)
        count_cost(s, v, a.paged, 1);
    list_more(s, v);
}

static void take_copy(intervals *s, int v, int k)
{
    tensor_copies *c = &s->tensor[v];
    const copy a = c->at[k];
    assert(k > 0 && k < c->count);
    c->count--;
    c->computed -= !a.paged;
    memmove(&c->at[k], &c->at[k + 1], (size_t)(c->count - k) * sizeof *c->at);
    if (!a.paged) {
        node_list_remove(&s->again[a.first], v);
        mark(s, a.first);
        vacate_inputs(s, v);
    }
    count_cost(s, v, a.paged, -1);
    list_more(s, v);
}

void intervals_add(intervals *s, int v, int first, bool paged, int out)
{
    assert(intervals_can_add(s, v, first, paged, out));
    note(s, v);
    vacate(s, v);
    if (paged && s->tensor[v].out < 0)
        set_out(s, v, out);
    put_copy(s, v, intervals_serving(s, v, first) + 1, (copy){first, -1, paged});
}

/* Without a page-in left, the page-out goes. */
static void drop_out(intervals *s, int v)
{
    const tensor_copies *c = &s->tensor[v];
    for (int k = 1; k < c->count; k++)
        if (c->at[k].paged)
            return;
    if (c->out >= 0)
        set_out(s, v, -1);
}

void intervals_remove(intervals *s, int v, int k)
{
    note(s, v);
    vacate(s, v);
    take_copy(s, v, k);
    drop_out(s, v);
}

static int unread_copy(const tensor_copies *c)
{
    for (int k = c->count - 1; k > 0; k--)
        if (c->at[k].last < 0)
            return k;
    return 0;
}

void intervals_settle(intervals *s)
{
    intervals_change *ch = s->change;
    while (ch->open.count) {
        const int v = ch->open.at[--ch->open.count];
        int k;
        find_last(s, v);
        while ((k = unread_copy(&s->tensor[v])) > 0) {
            intervals_remove(s, v, k);
            find_last(s, v);
        }
        ch->vacant[v] = false;
        count_bytes(s, v, 1);
    }
    for (int k = 0; k < ch->stages.count; k++) {
        ch->dirty[ch->stages.at[k]] = false;
        find_inner(s, ch->stages.at[k]);
    }
    ch->stages.count = 0;
    find_excess(s);
}

/* The copies of v become these. */
static void replace(intervals *s, int v, const copy *at, int count, int out)
{
    vacate(s, v);
    while (s->tensor[v].count > 1)
        take_copy(s, v, s->tensor[v].count - 1);
    for (int k = 1; k < count; k++)
        put_copy(s, v, k, at[k]);
    set_out(s, v, out);
}

static void bring_back(intervals *s, const intervals_saved *saved)
{
    for (int k = 0; k < saved->count; k++)
        replace(s, saved->tensor[k].node, &saved->copy[saved->tensor[k].from],
                saved->tensor[k].count, saved->tensor[k].out);
    intervals_settle(s);
}

void intervals_undo(intervals *s)
{
    bring_back(s, &s->change->before);
}

/* ---- states ------------------------------------------------------------------------- */

intervals_saved *intervals_save(const intervals *s)
{
    intervals_saved *saved = base_calloc(1, sizeof *saved);
    for (int k = 0; k < s->more.count; k++)
        keep_copies(saved, &s->tensor[s->more.at[k]], s->more.at[k]);
    saved->joules = s->joules;
    saved->seconds = s->seconds;
    return saved;
}

void intervals_saved_free(intervals_saved *saved)
{
    if (!saved)
        return;
    base_free(saved->tensor);
    base_free(saved->copy);
    base_free(saved);
}

void intervals_restore(intervals *s, const intervals_saved *saved)
{
    intervals_begin(s);
    while (s->more.count) {
        const int v = s->more.at[s->more.count - 1];
        replace(s, v, s->tensor[v].at, 1, -1);
    }
    bring_back(s, saved);
    s->joules = saved->joules;
    s->seconds = saved->seconds;
}

intervals *intervals_create(const problem *p)
{
    const size_t n = (size_t)p->graph->n;
    intervals *s = base_calloc(1, sizeof *s);
    intervals_change *ch = s->change = base_calloc(1, sizeof *ch);
    s->p = p;
    s->tensor = base_calloc(n, sizeof *s->tensor);
    s->again = base_calloc(n, sizeof *s->again);
    s->more_at = base_malloc(n, sizeof *s->more_at);
    s->keep = base_calloc(n + 1, sizeof *s->keep);
    s->hold = base_calloc(n, sizeof *s->hold);
    s->inner = base_calloc(n, sizeof *s->inner);
    s->beyond = base_calloc(n, sizeof *s->beyond);
    s->price = base_calloc(n, sizeof *s->price);
    s->block_over = base_calloc(n / INTERVALS_BLOCK + 1, sizeof *s->block_over);
    ch->noted = base_calloc(n, sizeof *ch->noted);
    ch->vacant = base_calloc(n, sizeof *ch->vacant);
    ch->dirty = base_calloc(n, sizeof *ch->dirty);
    ch->stamp = base_calloc(n, sizeof *ch->stamp);
    ch->low = 0;
    ch->high = (int)n - 1;
    for (int v = 0; v < (int)n; v++) {
        s->more_at[v] = -1;
        s->tensor[v].out = -1;
        ch->vacant[v] = true;
        node_list_append(&ch->open, v);
        put_copy(s, v, 0, (copy){v, -1, false});
        mark(s, v);
    }
    intervals_settle(s);
    return s;
}

void intervals_free(intervals *s)
{
    if (!s)
        return;
    for (int v = 0; v < s->p->graph->n; v++) {
        base_free(s->tensor[v].at);
        base_free(s->again[v].at);
    }
    intervals_change *ch = s->change;
    void *const parts[] = {
        s->tensor,         s->again,        s->more.at,    s->more_at, s->keep,
        s->hold,           s->inner,        s->beyond,     s->price,   s->block_over,
        ch->before.tensor, ch->before.copy, ch->noted,     ch->dirty,  ch->vacant,
        ch->stamp,         ch->open.at,     ch->stages.at, ch,         s};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        base_free(parts[k]);
}
