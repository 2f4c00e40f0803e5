/* Gaussian elimination on rows of rationals: pivots that are alone in their row or column first,
 * then one in the shortest row or column, which keeps fill-in, and with it the size of numbers,
 * small. */
#include "lp/factor/rational_lu.h"

#include <assert.h>
#include <string.h>

typedef struct entry {
    int index;
    mpq_t value;
} entry;

/* A sparse row; entries from count to room are initialised room to write into. */
typedef struct line {
    entry *at;
    int count, room;
} line;

/* row := row - factor * pivot row */
typedef struct operation {
    int row, pivot;
    mpq_t factor;
} operation;

struct rational_lu {
    int n, pivots;
    int *pivot_row, *pivot_col; /* in the order of elimination; extent n */
    mpq_t *diagonal;            /* extent n, by pivots */
    line *row;                  /* extent n: U without its diagonal; columns of later pivots */
    operation *operations;
    int operation_count, operation_room;
};

typedef struct stack {
    int *at;
    int count, room;
} stack;

/* What elimination needs besides. */
typedef struct elimination {
    rational_lu *f;
    bool *row_done, *col_done;
    int *col_count; /* entries in rows that are not done */
    int **col_rows; /* rows that have, or had, an entry there */
    int *col_listed, *col_room;
    int *place;                   /* extent n: of a column in the row at hand, plus 1; 0: none */
    stack short_rows, short_cols; /* of which one entry was left, perhaps none by now */
    mpq_t product;
    double work; /* of what was done */
} elimination;

bool rational_budget_lasts(const rational_budget *b)
{
    return b->work > 0.0 && base_limits_check(b->limits) == BASE_GO;
}

/* ---- vectors and lines --------------------------------------------------------- */

mpq_t *rational_vector_create(int n)
{
    mpq_t *v = base_malloc((size_t)n + 1, sizeof *v);
    for (int i = 0; i < n; i++)
        mpq_init(v[i]);
    return v;
}

void rational_vector_clear(mpq_t *v, int n)
{
    for (int i = 0; v && i < n; i++)
        mpq_clear(v[i]);
    base_free(v);
}

void rational_vector_zero(mpq_t *v, int n)
{
    for (int i = 0; i < n; i++)
        mpq_set_ui(v[i], 0, 1);
}

static entry *line_append(line *l, int index)
{
    if (l->count == l->room) {
        const int room = l->room + l->room / 2 + 4;
        l->at = base_realloc(l->at, (size_t)room, sizeof *l->at);
        for (int k = l->room; k < room; k++)
            mpq_init(l->at[k].value);
        l->room = room;
    }
    l->at[l->count].index = index;
    return &l->at[l->count++];
}

static void line_remove(line *l, int k)
{
    mpq_swap(l->at[k].value, l->at[l->count - 1].value);
    l->at[k].index = l->at[--l->count].index;
}

static int line_find(const line *l, int index)
{
    for (int k = 0; k < l->count; k++)
        if (l->at[k].index == index)
            return k;
    return -1;
}

static void line_clear(line *l)
{
    for (int k = 0; k < l->room; k++)
        mpq_clear(l->at[k].value);
    base_free(l->at);
}

/* ---- elimination ------------------------------------------------------------------ */

static void push(stack *s, int value)
{
    if (s->count == s->room) {
        s->room += s->room / 2 + 16;
        s->at = base_realloc(s->at, (size_t)s->room, sizeof *s->at);
    }
    s->at[s->count++] = value;
}

static void note_row(elimination *e, int row)
{
    if (e->f->row[row].count == 1)
        push(&e->short_rows, row);
}

static void uncount(elimination *e, int col)
{
    if (--e->col_count[col] == 1)
        push(&e->short_cols, col);
}

static void list_row(elimination *e, int col, int row)
{
    if (e->col_listed[col] == e->col_room[col]) {
        e->col_room[col] += e->col_room[col] / 2 + 4;
        e->col_rows[col] = base_realloc(e->col_rows[col], (size_t)e->col_room[col], sizeof(int));
    }
    e->col_rows[col][e->col_listed[col]++] = row;
    e->col_count[col]++;
}

static void elimination_begin(elimination *e, rational_lu *f, const int *start, const int *row,
                              const double *value)
{
    const size_t n = (size_t)f->n + 1;
    *e = (elimination){.f = f,
                       .row_done = base_calloc(n, sizeof(bool)),
                       .col_done = base_calloc(n, sizeof(bool)),
                       .col_count = base_calloc(n, sizeof(int)),
                       .col_rows = base_calloc(n, sizeof(int *)),
                       .col_listed = base_calloc(n, sizeof(int)),
                       .col_room = base_calloc(n, sizeof(int)),
                       .place = base_calloc(n, sizeof(int))};
    mpq_init(e->product);
    for (int c = 0; c < f->n; c++)
        for (int k = start[c]; k < start[c + 1]; k++) {
            mpq_set_d(line_append(&f->row[row[k]], c)->value, value[k]);
            list_row(e, c, row[k]);
        }
    for (int i = 0; i < f->n; i++) {
        note_row(e, i);
        if (e->col_count[i] == 1)
            push(&e->short_cols, i);
    }
}

static void elimination_end(elimination *e)
{
    for (int c = 0; c < e->f->n; c++)
        base_free(e->col_rows[c]);
    base_free(e->row_done);
    base_free(e->col_done);
    base_free(e->col_count);
    base_free(e->col_rows);
    base_free(e->col_listed);
    base_free(e->col_room);
    base_free(e->place);
    base_free(e->short_rows.at);
    base_free(e->short_cols.at);
    mpq_clear(e->product);
}

/* The row with the fewest entries among those of the column that are not done. */
static int shortest_row(const elimination *e, int col)
{
    int best = -1;
    for (int k = 0; k < e->col_listed[col]; k++) {
        const int r = e->col_rows[col][k];
        if (!e->row_done[r] && line_find(&e->f->row[r], col) >= 0 &&
            (best < 0 || e->f->row[r].count < e->f->row[best].count))
            best = r;
    }
    return best;
}

/* The column with the fewest entries among those of the row. */
static int shortest_col(const elimination *e, int row)
{
    const line *l = &e->f->row[row];
    int best = l->at[0].index;
    for (int k = 1; k < l->count; k++)
        if (e->col_count[l->at[k].index] < e->col_count[best])
            best = l->at[k].index;
    return best;
}

/* A pivot alone in its row or column; false when none is left. */
static bool choose_single(elimination *e, int *row, int *col)
{
    while (e->short_cols.count > 0) {
        *col = e->short_cols.at[--e->short_cols.count];
        if (e->col_done[*col] || e->col_count[*col] != 1)
            continue;
        *row = shortest_row(e, *col);
        return true;
    }
    while (e->short_rows.count > 0) {
        *row = e->short_rows.at[--e->short_rows.count];
        if (e->row_done[*row] || e->f->row[*row].count != 1)
            continue;
        *col = e->f->row[*row].at[0].index;
        return true;
    }
    return false;
}

/* A pivot in the shortest row or column there is; false when no entry is left. */
static bool choose_pivot(elimination *e, int *row, int *col)
{
    const rational_lu *f = e->f;
    if (choose_single(e, row, col))
        return true;
    *row = *col = -1;
    for (int i = 0; i < f->n; i++) {
        if (!e->row_done[i] && f->row[i].count > 0 &&
            (*row < 0 || f->row[i].count < f->row[*row].count))
            *row = i;
        if (!e->col_done[i] && e->col_count[i] > 0 &&
            (*col < 0 || e->col_count[i] < e->col_count[*col]))
            *col = i;
    }
    if (*row < 0)
        return false;
    if (e->col_count[*col] < f->row[*row].count)
        *row = shortest_row(e, *col);
    else
        *col = shortest_col(e, *row);
    return true;
}

static double words(const mpq_t value)
{
    return 1.0 + (double)(mpz_size(mpq_numref(value)) + mpz_size(mpq_denref(value)));
}

/* Takes factor times the pivot row, of which the pivot is no part any more, from the row. */
static void subtract(elimination *e, int row, const line *pivot_row, const mpq_t factor)
{
    line *l = &e->f->row[row];
    for (int k = 0; k < l->count; k++)
        e->place[l->at[k].index] = k + 1;
    for (int k = 0; k < pivot_row->count; k++) {
        const int col = pivot_row->at[k].index;
        mpq_mul(e->product, factor, pivot_row->at[k].value);
        e->work += words(factor) * words(pivot_row->at[k].value);
        if (e->place[col] > 0) {
            mpq_t *value = &l->at[e->place[col] - 1].value;
            mpq_sub(*value, *value, e->product);
        } else {
            mpq_neg(line_append(l, col)->value, e->product);
            list_row(e, col, row);
        }
    }
    for (int k = l->count - 1; k >= 0; k--) {
        e->place[l->at[k].index] = 0;
        if (mpq_sgn(l->at[k].value) == 0) {
            uncount(e, l->at[k].index);
            line_remove(l, k);
        }
    }
    note_row(e, row);
}

static operation *new_operation(rational_lu *f, int row, int pivot)
{
    if (f->operation_count == f->operation_room) {
        f->operation_room += f->operation_room / 2 + 16;
        f->operations =
            base_realloc(f->operations, (size_t)f->operation_room, sizeof *f->operations);
    }
    operation *o = &f->operations[f->operation_count++];
    o->row = row;
    o->pivot = pivot;
    mpq_init(o->factor);
    return o;
}

static void eliminate(elimination *e, int row, int col)
{
    rational_lu *f = e->f;
    line *pivot_row = &f->row[row];
    const int at = line_find(pivot_row, col), p = f->pivots++;
    f->pivot_row[p] = row;
    f->pivot_col[p] = col;
    mpq_set(f->diagonal[p], pivot_row->at[at].value);
    line_remove(pivot_row, at);
    e->row_done[row] = e->col_done[col] = true;
    for (int k = 0; k < pivot_row->count; k++)
        uncount(e, pivot_row->at[k].index);
    for (int k = 0; k < e->col_listed[col]; k++) {
        const int r = e->col_rows[col][k];
        const int place = e->row_done[r] ? -1 : line_find(&f->row[r], col);
        if (place < 0)
            continue;
        operation *o = new_operation(f, r, row);
        mpq_div(o->factor, f->row[r].at[place].value, f->diagonal[p]);
        line_remove(&f->row[r], place);
        subtract(e, r, pivot_row, o->factor);
    }
}

rational_lu *rational_lu_create(int n, const int *start, const int *row, const double *value,
                                rational_budget *budget)
{
    rational_lu *f = base_calloc(1, sizeof *f);
    elimination e;
    int r, c;
    bool go = true;
    f->n = n;
    f->pivot_row = base_malloc((size_t)n + 1, sizeof *f->pivot_row);
    f->pivot_col = base_malloc((size_t)n + 1, sizeof *f->pivot_col);
    f->diagonal = rational_vector_create(n);
    f->row = base_calloc((size_t)n + 1, sizeof *f->row);
    elimination_begin(&e, f, start, row, value);
    while (go && choose_pivot(&e, &r, &c)) {
        eliminate(&e, r, c);
        budget->work -= e.work + 1.0;
        e.work = 0.0;
        go = rational_budget_lasts(budget);
    }
    elimination_end(&e);
    if (go)
        return f;
    rational_lu_free(f);
    return NULL;
}

void rational_lu_free(rational_lu *f)
{
    if (!f)
        return;
    for (int r = 0; r < f->n; r++)
        line_clear(&f->row[r]);
    for (int k = 0; k < f->operation_count; k++)
        mpq_clear(f->operations[k].factor);
    rational_vector_clear(f->diagonal, f->n);
    base_free(f->pivot_row);
    base_free(f->pivot_col);
    base_free(f->row);
    base_free(f->operations);
    base_free(f);
}

int rational_lu_deficiency(const rational_lu *f, int *column, int *row)
{
    bool *done = base_calloc(2 * (size_t)f->n + 1, sizeof *done);
    int columns = 0, rows = 0;
    for (int p = 0; p < f->pivots; p++)
        done[f->pivot_row[p]] = done[f->n + f->pivot_col[p]] = true;
    for (int i = 0; i < f->n; i++) {
        if (!done[i])
            row[rows++] = i;
        if (!done[f->n + i])
            column[columns++] = i;
    }
    base_free(done);
    assert(rows == columns);
    return columns;
}

/* ---- solving ---------------------------------------------------------------------------- */

/* target -= a * b, product being room for it. */
static void subtract_product(mpq_t target, const mpq_t a, const mpq_t b, mpq_t product)
{
    if (mpq_sgn(b) == 0)
        return;
    mpq_mul(product, a, b);
    mpq_sub(target, target, product);
}

/* The pivots' rows in the place of their columns, or (back) the other way round. */
static void rearrange(const rational_lu *f, mpq_t *v, bool back)
{
    mpq_t *moved = base_malloc((size_t)f->n + 1, sizeof *moved);
    const int *from = back ? f->pivot_col : f->pivot_row, *to = back ? f->pivot_row : f->pivot_col;
    for (int p = 0; p < f->n; p++)
        memcpy(&moved[to[p]], &v[from[p]], sizeof *v);
    memcpy(v, moved, (size_t)f->n * sizeof *v);
    base_free(moved);
}

void rational_lu_solve(const rational_lu *f, mpq_t *v)
{
    mpq_t product;
    assert(f->pivots == f->n);
    mpq_init(product);
    for (int k = 0; k < f->operation_count; k++) {
        const operation *o = &f->operations[k];
        subtract_product(v[o->row], o->factor, v[o->pivot], product);
    }
    rearrange(f, v, false);
    for (int p = f->n - 1; p >= 0; p--) {
        const line *l = &f->row[f->pivot_row[p]];
        mpq_t *x = &v[f->pivot_col[p]];
        for (int k = 0; k < l->count; k++)
            subtract_product(*x, l->at[k].value, v[l->at[k].index], product);
        if (mpq_sgn(*x) != 0)
            mpq_div(*x, *x, f->diagonal[p]);
    }
    mpq_clear(product);
}

void rational_lu_solve_transposed(const rational_lu *f, mpq_t *v)
{
    mpq_t product;
    assert(f->pivots == f->n);
    mpq_init(product);
    for (int p = 0; p < f->n; p++) {
        const line *l = &f->row[f->pivot_row[p]];
        mpq_t *z = &v[f->pivot_col[p]];
        if (mpq_sgn(*z) == 0)
            continue;
        mpq_div(*z, *z, f->diagonal[p]);
        for (int k = 0; k < l->count; k++)
            subtract_product(v[l->at[k].index], l->at[k].value, *z, product);
    }
    rearrange(f, v, true);
    for (int k = f->operation_count - 1; k >= 0; k--) {
        const operation *o = &f->operations[k];
        subtract_product(v[o->pivot], o->factor, v[o->row], product);
    }
    mpq_clear(product);
}
