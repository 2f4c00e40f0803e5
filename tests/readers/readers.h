/* tests/readers: every reader of files, fed with inputs that are nearly right. What reads, how
 * inputs are made, and what must be true of each reading; shared by the suite and by
 * tests/fuzz/read_fuzz.c. */
#ifndef TESTS_READERS_READERS_H
#define TESTS_READERS_READERS_H

#include <stddef.h>

#include "base/base.h"

typedef enum reader_kind {
    READER_GRAPH,
    READER_PLATFORM,
    READER_SCHEDULE,
    READER_PLAN_JSON,
    READER_PLAN_BINARY,
    READER_MPS,
    READER_LP,
    READER_CERTIFICATE,
    READER_GZIP,
    READERS
} reader_kind;

const char *reader_name(reader_kind kind);

/* ---- inputs ------------------------------------------------------------------------- */

typedef struct reader_input {
    char *data; /* size bytes and a NUL; base_free */
    size_t size;
} reader_input;

/* Inputs to start from. */
typedef struct reader_corpus {
    reader_input *entry; /* extent count */
    int count, capacity;
} reader_corpus;

/* What the program itself writes in this form, and a few files by hand that show what else the
 * reader takes. The same each time. Some seconds for certificates. */
reader_corpus reader_corpus_make(reader_kind kind);
/* Adds a copy. */
void reader_corpus_add(reader_corpus *corpus, const char *data, size_t size);
void reader_corpus_clear(reader_corpus *corpus);

/* A new input made of one or two of the corpus by a few changes: of bytes, words, numbers and
 * lines. At most READER_MOST bytes. The same for the same arguments. */
enum { READER_MOST = 1 << 15 };
reader_input reader_mutate(reader_kind kind, const reader_corpus *corpus, base_rng *rng);

/* ---- reading ------------------------------------------------------------------------- */

/* Reads an input of size bytes and a NUL, and uses what was read: it is written and read again,
 * executed, validated, or compared with the brute-force oracle. NULL, or what is wrong: a refusal
 * without a message, an answer that contradicts itself, memory that is still held. Exceeds no
 * array, which the sanitizers watch. */
const char *reader_run(reader_kind kind, const char *data, size_t size);

/* Bytes of memory that reading an input of size bytes may take: in proportion to the size, the
 * working forms of the networks that a file of some bytes can name included. */
size_t reader_memory_bound(reader_kind kind, size_t size);

#endif
