/* lp/safe/dyadic: exact sums of products of doubles, as mantissa * 2^exponent (GMP). Private
 * to lp/. */
#ifndef LP_DYADIC_H
#define LP_DYADIC_H

#include <gmp.h>

typedef struct dyadic {
    mpz_t mantissa;
    long exponent;
    mpz_t term, aligned; /* scratch */
} dyadic;

/* All values start as 0. */
void dyadic_init(dyadic *s);
void dyadic_clear(dyadic *s);
void dyadic_set_zero(dyadic *s);
int dyadic_sign(const dyadic *s);
/* value = returned mantissa (below 2^53 in size) * 2^exponent; value is finite. */
long dyadic_split(double value, long *exponent);
/* s += mantissa * 2^exponent. */
void dyadic_add(dyadic *s, const mpz_t mantissa, long exponent);
/* s += a b, both finite. */
void dyadic_add_product(dyadic *s, double a, double b);
/* s += t x factor, x finite; factor NULL: 1. */
void dyadic_add_scaled(dyadic *s, const dyadic *t, double x, const mpz_t factor);

#endif
