/* bnb/sum: sums of products of doubles with a bound on their rounding error, which is 0 where
 * nothing was rounded (as with small integers), so that exact data stay exact. */
#ifndef BNB_SUM_H
#define BNB_SUM_H

#include <math.h>

typedef struct bnb_sum {
    long double value;
    long double error; /* at least |value - the true sum| / (1 + 2^-40) */
} bnb_sum;

/* s += a; error-free but for what goes into s->error (Knuth's TwoSum). a is finite. */
static inline void bnb_sum_add(bnb_sum *s, long double a)
{
    const long double sum = s->value + a, part = sum - s->value;
    s->error += fabsl((s->value - (sum - part)) + (a - part));
    s->value = sum;
}

/* s += a b, both finite. */
static inline void bnb_sum_add_product(bnb_sum *s, long double a, long double b)
{
    const long double product = a * b;
    s->error += fabsl(fmal(a, b, -product));
    bnb_sum_add(s, product);
}

/* The largest double, or one next to it, that the true sum is not below / not above. */
static inline double bnb_sum_down(const bnb_sum *s)
{
    const long double low = s->error > 0.0L ? nextafterl(s->value - s->error * (1.0L + 0x1p-40L),
                                                         -(long double)INFINITY)
                                            : s->value;
    const double down = (double)low;
    return (long double)down > low ? nextafter(down, -(double)INFINITY) : down;
}

static inline double bnb_sum_up(const bnb_sum *s)
{
    const bnb_sum turned = {-s->value, s->error};
    return -bnb_sum_down(&turned);
}

/* A double at most `most` that is next to it. */
static inline double bnb_double_below(long double most)
{
    const double d = (double)most;
    return (long double)d > most ? nextafter(d, -(double)INFINITY) : d;
}

/* side - moved, outward of all rounding: as a lower side, or as an upper one. Infinite sides stay.
 */
static inline double bnb_lower_less(double side, const bnb_sum *moved)
{
    bnb_sum s = {-moved->value, moved->error};
    if (isinf(side))
        return side;
    bnb_sum_add(&s, side);
    return bnb_sum_down(&s);
}

static inline double bnb_upper_less(double side, const bnb_sum *moved)
{
    const bnb_sum turned = {-moved->value, moved->error};
    return -bnb_lower_less(-side, &turned);
}

#endif
