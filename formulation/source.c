/* Separation of source cuts: for each node, input and interval of stages the path of least
 * sources is found by a recursion over inputs, remembered by level and node for the interval. */
#include "formulation/source.h"

#include <math.h>
#include <string.h>

#include "formulation/internal.h"

#define LEAST_VIOLATION 1e-6
/* Paths of any length, and of at most 1, 2, .. nodes. */
enum { LEVELS = 4 };

enum { SUM_R, SUM_IN, SUM_OUT, SUMS };

typedef struct source_search {
    const formulation *f;
    const double *x;
    event_cut_list *list;
    double *sum[SUMS]; /* at i*n+t: the cells of i before stage t, added up; extent n*n */
    double *uses;      /* users of k computed, Out of k and of its inputs, before stage t; n+1 */
    int *stage;        /* where x recomputes k, ascending; extent n */
    int stages;
    /* Results for the present interval, by level and node; extent LEVELS*n each. */
    long interval;
    long *seen; /* the interval in which least and next were found */
    double *least;
    int *next;
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

/* Subtracts use_t of formulation/source.h: the users of k computed in stage t, and the page-outs
 * of k and of its inputs. */
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
    source_cut_express(s->f, &cut);
    double activity = 0, norm = 0;
    for (int q = 0; q < cut.count; q++) {
        activity += cut.value[q] * s->x[cut.col[q]];
        norm += cut.value[q] * cut.value[q];
    }
    cut.efficacy = norm > 0 ? (activity - cut.upper) / sqrt(norm) : 0;
    if (cut.efficacy >= EVENT_CUT_EFFICACY) {
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

/* Sum of the ways in which v may be there in a..b without being computed there. stored: true if
 * its page-outs are the lesser term. */
static double source_value(const source_search *s, int v, int a, int b, bool *stored)
{
    bool origin = s->f->features & FORMULATION_ORIGIN;
    double in = value(s, CELL_P, a, v) + between(s, SUM_IN, v, a, b);
    double out = origin ? between(s, SUM_OUT, v, 0, b - 1) : INFINITY;
    *stored = out < in;
    return value(s, CELL_C, a, v) + fmin(in, out);
}

/* Returns the least sum of sources over the paths that begin with v and have at most `level`
 * nodes; level 0: any number. next gets the node after v, -1 at the end. */
static double least_sources(source_search *s, int level, int v, int a, int b)
{
    const graph *g = s->f->problem->graph;
    const size_t at = (size_t)level * (size_t)g->n + (size_t)v;
    bool stored;
    if (s->seen[at] == s->interval)
        return s->least[at];
    double best = between(s, SUM_R, v, a, b) + value(s, CELL_R, b, v);
    int next = -1;
    for (int q = g->input_start[v]; q < g->input_start[v + 1] && level != 1 && best > 1e-9; q++) {
        double further = least_sources(s, level > 0 ? level - 1 : 0, g->input[q], a, b);
        if (further < best) {
            best = further;
            next = g->input[q];
        }
    }
    s->seen[at] = s->interval;
    s->next[at] = next;
    return s->least[at] = best + source_value(s, v, a, b, &stored);
}

/* Fills the path that least_sources has found from v on, or its beginning. */
static void fill_path(const source_search *s, int level, int v, event_cut *cut)
{
    const size_t n = (size_t)s->f->problem->graph->n;
    cut->depth = 0;
    cut->stored = 0;
    while (v >= 0 && cut->depth < SOURCE_DEPTH) {
        bool stored;
        source_value(s, v, cut->t, cut->last, &stored);
        cut->stored |= (unsigned)stored << cut->depth;
        cut->path[cut->depth++] = v;
        v = s->next[(size_t)level * n + (size_t)v];
        level = level > 0 ? level - 1 : 0;
    }
}

/* Searches the stages a..b over all paths that begin with v. best[2 * level + kind]: the most
 * violated cuts so far, with the violation as their efficacy. */
static void search_interval(source_search *s, int k, int v, int a, int b, event_cut *best)
{
    int kinds = s->f->features & FORMULATION_ORIGIN && a < b ? 2 : 1; /* the same for a = b */
    double left[2] = {between(s, SUM_R, k, a, b) - (s->uses[b] - s->uses[a]),
                      value(s, CELL_C, b, k) - value(s, CELL_C, a, k)};
    for (int c = 0; c < 2 * LEVELS; c++) {
        double violation = left[c % 2] + value(s, CELL_R, b, k) - LEAST_VIOLATION;
        if (c % 2 >= kinds || violation <= best[c].efficacy)
            continue;
        violation -= least_sources(s, c / 2, v, a, b);
        if (violation > best[c].efficacy) {
            best[c] =
                (event_cut){.t = a, .last = b, .k = k, .kept = c % 2 == 1, .efficacy = violation};
            fill_path(s, c / 2, v, &best[c]);
        }
    }
}

static bool same_cut(const event_cut *x, const event_cut *y)
{
    return x->t == y->t && x->last == y->last && x->kept == y->kept && x->depth == y->depth &&
           memcmp(x->path, y->path, (size_t)x->depth * sizeof *x->path) == 0;
}

/* For each input of node k, each level and kind the most violated cut. An interval that ends where
 * k is recomputed is as good as one that ends later; one that begins there need not be as good as
 * one that begins before, when a node of the path is recomputed in between. */
static void search_node(source_search *s, int k)
{
    const graph *g = s->f->problem->graph;
    int first = g->input_start[k], inputs = g->input_start[k + 1] - first;
    event_cut *best = base_calloc(2 * LEVELS * (size_t)inputs + 1, sizeof *best);
    for (int p = 0; p < s->stages; p++)
        for (int q = p; q < s->stages; q++) {
            s->interval++;
            for (int i = 0; i < inputs; i++)
                search_interval(s, k, g->input[first + i], s->stage[p], s->stage[q],
                                best + 2 * LEVELS * i);
        }
    for (int c = 0; c < 2 * LEVELS * inputs; c++) {
        bool again = best[c].depth == 0;
        for (int d = c - c % (2 * LEVELS); d < c && !again; d++)
            again = best[d].depth > 0 && same_cut(&best[c], &best[d]);
        if (!again)
            store(s, &best[c]);
    }
    base_free(best);
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

/* Fills uses and stage for node k. */
static void fill_uses(source_search *s, int k)
{
    const graph *g = s->f->problem->graph;
    s->stages = 0;
    s->uses[k + 1] = 0;
    for (int t = k + 1; t < g->n; t++) {
        if (value(s, CELL_R, t, k) > 1e-6)
            s->stage[s->stages++] = t;
        double use = value(s, CELL_OUT, t, k);
        for (int e = g->user_start[k]; e < g->user_start[k + 1] && g->user[e] <= t; e++)
            use += g->user[e] == t ? 1 : value(s, CELL_R, t, g->user[e]);
        for (int q = g->input_start[k]; q < g->input_start[k + 1]; q++)
            use += value(s, CELL_OUT, t, g->input[q]);
        s->uses[t + 1] = s->uses[t] + use;
    }
}

void formulation_separate_sources(const formulation *f, const double *x, event_cut_list *list)
{
    size_t n = (size_t)f->problem->graph->n;
    source_search s = {.f = f, .x = x, .list = list};
    s.uses = base_calloc(n + 1, sizeof *s.uses);
    s.stage = base_calloc(n, sizeof *s.stage);
    s.seen = base_calloc(LEVELS * n, sizeof *s.seen);
    s.least = base_calloc(LEVELS * n, sizeof *s.least);
    s.next = base_calloc(LEVELS * n, sizeof *s.next);
    add_up(&s);
    for (int k = 0; k < (int)n; k++) {
        fill_uses(&s, k);
        if (s.stages > 0)
            search_node(&s, k);
    }
    base_free_all(s.uses, s.stage, s.seen, s.least, s.next);
    for (int which = 0; which < SUMS; which++)
        base_free(s.sum[which]);
}
