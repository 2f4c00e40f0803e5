/* Multipliers whose reduced costs have the right sign, all at once: by the factors of a basis that
 * is guessed from the multipliers. */
#include <string.h>

#include "lp/factor/factor.h"
#include "lp/safe/safe_repair.h"

#define THRESHOLD 0.1  /* relative pivot tolerance */
#define NEAR_ZERO 1e-9 /* of the terms: a smaller reduced cost is a basic column's */
#define FARTHEST 1e-6  /* of the terms: a reduced cost that is wrong by more stays as it is */

typedef struct shift {
    const lp_model *m;
    const double *lower, *upper, *cost;
    double *y;
    double margin;
    double *lack; /* extent cols: by how much a reduced cost is to grow */
    int *head;    /* extent rows: columns, and cols + r for logicals */
    int count;    /* in head */
    bool *in;     /* extent cols + rows: is in head */
} shift;

lp_factor *lp_dual_factors(const lp_model *m, int *head, int count)
{
    int *start = base_malloc((size_t)m->cols + 2, sizeof *start);
    memcpy(start, m->start, ((size_t)m->cols + 1) * sizeof *start);
    start[m->cols + 1] = start[m->cols]; /* one more column, without entries */
    const lp_columns a = {m->rows, m->cols + 1, start, m->index, m->value};
    for (int p = 0; p < m->rows; p++)
        head[p] = p >= count ? m->cols : head[p] < m->cols ? head[p] : head[p] + 1;
    lp_factor *f = lp_factor_create(m->rows);
    lp_factor_build(f, &a, head, THRESHOLD);
    for (int p = 0; p < m->rows; p++)
        if (head[p] > m->cols)
            head[p]--;
    base_free(start);
    return f;
}

static bool is_open(const shift *s, int j)
{
    return isinf(s->lower[j]) || isinf(s->upper[j]);
}

static long double reduced_cost(const shift *s, int j, long double *magnitude)
{
    const lp_model *m = s->m;
    long double d = s->cost ? s->cost[j] : 0.0;
    *magnitude = fabsl(d);
    for (int k = m->start[j]; k < m->start[j + 1]; k++) {
        const long double term = (long double)m->value[k] * s->y[m->index[k]];
        d -= term;
        *magnitude += fabsl(term);
    }
    return d;
}

static void take(shift *s, int variable)
{
    if (s->count < s->m->rows && !s->in[variable]) {
        s->in[variable] = true;
        s->head[s->count++] = variable;
    }
}

/* Lists the open columns whose reduced costs are to move: to zero, or past it by the margin. */
static bool take_open(shift *s)
{
    bool any = false;
    for (int j = 0; j < s->m->cols; j++) {
        long double size;
        if (!is_open(s, j))
            continue;
        const long double d = reduced_cost(s, j, &size), margin = s->margin * size;
        const bool no_lower = isinf(s->lower[j]), no_upper = isinf(s->upper[j]);
        const long double sign = no_upper ? 1.0L : -1.0L;
        if ((!(no_lower && no_upper) && sign * d > 2.0L * margin) || fabsl(d) > FARTHEST * size)
            continue;
        s->lack[j] = (double)(no_lower && no_upper ? -d : sign * 4.0L * margin - d);
        any = any || s->lack[j] != 0.0;
        take(s, j);
    }
    return any;
}

/* Takes what is basic too, by its multiplier or reduced cost. */
static void take_rest(shift *s)
{
    const lp_model *m = s->m;
    for (int r = 0; r < m->rows; r++)
        if (s->y[r] == 0.0 && m->row_lower[r] != m->row_upper[r])
            take(s, m->cols + r);
    for (int j = 0; j < m->cols; j++) {
        long double size;
        if (m->start[j] < m->start[j + 1] && fabsl(reduced_cost(s, j, &size)) <= NEAR_ZERO * size)
            take(s, j);
    }
}

static void take_factors(shift *s)
{
    const lp_model *m = s->m;
    lp_factor *f = lp_dual_factors(m, s->head, s->count);
    lp_vector n;
    double largest = 0.0;
    lp_vector_init(&n, m->rows);
    for (int p = 0; p < m->rows; p++)
        if (s->head[p] < m->cols)
            largest = fmax(largest, fabs(s->lack[s->head[p]]));
    for (int p = 0; p < m->rows; p++)
        if (s->head[p] < m->cols && s->lack[s->head[p]] != 0.0)
            lp_vector_add(&n, p, -s->lack[s->head[p]] / largest);
    lp_factor_btran(f, &n, NULL, false);
    for (int r = 0; r < m->rows; r++) {
        const double moved = s->y[r] + largest * n.value[r];
        if (n.value[r] != 0.0 && isfinite(moved) && lp_dual_is_allowed(m, r, moved))
            s->y[r] = moved;
    }
    lp_vector_free(&n);
    lp_factor_free(f);
}

bool lp_dual_shift_all(const lp_model *m, const double *lower, const double *upper,
                       const double *cost, double *y, double margin)
{
    shift s = {.m = m, .lower = lower, .upper = upper, .cost = cost, .y = y, .margin = margin};
    s.lack = base_calloc((size_t)m->cols + 1, sizeof *s.lack);
    s.head = base_malloc((size_t)m->rows + 1, sizeof *s.head);
    s.in = base_calloc((size_t)(m->cols + m->rows) + 1, sizeof *s.in);
    const bool any = take_open(&s);
    if (any) {
        take_rest(&s);
        take_factors(&s);
    }
    base_free(s.lack);
    base_free(s.head);
    base_free(s.in);
    return any;
}
