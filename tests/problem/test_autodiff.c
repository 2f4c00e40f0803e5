/* The gradients of --backward=autodiff against hand-made lists. */
#include <stdlib.h>

#include "problem/network.h"
#include "tests/problem/owned.h"
#include "tests/problem/support.h"
#include "tests/suite.h"

SUITE("autodiff");

static graph *build(const char *model, layer_backward style)
{
    network_options options = network_options_default();
    options.backward = style;
    graph *g = network_build(model, platform_find("a72"), options, NULL);
    ck_assert_ptr_nonnull(g);
    return g;
}

static int find(const graph *g, const char *name)
{
    for (int i = 0; i < g->n; i++)
        if (strcmp(g->node_name[i], name) == 0)
            return i;
    ck_abort_msg("no node %s", name);
    return -1;
}

/* The node reads exactly those named, separated by blanks. */
static void expect_inputs(const graph *g, const char *name, const char *inputs)
{
    const int i = find(g, name);
    char list[200], *state;
    int count = 0;
    snprintf(list, sizeof list, "%s", inputs);
    for (char *word = strtok_r(list, " ", &state); word; word = strtok_r(NULL, " ", &state)) {
        bool found = false;
        for (int e = g->input_start[i]; e < g->input_start[i + 1]; e++)
            found |= g->input[e] == find(g, word);
        ck_assert_msg(found, "%s does not read %s", name, word);
        count++;
    }
    ck_assert_msg(count == g->input_start[i + 1] - g->input_start[i], "%s reads %d nodes", name,
                  g->input_start[i + 1] - g->input_start[i]);
}

static void expect_elements(const graph *g, const char *name, int64_t elements)
{
    ck_assert_int_eq(g->bytes[find(g, name)], 4 * elements);
}

TEST(linear)
{
    OWNED(graph) *g = build("linear", LAYER_BACKWARD_AUTODIFF);
    ck_assert_int_eq(g->n, 27);
    expect_inputs(g, "grad_cross_entropy1", "relu6 cross_entropy1");
    expect_inputs(g, "grad_relu6", "grad_cross_entropy1 relu6");
    expect_inputs(g, "grad_linear6", "grad_relu6 relu5");
    expect_inputs(g, "grad_linear1", "grad_relu1 input1");
    expect_elements(g, "grad_cross_entropy1", 10);
    expect_elements(g, "grad_linear3", 120);
    expect_elements(g, "grad_linear1", 784);
}

TEST(vgg16)
{
    OWNED(graph) *g = build("vgg16_cifar", LAYER_BACKWARD_AUTODIFF);
    expect_inputs(g, "grad_conv2", "grad_relu2 relu1");
    expect_inputs(g, "grad_maxpool1", "grad_conv3 relu2 maxpool1");
    expect_inputs(g, "grad_flatten1", "grad_linear1");
    expect_inputs(g, "grad_dropout2", "grad_linear3 dropout2");
    expect_elements(g, "grad_maxpool1", 64 * 32 * 32);
    expect_elements(g, "grad_flatten1", 512);
    expect_elements(g, "grad_conv1", 3 * 32 * 32);
}

/* The gradient of a node with two users reads both their gradients. */
TEST(resnet)
{
    graph *g = build("resnet18_cifar", LAYER_BACKWARD_AUTODIFF);
    expect_inputs(g, "grad_batchnorm1", "grad_conv2 grad_conv4 conv1");
    expect_inputs(g, "grad_relu3", "grad_conv5 grad_conv7 relu3");
    expect_inputs(g, "grad_add1", "grad_relu3");
    expect_inputs(g, "grad_relu2", "grad_add1 relu2");
    expect_inputs(g, "grad_batchnorm4", "grad_add1 conv4");
    expect_inputs(g, "grad_avgpool1", "grad_flatten1");
    expect_elements(g, "grad_add1", 16 * 32 * 32);
    expect_elements(g, "grad_avgpool1", 64 * 8 * 8);
    graph_free(g);
    g = build("resnet50", LAYER_BACKWARD_AUTODIFF);
    expect_inputs(g, "grad_relu1", "grad_conv3 grad_add1 relu1");
    expect_inputs(g, "grad_maxpool1", "grad_conv2 batchnorm1 maxpool1");
    graph_free(g);
}

TEST(transformer)
{
    OWNED(graph) *g = build("transformer", LAYER_BACKWARD_AUTODIFF);
    const int64_t head = 512 * 64 * 12, products = 512 * 512 * 12;
    expect_inputs(g, "qktv1", "qkt1 qkv1"); /* V is a part of the QKV tensor */
    expect_inputs(g, "grad_add2", "grad_cross_entropy1");
    expect_inputs(g, "grad_linear2", "grad_add2 linear_relu1");
    expect_inputs(g, "grad_linear_relu1", "grad_linear2 add1 linear_relu1");
    expect_inputs(g, "grad_add1", "grad_linear_relu1");
    expect_inputs(g, "grad_linear1", "grad_add1 grad_add2 qktv1");
    expect_inputs(g, "grad_qktv1", "grad_linear1 qkt1 qkv1");
    expect_inputs(g, "grad_qkt1", "grad_qktv1 qkv1 qkt1");
    expect_inputs(g, "grad_qkv1", "grad_qkt1 grad_qktv1 input1");
    expect_elements(g, "grad_qktv1", products + head);
    expect_elements(g, "grad_qkt1", 2 * head);
    expect_elements(g, "grad_qkv1", 512 * 768);
    expect_elements(g, "grad_linear_relu1", 512 * 768);
    expect_elements(g, "grad_cross_entropy1", 512 * 768);
}

/* On every network: one gradient for each node but the input, of twice the FLOPs;
 * forward nodes as published; no gradient without a use but the first layers'. */
TEST(all_networks)
{
    for (int k = 0; network_name(k); k++) {
        OWNED(graph) *g = build(network_name(k), LAYER_BACKWARD_AUTODIFF);
        OWNED(graph) *published = build(network_name(k), LAYER_BACKWARD_PUBLISHED);
        const int forward = g->n / 2 + 1;
        ck_assert_int_eq(g->n, published->n);
        ck_assert_str_eq(g->backward_style, "autodiff");
        ck_assert_mem_eq(g->bytes, published->bytes, (size_t)forward * sizeof *g->bytes);
        ck_assert_mem_eq(g->joules, published->joules, (size_t)forward * sizeof *g->joules);
        for (int i = 1; i < forward; i++) {
            char name[64];
            snprintf(name, sizeof name, "grad_%s", g->node_name[i]);
            const int gradient = find(g, name);
            ck_assert_int_eq(gradient, 2 * forward - 1 - i);
            ck_assert(g->backward[gradient] && !g->backward[i]);
            ck_assert(g->seconds[gradient] == 2 * g->seconds[i]);
            ck_assert(g->joules[gradient] == 2 * g->joules[i]);
            ck_assert(i == 1 || g->last_user[gradient] > gradient);
        }
    }
}
