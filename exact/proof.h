/* exact/proof: the interface through which the engine reports the steps of a proof, for a
 * certificate.
 *
 * The steps concern schedules that are better than the incumbent of the run. First the whole model
 * is bounded and cells are eliminated, in one or several steps. Then a tree over the remaining
 * cells settles the rest, if anything. Each step follows from the steps before it. */
#ifndef EXACT_PROOF_H
#define EXACT_PROOF_H

#include "bnb/bnb.h"
#include "formulation/coarse.h"
#include "formulation/separate.h"

/* Tag of the cut "a cell outside the first case is used". */
enum { EXACT_TAG_OUTSIDE = -1 };

typedef struct exact_proof exact_proof;

/* Listener of one coarse timeline; all zero: none. */
typedef struct exact_timeline {
    void *user;
    const bnb_proof *tree; /* receives the steps of its tree */
} exact_timeline;

struct exact_proof {
    void *user;
    /* Multipliers y of the rows of `whole` (extent its rows) and cut_y of the cuts (extent
     * cuts->count) prove `bound` on its objective. Cells with reduced costs above the gap are
     * eliminated, then cells by formulation_mask_propagate; `removed` counts both. With removed = 0
     * the bound may still close the gap of a later schedule. */
    void (*eliminate)(void *user, const formulation *whole, const double *y,
                      const event_cut_list *cuts, const double *cut_y, double bound, long removed);
    /* Two cases begin: schedules within the cells of f, for which a tree comes next; then schedules
     * that use a cell outside. */
    void (*cases)(void *user, const formulation *f);
    /* A tree begins over the model of f with the cuts as rows after its own. The cells of f are the
     * cells that are left. Returns the listener of its steps. Later eliminations do not apply to
     * this tree. */
    const bnb_proof *(*tree)(void *user, const formulation *f, const event_cut_list *cuts);
    /* The tree has ended; there is one at a time. kept: no node below `bound` is open. If the first
     * case is kept, later trees may use the cut EXACT_TAG_OUTSIDE. If not kept, the tree and its
     * `cases` must be dropped. */
    void (*tree_ended)(void *user, bool kept, double bound);
    /* A cut was found that the tree may use. Returns the tag of the cut in the steps of the tree.
     * Threads of the tree make this call and report steps at the same time. */
    long (*cut)(void *user, const event_cut *cut);
    /* A coarse timeline begins, with a tree of its own beside all others. Several threads may make
     * this and the next call. c must outlive the returned listener. */
    exact_timeline (*timeline)(void *user, const coarse *c);
    /* The tree of the timeline has ended. bound: no open node below it; -INFINITY: unfinished. */
    void (*timeline_ended)(void *user, exact_timeline timeline, double bound);
    /* Multipliers of the rows of c (extent its rows); their reduced costs bound cells. Returns a
     * number for cells_bounded. */
    int (*cell_bounds)(void *user, const coarse *c, const double *y);
    /* The cell bounds with this number have eliminated cells. */
    void (*cells_bounded)(void *user, int number);
    /* Branching on tensors that are ever away begins (exact/cases/cases.h), on the open ones of
     * `fate` (coarse_fate, extent n). Returns the listener of the case that assumes nothing. The
     * listener of a case receives the timelines of the case and the next two calls. It lives as
     * long as the listener of the run. */
    const exact_proof *(*fates)(void *user, const problem *p, const uint8_t *fate);
    /* The case is split in two. child[0]: tensor i is kept, child[1]: it is away. */
    void (*split)(void *user, int i, const exact_proof *child[2]);
    /* Multipliers y of the rows of c (extent its rows) prove `bound` in the case. */
    void (*case_bound)(void *user, const coarse *c, const double *y, double bound);
    /* The run was given up in the middle. Memory that was allocated during its reports is freed. */
    void (*given_up)(void *user);
};

/* True if cell (t,i) of the MASK bit `bit`, outside the mask (extent n*n), must be 0 if all other
 * cells outside are 0. In a canonical schedule a page-in needs a use in the next stage, and a later
 * page-out needs a recomputation in the stage before. The row "some cell outside is used" omits
 * such cells. O(users). */
bool outside_is_implied(const problem *p, unsigned features, const uint8_t *mask, uint8_t bit,
                        int t, int i);

/* The listener of a run without a certificate: all calls do nothing. */
extern const exact_proof exact_proof_none;

#endif
