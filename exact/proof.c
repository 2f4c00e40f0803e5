/* The listener of a run without a certificate: all calls do nothing. */
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
