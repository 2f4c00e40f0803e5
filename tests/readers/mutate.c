/* Changes of inputs: words that mean something, lines and numbers replaced, repeated or spliced,
 * with check sums mended where a reader would look no further. */
#include <ctype.h>
#include <string.h>
#include <zlib.h>

#include "tests/readers/readers.h"

/* ---- words that mean something ------------------------------------------------------------- */

static const char *const json_words[] = {"null",
                                         "true",
                                         "false",
                                         "{}",
                                         "[]",
                                         "\"\"",
                                         "[[0,0]]",
                                         "\"name\": ",
                                         "\"nodes\": ",
                                         "\"inputs\": ",
                                         "\"bytes\": ",
                                         "\"backward\": ",
                                         "\"view\": true",
                                         "\"in_place\": ",
                                         "\"outputs\": ",
                                         "\"aliases\": ",
                                         "\"kind\": ",
                                         "\"overwritten\"",
                                         "\"unread\"",
                                         "\"p.x\"",
                                         "[0, 1]",
                                         "\"graph\": ",
                                         "\"builtin\": ",
                                         "\"model\": ",
                                         "\"platform\": ",
                                         "\"linear\"",
                                         "\"bert\"",
                                         "\"a72\"",
                                         "\"batch_size\": ",
                                         "\"R\": ",
                                         "\"Out\": ",
                                         "\"steps\": ",
                                         "\"op\": ",
                                         "\"buffer\": ",
                                         "\"offset\": ",
                                         "\"compute\"",
                                         "\"pagein\"",
                                         "\"free\"",
                                         "\"register\": ",
                                         "\"deadline_seconds\": ",
                                         "\"ram_budget_bytes\": ",
                                         "\\u0000",
                                         "\\ud800",
                                         "\\u001b",
                                         ", ",
                                         "{\"a\":",
                                         "[[[[[[[[",
                                         NULL};

static const char *const mps_words[] = {"NAME",     "ROWS",
                                        "COLUMNS",  "RHS",
                                        "RANGES",   "BOUNDS",
                                        "ENDATA",   "OBJSENSE\n MAX",
                                        "OBJNAME",  " N ",
                                        " L ",      " G ",
                                        " E ",      "'MARKER'",
                                        "'INTORG'", "'INTEND'",
                                        " UP ",     " LO ",
                                        " FX ",     " FR ",
                                        " MI ",     " PL ",
                                        " BV ",     " LI ",
                                        " UI ",     "$",
                                        "*",        "\n",
                                        " FREE",    "inf",
                                        "-inf",     "1D3",
                                        "~upper",   "objective_constant",
                                        NULL};

static const char *const lp_words[] = {"min\n",
                                       "max\n",
                                       "st\n",
                                       "subject to\n",
                                       "bounds\n",
                                       "generals\n",
                                       "bin\n",
                                       " st ",
                                       " subject to ",
                                       " bounds ",
                                       " general ",
                                       " binary ",
                                       " end ",
                                       " sos1 ",
                                       " user cuts ",
                                       "semi\n",
                                       "sos\n",
                                       "end\n",
                                       "free",
                                       "inf",
                                       "-inf",
                                       " <= ",
                                       " >= ",
                                       " = ",
                                       " + ",
                                       " - ",
                                       ":",
                                       "\\",
                                       "->",
                                       "[",
                                       "^2",
                                       "1e30",
                                       "e",
                                       "c: = 0\n",
                                       "c: -5 <= ",
                                       "semi-continuous\n",
                                       "lazy constraints\n",
                                       NULL};

static const char *const certificate_words[] = {
    "event ",     "source ",   "reduce ",    "probe ",    "leaf ",     "propagate ",
    "branch ",    "schedule ", "cases ",     "next\n",    "end\n",     "bound ",
    "infeasible", "scale ",    "cut ",       "if ",       "kept ",     "out ",
    "R ",         "C ",        "P ",         "In ",       "Out ",      "memory ",
    "load ",      "overhead",  "deadline",   "input ",    "late ",     "one ",
    "used_s ",    "case",      "free_keep ", "0x1p-200 ", "stored_p ", NULL};

static const char *const gzip_words[] = {"\x1f\x8b", "\x1f\x8b\x08", "\xff\xff", NULL};

static const char *const numbers[] = {"0",
                                      "-1",
                                      "1",
                                      "2",
                                      "-0",
                                      "-0.0",
                                      "1e20",
                                      "-1e20",
                                      "1e300",
                                      "1e-300",
                                      "4.9e-324",
                                      "1.7976931348623157e308",
                                      "1e400",
                                      "127",
                                      "128",
                                      "1000",
                                      "20001",
                                      "2147483647",
                                      "2147483648",
                                      "-2147483648",
                                      "4294967295",
                                      "2305843009213693952",
                                      "9223372036854775807",
                                      "-9223372036854775808",
                                      "9223372036854775808",
                                      "99999999999999999999999",
                                      "nan",
                                      "inf",
                                      "0x1p-1074",
                                      "0.1",
                                      NULL};

static const char *const *words_of(reader_kind kind)
{
    switch (kind) {
    case READER_MPS:
        return mps_words;
    case READER_LP:
        return lp_words;
    case READER_CERTIFICATE:
        return certificate_words;
    case READER_PLAN_BINARY:
    case READER_GZIP:
        return gzip_words;
    default:
        return json_words;
    }
}

static const char *pick_word(const char *const *words, base_rng *rng)
{
    size_t count = 0;
    while (words[count])
        count++;
    return words[base_rng_below(rng, count)];
}

/* ---- changes ----------------------------------------------------------------------------------
 */

/* Replaces input[from .. to-1] by size bytes, if there is room. */
static void replace(reader_input *input, size_t from, size_t to, const char *data, size_t size)
{
    const size_t rest = input->size - to;
    if (from + size + rest > READER_MOST)
        return;
    char copy[READER_MOST];
    memcpy(copy, data, size); /* which may be a part of the input */
    memmove(input->data + from + size, input->data + to, rest);
    memcpy(input->data + from, copy, size);
    input->size = from + size + rest;
}

static size_t at_random(const reader_input *input, base_rng *rng)
{
    return (size_t)base_rng_below(rng, input->size + 1);
}

/* A range, mostly short. */
static void pick_range(const reader_input *input, base_rng *rng, size_t *from, size_t *to)
{
    const size_t longest = base_rng_below(rng, 4) ? 12 : READER_MOST / 8;
    *from = at_random(input, rng);
    size_t length = (size_t)base_rng_below(rng, longest) + 1;
    *to = length > input->size - *from ? input->size : *from + length;
}

/* The line around a random place, with its end. */
static void pick_line(const reader_input *input, base_rng *rng, size_t *from, size_t *to)
{
    *from = *to = at_random(input, rng);
    while (*from > 0 && input->data[*from - 1] != '\n')
        --*from;
    while (*to < input->size && input->data[(*to)++] != '\n')
        ;
}

static bool in_number(char c)
{
    return isdigit((unsigned char)c) || c == '.' || c == '-';
}

static void change_number(reader_input *input, base_rng *rng)
{
    size_t from = at_random(input, rng);
    while (from < input->size && !isdigit((unsigned char)input->data[from]))
        from++;
    size_t to = from;
    while (from > 0 && in_number(input->data[from - 1]))
        from--;
    while (to < input->size && in_number(input->data[to]))
        to++;
    char near[24];
    const char *number = pick_word(numbers, rng);
    if (base_rng_below(rng, 2)) { /* a small one, which may be another's place or count */
        snprintf(near, sizeof near, "%d", (int)base_rng_below(rng, 12));
        number = near;
    }
    if (from < to)
        replace(input, from, to, number, strlen(number));
}

/* A part of another entry. */
static void splice(reader_input *input, const reader_corpus *corpus, bool lines, base_rng *rng)
{
    const reader_input *other = &corpus->entry[base_rng_below(rng, (uint64_t)corpus->count)];
    size_t from, to, place, end;
    if (lines) {
        pick_line(other, rng, &from, &to);
        pick_line(input, rng, &place, &end);
    } else {
        pick_range(other, rng, &from, &to);
        place = at_random(input, rng);
    }
    replace(input, place, place, other->data + from, to - from);
}

static void repeat(reader_input *input, base_rng *rng)
{
    size_t from, to;
    pick_range(input, rng, &from, &to);
    for (uint64_t times = base_rng_below(rng, 8) ? 1 : 1 + base_rng_below(rng, 200); times > 0;
         times--)
        replace(input, to, to, input->data + from, to - from);
}

static void change(reader_kind kind, reader_input *input, const reader_corpus *corpus,
                   base_rng *rng)
{
    size_t from, to, place;
    char byte = (char)base_rng_below(rng, 256);
    const char *word = pick_word(words_of(kind), rng);
    switch (base_rng_below(rng, 13)) {
    case 0:
        if (input->size > 0)
            input->data[base_rng_below(rng, input->size)] ^= (char)(1 << base_rng_below(rng, 8));
        break;
    case 1:
        if (input->size > 0)
            input->data[base_rng_below(rng, input->size)] = byte;
        break;
    case 2:
        from = at_random(input, rng);
        replace(input, from, from, &byte, 1);
        break;
    case 3:
        pick_range(input, rng, &from, &to);
        replace(input, from, to, "", 0);
        break;
    case 4:
        repeat(input, rng);
        break;
    case 5:
    case 6:
        pick_range(input, rng, &from, &to);
        replace(input, from, base_rng_below(rng, 2) ? from : to, word, strlen(word));
        break;
    case 7:
    case 8:
        change_number(input, rng);
        break;
    case 9:
        splice(input, corpus, base_rng_below(rng, 2), rng);
        break;
    case 10:
        pick_line(input, rng, &from, &to);
        replace(input, from, to, "", 0);
        break;
    case 11: /* a line goes elsewhere, or is there twice */
        pick_line(input, rng, &from, &to);
        pick_line(input, rng, &place, &(size_t){0});
        replace(input, place, place, input->data + from, to - from);
        break;
    default:
        if (base_rng_below(rng, 8) == 0)
            input->size = at_random(input, rng);
    }
}

/* The check sum at the end of a binary plan, without which nothing else is looked at. */
static void mend_plan(reader_input *input)
{
    if (input->size < 8)
        return;
    uLong crc = crc32(0, (const Bytef *)input->data, (uInt)(input->size - 4));
    for (int k = 0; k < 4; k++)
        input->data[input->size - 4 + (size_t)k] = (char)(crc >> (8 * k));
}

/* Texts have no zero bytes: lp_model_read and certificates refuse them before. */
static void mend_text(reader_input *input)
{
    for (size_t k = 0; k < input->size; k++)
        if (input->data[k] == '\0')
            input->data[k] = ' ';
}

reader_input reader_mutate(reader_kind kind, const reader_corpus *corpus, base_rng *rng)
{
    const reader_input *from = &corpus->entry[base_rng_below(rng, (uint64_t)corpus->count)];
    reader_input input = {base_malloc(READER_MOST + 1, 1), from->size};
    memcpy(input.data, from->data, from->size);
    for (uint64_t changes = 1 + base_rng_below(rng, base_rng_below(rng, 4) ? 4 : 16); changes > 0;
         changes--)
        change(kind, &input, corpus, rng);
    if (kind == READER_PLAN_BINARY && base_rng_below(rng, 16) > 0)
        mend_plan(&input);
    if (kind == READER_MPS || kind == READER_LP)
        mend_text(&input);
    input.data[input.size] = '\0';
    return input;
}
