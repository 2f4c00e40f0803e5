/* lp/io/scan: the words of a CPLEX-LP file. Private to lp/. */
#ifndef LP_SCAN_H
#define LP_SCAN_H

#include "lp/io/file.h"

typedef enum scan_kind {
    SCAN_END, /* of the text */
    SCAN_NUMBER,
    SCAN_NAME,
    SCAN_PLUS,
    SCAN_MINUS,
    SCAN_LE, /* <, <=, =< */
    SCAN_GE,
    SCAN_EQ,
    SCAN_COLON,
    SCAN_ARROW,  /* ->, of indicator constraints */
    SCAN_STRANGE /* a character that starts none of these */
} scan_kind;

/* Sections. */
typedef enum scan_section {
    SCAN_NO_SECTION,
    SCAN_MINIMIZE,
    SCAN_MAXIMIZE,
    SCAN_CONSTRAINTS,
    SCAN_BOUNDS,
    SCAN_GENERALS,
    SCAN_BINARIES,
    SCAN_FINISH,
    SCAN_REFUSED /* semi-continuous, SOS, lazy constraints and the like: accepted only if empty */
} scan_section;

/* The scanner stands at one word. Copying the struct saves the place. */
typedef struct scanner {
    const char *path;
    base_error *error;
    const char *start, *end; /* of the word */
    const char *line_start;
    long line;
    bool first; /* the first word of its line */
    scan_kind kind;
    double number; /* of a SCAN_NUMBER */
} scanner;

/* Opens a text at its first word. False with an error. */
bool scan_open(scanner *s, const char *path, const char *text, base_error *error);
/* Moves to the next word. False with an error: a number out of range. */
bool scan_next(scanner *s);
/* Returns the kind of the next word; SCAN_END also if it cannot be read. */
scan_kind scan_peek(const scanner *s);
/* Returns the section that the present word begins, if it is the first of its line; *last gets
 * the last word of the keyword. SCAN_NO_SECTION if the word is no keyword, or a label. */
scan_section scan_section_here(const scanner *s, scanner *last);
/* The same for a word in the middle of a line, which may also be the name of a variable. Unless
 * `sure`, the next word decides. Never returns an objective. */
scan_section scan_section_inside(const scanner *s, bool sure, scanner *last);
/* Describes the SCAN_REFUSED section that begins here; NULL if none begins. */
const char *scan_refused(const scanner *s);
/* True if the present word is inf or infinity. */
bool scan_is_infinity(const scanner *s);
/* True if the present word is `word`, in any case of letters. */
bool scan_is_word(const scanner *s, const char *word);
/* Returns the present word as a string in *room, which grows as needed; the caller frees it with
 * base_free. */
const char *scan_text(const scanner *s, char **room, size_t *size);
/* Writes the error "path:line:column: found ..., expected ...". If the present word belongs to an
 * unsupported feature, the error names the feature. Returns false. */
bool scan_expected(const scanner *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Writes the error "path:line:column: ..."; returns false. */
bool scan_fail(const scanner *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
