/* What becomes known of a node. */
#include "certificate/proof_internal.h"

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
        if (n->fixings == n->capacity) {
            n->capacity = 2 * n->capacity + 4;
            n->fixing = base_realloc(n->fixing, (size_t)n->capacity, sizeof *n->fixing);
        }
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
