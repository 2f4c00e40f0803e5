/* Columns of coarse timelines: numbers, values at node 0, and costs. */
#include "certificate/timeline.h"

/* ---- columns: `out' for each node; for each point 4 n of nodes, the load and its events' ---- */

static int block(const cert_model *m, bool events)
{
    return 4 * m->n + 1 + (events ? m->g->edge_count + 2 * m->n : 0);
}

long cert_timeline_columns(const cert_proof *p, const int *stage, int points)
{
    long columns = p->m->n;
    for (int k = 0; k < points; k++)
        columns += block(p->m, k + 1 < points && stage[k + 1] == stage[k] + 1);
    return columns;
}

bool cert_may_come_again(const cert_proof *p, int q, int k)
{
    const int stage = p->point[q].stage;
    const bool *once = p->timeline[p->point[q].timeline].once;
    return k <= stage && !(once && once[k]) && p->m->g->reach[k] > stage &&
           problem_may_recompute(p->m->p, k);
}

static int event_column(const cert_proof *p, cert_coarse what, int q, int i)
{
    const graph *g = p->m->g;
    const int node = what == CERT_COARSE_NEEDED ? g->user[i] : i;
    int place = p->point[q].first + 4 * g->n + 1 + i;
    if (!p->point[q].events || !cert_may_come_again(p, q, node))
        return -1;
    if (what != CERT_COARSE_NEEDED)
        place += g->edge_count;
    if (what == CERT_COARSE_THERE)
        place += g->n;
    return cert_total_column(p, place);
}

int cert_coarse_column(const cert_proof *p, cert_coarse what, int q, int i)
{
    const cert_point *point = &p->point[q];
    const cert_timeline *line = &p->timeline[point->timeline];
    const int n = p->m->n, own = point->first;
    const bool has_next = what == CERT_COARSE_KEPT || what == CERT_COARSE_LOAD;
    if (what == CERT_COARSE_OUT)
        return cert_total_column(p, line->first + i);
    if (what >= CERT_COARSE_EARLY)
        return cert_total_column(p, line->end - (what == CERT_COARSE_EARLY ? 2 : 1) * n + i);
    if (what > CERT_COARSE_LOAD)
        return event_column(p, what, q, i);
    if (has_next && point->last)
        return -1;
    if (what == CERT_COARSE_LOAD)
        return cert_total_column(p, own + 4 * n);
    if (i > point->stage || (i == point->stage && what == CERT_COARSE_LIVE))
        return -1;
    return cert_total_column(p, own + ((int)what - (int)CERT_COARSE_LIVE) * n + i);
}

/* ---- their values at node 0 -------------------------------------------------------------- */

static bool may(const cert_proof *p, cert_kind kind, int t, int i)
{
    const int col = cert_cell(p->m, kind, t, i);
    return col >= 0 && p->value[cert_same(p, col)] != 0;
}

static bool may_have_cell(const cert_proof *p, const cert_total *total)
{
    int first, last;
    const cert_kind kind = cert_cells_of(p, total, &first, &last);
    while (first <= last && !may(p, kind, first, total->node))
        first++;
    return first <= last;
}

/* True if tensor i may be live at the event of point q: it may be in RAM, and be read by the
 * point's node, kept, or paged out. */
static bool may_be_live(const cert_proof *p, int q, int i)
{
    const int t = p->point[q].stage;
    return (may(p, CERT_C, t, i) || may(p, CERT_P, t, i) || may(p, CERT_R, t, i)) &&
           (graph_is_input(p->m->g, i, t) || may(p, CERT_C, t + 1, i) || may(p, CERT_P, t + 1, i) ||
            may(p, CERT_OUT, t, i));
}

/* True if some stage after i's own lies in the interval in which i is first computed. */
static bool may_be_early(const cert_proof *p, int q, int i)
{
    const int *at = p->timeline[p->point[q].timeline].at;
    return i + 1 < p->m->n && at[i + 1] == at[i];
}

static cert_span known_values(const cert_proof *p, const cert_total *total)
{
    const int q = total->point, i = total->node;
    switch (total->what) {
    case CERT_COARSE_LIVE:
        return (cert_span){graph_is_input(p->m->g, i, p->point[q].stage), may_be_live(p, q, i)};
    case CERT_COARSE_KEPT:
        return (cert_span){0, may_be_live(p, q + 1, i)};
    case CERT_COARSE_FROM:
        return (cert_span){0, may(p, CERT_C, p->point[q].end, i) ||
                                  may(p, CERT_P, p->point[q].end, i)};
    case CERT_COARSE_NEEDED:
        return (cert_span){0, 1};
    case CERT_COARSE_EARLY:
        return (cert_span){0, may_be_early(p, q, i)};
    case CERT_COARSE_STAY:
        return (cert_span){0, p->fate[i] != CERT_AWAY};
    case CERT_COARSE_LOAD:
    case CERT_COARSE_THERE:
        return (cert_span){0, p->m->budget};
    default:
        return (cert_span){0, may_have_cell(p, total)};
    }
}

/* Adds a column with its values at node 0; one that does not exist is 0. */
static void add_column(cert_proof *p, int q, cert_coarse what, int i)
{
    const bool exists = cert_coarse_column(p, what, q, i) >= 0;
    const int64_t most = what == CERT_COARSE_LOAD || what == CERT_COARSE_THERE ? p->m->budget : 1;
    cert_total column = {.coarse = true, .what = what, .point = q, .node = i};
    column.now = column.root = column.before = (cert_span){0, exists ? most : 0};
    const int k = cert_add_total(p, &column);
    if (exists && !cert_idle(p, 0))
        cert_narrow(p, 0, k, known_values(p, &p->total[k]));
}

static void add_points(cert_proof *p, const int *stage, int points, bool fates)
{
    const int n = p->m->n;
    cert_timeline *line = &p->timeline[p->timelines];
    p->point = base_realloc(p->point, (size_t)p->points + (size_t)points, sizeof *p->point);
    *line = (cert_timeline){.first_point = p->points,
                            .points = points,
                            .first = p->totals,
                            .fates = fates,
                            .at = base_malloc((size_t)n, sizeof *line->at)};
    for (int k = 0, first = p->totals + n; k < points; k++) {
        const bool last = k + 1 == points;
        p->point[p->points++] = (cert_point){.timeline = p->timelines,
                                             .stage = stage[k],
                                             .end = last ? n - 1 : stage[k + 1],
                                             .first = first,
                                             .last = last,
                                             .events = !last && stage[k + 1] == stage[k] + 1};
        first += block(p->m, p->point[p->points - 1].events);
        line->end = first + (line->fates ? 2 * n : 0);
    }
    for (int t = 0, q = -1; t < n; t++) {
        line->at[t] = q < 0 ? -1 : line->first_point + q;
        q += q + 1 < points && t == stage[q + 1];
    }
    p->timelines++;
}

/* Notes the nodes that count as never computed again. Returns NULL or a fault. */
static const char *mark_once(cert_proof *p, const int *once, int count)
{
    cert_timeline *line = &p->timeline[p->timelines - 1];
    if (count > 0)
        line->once = base_calloc((size_t)p->m->n, sizeof *line->once);
    for (int k = 0; once && k < count; k++) {
        if (p->fate[once[k]] != CERT_KEPT)
            return "a node that is not kept may be computed again";
        line->once[once[k]] = true;
    }
    return NULL;
}

const char *cert_proof_timeline(cert_proof *p, const int *stage, int points, const int *once,
                                int count)
{
    if (!p->m->canonical)
        return "a timeline holds for canonical schedules only";
    if (p->nodes > 1)
        return "a timeline comes before node 0 is branched";
    p->timeline = base_realloc(p->timeline, (size_t)p->timelines + 1, sizeof *p->timeline);
    const int first = p->points;
    add_points(p, stage, points, once != NULL);
    const char *fault = mark_once(p, once, count);
    for (int i = 0; i < p->m->n; i++)
        add_column(p, first, CERT_COARSE_OUT, i);
    for (int q = first; q < p->points; q++) {
        for (int what = CERT_COARSE_LIVE; what < (int)CERT_COARSE_LOAD; what++)
            for (int i = 0; i < p->m->n; i++)
                add_column(p, q, (cert_coarse)what, i);
        add_column(p, q, CERT_COARSE_LOAD, 0);
        for (int e = 0; p->point[q].events && e < p->m->g->edge_count; e++)
            add_column(p, q, CERT_COARSE_NEEDED, e);
        for (int i = 0; p->point[q].events && i < 2 * p->m->n; i++)
            add_column(p, q, i < p->m->n ? CERT_COARSE_FROM : CERT_COARSE_THERE, i % p->m->n);
    }
    for (int i = 0; once && i < 2 * p->m->n; i++)
        add_column(p, first, i < p->m->n ? CERT_COARSE_EARLY : CERT_COARSE_STAY, i % p->m->n);
    return fault;
}

/* ---- the overhead on a timeline ----------------------------------------------------------- */

void cert_proof_price(cert_proof *p, int point)
{
    p->priced = point < 0 ? -1 : p->point[point].timeline;
}

bool cert_is_covered(const cert_proof *p, int col)
{
    const cert_timeline *line = &p->timeline[p->priced];
    const int n = p->m->n, kind = col / (n * n), t = col / n % n + (kind == (int)CERT_IN);
    if (kind == (int)CERT_OUT || line->fates)
        return true;
    return t < n && line->at[t] >= 0 && col % n <= p->point[line->at[t]].stage;
}

double cert_overhead(const cert_proof *p, int col)
{
    const cert_model *m = p->m;
    if (col < m->cols)
        return p->priced >= 0 && cert_is_cell(m, col) && cert_is_covered(p, col)
                   ? 0
                   : cert_cost(m, col);
    const cert_total *total = &p->total[col - m->cols];
    if (!total->coarse || p->point[total->point].timeline != p->priced)
        return 0;
    switch (total->what) {
    case CERT_COARSE_OUT:
        return m->g->pageout_joules[total->node];
    case CERT_COARSE_COMPUTE:
        return m->g->joules[total->node];
    case CERT_COARSE_PAGEIN:
        return m->g->pagein_joules[total->node];
    default:
        return 0;
    }
}
