/* Factorisation of a basis: logicals, then column and row singletons, then the kernel. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "lp/factor/factor_internal.h"

#define SINGLETON_PIVOT 1e-9 /* smaller singletons are left to the kernel */

/* ---- factorisation -------------------------------------------------------- */

/* Work space of one factorisation. A slot is an index of head on entry. */
typedef struct build {
    lp_factor *f;
    const lp_columns *a;
    const int *head;
    int slots;
    int *slot_row;  /* pivot row of a slot, -1: none yet */
    bool *row_done; /* by row: has a pivot */
    int *col_count; /* by slot: entries in rows without pivot */
    int *row_start; /* by row, rows + 1: slots with an entry there at the start */
    int *row_slot;
    int *row_count; /* by row: slots without pivot with an entry there */
    int *queue;     /* singletons: slot, or -1 - row */
    int queued;
    int trivial; /* logicals */
    lp_triplets u;
    double work;
} build;

static void pivot_logicals(build *b)
{
    lp_factor *f = b->f;
    f->core = f->u_order.count = 0;
    for (int r = 0; r < f->rows; r++)
        f->core_of[r] = -1;
    for (int k = 0; k < b->slots; k++) {
        if (b->head[k] < b->a->cols)
            continue;
        int r = b->head[k] - b->a->cols;
        assert(!b->row_done[r]);
        b->slot_row[k] = r;
        b->row_done[r] = true;
        b->trivial++;
    }
}

/* Counts the entries of the remaining rows and columns, stores the pattern of these rows, and
 * queues singletons. */
static void count_active(build *b)
{
    const lp_columns *a = b->a;
    int rows = a->rows;
    int entries = b->trivial;
    for (int k = 0; k < b->slots; k++) {
        if (b->slot_row[k] >= 0)
            continue;
        int j = b->head[k];
        entries += a->start[j + 1] - a->start[j];
        for (int e = a->start[j]; e < a->start[j + 1]; e++) {
            if (!b->row_done[a->index[e]]) {
                b->row_count[a->index[e]]++;
                b->col_count[k]++;
            }
        }
    }
    b->row_start[0] = 0;
    for (int i = 0; i < rows; i++)
        b->row_start[i + 1] = b->row_start[i] + b->row_count[i];
    b->row_slot = base_malloc((size_t)b->row_start[rows] + 1, sizeof(int));
    for (int k = 0; k < b->slots; k++) {
        if (b->slot_row[k] >= 0)
            continue;
        int j = b->head[k];
        for (int e = a->start[j]; e < a->start[j + 1]; e++)
            if (!b->row_done[a->index[e]])
                b->row_slot[b->row_start[a->index[e]]++] = k;
        if (b->col_count[k] == 1)
            b->queue[b->queued++] = k;
    }
    for (int i = rows; i > 0; i--)
        b->row_start[i] = b->row_start[i - 1];
    b->row_start[0] = 0;
    for (int i = 0; i < rows; i++)
        if (!b->row_done[i] && b->row_count[i] == 1)
            b->queue[b->queued++] = -1 - i;
    b->work += 4.0 * entries;
}

/* Pivots slot k on row r: its entries in pivoted rows go to U, the others to L. Requires that no
 * other column has an entry in row r, or column k has none in another active row. */
static void pivot_singleton(build *b, int k, int r, double pivot)
{
    lp_factor *f = b->f;
    const lp_columns *a = b->a;
    int j = b->head[k], c = lp_factor_add_pivot(f, r, pivot);
    lp_triangle *l = &f->l_cols;
    lp_triangle_reserve(l, b->col_count[k]);
    l->span[c].begin = l->used;
    for (int e = a->start[j]; e < a->start[j + 1]; e++) {
        int i = a->index[e];
        if (i == r)
            continue;
        if (b->row_done[i]) {
            lp_triplets_push(&b->u, i, k, a->value[e]);
            continue;
        }
        l->index[l->used] = i;
        l->value[l->used++] = a->value[e] / pivot;
        if (--b->row_count[i] == 1)
            b->queue[b->queued++] = -1 - i;
    }
    l->span[c].end = l->used;
    if (l->span[c].end > l->span[c].begin)
        lp_pivot_list_push(&f->l_order, c);
    b->row_done[r] = true;
    b->slot_row[k] = r;
    if (b->row_count[r] > 1) {
        for (int e = b->row_start[r]; e < b->row_start[r + 1]; e++) {
            int other = b->row_slot[e];
            if (b->slot_row[other] < 0 && --b->col_count[other] == 1)
                b->queue[b->queued++] = other;
        }
    }
    b->work += 3.0 * (a->start[j + 1] - a->start[j]);
}

static void pivot_singletons(build *b)
{
    const lp_columns *a = b->a;
    for (int q = 0; q < b->queued; q++) {
        int k = b->queue[q], r = -1;
        if (k < 0) {
            r = -1 - k;
            if (b->row_done[r] || b->row_count[r] != 1)
                continue;
            int e = b->row_start[r];
            while (b->slot_row[b->row_slot[e]] >= 0)
                e++;
            k = b->row_slot[e];
        } else if (b->slot_row[k] >= 0 || b->col_count[k] != 1) {
            continue;
        }
        int e = a->start[b->head[k]];
        while (r < 0 ? b->row_done[a->index[e]] : a->index[e] != r)
            e++;
        assert(e < a->start[b->head[k] + 1]);
        if (fabs(a->value[e]) >= SINGLETON_PIVOT)
            pivot_singleton(b, k, a->index[e], a->value[e]);
    }
}

/* ---- the active submatrix of the kernel ------------------------------------ */

static void kernel_alloc(lp_kernel *k, int rows, int active, int entries)
{
    size_t m = (size_t)rows + 1;
    k->slots = rows;
    k->heads = active + 1;
    int **by_slot[] = {&k->col_begin, &k->col_count, &k->col_space, &k->cols.next,
                       &k->cols.prev, &k->row_begin, &k->row_count, &k->row_space,
                       &k->rows.next, &k->rows.prev, &k->pattern};
    for (size_t i = 0; i < sizeof by_slot / sizeof *by_slot; i++)
        *by_slot[i] = base_calloc(m, sizeof(int));
    k->col_max = base_malloc(m, sizeof(double));
    k->multiplier = base_calloc(m, sizeof(double));
    k->slot_mark = base_calloc(m, 1);
    k->cols.head = base_malloc((size_t)k->heads + 1, sizeof(int));
    k->rows.head = base_malloc((size_t)k->heads + 1, sizeof(int));
    for (int c = 0; c <= k->heads; c++)
        k->cols.head[c] = k->rows.head[c] = -1;
    k->col_capacity = k->row_capacity = 3 * entries + 8 * active + 64;
    k->col_index = base_malloc((size_t)k->col_capacity, sizeof(int));
    k->col_value = base_malloc((size_t)k->col_capacity, sizeof(double));
    k->row_index = base_malloc((size_t)k->row_capacity, sizeof(int));
}

static void kernel_free(lp_kernel *k)
{
    base_free_all(k->col_begin, k->col_count, k->col_space, k->cols.next, k->cols.prev,
                  k->cols.head, k->col_index, k->col_value, k->col_max, k->row_begin, k->row_count,
                  k->row_space, k->rows.next, k->rows.prev, k->rows.head, k->row_index, k->pattern,
                  k->multiplier, k->slot_mark);
}

static void pivot_kernel(build *b, double threshold)
{
    const lp_columns *a = b->a;
    int active = b->slots - b->trivial - b->f->core, entries = 0;
    if (active == 0)
        return;
    for (int k = 0; k < b->slots; k++)
        if (b->slot_row[k] < 0)
            entries += b->col_count[k];
    lp_kernel kernel = {
        .factor = b->f, .u = &b->u, .threshold = threshold, .slot_row = b->slot_row};
    kernel_alloc(&kernel, a->rows, active, entries);
    for (int i = 0; i < a->rows; i++) {
        if (b->row_done[i])
            continue;
        kernel.row_begin[i] = kernel.row_used;
        kernel.row_space[i] = b->row_count[i] + 4;
        kernel.row_used += kernel.row_space[i];
        lp_link(&kernel.rows, b->row_count[i], i);
    }
    for (int k = 0; k < b->slots; k++) {
        if (b->slot_row[k] >= 0)
            continue;
        int j = b->head[k], next = kernel.col_used;
        kernel.col_begin[k] = next;
        for (int e = a->start[j]; e < a->start[j + 1]; e++) {
            int i = a->index[e];
            if (b->row_done[i]) {
                lp_triplets_push(&b->u, i, k, a->value[e]);
                continue;
            }
            kernel.col_index[next] = i;
            kernel.col_value[next++] = a->value[e];
            kernel.row_index[kernel.row_begin[i] + kernel.row_count[i]++] = k;
        }
        kernel.col_count[k] = next - kernel.col_used;
        kernel.col_space[k] = kernel.col_count[k] + 4;
        kernel.col_used += kernel.col_space[k];
        kernel.col_max[k] = -1.0;
        lp_link(&kernel.cols, kernel.col_count[k], k);
    }
    b->work += 4.0 * entries + lp_kernel_eliminate(&kernel, active);
    for (int c = 0; c < b->f->core; c++)
        b->row_done[b->f->row_of[c]] = true;
    kernel_free(&kernel);
}

/* Gives each slot without pivot the logical of a row without pivot; returns their number. */
static int replace_dependent(build *b, int *head)
{
    lp_factor *f = b->f;
    int replaced = 0;
    for (int k = 0, r = 0; k < b->slots; k++) {
        if (b->slot_row[k] >= 0)
            continue;
        while (b->row_done[r])
            r++;
        assert(r < b->slots);
        head[k] = b->a->cols + r;
        b->slot_row[k] = r;
        b->row_done[r] = true;
        lp_factor_add_pivot(f, r, 1.0);
        replaced++;
    }
    if (replaced == 0)
        return 0;
    int kept = 0; /* drop the entries of replaced columns from U */
    for (int e = 0; e < b->u.count; e++)
        if (head[b->u.item[e].slot] < b->a->cols)
            b->u.item[kept++] = b->u.item[e];
    b->u.count = kept;
    return replaced;
}

/* ---- storage of the result ------------------------------------------------ */

/* Fills t with the entries item[0..count-1], sorted by slot, or by row if `rows`. The entries from
 * leaves_from on become the leaves of their lists. */
static void fill_triangle(lp_triangle *t, int lists, const lp_triplet *item, int count, bool rows,
                          int leaves_from)
{
    t->used = 0;
    lp_triangle_reserve(t, count);
    t->used = count;
    memset(t->span, 0, (size_t)lists * sizeof *t->span);
    for (int e = 0; e < count; e++) {
        lp_span *span = &t->span[rows ? item[e].row : item[e].slot];
        span->space++;
        span->leaf += e < leaves_from;
    }
    for (int i = 0, next = 0; i < lists; i++) {
        t->span[i].begin = next;
        t->span[i].end = next + t->span[i].leaf;
        next += t->span[i].space;
        t->span[i].leaf = t->span[i].begin;
    }
    for (int e = 0; e < count; e++) {
        lp_span *span = &t->span[rows ? item[e].row : item[e].slot];
        int place = e < leaves_from ? span->leaf++ : span->end++;
        t->index[place] = rows ? item[e].slot : item[e].row;
        t->value[place] = item[e].value;
    }
}

/* Changes the triplets of U to core numbers. Triplets in trivial rows keep their row and go last;
 * returns the index of the first of them. */
static int sort_u(build *b)
{
    const lp_factor *f = b->f;
    lp_triplets *u = &b->u, sorted = {0};
    int tops = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int e = 0; e < u->count; e++) {
            const lp_triplet *from = &u->item[e];
            int row = f->core_of[from->row];
            if ((row < 0) == (pass == 1))
                lp_triplets_push(&sorted, row < 0 ? from->row : row,
                                 f->core_of[b->slot_row[from->slot]], from->value);
        }
        if (pass == 0)
            tops = sorted.count;
    }
    base_free(u->item);
    *u = sorted;
    return tops;
}

static void store_u(build *b)
{
    lp_factor *f = b->f;
    const int tops = sort_u(b), count = b->u.count;
    const lp_triplet *item = b->u.item;
    fill_triangle(&f->u_cols, f->core, item, count, false, tops);
    fill_triangle(&f->u_rows, f->core, item, tops, true, tops);
    fill_triangle(&f->u_tops, f->rows, item + tops, count - tops, true, count - tops);
    f->u_entries_at_build = count;
    b->work += 4.0 * count;
}

/* Makes the entries of t that lead to pivots without entries the leaves of their lists. O(entries)
 */
static void part_leaves(const lp_factor *f, lp_triangle *t)
{
    for (int c = 0; c < f->core; c++) {
        int low = t->span[c].begin, high = t->span[c].end;
        while (low < high) {
            const int i = t->index[low];
            if (t->span[i].begin < t->span[i].end) {
                low++;
                continue;
            }
            const double v = t->value[low];
            t->index[low] = t->index[--high];
            t->value[low] = t->value[high];
            t->index[high] = i;
            t->value[high] = v;
        }
        t->span[c].leaf = low;
    }
}

/* Stores L in core numbers, by columns and by rows. */
static void store_l(build *b)
{
    lp_factor *f = b->f;
    lp_triangle *t = &f->l_cols;
    lp_triplets l = {0};
    for (int k = 0; k < f->l_order.count; k++) {
        int c = f->l_order.pivot[k];
        for (int e = t->span[c].begin; e < t->span[c].end; e++)
            lp_triplets_push(&l, f->core_of[t->index[e]], c, t->value[e]);
    }
    fill_triangle(t, f->core, l.item, l.count, false, l.count);
    fill_triangle(&f->l_rows, f->core, l.item, l.count, true, l.count);
    part_leaves(f, &f->l_rows);
    part_leaves(f, &f->l_cols);
    f->l_row_order.count = 0;
    for (int c = 0; c < f->core; c++)
        if (f->l_rows.span[c].end > f->l_rows.span[c].begin)
            lp_pivot_list_push(&f->l_row_order, c);
    b->work += 4.0 * l.count;
    base_free(l.item);
}

static void permute_head(build *b, int *head)
{
    int *old = b->queue; /* no longer needed */
    memcpy(old, head, (size_t)b->slots * sizeof(int));
    for (int k = 0; k < b->slots; k++)
        head[b->slot_row[k]] = old[k];
}

int lp_factor_build(lp_factor *f, const lp_columns *a, int *head, double threshold)
{
    assert(a->rows == f->rows);
    size_t m = (size_t)f->rows + 1;
    build b = {.f = f, .a = a, .head = head, .slots = f->rows};
    b.slot_row = base_malloc(m, sizeof(int));
    b.row_done = base_calloc(m, sizeof(bool));
    b.col_count = base_calloc(m, sizeof(int));
    b.row_count = base_calloc(m, sizeof(int));
    b.row_start = base_calloc(m, sizeof(int));
    b.queue = base_malloc(2 * m, sizeof(int));
    memset(b.slot_row, -1, m * sizeof(int));
    f->l_order.count = f->l_row_order.count = 0;
    f->l_cols.used = 0;
    memset(f->l_cols.span, 0, m * sizeof *f->l_cols.span);
    f->eta_row.count = f->eta.used = f->updates = 0;
    f->eta_start.count = 1;

    pivot_logicals(&b);
    count_active(&b);
    pivot_singletons(&b);
    pivot_kernel(&b, threshold);
    int replaced = replace_dependent(&b, head);
    store_u(&b);
    store_l(&b);
    permute_head(&b, head);

    base_free_all(b.slot_row, b.row_done, b.col_count, b.row_count, b.row_start, b.row_slot,
                  b.queue, b.u.item);
    f->build_work = b.work + f->rows;
    f->work += f->build_work + f->solve_work + f->eta_work;
    f->solve_work = f->eta_work = 0.0;
    return replaced;
}
