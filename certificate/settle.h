/* certificate/settle: what is known of canonical schedules from cells that are 0, as functions of
 * truth values alone. cert_settle applies them to a model, and certificate/exchange tries them on
 * all states of a tensor. */
#ifndef CERTIFICATE_SETTLE_H
#define CERTIFICATE_SETTLE_H

#include "certificate/model.h"

/* What may be 1 of a tensor in stage t, or is. */
typedef struct cert_chances {
    bool used, used_next;    /* a user is computed in t, in t+1 */
    bool r, in, out;         /* actions of t */
    bool c, c_next, p_next;  /* copies of t and t+1 */
    bool first, made_before; /* t is the stage after its own; it is computed in t-1 */
    bool fetched;            /* paged in after t */
} cert_chances;

/* What a canonical schedule would have a cell of that kind in stage t for; false: it is 0. */
bool cert_useful(cert_kind kind, const cert_chances *can);

/* Nothing ends or renews a copy of the kind in stage t: its cells of t and t+1 are equal. */
bool cert_lasts(bool paged, const cert_chances *can);

#endif
