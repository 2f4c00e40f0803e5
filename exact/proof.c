/* The sink of a run that nobody records. */
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

static void no_end(void *user, bool kept)
{
    (void)user, (void)kept;
}

static long no_cut(void *user, const event_cut *cut)
{
    (void)user, (void)cut;
    return 0;
}

static void nothing(void *user)
{
    (void)user;
}

const exact_proof exact_proof_unheard = {NULL,   no_elimination, no_cases, no_tree,
                                         no_end, no_cut,         nothing};
