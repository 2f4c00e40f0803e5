/* The columns of the tight model: which cells exist and which share a column. */
#include "formulation/internal.h"
#include "formulation/total.h"

#include <math.h>
#include <string.h>

typedef struct column_list {
    formulation_key *key;
    int capacity;
} column_list;

static int new_column(formulation *f, column_list *list, formulation_key key, double joules,
                      double upper, bool integer)
{
    base_work(100);
    int col =
        lp_model_add_col(f->model, joules * f->cost_scale, 0, upper, integer, 0, NULL, NULL, NULL);
    list->key = base_grow(list->key, col, &list->capacity, sizeof *list->key);
    list->key[col] = key;
    return col;
}

static void set_cell(formulation *f, cell_kind kind, int t, int i, int col)
{
    f->cell[kind][cell_index(f, t, i)] = col;
}

/* Sets used[t] = 1 if a user of i may be computed in stage t. Returns the last stage with a use of
 * i; i if there is none. If recomputations can pay without a use, returns the last stage of all. */
static int use_stages(const formulation *f, int i, uint8_t *used)
{
    const graph *g = f->problem->graph;
    int last = i;
    memset(used, 0, (size_t)g->n);
    for (int e = g->user_start[i]; e < g->user_start[i + 1]; e++) {
        int k = g->user[e];
        base_work((size_t)(g->n - k));
        for (int t = k; t < g->n; t++)
            if (t == k || (f->mask[cell_index(f, t, k)] & MASK_R)) {
                used[t] = 1;
                last = t > last ? t : last;
            }
    }
    return f->features & FORMULATION_CANONICAL ? last : g->n - 1;
}

/* R, In and Out of tensor i, which exist up to its last possible use. */
static void add_actions(formulation *f, column_list *list, int i, int last)
{
    const graph *g = f->problem->graph;
    bool canonical = f->features & FORMULATION_CANONICAL;
    int last_in = -1;
    base_work(4 * (size_t)(last - i));
    for (int t = i + 1; t <= last; t++) {
        uint8_t bits = f->mask[cell_index(f, t, i)];
        if (bits & MASK_R)
            set_cell(
                f, CELL_R, t, i,
                new_column(f, list, (formulation_key){COLUMN_R, t, i, -1}, g->joules[i], 1, true));
        if ((bits & MASK_IN) && (t < last || !canonical)) {
            set_cell(f, CELL_IN, t, i,
                     new_column(f, list, (formulation_key){COLUMN_IN, t, i, -1},
                                g->pagein_joules[i], 1, true));
            last_in = t;
        }
    }
    /* A canonical schedule writes a tensor to storage only if it pages it in later. */
    const int last_out = canonical ? last_in - 1 : last;
    for (int t = i + 1; t <= last_out; t++) {
        bool first_chance = t == i + 1 || cell_col(f, CELL_R, t - 1, i) >= 0;
        if ((f->mask[cell_index(f, t, i)] & MASK_OUT) && (first_chance || !canonical))
            set_cell(f, CELL_OUT, t, i,
                     new_column(f, list, (formulation_key){COLUMN_OUT, t, i, -1},
                                g->pageout_joules[i], 1, true));
    }
}

/* C and P. A cell shares the column of the stage before when nothing can happen to it there:
 * no use, no page-out of it, no new copy of its kind. Dropping it a stage earlier is then always
 * possible, so a schedule that drops it in between need not be looked at. */
static void add_residency(formulation *f, column_list *list, int i, int last, const uint8_t *used)
{
    bool merge = f->features & FORMULATION_MERGE;
    bool origin = f->features & FORMULATION_ORIGIN;
    bool paged = false; /* a page-in before t exists */
    for (int t = i + 1; t <= last; t++) {
        uint8_t bits = f->mask[cell_index(f, t, i)];
        bool can_in = t > i + 1 && cell_col(f, CELL_IN, t - 1, i) >= 0;
        bool quiet = merge && t > i + 1 && !used[t - 1] && cell_col(f, CELL_OUT, t - 1, i) < 0;
        bool can_r = t > i + 1 && cell_col(f, CELL_R, t - 1, i) >= 0;
        paged = paged || can_in;
        if (bits & MASK_C) {
            int before =
                quiet && !can_r && (origin || !can_in) ? cell_col(f, CELL_C, t - 1, i) : -1;
            set_cell(f, CELL_C, t, i,
                     before >= 0
                         ? before
                         : new_column(f, list, (formulation_key){COLUMN_C, t, i, -1}, 0, 1, true));
        }
        if (origin && paged && (bits & MASK_P)) {
            int before = quiet && !can_in ? cell_col(f, CELL_P, t - 1, i) : -1;
            set_cell(f, CELL_P, t, i,
                     before >= 0
                         ? before
                         : new_column(f, list, (formulation_key){COLUMN_P, t, i, -1}, 0, 1, true));
        }
    }
}

/* F[t,(i,k)], k < t: a release after the stage's own node has no event after it. */
static void add_releases(formulation *f, column_list *list)
{
    const graph *g = f->problem->graph;
    bool integer = !(f->features & FORMULATION_RELEASE);
    for (int t = 0; t < g->n; t++) {
        base_work((size_t)t);
        for (int k = 0; k < t; k++) {
            if (cell_col(f, CELL_R, t, k) < 0)
                continue;
            for (int q = g->input_start[k]; q < g->input_start[k + 1]; q++) {
                const int i = g->input[q], e = graph_edge(g, i, k);
                f->free_col[(size_t)t * (size_t)g->edge_count + (size_t)e] =
                    new_column(f, list, (formulation_key){COLUMN_FREE, t, i, k}, 0, 1, integer);
            }
        }
    }
}

/* F[t,i]: after the first computation, at t = i + 1, no other node can release it first. Only
 * canonical schedules need it: others may recompute a user for the release alone. */
static void add_early_releases(formulation *f, column_list *list)
{
    if (!(f->features & FORMULATION_CANONICAL))
        return;
    bool integer = !(f->features & FORMULATION_RELEASE);
    for (int t = 0; t < f->problem->graph->n; t++)
        for (int i = 0; i + 1 < t; i++)
            if (cell_col(f, CELL_OUT, t, i) >= 0 && problem_may_recompute(f->problem, i))
                f->early_col[cell_index(f, t, i)] =
                    new_column(f, list, (formulation_key){COLUMN_FREE, t, i, -1}, 0, 1, integer);
}

/* D[t,i] wherever both R and S can be 1. */
static void add_twice(formulation *f, column_list *list)
{
    if (f->features & FORMULATION_CANONICAL)
        return;
    for (int t = 0; t < f->problem->graph->n; t++)
        for (int i = 0; i < t; i++)
            if (cell_col(f, CELL_R, t, i) >= 0 &&
                (cell_col(f, CELL_C, t, i) >= 0 || cell_col(f, CELL_P, t, i) >= 0))
                f->twice_col[cell_index(f, t, i)] =
                    new_column(f, list, (formulation_key){COLUMN_TWICE, t, i, -1}, 0, 1, false);
}

/* The bytes resident when a stage begins stand once, in a column, instead of in each event. */
static void add_loads(formulation *f, column_list *list)
{
    const problem *p = f->problem;
    for (int t = 0; t < p->graph->n; t++)
        f->load_col[t] = new_column(f, list, (formulation_key){COLUMN_LOAD, t, -1, -1}, 0,
                                    (double)f->budget * f->byte_scale, false);
}

/* The totals (formulation/total.h) of more than one cell. */
static void add_totals(formulation *f, column_list *list)
{
    const graph *g = f->problem->graph;
    f->totals = formulation_totals(g, &f->total);
    for (int k = 0; k < f->totals; k++) {
        const formulation_total *total = &f->total[k];
        if (!(f->features & (total->leading ? FORMULATION_UNITS : FORMULATION_TOTALS)))
            continue;
        int cells = 0;
        double most = 0;
        for (int t = 0; t < g->n; t++)
            for (int i = 0; i < t; i++)
                if (total->weight[i] > 0 && cell_col(f, total->kind, t, i) >= 0) {
                    most += (double)total->weight[i];
                    cells++;
                }
        if (cells > 1)
            new_column(f, list, (formulation_key){COLUMN_TOTAL, -1, k, -1}, 0, most, true);
    }
}

int *formulation_none(size_t count)
{
    int *column = base_malloc(count ? count : 1, sizeof *column);
    memset(column, 0xff, count * sizeof *column);
    base_work(count / 16);
    return column;
}

formulation *formulation_build(const problem *p, unsigned features, const uint8_t *mask,
                               double cost_scale)
{
    const graph *g = p->graph;
    size_t cells = (size_t)g->n * (size_t)g->n;
    size_t frees = (size_t)g->n * (size_t)g->edge_count;
    formulation *f = base_calloc(1, sizeof *f);
    f->problem = p;
    f->features = features = formulation_consistent(features);
    f->cost_scale = cost_scale;
    f->mask = base_copy(mask, cells, 1);
    f->bytes = base_malloc((size_t)g->n, sizeof *f->bytes);
    f->workspace = base_malloc((size_t)g->n, sizeof *f->workspace);
    f->budget = formulation_round_memory(p, features, f->bytes, f->workspace);
    int64_t largest = 1;
    for (int i = 0; i < g->n; i++) {
        largest = f->bytes[i] > largest ? f->bytes[i] : largest;
        largest = f->workspace[i] > largest ? f->workspace[i] : largest;
    }
    int exponent;
    frexp((double)largest, &exponent);
    f->byte_scale = ldexp(1, 1 - exponent);
    f->model = lp_model_create();
    for (int k = 0; k < CELL_KINDS; k++)
        f->cell[k] = formulation_none(cells);
    f->free_col = formulation_none(frees);
    f->load_col = base_malloc((size_t)g->n, sizeof(int));
    f->early_col = formulation_none(cells);
    f->twice_col = formulation_none(cells);
    column_list list = {NULL, 0};
    uint8_t *used = base_malloc((size_t)g->n, 1);
    for (int i = 0; i < g->n; i++) {
        int last = use_stages(f, i, used);
        add_actions(f, &list, i, last);
        add_residency(f, &list, i, last, used);
    }
    base_free(used);
    add_releases(f, &list);
    add_early_releases(f, &list);
    add_twice(f, &list);
    add_loads(f, &list);
    if (features & (FORMULATION_TOTALS | FORMULATION_UNITS))
        add_totals(f, &list);
    f->column = list.key;
    formulation_build_rows(f);
    return f;
}

void formulation_free(formulation *f)
{
    if (!f)
        return;
    for (int k = 0; k < CELL_KINDS; k++)
        base_free(f->cell[k]);
    base_free_all(f->free_col, f->load_col, f->early_col, f->twice_col, f->bytes, f->workspace,
                  f->mask, f->column);
    formulation_totals_free(f->total, f->totals);
    base_free(f->row);
    lp_model_free(f->model);
    base_free(f);
}
