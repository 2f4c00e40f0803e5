/* Lifted knapsack covers of a base row sum a x' <= b over binaries, the rest relaxed to
 * its bounds. All other items are lifted at once by the superadditive function of
 * Letchford and Souli (Operations Research Letters 47, 2019): with cover C, the level
 * abar where sum min(abar, a_i) over C is b, and S_h the sum of the h largest
 * min(abar, a_i), an item of weight z gets the least h with z <= S_{h+1}; the cut is
 * sum of coefficients <= |C| - 1. Weights that exceed abar within the cover are lifted
 * too. Their half-integral refinement is taken when all numbers are exact. */
#include <assert.h>
#include <stdlib.h>

#include "bnb/cut.h"

typedef struct item {
    double cost; /* 1 - x', or a share of it per weight */
    long double a;
    int term;
} item;

static int by_cost(const void *a, const void *b)
{
    const item *p = a, *q = b;
    if (p->cost != q->cost)
        return p->cost < q->cost ? -1 : 1;
    return (p->term > q->term) - (p->term < q->term);
}

static int by_weight(const void *a, const void *b)
{
    const item *p = a, *q = b;
    if (p->a != q->a)
        return p->a > q->a ? -1 : 1;
    return (p->term > q->term) - (p->term < q->term);
}

/* Makes all coefficients of binaries positive and relaxes what is not binary; false when
 * an unbounded term stands in the way. */
static bool to_knapsack(bnb_separation *s)
{
    for (int k = 0; k < s->terms; k++) {
        bnb_term *t = &s->term[k];
        const bool binary = t->integer && t->range == 1.0 && t->source >= 0;
        if (t->a < 0.0L) {
            const long double moved = t->a * t->range;
            if (isinf(t->range))
                return false;
            if (binary) {
                s->rhs -= moved; /* the range is 1 */
                t->a = -t->a;
                t->complemented = !t->complemented;
                t->at = fmax(0.0, 1.0 - t->at);
            } else { /* the range has been rounded */
                s->rhs += -moved + fabsl(moved) * 0x1p-51L;
                t->a = 0.0L;
            }
        } else if (!binary) {
            t->a = 0.0L;
        }
    }
    return s->rhs > 1e-9L;
}

/* Picks a cover into items[0..count-1] out of the `all` first ones: greedily by cost,
 * then drops what is not needed. 0 when all together fit. */
static int find_cover(item *items, int all, long double rhs, long double *excess)
{
    long double sum = 0.0L;
    const long double need = rhs + 1e-6L * fmaxl(1.0L, rhs);
    int count = 0;
    qsort(items, (size_t)all, sizeof *items, by_cost);
    while (count < all && sum <= need)
        sum += items[count++].a;
    if (sum <= need)
        return 0;
    for (int k = count - 1; k >= 0; k--) /* the dearest first */
        if (sum - items[k].a > need) {
            sum -= items[k].a;
            items[k] = items[--count];
        }
    *excess = sum - rhs;
    return count;
}

/* The level abar with sum min(abar, a_i) = rhs; items by descending weight. */
static long double cover_level(const item *items, int count, long double rhs, long double excess)
{
    long double level = items[0].a, left = excess;
    for (int k = 1; k < count; k++) {
        const long double drop = k * (level - items[k].a);
        if (drop >= left)
            return level - left / k;
        left -= drop;
        level = items[k].a;
    }
    return rhs / count;
}

typedef struct lifting {
    long double level;
    long double *sum; /* sum[h]: the h+1 largest min(level, a) */
    int count, above; /* size of the cover, items above the level */
    bool exact;       /* no number was rounded */
} lifting;

/* Coefficient of weight z; lowered on ties with rounding noise. In halves when exact. */
static double lift(const lifting *l, long double z)
{
    const long double tie = 1e-9L * fmaxl(1.0L, l->level);
    int h = (int)fminl(floorl(z / l->level), l->count + 1.0L) - 1;
    double half = 0.0;
    if (l->exact && h + 1 >= 1 && h + 1 <= l->above - 1 && z == (h + 1) * l->level)
        half = 0.5;
    h = h < 0 ? 0 : h > l->count ? l->count : h;
    while (h > 0 && z <= l->sum[h - 1] + tie)
        h--;
    while (h < l->count && z > l->sum[h] + tie)
        h++;
    return h + half;
}

static bool is_exact(const bnb_separation *s)
{
    bool exact = s->rhs == floorl(s->rhs) && s->rhs < 1e15L;
    for (int k = 0; exact && k < s->terms; k++)
        exact = s->term[k].a == floorl(s->term[k].a);
    return exact;
}

/* Weights of the lifted cover; its efficacy. */
static double lift_cover(bnb_separation *s, item *items, int count, long double excess,
                         long double *rhs)
{
    lifting l = {.count = count};
    qsort(items, (size_t)count, sizeof *items, by_weight);
    l.level = cover_level(items, count, s->rhs, excess);
    l.sum = base_malloc((size_t)count, sizeof *l.sum);
    long double sum = 0.0L;
    for (int k = 0; k < count; k++) {
        sum += fminl(l.level, items[k].a);
        l.sum[k] = sum;
        l.above += items[k].a > l.level + 1e-9L;
    }
    l.exact = is_exact(s) && l.level == floorl(l.level);
    for (int k = 0; k < s->terms; k++)
        s->weight[k] = s->term[k].a > 0.0L ? lift(&l, s->term[k].a) : 0.0;
    for (int k = 0; k < count; k++)
        if (items[k].a <= l.level + 1e-9L)
            s->weight[items[k].term] = 1.0L;
    base_free(l.sum);
    double activity = 0.0, square = 0.0;
    for (int k = 0; k < s->terms; k++) {
        activity += (double)s->weight[k] * s->term[k].at;
        square += (double)(s->weight[k] * s->weight[k]);
    }
    *rhs = count - 1;
    return square > 0.0 ? (activity - (count - 1)) / sqrt(square) : 0.0;
}

double bnb_cover_best(bnb_separation *s, long double *rhs)
{
    if (!to_knapsack(s))
        return 0.0;
    item *items = base_malloc((size_t)s->terms + 1, sizeof *items);
    double best = 0.0;
    int best_rule = -1;
    /* Rule 0: least 1 - x' per weight; 1: least 1 - x'; the better one is made again. */
    for (int pass = 0; pass < 3; pass++) {
        const int rule = pass < 2 ? pass : best_rule;
        int all = 0;
        if (rule < 0 || (pass == 2 && rule == 1))
            break; /* nothing found, or the last one made is the best */
        for (int k = 0; k < s->terms; k++) {
            const bnb_term *t = &s->term[k];
            if (t->a > 1e-9L && t->at > 1e-6) {
                const double cost = fmax(0.0, 1.0 - t->at);
                items[all++] = (item){rule == 0 ? cost / (double)t->a : cost, t->a, k};
            }
        }
        long double excess = 0.0L;
        const int count = find_cover(items, all, s->rhs, &excess);
        const double efficacy = count > 1 ? lift_cover(s, items, count, excess, rhs) : 0.0;
        if (pass < 2 && efficacy > best) {
            best = efficacy;
            best_rule = rule;
        }
    }
    base_free(items);
    return best;
}
