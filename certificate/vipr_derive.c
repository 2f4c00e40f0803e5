/* Single derivations of VIPR, in rational arithmetic: linear combinations of constraints, these
 * rounded, and disjunctions. */
#include "certificate/vipr_internal.h"

#include <string.h>

/* ---- lines -------------------------------------------------------------------------------- */

void vipr_term_clear(vipr *v)
{
    for (int k = 0; k < v->terms; k++)
        mpq_clear(v->term[k].y);
    v->terms = 0;
}

void vipr_term_add(vipr *v, long id, const mpq_t y)
{
    if (v->terms == v->term_capacity) {
        v->term_capacity = 2 * v->term_capacity + 64;
        v->term = base_realloc(v->term, (size_t)v->term_capacity, sizeof *v->term);
    }
    vipr_term *t = &v->term[v->terms++];
    t->id = id;
    mpq_init(t->y);
    mpq_set(t->y, y);
}

void vipr_write_reason(vipr *v, const char *kind, int sign)
{
    fprintf(v->out, " { %s %d", kind, v->terms);
    for (int k = 0; k < v->terms; k++) {
        if (sign < 0)
            mpq_neg(v->term[k].y, v->term[k].y);
        fprintf(v->out, "  %ld ", v->term[k].id);
        mpq_out_str(v->out, 10, v->term[k].y);
    }
    fputs(" } -1\n", v->out);
    base_work((size_t)v->terms * 50);
}

long vipr_begin_line(vipr *v, char sense, const mpq_t side)
{
    fprintf(v->out, "d%ld %c ", v->next, sense);
    mpq_out_str(v->out, 10, side);
    return v->next++;
}

long vipr_begin_claim(vipr *v, const vipr_claim *claim)
{
    if (claim->absurd) {
        mpq_set_si(v->a, 1, 1);
        const long id = vipr_begin_line(v, 'G', v->a);
        fputs(" 0", v->out);
        return id;
    }
    mpq_set(v->a, claim->bound);
    if (v->m->maximize)
        mpq_neg(v->a, v->a);
    const long id = vipr_begin_line(v, v->m->maximize ? 'L' : 'G', v->a);
    fputs(" OBJ", v->out);
    return id;
}

static long begin_bound_at(vipr *v, int col, bool upper, const mpq_t value)
{
    const long id = vipr_begin_line(v, upper ? 'L' : 'G', value);
    fprintf(v->out, " 1 %d 1", col);
    return id;
}

static vipr_bound begin_bound(vipr *v, int col, bool upper, double value)
{
    mpq_set_d(v->a, value);
    return (vipr_bound){value, begin_bound_at(v, col, upper, v->a)};
}

vipr_bound vipr_assume(vipr *v, int col, bool upper, double value)
{
    const vipr_bound b = begin_bound(v, col, upper, value);
    fputs(" { asm } -1\n", v->out);
    return b;
}

/* ---- multipliers --------------------------------------------------------------------------- */

/* v->sum += y times a value. */
static void add_to_sum(vipr *v, const mpq_t y, double value)
{
    mpq_set_d(v->b, value);
    mpq_mul(v->b, v->b, y);
    mpq_add(v->sum, v->sum, v->b);
}

/* The rows that y weighs, as terms; v->reduced becomes the rest of costs on the columns. */
static void add_rows(vipr *v, const double *y, bool costs)
{
    const lp_model *m = v->m;
    for (int j = 0; j < m->cols; j++)
        mpq_set_d(v->reduced[j], costs ? m->cost[j] : 0.0);
    mpq_set_si(v->sum, 0, 1);
    for (int r = 0; r < m->rows; r++) {
        if (y[r] == 0.0 || !isfinite(y[r]) || v->row_id[y[r] < 0.0][r] < 0)
            continue;
        mpq_set_d(v->a, y[r]);
        vipr_term_add(v, v->row_id[y[r] < 0.0][r], v->a);
        add_to_sum(v, v->a, y[r] > 0.0 ? m->row_lower[r] : m->row_upper[r]);
        for (int k = v->row_start[r]; k < v->row_start[r + 1]; k++) {
            mpq_set_d(v->b, v->row_value[k]);
            mpq_mul(v->b, v->b, v->a);
            mpq_sub(v->reduced[v->row_col[k]], v->reduced[v->row_col[k]], v->b);
        }
    }
}

/* The bounds that take what is left on the columns; false where one is missing. */
static bool add_bounds(vipr *v)
{
    for (int j = 0; j < v->m->cols; j++) {
        const int sign = mpq_sgn(v->reduced[j]);
        const vipr_bound *b = &v->bound[sign < 0][j];
        if (sign == 0)
            continue;
        if (b->id < 0)
            return false;
        vipr_term_add(v, b->id, v->reduced[j]);
        add_to_sum(v, v->reduced[j], b->value);
    }
    return true;
}

bool vipr_derive_bound(vipr *v, const double *y, vipr_claim *claim)
{
    vipr_term_clear(v);
    add_rows(v, y, true);
    if (!add_bounds(v))
        return false;
    claim->absurd = false;
    mpq_set(claim->bound, v->sum);
    claim->id = vipr_begin_claim(v, claim);
    vipr_write_reason(v, "lin", v->m->maximize ? -1 : 1);
    return true;
}

bool vipr_derive_absurd(vipr *v, const double *y, vipr_claim *claim)
{
    vipr_term_clear(v);
    add_rows(v, y, false);
    if (!add_bounds(v) || mpq_sgn(v->sum) <= 0)
        return false;
    claim->absurd = true;
    mpq_set_si(claim->bound, 0, 1);
    claim->id = vipr_begin_claim(v, claim);
    vipr_write_reason(v, "lin", 1);
    return true;
}

bool vipr_derive_empty_row(vipr *v, int row, vipr_claim *claim)
{
    double *y = base_calloc((size_t)v->m->rows + 1, sizeof *y);
    bool derived = false;
    for (int side = -1; side <= 1 && !derived; side += 2) {
        y[row] = side;
        derived = vipr_derive_absurd(v, y, claim);
    }
    base_free(y);
    return derived;
}

void vipr_derive_crossed(vipr *v, int col, vipr_claim *claim)
{
    vipr_term_clear(v);
    mpq_set_si(v->a, 1, 1);
    vipr_term_add(v, v->bound[0][col].id, v->a);
    mpq_set_si(v->a, -1, 1);
    vipr_term_add(v, v->bound[1][col].id, v->a);
    claim->absurd = true;
    mpq_set_si(claim->bound, 0, 1);
    claim->id = vipr_begin_claim(v, claim);
    vipr_write_reason(v, "lin", 1);
}

/* ---- bounds --------------------------------------------------------------------------------- */

/* The double that value is, or the next one beyond. */
static double outward(vipr *v, const mpq_t value, bool upper)
{
    const double near = mpq_get_d(value);
    mpq_set_d(v->b, near);
    const int order = mpq_cmp(v->b, value);
    return upper       ? order < 0 ? nextafter(near, LP_INFINITY) : near
           : order > 0 ? nextafter(near, -LP_INFINITY)
                       : near;
}

/* value := the integer next to it within. */
static void round_within(mpq_t value, bool upper)
{
    mpz_t whole;
    mpz_init(whole);
    if (upper)
        mpz_fdiv_q(whole, mpq_numref(value), mpq_denref(value));
    else
        mpz_cdiv_q(whole, mpq_numref(value), mpq_denref(value));
    mpq_set_z(value, whole);
    mpz_clear(whole);
}

/* The terms that leave a row nothing but the column, and v->sum is its bound. */
static bool solve_row(vipr *v, int row, int col, bool upper)
{
    double own = 0.0;
    for (int k = v->row_start[row]; k < v->row_start[row + 1]; k++)
        if (v->row_col[k] == col)
            own = v->row_value[k];
    const bool side = (own > 0.0) == upper;
    const double limit = side ? v->m->row_upper[row] : v->m->row_lower[row];
    vipr_term_clear(v);
    if (own == 0.0 || !isfinite(limit))
        return false;
    mpq_set_d(v->a, own);
    mpq_inv(v->a, v->a);
    vipr_term_add(v, v->row_id[side][row], v->a);
    mpq_set_si(v->sum, 0, 1);
    add_to_sum(v, v->a, limit);
    for (int k = v->row_start[row]; k < v->row_start[row + 1]; k++) {
        if (v->row_col[k] == col)
            continue;
        mpq_set_d(v->b, own);
        mpq_set_d(v->a, -v->row_value[k]);
        mpq_div(v->a, v->a, v->b);
        const vipr_bound *b = &v->bound[(mpq_sgn(v->a) > 0) == upper][v->row_col[k]];
        if (b->id < 0)
            return false;
        vipr_term_add(v, b->id, v->a);
        add_to_sum(v, v->a, b->value);
    }
    return true;
}

/* The terms become the inequality that they state: equations are not rounded. */
static void relax_equation(vipr *v, int col, bool upper)
{
    const long id = begin_bound_at(v, col, upper, v->sum);
    vipr_write_reason(v, "lin", 1);
    vipr_term_clear(v);
    mpq_set_si(v->a, 1, 1);
    vipr_term_add(v, id, v->a);
}

static bool is_better(bool upper, double value, double than)
{
    return upper ? value < than : value > than;
}

vipr_bound vipr_derive_implied(vipr *v, int row, int col, bool upper, double than)
{
    const vipr_bound none = {upper ? LP_INFINITY : -LP_INFINITY, -1};
    if (!solve_row(v, row, col, upper))
        return none;
    const bool integer = v->m->integer[col];
    mpq_t exact;
    mpq_init(exact);
    mpq_set(exact, v->sum);
    if (integer)
        round_within(exact, upper);
    const double value = outward(v, exact, upper);
    mpq_clear(exact);
    if (!isfinite(value) || !is_better(upper, value, than))
        return none;
    if (integer && v->terms == 1 && v->m->row_lower[row] == v->m->row_upper[row])
        relax_equation(v, col, upper);
    const vipr_bound b = begin_bound(v, col, upper, value);
    vipr_write_reason(v, integer ? "rnd" : "lin", 1);
    return b;
}

vipr_bound vipr_derive_rounded(vipr *v, int col, bool upper, vipr_bound bound)
{
    vipr_term_clear(v);
    mpq_set_si(v->a, 1, 1);
    vipr_term_add(v, bound.id, v->a);
    const vipr_bound b = begin_bound(v, col, upper, upper ? floor(bound.value) : ceil(bound.value));
    vipr_write_reason(v, "rnd", 1);
    return b;
}

/* ---- disjunctions ---------------------------------------------------------------------------- */

vipr_claim vipr_derive_either(vipr *v, const vipr_claim *one, long assumed, const vipr_claim *other,
                              long contrary)
{
    vipr_claim both = {.id = -1, .absurd = one->absurd && other->absurd};
    mpq_init(both.bound);
    const bool first = !one->absurd && (other->absurd || mpq_cmp(one->bound, other->bound) < 0);
    mpq_set(both.bound, first ? one->bound : other->bound);
    both.id = vipr_begin_claim(v, &both);
    fprintf(v->out, " { uns %ld %ld  %ld %ld } -1\n", one->id, assumed, other->id, contrary);
    return both;
}

/* ---- multiples ------------------------------------------------------------------------------- */

/* The largest number of which all costs are multiples; false where a column that is no integer
 * costs something, or nothing does. */
static bool common_divisor(const lp_model *m, mpq_t divisor)
{
    mpq_t cost;
    mpz_t scale;
    mpq_init(cost);
    mpz_init(scale);
    mpq_set_si(divisor, 0, 1);
    bool whole = true;
    for (int j = 0; j < m->cols && whole; j++) {
        if (m->cost[j] == 0.0)
            continue;
        whole = m->integer[j];
        /* gcd(p/q, r/s) = gcd(ps, rq) / qs */
        mpq_set_d(cost, m->cost[j]);
        mpz_mul(mpq_numref(divisor), mpq_numref(divisor), mpq_denref(cost));
        mpz_mul(scale, mpq_numref(cost), mpq_denref(divisor));
        mpz_gcd(mpq_numref(divisor), mpq_numref(divisor), scale);
        mpz_mul(mpq_denref(divisor), mpq_denref(divisor), mpq_denref(cost));
        mpq_canonicalize(divisor);
    }
    mpq_clear(cost);
    mpz_clear(scale);
    return whole && mpq_sgn(divisor) > 0;
}

/* The line of the multiple, whose coefficients are the costs over the divisor, with the sense of
 * the objective. */
static long write_multiple(vipr *v, const mpq_t divisor, const mpq_t multiple)
{
    const lp_model *m = v->m;
    int count = 0;
    mpq_set(v->a, multiple);
    if (m->maximize)
        mpq_neg(v->a, v->a);
    const long id = vipr_begin_line(v, m->maximize ? 'L' : 'G', v->a);
    for (int j = 0; j < m->cols; j++)
        count += m->cost[j] != 0.0;
    fprintf(v->out, " %d", count);
    for (int j = 0; j < m->cols; j++) {
        if (m->cost[j] == 0.0)
            continue;
        mpq_set_d(v->a, m->maximize ? -m->cost[j] : m->cost[j]);
        mpq_div(v->a, v->a, divisor);
        fprintf(v->out, "  %d ", j);
        mpq_out_str(v->out, 10, v->a);
    }
    return id;
}

void vipr_derive_multiple(vipr *v, vipr_claim *claim)
{
    mpq_t divisor, multiple;
    mpq_init(divisor);
    mpq_init(multiple);
    if (!claim->absurd && common_divisor(v->m, divisor)) {
        mpq_div(multiple, claim->bound, divisor);
        mpq_inv(v->b, divisor);
        vipr_term_clear(v);
        vipr_term_add(v, claim->id, v->b);
        round_within(multiple, false);
        const long id = write_multiple(v, divisor, multiple);
        vipr_write_reason(v, "rnd", 1);
        vipr_term_clear(v);
        vipr_term_add(v, id, divisor);
        mpq_mul(claim->bound, multiple, divisor);
        claim->id = vipr_begin_claim(v, claim);
        vipr_write_reason(v, "lin", 1);
    }
    mpq_clear(divisor);
    mpq_clear(multiple);
}
