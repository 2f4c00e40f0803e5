/* Shared by the readers and writers of both formats: strict reading of numbers, quotations for
 * messages, and limits on reading. */
#include "lp/io/file_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool lp_file_number(const char *text, bool infinity_allowed, double *value)
{
    char copy[512];
    size_t length = 0;
    const char *unsign = text + (*text == '+' || *text == '-');
    if (infinity_allowed && (!strcasecmp(unsign, "inf") || !strcasecmp(unsign, "infinity"))) {
        *value = *text == '-' ? -LP_INFINITY : LP_INFINITY;
        return true;
    }
    for (; text[length]; length++) {
        const char c = text[length];
        /* Accept only plain decimal numbers; strtod reads more. */
        if (!strchr("0123456789+-.eEdD", c) || length + 1 >= sizeof copy)
            return false;
        copy[length] = c == 'd' || c == 'D' ? 'e' : c;
    }
    copy[length] = '\0';
    char *end;
    const double number = strtod(copy, &end);
    if (end == copy || *end)
        return false;
    if (infinity_allowed && fabs(number) >= LP_FILE_INFINITY) {
        *value = number > 0.0 ? LP_INFINITY : -LP_INFINITY;
        return true;
    }
    *value = number;
    return isfinite(number);
}

lp_file_quote lp_file_quoted(const char *text)
{
    lp_file_quote quote;
    const size_t room = sizeof quote.text - 4;
    size_t k = 0;
    for (; k < room && text[k]; k++)
        quote.text[k] = text[k] >= 32 && text[k] < 127 ? text[k] : '?';
    memcpy(quote.text + k, text[k] ? "..." : "\0\0\0", 4);
    return quote;
}

bool lp_file_stopped(lp_file_watch *watch)
{
    enum { STEPS = 4096 };
    if (++watch->steps % STEPS == 0)
        watch->stop = base_limits_check(watch->limits);
    return watch->stop != BASE_GO;
}
