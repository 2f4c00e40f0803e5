/* Copies of tensors, changed together with the memory of stages (intervals_memory.c) and undone
 * together. */
#include "heuristics/intervals_change.h"

#include <assert.h>
#include <string.h>

/* ---- questions ---------------------------------------------------------------------- */

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
        return c->out != first;
    if (c->out >= 0)
        return first - 1 > c->out;
    if (out <= v || first - 1 <= out)
        return false;
    const copy *from = &c->at[intervals_serving(s, v, out)];
    return from->paged || from->first < out;
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
static void note_copies(intervals *s, int v)
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
        intervals_vacate(s, g->input[i]);
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
    index_list *l = &s->more;
    const bool listed = s->more_at[v] >= 0;
    if (!listed && s->tensor[v].count > 1) {
        s->more_at[v] = l->count;
        index_list_append(l, v);
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
    if (!a.paged)
        s->extra += ++c->computed > s->p->max_computations;
    if (!a.paged && k > 0) {
        index_list_insert(&s->again[a.first], v);
        intervals_mark(s, a.first);
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
    if (!a.paged)
        s->extra -= c->computed-- > s->p->max_computations;
    memmove(&c->at[k], &c->at[k + 1], (size_t)(c->count - k) * sizeof *c->at);
    if (!a.paged) {
        index_list_remove(&s->again[a.first], v);
        intervals_mark(s, a.first);
        vacate_inputs(s, v);
    }
    count_cost(s, v, a.paged, -1);
    list_more(s, v);
}

void intervals_add(intervals *s, int v, int first, bool paged, int out)
{
    assert(intervals_can_add(s, v, first, paged, out));
    note_copies(s, v);
    intervals_vacate(s, v);
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
    note_copies(s, v);
    intervals_vacate(s, v);
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
        intervals_find_last(s, v);
        while ((k = unread_copy(&s->tensor[v])) > 0) {
            intervals_remove(s, v, k);
            intervals_find_last(s, v);
        }
        ch->vacant[v] = false;
        intervals_count_bytes(s, v, 1);
    }
    for (int k = 0; k < ch->stages.count; k++) {
        ch->dirty[ch->stages.at[k]] = false;
        intervals_find_inner(s, ch->stages.at[k]);
    }
    ch->stages.count = 0;
    intervals_find_excess(s);
}

/* The copies of v become these. */
static void replace_copies(intervals *s, int v, const copy *at, int count, int out)
{
    intervals_vacate(s, v);
    while (s->tensor[v].count > 1)
        take_copy(s, v, s->tensor[v].count - 1);
    for (int k = 1; k < count; k++)
        put_copy(s, v, k, at[k]);
    set_out(s, v, out);
}

static void bring_back(intervals *s, const intervals_saved *saved)
{
    for (int k = 0; k < saved->count; k++)
        replace_copies(s, saved->tensor[k].node, &saved->copy[saved->tensor[k].from],
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
    base_free_all(saved->tensor, saved->copy, saved);
}

void intervals_restore(intervals *s, const intervals_saved *saved)
{
    intervals_begin(s);
    while (s->more.count) {
        const int v = s->more.at[s->more.count - 1];
        replace_copies(s, v, s->tensor[v].at, 1, -1);
    }
    bring_back(s, saved);
    s->joules = saved->joules;
    s->seconds = saved->seconds;
}

schedule *intervals_schedule(const intervals *s)
{
    const int n = s->p->graph->n;
    schedule *made = schedule_create(n);
    for (int v = 0; v < n; v++) {
        const tensor_copies *c = &s->tensor[v];
        int last_in = -1;
        for (int k = 0; k < c->count; k++) {
            const copy *a = &c->at[k];
            if (a->paged)
                made->In[schedule_cell(made, last_in = a->first - 1, v)] = 1;
            else
                made->R[schedule_cell(made, a->first, v)] = 1;
            for (int t = a->first + !a->paged; t <= a->last; t++)
                made->S[schedule_cell(made, t, v)] = 1;
        }
        if (c->out < 0)
            continue;
        made->Out[schedule_cell(made, c->out, v)] = 1;
        for (int t = c->out + 1; t <= last_in; t++)
            made->A[schedule_cell(made, t, v)] = 1;
    }
    return made;
}

intervals *intervals_create(const problem *p)
{
    const size_t n = (size_t)p->graph->n, blocks = n / INTERVALS_BLOCK + 1;
    intervals *s = base_calloc(1, sizeof *s);
    intervals_change *ch = s->change = base_calloc(1, sizeof *ch);
    s->p = p;
    s->tensor = base_calloc(n, sizeof *s->tensor);
    s->again = base_calloc(n, sizeof *s->again);
    s->more_at = base_malloc(n, sizeof *s->more_at);
    s->inner = base_calloc(n, sizeof *s->inner);
    s->beyond = base_malloc(blocks * INTERVALS_BLOCK, sizeof *s->beyond);
    s->price = base_calloc(n, sizeof *s->price);
    s->block = base_calloc(blocks, sizeof *s->block);
    ch->noted = base_calloc(n, sizeof *ch->noted);
    ch->vacant = base_calloc(n, sizeof *ch->vacant);
    ch->dirty = base_calloc(n, sizeof *ch->dirty);
    ch->stamp = base_calloc(n, sizeof *ch->stamp);
    ch->touch = base_calloc(blocks, sizeof *ch->touch);
    for (size_t t = n; t < blocks * INTERVALS_BLOCK; t++)
        s->beyond[t] = -PROBLEM_MAX_BUDGET; /* of no stage */
    for (int v = 0; v < (int)n; v++) {
        s->beyond[v] = -p->ram_budget_bytes;
        s->more_at[v] = -1;
        s->tensor[v].out = -1;
        ch->vacant[v] = true;
        index_list_append(&ch->open, v);
        put_copy(s, v, 0, (copy){v, -1, false});
        intervals_mark(s, v);
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
    base_free_all(s->tensor, s->again, s->more.at, s->more_at, s->inner, s->beyond, s->price,
                  s->block, ch->before.tensor, ch->before.copy, ch->noted, ch->dirty, ch->vacant,
                  ch->stamp, ch->open.at, ch->stages.at, ch->blocks.at, ch->touch, ch, s);
}
