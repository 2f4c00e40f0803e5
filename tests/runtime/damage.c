/* Damaged plans: what the runtime accepts is what the simulated device accepts. */
#include "tests/runtime/damage.h"

#include <stdlib.h>
#include <string.h>

#include "plan/draft.h"
#include "tests/plan/support.h"
#include "tests/runtime/stamp.h"

enum { MOST = 8192, MARK = 4096 };

typedef struct victim {
    sample sample;
    plan *plan;
    uint8_t *data;
    size_t size;
    size_t steps; /* where the first step begins */
} victim;

/* A plan with addresses within the budget; false: this seed has none. */
static bool victim_make(uint64_t seed, victim *v)
{
    *v = (victim){.sample = sample_make(seed, 12)};
    v->plan = plan_of(&v->sample.problem, v->sample.schedule, seed % 2);
    size_t *mark = base_malloc((size_t)v->plan->step_count + 1, sizeof *mark);
    v->data = plan_write_binary(v->sample.problem.graph, v->plan, &v->size, mark);
    v->steps = mark[0];
    base_free(mark);
    return v->plan->arena_bytes <= v->plan->budget_bytes && v->size < MOST / 2;
}

static void victim_free(victim *v)
{
    base_free(v->data);
    plan_free(v->plan);
    sample_free(&v->sample);
}

static void set_checksum(uint8_t *data, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t k = 0; k + 4 < size; k++) {
        crc ^= data[k];
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ (UINT32_C(0xEDB88320) & -(crc & 1));
    }
    for (int k = 0; k < 4 && size >= 4; k++)
        data[size - 4 + (size_t)k] = (uint8_t)(~crc >> (8 * k));
}

/* Moves what follows `at` by `gap` bytes, which may be negative. */
static size_t shift(uint8_t *data, size_t size, size_t at, int gap)
{
    if (gap < 0 && at + (size_t)-gap > size)
        return size;
    if (gap < 0)
        memmove(data + at, data + at + (size_t)-gap, size - at - (size_t)-gap);
    else
        memmove(data + at + gap, data + at, size - at);
    return size + (size_t)gap;
}

/* One change at or behind `low`. */
static size_t change(uint8_t *data, size_t size, size_t low, base_rng *rng)
{
    if (size <= low + 5)
        return size;
    const size_t at = low + (size_t)base_rng_below(rng, size - low - 4);
    const size_t other = low + (size_t)base_rng_below(rng, size - low - 4);
    const bool coin = base_rng_below(rng, 2);
    uint8_t saved = data[at];
    switch (base_rng_below(rng, 8)) {
    case 0:
        data[at] ^= (uint8_t)(1u << base_rng_below(rng, 8));
        return size;
    case 1:
        data[at] = (uint8_t)base_rng_below(rng, 256);
        return size;
    case 2:
        data[at] = (uint8_t)(data[at] + base_rng_below(rng, 9) - 4);
        return size;
    case 3:
        data[at] = data[other];
        data[other] = saved;
        return size;
    case 4:
        size = shift(data, size, at, 1);
        data[at] = (uint8_t)base_rng_below(rng, 256);
        return size;
    case 5:
        return shift(data, size, at, -1 - (int)base_rng_below(rng, 3));
    case 6: /* one step more, or two bytes where there is no step */
        size = shift(data, size, coin ? size - 4 : at, 2);
        data[coin ? size - 6 : at] = (uint8_t)base_rng_below(rng, coin ? 8 : 64);
        data[(coin ? size - 6 : at) + 1] = (uint8_t)base_rng_below(rng, 8);
        data[low ? low - 1 : at]++;
        return size;
    default:
        size = shift(data, size, at, 2);
        memmove(data + at, data + other, 2);
        return size;
    }
}

/* What the simulated device says of the plan, for the same memory. Differences that it may have:
 * the runtime waits where the simulation finds a transfer under way. */
static const char *compare(const victim *v, const uint8_t *data, size_t size, poet_status status)
{
    base_error error;
    plan_file file;
    const graph *g = v->sample.problem.graph;
    const bool header = memcmp(data, v->data, v->steps < size ? v->steps : size) != 0;
    if (plan_read_binary(data, size, "x", g, &file, &error) != 0)
        return status == POET_OK && !header ? "accepted, but not readable" : NULL;
    file.plan->budget_bytes = v->plan->budget_bytes;
    const bool good = plan_execute(g, file.plan, NULL, &error) == 0;
    plan_file_clear(&file);
    if (good && status != POET_OK)
        return "refused, but the simulated device accepts it";
    return good || status != POET_OK || strstr(error.text, "the transfer of step") ||
                   strstr(error.text, "the bus is busy")
               ? NULL
               : "accepted, but the simulated device refuses it";
}

static const char *run_damaged(const victim *v, stamp_machine *m, base_rng *rng,
                               damage_counts *counts)
{
    static uint8_t data[MOST];
    poet_status status;
    poet_counts counted;
    size_t size = v->size;
    memcpy(data, v->data, size);
    const size_t low = base_rng_below(rng, 4) == 0 ? 0 : v->steps;
    for (int k = 1 + (int)base_rng_below(rng, 3); k > 0; k--)
        size = change(data, size, low, rng);
    if (base_rng_below(rng, 50) == 0)
        size = (size_t)base_rng_below(rng, size + 1);
    if (base_rng_below(rng, 16) != 0)
        set_checksum(data, size);
    uint8_t *exact = malloc(size ? size : 1); /* so that reads beyond it are seen */
    if (!exact)
        abort();
    memcpy(exact, data, size);
    const char *wrong = stamp_run(m, exact, size, base_rng_below(rng, 1000), &status, &counted);
    counts->run++;
    counts->accepted += status == POET_OK;
    counts->status[status]++;
    if (!wrong && status != POET_OK && counted.steps > 0)
        wrong = "refused, but a step was carried out";
    if (!wrong)
        wrong = compare(v, exact, size, status);
    free(exact);
    return wrong;
}

const char *damage_run(uint64_t seed, int count, damage_counts *counts)
{
    base_rng rng = {.state = seed};
    victim v;
    const char *wrong = NULL;
    if (victim_make(seed, &v)) {
        /* a register for each step: damage may take more */
        stamp_machine m =
            stamp_machine_make(v.sample.problem.graph, (uint32_t)v.plan->budget_bytes, MARK);
        for (int k = 0; k < count && !wrong; k++) {
            m.device.register_count = (uint32_t)v.size;
            wrong = run_damaged(&v, &m, &rng, counts);
        }
        stamp_machine_free(&m);
    }
    victim_free(&v);
    return wrong;
}
