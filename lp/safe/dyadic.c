/* Sums of dyadic rationals: a sum keeps one exponent, that of its finest term so far, and a term
 * is shifted to it before it is added. Nothing is ever rounded. */
#include "lp/safe/dyadic.h"

#include <assert.h>
#include <math.h>

void dyadic_init(dyadic *s)
{
    mpz_inits(s->mantissa, s->term, s->aligned, NULL);
    s->exponent = 0;
}

void dyadic_clear(dyadic *s)
{
    mpz_clears(s->mantissa, s->term, s->aligned, NULL);
}

void dyadic_set_zero(dyadic *s)
{
    mpz_set_ui(s->mantissa, 0);
    s->exponent = 0;
}

int dyadic_sign(const dyadic *s)
{
    return mpz_sgn(s->mantissa);
}

long dyadic_split(double value, long *exponent)
{
    int e;
    assert(isfinite(value));
    const double fraction = frexp(value, &e);
    *exponent = e - 53L;
    return (long)ldexp(fraction, 53);
}

void dyadic_add(dyadic *s, const mpz_t mantissa, long exponent)
{
    if (mpz_sgn(mantissa) == 0)
        return;
    if (mpz_sgn(s->mantissa) == 0)
        s->exponent = exponent;
    if (exponent < s->exponent) {
        mpz_mul_2exp(s->mantissa, s->mantissa, (mp_bitcnt_t)(s->exponent - exponent));
        s->exponent = exponent;
    }
    mpz_mul_2exp(s->aligned, mantissa, (mp_bitcnt_t)(exponent - s->exponent));
    mpz_add(s->mantissa, s->mantissa, s->aligned);
}

void dyadic_add_product(dyadic *s, double a, double b)
{
    long exponent_a, exponent_b;
    if (a == 0.0 || b == 0.0)
        return;
    mpz_set_si(s->term, dyadic_split(a, &exponent_a));
    mpz_mul_si(s->term, s->term, dyadic_split(b, &exponent_b));
    dyadic_add(s, s->term, exponent_a + exponent_b);
}

void dyadic_add_scaled(dyadic *s, const dyadic *t, double x, const mpz_t factor)
{
    long exponent;
    if (x == 0.0)
        return;
    mpz_mul_si(s->term, t->mantissa, dyadic_split(x, &exponent));
    if (factor)
        mpz_mul(s->term, s->term, factor);
    dyadic_add(s, s->term, t->exponent + exponent);
}
