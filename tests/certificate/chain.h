/* tests/certificate: a chain of five nodes of one byte, one second and one joule in which
 * everything may be done, and a proof by the rules about it. */
#ifndef TESTS_CERTIFICATE_CHAIN_H
#define TESTS_CERTIFICATE_CHAIN_H

#include "certificate/round.h"
#include "tests/certificate/owned.h"

enum { CHAIN_NODES = 5 };

typedef struct chain {
    graph *g;
    problem problem;
    cert_proof *proof;
} chain;

/* slack: seconds that may be added; impossible: the claim is that there is no schedule, else that
 * none is below target (joules). */
void chain_make(chain *c, double slack, bool impossible, double target);
void chain_drop(chain *c);
OWNED_VALUE(chain, chain_drop)

int chain_cell(const chain *c, cert_kind kind, int t, int i);

cert_multiplier chain_times(double y, double slack, cert_row_kind kind, int t, int i, int k);

/* NULL when the checker takes the rounding of one row. */
const char *chain_round(chain *c, double divisor, double rhs, cert_multiplier y, int terms,
                        const cert_round_term *term);

/* A step holds; or it does not, and that is why. */
void chain_taken(const char *fault);
void chain_refused(const char *fault, const char *why);

#endif
