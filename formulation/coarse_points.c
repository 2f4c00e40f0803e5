/* From solutions on the coarse timeline to schedules, and from these to more points. */
#include <string.h>

#include "formulation/coarse.h"

static bool chosen(const coarse *c, const double *x, const int *col, int j, int i)
{
    const int k = col[(size_t)j * (size_t)c->problem->graph->n + (size_t)i];
    return k >= 0 && x[k] > 0.5;
}

/* The first stage of the interval at which i, computed before it, is needed: its users first
 * computed there or computed again, and whatever the next point has of it; `never` if it is not.
 * at: the same of the nodes behind i (extent n). */
static int first_need(const coarse *c, const double *x, int j, int i, int end, int never,
                      const int *at)
{
    const graph *g = c->problem->graph;
    int first = j < c->points && chosen(c, x, c->live, j + 1, i) ? end : never;
    for (int e = g->user_start[i]; e < g->user_start[i + 1]; e++)
        if (g->user[e] <= end && at[g->user[e]] < first)
            first = at[g->user[e]];
    return first;
}

/* What x does in interval j, with the stages after `before` up to end. */
static void act(const coarse *c, const double *x, int j, int before, int end, schedule *s, int *at)
{
    const int never = c->problem->graph->n;
    for (int i = end; i >= 0; i--) {
        if (i > before) {
            at[i] = i;
            continue;
        }
        const int first = first_need(c, x, j, i, end, never, at);
        at[i] = never;
        if (first == never)
            continue;
        if (chosen(c, x, c->compute, j, i)) {
            at[i] = first;
            s->R[schedule_cell(s, first, i)] = 1;
        } else if (chosen(c, x, c->pagein, j, i)) {
            s->In[schedule_cell(s, first - 1, i)] = first - 1 > i;
        }
    }
}

/* Pages out, as soon as it is computed, what is paged in; everything stays until schedule_prune
 * says what has to. */
static void keep_all(const graph *g, schedule *s)
{
    for (int i = 0; i < g->n; i++) {
        bool paged = false;
        for (int t = i + 1; t < g->n; t++)
            paged = paged || s->In[schedule_cell(s, t, i)];
        if (paged && i + 1 < g->n)
            s->Out[schedule_cell(s, i + 1, i)] = 1;
        for (int t = i + 1; t < g->n; t++) {
            s->S[schedule_cell(s, t, i)] = 1;
            s->A[schedule_cell(s, t, i)] = paged && t > i + 1;
        }
    }
}

/* S from what is computed and paged in: from its last source before a use to that use. */
schedule *coarse_schedule(const coarse *c, const double *x)
{
    const graph *g = c->problem->graph;
    schedule *s = schedule_create(g->n);
    int *at = base_malloc((size_t)g->n, sizeof *at);
    for (int j = 0; j <= c->points; j++)
        act(c, x, j, j > 0 ? c->point[j - 1] : -1, j < c->points ? c->point[j] : g->n - 1, s, at);
    base_free(at);
    keep_all(g, s);
    schedule_prune(g, s);
    return s;
}

int coarse_first_points(const problem *p, int count, int *point)
{
    const graph *g = p->graph;
    schedule *all = schedule_checkpoint_all(g);
    int *over = base_malloc((size_t)g->n, sizeof *over), stages = 0, points = 0;
    for (int t = 0; t < g->n; t++)
        if (schedule_stage_memory(p, all, t, NULL) > p->ram_budget_bytes)
            over[stages++] = t;
    for (int k = 0; k < count && stages > 0; k++) {
        const int t = over[(int)(((long)2 * k + 1) * (stages - 1) / (2L * count))];
        if (points == 0 || point[points - 1] < t)
            point[points++] = t;
    }
    base_free(over);
    schedule_free(all);
    return points;
}

/* ---- more points ---------------------------------------------------------------- */

/* The worst excess over the budget in the stages of one interval. */
typedef struct excess {
    int64_t own, other; /* bytes, at the stages' own nodes and at recomputations; 0: none */
    int own_stage, other_stage;
} excess;

static void look_at_stage(const problem *p, const schedule *s, int t, int64_t *profile, excess *x)
{
    schedule_stage_memory(p, s, t, profile);
    for (int k = 0; k <= t; k++) {
        const int64_t over = s->R[schedule_cell(s, t, k)] ? profile[k] - p->ram_budget_bytes : 0;
        if (k == t && over > x->own) {
            x->own = over;
            x->own_stage = t;
        } else if (k < t && over > x->other) {
            x->other = over;
            x->other_stage = t;
        }
    }
}

/* Adds stage t; points stay ascending. False if it is there already. */
static bool insert(int *point, int *points, int t)
{
    int k = *points;
    while (k > 0 && point[k - 1] >= t)
        k--;
    if (k < *points && point[k] == t)
        return false;
    memmove(point + k + 1, point + k, (size_t)(*points - k) * sizeof *point);
    point[k] = t;
    ++*points;
    return true;
}

/* The interval with the largest excess, at stages' own nodes or at recomputations; -1: none. */
static int worst(const excess *x, int count, bool own)
{
    int best = -1;
    int64_t most = 0;
    for (int j = 0; j < count; j++) {
        const int64_t bytes = own ? x[j].own : x[j].other;
        if (bytes > most) {
            most = bytes;
            best = j;
        }
    }
    return best;
}

int coarse_more_points(const problem *p, const schedule *s, int most, int *point, int points)
{
    const int n = p->graph->n, intervals = points + 1;
    int64_t *profile = base_malloc((size_t)n, sizeof *profile);
    excess *x = base_calloc((size_t)intervals, sizeof *x);
    for (int t = 0, j = 0; t < n; t++) {
        look_at_stage(p, s, t, profile, &x[j]);
        if (j < points && point[j] == t)
            j++;
    }
    int j, added = 0;
    while (added < most && (j = worst(x, intervals, true)) >= 0) {
        added += insert(point, &points, x[j].own_stage);
        x[j].own = 0;
    }
    /* Where only recomputations do not fit, the stage by itself: then its row says so. */
    while (added == 0 && (j = worst(x, intervals, false)) >= 0) {
        const int t = x[j].other_stage;
        added += insert(point, &points, t);
        added += t > 0 && insert(point, &points, t - 1);
        x[j].other = 0;
    }
    base_free(x);
    base_free(profile);
    return points;
}
