/* Operators, shapes and notes of a graph file. The program keeps them and writes them again. */
#include <string.h>

#include "problem/graph_json.h"

/* Longest shape of a tensor. */
enum { MOST_DIMENSIONS = 64 };

static int check_shape(const json_t *value, const strict_place *place, base_error *error)
{
    if (strict_array(value, place, 0, MOST_DIMENSIONS, error))
        return -1;
    for (size_t k = 0; k < json_array_size(value); k++) {
        int64_t side;
        const strict_place element = strict_index(place, k);
        if (strict_integer(json_array_get(value, k), &element, 0, GRAPH_MAX_BYTES, &side, error))
            return -1;
    }
    return 0;
}

/* The members of an object as text, without its braces. */
static char *members_text(const json_t *object)
{
    const size_t flags = JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17);
    const size_t size = json_dumpb(object, NULL, 0, flags);
    char *text = base_malloc(size + 1, 1);
    json_dumpb(object, text, size, flags);
    memmove(text, text + 1, size - 2);
    text[size - 2] = '\0';
    return text;
}

int graph_note_from_json(const json_t *object, const strict_place *place, char **note,
                         base_error *error)
{
    static const char *const keys[] = {"op", "shape", "notes"};
    const json_t *shape = json_object_get(object, "shape");
    const strict_place here = strict_key(place, "shape");
    *note = NULL;
    if (shape && check_shape(shape, &here, error))
        return -1;
    json_t *kept = json_object();
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (json_object_get(object, keys[k]))
            json_object_set(kept, keys[k], json_object_get(object, keys[k]));
    if (json_object_size(kept) > 0)
        *note = members_text(kept);
    json_decref(kept);
    return 0;
}
