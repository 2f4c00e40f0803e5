/* The listener of a run without a certificate, all of whose calls do nothing; and cells that follow
 * from others. */
#include "exact/proof.h"

static void no_elimination(void *user, const formulation *whole, const double *y,
                           const event_cut_list *cuts, const double *cut_y, double bound,
                           long removed)
{
    (void)user, (void)whole, (void)y, (void)cuts, (void)cut_y, (void)bound, (void)removed;
}

static void no_cases(void *user, const formulation *f)
{
    (void)user, (void)f;
}

static const bnb_proof *no_tree(void *user, const formulation *f, const event_cut_list *cuts)
{
    (void)user, (void)f, (void)cuts;
    return NULL;
}

static void no_end(void *user, bool kept, double bound)
{
    (void)user, (void)kept, (void)bound;
}

static long no_cut(void *user, const event_cut *cut)
{
    (void)user, (void)cut;
    return 0;
}

static exact_timeline no_timeline(void *user, const coarse *c)
{
    (void)user, (void)c;
    return (exact_timeline){0};
}

static void no_timeline_end(void *user, exact_timeline timeline, double bound)
{
    (void)user, (void)timeline, (void)bound;
}

static int no_cell_bounds(void *user, const coarse *c, const double *y)
{
    (void)user, (void)c, (void)y;
    return 0;
}

static void no_cells_bounded(void *user, int number)
{
    (void)user, (void)number;
}

static const exact_proof *no_fates(void *user, const problem *p, const uint8_t *fate)
{
    (void)user, (void)p, (void)fate;
    return &exact_proof_none;
}

static void no_split(void *user, int i, const exact_proof *child[2])
{
    (void)user, (void)i;
    child[0] = child[1] = &exact_proof_none;
}

static void no_case_bound(void *user, const coarse *c, const double *y, double bound)
{
    (void)user, (void)c, (void)y, (void)bound;
}

static void nothing(void *user)
{
    (void)user;
}

const exact_proof exact_proof_none = {
    NULL,     no_elimination, no_cases,        no_tree,        no_end,
    no_cut,   no_timeline,    no_timeline_end, no_cell_bounds, no_cells_bounded,
    no_fates, no_split,       no_case_bound,   nothing};

static bool has_bits(const graph *g, const uint8_t *mask, int t, int i, uint8_t bit)
{
    return mask[(size_t)t * (size_t)g->n + (size_t)i] & bit;
}

bool outside_is_implied(const problem *p, unsigned features, const uint8_t *mask, uint8_t bit,
                        int t, int i)
{
    const graph *g = p->graph;
    if (!(features & FORMULATION_CANONICAL))
        return false;
    if (bit == MASK_OUT)
        return t > i + 1 && !has_bits(g, mask, t - 1, i, MASK_R);
    if (bit != MASK_IN || t + 1 >= g->n)
        return false;
    for (int q = g->user_start[i]; q < g->user_start[i + 1] && g->user[q] <= t + 1; q++)
        if (g->user[q] == t + 1 || has_bits(g, mask, t + 1, g->user[q], MASK_R))
            return false;
    return true;
}
