/* base/number: numbers as people write them, read strictly. The whole text must be
 * the number; nothing is rounded silently, nothing wraps round. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdint.h>

#include "base/base.h"

/* A whole decimal number in low..high. 0, or -1 with an error that states the expectation and
 * quotes the text. */
int base_number_integer(const char *text, int64_t low, int64_t high, int64_t *value,
                        base_error *error);

/* A finite decimal number in low..high (low = DBL_MIN: positive; high = DBL_MAX: no
 * upper end). Hexadecimal, "nan" and "inf" are refused, as is a number too large or too
 * small for a double. 0, or -1 with an error. */
int base_number_real(const char *text, double low, double high, double *value, base_error *error);

/* Greatest common divisor of two numbers >= 0; of 0 and a number that number. */
int64_t base_gcd(int64_t a, int64_t b);

/* The shortest decimal that reads as value, of the decimals with up to 15, with 16 and with 17
 * digits. For all output that is read again. */
typedef struct base_decimal {
    char text[32];
} base_decimal;
base_decimal base_number_shortest(double value);

/* An amount of memory: digits * 10^exponent * 2^shift bytes, or that many percent. Exact, so that
 * 50% of an even number is its half. */
typedef struct base_amount {
    bool percent;
    int64_t digits; /* > 0 */
    int exponent;   /* power of ten */
    int shift;      /* power of two: 0, 10, 20, 30, 40; 0 for a percentage and for units of 1000 */
} base_amount;

/* Reads "3000000", "3e6", "1.2M", "64KiB", "64kB" (K M G T and KiB to TiB: powers of 1024; kB MB GB
 * TB: of 1000; other spellings are ambiguous and refused) or, if percent_allowed, "45%" or "12.5%".
 * Refuses zero and negative amounts and, where a percentage is allowed, less than a byte: for 0.5
 * the error asks whether 50% is meant. 0, or -1 with an error. */
int base_number_amount(const char *text, bool percent_allowed, base_amount *value,
                       base_error *error);

/* The amount in whole bytes, rounded down; a percentage is one of whole (bytes, 0 to 2^62). 0, or
 * -1 with an error above 63 bits. */
int base_amount_bytes(const base_amount *amount, int64_t whole, int64_t *bytes, base_error *error);

#endif
