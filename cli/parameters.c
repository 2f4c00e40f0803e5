/* Parameters by name: reading --set and --params, with the nearest name where one is unknown,
 * and the lists of parameters and features that `info` prints and docs/parameters.md is made of.
 * */
#include "cli/parameters.h"

#include <string.h>

#include "cli/commands.h"
#include "cli/report.h"
#include "exact/parameters.h"
#include "formulation/formulation.h"

enum { MOST_BYTES = 1 << 20 }; /* of a file */

/* Settings of the command line for the rooms of exact_rooms, in their order. */
static const struct room {
    unsigned commands;
    const char *title;
} rooms[EXACT_ROOMS] = {
    {CLI_EXACT, "Exact solver: solve, compare, sweep"},
    {CLI_EXACT, "Annealing: solve, compare, sweep"},
    {CLI_EXACT | CLI_MIP, "Branch and bound: solve, compare, sweep, mip"},
    {CLI_EXACT | CLI_ENGINE, "Simplex: solve, compare, sweep, mip, lp"},
};

static double value_of(const exact_tuning *tuning, int room, const params_entry *e)
{
    return params_get(e, (const char *)tuning + exact_rooms[room].offset);
}

/* ---- reading ---------------------------------------------------------------- */

int cli_parameters_set(unsigned command, const char *text, bool known_only, exact_tuning *tuning,
                       base_error *error)
{
    exact_assignment a;
    if (exact_assignment_read(text, &a, error) != 0)
        return -1;
    if (rooms[a.room].commands & command)
        exact_assign(&a, tuning);
    else if (!known_only)
        return base_fail(error, "%s: is no parameter of this command",
                         exact_parameter_full_name(a.room, a.entry).text);
    return 0;
}

int cli_parameters_read(unsigned command, const char *path, exact_tuning *tuning, base_error *error)
{
    size_t size;
    base_error why;
    int failed = 0;
    char *text = base_file_read(path, MOST_BYTES, &size, error), *rest = text, *line;
    if (!text)
        return -1;
    if (strlen(text) != size)
        failed = base_fail(error,
                           "%s: a file of lines NAME = VALUE is expected, not one with bytes "
                           "of zero",
                           path);
    for (int number = 1; !failed && (line = strsep(&rest, "\n")); number++) {
        line = base_trim(line, line + strcspn(line, "#"));
        if (*line && cli_parameters_set(command, line, true, tuning, &why) != 0)
            failed = base_fail(error, "%s, line %d: %s", path, number, why.text);
    }
    base_free(text);
    return failed;
}

/* ---- showing ---------------------------------------------------------------- */

typedef struct value_text {
    char text[32];
} value_text;

static value_text format_value(params_kind kind, double value)
{
    value_text shown;
    if (kind == PARAMS_SWITCH)
        snprintf(shown.text, sizeof shown.text, "%s", value != 0 ? "on" : "off");
    else
        snprintf(shown.text, sizeof shown.text, "%.10g", value);
    return shown;
}

static json_t *value_json(params_kind kind, double value)
{
    return kind == PARAMS_SWITCH    ? json_boolean(value != 0)
           : kind == PARAMS_INTEGER ? json_integer((json_int_t)value)
                                    : json_real(value);
}

void cli_parameters_print_changed(FILE *stream, const exact_tuning *tuning)
{
    for (int r = 0; r < EXACT_ROOMS; r++)
        for (const params_entry *e = exact_rooms[r].table->entry; e->name; e++) {
            const double value = value_of(tuning, r, e);
            if (value != e->initial)
                fprintf(stream, "Parameter  %s = %s (default %s)\n",
                        exact_parameter_full_name(r, e).text, format_value(e->kind, value).text,
                        format_value(e->kind, e->initial).text);
        }
}

json_t *cli_parameters_changed_json(const exact_tuning *tuning)
{
    json_t *object = json_object();
    for (int r = 0; r < EXACT_ROOMS; r++)
        for (const params_entry *e = exact_rooms[r].table->entry; e->name; e++) {
            const double value = value_of(tuning, r, e);
            if (value != e->initial)
                json_object_set_new(object, exact_parameter_full_name(r, e).text,
                                    value_json(e->kind, value));
        }
    return object;
}

/* ---- the lists -------------------------------------------------------------- */

/* section: where docs/formulation.md writes of a feature or a family of rows. */
static json_t *features_json(void)
{
    static const char *const field_name[] = {[FEATURE_MODEL] = "model", [FEATURE_CUTS] = "cuts"};
    int count;
    const formulation_feature_info *table = formulation_features(&count);
    json_t *features = json_array();
    for (int k = 0; k < count; k++)
        json_array_append_new(features,
                              json_pack("{s:s, s:b, s:s, s:s, s:s+}", "name", table[k].name,
                                        "default", (table[k].bit & FORMULATION_DEFAULT) != 0,
                                        "field", field_name[table[k].field], "help", table[k].help,
                                        "section", "docs/formulation.md#", table[k].name));
    return features;
}

static void list_features(void)
{
    static const cli_column columns[] = {{"name", "name"},
                                         {"default", "default"},
                                         {"field", "field"},
                                         {"what it is", "help"},
                                         {"section", "section"}};
    cli_table_print("Features of the formulation: --with, --without", features_json(), columns, 5);
}

void cli_features_list(bool json)
{
    static const cli_column columns[] = {
        {"name", "name"}, {"what it says", "says"}, {"section", "section"}};
    json_t *rows = json_array();
    for (int k = 0; k < ROW_KINDS; k++)
        json_array_append_new(rows, json_pack("{s:s, s:s, s:s+}", "name", formulation_rows[k].name,
                                              "says", formulation_rows[k].description, "section",
                                              "docs/formulation.md#", formulation_rows[k].name));
    if (json) {
        cli_json_print(json_pack("{s:o, s:o}", "features", features_json(), "rows", rows));
        return;
    }
    list_features();
    putchar('\n');
    cli_table_print("Rows of the tight model, stage t, tensor i, node k", rows, columns, 3);
}

/* Adds the parameters of a room to the list. */
static void add_parameters(json_t *list, int room)
{
    static const char *const kind[] = {"integer", "real", "switch"};
    for (const params_entry *e = exact_rooms[room].table->entry; e->name; e++)
        json_array_append_new(
            list,
            json_pack("{s:s, s:s, s:o, s:o, s:o, s:s, s:s}", "name",
                      exact_parameter_full_name(room, e).text, "kind", kind[e->kind], "default",
                      value_json(e->kind, e->initial), "least", value_json(e->kind, e->least),
                      "most", value_json(e->kind, e->most), "help", e->help, "source", e->source));
}

void cli_parameters_list(bool json)
{
    static const cli_column columns[] = {{"name", "name"},
                                         {"default", "default"},
                                         {"range", "range"},
                                         {"what it is", "help"},
                                         {"from", "source"}};
    json_t *list = json_array();
    for (int r = 0; r < EXACT_ROOMS; r++) {
        add_parameters(list, r);
        if (json)
            continue;
        cli_table_print(rooms[r].title, list, columns, 5);
        putchar('\n');
        list = json_array();
    }
    if (json)
        cli_json_print(json_pack("{s:o, s:o}", "parameters", list, "features", features_json()));
    else
        list_features();
}
