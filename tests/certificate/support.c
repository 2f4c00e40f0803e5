/* Makes certificates of small instances, replaces parts of their text, and asks the checker. */
#include "tests/certificate/support.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "certificate/verify.h"

random_instance draw_instance(uint64_t seed, int nodes)
{
    uint64_t family = seed % (SPECIAL_FAMILIES + 1);
    if (family == SPECIAL_FAMILIES)
        return random_instance_make(seed, nodes);
    return special_instance_make((special_family)family, seed / (SPECIAL_FAMILIES + 1), nodes);
}

static bool again;

bool certified_again(void)
{
    return again;
}

char *certified(const problem *p, const exact_params *params, cert_trust trust, exact_result *r)
{
    char path[] = "/tmp/poetbnb-certificate-XXXXXX";
    base_error error = {""};
    size_t size;
    int handle = mkstemp(path);
    ck_assert_int_ge(handle, 0);
    close(handle);
    const certificate_outcome outcome = certificate_solve(path, p, params, &trust, r, &error);
    const bool written = outcome == CERTIFICATE_WRITTEN;
    again = error.text[0] != '\0';
    char *text = written ? base_file_read(path, (size_t)1 << 30, &size, &error) : NULL;
    unlink(path);
    ck_assert_msg(text != NULL || (!written && r->status == EXACT_LIMIT), "%s", error.text);
    return text;
}

certificate_verdict judge_text(const char *text, certificate_report *report, base_error *error)
{
    OWNED(char) *copy = base_strdup(text);
    certificate_verdict verdict =
        certificate_verify_text("changed", copy, strlen(copy), report, error);
    return verdict;
}

/* text[0 .. first-1], then `middle`, then the rest from `last` on. */
static char *splice(const char *text, size_t first, const char *middle, size_t last)
{
    size_t rest = strlen(text + last), size = first + strlen(middle) + rest + 1;
    char *copy = base_malloc(size, 1);
    snprintf(copy, size, "%.*s%s%s", (int)first, text, middle, text + last);
    return copy;
}

char *replaced(const char *text, const char *start, const char *from, const char *to)
{
    const char *at = strstr(start, from);
    if (!at)
        return NULL;
    return splice(text, (size_t)(at - text), to, (size_t)(at - text) + strlen(from));
}

const char *line_of(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
        if (strncmp(at, word, length) == 0)
            return at;
    return NULL;
}

static size_t line_end(const char *text, const char *line)
{
    return (size_t)(strchr(line, '\n') - text);
}

char *without_line(const char *text, const char *line)
{
    return splice(text, (size_t)(line - text), "", line_end(text, line) + 1);
}

char *with_line(const char *text, const char *line, const char *as)
{
    return splice(text, (size_t)(line - text), as, line_end(text, line));
}
