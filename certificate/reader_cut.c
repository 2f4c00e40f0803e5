/* Cuts, totals and timelines of a certificate. */
#include "certificate/reader.h"

#include <string.h>

bool reader_event_cut(reader *r, cert_cut *cut)
{
    const bool apart = !r->proof->m->canonical;
    int count, n = r->proof->m->n, words = apart ? 3 : 2;
    cut->conditional = r->words > 3 && strcmp(r->word[3], "if") == 0;
    int place = cut->conditional ? 4 : 3;
    if (!reader_int(r, 1, 0, n - 1, &cut->t) || !reader_int(r, 2, 0, n - 1, &cut->k) ||
        !reader_integer(r, place, INT64_MIN, INT64_MAX, &cut->rhs) ||
        !reader_int(r, place + 1, 0, n, &count) || !reader_words_are(r, place + 2 + words * count))
        return false;
    cut->tensor = base_malloc((size_t)count + 1, sizeof *cut->tensor);
    cut->coef = base_malloc((size_t)count + 1, sizeof *cut->coef);
    if (apart)
        cut->made = base_malloc((size_t)count + 1, sizeof *cut->made);
    cut->count = count;
    for (int j = 0, word = place + 2; j < count; j++, word += words)
        if (!reader_int(r, word, 0, n - 1, &cut->tensor[j]) ||
            !reader_integer(r, word + 1, INT64_MIN, INT64_MAX, &cut->coef[j]) ||
            (apart && !reader_integer(r, word + 2, INT64_MIN, INT64_MAX, &cut->made[j])))
            return false;
    return true;
}

bool reader_source_cut(reader *r, cert_cut *cut)
{
    int n = r->proof->m->n;
    cut->source = true;
    cut->kept = r->words > 4 && strcmp(r->word[4], "kept") == 0;
    int place = cut->kept ? 5 : 4;
    if (r->words <= place)
        return reader_malformed(r, "a longer line");
    if (!reader_int(r, 1, 0, n - 1, &cut->k) || !reader_int(r, 2, 0, n - 1, &cut->t) ||
        !reader_int(r, 3, 0, n - 1, &cut->last))
        return false;
    cut->tensor = base_malloc((size_t)(r->words - place), sizeof *cut->tensor);
    for (; place < r->words; place++) {
        bool out = cut->count > 0 && strcmp(r->word[place], "out") == 0;
        if (!out && !reader_int(r, place, 0, n - 1, &cut->tensor[cut->count++]))
            return false;
        if (out && strcmp(r->word[place - 1], "out") == 0)
            return reader_malformed(r, "one word out behind a node");
        if (out && cut->count <= CERT_PATH)
            cut->stored |= 1u << (cut->count - 1);
    }
    return true;
}

bool reader_total(reader *r, cert_total *total)
{
    int count = 0, kind = 0, n = r->proof->m->n, before = -1;
    if (!reader_kind(r, 1, &kind) || !reader_int(r, 2, 0, n, &count) ||
        !reader_words_are(r, 3 + 2 * count))
        return false;
    total->kind = (cert_kind)kind;
    total->count = count;
    total->tensor = base_malloc((size_t)count + 1, sizeof *total->tensor);
    total->weight = base_malloc((size_t)count + 1, sizeof *total->weight);
    for (int j = 0; j < count; j++) {
        if (!reader_int(r, 3 + 2 * j, before + 1, n - 1, &total->tensor[j]) ||
            !reader_integer(r, 4 + 2 * j, 1, CERT_MAX_WEIGHT, &total->weight[j]))
            return false;
        before = total->tensor[j];
    }
    return true;
}

/* Reads `count` ascending numbers of nodes or stages from a word on. */
static bool read_ascending(reader *r, int word, int count, int *to)
{
    for (int k = 0; k < count; k++)
        if (!reader_int(r, word + k, k > 0 ? to[k - 1] + 1 : 0, r->proof->m->n - 1, &to[k]))
            return false;
    return true;
}

bool reader_timeline(reader *r, int *count, const int **stage, int *nodes, const int **once)
{
    const int n = r->proof->m->n;
    if (!reader_int(r, 1, 1, n, count))
        return false;
    const bool away = r->words > 2 + *count && strcmp(r->word[2 + *count], "away") == 0;
    *nodes = away ? r->words - 3 - *count : 0;
    if (*nodes > n || !reader_words_are(r, 2 + *count + away + *nodes))
        return reader_malformed(r, "another number of words in this line");
    if (!r->stage)
        r->stage = base_malloc(2 * (size_t)n, sizeof *r->stage);
    *stage = r->stage;
    *once = away ? r->stage + n : NULL;
    return read_ascending(r, 2, *count, r->stage) &&
           read_ascending(r, 3 + *count, *nodes, r->stage + n);
}

bool reader_total_value(reader *r, int word, int64_t *value)
{
    return reader_integer(r, word, -CERT_MAX_TOTAL, CERT_MAX_TOTAL, value);
}

/* "T k FROM": a total, and the value from which it is counted. */
static bool read_total(reader *r, cert_round_term *term)
{
    int k = 0;
    if (!reader_int(r, 2, 0, r->proof->totals - 1, &k) || !reader_total_value(r, 3, &term->from))
        return false;
    term->col = r->proof->m->cols + k;
    return true;
}

/* A cell, or E t i, D t i, F t i k, L t, T k FROM, from the second word on. *words: number of words
 * up to its end. */
static bool read_column(reader *r, cert_round_term *term, int *words)
{
    const cert_model *m = r->proof->m;
    int *col = &term->col;
    int t = 0, i = 0, k = 0;
    const char kind = r->words > 1 && r->word[1][1] == '\0' ? r->word[1][0] : ' ';
    if (strchr("EDFL", kind) == NULL) {
        *words = 4;
        return kind == 'T' ? read_total(r, term) : reader_cell(r, 1, col);
    }
    *words = kind == 'L' ? 3 : kind == 'F' ? 5 : 4;
    if (!reader_int(r, 2, 0, m->n - 1, &t) || (kind != 'L' && !reader_int(r, 3, 0, t - 1, &i)) ||
        (kind == 'F' && !reader_int(r, 4, 0, t - 1, &k)))
        return false;
    if (kind == (m->canonical ? 'D' : 'E'))
        return reader_malformed(r, "a column that these rows have");
    const int edge = kind == 'F' ? graph_edge(m->g, i, k) : 0;
    if (edge < 0)
        return reader_malformed(r, "a user of the tensor");
    *col = kind == 'L'   ? cert_load(m, t)
           : kind == 'F' ? cert_free(m, t, edge)
                         : cert_cell(m, kind == 'E' ? CERT_EARLY : CERT_TWICE, t, i);
    return true;
}

/* Reads an optional "to T" behind a C or P. */
static bool read_stages(reader *r, int *words, cert_round_term *term)
{
    const cert_model *m = r->proof->m;
    const int t = term->col / m->n % m->n;
    int last = 0;
    term->stages = 1;
    if (r->words <= *words || strcmp(r->word[*words], "to") != 0)
        return true;
    if (strcmp(r->word[1], cert_cell_word[CERT_C]) != 0 &&
        strcmp(r->word[1], cert_cell_word[CERT_P]) != 0)
        return reader_malformed(r, "the end of the line");
    if (!reader_int(r, *words + 1, t + 1, m->n - 1, &last))
        return false;
    term->stages = last - t + 1;
    *words += 2;
    return true;
}

/* "COEF COLUMN", and the side from which the column is counted. */
static bool read_term(reader *r, cert_round_term *term)
{
    int words = 0;
    if (!reader_next_line(r) || !reader_real(r, 0, &term->coef) || !reader_on_grid(r, term->coef) ||
        !read_column(r, term, &words))
        return false;
    if (!read_stages(r, &words, term))
        return false;
    const char *word = r->words > words ? r->word[words] : "";
    term->side = strcmp(word, "up") == 0    ? CERT_SIDE_UPPER
                 : strcmp(word, "off") == 0 ? CERT_SIDE_NONE
                                            : CERT_SIDE_LOWER;
    return reader_words_are(r, words + (term->side != CERT_SIDE_LOWER));
}

/* "round DIVISOR RHS COUNT TERMS", then the multipliers and the terms. */
bool reader_round(reader *r, cert_round *round)
{
    int capacity = 0, terms;
    if (!reader_real(r, 1, &round->divisor) || !reader_real(r, 2, &round->rhs) ||
        !reader_on_grid(r, round->divisor) || !reader_on_grid(r, round->rhs) ||
        !reader_int(r, 4, 0, CERT_MAX_COLUMNS, &terms))
        return false;
    if (!(round->divisor > 0))
        return reader_malformed(r, "a positive divisor");
    if (!reader_multipliers(r, 3, 1, true))
        return false;
    round->y = r->y;
    round->count = r->count;
    for (; round->terms < terms; round->terms++) {
        round->term = base_grow(round->term, round->terms, &capacity, sizeof *round->term);
        if (!read_term(r, &round->term[round->terms]))
            return false;
    }
    return true;
}
