/* Kernels for training on a device: float32, plain loops, no allocation, no library.
 *
 * Tensors are dense arrays in the order batch, channel, row, column. A kernel writes its output
 * completely and reads nothing of it before, but for kernel_update. Outputs overlap no input, where
 * nothing else is said. Sums run in the order of the loops, so that two machines with IEEE single
 * precision give the same bits when the compiler fuses no multiplications (-ffp-contract=off).
 *
 * `d` before a name is the gradient of the loss with respect to it. */
#ifndef KERNELS_H
#define KERNELS_H

/* A window that moves over images: a convolution or a pool. */
typedef struct kernel_window {
    int batch;
    int in_channels, in_rows, in_columns;
    int out_channels; /* pools: as many as in_channels */
    int size;         /* rows and columns of the window */
    int stride;
    int pad;    /* rows and columns of zeros on each side; pools: 0 */
    int groups; /* of a convolution, at least 1: an output reads the input channels of its group
                   alone; as many as channels: depthwise */
} kernel_window;

int kernel_out_rows(const kernel_window *k);
int kernel_out_columns(const kernel_window *k);

/* Convolution. weight: out_channels x (in_channels / groups) x size x size; bias: out_channels. */
void kernel_conv(const kernel_window *k, const float *x, const float *weight, const float *bias,
                 float *y);
void kernel_conv_dx(const kernel_window *k, const float *weight, const float *dy, float *dx);
void kernel_conv_dweight(const kernel_window *k, const float *x, const float *dy, float *dweight,
                         float *dbias);

/* Max pool. The gradient goes to the first of equal maxima. */
void kernel_max_pool(const kernel_window *k, const float *x, float *y);
void kernel_max_pool_dx(const kernel_window *k, const float *x, const float *dy, float *dx);

void kernel_average_pool(const kernel_window *k, const float *x, float *y);
void kernel_average_pool_dx(const kernel_window *k, const float *dy, float *dx);

/* Fully connected layer. x: batch x in, weight: out x in, y: batch x out. */
void kernel_dense(int batch, int in, int out, const float *x, const float *weight,
                  const float *bias, float *y);
void kernel_dense_dx(int batch, int in, int out, const float *weight, const float *dy, float *dx);
void kernel_dense_dweight(int batch, int in, int out, const float *x, const float *dy,
                          float *dweight, float *dbias);

/* Element by element; y may be x, dx may be dy. */
void kernel_relu(int count, const float *x, float *y);
/* x may also be the output of the ReLU, which is positive where its input was. */
void kernel_relu_dx(int count, const float *x, const float *dy, float *dx);
/* y may be a or b. The gradient of both is the gradient of the sum. */
void kernel_add(int count, const float *a, const float *b, float *y);

/* Softmax and mean cross entropy. x, probability: batch x classes; label: batch numbers of classes.
 * Returns the mean of -log(probability of the label). */
float kernel_softmax_loss(int batch, int classes, const float *x, const int *label,
                          float *probability);
void kernel_softmax_loss_dx(int batch, int classes, const float *probability, const int *label,
                            float *dx);

/* weight -= rate * dweight, in place. */
void kernel_update(int count, float rate, const float *dweight, float *weight);

/* e^x and the natural logarithm of x > 0 to about seven digits, from single-precision operations
 * alone: libraries of different machines differ in the last bit. e^x is 0 below -87. */
float kernel_exp(float x);
float kernel_log(float x);

#endif
