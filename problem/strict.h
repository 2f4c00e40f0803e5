/* problem/strict: access to JSON values that refuses every unexpected value, for the readers of
 * this room. Every function returns 0, or -1 with an error "FILE: PLACE: the fault". */
#ifndef PROBLEM_STRICT_H
#define PROBLEM_STRICT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

/* Where a value stands: a chain of keys and indices that ends at the file. Lives
 * on the stack of the readers; turned into text only for an error. */
typedef struct strict_place {
    const struct strict_place *parent; /* NULL: the file itself */
    const char *key;                   /* file name, or key in the parent; NULL: an index */
    size_t index;
} strict_place;

static inline strict_place strict_file(const char *path)
{
    const bool standard = path[0] == '-' && !path[1];
    return (strict_place){.key = standard ? "standard input" : path};
}

static inline strict_place strict_key(const strict_place *parent, const char *key)
{
    return (strict_place){.parent = parent, .key = key};
}

static inline strict_place strict_index(const strict_place *parent, size_t index)
{
    return (strict_place){.parent = parent, .index = index};
}

/* -1 with "FILE: PLACE: message". */
int strict_fail(const strict_place *place, base_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Parses a text; *root is a new reference to an object. name: what errors call the text; with text
 * NULL the file that is read. *length gets the length of the object, after which anything may
 * follow; with NULL only blanks may. */
int strict_parse(const char *text, size_t size, const char *name, size_t *length, json_t **root,
                 base_error *error);

/* A key of an object: kind and range of its value, and where the value goes. */
typedef enum strict_kind {
    STRICT_ANY,     /* nowhere: the caller reads it */
    STRICT_STRING,  /* const char *: borrowed from the object; plain (base_text_plain) */
    STRICT_BOOL,    /* bool */
    STRICT_INT,     /* int: an integer in least..most */
    STRICT_INTEGER, /* int64_t: likewise */
    STRICT_REAL,    /* double: finite, >= 0 */
    STRICT_SIGNED   /* double: finite */
} strict_kind;

typedef struct strict_field {
    const char *key;
    strict_kind kind;
    void *target; /* stays as it is where the key is missing */
    int64_t least, most;
    bool required, nullable; /* nullable: null stands for a missing key */
} strict_field;

/* STRICT_KEY(key, kind, target, .least = 0, .most = 9, .required = true) */
#define STRICT_KEY(name, what, to, ...)                                                            \
    {                                                                                              \
        .key = (name), .kind = (what), .target = (to), __VA_ARGS__                                 \
    }

/* Reads the value, an object with all required keys and no others than these `count` ones. */
int strict_read(const json_t *value, const strict_place *place, const strict_field *field,
                size_t count, base_error *error);
/* The same for an array of fields. */
#define STRICT_READ(value, place, field, error)                                                    \
    strict_read(value, place, field, sizeof(field) / sizeof *(field), error)

/* The value is an array of least..most elements. */
int strict_array(const json_t *value, const strict_place *place, size_t least, size_t most,
                 base_error *error);

/* The value is an integer in least..most. */
int strict_integer(const json_t *value, const strict_place *place, int64_t least, int64_t most,
                   int64_t *result, base_error *error);

/* ---- writing --------------------------------------------------------------- */

/* A JSON string with its quotes, cleaned, so that the readers take it; NULL as "". */
void strict_print_string(const char *text, FILE *out);
/* The shortest text that reads as value; null unless finite. */
void strict_print_real(double value, FILE *out);

#endif
