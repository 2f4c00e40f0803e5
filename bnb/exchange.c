/* Messages that the threads exchange between rounds. */
#include "bnb/exchange.h"

#include <stdio.h>
#include <stdlib.h>

#include "bnb/search.h"

static void append_message(bnb_messages *list, const bnb_message *m)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity > 0 ? 2 * list->capacity : 256;
        list->item = base_realloc(list->item, (size_t)list->capacity, sizeof *list->item);
    }
    list->item[list->count++] = *m;
}

void bnb_messages_clear(bnb_messages *list)
{
    for (int k = 0; k < list->count; k++)
        bnb_poolcut_release(list->item[k].cut);
    base_free(list->item);
    *list = (bnb_messages){0};
}

/* ---- sending -------------------------------------------------------------- */

/* Posts a copy of *m to all other threads that exist. Contexts created later start as copies of
 * the first one. */
static void post_message(bnb_context *c, const bnb_message *m)
{
    if (c->search->contexts > 1) {
        append_message(&c->outbox, m);
        if (m->cut)
            bnb_poolcut_hold(m->cut);
    }
}

void bnb_pseudo_update(bnb_context *c, int col, int direction, double gain_per_unit)
{
    if (!(gain_per_unit >= 0.0) || isinf(gain_per_unit))
        return;
    bnb_pseudo_add(&c->pseudo, col, direction, gain_per_unit);
    const bnb_message m = {BNB_MESSAGE_PSEUDO, col, direction == 1, gain_per_unit, NULL};
    post_message(c, &m);
}

void bnb_global_tighten(bnb_context *c, int col, bool upper, double value)
{
    double *bound = upper ? &c->global_upper[col] : &c->global_lower[col];
    if (upper ? value >= *bound : value <= *bound)
        return;
    if (c->in->debug && c->in->debug_objective < c->cutoff &&
        (upper ? c->in->debug[col] > value : c->in->debug[col] < value)) {
        fprintf(stderr, "bnb: column %d: global %s bound %.17g loses the debug solution's %.17g\n",
                col, upper ? "upper" : "lower", value, c->in->debug[col]);
        abort();
    }
    *bound = value;
    const bnb_message m = {BNB_MESSAGE_BOUND, col, upper, value, NULL};
    post_message(c, &m);
}

void bnb_share_cut(bnb_context *c, bnb_poolcut *cut)
{
    const bnb_message m = {BNB_MESSAGE_CUT, 0, false, 0.0, cut};
    post_message(c, &m);
}

/* ---- receiving -------------------------------------------------------------- */

static void apply_message(bnb_context *c, const bnb_message *m)
{
    switch (m->kind) {
    case BNB_MESSAGE_PSEUDO:
        bnb_pseudo_add(&c->pseudo, m->col, m->upper, m->value);
        break;
    case BNB_MESSAGE_BOUND:
        if (m->upper)
            c->global_upper[m->col] = fmin(c->global_upper[m->col], m->value);
        else
            c->global_lower[m->col] = fmax(c->global_lower[m->col], m->value);
        break;
    case BNB_MESSAGE_CUT:
        bnb_pool_add(&c->pool, m->cut);
        break;
    }
}

void bnb_exchange(bnb_search *s)
{
    for (int t = 0; t < s->contexts; t++) {
        bnb_messages *told = &s->context[t]->outbox;
        for (int k = 0; k < told->count; k++)
            for (int u = 0; u < s->contexts; u++)
                if (u != t)
                    apply_message(s->context[u], &told->item[k]);
        bnb_messages_clear(told);
    }
}
