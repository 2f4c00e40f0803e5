/* The rows of the tight model. Those that are there only with CANONICAL hold for a canonical
 * schedule, which docs/formulation.md defines: the first, in an order, of the optimal schedules of
 * the problem that grants early releases. Beside each stands the exchange that moves any other one
 * down that order. The others hold for every schedule, or say so. */
#include "formulation/internal.h"
#include "formulation/total.h"

#include <assert.h>
#include <math.h>

/* Collects rows; each is sum of terms <= upper, constants moved to the right. */
typedef struct row_builder {
    formulation *f;
    int rows, row_capacity;
    int entries, entry_capacity;
    double *lower, *upper;
    int *start;
    int *col;
    double *value;
    formulation_key *key;
    int *place;      /* entry of a column in the open row, -1; extent cols */
    double constant; /* of the open row's left side */
} row_builder;

static void add_term(row_builder *b, int col, double coef)
{
    if (col < 0 || coef == 0)
        return;
    if (b->place[col] >= 0) {
        b->value[b->place[col]] += coef;
        return;
    }
    if (b->entries == b->entry_capacity) {
        b->entry_capacity *= 2;
        b->col = base_realloc(b->col, (size_t)b->entry_capacity, sizeof *b->col);
        b->value = base_realloc(b->value, (size_t)b->entry_capacity, sizeof *b->value);
    }
    b->place[col] = b->entries;
    b->col[b->entries] = col;
    b->value[b->entries++] = coef;
}

static void add_s(row_builder *b, int t, int i, double coef)
{
    add_term(b, cell_col(b->f, CELL_C, t, i), coef);
    add_term(b, cell_col(b->f, CELL_P, t, i), coef);
}

/* R[t][i], a constant 1 on the diagonal. */
static void add_r(row_builder *b, int t, int i, double coef)
{
    if (i == t)
        b->constant += coef;
    else if (i < t)
        add_term(b, cell_col(b->f, CELL_R, t, i), coef);
}

/* i is in RAM in stage t, resident or computed: S + R, less D where both are 1. */
static void add_present(row_builder *b, int t, int i, double coef)
{
    add_s(b, t, i, coef);
    add_r(b, t, i, coef);
    if (i < t)
        add_term(b, b->f->twice_col[cell_index(b->f, t, i)], -coef);
}

/* Users of i that may be computed in stage t. */
static void add_users(row_builder *b, int t, int i, double coef)
{
    const graph *g = b->f->problem->graph;
    for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] <= t; e++)
        add_r(b, t, g->user[e], coef);
}

/* Page-outs of i before stage t: what is on storage then. */
static void add_stored(row_builder *b, int t, int i, double coef)
{
    for (int s = i + 1; s < t; s++)
        add_term(b, cell_col(b->f, CELL_OUT, s, i), coef);
}

/* Ends the open row. Terms that cancelled are dropped; so is a row without terms that
 * holds (one that does not makes the model infeasible, as it should). */
static void close_row(row_builder *b, double lower, double upper, formulation_key key)
{
    int first = b->start[b->rows], out = first;
    for (int e = first; e < b->entries; e++) {
        b->place[b->col[e]] = -1;
        if (b->value[e] != 0) {
            b->col[out] = b->col[e];
            b->value[out++] = b->value[e];
        }
    }
    b->entries = out;
    lower -= b->constant;
    upper -= b->constant;
    b->constant = 0;
    if (out == first && lower <= 1e-9 && upper >= -1e-9)
        return;
    if (b->rows + 1 >= b->row_capacity) {
        b->row_capacity *= 2;
        size_t size = (size_t)b->row_capacity;
        b->lower = base_realloc(b->lower, size, sizeof *b->lower);
        b->upper = base_realloc(b->upper, size, sizeof *b->upper);
        b->start = base_realloc(b->start, size + 1, sizeof *b->start);
        b->key = base_realloc(b->key, size, sizeof *b->key);
    }
    b->lower[b->rows] = lower;
    b->upper[b->rows] = upper;
    b->key[b->rows] = key;
    b->start[++b->rows] = b->entries;
}

static void close_at_most(row_builder *b, double upper, int kind, int t, int i, int k)
{
    close_row(b, -LP_INFINITY, upper, (formulation_key){kind, t, i, k});
}

/* Whether i has a release column in stage t, early or after a user k < below. */
static bool has_release(const formulation *f, int t, int i, int below)
{
    const graph *g = f->problem->graph;
    if (f->early_col[cell_index(f, t, i)] >= 0)
        return true;
    for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] < below; e++)
        if (free_cell(f, t, e) >= 0)
            return true;
    return false;
}

static void add_releases_before(row_builder *b, int t, int i, int below, double coef)
{
    const graph *g = b->f->problem->graph;
    add_term(b, b->f->early_col[cell_index(b->f, t, i)], coef);
    for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] < below; e++)
        add_term(b, free_cell(b->f, t, e), coef);
}

/* Inputs present when k is computed in t. Where i may have been released before k, the row
 * also says that nothing released it; it is then the stronger one. */
static void input_rows(row_builder *b, int t, int k)
{
    formulation *f = b->f;
    const graph *g = f->problem->graph;
    bool release = f->features & FORMULATION_RELEASE;
    for (int q = g->input_start[k]; q < g->input_start[k + 1]; q++) {
        int i = g->input[q];
        bool before = release && has_release(f, t, i, k);
        add_r(b, t, k, 1);
        add_present(b, t, i, -1);
        if (before)
            add_releases_before(b, t, i, k, 1);
        close_at_most(b, 0, before ? ROW_FREE_BEFORE : ROW_INPUT, t, i, k);
    }
}

/* RAM and storage have a source. */
static void source_rows(row_builder *b, int t, int i)
{
    formulation *f = b->f;
    const bool origin = f->features & FORMULATION_ORIGIN;
    const bool canonical = f->features & FORMULATION_CANONICAL;
    int c = cell_col(f, CELL_C, t + 1, i), p = cell_col(f, CELL_P, t + 1, i);
    int in = i < t ? cell_col(f, CELL_IN, t, i) : -1;
    if (c >= 0 && i < t && c != cell_col(f, CELL_C, t, i)) {
        add_term(b, c, 1);
        add_term(b, cell_col(f, CELL_C, t, i), -1);
        add_r(b, t, i, -1);
        if (!origin)
            add_term(b, in, -1);
        close_at_most(b, 0, ROW_SOURCE_C, t, i, -1);
    }
    if (p >= 0 && p != cell_col(f, CELL_P, t, i)) {
        add_term(b, p, 1);
        add_term(b, cell_col(f, CELL_P, t, i), -1);
        add_term(b, in, -1);
        close_at_most(b, 0, ROW_SOURCE_P, t, i, -1);
    }
    if (in >= 0) {
        /* With the split by origin what a canonical schedule pages in is kept at least for the next
         * stage, and being kept says that it is on storage: one row a copy speaks of storage, not
         * one a page-in. */
        add_term(b, in, 1);
        if (origin && canonical)
            add_term(b, p, -1);
        else
            add_stored(b, t, i, -1);
        close_at_most(b, 0, ROW_STORED_IN, t, i, -1);
    }
    int here = i < t ? cell_col(f, CELL_P, t, i) : -1;
    if (here >= 0 && here != cell_col(f, CELL_P, t - 1, i)) {
        /* Came from storage, and storage never forgets. */
        add_term(b, here, 1);
        add_stored(b, t, i, -1);
        close_at_most(b, 0, ROW_STORED_P, t, i, -1);
    }
    int out = i < t ? cell_col(f, CELL_OUT, t, i) : -1;
    if (out >= 0) {
        add_term(b, out, 1);
        if (canonical)
            /* A copy that came from storage is there already. */
            add_term(b, cell_col(f, CELL_C, t, i), -1);
        else
            add_s(b, t, i, -1);
        close_at_most(b, 0, ROW_OUT_FROM, t, i, -1);
    }
}

/* Canonical rows of cell (t,i), i < t. */
static void canonical_rows(row_builder *b, int t, int i)
{
    formulation *f = b->f;
    int r = cell_col(f, CELL_R, t, i), in = cell_col(f, CELL_IN, t, i);
    int out = cell_col(f, CELL_OUT, t, i);
    int c = cell_col(f, CELL_C, t, i), p = cell_col(f, CELL_P, t, i);
    if (in >= 0) {
        /* Not used in t+1: page it in one stage later, if kept on; else not at all. */
        add_term(b, in, 1);
        add_users(b, t + 1, i, -1);
        close_at_most(b, 0, ROW_USED_IN, t, i, -1);
    }
    if (r >= 0) {
        /* Neither used nor kept: do not recompute it. */
        add_term(b, r, 1);
        add_users(b, t, i, -1);
        add_s(b, t + 1, i, -1);
        close_at_most(b, 0, ROW_USED_R, t, i, -1);
    }
    if ((c >= 0 || p >= 0) &&
        !(c == cell_col(f, CELL_C, t + 1, i) && p == cell_col(f, CELL_P, t + 1, i))) {
        /* Neither used, kept on nor being written: drop it a stage earlier. */
        add_s(b, t, i, 1);
        add_users(b, t, i, -1);
        add_s(b, t + 1, i, -1);
        add_term(b, out, -1);
        close_at_most(b, 0, ROW_USED_S, t, i, -1);
    }
    if (out >= 0 && t > i + 1) {
        /* Being in RAM since it was computed, it can be written out a stage earlier. */
        add_term(b, out, 1);
        add_r(b, t - 1, i, -1);
        close_at_most(b, 0, ROW_OUT_FIRST, t, i, -1);
    }
}

/* Recomputed in t only to be kept: then an input dies in t, or i is written out in t+1, for which
 * it must be there when t+1 begins. If all inputs were kept too, i could be
 * recomputed in t+1 instead: there the inputs are present, i is absent until its turn, and no
 * input is held longer unless another of its users k < i is computed in t+1, or it is written out
 * in t+1, and would have been released then. One resident cell less. Written with the flow that
 * leaves each input,
 * S[t] + R[t] + In[t] - S[t+1] >= 0, because an input that dies was present: the sum over stages
 * then telescopes, and a fraction of an input cannot feed recomputations in many stages. */
static void late_row(row_builder *b, int t, int i)
{
    const graph *g = b->f->problem->graph;
    if (cell_col(b->f, CELL_R, t, i) < 0 || t + 1 >= g->n)
        return;
    add_r(b, t, i, 1);
    add_users(b, t, i, -1);
    add_term(b, cell_col(b->f, CELL_OUT, t + 1, i), -1);
    for (int q = g->input_start[i]; q < g->input_start[i + 1]; q++) {
        int u = g->input[q];
        add_s(b, t, u, -1);
        add_r(b, t, u, -1);
        add_term(b, cell_col(b->f, CELL_IN, t, u), -1);
        add_s(b, t + 1, u, 1);
        add_term(b, cell_col(b->f, CELL_OUT, t + 1, u), -1);
        for (int e = g->user_start[u]; e < g->user_start[u + 1] && g->user[e] < i; e++)
            add_r(b, t + 1, g->user[e], -1);
    }
    close_at_most(b, 0, ROW_LATE, t, i, -1);
}

/* A canonical schedule never brings what is there. Also needed for the release rows to be exact:
 * with S[t+1] = 1 nothing is released in t, so "release it and bring it again within the stage"
 * must not exist. Others may compute again what is there, for the releases that this makes: the row
 * says what D is. */
static void one_row(row_builder *b, int t, int i)
{
    formulation *f = b->f;
    const bool canonical = f->features & FORMULATION_CANONICAL;
    int r = cell_col(f, CELL_R, t, i), in = canonical ? cell_col(f, CELL_IN, t, i) : -1;
    int twice = f->twice_col[cell_index(f, t, i)];
    const bool both = cell_col(f, CELL_C, t, i) >= 0 && cell_col(f, CELL_P, t, i) >= 0;
    if (canonical ? r < 0 && in < 0 : twice < 0 && !both)
        return;
    add_present(b, t, i, 1);
    add_term(b, in, 1);
    close_at_most(b, 1, ROW_ONE, t, i, -1);
    if (twice < 0)
        return;
    add_term(b, twice, 1);
    add_s(b, t, i, -1);
    close_at_most(b, 0, ROW_TWICE, t, i, -1);
}

/* F[t,i] <= Out[t][i]; with the big-M, nothing uses or keeps i. */
static void early_row(row_builder *b, int t, int i)
{
    const formulation *f = b->f;
    const graph *g = f->problem->graph;
    int col = f->early_col[cell_index(f, t, i)];
    if (col < 0)
        return;
    add_term(b, col, 1);
    add_term(b, cell_col(f, CELL_OUT, t, i), -1);
    close_at_most(b, 0, ROW_FREE_USE, t, i, -1);
    if (f->features & FORMULATION_RELEASE)
        return;
    double kappa = 1;
    add_s(b, t + 1, i, 1);
    for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] <= t; e++)
        if (computed(f, t, g->user[e])) {
            add_r(b, t, g->user[e], 1);
            kappa += 1;
        }
    add_term(b, col, kappa);
    close_at_most(b, kappa, ROW_FREE_BIGM, t, i, -1);
}

static void release_rows(row_builder *b, int t, int i)
{
    formulation *f = b->f;
    const graph *g = f->problem->graph;
    if (!has_release(f, t, i, t))
        return;
    int in = i < t ? cell_col(f, CELL_IN, t, i) : -1;
    early_row(b, t, i);
    for (int e = g->user_start[i]; e < g->user_start[i + 1]; e++) {
        int col = g->user[e] < t ? free_cell(f, t, e) : -1;
        if (col < 0)
            continue;
        int k = g->user[e];
        if (f->features & FORMULATION_RELEASE) {
            add_term(b, col, 1);
            add_r(b, t, k, -1);
            close_at_most(b, 0, ROW_FREE_USE, t, i, k);
        } else {
            /* (1 - R[t][k]) + S[t+1][i] + sum of later users <= kappa (1 - F) */
            double kappa = 2;
            add_r(b, t, k, -1);
            add_s(b, t + 1, i, 1);
            for (int h = e + 1; h < g->user_start[i + 1] && g->user[h] <= t; h++)
                if (computed(f, t, g->user[h])) {
                    add_r(b, t, g->user[h], 1);
                    kappa += 1;
                }
            add_term(b, col, kappa);
            close_at_most(b, kappa - 1, ROW_FREE_BIGM, t, i, k);
        }
    }
    if (!(f->features & FORMULATION_RELEASE))
        return;
    if (t + 1 == g->n)
        in = -1;
    add_releases_before(b, t, i, t, 1);
    add_s(b, t + 1, i, 1);
    add_present(b, t, i, -1);
    add_term(b, in, -1);
    close_at_most(b, 0, ROW_FREE_KEEP, t, i, -1);
    if (in < 0)
        return; /* the row above says the others already */
    add_releases_before(b, t, i, t, 1);
    add_present(b, t, i, -1);
    close_at_most(b, 0, ROW_FREE_ONCE, t, i, -1);
    if (f->features & FORMULATION_CANONICAL)
        return; /* by ROW_ONE */
    add_releases_before(b, t, i, t, 1);
    add_s(b, t + 1, i, 1);
    close_at_most(b, 1, ROW_FREE_OR, t, i, -1);
}

/* load = sum of bytes of what is resident when stage t begins. */
static void load_row(row_builder *b, int t)
{
    const formulation *f = b->f;
    add_term(b, f->load_col[t], -1);
    for (int i = 0; i < t; i++)
        add_s(b, t, i, (double)f->bytes[i] * f->byte_scale);
    close_row(b, 0, 0, (formulation_key){ROW_LOAD, t, -1, -1});
}

/* Event (t,k): the load, what was computed by then, less what was released before k. */
static void memory_rows(row_builder *b, int t)
{
    const formulation *f = b->f;
    load_row(b, t);
    for (int k = 0; k <= t; k++) {
        if (!computed(f, t, k))
            continue;
        add_term(b, f->load_col[t], 1);
        for (int i = 0; i <= t; i++) {
            double bytes = (double)f->bytes[i] * f->byte_scale;
            if (i <= k)
                add_r(b, t, i, bytes);
            if (i < t && f->problem->charge_pagein_transfer)
                add_term(b, cell_col(f, CELL_IN, t, i), bytes);
            add_releases_before(b, t, i, k, -bytes);
        }
        close_at_most(b, (double)f->budget * f->byte_scale, ROW_MEMORY, t, -1, k);
    }
}

/* Storage never forgets: one page-out is enough. And being in RAM when stage i+1 begins, i can be
 * written out then rather than later: nothing else changes. With Out[i+1] <= C[i+1] the row says
 * both. Without it the relaxation keeps half of a tensor, and writes out the other half once that
 * has been computed again. */
static void out_once_row(row_builder *b, int i)
{
    const formulation *f = b->f;
    for (int t = i + 2; t < f->problem->graph->n; t++)
        add_term(b, cell_col(f, CELL_OUT, t, i), 1);
    if (b->entries == b->start[b->rows])
        return;
    add_term(b, cell_col(f, CELL_C, i + 1, i), 1);
    close_at_most(b, 1, ROW_OUT_ONCE, -1, i, -1);
}

static void once_and_total_rows(row_builder *b)
{
    formulation *f = b->f;
    const graph *g = f->problem->graph;
    if (f->features & FORMULATION_CANONICAL)
        for (int i = 0; i < g->n; i++)
            out_once_row(b, i);
    for (int j = 0; j < f->model->cols; j++) {
        if (f->column[j].kind != COLUMN_TOTAL)
            continue;
        const formulation_total *total = &f->total[f->column[j].i];
        add_term(b, j, 1);
        for (int i = 0; i < g->n; i++)
            for (int t = i + 1; t < g->n && total->weight[i] > 0; t++)
                add_term(b, cell_col(f, total->kind, t, i), -(double)total->weight[i]);
        close_row(b, 0, 0, (formulation_key){ROW_TOTAL, -1, f->column[j].i, -1});
    }
}

/* Seconds beyond the base time. */
static void deadline_row(row_builder *b)
{
    formulation *f = b->f;
    const problem *p = f->problem;
    const graph *g = p->graph;
    double slack = problem_slack_seconds(p);
    if (isinf(slack) && slack > 0)
        return;
    double scale = formulation_deadline_scale(p);
    for (int t = 0; t < g->n; t++)
        for (int i = 0; i < t; i++) {
            add_r(b, t, i, g->seconds[i] * scale);
            if (p->deadline_includes_paging) {
                add_term(b, cell_col(f, CELL_IN, t, i), g->pagein_seconds[i] * scale);
                add_term(b, cell_col(f, CELL_OUT, t, i), g->pageout_seconds[i] * scale);
            }
        }
    close_at_most(b, slack * scale, ROW_DEADLINE, -1, -1, -1);
}

void formulation_build_rows(formulation *f)
{
    const graph *g = f->problem->graph;
    row_builder b = {.f = f, .row_capacity = 4096, .entry_capacity = 8192};
    b.col = base_malloc((size_t)b.entry_capacity, sizeof *b.col);
    b.value = base_malloc((size_t)b.entry_capacity, sizeof *b.value);
    b.lower = base_malloc((size_t)b.row_capacity, sizeof *b.lower);
    b.upper = base_malloc((size_t)b.row_capacity, sizeof *b.upper);
    b.start = base_calloc((size_t)b.row_capacity + 1, sizeof *b.start);
    b.key = base_malloc((size_t)b.row_capacity, sizeof *b.key);
    b.place = base_malloc((size_t)f->model->cols + 1, sizeof *b.place);
    for (int j = 0; j < f->model->cols; j++)
        b.place[j] = -1;

    for (int t = 0; t < g->n; t++) {
        for (int k = 0; k <= t; k++)
            if (computed(f, t, k))
                input_rows(&b, t, k);
        for (int i = 0; i <= t; i++) {
            source_rows(&b, t, i);
            release_rows(&b, t, i);
            if (i == t)
                continue;
            one_row(&b, t, i);
            if (f->features & FORMULATION_CANONICAL)
                canonical_rows(&b, t, i);
            if (f->features & FORMULATION_LATE)
                late_row(&b, t, i);
        }
        memory_rows(&b, t);
    }
    once_and_total_rows(&b);
    deadline_row(&b);

    lp_model_add_rows(f->model, b.rows, b.lower, b.upper, b.start, b.col, b.value, NULL);
    f->row = b.key;
    base_free(b.lower);
    base_free(b.upper);
    base_free(b.start);
    base_free(b.col);
    base_free(b.value);
    base_free(b.place);
}
