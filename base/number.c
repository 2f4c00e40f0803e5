/* Strict numbers: the text is checked before strtoll and strtod read it. Amounts of bytes are
 * computed in integers, so that 0.1M is exact. */
#include "base/number.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* more digits cannot change a number of bytes below 2^63 */
enum { AMOUNT_DIGITS = 18, AMOUNT_EXPONENT = 400 };

typedef __int128 wide;

/* A sign is accepted here, so that the range check reports it. */
static bool starts_like_number(const char *text)
{
    if (*text == '+' || *text == '-')
        text++;
    if (*text == '.')
        text++;
    return isdigit((unsigned char)*text);
}

int base_number_integer(const char *text, int64_t low, int64_t high, int64_t *value,
                        base_error *error)
{
    char *end = NULL;
    errno = 0;
    long long got = 0;
    bool whole = starts_like_number(text) && strpbrk(text, ".xX") == NULL;
    if (whole)
        got = strtoll(text, &end, 10);
    if (!whole || *end != '\0')
        return base_fail(error, "expected a whole number, got '%s'", text);
    if (errno == ERANGE || got < low || got > high) {
        if (high == INT64_MAX)
            return base_fail(error, "expected a whole number from %" PRId64 " to 2^63-1, got '%s'",
                             low, text);
        return base_fail(error, "expected a whole number from %" PRId64 " to %" PRId64 ", got '%s'",
                         low, high, text);
    }
    *value = got;
    return 0;
}

int base_number_real(const char *text, double low, double high, double *value, base_error *error)
{
    char *end = NULL;
    errno = 0;
    double got = 0;
    bool number = starts_like_number(text) && strpbrk(text, "xX") == NULL;
    if (number)
        got = strtod(text, &end);
    if (!number || *end != '\0')
        return base_fail(error, "expected a number, got '%s'", text);
    if (errno == ERANGE)
        return base_fail(error, "'%s' is too %s for a double", text,
                         got > 1 || got < -1 ? "large" : "small");
    if (got < low || got > high) {
        if (low == DBL_MIN && high == DBL_MAX)
            return base_fail(error, "expected a positive number, got '%s'", text);
        if (high == DBL_MAX)
            return base_fail(error, "expected a number of at least %g, got '%s'", low, text);
        if (low == DBL_MIN)
            return base_fail(error, "expected a number above 0, at most %g, got '%s'", high, text);
        return base_fail(error, "expected a number from %g to %g, got '%s'", low, high, text);
    }
    *value = got;
    return 0;
}

int64_t base_gcd(int64_t a, int64_t b)
{
    while (b > 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

base_decimal base_number_shortest(double value)
{
    enum { EXACT_DIGITS = 17 };
    base_decimal decimal;
    for (int digits = 15; digits <= EXACT_DIGITS; digits++) {
        snprintf(decimal.text, sizeof decimal.text, "%.*g", digits, value);
        if (strtod(decimal.text, NULL) == value)
            break;
    }
    return decimal;
}

/* Reads a decimal with an optional point, from *at on. Trailing zeros go into the exponent, so that
 * equal numbers have equal digits. */
static int read_digits(const char **at, base_amount *value)
{
    bool point = false, any = false;
    int significant = 0, zeros = 0; /* zeros: since the last other digit */
    for (;; (*at)++) {
        if (**at == '.' && !point) {
            point = true;
            continue;
        }
        if (!isdigit((unsigned char)**at))
            break;
        any = true;
        int digit = **at - '0';
        if (point)
            value->exponent--;
        if (digit == 0) {
            zeros += value->digits > 0;
            continue;
        }
        significant += zeros + 1;
        if (significant > AMOUNT_DIGITS)
            return -1;
        for (; zeros > 0; zeros--)
            value->digits *= 10;
        value->digits = value->digits * 10 + digit;
    }
    value->exponent += zeros;
    return any ? 0 : -1;
}

/* K, M, G and T are powers of 1024, as KiB to TiB; kB to TB are powers of 1000. */
static const struct {
    const char *unit;
    int shift, exponent;
} units[] = {{"", 0, 0},   {"B", 0, 0},    {"K", 10, 0},   {"M", 20, 0},   {"G", 30, 0},
             {"T", 40, 0}, {"KiB", 10, 0}, {"MiB", 20, 0}, {"GiB", 30, 0}, {"TiB", 40, 0},
             {"kB", 0, 3}, {"MB", 0, 6},   {"GB", 0, 9},   {"TB", 0, 12}};
enum { UNITS = sizeof units / sizeof *units };

/* A whole unit. */
static bool read_unit(const char *text, base_amount *value)
{
    for (int k = 0; k < UNITS; k++)
        if (strcmp(text, units[k].unit) == 0) {
            value->shift = units[k].shift;
            value->exponent += units[k].exponent;
            return true;
        }
    return false;
}

/* True if text is a unit in other letters or without its B, which might be of 1000 or of 1024. */
static bool is_ambiguous(const char *text)
{
    const bool cut = strlen(text) == 2 && (text[1] == 'i' || text[1] == 'I');
    for (int k = 2; k < UNITS; k++)
        if (cut ? strncasecmp(text, units[k].unit, 2) == 0 : strcasecmp(text, units[k].unit) == 0)
            return true;
    return false;
}

static bool is_below_one(const base_amount *value)
{
    int64_t bytes = 0;
    return base_amount_bytes(value, 0, &bytes, NULL) == 0 && bytes == 0;
}

/* The amount times 100, as text. */
static base_shown percent_text(const base_amount *value)
{
    base_shown shown;
    snprintf(shown.text, sizeof shown.text, "%.10g",
             (double)value->digits * pow(10, value->exponent + 2));
    return shown;
}

int base_number_amount(const char *text, bool percent_allowed, base_amount *value,
                       base_error *error)
{
    const char *expected = percent_allowed
                               ? "a number of bytes (3000000, 1.2M) or a percentage (50%)"
                               : "a number of bytes (3000000, 1.2M)";
    *value = (base_amount){0};
    const char *at = text;
    if (*at == '+')
        at++;
    if (*at == '-' || read_digits(&at, value) != 0)
        return base_fail(error, "expected %s, got '%s'", expected, text);
    if ((*at == 'e' || *at == 'E') && at[1] && strchr("+-0123456789", at[1])) {
        char *end;
        const long exponent = strtol(at + 1, &end, 10);
        if (end == at + 1)
            return base_fail(error, "expected %s, got '%s'", expected, text);
        value->exponent += exponent > AMOUNT_EXPONENT    ? AMOUNT_EXPONENT
                           : exponent < -AMOUNT_EXPONENT ? -AMOUNT_EXPONENT
                                                         : (int)exponent;
        at = end;
    }
    const bool bare = *at == '\0';
    value->percent = *at == '%' && percent_allowed;
    const bool known = value->percent ? *++at == '\0' : read_unit(at, value);
    if (!known && is_ambiguous(at))
        return base_fail(error,
                         "expected a unit of 1024 (K, M, G, T or KiB, MiB, GiB, TiB) or of 1000 "
                         "(kB, MB, GB, TB), got '%s'",
                         text);
    if (!known)
        return base_fail(error, "expected %s, got '%s'", expected, text);
    if (value->digits == 0)
        return base_fail(error, "expected more than zero bytes, got '%s'", text);
    if (percent_allowed && bare && is_below_one(value))
        return base_fail(error, "expected %s, got '%s': less than a byte; was %s%% meant?",
                         expected, text, percent_text(value).text);
    return 0;
}

int base_amount_bytes(const base_amount *amount, int64_t whole, int64_t *bytes, base_error *error)
{
    assert(amount->digits > 0 && whole >= 0);
    /* digits < 10^18 < 2^60, so both products fit into 127 bits. */
    wide value = (wide)amount->digits << amount->shift;
    int exponent = amount->exponent;
    if (amount->percent) {
        value = (wide)amount->digits * whole;
        exponent -= 2;
    }
    for (; exponent > 0 && value > 0; exponent--) {
        if (value > INT64_MAX)
            return base_fail(error, "more than 2^63-1 bytes");
        value *= 10;
    }
    /* floor(floor(x/10)/10) = floor(x/100) */
    for (; exponent < 0 && value > 0; exponent++)
        value /= 10;
    if (value > INT64_MAX)
        return base_fail(error, "more than 2^63-1 bytes");
    *bytes = (int64_t)value;
    return 0;
}
