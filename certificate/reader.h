/* certificate/reader: a certificate line by line. For the checker's own files. */
#ifndef CERTIFICATE_READER_H
#define CERTIFICATE_READER_H

#include "certificate/round.h"
#include "certificate/verify.h"
#include "problem/json.h"

typedef struct reader {
    const char *path;
    char *text, *next; /* next: the line after the present one */
    size_t size;       /* of the text */
    long line;
    char **word; /* of the present line */
    int words;
    base_error *error;
    certificate_verdict verdict;
    schedule_file *file;
    cert_proof *proof;
    cert_multiplier *y;
    int count, capacity;
    int *stage; /* of a timeline; extent n */
    long *made; /* line in which each node was made */
    int made_capacity;
    certificate_report *report;
} reader;

/* text ends with a NUL and is overwritten; name: what errors call it. To be cleared. */
void reader_init(reader *r, const char *name, char *text, certificate_report *report,
                 base_error *error);
void reader_clear(reader *r);

/* All of these are true when they succeed. When not, verdict and error say why. */

/* Always false. */
bool reader_fail(reader *r, certificate_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Always false: a word is not what was expected. */
bool reader_malformed(reader *r, const char *expected);

/* The next line, split at single spaces; false at the end of the file. */
bool reader_next_line(reader *r);

/* Of the present line, with words counted from 0: */
bool reader_words_are(reader *r, int count);
bool reader_integer(reader *r, int word, int64_t least, int64_t most, int64_t *value);
bool reader_int(reader *r, int word, int least, int most, int *value);
bool reader_real(reader *r, int word, double *value); /* finite */
/* A multiple of 2^-CERT_MULTIPLIER_GRID. */
bool reader_on_grid(reader *r, double value);
bool reader_node(reader *r, int word, int *node);
/* A row's name from a word to the end of the line; cuts have kind CERT_ROW_KINDS and their number
 * in i. */
bool reader_key(reader *r, int word, cert_key *key);
/* One of the words of the cells. */
bool reader_kind(reader *r, int word, int *kind);
/* KIND t i, from a word on. */
bool reader_cell(reader *r, int word, int *col);

/* As many lines "y ROW" as the word says, of a rounding "y H ROW"; behind the word are `after`
 * more. Behind that of a combination there may be "at POINT": the proof is told. */
bool reader_multipliers(reader *r, int word, int after, bool rounding);

/* "total KIND COUNT", tensors and weights; to be cleared. */
bool reader_total(reader *r, cert_total *total);
/* "timeline COUNT" and stages, which are the reader's. */
bool reader_timeline(reader *r, int *count, const int **stage);
bool reader_total_value(reader *r, int word, int64_t *value);

/* Cuts, to be cleared also when there was a fault; a round's multipliers are the reader's. */
bool reader_event_cut(reader *r, cert_cut *cut);
bool reader_source_cut(reader *r, cert_cut *cut);
bool reader_round(reader *r, cert_round *round);

#endif
