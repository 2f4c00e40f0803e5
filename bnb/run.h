/* bnb/run: work, bound and limits of a run. */
#ifndef BNB_RUN_H
#define BNB_RUN_H

#include "bnb/bnb.h"

/* The first starts counting the thread's steps (base_work), and gives its context the cutoff that
 * earlier rounds or the caller have lowered. The second adds its steps since then to the search's
 * work. */
void bnb_begin_work(bnb_search *s, int thread);
void bnb_charge(bnb_search *s, int thread);
/* Returns the search's work by a count that is the same in every run. In rounds: work of all
 * threads up to the last round, plus this thread's steps since. */
double bnb_known_work(bnb_context *c);
/* Stops the search if the nodes or the work of this run are used up; true then. */
bool bnb_stop_if_spent(bnb_search *s);
/* Stops the search with that status; only the first call counts. */
void bnb_search_stop(bnb_search *s, bnb_status status);
/* Returns the status of a search that stops for this reason. */
bnb_status bnb_limit_status(base_stop stop);
/* Returns the limits for this thread's next step. In rounds each thread has an equal part of the
 * remaining work. */
base_limits bnb_limits(bnb_context *c);
/* Handles a limit. In rounds, a thread that has used up its part of the work ends its round,
 * after which the run ends. Any other limit stops the search. */
void bnb_context_stop(bnb_context *c, base_stop why);
/* Checks the limits; true if this thread must stop. The work and nodes of the run stop the root;
 * below it a node that has begun is finished, since it could not continue in the next run. */
bool bnb_stopped(bnb_context *c);

/* Returns the least bound of all open nodes, capped by the cutoff; -INFINITY before the root has
 * a bound. */
double bnb_search_bound(const bnb_search *s);
/* Returns the number of open nodes that no thread is processing. */
int bnb_open_nodes(const bnb_search *s);

#endif
