/* Schedules as matrices: creation, and copies that do not touch zero pages. Also two completions:
 * the least computations for a given residency, and the least residency for given actions. */
#include "problem/schedule.h"

#include <assert.h>
#include <string.h>

/* One block holds the five matrices: R, S, A, In, Out. */
static schedule *schedule_allocate(int n)
{
    assert(n >= 1);
    size_t cells = (size_t)n * (size_t)n;
    schedule *s = base_malloc(1, sizeof *s);
    s->n = n;
    s->R = base_calloc(cells, 5);
    s->S = s->R + cells;
    s->A = s->S + cells;
    s->In = s->A + cells;
    s->Out = s->In + cells;
    return s;
}

schedule *schedule_create(int n)
{
    schedule *s = schedule_allocate(n);
    for (int t = 0; t < n; t++)
        s->R[schedule_cell(s, t, t)] = 1;
    return s;
}

/* Most pages of a large schedule are zero, and untouched ones take no memory: they stay so. */
static void copy_cells(schedule *to, const schedule *s, bool fresh)
{
    enum { PIECE = 4096 };
    static const uint8_t zero[PIECE];
    const size_t size = 5 * (size_t)s->n * (size_t)s->n;
    for (size_t at = 0, piece; at < size; at += piece) {
        piece = size - at < PIECE ? size - at : PIECE;
        if (memcmp(s->R + at, zero, piece) != 0)
            memcpy(to->R + at, s->R + at, piece);
        else if (!fresh && memcmp(to->R + at, zero, piece) != 0)
            memset(to->R + at, 0, piece);
    }
    base_work(size / 8);
}

schedule *schedule_copy(const schedule *s)
{
    schedule *copy = schedule_allocate(s->n);
    copy_cells(copy, s, true);
    return copy;
}

void schedule_assign(schedule *to, const schedule *s)
{
    assert(to->n == s->n);
    copy_cells(to, s, false);
}

void schedule_keep(schedule *s)
{
    if (!s)
        return;
    base_keep(s->R);
    base_keep(s);
}

void schedule_free(schedule *s)
{
    if (!s)
        return;
    base_free(s->R);
    base_free(s);
}

schedule *schedule_checkpoint_all(const graph *g)
{
    schedule *s = schedule_create(g->n);
    for (int i = 0; i < g->n; i++) {
        base_work((size_t)(g->last_user[i] - i));
        for (int t = i + 1; t <= g->last_user[i]; t++)
            s->S[schedule_cell(s, t, i)] = 1;
    }
    return s;
}

/* Writes only what changes: a page that is zero takes no memory until it is written. */
static void set(uint8_t *cell, bool value)
{
    if (*cell != value)
        *cell = value;
}

void schedule_minimal_compute(const graph *g, schedule *s)
{
    const int n = s->n;
    assert(n == g->n);
    for (int t = 0; t < n; t++) {
        const size_t row = schedule_cell(s, t, 0), next = row + (size_t)n;
        uint8_t *R = s->R + row;
        const uint8_t *S = s->S + row;
        for (int i = 0; i < t; i++)
            set(&R[i], t + 1 < n && s->S[next + (size_t)i] && !S[i] && !s->In[row + (size_t)i]);
        R[t] = 1;
        base_work((size_t)t);
        for (int j = t; j >= 0; j--) {
            if (!R[j])
                continue;
            for (int e = g->input_start[j]; e < g->input_start[j + 1]; e++)
                if (!S[g->input[e]])
                    R[g->input[e]] = 1;
        }
    }
}

/* Node k is computed: its inputs are read. */
static void mark_inputs(const graph *g, int k, bool *read)
{
    for (int e = g->input_start[k]; e < g->input_start[k + 1]; e++)
        read[g->input[e]] = true;
}

/* True if an input of v that is being paged out in stage t leaves RAM after v, before the stage
 * ends. Then the computation of v stays although no node reads it: without it the memory would
 * rise. read: marks the inputs of the later nodes of the stage. */
static bool frees_written_out(const graph *g, const schedule *s, int t, int v, const bool *read)
{
    const size_t row = schedule_cell(s, t, 0);
    for (int e = g->input_start[v]; e < g->input_start[v + 1]; e++) {
        int i = g->input[e];
        bool kept = t + 1 < s->n && s->S[row + (size_t)s->n + (size_t)i];
        if (s->Out[row + (size_t)i] && !kept && !read[i])
            return true;
    }
    return false;
}

/* Stage t of schedule_prune; row t+1 is final. Nodes go downwards, so that the
 * readers of a node within the stage are final before the node. */
static void prune_stage(const graph *g, schedule *s, int t, bool *read)
{
    const int n = s->n;
    const size_t row = schedule_cell(s, t, 0);
    uint8_t *R = s->R + row, *S = s->S + row, *A = s->A + row;
    uint8_t *In = s->In + row, *Out = s->Out + row;
    base_work(2 * (size_t)t);
    memset(read, 0, (size_t)n * sizeof *read);
    mark_inputs(g, t, read);
    for (int i = 0; i < t; i++)
        set(&Out[i], Out[i] && t + 1 < n && s->A[row + (size_t)(n + i)]);
    for (int i = t - 1; i >= 0; i--) {
        const bool kept = t + 1 < n && s->S[row + (size_t)(n + i)];
        const bool stored = t + 1 < n && s->A[row + (size_t)(n + i)];
        if (R[i] && ((!read[i] && !kept) || Out[i]) && !frees_written_out(g, s, t, i, read))
            R[i] = 0;
        if (R[i])
            mark_inputs(g, i, read);
        const bool at_start = (read[i] && !R[i]) || Out[i];
        if (at_start || R[i] || !kept)
            set(&In[i], false);
        set(&S[i], at_start || (kept && !R[i] && !In[i]));
        set(&A[i], In[i] || (stored && !Out[i]));
    }
}

void schedule_prune(const graph *g, schedule *s)
{
    assert(s->n == g->n);
    bool *read = base_malloc((size_t)s->n + 1, sizeof *read);
    for (int t = s->n - 1; t >= 0; t--)
        prune_stage(g, s, t, read);
    base_free(read);
}
