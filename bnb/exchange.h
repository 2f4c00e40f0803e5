/* bnb/exchange: what threads tell each other: pseudo-costs, global bounds and cuts, through a log
 * of messages that each replays at its own pace; in deterministic mode only at the end of rounds,
 * in the order of the threads. */
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
    int from; /* thread */
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

/* Tells everybody what the child's LP taught about its branching. */
void bnb_pseudo_learn(bnb_context *c, int col, int direction, double gain_per_unit);
/* Tightens a bound globally and tells the others. */
void bnb_global_tighten(bnb_context *c, int col, bool upper, double value);
/* Tells the others of a cut. */
void bnb_share_cut(bnb_context *c, bnb_poolcut *cut);

/* With the lock held, but for the replay between two rounds: puts what the thread has to tell into
 * the log / acts on what others put there / forgets what every thread has seen. */
void bnb_send_outbox(bnb_search *s, bnb_context *c);
void bnb_replay_log(bnb_search *s, bnb_context *c);
void bnb_trim_log(bnb_search *s);

#endif
