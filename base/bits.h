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
static inline void bits_put(uint64_t *set, int i, bool member)
{
    if (member)
        bits_add(set, i);
    else
        bits_remove(set, i);
}

/* Largest member of a or b below i; -1: none. */
static inline int bits_below(const uint64_t *a, const uint64_t *b, int i)
{
    if (i <= 0)
        return -1;
    int w = (i - 1) >> 6;
    uint64_t word = (a[w] | b[w]) & (~UINT64_C(0) >> (63 - ((i - 1) & 63)));
    while (!word) {
        if (--w < 0)
            return -1;
        word = a[w] | b[w];
    }
    return 64 * w + 63 - __builtin_clzll(word);
}

#endif
