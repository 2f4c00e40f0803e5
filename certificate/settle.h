/* certificate/settle: rules that fix cells of canonical schedules, on truth values. cert_settle
 * applies them to a model; certificate/exchange tries them on all states of a tensor. */
#ifndef CERTIFICATE_SETTLE_H
#define CERTIFICATE_SETTLE_H

#include "certificate/model.h"

/* Cells of a tensor in stage t that may be 1 (cert_settle) or are 1 (exchanges). */
typedef struct cert_chances {
    bool used, used_next;    /* a user is computed in t, in t+1 */
    bool r, in, out;         /* actions of t */
    bool c, c_next, p_next;  /* copies of t and t+1 */
    bool first, made_before; /* t is the stage after its own; it is computed in t-1 */
    bool fetched;            /* paged in after t */
} cert_chances;

/* False: the cell of that kind in stage t is of no use to a canonical schedule, and so 0. */
bool cert_useful(cert_kind kind, const cert_chances *can);

/* True if a copy of the kind neither ends nor begins in stage t: its cells of t and t+1 are equal.
 */
bool cert_lasts(bool paged, const cert_chances *can);

#endif
