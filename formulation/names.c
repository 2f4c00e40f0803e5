/* Names of columns and rows in exported models: R_t43_n15_relu7 is R in stage 43 of node 15, which
 * is called relu7. */
#include <ctype.h>
#include <stdio.h>

#include "formulation/internal.h"

enum { NODE_NAME = 24 /* characters of a node's name that are kept */ };

/* Appends _PREFIX NUMBER and, with a graph, the node's name, of which the formats' own characters
 * and blanks become underscores. */
static size_t append(char *text, size_t used, size_t size, char prefix, int number, const graph *g)
{
    if (number < 0)
        return used;
    used += (size_t)snprintf(text + used, size - used, "_%c%d", prefix, number);
    const char *name = g ? g->node_name[number] : NULL;
    if (!name || !*name)
        return used;
    text[used++] = '_';
    for (int k = 0; k < NODE_NAME && name[k]; k++)
        text[used++] = isalnum((unsigned char)name[k]) ? name[k] : '_';
    text[used] = '\0';
    return used;
}

char *formulation_name(const graph *g, const char *kind, int t, int i, int k)
{
    char text[160];
    size_t used = (size_t)snprintf(text, sizeof text, "%.40s", kind);
    used = append(text, used, sizeof text, 't', t, NULL);
    used = append(text, used, sizeof text, 'n', i, g);
    append(text, used, sizeof text, i >= 0 ? 'k' : 'n', k, g);
    return base_strdup(text);
}
