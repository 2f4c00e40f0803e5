/* Every call of the library runs under a guard: lack of memory is an error, not the end of the
 * caller. Blocks that GMP and jansson allocate in a call belong to its guard. */
#include <gmp.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "library/library.h"
#include "problem/json.h"

/* ---- the memory of jansson and GMP --------------------------------------------------------- */

/* jansson and GMP have one pair of memory functions for the whole process. While a step of this
 * library runs, the calling thread has a guard (base/base.h): memory allocated then belongs to
 * the guard and is freed with it when the step is given up. Outside of steps, and in callbacks of
 * the caller, there is no guard, and the memory functions from before are called. No memory of
 * jansson or GMP outlives a step. */
static json_malloc_t json_allocate;
static json_free_t json_release;
static void *(*gmp_allocate)(size_t);
static void *(*gmp_reallocate)(void *, size_t, size_t);
static void (*gmp_release)(void *, size_t);

static void *allocate_json(size_t size)
{
    return base_guard_current() ? base_malloc(size, 1) : json_allocate(size);
}

static void release_json(void *block)
{
    if (base_guard_current())
        base_free(block);
    else
        json_release(block);
}

static void *allocate_gmp(size_t size)
{
    return base_guard_current() ? base_malloc(size, 1) : gmp_allocate(size);
}

static void *reallocate_gmp(void *block, size_t before, size_t size)
{
    return base_guard_current() ? base_realloc(block, size, 1)
                                : gmp_reallocate(block, before, size);
}

static void release_gmp(void *block, size_t size)
{
    if (base_guard_current())
        base_free(block);
    else
        gmp_release(block, size);
}

/* Runs before main, or as part of dlopen; the library is never unloaded (Makefile: -z nodelete). */
__attribute__((constructor)) void library_count_memory(void)
{
    static bool done;
    if (done)
        return;
    done = true;
    json_get_alloc_funcs(&json_allocate, &json_release);
    json_set_alloc_funcs(allocate_json, release_json);
    mp_get_memory_functions(&gmp_allocate, &gmp_reallocate, &gmp_release);
    mp_set_memory_functions(allocate_gmp, reallocate_gmp, release_gmp);
}

/* ---- steps --------------------------------------------------------------------------------- */

int library_fail(const base_error *why, poetbnb_error *error)
{
    if (error)
        snprintf(error->text, sizeof error->text, "%s", why->text);
    return -1;
}

static bool out_of_memory(poetbnb_error *error)
{
    static const base_error why = {"out of memory"};
    library_fail(&why, error);
    return false;
}

bool library_run(void (*step)(void *), void *context, poetbnb_error *error)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain)
        return out_of_memory(error);
    const locale_t before = uselocale(plain);
    const base_stop why = base_try_apart(step, context);
    uselocale(before);
    freelocale(plain);
    return why == BASE_GO || out_of_memory(error);
}

typedef struct printing {
    int (*print)(void *context, FILE *stream, base_error *error);
    void *context;
    FILE *stream;
    base_error error;
    int failed;
} printing;

static void print_step(void *data)
{
    printing *p = data;
    p->failed = p->print(p->context, p->stream, &p->error);
}

char *library_block(int (*print)(void *context, FILE *stream, base_error *error), void *context,
                    size_t *length, poetbnb_error *error)
{
    char *text = NULL;
    size_t size = 0;
    printing p = {.print = print, .context = context, .stream = open_memstream(&text, &size)};
    bool done = p.stream ? library_run(print_step, &p, error) : out_of_memory(error);
    if (done && p.failed)
        done = library_fail(&p.error, error) == 0;
    if (p.stream && fclose(p.stream) != 0 && done)
        done = out_of_memory(error);
    if (done) {
        if (length)
            *length = size;
        return text;
    }
    free(text);
    return NULL;
}

void poetbnb_free(void *block)
{
    free(block);
}

const char *poetbnb_version(void)
{
    return BASE_VERSION;
}
