/* A proof as a whole: the grid on which all its sums are exact, and branching. */
#include "certificate/proof_internal.h"

#include <math.h>
#include <string.h>

/* ---- set-up ------------------------------------------------------------------------ */

static long lowest(long grid, double value, long scale_exponent)
{
    number v = number_of(value);
    long needed = v.mantissa ? -(v.exponent + scale_exponent) : 0;
    return needed > grid ? needed : grid;
}

/* Exponent of a grid on which scaled costs are exact, and multipliers times any coefficient or
 * side. */
static long choose_grid(const cert_model *m, number scale, double target)
{
    const graph *g = m->g;
    long cost = 0, row = 0;
    for (int i = 0; i < m->n; i++) {
        cost = lowest(cost, g->joules[i], scale.exponent);
        cost = lowest(cost, g->pagein_joules[i], scale.exponent);
        cost = lowest(cost, g->pageout_joules[i], scale.exponent);
        row = lowest(row, g->seconds[i], 0);
        row = lowest(row, g->pagein_seconds[i], 0);
        row = lowest(row, g->pageout_seconds[i], 0);
    }
    cost = lowest(cost, target, scale.exponent);
    if (isfinite(m->slack_seconds))
        row = lowest(row, m->slack_seconds, 0);
    return cost > row + CERT_MULTIPLIER_GRID ? cost : row + CERT_MULTIPLIER_GRID;
}

cert_proof *cert_proof_create(const problem *instance, cert_trust trust, bool impossible,
                              double target_joules, double scale, base_error *error)
{
    cert_model *m = cert_model_create(instance, trust, error);
    if (!m)
        return NULL;
    cert_proof *p = base_calloc(1, sizeof *p);
    p->m = m;
    p->impossible = impossible;
    p->scale = number_of(scale);
    p->priced = -1;
    p->grid = choose_grid(m, p->scale, impossible ? 0 : target_joules);
    mpz_inits(p->target, p->sum, p->number, p->scratch, NULL);
    if (!impossible)
        number_add_product(p->target, p->grid, 1, p->scale, number_of(target_joules), p->scratch);
    size_t cols = (size_t)m->cols;
    p->place = base_malloc(cols, sizeof *p->place);
    memset(p->place, 0xff, cols * sizeof *p->place);
    p->fate = base_calloc((size_t)m->n, sizeof *p->fate);
    p->value = m->value;
    cert_settle(m);
    cert_add_node(p, -1);
    /* costs are not negative, which settles a target of 0 */
    if (m->empty || (!impossible && mpz_sgn(p->target) <= 0))
        cert_close(p, 0);
    return p;
}

void cert_proof_free(cert_proof *p)
{
    if (!p)
        return;
    cert_forget_nodes(p);
    cert_forget_columns(p, 0, 0, 0);
    for (int c = 0; c < p->touched_capacity; c++)
        mpz_clear(p->d[c]);
    mpz_clears(p->target, p->sum, p->number, p->scratch, NULL);
    if (p->value != p->m->value)
        base_free(p->value);
    cert_row_clear(&p->row);
    cert_row_clear(&p->case_row);
    base_free_all(p->before.value, p->before.same, p->fact, p->fate, p->cut, p->total, p->timeline,
                  p->point, p->node, p->cell, p->d, p->place, p->touched);
    cert_model_free(p->m);
    base_free(p);
}

int cert_add_cut(cert_proof *p, cert_cut *cut)
{
    p->cut = base_grow(p->cut, p->cuts, &p->cut_capacity, sizeof *p->cut);
    p->cut[p->cuts] = *cut;
    *cut = (cert_cut){0};
    return p->cuts++;
}

int cert_proof_cut(cert_proof *p, cert_cut *cut, const char **fault)
{
    *fault = cert_cut_fault(p->m, cut);
    return cert_add_cut(p, cut);
}

const char *cert_proof_branch(cert_proof *p, int node, int col, int64_t value, int *first)
{
    if (cert_branched(p, node))
        return cert_branched(p, node);
    bool closed = cert_idle(p, node);
    if (!closed && !p->cell)
        cert_freeze_root(p);
    *first = p->nodes;
    for (int above = 0; above < 2; above++) {
        int child = cert_add_node(p, node);
        if (closed) {
            cert_close(p, child);
            continue;
        }
        cert_load_node(p, child);
        cert_confine(p, child, col, above, value);
    }
    p->node[node].children = *first;
    cert_close(p, node); /* its children stand for it */
    return NULL;
}
