/* base/params: tables of parameters. A room lists its parameters once, as an X-macro of rows
 *
 *     X(kind, field, initial, least, most, "help", "source")
 *
 * kind: INTEGER (int), REAL (double) or SWITCH (bool; 0 to 1). initial is the default, least and
 * most are the ends of the range, source says where the default is from. The record of the values,
 * its defaults and the table for the command line and the documentation come from that list:
 *
 *     #define RECORD room_tuning
 *     typedef struct room_tuning { ROOM_PARAMETERS(PARAMS_FIELD) } room_tuning;
 *     room_tuning defaults = {ROOM_PARAMETERS(PARAMS_INITIAL)};
 *     static const params_entry entries[] = {ROOM_PARAMETERS(PARAMS_ENTRY) PARAMS_END};
 *
 * A record is filled before a solve and constant during it: it travels in the parameters of the
 * room. Parameters steer effort only: with every value in range answers are correct, and the
 * default is the value of the measurements. (After kissat's options.h.) */
#ifndef BASE_PARAMS_H
#define BASE_PARAMS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum params_kind { PARAMS_INTEGER, PARAMS_REAL, PARAMS_SWITCH } params_kind;

typedef int params_INTEGER;
typedef double params_REAL;
typedef bool params_SWITCH;

typedef struct params_entry {
    const char *name; /* name of the field; NULL: end of the table */
    params_kind kind;
    size_t offset;               /* offset of the field in the record */
    double initial, least, most; /* of a switch 0 or 1 */
    const char *help, *source;   /* one line each */
} params_entry;

#define PARAMS_FIELD(kind, field, ...) params_##kind field;
#define PARAMS_INITIAL(kind, field, initial, ...) .field = (initial),
#define PARAMS_ENTRY(kind, field, initial, least, most, help, source)                              \
    {#field, PARAMS_##kind, offsetof(RECORD, field), initial, least, most, help, source},
#define PARAMS_END                                                                                 \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/* The parameters of a room. In full a parameter is called room.name. */
typedef struct params_table {
    const char *room;
    const params_entry *entry; /* up to one without a name */
} params_table;

/* The value of e in a record of its room; of a switch 0 or 1. */
double params_get(const params_entry *e, const void *record);

/* Sets the parameter. False, without a change, if the value is out of range, or not whole for an
 * integer or a switch. */
bool params_set(const params_entry *e, void *record, double value);

/* Returns the entry with this field name (without the room); NULL: none. O(entries). */
const params_entry *params_find(const params_table *table, const char *name);

#endif
