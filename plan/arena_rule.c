/* Rules of the runs: long lives; full sections, then long lives; or large areas. */
#include "plan/arena_rule.h"

typedef enum wish { LONG, FULL_LONG, AREA } wish;

static const struct {
    wish wish;
    bool dynamic;
} rule[ARENA_RULES] = {{LONG, true},  {FULL_LONG, false}, {AREA, true},
                       {AREA, false}, {FULL_LONG, true},  {LONG, false}};

bool arena_rule_is_dynamic(int run)
{
    return rule[run % ARENA_RULES].dynamic;
}

double arena_largest(const double *value, int first, int last)
{
    double most = 0;
    for (int t = first; t <= last; t++)
        most = value[t] > most ? value[t] : most;
    return most;
}

double arena_rule_preference(int run, int first, int last, int64_t bytes, const double *total,
                             int sections)
{
    const double life = last - first + 1;
    switch (rule[run % ARENA_RULES].wish) {
    case LONG:
        return life;
    case AREA:
        return life * (double)bytes;
    default:
        return arena_largest(total, first, last) + (life - 1) / sections;
    }
}
