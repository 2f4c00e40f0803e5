/* Doubles as odd mantissa and exponent, and products of two of them added to an integer sum on
 * its grid. */
#include "certificate/number.h"

#include <assert.h>
#include <math.h>

number number_of(double value)
{
    int exponent;
    double fraction = frexp(value, &exponent);
    number n = {(long)ldexp(fraction, 53), exponent - 53L};
    if (n.mantissa == 0)
        return (number){0, 0};
    int zeros = __builtin_ctzl((unsigned long)n.mantissa);
    n.mantissa /= 1L << zeros; /* exact, also for negative ones */
    n.exponent += zeros;
    return n;
}

void number_add_product(mpz_t sum, long grid, int sign, number a, number b, mpz_t scratch)
{
    if (a.mantissa == 0 || b.mantissa == 0)
        return;
    long shift = a.exponent + b.exponent + grid;
    assert(shift >= 0);
    mpz_set_si(scratch, a.mantissa);
    mpz_mul_si(scratch, scratch, b.mantissa);
    mpz_mul_2exp(scratch, scratch, (mp_bitcnt_t)shift);
    if (sign > 0)
        mpz_add(sum, sum, scratch);
    else
        mpz_sub(sum, sum, scratch);
}
