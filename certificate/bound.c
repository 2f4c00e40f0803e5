/* Linear combinations of rows: the bounds and fixings that they prove at a node. */
#include "certificate/timeline.h"

/* ---- linear combinations of rows -------------------------------------------------------- */

/* Notes that the proof uses this kind of row or cut. A rounded cut adds nothing: its rows were
 * noted when it was derived. */
static void note_use(cert_proof *p, int cut, cert_row_kind kind)
{
    if (cut < 0)
        p->used[kind] = true;
    else if (!p->cut[cut].rounded)
        *(p->cut[cut].source ? &p->used_source : &p->used_event) = true;
}

bool cert_proof_row(cert_proof *p, int cut, cert_key key, bool plain)
{
    note_use(p, cut, key.kind);
    if (cut < 0 && key.kind == CERT_ROW_CASE) {
        cert_row_reset(&p->row);
        cert_row_append(&p->row, &p->case_row);
        return cert_proof_has_case_row(p);
    }
    if (cut < 0 && key.kind == CERT_ROW_TOTAL) {
        if (!p->total[key.i].coarse)
            cert_total_row(p, key.i, plain, &p->row);
        return !p->total[key.i].coarse;
    }
    if (cut < 0 && cert_row_is_of_point(key.kind))
        return cert_point_row(p, key, &p->row);
    if (cut < 0)
        return cert_row_make(p->m, key, plain, &p->row);
    cert_cut_row(p->m, &p->cut[cut], &p->row);
    return true;
}

/* Touches the columns that cost something on the priced timeline. */
static void touch_priced(cert_proof *p)
{
    const cert_timeline *line = &p->timeline[p->priced];
    base_work((size_t)(line->end - line->first));
    for (int k = line->first; k < line->end; k++)
        if (p->total[k].now.high > 0 && (p->total[k].what == CERT_COARSE_EARLY ||
                                         cert_overhead(p, cert_total_column(p, k)) > 0))
            cert_touch(p, cert_total_column(p, k), true);
}

/* Computes p->sum and d of the touched columns for the multipliers, with or without the costs. The
 * caller has to call cert_forget. */
static const char *combine(cert_proof *p, const cert_multiplier *y, int count, bool costs)
{
    mpz_set_ui(p->sum, 0);
    for (int r = 0; r < count; r++) {
        if (!cert_proof_row(p, y[r].cut, y[r].key, false))
            return "there is no such row";
        if (y[r].y.mantissa < 0 && !p->row.equality)
            return "a negative multiplier on an inequality";
        base_work((size_t)p->row.count * PRODUCT_WORK);
        for (int e = 0; e < p->row.count; e++) {
            int col = cert_same(p, p->row.col[e]);
            cert_touch(p, col, costs);
            number_add_product(p->d[p->place[col]], p->grid, 1, y[r].y, number_of(p->row.coef[e]),
                               p->scratch);
        }
        number_add_product(p->sum, p->grid, -1, y[r].y, number_of(p->row.rhs), p->scratch);
    }
    if (costs && p->priced >= 0)
        touch_priced(p);
    for (int k = 0; k < p->touched_count; k++) {
        int64_t low, high;
        int col = p->touched[k];
        cert_range(p, col, &low, &high);
        mpz_set_si(p->number, mpz_sgn(p->d[k]) < 0 ? high : low);
        mpz_addmul(p->sum, p->number, p->d[k]);
    }
    for (int k = 0, col; costs && p->any_one && (col = cert_next_cell(p, &k)) >= 0;)
        if (p->value[col] == 1 && p->place[col] < 0)
            number_add_product(p->sum, p->grid, 1, p->scale, number_of(cert_overhead(p, col)),
                               p->scratch);
    return NULL;
}

/* True if the sum proves that the node holds no schedule that the claim denies. */
static bool passes(const cert_proof *p, const mpz_t sum, bool costs)
{
    return costs ? mpz_cmp(sum, p->target) >= 0 : mpz_sgn(sum) > 0;
}

/* *proven: the multipliers leave nothing of the loaded node, by the overhead or by the rows alone.
 * Returns a fault of the multipliers, or NULL. */
static const char *refutes(cert_proof *p, const cert_multiplier *y, int count, bool *proven)
{
    *proven = false;
    for (int costs = p->impossible ? 0 : 1; costs >= 0 && !*proven; costs--) {
        const char *fault = combine(p, y, count, costs);
        cert_forget(p);
        if (fault)
            return fault;
        *proven = passes(p, p->sum, costs);
    }
    return NULL;
}

/* ---- steps -------------------------------------------------------------------------- */

/* Fixes the open cells of which one value takes p->sum past the target. */
static void reduce_cells(cert_proof *p, int node, bool costs)
{
    for (int k = 0, col; (col = cert_next_cell(p, &k)) >= 0;) {
        if (p->value[col] != CERT_OPEN)
            continue;
        base_work(PRODUCT_WORK);
        cert_coefficient(p, col, costs);
        int sign = mpz_sgn(p->number);
        mpz_abs(p->number, p->number);
        mpz_add(p->number, p->number, p->sum);
        if (sign != 0 && passes(p, p->number, costs))
            cert_fix(p, node, col, sign > 0 ? 0 : 1);
    }
}

/* True if a page-in (a column or a cell) and the page-out of i before it cost too much together.
 * The page-out is a column with costs of its own. */
static bool is_too_dear(cert_proof *p, int i, int col)
{
    const int out = p->timeline[p->priced].first + i, place = p->place[cert_total_column(p, out)];
    const cert_span now = p->total[out].now;
    if (place < 0 || now.low > 0 || now.high == 0 || mpz_sgn(p->d[place]) <= 0)
        return false;
    cert_coefficient(p, col, true);
    if (mpz_sgn(p->number) < 0)
        mpz_set_ui(p->number, 0);
    mpz_add(p->number, p->number, p->d[place]);
    mpz_add(p->number, p->number, p->sum);
    return mpz_cmp(p->number, p->target) >= 0;
}

static void reduce_priced(cert_proof *p)
{
    const cert_timeline *line = &p->timeline[p->priced];
    base_work((size_t)p->m->n * (size_t)p->m->n);
    for (int q = line->first_point; q < line->first_point + line->points; q++)
        for (int i = 0; i <= p->point[q].stage; i++) {
            const int col = cert_coarse_column(p, CERT_COARSE_PAGEIN, q, i), k = col - p->m->cols;
            const cert_span now = p->total[k].now;
            if (now.low == 0 && now.high == 1 && is_too_dear(p, i, col))
                cert_narrow(p, 0, k, (cert_span){0, 0});
        }
    for (int t = 1; t < p->m->n; t++)
        for (int i = 0; i < t; i++) {
            const int col = cert_cell(p->m, CERT_IN, t, i);
            if (p->value[cert_same(p, col)] == CERT_OPEN && !cert_is_covered(p, col) &&
                is_too_dear(p, i, col))
                cert_fix(p, 0, col, 0);
        }
}

static const char *reduce(cert_proof *p, int node, const cert_multiplier *y, int count, bool cells)
{
    const char *fault = combine(p, y, count, !p->impossible);
    if (!fault && passes(p, p->sum, !p->impossible)) {
        cert_close(p, node);
    } else if (!fault) {
        if (cells)
            reduce_cells(p, node, !p->impossible);
        cert_reduce_totals(p, node, !p->impossible);
        if (cells && p->priced >= 0)
            reduce_priced(p);
    }
    cert_forget(p);
    if (!fault)
        cert_settle_node(p, node);
    return fault;
}

const char *cert_proof_reduce(cert_proof *p, int node, const cert_multiplier *y, int count)
{
    if (cert_idle(p, node) || cert_branched(p, node))
        return cert_branched(p, node);
    return reduce(p, node, y, count, p->priced < 0);
}

const char *cert_proof_eliminate(cert_proof *p, const cert_multiplier *y, int count)
{
    if (p->impossible || p->priced < 0 || p->cell || p->timeline[p->priced].fates)
        return "cells are eliminated on a timeline of no case, by costs, before node 0 is branched";
    return cert_idle(p, 0) ? NULL : reduce(p, 0, y, count, true);
}

/* NULL if the multipliers close the loaded node, or if that is known already; else a fault. */
static const char *exclude(cert_proof *p, const cert_multiplier *y, int count, bool known,
                           const char *otherwise)
{
    bool proven = known;
    const char *fault = known ? NULL : refutes(p, y, count, &proven);
    return fault || proven ? fault : otherwise;
}

const char *cert_proof_probe(cert_proof *p, int node, int col, bool above, int64_t value,
                             const cert_multiplier *y, int count)
{
    const char *fault;
    if (cert_idle(p, node) || cert_branched(p, node))
        return cert_branched(p, node);
    if (col >= p->m->cols) {
        cert_span *now = &p->total[col - p->m->cols].now;
        const cert_span before = *now;
        cert_span_narrow(now, cert_span_side(above, value));
        fault = exclude(p, y, count, now->low > now->high,
                        "the multipliers do not exclude these values of the total");
        *now = before;
    } else {
        int8_t *cell = &p->value[p->m->same[col]];
        const int8_t before = *cell;
        const bool known = before != CERT_OPEN && before != above;
        if (!known) {
            *cell = above;
            p->any_one = p->any_one || above;
        }
        fault = exclude(p, y, count, known, "the multipliers do not exclude the value");
        *cell = before;
    }
    if (fault)
        return fault;
    cert_confine(p, node, col, !above, value);
    cert_settle_node(p, node);
    return NULL;
}

const char *cert_proof_leaf(cert_proof *p, int node, const cert_multiplier *y, int count)
{
    if (cert_idle(p, node) || cert_branched(p, node))
        return cert_branched(p, node);
    const char *fault = exclude(p, y, count, false,
                                "the multipliers do not prove that nothing better is in the node");
    if (!fault)
        cert_close(p, node);
    return fault;
}
