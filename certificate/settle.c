/* Cells that are 0, or equal to others, by the rules of schedules and of canonical ones. */
#include "certificate/settle.h"

/* Marks the tensors that a change of a cell of i concerns: i, its inputs and its users. */
static void mark_due(cert_model *m, int i)
{
    const graph *g = m->g;
    m->settled = false;
    m->due[i] = true;
    for (int e = g->user_start[i]; e < g->user_start[i + 1]; e++)
        m->due[g->user[e]] = true;
    for (int q = g->input_start[i]; q < g->input_start[i + 1]; q++)
        m->due[g->input[q]] = true;
}

void cert_set(cert_model *m, int col, int value)
{
    int8_t *cell = &m->value[m->same[col]];
    if (*cell == value)
        return;
    m->empty = m->empty || *cell != CERT_OPEN;
    *cell = (int8_t)value;
    mark_due(m, col % m->n);
}

static bool may(const cert_model *m, cert_kind kind, int t, int i)
{
    int col = cert_cell(m, kind, t, i);
    return col >= 0 && m->value[m->same[col]] != 0;
}

/* True if a user of i may be computed in stage t. */
static bool usable(const cert_model *m, int t, int i)
{
    const graph *g = m->g;
    if (t >= m->n)
        return false;
    for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] <= t; e++)
        if (g->user[e] == t || may(m, CERT_R, t, g->user[e]))
            return true;
    return false;
}

static bool resident(const cert_model *m, int t, int i)
{
    return may(m, CERT_C, t, i) || may(m, CERT_P, t, i);
}

static bool inputs_present(const cert_model *m, int t, int i)
{
    const graph *g = m->g;
    for (int q = g->input_start[i]; q < g->input_start[i + 1]; q++)
        if (!resident(m, t, g->input[q]) && !may(m, CERT_R, t, g->input[q]))
            return false;
    return true;
}

/* True if the rules allow cell (t,i) to be 1: it has a source, and a computation its inputs.
 * stored: i may be paged out before t. */
static bool has_sources(const cert_model *m, cert_kind kind, int t, int i, bool stored)
{
    const bool first = t == i + 1;
    switch (kind) {
    case CERT_R:
        return inputs_present(m, t, i);
    case CERT_C:
        return first || may(m, CERT_C, t - 1, i) || may(m, CERT_R, t - 1, i);
    case CERT_P:
        return !first && stored && (may(m, CERT_P, t - 1, i) || may(m, CERT_IN, t - 1, i));
    case CERT_IN:
        return stored;
    case CERT_OUT:
        return resident(m, t, i);
    default:
        return true;
    }
}

bool cert_useful(cert_kind kind, const cert_chances *can)
{
    switch (kind) {
    case CERT_R:
        /* for a use, or to be kept as a computed copy: a copy from storage would have been there,
         * or paged in, in the same stage */
        return can->used || can->c_next;
    case CERT_C:
    case CERT_P:
        return can->used || can->c_next || can->p_next || can->out;
    case CERT_IN:
        return can->p_next && can->used_next;
    case CERT_OUT:
        /* at the first chance, of a computed copy, for a later page-in */
        return can->fetched && can->c && (can->first || can->made_before);
    default:
        return true;
    }
}

bool cert_lasts(bool paged, const cert_chances *can)
{
    return !can->used && !can->out && !(paged ? can->in : can->r);
}

/* Chances of the tensor that is being settled (m->used) in stage t. fetched: i may be paged in
 * after t. */
static cert_chances chances_of(const cert_model *m, int t, int i, bool fetched)
{
    return (cert_chances){.used = m->used[t],
                          .used_next = m->used[t + 1],
                          .r = may(m, CERT_R, t, i),
                          .in = may(m, CERT_IN, t, i),
                          .out = may(m, CERT_OUT, t, i),
                          .c = may(m, CERT_C, t, i),
                          .c_next = may(m, CERT_C, t + 1, i),
                          .p_next = may(m, CERT_P, t + 1, i),
                          .first = t == i + 1,
                          .made_before = may(m, CERT_R, t - 1, i),
                          .fetched = fetched};
}

/* Last stage in which i may be paged in; -1: none. */
static int last_page_in(const cert_model *m, int i)
{
    int stage = m->n - 1;
    while (stage > i && !may(m, CERT_IN, stage, i))
        stage--;
    return stage > i ? stage : -1;
}

/* True if a cell of i in stage t is not known to be 0. */
static bool has_cell(const cert_model *m, int t, int i)
{
    for (int kind = 0; kind < (int)CERT_CELLS; kind++)
        if (may(m, (cert_kind)kind, t, i))
            return true;
    return false;
}

/* Fixes cells of tensor i at 0 in one pass forward or backward in time. */
static void settle_tensor(cert_model *m, int i, bool backward)
{
    const graph *g = m->g;
    const int last_in = last_page_in(m, i);
    int first_out = m->n;
    base_work((size_t)(m->n - i) *
              (size_t)(g->user_start[i + 1] - g->user_start[i] + g->input_start[i + 1] -
                       g->input_start[i] + 10) *
              4);
    for (int t = m->n - 1; t > i; t--)
        if (may(m, CERT_OUT, t, i))
            first_out = t;
    for (int step = 0; step < m->n - i - 1; step++) {
        int t = backward ? m->n - 1 - step : i + 1 + step;
        cert_chances can = {0};
        if (!has_cell(m, t, i))
            continue;
        if (m->canonical)
            can = chances_of(m, t, i, t < last_in);
        for (int kind = 0; kind < (int)CERT_CELLS; kind++) {
            int col = cert_cell(m, (cert_kind)kind, t, i);
            if (m->value[m->same[col]] == 0 ||
                (has_sources(m, (cert_kind)kind, t, i, first_out < t) &&
                 (!m->canonical || cert_useful((cert_kind)kind, &can))))
                continue;
            cert_set(m, col, 0);
            can.c = can.c && kind != CERT_C;
        }
    }
}

/* Joins cells of two stages. A copy without use and page-out in a stage is dropped before the stage
 * or kept through it. If no new copy of its kind can come in the stage either, the cells of the
 * stage and the next are equal. The other kind cannot take over, since a resident tensor is neither
 * computed again nor paged in. */
static void join_tensor(cert_model *m, int i)
{
    for (int t = i + 2; t < m->n; t++) {
        const cert_chances can = chances_of(m, t - 1, i, false);
        for (int paged = 0; paged < 2; paged++) {
            cert_kind kind = paged ? CERT_P : CERT_C;
            int before = cert_cell(m, kind, t - 1, i), here = cert_cell(m, kind, t, i);
            if (m->same[here] != here || !cert_lasts(paged, &can))
                continue;
            int8_t value = m->value[here];
            m->same[here] = m->same[before];
            if (value != CERT_OPEN)
                cert_set(m, before, value == 1);
            for (int s = t + 1; s < m->n && m->same[cert_cell(m, kind, s, i)] == here; s++)
                m->same[cert_cell(m, kind, s, i)] = m->same[before];
            mark_due(m, i);
        }
    }
}

void cert_settle(cert_model *m)
{
    while (!m->settled && !m->empty) {
        m->settled = true;
        for (int i = 0; i < m->n; i++) {
            if (!m->due[i])
                continue;
            m->due[i] = false;
            for (int t = i + 1; t < m->n && m->canonical; t++)
                m->used[t] = usable(m, t, i);
            settle_tensor(m, i, false);
            settle_tensor(m, i, true);
            if (m->canonical)
                join_tensor(m, i);
        }
    }
}
