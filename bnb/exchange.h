/* bnb/exchange: what a thread found in a round that helps the others: pseudo-costs, global bounds
 * and cuts. Each collects messages, which all others receive at the end of the round. */
#ifndef BNB_EXCHANGE_H
#define BNB_EXCHANGE_H

#include "bnb/cut.h"

typedef enum bnb_message_kind {
    BNB_MESSAGE_PSEUDO, /* col, upper: direction; value: gain per unit */
    BNB_MESSAGE_BOUND,  /* col, upper, value: holds globally */
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

/* Frees the messages, and what they hold. */
void bnb_messages_clear(bnb_messages *list);

/* Takes down what the child's LP taught about its branching / tightens a bound globally / takes
 * down a cut, for the others too. */
void bnb_pseudo_learn(bnb_context *c, int col, int direction, double gain_per_unit);
void bnb_global_tighten(bnb_context *c, int col, bool upper, double value);
void bnb_share_cut(bnb_context *c, bnb_poolcut *cut);

/* Between two rounds: every thread receives the messages of all others, in the order of the
 * threads. */
void bnb_exchange(bnb_search *s);

#endif
