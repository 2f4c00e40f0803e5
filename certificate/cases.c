/* Proofs by cases: the facts of the present case, and the state in which a case begins. */
#include <string.h>

#include "certificate/proof_internal.h"

int cert_proof_open_case(const cert_proof *p)
{
    int k = p->facts - 1;
    while (k >= 0 && !p->fact[k].open)
        k--;
    return k;
}

bool cert_proof_has_case_row(const cert_proof *p)
{
    return p->facts > 0 && p->fact[0].tensor < 0 && p->fact[0].second;
}

void cert_forget_columns(cert_proof *p, int cuts, int totals, int timelines)
{
    while (p->cuts > cuts)
        cert_cut_clear(&p->cut[--p->cuts]);
    while (p->totals > totals)
        cert_total_clear(&p->total[--p->totals]);
    for (; p->timelines > timelines; p->timelines--)
        base_free_all(p->timeline[p->timelines - 1].at, p->timeline[p->timelines - 1].once);
}

/* Saves the state before all cases. */
static void save(cert_proof *p)
{
    const size_t cols = (size_t)p->m->cols;
    p->before.value = base_malloc(cols, sizeof *p->before.value);
    p->before.same = base_malloc(cols, sizeof *p->before.same);
    memcpy(p->before.value, p->m->value, cols * sizeof *p->before.value);
    memcpy(p->before.same, p->m->same, cols * sizeof *p->before.same);
    p->before.closed = p->node[0].closed;
    p->before.cuts = p->cuts;
    p->before.totals = p->totals;
    p->before.timelines = p->timelines;
    p->before.points = p->points;
    for (int k = 0; k < p->totals; k++)
        p->total[k].before = p->total[k].root;
}

static void restore(cert_proof *p)
{
    cert_model *m = p->m;
    const size_t cols = (size_t)m->cols;
    base_work(cols);
    if (p->value != m->value)
        base_free(p->value);
    base_free(p->cell);
    p->cell = NULL;
    p->value = m->value;
    memcpy(m->value, p->before.value, cols * sizeof *m->value);
    memcpy(m->same, p->before.same, cols * sizeof *m->same);
    m->empty = false;
    cert_unsettle(m);
    cert_forget_nodes(p);
    cert_forget_columns(p, p->before.cuts, p->before.totals, p->before.timelines);
    for (int k = 0; k < p->totals; k++)
        p->total[k].now = p->total[k].root = p->total[k].before;
    p->points = p->before.points;
    p->cells = p->loaded = p->open = 0;
    p->priced = -1;
    memset(p->fate, CERT_ANY_FATE, (size_t)m->n);
    cert_add_node(p, -1);
}

static void apply(cert_proof *p, const cert_fact *f)
{
    const int i = f->tensor;
    for (int k = 0; i < 0 && !f->second && k < p->case_row.count; k++)
        cert_fix(p, 0, p->case_row.col[k], 0);
    if (i < 0)
        return;
    if (p->fate[i] == (f->second ? CERT_KEPT : CERT_AWAY))
        cert_close(p, 0);
    if (p->fate[i] != CERT_KEPT)
        p->fate[i] = f->second ? CERT_AWAY : CERT_KEPT;
    for (int t = i + 1; t < p->m->n && !f->second; t++) {
        cert_fix(p, 0, cert_cell(p->m, CERT_R, t, i), 0);
        cert_fix(p, 0, cert_cell(p->m, CERT_IN, t, i), 0);
    }
}

static void begin_case(cert_proof *p)
{
    restore(p);
    if (p->before.closed)
        cert_close(p, 0);
    for (int k = 0; k < p->facts; k++)
        apply(p, &p->fact[k]);
    if (!cert_idle(p, 0))
        cert_settle_node(p, 0);
}

static const char *add(cert_proof *p, cert_fact fact)
{
    if (p->nodes > 1)
        return "cases begin before node 0 is branched";
    if (!p->before.value)
        save(p);
    p->fact = base_realloc(p->fact, (size_t)p->facts + 1, sizeof *p->fact);
    p->fact[p->facts++] = fact;
    begin_case(p);
    return NULL;
}

const char *cert_proof_first_case(cert_proof *p, const int *col, int count)
{
    if (p->facts > 0 || p->nodes > 1)
        return "cases come once, before all others and before node 0 is branched";
    p->case_row.rhs = -1;
    for (int k = 0; k < count; k++)
        cert_row_add(&p->case_row, col[k], -1);
    return add(p, (cert_fact){.tensor = -1, .open = true});
}

const char *cert_proof_keep(cert_proof *p, int tensor)
{
    return add(p, (cert_fact){.tensor = tensor, .open = true});
}

const char *cert_proof_nested(cert_proof *p, int outer, int inner)
{
    const char *fault = cert_nested_fault(p, outer, inner);
    if (fault)
        return fault;
    p->used_nested = true;
    if (p->fate[outer] == CERT_KEPT)
        return add(p, (cert_fact){.tensor = inner});
    return p->fate[inner] == CERT_AWAY ? add(p, (cert_fact){.tensor = outer, .second = true})
                                       : "neither is the outer tensor kept nor the inner one away";
}

const char *cert_proof_next_case(cert_proof *p)
{
    const int k = cert_proof_open_case(p);
    if (k < 0)
        return "there is no first case";
    if (p->open > 0)
        return "the first case is not complete: a node is open";
    p->facts = k + 1;
    p->fact[k].second = true;
    p->fact[k].open = false;
    begin_case(p);
    return NULL;
}
