/* The published model: Algorithm 1 of the paper with the memory recurrence of its
 * artifact (Checkmate, equations 2 and 3). Cells (t,i) of one matrix are numbered by
 * the lower triangle: R includes the diagonal, the other four do not. */
#include "formulation/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { S_, A_, IN_, OUT_ };

typedef struct published {
    const problem *p;
    const graph *g;
    lp_model *m;
    lp_row_list rows;
    char **name; /* of the rows */
    int name_capacity;
    double scale; /* of bytes: a power of two, the largest tensor is in [1,2) */
    int free_first, memory_first;
} published;

static int cell_r(const published *b, int t, int i)
{
    (void)b;
    return t * (t + 1) / 2 + i;
}

/* Matrix S_, A_, IN_ or OUT_; -1 outside the triangle. */
static int cell_of(const published *b, int matrix, int t, int i)
{
    int n = b->g->n;
    if (t >= n || i >= t)
        return -1;
    return n * (n + 1) / 2 + matrix * (n * (n - 1) / 2) + t * (t - 1) / 2 + i;
}

static void term(published *b, int col, double value)
{
    if (col >= 0)
        lp_row_list_add(&b->rows, col, value);
}

static void end_row(published *b, double lower, double upper, const char *kind, int t, int i, int k)
{
    base_work(500);
    b->name = base_grow(b->name, b->rows.count, &b->name_capacity, sizeof *b->name);
    b->name[b->rows.count] = formulation_name(b->g, kind, t, i, k);
    lp_row_list_end(&b->rows, lower, upper);
}

static void at_least_zero(published *b, const char *kind, int t, int i, int k)
{
    end_row(b, 0, LP_INFINITY, kind, t, i, k);
}

static void add_col(published *b, const char *kind, int t, int i, int k, double cost, double lower,
                    double upper, bool integer)
{
    char *name = formulation_name(b->g, kind, t, i, k);
    lp_model_add_col(b->m, cost, lower, upper, integer, 0, NULL, NULL, name);
    base_free(name);
}

static void add_cells(published *b)
{
    const graph *g = b->g;
    const problem *p = b->p;
    int n = g->n;
    for (int t = 0; t < n; t++)
        for (int i = 0; i <= t; i++)
            add_col(b, "R", t, i, -1, g->joules[i], i == t, i == t || problem_may_recompute(p, i),
                    true);
    static const char *const names[] = {"S", "A", "In", "Out"};
    for (int matrix = S_; matrix <= OUT_; matrix++)
        for (int t = 0; t < n; t++)
            for (int i = 0; i < t; i++) {
                double cost = matrix == IN_    ? g->pagein_joules[i]
                              : matrix == OUT_ ? g->pageout_joules[i]
                                               : 0;
                add_col(b, names[matrix], t, i, -1, cost, 0, matrix == S_ || problem_may_page(p, i),
                        true);
            }
    b->free_first = b->m->cols;
    for (int t = 0; t < n; t++)
        for (int i = 0; i <= t; i++)
            for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] <= t; e++)
                add_col(b, "Free", t, i, g->user[e], 0, 0, 1, true);
    b->memory_first = b->m->cols;
    for (int t = 0; t < n; t++)
        for (int k = 0; k <= t; k++)
            add_col(b, "U", t, k, -1, 0, 0, (double)b->p->ram_budget_bytes * b->scale, false);
}

static void flow_rows(published *b, int t)
{
    const graph *g = b->g;
    for (int j = 0; j <= t; j++)
        for (int q = g->input_start[j]; q < g->input_start[j + 1]; q++) {
            int i = g->input[q];
            term(b, cell_r(b, t, i), 1);
            term(b, cell_of(b, S_, t, i), 1);
            term(b, cell_r(b, t, j), -1);
            at_least_zero(b, "input", t, i, j);
        }
    for (int i = 0; i <= t; i++) {
        if (t + 1 < g->n) {
            term(b, cell_of(b, S_, t, i), 1);
            term(b, cell_r(b, t, i), 1);
            term(b, cell_of(b, IN_, t, i), 1);
            term(b, cell_of(b, S_, t + 1, i), -1);
            at_least_zero(b, "ram", t, i, -1);
            term(b, cell_of(b, A_, t, i), 1);
            term(b, cell_of(b, OUT_, t, i), 1);
            term(b, cell_of(b, A_, t + 1, i), -1);
            at_least_zero(b, "storage", t, i, -1);
        }
        if (i == t)
            continue;
        term(b, cell_of(b, A_, t, i), 1);
        term(b, cell_of(b, IN_, t, i), -1);
        at_least_zero(b, "pagein", t, i, -1);
        term(b, cell_of(b, S_, t, i), 1);
        term(b, cell_of(b, OUT_, t, i), -1);
        at_least_zero(b, "pageout", t, i, -1);
    }
}

/* Free[t][(i,k)] = 1 iff nothing hinders: k runs, i is not kept, no later user runs. */
static int release_rows(published *b, int t, int first)
{
    const graph *g = b->g;
    int col = first;
    for (int i = 0; i <= t; i++)
        for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] <= t; e++, col++) {
            int k = g->user[e];
            for (int sense = 0; sense < 2; sense++) {
                int hazards = 1;
                term(b, cell_r(b, t, k), -1);
                if (t + 1 < g->n) {
                    term(b, cell_of(b, S_, t + 1, i), 1);
                    hazards++;
                }
                for (int h = e + 1; h < g->user_start[i + 1] && g->user[h] <= t; h++, hazards++)
                    term(b, cell_r(b, t, g->user[h]), 1);
                if (sense == 0) { /* 1 - Free <= hazards */
                    term(b, col, 1);
                    end_row(b, 0, LP_INFINITY, "free", t, i, k);
                } else { /* hazards <= kappa (1 - Free) */
                    term(b, col, hazards);
                    end_row(b, -LP_INFINITY, hazards - 1, "held", t, i, k);
                }
            }
        }
    return col;
}

static void memory_rows(published *b, int t, const int *free_at)
{
    const graph *g = b->g;
    int base = b->memory_first + t * (t + 1) / 2;
    for (int k = 0; k <= t; k++) {
        term(b, base + k, 1);
        term(b, cell_r(b, t, k), -(double)g->bytes[k] * b->scale);
        if (k == 0) {
            for (int i = 0; i < t; i++) {
                term(b, cell_of(b, S_, t, i), -(double)g->bytes[i] * b->scale);
                if (b->p->charge_pagein_transfer)
                    term(b, cell_of(b, IN_, t, i), -(double)g->bytes[i] * b->scale);
            }
        } else {
            term(b, base + k - 1, -1);
            for (int q = g->input_start[k - 1]; q < g->input_start[k]; q++) {
                const int i = g->input[q];
                term(b, free_at[i] + graph_edge(g, i, k - 1) - g->user_start[i],
                     (double)g->bytes[i] * b->scale);
            }
        }
        end_row(b, 0, 0, "memory", t, k, -1);
        if (g->workspace[k] == 0)
            continue;
        term(b, base + k, 1);
        term(b, cell_r(b, t, k), (double)g->workspace[k] * b->scale);
        end_row(b, -LP_INFINITY, (double)b->p->ram_budget_bytes * b->scale, "workspace", t, k, -1);
    }
}

static void deadline_row(published *b)
{
    const graph *g = b->g;
    double slack = problem_slack_seconds(b->p);
    if (isinf(slack) && slack > 0)
        return;
    for (int t = 0; t < g->n; t++)
        for (int i = 0; i < t; i++) {
            term(b, cell_r(b, t, i), g->seconds[i]);
            if (b->p->deadline_includes_paging) {
                term(b, cell_of(b, IN_, t, i), g->pagein_seconds[i]);
                term(b, cell_of(b, OUT_, t, i), g->pageout_seconds[i]);
            }
        }
    end_row(b, -LP_INFINITY, slack, "deadline", -1, -1, -1);
}

static void computation_rows(published *b)
{
    const int n = b->g->n;
    for (int i = 0; i < n && problem_limits_computations(b->p); i++) {
        for (int t = i; t < n; t++)
            term(b, cell_r(b, t, i), 1);
        end_row(b, -LP_INFINITY, b->p->max_computations, "computations", -1, i, -1);
    }
}

lp_model *formulation_published(const problem *p)
{
    const graph *g = p->graph;
    published b = {.p = p, .g = g, .m = lp_model_create()};
    int64_t largest = 1;
    for (int i = 0; i < g->n; i++) {
        largest = g->bytes[i] > largest ? g->bytes[i] : largest;
        largest = g->workspace[i] > largest ? g->workspace[i] : largest;
    }
    int exponent;
    frexp((double)largest, &exponent);
    b.scale = ldexp(1, 1 - exponent);
    add_cells(&b);

    int *free_at = base_malloc((size_t)g->n, sizeof *free_at);
    int col = b.free_first;
    for (int t = 0; t < g->n; t++) {
        int at = col;
        for (int i = 0; i <= t; i++) {
            free_at[i] = at;
            for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] <= t; e++)
                at++;
        }
        flow_rows(&b, t);
        col = release_rows(&b, t, col);
        memory_rows(&b, t, free_at);
    }
    deadline_row(&b);
    computation_rows(&b);
    const lp_row_list *rows = &b.rows;
    lp_model_add_rows(b.m, rows->count, rows->lower, rows->upper, rows->start, rows->col,
                      rows->value, b.name);
    for (int r = 0; r < rows->count; r++)
        base_free(b.name[r]);
    base_free_all(b.name, free_at);
    lp_row_list_free(&b.rows);
    return b.m;
}

schedule *formulation_published_extract(const problem *p, const double *x)
{
    const graph *g = p->graph;
    const published b = {.p = p, .g = g};
    schedule *s = schedule_create(g->n);
    uint8_t *const matrix[] = {[S_] = s->S, [A_] = s->A, [IN_] = s->In, [OUT_] = s->Out};
    for (int t = 0; t < g->n; t++)
        for (int i = 0; i < t; i++) {
            s->R[schedule_cell(s, t, i)] = x[cell_r(&b, t, i)] > 0.5;
            for (int m = S_; m <= OUT_; m++)
                matrix[m][schedule_cell(s, t, i)] = x[cell_of(&b, m, t, i)] > 0.5;
        }
    return s;
}
