/* Strict JSON: unknown keys, wrong kinds, numbers out of range or too small for a double are
 * errors, each with the path to its place in the file. */
#include "problem/strict.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "problem/json.h"

/* Appends the path from the file down to place, the file's name excluded. */
static void print_place(const strict_place *place, char *text, size_t size)
{
    if (!place->parent)
        return;
    print_place(place->parent, text, size);
    size_t used = strlen(text);
    if (place->key)
        snprintf(text + used, size - used, "%s%s", used ? "." : "", place->key);
    else
        snprintf(text + used, size - used, "[%zu]", place->index);
}

int strict_fail(const strict_place *place, base_error *error, const char *format, ...)
{
    char where[256] = "", message[512];
    const strict_place *file = place;
    while (file->parent)
        file = file->parent;
    print_place(place, where, sizeof where);
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return base_fail(error, "%s: %s%s%s", file->key, where, *where ? ": " : "", message);
}

/* True if the number of `length` characters is not 0 but reads as 0, or loses digits. */
static bool underflows(const char *number, size_t length)
{
    if (!memchr(number, 'e', length) && !memchr(number, 'E', length) && length < DBL_MAX_10_EXP)
        return false;
    bool zero = true;
    for (size_t k = 0; k < length && number[k] != 'e' && number[k] != 'E'; k++)
        zero = zero && (number[k] == '.' || number[k] == '0');
    return !zero && strtod(number, NULL) < DBL_MIN;
}

/* No number of the valid JSON text is so small that its digits are lost. 0, or -1 with an error. */
static int strict_numbers(const char *text, size_t size, const strict_place *file,
                          base_error *error)
{
    int line = 1;
    for (const char *at = text, *end = text + size; at < end; at++) {
        line += *at == '\n';
        if (*at == '"') {
            for (at++; *at != '"'; at++)
                at += *at == '\\';
        } else if (*at >= '0' && *at <= '9') {
            size_t length = strspn(at, "0123456789.eE+-");
            if (underflows(at, length))
                return strict_fail(file, error, "line %d: %.*s is too small for a double", line,
                                   length < 40 ? (int)length : 40, at);
            at += length - 1;
        }
    }
    return 0;
}

int strict_parse(const char *text, size_t size, const char *name, size_t *length, json_t **root,
                 base_error *error)
{
    char *read = text ? NULL : base_file_read(name, JSON_FILE_LIMIT, &size, error);
    if (!text && !read)
        return -1;
    const strict_place file = strict_file(name);
    const size_t flags = JSON_REJECT_DUPLICATES | (length ? JSON_DISABLE_EOF_CHECK : 0);
    json_error_t why;
    int failed = 0;
    text = read ? read : text;
    *root = json_loadb(text, size, flags, &why);
    if (!*root)
        failed =
            strict_fail(&file, error, "line %d, column %d: %s", why.line, why.column, why.text);
    else if (!json_is_object(*root))
        failed = strict_fail(&file, error, "an object {...} is expected");
    else
        failed = strict_numbers(text, length ? (size_t)why.position : size, &file, error);
    if (failed)
        json_decref(*root);
    else if (length)
        *length = (size_t)why.position;
    base_free(read);
    return failed;
}

bool json_names_file(const char *text)
{
    return strchr(text, '/') || base_path_ends(text, ".json");
}

static const char *kind_of(const json_t *value)
{
    static const char *const kind[] = {
        [JSON_OBJECT] = "an object",   [JSON_ARRAY] = "an array",     [JSON_STRING] = "a string",
        [JSON_INTEGER] = "an integer", [JSON_REAL] = "a real number", [JSON_TRUE] = "a boolean",
        [JSON_FALSE] = "a boolean",    [JSON_NULL] = "null",
    };
    return kind[json_typeof(value)];
}

static const strict_field *find_field(const strict_field *field, size_t count, const char *key)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(field[k].key, key) == 0)
            return &field[k];
    return NULL;
}

/* The kind of file that a foreign key suggests; NULL: none. */
static const char *suggested_kind(const json_t *root, const strict_field *field, size_t count)
{
    static const char *const kinds[][2] = {{"nodes", "a graph"},
                                           {"steps", "a plan"},
                                           {"R", "a schedule"},
                                           {"flops_per_second", "a platform"}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (json_object_get(root, kinds[k][0]) && !find_field(field, count, kinds[k][0]))
            return kinds[k][1];
    return NULL;
}

int strict_array(const json_t *value, const strict_place *place, size_t least, size_t most,
                 base_error *error)
{
    if (!json_is_array(value))
        return strict_fail(place, error, "an array [...] is expected, not %s", kind_of(value));
    size_t size = json_array_size(value);
    if (size < least || size > most)
        return strict_fail(place, error, "%zu elements; %zu to %zu are expected", size, least,
                           most);
    return 0;
}

int strict_integer(const json_t *value, const strict_place *place, int64_t least, int64_t most,
                   int64_t *result, base_error *error)
{
    if (!json_is_integer(value))
        return strict_fail(place, error, "an integer is expected, not %s", kind_of(value));
    int64_t number = json_integer_value(value);
    if (number < least || number > most)
        return strict_fail(place, error, "%lld is out of range; %lld to %lld is expected",
                           (long long)number, (long long)least, (long long)most);
    *result = number;
    return 0;
}

static int read_real(const json_t *value, const strict_place *place, bool negative, double *result,
                     base_error *error)
{
    if (!json_is_number(value))
        return strict_fail(place, error, "a number is expected, not %s", kind_of(value));
    const double number = json_number_value(value);
    if (!isfinite(number) || (number < 0.0 && !negative))
        return strict_fail(place, error, "%.17g; a finite number%s is expected", number,
                           negative ? "" : " >= 0");
    *result = number + 0.0; /* no -0 */
    return 0;
}

static int read_field(const json_t *value, const strict_place *place, const strict_field *f,
                      base_error *error)
{
    int64_t integer = 0;
    switch (f->kind) {
    case STRICT_ANY:
        break;
    case STRICT_STRING:
        if (!json_is_string(value))
            return strict_fail(place, error, "a string is expected, not %s", kind_of(value));
        if (!base_text_plain(json_string_value(value)))
            return strict_fail(place, error, "a text without control characters is expected");
        *(const char **)f->target = json_string_value(value);
        break;
    case STRICT_BOOL:
        if (!json_is_boolean(value))
            return strict_fail(place, error, "true or false is expected, not %s", kind_of(value));
        *(bool *)f->target = json_is_true(value);
        break;
    case STRICT_INT:
        if (strict_integer(value, place, f->least, f->most, &integer, error))
            return -1;
        *(int *)f->target = (int)integer;
        break;
    case STRICT_INTEGER:
        return strict_integer(value, place, f->least, f->most, f->target, error);
    case STRICT_REAL:
    case STRICT_SIGNED:
        return read_real(value, place, f->kind == STRICT_SIGNED, f->target, error);
    }
    return 0;
}

int strict_read(const json_t *value, const strict_place *place, const strict_field *field,
                size_t count, base_error *error)
{
    if (!json_is_object(value))
        return strict_fail(place, error, "an object {...} is expected, not %s", kind_of(value));
    json_t *object = (json_t *)value; /* iteration is declared for mutable objects only */
    for (void *it = json_object_iter(object); it; it = json_object_iter_next(object, it)) {
        const char *key = json_object_iter_key(it);
        const char *kind = place->parent ? NULL : suggested_kind(value, field, count);
        if (!find_field(field, count, key))
            return strict_fail(place, error, "unknown key \"%s\"%s%s", key,
                               kind ? ": the file seems to be " : "", kind ? kind : "");
    }
    for (size_t k = 0; k < count; k++)
        if (field[k].required && !json_object_get(value, field[k].key))
            return strict_fail(place, error, "key \"%s\" is missing", field[k].key);
    for (size_t k = 0; k < count; k++) {
        const json_t *member = json_object_get(value, field[k].key);
        const strict_place here = strict_key(place, field[k].key);
        if (member && !(field[k].nullable && json_is_null(member)) &&
            read_field(member, &here, &field[k], error))
            return -1;
    }
    return 0;
}

void strict_print_string(const char *text, FILE *out)
{
    char *clean = base_strdup(text ? text : "");
    base_text_clean(clean);
    json_t *string = json_string(clean);
    json_dumpf(string, out, JSON_ENCODE_ANY);
    json_decref(string);
    base_free(clean);
}

void strict_print_real(double value, FILE *out)
{
    if (isfinite(value))
        fputs(base_number_shortest(value).text, out);
    else
        fputs("null", out);
}
