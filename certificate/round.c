/* Cuts by mixed-integer rounding. */
#include <math.h>

#include "certificate/proof_internal.h"

static const number one = {1, 0};

/* A sum of rows that is being rounded. */
typedef struct rounding {
    cert_proof *p;
    const cert_round *round;
    mpz_t divisor, rest; /* rest: of the right side; in units of 2^-grid, as scale */
    mpz_ptr scale, bound;
} rounding;

/* ---- the sum ------------------------------------------------------------------------------- */

/* True if a total is counted from a value known as a bound of it. */
static bool is_counted(const cert_proof *p, const cert_round_term *term)
{
    if (term->col < p->m->cols || term->side == CERT_SIDE_NONE)
        return true;
    const cert_span now = p->total[term->col - p->m->cols].now;
    return term->side == CERT_SIDE_LOWER ? term->from <= now.low : term->from >= now.high;
}

/* Touches the columns of the terms, the first ones of the sum; each stands for all columns of its
 * term. */
static const char *take_terms(rounding *r)
{
    cert_proof *p = r->p;
    for (int k = 0; k < r->round->terms; k++) {
        const cert_round_term *term = &r->round->term[k];
        if (!is_counted(p, term))
            return "a total is not counted from a bound that it has";
        for (int s = 0; s < term->stages; s++) {
            const int col = term->col + s * p->m->n;
            if (p->place[col] >= 0)
                return "a column is in two terms";
            if (cert_same(p, col) != cert_same(p, term->col))
                return "the cells of a term are not known to be equal";
            if (s == 0)
                cert_touch(p, col, false);
            p->place[col] = k;
        }
    }
    return NULL;
}

void cert_round_forget(cert_proof *p, const cert_round *round)
{
    cert_forget(p);
    for (int k = 0; k < round->terms; k++)
        for (int s = 0; s < round->term[k].stages; s++)
            p->place[round->term[k].col + s * p->m->n] = -1;
}

static cert_side side_of(const rounding *r, int place)
{
    return place < r->round->terms ? r->round->term[place].side : CERT_SIDE_NONE;
}

/* Sums the rows up to p->d and bound, without slacks. */
static const char *sum_up(rounding *r)
{
    cert_proof *p = r->p;
    mpz_set_ui(r->bound, 0);
    for (int k = 0; k < r->round->count; k++) {
        const cert_multiplier *y = &r->round->y[k];
        if (!cert_proof_row(p, y->cut, y->key, false))
            return "there is no such row";
        base_work((size_t)p->row.count * PRODUCT_WORK);
        for (int e = 0; e < p->row.count; e++) {
            const int col = p->row.col[e];
            cert_touch(p, col, false);
            number_add_product(p->d[p->place[col]], p->grid, 1, y->y, number_of(p->row.coef[e]),
                               p->scratch);
        }
        number_add_product(r->bound, p->grid, 1, y->y, number_of(p->row.rhs), p->scratch);
    }
    return NULL;
}

/* ---- rounding ------------------------------------------------------------------------------- */

/* p->number = value from which a column that stays in the sum is counted. */
static void set_origin(const rounding *r, int k)
{
    cert_proof *p = r->p;
    const bool upper = side_of(r, k) == CERT_SIDE_UPPER;
    const bool load = p->touched[k] >= cert_load(p->m, 0);
    if (p->touched[k] >= p->m->cols)
        mpz_set_si(p->number, r->round->term[k].from);
    else
        mpz_set_si(p->number, !upper ? 0 : load ? p->m->budget : 1);
}

/* p->number = best value of a column for the sum, where 0 is the least of cells, releases and
 * loads. */
static void set_best(const rounding *r, int k)
{
    cert_proof *p = r->p;
    int64_t low, high;
    cert_range(p, cert_same(p, p->touched[k]), &low, &high);
    const bool upper = mpz_sgn(p->d[k]) < 0;
    mpz_set_si(p->number, upper ? high : p->touched[k] >= p->m->cols ? low : 0);
}

/* Replaces each x by its x'. */
static void substitute(rounding *r)
{
    cert_proof *p = r->p;
    for (int k = 0; k < p->touched_count; k++) {
        const cert_side side = side_of(r, k);
        const bool leaves = side == CERT_SIDE_NONE;
        if (leaves)
            set_best(r, k);
        else
            set_origin(r, k);
        mpz_submul(r->bound, p->number, p->d[k]);
        if (leaves)
            mpz_set_ui(p->d[k], 0);
        else if (side == CERT_SIDE_UPPER)
            mpz_neg(p->d[k], p->d[k]);
    }
}

/* Rounds the coefficient a of an x' >= 0 to scale times the cut's coefficient. */
static void round_coefficient(rounding *r, mpz_t a, bool whole)
{
    if (!whole) {
        if (mpz_sgn(a) > 0)
            mpz_set_ui(a, 0);
        return;
    }
    mpz_fdiv_qr(r->p->number, a, a, r->divisor);
    mpz_sub(a, a, r->rest);
    if (mpz_sgn(a) < 0)
        mpz_set_ui(a, 0);
    mpz_addmul(a, r->p->number, r->scale);
}

/* Rounds the right side, which gives rest and scale, then the columns, and returns from x' to x. */
static void round_sum(rounding *r)
{
    cert_proof *p = r->p;
    mpz_fdiv_qr(r->bound, r->rest, r->bound, r->divisor);
    mpz_sub(r->scale, r->divisor, r->rest);
    mpz_mul(r->bound, r->bound, r->scale);
    for (int k = 0; k < p->touched_count; k++) {
        round_coefficient(r, p->d[k], cert_is_integer(p, p->touched[k]));
        if (side_of(r, k) == CERT_SIDE_UPPER)
            mpz_neg(p->d[k], p->d[k]);
        if (side_of(r, k) != CERT_SIDE_NONE) {
            set_origin(r, k);
            mpz_addmul(r->bound, p->number, p->d[k]);
        }
        mpz_mul_2exp(p->d[k], p->d[k], (mp_bitcnt_t)p->grid);
    }
    mpz_mul_2exp(r->bound, r->bound, (mp_bitcnt_t)p->grid);
}

/* ---- slacks --------------------------------------------------------------------------------- */

/* sum -= scale a b; sum in units of 2^-2grid. */
static void subtract_product(cert_proof *p, mpz_t sum, const mpz_t scale, number a, number b)
{
    mpz_set_ui(p->number, 0);
    number_add_product(p->number, p->grid, 1, a, b, p->scratch);
    mpz_submul(sum, p->number, scale);
}

/* True if the slack of p->row is an integer: integers on integer columns. */
static bool is_whole(const cert_proof *p)
{
    bool whole = p->row.rhs == floor(p->row.rhs);
    for (int e = 0; e < p->row.count && whole; e++) {
        const int col = cert_same(p, p->row.col[e]);
        int64_t low, high;
        cert_range(p, col, &low, &high);
        whole = high == 0 || (cert_is_integer(p, col) && p->row.coef[e] == floor(p->row.coef[e]));
    }
    return whole;
}

/* True if rounding gives the slack of p->row at least the stated coefficient. */
static bool is_granted(rounding *r, const cert_multiplier *y)
{
    cert_proof *p = r->p;
    bool granted = false;
    mpz_t most;
    mpz_init(most);
    for (int whole = 0; whole < 2 && !granted; whole++) {
        mpz_set_ui(most, 0);
        number_add_product(most, p->grid, 1, y->y, one, p->scratch);
        round_coefficient(r, most, whole);
        mpz_mul_2exp(most, most, (mp_bitcnt_t)p->grid);
        subtract_product(p, most, r->scale, y->slack, one);
        granted = mpz_sgn(most) >= 0 && (!whole || is_whole(p));
    }
    mpz_clear(most);
    return granted;
}

/* Puts the slacks, right side less row, into the cut with their stated coefficients. */
static const char *expand_slacks(rounding *r)
{
    cert_proof *p = r->p;
    for (int k = 0; k < r->round->count; k++) {
        const cert_multiplier *y = &r->round->y[k];
        cert_proof_row(p, y->cut, y->key, false);
        base_work((size_t)p->row.count * PRODUCT_WORK);
        if (p->row.equality ? y->slack.mantissa != 0 : !is_granted(r, y))
            return "rounding does not give a row's slack that coefficient";
        subtract_product(p, r->bound, r->scale, y->slack, number_of(p->row.rhs));
        for (int e = 0; e < p->row.count; e++)
            subtract_product(p, p->d[p->place[p->row.col[e]]], r->scale, y->slack,
                             number_of(p->row.coef[e]));
    }
    return NULL;
}

/* ---- cuts ------------------------------------------------------------------------------------ */

/* Refines the grid so that multipliers times coefficients of earlier cuts are exact. */
static void refine_grid(cert_proof *p)
{
    const long more = 2L * CERT_MULTIPLIER_GRID - p->grid;
    if (more <= 0)
        return;
    mpz_mul_2exp(p->target, p->target, (mp_bitcnt_t)more);
    p->grid += more;
}

const char *cert_round_derive(cert_proof *p, const cert_round *round, mpz_t scale, mpz_t bound)
{
    rounding r = {.p = p, .round = round, .scale = scale, .bound = bound};
    refine_grid(p);
    mpz_inits(r.divisor, r.rest, NULL);
    number_add_product(r.divisor, p->grid, 1, number_of(round->divisor), one, p->scratch);
    const char *fault = take_terms(&r);
    if (!fault)
        fault = sum_up(&r);
    if (!fault) {
        substitute(&r);
        round_sum(&r);
        fault = expand_slacks(&r);
    }
    mpz_clears(r.divisor, r.rest, NULL);
    return fault;
}

/* True if the stated cut is no stronger than the derived one within the ranges of the columns:
 * scale rhs - bound + least (d - scale coef) x is not negative. */
static bool is_implied(cert_proof *p, const cert_round *round, const mpz_t scale, mpz_t bound)
{
    subtract_product(p, bound, scale, number_of(round->rhs), one);
    for (int k = 0; k < round->terms; k++)
        subtract_product(p, p->d[k], scale, number_of(round->term[k].coef), one);
    for (int k = 0; k < p->touched_count; k++) {
        int64_t low, high;
        cert_range(p, cert_same(p, p->touched[k]), &low, &high);
        mpz_set_si(p->number, mpz_sgn(p->d[k]) < 0 ? high : low);
        mpz_submul(bound, p->number, p->d[k]);
    }
    return mpz_sgn(bound) <= 0;
}

int cert_proof_round(cert_proof *p, const cert_round *round, const char **fault)
{
    mpz_t scale, bound;
    cert_cut cut = {.rounded = true};
    const bool idle = p->open == 0; /* no node is open, so any cut holds */
    mpz_inits(scale, bound, NULL);
    cert_load_node(p, 0);
    *fault = idle ? NULL : cert_round_derive(p, round, scale, bound);
    if (!idle && !*fault && !is_implied(p, round, scale, bound))
        *fault = "the cut does not follow from its rows by rounding";
    cert_round_forget(p, round);
    mpz_clears(scale, bound, NULL);
    cut.row.rhs = round->rhs;
    for (int k = 0; k < round->terms; k++)
        cert_row_add(&cut.row, round->term[k].col, round->term[k].coef);
    return cert_add_cut(p, &cut);
}
