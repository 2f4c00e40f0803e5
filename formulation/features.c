/* Features by name, what holds together of them, and the scales of costs and seconds. */
#include "formulation/formulation.h"

#include <math.h>
#include <string.h>

static const formulation_feature_info feature_table[FORMULATION_FEATURES] = {
#define INFO(feature, word, by_default, rests, part, words)                                        \
    {word, words, FORMULATION_##feature, rests, FEATURE_##part},
    FORMULATION_FEATURE_TABLE(INFO)
#undef INFO
};

const formulation_feature_info *formulation_features(int *count)
{
    *count = FORMULATION_FEATURES;
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
    for (int f = 0; f < FORMULATION_FEATURES && !(features & FORMULATION_CANONICAL); f++)
        if (feature_table[f].canonical)
            features &= ~feature_table[f].bit;
    return features;
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
    double unit = graph_base_joules(g), transfers = 0;
    for (int i = 0; i < g->n; i++)
        transfers += g->pagein_joules[i] + g->pageout_joules[i];
    if (unit == 0)
        unit = transfers;
    return unit > 0 ? power_below(1e4 / unit) : 1;
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

/* Bits of the comma-separated names; `all' stands for all when allowed. */
static int read_features(const char *list, bool all_allowed, unsigned *bits, base_error *error)
{
    char word[64], known[512] = "";
    *bits = 0;
    const char *at = list;
    int left = base_count_words(list);
    for (; left > 0 && base_next_word(&at, word, sizeof word); left--) {
        unsigned bit = formulation_feature_by_name(word);
        if (!bit && all_allowed && strcmp(word, "all") == 0)
            bit = ~0u;
        if (!bit)
            break;
        *bits |= bit;
    }
    if (left == 0)
        return 0;
    int count;
    const formulation_feature_info *table = formulation_features(&count);
    size_t used = 0;
    for (int k = 0; k < count && used < sizeof known; k++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", k ? ", " : "",
                                 table[k].name);
    return base_fail(error, "expected names of %s between commas, got '%s'", known, list);
}

int formulation_features_choose(const char *without, const char *with, unsigned *features,
                                base_error *error)
{
    base_error why;
    unsigned added = 0, dropped = 0;
    if (without && read_features(without, true, &dropped, &why) != 0)
        return base_fail(error, "--without: %s", why.text);
    if (with && read_features(with, false, &added, &why) != 0)
        return base_fail(error, "--with: %s", why.text);
    *features = (FORMULATION_DEFAULT & ~dropped) | added;
    return 0;
}
