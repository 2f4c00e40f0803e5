/* A graph of five nodes, random schedules, and temporary files. */
#include "tests/problem/support.h"
#include "tests/problem/stated.h"

#include "problem/json.h"
#include "tests/oracle/draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

graph *five_nodes(void)
{
    static const int from[5][2] = {{-1}, {0}, {1}, {2, 0}, {3, 1}};
    static const int counts[5] = {0, 1, 1, 2, 2};
    static const char *const names[5] = {"in", "a", "b", "c", "d"};
    graph_node nodes[5];
    double joules = 1;
    for (int i = 0; i < 5; i++, joules *= 10)
        nodes[i] = (graph_node){
            .name = names[i],
            .inputs = from[i],
            .input_count = counts[i],
            .bytes = 1 << i,
            .seconds = 1 << i,
            .joules = joules,
            .pagein_seconds = 0.25,
            .pageout_seconds = 0.5,
            .pagein_joules = 0.25 * i,
            .pageout_joules = 0.5 * i,
            .backward = i >= 3,
        };
    graph *g = graph_create("five", nodes, 5, NULL);
    ck_assert_ptr_nonnull(g);
    return g;
}

char *graph_text(const graph *g)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    graph_print(g, stream);
    fclose(stream);
    return text;
}

char *schedule_file_text(const schedule_file *file)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    schedule_file_print(file, stream);
    fclose(stream);
    return text;
}

void write_file(char *path, const char *text)
{
    snprintf(path, 64, "/tmp/poetbnb-test-XXXXXX");
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
}

schedule *random_schedule(const graph *g, base_rng *rng)
{
    const int n = g->n, density = (int)base_rng_below(rng, 101);
    schedule *s = schedule_create(n);
    for (int t = 0; t < n; t++) {
        uint8_t *R = s->R + schedule_cell(s, t, 0), *S = s->S + schedule_cell(s, t, 0);
        uint8_t *A = s->A + schedule_cell(s, t, 0);
        for (int j = t; j >= 0; j--) {
            R[j] = R[j] || (!(g->pin[j] & GRAPH_NO_RECOMPUTE) && draw_chance(rng, density / 4));
            for (int e = g->input_start[j]; R[j] && e < g->input_start[j + 1]; e++)
                R[g->input[e]] |= !S[g->input[e]];
        }
        for (int i = 0; i < t; i++) {
            s->In[schedule_cell(s, t, i)] = A[i] && draw_chance(rng, density);
            s->Out[schedule_cell(s, t, i)] =
                S[i] && !(g->pin[i] & GRAPH_NO_PAGE) && draw_chance(rng, density / 3);
        }
        for (int i = 0; t + 1 < n && i <= t; i++) {
            size_t cell = schedule_cell(s, t, i), next = schedule_cell(s, t + 1, i);
            s->S[next] = (S[i] || R[i] || s->In[cell]) &&
                         ((g->pin[i] & GRAPH_NO_RECOMPUTE) || draw_chance(rng, density));
            s->A[next] = (A[i] || s->Out[cell]) && draw_chance(rng, 80);
        }
    }
    return s;
}

graph *parse_graph(const char *text, base_error *error)
{
    return graph_parse(text, strlen(text), "it", NULL, error);
}

graph *parse_good_graph(const char *text)
{
    base_error error = {""};
    graph *g = parse_graph(text, &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    return g;
}

void expect_read_nodes(const graph *g, int i, int count, const int *inputs)
{
    ck_assert_int_eq(g->input_start[i + 1] - g->input_start[i], count);
    for (int k = 0; k < count; k++)
        ck_assert_int_eq(g->input[g->input_start[i] + k], inputs[k]);
}
