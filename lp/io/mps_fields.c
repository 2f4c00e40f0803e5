/* Lines of an MPS file and their fields, free or fixed. */
#include "lp/io/mps.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

enum { STEPS_PER_LINE = 500 }; /* of base_work */

bool mps_fail(mps_reader *r, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    base_fail(r->error, "%s:%ld: %s", r->path, r->line, text);
    return false;
}

bool mps_read_line(mps_reader *r)
{
    if (!*r->next)
        return false;
    size_t length = strcspn(r->next, "\n");
    if (length + 1 > r->buffer_size) {
        r->buffer_size = 2 * length + 128;
        r->buffer = base_realloc(r->buffer, r->buffer_size, 1);
    }
    memcpy(r->buffer, r->next, length);
    r->next += length + (r->next[length] == '\n');
    while (length > 0 && isspace((unsigned char)r->buffer[length - 1]))
        length--;
    r->buffer[length] = '\0';
    r->line++;
    base_work(STEPS_PER_LINE);
    return true;
}

/* True if text begins a comment that ends its line: a $ in place of the name of a row or column
 * or at the end, unless it begins such a name. */
static bool is_comment(const mps_reader *r, const char *text)
{
    const lp_names *names = r->section == SECTION_BOUNDS ? r->col_names : r->row_names;
    char name[512];
    const size_t length = strcspn(text, " \t\r\f\v");
    if (*text != '$')
        return false;
    if (length >= sizeof name)
        return true;
    memcpy(name, text, length);
    name[length] = '\0';
    return lp_names_find(names, name) < 0;
}

/* Cuts a data line at blanks into tokens; returns their number, at most FIELDS + 1. The leading
 * name of a column or set begins no comment, nor does the name after the type of a row or bound. */
static int split_tokens(const mps_reader *r, char **token)
{
    const int names = r->section == SECTION_BOUNDS || r->section == SECTION_ROWS ? 2 : 1;
    char *line = r->buffer;
    int count = 0;
    for (;;) {
        line += strspn(line, " \t\r\f\v");
        if (!*line || count == FIELDS + 1 || (count >= names && is_comment(r, line)))
            return count;
        if (count < FIELDS)
            token[count] = line;
        count++;
        line += strcspn(line, " \t\r\f\v");
        if (*line)
            *line++ = '\0';
    }
}

/* Cuts the line into fields at fixed columns; text after the last field is a remark. False if
 * there is text between fields. */
static bool split_fixed(mps_reader *r)
{
    static const int first[FIELDS] = {1, 4, 14, 24, 39, 49}, width[FIELDS] = {2, 8, 8, 12, 8, 12};
    int length = (int)strnlen(r->buffer, 80);
    for (int f = 2; f <= 4; f += 2) /* fields 3 and 5 */
        if (first[f] < length && is_comment(r, r->buffer + first[f]))
            length = first[f];
    for (int f = 0, gap = 0; f < FIELDS; gap = first[f] + width[f], f++)
        for (int k = gap; k < first[f] && k < length; k++)
            if (r->buffer[k] != ' ')
                return mps_fail(r, "column %d: text between the fields of fixed format", k + 1);
    for (int f = 0; f < FIELDS; f++) {
        r->place[f] = f + 1;
        if (first[f] >= length)
            continue;
        char *text = r->buffer + first[f], *end = text + width[f];
        if (end > r->buffer + length)
            end = r->buffer + length;
        while (text < end && *text == ' ')
            text++;
        while (end > text && end[-1] == ' ')
            end--;
        *end = '\0'; /* overwrites the blank behind the field, or ends the line */
        if (text < end)
            r->field[f] = text;
    }
    return true;
}

bool mps_bound_needs_number(const char *type)
{
    static const char *const types[] = {"LO", "UP", "FX", "LI", "UI"};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (!strcasecmp(type, types[k]))
            return true;
    return false;
}

/* Free format: assigns the tokens to fields, depending on the section and the number of tokens. */
static bool split_free(mps_reader *r)
{
    /* Field of each token, in the numbers of the fixed format. */
    static const int pairs_with_set[] = {1, 2, 3, 4, 5}, pairs[] = {2, 3, 4, 5},
                     bound_with_set[] = {0, 1, 2, 3}, bound[] = {0, 2, 3}, row[] = {0, 1};
    char *token[FIELDS] = {NULL};
    const int count = split_tokens(r, token);
    const int *meaning = NULL;
    const char *expected = "";
    switch (r->section) {
    case SECTION_ROWS:
        expected = "a type and a name";
        meaning = count == 2 ? row : NULL;
        break;
    case SECTION_COLUMNS:
        expected = "a column and one or two pairs of a row and a number";
        meaning = count == 3 || count == 5 ? pairs_with_set : NULL;
        break;
    case SECTION_BOUNDS:
        expected = "a type, a set (optional), a column, and a number where the type needs one";
        if (count == 4)
            meaning = bound_with_set;
        else if (count == 2)
            meaning = bound;
        else if (count == 3) /* type set column, or type column number */
            meaning = lp_names_find(r->col_names, token[2]) >= 0 &&
                              (!mps_bound_needs_number(token[0]) ||
                               lp_names_find(r->col_names, token[1]) < 0)
                          ? bound_with_set
                          : bound;
        break;
    default:
        expected = "a set (optional) and one or two pairs of a row and a number";
        if (count == 3 || count == 5)
            meaning = pairs_with_set;
        else if (count == 2 || count == 4)
            meaning = pairs;
    }
    if (!meaning)
        return mps_fail(r, "found %s%d fields, expected %s", count > FIELDS ? "more than " : "",
                        count > FIELDS ? FIELDS : count, expected);
    for (int t = 0; t < count; t++) {
        r->field[meaning[t]] = token[t];
        r->place[meaning[t]] = t + 1;
    }
    return true;
}

bool mps_split(mps_reader *r)
{
    for (int f = 0; f < FIELDS; f++)
        r->field[f] = NULL;
    return r->fixed ? split_fixed(r) : split_free(r);
}

bool mps_field_plain(mps_reader *r, int f)
{
    return base_text_plain(r->field[f]) ||
           mps_fail(r, "field %d: \"%s\": expected a name without control characters", r->place[f],
                    lp_file_quoted(r->field[f]).text);
}

bool mps_field_number(mps_reader *r, int f, bool infinity_allowed, double *value)
{
    if (!r->field[f])
        return mps_fail(r, "field %d is missing, expected a number", f + 1);
    if (!lp_file_number(r->field[f], infinity_allowed, value))
        return mps_fail(r, "field %d: \"%s\": expected a %snumber", r->place[f],
                        lp_file_quoted(r->field[f]).text, infinity_allowed ? "" : "finite ");
    return true;
}

mps_row *mps_field_row(mps_reader *r, int f)
{
    const int number = lp_names_find(r->row_names, r->field[f]);
    if (number < 0) {
        mps_fail(r, "field %d: \"%s\" is not a row of the ROWS section", r->place[f],
                 lp_file_quoted(r->field[f]).text);
        return NULL;
    }
    return &r->row[number];
}

bool mps_in_first_set(mps_reader *r)
{
    if (!r->field[1])
        return true;
    if (!r->set[r->section])
        r->set[r->section] = base_strdup(r->field[1]);
    return !strcmp(r->set[r->section], r->field[1]);
}
