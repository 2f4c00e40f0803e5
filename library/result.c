/* Results: figures, matrices and files. */
#include <math.h>
#include <string.h>

#include "library/library.h"
#include "plan/plan.h"
#include "problem/json.h"

void poetbnb_result_free(poetbnb_result *result)
{
    if (!result)
        return;
    exact_result_clear(&result->exact);
    poetbnb_graph_free(result->graph);
    base_free(result);
}

poetbnb_status poetbnb_result_status(const poetbnb_result *result)
{
    switch (result->exact.status) {
    case EXACT_OPTIMAL:
        return POETBNB_OPTIMAL;
    case EXACT_WITHIN_GAP:
        return POETBNB_WITHIN_GAP;
    case EXACT_INFEASIBLE:
        return POETBNB_INFEASIBLE;
    case EXACT_LIMIT:
        return result->exact.schedule ? POETBNB_FEASIBLE : POETBNB_UNKNOWN;
    case EXACT_FAILED:
        break;
    }
    return POETBNB_FAILED;
}

const char *poetbnb_result_status_name(const poetbnb_result *result)
{
    return exact_status_name(&result->exact);
}

const char *poetbnb_result_reason(const poetbnb_result *result)
{
    return result->reason;
}

int poetbnb_result_certified(const poetbnb_result *result, poetbnb_error *why)
{
    if (why)
        library_fail(&result->uncertified, why);
    return result->certified;
}

void poetbnb_result_figures(const poetbnb_result *result, poetbnb_figures *figures)
{
    static const validation absent = {.energy_joules = NAN,
                                      .overhead_joules = NAN,
                                      .compute_seconds = NAN,
                                      .transfer_seconds = NAN,
                                      .peak_bytes = -1,
                                      .recompute_count = -1,
                                      .pagein_count = -1,
                                      .pageout_count = -1};
    const exact_result *e = &result->exact;
    const validation *v = e->schedule ? &e->validation : &absent;
    const bool infeasible = e->status == EXACT_INFEASIBLE;
    const double bound = infeasible || e->status == EXACT_FAILED ? NAN : e->bound_overhead_joules;
    *figures = (poetbnb_figures){.energy_joules = v->energy_joules,
                                 .overhead_joules = v->overhead_joules,
                                 .bound_joules = bound,
                                 .gap = e->schedule ? exact_gap(v->overhead_joules, bound) : NAN,
                                 .compute_seconds = v->compute_seconds,
                                 .transfer_seconds = v->transfer_seconds,
                                 .deadline_seconds = result->problem.deadline_seconds,
                                 .ram_budget_bytes = result->problem.ram_budget_bytes,
                                 .peak_bytes = v->peak_bytes,
                                 .minimum_bytes = infeasible ? e->minimum_bytes : result->least,
                                 .recompute_count = v->recompute_count,
                                 .pagein_count = v->pagein_count,
                                 .pageout_count = v->pageout_count,
                                 .search_nodes = e->nodes,
                                 .lp_iterations = e->lp_iterations,
                                 .cuts = e->cuts,
                                 .work = e->work,
                                 .seconds = e->seconds};
}

const poetbnb_graph *poetbnb_result_graph(const poetbnb_result *result)
{
    return result->graph;
}

const unsigned char *poetbnb_result_matrix(const poetbnb_result *result, poetbnb_matrix which)
{
    const schedule *s = result->exact.schedule;
    if (!s || which < POETBNB_R || which > POETBNB_OUT)
        return NULL;
    const uint8_t *const matrix[] = {s->R, s->S, s->A, s->In, s->Out};
    return matrix[which];
}

int poetbnb_result_memory(const poetbnb_result *result, int64_t *bytes)
{
    const schedule *s = result->exact.schedule;
    if (!s)
        return -1;
    for (int t = 0; t < s->n; t++)
        bytes[t] = schedule_stage_memory(&result->problem, s, t, NULL);
    return 0;
}

static int need_schedule(const poetbnb_result *result, base_error *error)
{
    return result->exact.schedule ? 0 : base_fail(error, "there is no schedule");
}

static int print_schedule(void *context, FILE *stream, base_error *error)
{
    const poetbnb_result *r = context;
    if (need_schedule(r, error) != 0)
        return -1;
    schedule_print(&r->problem, r->exact.schedule, &r->exact.validation, "poetbnb",
                   exact_status_name(&r->exact), r->exact.bound_overhead_joules, stream);
    return 0;
}

char *poetbnb_result_json(const poetbnb_result *result, poetbnb_error *error)
{
    return library_block(print_schedule, (void *)result, NULL, error);
}

typedef struct plan_form {
    const poetbnb_result *result;
    bool binary;
} plan_form;

static void print_binary(const graph *g, const plan *x, FILE *stream)
{
    size_t size;
    uint8_t *data = plan_write_binary(g, x, &size, NULL);
    fwrite(data, 1, size, stream);
    base_free(data);
}

static int print_plan(void *context, FILE *stream, base_error *error)
{
    const plan_form *form = context;
    const poetbnb_result *r = form->result;
    if (need_schedule(r, error) != 0)
        return -1;
    const plan_options how = plan_options_default();
    plan *x = plan_make(&r->problem, r->exact.schedule, &how, error);
    if (!x)
        return -1;
    int failed = 0;
    if (x->arena_bytes > x->budget_bytes)
        failed = base_fail(error, x->no_packing
                                      ? "proven: no addresses are within the budget"
                                      : "no addresses were found within the budget, nor a proof "
                                        "that there are none");
    else if (plan_execute(r->problem.graph, x, NULL, error) != 0)
        failed = -1;
    else if (form->binary)
        print_binary(r->problem.graph, x, stream);
    else {
        plan_print_json(r->problem.graph, x, stream);
        fputc('\n', stream);
    }
    plan_free(x);
    return failed;
}

char *poetbnb_result_plan(const poetbnb_result *result, poetbnb_error *error)
{
    plan_form form = {.result = result};
    return library_block(print_plan, &form, NULL, error);
}

unsigned char *poetbnb_plan_binary(const poetbnb_result *result, size_t *size, poetbnb_error *error)
{
    plan_form form = {.result = result, .binary = true};
    return (unsigned char *)library_block(print_plan, &form, size, error);
}
