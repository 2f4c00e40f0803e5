#include "formulation/formulation.h"

#include <stdio.h>
#include <string.h>

static const char *const column_names[] = {"R", "C", "P", "In", "Out", "F", "Total", "Load"};
static const char *const row_names[] = {
    "input",    "sourceC", "sourceP", "storedP",  "storedIn", "outFrom",  "outFirst", "outOnce",
    "one",      "usedR",   "usedS",   "usedIn",   "freeUse",  "freeKeep", "freeOnce", "before",
    "freeBigM", "load",    "memory",  "deadline", "total",    "late"};

static char *key_name(const char *kind, formulation_key key)
{
    char text[96];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", kind);
    int parts[3] = {key.t, key.i, key.k};
    for (int p = 0; p < 3; p++)
        if (parts[p] >= 0)
            used += (size_t)snprintf(text + used, sizeof text - used, "_%d", parts[p]);
    return base_strdup(text);
}

static void name_all(const formulation *f, lp_model *m)
{
    m->col_name = base_malloc((size_t)m->cols + 1, sizeof *m->col_name);
    for (int j = 0; j < m->cols; j++)
        m->col_name[j] = key_name(column_names[f->column[j].kind], f->column[j]);
    m->row_name = base_malloc((size_t)m->rows + 1, sizeof *m->row_name);
    for (int r = 0; r < m->rows; r++)
        m->row_name[r] = key_name(row_names[f->row[r].kind], f->row[r]);
}

lp_model *formulation_export(const problem *p, bool published, bool relax, unsigned features)
{
    lp_model *m;
    if (published) {
        m = formulation_published(p);
    } else {
        uint8_t *mask = formulation_mask_full(p, features);
        formulation *f = formulation_build(p, features, mask, 1.0);
        m = lp_model_copy(f->model);
        m->offset = graph_base_joules(p->graph);
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
