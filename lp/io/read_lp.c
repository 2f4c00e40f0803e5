/* CPLEX-LP: objective, constraints, bounds, generals, binaries.
 * - The keyword of a section counts as the first word of a line, unless ':' follows. In the
 *   middle of a line it counts behind a whole objective, where no variable can stand. If no
 *   variable has that name, it also counts behind a number or a whole statement, if the next
 *   word shows that a section begins.
 * - Constraints: expression op expression, or number op expression op number. Variables may
 *   stand on the right too; the right side ends with its line. Terms of the same variable are
 *   summed up.
 * - A bound changes only the side that it names (x <= -5 leaves the lower bound 0). Variables
 *   that first occur among the bounds are accepted.
 * - Binaries have bounds [0,1], or tighter ones if the bounds say so.
 * - Numbers from 1e20 on are infinite as bounds and sides. Infinity is allowed only as the
 *   constant of a side: not beside variables, not in the middle of a range.
 * - A row may have no variables ("c: = 0"), and sections of unsupported features may be empty:
 *   HiGHS writes both. */
#include "lp/io/names.h"
#include "lp/io/scan.h"

typedef struct lp_column {
    double cost, lower, upper;
    bool integer, lower_given, upper_given;
    int last_row; /* row in which it occurred last, to sum up repeated terms */
    int place;    /* place of its entry in that row */
} lp_column;

typedef struct lp_reader {
    scanner at;
    char *text; /* room for one name */
    size_t text_size;
    bool maximize;
    bool in_objective; /* while the objective is read */
    double offset;
    lp_names *cols, *labels;
    lp_column *col;
    int col_room;
    lp_row_list rows;
    double lower, upper; /* sides of the open row */
    int *label;          /* of each row: number in labels, or -1 */
    int label_room;
} lp_reader;

/* A side of a constraint: its constant, and its number of terms with variables. */
typedef struct expression {
    double constant;
    int terms;
} expression;

enum { OBJECTIVE = -1 }; /* in place of the number of a row */

typedef enum expression_end {
    TO_OPERATOR, /* ends where no sign follows, normally in front of an operator */
    TO_LINE_END  /* ends with its line too */
} expression_end;

/* Returns the column with the present word as its name; adds it if necessary. */
static int column_here(lp_reader *r)
{
    const char *name = scan_text(&r->at, &r->text, &r->text_size);
    int j = lp_names_find(r->cols, name);
    if (j >= 0)
        return j;
    j = lp_names_add(r->cols, name);
    r->col = base_grow(r->col, j, &r->col_room, sizeof *r->col);
    r->col[j] = (lp_column){.upper = LP_INFINITY, .last_row = -1};
    return j;
}

static void add_entry(lp_reader *r, int row, int j, double value)
{
    lp_column *col = &r->col[j];
    if (row == OBJECTIVE) {
        col->cost += value;
        return;
    }
    if (col->last_row == row) {
        r->rows.value[col->place] += value;
        return;
    }
    col->last_row = row;
    col->place = r->rows.entries;
    lp_row_list_add(&r->rows, j, value);
}

/* Skips signs. *sign gets their product, *any is true if there were any. False with an error. */
static bool read_signs(lp_reader *r, double *sign, bool *any)
{
    *sign = 1.0;
    *any = false;
    while (r->at.kind == SCAN_PLUS || r->at.kind == SCAN_MINUS) {
        if (r->at.kind == SCAN_MINUS)
            *sign = -*sign;
        *any = true;
        if (!scan_next(&r->at))
            return false;
    }
    return true;
}

/* True if a section begins with the present word, the first of a line. */
static bool at_section(const lp_reader *r)
{
    scanner last;
    return scan_section_here(&r->at, &last) != SCAN_NO_SECTION;
}

/* Returns the section that begins here, also in the middle of a line, where a statement or a sum
 * may end. *last gets the last word of its keyword. */
static scan_section section_here(lp_reader *r, scanner *last)
{
    if (r->at.first || r->at.kind != SCAN_NAME)
        return scan_section_here(&r->at, last);
    const scan_section section = scan_section_inside(&r->at, false, last);
    const bool possible = section != SCAN_NO_SECTION &&
                          (section == SCAN_CONSTRAINTS) == r->in_objective &&
                          lp_names_find(r->cols, scan_text(&r->at, &r->text, &r->text_size)) < 0;
    return possible ? section : SCAN_NO_SECTION;
}

static bool may_end(lp_reader *r)
{
    scanner last;
    return section_here(r, &last) != SCAN_NO_SECTION;
}

/* True if the present word is a variable multiplied by the number before it. */
static bool at_variable(lp_reader *r, expression_end until)
{
    return r->at.kind == SCAN_NAME && !scan_is_infinity(&r->at) && !may_end(r) &&
           !(until == TO_LINE_END && r->at.first) && scan_peek(&r->at) != SCAN_COLON;
}

/* True if the present word is a variable without a number before it. */
static bool at_bare_variable(lp_reader *r, bool behind_sign)
{
    return r->at.kind == SCAN_NAME &&
           !(r->in_objective && !behind_sign ? may_end(r) : at_section(r));
}

/* Reads the terms of a row (or the OBJECTIVE), times factor, and sums up the constants. */
static bool read_expression(lp_reader *r, int row, double factor, expression_end until,
                            expression *e)
{
    *e = (expression){0.0, 0};
    for (int count = 0;; count++) {
        double sign, value = 1.0;
        bool signs;
        if (count > 0 && until == TO_LINE_END && r->at.first)
            return true;
        if (!read_signs(r, &sign, &signs))
            return false;
        if (count > 0 && !signs)
            return true;
        const bool infinite = scan_is_infinity(&r->at);
        const bool number = infinite || r->at.kind == SCAN_NUMBER;
        if (number) {
            value = infinite ? LP_INFINITY : r->at.number;
            if (!scan_next(&r->at))
                return false;
        }
        if (!infinite && (number ? at_variable(r, until) : at_bare_variable(r, signs))) {
            add_entry(r, row, column_here(r), factor * sign * value);
            e->terms++;
            if (!scan_next(&r->at))
                return false;
        } else if (number) {
            if (fabs(value) >= LP_FILE_INFINITY)
                value = LP_INFINITY;
            e->constant += sign * value;
            if (isnan(e->constant))
                return scan_fail(&r->at, "infinity minus infinity");
        } else if (signs) {
            return scan_expected(&r->at, "a number or a variable after the sign");
        } else {
            return true; /* an empty expression */
        }
    }
}

static bool at_label(const lp_reader *r)
{
    return r->at.kind == SCAN_NAME && scan_peek(&r->at) == SCAN_COLON;
}

/* Skips a name and the colon behind it. */
static bool skip_label(lp_reader *r)
{
    const bool at_colon = scan_next(&r->at);
    return at_colon && scan_next(&r->at);
}

static bool read_objective(lp_reader *r)
{
    expression e;
    scanner last;
    const scan_section sense = scan_section_here(&r->at, &last);
    if (sense != SCAN_MINIMIZE && sense != SCAN_MAXIMIZE)
        return scan_expected(&r->at, "minimize or maximize");
    r->maximize = sense == SCAN_MAXIMIZE;
    if (!scan_next(&r->at))
        return false;
    if (at_label(r) && !skip_label(r))
        return false;
    r->in_objective = true;
    if (!read_expression(r, OBJECTIVE, 1.0, TO_OPERATOR, &e))
        return false;
    r->in_objective = false;
    if (isinf(e.constant))
        return scan_fail(&r->at, "an infinite constant of the objective");
    r->offset = e.constant;
    return true;
}

static bool is_operator(scan_kind kind)
{
    return kind == SCAN_LE || kind == SCAN_GE || kind == SCAN_EQ;
}

static bool read_operator(lp_reader *r, scan_kind *kind)
{
    if (!is_operator(r->at.kind))
        return scan_expected(&r->at, "+, -, <=, >= or =");
    *kind = r->at.kind;
    return scan_next(&r->at);
}

/* Sets the bounds by <=, >= or = value, with value on the right. */
static bool apply_side(lp_reader *r, scan_kind kind, double value, double *lower, double *upper)
{
    if (isnan(value))
        return scan_fail(&r->at, "infinity minus infinity");
    if (fabs(value) >= LP_FILE_INFINITY)
        value = value > 0.0 ? LP_INFINITY : -LP_INFINITY;
    if (isinf(value) && (kind == SCAN_EQ || (value < 0.0) != (kind == SCAN_GE)))
        return scan_fail(&r->at, "%sinfinity on the wrong side", value < 0.0 ? "-" : "+");
    if (kind != SCAN_GE)
        *upper = value;
    if (kind != SCAN_LE)
        *lower = value;
    return true;
}

/* Returns the operator as read from the other side. */
static scan_kind mirrored(scan_kind kind)
{
    return kind == SCAN_LE ? SCAN_GE : kind == SCAN_GE ? SCAN_LE : kind;
}

static bool open_row(lp_reader *r)
{
    const int row = r->rows.count;
    r->label = base_grow(r->label, row, &r->label_room, sizeof *r->label);
    r->lower = -LP_INFINITY;
    r->upper = LP_INFINITY;
    r->label[row] = -1;
    if (!at_label(r))
        return true;
    const char *name = scan_text(&r->at, &r->text, &r->text_size);
    r->label[row] = lp_names_add(r->labels, name);
    if (r->label[row] < 0)
        return scan_fail(&r->at, "a second constraint named \"%s\"", lp_file_quoted(name).text);
    return skip_label(r);
}

/* As read_expression, but an empty side is an error, and infinity beside variables too. */
static bool read_side(lp_reader *r, double factor, expression_end until, expression *e)
{
    const char *begin = r->at.start;
    if (!read_expression(r, r->rows.count, factor, until, e))
        return false;
    if (e->terms > 0 && isinf(e->constant))
        return scan_fail(&r->at, "an infinite constant beside variables");
    return r->at.start != begin || scan_expected(&r->at, "a number or a variable");
}

/* Reads the end of a range, op number, with the same operator as before the expression. */
static bool read_range_end(lp_reader *r, scan_kind first, double constant)
{
    expression right = {0.0, 0};
    scan_kind second = first;
    if (r->at.kind != first || first == SCAN_EQ)
        return scan_expected(&r->at, "the same operator <= or >= as on the left");
    if (isinf(constant))
        return scan_fail(&r->at, "infinity in the middle of a range");
    if (!read_operator(r, &second) || !read_side(r, 0.0, TO_LINE_END, &right))
        return false;
    if (right.terms > 0)
        return scan_fail(&r->at, "a variable on the right of a range");
    return apply_side(r, second, right.constant - constant, &r->lower, &r->upper);
}

/* Reads number op expression [op number]; the first operator has been read. */
static bool read_range(lp_reader *r, double left, scan_kind first)
{
    expression middle = {0.0, 0};
    if (!read_side(r, 1.0, TO_OPERATOR, &middle))
        return false;
    if (is_operator(r->at.kind) && !read_range_end(r, first, middle.constant))
        return false;
    return apply_side(r, mirrored(first), left - middle.constant, &r->lower, &r->upper);
}

static bool read_constraint(lp_reader *r)
{
    expression left = {0.0, 0}, right = {0.0, 0};
    scan_kind kind = SCAN_EQ;
    if (!open_row(r))
        return false;
    const bool bare =
        r->label[r->rows.count] >= 0 && is_operator(r->at.kind); /* no variables: "c: = 0" */
    if ((!bare && !read_side(r, 1.0, TO_OPERATOR, &left)) || !read_operator(r, &kind))
        return false;
    if (left.terms == 0 && !bare) {
        if (!read_range(r, left.constant, kind))
            return false;
    } else if (!read_side(r, -1.0, TO_LINE_END, &right) ||
               !apply_side(r, kind, right.constant - left.constant, &r->lower, &r->upper)) {
        return false;
    }
    if (r->at.kind == SCAN_ARROW)
        return scan_fail(&r->at, "indicator constraints (->) are not supported");
    lp_row_list_end(&r->rows, r->lower, r->upper);
    return true;
}

/* Reads a number or infinity, with signs. */
static bool read_constant(lp_reader *r, double *value)
{
    double sign;
    bool signs;
    if (!read_signs(r, &sign, &signs))
        return false;
    if (scan_is_infinity(&r->at))
        *value = sign * LP_INFINITY;
    else if (r->at.kind == SCAN_NUMBER)
        *value = sign * r->at.number;
    else
        return scan_expected(&r->at, "a number or infinity");
    return scan_next(&r->at);
}

static bool set_bound(lp_reader *r, lp_column *col, scan_kind kind, double value)
{
    col->lower_given |= kind != SCAN_LE;
    col->upper_given |= kind != SCAN_GE;
    return apply_side(r, kind, value, &col->lower, &col->upper);
}

/* Reads [number op] variable [op number], or variable free. */
static bool read_bound(lp_reader *r)
{
    double value = 0.0;
    scan_kind kind = SCAN_EQ;
    const bool number_first = r->at.kind != SCAN_NAME || scan_is_infinity(&r->at);
    if (number_first && (!read_constant(r, &value) || !read_operator(r, &kind)))
        return false;
    if (r->at.kind != SCAN_NAME || scan_is_infinity(&r->at))
        return scan_expected(&r->at, "a variable");
    const int j = column_here(r); /* which may move r->col */
    lp_column *col = &r->col[j];
    if (!scan_next(&r->at))
        return false;
    if (number_first) {
        if (!set_bound(r, col, mirrored(kind), value))
            return false;
        if (!is_operator(r->at.kind))
            return true;
        if (kind == SCAN_EQ || r->at.kind != kind)
            return scan_expected(&r->at, "the same operator <= or >= as on the left");
    } else if (scan_is_word(&r->at, "free") && !r->at.first) {
        col->lower = -LP_INFINITY;
        col->upper = LP_INFINITY;
        col->lower_given = col->upper_given = true;
        return scan_next(&r->at);
    }
    return read_operator(r, &kind) && read_constant(r, &value) && set_bound(r, col, kind, value);
}

static bool read_integer(lp_reader *r, bool binary)
{
    if (r->at.kind != SCAN_NAME)
        return scan_expected(&r->at, "a variable");
    const int j = lp_names_find(r->cols, scan_text(&r->at, &r->text, &r->text_size));
    if (j < 0)
        return scan_expected(&r->at, "a variable that occurs above");
    lp_column *col = &r->col[j];
    col->integer = true;
    if (binary) {
        col->lower = col->lower_given ? fmax(col->lower, 0.0) : 0.0;
        col->upper = col->upper_given ? fmin(col->upper, 1.0) : 1.0;
    }
    return scan_next(&r->at);
}

static bool read_sections(lp_reader *r)
{
    unsigned seen = 0;
    scanner last;
    if (!read_objective(r))
        return false;
    scan_section section =
        r->at.first ? scan_section_here(&r->at, &last) : scan_section_inside(&r->at, true, &last);
    if (section == SCAN_NO_SECTION && r->at.kind != SCAN_END)
        return scan_expected(&r->at, "+, - or \"subject to\"");
    for (;; section = section_here(r, &last)) {
        const scanner header = r->at;
        if (section == SCAN_MINIMIZE || section == SCAN_MAXIMIZE)
            return scan_fail(&r->at, "a second objective");
        if (section == SCAN_NO_SECTION)
            return scan_expected(&r->at, seen ? "a section or \"end\"" : "\"subject to\"");
        if (!(seen & 1u << SCAN_CONSTRAINTS) && section != SCAN_CONSTRAINTS)
            return scan_expected(&r->at, "\"subject to\"");
        if (section == SCAN_FINISH)
            return true;
        seen |= 1u << section;
        r->at = last;
        if (!scan_next(&r->at))
            return false;
        while (r->at.kind != SCAN_END && !may_end(r)) {
            if (section == SCAN_REFUSED)
                return scan_fail(&header, "%s are not supported", scan_refused(&header));
            const bool good = section == SCAN_CONSTRAINTS ? read_constraint(r)
                              : section == SCAN_BOUNDS    ? read_bound(r)
                                                       : read_integer(r, section == SCAN_BINARIES);
            if (!good)
                return false;
        }
    }
}

/* ---- the model ------------------------------------------------------------ */

/* Returns the name of a row. Constraints without a label are called r1, r2, ... by their
 * position, or longer if a label is the same. */
static const char *row_name(lp_reader *r, int row)
{
    char name[64];
    snprintf(name, sizeof name, "r%d", row + 1);
    for (int k = 1; r->label[row] < 0; k++) {
        r->label[row] = lp_names_add(r->labels, name);
        snprintf(name, sizeof name, "r%d_%d", row + 1, k);
    }
    return lp_names_get(r->labels, r->label[row]);
}

/* Returns the model of everything read. */
static lp_model *make_model(lp_reader *r)
{
    const double sign = r->maximize ? -1.0 : 1.0;
    lp_model *m = lp_model_create();
    m->maximize = r->maximize;
    m->offset = r->offset == 0.0 ? 0.0 : sign * r->offset;
    for (int j = 0; j < lp_names_count(r->cols); j++) {
        const lp_column *col = &r->col[j];
        lp_model_add_col(m, col->cost == 0.0 ? 0.0 : sign * col->cost, col->lower, col->upper,
                         col->integer, 0, NULL, NULL, lp_names_get(r->cols, j));
    }
    const lp_row_list *rows = &r->rows;
    const char **names = base_malloc((size_t)rows->count + 1, sizeof *names);
    for (int row = 0; row < rows->count; row++)
        names[row] = row_name(r, row);
    lp_model_add_rows(m, rows->count, rows->lower, rows->upper, rows->start, rows->col, rows->value,
                      (char *const *)names);
    base_free(names);
    return m;
}

/* Sums of finite coefficients may overflow. */
static bool is_finite(const lp_reader *r)
{
    for (int k = 0; k < r->rows.entries; k++)
        if (!isfinite(r->rows.value[k]))
            return scan_fail(&r->at, "the coefficients of \"%s\" in a constraint overflow",
                             lp_file_quoted(lp_names_get(r->cols, r->rows.col[k])).text);
    for (int j = 0; j < lp_names_count(r->cols); j++)
        if (!isfinite(r->col[j].cost))
            return scan_fail(&r->at, "the coefficients of \"%s\" in the objective overflow",
                             lp_file_quoted(lp_names_get(r->cols, j)).text);
    return true;
}

lp_model *lp_read_lp(const char *path, const char *text, base_error *error)
{
    lp_reader r = {.maximize = false};
    lp_model *m = NULL;
    r.cols = lp_names_create();
    r.labels = lp_names_create();
    if (scan_open(&r.at, path, text, error) && read_sections(&r) && is_finite(&r))
        m = make_model(&r);
    lp_names_free(r.cols);
    lp_names_free(r.labels);
    base_free_all(r.text, r.col, r.label);
    lp_row_list_free(&r.rows);
    return m;
}
