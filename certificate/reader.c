/* Words, numbers, rows and multipliers of a certificate. */
#include "certificate/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 20000 };

void reader_init(reader *r, const char *name, char *text, certificate_report *report,
                 base_error *error)
{
    *r = (reader){.path = name, .text = text, .error = error, .report = report};
    r->word = base_malloc(MAX_WORDS, sizeof *r->word);
}

void reader_clear(reader *r)
{
    cert_proof_free(r->proof);
    schedule_file_free(r->file);
    base_free_all(r->word, r->y, r->stage, r->made);
}

bool reader_fail(reader *r, certificate_verdict verdict, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    r->verdict = verdict;
    base_fail(r->error, "%s: line %ld: %s", r->path, r->line, text);
    return false;
}

bool reader_malformed(reader *r, const char *expected)
{
    return reader_fail(r, CERTIFICATE_MALFORMED, "%s is expected", expected);
}

/* ---- words --------------------------------------------------------------------------- */

bool reader_next_line(reader *r)
{
    if (*r->next == '\0')
        return reader_fail(r, CERTIFICATE_MALFORMED, "the certificate ends here, before `end'");
    char *end = strchr(r->next, '\n');
    char *line = r->next;
    r->line++;
    base_work(100);
    if (!end)
        return reader_fail(r, CERTIFICATE_MALFORMED, "the line is cut off");
    *end = '\0';
    r->next = end + 1;
    r->words = 0;
    for (char *at = line; at;) {
        char *space = strchr(at, ' ');
        if (r->words == MAX_WORDS || *at == '\0' || *at == ' ')
            return reader_malformed(r, "a line of words with one space between them");
        r->word[r->words++] = at;
        if (space)
            *space++ = '\0';
        at = space;
    }
    return true;
}

bool reader_integer(reader *r, int word, int64_t least, int64_t most, int64_t *value)
{
    char *end;
    if (word >= r->words)
        return reader_malformed(r, "a longer line");
    errno = 0;
    long long v = strtoll(r->word[word], &end, 10);
    if (errno || *end || end == r->word[word] || v < least || v > most)
        return reader_fail(r, CERTIFICATE_MALFORMED,
                           "\"%.40s\": an integer from %" PRId64 " to %" PRId64 " is expected",
                           r->word[word], least, most);
    *value = v;
    return true;
}

bool reader_int(reader *r, int word, int least, int most, int *value)
{
    int64_t v = 0;
    if (!reader_integer(r, word, least, most, &v))
        return false;
    *value = (int)v;
    return true;
}

bool reader_real(reader *r, int word, double *value)
{
    char *end;
    if (word >= r->words)
        return reader_malformed(r, "a longer line");
    *value = strtod(r->word[word], &end);
    if (*end || end == r->word[word] || !isfinite(*value))
        return reader_fail(r, CERTIFICATE_MALFORMED, "\"%.40s\": a finite number is expected",
                           r->word[word]);
    return true;
}

bool reader_words_are(reader *r, int count)
{
    return r->words == count || reader_malformed(r, "another number of words in this line");
}

bool reader_node(reader *r, int word, int *node)
{
    return reader_int(r, word, 0, r->proof->nodes - 1, node);
}

bool reader_key(reader *r, int word, cert_key *key)
{
    const int n = r->proof->m->n;
    if (word >= r->words)
        return reader_malformed(r, "the name of a row");
    *key = (cert_key){CERT_ROW_KINDS, -1, -1, -1};
    if (strcmp(r->word[word], "cut") == 0)
        return reader_words_are(r, word + 2) &&
               reader_int(r, word + 1, 0, r->proof->cuts - 1, &key->i);
    const cert_row_kind kind = cert_row_named(r->word[word]);
    if (kind == CERT_ROW_KINDS)
        return reader_fail(r, CERTIFICATE_MALFORMED, "\"%.40s\" is no row that this checker knows",
                           r->word[word]);
    const cert_row_name *name = &cert_row_names[kind];
    const int last = kind == (int)CERT_ROW_TOTAL ? r->proof->totals - 1 : n - 1,
              last_stage = cert_row_is_of_point(kind) ? r->proof->points - 1 : n - 1;
    int place = word + 1;
    key->kind = kind;
    return (!name->t || reader_int(r, place++, 0, last_stage, &key->t)) &&
           (!name->i || reader_int(r, place++, 0, last, &key->i)) &&
           (!name->k || reader_int(r, place++, -1, n - 1, &key->k)) && reader_words_are(r, place);
}

bool reader_on_grid(reader *r, double value)
{
    const number v = number_of(value);
    return v.mantissa == 0 || v.exponent >= -CERT_MULTIPLIER_GRID ||
           reader_malformed(r, "a multiple of 2^-200");
}

bool reader_kind(reader *r, int word, int *kind)
{
    if (word >= r->words)
        return reader_malformed(r, "a cell");
    for (*kind = 0; *kind < (int)CERT_CELLS; ++*kind)
        if (strcmp(cert_cell_word[*kind], r->word[word]) == 0)
            return true;
    return reader_fail(r, CERTIFICATE_MALFORMED, "\"%.40s\": R, C, P, In or Out is expected",
                       r->word[word]);
}

bool reader_cell(reader *r, int word, int *col)
{
    int kind = 0, t = 0, i = 0;
    if (!reader_kind(r, word, &kind) || !reader_int(r, word + 1, 1, r->proof->m->n - 1, &t) ||
        !reader_int(r, word + 2, 0, t - 1, &i))
        return false;
    *col = cert_cell(r->proof->m, (cert_kind)kind, t, i);
    return true;
}

/* "y ROW", of a rounding "y H ROW". */
static bool read_multiplier(reader *r, bool rounding, cert_multiplier *to)
{
    double y = 0, slack = 0;
    cert_key key = {CERT_ROW_KINDS, -1, -1, -1};
    if (!reader_next_line(r) || !reader_real(r, 0, &y) ||
        (rounding && !reader_real(r, 1, &slack)) || !reader_key(r, rounding ? 2 : 1, &key))
        return false;
    *to = (cert_multiplier){key.kind == CERT_ROW_KINDS ? key.i : -1, key, number_of(y),
                            number_of(slack)};
    return reader_on_grid(r, y) && reader_on_grid(r, slack);
}

/* Reads an optional "at POINT" behind the count. */
static bool read_price(reader *r, int *word)
{
    int point = -1;
    if (r->words > *word && strcmp(r->word[*word], "at") == 0) {
        if (!reader_int(r, *word + 1, 0, r->proof->points - 1, &point))
            return false;
        *word += 2;
    }
    cert_proof_price(r->proof, point);
    return true;
}

bool reader_multipliers(reader *r, int word, int after, bool rounding)
{
    int count, end = word + 1;
    if (!reader_int(r, word, 0, INT32_MAX, &count) || (!rounding && !read_price(r, &end)) ||
        !reader_words_are(r, end + after))
        return false;
    r->count = 0;
    for (int k = 0; k < count; k++) {
        cert_multiplier y = {0};
        if (!read_multiplier(r, rounding, &y))
            return false;
        if (!rounding && y.y.mantissa < 0 && !cert_row_is_equality(y.key.kind))
            return reader_fail(r, CERTIFICATE_WRONG, "a negative multiplier on an inequality");
        r->y = base_grow(r->y, r->count, &r->capacity, sizeof *r->y);
        r->y[r->count++] = y;
    }
    r->report->multipliers += count;
    return true;
}
