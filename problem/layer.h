/* problem/layer: a network as a list of layers with shapes and the FLOP model of
 * the POET artifact, and the training graph that follows from it. */
#ifndef PROBLEM_LAYER_H
#define PROBLEM_LAYER_H

#include <stdint.h>

#include "problem/graph.h"
#include "problem/platform.h"

typedef enum layer_kind {
    LAYER_INPUT,
    LAYER_CONV,
    LAYER_LINEAR,
    LAYER_LINEAR_RELU, /* fused: a linear layer with its ReLU */
    LAYER_BATCHNORM,
    LAYER_RELU,
    LAYER_ADD,
    LAYER_FLATTEN,
    LAYER_DROPOUT,
    LAYER_MAXPOOL,
    LAYER_AVGPOOL,
    LAYER_CROSS_ENTROPY,
    LAYER_QKV,  /* fused query, key and value projections */
    LAYER_QKT,  /* Q K^T with mask and dropout */
    LAYER_QKTV, /* (Q K^T) V, heads concatenated */
    LAYER_KIND_COUNT
} layer_kind;

/* elements = rows * channels * height * width. Images: rows is the batch.
 * Vectors: channels are the features; a sequence's positions count as rows.
 * Attention: channels x height x width is the artifact's shape of one sample. */
typedef struct layer_shape {
    int64_t rows, channels, height, width;
} layer_shape;

typedef struct layer {
    layer_kind kind;
    int ordinal;  /* 1 for the first of its kind in the list, and so on */
    int input[2]; /* numbers of the layers it reads, as published */
    int input_count;
    layer_shape shape;         /* of the output */
    int64_t elements;          /* of the output */
    int64_t flops;             /* of one forward computation */
    int hidden_input;          /* a layer it also reads though the published graph has no such
                                * edge (V, for QK^T V); -1: none */
    int64_t gradient_elements; /* elements of the gradient with respect to its inputs */
} layer;

typedef struct layer_list {
    layer *layers;
    int count, capacity;
    int batch_size;
} layer_list;

/* An empty list; batch_size is the N of every shape, 1..LAYER_MAX_BATCH. */
enum { LAYER_MAX_BATCH = 1 << 19 };
layer_list layer_list_make(int batch_size);
void layer_list_free(layer_list *list);

/* Each function appends a layer that reads `input` (a number in the list) and returns the number of
 * the new layer. Shapes and FLOPs (N, C, H, W shapes; el = elements):
 *   conv            2 * kernel^2 * el(input) * channels + el(output), side
 *                   (H - kernel + 2 * pad) / stride + 1 rounded down
 *   pools           2 * kernel^2 * el(output), side (H - kernel) / stride + 1
 *   batchnorm       2 * el(input)
 *   relu, add, flatten, dropout   el(output)
 *   linear          2 * (in + 1) * out + out, for any number of rows
 *   linear_relu     the same + el(output)
 *   cross entropy   el(input) * classes; the output has `classes` elements,
 *                   for any batch size
 * as published (Patil et al., ICML 2022, artifact; conv counts input elements
 * and linear ignores the batch there). */
int layer_input_image(layer_list *list, int channels, int side);
int layer_input_rows(layer_list *list, int rows_per_sample, int features);
int layer_conv(layer_list *list, int input, int channels, int kernel, int stride, int pad);
int layer_pool(layer_list *list, layer_kind kind, int input, int kernel, int stride);
int layer_batchnorm(layer_list *list, int input);
int layer_relu(layer_list *list, int input);
int layer_dropout(layer_list *list, int input);
int layer_flatten(layer_list *list, int input);
int layer_add(layer_list *list, int first, int second);
int layer_linear(layer_list *list, layer_kind kind, int input, int features);
int layer_cross_entropy(layer_list *list, int input, int classes);

/* Attention over sequences of `length` positions in `heads` heads of `size`
 * features: appends QKV, QK^T and QK^T V and returns the last. FLOPs of one
 * sample, times the batch:
 *   QKV 3 * length * features * size * heads, output 3 length x size x heads
 *   QK^T length * size * length * heads + 2 * el(output), output length x length x heads
 *   QK^T V 2 * length * length * size * heads, output length x size*heads */
int layer_attention(layer_list *list, int input, int length, int size, int heads);

typedef enum layer_backward {
    /* One chain over the reversed list: for each pair of consecutive layers
     * (e, l) a gradient of 2 * flops(e) and the shape of l that reads e, l and the
     * gradient before it (the first pair's: no gradient). */
    LAYER_BACKWARD_PUBLISHED,
    /* One gradient node G(v) per layer v but the inputs, in reverse order: the
     * derivative of v's operator, 2 * flops(v), its output the gradient with
     * respect to what v reads. It reads G(u) of every layer u that reads v (their
     * sum is the incoming gradient) and of the activations
     *   conv, linear, QKV            the input
     *   linear + ReLU                the input, and the output for the ReLU
     *   ReLU, dropout                the output (its zeros are the mask)
     *   max pool                     input and output
     *   batchnorm                    the input
     *   QK^T                         the input (Q and K), and the output (dropout's mask)
     *   QK^T V                       both operands, QK^T and V in the QKV tensor
     *   cross entropy                input and output
     *   average pool, add, flatten   none.
     * The output of G(v) has the size of v's input; for an add one tensor serves
     * both inputs; for QK^T the size of Q and K, for QK^T V of QK^T and V. The
     * forward part gets the edge from QKV to QK^T V that the published graph
     * leaves out. Gradients of parameters live elsewhere, as in the paper. */
    LAYER_BACKWARD_AUTODIFF
} layer_backward;

/* The training graph of the list on a platform: forward nodes in list order,
 * then gradient nodes; 4 bytes per element; storage energy times
 * mem_power_scale, storage time unscaled. NULL with an error if the costs or
 * sizes are out of range. */
graph *layer_list_graph(const layer_list *list, const char *name, const platform *p,
                        double mem_power_scale, layer_backward style, base_error *error);

/* "published" / "autodiff". */
const char *layer_backward_name(layer_backward style);

#endif
