/* bnb/exchange: pseudo-costs of the columns, and the messages of a thread to the others:
 * observations of pseudo-costs, and cuts. Each thread collects messages in a round; all others
 * receive them at its end. */
#ifndef BNB_EXCHANGE_H
#define BNB_EXCHANGE_H

#include "bnb/cut.h"

/* A mean of observations. */
typedef struct bnb_mean {
    double sum, count;
} bnb_mean;

typedef struct bnb_pseudo {
    bnb_mean *col[2]; /* extent cols; [0] down, [1] up */
    bnb_mean all[2];
} bnb_pseudo;

/* Pseudo-costs: mean gain of the LP objective per unit of change, by column and direction (0:
 * down, 1: up). bnb_pseudo_gain returns the estimated gain for a change by `distance`. Columns
 * without observations use the mean over all columns. */
void bnb_pseudo_init(bnb_pseudo *p, int cols);
void bnb_pseudo_clear(bnb_pseudo *p);
double bnb_pseudo_gain(const bnb_pseudo *p, int col, int direction, double distance);

/* A cut, or an observation for the pseudo-costs. */
typedef struct bnb_message {
    bnb_poolcut *cut; /* one reference held by the message; NULL: an observation */
    int col, direction;
    double gain; /* per unit */
} bnb_message;

typedef struct bnb_messages {
    bnb_message *item;
    int count, capacity;
} bnb_messages;

/* Frees the messages and releases their cuts. */
void bnb_messages_clear(bnb_messages *list);

/* Adds a pseudo-cost observation of a child's LP to this thread's, and posts it. */
void bnb_pseudo_update(bnb_context *c, int col, int direction, double gain_per_unit);
/* Posts m to all other threads that exist. Contexts created later start as copies of the first. */
void bnb_post(bnb_context *c, bnb_message m);

/* Between two rounds: gives every thread the messages of all others, in the order of the threads.
 */
void bnb_exchange(bnb_search *s);

#endif
