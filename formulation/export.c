#include "formulation/formulation.h"

#include <stdio.h>
#include <string.h>

/* Without a default, so that the compiler misses a name. */
static const char *column_name(column_kind kind)
{
    switch (kind) {
    case COLUMN_R:
        return "R";
    case COLUMN_C:
        return "C";
    case COLUMN_P:
        return "P";
    case COLUMN_IN:
        return "In";
    case COLUMN_OUT:
        return "Out";
    case COLUMN_FREE:
        return "F";
    case COLUMN_TOTAL:
        return "Total";
    case COLUMN_LOAD:
        return "Load";
    }
    return "?";
}

static const char *row_name(row_kind kind)
{
    switch (kind) {
    case ROW_INPUT:
        return "input";
    case ROW_SOURCE_C:
        return "sourceC";
    case ROW_SOURCE_P:
        return "sourceP";
    case ROW_STORED_P:
        return "storedP";
    case ROW_STORED_IN:
        return "storedIn";
    case ROW_OUT_FROM:
        return "outFrom";
    case ROW_OUT_FIRST:
        return "outFirst";
    case ROW_OUT_ONCE:
        return "outOnce";
    case ROW_ONE:
        return "one";
    case ROW_USED_R:
        return "usedR";
    case ROW_USED_S:
        return "usedS";
    case ROW_USED_IN:
        return "usedIn";
    case ROW_FREE_USE:
        return "freeUse";
    case ROW_FREE_KEEP:
        return "freeKeep";
    case ROW_FREE_ONCE:
        return "freeOnce";
    case ROW_FREE_BEFORE:
        return "before";
    case ROW_FREE_BIGM:
        return "freeBigM";
    case ROW_LOAD:
        return "load";
    case ROW_MEMORY:
        return "memory";
    case ROW_DEADLINE:
        return "deadline";
    case ROW_TOTAL:
        return "total";
    case ROW_LATE:
        return "late";
    }
    return "?";
}

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
        m->col_name[j] = key_name(column_name((column_kind)f->column[j].kind), f->column[j]);
    m->row_name = base_malloc((size_t)m->rows + 1, sizeof *m->row_name);
    for (int r = 0; r < m->rows; r++)
        m->row_name[r] = key_name(row_name((row_kind)f->row[r].kind), f->row[r]);
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
