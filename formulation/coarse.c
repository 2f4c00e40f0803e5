/* Builds the model of the coarse timeline: columns of every interval, then rows in the order of
 * the header, with sizes scaled by a power of two so that no row is rounded. */
#include "formulation/coarse.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "formulation/internal.h"

/* A model under construction: the columns first. */
typedef struct builder {
    coarse *c;
    const graph *g;
    double scale;
    int64_t *bytes; /* as formulation_round_memory has them, like the budget */
    int64_t *workspace;
    double budget;    /* scaled */
    int *load;        /* columns, extent points+1 */
    int *need;        /* of the interval's stage, by edge as in graph->user: needed_at */
    lp_row_list rows; /* terms <= upper */
    int row_capacity, column_capacity;
} builder;

/* ---- columns ------------------------------------------------------------------ */

static void name_column(builder *b, coarse_column_kind kind, int j, int i, int k)
{
    coarse *c = b->c;
    const int col = c->model->cols - 1;
    c->column = base_grow(c->column, col, &b->column_capacity, sizeof *c->column);
    c->column[col] = (formulation_key){(int)kind, j, i, k};
}

static int add_binary(builder *b, coarse_column_kind kind, int j, int i, double cost, double lower)
{
    const int col =
        lp_model_add_col(b->c->model, cost * b->scale, lower, 1, true, 0, NULL, NULL, NULL);
    name_column(b, kind, j, i, -1);
    return col;
}

static int add_continuous(builder *b, coarse_column_kind kind, int j, int i, int k, double upper)
{
    const int col = lp_model_add_col(b->c->model, 0, 0, upper, false, 0, NULL, NULL, NULL);
    name_column(b, kind, j, i, k);
    return col;
}

/* The interval is one stage. */
static bool has_events(const builder *b, int j)
{
    const coarse *c = b->c;
    return j > 0 && j < c->points && coarse_end(c, j) == coarse_before(c, j) + 1;
}

/* Tensors that have a use in interval j and were computed before it. */
static void add_columns(builder *b, int j)
{
    coarse *c = b->c;
    const graph *g = b->g;
    const int before = coarse_before(c, j), end = coarse_end(c, j);
    for (int i = 0; i <= before; i++) {
        const size_t k = coarse_cell(c, j, i);
        /* The point's node and its inputs are there; other tensors only if of use later. */
        if (i < before && (g->reach[i] > before || graph_is_input(g, i, before)))
            c->live[k] = add_binary(b, COARSE_LIVE, j, i, 0, graph_is_input(g, i, before) ? 1 : 0);
        if (g->reach[i] <= before)
            continue;
        if (problem_may_recompute(c->problem, i))
            c->compute[k] = add_binary(b, COARSE_COMPUTE, j, i, g->joules[i], 0);
        if (problem_may_page(c->problem, i))
            c->pagein[k] = add_binary(b, COARSE_PAGEIN, j, i, g->pagein_joules[i], 0);
        if (j < c->points && (g->reach[i] > end || graph_is_input(g, i, end)))
            c->kept[k] = add_binary(b, COARSE_KEPT, j, i, 0, 0);
    }
    if (j > 0 && j < c->points && !has_events(b, j))
        b->load[j] = add_continuous(b, COARSE_LOAD, j, -1, -1, b->budget);
}

static void add_all_columns(builder *b)
{
    coarse *c = b->c;
    for (int j = 0; j <= c->points; j++)
        add_columns(b, j);
    for (int i = 0; i < b->g->n; i++)
        if (problem_may_page(c->problem, i))
            c->out[i] = add_binary(b, COARSE_OUT, 1, i, b->g->pageout_joules[i], 0);
}

/* ---- rows --------------------------------------------------------------------- */

static void term(builder *b, int col, double value)
{
    if (col >= 0 && value != 0)
        lp_row_list_add(&b->rows, col, value);
}

static void close_row(builder *b, coarse_row_kind kind, int j, int i, int k, double upper)
{
    coarse *c = b->c;
    c->row = base_grow(c->row, b->rows.count, &b->row_capacity, sizeof *c->row);
    c->row[b->rows.count] = (formulation_key){(int)kind, j, i, k};
    lp_row_list_end(&b->rows, -LP_INFINITY, upper);
}

/* Bytes in units in which the budget is about 1: a power of two, so that no row is rounded as long
 * as sums of sizes stay below 2^53. */
static double scaled(const builder *b, int64_t bytes)
{
    return (double)bytes * b->c->byte_scale;
}

/* True if a node that is first computed inside interval j reads i. */
static bool is_read_inside(const builder *b, int j, int i)
{
    const graph *g = b->g;
    for (int e = g->user_start[i]; e < g->user_start[i + 1]; e++)
        if (g->user[e] > coarse_before(b->c, j) && g->user[e] < coarse_end(b->c, j))
            return true;
    return false;
}

/* Inputs of a node that is computed in interval j: if col is 1, or always if col < 0. A row with a
 * col follows from one without, and is left out beside it. */
static void input_rows(builder *b, int j, int node, int col)
{
    const graph *g = b->g;
    const int before = coarse_before(b->c, j);
    for (int e = g->input_start[node]; e < g->input_start[node + 1]; e++) {
        const int i = g->input[e];
        if (i >= before) /* the point's node, or one first computed in the interval */
            continue;
        if (col >= 0 && is_read_inside(b, j, i))
            continue;
        const size_t k = coarse_cell(b->c, j, i);
        term(b, col, 1);
        term(b, b->c->live[k], -1);
        term(b, b->c->compute[k], -1);
        term(b, b->c->pagein[k], -1);
        close_row(b, COARSE_ROW_INPUT, j, i, node, col < 0 ? -1 : 0);
    }
}

/* A tensor live at the next point was kept, or computed or paged in within the interval. */
static void keeping_rows(builder *b, int j, int i)
{
    const coarse *c = b->c;
    const size_t k = coarse_cell(c, j, i);
    const int next = c->live[coarse_cell(c, j + 1, i)];
    if (next < 0)
        return;
    term(b, next, 1);
    term(b, c->kept[k], -1);
    term(b, c->compute[k], -1);
    term(b, c->pagein[k], -1);
    close_row(b, COARSE_ROW_LIVE, j, i, -1, 0);
    if (c->kept[k] < 0)
        return;
    term(b, c->kept[k], 1);
    term(b, next, -1);
    close_row(b, COARSE_ROW_LEFT, j, i, -1, 0);
    if (c->live[k] < 0)
        return;
    term(b, c->kept[k], 1);
    term(b, c->live[k], -1);
    close_row(b, COARSE_ROW_KEPT, j, i, -1, 0);
}

/* A page-in can wait until the interval in which it is used: it costs the same and takes less
 * memory. */
static void late_row(builder *b, int j, int i)
{
    const graph *g = b->g;
    const int before = coarse_before(b->c, j), end = coarse_end(b->c, j);
    for (int e = g->user_start[i]; e < g->user_start[i + 1]; e++)
        if (g->user[e] > before && g->user[e] <= end)
            return; /* used in any case */
    term(b, b->c->pagein[coarse_cell(b->c, j, i)], 1);
    for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] <= before; e++)
        term(b, b->c->compute[coarse_cell(b->c, j, g->user[e])], -1);
    close_row(b, COARSE_ROW_USED, j, i, -1, 0);
}

/* A tensor with a use behind interval j is kept in it, computed by then, or ever paged in. This is
 * the sum of rows from j on, with out in place of all page-ins. Without it the LP pages a small
 * part out and in again and again. */
static void back_row(builder *b, int j, int i)
{
    const coarse *c = b->c;
    const graph *g = b->g;
    int e = g->user_start[i], last = j;
    while (e < g->user_start[i + 1] && g->user[e] <= coarse_end(c, j))
        e++;
    if (e == g->user_start[i + 1])
        return;
    while (coarse_end(c, last) < g->user[e])
        last++;
    term(b, c->out[i], -1);
    term(b, c->kept[coarse_cell(c, j, i)], -1);
    for (int k = j; k <= last; k++)
        term(b, c->compute[coarse_cell(c, k, i)], -1);
    close_row(b, COARSE_ROW_BACK, j, i, -1, -1);
}

static void load_row(builder *b, int j)
{
    for (int i = 0; i <= coarse_before(b->c, j); i++)
        if (b->c->kept[coarse_cell(b->c, j, i)] >= 0)
            term(b, b->c->kept[coarse_cell(b->c, j, i)], scaled(b, b->bytes[i]));
    term(b, b->load[j], -1);
    close_row(b, COARSE_ROW_LOAD, j, -1, -1, 0);
}

/* A node that is computed within interval j (col < 0: in every solution; else if col is 1) fits
 * beside the kept tensors. */
static void room_row(builder *b, int j, int node, int col)
{
    const graph *g = b->g;
    double needed = scaled(b, b->bytes[node] + b->workspace[node]);
    term(b, b->load[j], 1);
    for (int e = g->input_start[node]; e < g->input_start[node + 1]; e++) {
        const int i = g->input[e];
        needed += scaled(b, b->bytes[i]);
        if (i <= coarse_before(b->c, j) && b->c->kept[coarse_cell(b->c, j, i)] >= 0)
            term(b, b->c->kept[coarse_cell(b->c, j, i)], -scaled(b, b->bytes[i]));
    }
    term(b, col, needed);
    close_row(b, COARSE_ROW_ROOM, j, -1, node, col < 0 ? b->budget - needed : b->budget);
}

/* ---- an interval of one stage: its events, in the order of the nodes ------------------- */

/* The column of: i is needed at event k of the stage or later, by a node computed again there or at
 * the point that ends it; -1: it never is. */
static int needed_at(const builder *b, int j, int i, int k)
{
    const graph *g = b->g;
    for (int e = g->user_start[i]; e < g->user_start[i + 1]; e++)
        if (g->user[e] >= k)
            return b->need[e];
    return b->c->live[coarse_cell(b->c, j + 1, i)];
}

static void need_columns(builder *b, int j, int i)
{
    const graph *g = b->g;
    const coarse *c = b->c;
    int next = c->live[coarse_cell(c, j + 1, i)];
    for (int e = g->user_start[i + 1] - 1; e >= g->user_start[i]; e--) {
        const int user = g->user[e];
        const int again = user <= coarse_before(c, j) ? c->compute[coarse_cell(c, j, user)] : -1;
        if (again >= 0) {
            b->need[e] = add_continuous(b, COARSE_NEEDED, j, i, user, 1);
            term(b, again, 1);
            term(b, b->need[e], -1);
            close_row(b, COARSE_ROW_AGAIN, j, i, user, 0);
            if (next >= 0) {
                term(b, next, 1);
                term(b, b->need[e], -1);
                close_row(b, COARSE_ROW_LATER, j, i, user, 0);
            }
            next = b->need[e];
        }
        b->need[e] = next;
    }
}

/* i is in RAM as the stage begins: needed in it, and not computed again there. */
static int from_column(builder *b, int j, int i)
{
    const size_t k = coarse_cell(b->c, j, i);
    const int first = needed_at(b, j, i, 0);
    if (first < 0 || b->c->compute[k] < 0)
        return first;
    const int from = add_continuous(b, COARSE_FROM, j, i, -1, 1);
    term(b, first, 1);
    term(b, b->c->compute[k], -1);
    term(b, from, -1);
    close_row(b, COARSE_ROW_FROM, j, i, -1, 0);
    if (b->c->kept[k] >= 0) {
        term(b, b->c->kept[k], 1);
        term(b, from, -1);
        close_row(b, COARSE_ROW_STAYS, j, i, -1, 0);
    }
    return from;
}

/* Memory at each event: nodes before it that are still needed, and later ones that were in RAM
 * when the stage began. The set changes little from one event to the next. */
static void event_rows(builder *b, int j, const int *from)
{
    const graph *g = b->g;
    const coarse *c = b->c;
    const int before = coarse_before(c, j);
    bool begun = false;
    for (int k = 0; k <= before; k++) {
        const int again = c->compute[coarse_cell(c, j, k)];
        if (again >= 0) {
            const int there = add_continuous(b, COARSE_THERE, j, -1, k, b->budget);
            for (int i = k; i <= before && !begun; i++)
                term(b, from[i], scaled(b, b->bytes[i]));
            begun = true;
            term(b, there, -1);
            close_row(b, COARSE_ROW_THERE, j, -1, k, 0);
            term(b, there, 1);
            term(b, again, scaled(b, b->bytes[k] + b->workspace[k]));
            close_row(b, COARSE_ROW_EVENT, j, -1, k, b->budget);
            term(b, there, 1);
            for (int e = g->input_start[k]; e < g->input_start[k + 1]; e++) {
                const int i = g->input[e];
                term(b, needed_at(b, j, i, k + 1), scaled(b, b->bytes[i]));
                term(b, needed_at(b, j, i, k), -scaled(b, b->bytes[i]));
            }
        }
        const int needed = needed_at(b, j, k, k + 1);
        if (begun && needed == from[k])
            continue;
        term(b, needed, scaled(b, b->bytes[k]));
        if (begun)
            term(b, from[k], -scaled(b, b->bytes[k]));
    }
    b->rows.entries = b->rows.first; /* the point has a row of its own */
}

static void stage_rows(builder *b, int j)
{
    const int before = coarse_before(b->c, j);
    int *from = base_malloc((size_t)before + 1, sizeof *from);
    for (int i = 0; i <= before; i++)
        need_columns(b, j, i);
    for (int i = 0; i <= before; i++)
        from[i] = from_column(b, j, i);
    event_rows(b, j, from);
    base_free(from);
}

static void interval_rows(builder *b, int j)
{
    const coarse *c = b->c;
    const int before = coarse_before(c, j), end = coarse_end(c, j);
    const bool between = j > 0 && j < c->points && !has_events(b, j);
    if (between)
        load_row(b, j);
    for (int i = 0; i <= before; i++) {
        const size_t k = coarse_cell(c, j, i);
        if (j < c->points)
            keeping_rows(b, j, i);
        if (c->pagein[k] >= 0) {
            term(b, c->pagein[k], 1);
            term(b, c->out[i], -1);
            close_row(b, COARSE_ROW_STORED, j, i, -1, 0);
            late_row(b, j, i);
            back_row(b, j, i);
        }
        if (c->compute[k] >= 0) {
            input_rows(b, j, i, c->compute[k]);
            if (between)
                room_row(b, j, i, c->compute[k]);
        }
    }
    for (int t = before + 1; t <= end; t++) {
        input_rows(b, j, t, -1);
        if (between && t < end)
            room_row(b, j, t, -1);
    }
    if (has_events(b, j))
        stage_rows(b, j);
}

static void point_row(builder *b, int j)
{
    const int node = coarse_before(b->c, j);
    for (int i = 0; i < node; i++)
        term(b, b->c->live[coarse_cell(b->c, j, i)], scaled(b, b->bytes[i]));
    close_row(b, COARSE_ROW_MEMORY, j, -1, -1,
              b->budget - scaled(b, b->bytes[node] + b->workspace[node]));
}

/* Seconds beyond the base time. */
static void deadline_row(builder *b)
{
    const coarse *c = b->c;
    const graph *g = b->g;
    const double slack = problem_slack_seconds(c->problem);
    const double scale = formulation_deadline_scale(c->problem);
    const bool transfers = c->problem->deadline_includes_paging;
    if (slack == INFINITY)
        return;
    for (int j = 0; j <= c->points; j++)
        for (int i = 0; i <= coarse_before(c, j); i++) {
            term(b, c->compute[coarse_cell(c, j, i)], g->seconds[i] * scale);
            term(b, c->pagein[coarse_cell(c, j, i)], transfers ? g->pagein_seconds[i] * scale : 0);
        }
    for (int i = 0; i < g->n && transfers; i++)
        term(b, c->out[i], g->pageout_seconds[i] * scale);
    close_row(b, COARSE_ROW_DEADLINE, 1, -1, -1, slack * scale);
}

/* The limit on computations: what happens in an interval counts once. */
static void computation_rows(builder *b)
{
    const coarse *c = b->c;
    const int most = c->problem->max_computations - 1;
    for (int i = 0; i < b->g->n; i++)
        for (int j = 0; j <= c->points && most < c->points + 1; j++) {
            term(b, c->compute[coarse_cell(c, j, i)], 1);
            if (j == c->points)
                close_row(b, COARSE_ROW_COMPUTATIONS, 1, i, -1, most);
        }
}

static void add_all_rows(builder *b)
{
    for (int j = 0; j <= b->c->points; j++) {
        interval_rows(b, j);
        if (j > 0)
            point_row(b, j);
    }
    computation_rows(b);
    deadline_row(b);
    const lp_row_list *r = &b->rows;
    lp_model_add_rows(b->c->model, r->count, r->lower, r->upper, r->start, r->col, r->value, NULL);
}

coarse *coarse_build(const problem *p, unsigned features, const int *point, int points,
                     double scale)
{
    const size_t n = (size_t)p->graph->n, cells = (size_t)(points + 1) * n;
    coarse *c = base_calloc(1, sizeof *c);
    assert(points >= 1);
    *c = (coarse){.problem = p,
                  .points = points,
                  .point = base_copy(point, (size_t)points, sizeof *point),
                  .model = lp_model_create(),
                  .live = formulation_none(cells),
                  .kept = formulation_none(cells),
                  .compute = formulation_none(cells),
                  .pagein = formulation_none(cells),
                  .out = formulation_none(n)};
    builder b = {.c = c, .g = p->graph, .scale = scale};
    b.bytes = base_malloc(2 * n, sizeof *b.bytes);
    b.workspace = b.bytes + n;
    const int64_t budget = formulation_round_memory(p, features, b.bytes, b.workspace);
    int exponent;
    frexp((double)budget, &exponent);
    c->byte_scale = ldexp(1, -exponent);
    b.budget = scaled(&b, budget);
    b.load = formulation_none((size_t)points + 1);
    b.need = formulation_none((size_t)p->graph->edge_count);
    add_all_columns(&b);
    add_all_rows(&b);
    base_free_all(b.bytes, b.load, b.need);
    lp_row_list_free(&b.rows);
    return c;
}

void coarse_free(coarse *c)
{
    if (!c)
        return;
    lp_model_free(c->model);
    base_free_all(c->column, c->row, c->point, c->live, c->kept, c->compute, c->pagein, c->out, c);
}
