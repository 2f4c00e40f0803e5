/* Inside plan/: shared by the readers of both forms. */
#ifndef PLAN_READ_H
#define PLAN_READ_H

#include "plan/plan.h"

/* CRC-32 of the graph's sizes and inputs, which a plan rests on. */
uint32_t plan_graph_crc(const graph *g);

/* True if data begins with the magic of a binary plan. */
bool plan_is_binary(const uint8_t *data, size_t size);

/* The JSON form of plan_file_parse. */
int plan_read_json(const char *text, size_t size, const char *name, const graph *g, plan_file *file,
                   base_error *error);

#endif
