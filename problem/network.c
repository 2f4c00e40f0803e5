/* The published networks, layer by layer, with the peculiarities of the artifact, and the table
 * of their names. */
#include "problem/network.h"

#include <assert.h>
#include <string.h>

/* 784-10-120-100-200-10-10. */
static void build_linear(layer_list *l, int inputs)
{
    const int features[] = {10, 120, 100, 200, 10, 10};
    int x = layer_input_rows(l, 1, inputs);
    for (size_t k = 0; k < sizeof features / sizeof *features; k++)
        x = layer_relu(l, layer_linear(l, LAYER_LINEAR, x, features[k]));
    layer_cross_entropy(l, x, 10);
}

/* Images of that side: of ImageNet, or of CIFAR-10. */
static void build_vgg16(layer_list *l, int side)
{
    const int classes = side > 32 ? 1000 : 10;
    const struct {
        int channels, repeats;
    } groups[] = {{64, 2}, {128, 2}, {256, 3}, {512, 3}, {512, 3}};
    int x = layer_input_image(l, 3, side);
    for (size_t k = 0; k < sizeof groups / sizeof *groups; k++) {
        for (int r = 0; r < groups[k].repeats; r++)
            x = layer_relu(l, layer_conv(l, x, groups[k].channels, 3, 1, 1));
        x = layer_pool(l, LAYER_MAXPOOL, x, 2, 2);
    }
    x = layer_flatten(l, x);
    for (int r = 0; r < 2; r++)
        x = layer_dropout(l, layer_relu(l, layer_linear(l, LAYER_LINEAR, x, 4096)));
    layer_cross_entropy(l, layer_linear(l, LAYER_LINEAR, x, classes), classes);
}

static int conv_batchnorm(layer_list *l, int x, int channels, int kernel, int stride)
{
    return layer_batchnorm(l, layer_conv(l, x, channels, kernel, stride, kernel / 2));
}

static int resnet_stem(layer_list *l, int side)
{
    int x = layer_input_image(l, 3, side);
    return layer_pool(l, LAYER_MAXPOOL, conv_batchnorm(l, x, 64, 7, 2), 3, 2);
}

static void resnet_head(layer_list *l, int x, int kernel, int classes)
{
    x = layer_flatten(l, layer_pool(l, LAYER_AVGPOOL, x, kernel, 1));
    layer_cross_entropy(l, layer_linear(l, LAYER_LINEAR, x, classes), classes);
}

/* As published, the shortcut is the block's own first ReLU. */
static int resnet18_block(layer_list *l, int x, int channels, int stride)
{
    int first = layer_relu(l, conv_batchnorm(l, x, channels, 3, stride));
    int second = conv_batchnorm(l, first, channels, 3, 1);
    return layer_relu(l, layer_add(l, first, second));
}

static void build_resnet18(layer_list *l, int side)
{
    int x = resnet_stem(l, side);
    for (int channels = 64; channels <= 512; channels *= 2) {
        x = resnet18_block(l, x, channels, channels == 64 ? 1 : 2);
        x = resnet18_block(l, x, channels, 1);
    }
    resnet_head(l, x, 7, 1000);
}

static int resnet18_cifar_block(layer_list *l, int x, int channels, int stride)
{
    int main_path = layer_relu(l, conv_batchnorm(l, x, channels, 3, stride));
    main_path = layer_relu(l, conv_batchnorm(l, main_path, channels, 3, 1));
    int shortcut = conv_batchnorm(l, x, channels, 3, stride);
    return layer_relu(l, layer_add(l, main_path, shortcut));
}

static void build_resnet18_cifar(layer_list *l, int side)
{
    int x = conv_batchnorm(l, layer_input_image(l, 3, side), 16, 3, 1);
    for (int channels = 16; channels <= 64; channels *= 2) {
        x = resnet18_cifar_block(l, x, channels, channels == 16 ? 1 : 2);
        x = resnet18_cifar_block(l, x, channels, 1);
    }
    resnet_head(l, x, 8, 10);
}

/* As published: the sum has the last batchnorm's shape; the shortcut is the
 * block's own first ReLU. */
static int bottleneck(layer_list *l, int x, int middle, int channels, int stride)
{
    int first = layer_relu(l, conv_batchnorm(l, x, middle, 1, stride));
    int y = layer_relu(l, conv_batchnorm(l, first, middle, 3, 1));
    y = conv_batchnorm(l, y, channels, 1, 1);
    return layer_relu(l, layer_add(l, y, first));
}

static void build_resnet50(layer_list *l, int side)
{
    const int repeats[] = {3, 4, 6, 3};
    int x = resnet_stem(l, side);
    for (int group = 0; group < 4; group++)
        for (int r = 0; r < repeats[group]; r++)
            x = bottleneck(l, x, 64 << group, 256 << group, group > 0 && r == 0 ? 2 : 1);
    resnet_head(l, x, 7, 1000);
}

/* As published, the second sum reads the attention's projection, not the first sum. */
static int transformer_block(layer_list *l, int x)
{
    const int length = 512, features = 768, size = 64, heads = 12;
    int projected =
        layer_linear(l, LAYER_LINEAR, layer_attention(l, x, length, size, heads), features);
    int sum = layer_add(l, x, projected);
    int y = layer_linear(l, LAYER_LINEAR, layer_linear(l, LAYER_LINEAR_RELU, sum, 4 * features),
                         features);
    return layer_add(l, projected, y);
}

static void build_transformers(layer_list *l, int blocks)
{
    int x = layer_input_rows(l, 512, 768);
    for (int r = 0; r < blocks; r++)
        x = transformer_block(l, x);
    layer_cross_entropy(l, x, 512);
}

static const struct {
    const char *name, *description;
    void (*build)(layer_list *list, int size);
    int size; /* inputs, side of an image, or blocks */
} networks[] = {
    {"linear", "six linear layers with ReLU on 784 inputs", build_linear, 784},
    {"transformer", "one transformer block, 512 x 768", build_transformers, 1},
    {"vgg16", "VGG16, 3x224x224, 1000 classes", build_vgg16, 224},
    {"vgg16_cifar", "VGG16, 3x32x32, 10 classes", build_vgg16, 32},
    {"resnet18", "ResNet-18, 3x224x224, 1000 classes", build_resnet18, 224},
    {"resnet18_cifar", "ResNet-18, 3x32x32, 10 classes", build_resnet18_cifar, 32},
    {"resnet50", "ResNet-50, 3x224x224, 1000 classes", build_resnet50, 224},
    {"bert", "BERT base: twelve transformer blocks, 512 x 768", build_transformers, 12},
};

enum { NETWORK_COUNT = sizeof networks / sizeof *networks };

const char *network_name(int i)
{
    return i >= 0 && i < NETWORK_COUNT ? networks[i].name : NULL;
}

const char *network_description(int i)
{
    return i >= 0 && i < NETWORK_COUNT ? networks[i].description : NULL;
}

network_options network_options_default(void)
{
    return (network_options){.batch_size = 1, .mem_power_scale = 1.0};
}

static int find_network(const char *model, base_error *error)
{
    char known[512] = "";
    size_t used = 0;
    for (int i = 0; i < NETWORK_COUNT; i++) {
        if (strcmp(networks[i].name, model) == 0)
            return i;
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "",
                                 networks[i].name);
        assert(used < sizeof known);
    }
    return base_fail(error, "unknown model \"%s\"; known are %s", model, known);
}

graph *network_build(const char *model, const platform *p, network_options options,
                     base_error *error)
{
    int number = find_network(model, error);
    if (number < 0)
        return NULL;
    if (options.batch_size < 1 || options.batch_size > LAYER_MAX_BATCH) {
        base_fail(error, "batch size %d; 1 to %d is expected", options.batch_size, LAYER_MAX_BATCH);
        return NULL;
    }
    if (!(options.mem_power_scale >= NETWORK_LEAST_SCALE &&
          options.mem_power_scale <= NETWORK_MOST_SCALE)) {
        base_fail(error, "memory power scale %g; a number from %g to %g is expected",
                  options.mem_power_scale, NETWORK_LEAST_SCALE, NETWORK_MOST_SCALE);
        return NULL;
    }
    layer_list list = layer_list_make(options.batch_size);
    networks[number].build(&list, networks[number].size);
    graph *g = layer_list_graph(&list, model, p, options.mem_power_scale, options.backward, error);
    layer_list_free(&list);
    if (!g)
        return NULL;
    g->model = base_strdup(model);
    g->platform = base_strdup(p->name);
    g->backward_style = base_strdup(layer_backward_name(options.backward));
    g->batch_size = options.batch_size;
    g->mem_power_scale = options.mem_power_scale;
    return g;
}

int network_parse_backward(const char *text, layer_backward *style, base_error *error)
{
    for (int k = LAYER_BACKWARD_PUBLISHED; k <= LAYER_BACKWARD_AUTODIFF; k++)
        if (strcmp(text, layer_backward_name((layer_backward)k)) == 0) {
            *style = (layer_backward)k;
            return 0;
        }
    return base_fail(error, "unknown backward style \"%s\"; published or autodiff is expected",
                     text);
}
