/* The restricted model: working columns, those that the rows force to be equal merged into
 * one, and the rows that can be violated. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "lp/sift_internal.h"

#define CANCELLED 1e-12 /* relative: what is left of a sum that cancels */

/* ---- the model ---------------------------------------------------------------- */

/* The restricted columns, over all rows of the whole model. */
typedef struct merged {
    int groups, *start, *row;
    double *value, *cost, *lower, *upper;
} merged;

static merged merge_columns(const lp_sift *s, const int *group, int groups)
{
    const lp_model *m = s->m;
    merged g = {.groups = groups};
    size_t size = (size_t)groups + 1, entries = 1;
    int *member_start = base_calloc(size + 1, sizeof(int));
    for (int j = 0; j < m->cols; j++)
        if (group[j] >= 0) {
            member_start[group[j] + 1]++;
            entries += (size_t)(m->start[j + 1] - m->start[j]);
        }
    for (int k = 0; k < groups; k++)
        member_start[k + 1] += member_start[k];
    int *member = base_malloc((size_t)member_start[groups] + 1, sizeof *member);
    int *place = base_malloc(size, sizeof *place);
    memcpy(place, member_start, (size_t)groups * sizeof *place);
    for (int j = 0; j < m->cols; j++)
        if (group[j] >= 0)
            member[place[group[j]]++] = j;
    base_free(place);
    g.start = base_calloc(size, sizeof *g.start);
    g.cost = base_calloc(size, sizeof *g.cost);
    g.lower = base_malloc(size, sizeof *g.lower);
    g.upper = base_malloc(size, sizeof *g.upper);
    g.row = base_malloc(entries, sizeof *g.row);
    g.value = base_malloc(entries, sizeof *g.value);
    double *sum = base_calloc((size_t)m->rows + 1, sizeof *sum);
    double *size_of = base_calloc((size_t)m->rows + 1, sizeof *size_of); /* sum of magnitudes */
    int used = 0;
    for (int k = 0; k < groups; k++) {
        int first = used;
        g.lower[k] = -LP_INFINITY;
        g.upper[k] = LP_INFINITY;
        for (int i = member_start[k]; i < member_start[k + 1]; i++) {
            int j = member[i];
            g.cost[k] += m->cost[j];
            g.lower[k] = fmax(g.lower[k], m->lower[j]);
            g.upper[k] = fmin(g.upper[k], m->upper[j]);
            for (int e = m->start[j]; e < m->start[j + 1]; e++) {
                int r = m->index[e];
                if (size_of[r] == 0.0)
                    g.row[used++] = r;
                sum[r] += m->value[e];
                size_of[r] += fabs(m->value[e]);
            }
        }
        int kept = first;
        for (int e = first; e < used; e++) {
            int r = g.row[e];
            if (fabs(sum[r]) > CANCELLED * size_of[r]) {
                g.row[kept] = r;
                g.value[kept++] = sum[r];
            }
            sum[r] = size_of[r] = 0.0;
        }
        g.start[k + 1] = used = kept;
    }
    base_free(sum);
    base_free(size_of);
    base_free(member_start);
    base_free(member);
    return g;
}

static void merged_free(merged *g)
{
    base_free(g->start);
    base_free(g->row);
    base_free(g->value);
    base_free(g->cost);
    base_free(g->lower);
    base_free(g->upper);
}

/* Rows that the restricted columns can violate within their bounds, or that the resting ones do. */
static bool *needed_rows(const lp_sift *s, const merged *g)
{
    const lp_model *m = s->m;
    size_t size = (size_t)m->rows + 1;
    double *low = base_calloc(size, sizeof *low), *high = base_calloc(size, sizeof *high);
    for (int k = 0; k < g->groups; k++)
        for (int e = g->start[k]; e < g->start[k + 1]; e++) {
            double a = g->value[e] * g->lower[k], b = g->value[e] * g->upper[k];
            low[g->row[e]] += fmin(a, b);
            high[g->row[e]] += fmax(a, b);
        }
    bool *needed = base_calloc(size, sizeof *needed);
    for (int r = 0; r < m->rows; r++)
        needed[r] =
            !(low[r] + s->shift[r] >= m->row_lower[r] && high[r] + s->shift[r] <= m->row_upper[r]);
    base_free(low);
    base_free(high);
    return needed;
}

/* ---- rows that say the same ---------------------------------------------------------- */

/* The restricted matrix by rows. */
static lp_sift_part merged_rows(const merged *g, int rows, const bool *needed)
{
    lp_sift_part w;
    w.start = base_calloc((size_t)rows + 2, sizeof *w.start);
    for (int e = 0; e < g->start[g->groups]; e++)
        if (needed[g->row[e]])
            w.start[g->row[e] + 2]++;
    for (int r = 2; r <= rows + 1; r++)
        w.start[r] += w.start[r - 1];
    size_t entries = (size_t)w.start[rows + 1] + 1;
    w.col = base_malloc(entries, sizeof *w.col);
    w.value = base_malloc(entries, sizeof *w.value);
    for (int k = 0; k < g->groups; k++)
        for (int e = g->start[k]; e < g->start[k + 1]; e++) {
            if (!needed[g->row[e]])
                continue;
            int place = w.start[g->row[e] + 1]++;
            w.col[place] = k;
            w.value[place] = g->value[e];
        }
    return w;
}

static uint64_t hash_row(const lp_sift_part *w, int r)
{
    uint64_t h = 1469598103934665603u;
    for (int e = w->start[r]; e < w->start[r + 1]; e++)
        h = (h ^ (uint64_t)(unsigned)w->col[e]) * 1099511628211u;
    return h ^ (h >> 29);
}

/* Row b is factor times row a. */
static bool is_multiple(const lp_sift_part *w, int a, int b, double *factor)
{
    int length = w->start[a + 1] - w->start[a], p = w->start[a], q = w->start[b];
    if (w->start[b + 1] - q != length)
        return false;
    *factor = w->value[q] / w->value[p];
    for (int e = 0; e < length; e++)
        if (w->col[p + e] != w->col[q + e] || w->value[q + e] != *factor * w->value[p + e])
            return false;
    return true;
}

/* Whether row a says all that row b, factor times as long, says. */
static bool says_all(const lp_sift *s, int a, int b, double factor)
{
    const lp_model *m = s->m;
    double low = factor * (m->row_lower[a] - s->shift[a]);
    double high = factor * (m->row_upper[a] - s->shift[a]);
    return fmin(low, high) >= m->row_lower[b] - s->shift[b] &&
           fmax(low, high) <= m->row_upper[b] - s->shift[b];
}

int lp_sift_negative(int row)
{
    return -2 - row;
}

/* Of rows that are multiples of one another those that another one makes superfluous are
 * not needed; keeper (extent rows) gets that one. Earlier rows are kept where both say the same.
 * O(entries) expected. */
static void drop_parallel(const lp_sift *s, const merged *g, bool *needed, int *keeper)
{
    int rows = s->m->rows;
    lp_sift_part w = merged_rows(g, rows, needed);
    size_t size = 64;
    while (size < 2 * (size_t)rows)
        size *= 2;
    int *slot = base_malloc(size, sizeof *slot);
    memset(slot, 0xff, size * sizeof *slot);
    for (int r = 0; r < rows; r++) {
        if (!needed[r] || w.start[r] == w.start[r + 1])
            continue;
        size_t h = (size_t)hash_row(&w, r) & (size - 1);
        double factor = 1.0;
        while (slot[h] >= 0 && !is_multiple(&w, slot[h], r, &factor))
            h = (h + 1) & (size - 1);
        int other = slot[h];
        if (other >= 0 && says_all(s, other, r, factor)) {
            needed[r] = false;
            keeper[r] = factor > 0.0 ? other : lp_sift_negative(other);
        } else {
            if (other >= 0 && says_all(s, r, other, 1.0 / factor)) {
                needed[other] = false;
                keeper[other] = factor > 0.0 ? r : lp_sift_negative(r);
            }
            slot[h] = r;
        }
    }
    base_free(slot);
    lp_sift_part_free(&w);
}

/* ---- the restricted model ---------------------------------------------------------------- */

static void make_model(const lp_sift *s, const merged *g, lp_sift_restriction *out)
{
    const lp_model *m = s->m;
    bool *needed = needed_rows(s, g);
    out->keeper = base_malloc((size_t)m->rows + 1, sizeof *out->keeper);
    memset(out->keeper, 0xff, (size_t)m->rows * sizeof *out->keeper);
    drop_parallel(s, g, needed, out->keeper);
    out->model = lp_model_create();
    out->row = base_malloc((size_t)m->rows + 1, sizeof *out->row);
    for (int r = 0; r < m->rows; r++) {
        out->row_of[r] = -1;
        if (!needed[r])
            continue;
        out->row_of[r] = lp_model_add_row(out->model, m->row_lower[r] - s->shift[r],
                                          m->row_upper[r] - s->shift[r], NULL);
        out->row[out->row_of[r]] = r;
    }
    int *rows = base_malloc((size_t)m->rows + 1, sizeof *rows);
    double *values = base_malloc((size_t)m->rows + 1, sizeof *values);
    for (int k = 0; k < g->groups; k++) {
        int count = 0;
        for (int e = g->start[k]; e < g->start[k + 1]; e++)
            if (needed[g->row[e]]) {
                rows[count] = out->row_of[g->row[e]];
                values[count++] = g->value[e];
            }
        lp_model_add_col(out->model, g->cost[k], g->lower[k], g->upper[k], false, count, rows,
                         values, NULL);
    }
    base_free(rows);
    base_free(values);
    base_free(needed);
}

/* ---- shared ---------------------------------------------------------------------- */

void lp_sift_restriction_clear(lp_sift_restriction *r)
{
    lp_model_free(r->model);
    base_free(r->group);
    base_free(r->row_of);
    base_free(r->row);
    base_free(r->keeper);
    base_free(r->link);
    *r = (lp_sift_restriction){0};
}

/* Activity of the columns that are not working. */
static void compute_shift(lp_sift *s)
{
    const lp_model *m = s->m;
    if (s->rests_at_zero)
        return;
    memset(s->shift, 0, (size_t)m->rows * sizeof *s->shift);
    for (int j = 0; j < m->cols; j++)
        for (int e = m->start[j]; !s->working[j] && s->rest[j] != 0.0 && e < m->start[j + 1]; e++)
            s->shift[m->index[e]] += m->value[e] * s->rest[j];
}

void lp_sift_restrict(lp_sift *s)
{
    lp_sift_restriction old = s->now;
    const bool warm = old.model && (!s->had_optimum || s->settled);
    s->group_before = warm && s->had_optimum ? old.group : NULL;
    s->now = (lp_sift_restriction){0};
    s->now.group = base_malloc((size_t)s->m->cols + 1, sizeof *s->now.group);
    s->now.row_of = base_malloc((size_t)s->m->rows + 1, sizeof *s->now.row_of);
    compute_shift(s);
    lp_sift_part w = lp_sift_working_part(s);
    int groups = lp_sift_find_groups(s, &w, &s->now);
    lp_sift_part_free(&w);
    merged g = merge_columns(s, s->now.group, groups);
    make_model(s, &g, &s->now);
    merged_free(&g);
    lp_solver_free(s->lp);
    s->params.lp.method = warm ? LP_METHOD_PRIMAL : LP_METHOD_DUAL;
    s->lp = lp_solver_create(s->now.model, &s->params.lp);
    if (warm)
        lp_sift_warm_start(s, &old);
    s->group_before = NULL;
    lp_sift_restriction_clear(&old);
}
