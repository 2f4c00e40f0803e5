/* {0,1/2} Chvatal-Gomory cuts (Caprara and Fischetti 1996): tight rows with integral
 * coefficients are combined modulo 2 so that the sum has an odd right side and few odd
 * coefficients on columns away from their bounds; half of that sum, rounded down, is
 * violated when what is odd costs less than one half. The combinations are found by
 * Gaussian elimination on the columns that are most fractional (Koster, Zymolka and Kutschka
 * 2009); the cut itself is mixed-integer rounding of the base row with divisor 2. */
#include <stdlib.h>
#include <string.h>

#include "bnb/cut.h"

enum { MAX_MEMBERS = 16 };

/* A row modulo 2 with the LP rows that it sums up. */
typedef struct parity_row {
    int odd_count;
    int *odd; /* columns with an odd coefficient, away from their bounds; ascending */
    bool odd_side;
    double slack; /* total of the members */
    int members;
    int member[MAX_MEMBERS];
} parity_row;

static bool is_whole(double v)
{
    return v == nearbyint(v) && fabs(v) < 1e9;
}

static bool is_odd(double v)
{
    return fmod(fabs(v), 2.0) == 1.0;
}

/* The row with its columns counted from their nearer bounds; false when unsuitable. */
static bool make_row(const bnb_separation *s, int r, parity_row *p)
{
    const bnb_row_view *v = &s->row[r];
    const double over = s->activity[r] - v->lower, under = v->upper - s->activity[r];
    const double side = under <= over ? v->upper : v->lower;
    *p = (parity_row){.slack = fmax(0.0, fmin(over, under)), .members = 1};
    if (!v->integral || !is_whole(side) || p->slack > 0.2 || v->count > 1000)
        return false;
    p->member[0] = r;
    p->odd_side = is_odd(side);
    p->odd = base_malloc((size_t)v->count + 1, sizeof *p->odd);
    for (int k = 0; k < v->count; k++) {
        const int j = v->col[k];
        const double l = s->lower[j], u = s->upper[j];
        if (!is_odd(v->value[k]))
            continue;
        if (isinf(l) && isinf(u)) {
            base_free(p->odd);
            return false;
        }
        const bool from_upper = isinf(l) || u - s->x[j] < s->x[j] - l;
        p->odd_side ^= is_odd(from_upper ? u : l);
        if ((from_upper ? u - s->x[j] : s->x[j] - l) > 1e-6)
            p->odd[p->odd_count++] = j;
    }
    return true;
}

static int compare_ints(const void *a, const void *b)
{
    const int p = *(const int *)a, q = *(const int *)b;
    return (p > q) - (p < q);
}

static bool contains(const parity_row *p, int col)
{
    return bsearch(&col, p->odd, (size_t)p->odd_count, sizeof col, compare_ints) != NULL;
}

/* p ^= q; false when that takes too many rows. */
static bool add_row(parity_row *p, const parity_row *q)
{
    if (p->members + q->members > MAX_MEMBERS)
        return false;
    int *sum = base_malloc((size_t)(p->odd_count + q->odd_count) + 1, sizeof *sum);
    int count = 0, i = 0, k = 0;
    while (i < p->odd_count || k < q->odd_count) {
        if (k == q->odd_count || (i < p->odd_count && p->odd[i] < q->odd[k]))
            sum[count++] = p->odd[i++];
        else if (i == p->odd_count || q->odd[k] < p->odd[i])
            sum[count++] = q->odd[k++];
        else
            i++, k++;
    }
    base_free(p->odd);
    p->odd = sum;
    p->odd_count = count;
    p->odd_side ^= q->odd_side;
    p->slack += q->slack;
    memcpy(p->member + p->members, q->member, (size_t)q->members * sizeof *q->member);
    p->members += q->members;
    return true;
}

static double distance(const bnb_separation *s, int j)
{
    return fmin(s->x[j] - s->lower[j], s->upper[j] - s->x[j]);
}

/* Violation of half the sum: what is odd must cost less than 1/2. */
static void try_row(bnb_separation *s, const parity_row *p)
{
    double cost = p->slack;
    if (!p->odd_side)
        return;
    for (int k = 0; k < p->odd_count && cost < 1.0; k++)
        cost += distance(s, p->odd[k]);
    if (cost >= 1.0 - 1e-4)
        return;
    for (int sign = 0; sign < 2; sign++) {
        bnb_base_reset(s);
        for (int i = 0; i < p->members; i++) {
            bool cancelled = false; /* a row summed up twice is even */
            for (int k = 0; k < p->members && !cancelled; k++)
                cancelled = k != i && p->member[k] == p->member[i];
            if (!cancelled)
                bnb_base_add(s, p->member[i], 0.5 * (sign == 0 ? 1.0 : -1.0));
        }
        if (s->count > 0)
            bnb_base_separate(s, false, true, true, "zerohalf");
    }
}

typedef struct column_order {
    double distance;
    int col;
} column_order;

static int compare_columns(const void *a, const void *b)
{
    const column_order *p = a, *q = b;
    if (p->distance != q->distance)
        return p->distance > q->distance ? -1 : 1;
    return (p->col > q->col) - (p->col < q->col);
}

/* Eliminates the most fractional columns, each with the tightest, shortest row. */
static void eliminate(bnb_separation *s, parity_row *row, int rows)
{
    const int cols = s->in->model->cols;
    column_order *order = base_malloc((size_t)cols + 1, sizeof *order);
    bool *used = base_calloc((size_t)rows + 1, sizeof *used);
    int count = 0;
    for (int j = 0; j < cols; j++)
        if (s->in->model->integer[j] && distance(s, j) > 1e-6)
            order[count++] = (column_order){distance(s, j), j};
    qsort(order, (size_t)count, sizeof *order, compare_columns);
    for (int i = 0; i < count; i++) {
        int pivot = -1;
        for (int r = 0; r < rows; r++)
            if (!used[r] && contains(&row[r], order[i].col) &&
                (pivot < 0 || row[r].slack + 1e-3 * row[r].odd_count <
                                  row[pivot].slack + 1e-3 * row[pivot].odd_count))
                pivot = r;
        if (pivot < 0)
            continue;
        used[pivot] = true;
        for (int r = 0; r < rows; r++)
            if (!used[r] && contains(&row[r], order[i].col) && add_row(&row[r], &row[pivot]))
                try_row(s, &row[r]);
    }
    base_free(order);
    base_free(used);
}

void bnb_separate_zero_half(bnb_separation *s)
{
    parity_row *row = base_malloc((size_t)s->all_rows + 1, sizeof *row);
    int rows = 0;
    for (int r = 0; r < s->all_rows && rows < s->tuning->zero_half_rows; r++)
        if (make_row(s, r, &row[rows])) {
            qsort(row[rows].odd, (size_t)row[rows].odd_count, sizeof(int), compare_ints);
            if (row[rows].odd_count > 0)
                try_row(s, &row[rows++]);
            else
                base_free(row[rows].odd);
        }
    eliminate(s, row, rows);
    for (int r = 0; r < rows; r++)
        base_free(row[r].odd);
    base_free(row);
    bnb_base_reset(s);
}
