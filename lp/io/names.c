/* A hash table of names: open addressing with linear probing, at most half of the slots taken.
 * Names of a model as a format can hold them. */
#include "lp/io/names.h"

#include <assert.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/base.h"

typedef struct slot {
    uint32_t hash;
    int number; /* -1: empty */
} slot;

struct lp_names {
    char **name; /* extent count, room for capacity */
    int count, capacity;
    slot *slots;
    size_t mask; /* number of slots, a power of two, less one */
};

/* FNV-1a with a final mix, since linear probing uses the low bits only. */
static uint32_t hash_name(const char *name)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (const unsigned char *p = (const unsigned char *)name; *p; p++)
        h = (h ^ *p) * 0x100000001b3u;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9u;
    return (uint32_t)(h >> 32);
}

static void make_slots(lp_names *names, size_t count)
{
    names->slots = base_malloc(count, sizeof *names->slots);
    names->mask = count - 1;
    for (size_t i = 0; i < count; i++)
        names->slots[i].number = -1;
}

lp_names *lp_names_create(void)
{
    lp_names *names = base_calloc(1, sizeof *names);
    make_slots(names, 64);
    return names;
}

void lp_names_free(lp_names *names)
{
    for (int k = 0; k < names->count; k++)
        base_free(names->name[k]);
    base_free_all(names->name, names->slots, names);
}

/* Returns the slot of a name, or the empty slot where it belongs. */
static size_t find_slot(const lp_names *names, const char *name, uint32_t hash)
{
    size_t i = hash & names->mask;
    while (names->slots[i].number >= 0 &&
           (names->slots[i].hash != hash || strcmp(names->name[names->slots[i].number], name) != 0))
        i = (i + 1) & names->mask;
    return i;
}

static void double_slots(lp_names *names)
{
    slot *old = names->slots;
    const size_t old_count = names->mask + 1;
    make_slots(names, 2 * old_count);
    for (size_t k = 0; k < old_count; k++)
        if (old[k].number >= 0)
            names->slots[find_slot(names, names->name[old[k].number], old[k].hash)] = old[k];
    base_free(old);
}

int lp_names_find(const lp_names *names, const char *name)
{
    return names->slots[find_slot(names, name, hash_name(name))].number;
}

int lp_names_add(lp_names *names, const char *name)
{
    const uint32_t hash = hash_name(name);
    size_t i = find_slot(names, name, hash);
    if (names->slots[i].number >= 0)
        return -1;
    assert(names->count < INT_MAX);
    names->name = base_grow(names->name, names->count, &names->capacity, sizeof *names->name);
    names->name[names->count] = base_strdup(name);
    names->slots[i] = (slot){hash, names->count++};
    if ((size_t)names->count * 2 > names->mask)
        double_slots(names);
    return names->count - 1;
}

int lp_names_count(const lp_names *names)
{
    return names->count;
}

const char *lp_names_get(const lp_names *names, int number)
{
    assert(number >= 0 && number < names->count);
    return names->name[number];
}

/* ---- names that a format can hold ------------------------------------------ */

static const size_t longest_name = 255; /* limit of CPLEX and GLPK */

static bool is_taken(const lp_names *names, const char *name, const char *const *taken)
{
    if (lp_names_find(names, name) >= 0)
        return true;
    for (; taken && *taken; taken++)
        if (!strcasecmp(*taken, name))
            return true;
    return false;
}

lp_names *lp_file_safe_names(char *const *names, int count, char prefix,
                             bool (*legal)(const char *text, size_t position),
                             const char *const *taken)
{
    lp_names *safe = lp_names_create();
    for (int k = 0; k < count; k++) {
        char text[300];
        size_t length = 0;
        if (names && names[k] && names[k][0]) {
            length = strnlen(names[k], longest_name);
            memcpy(text, names[k], length);
            text[length] = '\0';
            for (size_t i = 0; i < length; i++)
                if (!legal(text, i))
                    text[i] = '_';
        } else {
            length = (size_t)snprintf(text, sizeof text, "%c%d", prefix, k + 1);
        }
        /* A number at the end separates coinciding names. */
        const size_t stem = length < longest_name - 24 ? length : longest_name - 24;
        for (long attempt = 1; is_taken(safe, text, taken); attempt++)
            snprintf(text + stem, sizeof text - stem, "_%d_%ld", k + 1, attempt);
        lp_names_add(safe, text);
        assert(safe->count == k + 1);
    }
    return safe;
}
