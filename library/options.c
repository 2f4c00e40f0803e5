/* The option table at run time, its defaults, and the reading of a value within its range. */
#include "library/options.h"

#include <stddef.h>
#include <string.h>

#include "base/number.h"

#define RANGE_FLAG(low, high) .integer_low = (low), .integer_high = (high)
#define RANGE_SWITCH RANGE_FLAG
#define RANGE_TEXT RANGE_FLAG
#define RANGE_CHOICE RANGE_FLAG
#define RANGE_INTEGER RANGE_FLAG
#define RANGE_AMOUNT RANGE_FLAG
#define RANGE_REAL(low, high) .real_low = (low), .real_high = (high)

const cli_option cli_option_table[CLI_OPTION_COUNT] = {
#define ROW(kind, field, long_name, arg, initial, low, high, heading, who, words)                  \
    {.type = CLI_TYPE_##kind,                                                                      \
     .name = long_name,                                                                            \
     .argument = arg,                                                                              \
     .help = words,                                                                                \
     .offset = offsetof(cli_options, field),                                                       \
     .group = CLI_GROUP_##heading,                                                                 \
     .commands = who,                                                                              \
     RANGE_##kind(low, high)},
    CLI_OPTION_TABLE(ROW)
#undef ROW
};

const cli_options cli_options_initial = {
#define INITIAL(kind, field, long_name, arg, initial, ...) .field = (initial),
    CLI_OPTION_TABLE(INITIAL)
#undef INITIAL
};

const char *cli_option_alias(int k)
{
    return k == CLI_OPT_time_limit ? "time-limit" : k == CLI_OPT_threads ? "threads" : NULL;
}

int cli_option_read(int k, bool negated, const char *text, cli_options *options, base_error *error)
{
    base_amount amount;
    const cli_option *o = &cli_option_table[k];
    void *field = (char *)options + o->offset;
    options->given[k] = o->argument ? text : "";
    switch (o->type) {
    case CLI_TYPE_FLAG:
    case CLI_TYPE_SWITCH:
        *(bool *)field = !negated;
        break;
    case CLI_TYPE_TEXT:
    case CLI_TYPE_CHOICE:
        if (*text == '\0')
            return base_fail(error, "expected %s, got nothing", o->argument);
        if (o->type == CLI_TYPE_CHOICE && !base_is_choice(o->argument, text))
            return base_fail(error, "expected %s, got '%s'", o->argument, text);
        *(const char **)field = text;
        break;
    case CLI_TYPE_INTEGER:
        return base_number_integer(text, o->integer_low, o->integer_high, field, error);
    case CLI_TYPE_REAL:
        return base_number_real(text, o->real_low, o->real_high, field, error);
    case CLI_TYPE_AMOUNT:
        if (base_number_amount(text, false, &amount, error) != 0)
            return -1;
        return base_amount_bytes(&amount, 0, field, error);
    }
    return 0;
}
