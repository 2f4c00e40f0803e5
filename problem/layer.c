/* The layers of the artifact's FLOP model: each appends itself with its output shape and FLOPs.
 * */
#include "problem/layer.h"

#include <assert.h>

layer_list layer_list_make(int batch_size)
{
    assert(batch_size >= 1 && batch_size <= LAYER_MAX_BATCH);
    return (layer_list){.batch_size = batch_size};
}

void layer_list_free(layer_list *list)
{
    base_free(list->layers);
    *list = (layer_list){0};
}

static int64_t shape_elements(layer_shape s)
{
    return s.rows * s.channels * s.height * s.width;
}

/* Appends a layer with one input (none: -1); its gradient has the input's size
 * unless the caller changes it. */
static int append(layer_list *list, layer_kind kind, int input, layer_shape shape, int64_t flops)
{
    assert(input < list->count && (input >= 0 || kind == LAYER_INPUT));
    assert(shape_elements(shape) > 0 && flops >= 0);
    list->layers = base_grow(list->layers, list->count, &list->capacity, sizeof *list->layers);
    layer *l = &list->layers[list->count];
    *l = (layer){
        .kind = kind,
        .ordinal = 1,
        .input = {input, -1},
        .input_count = input >= 0,
        .shape = shape,
        .elements = shape_elements(shape),
        .flops = flops,
        .hidden_input = -1,
        .gradient_elements = input >= 0 ? list->layers[input].elements : 0,
    };
    for (int i = 0; i < list->count; i++)
        l->ordinal += list->layers[i].kind == kind;
    return list->count++;
}

static layer_shape shape_of(const layer_list *list, int number)
{
    assert(number >= 0 && number < list->count);
    return list->layers[number].shape;
}

static int64_t output_side(int64_t side, int kernel, int stride, int pad)
{
    assert(side + 2 * pad >= kernel);
    return (side - kernel + 2 * pad) / stride + 1;
}

int layer_input_image(layer_list *list, int channels, int side)
{
    return append(list, LAYER_INPUT, -1, (layer_shape){list->batch_size, channels, side, side}, 0);
}

int layer_input_rows(layer_list *list, int rows_per_sample, int features)
{
    int64_t rows = (int64_t)list->batch_size * rows_per_sample;
    return append(list, LAYER_INPUT, -1, (layer_shape){rows, features, 1, 1}, 0);
}

int layer_conv(layer_list *list, int input, int channels, int kernel, int stride, int pad)
{
    layer_shape in = shape_of(list, input);
    layer_shape out = {in.rows, channels, output_side(in.height, kernel, stride, pad),
                       output_side(in.width, kernel, stride, pad)};
    int64_t flops = 2 * kernel * kernel * shape_elements(in) * channels + shape_elements(out);
    return append(list, LAYER_CONV, input, out, flops);
}

int layer_pool(layer_list *list, layer_kind kind, int input, int kernel, int stride)
{
    layer_shape in = shape_of(list, input);
    layer_shape out = {in.rows, in.channels, output_side(in.height, kernel, stride, 0),
                       output_side(in.width, kernel, stride, 0)};
    return append(list, kind, input, out, 2 * kernel * kernel * shape_elements(out));
}

int layer_batchnorm(layer_list *list, int input)
{
    layer_shape shape = shape_of(list, input);
    return append(list, LAYER_BATCHNORM, input, shape, 2 * shape_elements(shape));
}

/* One FLOP per element, shape as the input's. */
static int append_elementwise(layer_list *list, layer_kind kind, int input)
{
    layer_shape shape = shape_of(list, input);
    return append(list, kind, input, shape, shape_elements(shape));
}

int layer_relu(layer_list *list, int input)
{
    return append_elementwise(list, LAYER_RELU, input);
}

int layer_dropout(layer_list *list, int input)
{
    return append_elementwise(list, LAYER_DROPOUT, input);
}

int layer_flatten(layer_list *list, int input)
{
    layer_shape in = shape_of(list, input);
    layer_shape out = {in.rows, in.channels * in.height * in.width, 1, 1};
    return append(list, LAYER_FLATTEN, input, out, shape_elements(out));
}

int layer_add(layer_list *list, int first, int second)
{
    /* The published ResNet-50 adds tensors of different channel counts in the
     * shape of the larger one, so shapes are not compared. */
    int number = append_elementwise(list, LAYER_ADD, first);
    list->layers[number].input[1] = second;
    list->layers[number].input_count = 2;
    return number;
}

int layer_linear(layer_list *list, layer_kind kind, int input, int features)
{
    layer_shape in = shape_of(list, input);
    layer_shape out = {in.rows, features, 1, 1};
    const int64_t flops = 2 * (in.channels + 1) * features + features;
    return append(list, kind, input, out,
                  flops + (kind == LAYER_LINEAR_RELU ? shape_elements(out) : 0));
}

int layer_cross_entropy(layer_list *list, int input, int classes)
{
    int64_t flops = shape_elements(shape_of(list, input)) * classes;
    return append(list, LAYER_CROSS_ENTROPY, input, (layer_shape){1, classes, 1, 1}, flops);
}

int layer_attention(layer_list *list, int input, int length, int size, int heads)
{
    const int64_t batch = list->batch_size, s = length, i = size, h = heads;
    const int64_t features = shape_of(list, input).channels;
    int qkv = append(list, LAYER_QKV, input, (layer_shape){batch, 3 * s, i, h},
                     batch * 3 * s * features * i * h);
    layer_shape products = {batch, s, s, h};
    int qkt = append(list, LAYER_QKT, qkv, products,
                     batch * s * i * s * h + 2 * shape_elements(products));
    list->layers[qkt].gradient_elements = batch * 2 * s * i * h;
    int qktv = append(list, LAYER_QKTV, qkt, (layer_shape){batch * s, i * h, 1, 1},
                      batch * 2 * s * s * i * h);
    list->layers[qktv].hidden_input = qkv;
    list->layers[qktv].gradient_elements += batch * s * i * h;
    return qktv;
}
