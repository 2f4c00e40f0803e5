/* Inside plan/: what the writers of several forms share. */
#ifndef PLAN_WRITE_H
#define PLAN_WRITE_H

#include "plan/plan.h"

/* As plan_write_binary; mark[k], extent step_count + 1, gets the place of the first byte of step k,
 * and the last one that of the checksum. NULL: none are wanted. */
uint8_t *plan_write_marked(const graph *g, const plan *x, size_t *size, size_t *mark);

/* Step k as a line of the text form, without its end. holder[i]: buffer that got node i last, up to
 * step k; extent n. */
void plan_print_step(const graph *g, const plan *x, const int *holder, int k, FILE *out);

#endif
