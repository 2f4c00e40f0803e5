/* Inside plan/: shared by the writers of several forms. */
#ifndef PLAN_WRITE_H
#define PLAN_WRITE_H

#include "plan/plan.h"

/* As plan_write_binary. mark[k] (NULL allowed, extent step_count + 1): place of the first byte of
 * step k; the last one: place of the checksum. */
uint8_t *plan_write_marked(const graph *g, const plan *x, size_t *size, size_t *mark);

/* Prints step k as a line of the text form, without its end. holder[i]: last buffer of node i up to
 * step k; extent n. */
void plan_print_step(const graph *g, const plan *x, const int *holder, int k, FILE *out);

#endif
