/* Working columns that the rows force to be equal: sets of them are one column of the restricted
 * model. */
#include <math.h>
#include <string.h>

#include "lp/sift_internal.h"

enum {
    MATCH = 4
}; /* rows of at most so many columns on either side are looked at for equal ones */

lp_sift_part lp_sift_working_part(const lp_sift *s)
{
    const lp_model *m = s->m;
    lp_sift_part w;
    w.start = base_calloc((size_t)m->rows + 2, sizeof *w.start);
    for (int j = 0; j < m->cols; j++)
        for (int e = m->start[j]; s->working[j] && e < m->start[j + 1]; e++)
            w.start[m->index[e] + 2]++;
    for (int r = 2; r <= m->rows + 1; r++)
        w.start[r] += w.start[r - 1];
    size_t entries = (size_t)w.start[m->rows + 1] + 1;
    w.col = base_malloc(entries, sizeof *w.col);
    w.value = base_malloc(entries, sizeof *w.value);
    for (int j = 0; j < m->cols; j++)
        for (int e = m->start[j]; s->working[j] && e < m->start[j + 1]; e++) {
            int k = w.start[m->index[e] + 1]++;
            w.col[k] = j;
            w.value[k] = m->value[e];
        }
    return w;
}

void lp_sift_part_free(lp_sift_part *w)
{
    base_free(w->start);
    base_free(w->col);
    base_free(w->value);
}

/* ---- columns that must be equal --------------------------------------------- */

/* Links by their column a, and sets of equal columns. */
typedef struct equality {
    const lp_sift *s;
    const lp_sift_part *w;
    int *start, *to, *row; /* links a <= to, by a; start extent cols + 1 */
    int *parent;           /* union-find */
    lp_sift_restriction *out;
} equality;

static int find(int *parent, int j)
{
    while (parent[j] != j)
        j = parent[j] = parent[parent[j]];
    return j;
}

bool lp_sift_has_zero_side(const lp_sift *s, int r, bool above)
{
    double side = above ? s->m->row_upper[r] : s->m->row_lower[r];
    return side - s->shift[r] == 0.0;
}

static bool is_doubleton(const lp_sift_part *w, int r)
{
    int e = w->start[r];
    return w->start[r + 1] - e == 2 && w->value[e] == -w->value[e + 1];
}

/* Calls once per link: with to NULL it counts. */
static void scan_links(equality *q, int *place)
{
    for (int r = 0; r < q->s->m->rows; r++) {
        if (!is_doubleton(q->w, r))
            continue;
        int e = q->w->start[r];
        bool first = q->w->value[e] > 0.0; /* the first column has the positive entry */
        int plus = q->w->col[first ? e : e + 1], minus = q->w->col[first ? e + 1 : e];
        for (int side = 0; side < 2; side++) {
            if (!lp_sift_has_zero_side(q->s, r, side == 0))
                continue;
            int a = side == 0 ? plus : minus, b = side == 0 ? minus : plus;
            if (q->to) {
                q->to[place[a]] = b;
                q->row[place[a]] = r;
            }
            place[a]++;
        }
    }
}

static void make_links(equality *q)
{
    int cols = q->s->m->cols;
    q->start = base_calloc((size_t)cols + 1, sizeof *q->start);
    int *place = base_calloc((size_t)cols + 1, sizeof *place);
    q->to = NULL;
    scan_links(q, place);
    for (int j = 0; j < cols; j++)
        q->start[j + 1] = q->start[j] + place[j];
    q->to = base_malloc((size_t)q->start[cols] + 1, sizeof *q->to);
    q->row = base_malloc((size_t)q->start[cols] + 1, sizeof *q->row);
    memcpy(place, q->start, (size_t)cols * sizeof *place);
    scan_links(q, place);
    base_free(place);
}

/* The row that says a <= b, -1: none. */
static int link_row(const equality *q, int a, int b)
{
    for (int e = q->start[a]; e < q->start[a + 1]; e++)
        if (q->to[e] == b)
            return q->row[e];
    return -1;
}

static void unite(equality *q, int a, int b, int row)
{
    int ra = find(q->parent, a), rb = find(q->parent, b);
    const int *before = q->s->group_before;
    if (ra == rb || q->s->apart[a] || q->s->apart[b] || (before && before[a] != before[b]))
        return;
    q->parent[ra > rb ? ra : rb] = ra > rb ? rb : ra;
    lp_sift_restriction *out = q->out;
    if (out->links == out->link_capacity) {
        out->link_capacity = 2 * out->link_capacity + 256;
        out->link = base_realloc(out->link, (size_t)out->link_capacity, sizeof *out->link);
    }
    out->link[out->links++] = (lp_sift_link){a, b, row};
}

/* A row "sum of the ones <= sum of the others" whose columns are paired by links the other
 * way makes each pair equal. above: the row's upper side. */
static void unite_row(equality *q, int r, bool above)
{
    const lp_sift_part *w = q->w;
    int low[MATCH], high[MATCH], pair[MATCH], row[MATCH], lows = 0, highs = 0;
    double size = fabs(w->value[w->start[r]]);
    for (int e = w->start[r]; e < w->start[r + 1]; e++) {
        bool is_low = (w->value[e] > 0.0) == above;
        if (fabs(w->value[e]) != size || (is_low ? lows : highs) == MATCH)
            return;
        if (is_low)
            low[lows++] = w->col[e];
        else
            high[highs++] = w->col[e];
    }
    if (lows != highs)
        return;
    bool taken[MATCH] = {false};
    for (int k = 0; k < lows; k++) { /* a link high <= low for each */
        int h = 0;
        for (; h < highs; h++) {
            row[k] = taken[h] ? -1 : link_row(q, high[h], low[k]);
            if (row[k] >= 0)
                break;
        }
        if (h == highs)
            return;
        taken[h] = true;
        pair[k] = high[h];
    }
    for (int k = 0; k < lows; k++)
        unite(q, pair[k], low[k], row[k]);
}

int lp_sift_find_groups(const lp_sift *s, const lp_sift_part *w, lp_sift_restriction *out)
{
    int cols = s->m->cols, groups = 0;
    equality q = {.s = s, .w = w, .out = out};
    make_links(&q);
    q.parent = base_malloc((size_t)cols + 1, sizeof *q.parent);
    for (int j = 0; j < cols; j++)
        q.parent[j] = j;
    for (int r = 0; r < s->m->rows; r++) {
        int length = w->start[r + 1] - w->start[r];
        for (int side = 0; side < 2; side++)
            if (length > 0 && length <= 2 * MATCH && lp_sift_has_zero_side(s, r, side == 0))
                unite_row(&q, r, side == 0);
    }
    for (int j = 0; j < cols; j++) {
        int root = find(q.parent, j); /* the smallest member */
        out->group[j] = !s->working[j] ? -1 : root == j ? groups++ : out->group[root];
    }
    base_free(q.start);
    base_free(q.to);
    base_free(q.row);
    base_free(q.parent);
    return groups;
}
