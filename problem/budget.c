#include "problem/budget.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

/* A decimal number digits / scale, scale a power of ten. Returns what follows it,
 * NULL when text does not begin with such a number. */
static const char *parse_decimal(const char *text, int64_t *digits, int64_t *scale)
{
    int count = 0;
    bool fraction = false, any = false;
    *digits = 0;
    *scale = 1;
    for (; isdigit((unsigned char)*text) || (*text == '.' && !fraction); text++) {
        if (*text == '.') {
            fraction = true;
            continue;
        }
        any = true;
        if (*digits == 0 && *text == '0' && !fraction)
            continue;
        if (++count > 18)
            return NULL;
        *digits = 10 * *digits + (*text - '0');
        if (fraction)
            *scale *= 10;
    }
    return any ? text : NULL;
}

/* The factor of a suffix such as "", "K", "MB", "giB"; 0: not one. */
static int64_t suffix_factor(const char *text)
{
    static const char letters[] = "KMGT";
    int64_t factor = 1;
    const char *letter = *text ? strchr(letters, toupper((unsigned char)*text)) : NULL;
    if (letter) {
        factor = INT64_C(1) << (10 * (letter - letters + 1));
        text++;
        if (strcasecmp(text, "ib") == 0)
            return factor;
    }
    return *text == '\0' || strcasecmp(text, "b") == 0 ? factor : 0;
}

int problem_parse_budget(const char *text, const graph *g, int64_t *bytes, base_error *error)
{
    int64_t digits, scale, factor = 0;
    const char *rest = parse_decimal(text, &digits, &scale);
    __int128 divisor = scale;
    if (rest) {
        while (*rest == ' ')
            rest++;
        if (strcmp(rest, "%") == 0) {
            factor = graph_checkpoint_all_peak(g);
            divisor *= 100;
        } else {
            factor = suffix_factor(rest);
            if (factor == 0)
                rest = NULL;
        }
    }
    if (!rest)
        return base_fail(error,
                         "RAM budget \"%s\"; a number of bytes (3000000, 1.2M, 512KiB) or a "
                         "percentage of the checkpoint-all peak (50%%) is expected",
                         text);
    /* digits < 10^18 < 2^60 and factor <= 2^61: the product fits. */
    __int128 result = (__int128)digits * factor / divisor;
    if (result > (__int128)1 << 62)
        return base_fail(error, "RAM budget \"%s\" is larger than 2^62 bytes", text);
    *bytes = (int64_t)result;
    return 0;
}
