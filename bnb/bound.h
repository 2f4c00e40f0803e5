/* bnb/bound: bounds a node by its LP. */
#ifndef BNB_BOUND_H
#define BNB_BOUND_H

#include "bnb/exactly.h"

/* Solves the LP within the domain (at most `limit` iterations) and evaluates it. */
bnb_outcome bnb_relaxation_solve(bnb_context *c, long limit);

#endif
