/* base: what every room needs and the C library does not give: errors with a
 * text, counted memory, a monotonic clock, limits, seeded random numbers and
 * output files that appear whole or not at all. It knows nothing of the rest. */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- errors ------------------------------------------------------------ */

/* The text of what went wrong: file, place and what was expected. */
typedef struct base_error {
    char text[1024];
} base_error;

/* Writes a printf-style text into error (may be NULL) and returns -1, so that
 * a caller can `return base_fail(error, ...)`. Cuts a text that is too long and
 * cleans it (base_text_clean), since names and paths come from outside. */
int base_fail(base_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- text from outside ------------------------------------------------- */

/* Names, paths and remarks come from files and command lines that somebody else
 * may have written. Readers of files refuse names that are not plain; what is
 * shown of anything else is cleaned. */

/* Whether no character of text acts on a terminal or on the text around it:
 * controls (C0, DEL, C1), line separators, marks that turn the direction of
 * writing. Bytes that are no UTF-8 are taken for Latin-1. O(length). */
bool base_text_plain(const char *text);
/* The same of the first length bytes of a text that ends with NUL. */
bool base_text_plain_part(const char *text, size_t length);
/* Puts '?' in the place of the bytes of such characters, and of bytes that are
 * no UTF-8: what is left is UTF-8 on one line. O(length). */
void base_text_clean(char *text);
/* A clean copy for a message, with "..." at the end when it is cut. */
typedef struct base_shown {
    char text[1024];
} base_shown;
base_shown base_text_shown(const char *text);

/* ---- memory ------------------------------------------------------------ */

/* As malloc, calloc, realloc, strdup and free, but never return NULL for a
 * nonzero size: without memory they print one line and end the program with
 * status 5. count * size is checked for overflow. The bytes are counted over all
 * threads; every block from here must be freed with base_free. */
void *base_malloc(size_t count, size_t size);
void *base_calloc(size_t count, size_t size);
void *base_realloc(void *block, size_t count, size_t size);
char *base_strdup(const char *text);
void base_free(void *block);

/* For a program to call first: blocks that are freed stay with the process for the next model, as
 * their pages cost more than they are worth to anybody else (4 % of the time on BERT). */
void base_memory_keep(void);

/* Bytes held now / at most so far, over all threads. */
size_t base_memory_used(void);
size_t base_memory_peak(void);

/* ---- time and limits --------------------------------------------------- */

/* Seconds of a monotonic clock; only differences mean something. */
double base_seconds(void);

typedef enum base_stop {
    BASE_GO = 0,        /* no limit reached */
    BASE_STOP_TIME,     /* the time limit */
    BASE_STOP_MEMORY,   /* the memory limit */
    BASE_STOP_INTERRUPT /* the user asked to stop */
} base_stop;

/* What a signal handler sets and any thread reads: atomic, and lock-free on every machine with a
 * lock-free int. */
typedef _Atomic sig_atomic_t base_flag;

/* Limits shared by everything that runs long. All zero means no limit. */
typedef struct base_limits {
    double deadline;            /* value of base_seconds() at which to stop; 0: none */
    size_t memory_bytes;        /* stop when base_memory_used() exceeds it; 0: none */
    const base_flag *interrupt; /* stop when nonzero; NULL: none */
} base_limits;

/* Which limit is reached now; limits may be NULL (none). Cheap (one clock
 * read): call it every few hundred microseconds of work. */
base_stop base_limits_check(const base_limits *limits);

/* ---- random numbers ---------------------------------------------------- */

/* splitmix64: the state is the seed. */
typedef struct base_rng {
    uint64_t state;
} base_rng;

uint64_t base_rng_next(base_rng *rng);
/* Uniform in [0,1) with 53 bits: (x >> 11) * 2^-53. */
double base_rng_double(base_rng *rng);
/* Uniform in 0..bound-1; bound > 0. */
uint64_t base_rng_below(base_rng *rng, uint64_t bound);

/* ---- files ------------------------------------------------------------- */

/* The path "-" stands for standard input or output. Files packed by gzip are
 * unpacked in reading, whatever their names; what is written to a name ending
 * in .gz is packed. */

/* For a program to call before it opens anything: where file descriptor 0, 1 or
 * 2 is closed it is opened, such that using it fails, so that no file gets its
 * number and with it what is printed. */
void base_files_hold_standard(void);

/* Whether path ends in suffix, in any case of letters, before a .gz if there is
 * one, and has something before it. */
bool base_path_ends(const char *path, const char *suffix);

/* Whether two paths name one file, directly, by links, or as an open file
 * (/dev/stdout), be it that the file is only to be made there. False for
 * character devices, which may be read and written side by side. */
bool base_path_same(const char *a, const char *b);

/* A file that is written beside its destination and renamed on commit, so that
 * an existing file is never damaged and no partial file is left behind. Until
 * then it has no name, and vanishes with a process that is killed (where the
 * file system cannot do that, it is called DESTINATION.PID-NUMBER.partial). */
typedef struct base_output base_output;

/* NULL and an error (path and reason) when it cannot be created there. A link is
 * followed, also when its target is yet to be made. */
base_output *base_output_open(const char *path, base_error *error);
FILE *base_output_stream(base_output *output);
/* The open file behind the stream, for another process to write to; -1 when what
 * is written is packed. Flush the stream before. */
int base_output_descriptor(const base_output *output);
/* Flushes, checks for write errors, renames and frees the handle. 0, or -1 with
 * an error; the destination is then untouched. */
int base_output_commit(base_output *output, base_error *error);
/* Removes what was written and frees the handle; NULL is allowed. */
void base_output_abort(base_output *output);

/* Reads a whole file ("-" is standard input) into a fresh NUL-terminated block;
 * size gets its length. NULL and an error when it cannot be read or exceeds
 * limit bytes, unpacked. */
char *base_file_read(const char *path, size_t limit, size_t *size, base_error *error);
/* The same, but also NULL with an error when one of limits (NULL: none) is reached, be it in
 * waiting for who writes a pipe; which one is in *stop, BASE_GO else. */
char *base_file_read_within(const char *path, size_t limit, const base_limits *limits,
                            base_stop *stop, size_t *size, base_error *error);

#endif
