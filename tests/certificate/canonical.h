/* What the checker takes for granted, asked of a schedule. */
#ifndef TESTS_CERTIFICATE_CANONICAL_H
#define TESTS_CERTIFICATE_CANONICAL_H

#include "certificate/trust.h"
#include "problem/schedule.h"

/* s: with CERT_EXCHANGES of canonical_least, with CERT_RULES any valid schedule. Whether it meets
 * every row that has a name, and cuts that the checker accepts; whether what follows from cells
 * that it does not use, as the seed draws them, agrees with it; and its columns on a timeline at
 * stages that the seed draws. NULL when all of that is so, otherwise what is not (a static text).
 */
const char *checker_fault(const problem *p, const schedule *s, cert_trust trust, uint64_t seed);

#endif
