/* A schedule from a fractional solution: its cells open the masks of the dynamic programme. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "heuristics/search.h"
#include "heuristics/stage_dp.h"

/* Values at most this are 0 for a linear programme. */
static const double ZERO = 1e-6;

/* What the guide says of one cell. */
typedef struct option {
    double value;
    unsigned mask;
} option;

/* The ways open in cell (t,i), with their values. Returns how many. */
static int cell_options(const heuristic_guide *guide, int n, int t, int i, option *options)
{
    const size_t c = (size_t)t * (size_t)n + (size_t)i;
    const double pagein = guide->pagein && t > 0 ? guide->pagein[c - (size_t)n] : 0;
    int count = 0;
    if (guide->keep[c] - pagein > ZERO)
        options[count++] = (option){guide->keep[c] - pagein, STAGE_DP_KEEP};
    if (pagein > ZERO)
        options[count++] = (option){pagein, STAGE_DP_PAGE};
    if (guide->compute[c] > ZERO)
        options[count++] = (option){guide->compute[c], STAGE_DP_COMPUTE | STAGE_DP_AHEAD};
    return count;
}

/* Fills masks (n*n) with the options of value at least `least` or, when rng is given,
 * with a random rounding. A cell in which nothing is left is open for anything: what
 * was left out elsewhere may need it. */
static void open_masks(const problem *p, const heuristic_guide *guide, double least, base_rng *rng,
                       uint8_t *masks)
{
    const int n = p->graph->n;
    for (int t = 0; t < n; t++) {
        base_work(4 * (size_t)n);
        for (int i = 0; i < n; i++) {
            uint8_t *mask = &masks[(size_t)t * (size_t)n + (size_t)i];
            option options[3];
            *mask = 0;
            if (i >= t)
                continue;
            const int count = cell_options(guide, n, t, i, options);
            for (int k = 0; k < count; k++)
                if (rng ? base_rng_double(rng) < sqrt(options[k].value) : options[k].value >= least)
                    *mask |= (uint8_t)options[k].mask;
            if (!*mask)
                *mask = STAGE_DP_ANY;
        }
    }
}

/* The guide may recompute or page anything anywhere: `all`, the set of all nodes, tells
 * the programme not to rely on windows. */
static schedule *construct(const problem *p, const heuristic_tuning *tuning, stage_dp *dp,
                           const uint8_t *masks, const uint64_t *all, double cutoff,
                           const base_limits *limits)
{
    stage_dp_params params = stage_dp_defaults(tuning->repair_width);
    params.strata = tuning->repair_strata;
    params.merge_depth = tuning->repair_merge_depth;
    params.loose = all;
    params.allow = masks;
    params.cutoff_joules = cutoff;
    params.work_limit = (uint64_t)tuning->repair_work;
    params.limits = limits;
    schedule *s = stage_dp_run(dp, &params);
    if (s && schedule_validate(p, s, NULL, NULL)) {
        schedule_free(s);
        return NULL;
    }
    return s;
}

schedule *heuristic_repair(const problem *p, const heuristic_guide *guide,
                           const heuristic_tuning *tuning, int tries, uint64_t seed,
                           double cutoff_joules, const base_limits *limits)
{
    assert(guide->keep && guide->compute);
    const heuristic_tuning usual = heuristic_tuning_default();
    const size_t n = (size_t)p->graph->n;
    uint8_t *masks = base_malloc(n, n);
    uint64_t *all = base_malloc((size_t)bits_words(p->graph->n), sizeof *all);
    memset(all, 0xff, (size_t)bits_words(p->graph->n) * sizeof *all);
    stage_dp *dp = stage_dp_create(p);
    base_rng rng = {seed};
    schedule *best = NULL;
    static const double least[] = {0, 0.5, 0.25};
    const int fixed = (int)(sizeof least / sizeof *least);
    for (int k = 0; k < fixed + tries && base_limits_check(limits) == BASE_GO; k++) {
        open_masks(p, guide, k < fixed ? least[k] : 0, k < fixed ? NULL : &rng, masks);
        schedule *s = construct(p, tuning ? tuning : &usual, dp, masks, all, cutoff_joules, limits);
        if (!s)
            continue;
        validation v;
        schedule_validate(p, s, &v, NULL);
        cutoff_joules = v.overhead_joules;
        schedule_free(best);
        best = s;
    }
    stage_dp_free(dp);
    base_free(masks);
    base_free(all);
    return best;
}
