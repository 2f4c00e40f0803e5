/* What linear combinations of rows prove about a node. */
#include "certificate/proof_internal.h"

/* ---- linear combinations of rows -------------------------------------------------------- */

/* The proof rests on its family; a rounded cut on those of its rows, noted when it was derived. */
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
        for (int e = 0; e < p->case_row.count; e++)
            cert_row_add(&p->row, p->case_row.col[e], p->case_row.coef[e]);
        p->row.rhs = p->case_row.rhs;
        return p->cases == CERT_SECOND_CASE;
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
    return !p->cut[cut].in_first_case || p->cases == CERT_FIRST_CASE;
}

static void enlarge(cert_proof *p)
{
    const int before = p->touched_capacity, after = 2 * before + 256;
    p->touched = base_realloc(p->touched, (size_t)after, sizeof *p->touched);
    p->d = base_realloc(p->d, (size_t)after, sizeof *p->d);
    for (; p->touched_capacity < after; p->touched_capacity++)
        mpz_init(p->d[p->touched_capacity]);
}

/* What d of a column is without rows. */
static void set_to_cost(cert_proof *p, mpz_t d, int col, bool costs)
{
    mpz_set_ui(d, 0);
    if (costs)
        number_add_product(d, p->grid, 1, p->scale, number_of(cert_overhead(p, col)), p->scratch);
}

void cert_coefficient(cert_proof *p, int col, bool costs)
{
    if (p->place[col] < 0)
        set_to_cost(p, p->number, col, costs);
    else
        mpz_set(p->number, p->d[p->place[col]]);
}

/* d of a column, which starts at its cost; -1 in place: not touched yet. */
void cert_touch(cert_proof *p, int col, bool costs)
{
    if (p->place[col] >= 0)
        return;
    if (p->touched_count == p->touched_capacity)
        enlarge(p);
    p->place[col] = p->touched_count;
    set_to_cost(p, p->d[p->touched_count], col, costs);
    p->touched[p->touched_count++] = col;
}

void cert_forget(cert_proof *p)
{
    for (int k = 0; k < p->touched_count; k++)
        p->place[p->touched[k]] = -1;
    p->touched_count = 0;
}

void cert_possible(const cert_proof *p, int col, bool *zero, bool *one)
{
    const cert_model *m = p->m;
    cert_factor factor[2];
    const int factors = cert_factors(m, col, factor);
    *zero = factors > 0 || p->value[col] != 1;
    *one = factors > 0 || p->value[col] != 0;
    for (int k = 0; k < factors && *one; k++) {
        *one = false;
        for (int c = 0; c < 2 && factor[k].cell[c] >= 0; c++)
            *one = *one || p->value[m->same[factor[k].cell[c]]] != 0;
    }
}

/* Range of a column at the loaded node. */
void cert_range(const cert_proof *p, int col, int64_t *low, int64_t *high)
{
    bool zero, one;
    if (col >= p->m->cols) {
        *low = p->total[col - p->m->cols].now.low;
        *high = p->total[col - p->m->cols].now.high;
        return;
    }
    *low = 0;
    *high = p->m->budget;
    if (col >= cert_load(p->m, 0))
        return;
    cert_possible(p, col, &zero, &one);
    *low = !zero;
    *high = one;
}

int cert_next_cell(const cert_proof *p, int *k)
{
    base_work(4);
    if (p->cell)
        return *k < p->cells ? p->cell[(*k)++] : -1;
    int end = (int)CERT_CELLS * p->m->n * p->m->n;
    while (*k < end && (p->m->same[*k] != *k || p->value[*k] == 0))
        ++*k;
    return *k < end ? (*k)++ : -1;
}

/* total and d of the touched columns for the multipliers, with or without the costs. Leaves the
 * columns touched: forget(). */
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
        cert_touch_priced(p);
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

/* Does a sum prove that there is nothing of interest? */
static bool passes(const cert_proof *p, const mpz_t sum, bool costs)
{
    return costs ? mpz_cmp(sum, p->target) >= 0 : mpz_sgn(sum) > 0;
}

const char *cert_refutes(cert_proof *p, const cert_multiplier *y, int count, bool *proven)
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

/* Fixes the open cells for which one of the values takes the total past the target. */
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
            cert_reduce_priced(p);
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
    if (p->impossible || p->priced < 0 || p->cell)
        return "cells are eliminated on a timeline, by costs, before node 0 is branched";
    return cert_idle(p, 0) ? NULL : reduce(p, 0, y, count, true);
}

const char *cert_proof_probe(cert_proof *p, int node, int col, int value, const cert_multiplier *y,
                             int count)
{
    if (cert_idle(p, node) || cert_branched(p, node))
        return cert_branched(p, node);
    int c = p->m->same[col];
    int8_t before = p->value[c];
    bool proven = before != CERT_OPEN && before != value;
    const char *fault = NULL;
    if (!proven) {
        p->value[c] = (int8_t)value;
        p->any_one = p->any_one || value == 1;
        fault = cert_refutes(p, y, count, &proven);
        p->value[c] = before;
    }
    if (fault)
        return fault;
    if (!proven)
        return "the multipliers do not exclude the value";
    cert_fix(p, node, c, 1 - value);
    cert_settle_node(p, node);
    return NULL;
}

const char *cert_proof_probe_total(cert_proof *p, int node, int k, bool above, int64_t value,
                                   const cert_multiplier *y, int count)
{
    if (cert_idle(p, node) || cert_branched(p, node))
        return cert_branched(p, node);
    cert_span *now = &p->total[k].now;
    const cert_span before = *now;
    cert_span_narrow(now, cert_span_side(above, value));
    bool proven = now->low > now->high;
    const char *fault = proven ? NULL : cert_refutes(p, y, count, &proven);
    *now = before;
    if (fault)
        return fault;
    if (!proven)
        return "the multipliers do not exclude these values of the total";
    cert_narrow(p, node, k, cert_span_side(!above, value));
    cert_settle_node(p, node);
    return NULL;
}

const char *cert_proof_leaf(cert_proof *p, int node, const cert_multiplier *y, int count)
{
    bool proven;
    if (cert_idle(p, node) || cert_branched(p, node))
        return cert_branched(p, node);
    const char *fault = cert_refutes(p, y, count, &proven);
    if (fault)
        return fault;
    if (!proven)
        return "the multipliers do not prove that nothing better is in the node";
    cert_close(p, node);
    return NULL;
}
