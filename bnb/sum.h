/* bnb/sum: sums of products of doubles with a bound on their rounding error. The error is 0 if
 * nothing was rounded, as with small integers, so that exact data stay exact. */
#ifndef BNB_SUM_H
#define BNB_SUM_H

#include <math.h>

typedef struct bnb_sum {
    long double value;
    long double error; /* at least |value - the true sum| / (1 + 2^-40) */
} bnb_sum;

/* s += a. Rounding errors go to s->error (Knuth's TwoSum). a is finite. */
static inline void bnb_sum_add(bnb_sum *s, long double a)
{
    const long double sum = s->value + a, part = sum - s->value;
    s->error += fabsl((s->value - (sum - part)) + (a - part));
    s->value = sum;
}

/* s += a b; both finite. */
static inline void bnb_sum_add_product(bnb_sum *s, long double a, long double b)
{
    const long double product = a * b;
    s->error += fabsl(fmal(a, b, -product));
    bnb_sum_add(s, product);
}

/* Return a double that is at most, or at least, the true sum and close to it. */
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

/* Returns a double that is at most `most` and next to it. */
static inline double bnb_double_below(long double most)
{
    const double d = (double)most;
    return (long double)d > most ? nextafter(d, -(double)INFINITY) : d;
}

/* Return side - moved, rounded down (a lower side) or up (an upper side). Infinite sides are
 * unchanged. */
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
