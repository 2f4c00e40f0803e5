/* exact/parameters: the parameters of all rooms (base/params.h) by their full names, NAME=VALUE. */
#ifndef EXACT_PARAMETERS_H
#define EXACT_PARAMETERS_H

#include "base/base.h"
#include "exact/tuning.h"

/* The rooms that have parameters; offset: of their record in exact_tuning. */
typedef struct exact_room {
    const params_table *table;
    size_t offset;
} exact_room;
enum { EXACT_ROOMS = 4 };
extern const exact_room exact_rooms[EXACT_ROOMS];

typedef struct exact_parameter_name {
    char text[80];
} exact_parameter_name;

/* room.name; e is an entry of room number `room`. */
exact_parameter_name exact_parameter_full_name(int room, const params_entry *e);

/* A parameter and a value in its range. */
typedef struct exact_assignment {
    int room;
    const params_entry *entry;
    double value;
} exact_assignment;

/* Reads NAME=VALUE. 0, or -1 with an error: no such parameter (the nearest name is in the text), or
 * a value out of range. O(parameters). */
int exact_assignment_read(const char *text, exact_assignment *a, base_error *error);

/* Sets the parameter in `tuning`. */
void exact_assign(const exact_assignment *a, exact_tuning *tuning);

#endif
