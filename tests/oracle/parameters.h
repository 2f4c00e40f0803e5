/* Random parameters for tests of any room: with every value in range answers must be correct. */
#ifndef TESTS_ORACLE_PARAMETERS_H
#define TESTS_ORACLE_PARAMETERS_H

#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "base/params.h"

/* A value of e: an end of the range, or between them, the small ones as often as the large ones. */
static inline double parameters_draw_one(const params_entry *e, base_rng *rng)
{
    const uint64_t how = base_rng_below(rng, 4);
    if (how < 2)
        return how ? e->most : e->least;
    const double largest = e->most - e->least, smallest = e->kind == PARAMS_REAL ? 1e-3 : 1;
    if (largest <= smallest)
        return base_rng_below(rng, 2) ? e->most : e->least;
    const double away = smallest * pow(largest / smallest, base_rng_double(rng));
    const double value = fmin(e->least + away, e->most);
    return e->kind == PARAMS_REAL ? value : floor(value);
}

/* Changes one parameter in `part` of the record, in the mean. */
static inline void parameters_draw(const params_table *table, void *record, int part, base_rng *rng)
{
    for (const params_entry *e = table->entry; e->name; e++)
        if (base_rng_below(rng, (uint64_t)part) == 0)
            params_set(e, record, parameters_draw_one(e, rng));
}

/* " --set ROOM.NAME=VALUE" for each that is not at its default. */
static inline void parameters_print(FILE *stream, const params_table *table, const void *record)
{
    for (const params_entry *e = table->entry; e->name; e++) {
        const double value = params_get(e, record);
        if (value == e->initial)
            continue;
        if (e->kind == PARAMS_SWITCH)
            fprintf(stream, " --set %s.%s=%s", table->room, e->name, value != 0 ? "on" : "off");
        else
            fprintf(stream, " --set %s.%s=%.17g", table->room, e->name, value);
    }
}

#endif
