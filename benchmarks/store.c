/* Keeps results in a folder by name and by a checksum of the program; a result that a shorter
 * limit cut off is none for a longer one. */
#include "benchmarks/store.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const uint64_t fnv_start = UINT64_C(14695981039346656037);

static uint64_t fnv(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t k = 0; k < size; k++)
        hash = (hash ^ bytes[k]) * UINT64_C(1099511628211);
    return hash;
}

static int make_folder(const char *path, base_error *error)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return base_fail(error, "%s: %s", path, strerror(errno));
    return 0;
}

int bench_store_open(const char *program, const char *folder, bench_store *store, base_error *error)
{
    enum { PROGRAM_LIMIT = 1 << 30 };
    size_t size;
    char path[STORE_PATH];
    char *bytes = base_file_read(program, PROGRAM_LIMIT, &size, error);
    if (!bytes)
        return -1;
    *store =
        (bench_store){.program = program, .version = fnv(fnv_start, bytes, size), .folder = folder};
    base_free(bytes);
    for (const char *at = strchr(folder + 1, '/'); at; at = strchr(at + 1, '/')) {
        snprintf(path, sizeof path, "%.*s", (int)(at - folder), folder);
        if (make_folder(path, error))
            return -1;
    }
    snprintf(path, sizeof path, "%s/points", folder);
    return make_folder(folder, error) || make_folder(path, error) ? -1 : 0;
}

/* True if more time could change the result. */
static bool cut_off(const json_t *result)
{
    return json_integer_value(json_object_get(result, "exit")) >= 4;
}

/* The result in the file, if it serves for the limit. */
static json_t *load(const char *path, double limit)
{
    json_error_t ignored;
    json_t *result = json_load_file(path, 0, &ignored);
    if (json_is_object(result) &&
        (!cut_off(result) || json_number_value(json_object_get(result, "limit")) >= limit))
        return result;
    json_decref(result);
    return NULL;
}

/* Steals the result. */
static int save(const char *path, json_t *result, base_error *error)
{
    base_output *out = base_output_open(path, error);
    if (out) {
        json_dumpf(result, base_output_stream(out), JSON_INDENT(1) | JSON_REAL_PRECISION(17));
        fputc('\n', base_output_stream(out));
    }
    json_decref(result);
    return out ? base_output_commit(out, error) : -1;
}

void bench_store_named_path(const bench_store *store, const char *name, const char *suffix,
                            char path[STORE_PATH])
{
    snprintf(path, STORE_PATH, "%s/points/%s.%s", store->folder, name, suffix);
}

static json_t *version_text(const bench_store *store)
{
    return json_sprintf("%016" PRIx64, store->version);
}

json_t *bench_store_load_named(const bench_store *store, const char *name, double limit)
{
    char path[STORE_PATH];
    bench_store_named_path(store, name, "json", path);
    json_t *result = load(path, limit), *version = version_text(store);
    if (result && !json_equal(json_object_get(result, "program"), version)) {
        json_decref(result);
        result = NULL;
    }
    json_decref(version);
    return result;
}

int bench_store_save_named(const bench_store *store, const char *name, json_t *result,
                           base_error *error)
{
    char path[STORE_PATH];
    bench_store_named_path(store, name, "json", path);
    json_object_set_new(result, "program", version_text(store));
    return save(path, result, error);
}
