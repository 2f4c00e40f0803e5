#include "formulation/formulation.h"

#include <math.h>
#include <string.h>

static const formulation_feature_info feature_table[] = {
    {"release", "release variables bounded by use instead of the published big-M rows",
     FORMULATION_RELEASE},
    {"reach", "no cells after the last stage of any use", FORMULATION_REACH},
    {"canonical", "rows that every canonical optimal schedule meets; off: the rules alone",
     FORMULATION_CANONICAL},
    {"origin", "residency split by origin: computed or paged in", FORMULATION_ORIGIN},
    {"merge", "one column for cells that must be equal", FORMULATION_MERGE},
    {"totals", "integer totals over tensors of equal cost, in the last trees",
     FORMULATION_TREE_TOTALS},
    {"unit-totals",
     "... over costs that are multiples of a unit, where the gap is a small part of that",
     FORMULATION_TREE_UNITS},
    {"late", "recompute for keeping only before an input dies", FORMULATION_LATE},
    {"round", "budget rounded to what the sizes can add up to, tiny tensors free",
     FORMULATION_ROUND},
    {"windows", "the search starts from cells near uses; off: from all of them",
     FORMULATION_WINDOWS},
    {"event-cuts", "rounding and cover cuts on whole memory events", FORMULATION_EVENT_CUTS},
    {"weight-cuts", "... lifted from what the fractional tensors' sizes can add up to",
     FORMULATION_WEIGHT_CUTS},
    {"conditional-cuts", "all of them on events given that their node is recomputed, too",
     FORMULATION_CONDITIONAL},
    {"source-cuts", "cuts that tie what is recomputed in an interval, and kept, to its sources",
     FORMULATION_SOURCE_CUTS},
    {"sub-mips", "schedules from models restricted to what starts, schedule and LP do",
     FORMULATION_SUBMIPS},
    {"picked-duals", "cells are eliminated by duals that are picked for it",
     FORMULATION_PICKED_DUALS},
    {"shed", "once the windows are closed, models grow from their cells that matter",
     FORMULATION_SHED},
    {"coarse", "bounds and schedules from a coarse timeline, where models grow for long",
     FORMULATION_COARSE},
};

const formulation_feature_info *formulation_features(int *count)
{
    *count = (int)(sizeof feature_table / sizeof feature_table[0]);
    return feature_table;
}

unsigned formulation_feature_by_name(const char *name)
{
    int count;
    const formulation_feature_info *table = formulation_features(&count);
    for (int f = 0; f < count; f++)
        if (!strcmp(table[f].name, name))
            return table[f].bit;
    return 0;
}

unsigned formulation_consistent(unsigned features)
{
    const unsigned resting =
        FORMULATION_REACH | FORMULATION_MERGE | FORMULATION_LATE | FORMULATION_SOURCE_CUTS;
    return features & FORMULATION_CANONICAL ? features : features & ~resting;
}

/* The largest power of two that is at most x > 0. */
static double power_below(double x)
{
    int exponent;
    frexp(x, &exponent);
    return ldexp(1, exponent - 1);
}

double formulation_default_scale(const graph *g)
{
    double base = graph_base_joules(g);
    return base > 0 ? power_below(1e4 / base) : 1;
}

double formulation_deadline_scale(const problem *p)
{
    const graph *g = p->graph;
    double largest = 0;
    for (int i = 0; i < g->n; i++) {
        largest = fmax(largest, g->seconds[i]);
        if (p->deadline_includes_paging)
            largest = fmax(largest, fmax(g->pagein_seconds[i], g->pageout_seconds[i]));
    }
    return largest > 0 ? 1 / power_below(largest) : 1;
}
