/* Errors as texts of bounded length. Text from outside: printable characters, replacement of
 * others, words of lists, byte order mark, distance of words. */
#include "base/base.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int base_fail(base_error *error, const char *format, ...)
{
    if (!error)
        return -1;
    va_list args;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    base_text_clean(error->text);
    return -1;
}

/* Length of the UTF-8 sequence at p, and its character; 0: none. */
static size_t decode(const unsigned char *p, uint32_t *character)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = p[0] < 0x80 ? 1 : p[0] < 0xC0 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
    if (length < 2) {
        *character = p[0];
        return length;
    }
    uint32_t value = p[0] & (0x7Fu >> length);
    for (size_t k = 1; k < length; k++) {
        if ((p[k] & 0xC0) != 0x80)
            return 0;
        value = value << 6 | (p[k] & 0x3F);
    }
    *character = value;
    bool good = p[0] < 0xF8 && value >= least[length] && value <= 0x10FFFF &&
                !(value >= 0xD800 && value <= 0xDFFF);
    return good ? length : 0;
}

/* True for characters that act on a terminal or on the text around them: controls, line and
 * paragraph separators, marks that turn the direction of writing. */
static bool is_control(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069) || c == 0x200E || c == 0x200F || c == 0x061C;
}

bool base_text_plain(const char *text)
{
    return base_text_plain_part(text, strlen(text));
}

bool base_text_plain_part(const char *text, size_t part)
{
    const unsigned char *p = (const unsigned char *)text, *end = p + part;
    while (p < end) {
        uint32_t character;
        size_t length = decode(p, &character);
        if (length == 0 ? *p < 0xA0 : is_control(character))
            return false;
        p += length ? length : 1;
    }
    return true;
}

void base_text_clean(char *text)
{
    for (unsigned char *p = (unsigned char *)text; *p;) {
        uint32_t character;
        size_t length = decode(p, &character);
        bool good = length > 0 && !is_control(character);
        if (!good)
            memset(p, '?', length ? length : 1);
        p += length ? length : 1;
    }
}

base_shown base_text_shown(const char *text)
{
    base_shown shown;
    static const char more[] = "...";
    const size_t room = sizeof shown.text - sizeof more;
    const size_t length = strnlen(text, room);
    memcpy(shown.text, text, length);
    shown.text[length] = '\0';
    base_text_clean(shown.text);
    if (text[length])
        memcpy(shown.text + length, more, sizeof more);
    return shown;
}

base_counted base_text_counted(int64_t number, const char *what)
{
    base_counted counted;
    const size_t length = strlen(what);
    const bool y = length > 0 && what[length - 1] == 'y';
    const char *end = number == 1 ? "" : y ? "ies" : "s";
    snprintf(counted.text, sizeof counted.text, "%" PRId64 " %.*s%s", number,
             (int)(length - (y && number != 1)), what, end);
    return counted;
}

size_t base_text_mark(const char *text, size_t size)
{
    static const char mark[] = "\xef\xbb\xbf";
    return size >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0 ? sizeof mark - 1
                                                                               : 0;
}

int base_text_distance(const char *a, const char *b)
{
    enum { MOST = 80 };
    int row[MOST];
    int length = 0;
    for (; length < MOST && (length == 0 || b[length - 1]); length++)
        row[length] = length;
    for (int i = 0; a[i]; i++) {
        int corner = row[0];
        row[0] = i + 1;
        for (int j = 1; j < length; j++) {
            const int change = corner + (a[i] != b[j - 1]);
            corner = row[j];
            row[j] = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
            row[j] = change < row[j] ? change : row[j];
        }
    }
    return row[length - 1];
}

bool base_next_word(const char **at, char *word, size_t size)
{
    if (!**at)
        return false;
    size_t length = strcspn(*at, ",");
    if (length == 0 || length >= size)
        return false;
    memcpy(word, *at, length);
    word[length] = '\0';
    *at += length;
    if (**at == ',' && (*at)[1] != '\0') /* a comma at the end stays, as an empty word */
        ++*at;
    return true;
}

int base_count_words(const char *list)
{
    int count = 1;
    for (; *list; list++)
        count += *list == ',';
    return count;
}

bool base_is_choice(const char *choices, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = choices; at && length > 0; at = strchr(at, '|')) {
        at += *at == '|';
        if (strncmp(at, word, length) == 0 && (at[length] == '|' || at[length] == '\0'))
            return true;
    }
    return false;
}

char *base_trim(char *begin, char *end)
{
    while (begin < end && isspace((unsigned char)*begin))
        begin++;
    while (end > begin && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    return begin;
}
