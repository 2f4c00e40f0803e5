/* State of the search (exact/search.c) and its two trees (exact/children.c); not for others. */
#ifndef EXACT_SEARCH_H
#define EXACT_SEARCH_H

#include "exact/root_lane.h"
#include "exact/tree.h"
#include "exact/working.h"

/* One of the two cases: schedules within the windows, or those that use a cell outside. */
typedef struct child {
    tree *tree;   /* NULL: not open */
    working *own; /* what it is over, if that is not kept elsewhere */
    long cells;   /* of that */
    bool outside; /* (of the rest) leaves the windows to the other child */
    long nodes;   /* of all its trees */
    double bound; /* proven, model units */
    bool over;    /* nothing more comes of it */
} child;

typedef struct search_state {
    engine *e;
    uint8_t *first;   /* cells of the windows, extent n*n; NULL before, and once there is a model */
    long first_count; /* how many */
    working *windows; /* the model; NULL before */
    bool solved;      /* its LP */
    cut_rounds rounds; /* of it, after that */
    bool opened;       /* they are over, or nothing comes of it */
    child within, rest;
    bool looked; /* at the tree over the windows */
    finder finder;
    root_lane *root; /* has the root of the tree over the rest; NULL: nobody, or it is done */
    lane *lane; /* has the efforts of the finder; NULL: they have their turns between the others */
    double proven_upper; /* e->upper at the last proof */
} search_state;

/* The search, after the first schedules, until engine_done or nothing is left to do. */
void engine_search(engine *e);

/* Recomputations and transfers of a mask that another one (NULL: none) lacks; extents n*n. */
long search_cell_count(const engine *e, const uint8_t *mask, const uint8_t *without);
/* Cells that have been eliminated leave the mask (extent n*n). */
void search_restrict_cells(const engine *e, uint8_t *mask);
/* The windows are all that may matter: what is proven there holds for the full model. */
bool search_is_complete(const search_state *s);

/* True if there is something to do for the tree over the windows. */
bool search_may_run_within(const search_state *s);
/* The tree over the windows goes on, or begins: for about so much work and so many nodes. */
void search_run_within(search_state *s, double work, long nodes);
/* The same for the tree over every cell that is left. */
void search_run_rest(search_state *s, double work);
/* Its root begins in a thread of its own, where there is one to be had; */
void search_open_root(search_state *s);
/* ... and is taken: it has ended. */
void search_take_root(search_state *s);
/* It ends now, whether it has ended or not; where a limit did that, what it proves counts. Also
 * where work is being given up. */
void search_close_root(search_state *s);
/* Ends the tree; its cuts go to a working model (NULL: nobody wants them). Without a tree: nothing.
 */
void search_close_child(search_state *s, child *c, working *from);

#endif
