/* The one table of methods, in the order of `compare`. */
#include "baselines/baseline.h"

#include <stdlib.h>
#include <string.h>

#include "baselines/policy.h"

#define CHEN "Chen, Xu, Zhang, Guestrin: Training deep nets with sublinear memory cost, 2016"
#define GRIEWANK "Griewank, Walther: Algorithm 799: revolve, ACM TOMS 26, 2000"
#define KIRISAME "Kirisame et al.: Dynamic Tensor Rematerialization, ICLR 2021"
#define JAIN                                                                                       \
    "Jain et al.: Checkmate, breaking the memory wall with optimal rematerialization, MLSys 2020"
#define PENG "Peng et al.: Capuchin, tensor-based GPU memory management, ASPLOS 2020"
#define BEAUMONT                                                                                   \
    "Beaumont, Eyraud-Dubois, Shilova: Efficient combination of rematerialization and "            \
    "offloading for training DNNs, NeurIPS 2021"
#define JIANG "Jiang et al.: FastSA, NeurIPS 2023"

#define METHOD(NAME, FUNCTION, VARIANT, TITLE, CITATION, OPTIONS, WORK, COST, ...)                 \
    {                                                                                              \
        .name = #NAME, .run = baseline_##FUNCTION, .variant = VARIANT, .title = TITLE,             \
        .citation = CITATION, .options = OPTIONS, .work = WORK, .cost = COST, __VA_ARGS__          \
    }

static const baseline_method methods[] = {
    METHOD(checkpoint_all, checkpoint_all, 0, "keep every activation until its last reader",
           "the practice of training frameworks", "", "O(n^2)", BASELINE_CHEAP, .pins = true,
           .general_graphs = '+'),
    METHOD(chen_sqrtn, chen_sqrtn, BASELINE_POINTS, "segments of sqrt(n) articulation points", CHEN,
           "", "O(n (n + edges))", BASELINE_CHEAP, .plans_forward = true, .general_graphs = '~'),
    METHOD(chen_sqrtn_noap, chen_sqrtn, BASELINE_NODES, "segments of sqrt(n) forward nodes", CHEN,
           "", "O(n (n + edges))", BASELINE_CHEAP, .plans_forward = true, .general_graphs = '+'),
    METHOD(chen_greedy, chen_greedy, BASELINE_POINTS,
           "segments of b bytes between articulation points", CHEN, "--chen-segment-bytes",
           "O(sets n (n + edges))", BASELINE_SWEEP, .plans_forward = true, .general_graphs = '~',
           .memory_aware = '~'),
    METHOD(chen_greedy_noap, chen_greedy, BASELINE_NODES,
           "segments of b bytes between forward nodes", CHEN, "--chen-segment-bytes",
           "O(sets n (n + edges))", BASELINE_SWEEP, .plans_forward = true, .general_graphs = '+',
           .memory_aware = '~'),
    METHOD(revolve, revolve, BASELINE_NODES, "optimal snapshots on a uniform chain", GRIEWANK,
           "--revolve-snapshots", "O(n n (n + edges))", BASELINE_SWEEP, .plans_forward = true),
    METHOD(revolve_ap, revolve, BASELINE_POINTS, "revolve on the chain of articulation points",
           GRIEWANK, "--revolve-snapshots", "O(points n (n + edges))", BASELINE_SWEEP,
           .plans_forward = true, .general_graphs = '~'),
    METHOD(checkmate, checkmate, 0, "optimal recomputation for time", JAIN, "", "branch and bound",
           BASELINE_EXACT, .pins = true, .general_graphs = '+', .compute_aware = '+',
           .memory_aware = '+'),
    METHOD(checkmate_lp, checkmate_lp, BASELINE_LP_THRESHOLDS,
           "Checkmate's LP, rounded at thresholds", JAIN, "--checkmate-threshold",
           "an LP of O(n edges) rows", BASELINE_PROGRAMME, .general_graphs = '+',
           .compute_aware = '+', .memory_aware = '+'),
    METHOD(checkmate_lp_random, checkmate_lp, BASELINE_LP_RANDOM,
           "Checkmate's LP, rounded at random", JAIN, "--checkmate-draws --seed",
           "an LP of O(n edges) rows", BASELINE_PROGRAMME, .general_graphs = '+',
           .compute_aware = '+', .memory_aware = '+'),
    METHOD(dtr, dtr, BASELINE_DTR_NEIGHBOURHOOD, "online eviction by cost, size and staleness",
           KIRISAME, "--dtr-thrash", "O(evictions n edges)", BASELINE_CHEAP, .general_graphs = '+',
           .compute_aware = '+', .memory_aware = '+'),
    METHOD(dtr_eq, dtr, BASELINE_DTR_CLASSES, "DTR with union-find classes", KIRISAME,
           "--dtr-thrash", "O(evictions edges)", BASELINE_CHEAP, .general_graphs = '+',
           .compute_aware = '+', .memory_aware = '+'),
    METHOD(dtr_local, dtr, BASELINE_DTR_LOCAL, "DTR with each tensor's own cost", KIRISAME,
           "--dtr-thrash", "O(evictions n)", BASELINE_CHEAP, .general_graphs = '+',
           .compute_aware = '+', .memory_aware = '+'),
    METHOD(dtr_simrd, dtr, BASELINE_DTR_SIMULATOR, "DTR with the ties of its simulator", KIRISAME,
           "--dtr-thrash", "O(evictions n edges)", BASELINE_CHEAP, .general_graphs = '+',
           .compute_aware = '+', .memory_aware = '+'),
    METHOD(capuchin, capuchin, BASELINE_CAPUCHIN_DMA, "page what can be hidden, then recompute",
           PENG, "", "O(decisions n (n + edges))", BASELINE_SWEEP, .pages = true,
           .general_graphs = '+', .compute_aware = '+', .memory_aware = '+'),
    METHOD(capuchin_sync, capuchin, BASELINE_CAPUCHIN_SYNC, "Capuchin with blocking transfers",
           PENG, "", "O(decisions n (n + edges))", BASELINE_SWEEP, .pages = true,
           .general_graphs = '+', .compute_aware = '+', .memory_aware = '+'),
    METHOD(pofo, pofo, BASELINE_NODES, "optimal segments and paging on a chain", BEAUMONT,
           "--pofo-slots", "O(n^2 slots^3)", BASELINE_PROGRAMME, .plans_forward = true,
           .pages = true, .compute_aware = '+', .memory_aware = '+'),
    METHOD(pofo_ap, pofo, BASELINE_POINTS, "POFO on the chain of articulation points", BEAUMONT,
           "--pofo-slots", "O(points^2 slots^3)", BASELINE_PROGRAMME, .plans_forward = true,
           .pages = true, .general_graphs = '~', .compute_aware = '+', .memory_aware = '+'),
    METHOD(anneal, anneal, 0, "simulated annealing on retention intervals", JIANG, "--seed",
           "O(n) moves, each of the stages that change", BASELINE_PROGRAMME, .pages = true,
           .pins = true, .general_graphs = '+', .compute_aware = '+', .memory_aware = '+',
           .power_aware = '+'),
};

const baseline_method *baseline_methods(int *count)
{
    *count = (int)(sizeof methods / sizeof *methods);
    return methods;
}

schedule *baseline_schedule(const baseline_method *method, const problem *p,
                            const baseline_options *o, char reason[BASELINE_REASON])
{
    const graph *g = p->graph;
    int pinned = 0;
    while (!method->pins && pinned < g->n && !g->pin[pinned])
        pinned++;
    if (method->pins || pinned == g->n)
        return method->run(p, o, method->variant, reason);
    snprintf(reason, BASELINE_REASON, "%s does not support pins, and node %d (%.80s) has one",
             method->name, pinned, g->node_name[pinned]);
    return NULL;
}

const baseline_method *baseline_find(const char *name, base_error *error)
{
    int count;
    const baseline_method *table = baseline_methods(&count);
    char known[sizeof error->text / 2] = "";
    for (int k = 0; k < count; k++) {
        if (strcmp(table[k].name, name) == 0)
            return &table[k];
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", k > 0 ? ", " : "", table[k].name);
    }
    base_fail(error, "unknown method '%.80s'; known are %s", name, known);
    return NULL;
}

baseline_options baseline_options_default(void)
{
    return (baseline_options){.segment_bytes = -1,
                              .dtr_thrash = 10.0,
                              .checkmate_draws = 100,
                              .seed = 1,
                              .pofo_slots = 50};
}
