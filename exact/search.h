/* State of the search (exact/search.c) and its two trees (exact/children.c); not for others. */
#ifndef EXACT_SEARCH_H
#define EXACT_SEARCH_H

#include "exact/find.h"
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
    bool beside; /* there are turns beside those of the proof */
    bool root;   /* among them that of the root of the tree over the rest: to come, or running */
    double proven_upper; /* e->upper at the last proof */
} search_state;

/* The search, after the first schedules, until engine_done or nothing is left to do. */
void engine_search(engine *e);

/* Turns, by all threads, until the search is over (exact/turns.c). */
void search_take_turns(search_state *s);
/* Which turn of the proof comes next; EFFORTS: nothing is left to do. */
exact_effort search_next(const search_state *s);
/* That turn, or one of the finder's. */
void search_run(search_state *s, exact_effort effort);
/* True if that turn is the nodes of a tree, which several threads can share. */
bool search_is_shared(const search_state *s, exact_effort effort);
/* True if there is something better to do than to go on towards the LP over the windows. */
bool search_waits(const search_state *s);
/* How far it is, for the finder. */
outlook search_outlook(const search_state *s);
/* A line of the log after a turn of the proof. */
void search_log(const search_state *s, exact_effort effort);

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
void search_run_rest(search_state *s, double work, long nodes);
/* Its tree is opened, for others to process the root; */
void search_open_root(search_state *s);
/* ... which they have done; over: the tree has ended. */
void search_take_root(search_state *s, bool over);
/* Ends the tree; its cuts go to a working model (NULL: nobody wants them). Without a tree: nothing.
 */
void search_close_child(search_state *s, child *c, working *from);

#endif
