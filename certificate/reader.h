/* certificate/reader: a certificate line by line. For the checker's own files. */
#ifndef CERTIFICATE_READER_H
#define CERTIFICATE_READER_H

#include "certificate/round.h"
#include "certificate/verify.h"
#include "problem/json.h"

typedef struct reader {
    const char *path;
    char *text, *next; /* next: beginning of the next line */
    size_t size;       /* bytes of the text */
    long line;
    char **word; /* words of the present line */
    int words;
    base_error *error;
    certificate_verdict verdict;
    schedule_file *file;
    cert_proof *proof;
    cert_multiplier *y;
    int count, capacity;
    int *stage; /* stages of a timeline, and nodes; extent 2n */
    long *made; /* line in which each node was made */
    int made_capacity;
    certificate_report *report;
} reader;

/* text: ends with a NUL, is overwritten. name: of the file, for errors. Needs reader_clear. */
void reader_init(reader *r, const char *name, char *text, certificate_report *report,
                 base_error *error);
void reader_clear(reader *r);

/* These return true if they succeed; else verdict and error say why. */

/* Always false. */
bool reader_fail(reader *r, certificate_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Always false: a word is not what was expected. */
bool reader_malformed(reader *r, const char *expected);

/* The next line, split at single spaces; false at the end of the file. */
bool reader_next_line(reader *r);

/* These read the present line; words are counted from 0. */
bool reader_words_are(reader *r, int count);
bool reader_integer(reader *r, int word, int64_t least, int64_t most, int64_t *value);
bool reader_int(reader *r, int word, int least, int most, int *value);
bool reader_real(reader *r, int word, double *value); /* a finite number */
/* True if the value is a multiple of 2^-CERT_MULTIPLIER_GRID. */
bool reader_on_grid(reader *r, double value);
bool reader_node(reader *r, int word, int *node);
/* Name of a row, from a word to the end of the line. Of a cut, the kind is CERT_ROW_KINDS and i its
 * number. */
bool reader_key(reader *r, int word, cert_key *key);
/* The word of a kind of cells. */
bool reader_kind(reader *r, int word, int *kind);
/* KIND t i, from a word on. */
bool reader_cell(reader *r, int word, int *col);

/* Reads the count at the word, and as many lines "y ROW", or "y H ROW" of a rounding. `after` words
 * follow the count. An optional "at POINT" behind the count sets the priced timeline. */
bool reader_multipliers(reader *r, int word, int after, bool rounding);

/* "total KIND COUNT", tensors and weights; needs cert_total_clear. */
bool reader_total(reader *r, cert_total *total);
/* "timeline COUNT" and stages, then "away" and nodes (*once; else NULL), which the reader owns. */
bool reader_timeline(reader *r, int *count, const int **stage, int *nodes, const int **once);
bool reader_total_value(reader *r, int word, int64_t *value);

/* Cuts; need cert_cut_clear after a fault too. The multipliers of a round belong to the reader. */
bool reader_event_cut(reader *r, cert_cut *cut);
bool reader_source_cut(reader *r, cert_cut *cut);
bool reader_round(reader *r, cert_round *round);

#endif
