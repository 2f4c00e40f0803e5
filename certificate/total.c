/* Totals: weighted sums of cells, as integer columns of their own. */
#include "certificate/proof_internal.h"

int cert_total_column(const cert_proof *p, int k)
{
    return p->m->cols + k;
}

int cert_same(const cert_proof *p, int col)
{
    return col < p->m->cols ? p->m->same[col] : col;
}

bool cert_is_integer(const cert_proof *p, int col)
{
    return col >= p->m->cols || cert_is_cell(p->m, col);
}

void cert_total_clear(cert_total *total)
{
    base_free_all(total->tensor, total->weight);
    *total = (cert_total){0};
}

int cert_add_total(cert_proof *p, cert_total *total)
{
    if (p->totals == p->total_capacity) {
        p->total_capacity = 2 * p->total_capacity + 16;
        p->total = base_realloc(p->total, (size_t)p->total_capacity, sizeof *p->total);
        p->place = base_realloc(p->place, (size_t)p->m->cols + (size_t)p->total_capacity,
                                sizeof *p->place);
    }
    p->place[cert_total_column(p, p->totals)] = -1;
    p->total[p->totals] = *total;
    *total = (cert_total){0};
    return p->totals++;
}

int cert_proof_total(cert_proof *p, cert_total *total)
{
    int64_t most = 0;
    for (int j = 0; j < total->count; j++)
        most += total->weight[j] * (p->m->n - 1 - total->tensor[j]);
    total->now = total->root = total->before = (cert_span){0, most};
    return cert_add_total(p, total);
}

void cert_total_row(const cert_proof *p, int k, bool plain, cert_row *row)
{
    const cert_total *total = &p->total[k];
    cert_row_reset(row);
    row->equality = true;
    for (int j = 0; j < total->count; j++)
        for (int t = total->tensor[j] + 1; t < p->m->n; t++)
            cert_row_add(row, cert_cell(p->m, total->kind, t, total->tensor[j]),
                         (double)total->weight[j]);
    if (!plain)
        cert_row_add(row, cert_total_column(p, k), -1);
}

/* ---- columns of timelines and their cells ---------------------------------------------------- */

cert_kind cert_cells_of(const cert_proof *p, const cert_total *total, int *first, int *last)
{
    const cert_point *point = &p->point[total->point];
    const bool out = total->what == CERT_COARSE_OUT, in = total->what == CERT_COARSE_PAGEIN;
    *first = out ? total->node + 1 : point->stage + !in;
    *last = out ? p->m->n - 1 : in || total->what == CERT_COARSE_COMPUTE ? point->end - in : -1;
    return out ? CERT_OUT : in ? CERT_IN : CERT_R;
}

/* True if page-outs of tensors that are away early are not in the column. */
static bool counts_fewer(const cert_proof *p, const cert_total *total)
{
    return total->what == CERT_COARSE_OUT && p->timeline[p->point[total->point].timeline].fates;
}

/* Fixes the cells of a column that is 0. */
static void fix_cells(cert_proof *p, const cert_total *total)
{
    int first, last;
    const cert_kind kind = cert_cells_of(p, total, &first, &last);
    for (int t = first; t <= last; t++)
        if (t > total->node)
            cert_fix(p, 0, cert_cell(p->m, kind, t, total->node), 0);
}

/* ---- ranges ------------------------------------------------------------------------------- */

void cert_narrow(cert_proof *p, int node, int k, cert_span to)
{
    cert_total *total = &p->total[k];
    if (!cert_span_narrow(&total->now, to))
        return;
    if (p->cell) {
        cert_node *n = &p->node[node];
        n->limit = base_realloc(n->limit, (size_t)n->limits + 1, sizeof *n->limit);
        n->limit[n->limits++] = (cert_limit){k, to};
    } else {
        total->root = total->now;
        if (total->coarse && total->now.high <= 0 && !counts_fewer(p, total))
            fix_cells(p, total);
    }
    if (p->total[k].now.low > p->total[k].now.high)
        cert_close(p, node);
}

void cert_confine(cert_proof *p, int node, int col, bool above, int64_t value)
{
    if (col < p->m->cols)
        cert_fix(p, node, col, above);
    else
        cert_narrow(p, node, col - p->m->cols, cert_span_side(above, value));
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* p->number = largest distance of the total from the side where d is least; d is not 0. */
static void set_reach(cert_proof *p, const mpz_t d, bool costs)
{
    if (costs) {
        mpz_sub(p->number, p->target, p->sum);
        mpz_sub_ui(p->number, p->number, 1);
    } else {
        mpz_neg(p->number, p->sum);
    }
    mpz_abs(p->scratch, d);
    mpz_fdiv_q(p->number, p->number, p->scratch);
}

void cert_reduce_total(cert_proof *p, int node, int k, const mpz_t d, bool costs)
{
    const cert_span now = p->total[k].now;
    if (mpz_sgn(d) == 0)
        return;
    base_work(PRODUCT_WORK);
    set_reach(p, d, costs);
    if (!mpz_fits_slong_p(p->number) || mpz_cmp_si(p->number, now.high - now.low) >= 0)
        return;
    const int64_t reach = mpz_get_si(p->number);
    const bool rising = mpz_sgn(d) > 0;
    cert_narrow(
        p, node, k,
        (cert_span){rising ? now.low : now.high - reach, rising ? now.low + reach : now.high});
}

void cert_reduce_totals(cert_proof *p, int node, bool costs)
{
    for (int c = 0; c < p->touched_count; c++)
        if (p->touched[c] >= p->m->cols)
            cert_reduce_total(p, node, p->touched[c] - p->m->cols, p->d[c], costs);
}
