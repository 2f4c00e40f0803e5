/* exact/proof: what a run of the engine tells to somebody who writes a certificate.
 *
 * The steps concern schedules that are better than the best one of the run. First the
 * whole model is bounded and cells are eliminated, in one step or several; then a tree over what is
 * left settles the rest, if anything. All are told in an order in which each follows from those
 * before. */
#ifndef EXACT_PROOF_H
#define EXACT_PROOF_H

#include "bnb/bnb.h"
#include "formulation/coarse.h"
#include "formulation/separate.h"

/* Tag of the cut that says that a cell outside the first case is used. */
enum { EXACT_TAG_OUTSIDE = -1 };

/* Coarse timelines that are open at a time, at most. */
enum { EXACT_TIMELINES = 18 };

/* Who hears of one coarse timeline; zeroed: nobody. */
typedef struct exact_timeline {
    void *user;
    const bnb_proof *tree; /* receives the steps of its tree */
} exact_timeline;

typedef struct exact_proof {
    void *user;
    /* Multipliers y of the rows of `whole` (extent its rows) and cut_y of the cuts (extent
     * cuts->count) that bound its objective: cells whose reduced costs pass the gap are eliminated,
     * and then what formulation_mask_propagate removes, so many in all. Where there are none the
     * bound may still be what a better schedule meets later. */
    void (*eliminate)(void *user, const formulation *whole, const double *y,
                      const event_cut_list *cuts, const double *cut_y, double bound, long removed);
    /* Two cases: schedules within the cells of f, for which a tree comes next; then those that use
     * a cell outside. */
    void (*cases)(void *user, const formulation *f);
    /* A tree begins over the model of f, whose cells are those that are left, with the cuts as rows
     * after its own; what is returned receives its steps. What is eliminated until it has ended is
     * not a part of it. */
    const bnb_proof *(*tree)(void *user, const formulation *f, const event_cut_list *cuts);
    /* The tree, of which there is one at a time, has ended. kept: it left nothing open below the
     * bound; if it was the first case's, later trees may use the cut that says that the second one
     * holds. Otherwise neither it nor its `cases' have been told. */
    void (*tree_ended)(void *user, bool kept, double bound);
    /* A cut was found that the tree may use; returns the tag under which the tree's steps name
     * it. Threads of the tree call this, and tell it their steps, at the same time. */
    long (*cut)(void *user, const event_cut *cut);
    /* A coarse timeline is made, which has a tree of its own beside all others. May be called by
     * several threads, as the next one; c is to outlive what is returned. */
    exact_timeline (*timeline)(void *user, const coarse *c);
    /* The tree has ended. bound: what it has left nothing open below, -INFINITY: it is not over. */
    void (*timeline_ended)(void *user, exact_timeline timeline, double bound);
    /* Multipliers of the rows of c (extent its rows) whose reduced costs bound cells; returns a
     * number for them, under which they may be asked for afterwards. */
    int (*cell_bounds)(void *user, const coarse *c, const double *y);
    /* These have eliminated cells. */
    void (*cells_bounded)(void *user, int number);
    /* The run was given up in the middle: what was allocated while it told something is gone. */
    void (*given_up)(void *user);
} exact_proof;

/* True if cell (t,i) of that MASK bit, which is outside of the mask (extent n*n), is 0 if all
 * others outside are: in a canonical schedule a page-in needs a use in the next stage, a later
 * page-out a recomputation in the stage before. The row that says that some cell outside is used
 * leaves it out. O(users). */
bool outside_is_implied(const problem *p, unsigned features, const uint8_t *mask, uint8_t bit,
                        int t, int i);

/* Nobody listens: what a run without a certificate tells. */
extern const exact_proof exact_proof_unheard;

#endif
