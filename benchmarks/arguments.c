/* Options that several programs share, as argp children: processor, total seconds, limits. */
#include "benchmarks/arguments.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"

double bench_parse_number(struct argp_state *state, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= 0 && value <= 1e7))
        argp_error(state, "expected a number from 0 to 1e7, got '%s'", text);
    return value;
}

static const struct argp_option options[] = {
    {"total-seconds", 't', "S", 0, "no further run after this time (default: none)", 0},
    {"processor", 'p', "N", 0, "the one to run on (default: the last)", 0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    bench_arguments *a = state->input;
    switch (key) {
    case 't':
        a->total_seconds = bench_parse_number(state, text);
        return 0;
    case 'p':
        a->processor = (int)bench_parse_number(state, text);
        return 0;
    case ARGP_KEY_ARGS:
        if (state->argc - state->next < 2)
            argp_error(state, "expected PROGRAM and FOLDER");
        a->program = state->argv[state->next];
        a->folder = state->argv[state->next + 1];
        a->names = state->argv + state->next + 2;
        return 0;
    case ARGP_KEY_NO_ARGS:
        if (!a->alone)
            argp_error(state, "expected PROGRAM and FOLDER");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp bench_arguments_argp = {.options = options, .parser = parse};

static const struct argp_option limit_options[] = {
    {"time-limit", 'l', "S", 0, "seconds of a run", 0}, {0}};

static const struct argp_child common_children[] = {{&bench_arguments_argp, 0, NULL, 0}, {0}};

static error_t parse_limit(int key, char *text, struct argp_state *state)
{
    bench_limited *a = state->input;
    switch (key) {
    case 'l':
        a->limit = bench_parse_number(state, text);
        return 0;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->common;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The default differs by program; argp frees what is returned. */
static char *show_default(int key, const char *text, void *input)
{
    const bench_limited *a = input;
    char *shown = NULL;
    if (key != 'l' || !a || asprintf(&shown, "%s (default: %g)", text, a->limit) < 0)
        return (char *)text;
    return shown;
}

static const struct argp limited_argp = {.options = limit_options,
                                         .parser = parse_limit,
                                         .children = common_children,
                                         .help_filter = show_default};

const struct argp_child bench_limited_children[] = {{&limited_argp, 0, NULL, 0}, {0}};

bench_arguments bench_arguments_default(void)
{
    return (bench_arguments){.processor = -1};
}

bool bench_time_over(const bench_arguments *a, double started)
{
    return a->total_seconds > 0 && base_seconds() - started > a->total_seconds;
}
