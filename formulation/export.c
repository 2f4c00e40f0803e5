#include "formulation/formulation.h"

#include <stdio.h>
#include <string.h>

static const char *const column_names[COLUMN_KINDS] = {
    [COLUMN_R] = "R",         [COLUMN_C] = "C",       [COLUMN_P] = "P",
    [COLUMN_IN] = "In",       [COLUMN_OUT] = "Out",   [COLUMN_FREE] = "F",
    [COLUMN_TOTAL] = "Total", [COLUMN_LOAD] = "Load", [COLUMN_TWICE] = "D"};
static const char *const row_names[ROW_KINDS] = {
    [ROW_INPUT] = "input",        [ROW_SOURCE_C] = "sourceC",   [ROW_SOURCE_P] = "sourceP",
    [ROW_STORED_P] = "storedP",   [ROW_STORED_IN] = "storedIn", [ROW_OUT_FROM] = "outFrom",
    [ROW_OUT_FIRST] = "outFirst", [ROW_OUT_ONCE] = "outOnce",   [ROW_ONE] = "one",
    [ROW_TWICE] = "twice",        [ROW_USED_R] = "usedR",       [ROW_USED_S] = "usedS",
    [ROW_USED_IN] = "usedIn",     [ROW_FREE_USE] = "freeUse",   [ROW_FREE_KEEP] = "freeKeep",
    [ROW_FREE_ONCE] = "freeOnce", [ROW_FREE_OR] = "freeOr",     [ROW_FREE_BEFORE] = "before",
    [ROW_FREE_BIGM] = "freeBigM", [ROW_LOAD] = "load",          [ROW_MEMORY] = "memory",
    [ROW_DEADLINE] = "deadline",  [ROW_TOTAL] = "total",        [ROW_LATE] = "late"};

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
