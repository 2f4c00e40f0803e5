#include "benchmarks/arguments.h"

#include <stdlib.h>

double bench_parse_number(struct argp_state *state, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= 0 && value <= 1e7))
        argp_error(state, "expected a number from 0 to 1e7, got '%s'", text);
    return value;
}
