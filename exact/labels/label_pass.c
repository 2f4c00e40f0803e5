/* One pass of a label search: the events of all stages, from the last one to the first. */
#include "exact/labels/label_pass.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "formulation/coarse.h"

enum { SAMPLE = 16, AIMS = 100 }; /* labels that prices are chosen for, and steps */
enum { MORE = 2000 }; /* labels that may come before dominance is looked at again, at least */

/* Most work on bounds of timelines, as a part of the work of the pass. */
#define SHARE 0.5

/* A trail is a list of steps, the last one at q->trail[label.trail]: the trail before it, the
 * stage, the number of actions, and the actions: i for a node computed again, n + i for one paged
 * in. */
enum { TRAIL_HEAD = 3, TRAIL_NONE = -1 };

label_pass label_pass_open(const problem *p, const label_points *points, bool relaxed, long width,
                           double target)
{
    label_pass q = {.p = p,
                    .relaxed = relaxed,
                    .width = width,
                    .stage = p->graph->n,
                    .share = SHARE,
                    .labels = label_set_open(p->graph),
                    .price = label_price_open(p, target),
                    .rest = label_rest_open(p, points)};
    label_at(&q.labels, 0)->trail = TRAIL_NONE;
    return q;
}

void label_pass_close(label_pass *q)
{
    label_set_close(&q->labels);
    label_price_close(&q->price);
    label_rest_close(&q->rest);
    base_free(q->trail);
}

double label_pass_bytes(const problem *p, long width)
{
    enum { LABELS = 48, ACTIONS = 192 }; /* with room to grow, and copies; of a label in a stage */
    return (double)width * (LABELS * (double)label_bytes(p->graph) + ACTIONS * (double)p->graph->n);
}

/* Cutoff of bounds of labels: above the given one by what rounding may have added to costs. */
static double above(const label_pass *q, double cutoff)
{
    return cutoff * (1 + label_pass_error(q));
}

/* ---- changes of a label -------------------------------------------------------- */

static void want(const label_pass *q, label *l, int i)
{
    if (label_has(&q->labels, l, LABEL_WANTED, i))
        return;
    label_add(&q->labels, l, LABEL_WANTED, i);
    l->bytes += q->p->graph->bytes[i];
    l->earlier += label_rest_wanted(&q->rest, l, i);
}

static void satisfy(const label_pass *q, label *l, int i)
{
    label_remove(&q->labels, l, LABEL_WANTED, i);
    label_remove(&q->labels, l, LABEL_LATE, i);
    l->bytes -= q->p->graph->bytes[i];
    l->earlier -= label_rest_wanted(&q->rest, l, i);
}

/* Puts the event of k before the label: it needs the inputs of k. False: they do not fit beside k
 * and all that is wanted, or one of them is paged in as the next stage begins. (It would have to
 * stay, and the page-in is of no use.) */
static bool add_event(const label_pass *q, label *l, int k)
{
    const graph *g = q->p->graph;
    for (int e = g->input_start[k]; e < g->input_start[k + 1]; e++) {
        if (label_has(&q->labels, l, LABEL_PAGED, g->input[e]))
            return false;
        want(q, l, g->input[e]);
        label_add(&q->labels, l, LABEL_READ, g->input[e]);
        label_remove(&q->labels, l, LABEL_LATE, g->input[e]);
    }
    const bool counted = label_has(&q->labels, l, LABEL_WANTED, k);
    const int64_t bytes = l->bytes + (counted ? 0 : g->bytes[k]) + g->workspace[k];
    if (counted)
        satisfy(q, l, k);
    return bytes <= q->p->ram_budget_bytes;
}

void label_pass_add(label_pass *q, int stage, const bool *wanted, const bool *stored, double cost)
{
    label_set *s = &q->labels;
    label *l = q->stage == q->p->graph->n ? label_at(s, 0) : label_set_copy(s, 0);
    memset(l->bits, 0, LABEL_KINDS * (size_t)s->words * sizeof *l->bits);
    l->bytes = 0;
    l->cost = cost;
    for (int i = 0; i < stage; i++) {
        if (wanted[i]) {
            want(q, l, i);
            label_add(s, l, LABEL_READ, i); /* it may be paged in as stage - 1 begins */
        }
        if (stored[i])
            label_add(s, l, LABEL_STORED, i);
    }
    q->stage = stage;
}

/* ---- a stage ------------------------------------------------------------------- */

/* Relaxed: adds labels in which a copy of t - 1 that is computed again, for nothing else, is
 * written to storage. They pay for this computation alone. */
static void write_later(label_pass *q, int t)
{
    label_set *s = &q->labels;
    const long count = s->count;
    if (t == 0 || !q->relaxed || !problem_may_recompute(q->p, t - 1))
        return;
    for (long a = 0; a < count; a++)
        if (label_has(s, label_at(s, a), LABEL_OWED, t - 1)) {
            label *l = label_set_copy(s, a);
            l->cost += q->p->graph->joules[t - 1];
            label_remove(s, l, LABEL_OWED, t - 1);
        }
}

/* The event of t itself. A tensor that is written to storage in the stage after its own is in RAM
 * throughout that stage. */
static void own_event(label_pass *q, int t)
{
    label_set *s = &q->labels;
    write_later(q, t);
    for (long a = 0; a < s->count; a++) {
        label *l = label_at(s, a);
        if (t > 0 && label_has(s, l, LABEL_OWED, t - 1)) {
            want(q, l, t - 1);
            label_remove(s, l, LABEL_OWED, t - 1);
        }
        l->dead = !add_event(q, l, t);
    }
    label_set_clean(s, INFINITY);
}

/* Prices for the best labels at stage t. */
static void price_all(label_pass *q, int t, double cutoff)
{
    label_set *s = &q->labels;
    const int n = q->p->graph->n;
    double *share = base_calloc((size_t)n, sizeof *share), paid = 0;
    const long best = label_set_lead(s, SAMPLE);
    for (long a = 0; a < best; a++) {
        const label *l = label_at(s, a);
        paid += l->cost / (double)best;
        for (int i = 0; i < t; i++)
            share[i] += label_has(s, l, LABEL_WANTED, i) ? 1 / (double)best : 0;
    }
    label_price_aim(&q->price, t, share, fmin(cutoff, q->price.target) - paid, AIMS);
    label_price_before(&q->price, t);
    base_free(share);
}

/* Bounds of timelines, within their share of the work. */
static void raise_bounds(label_pass *q, double cutoff)
{
    const double begin = (double)base_work_done(), all = q->done + begin - q->begun;
    label_rest_raise(&q->rest, &q->labels, cutoff, q->share * all - q->raised);
    q->raised += (double)base_work_done() - begin;
}

/* Bounds of all labels at the event of t. */
static void bound_all(label_pass *q, int t, double cutoff)
{
    label_set *s = &q->labels;
    price_all(q, t, cutoff);
    label_rest_begin(&q->rest, t, &q->price);
    for (long a = 0; a < s->count; a++)
        label_rest_bound(&q->rest, s, label_at(s, a), 0);
    raise_bounds(q, cutoff);
    label_set_clean(s, cutoff);
}

/* Keeps the `most` best labels, after another look at the bounds of all. */
static void cut(label_pass *q, long most, double cutoff)
{
    label_set *s = &q->labels;
    if (q->guide)
        label_guide_cut(q->guide, s, most);
    if (s->count <= most)
        return;
    const double begin = (double)base_work_done();
    for (long a = 0; a < s->count; a++)
        label_rest_bound(&q->rest, s, label_at(s, a), 1);
    q->raised += (double)base_work_done() - begin;
    raise_bounds(q, cutoff);
    label_set_clean(s, cutoff);
    label_set_cut(s, most);
}

/* True if k, which is wanted, fits at its event, and all its inputs are wanted, too. To compute it
 * earlier is no better then. */
static bool fits_now(const label_pass *q, const label *l, int k)
{
    const graph *g = q->p->graph;
    for (int e = g->input_start[k]; e < g->input_start[k + 1]; e++)
        if (!label_has(&q->labels, l, LABEL_WANTED, g->input[e]))
            return false;
    return l->bytes + g->workspace[k] <= q->p->ram_budget_bytes;
}

/* Labels that may come before their number is looked at again, at least. Near a guide few are
 * kept. */
static long more(const label_pass *q)
{
    return q->guide && q->width < MORE ? q->width : MORE;
}

/* Removes labels once their number has grown enough. */
static void thin(label_pass *q, double cutoff, long *limit)
{
    if (q->labels.count <= *limit)
        return;
    if (q->guide)
        label_guide_cut(q->guide, &q->labels, 2 * q->width);
    label_set_dominate(&q->labels, cutoff);
    cut(q, 2 * q->width, cutoff);
    *limit = 2 * q->labels.count + more(q);
}

/* Adds the labels that compute k again at its event in the stage. */
static void compute_again(label_pass *q, int k, double cutoff)
{
    label_set *s = &q->labels;
    const long count = s->count;
    base_work((size_t)count);
    for (long a = 0; a < count; a++) {
        label *from = label_at(s, a);
        if (!label_has(s, from, LABEL_WANTED, k))
            continue;
        const bool late = label_has(s, from, LABEL_LATE, k);
        if (!q->guide && fits_now(q, from, k))
            label_add(s, from, LABEL_LATE, k);
        else
            label_remove(s, from, LABEL_LATE, k);
        if (late || from->cost + q->p->graph->joules[k] >= cutoff)
            continue;
        label *l = label_set_copy(s, a);
        l->cost += q->p->graph->joules[k];
        label_add(s, l, LABEL_COMPUTED, k);
        if (q->relaxed)
            label_remove(s, l, LABEL_OWED, k);
        if (!add_event(q, l, k) || label_bound(l) >= cutoff)
            s->count--;
    }
}

/* Adds the labels that page i in as the stage begins, where the stage reads it or the pass began
 * with it. */
static void page_in(label_pass *q, int i, double cutoff)
{
    label_set *s = &q->labels;
    const graph *g = q->p->graph;
    const long count = s->count;
    base_work((size_t)count);
    for (long a = 0; a < count; a++) {
        label *from = label_at(s, a);
        if (!label_has(s, from, LABEL_WANTED, i) || !label_has(s, from, LABEL_READ, i))
            continue;
        label *l = label_set_copy(s, a);
        l->cost += g->pagein_joules[i];
        if (!label_has(s, l, LABEL_STORED, i)) {
            l->cost += g->pageout_joules[i];
            l->earlier -= label_rest_stored(&q->rest, l, i);
        }
        label_add(s, l, LABEL_STORED, i);
        label_add(s, l, LABEL_OWED, i);
        label_add(s, l, LABEL_PAGED, i);
        satisfy(q, l, i);
        if (label_bound(l) >= cutoff)
            s->count--;
    }
}

/* A tensor in RAM as the stage begins can be written to storage in it. Also ends the page-ins of
 * the next stage. */
static void settle_page_outs(label_set *s)
{
    for (long a = 0; a < s->count; a++) {
        label *l = label_at(s, a);
        uint64_t *owed = label_bits(s, l, LABEL_OWED), *paged = label_bits(s, l, LABEL_PAGED);
        for (int k = 0; k < s->words; k++) {
            owed[k] &= ~l->bits[k];
            paged[k] = 0;
        }
    }
}

/* Nothing is read or computed in the next stage yet. */
static void end_stage(label_set *s)
{
    for (long a = 0; a < s->count; a++)
        memset(label_bits(s, label_at(s, a), LABEL_READ), 0,
               2 * (size_t)s->words * sizeof(uint64_t));
}

/* ---- trails -------------------------------------------------------------------- */

static void add_action(label_pass *q, int action)
{
    q->trail = base_grow(q->trail, q->trails, &q->trail_space, sizeof *q->trail);
    q->trail[q->trails++] = action;
}

static void add_actions(label_pass *q, const uint64_t *bits, int first)
{
    for (int k = 0; k < q->labels.words; k++)
        for (uint64_t left = bits[k]; left; left &= left - 1)
            add_action(q, first + 64 * k + __builtin_ctzll(left));
}

/* Appends the actions of stage t to the trail of each label. */
static void leave_trails(label_pass *q, int t)
{
    label_set *s = &q->labels;
    for (long a = 0; a < s->count; a++) {
        label *l = label_at(s, a);
        const int begin = q->trails;
        add_action(q, l->trail);
        add_action(q, t);
        add_action(q, 0);
        add_actions(q, label_bits(s, l, LABEL_COMPUTED), 0);
        add_actions(q, label_bits(s, l, LABEL_PAGED), q->p->graph->n);
        const int actions = q->trails - begin - TRAIL_HEAD;
        q->trail[begin + 2] = actions;
        if (actions > 0)
            l->trail = begin;
        else
            q->trails = begin;
    }
    base_work(20 * (size_t)s->count);
}

/* Moves the guide back over the event of k in stage t. */
static void guide_event(label_pass *q, int t, int k)
{
    if (!q->guide)
        return;
    label_guide_event(q->guide, t, k);
    label_guide_clean(q->guide, &q->labels);
}

/* Moves the guide back over the page-in of i as stage t begins. */
static void guide_page_in(label_pass *q, int t, int i)
{
    if (!q->guide)
        return;
    label_guide_page_in(q->guide, t, i);
    label_guide_clean(q->guide, &q->labels);
}

bool label_pass_step(label_pass *q, double cutoff)
{
    const int t = --q->stage;
    const problem *p = q->p;
    q->begun = (double)base_work_done();
    cutoff = above(q, cutoff);
    own_event(q, t);
    guide_event(q, t, t);
    bound_all(q, t, cutoff);
    long limit = 2 * q->labels.count + more(q);
    for (int k = t - 1; k >= 0; k--) {
        if (problem_may_recompute(p, k))
            compute_again(q, k, cutoff);
        guide_event(q, t, k);
        thin(q, cutoff, &limit);
    }
    settle_page_outs(&q->labels);
    for (int i = 0; i < t - 2; i++) { /* computed, written, and read in earlier stages */
        if (problem_may_page(p, i))
            page_in(q, i, cutoff);
        guide_page_in(q, t, i);
        thin(q, cutoff, &limit);
    }
    label_set_dominate(&q->labels, cutoff);
    if (t > 0)
        cut(q, q->width, cutoff);
    leave_trails(q, t);
    end_stage(&q->labels);
    q->done += (double)base_work_done() - q->begun;
    return t > 0 && q->labels.count > 0;
}

/* ---- results --------------------------------------------------------------------- */

double label_pass_dropped(const label_pass *q)
{
    return q->labels.least_dropped;
}

double label_pass_bound(const label_pass *q)
{
    double bound = q->labels.least_dropped;
    for (long a = 0; a < q->labels.count; a++)
        bound = fmin(bound, label_bound(label_at(&q->labels, a)));
    return bound * (1 - label_pass_error(q));
}

/* A cost is a sum of at most n^2 terms, none of them negative. */
double label_pass_error(const label_pass *q)
{
    const double n = q->p->graph->n;
    return n * n * DBL_EPSILON;
}

long label_pass_ends(const label_pass *q)
{
    return q->stage == 0 ? q->labels.count : 0;
}

double label_pass_cost(const label_pass *q, long a)
{
    return label_at(&q->labels, a)->cost;
}

schedule *label_pass_schedule(const label_pass *q, long a)
{
    const int n = q->p->graph->n;
    schedule *s = schedule_create(n);
    for (int at = label_at(&q->labels, a)->trail; at != TRAIL_NONE; at = q->trail[at])
        for (int k = 0; k < q->trail[at + 2]; k++) {
            const int t = q->trail[at + 1], action = q->trail[at + TRAIL_HEAD + k];
            if (action < n)
                s->R[schedule_cell(s, t, action)] = 1;
            else
                s->In[schedule_cell(s, t - 1, action - n)] = 1;
        }
    coarse_complete(q->p->graph, s);
    return s;
}
