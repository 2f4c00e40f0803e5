/* Random cuts by rounding, as tight as the checker takes them. */
#ifndef TESTS_CERTIFICATE_ROUNDINGS_H
#define TESTS_CERTIFICATE_ROUNDINGS_H

#include "certificate/round.h"

/* Adds a random cut of the multipliers (extent count; their slacks are overwritten) to the proof,
 * if the checker takes it: the cut's number, or -1. */
int rounding_draw(cert_proof *p, cert_multiplier *y, int count, base_rng *rng);

/* True if x meets the cut. */
bool rounding_holds(const cert_proof *p, int cut, const double *x);

/* What a column, or a total, is at x (extent m->cols). */
double rounding_value(const cert_proof *p, const double *x, int col);

#endif
