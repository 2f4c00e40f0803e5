/* Cuts of one knapsack: mixed-integer rounding with complemented items for a given divisor, and
 * lifted weight inequalities. */
#include "formulation/knapsack.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static int64_t floor_div(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return a % b < 0 ? q - 1 : q;
}

/* The rounding function times (delta - rest), rest = capacity mod delta:
 * floor(a/delta) (delta - rest) + max(0, a mod delta - rest). */
static int64_t rounded(int64_t a, int64_t delta, int64_t rest)
{
    int64_t q = floor_div(a, delta), left = a - q * delta;
    return q * (delta - rest) + (left > rest ? left - rest : 0);
}

/* Fills the violation of the cut from its coefficients and right side. */
static void measure(const knapsack *k, knapsack_cut *cut)
{
    double sum = 0;
    for (int j = 0; j < k->count; j++)
        sum += cut->coef[j] * k->value[j];
    cut->violation = sum - cut->rhs;
}

bool knapsack_round(const knapsack *k, const uint8_t *flip, int64_t delta, knapsack_cut *cut)
{
    int64_t capacity = k->capacity;
    for (int j = 0; j < k->count; j++)
        if (flip[j])
            capacity -= k->weight[j];
    int64_t quotient = floor_div(capacity, delta), rest = capacity - quotient * delta;
    if (rest == 0)
        return false;
    __int128 rhs = (__int128)quotient * (delta - rest);
    for (int j = 0; j < k->count; j++) {
        int64_t a = flip[j] ? -k->weight[j] : k->weight[j];
        __int128 size = (__int128)(k->weight[j] / delta + 1) * delta;
        if (size > KNAPSACK_EXACT)
            return false;
        int64_t coef = rounded(a, delta, rest);
        cut->coef[j] = (double)(flip[j] ? -coef : coef);
        if (flip[j])
            rhs -= coef;
    }
    if (rhs > KNAPSACK_EXACT || rhs < -KNAPSACK_EXACT)
        return false;
    cut->rhs = (double)(int64_t)rhs;
    measure(k, cut);
    return true;
}

double knapsack_round_efficacy(const knapsack_size *size, int sizes, int64_t capacity, bool flip,
                               int64_t delta)
{
    for (int c = 0; c < sizes && flip; c++)
        capacity -= size[c].items[1] * size[c].weight;
    const int64_t quotient = floor_div(capacity, delta), rest = capacity - quotient * delta;
    if (rest == 0)
        return 0;
    double violation = -(double)quotient * (double)(delta - rest), norm = 0;
    for (int c = 0; c < sizes; c++) {
        const double low = (double)rounded(size[c].weight, delta, rest);
        const double high = flip ? -(double)rounded(-size[c].weight, delta, rest) : low;
        violation += low * size[c].value[0] + high * size[c].value[1];
        violation -= flip ? high * size[c].items[1] : 0;
        norm += low * low * size[c].terms[0] + high * high * size[c].terms[1];
    }
    return violation > 0 && norm > 0 ? violation / sqrt(norm) : 0;
}

/* ---- lifted weight inequalities -----------------------------------------------
 * No subset of some items that fits weighs more than the heaviest that does; the items that are
 * fixed for that are lifted in sequence. The dynamic programme keeps the sets of lifted items that
 * no other set beats in weight and value. */

/* Weight and value ascend strictly; the empty set is the first. */
typedef struct frontier {
    int count;
    int64_t *weight, *value; /* extent KNAPSACK_STATES */
} frontier;

typedef struct lifting {
    const knapsack *k;
    frontier now, next;
    int64_t most; /* heavier sets do not matter */
    int64_t rhs;  /* right-hand side so far */
    int64_t room; /* capacity of the problem in which the items not lifted down yet are 1 */
    knapsack_cut *cut;
} lifting;

/* The largest value of a set of weight at most room; room >= 0. */
static int64_t best_value(const frontier *f, int64_t room)
{
    int low = 0, high = f->count; /* weight[low] <= room < weight[high] */
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (f->weight[middle] <= room)
            low = middle;
        else
            high = middle;
    }
    return f->value[low];
}

/* Merges the sets of `from` with and without one more item into `to`, up to a weight. False when
 * there are too many. */
static bool extend(const frontier *from, int64_t weight, int64_t value, int64_t most, frontier *to)
{
    to->count = 0;
    for (int a = 0, b = 0; a < from->count || b < from->count;) {
        bool plain =
            b == from->count || (a < from->count && from->weight[a] <= from->weight[b] + weight);
        int64_t w = plain ? from->weight[a] : from->weight[b] + weight;
        int64_t v = plain ? from->value[a] : from->value[b] + value;
        int last = to->count - 1;
        if (plain)
            a++;
        else
            b++;
        if (w > most)
            break;
        if (last >= 0 && v <= to->value[last])
            continue;
        if (last < 0 || to->weight[last] < w)
            last = to->count++;
        if (last == KNAPSACK_STATES)
            return false;
        to->weight[last] = w;
        to->value[last] = v;
    }
    return true;
}

/* Takes item j with the coefficient, at least 0, into the cut. */
static bool add_item(lifting *l, int j, int64_t coef)
{
    l->cut->coef[j] = coef > 0 ? (double)coef : 0;
    if (coef <= 0)
        return true;
    if (coef > KNAPSACK_EXACT || l->rhs > KNAPSACK_EXACT)
        return false;
    if (!extend(&l->now, l->k->weight[j], coef, l->most, &l->next))
        return false;
    frontier swap = l->now;
    l->now = l->next;
    l->next = swap;
    return true;
}

/* Item j was fixed at 1: the sum <= rhs becomes sum + coef z_j <= rhs + coef. */
static bool lift_down(lifting *l, int j)
{
    l->room += l->k->weight[j];
    int64_t more = best_value(&l->now, l->room) - l->rhs;
    l->rhs += more > 0 ? more : 0;
    return add_item(l, j, more);
}

/* Item j was fixed at 0. */
static bool lift_up(lifting *l, int j)
{
    int64_t room = l->k->capacity - l->k->weight[j];
    return add_item(l, j, room < 0 ? 0 : l->rhs - best_value(&l->now, room));
}

enum { BASE = 1, FIXED_ONE = 2, FIXED_ZERO = 4 };

/* The lightest first: they cost least, so their coefficients should be small. */
static void sort_by_weight(const knapsack *k, int *order)
{
    for (int a = 0; a < k->count; a++) {
        int b = a;
        for (; b > 0 && k->weight[order[b - 1]] > k->weight[a]; b--)
            order[b] = order[b - 1];
        order[b] = a;
    }
}

static bool lift_all(lifting *l, const knapsack_scratch *s)
{
    for (int fixed = FIXED_ONE; fixed <= FIXED_ZERO; fixed *= 2)
        for (int a = 0; a < l->k->count; a++) {
            int j = s->order[a];
            if (s->flag[j] == fixed && !(fixed == FIXED_ONE ? lift_down : lift_up)(l, j))
                return false;
        }
    return true;
}

/* Marks the items and returns the weight of the base in the point; 0 if zeros are asked for and
 * there are none. */
static double choose_base(const knapsack *k, bool zeros, uint8_t *flag)
{
    double load = 0;
    bool any = false;
    for (int j = 0; j < k->count; j++) {
        bool one = k->value[j] > 1 - 1e-6, zero = k->value[j] < 1e-6;
        flag[j] = one ? FIXED_ONE : zero && !zeros ? FIXED_ZERO : BASE;
        if (flag[j] == BASE)
            load += k->value[j] * (double)k->weight[j];
        any = any || zero;
    }
    return zeros && !any ? 0 : load;
}

/* The sets of base items that weigh at most l->most. False when there are too many, or one of them
 * weighs `enough`. */
static bool add_base(lifting *l, const uint8_t *flag, double enough)
{
    l->now.count = 1;
    l->now.weight[0] = l->now.value[0] = 0;
    for (int j = 0; j < l->k->count; j++)
        if (flag[j] == BASE &&
            (!add_item(l, j, l->k->weight[j]) || (double)l->now.value[l->now.count - 1] >= enough))
            return false;
    return true;
}

bool knapsack_weight(const knapsack *k, bool zeros, knapsack_scratch *s, knapsack_cut *cut)
{
    static const double least = 1e-6; /* violation, as a part of the capacity */
    int64_t *part[4];
    for (int p = 0; p < 4; p++)
        part[p] = s->states + (size_t)p * KNAPSACK_STATES;
    lifting l = {.k = k,
                 .room = k->capacity,
                 .now = {0, part[0], part[1]},
                 .next = {0, part[2], part[3]},
                 .cut = cut};
    if (k->capacity > KNAPSACK_EXACT)
        return false;
    double enough = choose_base(k, zeros, s->flag) - least * (double)k->capacity;
    for (int j = 0; j < k->count; j++)
        if (s->flag[j] == FIXED_ONE)
            l.room -= k->weight[j];
    l.most = l.room;
    if (l.room < 0 || enough <= 0 || !add_base(&l, s->flag, enough))
        return false;
    l.rhs = l.now.value[l.now.count - 1];
    l.most = k->capacity;
    if (!add_base(&l, s->flag, INFINITY))
        return false;
    sort_by_weight(k, s->order);
    if (!lift_all(&l, s))
        return false;
    cut->rhs = (double)l.rhs;
    measure(k, cut);
    return true;
}
