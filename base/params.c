/* Access to a parameter by its entry: the field is found by offset and read or written as its
 * kind. */
#include "base/params.h"

#include <math.h>
#include <string.h>

double params_get(const params_entry *e, const void *record)
{
    const void *field = (const char *)record + e->offset;
    switch (e->kind) {
    case PARAMS_INTEGER:
        return *(const int *)field;
    case PARAMS_SWITCH:
        return *(const bool *)field;
    case PARAMS_REAL:
        break;
    }
    return *(const double *)field;
}

bool params_set(const params_entry *e, void *record, double value)
{
    void *field = (char *)record + e->offset;
    if (!(value >= e->least && value <= e->most) ||
        (e->kind != PARAMS_REAL && value != nearbyint(value)))
        return false;
    switch (e->kind) {
    case PARAMS_INTEGER:
        *(int *)field = (int)value;
        break;
    case PARAMS_SWITCH:
        *(bool *)field = value != 0;
        break;
    case PARAMS_REAL:
        *(double *)field = value;
        break;
    }
    return true;
}

const params_entry *params_find(const params_table *table, const char *name)
{
    for (const params_entry *e = table->entry; e->name; e++)
        if (strcmp(e->name, name) == 0)
            return e;
    return NULL;
}
