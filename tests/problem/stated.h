/* Writes a schedule file with what it states. */
#ifndef TESTS_PROBLEM_STATED_H
#define TESTS_PROBLEM_STATED_H

#include "problem/json.h"

static inline void schedule_file_print(const schedule_file *file, FILE *out)
{
    const validation stated = {.energy_joules = file->energy_joules,
                               .overhead_joules = file->overhead_joules,
                               .compute_seconds = file->compute_seconds,
                               .peak_bytes = file->peak_bytes};
    schedule_print(&file->problem, file->schedule, &stated, file->method, file->status,
                   file->lower_bound_overhead_joules, out);
}

#endif
