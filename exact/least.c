/* The smallest budget for which a schedule exists, by bisection over exact_solve. */
#include "base/number.h"
#include "exact/exact.h"

/* The graph of p without energies, for which any schedule is optimal. */
static graph *without_joules(const graph *g)
{
    graph_node *node = base_calloc((size_t)g->n, sizeof *node);
    for (int i = 0; i < g->n; i++) {
        node[i] = graph_node_of(g, i);
        node[i].joules = node[i].pagein_joules = node[i].pageout_joules = 0;
    }
    graph *made = graph_create(g->name, node, g->n, NULL);
    base_free(node);
    return made;
}

/* Greatest common divisor of the sizes. A budget between two multiples allows no more than the
 * multiple below. */
static int64_t unit_of(const graph *g)
{
    int64_t unit = 0;
    for (int i = 0; i < g->n; i++)
        unit = base_gcd(base_gcd(unit, g->bytes[i]), g->workspace[i]);
    return unit > 0 ? unit : 1;
}

/* Decides one budget. EXACT_OPTIMAL: a schedule fits, *peak is its peak; EXACT_INFEASIBLE: none
 * fits; EXACT_LIMIT: undecided. */
static exact_status decide_budget(const problem *p, const exact_params *params, int64_t *peak,
                                  base_stop *stop)
{
    exact_result r = exact_solve(p, params);
    const exact_status status = r.schedule ? EXACT_OPTIMAL : r.status;
    if (r.schedule)
        *peak = r.validation.peak_bytes;
    *stop = r.stop;
    exact_result_clear(&r);
    return status;
}

exact_least exact_least_budget(const problem *p, const exact_params *params)
{
    exact_least found = {.bytes = -1, .least = graph_minimum_bytes(p->graph, NULL)};
    graph *g = without_joules(p->graph);
    exact_params how = *params;
    how.starts = NULL;
    how.start_names = NULL;
    how.start_count = 0;
    how.incumbent = NULL;
    how.proof = NULL;
    how.log = 0;
    problem q = *p;
    q.graph = g;
    const int64_t unit = unit_of(g);
    int64_t peak = 0, next = graph_checkpoint_all_peak(g);
    exact_status status = EXACT_OPTIMAL;
    while (status != EXACT_LIMIT && status != EXACT_FAILED) {
        q.ram_budget_bytes = next;
        status = decide_budget(&q, &how, &peak, &found.stop);
        if (status == EXACT_OPTIMAL)
            found.bytes = peak;
        else if (status == EXACT_INFEASIBLE && found.bytes < 0)
            break; /* within any budget */
        else if (status == EXACT_INFEASIBLE)
            found.least = next + unit;
        if (found.bytes <= found.least)
            break;
        next = found.least + (found.bytes - unit - found.least) / (2 * unit) * unit;
    }
    graph_free(g);
    return found;
}
