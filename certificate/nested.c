/* Pairs of nested tensors of equal size and costs: if one of both is away at some time, it is the
 * outer one. Why, and that each condition is needed: FORMAT.md, "Cases". */
#include "certificate/proof_internal.h"

static bool never_comes_again(const cert_proof *p, int i)
{
    return p->fate[i] == CERT_KEPT || !problem_may_recompute(p->m->p, i);
}

static bool stays(const cert_proof *p, int i)
{
    return p->fate[i] == CERT_KEPT || !problem_may_leave(p->m->p, i);
}

static bool are_equal(const graph *g, int a, int b)
{
    return g->bytes[a] == g->bytes[b] && g->pin[a] == g->pin[b] && g->joules[a] == g->joules[b] &&
           g->pagein_joules[a] == g->pagein_joules[b] &&
           g->pageout_joules[a] == g->pageout_joules[b] && g->seconds[a] == g->seconds[b] &&
           g->pagein_seconds[a] == g->pagein_seconds[b] &&
           g->pageout_seconds[a] == g->pageout_seconds[b];
}

static bool readers_come_once(const cert_proof *p, int i)
{
    const graph *g = p->m->g;
    for (int e = g->user_start[i]; e < g->user_start[i + 1]; e++)
        if (!never_comes_again(p, g->user[e]))
            return false;
    return true;
}

static int last_reader(const graph *g, int i)
{
    int last = i;
    for (int e = g->user_start[i]; e < g->user_start[i + 1]; e++)
        last = g->user[e] > last ? g->user[e] : last;
    return last;
}

const char *cert_nested_fault(const cert_proof *p, int outer, int inner)
{
    const graph *g = p->m->g;
    const int last = last_reader(g, inner);
    int next = g->n;
    if (!p->m->canonical || outer >= inner)
        return "nested tensors: an earlier tensor and a later one are expected, with exchanges";
    if (!are_equal(g, outer, inner))
        return "nested tensors: their sizes, costs, times and pins differ";
    if (g->workspace[outer] > 0)
        return "nested tensors: the outer one has a workspace";
    for (int e = g->user_start[outer]; e < g->user_start[outer + 1]; e++) {
        const int k = g->user[e];
        if (k > inner && k <= last)
            return "nested tensors: the outer one is read before the last use of the inner one";
        next = k > last && k < next ? k : next;
    }
    if (next == g->n)
        return "nested tensors: the outer one is not read after the inner one";
    if (!readers_come_once(p, outer) || !readers_come_once(p, inner))
        return "nested tensors: a node that reads one of them may be computed again";
    for (int e = g->input_start[outer]; e < g->input_start[outer + 1]; e++) {
        const int i = g->input[e];
        if (!stays(p, i) || last_reader(g, i) < next)
            return "nested tensors: an input of the outer one may be away at its next use";
    }
    return NULL;
}
