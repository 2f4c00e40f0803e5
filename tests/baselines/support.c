/* Graphs by hand, schedules as short texts, and a method's schedule judged by the validator. */
#include "tests/baselines/support.h"

#include <stdlib.h>

/* Reads at most extent numbers from text; returns how many. */
static int parse_inputs(const char *text, int *inputs, int extent)
{
    int count = 0;
    for (char *end; count < extent; text = end) {
        long value = strtol(text, &end, 10);
        if (end == text)
            break;
        inputs[count++] = (int)value;
    }
    return count;
}

graph *hand_graph(const hand_node *nodes, int n)
{
    enum { MOST_INPUTS = 8 };
    graph_node *raw = base_calloc((size_t)n, sizeof *raw);
    int *inputs = base_calloc((size_t)n * MOST_INPUTS, sizeof *inputs);
    for (int i = 0; i < n; i++) {
        int *list = inputs + i * MOST_INPUTS;
        raw[i] = (graph_node){.name = "node",
                              .inputs = list,
                              .input_count = parse_inputs(nodes[i].inputs, list, MOST_INPUTS),
                              .bytes = nodes[i].bytes,
                              .seconds = nodes[i].seconds,
                              .joules = nodes[i].seconds,
                              .pagein_joules = nodes[i].transfer,
                              .pageout_joules = nodes[i].transfer,
                              .pagein_seconds = nodes[i].transfer,
                              .pageout_seconds = nodes[i].transfer,
                              .backward = nodes[i].backward};
    }
    base_error error;
    graph *g = graph_create("hand", raw, n, &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    base_free_all(inputs, raw);
    return g;
}

graph *chain_graph(int forward, const int64_t *bytes, const double *seconds, double transfer)
{
    const int n = 2 * forward - 1;
    hand_node *nodes = base_calloc((size_t)n, sizeof *nodes);
    char(*inputs)[40] = base_calloc((size_t)n, sizeof *inputs);
    for (int i = 0; i < n; i++) {
        const int x = n - 1 - i; /* the earlier node of a gradient's pair */
        bool backward = i >= forward;
        if (i > 0 && !backward)
            snprintf(inputs[i], sizeof *inputs, "%d", i - 1);
        else if (i == forward)
            snprintf(inputs[i], sizeof *inputs, "%d %d", x, x + 1);
        else if (backward)
            snprintf(inputs[i], sizeof *inputs, "%d %d %d", x, x + 1, i - 1);
        nodes[i] = (hand_node){inputs[i], bytes[backward ? x + 1 : i],
                               backward ? 2 * seconds[x] : seconds[i], transfer, backward};
    }
    graph *g = hand_graph(nodes, n);
    base_free_all(inputs, nodes);
    return g;
}

graph *unit_chain(int forward)
{
    int64_t *bytes = base_malloc((size_t)forward, sizeof *bytes);
    double *seconds = base_malloc((size_t)forward, sizeof *seconds);
    for (int i = 0; i < forward; i++) {
        bytes[i] = 1;
        seconds[i] = 1.0;
    }
    graph *g = chain_graph(forward, bytes, seconds, 1.0);
    base_free_all(bytes, seconds);
    return g;
}

/* Appends "node<mark>stage " for every cell below the diagonal that is set. */
static char *list_cells(const schedule *s, const uint8_t *one, char one_mark, const uint8_t *other,
                        char other_mark)
{
    size_t extent = 64 + (size_t)s->n * (size_t)s->n * 16, used = 0;
    char *text = base_calloc(extent, 1);
    for (int t = 0; t < s->n; t++)
        for (int i = 0; i < t; i++) {
            if (one[schedule_cell(s, t, i)])
                used += (size_t)snprintf(text + used, extent - used, "%s%d%c%d", used ? " " : "", i,
                                         one_mark, t);
            if (other && other[schedule_cell(s, t, i)])
                used += (size_t)snprintf(text + used, extent - used, "%s%d%c%d", used ? " " : "", i,
                                         other_mark, t);
        }
    return text;
}

char *list_recomputations(const schedule *s)
{
    return list_cells(s, s->R, '@', NULL, 0);
}

char *list_transfers(const schedule *s)
{
    return list_cells(s, s->Out, '>', s->In, '<');
}

static schedule *make_schedule(const problem *p, const char *name, const baseline_options *o,
                               validation *v, char reason[BASELINE_REASON])
{
    base_error error;
    const baseline_method *method = baseline_find(name, &error);
    ck_assert_msg(method != NULL, "%s", error.text);
    baseline_options standard = baseline_options_default();
    reason[0] = '\0';
    schedule *s = baseline_schedule(method, p, o ? o : &standard, reason);
    if (s)
        ck_assert_msg(schedule_validate(p, s, v, &error) == 0, "%s: %s", name, error.text);
    return s;
}

bool run_method(const problem *p, const char *method, const baseline_options *o, validation *v,
                char reason[BASELINE_REASON])
{
    OWNED(schedule) *s = make_schedule(p, method, o, v, reason);
    return s != NULL;
}

validation expect_schedule(const problem *p, const char *method, const baseline_options *o,
                           const char *recomputations, const char *transfers)
{
    char reason[BASELINE_REASON];
    validation v;
    OWNED(schedule) *s = make_schedule(p, method, o, &v, reason);
    ck_assert_msg(s != NULL, "%s: %s", method, reason);
    char *text = list_recomputations(s);
    ck_assert_str_eq(text, recomputations);
    base_free(text);
    text = list_transfers(s);
    ck_assert_str_eq(text, transfers);
    base_free(text);
    return v;
}

void expect_none(const problem *p, const char *method, const baseline_options *o,
                 const char *reason)
{
    char got[BASELINE_REASON];
    validation v;
    ck_assert_msg(!run_method(p, method, o, &v, got), "%s has a schedule", method);
    ck_assert_contains(got, reason);
}
