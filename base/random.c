/* splitmix64 (Steele, Lea, Flood 2014), and draws from it. */
#include "base/base.h"

#include <assert.h>

/* Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014. */
uint64_t base_rng_next(base_rng *rng)
{
    uint64_t z = rng->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t base_mix(uint64_t h, uint64_t v)
{
    base_rng rng = {h ^ (v * 0x9E3779B97F4A7C15u)};
    return base_rng_next(&rng);
}

double base_rng_double(base_rng *rng)
{
    return (double)(base_rng_next(rng) >> 11) * 0x1p-53;
}

uint64_t base_rng_below(base_rng *rng, uint64_t bound)
{
    assert(bound > 0);
    /* Drops the 2^64 mod bound smallest values, so that a multiple of bound is left. */
    uint64_t unfair = -bound % bound;
    uint64_t x;
    do
        x = base_rng_next(rng);
    while (x < unfair);
    return x % bound;
}
