/* Interchangeable groups of columns. Rows and columns with many entries are hubs, which every
 * exchange leaves in place. Without hubs the matrix falls into parts. A colour of each column,
 * which depends on its neighbours, finds parts that look alike; an exchange of two of them is then
 * checked entry by entry. */
#include "bnb/model/twins.h"

#include <stdlib.h>
#include <string.h>

enum { HUB_ROW = 8, HUB_COL = 16, ROUNDS = 6, MOST = 64 };

/* Sorts columns by part and colour, and parts by colour; then by the (first) column. */
typedef struct sort_key {
    uint64_t major, minor;
    int col;
} sort_key;

/* A part: columns member[first] .. member[first + count - 1], by colour. */
typedef struct part {
    sort_key key; /* major: its colour */
    int first, count;
} part;

typedef struct twin_search {
    lp_model *m;
    lp_by_rows rows;
    uint64_t *col_colour, *row_colour;
    int *root;     /* by column: another one of its part, or itself */
    int *member;   /* columns of parts */
    int *partner;  /* by column: of the exchange; itself: none */
    int *opposite; /* by row, likewise; -1: not yet found */
    part *parts;
    int count;
} twin_search;

static bool is_hub_row(const twin_search *s, int r)
{
    return s->rows.start[r + 1] - s->rows.start[r] > HUB_ROW;
}

static bool is_hub_col(const twin_search *s, int j)
{
    return s->m->start[j + 1] - s->m->start[j] > HUB_COL;
}

/* ---- colours ------------------------------------------------------------------ */

static uint64_t mix_number(uint64_t a, double x)
{
    uint64_t bits;
    x += 0.0; /* no -0 */
    memcpy(&bits, &x, sizeof bits);
    return base_mix(a, bits);
}

static void first_colours(twin_search *s)
{
    const lp_model *m = s->m;
    for (int j = 0; j < m->cols; j++) {
        uint64_t c = mix_number(mix_number(m->integer[j], m->cost[j]), m->lower[j]);
        s->col_colour[j] =
            base_mix(mix_number(c, m->upper[j]), is_hub_col(s, j) ? (uint64_t)j + 1 : 0);
    }
    for (int r = 0; r < m->rows; r++)
        s->row_colour[r] = base_mix(mix_number(mix_number(1, m->row_lower[r]), m->row_upper[r]),
                                    is_hub_row(s, r) ? (uint64_t)r + 1 : 0);
}

/* Each colour comes to depend on the colours around it; hubs keep theirs. */
static void refine_colours(twin_search *s)
{
    const lp_model *m = s->m;
    for (int r = 0; r < m->rows; r++)
        for (int k = s->rows.start[r], end = is_hub_row(s, r) ? k : s->rows.start[r + 1]; k < end;
             k++)
            s->row_colour[r] +=
                mix_number(base_mix(2, s->col_colour[s->rows.col[k]]), s->rows.value[k]);
    for (int j = 0; j < m->cols; j++)
        for (int k = m->start[j], end = is_hub_col(s, j) ? k : m->start[j + 1]; k < end; k++)
            s->col_colour[j] += mix_number(base_mix(3, s->row_colour[m->index[k]]), m->value[k]);
}

/* ---- parts -------------------------------------------------------------------- */

static int root_of(twin_search *s, int j)
{
    while (s->root[j] != j)
        j = s->root[j] = s->root[s->root[j]];
    return j;
}

static void join_columns(twin_search *s)
{
    for (int r = 0; r < s->m->rows; r++) {
        int last = -1;
        for (int k = s->rows.start[r]; k < s->rows.start[r + 1] && !is_hub_row(s, r); k++) {
            if (is_hub_col(s, s->rows.col[k]))
                continue;
            if (last >= 0)
                s->root[root_of(s, s->rows.col[k])] = root_of(s, last);
            last = s->rows.col[k];
        }
    }
}

static int compare_keys(const void *a, const void *b)
{
    const sort_key *x = a, *y = b;
    if (x->major != y->major)
        return x->major < y->major ? -1 : 1;
    if (x->minor != y->minor)
        return x->minor < y->minor ? -1 : 1;
    return (x->col > y->col) - (x->col < y->col);
}

/* Lists the parts, with equal colours side by side. */
static void list_parts(twin_search *s)
{
    const int cols = s->m->cols;
    sort_key *list = base_malloc((size_t)cols + 1, sizeof *list);
    int listed = 0;
    for (int j = 0; j < cols; j++)
        if (!is_hub_col(s, j))
            list[listed++] = (sort_key){(uint64_t)root_of(s, j), s->col_colour[j], j};
    qsort(list, (size_t)listed, sizeof *list, compare_keys);
    for (int k = 0; k < listed; k++) {
        if (k == 0 || list[k].major != list[k - 1].major)
            s->parts[s->count++] = (part){.key.col = cols, .first = k};
        part *p = &s->parts[s->count - 1];
        p->key.major += base_mix(4, list[k].minor);
        p->key.col = list[k].col < p->key.col ? list[k].col : p->key.col;
        s->member[k] = list[k].col;
        p->count++;
    }
    base_free(list);
    qsort(s->parts, (size_t)s->count, sizeof *s->parts, compare_keys);
}

/* ---- the check of an exchange --------------------------------------------------- */

/* The row that takes the place of r, an entry of column j; -1: none. */
static int opposite_row(twin_search *s, int r, int j)
{
    const lp_model *m = s->m;
    if (is_hub_row(s, r))
        return r;
    for (int k = m->start[s->partner[j]]; s->opposite[r] < 0 && k < m->start[s->partner[j] + 1];
         k++) {
        const int other = m->index[k];
        if (!is_hub_row(s, other) && s->opposite[other] < 0 &&
            s->row_colour[other] == s->row_colour[r]) {
            s->opposite[r] = other;
            s->opposite[other] = r;
        }
    }
    return s->opposite[r];
}

static bool has_entry(const lp_model *m, int r, int j, double value)
{
    for (int k = m->start[j]; k < m->start[j + 1]; k++)
        if (m->index[k] == r)
            return m->value[k] == value;
    return false;
}

/* True if the exchange leaves column j, its rows and their entries as they are. */
static bool fits_exchange(twin_search *s, int j)
{
    const lp_model *m = s->m;
    const int p = s->partner[j];
    if (m->cost[j] != m->cost[p] || m->lower[j] != m->lower[p] || m->upper[j] != m->upper[p] ||
        m->integer[j] != m->integer[p] ||
        m->start[j + 1] - m->start[j] != m->start[p + 1] - m->start[p])
        return false;
    for (int k = m->start[j]; k < m->start[j + 1]; k++) {
        const int r = m->index[k], o = opposite_row(s, r, j);
        if (o < 0 || !has_entry(m, o, p, m->value[k]) || m->row_lower[r] != m->row_lower[o] ||
            m->row_upper[r] != m->row_upper[o])
            return false;
        if (o == r)
            continue;
        for (int e = s->rows.start[r]; e < s->rows.start[r + 1]; e++)
            if (!has_entry(m, o, s->partner[s->rows.col[e]], s->rows.value[e]))
                return false;
    }
    return true;
}

/* Sets the partner of column j, and forgets its rows. */
static void set_partner(twin_search *s, int j, int partner)
{
    s->partner[j] = partner;
    for (int e = s->m->start[j]; e < s->m->start[j + 1]; e++)
        s->opposite[s->m->index[e]] = -1;
}

/* True if exchanging the parts leaves the model as it is. */
static bool are_twins(twin_search *s, const part *a, const part *b)
{
    if (a->key.major != b->key.major || a->count != b->count || a->count > MOST)
        return false;
    const int *x = s->member + a->first, *y = s->member + b->first;
    bool same = true;
    for (int k = 0; k < a->count; k++) {
        set_partner(s, x[k], y[k]);
        set_partner(s, y[k], x[k]);
    }
    for (int k = 0; k < a->count && same; k++)
        same = fits_exchange(s, x[k]) && fits_exchange(s, y[k]);
    for (int k = 0; k < a->count; k++) {
        set_partner(s, x[k], x[k]);
        set_partner(s, y[k], y[k]);
    }
    return same;
}

/* ---- rows ---------------------------------------------------------------------- */

/* Place in the part of its dearest integer column; -1: all are continuous. */
static int leader(const twin_search *s, const part *p)
{
    const lp_model *m = s->m;
    int best = -1;
    for (int k = 0; k < p->count; k++) {
        const int j = s->member[p->first + k];
        if (m->integer[j] && (best < 0 || m->cost[j] > m->cost[s->member[p->first + best]]))
            best = k;
    }
    return best;
}

static void add_rows(twin_search *s)
{
    lp_row_list rows = {0};
    for (int k = 1; k < s->count; k++) {
        const part *a = &s->parts[k - 1], *b = &s->parts[k];
        const int lead = leader(s, a);
        if (lead < 0 || !are_twins(s, a, b))
            continue;
        lp_row_list_add(&rows, s->member[a->first + lead], 1.0);
        lp_row_list_add(&rows, s->member[b->first + lead], -1.0);
        lp_row_list_end(&rows, 0.0, LP_INFINITY);
    }
    s->count = rows.count;
    lp_model_add_rows(s->m, rows.count, rows.lower, rows.upper, rows.start, rows.col, rows.value,
                      NULL);
    lp_row_list_free(&rows);
}

int bnb_order_twins(lp_model *m)
{
    const size_t cols = (size_t)m->cols + 1, rows = (size_t)m->rows + 1;
    twin_search s = {.m = m,
                     .rows = lp_model_by_rows(m),
                     .col_colour = base_malloc(cols, sizeof *s.col_colour),
                     .row_colour = base_malloc(rows, sizeof *s.row_colour),
                     .root = base_malloc(cols, sizeof *s.root),
                     .member = base_malloc(cols, sizeof *s.member),
                     .partner = base_malloc(cols, sizeof *s.partner),
                     .opposite = base_malloc(rows, sizeof *s.opposite),
                     .parts = base_malloc(cols, sizeof *s.parts)};
    for (int j = 0; j < m->cols; j++)
        s.root[j] = s.partner[j] = j;
    for (int r = 0; r < m->rows; r++)
        s.opposite[r] = -1;
    first_colours(&s);
    for (int round = 0; round < ROUNDS; round++)
        refine_colours(&s);
    join_columns(&s);
    list_parts(&s);
    add_rows(&s);
    base_work_count(10 * ROUNDS * (size_t)m->start[m->cols]);
    lp_by_rows_free(&s.rows);
    base_free_all(s.col_colour, s.row_colour, s.root, s.member, s.partner, s.opposite, s.parts);
    return s.count;
}
