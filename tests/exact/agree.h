/* What must hold between exact_solve, its certificate and the oracle on a small instance; the
 * fuzzer and the suite ask the same questions. */
#ifndef TESTS_EXACT_AGREE_H
#define TESTS_EXACT_AGREE_H

#include "certificate/trust.h"
#include "tests/exact/owned.h"
#include "tests/oracle/oracle.h"

/* exact_solve's defaults without local search, so that the proof has to do the work, and without
 * the coarse timeline, which alone solves most small instances. */
exact_params agree_params(void);

/* Solves p with params and compares: status, validated schedule, its overhead and the bound with
 * the oracle's answer. NULL when all agree, otherwise what does not (a static text). */
const char *agree_fault(const problem *p, const exact_params *params, const oracle_result *oracle);

/* As random_instance_fails, with an exact_params as context: solves with the oracle, too. */
bool agree_fails(const problem *p, void *params);

/* Any parameters: all drawn, or one in 2, 4 or 8. / " --set NAME=VALUE" for those off default. */
void agree_draw_tuning(exact_tuning *tuning, base_rng *rng);
void agree_print_tuning(FILE *stream, const exact_tuning *tuning);

/* One way to solve, end to end. */
typedef struct agree_case {
    exact_params params; /* without starts, silent; with a work limit, at which it is open */
    bool start;          /* from the oracle's schedule */
    bool certify;        /* the answer too, where certificates can be written for the features */
    bool recorded;       /* the certificate is one of the run that solves */
    bool once;           /* ... and a second run only where canonical schedules do not decide */
    cert_trust trust;    /* what the certificate may rest on */
    const char *keep;    /* path at which the certificate stays; NULL: it does not */
} agree_case;

/* The same for the same seed: the default features, the default but for one or two, or any set of
 * those that have a name; with and without heuristics, a start, two threads, a gap, a certificate
 * of the run itself; in half of them with any parameters. */
agree_case agree_case_draw(uint64_t seed);

/* A recorded run with the default features that is to prove its answer at once: heuristics,
 * threads, gap and start drawn from the seed. */
agree_case agree_case_draw_once(uint64_t seed);

/* As agree_fault; and a certificate of the answer is written and checked, and claims what the
 * oracle says. *open gets true, with NULL, when its work is over. */
const char *agree_case_fault(const problem *p, const agree_case *c, const oracle_result *oracle,
                             bool *open);

/* As random_instance_fails, with an agree_case as context. */
bool agree_case_fails(const problem *p, void *agree_case);

#endif
