/* Kernels of examples/kernels: forward passes against a direct sum in double precision, gradients
 * against central differences of the forward pass, for random shapes. */
#include <math.h>

#include "base/base.h"
#include "examples/kernels/kernels.h"
#include "tests/oracle/draw.h"
#include "tests/suite.h"

SUITE("kernels");

enum { MOST = 4096, CLASSES = 5, SHAPES = 60 };

/* Operands of one kernel. y is the output, dy random; the loss is sum(y * dy). */
typedef struct operands {
    kernel_window k;
    int in, out, weights, biases; /* counts of floats */
    float x[MOST], weight[MOST], bias[64], y[MOST];
    float dy[MOST], dx[MOST], dweight[MOST], dbias[64];
    int label[16];
} operands;

typedef void pass(operands *o);

static float uniform(base_rng *rng)
{
    return (float)base_rng_below(rng, 2001) / 1000 - 1;
}

static void draw(base_rng *rng, float *x, int count)
{
    for (int i = 0; i < count; i++)
        x[i] = uniform(rng);
}

/* Different numbers, at least 1/100 apart and away from 0: no kink is near. */
static void draw_apart(base_rng *rng, float *x, int count)
{
    for (int i = 0; i < count; i++)
        x[i] = ((float)i + 0.25f - 0.5f * (float)count) / 100;
    for (int i = count - 1; i > 0; i--) {
        const int j = (int)base_rng_below(rng, (uint64_t)i + 1);
        const float saved = x[i];
        x[i] = x[j];
        x[j] = saved;
    }
}

/* pool: as many outputs as inputs, without pad. */
static void draw_window(base_rng *rng, operands *o, bool pool)
{
    kernel_window *k = &o->k;
    k->batch = draw_between(rng, 1, 2);
    k->size = draw_between(rng, 1, 3);
    k->groups = pool ? 1 : draw_between(rng, 1, 3);
    k->in_channels = k->groups * draw_between(rng, 1, 2);
    k->out_channels = pool ? k->in_channels : k->groups * draw_between(rng, 1, 2);
    k->in_rows = draw_between(rng, 3, 6);
    k->in_columns = draw_between(rng, 3, 6);
    k->stride = draw_between(rng, 1, 3);
    k->pad = pool ? 0 : draw_between(rng, 0, 2);
    o->in = k->batch * k->in_channels * k->in_rows * k->in_columns;
    o->out = k->batch * k->out_channels * kernel_out_rows(k) * kernel_out_columns(k);
    o->biases = k->out_channels;
    o->weights = k->out_channels * (k->in_channels / k->groups) * k->size * k->size;
}

static void draw_values(base_rng *rng, operands *o)
{
    draw_apart(rng, o->x, o->in);
    draw(rng, o->weight, o->weights);
    draw(rng, o->bias, o->biases);
    draw(rng, o->dy, o->out);
    for (int i = 0; i < MOST; i++) /* outputs are written completely */
        o->y[i] = o->dx[i] = o->dweight[i] = 777;
    for (int i = 0; i < 64; i++)
        o->dbias[i] = 777;
}

static double loss(operands *o, pass *forward)
{
    double sum = 0;
    forward(o);
    for (int i = 0; i < o->out; i++)
        sum += (double)o->y[i] * (double)o->dy[i];
    return sum;
}

static void check_gradient(operands *o, pass *forward, float *x, const float *dx, int count,
                           const char *what)
{
    const float h = 1.0f / 512;
    for (int i = 0; i < count; i++) {
        const float saved = x[i];
        x[i] = saved + h;
        const double up = loss(o, forward), high = (double)x[i];
        x[i] = saved - h;
        const double down = loss(o, forward), low = (double)x[i];
        x[i] = saved;
        const double slope = (up - down) / (high - low);
        ck_assert_msg(fabs(slope - (double)dx[i]) < 2e-3 * (1 + fabs(slope)),
                      "%s, element %d: %g, by differences %g", what, i, (double)dx[i], slope);
    }
}

/* All gradients of the kernel for SHAPES shapes. */
static void check_all(void (*shape)(base_rng *, operands *), pass *forward, pass *backward,
                      const char *what)
{
    static operands o;
    base_rng rng = {.state = 11};
    for (int k = 0; k < SHAPES; k++) {
        o = (operands){0};
        shape(&rng, &o);
        ck_assert(o.in <= MOST && o.out <= MOST && o.weights <= MOST && o.biases <= 64);
        draw_values(&rng, &o);
        forward(&o);
        backward(&o);
        check_gradient(&o, forward, o.x, o.dx, o.in, what);
        check_gradient(&o, forward, o.weight, o.dweight, o.weights, what);
        check_gradient(&o, forward, o.bias, o.dbias, o.biases, what);
    }
}

/* ---- convolutions --------------------------------------------------------------------------- */

static void shape_conv(base_rng *rng, operands *o)
{
    draw_window(rng, o, false);
}

static void conv(operands *o)
{
    kernel_conv(&o->k, o->x, o->weight, o->bias, o->y);
}

static void conv_back(operands *o)
{
    kernel_conv_dx(&o->k, o->weight, o->dy, o->dx);
    kernel_conv_dweight(&o->k, o->x, o->dy, o->dweight, o->dbias);
}

/* The output at one place, directly from the definition. */
static double direct(const operands *o, int n, int channel, int row, int column)
{
    const kernel_window *k = &o->k;
    const int inputs = k->in_channels / k->groups,
              first = channel / (k->out_channels / k->groups) * inputs;
    double sum = (double)o->bias[channel];
    for (int c = first; c < first + inputs; c++)
        for (int i = 0; i < k->size; i++)
            for (int j = 0; j < k->size; j++) {
                const int r = row * k->stride + i - k->pad, q = column * k->stride + j - k->pad;
                const int w = channel * inputs + c - first;
                if (r >= 0 && r < k->in_rows && q >= 0 && q < k->in_columns)
                    sum +=
                        (double)o->weight[(w * k->size + i) * k->size + j] *
                        (double)
                            o->x[((n * k->in_channels + c) * k->in_rows + r) * k->in_columns + q];
            }
    return sum;
}

TEST(convolutions)
{
    static operands o;
    base_rng rng = {.state = 5};
    for (int trial = 0; trial < 2 * SHAPES; trial++) {
        int at = 0;
        o = (operands){0};
        shape_conv(&rng, &o);
        draw_values(&rng, &o);
        conv(&o);
        for (int n = 0; n < o.k.batch; n++)
            for (int c = 0; c < o.k.out_channels; c++)
                for (int r = 0; r < kernel_out_rows(&o.k); r++)
                    for (int q = 0; q < kernel_out_columns(&o.k); q++, at++)
                        ck_assert_double_eq_tol((double)o.y[at], direct(&o, n, c, r, q), 1e-5);
        ck_assert_int_eq(at, o.out);
    }
    check_all(shape_conv, conv, conv_back, "convolution");
}

/* ---- pools ------------------------------------------------------------------------------------
 */

static void shape_pool(base_rng *rng, operands *o)
{
    draw_window(rng, o, true);
    o->weights = o->biases = 0;
}

static void max_pool(operands *o)
{
    kernel_max_pool(&o->k, o->x, o->y);
}

static void max_pool_back(operands *o)
{
    kernel_max_pool_dx(&o->k, o->x, o->dy, o->dx);
}

static void average_pool(operands *o)
{
    kernel_average_pool(&o->k, o->x, o->y);
}

static void average_pool_back(operands *o)
{
    kernel_average_pool_dx(&o->k, o->dy, o->dx);
}

TEST(pools)
{
    const kernel_window k = {1, 1, 4, 4, 1, 2, 2, 0, 1};
    const float x[16] = {1, 2, 5, 5, 3, 4, 5, 5, -1, -2, 0, 0, -3, -4, 0, 8};
    float y[4], dx[16];
    kernel_max_pool(&k, x, y);
    ck_assert(y[0] == 4 && y[1] == 5 && y[2] == -1 && y[3] == 8);
    kernel_max_pool_dx(&k, x, (float[4]){1, 2, 3, 4}, dx);
    ck_assert(dx[5] == 1 && dx[2] == 2 && dx[3] == 0 && dx[8] == 3 && dx[15] == 4);
    kernel_average_pool(&k, x, y);
    ck_assert(y[0] == 2.5f && y[1] == 5 && y[2] == -2.5f && y[3] == 2);
    check_all(shape_pool, max_pool, max_pool_back, "max pool");
    check_all(shape_pool, average_pool, average_pool_back, "average pool");
}

/* ---- dense layers, elementwise ------------------------------------------------------------------
 */

static void shape_dense(base_rng *rng, operands *o)
{
    o->k = (kernel_window){.batch = draw_between(rng, 1, 4),
                           .in_channels = draw_between(rng, 1, 9),
                           .out_channels = draw_between(rng, 1, 9)};
    o->in = o->k.batch * o->k.in_channels;
    o->out = o->k.batch * o->k.out_channels;
    o->weights = o->k.in_channels * o->k.out_channels;
    o->biases = o->k.out_channels;
}

static void dense(operands *o)
{
    kernel_dense(o->k.batch, o->k.in_channels, o->k.out_channels, o->x, o->weight, o->bias, o->y);
}

static void dense_back(operands *o)
{
    const kernel_window *k = &o->k;
    kernel_dense_dx(k->batch, k->in_channels, k->out_channels, o->weight, o->dy, o->dx);
    kernel_dense_dweight(k->batch, k->in_channels, k->out_channels, o->x, o->dy, o->dweight,
                         o->dbias);
}

static void shape_flat(base_rng *rng, operands *o)
{
    o->in = o->out = draw_between(rng, 1, 50);
}

static void relu(operands *o)
{
    kernel_relu(o->in, o->x, o->y);
}

static void relu_back(operands *o)
{
    kernel_relu_dx(o->in, o->y, o->dy, o->dx); /* from the output */
}

TEST(others)
{
    float x[3] = {1, -2, 0}, w[3] = {1, 1, 1};
    check_all(shape_dense, dense, dense_back, "dense");
    check_all(shape_flat, relu, relu_back, "relu");
    kernel_add(3, x, w, x);
    ck_assert(x[0] == 2 && x[1] == -1 && x[2] == 1);
    kernel_update(3, 0.5f, x, w);
    ck_assert(w[0] == 0 && w[1] == 1.5f && w[2] == 0.5f);
    kernel_dense(1, 2, 2, (float[]){1, 2}, (float[]){1, 10, 100, 1000}, (float[]){5, 6}, w);
    ck_assert(w[0] == 26 && w[1] == 2106);
}

/* ---- softmax and cross entropy
 * -------------------------------------------------------------------- */

TEST(softmax)
{
    static operands o;
    base_rng rng = {.state = 3};
    for (int trial = 0; trial < SHAPES; trial++) {
        const int batch = draw_between(&rng, 1, 6), classes = draw_between(&rng, 2, CLASSES);
        double expected = 0;
        draw(&rng, o.x, batch * classes);
        for (int n = 0; n < batch; n++) {
            double sum = 0;
            o.label[n] = draw_between(&rng, 0, classes - 1);
            for (int c = 0; c < classes; c++)
                sum += exp((double)o.x[n * classes + c]);
            expected -= log(exp((double)o.x[n * classes + o.label[n]]) / sum) / batch;
        }
        const double found = (double)kernel_softmax_loss(batch, classes, o.x, o.label, o.y);
        ck_assert_double_eq_tol(found, expected, 1e-6 * (1 + expected));
        kernel_softmax_loss_dx(batch, classes, o.y, o.label, o.dx);
        for (int i = 0; i < batch * classes; i++) {
            const float saved = o.x[i], h = 1.0f / 64;
            o.x[i] = saved + h;
            const float up = kernel_softmax_loss(batch, classes, o.x, o.label, o.y);
            o.x[i] = saved - h;
            const float down = kernel_softmax_loss(batch, classes, o.x, o.label, o.y);
            o.x[i] = saved;
            ck_assert_double_eq_tol((double)o.dx[i], (double)(up - down) / (2 * (double)h), 2e-4);
        }
    }
}

TEST(exponential_and_logarithm)
{
    for (float x = -87; x < 88; x += 0.0371f) {
        const double e = exp((double)x);
        ck_assert_double_eq_tol((double)kernel_exp(x), e, 3e-7 * e);
        const double back = log((double)kernel_exp(x));
        ck_assert_double_eq_tol((double)kernel_log(kernel_exp(x)), back, 2e-7 * (1 + fabs(back)));
    }
    ck_assert(kernel_exp(0) == 1 && kernel_log(1) == 0 && kernel_exp(-1000) == 0);
}
