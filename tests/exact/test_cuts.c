/* Cuts carried from one working model to another. */
#include <math.h>

#include "exact/cells/tree.h"
#include "exact/cells/working.h"
#include "exact/engine.h"
#include "tests/problem/networks.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

SUITE("express");

/* An event (t,k) that the smaller mask does not have makes a cut empty: with a negative right-hand
 * side it must not turn into a row that nothing meets. */
TEST(cut_on_a_missing_event_says_nothing)
{
    OWNED(graph) *g = network_graph("linear", "a72");
    ck_assert_ptr_nonnull(g);
    problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    uint8_t *mask = formulation_mask_full(&p, FORMULATION_DEFAULT);
    const int t = 9, k = 5;
    mask[t * g->n + k] &= (uint8_t)~MASK_R;
    formulation *f = formulation_build(&p, FORMULATION_DEFAULT, mask, 1.0);
    int tensor = 1;
    double coef = -1;
    event_cut cut = {
        .t = t, .k = k, .tensors = 1, .tensor = &tensor, .coef = &coef, .rhs = -1, .upper = -1};
    event_cut_list from = {.count = 1, .capacity = 1, .cut = &cut};
    event_cut_list to = cuts_translate(&from, f);
    ck_assert_int_eq(to.count, 1);
    ck_assert_int_eq(to.cut[0].count, 0);
    ck_assert(isinf(to.cut[0].upper) && to.cut[0].upper > 0);
    event_cut_list_clear(&to);
    formulation_free(f);
    base_free(mask);
}

/* The row "a cell outside the windows is used" names cells of the model that are outside, and none
 * within. */
TEST(outside_row_is_outside)
{
    OWNED(graph) *g = network_graph("linear", "a72");
    problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    uint8_t *all = formulation_mask_full(&p, FORMULATION_DEFAULT);
    uint8_t *core = formulation_mask_windows(&p, FORMULATION_DEFAULT, 1, 1);
    formulation_mask_propagate(&p, FORMULATION_DEFAULT, core);
    exact_params params = exact_params_default();
    engine e = {.p = &p, .params = &params, .features = params.features, .core = core};
    formulation *whole = formulation_build(&p, FORMULATION_DEFAULT, all, 1.0);
    formulation *small = formulation_build(&p, FORMULATION_DEFAULT, core, 1.0);
    event_cut row = outside_row(&e, small);
    ck_assert_int_eq(row.count, 0);
    outside_row_clear(&row);
    row = outside_row(&e, whole);
    ck_assert_int_gt(row.count, 0);
    ck_assert_double_eq(row.upper, -1);
    for (int k = 0; k < row.count; k++) {
        formulation_key key = whole->column[row.col[k]];
        ck_assert_double_eq(row.value[k], -1);
        ck_assert_int_lt(small->cell[key.kind][(size_t)key.t * (size_t)g->n + (size_t)key.i], 0);
    }
    outside_row_clear(&row);
    formulation_free(small);
    formulation_free(whole);
    base_free_all(core, all);
}
