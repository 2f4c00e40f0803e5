/* certificate/number: doubles and sums of their products, exactly (GMP). A sum is an integer count
 * of units 2^-grid; the grid is chosen once, fine enough for every product that comes. */
#ifndef CERTIFICATE_NUMBER_H
#define CERTIFICATE_NUMBER_H

#include <gmp.h>
#include <stdbool.h>

/* value = mantissa * 2^exponent, mantissa odd or 0. */
typedef struct number {
    long mantissa;
    long exponent;
} number;

/* The value of a finite double. */
number number_of(double value);

/* sum += sign * a * b with sign 1 or -1; scratch is overwritten. The product must be a multiple of
 * 2^-grid. */
void number_add_product(mpz_t sum, long grid, int sign, number a, number b, mpz_t scratch);

#endif
