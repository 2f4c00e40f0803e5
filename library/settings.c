/* The settings of poetbnb_set: the options of `poetbnb solve' except the graph and the files of the
 * command line. */
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "exact/parameters.h"
#include "library/library.h"
#include "library/problem.h"

static bool is_setting(int k)
{
    static const int others[] = {CLI_OPT_params, CLI_OPT_check_rows, CLI_OPT_json, CLI_OPT_out,
                                 CLI_OPT_plot,   CLI_OPT_log,        CLI_OPT_quiet};
    const cli_option *o = &cli_option_table[k];
    bool is = (o->commands & CLI_SOLVE) && o->group != CLI_GROUP_GRAPH;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        is = is && k != others[i];
    return is;
}

/* The setting of that name or alias; CLI_OPTION_COUNT: none. */
static int find_setting(const char *name)
{
    int k = 0;
    for (; k < CLI_OPTION_COUNT; k++) {
        const char *alias = cli_option_alias(k);
        if (is_setting(k) &&
            (strcmp(cli_option_table[k].name, name) == 0 || (alias && strcmp(alias, name) == 0)))
            break;
    }
    return k;
}

static bool is_switch(const cli_option *o)
{
    return o->type == CLI_TYPE_FLAG || o->type == CLI_TYPE_SWITCH;
}

/* All of the assignments between commas, or none. */
static int set_parameters(exact_tuning *tuning, const char *value, base_error *error)
{
    exact_tuning changed = *tuning;
    char word[160];
    const char *at = value;
    const int count = base_count_words(value);
    for (int k = 0; k < count; k++) {
        exact_assignment a;
        if (!base_next_word(&at, word, sizeof word))
            return base_fail(error, "expected NAME=VALUE between commas, got '%s'", value);
        if (exact_assignment_read(word, &a, error) != 0)
            return -1;
        exact_assign(&a, &changed);
    }
    *tuning = changed;
    return 0;
}

/* Reads a value, which the options then borrow. */
static int read_value(int k, const char *value, cli_options *options, base_error *error)
{
    const bool off = strcmp(value, "off") == 0;
    if (is_switch(&cli_option_table[k]) && !off && strcmp(value, "on") != 0)
        return base_fail(error, "expected on or off, got '%s'", value);
    if (cli_option_read(k, off, value, options, error) != 0)
        return -1;
    return k == CLI_OPT_set ? set_parameters(&options->tuning, value, error) : 0;
}

/* Checks a budget or deadline. The error begins with its name. */
static int check_budgets(const cli_options *options, base_error *error)
{
    cli_options trial = *options;
    cli_budgets budgets;
    if (!trial.ram_budget)
        trial.ram_budget = "100%";
    const int failed = cli_budgets_read(&trial, false, true, &budgets, error);
    cli_budgets_clear(&budgets);
    return failed;
}

static int fail_unknown(const char *name, base_error *error)
{
    char known[900] = "";
    size_t used = 0;
    const char *nearest = cli_option_table[CLI_OPT_ram_budget].name;
    for (int k = 0; k < CLI_OPTION_COUNT; k++) {
        const char *other = cli_option_table[k].name;
        if (!is_setting(k))
            continue;
        if (base_text_distance(other, name) < base_text_distance(nearest, name))
            nearest = other;
        if (used < sizeof known)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
                                     other);
    }
    return base_fail(error, "no setting is called '%s'; the nearest name is %s, all are %s", name,
                     nearest, known);
}

int library_settings_set(library_settings *s, const char *name, const char *value,
                         base_error *error)
{
    base_error why;
    const int k = find_setting(name);
    if (k == CLI_OPTION_COUNT)
        return fail_unknown(name, error);
    char *copy = base_strdup(value);
    cli_options trial = s->options;
    int failed = read_value(k, copy, &trial, &why);
    if (failed)
        base_fail(error, "%s: %s", name, why.text);
    else if (k == CLI_OPT_ram_budget || k == CLI_OPT_runtime_budget)
        failed = check_budgets(&trial, error);
    if (failed) {
        base_free(copy);
        return -1;
    }
    base_free(s->text[k]);
    s->text[k] = copy;
    s->options = trial;
    return 0;
}

void library_settings_init(library_settings *s)
{
    *s = (library_settings){.options = cli_options_initial};
    s->options.tuning = exact_tuning_default();
}

void library_settings_clear(library_settings *s)
{
    for (int k = 0; k < CLI_OPTION_COUNT; k++)
        base_free(s->text[k]);
}

/* ---- the list ------------------------------------------------------------------------------ */

/* The expected values. */
static void describe_values(const cli_option *o, char *text, size_t size)
{
    const bool open = o->integer_high == INT_MAX || o->integer_high == LONG_MAX;
    const bool positive = o->real_low == DBL_MIN;
    if (is_switch(o))
        snprintf(text, size, "on, off");
    else if (o->type == CLI_TYPE_INTEGER && open)
        snprintf(text, size, "%" PRId64 " and more", o->integer_low);
    else if (o->type == CLI_TYPE_INTEGER)
        snprintf(text, size, "%" PRId64 " to %" PRId64, o->integer_low, o->integer_high);
    else if (o->type == CLI_TYPE_REAL && o->real_high == DBL_MAX)
        snprintf(text, size, positive ? "above 0" : "%g and more", o->real_low);
    else if (o->type == CLI_TYPE_REAL)
        snprintf(text, size, "%g to %g", o->real_low, o->real_high);
    else
        snprintf(text, size, "%s", o->argument);
}

/* The default as a value to be set; NULL: none. */
static const char *describe_initial(const cli_option *o, char *text, size_t size)
{
    const void *field = (const char *)&cli_options_initial + o->offset;
    if (o->type == CLI_TYPE_TEXT || o->type == CLI_TYPE_CHOICE)
        return *(const char *const *)field;
    if (is_switch(o))
        return *(const bool *)field ? "on" : "off";
    if (o->type == CLI_TYPE_REAL) {
        snprintf(text, size, "%.10g", *(const double *)field);
        return *(const double *)field < DBL_MAX ? text : NULL;
    }
    const int64_t value = *(const int64_t *)field;
    snprintf(text, size, "%" PRId64, value);
    return value >= o->integer_low && value < o->integer_high ? text : NULL;
}

int poetbnb_setting(int index, poetbnb_setting_info *info)
{
    static _Thread_local char values[128], initial[64];
    int k = index < 0 ? CLI_OPTION_COUNT : 0;
    while (k < CLI_OPTION_COUNT && (!is_setting(k) || index-- > 0))
        k++;
    if (k == CLI_OPTION_COUNT)
        return -1;
    const cli_option *o = &cli_option_table[k];
    describe_values(o, values, sizeof values);
    *info = (poetbnb_setting_info){.name = o->name,
                                   .values = values,
                                   .initial = describe_initial(o, initial, sizeof initial),
                                   .help = o->help};
    return 0;
}
