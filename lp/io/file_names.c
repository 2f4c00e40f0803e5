/* Names that a format can hold for the rows and columns of a model. */
#include "lp/io/file_names.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const size_t longest_name = 255; /* limit of CPLEX and GLPK */

static bool is_taken(const lp_names *names, const char *name, const char *const *taken)
{
    if (lp_names_find(names, name) >= 0)
        return true;
    for (; taken && *taken; taken++)
        if (!strcasecmp(*taken, name))
            return true;
    return false;
}

const char *lp_file_free_suffix(const lp_names *names, char *suffix, size_t size)
{
    snprintf(suffix, size, "~upper");
    for (int k = 0, attempt = 0; k < lp_names_count(names); k++) {
        char text[300];
        snprintf(text, sizeof text, "%s%s", lp_names_get(names, k), suffix);
        if (lp_names_find(names, text) < 0)
            continue;
        snprintf(suffix, size, "~upper%d", ++attempt);
        k = -1; /* look again from the first name */
    }
    return suffix;
}

lp_names *lp_file_safe_names(char *const *names, int count, char prefix,
                             bool (*legal)(const char *text, size_t position),
                             const char *const *taken)
{
    lp_names *safe = lp_names_create();
    for (int k = 0; k < count; k++) {
        char text[300];
        size_t length = 0;
        if (names && names[k] && names[k][0]) {
            length = strnlen(names[k], longest_name);
            memcpy(text, names[k], length);
            text[length] = '\0';
            for (size_t i = 0; i < length; i++)
                if (!legal(text, i))
                    text[i] = '_';
        } else {
            length = (size_t)snprintf(text, sizeof text, "%c%d", prefix, k + 1);
        }
        /* A number at the end separates coinciding names. */
        const size_t stem = length < longest_name - 24 ? length : longest_name - 24;
        for (long attempt = 1; is_taken(safe, text, taken); attempt++)
            snprintf(text + stem, sizeof text - stem, "_%d_%ld", k + 1, attempt);
        const int number = lp_names_add(safe, text);
        assert(number == k);
        (void)number;
    }
    return safe;
}
