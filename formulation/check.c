/* Rows against a schedule: the model over all cells is built, the schedule becomes a point of
 * it, and the rows that it breaks are counted by family; first in the model of the rules, then
 * in the canonical one. */
#include "formulation/check.h"

#include "formulation/internal.h"

/* ---- rows ---------------------------------------------------------------------------- */

static void check_rows(const formulation *f, const double *x, row_check *check)
{
    const lp_model *m = f->model;
    double *activity = formulation_activity(f, x);
    for (int r = 0; r < m->rows; r++) {
        const int kind = f->row[r].kind;
        check->families += check->rows[kind]++ == 0;
        if (formulation_row_holds(f, r, activity[r]))
            continue;
        if (check->broken[kind]++ == 0) {
            check->first[kind] = r;
            check->broken_families++;
        }
    }
    base_free(activity);
}

bool formulation_check_rows(const formulation *f, const schedule *s, row_check *check)
{
    *check = (row_check){.admitted = formulation_admits(f, s)};
    for (int kind = 0; kind < ROW_KINDS; kind++)
        check->first[kind] = -1;
    double *x = base_malloc((size_t)f->model->cols + 1, sizeof *x);
    formulation_key missing;
    check->in_model = formulation_place(f, s, x, &missing);
    if (check->in_model) {
        check_rows(f, x, check);
    } else {
        check->missing_kind = (cell_kind)missing.kind;
        check->missing_t = missing.t;
        check->missing_i = missing.i;
    }
    base_free(x);
    return check->admitted && check->in_model && check->broken_families == 0;
}

/* ---- words --------------------------------------------------------------------------- */

static void print_node(const formulation *f, const char *before, int i, FILE *out)
{
    const char *name = f->problem->graph->node_name[i];
    fprintf(out, "%s node %d%s%s%s", before, i, name ? " (" : "", name ? name : "",
            name ? ")" : "");
}

static void print_place(const formulation *f, formulation_key key, FILE *out)
{
    const char *before = key.t >= 0 ? "," : "";
    if (key.t >= 0)
        fprintf(out, " stage %d", key.t);
    if (key.i >= 0 && key.kind != ROW_TOTAL)
        print_node(f, before, key.i, out);
    if (key.k >= 0)
        print_node(f, key.i >= 0 ? " and" : before, key.k, out);
}

void formulation_check_print(const formulation *f, const row_check *check, FILE *out)
{
    static const char *const kinds[CELL_KINDS] = {"R", "C", "P", "In", "Out"};
    if (!check->admitted)
        fputs("the schedule breaks a rule\n", out);
    if (!check->in_model) {
        fprintf(out, "reductions: cell %s of the schedule is not in the model:",
                kinds[check->missing_kind]);
        print_place(f, (formulation_key){-1, check->missing_t, check->missing_i, -1}, out);
        fputc('\n', out);
    }
    for (int kind = 0; kind < ROW_KINDS; kind++) {
        if (check->first[kind] < 0)
            continue;
        fprintf(out, "%s: %ld of %ld rows are broken, the first at", formulation_rows[kind].name,
                check->broken[kind], check->rows[kind]);
        print_place(f, f->row[check->first[kind]], out);
        fprintf(out, ": %s\n", formulation_rows[kind].description);
    }
}

/* ---- both models --------------------------------------------------------------------- */

static bool check_model(const problem *p, unsigned features, const schedule *s, FILE *out)
{
    uint8_t *mask = formulation_mask_full(p, features);
    formulation *f = formulation_build(p, features, mask, 1);
    row_check check;
    const bool holds = formulation_check_rows(f, s, &check);
    long rows = 0;
    for (int kind = 0; kind < ROW_KINDS; kind++)
        rows += check.rows[kind];
    if (out) {
        fprintf(out, "%s: %ld rows of %d families, %d broken\n",
                f->features & FORMULATION_CANONICAL
                    ? "Canonical rows, by the schedule made canonical"
                    : "Rows of the rules, by the schedule as it is",
                rows, check.families, check.broken_families);
        formulation_check_print(f, &check, out);
    }
    formulation_free(f);
    base_free(mask);
    return holds;
}

bool formulation_check_schedule(const problem *p, unsigned features, const schedule *s, FILE *out)
{
    bool holds = check_model(p, features & ~(unsigned)FORMULATION_CANONICAL, s, out);
    if (features & FORMULATION_CANONICAL) {
        schedule *canonical = formulation_canonical(p, s);
        holds = check_model(p, features, canonical, out) && holds;
        schedule_free(canonical);
    }
    return holds;
}
