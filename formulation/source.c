#include "formulation/source.h"

#include <math.h>
#include <string.h>

#include "formulation/internal.h"

typedef struct source_search {
    const formulation *f;
    const double *x;
    double min_efficacy;
    int max_depth;
    event_cut_list *list;
    int path[SOURCE_DEPTH];
    double *compute; /* R[t][k], extent n */
    double *use;     /* users of k computed in t, Out[t] of k and of its inputs */
    double *gain;    /* scratch, extent n */
} source_search;

static double value(const source_search *s, cell_kind kind, int t, int i)
{
    int col = cell_col(s->f, kind, t, i);
    return col >= 0 ? s->x[col] : 0;
}

static double computed_value(const source_search *s, int t, int i)
{
    return i == t ? 1 : i < t ? value(s, CELL_R, t, i) : 0;
}

static double resident_value(const source_search *s, int t, int i)
{
    return value(s, CELL_C, t, i) + value(s, CELL_P, t, i);
}

/* ---- writing a cut on columns --------------------------------------------------- */

typedef struct cut_terms {
    event_cut *cut;
    int capacity;
    double constant;
} cut_terms;

/* A column may stand for several cells: its terms add up. */
static void term(cut_terms *w, int col, double coef)
{
    event_cut *cut = w->cut;
    if (col < 0)
        return;
    for (int q = cut->count - 1; q >= 0; q--)
        if (cut->col[q] == col) {
            cut->value[q] += coef;
            return;
        }
    if (cut->count == w->capacity) {
        w->capacity = 2 * w->capacity + 64;
        cut->col = base_realloc(cut->col, (size_t)w->capacity, sizeof *cut->col);
        cut->value = base_realloc(cut->value, (size_t)w->capacity, sizeof *cut->value);
    }
    cut->col[cut->count] = col;
    cut->value[cut->count++] = coef;
}

static void term_computed(cut_terms *w, const formulation *f, int t, int i, double coef)
{
    if (i == t)
        w->constant += coef;
    else if (i < t)
        term(w, cell_col(f, CELL_R, t, i), coef);
}

bool source_cut_express(const formulation *f, event_cut *cut)
{
    const graph *g = f->problem->graph;
    int a = cut->t, b = cut->last, k = cut->k, source = cut->path[cut->depth - 1];
    cut->count = 0;
    cut_terms w = {cut, 0, 0};
    base_free(cut->col);
    base_free(cut->value);
    cut->col = NULL;
    cut->value = NULL;
    for (int t = a; t <= b; t++) {
        term_computed(&w, f, t, k, 1);
        term_computed(&w, f, t, source, -1);
    }
    for (int j = 0; j < cut->depth; j++) {
        term(&w, cell_col(f, CELL_C, a, cut->path[j]), -1);
        term(&w, cell_col(f, CELL_P, a, cut->path[j]), -1);
    }
    for (int t = a; t < b; t++) {
        for (int j = 0; j < cut->depth; j++)
            term(&w, cell_col(f, CELL_IN, t, cut->path[j]), -1);
        for (int e = g->user_start[k]; e < g->user_start[k + 1] && g->user[e] <= t; e++)
            term_computed(&w, f, t, g->user[e], -1);
        term(&w, cell_col(f, CELL_OUT, t, k), -1);
        for (int q = g->input_start[k]; q < g->input_start[k + 1]; q++)
            term(&w, cell_col(f, CELL_OUT, t, g->input[q]), -1);
    }
    int kept = 0;
    for (int q = 0; q < cut->count; q++)
        if (cut->value[q] != 0) {
            cut->col[kept] = cut->col[q];
            cut->value[kept++] = cut->value[q];
        }
    cut->count = kept;
    cut->upper = -w.constant;
    return true;
}

/* ---- separation ------------------------------------------------------------------ */

static void store(source_search *s, int k, int depth, int a, int b)
{
    event_cut cut = {.t = a, .k = k, .depth = depth, .last = b};
    memcpy(cut.path, s->path, sizeof cut.path);
    source_cut_express(s->f, &cut);
    double activity = 0, norm = 0;
    for (int q = 0; q < cut.count; q++) {
        activity += cut.value[q] * s->x[cut.col[q]];
        norm += cut.value[q] * cut.value[q];
    }
    cut.efficacy = norm > 0 ? (activity - cut.upper) / sqrt(norm) : 0;
    if (cut.efficacy >= s->min_efficacy) {
        *event_cut_list_add(s->list) = cut;
    } else {
        base_free(cut.col);
        base_free(cut.value);
    }
}

/* The most violated interval for node k and the path: for each a the best b lies at a suffix
 * maximum of gain(b) = sum_{t<=b} (R_k - R_source) - sum_{t<b} (pagein + use). */
static void search_path(source_search *s, int k, int depth)
{
    int n = s->f->problem->graph->n, source = s->path[depth - 1];
    double *gain = s->gain;
    double sum = 0;
    for (int t = k + 1; t < n; t++) {
        gain[t] = sum + s->compute[t] - computed_value(s, t, source);
        double in = 0;
        for (int j = 0; j < depth; j++)
            in += value(s, CELL_IN, t, s->path[j]);
        sum = gain[t] - in - s->use[t];
    }
    double violation = 1e-6, best = -INFINITY;
    int best_b = -1, found_a = -1, found_b = -1;
    for (int a = n - 1; a > k; a--) {
        if (gain[a] > best) {
            best = gain[a];
            best_b = a;
        }
        double before = 0; /* the prefix sum up to a - 1, with its page-ins and uses */
        if (a > k + 1) {
            before = gain[a - 1] - s->use[a - 1];
            for (int j = 0; j < depth; j++)
                before -= value(s, CELL_IN, a - 1, s->path[j]);
        }
        double present = 0;
        for (int j = 0; j < depth; j++)
            present += resident_value(s, a, s->path[j]);
        if (best - before - present > violation) {
            violation = best - before - present;
            found_a = a;
            found_b = best_b;
        }
    }
    if (found_a >= 0)
        store(s, k, depth, found_a, found_b);
}

static void search_paths(source_search *s, int k, int depth)
{
    const graph *g = s->f->problem->graph;
    int from = depth == 0 ? k : s->path[depth - 1];
    for (int q = g->input_start[from]; q < g->input_start[from + 1]; q++) {
        s->path[depth] = g->input[q];
        search_path(s, k, depth + 1);
        if (depth + 1 < s->max_depth)
            search_paths(s, k, depth + 1);
    }
}

void formulation_separate_sources(const formulation *f, const double *x, int max_depth,
                                  double min_efficacy, event_cut_list *list)
{
    const graph *g = f->problem->graph;
    size_t n = (size_t)g->n;
    source_search s = {f, x, min_efficacy, max_depth, list, {0}, NULL, NULL, NULL};
    s.compute = base_calloc(n, sizeof *s.compute);
    s.use = base_calloc(n, sizeof *s.use);
    s.gain = base_calloc(n, sizeof *s.gain);
    for (int k = 0; k < g->n; k++) {
        double total = 0;
        for (int t = k + 1; t < g->n; t++) {
            s.compute[t] = value(&s, CELL_R, t, k);
            total += s.compute[t];
            s.use[t] = value(&s, CELL_OUT, t, k);
            for (int e = g->user_start[k]; e < g->user_start[k + 1] && g->user[e] <= t; e++)
                s.use[t] += computed_value(&s, t, g->user[e]);
            for (int q = g->input_start[k]; q < g->input_start[k + 1]; q++)
                s.use[t] += value(&s, CELL_OUT, t, g->input[q]);
        }
        if (total > 1e-6)
            search_paths(&s, k, 0);
    }
    base_free(s.compute);
    base_free(s.use);
    base_free(s.gain);
}
