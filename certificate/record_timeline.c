/* Coarse timelines: each has a recorder of its own for its tree, and names of rows and columns. */
#include "base/lock.h"
#include "certificate/record_internal.h"

/* There is `out` of every node; for
 * each point four totals of every node and the load; and where its interval is one stage, `needed`
 * of every edge and two totals of every node. */
int record_totals_before(const coarse *c, int j)
{
    const graph *g = c->problem->graph;
    int count = g->n + j * (4 * g->n + 1);
    for (int k = 1; k <= j && k < c->points; k++)
        if (c->point[k] == c->point[k - 1] + 1)
            count += g->edge_count + 2 * g->n;
    return count;
}

int record_coarse_total(const coarse *c, int col)
{
    const graph *g = c->problem->graph;
    const formulation_key key = c->column[col];
    const int own = record_totals_before(c, key.t > 0 ? key.t - 1 : 0), events = own + 4 * g->n + 1;
    switch (key.kind) {
    case COARSE_OUT:
        return key.i;
    case COARSE_LOAD:
        return events - 1;
    case COARSE_NEEDED:
        return events + graph_edge(g, key.i, key.k);
    case COARSE_FROM:
        return events + g->edge_count + key.i;
    case COARSE_THERE:
        return events + g->edge_count + g->n + key.k;
    case COARSE_EARLY:
        return record_totals_before(c, c->points) + key.i;
    case COARSE_STAY:
        return record_totals_before(c, c->points) + g->n + key.i;
    default:
        return own + (key.kind - (int)COARSE_LIVE) * g->n + key.i;
    }
}

cert_key record_coarse_key(const coarse *c, int row, double *scale)
{
#define KIND(name) [COARSE_ROW_##name] = CERT_ROW_POINT_##name
    static const cert_row_kind kinds[COARSE_ROW_KINDS] = {
        KIND(LIVE),     KIND(LEFT),         KIND(KEPT),  KIND(INPUT),  KIND(STORED),
        KIND(USED),     KIND(BACK),         KIND(LOAD),  KIND(MEMORY), KIND(ROOM),
        KIND(DEADLINE), KIND(COMPUTATIONS), KIND(AGAIN), KIND(LATER),  KIND(FROM),
        KIND(STAYS),    KIND(THERE),        KIND(EVENT), KIND(AWAY)};
    const formulation_key key = c->row[row];
    const bool bytes = key.kind == (int)COARSE_ROW_LOAD || key.kind == (int)COARSE_ROW_MEMORY ||
                       key.kind == (int)COARSE_ROW_ROOM || key.kind == (int)COARSE_ROW_THERE ||
                       key.kind == (int)COARSE_ROW_EVENT;
    *scale = bytes                                  ? c->byte_scale
             : key.kind == (int)COARSE_ROW_DEADLINE ? formulation_deadline_scale(c->problem)
                                                    : 1;
    return (cert_key){kinds[key.kind], key.t > 0 ? key.t - 1 : 0, key.i, key.k};
}

void record_write_timeline(text_buffer *out, int points, const int *point)
{
    text_print(out, "timeline %d", points);
    for (int k = 0; k < points; k++)
        text_print(out, " %d", point[k]);
}

/* Writes that the timeline has columns for tensors that are away, and which nodes it has no events
 * of, since the case keeps them. */
static void write_kept(recorder *own)
{
    text_print(own->out, " away");
    for (int i = 0; i < own->problem->graph->n; i++)
        if (problem_may_recompute(own->problem, i) && !problem_may_recompute(own->c->problem, i))
            text_print(own->out, " %d", i);
}

exact_timeline record_begin_timeline(void *user, const coarse *c)
{
    const recorder *r = user;
    recorder *own = base_malloc(1, sizeof *own);
    recorder_init(own);
    own->c = c;
    own->model = c->model;
    own->problem = r->problem;
    own->at = 0;
    own->nodes = 1;
    record_write_timeline(own->out, c->points, c->point);
    if (own->problem)
        write_kept(own);
    text_print(own->out, "\n");
    return (exact_timeline){own, &own->tree_hooks};
}

void record_end_timeline(void *user, exact_timeline timeline, double bound)
{
    recorder *r = user, *own = timeline.user;
    if (!own)
        return;
    base_lock(&r->lock);
    if (!own->fault && bound > r->whole_bound) {
        r->whole_bound = bound;
        text_clear(&r->whole);
        text_move(&r->whole, &own->steps);
    }
    base_unlock(&r->lock);
    recorder_clear(own);
    base_free(own);
}
