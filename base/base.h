/* base: errors with a text, counted memory, a monotonic clock, limits, work that can be given up,
 * seeded random numbers, and output files that appear whole or not at all. Uses no other room.
 * (Tables of parameters: base/params.h.) */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __FAST_MATH__
#error "bounds rest on IEEE arithmetic: build without -ffast-math"
#endif

/* Version of the program and the library. */
#define BASE_VERSION "0.1.0"

/* ---- errors ------------------------------------------------------------ */

/* An error message: file, place and expectation. */
typedef struct base_error {
    char text[1024];
} base_error;

/* Writes a printf-style text into error (may be NULL) and returns -1, so that
 * a caller can `return base_fail(error, ...)`. Cuts a text that is too long and
 * cleans it (base_text_clean), since names and paths come from outside. */
int base_fail(base_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- text from outside ------------------------------------------------- */

/* Names, paths and remarks from files and command lines are data from outside. Readers refuse names
 * that are not plain; other text is cleaned before it is shown. */

/* True if no character of text acts on a terminal or on the text around it:
 * controls (C0, DEL, C1), line separators, marks that turn the direction of
 * writing. Bytes that are no UTF-8 are taken for Latin-1. O(length). */
bool base_text_plain(const char *text);
/* The same for the first length bytes of a text that ends with NUL. */
bool base_text_plain_part(const char *text, size_t length);
/* Replaces the bytes of such characters, and bytes that are no UTF-8, by '?', so that the text is
 * UTF-8 on one line. O(length). */
void base_text_clean(char *text);
/* A clean copy for a message; "..." at the end marks a cut. */
typedef struct base_shown {
    char text[1024];
} base_shown;
base_shown base_text_shown(const char *text);

/* A number and the thing that it counts, in up to 40 bytes: "1 entry", "2 entries", "0 nodes". */
typedef struct base_counted {
    char text[64];
} base_counted;
base_counted base_text_counted(int64_t number, const char *what);

/* Bytes of the byte order mark of UTF-8 that a text of size bytes begins with: 3 or 0. */
size_t base_text_mark(const char *text, size_t size);

/* Least number of letters to change, add or remove that makes one text the other (Levenshtein
 * 1966). Only the first 79 letters count. */
int base_text_distance(const char *a, const char *b);

/* Splits a list at its commas: the next word from *at on is copied to word (extent size) and
 * *at moved behind it; false at the end of the list, an empty word or one that is too long. */
bool base_next_word(const char **at, char *word, size_t size);
/* Number of words in a list: its commas, and one. */
int base_count_words(const char *list);
/* True if word is one of the words "a|b|c". */
bool base_is_choice(const char *choices, const char *word);
/* Trims spaces: returns the text between begin and end without the spaces around it, and ends it
 * with NUL. */
char *base_trim(char *begin, char *end);

/* ---- memory ------------------------------------------------------------ */

/* As malloc, calloc, realloc, strdup and free, but never NULL for a nonzero size. Without memory,
 * or where the block would exceed the memory limit of a guard (see below), the work of the guard is
 * given up; without a guard the process aborts after one line on stderr. A block that base_realloc
 * cannot enlarge stays as it is. count * size is checked for overflow. Bytes are counted over all
 * threads, with 32 more for each block. These blocks are freed by base_free only. */
void *base_malloc(size_t count, size_t size);
void *base_calloc(size_t count, size_t size);
void *base_realloc(void *block, size_t count, size_t size);
char *base_strdup(const char *text);
/* A copy of `count` elements of that size, with room for one more. */
void *base_copy(const void *from, size_t count, size_t size);
void base_free(void *block);

/* Frees several blocks: base_free_all(a, b, c). */
#define base_free_all(...)                                                                         \
    base_free_blocks((void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))
void base_free_blocks(void *const *block, size_t count);

/* Makes room for one element more in a list of `count` elements of that size. *capacity: elements
 * for which the block has room; it about doubles where all of them are used. Returns the block. */
void *base_grow(void *block, int count, int *capacity, size_t size);

/* Bytes held now / at most so far, over all threads. In work apart (base_try_apart): bytes of
 * that work. */
size_t base_memory_used(void);
size_t base_memory_peak(void);

/* Bytes that this process may hold in all: physical memory, limits of its control group and of
 * setrlimit. 0: unknown. */
size_t base_memory_available(void);

/* ---- time and limits --------------------------------------------------- */

/* Seconds of a monotonic clock; only differences have a meaning. */
double base_seconds(void);

typedef enum base_stop {
    BASE_GO = 0,         /* no limit reached */
    BASE_STOP_TIME,      /* the time limit */
    BASE_STOP_MEMORY,    /* the memory limit */
    BASE_STOP_INTERRUPT, /* the user asked to stop */
    BASE_STOP_WORK       /* the work limit, or a share of the work */
} base_stop;

/* A flag set by a signal handler and read by any thread: atomic, and lock-free where int is. */
typedef _Atomic sig_atomic_t base_flag;

/* Limits of long work. All zero: no limit. */
typedef struct base_limits {
    double deadline;            /* value of base_seconds() at which to stop; 0: none */
    size_t memory_bytes;        /* stop when base_memory_used() exceeds it; 0: none */
    const base_flag *interrupt; /* stop when nonzero; NULL: none */
    /* Called wherever the interrupt is read, by any thread; true stops as the interrupt does. NULL:
     * none. */
    bool (*should_stop)(void *context);
    void *should_stop_context;
    uint64_t
        work_end; /* value of base_work_done() of the checking thread at which to stop; 0: none */
    /* Grace for code that checks limits and ends by itself. A guard gives up grace_seconds after
     * the deadline or the first sight of the interrupt, where grace_bytes above the limit would be
     * exceeded, and grace_work steps after work_end (0: never). */
    double grace_seconds;
    size_t grace_bytes;
    uint64_t grace_work;
} base_limits;

/* Limits that begin now: seconds (INFINITY or DBL_MAX: none) and bytes of memory (0: all that the
 * system gives), of which a part is kept for the program itself and an orderly end. interrupt may
 * be NULL. */
base_limits base_limits_make(double seconds, size_t bytes, const base_flag *interrupt);

/* Shortens the limits to `work` more steps of this thread (base_work_done). */
void base_limits_shorten(base_limits *limits, double work);

/* Moves the deadline, if there is one, earlier by the time of `work` steps, at a nanosecond each.
 */
void base_limits_keep_back(base_limits *limits, double work);

/* "time limit", "memory limit", "work limit" or "interrupt". */
const char *base_stop_name(base_stop stop);

/* Processors that this process may use, 1 to 256. */
int base_processors(void);

/* The limit that is reached, or BASE_GO; limits may be NULL (none). In a guard that is being given
 * up (see below), the reason. Cheap (one clock read): call it every few hundred microseconds of
 * work. */
base_stop base_limits_check(const base_limits *limits);

/* The same for the limits of all guards of this thread, see below. */
base_stop base_guards_check(void);

/* ---- work that can be given up -------------------------------------------- */

/* A guard runs a step that may be abandoned at any allocation and at any base_work, because a limit
 * is reached or memory is short. All blocks that the step has allocated are freed then, and the
 * caller continues with its state before the step. Guards nest; the innermost one ends.
 *
 * A step must keep data that outlives it in order at every such point: it changes pointers outside
 * only after the allocations that they need, and takes blocks that are to survive out of the guard
 * by base_keep. Memory and the locks of base/lock.h are given back; for anything else there is
 * base_cleanup. */
typedef struct base_guard base_guard;

/* Runs step(context) under a new guard with the limits (copied; NULL: none of its own). Returns
 * BASE_GO if the step returned; its blocks then belong to the outer guard. Else returns why it was
 * given up; its blocks are freed. */
base_stop base_try(const base_limits *limits, void (*step)(void *), void *context);

/* The same without limits and outside of all guards: base_memory_used and the memory limits within
 * it count its own blocks only. For work that shares nothing with the rest of the process. */
base_stop base_try_apart(void (*step)(void *), void *context);

/* Gives up the work of this thread's guard. Without a guard: aborts. */
_Noreturn void base_give_up(base_stop why);

/* The guard of this thread; NULL: none. */
base_guard *base_guard_current(void);

/* Runs step(context) under that guard (NULL: none) in a helper thread. When a thread of the guard
 * gives up, the others do at their next base_malloc, base_work or base_lock. Returns BASE_GO, or
 * why this thread gave up. Nothing is freed before the thread that made the guard calls
 * base_rejoin. */
base_stop base_join(base_guard *guard, void (*step)(void *), void *context);
/* After all helpers have returned: gives up if one of them did. */
void base_rejoin(void);

/* Takes the block out of its guard; it is then freed by base_free alone. NULL allowed. */
void base_keep(void *block);

/* Counts `steps` elementary steps (about 1 ns each), and from time to time checks the limits of the
 * guards. */
static inline void base_work(size_t steps);
/* Counts steps without checks, in code that checks its limits itself and ends in order. */
static inline void base_work_count(size_t steps);

/* Steps counted by this thread since it began. Efforts and shares are measured in them, since they
 * depend neither on the machine nor on its load. */
uint64_t base_work_done(void);

/* true: steps of this thread do not count until false. For work in turns with other threads,
 * since its amount depends on their order. Ends where a step of a guard is given up. */
void base_work_aside(bool aside);

/* Stores base_work_done() of this thread in *shown at every check of limits; never more than the
 * truth. NULL: no longer. */
void base_work_show(_Atomic uint64_t *shown);

/* True if `bytes` more fit within the memory limits of the guards: asked before work that would
 * fail. */
bool base_memory_fits(double bytes);

/* A function that runs when the present guard is given up; linked until base_cleanup_remove. */
typedef struct base_cleanup {
    void (*run)(struct base_cleanup *self);
    struct base_cleanup *next;
    base_guard *guard;
} base_cleanup;

/* cleanup: a part of the object that `run` gives back; borrowed. The last one added runs first. */
void base_cleanup_add(base_cleanup *cleanup, void (*run)(base_cleanup *self));
void base_cleanup_remove(base_cleanup *cleanup);

/* Internals of base_work. */
extern _Thread_local long base_work_left;
extern _Thread_local uint64_t base_work_counted;
void base_poll(void);
static inline void base_work(size_t steps)
{
    if ((base_work_left -= (long)steps) < 0)
        base_poll();
}

static inline void base_work_count(size_t steps)
{
    base_work_counted += steps;
}

/* ---- random numbers ---------------------------------------------------- */

/* splitmix64: the state is the seed. */
typedef struct base_rng {
    uint64_t state;
} base_rng;

/* 64 uniform bits; advances the state. */
uint64_t base_rng_next(base_rng *rng);
/* A hash of both. */
uint64_t base_mix(uint64_t h, uint64_t v);
/* Uniform in [0,1) with 53 bits: (x >> 11) * 2^-53. */
double base_rng_double(base_rng *rng);
/* Uniform in 0..bound-1; bound > 0. */
uint64_t base_rng_below(base_rng *rng, uint64_t bound);

/* ---- files ------------------------------------------------------------- */

/* The path "-" is standard input or output. Files packed by gzip are unpacked when read, with any
 * name. Files with a name in .gz are packed when written. */

/* Opens the closed ones of the descriptors 0, 1 and 2, such that using them fails. A program
 * calls it first, so that no file gets one of these numbers and the program's output. */
void base_files_hold_standard(void);

/* True if path ends in suffix, in any case of letters, or in suffix and .gz, with something before
 * it. */
bool base_path_ends(const char *path, const char *suffix);

/* True if two paths name one file, directly, by links, or as an open file (/dev/stdout), even one
 * that does not exist yet. False for character devices, which can be read and written side by side.
 */
bool base_path_same(const char *a, const char *b);

/* A file that is written beside its destination and renamed on commit: an existing file is never
 * damaged and no partial file is left. Until then it has no name and vanishes with a killed
 * process; where the file system has no such files, its name is DESTINATION.PID-NUMBER.partial. */
typedef struct base_output base_output;

/* NULL with an error (path and reason) if it cannot be created there. Links are followed, even to a
 * target that does not exist yet. */
base_output *base_output_open(const char *path, base_error *error);
FILE *base_output_stream(base_output *output);
/* Flushes, checks for write errors, renames and frees the handle. 0, or -1 with
 * an error; the destination is then untouched. */
int base_output_commit(base_output *output, base_error *error);
/* Removes the written file and frees the handle; NULL is allowed. */
void base_output_abort(base_output *output);

/* Flushes a stream that writes to this open file. Returns 0, or errno's number of the write that
 * failed, perhaps earlier; a reason that the stream has lost is found by writing one more line end
 * to the file, or is EIO. */
int base_flush(FILE *stream, int file);

/* Reads a whole file ("-": standard input) into a fresh NUL-terminated block; *size: its length. A
 * byte order mark of UTF-8 is left out; one of UTF-16 is an error. NULL with an error if it cannot
 * be read or exceeds limit bytes, unpacked; a regular file above that is not read at all. Gives up
 * at a limit of the guards, also while waiting for a pipe's writer. */
char *base_file_read(const char *path, size_t limit, size_t *size, base_error *error);

#endif
