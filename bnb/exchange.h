/* bnb/exchange: passes the finds of a thread to the other threads: pseudo-costs, global bounds
 * and cuts. Each thread collects messages in a round; all others receive them at its end. */
#ifndef BNB_EXCHANGE_H
#define BNB_EXCHANGE_H

#include "bnb/cut.h"

typedef enum bnb_message_kind {
    BNB_MESSAGE_PSEUDO, /* col; upper: branched upwards; value: gain per unit */
    BNB_MESSAGE_BOUND,  /* col, upper, value: a bound that holds globally */
    BNB_MESSAGE_CUT     /* cut: one reference held by the message */
} bnb_message_kind;

typedef struct bnb_message {
    bnb_message_kind kind;
    int col;
    bool upper;
    double value;
    bnb_poolcut *cut;
} bnb_message;

typedef struct bnb_messages {
    bnb_message *item;
    int count, capacity;
} bnb_messages;

/* Frees the messages and releases their cuts. */
void bnb_messages_clear(bnb_messages *list);

/* Update this thread's data and post a message to the others: a pseudo-cost observation of a
 * child's LP; a globally valid bound. The third only posts a cut. */
void bnb_pseudo_update(bnb_context *c, int col, int direction, double gain_per_unit);
void bnb_global_tighten(bnb_context *c, int col, bool upper, double value);
void bnb_share_cut(bnb_context *c, bnb_poolcut *cut);

/* Between two rounds: gives every thread the messages of all others, in the order of the threads.
 */
void bnb_exchange(bnb_search *s);

#endif
