/* Model files of either format: chooses between MPS and LP, and writes the constant of the
 * objective as a column. Strict reading of numbers, quotations for messages. */
#include "lp/io/file.h"

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

/* ---- formats --------------------------------------------------------------- */

/* Returns the first word of a text, after blanks and comment lines of either format. */
static lp_file_quote first_word(const char *text)
{
    char word[32];
    for (;;) {
        text += strspn(text, " \t\r\n");
        if (*text != '*' && *text != '\\')
            break;
        text += strcspn(text, "\n");
    }
    snprintf(word, sizeof word, "%.*s", (int)strcspn(text, " \t\r\n\f\v"), text);
    return lp_file_quoted(word);
}

/* Returns 'm' for MPS, 'l' for LP, 0 if neither name nor content decides. */
static char guess_format(const char *path, const char *text)
{
    static const char *const mps_words[] = {"NAME", "ROWS", "OBJSENSE", "OBJNAME"};
    static const char *const lp_words[] = {"min",      "max",      "minimize", "maximize",
                                           "minimise", "maximise", "minimum",  "maximum"};
    if (base_path_ends(path, ".mps"))
        return 'm';
    if (base_path_ends(path, ".lp"))
        return 'l';
    const lp_file_quote word = first_word(text);
    for (size_t k = 0; k < sizeof mps_words / sizeof *mps_words; k++)
        if (!strcasecmp(word.text, mps_words[k]))
            return 'm';
    for (size_t k = 0; k < sizeof lp_words / sizeof *lp_words; k++)
        if (!strcasecmp(word.text, lp_words[k]))
            return 'l';
    return 0;
}

/* Turns the column that stands for the constant of the objective, if there is one, into the
 * offset. */
static void fold_constant(lp_model *m)
{
    for (int j = m->cols - 1; m->col_name && j >= 0; j--) {
        if (m->start[j] != m->start[j + 1] || m->lower[j] != 1.0 || m->upper[j] != 1.0 ||
            strcmp(m->col_name[j], LP_FILE_CONSTANT) != 0)
            continue;
        bool *drop = base_calloc((size_t)m->cols, sizeof *drop);
        drop[j] = true;
        m->offset += m->cost[j];
        lp_model_delete_cols(m, drop);
        base_free(drop);
        return;
    }
}

/* Returns a copy with a column in place of the offset. */
static lp_model *unfold_constant(const lp_model *m)
{
    lp_model *copy = lp_model_copy(m);
    copy->offset = 0.0;
    lp_model_add_col(copy, m->offset, 1.0, 1.0, false, 0, NULL, NULL, LP_FILE_CONSTANT);
    return copy;
}

lp_model *lp_model_read(const char *path, base_error *error)
{
    size_t size;
    lp_model *m = NULL;
    char *text = base_file_read(path, LP_FILE_LIMIT, &size, error);
    if (!text)
        return NULL;
    const char *nul = memchr(text, '\0', size);
    const char format = nul ? 0 : guess_format(path, text);
    if (nul) {
        long line = 1;
        for (const char *p = text; p < nul; p++)
            line += *p == '\n';
        base_fail(error, "%s:%ld: a zero byte: this is not a text file", path, line);
    } else if (format == 0) {
        base_fail(error,
                  "%s: neither the name (.mps, .lp) nor the first word \"%s\" tells the format: "
                  "expected NAME or ROWS (MPS), minimize or maximize (LP)",
                  path, first_word(text).text);
    } else {
        m = (format == 'm' ? lp_read_mps : lp_read_lp)(path, text, error);
    }
    base_free(text);
    if (m)
        fold_constant(m);
    return m;
}

int lp_model_write(const lp_model *m, const char *path, base_error *error)
{
    base_output *output = base_output_open(path, error);
    if (!output)
        return -1;
    lp_model *bare = m->offset != 0.0 ? unfold_constant(m) : NULL;
    if (base_path_ends(path, ".lp"))
        lp_write_lp(bare ? bare : m, base_output_stream(output));
    else
        lp_write_mps(bare ? bare : m, base_output_stream(output));
    lp_model_free(bare);
    return base_output_commit(output, error);
}
