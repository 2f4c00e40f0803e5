/* What docs/formulation.md says of canonical schedules, and of all, asked of one of them. */
#ifndef TESTS_FORMULATION_CANONICAL_H
#define TESTS_FORMULATION_CANONICAL_H

#include "formulation/formulation.h"

/* s: of canonical_least. Whether it lies in the canonical model, with all features and with some
 * that the seed draws, over the full mask or over one that lacks cells that s does not need,
 * propagated or not; whether it fits the memory events whose literals the event cuts are about, and
 * meets source cuts and cuts that are separated; whether a coarse timeline has it. NULL when it
 * does all of that, otherwise what it does not (a static text). */
const char *canonical_fault(const problem *p, const schedule *s, uint64_t seed);

/* s: valid for p. The same of the model of the rules, but for the source cuts and the coarse
 * timeline. */
const char *rules_fault(const problem *p, const schedule *s, uint64_t seed);

#endif
