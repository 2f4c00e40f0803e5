/* Cuts of one knapsack: mixed-integer rounding with complemented items for a given divisor. */
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
