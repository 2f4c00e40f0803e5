/* Parameters by their full names, as texts have them. */
#include "exact/parameters.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

const exact_room exact_rooms[EXACT_ROOMS] = {
    {&exact_parameters, 0},
    {&heuristic_parameters, offsetof(exact_tuning, heuristics)},
    {&bnb_parameters, offsetof(exact_tuning, bnb)},
    {&lp_parameters, offsetof(exact_tuning, lp)},
};

exact_parameter_name exact_parameter_full_name(int room, const params_entry *e)
{
    exact_parameter_name name;
    snprintf(name.text, sizeof name.text, "%s.%s", exact_rooms[room].table->room, e->name);
    return name;
}

static int fail_unknown(const char *name, base_error *error)
{
    exact_parameter_name nearest = {""};
    int least = INT_MAX;
    for (int r = 0; r < EXACT_ROOMS; r++)
        for (const params_entry *e = exact_rooms[r].table->entry; e->name; e++) {
            const exact_parameter_name known = exact_parameter_full_name(r, e);
            const int distance = base_text_distance(known.text, name);
            if (distance < least) {
                least = distance;
                nearest = known;
            }
        }
    return base_fail(error,
                     "no parameter is called '%s'; the nearest name is %s (`poetbnb info "
                     "--parameters' lists all)",
                     name, nearest.text);
}

/* The entry of a full name and its room; NULL: none. */
static const params_entry *find_parameter(const char *name, int *room)
{
    for (int r = 0; r < EXACT_ROOMS; r++) {
        const char *prefix = exact_rooms[r].table->room;
        const size_t length = strlen(prefix);
        if (strncmp(name, prefix, length) == 0 && name[length] == '.') {
            *room = r;
            return params_find(exact_rooms[r].table, name + length + 1);
        }
    }
    return NULL;
}

static int read_value(const params_entry *e, const char *text, double *value, base_error *error)
{
    int64_t whole;
    switch (e->kind) {
    case PARAMS_SWITCH:
        *value = strcmp(text, "on") == 0;
        return *value != 0 || strcmp(text, "off") == 0
                   ? 0
                   : base_fail(error, "expected on or off, got '%s'", text);
    case PARAMS_INTEGER:
        if (base_number_integer(text, (int64_t)e->least, (int64_t)e->most, &whole, error) != 0)
            return -1;
        *value = (double)whole;
        return 0;
    case PARAMS_REAL:
        break;
    }
    return base_number_real(text, e->least, e->most, value, error);
}

/* Cuts the text at its equals sign: the name and the value without the spaces around them. */
static int read_parts(char *name, exact_assignment *a, base_error *error)
{
    char *equals = strchr(name, '=');
    base_error why;
    if (!equals)
        return base_fail(error, "expected NAME=VALUE, got '%s'", name);
    const char *value = base_trim(equals + 1, equals + 1 + strlen(equals + 1));
    name = base_trim(name, equals);
    a->entry = find_parameter(name, &a->room);
    if (!a->entry)
        return fail_unknown(name, error);
    if (read_value(a->entry, value, &a->value, &why) != 0)
        return base_fail(error, "%s: %s", name, why.text);
    return 0;
}

int exact_assignment_read(const char *text, exact_assignment *a, base_error *error)
{
    char *copy = base_strdup(text);
    const int failed = read_parts(copy, a, error);
    base_free(copy);
    return failed;
}

void exact_assign(const exact_assignment *a, exact_tuning *tuning)
{
    params_set(a->entry, (char *)tuning + exact_rooms[a->room].offset, a->value);
}
