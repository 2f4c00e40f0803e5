/* The rows of coarse timelines. */
#include <math.h>

#include "certificate/timeline.h"

/* A row under construction, of point q. */
typedef struct maker {
    const cert_proof *p;
    const graph *g;
    int q, before, end; /* the interval consists of the stages before+1 .. end */
    cert_row *row;
} maker;

/* A point's own node is live there. */
static void add(const maker *m, cert_coarse what, int q, int i, double coef)
{
    if (what == CERT_COARSE_LIVE && i == m->p->point[q].stage)
        m->row->rhs -= coef;
    else
        cert_row_add(m->row, cert_coarse_column(m->p, what, q, i), coef);
}

/* coef times "k <= end is computed in the interval". */
static void add_computed(const maker *m, int k, double coef)
{
    if (k > m->before)
        m->row->rhs -= coef;
    else
        add(m, CERT_COARSE_COMPUTE, m->q, k, coef);
}

/* coef times "i is live at the point, computed again or paged in". */
static void add_there(const maker *m, int i, double coef)
{
    add(m, CERT_COARSE_LIVE, m->q, i, coef);
    add(m, CERT_COARSE_COMPUTE, m->q, i, coef);
    add(m, CERT_COARSE_PAGEIN, m->q, i, coef);
}

/* False if a user is computed for the first time in the interval: no such row. */
static bool make_used(const maker *m, int i)
{
    add(m, CERT_COARSE_PAGEIN, m->q, i, 1);
    for (int e = m->g->user_start[i]; e < m->g->user_start[i + 1]; e++) {
        const int k = m->g->user[e];
        if (k > m->before && k <= m->end)
            return false;
        if (k <= m->before)
            add_computed(m, k, -1);
    }
    return true;
}

/* False if no user of i is behind the interval. */
static bool make_back(const maker *m, int i)
{
    const graph *g = m->g;
    int e = g->user_start[i], q = m->q;
    while (e < g->user_start[i + 1] && g->user[e] <= m->end)
        e++;
    if (e == g->user_start[i + 1])
        return false;
    m->row->rhs = -1;
    add(m, CERT_COARSE_OUT, q, i, -1);
    add(m, CERT_COARSE_KEPT, q, i, -1);
    add(m, CERT_COARSE_COMPUTE, q, i, -1);
    while (m->p->point[q].end < g->user[e])
        add(m, CERT_COARSE_COMPUTE, ++q, i, -1);
    return true;
}

static void make_room(const maker *m, int k)
{
    const cert_model *model = m->p->m;
    double needed = (double)(model->bytes[k] + model->workspace[k]);
    m->row->rhs = (double)model->budget;
    add(m, CERT_COARSE_LOAD, m->q, 0, 1);
    for (int e = m->g->input_start[k]; e < m->g->input_start[k + 1]; e++) {
        const int i = m->g->input[e];
        needed += (double)model->bytes[i];
        add(m, CERT_COARSE_KEPT, m->q, i, -(double)model->bytes[i]);
    }
    add_computed(m, k, needed);
}

static void make_memory(const maker *m)
{
    const cert_model *model = m->p->m;
    m->row->rhs = (double)(model->budget - model->bytes[m->before] - model->workspace[m->before]);
    for (int i = 0; i < m->before; i++)
        add(m, CERT_COARSE_LIVE, m->q, i, (double)model->bytes[i]);
}

static void make_load(const maker *m)
{
    for (int i = 0; i <= m->before; i++)
        add(m, CERT_COARSE_KEPT, m->q, i, (double)m->p->m->bytes[i]);
    add(m, CERT_COARSE_LOAD, m->q, 0, -1);
}

/* Adds coef times the column of i of all points of the timeline. */
static void add_all(const maker *m, cert_coarse what, int i, double coef)
{
    const cert_timeline *line = &m->p->timeline[m->p->point[m->q].timeline];
    for (int q = line->first_point; q < line->first_point + line->points; q++)
        add(m, what, q, i, coef);
}

static void make_deadline(const maker *m)
{
    const graph *g = m->g;
    const bool transfers = m->p->m->p->deadline_includes_paging;
    m->row->rhs = m->p->m->slack_seconds;
    for (int i = 0; i < g->n; i++) {
        add_all(m, CERT_COARSE_COMPUTE, i, g->seconds[i]);
        add_all(m, CERT_COARSE_PAGEIN, i, transfers ? g->pagein_seconds[i] : 0);
        add(m, CERT_COARSE_OUT, m->q, i, transfers ? g->pageout_seconds[i] : 0);
    }
}

static void make_away(const maker *m, int i)
{
    m->row->rhs = -1;
    add(m, CERT_COARSE_STAY, m->q, i, -1);
    add(m, CERT_COARSE_EARLY, m->q, i, -1);
    add_all(m, CERT_COARSE_COMPUTE, i, -1);
    add_all(m, CERT_COARSE_PAGEIN, i, -1);
}

/* ---- events of an interval that is one stage ------------------------------------------------ */

/* Edge from i to its first user from k on that may come again; -1: none. */
static int next_edge(const maker *m, int i, int k)
{
    for (int e = m->g->user_start[i]; e < m->g->user_start[i + 1]; e++)
        if (m->g->user[e] >= k && cert_may_come_again(m->p, m->q, m->g->user[e]))
            return e;
    return -1;
}

/* coef times "i is needed at event k or later". */
static void add_needed(const maker *m, int i, int k, double coef)
{
    const int e = next_edge(m, i, k);
    if (e < 0)
        add(m, CERT_COARSE_LIVE, m->q + 1, i, coef);
    else
        add(m, CERT_COARSE_NEEDED, m->q, e, coef);
}

/* coef times "i is live as the stage begins, if it is needed". */
static void add_from(const maker *m, int i, double coef)
{
    if (cert_may_come_again(m->p, m->q, i))
        add(m, CERT_COARSE_FROM, m->q, i, coef);
    else
        add_needed(m, i, 0, coef);
}

/* Change of `there` since the last event before k at which a node may come again, or since the
 * beginning. */
static void make_there(const maker *m, int k)
{
    const graph *g = m->g;
    const int64_t *bytes = m->p->m->bytes;
    int last = k - 1;
    while (last >= 0 && !cert_may_come_again(m->p, m->q, last))
        last--;
    add(m, CERT_COARSE_THERE, m->q, k, -1);
    for (int i = last < 0 ? 0 : last; i < k; i++)
        add_needed(m, i, k, (double)bytes[i]);
    if (last < 0) {
        for (int i = k; i <= m->before; i++)
            add_from(m, i, (double)bytes[i]);
        return;
    }
    add(m, CERT_COARSE_THERE, m->q, last, 1);
    for (int i = last; i < k; i++)
        add_from(m, i, -(double)bytes[i]);
    for (int e = g->input_start[last]; e < g->input_start[last + 1]; e++) {
        add_needed(m, g->input[e], k, (double)bytes[g->input[e]]);
        add_needed(m, g->input[e], last, -(double)bytes[g->input[e]]);
    }
}

/* Rows of events; i, k as in the name, -1: none. */
static bool make_event_row(const maker *m, cert_row_kind kind, int i, int k)
{
    const cert_model *model = m->p->m;
    const int again = kind == CERT_ROW_POINT_FROM || kind == CERT_ROW_POINT_STAYS ? i : k;
    if (!m->p->point[m->q].events || again < 0 || !cert_may_come_again(m->p, m->q, again) ||
        (k >= 0 && i >= 0 && !graph_is_input(m->g, i, k)))
        return false;
    switch (kind) {
    case CERT_ROW_POINT_AGAIN:
        add_computed(m, k, 1);
        add_needed(m, i, k, -1);
        return true;
    case CERT_ROW_POINT_LATER:
        add_needed(m, i, k + 1, 1);
        add_needed(m, i, k, -1);
        return true;
    case CERT_ROW_POINT_FROM:
        add_needed(m, i, 0, 1);
        add_computed(m, i, -1);
        add_from(m, i, -1);
        return true;
    case CERT_ROW_POINT_STAYS:
        add(m, CERT_COARSE_KEPT, m->q, i, 1);
        add_from(m, i, -1);
        return true;
    case CERT_ROW_POINT_THERE:
        make_there(m, k);
        return true;
    default:
        m->row->rhs = (double)model->budget;
        add(m, CERT_COARSE_THERE, m->q, k, 1);
        add_computed(m, k, (double)(model->bytes[k] + model->workspace[k]));
        return true;
    }
}

/* ---- the row of a name -------------------------------------------------------------------- */

/* Rows of a tensor i <= before. */
static bool make_tensor_row(const maker *m, cert_row_kind kind, int i, int k)
{
    const bool has_next =
        kind == CERT_ROW_POINT_KEPT || kind == CERT_ROW_POINT_LEFT || kind == CERT_ROW_POINT_LIVE;
    if (has_next && m->p->point[m->q].last)
        return false;
    switch (kind) {
    case CERT_ROW_POINT_KEPT:
    case CERT_ROW_POINT_LEFT:
        add(m, CERT_COARSE_KEPT, m->q, i, 1);
        add(m, CERT_COARSE_LIVE, m->q + (kind == CERT_ROW_POINT_LEFT), i, -1);
        return true;
    case CERT_ROW_POINT_LIVE:
        add(m, CERT_COARSE_LIVE, m->q + 1, i, 1);
        add(m, CERT_COARSE_KEPT, m->q, i, -1);
        add(m, CERT_COARSE_COMPUTE, m->q, i, -1);
        add(m, CERT_COARSE_PAGEIN, m->q, i, -1);
        return true;
    case CERT_ROW_POINT_INPUT:
        add_there(m, i, -1);
        if (k >= 0 && k <= m->end)
            add_computed(m, k, 1);
        return i < m->before && k >= 0 && k <= m->end && graph_is_input(m->g, i, k);
    case CERT_ROW_POINT_STORED:
        add(m, CERT_COARSE_PAGEIN, m->q, i, 1);
        add(m, CERT_COARSE_OUT, m->q, i, -1);
        return true;
    case CERT_ROW_POINT_USED:
        return make_used(m, i);
    case CERT_ROW_POINT_BACK:
        return make_back(m, i);
    default:
        return false;
    }
}

bool cert_point_row(const cert_proof *p, cert_key key, cert_row *row)
{
    const cert_point *point = &p->point[key.t];
    const maker m = {p, p->m->g, key.t, point->stage, point->end, row};
    cert_row_reset(row);
    if (key.kind >= CERT_ROW_POINT_AGAIN && key.kind <= CERT_ROW_POINT_EVENT)
        return make_event_row(&m, key.kind, key.i, key.k);
    switch (key.kind) {
    case CERT_ROW_POINT_LOAD:
        make_load(&m);
        return !point->last;
    case CERT_ROW_POINT_MEMORY:
        make_memory(&m);
        return true;
    case CERT_ROW_POINT_ROOM:
        if (key.k < 0 || key.k > m.end)
            return false;
        make_room(&m, key.k);
        return !point->last;
    case CERT_ROW_POINT_DEADLINE:
        make_deadline(&m);
        return isfinite(p->m->slack_seconds);
    case CERT_ROW_POINT_AWAY:
        make_away(&m, key.i);
        return p->timeline[point->timeline].fates;
    case CERT_ROW_POINT_COMPUTATIONS:
        row->rhs = p->m->p->max_computations - 1;
        add_all(&m, CERT_COARSE_COMPUTE, key.i, 1);
        return problem_limits_computations(p->m->p);
    default:
        return key.i <= m.before && make_tensor_row(&m, key.kind, key.i, key.k);
    }
}
