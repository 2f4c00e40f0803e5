#include "formulation/source.h"

#include <math.h>
#include <string.h>

#include "formulation/internal.h"

enum { SUM_R, SUM_IN, SUM_OUT, SUMS };

typedef struct source_search {
    const formulation *f;
    const double *x;
    double min_efficacy;
    int max_depth;
    event_cut_list *list;
    int path[SOURCE_DEPTH];
    double *sum[SUMS]; /* at i*n+t: the cells of i before stage t, added up; extent n*n */
    double *compute;   /* R[t][k], extent n */
    double *uses;      /* users of k computed, Out of k and of its inputs, before stage t; n+1 */
    int *stage;        /* where x recomputes k, ascending; extent n */
    int stages;
} source_search;

static double value(const source_search *s, cell_kind kind, int t, int i)
{
    int col = cell_col(s->f, kind, t, i);
    return col >= 0 ? s->x[col] : 0;
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

/* How v_(j+1) may be there in the cut's stages: computed before, and from storage. */
static void term_source(cut_terms *w, const formulation *f, int j)
{
    const event_cut *cut = w->cut;
    int v = cut->path[j], a = cut->t, b = cut->last;
    term(w, cell_col(f, CELL_C, a, v), -1);
    if (cut->stored >> j & 1) {
        for (int t = v + 1; t < b - 1; t++)
            term(w, cell_col(f, CELL_OUT, t, v), -1);
        return;
    }
    term(w, cell_col(f, CELL_P, a, v), -1);
    for (int t = a; t < b; t++)
        term(w, cell_col(f, CELL_IN, t, v), -1);
}

/* What may have become of k in stage t before it is recomputed again. */
static void term_use(cut_terms *w, const formulation *f, int t, int k)
{
    const graph *g = f->problem->graph;
    for (int e = g->user_start[k]; e < g->user_start[k + 1] && g->user[e] <= t; e++)
        term_computed(w, f, t, g->user[e], -1);
    term(w, cell_col(f, CELL_OUT, t, k), -1);
    for (int q = g->input_start[k]; q < g->input_start[k + 1]; q++)
        term(w, cell_col(f, CELL_OUT, t, g->input[q]), -1);
}

bool source_cut_express(const formulation *f, event_cut *cut)
{
    int a = cut->t, b = cut->last, k = cut->k, source = cut->path[cut->depth - 1];
    cut->count = 0;
    cut_terms w = {cut, 0, 0};
    base_free(cut->col);
    base_free(cut->value);
    cut->col = NULL;
    cut->value = NULL;
    for (int t = a; t <= b; t++) {
        if (!cut->kept || t == b)
            term_computed(&w, f, t, k, 1);
        if (!cut->kept && t < b)
            term_use(&w, f, t, k);
        term_computed(&w, f, t, source, -1);
    }
    for (int j = 0; j < cut->depth; j++)
        term_source(&w, f, j);
    if (cut->kept) {
        term(&w, cell_col(f, CELL_C, b, k), 1);
        term(&w, cell_col(f, CELL_C, a, k), -1);
    }
    int left = 0;
    for (int q = 0; q < cut->count; q++)
        if (cut->value[q] != 0) {
            cut->col[left] = cut->col[q];
            cut->value[left++] = cut->value[q];
        }
    cut->count = left;
    cut->upper = -w.constant;
    return true;
}

/* ---- separation ------------------------------------------------------------------ */

static void store(source_search *s, const event_cut *found)
{
    event_cut cut = *found;
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

/* Sum over the stages a..b-1. */
static double between(const source_search *s, int which, int i, int a, int b)
{
    const double *sum = s->sum[which] + (size_t)i * (size_t)s->f->problem->graph->n;
    return b > a ? sum[b] - sum[a] : 0;
}

/* The sources of a..b; stored gets which of them count by page-outs. */
static double sources(const source_search *s, int depth, int a, int b, unsigned *stored)
{
    bool origin = s->f->features & FORMULATION_ORIGIN;
    int last = s->path[depth - 1];
    double sum = between(s, SUM_R, last, a, b) + value(s, CELL_R, b, last);
    *stored = 0;
    for (int j = 0; j < depth; j++) {
        int v = s->path[j];
        double in = value(s, CELL_P, a, v) + between(s, SUM_IN, v, a, b);
        double out = origin ? between(s, SUM_OUT, v, 0, b - 1) : INFINITY;
        if (out < in)
            *stored |= 1u << j;
        sum += value(s, CELL_C, a, v) + fmin(in, out);
    }
    return sum;
}

/* The most violated intervals for node k and the path, one of each kind. Those that begin and end
 * where k is recomputed are as good as any. */
static void search_path(source_search *s, int k, int depth)
{
    event_cut best[2] = {{.efficacy = 1e-6}, {.efficacy = 1e-6}};
    int kinds = s->f->features & FORMULATION_ORIGIN ? 2 : 1;
    for (int p = 0; p < s->stages; p++)
        for (int q = p; q < s->stages; q++) {
            int a = s->stage[p], b = s->stage[q];
            event_cut cut = {.t = a, .last = b, .k = k, .depth = depth};
            double right = sources(s, depth, a, b, &cut.stored);
            double violation[2] = {between(s, SUM_R, k, a, b) - (s->uses[b] - s->uses[a]),
                                   value(s, CELL_C, b, k) - value(s, CELL_C, a, k)};
            for (int kind = 0; kind < kinds; kind++)
                if (violation[kind] + s->compute[b] - right > best[kind].efficacy) {
                    best[kind] = cut;
                    best[kind].kept = kind == 1;
                    best[kind].efficacy = violation[kind] + s->compute[b] - right;
                }
        }
    for (int kind = 0; kind < kinds; kind++)
        if (best[kind].depth > 0)
            store(s, &best[kind]);
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

static void add_up(source_search *s)
{
    static const cell_kind kind[SUMS] = {CELL_R, CELL_IN, CELL_OUT};
    int n = s->f->problem->graph->n;
    for (int which = 0; which < SUMS; which++) {
        s->sum[which] = base_calloc((size_t)n * (size_t)n, sizeof **s->sum);
        for (int i = 0; i < n; i++) {
            double *sum = s->sum[which] + (size_t)i * (size_t)n;
            for (int t = i + 1; t + 1 < n; t++)
                sum[t + 1] = sum[t] + value(s, kind[which], t, i);
        }
    }
}

/* Fills compute, uses and stage for node k. */
static void prepare(source_search *s, int k)
{
    const graph *g = s->f->problem->graph;
    s->stages = 0;
    s->uses[k + 1] = 0;
    for (int t = k + 1; t < g->n; t++) {
        s->compute[t] = value(s, CELL_R, t, k);
        if (s->compute[t] > 1e-6)
            s->stage[s->stages++] = t;
        double use = value(s, CELL_OUT, t, k);
        for (int e = g->user_start[k]; e < g->user_start[k + 1] && g->user[e] <= t; e++)
            use += g->user[e] == t ? 1 : value(s, CELL_R, t, g->user[e]);
        for (int q = g->input_start[k]; q < g->input_start[k + 1]; q++)
            use += value(s, CELL_OUT, t, g->input[q]);
        s->uses[t + 1] = s->uses[t] + use;
    }
}

void formulation_separate_sources(const formulation *f, const double *x, int max_depth,
                                  double min_efficacy, event_cut_list *list)
{
    size_t n = (size_t)f->problem->graph->n;
    source_search s = {
        .f = f, .x = x, .min_efficacy = min_efficacy, .max_depth = max_depth, .list = list};
    s.compute = base_calloc(n, sizeof *s.compute);
    s.uses = base_calloc(n + 1, sizeof *s.uses);
    s.stage = base_calloc(n, sizeof *s.stage);
    add_up(&s);
    for (int k = 0; k < (int)n; k++) {
        prepare(&s, k);
        if (s.stages > 0)
            search_paths(&s, k, 0);
    }
    base_free(s.compute);
    base_free(s.uses);
    base_free(s.stage);
    for (int which = 0; which < SUMS; which++)
        base_free(s.sum[which]);
}
