/* Flips random cells and keeps what the validator accepts. */
#include "tests/oracle/scramble.h"

void schedule_scramble(const problem *p, schedule *s, base_rng *rng)
{
    uint8_t *const matrix[] = {s->R, s->S, s->A, s->In, s->Out};
    enum { MATRICES = sizeof matrix / sizeof *matrix, TRIES = 300 };
    for (int k = 0; k < TRIES && s->n > 1; k++) {
        const int t = 1 + (int)base_rng_below(rng, (uint64_t)s->n - 1);
        const int i = (int)base_rng_below(rng, (uint64_t)t);
        uint8_t *cell = &matrix[base_rng_below(rng, MATRICES)][schedule_cell(s, t, i)];
        *cell ^= 1;
        if (schedule_validate(p, s, NULL, NULL) != 0)
            *cell ^= 1;
    }
}
