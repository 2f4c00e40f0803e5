/* Inside plan/: addresses for buffers of known lives, such that buffers that live at the same time
 * do not overlap (dynamic storage allocation). The load, the largest sum of sizes that live at
 * once, is a lower bound on the arena; whether an arena is large enough is NP-hard. */
#ifndef PLAN_ARENA_H
#define PLAN_ARENA_H

#include "base/base.h"

/* Lives at the times birth <= t < death; birth < death. A buffer of size 0 needs no address. */
typedef struct arena_buffer {
    int birth, death;
    int64_t bytes;
} arena_buffer;

typedef enum arena_answer {
    ARENA_FITS,       /* offsets were found */
    ARENA_IMPOSSIBLE, /* proven: there are none */
    ARENA_UNKNOWN     /* the effort ended the search */
} arena_answer;

/* The largest sum of the sizes that live at once. O(count log count). */
int64_t arena_load(const arena_buffer *buffer, int count);

/* Cuts time into sections, the times at which the set of living buffers is maximal: each ends with
 * the first death after a birth. first, last (extent count): the sections of each buffer with
 * bytes, both included. Returns how many there are. O(count log count). */
int arena_sections(const arena_buffer *buffer, int count, int *first, int *last);

/* Finds offsets in an arena of at most cap bytes, and of no more than the load if a short search
 * succeeds: greedy orders first, then arena_search. offset (extent count) is always written,
 * without overlaps; it exceeds cap unless ARENA_FITS is returned. Ends soon after the effort is
 * used up; one greedy order, O(count^2), is always made. Deterministic.
 *
 * *effort: elementary steps of about a nanosecond that are left; <= 0: spent. */
arena_answer arena_assign(const arena_buffer *buffer, int count, int64_t cap, int64_t *offset,
                          int64_t *effort);

/* Searches for offsets with which every buffer ends at cap or below (plan/arena_search.c). offset:
 * extent count, written for ARENA_FITS; multiples of the greatest common divisor of the sizes.
 * Complete, but exponential at worst. Deterministic. Memory O(count + sum of the
 * sections of all buffers). */
arena_answer arena_search(const arena_buffer *buffer, int count, int64_t cap, int64_t *offset,
                          int64_t *effort);

#endif
