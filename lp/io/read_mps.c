/* MPS as CPLEX defines it; where CPLEX is silent, as GLPK, CBC and HiGHS agree:
 * - Free format is tried first. If it fails, fixed format is tried (columns 2-3, 5-12, 15-22,
 *   25-36, 40-47, 50-61), since names may hold blanks.
 * - The first N row (or the one that OBJNAME names) is the objective; further N rows are
 *   dropped. The RHS of the objective is minus its constant.
 * - An integer column (between markers) without any BOUNDS record has bounds [0,1]. With a
 *   record its bounds start from [0,inf) instead.
 * - A negative UP or UI bound makes an unmentioned lower bound -infinity.
 * - Of several RHS, RANGES or BOUNDS sets the first one named counts, and records without a set.
 * - A line that begins with * is a comment. So is the rest of a line from a $ in front of field
 *   3 or 5, unless the $ begins the name of a row or column.
 * - Of several bounds of one kind for a column the last counts. Any other repetition (rows,
 *   columns, entries, sides, ranges) is an error. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "lp/io/file.h"
#include "lp/io/mps.h"

static const struct {
    const char *word;
    section section;
} section_words[] = {
    {"NAME", SECTION_NAME},       {"OBJSENSE", SECTION_OBJSENSE}, {"OBJSENS", SECTION_OBJSENSE},
    {"OBJNAME", SECTION_OBJNAME}, {"ROWS", SECTION_ROWS},         {"COLUMNS", SECTION_COLUMNS},
    {"RHS", SECTION_RHS},         {"RANGES", SECTION_RANGES},     {"BOUNDS", SECTION_BOUNDS},
    {"ENDATA", SECTION_ENDATA},
};

/* Sections of other solvers that go beyond mixed-integer models. */
static const char *const refused_sections[] = {"SOS",      "SOS1",
                                               "SOS2",     "SETS",
                                               "QUADOBJ",  "QUADS",
                                               "QMATRIX",  "QSECTION",
                                               "QCMATRIX", "CSECTION",
                                               "CONES",    "INDICATORS",
                                               "PWLOBJ",   "GENCONS",
                                               "LAZYCONS", "LAZYCONSTRAINTS",
                                               "USERCUTS", "SEMI-CONTINUOUS",
                                               "STOCH",    "PERIODS",
                                               "SCENARIOS"};

/* ---- sections ----------------------------------------------------------- */

static bool read_sense(mps_reader *r, const char *word)
{
    static const char *const words[] = {"MAX", "MAXIMIZE", "MAXIMISE", "MAXIMUM",
                                        "MIN", "MINIMIZE", "MINIMISE", "MINIMUM"};
    for (int k = 0; k < 8; k++) {
        if (!strcasecmp(word, words[k])) {
            r->m->maximize = k < 4;
            return true;
        }
    }
    return mps_fail(r, "\"%s\": expected MAX or MIN", lp_file_quoted(word).text);
}

static bool read_row(mps_reader *r)
{
    if (!r->field[0] || !r->field[1])
        return mps_fail(r, "field %d is missing, expected a row type and a name",
                        r->field[0] ? 2 : 1);
    const char type = (char)toupper((unsigned char)r->field[0][0]);
    if (!strchr("NLGE", type) || r->field[0][1])
        return mps_fail(r, "field %d: row type \"%s\", expected N, L, G or E", r->place[0],
                        lp_file_quoted(r->field[0]).text);
    if (!mps_field_plain(r, 1))
        return false;
    const int k = lp_names_add(r->row_names, r->field[1]);
    if (k < 0)
        return mps_fail(r, "field %d: a second row named \"%s\"", r->place[1],
                        lp_file_quoted(r->field[1]).text);
    r->row = base_grow(r->row, k, &r->row_room, sizeof *r->row);
    r->row[k] = (mps_row){.type = type, .last_col = -1};
    if (type != 'N') {
        r->row[k].number = lp_model_add_row(r->m, 0.0, 0.0, r->field[1]);
    } else if (!r->has_objective &&
               (!r->objective_name || !strcmp(r->objective_name, r->field[1]))) {
        r->row[k].number = OBJECTIVE;
        r->has_objective = true;
    } else {
        r->row[k].number = DROPPED;
    }
    return true;
}

/* Adds the collected column to the model. */
static void close_column(mps_reader *r)
{
    if (r->open_col < 0)
        return;
    lp_model_add_col(r->m, r->open_cost, 0.0, LP_INFINITY, r->col[r->open_col].marked, r->count,
                     r->entry_row, r->entry_value, lp_names_get(r->col_names, r->open_col));
    r->open_col = -1;
}

static bool open_column(mps_reader *r, const char *name)
{
    if (r->open_col >= 0 && !strcmp(name, lp_names_get(r->col_names, r->open_col)))
        return true;
    close_column(r);
    if (!mps_field_plain(r, 1))
        return false;
    const int j = lp_names_add(r->col_names, name);
    if (j < 0)
        return mps_fail(r, "field %d: column \"%s\" again: its entries must follow one another",
                        r->place[1], lp_file_quoted(name).text);
    r->col = base_grow(r->col, j, &r->col_room, sizeof *r->col);
    r->col[j] = (mps_col){.marked = r->in_marker};
    r->open_col = j;
    r->open_cost = 0.0;
    r->count = 0;
    return true;
}

static bool read_marker(mps_reader *r)
{
    const char *kind = r->field[3] ? r->field[3] : r->field[4];
    close_column(r);
    if (kind && (!strcmp(kind, "'INTORG'") || !strcmp(kind, "INTORG")))
        r->in_marker = true;
    else if (kind && (!strcmp(kind, "'INTEND'") || !strcmp(kind, "INTEND")))
        r->in_marker = false;
    else
        return mps_fail(r, "marker \"%s\": expected 'INTORG' or 'INTEND' (SOS are not supported)",
                        kind ? lp_file_quoted(kind).text : "");
    return true;
}

static bool read_entry(mps_reader *r, int f)
{
    double value;
    mps_row *row = mps_field_row(r, f);
    if (!row || !mps_field_number(r, f + 1, false, &value))
        return false;
    if (row->last_col == r->open_col)
        return mps_fail(r, "field %d: a second entry of column \"%s\" in row \"%s\"", r->place[f],
                        lp_file_quoted(r->field[1]).text, lp_file_quoted(r->field[f]).text);
    row->last_col = r->open_col;
    if (row->number == OBJECTIVE)
        r->open_cost = value;
    if (row->number < 0)
        return true;
    int value_room = r->entry_room;
    r->entry_row = base_grow(r->entry_row, r->count, &r->entry_room, sizeof *r->entry_row);
    r->entry_value = base_grow(r->entry_value, r->count, &value_room, sizeof *r->entry_value);
    r->entry_row[r->count] = row->number;
    r->entry_value[r->count++] = value;
    return true;
}

static bool read_column(mps_reader *r)
{
    if (!r->field[1] || !r->field[2] || r->field[0])
        return mps_fail(r, "expected a column and one or two pairs of a row and a number");
    if (!strcmp(r->field[2], "'MARKER'"))
        return read_marker(r);
    return open_column(r, r->field[1]) && read_entry(r, 2) && (!r->field[4] || read_entry(r, 4));
}

/* Reads one pair of RHS or RANGES. */
static bool read_side(mps_reader *r, int f)
{
    double value;
    mps_row *row = mps_field_row(r, f);
    if (!row || !mps_field_number(r, f + 1, true, &value))
        return false;
    const bool range = r->section == SECTION_RANGES;
    bool *is_given = range ? &row->has_range : &row->has_rhs;
    if (row->number == OBJECTIVE && range)
        return mps_fail(r, "field %d: a range on the objective", r->place[f]);
    if (row->number == OBJECTIVE && isinf(value))
        return mps_fail(r, "field %d: an infinite constant of the objective", r->place[f + 1]);
    if (*is_given)
        return mps_fail(r, "field %d: a second %s of row \"%s\"", r->place[f],
                        range ? "range" : "right-hand side", lp_file_quoted(r->field[f]).text);
    if (range && isinf(value) && row->type == 'E')
        return mps_fail(r, "field %d: an infinite range of an equality", r->place[f + 1]);
    const bool harmless = row->type == 'N' || row->type == (value > 0.0 ? 'L' : 'G');
    if (!range && isinf(value) && !harmless)
        return mps_fail(r, "field %d: a right-hand side of %s in a row of type %c", r->place[f + 1],
                        value < 0.0 ? "-infinity" : "+infinity", row->type);
    *is_given = true;
    *(range ? &row->range : &row->rhs) = value;
    return true;
}

static bool read_sides(mps_reader *r)
{
    if (!r->field[2] || r->field[0])
        return mps_fail(r, "expected a set (optional) and one or two pairs of a row and a number");
    if (!mps_in_first_set(r))
        return true;
    return read_side(r, 2) && (!r->field[4] || read_side(r, 4));
}

static bool set_lower(mps_reader *r, int j, double value)
{
    if (value == LP_INFINITY)
        return mps_fail(r, "field %d: a lower bound of +infinity", r->place[3]);
    r->m->lower[j] = value;
    r->col[j].lower_given = true;
    return true;
}

static bool set_upper(mps_reader *r, int j, double value)
{
    if (value == -LP_INFINITY)
        return mps_fail(r, "field %d: an upper bound of -infinity", r->place[3]);
    r->m->upper[j] = value;
    if (value < 0.0 && !r->col[j].lower_given)
        r->m->lower[j] = -LP_INFINITY;
    return true;
}

static bool apply_bound(mps_reader *r, const char *type, int j)
{
    double value = 0.0;
    if (mps_bound_needs_number(type) && !mps_field_number(r, 3, true, &value))
        return false;
    r->col[j].bounded = true;
    if (!strcmp(type, "BV") || !strcmp(type, "LI") || !strcmp(type, "UI"))
        r->m->integer[j] = true;
    if (!strcmp(type, "LO") || !strcmp(type, "LI"))
        return set_lower(r, j, value);
    if (!strcmp(type, "UP") || !strcmp(type, "UI"))
        return set_upper(r, j, value);
    if (!strcmp(type, "FX")) {
        if (isinf(value))
            return mps_fail(r, "field %d: a column fixed at infinity", r->place[3]);
        return set_lower(r, j, value) && set_upper(r, j, value);
    }
    if (!strcmp(type, "BV"))
        return set_lower(r, j, 0.0) && set_upper(r, j, 1.0);
    if (!strcmp(type, "MI"))
        return set_lower(r, j, -LP_INFINITY);
    if (!strcmp(type, "PL"))
        return set_upper(r, j, LP_INFINITY);
    if (!strcmp(type, "FR"))
        return set_lower(r, j, -LP_INFINITY) && set_upper(r, j, LP_INFINITY);
    if (!strcmp(type, "SC") || !strcmp(type, "SI"))
        return mps_fail(r, "field %d: semi-continuous columns (%s) are not supported", r->place[0],
                        type);
    return mps_fail(r, "field %d: bound type \"%s\", expected UP, LO, FX, FR, MI, PL, BV, LI or UI",
                    r->place[0], lp_file_quoted(type).text);
}

static bool read_bound(mps_reader *r)
{
    char type[4];
    if (!r->field[0] || !r->field[2])
        return mps_fail(r, "expected a bound type, a set (optional), a column and a number");
    size_t k = 0;
    for (; r->field[0][k] && k + 1 < sizeof type; k++)
        type[k] = (char)toupper((unsigned char)r->field[0][k]);
    type[k] = '\0';
    if (!mps_in_first_set(r))
        return true;
    const int j = lp_names_find(r->col_names, r->field[2]);
    if (j < 0)
        return mps_fail(r, "field %d: \"%s\" is not a column of the COLUMNS section", r->place[2],
                        lp_file_quoted(r->field[2]).text);
    return apply_bound(r, type, j);
}

/* Reads a line that begins in its first column: the header of a section. */
static bool read_header(mps_reader *r)
{
    char *line = r->buffer;
    const size_t length = strcspn(line, " \t");
    char *rest = line + length + strspn(line + length, " \t");
    line[length] = '\0';
    section next = NO_SECTION;
    for (size_t k = 0; k < sizeof section_words / sizeof *section_words; k++)
        if (!strcasecmp(line, section_words[k].word))
            next = section_words[k].section;
    if (next == NO_SECTION && r->section == SECTION_OBJSENSE)
        return read_sense(r, line); /* MAX without the blank that belongs before it */
    for (size_t k = 0; k < sizeof refused_sections / sizeof *refused_sections; k++)
        if (!strcasecmp(line, refused_sections[k]))
            return mps_fail(r, "section %s is not supported, only linear and mixed-integer models",
                            refused_sections[k]);
    if (next == NO_SECTION)
        return mps_fail(r,
                        "\"%s\": expected a section (NAME, OBJSENSE, ROWS, COLUMNS, RHS, RANGES, "
                        "BOUNDS, ENDATA) or a blank in the first column",
                        lp_file_quoted(line).text);
    if (r->seen & 1u << next)
        return mps_fail(r, "a second section %s", line);
    if (next == SECTION_COLUMNS && !(r->seen & 1u << SECTION_ROWS))
        return mps_fail(r, "section COLUMNS before section ROWS");
    r->seen |= 1u << next;
    if (r->section == SECTION_COLUMNS)
        close_column(r);
    r->section = next;
    if (next == SECTION_NAME && *rest && *rest != '$') {
        /* CBC marks free format by a last word FREE. */
        const size_t size = strlen(rest);
        if (size > 5 && !strcmp(rest + size - 4, "FREE") && isspace((unsigned char)rest[size - 5]))
            rest[size - 5] = '\0';
        for (size_t k = strlen(rest); k > 0 && isspace((unsigned char)rest[k - 1]); k--)
            rest[k - 1] = '\0';
        if (!base_text_plain(rest))
            return mps_fail(r, "a name without control characters is expected");
        r->m->name = base_strdup(rest);
    } else if (next == SECTION_OBJSENSE && *rest && *rest != '$') {
        return read_sense(r, rest);
    } else if (*rest && *rest != '$') {
        return mps_fail(r, "\"%s\" after section %s", lp_file_quoted(rest).text, line);
    }
    return true;
}

static bool read_data(mps_reader *r)
{
    char *word = r->buffer + strspn(r->buffer, " \t");
    switch (r->section) {
    case SECTION_OBJSENSE:
        return read_sense(r, word);
    case SECTION_OBJNAME:
        base_free(r->objective_name);
        r->objective_name = base_strdup(word);
        return true;
    case SECTION_ROWS:
        return mps_split(r) && read_row(r);
    case SECTION_COLUMNS:
        return mps_split(r) && read_column(r);
    case SECTION_RHS:
    case SECTION_RANGES:
        return mps_split(r) && read_sides(r);
    case SECTION_BOUNDS:
        return mps_split(r) && read_bound(r);
    default:
        return mps_fail(r, "data before section ROWS");
    }
}

/* ---- the whole ---------------------------------------------------------- */

/* Sets the sides of the rows, and the defaults that only the end of the file settles. */
static bool finish_model(mps_reader *r)
{
    lp_model *m = r->m;
    if (!(r->seen & 1u << SECTION_ROWS) || !(r->seen & 1u << SECTION_COLUMNS))
        return mps_fail(r, "there is no section %s",
                        r->seen & 1u << SECTION_ROWS ? "COLUMNS" : "ROWS");
    if (r->objective_name && !r->has_objective)
        return mps_fail(r, "there is no N row named \"%s\", the objective that OBJNAME asks for",
                        lp_file_quoted(r->objective_name).text);
    for (int k = 0; k < lp_names_count(r->row_names); k++) {
        const mps_row *row = &r->row[k];
        const double rhs = row->rhs, range = fabs(row->range);
        if (row->number == OBJECTIVE)
            m->offset = rhs == 0.0 ? 0.0 : -rhs;
        if (row->number < 0)
            continue;
        double lower = row->type == 'L' ? -LP_INFINITY : rhs;
        double upper = row->type == 'G' ? LP_INFINITY : rhs;
        const bool below = row->type == 'L' || (row->type != 'G' && row->range < 0.0);
        if (row->has_range && below)
            lower = rhs - range;
        else if (row->has_range)
            upper = rhs + range;
        if (isinf(rhs)) /* a range of an infinite side limits nothing */
            lower = -LP_INFINITY, upper = LP_INFINITY;
        if (lower <= -LP_FILE_INFINITY) /* from a range */
            lower = -LP_INFINITY;
        if (upper >= LP_FILE_INFINITY)
            upper = LP_INFINITY;
        m->row_lower[row->number] = lower;
        m->row_upper[row->number] = upper;
    }
    for (int j = 0; j < m->cols; j++)
        if (r->col[j].marked && !r->col[j].bounded)
            m->upper[j] = 1.0;
    if (m->maximize) {
        for (int j = 0; j < m->cols; j++)
            m->cost[j] = -m->cost[j];
        m->offset = -m->offset;
    }
    return true;
}

static bool read_lines(mps_reader *r)
{
    while (r->section != SECTION_ENDATA && mps_read_line(r)) {
        if (!*r->buffer || *r->buffer == '*')
            continue;
        const bool header = *r->buffer != ' ' && *r->buffer != '\t';
        if (!(header ? read_header(r) : read_data(r)))
            return false;
    }
    if (r->section != SECTION_ENDATA)
        return mps_fail(r, "the file ends without ENDATA");
    return finish_model(r);
}

/* Returns the model, or NULL, an error and its line. */
static lp_model *read_format(const char *path, const char *text, bool fixed, base_error *error,
                             long *line)
{
    mps_reader r = {.path = path, .next = text, .fixed = fixed, .error = error, .open_col = -1};
    r.m = lp_model_create();
    r.row_names = lp_names_create();
    r.col_names = lp_names_create();
    if (!read_lines(&r)) {
        lp_model_free(r.m);
        r.m = NULL;
    }
    *line = r.line;
    lp_names_free(r.row_names);
    lp_names_free(r.col_names);
    base_free_all(r.row, r.col, r.buffer, r.objective_name, r.entry_row, r.entry_value);
    for (int s = 0; s < SECTION_ENDATA; s++)
        base_free(r.set[s]);
    return r.m;
}

lp_model *lp_read_mps(const char *path, const char *text, base_error *error)
{
    base_error fixed_error;
    long free_line, fixed_line;
    lp_model *m = read_format(path, text, false, error, &free_line);
    if (m)
        return m;
    m = read_format(path, text, true, &fixed_error, &fixed_line);
    /* The intended format is the one that was read further. */
    if (!m && fixed_line > free_line && error)
        *error = fixed_error;
    return m;
}
