/* certificate/exchange: why an optimal schedule may be assumed to be canonical, checked case by
 * case for the graph at hand (FORMAT.md, "Exchanges"). */
#ifndef CERTIFICATE_EXCHANGE_H
#define CERTIFICATE_EXCHANGE_H

#include "certificate/row.h"

/* What was checked. */
typedef struct cert_exchanges {
    long rows;  /* rows that hold for canonical schedules only */
    long cases; /* states of a tensor in two stages, before and after a change */
} cert_exchanges;

/* Of each row of m (with CERT_EXCHANGES) of the kinds used_r, used_s, used_in, out_first, out_once,
 * one and late: where a schedule breaks it, the change that docs/formulation.md names leads to
 * another one that takes no more memory at any event and comes before it in the order. Then of all
 * else that a proof assumes of canonical schedules, that it holds where there is nothing to change:
 * rows stored_in and out_from, reductions, and that a tensor counts at most once. *key and the
 * text that is returned name the first that fails; NULL: none does. O(n^2) times
 * users and inputs of a node. */
const char *cert_exchanges_check(const cert_model *m, cert_exchanges *done, cert_key *key);

/* The same of what a row says: row, of such a kind, which is changed, holds wherever its exchange
 * has nothing to do. */
bool cert_exchange_covers(const cert_model *m, cert_key key, cert_row *row);

#endif
