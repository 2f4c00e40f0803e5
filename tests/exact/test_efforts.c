/* What one model's LP hands to the next, and which effort is due when. */
#include <math.h>

#include "exact/beside.h"
#include "exact/cells/grow.h"
#include "exact/cells/prove.h"
#include "exact/cells/tree.h"
#include "exact/cells/warm.h"
#include "exact/cells/working.h"
#include "exact/engine.h"
#include "exact/finder/anneal.h"
#include "exact/search.h"
#include "exact/task.h"
#include "exact/timeline/coarse.h"
#include "formulation/total.h"
#include "heuristics/anneal.h"
#include "lp/safe.h"
#include "tests/exact/agree.h"
#include "tests/exact/support.h"
#include "tests/lp/owned.h"
#include "tests/problem/networks.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

SUITE("efforts", .seconds = 600);

OWNED_POINTER(anneal, anneal_free)
OWNED_POINTER(working, working_free)

/* An engine over all cells, without anything found yet. */
static engine engine_with_cells(const problem *p, const exact_params *params, exact_result *result)
{
    engine e = engine_for(p, params, result);
    e.mask = formulation_mask_full(p, params->features);
    formulation_mask_propagate(p, params->features, e.mask);
    return e;
}

/* The LP over narrow windows, solved. As in the search they lack the residency that has no source:
 * growth has to add it. */
static working *solved_windows(engine *e)
{
    OWNED(uint8_t) *mask = formulation_mask_windows(e->p, e->features, 1, 1);
    formulation_mask_propagate(e->p, e->features, mask);
    working *w = working_open(e, mask, NULL, 0);
    ck_assert(working_solve(e, w, INFINITY));
    ck_assert_int_eq(w->status, LP_OPTIMAL);
    return w;
}

/* Parameters with which new walks begin at once. */
static exact_params walking(void)
{
    exact_params params = exact_params_default();
    params.tuning.labels_begin = params.tuning.least_slice = 0;
    return params;
}

/* A turn of annealing; for even numbers beside the proof, as with several threads. */
static void anneal_turn(engine *e, exact_params *params, double work, int number)
{
    if (number % 2) {
        engine_anneal(e, work);
        return;
    }
    params->tuning.anneal_quick = work / e->p->graph->n;
    const beside f = {.e = e};
    const atomic_bool cancelled = false;
    task *t = task_open(e, &f, EFFORT_ANNEAL, NULL, &cancelled);
    task_run(t);
    task_update_view(t, e);
    task_free(t);
}

/* Where label searches may begin, every second turn of annealing keeps in RAM the tensors that the
 * best schedule keeps. */
TEST(walks_around_what_is_kept)
{
    int better = 0, fewer = 0;
    OWNED(graph) *g = network_graph("vgg16_cifar", "a72");
    for (int percent = 50; percent < 80; percent += 3) {
        problem p = problem_make(g, graph_checkpoint_all_peak(g) * percent / 100);
        p.allow_paging = false; /* else other walks run, too */
        exact_params params = walking();
        params.tuning.cases_dear = 0; /* every tensor is dear */
        exact_result result = {0};
        engine e = engine_with_cells(&p, &params, &result);
        engine_anneal(&e, 2e6);
        ck_assert_ptr_nonnull(result.schedule);
        OWNED(schedule) *before = schedule_copy(result.schedule);
        const double upper = e.upper;
        anneal_turn(&e, &params, 2e7, percent);
        for (int i = 0; i < g->n; i++) {
            ck_assert(!is_away(result.schedule, i) || is_away(before, i));
            fewer += is_away(before, i) && !is_away(result.schedule, i);
        }
        better += e.upper < upper;
        engine_end(&e);
    }
    ck_assert_int_ge(better, 8);
    ck_assert_int_ge(fewer, 10);
}

/* New walks start from the timeline's solution, of which the one with the best bound is noted. */
TEST(walks_start_from_what_is_noted)
{
    OWNED(graph) *g = network_graph("vgg16_cifar", "a72");
    for (int percent = 50; percent < 80; percent += 3) {
        const problem p = problem_make(g, graph_checkpoint_all_peak(g) * percent / 100);
        exact_params params = walking();
        params.tuning.near_gap = 1; /* no chains */
        exact_result result = {0}, better = {0};
        engine good = engine_with_cells(&p, &params, &better);
        engine_anneal(&good, 5e7);
        engine e = engine_with_cells(&p, &params, &result);
        engine_anneal(&e, 2e6);
        engine_note_relaxed(&e, better.schedule, 2);
        engine_note_relaxed(&e, result.schedule, 1);
        ck_assert_double_gt(e.upper, good.upper);
        params = walking();
        anneal_turn(&e, &params, 1e5, percent);
        ck_assert_double_le(e.upper, good.upper);
        engine_end(&e);
        engine_end(&good);
    }
}

/* Where the best schedule pages, another walk has no transfers: a turn is as good as half of it on
 * such a walk alone. */
TEST(walks_without_transfers)
{
    const double turn = 4e7;
    OWNED(graph) *g = network_graph("vgg16_cifar", "m4");
    for (int percent = 50; percent < 80; percent += 3) {
        const problem p = problem_make(g, graph_checkpoint_all_peak(g) * percent / 100);
        exact_params params = walking();
        params.tuning.cases_dear = 0; /* walks around the best schedule keep every tensor */
        exact_result result = {0};
        engine e = engine_with_cells(&p, &params, &result);
        problem paging = p, computing = p;
        paging.allow_remat = computing.allow_paging = false;
        OWNED(anneal) *pages = anneal_create(&paging, &params.tuning.heuristics, 1);
        anneal_run(pages, turn);
        OWNED(schedule) *s = anneal_best(pages);
        ck_assert(engine_offer(&e, s, "test") && result.validation.pagein_count > 0);
        OWNED(anneal) *alone =
            anneal_create(&computing, &params.tuning.heuristics, params.seed + 1);
        anneal_run(alone, turn / 2);
        ck_assert_double_lt(anneal_joules(alone), anneal_joules(pages));
        anneal_turn(&e, &params, turn, percent);
        ck_assert_double_le(e.upper, anneal_joules(alone) * e.scale * (1 + 1e-9));
        engine_end(&e);
    }
}

/* A tree prunes half of its own gap below the cutoff that it is told. Where it ends there, though
 * it found the best schedule itself, the engine's cutoff is proven. */
TEST(trees_prove_the_cutoff)
{
    static const double gaps[] = {0, 1e-12, EXACT_OPTIMAL_GAP, 1e-4, 0.3};
    for (size_t k = 0; k < sizeof gaps / sizeof *gaps; k++)
        for (int power = -7; power < 11; power++) {
            const double upper = 2.9 * pow(7.3, power);
            exact_params params = exact_params_default();
            params.gap_relative = gaps[k];
            const engine e = {.params = &params, .upper = upper};
            const double told = engine_tree_cutoff(&e);
            const double pruned = told - 0.5 * engine_turn_params(&e).gap_relative * told;
            ck_assert_double_eq(engine_turn_params(&e).cutoff, told);
            ck_assert_double_ge(pruned, engine_cutoff(&e));
            ck_assert_double_le(pruned, upper);
        }
}

/* What the duals of wide, extended, prove of the model over the mask. */
static double carried_bound(engine *e, const working *wide, const uint8_t *mask, int *cols)
{
    OWNED(working) *w = working_build(e, mask, wide, false);
    OWNED(lp_model) *m = model_with_cuts(w->f, &w->cuts);
    OWNED(double) *y = warm_duals(e, w->f, w->cuts.count, wide);
    const double bound = lp_safe_bound(m, NULL, NULL, y, NULL);
    *cols = m->cols;
    return bound;
}

/* Turns may end within an LP: those with little work are many, and growth ends with the same bound.
 */
TEST(grows_by_turns)
{
    OWNED(graph) *g = network_graph("resnet18_cifar", "a72");
    const problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    const exact_params params = exact_params_default();
    double bound[2];
    int turns[2] = {0};
    for (int k = 0; k < 2; k++) {
        exact_result result = {0};
        engine e = engine_with_cells(&p, &params, &result);
        engine_anneal(&e, 1e7);
        OWNED(working) *w = solved_windows(&e);
        engine_growth_begin(&e, w);
        for (; !engine_growth_over(&e); turns[k]++)
            engine_grow(&e, k == 0 ? INFINITY : 1e6);
        working *wide = engine_growth_end(&e);
        ck_assert(engine_solved(&e, wide));
        bound[k] = wide->bound;
        working_free(wide);
        engine_end(&e);
    }
    ck_assert_int_gt(turns[1], 3 * turns[0]);
    ck_assert_double_eq_tol(bound[0], bound[1], 1e-9 * bound[0]);
}

/* Grown from the windows, the duals of the last model prove as much of the model over all cells
 * that are left, and of one with fewer, though both have other rows. */
TEST(multipliers_go_over_to_the_last_model)
{
    OWNED(graph) *g = network_graph("resnet18_cifar", "a72");
    const problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    const exact_params params = exact_params_default();
    exact_result result = {0};
    engine e = engine_with_cells(&p, &params, &result);
    engine_anneal(&e, 1e7);
    OWNED(working) *w = solved_windows(&e);
    engine_growth_begin(&e, w);
    while (!engine_growth_over(&e))
        engine_grow(&e, INFINITY);
    working *wide = engine_wide(&e);
    ck_assert(engine_solved(&e, wide) && e.extended == wide);
    int all, fewer;
    ck_assert_double_ge(carried_bound(&e, wide, e.mask, &all), (1 - 1e-9) * wide->bound);
    ck_assert_int_gt(all, 2 * wide->f->model->cols);
    base_rng rng = {1};
    uint8_t *mask = base_malloc(engine_cells(&e), 1);
    for (size_t c = 0; c < engine_cells(&e); c++)
        mask[c] = base_rng_below(&rng, 3) ? e.mask[c] : e.mask[c] & (uint8_t) ~(MASK_R | MASK_IN);
    formulation_mask_propagate(&p, params.features, mask);
    ck_assert_double_ge(carried_bound(&e, wide, mask, &fewer), (1 - 1e-9) * wide->bound);
    ck_assert_int_lt(fewer, all);
    /* Cuts that came after the extension have no multipliers. */
    const int rows = wide->f->model->rows, had = wide->cuts.count;
    for (int k = 0; k < 1000; k++)
        *event_cut_list_add(&wide->cuts) = (event_cut){.upper = LP_INFINITY};
    double *y = warm_duals(&e, wide->f, wide->cuts.count, wide);
    for (int c = had; c < wide->cuts.count; c++)
        ck_assert_double_eq(y[rows + c], 0);
    base_free(y);
    base_free(mask);
    ck_assert_ptr_eq(engine_growth_end(&e), wide);
    ck_assert_ptr_ne(wide, w);
    working_free(wide);
    engine_end(&e);
}

/* Totals in units pay when what may still be gained is a small part of a unit. */
TEST(units_pay_near_the_end)
{
    OWNED(graph) *g = network_graph("resnet18_cifar", "a72");
    const problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    exact_params params = exact_params_default();
    exact_result result = {0};
    engine e = engine_with_cells(&p, &params, &result);
    const double unit = formulation_total_unit(g) * e.scale;
    e.lower = 10;
    e.upper = e.lower + 100 * unit;
    ck_assert(!engine_units_pay(&e));
    e.upper = e.lower + 0.1 * unit;
    ck_assert(engine_units_pay(&e));
    e.upper = INFINITY;
    ck_assert(!engine_units_pay(&e));
    e.upper = e.lower + 0.1 * unit;
    params.tuning.unit_totals = false;
    ck_assert(!engine_units_pay(&e));
    engine_end(&e);
}

/* A small problem, and an engine with a bound of 10 from above. */
typedef struct small_search {
    graph *g;
    problem p;
    exact_params params;
    exact_result result;
    engine e;
} small_search;

static small_search *small_search_open(void)
{
    small_search *s = base_calloc(1, sizeof *s);
    s->g = network_graph("linear", "m4");
    s->p = problem_make(s->g, graph_checkpoint_all_peak(s->g) / 2);
    s->params = exact_params_default();
    s->e = engine_with_cells(&s->p, &s->params, &s->result);
    s->e.upper = 10;
    return s;
}

static void small_search_close(small_search *s)
{
    engine_end(&s->e);
    graph_free(s->g);
    base_free(s);
}

OWNED_POINTER(small_search, small_search_close)

/* The coarse timeline has turns though another bound is better, where the search takes long and is
 * far from its end. */
TEST(long_searches_coarsen)
{
    OWNED(small_search) *small = small_search_open();
    exact_tuning *tuning = &small->params.tuning;
    engine *e = &small->e;
    tuning->anneal_effort = tuning->polish_effort = 0;
    tuning->labels_gap = 1; /* no labels */
    e->coarse_bound = 1;
    beside f = {.e = e, .now = {.growth_over = true}};
    base_work_count(1000); /* a share of nothing is none */
    for (int takes_long = 0; takes_long < 2; takes_long++) {
        tuning->long_work = takes_long ? 0 : 1e15;
        e->lower = (1 - 0.1 * tuning->near_gap) * e->upper;
        ck_assert_int_eq(beside_due(&f), EFFORTS);
        e->lower = (1 - 10 * tuning->near_gap) * e->upper;
        ck_assert_int_eq(beside_due(&f), takes_long ? EFFORT_COARSE : EFFORTS);
    }
}

/* Labels and cases do not run beside trees over cells that are likely to close. */
TEST(cells_that_suffice_need_no_labels_and_no_cases)
{
    OWNED(small_search) *small = small_search_open();
    exact_tuning *tuning = &small->params.tuning;
    engine *e = &small->e;
    tuning->long_work = tuning->labels_begin = tuning->cases_begin = 0;
    base_work_count(1000);
    const exact_effort efforts[] = {EFFORT_LABELS, EFFORT_CASES};
    for (int k = 0; k < 2; k++)
        for (int over = 0; over < 2; over++)
            for (int near = 0; near < 2; near++) {
                const double left = (near ? 0.5 : 2) * tuning->near_gap;
                beside f = {.e = e,
                            .busy = 0xff & ~(1u << efforts[k]),
                            .now = {.growth_over = over, .wide_bound = (1 - left) * e->upper}};
                ck_assert_int_eq(beside_next(&f), over && near ? EFFORTS : efforts[k]);
            }
}

/* Nor do they run while timelines lead and the gap is tiny. */
TEST(timelines_that_suffice_need_no_labels_and_no_cases)
{
    OWNED(small_search) *small = small_search_open();
    exact_tuning *tuning = &small->params.tuning;
    engine *e = &small->e;
    tuning->labels_begin = tuning->cases_begin = 0;
    base_work_count(1000);
    const exact_effort efforts[] = {EFFORT_LABELS, EFFORT_CASES};
    for (int k = 0; k < 2; k++)
        for (int tiny = 0; tiny < 2; tiny++)
            for (int lead = 0; lead < 2; lead++) {
                e->lower = (1 - (tiny ? 1e-5 : 1e-3)) * e->upper;
                e->coarse_bound = lead ? e->lower : 0;
                beside f = {.e = e, .busy = 0xff & ~(1u << efforts[k])};
                ck_assert_int_eq(beside_next(&f), tiny && lead ? EFFORTS : efforts[k]);
                exact_spent *other = &e->result->spent[efforts[1 - k]];
                other->turns = other->successes = 1; /* it came so far */
                ck_assert_int_eq(beside_next(&f), efforts[k]);
                other->turns = other->successes = 0;
            }
}

/* Far from the cutoff, or without one, label searches come before the LP over the windows while
 * half of their turns succeed, for first_wait or labels_begin; elsewhere they wait for
 * labels_begin, unless one has succeeded. */
TEST(labels_lead_far_from_the_cutoff)
{
    OWNED(small_search) *small = small_search_open();
    exact_tuning *tuning = &small->params.tuning;
    engine *e = &small->e;
    exact_spent *spent = &e->result->spent[EFFORT_LABELS];
    const double upper = e->upper;
    const beside f = {.e = e, .busy = 0xff & ~(1u << EFFORT_LABELS)};
    base_work_count(1000);
    static const struct {
        double gap; /* relative to labels_gap; 0: no schedule */
        long turns, successes;
        bool late, later, off, due, leads; /* late, later: after first_wait, labels_begin */
    } row[] = {
        {2, 0, 0, .due = true, .leads = true},
        {0, 0, 0, .due = true, .leads = true},
        {2, 2, 1, .due = true, .leads = true},
        {2, 3, 1, .due = true},
        {2, 0, 0, .late = true, .due = true},
        {0, 0, 0, .late = true, .due = true, .leads = true},
        {0, 0, 0, .late = true, .later = true, .due = true},
        {2, 0, 0, .off = true},
        {0.5, 1, 0, .due = false},
        {0.5, 1, 1, .due = true},
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        e->upper = row[k].gap > 0 ? upper : INFINITY;
        e->lower = (1 - row[k].gap * tuning->labels_gap) * upper;
        spent->turns = row[k].turns;
        spent->successes = row[k].successes;
        tuning->first_wait = row[k].late ? 0 : 1e15;
        tuning->labels_begin = row[k].later ? 0 : 1e15;
        tuning->labels_effort = row[k].off ? 0 : 300;
        ck_assert_msg((beside_next(&f) == EFFORT_LABELS) == row[k].due, "row %d", (int)k);
        ck_assert_msg(beside_leads(&f) == row[k].leads, "row %d", (int)k);
    }
}

/* An effort without a share has no turn, even if nothing else may run. */
TEST(no_share_no_turn)
{
    OWNED(small_search) *small = small_search_open();
    exact_tuning *tuning = &small->params.tuning;
    engine *e = &small->e;
    tuning->long_work = tuning->labels_begin = tuning->cases_begin = tuning->least_slice = 0;
    const exact_effort efforts[] = {EFFORT_LABELS, EFFORT_ANNEAL, EFFORT_POLISH, EFFORT_COARSE,
                                    EFFORT_CASES};
    int *const share[] = {&tuning->labels_effort, &tuning->anneal_effort, &tuning->polish_effort,
                          &tuning->coarse_effort, &tuning->cases_effort};
    base_work_count(1000);
    for (int k = 0; k < 5; k++) {
        beside f = {.e = e, .busy = 0xff & ~(1u << efforts[k])};
        ck_assert_int_eq(beside_next(&f), efforts[k]);
        *share[k] = 0;
        ck_assert_int_eq(beside_next(&f), EFFORTS);
        ck_assert_int_eq(beside_due(&f), EFFORTS);
    }
}

/* Of two efforts within their shares, the one that has used less of its share has the turn. */
TEST(the_least_served_comes_first)
{
    OWNED(small_search) *small = small_search_open();
    exact_tuning *tuning = &small->params.tuning;
    engine *e = &small->e;
    tuning->long_work = tuning->cases_begin = 0;
    base_work_count(1000000);
    const double all = 1e-9 * engine_work(e);
    beside f = {.e = e, .busy = 1u << EFFORT_LABELS | 1u << EFFORT_POLISH | 1u << EFFORT_COARSE};
    for (int first = 0; first < 2; first++) {
        const exact_effort more = first ? EFFORT_ANNEAL : EFFORT_CASES;
        const exact_effort less = first ? EFFORT_CASES : EFFORT_ANNEAL;
        const double per_mille[] = {
            [EFFORT_ANNEAL] = tuning->anneal_effort, [EFFORT_CASES] = tuning->cases_effort};
        small->result.spent[more].work = 0.5e-3 * per_mille[more] * all;
        small->result.spent[less].work = 0.4e-3 * per_mille[less] * all;
        ck_assert_int_eq(beside_due(&f), less);
        ck_assert_int_eq(beside_next(&f), less);
        small->result.spent[more].work *= 3; /* both have had their shares */
        small->result.spent[less].work *= 3;
        ck_assert_int_eq(beside_due(&f), EFFORTS);
        ck_assert_int_eq(beside_next(&f), less);
    }
}
