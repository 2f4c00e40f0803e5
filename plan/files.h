/* Inside plan/: shared by the readers and the writers of plan files. */
#ifndef PLAN_FILES_H
#define PLAN_FILES_H

#include "plan/plan.h"

/* CRC-32 of the graph's sizes and inputs, which a plan rests on. */
uint32_t plan_graph_crc(const graph *g);

/* True if data begins with the magic of a binary plan. */
bool plan_is_binary(const uint8_t *data, size_t size);

/* As plan_write_binary. mark[k] (NULL allowed, extent step_count + 1): place of the first byte of
 * step k; the last one: place of the checksum. */
uint8_t *plan_write_marked(const graph *g, const plan *x, size_t *size, size_t *mark);

/* Prints step k as a line of the text form, without its end. holder[i]: last buffer of node i up to
 * step k; extent n. */
void plan_print_step(const graph *g, const plan *x, const int *holder, int k, FILE *out);

#endif
