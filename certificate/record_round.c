/* Roundings of the tree as statements, and where statements are written. */
#include <inttypes.h>
#include <math.h>

#include "certificate/record_internal.h"

void record_free_round(record_round *how)
{
    if (!how)
        return;
    base_free_all(how->row, how->term, how);
}

/* Summand k as a term; false: it has no name, or rests on the lower side of an inequality. */
static bool take_row(recorder *r, const bnb_rounding *how, int k, record_term *term)
{
    const double y = how->weight[k], slack = how->slack[k];
    const bool known = how->row[k] >= 0
                           ? record_row_term(r, how->row[k], y, slack, term)
                           : record_name_cut(r, record_cut_of(r, how->cut_id[k]), y, slack, term);
    return known && (how->upper[k] || (term->cut < 0 && cert_row_is_equality(term->key.kind)));
}

/* Last stage whose cell is the same column. */
static int last_stage(const formulation *f, int col, formulation_key key)
{
    int t = key.t;
    if (key.kind == COLUMN_C || key.kind == COLUMN_P)
        while (t + 1 < f->problem->graph->n &&
               f->cell[key.kind][(size_t)(t + 1) * (size_t)f->problem->graph->n + (size_t)key.i] ==
                   col)
            t++;
    return t;
}

static void add_column(const recorder *r, record_round *to, int col, double coef, bnb_side side,
                       double bound)
{
    static const cert_side sides[] = {[BNB_SIDE_NONE] = CERT_SIDE_NONE,
                                      [BNB_SIDE_LOWER] = CERT_SIDE_LOWER,
                                      [BNB_SIDE_UPPER] = CERT_SIDE_UPPER};
    double scale;
    const formulation_key key = record_column(r, col, &scale);
    const int last = last_stage(r->f, col, key);
    if (coef != 0 || side != BNB_SIDE_NONE || last > key.t)
        to->term[to->terms++] =
            (record_round_term){key, last, record_on_grid(coef * scale), sides[side],
                                key.kind == COLUMN_TOTAL ? (int64_t)(bound / scale) : 0};
}

/* Takes the columns; columns that leave the sum only where they stand for several cells. */
static void take_columns(const recorder *r, record_round *to, const bnb_cut *cut,
                         const bnb_rounding *how)
{
    double *coef = base_calloc((size_t)r->model->cols + 1, sizeof *coef);
    to->term = base_malloc((size_t)how->cols + 1, sizeof *to->term);
    for (int k = 0; k < cut->count; k++)
        coef[cut->col[k]] = cut->value[k];
    for (int k = 0; k < how->cols; k++)
        add_column(r, to, how->col[k], coef[how->col[k]], how->side[k], how->bound[k]);
    base_free(coef);
}

record_round *record_make_round(recorder *r, const bnb_cut *cut, const bnb_rounding *how)
{
    record_round *to = base_calloc(1, sizeof *to);
    bool good = true;
    to->divisor = record_on_grid(how->divisor);
    to->rhs = record_on_grid(cut->upper);
    to->row = base_malloc((size_t)how->rows + 1, sizeof *to->row);
    for (int k = 0; k < how->rows && good; k++, to->rows++)
        good = take_row(r, how, k, &to->row[k]);
    take_columns(r, to, cut, how);
    if (good)
        return to;
    record_free_round(to);
    return NULL;
}

static void write_column(recorder *r, const record_round_term *term)
{
    const formulation_key key = term->column;
    switch (key.kind) {
    case COLUMN_TOTAL:
        text_print(r->out, "T %d %" PRId64, record_total(r, key.i), term->from);
        break;
    case COLUMN_FREE:
        if (key.k < 0)
            text_print(r->out, "E %d %d", key.t, key.i);
        else
            text_print(r->out, "F %d %d %d", key.t, key.i, key.k);
        break;
    case COLUMN_TWICE:
        text_print(r->out, "D %d %d", key.t, key.i);
        break;
    case COLUMN_LOAD:
        text_print(r->out, "L %d", key.t);
        break;
    default:
        text_print(r->out, "%s %d %d", cert_cell_word[key.kind], key.t, key.i);
    }
}

static void write_round(recorder *r, const record_round *how)
{
    static const char *const side[] = {" off", "", " up"};
    for (int k = 0; k < how->rows; k++)
        if (how->row[k].cut >= 0)
            record_write_cut(r, how->row[k].cut);
    text_print(r->out, "round %a %a %d %d\n", how->divisor, how->rhs, how->rows, how->terms);
    for (int k = 0; k < how->rows; k++) {
        text_print(r->out, "%a %a ", how->row[k].y, how->row[k].slack);
        record_write_name(r, &how->row[k]);
    }
    for (int k = 0; k < how->terms; k++) {
        text_print(r->out, "%a ", how->term[k].coef);
        write_column(r, &how->term[k]);
        if (how->term[k].last > how->term[k].column.t)
            text_print(r->out, " to %d", how->term[k].last);
        text_print(r->out, "%s\n", side[how->term[k].side]);
    }
}

void record_write_cut(recorder *r, int index)
{
    record_cut *c = &r->cut[index];
    if (c->number >= 0)
        return;
    if (c->how)
        write_round(r, c->how);
    else
        text_print(r->out, "%s", c->statement);
    c->number = r->written++;
}
