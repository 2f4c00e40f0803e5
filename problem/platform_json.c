/* Platforms as JSON files, built-in ones by name. */
#include <assert.h>
#include <string.h>

#include "problem/json.h"
#include "problem/strict.h"

static int copy_text(const char *key, const char *text, char *target, size_t size,
                     const strict_place *place, base_error *error)
{
    const strict_place here = strict_key(place, key);
    const size_t length = strlen(text);
    if (length >= size)
        return strict_fail(&here, error, "longer than %zu bytes", size - 1);
    memcpy(target, text, length + 1);
    return 0;
}

static int platform_from_json(const json_t *value, const strict_place *file, platform *p,
                              base_error *error)
{
    const char *name = "", *note = "";
    strict_field fields[PLATFORM_FIELDS + 2] = {
        STRICT_KEY("name", STRICT_STRING, &name, .required = true),
        STRICT_KEY("note", STRICT_STRING, &note)};
    for (int k = 0; k < PLATFORM_FIELDS; k++) {
        const char *key = platform_fields[k].key;
        fields[2 + k] = (strict_field)STRICT_KEY(key, STRICT_REAL, platform_number(p, k),
                                                 .required = strcmp(key, "compute_watts") != 0);
    }
    memset(p, 0, sizeof *p);
    if (STRICT_READ(value, file, fields, error) ||
        copy_text("name", name, p->name, sizeof p->name, file, error) ||
        copy_text("note", note, p->note, sizeof p->note, file, error))
        return -1;
    if (!json_object_get(value, "compute_watts"))
        p->compute_watts = p->flops_per_second / p->flops_per_joule;
    base_error why;
    if (platform_check(p, &why))
        return strict_fail(file, error, "%s", why.text);
    const strict_place place = strict_key(file, "name");
    if (!*p->name)
        return strict_fail(&place, error, "a name is expected");
    if (platform_find(p->name))
        return strict_fail(&place, error, "\"%s\" is a built-in platform; another name is expected",
                           p->name);
    return 0;
}

int platform_parse(const char *text, size_t size, const char *name, platform *p, base_error *error)
{
    json_t *root;
    const strict_place file = strict_file(name);
    if (strict_parse(text, size, name, NULL, &root, error))
        return -1;
    const int status = platform_from_json(root, &file, p, error);
    json_decref(root);
    return status;
}

int platform_load(const char *text, platform *p, base_error *error)
{
    const platform *builtin = platform_find(text);
    if (builtin) {
        *p = *builtin;
        return 0;
    }
    if (json_names_file(text))
        return platform_parse(NULL, 0, text, p, error);
    char known[512] = "";
    size_t used = 0;
    for (int i = 0; platform_builtin(i); i++) {
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "",
                                 platform_builtin(i)->name);
        assert(used < sizeof known);
    }
    return base_fail(error, "unknown platform \"%s\"; %s or a file NAME.json is expected", text,
                     known);
}

void platform_print(const platform *p, FILE *out)
{
    fputs("{\"name\": ", out);
    strict_print_string(p->name, out);
    fputs(", \"note\": ", out);
    strict_print_string(p->note, out);
    for (int k = 0; k < PLATFORM_FIELDS; k++) {
        fprintf(out, ",\n  \"%s\": ", platform_fields[k].key);
        strict_print_real(*platform_number(p, k), out);
    }
    fputs("}", out);
}
