/* What must hold between exact_solve and the oracle on a small instance; the fuzzer and the
 * suite ask the same questions. */
#ifndef TESTS_EXACT_AGREE_H
#define TESTS_EXACT_AGREE_H

#include "exact/exact.h"
#include "tests/oracle/oracle.h"

/* exact_solve's defaults without local search, so that the proof has to do the work. */
exact_params agree_params(void);

/* Solves p with params and compares: status, validated schedule, its overhead and the bound with
 * the oracle's answer. NULL when all agree, otherwise what does not (a static text). */
const char *agree_fault(const problem *p, const exact_params *params, const oracle_result *oracle);

/* As random_instance_fails, with an exact_params as context: solves with the oracle, too. */
bool agree_fails(const problem *p, void *params);

#endif
