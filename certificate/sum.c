/* Columns of a sum: which ones it touches, their coefficients d, and their values at the loaded
 * node. */
#include "certificate/timeline.h"

static void enlarge(cert_proof *p)
{
    const int before = p->touched_capacity, after = 2 * before + 256;
    p->touched = base_realloc(p->touched, (size_t)after, sizeof *p->touched);
    p->d = base_realloc(p->d, (size_t)after, sizeof *p->d);
    for (; p->touched_capacity < after; p->touched_capacity++)
        mpz_init(p->d[p->touched_capacity]);
}

/* d = cost of the column `early': a recomputation, or both transfers if they cost less. */
static void set_to_early(cert_proof *p, mpz_t d, int k)
{
    const int i = p->total[k].node;
    const graph *g = p->m->g;
    mpz_t again;
    if (p->point[p->total[k].point].timeline != p->priced)
        return;
    mpz_init(again);
    number_add_product(again, p->grid, 1, p->scale, number_of(g->joules[i]), p->scratch);
    number_add_product(d, p->grid, 1, p->scale, number_of(g->pagein_joules[i]), p->scratch);
    number_add_product(d, p->grid, 1, p->scale, number_of(g->pageout_joules[i]), p->scratch);
    if (!problem_may_page(p->m->p, i) ||
        (problem_may_recompute(p->m->p, i) && mpz_cmp(again, d) < 0))
        mpz_swap(again, d);
    mpz_clear(again);
}

/* d = coefficient of a column without rows: its cost, or 0 without costs. */
static void set_to_cost(cert_proof *p, mpz_t d, int col, bool costs)
{
    mpz_set_ui(d, 0);
    if (costs && col >= p->m->cols && p->total[col - p->m->cols].what == CERT_COARSE_EARLY)
        set_to_early(p, d, col - p->m->cols);
    else if (costs)
        number_add_product(d, p->grid, 1, p->scale, number_of(cert_overhead(p, col)), p->scratch);
}

void cert_coefficient(cert_proof *p, int col, bool costs)
{
    if (p->place[col] < 0)
        set_to_cost(p, p->number, col, costs);
    else
        mpz_set(p->number, p->d[p->place[col]]);
}

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

void cert_range(const cert_proof *p, int col, int64_t *low, int64_t *high)
{
    const cert_model *m = p->m;
    cert_factor factor[2];
    if (col >= m->cols) {
        *low = p->total[col - m->cols].now.low;
        *high = p->total[col - m->cols].now.high;
        return;
    }
    const bool load = col >= cert_load(m, 0);
    const int factors = cert_factors(m, col, factor);
    bool one = factors > 0 || p->value[col] != 0;
    for (int k = 0; k < factors && one; k++) {
        one = false;
        for (int c = 0; c < 2 && factor[k].cell[c] >= 0; c++)
            one = one || p->value[m->same[factor[k].cell[c]]] != 0;
    }
    *low = factors == 0 && p->value[col] == 1;
    *high = load ? m->budget : one;
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
