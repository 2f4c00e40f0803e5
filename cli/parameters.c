/* Parameters by name: reading --set and --params, with the nearest name where one is unknown,
 * and the lists of parameters and features that `info` prints and docs/parameters.md is made of.
 * */
#include "cli/parameters.h"

#include <string.h>

#include "cli/options.h"
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

static exact_parameter_name name_of(int room, const params_entry *e)
{
    return exact_parameter_full_name(room, e);
}

static double value_of(const exact_tuning *tuning, int room, const params_entry *e)
{
    return params_get(e, (const char *)tuning + exact_rooms[room].offset);
}

/* ---- reading ---------------------------------------------------------------- */

/* NAME = VALUE. known_only: a parameter of a room that the command does not run is passed over. */
static int assign(unsigned command, const char *text, bool known_only, exact_tuning *tuning,
                  base_error *error)
{
    exact_assignment a;
    if (exact_assignment_read(text, &a, error) != 0)
        return -1;
    if (rooms[a.room].commands & command)
        exact_assign(&a, tuning);
    else if (!known_only)
        return base_fail(error, "%s: is no parameter of this command",
                         name_of(a.room, a.entry).text);
    return 0;
}

int cli_parameters_set(unsigned command, const char *text, exact_tuning *tuning, base_error *error)
{
    return assign(command, text, false, tuning, error);
}

int cli_parameters_read(unsigned command, const char *path, exact_tuning *tuning, base_error *error)
{
    size_t size;
    base_error why;
    int failed = 0, number = 1;
    char *text = base_file_read(path, MOST_BYTES, &size, error);
    if (!text)
        return -1;
    if (strlen(text) != size)
        failed = base_fail(error,
                           "%s: a file of lines NAME = VALUE is expected, not one with bytes "
                           "of zero",
                           path);
    for (char *line = text; line && !failed; number++) {
        char *end = strchr(line, '\n'), *next = end ? end + 1 : NULL;
        end = end ? end : line + strlen(line);
        *end = '\0';
        end = line + strcspn(line, "#");
        line = base_trim(line, end);
        if (*line && assign(command, line, true, tuning, &why) != 0)
            failed = base_fail(error, "%s, line %d: %s", path, number, why.text);
        line = next;
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
                fprintf(stream, "Parameter  %s = %s (default %s)\n", name_of(r, e).text,
                        format_value(e->kind, value).text, format_value(e->kind, e->initial).text);
        }
}

json_t *cli_parameters_changed_json(const exact_tuning *tuning)
{
    json_t *object = json_object();
    for (int r = 0; r < EXACT_ROOMS; r++)
        for (const params_entry *e = exact_rooms[r].table->entry; e->name; e++) {
            const double value = value_of(tuning, r, e);
            if (value != e->initial)
                json_object_set_new(object, name_of(r, e).text, value_json(e->kind, value));
        }
    return object;
}

/* ---- the list --------------------------------------------------------------- */

enum { COLUMNS = 5, MOST_ROWS = 256 };

/* A table to be printed; its texts are owned. */
typedef struct listing {
    char *text[MOST_ROWS][COLUMNS];
    int rows, columns;
} listing;

static void add_row(listing *l, const char *const *text)
{
    for (int c = 0; c < l->columns && l->rows < MOST_ROWS; c++)
        l->text[l->rows][c] = base_strdup(text[c]);
    l->rows += l->rows < MOST_ROWS;
}

/* Prints the rows, the first as the heading, and frees them. */
static void print_listing(listing *l)
{
    static const char dashes[] = "----------------------------------------------------------------"
                                 "----------------------------------------------------------------"
                                 "----------------------------------------------------------------";
    int width[COLUMNS] = {0};
    for (int r = 0; r < l->rows; r++)
        for (int c = 0; c < l->columns; c++)
            width[c] =
                (int)strlen(l->text[r][c]) > width[c] ? (int)strlen(l->text[r][c]) : width[c];
    for (int r = 0; r < l->rows; r++) {
        for (int c = 0; c < l->columns; c++)
            printf("| %-*s ", width[c], l->text[r][c]);
        printf("|\n");
        for (int c = 0; r == 0 && c < l->columns; c++)
            printf("|%.*s", width[c] + 2, dashes);
        if (r == 0)
            printf("|\n");
    }
    for (int r = 0; r < l->rows; r++)
        for (int c = 0; c < l->columns; c++)
            base_free(l->text[r][c]);
}

static void print_title(const char *title)
{
    printf("%s\n", title);
    for (size_t k = 0; k < strlen(title); k++)
        putchar('-');
    printf("\n\n");
}

static void list_room(int room)
{
    static const char *const heading[] = {"name", "default", "range", "what it is", "from"};
    listing l = {.columns = COLUMNS};
    add_row(&l, heading);
    for (const params_entry *e = exact_rooms[room].table->entry; e->name; e++) {
        char range[80];
        snprintf(range, sizeof range, "%s to %s", format_value(e->kind, e->least).text,
                 format_value(e->kind, e->most).text);
        const exact_parameter_name name = name_of(room, e);
        const value_text initial = format_value(e->kind, e->initial);
        const char *const row[] = {name.text, initial.text,
                                   e->kind == PARAMS_SWITCH ? "on, off" : range, e->help,
                                   e->source};
        add_row(&l, row);
    }
    print_title(rooms[room].title);
    print_listing(&l);
}

/* Where docs/formulation.md writes of a feature or a family of rows. */
static const char *section(const char *name, char text[static 80])
{
    snprintf(text, 80, "docs/formulation.md#%s", name);
    return text;
}

static const char *const field_name[] = {[FEATURE_MODEL] = "model", [FEATURE_CUTS] = "cuts"};

static void list_features(void)
{
    static const char *const heading[] = {"name", "default", "field", "what it is", "section"};
    int count;
    char text[80];
    const formulation_feature_info *table = formulation_features(&count);
    listing l = {.columns = COLUMNS};
    add_row(&l, heading);
    for (int k = 0; k < count; k++) {
        const char *const row[] = {table[k].name, table[k].bit & FORMULATION_DEFAULT ? "on" : "off",
                                   field_name[table[k].field], table[k].help,
                                   section(table[k].name, text)};
        add_row(&l, row);
    }
    print_title("Features of the formulation: --with, --without");
    print_listing(&l);
}

void cli_features_list(void)
{
    static const char *const heading[] = {"name", "what it says", "section"};
    char text[80];
    listing rows = {.columns = 3};
    list_features();
    add_row(&rows, heading);
    for (int k = 0; k < ROW_KINDS; k++) {
        const row_info *info = &formulation_rows[k];
        const char *const row[] = {info->name, info->description, section(info->name, text)};
        add_row(&rows, row);
    }
    putchar('\n');
    print_title("Rows of the tight model, stage t, tensor i, node k");
    print_listing(&rows);
}

static json_t *features_json(void)
{
    int count;
    char text[80];
    const formulation_feature_info *table = formulation_features(&count);
    json_t *features = json_array();
    for (int k = 0; k < count; k++)
        json_array_append_new(features,
                              json_pack("{s:s, s:b, s:s, s:s, s:s}", "name", table[k].name,
                                        "default", (table[k].bit & FORMULATION_DEFAULT) != 0,
                                        "field", field_name[table[k].field], "help", table[k].help,
                                        "section", section(table[k].name, text)));
    return features;
}

void cli_features_list_json(void)
{
    char text[80];
    json_t *rows = json_array();
    for (int k = 0; k < ROW_KINDS; k++)
        json_array_append_new(rows, json_pack("{s:s, s:s, s:s}", "name", formulation_rows[k].name,
                                              "says", formulation_rows[k].description, "section",
                                              section(formulation_rows[k].name, text)));
    cli_json_print(json_pack("{s:o, s:o}", "features", features_json(), "rows", rows));
}

void cli_parameters_list(void)
{
    for (int r = 0; r < EXACT_ROOMS; r++) {
        list_room(r);
        putchar('\n');
    }
    list_features();
}

static json_t *entry_json(int room, const params_entry *e)
{
    static const char *const kind[] = {"integer", "real", "switch"};
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:s, s:s}", "name", name_of(room, e).text, "kind",
                     kind[e->kind], "default", value_json(e->kind, e->initial), "least",
                     value_json(e->kind, e->least), "most", value_json(e->kind, e->most), "help",
                     e->help, "source", e->source);
}

void cli_parameters_list_json(void)
{
    json_t *parameters = json_array();
    for (int r = 0; r < EXACT_ROOMS; r++)
        for (const params_entry *e = exact_rooms[r].table->entry; e->name; e++)
            json_array_append_new(parameters, entry_json(r, e));
    cli_json_print(json_pack("{s:o, s:o}", "parameters", parameters, "features", features_json()));
}
