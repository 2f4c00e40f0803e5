/* The scanner of CPLEX-LP files: words, numbers and signs, keywords of sections (which may be
 * names of columns elsewhere), and errors with line and column. */
#include "lp/io/scan.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

enum { STEPS_PER_WORD = 200 }; /* of base_work */

bool scan_fail(const scanner *s, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    base_fail(s->error, "%s:%ld:%ld: %s", s->path, s->line, (long)(s->start - s->line_start) + 1,
              text);
    return false;
}

bool scan_expected(const scanner *s, const char *format, ...)
{
    char expected[256], word[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(expected, sizeof expected, format, arguments);
    va_end(arguments);
    if (s->kind == SCAN_STRANGE && strchr("[]^*", *s->start))
        return scan_fail(s, "only linear expressions are supported, not '%c'", *s->start);
    if (s->kind == SCAN_ARROW)
        return scan_fail(s, "indicator constraints (->) are not supported");
    snprintf(word, sizeof word, "%.*s", (int)(s->end - s->start), s->start);
    if (s->kind == SCAN_END)
        return scan_fail(s, "the file ends, expected %s", expected);
    return scan_fail(s, "found \"%s\", expected %s", lp_file_quoted(word).text, expected);
}

/* Bytes beyond ASCII are letters: names in UTF-8 pass. */
static bool starts_name(unsigned char c)
{
    return isalpha(c) || c >= 128 || (c != '\0' && strchr("!\"#$%&(),/;?@_`'{}|~", c));
}

static bool continues_name(unsigned char c)
{
    return starts_name(c) || isdigit(c) || c == '.' || c == '[' || c == ']';
}

/* Returns the end of the longest number at p: digits, a point, an exponent with digits. */
static const char *skip_number(const char *p)
{
    while (isdigit((unsigned char)*p))
        p++;
    if (*p == '.')
        p++;
    while (isdigit((unsigned char)*p))
        p++;
    if (*p == 'e' || *p == 'E') {
        const char *digits = p + 1 + (p[1] == '+' || p[1] == '-');
        if (isdigit((unsigned char)*digits))
            for (p = digits; isdigit((unsigned char)*p);)
                p++;
    }
    return p;
}

/* Returns the kind of the operator at p, and its end: <, <=, =<, =, =>, >=, >, ->, +, -, :. */
static scan_kind scan_operator(const char *p, const char **end)
{
    *end = p + 1;
    if (p[0] == '-' && p[1] == '>') {
        *end = p + 2;
        return SCAN_ARROW;
    }
    if (p[0] == '+' || p[0] == '-')
        return p[0] == '+' ? SCAN_PLUS : SCAN_MINUS;
    if (p[0] == ':')
        return SCAN_COLON;
    if (p[0] == '<' || p[0] == '>') {
        *end = p + 1 + (p[1] == '=');
        return p[0] == '<' ? SCAN_LE : SCAN_GE;
    }
    if (p[0] != '=')
        return SCAN_STRANGE;
    if (p[1] == '<' || p[1] == '>') {
        *end = p + 2;
        return p[1] == '<' ? SCAN_LE : SCAN_GE;
    }
    return SCAN_EQ;
}

bool scan_next(scanner *s)
{
    const char *p = s->end;
    s->first = p == s->line_start;
    for (;;) {
        p += strspn(p, " \t\r\f\v");
        if (*p == '\\')
            p += strcspn(p, "\n");
        if (*p != '\n')
            break;
        s->line_start = ++p;
        s->line++;
        s->first = true;
    }
    s->start = p;
    base_work(STEPS_PER_WORD);
    if (*p == '\0') {
        s->kind = SCAN_END;
        s->end = p;
    } else if (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1]))) {
        char text[512];
        s->end = skip_number(p);
        s->kind = SCAN_NUMBER;
        const size_t length = (size_t)(s->end - p);
        if (length >= sizeof text)
            return scan_fail(s, "a number of %zu characters", length);
        memcpy(text, p, length);
        text[length] = '\0';
        if (!lp_file_number(text, false, &s->number))
            return scan_expected(s, "a number within the range of double precision");
    } else if (starts_name((unsigned char)*p)) {
        s->kind = SCAN_NAME;
        while (continues_name((unsigned char)*p))
            p++;
        s->end = p;
        if (!base_text_plain_part(s->start, (size_t)(p - s->start)))
            return scan_expected(s, "a name without control characters");
    } else {
        s->kind = scan_operator(p, &s->end);
    }
    return true;
}

bool scan_open(scanner *s, const char *path, const char *text, base_error *error)
{
    *s = (scanner){
        .path = path, .error = error, .start = text, .end = text, .line_start = text, .line = 1};
    return scan_next(s);
}

scan_kind scan_peek(const scanner *s)
{
    scanner ahead = *s;
    ahead.error = NULL;
    return scan_next(&ahead) ? ahead.kind : SCAN_END;
}

bool scan_is_word(const scanner *s, const char *word)
{
    const size_t length = (size_t)(s->end - s->start);
    return s->kind == SCAN_NAME && length == strlen(word) && !strncasecmp(s->start, word, length);
}

bool scan_is_infinity(const scanner *s)
{
    return scan_is_word(s, "inf") || scan_is_word(s, "infinity");
}

/* Moves from "semi" to the last word of "semi-continuous", if that is the text. */
static scanner over_continuous(const scanner *semi)
{
    scanner ahead = *semi;
    bool is = scan_next(&ahead) && ahead.kind == SCAN_MINUS && !ahead.first && scan_next(&ahead) &&
              scan_is_word(&ahead, "continuous") && !ahead.first;
    return is ? ahead : *semi;
}

typedef struct keyword {
    const char *word, *second; /* second NULL: one word */
    scan_section section;
    const char *about; /* name of the feature of a SCAN_REFUSED section */
} keyword;

static const keyword keywords[] = {
    {"subject", "to", SCAN_CONSTRAINTS, NULL},
    {"such", "that", SCAN_CONSTRAINTS, NULL},
    {"st", NULL, SCAN_CONSTRAINTS, NULL},
    {"s.t.", NULL, SCAN_CONSTRAINTS, NULL},
    {"st.", NULL, SCAN_CONSTRAINTS, NULL},
    {"min", NULL, SCAN_MINIMIZE, NULL},
    {"minimize", NULL, SCAN_MINIMIZE, NULL},
    {"minimise", NULL, SCAN_MINIMIZE, NULL},
    {"minimum", NULL, SCAN_MINIMIZE, NULL},
    {"max", NULL, SCAN_MAXIMIZE, NULL},
    {"maximize", NULL, SCAN_MAXIMIZE, NULL},
    {"maximise", NULL, SCAN_MAXIMIZE, NULL},
    {"maximum", NULL, SCAN_MAXIMIZE, NULL},
    {"bounds", NULL, SCAN_BOUNDS, NULL},
    {"bound", NULL, SCAN_BOUNDS, NULL},
    {"general", "constraints", SCAN_REFUSED, "general constraints"},
    {"general", NULL, SCAN_GENERALS, NULL},
    {"generals", NULL, SCAN_GENERALS, NULL},
    {"gen", NULL, SCAN_GENERALS, NULL},
    {"integer", NULL, SCAN_GENERALS, NULL},
    {"integers", NULL, SCAN_GENERALS, NULL},
    {"int", NULL, SCAN_GENERALS, NULL},
    {"binary", NULL, SCAN_BINARIES, NULL},
    {"binaries", NULL, SCAN_BINARIES, NULL},
    {"bin", NULL, SCAN_BINARIES, NULL},
    {"end", NULL, SCAN_FINISH, NULL},
    {"semi", NULL, SCAN_REFUSED, "semi-continuous variables"},
    {"semis", NULL, SCAN_REFUSED, "semi-continuous variables"},
    {"sos", NULL, SCAN_REFUSED, "special ordered sets (SOS)"},
    {"sos1", NULL, SCAN_REFUSED, "special ordered sets (SOS)"},
    {"sos2", NULL, SCAN_REFUSED, "special ordered sets (SOS)"},
    {"pwlobj", NULL, SCAN_REFUSED, "piecewise linear objectives"},
    {"lazy", "constraints", SCAN_REFUSED, "lazy constraints"},
    {"user", "cuts", SCAN_REFUSED, "user cuts"},
};

/* Returns the keyword of a section that begins with the present word, its last word in *last.
 * NULL: no keyword, or a label with that name. */
static const keyword *keyword_here(const scanner *s, scanner *last)
{
    scanner ahead = *s;
    ahead.error = NULL;
    bool looked = false, readable = false;
    for (size_t k = 0; k < sizeof keywords / sizeof *keywords; k++) {
        const char *second = keywords[k].second;
        if (!scan_is_word(s, keywords[k].word))
            continue;
        if (!looked)
            readable = scan_next(&ahead);
        looked = true;
        if (readable && ahead.kind == SCAN_COLON)
            return NULL;
        if (second && (!readable || ahead.first || !scan_is_word(&ahead, second)))
            continue;
        *last = *s;
        last->error = NULL;
        *last = second ? ahead : scan_is_word(s, "semi") ? over_continuous(last) : *last;
        last->error = s->error;
        return &keywords[k];
    }
    return NULL;
}

scan_section scan_section_here(const scanner *s, scanner *last)
{
    const keyword *found = s->first ? keyword_here(s, last) : NULL;
    return found ? found->section : SCAN_NO_SECTION;
}

/* True if the word after a keyword shows that a section begins. After a variable there would be a
 * sign, an operator, `free' or the end of its expression. */
static bool begins_section(const keyword *k, const scanner *last)
{
    scanner after = *last, other;
    const keyword *next = NULL;
    after.error = NULL;
    if (!scan_next(&after))
        return true; /* an unreadable word is an error in either case */
    switch (after.kind) {
    case SCAN_PLUS:
        return k->section == SCAN_CONSTRAINTS && k->second;
    case SCAN_MINUS: /* the sign of a bound or a row */
        return k->section == SCAN_BOUNDS || (k->section == SCAN_CONSTRAINTS && k->second);
    case SCAN_NAME:
        if (k->section == SCAN_CONSTRAINTS)
            next = keyword_here(&after, &other);
        return k->section != SCAN_FINISH && !scan_is_word(&after, "free") &&
               !(next && next->section == SCAN_CONSTRAINTS);
    case SCAN_NUMBER:
        return k->section != SCAN_FINISH;
    case SCAN_END:
        return true;
    default:
        return false;
    }
}

scan_section scan_section_inside(const scanner *s, bool sure, scanner *last)
{
    const keyword *found = keyword_here(s, last);
    if (!found || found->section == SCAN_MINIMIZE || found->section == SCAN_MAXIMIZE ||
        (!sure && !begins_section(found, last)))
        return SCAN_NO_SECTION;
    return found->section;
}

const char *scan_refused(const scanner *s)
{
    scanner last;
    const keyword *found = keyword_here(s, &last);
    return found ? found->about : NULL;
}

const char *scan_text(const scanner *s, char **room, size_t *size)
{
    const size_t length = (size_t)(s->end - s->start);
    if (length + 1 > *size) {
        *size = 2 * length + 64;
        *room = base_realloc(*room, *size, 1);
    }
    memcpy(*room, s->start, length);
    (*room)[length] = '\0';
    return *room;
}
