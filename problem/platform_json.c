/* Platforms as JSON files, built-in ones by name. */
#include <assert.h>
#include <string.h>

#include "problem/json.h"
#include "problem/strict.h"

enum { FIELD_COUNT = 8 };

/* The numbers of a platform, in the order in which files list them. */
static const char *const field_name[FIELD_COUNT] = {
    "flops_per_second",        "flops_per_joule",          "compute_watts",
    "storage_watts",           "pagein_latency_seconds",   "pagein_bytes_per_second",
    "pageout_latency_seconds", "pageout_bytes_per_second",
};

static double *field_of(platform *p, int k)
{
    double *const fields[FIELD_COUNT] = {
        &p->flops_per_second,        &p->flops_per_joule,          &p->compute_watts,
        &p->storage_watts,           &p->pagein_latency_seconds,   &p->pagein_bytes_per_second,
        &p->pageout_latency_seconds, &p->pageout_bytes_per_second,
    };
    return fields[k];
}

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
    strict_field fields[FIELD_COUNT + 2] = {
        STRICT_KEY("name", STRICT_STRING, &name, .required = true),
        STRICT_KEY("note", STRICT_STRING, &note)};
    for (int k = 0; k < FIELD_COUNT; k++)
        fields[2 + k] =
            (strict_field)STRICT_KEY(field_name[k], STRICT_REAL, field_of(p, k),
                                     .required = strcmp(field_name[k], "compute_watts") != 0);
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

static int take_root(json_t *root, const char *name, platform *p, base_error *error)
{
    const strict_place file = strict_file(name);
    int status = platform_from_json(root, &file, p, error);
    json_decref(root);
    return status;
}

static int platform_read(const char *path, platform *p, base_error *error)
{
    json_t *root;
    return strict_load(path, &root, error) ? -1 : take_root(root, path, p, error);
}

int platform_parse(const char *text, size_t size, const char *name, platform *p, base_error *error)
{
    json_t *root;
    return strict_parse(text, size, name, NULL, &root, error) ? -1
                                                              : take_root(root, name, p, error);
}

int platform_load(const char *text, platform *p, base_error *error)
{
    const platform *builtin = platform_find(text);
    if (builtin) {
        *p = *builtin;
        return 0;
    }
    if (json_names_file(text))
        return platform_read(text, p, error);
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
    platform copy = *p;
    for (int k = 0; k < FIELD_COUNT; k++) {
        fprintf(out, ",\n  \"%s\": ", field_name[k]);
        strict_print_real(*field_of(&copy, k), out);
    }
    fputs("}", out);
}
