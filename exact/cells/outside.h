/* exact/cells/outside: the row of the schedules that leave the windows. Not for others. */
#ifndef EXACT_OUTSIDE_H
#define EXACT_OUTSIDE_H

#include "exact/engine.h"

/* The row "some cell outside the windows is used" as -sum x <= -1 over the columns of f. Cells that
 * need another cell outside are omitted, which makes the row stronger. */
event_cut outside_row(const engine *e, const formulation *f);
void outside_row_clear(event_cut *row);

#endif
