/* Models for other solvers, with names, and schedules from their solutions. R_t43_n15_relu7 is R in
 * stage 43 of node 15, which is called relu7. */
#include "formulation/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

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

static const char *const column_names[COLUMN_KINDS] = {
    [COLUMN_R] = "R",         [COLUMN_C] = "C",       [COLUMN_P] = "P",
    [COLUMN_IN] = "In",       [COLUMN_OUT] = "Out",   [COLUMN_FREE] = "F",
    [COLUMN_TOTAL] = "Total", [COLUMN_LOAD] = "Load", [COLUMN_TWICE] = "D"};

static char *key_name(const graph *g, const char *kind, formulation_key key)
{
    const bool is_total = key.t < 0 && key.k < 0 && strcasecmp(kind, "total") == 0;
    return is_total ? formulation_name(g, kind, key.i, -1, -1)
                    : formulation_name(g, kind, key.t, key.i, key.k);
}

static void name_all(const formulation *f, lp_model *m)
{
    const graph *g = f->problem->graph;
    m->col_name = base_malloc((size_t)m->cols + 1, sizeof *m->col_name);
    for (int j = 0; j < m->cols; j++)
        m->col_name[j] = key_name(g, column_names[f->column[j].kind], f->column[j]);
    m->row_name = base_malloc((size_t)m->rows + 1, sizeof *m->row_name);
    for (int r = 0; r < m->rows; r++)
        m->row_name[r] = key_name(g, formulation_rows[f->row[r].kind].name, f->row[r]);
}

lp_model *formulation_export(const problem *p, bool published, bool relax, bool overhead,
                             unsigned features)
{
    lp_model *m;
    if (published) {
        m = formulation_published(p);
        m->offset = overhead ? -graph_base_joules(p->graph) : 0;
    } else {
        uint8_t *mask = formulation_mask_full(p, features);
        formulation *f = formulation_build(p, features, mask, 1.0);
        m = lp_model_copy(f->model);
        m->offset = overhead ? 0 : graph_base_joules(p->graph);
        name_all(f, m);
        formulation_free(f);
        base_free(mask);
    }
    base_free(m->name);
    char name[160];
    snprintf(name, sizeof name, "%s_%s", published ? "published" : "tight",
             p->graph->name ? p->graph->name : "graph");
    m->name = base_strdup(name);
    if (relax)
        memset(m->integer, 0, (size_t)m->cols * sizeof *m->integer);
    return m;
}

schedule *formulation_import(const problem *p, bool published, unsigned features, const double *x)
{
    if (published)
        return formulation_published_extract(p, x);
    uint8_t *mask = formulation_mask_full(p, features);
    formulation *f = formulation_build(p, features, mask, 1.0);
    schedule *s = formulation_extract(f, x);
    formulation_free(f);
    base_free(mask);
    return s;
}
