/* Nodes of the proof's tree. Each stores the cells and totals fixed since its parent. One node is
 * loaded: all its cells are at hand. */
#include "certificate/proof_internal.h"

#include <string.h>

int cert_add_node(cert_proof *p, int parent)
{
    p->node = base_grow(p->node, p->nodes, &p->node_capacity, sizeof *p->node);
    p->node[p->nodes] = (cert_node){.parent = parent, .children = -1};
    p->open++;
    return p->nodes++;
}

void cert_forget_nodes(cert_proof *p)
{
    for (int k = 0; k < p->nodes; k++)
        base_free_all(p->node[k].fixing, p->node[k].limit);
    p->nodes = 0;
    p->kept = 0;
}

/* ---- the cells of the loaded node ------------------------------------------------------ */

/* The root is done: from here on cells are fixed for a node and what lies below it. */
void cert_freeze_root(cert_proof *p)
{
    cert_model *m = p->m;
    p->value = base_malloc((size_t)m->cols, sizeof *p->value);
    memcpy(p->value, m->value, (size_t)m->cols * sizeof *p->value);
    int end = (int)CERT_CELLS * m->n * m->n;
    p->cell = base_malloc((size_t)m->cols, sizeof *p->cell);
    for (int col = 0; col < end; col++)
        if (m->same[col] == col && m->value[col] != 0)
            p->cell[p->cells++] = col;
}

static void apply_limits(cert_proof *p, int node, bool undo)
{
    for (int k = 0; k < p->node[node].limits; k++) {
        const cert_limit *limit = &p->node[node].limit[k];
        cert_total *total = &p->total[limit->total];
        if (undo)
            total->now = total->root;
        else
            cert_span_narrow(&total->now, limit->span);
    }
}

static void apply(cert_proof *p, int node, bool undo)
{
    for (; node > 0; node = p->node[node].parent) {
        base_work((size_t)p->node[node].fixings + 2);
        for (int k = 0; k < p->node[node].fixings; k++) {
            cert_fixing f = p->node[node].fixing[k];
            p->value[f.col] = (int8_t)(undo ? CERT_OPEN : f.value);
        }
        base_work((size_t)p->node[node].limits);
        apply_limits(p, node, undo);
    }
}

/* Frees the cells and totals of a closed node without children, which is not loaded again. */
static void forget_leaf(cert_proof *p, cert_node *n)
{
    if (!n->closed || n->children >= 0)
        return;
    p->kept -= n->fixings;
    base_free_all(n->fixing, n->limit);
    n->fixing = NULL;
    n->limit = NULL;
    n->fixings = n->capacity = n->limits = 0;
}

void cert_load_node(cert_proof *p, int node)
{
    if (p->loaded == node)
        return;
    apply(p, p->loaded, true);
    if (p->loaded > 0)
        forget_leaf(p, &p->node[p->loaded]);
    apply(p, node, false);
    p->loaded = node;
}

bool cert_idle(cert_proof *p, int node)
{
    if (!p->node[node].closed)
        cert_load_node(p, node);
    return p->node[node].closed;
}

const char *cert_branched(const cert_proof *p, int node)
{
    return p->node[node].children >= 0 ? "the node has been branched already" : NULL;
}

/* ---- what becomes known ------------------------------------------------------------------ */

void cert_close(cert_proof *p, int node)
{
    if (p->node[node].closed)
        return;
    p->node[node].closed = true;
    p->open--;
}

void cert_fix(cert_proof *p, int node, int col, int value)
{
    int c = p->m->same[col];
    if (p->value[c] == value)
        return;
    p->any_one = p->any_one || value == 1;
    if (p->value[c] != CERT_OPEN) {
        cert_close(p, node);
    } else if (!p->cell) {
        cert_set(p->m, c, value);
    } else {
        cert_node *n = &p->node[node];
        n->fixing = base_grow(n->fixing, n->fixings, &n->capacity, sizeof *n->fixing);
        n->fixing[n->fixings++] = (cert_fixing){c, value};
        p->kept++;
        p->value[c] = (int8_t)value;
    }
}

void cert_settle_node(cert_proof *p, int node)
{
    if (p->cell)
        return;
    cert_settle(p->m);
    if (p->m->empty)
        cert_close(p, node);
}
