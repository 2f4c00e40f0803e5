/* lp/io/mps: the state of the MPS reader and its lines and fields. Private to lp/. */
#ifndef LP_MPS_H
#define LP_MPS_H

#include "lp/io/file.h"
#include "lp/io/names.h"

enum { OBJECTIVE = -1, DROPPED = -2 }; /* in place of the number of a row */
enum { FIELDS = 6 };

typedef enum section {
    NO_SECTION,
    SECTION_NAME,
    SECTION_OBJSENSE,
    SECTION_OBJNAME,
    SECTION_ROWS,
    SECTION_COLUMNS,
    SECTION_RHS,
    SECTION_RANGES,
    SECTION_BOUNDS,
    SECTION_ENDATA
} section;

typedef struct mps_row {
    char type;  /* N, L, G, E */
    int number; /* row of the model, or OBJECTIVE or DROPPED */
    bool has_rhs, has_range;
    double rhs, range;
    int last_col; /* column of the last entry read here, to find duplicates */
} mps_row;

typedef struct mps_col {
    bool marked;      /* between integer markers */
    bool bounded;     /* has a BOUNDS record */
    bool lower_given; /* has a BOUNDS record that sets the lower bound */
} mps_col;

typedef struct mps_reader {
    const char *path;
    const char *next; /* text not yet read */
    bool fixed;
    base_error *error;
    long line;
    char *buffer; /* the present line, cut into fields */
    size_t buffer_size;
    /* Fields 1-6 of the present line in the meaning of fixed format; NULL: absent. */
    char *field[FIELDS];
    int place[FIELDS]; /* number of each field in messages */
    section section;
    unsigned seen; /* bit s: section s has begun */
    lp_model *m;
    lp_names *row_names, *col_names;
    mps_row *row;
    mps_col *col;
    int row_room, col_room;
    char *objective_name;      /* from OBJNAME; NULL: the first N row */
    char *set[SECTION_ENDATA]; /* the first set named in RHS, RANGES, BOUNDS */
    bool has_objective, in_marker;
    /* the column being read */
    int open_col, count, entry_room;
    double open_cost;
    int *entry_row;
    double *entry_value;
} mps_reader;

/* Writes the error "path:line: ..."; returns false. */
bool mps_fail(mps_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts the next line, without its end and trailing blanks, into the buffer. False at
 * the end of the text. */
bool mps_read_line(mps_reader *r);
/* Cuts the data line in the buffer into r->field. */
bool mps_split(mps_reader *r);
/* True if field f can be a name; else writes an error. */
bool mps_field_plain(mps_reader *r, int f);
/* Reads the number in field f; false with an error. */
bool mps_field_number(mps_reader *r, int f, bool infinity_allowed, double *value);
/* Returns the row that field f names; NULL with an error if there is none. */
mps_row *mps_field_row(mps_reader *r, int f);
/* True if a bound of this type (any case) needs a number. */
bool mps_bound_needs_number(const char *type);
/* True if the record has no set, or the first set that its section names. */
bool mps_in_first_set(mps_reader *r);

#endif
