/* Parameters by name: reading --set and --params, with the nearest name where one is unknown,
 * and the lists of parameters and features that `info` prints and docs/parameters.md is made of.
 * */
#include "cli/parameters.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "cli/options.h"
#include "cli/report.h"
#include "formulation/formulation.h"

enum { MOST_BYTES = 1 << 20 }; /* of a file */

/* The rooms, as they are listed; offset: of their record in exact_tuning. */
static const struct room {
    const params_table *table;
    size_t offset;
    unsigned commands;
    const char *title;
} rooms[] = {
    {&exact_parameters, 0, CLI_EXACT, "Exact solver: solve, compare, sweep"},
    {&heuristic_parameters, offsetof(exact_tuning, heuristics), CLI_EXACT,
     "Local search: solve, compare, sweep"},
    {&bnb_parameters, offsetof(exact_tuning, bnb), CLI_EXACT | CLI_MIP,
     "Branch and bound: solve, compare, sweep, mip"},
    {&lp_parameters, offsetof(exact_tuning, lp), CLI_EXACT | CLI_ENGINE,
     "Simplex: solve, compare, sweep, mip, lp"},
};
enum { ROOMS = sizeof rooms / sizeof *rooms };

static void *record_of(exact_tuning *tuning, const struct room *room)
{
    return (char *)tuning + room->offset;
}

static const void *values_of(const exact_tuning *tuning, const struct room *room)
{
    return (const char *)tuning + room->offset;
}

typedef struct parameter_name {
    char text[80]; /* in full */
} parameter_name;

static parameter_name name_of(const struct room *room, const params_entry *e)
{
    parameter_name name;
    snprintf(name.text, sizeof name.text, "%s.%s", room->table->room, e->name);
    return name;
}

/* ---- reading ---------------------------------------------------------------- */

/* Least number of letters that are to be changed, added or taken away (Levenshtein 1966); of a text
 * of more than 79 letters the first 79. */
static int edit_distance(const char *a, const char *b)
{
    enum { MOST = 80 };
    int row[MOST];
    int length = 0;
    for (; length < MOST && (length == 0 || b[length - 1]); length++)
        row[length] = length;
    for (int i = 0; a[i]; i++) {
        int corner = row[0];
        row[0] = i + 1;
        for (int j = 1; j < length; j++) {
            const int change = corner + (a[i] != b[j - 1]);
            corner = row[j];
            row[j] = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
            row[j] = change < row[j] ? change : row[j];
        }
    }
    return row[length - 1];
}

static int fail_unknown(const char *name, base_error *error)
{
    parameter_name nearest = {""};
    int least = INT_MAX;
    for (int r = 0; r < ROOMS; r++)
        for (const params_entry *e = rooms[r].table->entry; e->name; e++) {
            const parameter_name known = name_of(&rooms[r], e);
            const int distance = edit_distance(known.text, name);
            if (distance < least) {
                least = distance;
                nearest = known;
            }
        }
    return base_fail(error,
                     "no parameter is called '%s'; the nearest name is %s (`poetbnb info "
                     "--parameters' lists all)",
                     name, nearest.text);
}

/* The entry of a full name and its room; NULL: none. */
static const params_entry *find(const char *name, const struct room **room)
{
    for (int r = 0; r < ROOMS; r++) {
        const char *prefix = rooms[r].table->room;
        const size_t length = strlen(prefix);
        if (strncmp(name, prefix, length) == 0 && name[length] == '.') {
            *room = &rooms[r];
            return params_find(rooms[r].table, name + length + 1);
        }
    }
    return NULL;
}

static int read_value(const params_entry *e, const char *text, double *value, base_error *error)
{
    int64_t whole;
    switch (e->kind) {
    case PARAMS_SWITCH:
        *value = strcmp(text, "on") == 0;
        return *value != 0 || strcmp(text, "off") == 0
                   ? 0
                   : base_fail(error, "expected on or off, got '%s'", text);
    case PARAMS_INTEGER:
        if (base_number_integer(text, (int64_t)e->least, (int64_t)e->most, &whole, error) != 0)
            return -1;
        *value = (double)whole;
        return 0;
    case PARAMS_REAL:
        break;
    }
    return base_number_real(text, e->least, e->most, value, error);
}

/* The text between begin and end without the spaces around it, which it ends. */
static char *trim(char *begin, char *end)
{
    while (begin < end && isspace((unsigned char)*begin))
        begin++;
    while (end > begin && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    return begin;
}

/* NAME = VALUE; text is cut up. known_only: a parameter of a room that the command does not run is
 * passed over. */
static int assign(unsigned command, char *text, bool known_only, exact_tuning *tuning,
                  base_error *error)
{
    char *equals = strchr(text, '=');
    if (!equals)
        return base_fail(error, "expected NAME=VALUE, got '%s'", text);
    const char *value_text = trim(equals + 1, equals + 1 + strlen(equals + 1));
    const char *name = trim(text, equals);
    const struct room *room = NULL;
    const params_entry *e = find(name, &room);
    base_error why;
    double value;
    if (!e)
        return fail_unknown(name, error);
    if (read_value(e, value_text, &value, &why) != 0)
        return base_fail(error, "%s: %s", name, why.text);
    if (room->commands & command)
        params_set(e, record_of(tuning, room), value);
    else if (!known_only)
        return base_fail(error, "%s: has no part in this command", name);
    return 0;
}

int cli_parameters_set(unsigned command, const char *text, exact_tuning *tuning, base_error *error)
{
    char *copy = base_strdup(text);
    const int failed = assign(command, copy, false, tuning, error);
    base_free(copy);
    return failed;
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
        line = trim(line, end);
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

static value_text show(params_kind kind, double value)
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
    for (int r = 0; r < ROOMS; r++)
        for (const params_entry *e = rooms[r].table->entry; e->name; e++) {
            const double value = params_get(e, values_of(tuning, &rooms[r]));
            if (value != e->initial)
                fprintf(stream, "Parameter  %s = %s (default %s)\n", name_of(&rooms[r], e).text,
                        show(e->kind, value).text, show(e->kind, e->initial).text);
        }
}

json_t *cli_parameters_changed_json(const exact_tuning *tuning)
{
    json_t *object = json_object();
    for (int r = 0; r < ROOMS; r++)
        for (const params_entry *e = rooms[r].table->entry; e->name; e++) {
            const double value = params_get(e, values_of(tuning, &rooms[r]));
            if (value != e->initial)
                json_object_set_new(object, name_of(&rooms[r], e).text, value_json(e->kind, value));
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

static void list_room(const struct room *room)
{
    static const char *const heading[] = {"name", "default", "range", "what it is", "from"};
    listing l = {.columns = COLUMNS};
    add_row(&l, heading);
    for (const params_entry *e = room->table->entry; e->name; e++) {
        char range[80];
        snprintf(range, sizeof range, "%s to %s", show(e->kind, e->least).text,
                 show(e->kind, e->most).text);
        const parameter_name name = name_of(room, e);
        const value_text initial = show(e->kind, e->initial);
        const char *const row[] = {name.text, initial.text,
                                   e->kind == PARAMS_SWITCH ? "on, off" : range, e->help,
                                   e->source};
        add_row(&l, row);
    }
    print_title(room->title);
    print_listing(&l);
}

static void list_features(void)
{
    static const char *const heading[] = {"name", "default", "what it is"};
    int count;
    const formulation_feature_info *table = formulation_features(&count);
    listing l = {.columns = 3};
    add_row(&l, heading);
    for (int k = 0; k < count; k++) {
        const char *const row[] = {table[k].name, table[k].bit & FORMULATION_DEFAULT ? "on" : "off",
                                   table[k].help};
        add_row(&l, row);
    }
    print_title("Features of the formulation: --with, --without");
    print_listing(&l);
}

/* Where docs/formulation.md writes of a feature or a family of rows. */
static const char *section(const char *name, char text[static 80])
{
    snprintf(text, 80, "docs/formulation.md#%s", name);
    return text;
}

static const char *const field_name[] = {
    [FEATURE_MODEL] = "model", [FEATURE_CUTS] = "cuts"};

void cli_features_list(void)
{
    static const char *const heading[] = {"name", "default", "field", "what it is", "section"};
    static const char *const row_heading[] = {"name", "what it says", "section"};
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
    listing rows = {.columns = 3};
    add_row(&rows, row_heading);
    for (int k = 0; k < ROW_KINDS; k++) {
        const row_info *info = &formulation_rows[k];
        const char *const row[] = {info->name, info->says, section(info->name, text)};
        add_row(&rows, row);
    }
    putchar('\n');
    print_title("Rows of the tight model, stage t, tensor i, node k");
    print_listing(&rows);
}

void cli_features_list_json(void)
{
    int count;
    char text[80];
    const formulation_feature_info *table = formulation_features(&count);
    json_t *features = json_array(), *rows = json_array();
    for (int k = 0; k < count; k++)
        json_array_append_new(features,
                              json_pack("{s:s, s:b, s:s, s:s, s:s}", "name", table[k].name,
                                        "default", (table[k].bit & FORMULATION_DEFAULT) != 0,
                                        "field", field_name[table[k].field], "help", table[k].help,
                                        "section", section(table[k].name, text)));
    for (int k = 0; k < ROW_KINDS; k++)
        json_array_append_new(rows, json_pack("{s:s, s:s, s:s}", "name", formulation_rows[k].name,
                                              "says", formulation_rows[k].says, "section",
                                              section(formulation_rows[k].name, text)));
    cli_json_print(json_pack("{s:o, s:o}", "features", features, "rows", rows));
}

void cli_parameters_list(void)
{
    for (int r = 0; r < ROOMS; r++) {
        list_room(&rooms[r]);
        putchar('\n');
    }
    list_features();
}

static json_t *entry_json(const struct room *room, const params_entry *e)
{
    static const char *const kind[] = {"integer", "real", "switch"};
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:s, s:s}", "name", name_of(room, e).text, "kind",
                     kind[e->kind], "default", value_json(e->kind, e->initial), "least",
                     value_json(e->kind, e->least), "most", value_json(e->kind, e->most), "help",
                     e->help, "source", e->source);
}

void cli_parameters_list_json(void)
{
    int count;
    const formulation_feature_info *table = formulation_features(&count);
    json_t *parameters = json_array(), *features = json_array();
    for (int r = 0; r < ROOMS; r++)
        for (const params_entry *e = rooms[r].table->entry; e->name; e++)
            json_array_append_new(parameters, entry_json(&rooms[r], e));
    for (int k = 0; k < count; k++)
        json_array_append_new(
            features, json_pack("{s:s, s:b, s:s}", "name", table[k].name, "default",
                                (table[k].bit & FORMULATION_DEFAULT) != 0, "help", table[k].help));
    cli_json_print(json_pack("{s:o, s:o}", "parameters", parameters, "features", features));
}
