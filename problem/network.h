/* problem/network: the networks of the POET paper as training graphs. */
#ifndef PROBLEM_NETWORK_H
#define PROBLEM_NETWORK_H

#include "problem/graph.h"
#include "problem/layer.h"
#include "problem/platform.h"

/* Name and one-line description of built-in network number i; NULL from the end
 * of the table on. */
const char *network_name(int i);
const char *network_description(int i);

#define NETWORK_LEAST_SCALE 1e-9
#define NETWORK_MOST_SCALE 1e9

/* How a graph is made from a network; network_options_default() is batch size 1,
 * scale 1, published gradients. */
typedef struct network_options {
    int batch_size;         /* 1..LAYER_MAX_BATCH; multiplies every tensor's elements */
    double mem_power_scale; /* NETWORK_LEAST_SCALE to ..MOST_SCALE; multiplies transfers' energy */
    layer_backward backward;
} network_options;

network_options network_options_default(void);

/* The graph of a built-in network with the platform's costs; its fields model,
 * platform (p->name), backward_style, batch_size and mem_power_scale are set.
 * NULL with an error for an unknown model (the known ones are listed) or an
 * option out of range. Formulas: problem/layer.h. */
graph *network_build(const char *model, const platform *p, network_options options,
                     base_error *error);

/* "published" or "autodiff" to *style; -1 with an error otherwise. */
int network_parse_backward(const char *text, layer_backward *style, base_error *error);

#endif
