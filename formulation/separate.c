/* Separation on memory events: each event becomes a knapsack of its fractional literals, the
 * most violated rounding or weight cut is kept, and the best of all events are written on
 * columns. */
#include "formulation/separate.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formulation/internal.h"
#include "formulation/knapsack.h"
#include "formulation/source.h"

enum { MOST_CUTS = 200 }; /* of a call, the best by efficacy */

/* ---- the knapsack of an event ------------------------------------------------ */

/* Codes in place of a tensor: the last item of a conditional event; the part of a literal beyond
 * 1, which follows the literal's item. */
enum { BUNDLE = -1, AGAIN = -2 };

/* One event's literals as a knapsack. For a conditional event the literals of k and its inputs are
 * taken out and R[t][k] comes in as the last item, with the workspace of k. */
typedef struct event_space {
    const formulation *f;
    const double *x;
    event_literals literals;
    int items, item_capacity;
    int *literal; /* of each item; BUNDLE, AGAIN */
    int64_t *weight;
    double *value;
    double *least; /* of R and S of a literal in front of an AGAIN, the smaller value; else free */
    double *coef, *best_coef;
    uint8_t *flip;
    knapsack_size *size; /* scratch, extent item_capacity */
    knapsack_scratch scratch;
} event_space;

static void reserve_items(event_space *s, int count)
{
    if (count <= s->item_capacity)
        return;
    s->item_capacity = 2 * count;
    size_t size = (size_t)s->item_capacity;
    s->literal = base_realloc(s->literal, size, sizeof *s->literal);
    s->weight = base_realloc(s->weight, size, sizeof *s->weight);
    s->value = base_realloc(s->value, size, sizeof *s->value);
    s->least = base_realloc(s->least, size, sizeof *s->least);
    s->coef = base_realloc(s->coef, size, sizeof *s->coef);
    s->best_coef = base_realloc(s->best_coef, size, sizeof *s->best_coef);
    s->flip = base_realloc(s->flip, size, sizeof *s->flip);
    s->size = base_realloc(s->size, size, sizeof *s->size);
    s->scratch.order = base_realloc(s->scratch.order, size, sizeof *s->scratch.order);
    s->scratch.flag = base_realloc(s->scratch.flag, size, sizeof *s->scratch.flag);
    if (!s->scratch.states)
        s->scratch.states = base_malloc(4 * (size_t)KNAPSACK_STATES, sizeof *s->scratch.states);
}

static double clamp(double value)
{
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

static double literal_value(const event_space *s, const event_literal *l)
{
    double sum = 0;
    for (int q = l->first; q < l->first + l->count; q++)
        sum += s->literals.term_coef[q] * s->x[s->literals.term_col[q]];
    return sum;
}

static double recomputed(const event_space *s, int t, int i)
{
    return clamp(s->x[cell_col(s->f, CELL_R, t, i)]);
}

static double resident(const event_space *s, int t, int i)
{
    const int c = cell_col(s->f, CELL_C, t, i), p = cell_col(s->f, CELL_P, t, i);
    return clamp((c >= 0 ? s->x[c] : 0) + (p >= 0 ? s->x[p] : 0));
}

static void add_item(event_space *s, int literal, int64_t weight, double value)
{
    s->literal[s->items] = literal;
    s->weight[s->items] = weight;
    s->value[s->items++] = clamp(value);
}

/* Fills the items of the event; the capacity is returned. Inputs of the stage's own node
 * are live for certain at (t,t): they leave the knapsack with their bytes. */
static int64_t event_items(event_space *s, int t, int k, bool conditional)
{
    const graph *g = s->f->problem->graph;
    const event_literals *e = &s->literals;
    int64_t capacity = e->capacity, bundle = conditional ? s->f->workspace[k] : 0;
    s->items = 0;
    reserve_items(s, 2 * e->count + 1);
    for (int l = 0; l < e->count; l++) {
        const event_literal *lit = &e->literal[l];
        bool own = lit->tensor == k || graph_is_input(g, lit->tensor, k);
        if (k == t && own) {
            capacity -= lit->bytes;
        } else if (conditional && own) {
            bundle += lit->bytes;
        } else {
            const double value = literal_value(s, lit);
            add_item(s, l, lit->bytes, value);
            if (lit->twice) {
                s->least[s->items] =
                    fmin(recomputed(s, t, lit->tensor), resident(s, t, lit->tensor));
                add_item(s, AGAIN, lit->bytes, value - 1);
            }
        }
    }
    if (conditional && bundle > 0)
        add_item(s, BUNDLE, bundle, recomputed(s, t, k));
    return capacity;
}

/* ---- cuts over columns --------------------------------------------------------- */

double event_cut_scale(const event_cut *cut)
{
    double largest = 0;
    for (int j = 0; j < cut->tensors; j++) {
        largest = fmax(largest, fabs(cut->coef[j]));
        largest = fmax(largest, cut->made ? fabs(cut->made[j]) : 0);
    }
    int exponent;
    frexp(largest > 0 ? largest : 1, &exponent);
    return ldexp(1, 1 - exponent);
}

static const event_literal *literal_of(const event_literals *e, int tensor)
{
    for (int l = 0; l < e->count; l++)
        if (e->literal[l].tensor == tensor)
            return &e->literal[l];
    return NULL;
}

/* Of a column of literal c: a release takes away the larger of both. */
static double coef_of(const event_cut *cut, int c, column_kind kind)
{
    const double there = cut->coef[c], made = cut->made ? cut->made[c] : there;
    return kind == COLUMN_R                       ? made
           : kind == COLUMN_C || kind == COLUMN_P ? there
                                                  : fmax(there, made);
}

static void add_column(const formulation *f, event_cut *cut, int c, int col, double factor)
{
    const double value = factor * coef_of(cut, c, f->column[col].kind);
    if (value == 0)
        return;
    cut->col[cut->count] = col;
    cut->value[cut->count++] = value;
}

bool event_cut_express(const formulation *f, event_cut *cut)
{
    if (cut->depth > 0)
        return source_cut_express(f, cut);
    if (!computed(f, cut->t, cut->k))
        return false;
    event_literals e = {0};
    formulation_event(f, cut->t, cut->k, &e);
    const double scale = event_cut_scale(cut);
    base_free(cut->col);
    base_free(cut->value);
    cut->col = base_malloc((size_t)e.terms + 1, sizeof *cut->col);
    cut->value = base_malloc((size_t)e.terms + 1, sizeof *cut->value);
    cut->count = 0;
    /* A column belongs to one tensor, so no column comes twice. */
    for (int c = 0; c < cut->tensors; c++) {
        if (cut->conditional && cut->tensor[c] == cut->k) {
            add_column(f, cut, c, cell_col(f, CELL_R, cut->t, cut->k), scale);
            continue;
        }
        const event_literal *lit = literal_of(&e, cut->tensor[c]);
        for (int q = 0; lit && q < lit->count; q++) /* without a literal: never live here */
            add_column(f, cut, c, e.term_col[lit->first + q], scale * e.term_coef[lit->first + q]);
    }
    cut->upper = cut->rhs * scale;
    event_literals_clear(&e);
    return true;
}

static int terms_of(const event_space *s, int item)
{
    return s->literal[item] >= 0        ? s->literals.literal[s->literal[item]].count
           : s->literal[item] == BUNDLE ? 1
                                        : 0;
}

/* Violation over the norm on columns, for the coefficients of the items; the terms of a
 * literal are +1 and -1. */
static double efficacy(const event_space *s, const double *coef, double violation)
{
    double norm = 0;
    for (int j = 0; j < s->items; j++)
        norm += coef[j] * coef[j] * terms_of(s, j);
    return norm > 0 ? violation / sqrt(norm) : 0;
}

/* In the model of the rules alone residency and computation have a coefficient each. If one of
 * the columns is not in the model it is 0, and the cut holds with any coefficient. */
static void set_one_of_two(const event_space *s, int item, const double *coef, event_cut *cut)
{
    const int c = cut->tensors, t = cut->t, i = cut->tensor[c];
    const bool again = item + 1 < s->items && s->literal[item + 1] == AGAIN;
    const bool made = i <= cut->k && cell_col(s->f, CELL_R, t, i) >= 0;
    const bool made_less = again && recomputed(s, t, i) <= resident(s, t, i);
    *(made_less || !made ? &cut->made[c] : &cut->coef[c]) = again ? coef[item + 1] : 0;
}

static void store(event_space *s, int t, int k, bool conditional, const double *coef, double rhs,
                  double eff, event_cut_list *list)
{
    const size_t size = (size_t)s->items;
    event_cut *cut = event_cut_list_add(list);
    *cut = (event_cut){.t = t, .k = k, .conditional = conditional, .rhs = rhs, .efficacy = eff};
    cut->tensor = base_malloc(size, sizeof *cut->tensor);
    cut->coef = base_malloc(size, sizeof *cut->coef);
    if (!(s->f->features & FORMULATION_CANONICAL))
        cut->made = base_malloc(size, sizeof *cut->made);
    for (int j = 0; j < s->items; j++) {
        if (coef[j] == 0 || s->literal[j] == AGAIN)
            continue;
        cut->tensor[cut->tensors] =
            s->literal[j] >= 0 ? s->literals.literal[s->literal[j]].tensor : k;
        cut->coef[cut->tensors] = coef[j];
        if (cut->made) {
            cut->made[cut->tensors] = coef[j];
            set_one_of_two(s, j, coef, cut);
        }
        cut->tensors++;
    }
}

/* ---- separation ------------------------------------------------------------------ */

typedef struct best_cut {
    double efficacy, rhs;
    bool found;
} best_cut;

/* A literal that counts twice has items j - 1 and j, but its cells R and S need one coefficient.
 * Sets coef[j] to the smaller of the two, for both cells. Returns the loss of violation at x. */
static double make_equal(const event_space *s, double *coef)
{
    double loss = 0;
    for (int j = 0; j < s->items; j++)
        if (s->literal[j] == AGAIN) {
            const double second = fmin(coef[j], coef[j - 1]);
            loss += (coef[j] - second) * s->value[j] +
                    (coef[j - 1] - second) * (s->least[j] - s->value[j]);
            coef[j] = second;
        }
    return loss;
}

static void keep_if_better(event_space *s, const knapsack_cut *cut, best_cut *best)
{
    const double violation = cut->violation - make_equal(s, cut->coef);
    if (violation <= 0)
        return;
    double eff = efficacy(s, cut->coef, violation);
    if (eff <= best->efficacy)
        return;
    best->efficacy = eff;
    best->rhs = cut->rhs;
    best->found = true;
    memcpy(s->best_coef, cut->coef, (size_t)s->items * sizeof *cut->coef);
}

/* Fills size; how many there are. */
static int collect_sizes(const event_space *s)
{
    int sizes = 0;
    for (int j = 0; j < s->items; j++) {
        int c = sizes;
        while (c > 0 && s->size[c - 1].weight != s->weight[j])
            c--;
        if (c == 0) {
            s->size[sizes] = (knapsack_size){.weight = s->weight[j]};
            c = ++sizes;
        }
        const bool high = s->value[j] > 0.5;
        s->size[c - 1].items[high]++;
        s->size[c - 1].value[high] += s->value[j];
        s->size[c - 1].terms[high] += terms_of(s, j);
    }
    return sizes;
}

static bool is_one(const event_space *s, int item)
{
    return s->value[item] >= 1 - 1e-6;
}

static bool is_fractional(const event_space *s, int item)
{
    return s->value[item] > 1e-6 && !is_one(s, item);
}

/* The best rounding of the event. Divisors: the distinct weights of fractional items, and small
 * fractions and multiples. overfull: also the weights of items at 1, of which some form a cover. */
static void round_event(event_space *s, const knapsack *kn, bool overfull, best_cut *best)
{
    static const struct {
        int multiply, divide;
    } factor[] = {{1, 1}, {2, 1}, {3, 1}, {1, 2}, {1, 4}};
    const int sizes = collect_sizes(s);
    double efficacy = best->efficacy;
    int64_t divisor = 0, tried[16];
    bool flip = false;
    int tries = 0;
    for (int j = 0; j < s->items && tries < 16; j++) {
        bool again = false;
        for (int q = 0; q < tries; q++)
            again = again || tried[q] == s->weight[j];
        if (again || !(is_fractional(s, j) || (overfull && is_one(s, j))))
            continue;
        tried[tries++] = s->weight[j];
        for (size_t m = 0; m < 2 * sizeof factor / sizeof factor[0]; m++) {
            int64_t delta = s->weight[j] * factor[m / 2].multiply / factor[m / 2].divide;
            double found = delta < 1 ? 0
                                     : knapsack_round_efficacy(s->size, sizes, kn->capacity,
                                                               m % 2 == 1, delta);
            if (found > efficacy) {
                efficacy = found;
                divisor = delta;
                flip = m % 2 == 1;
            }
        }
    }
    for (int q = 0; q < s->items; q++)
        s->flip[q] = flip && s->value[q] > 0.5;
    knapsack_cut cut = {.coef = s->coef};
    if (divisor > 0 && knapsack_round(kn, s->flip, divisor, &cut))
        keep_if_better(s, &cut, best);
}

static void separate_event(event_space *s, int t, int k, bool conditional, event_cut_list *list)
{
    const bool weights = s->f->features & FORMULATION_WEIGHT_CUTS;
    int64_t capacity = event_items(s, t, k, conditional);
    int64_t ones = 0;
    double load = 0;
    int fractional = 0;
    for (int j = 0; j < s->items; j++) {
        load += s->value[j] * (double)s->weight[j];
        fractional += is_fractional(s, j);
        ones += is_one(s, j) ? s->weight[j] : 0;
    }
    /* A tensor that is small beside the budget fits into the tolerance of the point. */
    const bool overfull = ones > capacity;
    /* A knapsack with much room left in the point has no violated cut worth the search. */
    if ((fractional == 0 && !overfull) || load < 0.8 * (double)capacity)
        return;
    knapsack kn = {s->items, s->weight, s->value, capacity};
    best_cut best = {EVENT_CUT_EFFICACY, 0, false};
    round_event(s, &kn, overfull, &best);
    if (best.found)
        store(s, t, k, conditional, s->best_coef, best.rhs, best.efficacy, list);
    knapsack_cut cut = {.coef = s->coef};
    for (int zeros = 0; zeros < 2 && weights && capacity >= 0; zeros++) {
        best_cut weight = {best.efficacy + 1e-9, 0, false}; /* deeper than by rounding */
        if (knapsack_weight(&kn, zeros, &s->scratch, &cut))
            keep_if_better(s, &cut, &weight);
        if (weight.found)
            store(s, t, k, conditional, s->best_coef, weight.rhs, weight.efficacy, list);
    }
}

static int by_efficacy(const void *a, const void *b)
{
    const event_cut *ca = a, *cb = b;
    if (ca->efficacy != cb->efficacy)
        return ca->efficacy < cb->efficacy ? 1 : -1;
    if (ca->t != cb->t)
        return ca->t < cb->t ? -1 : 1;
    if (ca->k != cb->k)
        return ca->k < cb->k ? -1 : 1;
    if (ca->depth != cb->depth)
        return ca->depth < cb->depth ? -1 : 1;
    if (ca->last != cb->last)
        return ca->last < cb->last ? -1 : 1;
    if (ca->kept != cb->kept)
        return ca->kept ? 1 : -1;
    if (ca->depth > 0)
        return memcmp(ca->path, cb->path, (size_t)ca->depth * sizeof *ca->path);
    return (int)ca->conditional - (int)cb->conditional;
}

void formulation_separate(const formulation *f, const double *x, event_cut_list *list)
{
    const graph *g = f->problem->graph;
    const bool events = f->features & FORMULATION_EVENT_CUTS;
    event_space s = {.f = f, .x = x};
    int first = list->count;
    if (f->features & FORMULATION_SOURCE_CUTS)
        formulation_separate_sources(f, x, list);
    for (int t = 0; t < g->n && events; t++)
        for (int k = 0; k <= t; k++) {
            if (!computed(f, t, k) || (k < t && x[cell_col(f, CELL_R, t, k)] < 1e-6))
                continue;
            base_work_count(100 * (size_t)(t + 1));
            formulation_event(f, t, k, &s.literals);
            separate_event(&s, t, k, false, list);
            if (k < t && (f->features & FORMULATION_CONDITIONAL))
                separate_event(&s, t, k, true, list);
        }
    if (list->count > first) {
        qsort(list->cut + first, (size_t)(list->count - first), sizeof *list->cut, by_efficacy);
        while (list->count - first > MOST_CUTS)
            event_cut_clear(&list->cut[--list->count]);
        for (int c = first; c < list->count; c++) {
            bool known = event_cut_express(f, &list->cut[c]);
            assert(known);
            (void)known;
        }
    }
    event_literals_clear(&s.literals);
    base_free_all(s.literal, s.weight, s.value, s.least, s.coef, s.best_coef, s.flip, s.size,
                  s.scratch.order, s.scratch.flag, s.scratch.states);
}
