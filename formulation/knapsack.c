/* Cuts of one knapsack: mixed-integer rounding with complemented items for a given divisor, and
 * lifted covers by a dynamic programme over coefficients. */
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

int knapsack_last_at_most(const int64_t *ascending, int count, int64_t most)
{
    int low = 0, high = count; /* ascending[low] <= most < ascending[high] */
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (ascending[middle] <= most)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void knapsack_measure(const knapsack *k, knapsack_cut *cut)
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
    knapsack_measure(k, cut);
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

/* ---- lifted covers -------------------------------------------------------- */

typedef struct lifting {
    const knapsack *k;
    int64_t *best;    /* best[v], v = 0..limit: lightest weight with value >= v */
    int limit, reach; /* best[v] is finite up to reach */
    int rhs;          /* right-hand side so far */
    int64_t capacity; /* of the problem in which the items not lifted down yet are 1 */
    knapsack_cut *cut;
} lifting;

/* Takes item j with coefficient alpha >= 0 into the cut and the dynamic programme. */
static void add_item(lifting *l, int j, int alpha)
{
    l->cut->coef[j] = alpha;
    if (alpha == 0)
        return;
    l->reach = l->reach + alpha < l->limit ? l->reach + alpha : l->limit;
    for (int v = l->reach; v > 0; v--) {
        int64_t from = v > alpha ? l->best[v - alpha] : 0;
        if (from < INT64_MAX - l->k->weight[j] && from + l->k->weight[j] < l->best[v])
            l->best[v] = from + l->k->weight[j];
    }
}

/* Largest value that weighs at most room >= 0. */
static int heaviest_value(const lifting *l, int64_t room)
{
    return knapsack_last_at_most(l->best, l->reach + 1, room);
}

static void lift_up(lifting *l, int j)
{
    int64_t room = l->capacity - l->k->weight[j];
    int value = room < 0 ? 0 : heaviest_value(l, room);
    add_item(l, j, value < l->rhs ? l->rhs - value : 0);
}

/* Item j was fixed at 1: sum <= rhs becomes sum + alpha z_j <= rhs + alpha. False if the table is
 * too short for the value. */
static bool lift_down(lifting *l, int j)
{
    l->capacity += l->k->weight[j];
    int value = heaviest_value(l, l->capacity);
    if (value >= l->limit)
        return false;
    int alpha = value > l->rhs ? value - l->rhs : 0;
    l->rhs += alpha;
    add_item(l, j, alpha);
    return true;
}

enum { IN_COVER = 1, FIXED_ONE = 2, LIFTED = 4 };

/* Items by (1 - value) / weight, smallest first: an insertion sort, the lists are short. */
static void sort_by_ratio(const knapsack *k, int *order, int count)
{
    for (int a = 1; a < count; a++) {
        int j = order[a], b = a;
        double ratio = (1 - k->value[j]) / (double)k->weight[j];
        while (b > 0 && ratio < (1 - k->value[order[b - 1]]) / (double)k->weight[order[b - 1]]) {
            order[b] = order[b - 1];
            b--;
        }
        order[b] = j;
    }
}

/* Marks a minimal cover among the items that are not fixed; returns its size, 0: none. */
static int find_cover(const knapsack *k, knapsack_scratch *s, int64_t capacity)
{
    int free_count = 0, size = 0;
    for (int j = 0; j < k->count; j++)
        if (!(s->flag[j] & FIXED_ONE))
            s->order[free_count++] = j;
    sort_by_ratio(k, s->order, free_count);
    int64_t weight = 0;
    while (size < free_count && weight <= capacity)
        weight += k->weight[s->order[size++]];
    if (weight <= capacity)
        return 0;
    int left = 0;
    for (int a = size - 1; a >= 0; a--) { /* drop items that the cover does not need, worst first */
        int j = s->order[a];
        if (weight - k->weight[j] > capacity) {
            weight -= k->weight[j];
        } else {
            s->flag[j] |= IN_COVER;
            left++;
        }
    }
    return left;
}

bool knapsack_cover(const knapsack *k, knapsack_scratch *s, knapsack_cut *cut)
{
    int64_t capacity = k->capacity;
    for (int j = 0; j < k->count; j++) {
        s->flag[j] = k->value[j] > 1 - 1e-6 ? FIXED_ONE : 0;
        if (s->flag[j])
            capacity -= k->weight[j];
        cut->coef[j] = 0;
    }
    if (capacity < 0)
        return false;
    int size = find_cover(k, s, capacity);
    if (size < 1)
        return false;
    lifting l = {k, s->best, 2 * k->count + 1, 0, size - 1, capacity, cut};
    l.best[0] = 0;
    for (int v = 1; v <= l.limit; v++)
        l.best[v] = INT64_MAX;
    for (int j = 0; j < k->count; j++)
        if (s->flag[j] & IN_COVER)
            add_item(&l, j, 1);
    for (int j = 0; j < k->count; j++)
        if (!s->flag[j] && k->value[j] > 1e-9) {
            lift_up(&l, j);
            s->flag[j] |= LIFTED;
        }
    for (int j = 0; j < k->count; j++)
        if ((s->flag[j] & FIXED_ONE) && !lift_down(&l, j))
            return false;
    for (int j = 0; j < k->count; j++)
        if (!s->flag[j])
            lift_up(&l, j);
    cut->rhs = l.rhs;
    knapsack_measure(k, cut);
    return true;
}
