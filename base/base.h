/* base: what every room needs and the C library does not give: errors with a
 * text, counted memory, a monotonic clock, limits, work that can be given up,
 * seeded random numbers and output files that appear whole or not at all. It
 * knows nothing of the rest. (Tables of parameters: base/params.h.) */
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

/* Of the program and the library. */
#define BASE_VERSION "0.1.0"

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

/* True if no character of text acts on a terminal or on the text around it:
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

/* Bytes of the byte order mark of UTF-8 that a text of size bytes begins with: 3 or 0. */
size_t base_text_mark(const char *text, size_t size);

/* Least number of letters that are to be changed, added or taken away to make one text of the
 * other (Levenshtein 1966); of a text of more than 79 letters the first 79. */
int base_text_distance(const char *a, const char *b);

/* Splits a list at its commas: the next word from *at on is copied to word (extent size) and
 * *at moved behind it; false at the end of the list, an empty word or one that is too long. */
bool base_next_word(const char **at, char *word, size_t size);
/* Words in a list: its commas, and one. */
int base_count_words(const char *list);
/* The text between begin and end without the spaces around it, which it ends. */
char *base_trim(char *begin, char *end);

/* ---- memory ------------------------------------------------------------ */

/* As malloc, calloc, realloc, strdup and free, but never return NULL for a
 * nonzero size. Where the system has no more memory, or the block would exceed
 * the memory limit of the guard (see below), the work of the guard is given up; without a guard
 * a lack of memory aborts the process after one line on stderr. A block that
 * base_realloc cannot enlarge stays as it is. count * size is checked for
 * overflow. The bytes are counted over all threads, 32 more than asked for each
 * block; every block from here must be freed with base_free. */
void *base_malloc(size_t count, size_t size);
void *base_calloc(size_t count, size_t size);
void *base_realloc(void *block, size_t count, size_t size);
char *base_strdup(const char *text);
void base_free(void *block);

/* Bytes held now / at most so far, over all threads; in work that is apart (base_try_apart) those
 * that it holds. */
size_t base_memory_used(void);
size_t base_memory_peak(void);

/* Bytes that the system lets this process hold, over all it holds now: physical memory, the
 * limits of its control group and of setrlimit. 0: unknown. */
size_t base_memory_available(void);

/* ---- time and limits --------------------------------------------------- */

/* Seconds of a monotonic clock; only differences mean something. */
double base_seconds(void);

typedef enum base_stop {
    BASE_GO = 0,         /* no limit reached */
    BASE_STOP_TIME,      /* the time limit */
    BASE_STOP_MEMORY,    /* the memory limit */
    BASE_STOP_INTERRUPT, /* the user asked to stop */
    BASE_STOP_WORK       /* the work limit, or a share of the work */
} base_stop;

/* What a signal handler sets and any thread reads: atomic, and lock-free on every machine with a
 * lock-free int. */
typedef _Atomic sig_atomic_t base_flag;

/* Limits shared by everything that runs long. All zero means no limit. */
typedef struct base_limits {
    double deadline;            /* value of base_seconds() at which to stop; 0: none */
    size_t memory_bytes;        /* stop when base_memory_used() exceeds it; 0: none */
    const base_flag *interrupt; /* stop when nonzero; NULL: none */
    /* Asked wherever the interrupt is looked at, by any thread; true stops as that does. NULL:
     * none.
     */
    bool (*ask)(void *context);
    void *ask_context;
    uint64_t work_end; /* value of base_work_done() of the thread that looks at which to stop; 0:
                          none */
    /* For what polls to come to an end by itself: guards give up so many seconds after the deadline
     * or the first sight of the interrupt, where so many bytes more would be exceeded, and so many
     * steps after work_end (0: never). */
    double grace_seconds;
    size_t grace_bytes;
    uint64_t grace_work;
} base_limits;

/* Limits that begin now: seconds (INFINITY or DBL_MAX: none) and bytes of memory (0: what the
 * system has to give), of which a part is left for the program itself and for an end in good order.
 * interrupt may be NULL. */
base_limits base_limits_make(double seconds, size_t bytes, const base_flag *interrupt);

/* They end after so many more steps of this thread (base_work_done), too. */
void base_limits_shorten(base_limits *limits, double work);

/* Their deadline, if they have one, is earlier by what so many steps after it take, at about a
 * nanosecond each. */
void base_limits_keep_back(base_limits *limits, double work);

/* "time limit", "memory limit", "work limit" or "interrupt". */
const char *base_stop_name(base_stop stop);

/* Processors that this process may use, 1 to 256. */
int base_processors(void);

/* Which limit is reached now; limits may be NULL (none). Cheap (one clock
 * read): call it every few hundred microseconds of work. In a guard that is being given
 * up (see below) this returns why. */
base_stop base_limits_check(const base_limits *limits);

/* The same for the limits of this thread's guards, see below. */
base_stop base_guards_check(void);

/* ---- work that can be given up -------------------------------------------- */

/* A guard runs a step that may be abandoned at any allocation and at any base_work,
 * because a limit is reached or memory is short. Everything that the step has
 * allocated since is freed then, and the caller goes on with what it had before.
 * Guards nest; the innermost one ends.
 *
 * A step must leave what outlives it in order at every such point: it changes
 * pointers outside only after the allocation that they need, and hands over blocks
 * that are to survive its being given up with base_keep. Memory and the locks of
 * base/lock.h are given back; for anything else there is base_cleanup. */
typedef struct base_guard base_guard;

/* Runs step(context) under a new guard with the limits (copied; NULL: those of the
 * guard around it). BASE_GO when it returned: its blocks then belong to the guard
 * around this one. Else why it was given up; its blocks are freed. */
base_stop base_try(const base_limits *limits, void (*step)(void *), void *context);

/* The same without limits, for a piece of work that has nothing to do with what else the process
 * does: it is under no guard around it, and base_memory_used and the memory limits within count its
 * own blocks only. */
base_stop base_try_apart(void (*step)(void *), void *context);

/* Gives the work of this thread's guard up. Without a guard: aborts. */
_Noreturn void base_give_up(base_stop why);

/* The guard of this thread, NULL without one. */
base_guard *base_guard_current(void);

/* For a thread that helps with the work of a guard: runs step(context) under that
 * guard (NULL: none). When any of its threads gives up, the others do so at
 * their next base_malloc, base_work or base_lock. BASE_GO, or why this thread gave up.
 * Nothing is freed before the thread that set the guard calls base_rejoin. */
base_stop base_join(base_guard *guard, void (*step)(void *), void *context);
/* After all helpers have returned: goes on giving up if one of them did. */
void base_rejoin(void);

/* The block belongs to no guard any more: who holds it must free it. NULL allowed. */
void base_keep(void *block);

/* Says that about so many elementary steps (1 ns each) were done: now and then looks at the
 * limits of the guards. */
static inline void base_work(size_t steps);
/* The same by what looks at its limits itself, and ends in order: this does not. */
static inline void base_work_count(size_t steps);

/* The steps that this thread has told of since it began: what efforts are measured in,
 * for they do not depend on the machine or on what else it does. */
uint64_t base_work_done(void);

/* true: from now on what this thread tells does not count in base_work_done, until false: for what
 * is done in turns with other threads, and takes more or less as they come. Ends where a step of a
 * guard is given up. */
void base_work_aside(bool aside);

/* From now on this thread shows what base_work_done says, in *shown, whenever it looks at limits:
 * never more than is true. NULL: no longer. */
void base_work_show(_Atomic uint64_t *shown);

/* Is there room for so many bytes more, with regard to the limits of the guards? For what is
 * better not begun. */
bool base_memory_fits(double bytes);

/* Runs when the present guard is given up. Stays linked until base_cleanup_remove. */
typedef struct base_cleanup {
    void (*run)(struct base_cleanup *self);
    struct base_cleanup *next;
    base_guard *guard;
} base_cleanup;

/* cleanup: part of what run is to give back; borrowed. The last one added runs first. */
void base_cleanup_add(base_cleanup *cleanup, void (*run)(base_cleanup *self));
void base_cleanup_remove(base_cleanup *cleanup);

/* Behind base_work. */
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

/* 64 uniform bits; the state goes on. */
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

/* True if path ends in suffix, in any case of letters, before a .gz if there is
 * one, and has something before it. */
bool base_path_ends(const char *path, const char *suffix);

/* True if two paths name one file, directly, by links, or as an open file
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
/* Flushes, checks for write errors, renames and frees the handle. 0, or -1 with
 * an error; the destination is then untouched. */
int base_output_commit(base_output *output, base_error *error);
/* Removes what was written and frees the handle; NULL is allowed. */
void base_output_abort(base_output *output);

/* Why a stream to this open file failed, found by writing one more byte, a line's end, for what is
 * spoilt anyway: the stream has lost its own reason. errno's number; 0: unknown, it was written. */
int base_write_reason(int file);

/* Reads a whole file ("-" is standard input) into a fresh NUL-terminated block;
 * size gets its length. A byte order mark of UTF-8 at its beginning is left out; one of UTF-16 is
 * an error. NULL and an error when it cannot be read or exceeds
 * limit bytes, unpacked; a regular file above that is not read at all. Gives up when a limit of the
 * guards is reached, be it in waiting for who writes a pipe. */
char *base_file_read(const char *path, size_t limit, size_t *size, base_error *error);
/* The same with limits of its own (NULL: those of the guards): NULL with an error also when one
 * is reached; which one is in *stop, BASE_GO else. */
char *base_file_read_within(const char *path, size_t limit, const base_limits *limits,
                            base_stop *stop, size_t *size, base_error *error);

#endif
