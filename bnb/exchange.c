/* Pseudo-costs (Benichou et al. 1971), and the messages that threads exchange between rounds. */
#include "bnb/exchange.h"

#include "bnb/search.h"

void bnb_pseudo_init(bnb_pseudo *p, int cols)
{
    *p = (bnb_pseudo){0};
    for (int i = 0; i < 2; i++)
        p->col[i] = base_calloc((size_t)cols + 1, sizeof *p->col[i]);
}

void bnb_pseudo_clear(bnb_pseudo *p)
{
    base_free_all(p->col[0], p->col[1]);
    *p = (bnb_pseudo){0};
}

static void add_observation(bnb_pseudo *p, int col, int direction, double gain_per_unit)
{
    bnb_mean *mean[2] = {&p->col[direction][col], &p->all[direction]};
    for (int k = 0; k < 2; k++) {
        mean[k]->sum += gain_per_unit;
        mean[k]->count += 1.0;
    }
}

double bnb_pseudo_gain(const bnb_pseudo *p, int col, int direction, double distance)
{
    const bnb_mean *own = &p->col[direction][col], *all = &p->all[direction];
    if (own->count > 0.0)
        return distance * own->sum / own->count;
    return distance * (all->count > 0.0 ? all->sum / all->count : 1.0);
}

/* ---- messages -------------------------------------------------------------- */

void bnb_messages_clear(bnb_messages *list)
{
    for (int k = 0; k < list->count; k++)
        bnb_poolcut_release(list->item[k].cut);
    base_free(list->item);
    *list = (bnb_messages){0};
}

void bnb_post(bnb_context *c, bnb_message m)
{
    bnb_messages *list = &c->outbox;
    if (c->search->contexts < 2)
        return;
    list->item = base_grow(list->item, list->count, &list->capacity, sizeof *list->item);
    list->item[list->count++] = m;
    if (m.cut)
        bnb_poolcut_hold(m.cut);
}

void bnb_pseudo_update(bnb_context *c, int col, int direction, double gain_per_unit)
{
    if (!(gain_per_unit >= 0.0) || isinf(gain_per_unit))
        return;
    add_observation(&c->pseudo, col, direction, gain_per_unit);
    bnb_post(c, (bnb_message){NULL, col, direction, gain_per_unit});
}

void bnb_exchange(bnb_search *s)
{
    for (int t = 0; t < s->contexts; t++) {
        bnb_messages *told = &s->context[t]->outbox;
        for (int k = 0; k < told->count; k++)
            for (int u = 0; u < s->contexts; u++) {
                const bnb_message *m = &told->item[k];
                if (u != t && m->cut)
                    bnb_pool_add(&s->context[u]->pool, m->cut);
                else if (u != t)
                    add_observation(&s->context[u]->pseudo, m->col, m->direction, m->gain);
            }
        bnb_messages_clear(told);
    }
}
