/* Draws roundings: random multipliers and slacks, the cut derived from them, hardly weaker than
 * what the checker takes, and now and then a cheat. */
#include "tests/certificate/roundings.h"

#include <math.h>

#include "certificate/proof_internal.h"

static int below(base_rng *rng, int bound)
{
    return (int)base_rng_below(rng, (uint64_t)bound);
}

static double value_of(number v)
{
    return ldexp((double)v.mantissa, (int)v.exponent);
}

/* A whole number of units of 2^-unit as a double. */
static double double_of(const mpz_t v, long unit)
{
    long exponent;
    const double d = mpz_get_d_2exp(&exponent, v);
    return ldexp(d, (int)(exponent - unit));
}

static double on_grid(double v)
{
    return ldexp(rint(ldexp(v, 60)), -60);
}

/* ---- terms ---------------------------------------------------------------------------------- */

/* From where a total is counted: mostly one of its bounds, at times within or beyond. */
static void draw_origin(const cert_proof *p, cert_round_term *term, base_rng *rng)
{
    const cert_span root = p->total[term->col - p->m->cols].root;
    term->from = term->side == CERT_SIDE_UPPER ? root.high : root.low;
    if (below(rng, 4) == 0)
        term->from += below(rng, 5) - 2;
}

/* All columns of the rows, at random sides; equal cells now and then as one; now and then a stage
 * too many. */
static void draw_terms(cert_proof *p, cert_round *round, base_rng *rng)
{
    const cert_model *m = p->m;
    bool *taken = base_calloc((size_t)m->cols + (size_t)p->totals, sizeof *taken);
    round->terms = 0;
    for (int k = 0; k < round->count; k++) {
        if (!cert_proof_row(p, round->y[k].cut, round->y[k].key, false))
            continue;
        for (int e = 0; e < p->row.count; e++) {
            const int col = p->row.col[e], t = col / m->n % m->n;
            const bool cell = cert_is_cell(m, col);
            int stages = 1;
            if (taken[col] || (below(rng, 8) == 0 && !below(rng, 2)))
                continue;
            while (cell && t + stages < m->n && below(rng, 4) > 0 &&
                   (m->same[col + stages * m->n] == m->same[col] || below(rng, 300) == 0) &&
                   !taken[col + stages * m->n])
                stages++;
            for (int s = 0; s < stages; s++)
                taken[col + s * m->n] = below(rng, 500) > 0;
            cert_round_term *term = &round->term[round->terms++];
            *term = (cert_round_term){col, stages, 0, (cert_side)below(rng, 3), 0};
            if (col >= m->cols)
                draw_origin(p, term, rng);
        }
    }
    base_free(taken);
}

/* ---- slacks --------------------------------------------------------------------------------- */

/* p->row has integers on cells, or some cheat. */
static bool looks_whole(const cert_proof *p, base_rng *rng)
{
    bool whole = p->row.rhs == floor(p->row.rhs);
    for (int e = 0; e < p->row.count; e++)
        whole =
            whole && cert_is_integer(p, p->row.col[e]) && p->row.coef[e] == floor(p->row.coef[e]);
    return below(rng, 20) == 0 ? !whole : whole;
}

/* The coefficients that rounding gives slacks, or a little less; now and then more. */
static void set_slacks(cert_proof *p, cert_round *round, double scale, base_rng *rng)
{
    const double rest = round->divisor - scale;
    for (int k = 0; k < round->count; k++) {
        const double y = value_of(round->y[k].y);
        const double q = floor(y / round->divisor), r = y - q * round->divisor;
        double h = fmin(0, y) / scale;
        cert_proof_row(p, round->y[k].cut, round->y[k].key, false);
        if (looks_whole(p, rng))
            h = q + fmax(0, r - rest) / scale;
        h -= 0x1p-40 * (fabs(h) + 1e-3);
        if (below(rng, 60) == 0)
            h += (double)below(rng, 8) / 8;
        round->y[k].slack = number_of(p->row.equality && below(rng, 30) > 0 ? 0 : on_grid(h));
    }
}

/* Slacks that any rounding grants; scale of the sum; false: there is none. */
static bool find_scale(cert_proof *p, cert_round *round, double *scale)
{
    mpz_t k, bound;
    for (int j = 0; j < round->count; j++) {
        const bool there = cert_proof_row(p, round->y[j].cut, round->y[j].key, false);
        round->y[j].slack = number_of(there && p->row.equality ? 0 : -0x1p60);
    }
    mpz_inits(k, bound, NULL);
    cert_load_node(p, 0);
    const bool good = !cert_round_derive(p, round, k, bound);
    cert_round_forget(p, round);
    *scale = double_of(k, p->grid);
    mpz_clears(k, bound, NULL);
    return good;
}

/* ---- the cut ----------------------------------------------------------------------------------
 */

/* The most that a times the column can be. */
static double most(const cert_proof *p, double a, int col)
{
    if (col < p->m->cols)
        return fmax(0, a) * (col < cert_load(p->m, 0) ? 1 : (double)p->m->budget);
    const cert_span root = p->total[col - p->m->cols].root;
    return fmax(a * (double)root.low, a * (double)root.high);
}

/* What was derived as the cut, hardly weaker; now and then a bit more than that. */
static bool take_derived(cert_proof *p, cert_round *round, base_rng *rng)
{
    mpz_t k, bound;
    mpz_inits(k, bound, NULL);
    cert_load_node(p, 0);
    const bool good = !cert_round_derive(p, round, k, bound);
    if (good) {
        const double scale = double_of(k, p->grid);
        double size = fabs(double_of(bound, 2 * p->grid) / scale);
        round->rhs = double_of(bound, 2 * p->grid) / scale;
        for (int j = 0; j < p->touched_count; j++) {
            const double d = double_of(p->d[j], 2 * p->grid) / scale;
            size += most(p, fabs(d), p->touched[j]);
            if (j < round->terms)
                round->term[j].coef = on_grid(d);
            else
                round->rhs += most(p, -d, p->touched[j]);
        }
        round->rhs = on_grid(round->rhs + 0x1p-44 * size);
        if (below(rng, 8) == 0)
            round->rhs -= 0.125 * below(rng, 9);
        if (below(rng, 8) == 0 && round->terms > 0)
            round->term[below(rng, round->terms)].coef += 0.125 * (below(rng, 9) - 4);
    }
    cert_round_forget(p, round);
    mpz_clears(k, bound, NULL);
    return good;
}

int rounding_draw(cert_proof *p, cert_multiplier *y, int count, base_rng *rng)
{
    static const double divisors[] = {1, 1, 2, 0.5, 3, 0.375};
    const char *fault;
    double scale;
    int entries = 0, found = -1;
    cert_round round = {.divisor = divisors[below(rng, 6)], .count = count, .y = y};
    for (int k = 0; k < count; k++) {
        if (!cert_proof_row(p, y[k].cut, y[k].key, false))
            return -1;
        entries += p->row.count;
    }
    round.term = base_malloc((size_t)entries + 1, sizeof *round.term);
    draw_terms(p, &round, rng);
    if (find_scale(p, &round, &scale)) {
        set_slacks(p, &round, scale, rng);
        if (take_derived(p, &round, rng)) {
            found = cert_proof_round(p, &round, &fault);
            if (fault) {
                cert_cut_clear(&p->cut[--p->cuts]);
                found = -1;
            }
        }
    }
    base_free(round.term);
    return found;
}

double rounding_value(const cert_proof *p, const double *x, int col)
{
    if (col < p->m->cols)
        return x[col];
    const cert_total *total = &p->total[col - p->m->cols];
    double sum = 0;
    for (int j = 0; j < total->count; j++)
        for (int t = total->tensor[j] + 1; t < p->m->n; t++)
            sum += (double)total->weight[j] * x[cert_cell(p->m, total->kind, t, total->tensor[j])];
    return sum;
}

bool rounding_holds(const cert_proof *p, int cut, const double *x)
{
    const cert_row *row = &p->cut[cut].row;
    long double sum = 0, size = fabs(row->rhs);
    for (int e = 0; e < row->count; e++) {
        const long double value = rounding_value(p, x, row->col[e]);
        sum += row->coef[e] * value;
        size += fabsl(row->coef[e] * value);
    }
    return sum - row->rhs <= 1e-14L * size;
}
