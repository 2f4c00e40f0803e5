/* base/bits: sets of small numbers, such as nodes, as arrays of 64-bit words. */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

static inline int bits_words(int n)
{
    return (n + 63) / 64;
}
static inline bool bits_has(const uint64_t *set, int i)
{
    return set[i >> 6] >> (i & 63) & 1;
}
static inline void bits_add(uint64_t *set, int i)
{
    set[i >> 6] |= UINT64_C(1) << (i & 63);
}
static inline void bits_remove(uint64_t *set, int i)
{
    set[i >> 6] &= ~(UINT64_C(1) << (i & 63));
}
#endif
