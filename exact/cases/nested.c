/* Fates that follow from other fates. Let the lifetime of one tensor contain the lifetime of
 * another with the same size and cost. Then a schedule in which only the inner one is away can have
 * the outer one away in its place. */
#include "exact/cases/nested.h"

static bool comes_again(const problem *p, const uint8_t *fate, int i)
{
    return problem_may_recompute(p, i) && fate[i] != FATE_KEPT;
}

static bool stays_in_ram(const problem *p, const uint8_t *fate, int i)
{
    return fate[i] == FATE_KEPT || !problem_may_leave(p, i);
}

static bool readers_come_once(const problem *p, const uint8_t *fate, int i)
{
    const graph *g = p->graph;
    for (int e = g->user_start[i]; e < g->user_start[i + 1]; e++)
        if (comes_again(p, fate, g->user[e]))
            return false;
    return true;
}

static bool are_equal(const graph *g, int a, int b)
{
    return g->bytes[a] == g->bytes[b] && g->joules[a] == g->joules[b] &&
           g->pagein_joules[a] == g->pagein_joules[b] &&
           g->pageout_joules[a] == g->pageout_joules[b] && g->seconds[a] == g->seconds[b] &&
           g->pagein_seconds[a] == g->pagein_seconds[b] &&
           g->pageout_seconds[a] == g->pageout_seconds[b] && g->pin[a] == g->pin[b] &&
           g->workspace[a] == 0;
}

/* The first reader of a after the last reader of b. -1: there is none, or another reader of a lies
 * between b and that reader. */
static int next_reader(const graph *g, int a, int b)
{
    for (int e = g->user_start[a]; e < g->user_start[a + 1]; e++)
        if (g->user[e] > g->last_user[b])
            return g->user[e];
        else if (g->user[e] > b)
            return -1;
    return -1;
}

/* True if a < b are nested: no use of a lies between b and the last use of b, and one comes later.
 * A schedule that drops b and keeps a may as well drop a and keep b. */
static bool is_outer(const problem *p, const uint8_t *fate, int a, int b)
{
    const graph *g = p->graph;
    if (!are_equal(g, a, b))
        return false;
    const int next = next_reader(g, a, b);
    if (next < 0 || !readers_come_once(p, fate, a) || !readers_come_once(p, fate, b))
        return false;
    for (int e = g->input_start[a]; e < g->input_start[a + 1]; e++)
        if (!stays_in_ram(p, fate, g->input[e]) || g->last_user[g->input[e]] < next)
            return false;
    return true;
}

/* 1: a fate was changed; 0: nothing follows; -1: the fates contradict each other. */
static int propagate_pair(uint8_t *fate, int outer, int inner)
{
    if (fate[outer] == FATE_KEPT && fate[inner] == FATE_AWAY)
        return -1;
    if (fate[outer] == FATE_KEPT && fate[inner] == FATE_OPEN) {
        fate[inner] = FATE_KEPT;
        return 1;
    }
    if (fate[inner] == FATE_AWAY && fate[outer] == FATE_OPEN) {
        fate[outer] = FATE_AWAY;
        return 1;
    }
    return 0;
}

/* Lists the tensors with a fate, ascending, extent n. Returns their number. */
static int with_fate(const uint8_t *fate, int n, int *list)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        if (fate[i] != FATE_ANY)
            list[count++] = i;
    return count;
}

bool case_propagate(const problem *p, uint8_t *fate, void (*pair)(void *user, int outer, int inner),
                    void *user)
{
    const int n = p->graph->n;
    int *list = base_malloc((size_t)n, sizeof *list);
    const int count = with_fate(fate, n, list);
    bool possible = true;
    for (bool changed = true; changed && possible;) {
        changed = false;
        for (int k = 0; k < count * count && possible; k++) {
            const int a = list[k % count], b = list[k / count];
            const int what = a < b && is_outer(p, fate, a, b) ? propagate_pair(fate, a, b) : 0;
            possible = what >= 0;
            changed = changed || what > 0;
            if (what != 0 && pair)
                pair(user, a, b);
        }
        base_work((size_t)n + (size_t)count * (size_t)count);
    }
    base_free(list);
    return possible;
}
