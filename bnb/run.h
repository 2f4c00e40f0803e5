/* bnb/run: where a run of the search stands: its work, its bound, and whether it is to stop. */
#ifndef BNB_RUN_H
#define BNB_RUN_H

#include "bnb/bnb.h"

/* The thread's counted work (base_work) counts from here / what it did since is added to the
 * search's. */
void bnb_begin_work(bnb_search *s, int thread);
void bnb_charge(bnb_search *s, int thread);
/* The search's work as far as this thread may know of it: in rounds, what all had done by the last
 * one, and its own since; the same in every run. */
double bnb_known_work(bnb_context *c);
/* True if the nodes or the work of the run are done, and which. */
bool bnb_is_spent(bnb_search *s, bnb_status *why);
/* Stops everything with that status; the first call counts. */
void bnb_search_stop(bnb_search *s, bnb_status status);
/* What a search ends with at such a limit. */
bnb_status bnb_limit_status(base_stop stop);
/* The search's limits for what this thread does now. In rounds each thread has an equal part of the
 * work that is left. */
base_limits bnb_limits(bnb_context *c);
/* A limit is reached. In rounds a thread whose part of the work is done ends its round, and the run
 * ends with that; any other limit stops everything. */
void bnb_context_stop(bnb_context *c, base_stop why);
/* Checks the limits; true when to stop. */
bool bnb_stopped(bnb_context *c);

/* Least bound of what is left, capped by the cutoff; -INFINITY before the root's bound. */
double bnb_search_bound(const bnb_search *s);
/* bnb_gap_unit with the costs of the caller's model. */
double bnb_unit(const bnb_search *s, double objective);
/* Nodes of the tree that nobody works at. */
int bnb_open_nodes(const bnb_search *s);
/* Remembers the bound for a search that is given up. With the lock held. */
void bnb_note_bound(bnb_search *s);

#endif
