/* From solutions on the coarse timeline to schedules, and from these to more points. */
#include <string.h>

#include "formulation/coarse.h"

static bool is_chosen(const coarse *c, const double *x, const int *col, int j, int i)
{
    const int k = col[coarse_cell(c, j, i)];
    return k >= 0 && x[k] > 0.5;
}

/* Returns the first stage of the interval at which i, computed before it, is needed: by a user
 * that is computed there for the first time or again, or by the next point. Returns `never` if it
 * is not needed. at: the result for each node behind i (extent n). */
static int first_need(const coarse *c, const double *x, int j, int i, int end, int never,
                      const int *at)
{
    const graph *g = c->problem->graph;
    int first = j < c->points && is_chosen(c, x, c->live, j + 1, i) ? end : never;
    for (int e = g->user_start[i]; e < g->user_start[i + 1]; e++)
        if (g->user[e] <= end && at[g->user[e]] < first)
            first = at[g->user[e]];
    return first;
}

/* Writes the actions of x in interval j to s. at: scratch, extent n. */
static void write_actions(const coarse *c, const double *x, int j, schedule *s, int *at)
{
    const int before = coarse_before(c, j), end = coarse_end(c, j), never = c->problem->graph->n;
    for (int i = end; i >= 0; i--) {
        if (i > before) {
            at[i] = i;
            continue;
        }
        const int first = first_need(c, x, j, i, end, never, at);
        at[i] = never;
        if (first == never)
            continue;
        if (is_chosen(c, x, c->compute, j, i)) {
            at[i] = first;
            s->R[schedule_cell(s, first, i)] = 1;
        } else if (is_chosen(c, x, c->pagein, j, i)) {
            s->In[schedule_cell(s, first - 1, i)] = first - 1 > i;
        }
    }
}

/* State of the tensors in the following stage, extent n each. */
typedef struct residence {
    bool *kept;  /* in RAM at its beginning */
    bool *paged; /* paged in there or later */
    int *read;   /* the last stage passed so far in which it is read */
} residence;

/* Keeps tensors in RAM from the last source before a use to that use. Called for the stages in
 * descending order. */
static void write_residency(const graph *g, schedule *s, int t, residence *r)
{
    const size_t row = schedule_cell(s, t, 0);
    base_work(2 * (size_t)t);
    for (int j = 0; j <= t; j++)
        for (int e = g->input_start[j]; s->R[row + (size_t)j] && e < g->input_start[j + 1]; e++)
            r->read[g->input[e]] = t;
    for (int i = 0; i < t; i++) {
        const size_t here = row + (size_t)i;
        r->kept[i] = (r->read[i] == t || (r->kept[i] && !s->In[here])) && !s->R[here];
        r->paged[i] = r->paged[i] || s->In[here];
        if (r->kept[i])
            s->S[here] = 1;
    }
}

/* On storage, if ever paged in, from the first computation on. */
static void write_storage(const graph *g, schedule *s, const residence *r)
{
    for (int t = 1; t < g->n; t++) {
        const size_t row = schedule_cell(s, t, 0);
        base_work((size_t)t);
        for (int i = 0; i + 1 < t; i++)
            if (r->paged[i])
                s->A[row + (size_t)i] = 1;
        if (r->paged[t - 1])
            s->S[row + (size_t)t - 1] = s->Out[row + (size_t)t - 1] = 1;
    }
}

void coarse_complete(const graph *g, schedule *s)
{
    residence r = {base_calloc((size_t)g->n, sizeof *r.kept),
                   base_calloc((size_t)g->n, sizeof *r.paged),
                   base_malloc((size_t)g->n, sizeof *r.read)};
    for (int i = 0; i < g->n; i++)
        r.read[i] = g->n;
    for (int t = g->n - 1; t > 0; t--)
        write_residency(g, s, t, &r);
    write_storage(g, s, &r);
    base_free_all(r.kept, r.paged, r.read);
    schedule_prune(g, s);
}

schedule *coarse_schedule(const coarse *c, const double *x)
{
    const graph *g = c->problem->graph;
    schedule *s = schedule_create(g->n);
    int *at = base_malloc((size_t)g->n, sizeof *at);
    for (int j = 0; j <= c->points; j++)
        write_actions(c, x, j, s, at);
    base_free(at);
    coarse_complete(g, s);
    return s;
}

int coarse_first_points(const problem *p, int count, int *point)
{
    const graph *g = p->graph;
    int64_t *bytes = base_malloc((size_t)g->n, sizeof *bytes);
    int *over = base_malloc((size_t)g->n, sizeof *over), stages = 0, points = 0;
    graph_checkpoint_all_bytes(g, bytes);
    for (int t = 0; t < g->n; t++) {
        if (bytes[t] > p->ram_budget_bytes)
            over[stages++] = t;
    }
    for (int k = 0; k < count; k++) {
        const int first = (int)((long)k * stages / count),
                  end = (int)((long)(k + 1) * stages / count);
        int fullest = first;
        for (int s = first; s < end; s++)
            if (bytes[over[s]] > bytes[over[fullest]])
                fullest = s;
        if (first < end)
            point[points++] = over[fullest];
    }
    base_free(bytes);
    base_free(over);
    return points;
}

/* ---- more points ---------------------------------------------------------------- */

/* The stages, from *from to *to, in which x has i in RAM when the stage computes its own node,
 * wherever in interval j its recomputations and page-ins are: from the point or from the first
 * reader that is first computed there to the last one or to the next point. False: none. */
static bool needed_stages(const coarse *c, const double *x, int j, int i, int *from, int *to)
{
    const graph *g = c->problem->graph;
    const int before = coarse_before(c, j), end = coarse_end(c, j);
    const bool next = j < c->points && (i == end || is_chosen(c, x, c->live, j + 1, i));
    const bool stays = (i == before || is_chosen(c, x, c->live, j, i)) &&
                       !is_chosen(c, x, c->compute, j, i) && !is_chosen(c, x, c->pagein, j, i);
    int first = i > before ? i : g->n, last = i > before ? i : -1;
    for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] <= end; e++)
        if (g->user[e] > before) {
            first = g->user[e] < first ? g->user[e] : first;
            last = g->user[e];
        }
    *from = stays && i <= before ? before + 1 : first;
    *to = next ? end : last;
    return last >= 0 || (stays && next);
}

/* Bytes that x needs at the stages' own nodes (extent n). */
static void needed_bytes(const coarse *c, const double *x, int64_t *bytes)
{
    const graph *g = c->problem->graph;
    memcpy(bytes, g->workspace, (size_t)g->n * sizeof *bytes);
    for (int j = 0; j <= c->points; j++)
        for (int i = 0, from, to; i <= coarse_end(c, j); i++)
            if (needed_stages(c, x, j, i, &from, &to))
                for (int t = from; t <= to; t++)
                    bytes[t] += g->bytes[i];
}

int coarse_tightest_stage(const problem *p)
{
    const graph *g = p->graph;
    int64_t *dies = base_calloc((size_t)g->n, sizeof *dies), stay = 0, most = 0;
    int tightest = -1;
    for (int t = 0; t < g->n; t++) {
        int64_t bytes = stay + g->bytes[t] + g->workspace[t];
        for (int e = g->input_start[t]; e < g->input_start[t + 1]; e++)
            bytes += problem_may_leave(p, g->input[e]) ? g->bytes[g->input[e]] : 0;
        if (stay > 0 && bytes >= most) {
            most = bytes;
            tightest = t;
        }
        if (!problem_may_leave(p, t)) {
            stay += g->bytes[t];
            dies[g->last_user[t]] += g->bytes[t];
        }
        stay -= dies[t];
    }
    base_free(dies);
    return tightest;
}

/* Adds stage t; points stay ascending. False if it is there already. */
static bool insert_point(int *point, int *points, int t)
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

/* Finds the worst stage of each interval (extent points + 1). Bytes of all other stages, and of
 * stages within the budget, are set to 0. */
static void worst_stages(const coarse *c, int64_t *bytes, int *worst)
{
    for (int j = 0; j <= c->points; j++) {
        worst[j] = coarse_end(c, j);
        for (int t = coarse_before(c, j) + 1; t <= coarse_end(c, j); t++)
            if (bytes[t] > bytes[worst[j]])
                worst[j] = t;
        for (int t = coarse_before(c, j) + 1; t <= coarse_end(c, j); t++)
            if (t != worst[j] || bytes[t] <= c->problem->ram_budget_bytes)
                bytes[t] = 0;
    }
}

/* The points of c and up to `most` more, where bytes (extent n, scratch afterwards) are worst;
 * alone: with the stage before each, so that its interval is that stage. Their number. */
static int add_points(const coarse *c, int64_t *bytes, int most, bool alone, int *point)
{
    int *worst = base_malloc((size_t)c->points + 1, sizeof *worst), points = c->points;
    memcpy(point, c->point, (size_t)points * sizeof *point);
    worst_stages(c, bytes, worst);
    for (int added = 0; added < most;) {
        int t = worst[0];
        for (int j = 1; j <= c->points; j++)
            if (bytes[worst[j]] > bytes[t])
                t = worst[j];
        if (bytes[t] == 0)
            break;
        bytes[t] = 0;
        added += insert_point(point, &points, t);
        added += alone && t > 0 && insert_point(point, &points, t - 1);
    }
    base_free(worst);
    return points;
}

int coarse_more_points(const coarse *c, const double *x, int most, int *point)
{
    int64_t *bytes = base_malloc((size_t)c->problem->graph->n, sizeof *bytes);
    needed_bytes(c, x, bytes);
    int points = add_points(c, bytes, most, false, point);
    if (points == c->points) {
        schedule *s = coarse_schedule(c, x);
        for (int t = 0; t < s->n; t++)
            bytes[t] = schedule_stage_memory(c->problem, s, t, NULL);
        points = add_points(c, bytes, most, true, point);
        schedule_free(s);
    }
    base_free(bytes);
    return points;
}
