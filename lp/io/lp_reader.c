/* Builds a model from the statements of a CPLEX-LP file: names rows without a label, and checks
 * that no sum of coefficients overflows. */
#include "lp/io/lp_reader.h"

#include <math.h>

/* Returns the name of a row. Constraints without a label are called r1, r2, ... by their
 * position, or longer if a label is the same. */
static const char *row_name(lp_reader *r, int row, char *room, size_t size)
{
    if (r->label[row] >= 0)
        return lp_names_get(r->labels, r->label[row]);
    snprintf(room, size, "r%d", row + 1);
    for (int k = 1; lp_names_find(r->labels, room) >= 0; k++)
        snprintf(room, size, "r%d_%d", row + 1, k);
    lp_names_add(r->labels, room);
    return room;
}

lp_model *lp_reader_model(lp_reader *r)
{
    const double sign = r->maximize ? -1.0 : 1.0;
    lp_model *m = lp_model_create();
    m->maximize = r->maximize;
    m->offset = r->offset == 0.0 ? 0.0 : sign * r->offset;
    for (int j = 0; j < lp_names_count(r->cols); j++) {
        const lp_column *col = &r->col[j];
        lp_model_add_col(m, col->cost == 0.0 ? 0.0 : sign * col->cost, col->lower, col->upper,
                         col->integer, 0, NULL, NULL, lp_names_get(r->cols, j));
    }
    const lp_row_list *rows = &r->rows;
    char **names = base_malloc((size_t)rows->count + 1, sizeof *names);
    for (int row = 0; row < rows->count; row++) {
        char room[64];
        names[row] = base_strdup(row_name(r, row, room, sizeof room));
    }
    lp_model_add_rows(m, rows->count, rows->lower, rows->upper, rows->start, rows->col, rows->value,
                      names);
    for (int row = 0; row < rows->count; row++)
        base_free(names[row]);
    base_free(names);
    return m;
}

/* Sums of finite coefficients may overflow. */
bool lp_reader_finite(const lp_reader *r)
{
    for (int k = 0; k < r->rows.entries; k++)
        if (!isfinite(r->rows.value[k]))
            return scan_fail(&r->at, "the coefficients of \"%s\" in a constraint overflow",
                             lp_file_quoted(lp_names_get(r->cols, r->rows.col[k])).text);
    for (int j = 0; j < lp_names_count(r->cols); j++)
        if (!isfinite(r->col[j].cost))
            return scan_fail(&r->at, "the coefficients of \"%s\" in the objective overflow",
                             lp_file_quoted(lp_names_get(r->cols, j)).text);
    return true;
}
