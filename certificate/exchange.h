/* certificate/exchange: proof, case by case for a given graph, that some optimal schedule is
 * canonical (FORMAT.md, "Exchanges"). */
#ifndef CERTIFICATE_EXCHANGE_H
#define CERTIFICATE_EXCHANGE_H

#include "certificate/row.h"

/* Counts of the checks. */
typedef struct cert_exchanges {
    long rows;  /* rows that hold for canonical schedules only */
    long cases; /* states of a tensor in two stages, each with one change */
} cert_exchanges;

/* Checks the rows of m (with CERT_EXCHANGES) of the kinds used_r, used_s, used_in, out_first,
 * out_once, one and late: if a schedule breaks a row, the change named in docs/formulation.md gives
 * a schedule that takes no more memory at any event and comes before it in the order. Then checks
 * the other assumptions on canonical schedules where no change is left to make: rows stored_in and
 * out_from, the reductions, and that a tensor counts at most once. Returns NULL, or a text that
 * with *key names the first failure. O(n^2 (users + inputs of a node)) */
const char *cert_exchanges_check(const cert_model *m, cert_exchanges *done, cert_key *key);

/* True if the row, of one of these kinds, holds wherever its exchange has nothing to change.
 * Modifies the row. */
bool cert_exchange_covers(const cert_model *m, cert_key key, cert_row *row);

#endif
