/* The distance of labels from a given schedule, and their cost if they joined it. */
#include "exact/labels/label_guide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formulation/check.h"

label_guide label_guide_open(const problem *p, const schedule *s, int reach)
{
    const size_t n = (size_t)p->graph->n;
    return (label_guide){.p = p,
                         .s = formulation_canonical(p, s),
                         .reach = reach,
                         .bits = base_calloc(n / 64 + 1, sizeof(uint64_t)),
                         .source = base_calloc(n, sizeof(double)),
                         .regain = base_calloc(n, sizeof(double)),
                         .is_stored = base_calloc(n, sizeof(bool))};
}

void label_guide_close(label_guide *l)
{
    schedule_free(l->s);
    base_free_all(l->bits, l->source, l->regain, l->is_stored);
}

/* ---- the guide --------------------------------------------------------------------- */

static bool is_wanted(const label_guide *l, int i)
{
    return l->bits[i / 64] >> (i % 64) & 1;
}

/* Joules by which the guide obtains i for the event of k in stage t; 0: it keeps the first copy. */
static double source_before(const label_guide *l, int t, int k, int i)
{
    const graph *g = l->p->graph;
    for (int u = t; u > i; u--) {
        if (l->s->R[schedule_cell(l->s, u, i)] && (u < t || i < k))
            return g->joules[i];
        if (l->s->In[schedule_cell(l->s, u - 1, i)])
            return g->pagein_joules[i];
    }
    return 0;
}

void label_guide_event(label_guide *l, int t, int k)
{
    const graph *g = l->p->graph;
    if (!l->s->R[schedule_cell(l->s, t, k)])
        return;
    l->joules += k < t ? g->joules[k] : 0;
    l->bits[k / 64] &= ~(UINT64_C(1) << (k % 64));
    for (int e = g->input_start[k]; e < g->input_start[k + 1]; e++) {
        const int i = g->input[e];
        if (is_wanted(l, i))
            continue;
        l->bits[i / 64] |= UINT64_C(1) << (i % 64);
        l->source[i] = source_before(l, t, k, i);
        base_work((size_t)t);
    }
}

void label_guide_page_in(label_guide *l, int t, int i)
{
    const graph *g = l->p->graph;
    if (t == 0 || !l->s->In[schedule_cell(l->s, t - 1, i)])
        return;
    l->joules += g->pagein_joules[i] + (l->is_stored[i] ? 0 : g->pageout_joules[i]);
    l->is_stored[i] = true;
    l->bits[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

/* ---- labels ------------------------------------------------------------------------ */

static int distance(const label_guide *l, const label_set *s, const label *a)
{
    int tensors = 0;
    for (int k = 0; k < s->words; k++)
        tensors += __builtin_popcountll(a->bits[k] ^ l->bits[k]);
    return tensors;
}

void label_guide_clean(const label_guide *l, label_set *s)
{
    bool far = false;
    for (long a = 0; a < s->count; a++) {
        label *x = label_at(s, a);
        x->distance = distance(l, s, x);
        x->dead = x->distance > l->reach;
        far = far || x->dead;
    }
    base_work((size_t)s->count * (size_t)s->words);
    if (far)
        label_set_clean(s, INFINITY);
}

/* Each tensor by itself: it is paged in, or computed with all inputs that the guide lacks. */
static void find_regain(label_guide *l)
{
    const graph *g = l->p->graph;
    for (int i = 0; i < g->n; i++) {
        double computed = problem_may_recompute(l->p, i) ? g->joules[i] : INFINITY;
        for (int e = g->input_start[i]; e < g->input_start[i + 1]; e++)
            computed += l->regain[g->input[e]];
        const double paged =
            problem_may_page(l->p, i)
                ? g->pagein_joules[i] + (l->is_stored[i] ? 0 : g->pageout_joules[i])
                : INFINITY;
        l->regain[i] = is_wanted(l, i) ? 0 : fmin(computed, paged);
    }
    base_work(4 * (size_t)(g->n + g->edge_count));
}

static double joined(const label_guide *l, const label_set *s, const label *a)
{
    double joules = a->cost - l->joules;
    for (int k = 0; k < s->words; k++) {
        for (uint64_t left = a->bits[k] & ~l->bits[k]; left; left &= left - 1)
            joules += l->regain[64 * k + __builtin_ctzll(left)];
        for (uint64_t left = l->bits[k] & ~a->bits[k]; left; left &= left - 1)
            joules -= l->source[64 * k + __builtin_ctzll(left)];
    }
    return joules;
}

void label_guide_cut(label_guide *l, label_set *s, long most)
{
    if (s->count <= most)
        return;
    const long each = most / (l->reach + 1);
    label_place *row = base_malloc((size_t)s->count, sizeof *row);
    long *kept = base_calloc((size_t)l->reach + 1, sizeof *kept);
    find_regain(l);
    for (long a = 0; a < s->count; a++)
        row[a] = (label_place){joined(l, s, label_at(s, a)), a};
    qsort(row, (size_t)s->count, sizeof *row, label_place_compare);
    for (long a = 0; a < s->count; a++) {
        label *x = label_at(s, row[a].at);
        x->dead = kept[x->distance]++ >= each;
    }
    base_work(100 * (size_t)s->count);
    label_set_clean(s, INFINITY);
    base_free_all(row, kept);
}
