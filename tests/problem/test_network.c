/* The networks against facts about the published ones (tests/data/networks.txt)
 * and the numbers quoted for them, on every platform. */
#include <math.h>
#include <stdlib.h>

#include "problem/network.h"
#include "tests/problem/owned.h"
#include "tests/problem/support.h"
#include "tests/suite.h"

SUITE("networks", .seconds = 30);

/* The published device data, stated anew: FLOPs per joule and per second, storage
 * watts, latency and bytes per second in and out. */
typedef struct device {
    const char *name;
    double flops_per_joule, flops, watts, in_latency, in_rate, out_latency, out_rate;
} device;

static const device devices[] = {
    {"m0", 2525252.5252525252525, 166666.66666666666667, 0.33, 109e-6, 4616.51e3, 113e-6, 4440e3},
    {"m4", 580010757.69087890030, 6369910.1452643084346, 0.33, 109e-6, 4616.51e3, 113e-6, 4440e3},
    {"a72", 40115792.067011579207, 2e9, 0.15, 5.09561e-6, 45.5e6, 18.5314e-6, 24.5e6},
    {"a72nocache", 40115792.067011579207, 120347376.20103473762, 0.15, 5.09561e-6, 45.5e6,
     4.23532e-3, 17.1e6},
    {"jetsontx2", 252123458369.73764800, 193126569111.21903836, 0.309, 540e-6, 108.5e6, 2396e-6,
     94.37e6},
};

enum { DEVICE_COUNT = sizeof devices / sizeof *devices };

#define ck_assert_close(x, y, relative)                                                            \
    ck_assert_msg(fabs((x) - (y)) <= (relative)*fabs(y), "%.17g is not %.17g", (double)(x),        \
                  (double)(y))

static graph *build(const char *model, const char *device_name, int batch_size)
{
    network_options options = network_options_default();
    options.batch_size = batch_size;
    base_error error = {""};
    graph *g = network_build(model, platform_find(device_name), options, &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    return g;
}

/* One line "elements FLOPs inputs..." against node i on every device. */
static void compare_node(const char *line, graph *const *g, int i)
{
    char *rest;
    double elements = strtod(line, &rest), flops = strtod(rest, &rest), bytes = 4 * elements;
    int count = 0;
    for (const char *text = rest; strtol(text, &rest, 10) || rest != text; text = rest, count++) {
        int e = g[0]->input_start[i] + count;
        ck_assert_int_lt(e, g[0]->input_start[i + 1]);
        ck_assert_int_eq(g[0]->input[e], strtol(text, NULL, 10));
    }
    ck_assert_int_eq(count, g[0]->input_start[i + 1] - g[0]->input_start[i]);
    for (int d = 0; d < DEVICE_COUNT; d++) {
        const device *v = &devices[d];
        double in = v->in_latency + bytes / v->in_rate, out = v->out_latency + bytes / v->out_rate;
        ck_assert(g[d]->bytes[i] == (int64_t)bytes);
        ck_assert_close(g[d]->seconds[i], flops / v->flops, 1e-12);
        ck_assert_close(g[d]->joules[i], flops / v->flops_per_joule, 1e-12);
        ck_assert_close(g[d]->pagein_seconds[i], in, 1e-12);
        ck_assert_close(g[d]->pageout_seconds[i], out, 1e-12);
        ck_assert_close(g[d]->pagein_joules[i], in * v->watts, 1e-12);
        ck_assert_close(g[d]->pageout_joules[i], out * v->watts, 1e-12);
    }
}

TEST(nodes_are_the_published_ones)
{
    FILE *facts = fopen("tests/data/networks.txt", "r");
    ck_assert_msg(facts != NULL, "run from the top folder of the repository");
    char line[256], model[32];
    int networks = 0, n, edges;
    while (fgets(line, sizeof line, facts)) {
        if (*line == '#')
            continue;
        ck_assert_int_eq(sscanf(line, "network %31s %d %d", model, &n, &edges), 3);
        graph *g[DEVICE_COUNT];
        for (int d = 0; d < DEVICE_COUNT; d++) {
            g[d] = build(model, devices[d].name, 1);
            ck_assert_int_eq(g[d]->n, n);
            ck_assert_int_eq(g[d]->edge_count, edges);
        }
        for (int i = 0; i < n; i++) {
            ck_assert_ptr_nonnull(fgets(line, sizeof line, facts));
            compare_node(line, g, i);
            ck_assert(g[0]->backward[i] == (i > n / 2));
        }
        for (int d = 0; d < DEVICE_COUNT; d++)
            graph_free(g[d]);
        networks++;
    }
    fclose(facts);
    ck_assert_int_eq(networks, 8);
}

TEST(quoted_numbers)
{
    static const struct {
        const char *model;
        int n, edges;
        int64_t peak;
        double a72, m4;
    } table[] = {
        {"linear", 27, 51, 7416, 0.0065894249217, 0.00045575016757},
        {"transformer", 19, 37, 37748736, 119.37989727, 8.2567764003},
        {"vgg16_cifar", 81, 159, 2465832, 49.736130915, 3.4399435865},
        {"resnet18_cifar", 133, 269, 2453760, 7.8895101827, 0.5456691032},
        {"bert", 195, 411, 383778816, 1377.3537620, 95.263124670},
        {"resnet50", 335, 683, 127759104, 610.28425312, 42.209624348},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        OWNED(graph) *a72 = build(table[k].model, "a72", 1), *m4 = build(table[k].model, "m4", 1);
        ck_assert_int_eq(a72->n, table[k].n);
        ck_assert_int_eq(a72->edge_count, table[k].edges);
        ck_assert_int_eq(graph_checkpoint_all_peak(a72), table[k].peak);
        ck_assert_close(graph_base_joules(a72), table[k].a72, 2e-10);
        ck_assert_close(graph_base_joules(m4), table[k].m4, 2e-10);
    }
}

/* The one calibrated number: ResNet-18 (ImageNet) takes Table 3's 82.36 ms. */
TEST(tx2_calibration)
{
    OWNED(graph) *g = build("resnet18", "jetsontx2", 1);
    ck_assert_close(graph_base_seconds(g), 82.36e-3, 1e-12);
    ck_assert_close(graph_base_joules(g), 82.36e-3 * 0.766, 1e-12);
    ck_assert_contains(platform_find("jetsontx2")->note, "calibrated");
    ck_assert_contains(platform_find("jetsontx2")->note, "15905904232 FLOPs");
}

/* FLOPs at batch size N of a layer from those at 1: the kinds differ. */
static double batch_flops(const char *name, double flops, double elements, int batch)
{
    if (strncmp(name, "linear_relu", 11) == 0)
        return flops + (batch - 1) * elements;
    if (strncmp(name, "linear", 6) == 0)
        return flops;
    return batch * flops;
}

TEST(batch_sizes)
{
    const int batch = 7;
    for (int k = 0; network_name(k); k++) {
        OWNED(graph) *one = build(network_name(k), "a72", 1),
                     *many = build(network_name(k), "a72", batch);
        const int forward = one->n / 2 + 1;
        ck_assert_int_eq(one->n, many->n);
        ck_assert_mem_eq(one->input, many->input, (size_t)one->edge_count * sizeof(int));
        for (int i = 0; i < one->n; i++) {
            /* The gradient of the pair (e, e+1) has the shape of e+1 and twice the FLOPs of e. */
            const int of = i < forward ? i : 2 * forward - 2 - i, shape = i < forward ? i : of + 1;
            const int64_t factor = shape == forward - 1 ? 1 : batch;
            const double expected =
                (i < forward ? 1 : 2) * batch_flops(one->node_name[of], one->seconds[of] * 2e9,
                                                    (double)one->bytes[of] / 4, batch);
            ck_assert_int_eq(many->bytes[i], factor * one->bytes[i]);
            ck_assert_close(many->seconds[i] * 2e9, expected, 1e-12);
        }
        ck_assert_int_eq(many->batch_size, batch);
    }
}

/* Two by hand: the first convolution and the first linear layer of VGG16. */
TEST(batch_by_hand)
{
    OWNED(graph) *g = build("vgg16_cifar", "a72", 5);
    ck_assert_int_eq(g->bytes[1], 5 * 64 * 32 * 32 * 4);
    ck_assert_close(g->seconds[1] * 2e9, 2 * 9 * (5 * 3 * 1024) * 64. + 5 * 65536, 1e-12);
    ck_assert_str_eq(g->node_name[33], "linear1");
    ck_assert_int_eq(g->bytes[33], 5 * 4096 * 4);
    ck_assert_close(g->seconds[33] * 2e9, 2 * 513 * 4096. + 4096, 1e-12);
    ck_assert_int_eq(g->bytes[40], 40);
    ck_assert_close(g->seconds[40] * 2e9, 5 * 10 * 10., 1e-12);
}

TEST(memory_power_scale)
{
    network_options options = network_options_default();
    options.mem_power_scale = 2.5;
    OWNED(graph) *plain = build("linear", "m4", 1);
    OWNED(graph) *scaled = network_build("linear", platform_find("m4"), options, NULL);
    for (int i = 0; i < plain->n; i++) {
        ck_assert_close(scaled->pagein_joules[i], 2.5 * plain->pagein_joules[i], 1e-15);
        ck_assert_close(scaled->pageout_joules[i], 2.5 * plain->pageout_joules[i], 1e-15);
        ck_assert(scaled->pagein_seconds[i] == plain->pagein_seconds[i]);
        ck_assert(scaled->pageout_seconds[i] == plain->pageout_seconds[i]);
        ck_assert(scaled->joules[i] == plain->joules[i]);
    }
    ck_assert(scaled->mem_power_scale == 2.5);
}

TEST(origin_is_noted)
{
    OWNED(graph) *g = build("bert", "m0", 2);
    ck_assert_str_eq(g->name, "bert");
    ck_assert_str_eq(g->model, "bert");
    ck_assert_str_eq(g->platform, "m0");
    ck_assert_str_eq(g->backward_style, "published");
    ck_assert_str_eq(g->node_name[0], "input1");
    ck_assert_str_eq(g->node_name[98], "grad_add24");
}

TEST(bad_options)
{
    const platform *p = platform_find("a72");
    network_options options = network_options_default();
    base_error error;
    ck_assert_ptr_null(network_build("vgg", p, options, &error));
    for (int k = 0; network_name(k); k++) {
        ck_assert_contains(error.text, network_name(k));
        ck_assert_ptr_nonnull(network_description(k));
    }
    ck_assert_ptr_null(network_name(8));
    ck_assert_ptr_null(network_name(-1));
    options.batch_size = 0;
    ck_assert_ptr_null(network_build("linear", p, options, &error));
    ck_assert_contains(error.text, "batch size 0");
    options.batch_size = LAYER_MAX_BATCH + 1;
    ck_assert_ptr_null(network_build("linear", p, options, &error));
    ck_assert_contains(error.text, "batch size 524289");
    options = network_options_default();
    const double scales[] = {0, -1, NAN, INFINITY};
    for (int k = 0; k < 4; k++) {
        options.mem_power_scale = scales[k];
        ck_assert_ptr_null(network_build("linear", p, options, &error));
        ck_assert_contains(error.text, "memory power scale");
    }
    layer_backward style;
    ck_assert_int_eq(network_parse_backward("autodiff", &style, &error), 0);
    ck_assert_int_eq(style, LAYER_BACKWARD_AUTODIFF);
    ck_assert_int_eq(network_parse_backward("published", &style, &error), 0);
    ck_assert_int_eq(style, LAYER_BACKWARD_PUBLISHED);
    ck_assert_int_eq(network_parse_backward("auto", &style, &error), -1);
    ck_assert_contains(error.text, "\"auto\"");
}

/* The largest batch stays within the limits of a graph, on every network. */
TEST(largest_batch)
{
    for (int k = 0; network_name(k); k++) {
        OWNED(graph) *one = build(network_name(k), "a72", 1);
        OWNED(graph) *g = build(network_name(k), "a72", LAYER_MAX_BATCH);
        for (int i = 0; i < g->n / 2; i++) {
            ck_assert_int_eq(g->bytes[i], one->bytes[i] * LAYER_MAX_BATCH);
            ck_assert_double_le(g->seconds[i], one->seconds[i] * LAYER_MAX_BATCH * (1 + 1e-12));
        }
    }
}
