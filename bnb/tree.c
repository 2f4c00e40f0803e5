/* Nodes, as changes against their parents, with reference counts. Bases, packed into two bits per
 * variable. The heap of open nodes. */
#include "bnb/tree.h"

#include <assert.h>
#include <string.h>

/* ---- warm-start states -------------------------------------------------- */

/* Nonbasic statuses that follow from the bounds share a code, so that four codes suffice. */
static unsigned pack(unsigned char status)
{
    return status == LP_BASIC ? 2u : status == LP_AT_UPPER ? 1u : status == LP_FREE ? 3u : 0u;
}

bnb_lpstate *bnb_lpstate_create(const unsigned char *status, int variables, int cuts,
                                bnb_poolcut *const *cut)
{
    bnb_lpstate *s = base_calloc(1, sizeof *s);
    s->refs = 1;
    s->variables = variables;
    s->packed = base_calloc((size_t)variables / 4 + 1, sizeof *s->packed);
    for (int v = 0; v < variables; v++)
        s->packed[v / 4] |= (unsigned char)(pack(status[v]) << (v % 4 * 2));
    s->cuts = cuts;
    s->cut = base_malloc((size_t)cuts + 1, sizeof(bnb_poolcut *));
    for (int k = 0; k < cuts; k++) {
        s->cut[k] = cut[k];
        bnb_poolcut_hold(cut[k]);
    }
    return s;
}

unsigned char bnb_lpstate_status(const bnb_lpstate *s, int variable)
{
    static const unsigned char unpack[4] = {LP_AT_LOWER, LP_AT_UPPER, LP_BASIC, LP_FREE};
    assert(variable >= 0 && variable < s->variables);
    return unpack[s->packed[variable / 4] >> (variable % 4 * 2) & 3];
}

void bnb_lpstate_release(bnb_lpstate *s)
{
    if (!s || --s->refs > 0)
        return;
    for (int k = 0; k < s->cuts; k++)
        bnb_poolcut_release(s->cut[k]);
    base_free_all(s->cut, s->packed, s);
}

/* ---- nodes -------------------------------------------------------------- */

bnb_node *bnb_node_create(bnb_node *parent, const bnb_change *branching, double bound,
                          bnb_lpstate *state)
{
    bnb_node *n = base_calloc(1, sizeof *n);
    n->parent = parent;
    n->refs = 1;
    n->bound = bound;
    n->state = state;
    if (parent) {
        parent->refs++;
        n->depth = parent->depth + 1;
        n->change = base_malloc(1, sizeof *n->change);
        n->change[0] = *branching;
        n->changes = 1;
    }
    return n;
}

void bnb_node_add_changes(bnb_node *n, const bnb_trail_entry *trail, int count)
{
    if (count == 0)
        return;
    const size_t total = (size_t)n->changes + (size_t)count;
    n->change = base_realloc(n->change, total, sizeof *n->change);
    /* A bound that moved twice appears twice; the tighter value counts when applied. */
    for (int k = 0; k < count; k++)
        n->change[n->changes++] = trail[k].change;
}

void bnb_node_release(bnb_node *n)
{
    while (n && --n->refs == 0) {
        bnb_node *parent = n->parent;
        bnb_lpstate_release(n->state);
        base_free(n->change);
        base_free(n);
        n = parent;
    }
}

bool bnb_node_apply(const bnb_node *n, double *lower, double *upper)
{
    bool possible = true;
    for (; n; n = n->parent)
        for (int k = 0; k < n->changes; k++) {
            const bnb_change *c = &n->change[k];
            if (c->upper)
                upper[c->col] = fmin(upper[c->col], c->value);
            else
                lower[c->col] = fmax(lower[c->col], c->value);
            possible = possible && lower[c->col] <= upper[c->col];
        }
    return possible;
}

/* ---- heap --------------------------------------------------------------- */

static bool is_before(const bnb_node *a, const bnb_node *b)
{
    if (a->bound != b->bound)
        return a->bound < b->bound;
    if (a->depth != b->depth)
        return a->depth > b->depth;
    return a->id < b->id;
}

void bnb_heap_push(bnb_heap *h, bnb_node *n)
{
    h->node = base_grow(h->node, h->count, &h->capacity, sizeof *h->node);
    int at = h->count++;
    for (; at > 0 && is_before(n, h->node[(at - 1) / 2]); at = (at - 1) / 2)
        h->node[at] = h->node[(at - 1) / 2];
    h->node[at] = n;
}

bnb_node *bnb_heap_pop(bnb_heap *h)
{
    if (h->count == 0)
        return NULL;
    bnb_node *top = h->node[0], *last = h->node[--h->count];
    int at = 0;
    for (int child = 1; child < h->count; child = 2 * at + 1) {
        if (child + 1 < h->count && is_before(h->node[child + 1], h->node[child]))
            child++;
        if (!is_before(h->node[child], last))
            break;
        h->node[at] = h->node[child];
        at = child;
    }
    if (h->count > 0)
        h->node[at] = last;
    return top;
}

double bnb_heap_bound(const bnb_heap *h)
{
    return h->count > 0 ? h->node[0]->bound : LP_INFINITY;
}

void bnb_heap_clear(bnb_heap *h)
{
    for (int k = 0; k < h->count; k++)
        bnb_node_release(h->node[k]);
    base_free(h->node);
    *h = (bnb_heap){0};
}
