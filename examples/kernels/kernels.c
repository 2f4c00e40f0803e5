/* Convolutions, dense layers, elementwise kernels; see kernels.h. */
#include "kernels.h"

#include <stdint.h>
#include <string.h>

int kernel_out_rows(const kernel_window *k)
{
    return (k->in_rows + 2 * k->pad - k->size) / k->stride + 1;
}

int kernel_out_columns(const kernel_window *k)
{
    return (k->in_columns + 2 * k->pad - k->size) / k->stride + 1;
}

static void fill(float *x, int count, float value)
{
    for (int i = 0; i < count; i++)
        x[i] = value;
}

static int in_plane(const kernel_window *k)
{
    return k->in_rows * k->in_columns;
}

static int out_plane(const kernel_window *k)
{
    return kernel_out_rows(k) * kernel_out_columns(k);
}

/* ---- convolutions of one plane ------------------------------------------------------------- */

/* The outputs of a row or column that offset `at` of the window reaches: input at index
 * output * stride + at - pad. */
typedef struct reach {
    int begin, end;
} reach;

static reach reach_of(int at, int pad, int stride, int in, int out)
{
    reach r = {0, out};
    const int first = pad - at; /* smallest output * stride that is inside */
    if (first > 0)
        r.begin = (first + stride - 1) / stride;
    if ((out - 1) * stride >= in + first)
        r.end = (in + first + stride - 1) / stride;
    return r;
}

/* y += x * w, y and x one plane each. */
static void plane_forward(const kernel_window *k, const float *x, const float *w, float *y)
{
    const int rows = kernel_out_rows(k), columns = kernel_out_columns(k), s = k->stride;
    for (int i = 0; i < k->size; i++) {
        const reach row = reach_of(i, k->pad, s, k->in_rows, rows);
        for (int j = 0; j < k->size; j++) {
            const reach column = reach_of(j, k->pad, s, k->in_columns, columns);
            const float factor = w[i * k->size + j];
            for (int r = row.begin; r < row.end; r++) {
                const float *from = x + (r * s + i - k->pad) * k->in_columns + j - k->pad;
                for (int c = column.begin; c < column.end; c++)
                    y[r * columns + c] += factor * from[c * s];
            }
        }
    }
}

/* dx += dy * w. */
static void plane_dx(const kernel_window *k, const float *w, const float *dy, float *dx)
{
    const int rows = kernel_out_rows(k), columns = kernel_out_columns(k), s = k->stride;
    for (int i = 0; i < k->size; i++) {
        const reach row = reach_of(i, k->pad, s, k->in_rows, rows);
        for (int j = 0; j < k->size; j++) {
            const reach column = reach_of(j, k->pad, s, k->in_columns, columns);
            const float factor = w[i * k->size + j];
            for (int r = row.begin; r < row.end; r++) {
                float *to = dx + (r * s + i - k->pad) * k->in_columns + j - k->pad;
                for (int c = column.begin; c < column.end; c++)
                    to[c * s] += factor * dy[r * columns + c];
            }
        }
    }
}

/* dw += sum of x * dy. */
static void plane_dweight(const kernel_window *k, const float *x, const float *dy, float *dw)
{
    const int rows = kernel_out_rows(k), columns = kernel_out_columns(k), s = k->stride;
    for (int i = 0; i < k->size; i++) {
        const reach row = reach_of(i, k->pad, s, k->in_rows, rows);
        for (int j = 0; j < k->size; j++) {
            const reach column = reach_of(j, k->pad, s, k->in_columns, columns);
            float sum = 0;
            for (int r = row.begin; r < row.end; r++) {
                const float *from = x + (r * s + i - k->pad) * k->in_columns + j - k->pad;
                for (int c = column.begin; c < column.end; c++)
                    sum += from[c * s] * dy[r * columns + c];
            }
            dw[i * k->size + j] += sum;
        }
    }
}

static float plane_sum(int count, const float *x)
{
    float sum = 0;
    for (int i = 0; i < count; i++)
        sum += x[i];
    return sum;
}

/* ---- convolutions --------------------------------------------------------------------------- */

/* Number of the plane of channel `c` of a group in example n. */
static int plane_of(const kernel_window *k, int channels, int n, int group, int c)
{
    return n * channels + group * (channels / k->groups) + c;
}

void kernel_conv(const kernel_window *k, const float *x, const float *weight, const float *bias,
                 float *y)
{
    const int in = in_plane(k), out = out_plane(k), window = k->size * k->size;
    const int inputs = k->in_channels / k->groups, outputs = k->out_channels / k->groups;
    for (int n = 0; n < k->batch; n++)
        for (int o = 0; o < k->out_channels; o++, y += out) {
            fill(y, out, bias[o]);
            for (int c = 0; c < inputs; c++)
                plane_forward(k, x + plane_of(k, k->in_channels, n, o / outputs, c) * in,
                              weight + (o * inputs + c) * window, y);
        }
}

void kernel_conv_dx(const kernel_window *k, const float *weight, const float *dy, float *dx)
{
    const int in = in_plane(k), out = out_plane(k), window = k->size * k->size;
    const int inputs = k->in_channels / k->groups, outputs = k->out_channels / k->groups;
    for (int n = 0; n < k->batch; n++)
        for (int c = 0; c < k->in_channels; c++, dx += in) {
            fill(dx, in, 0);
            for (int o = 0; o < outputs; o++)
                plane_dx(k, weight + ((c / inputs * outputs + o) * inputs + c % inputs) * window,
                         dy + plane_of(k, k->out_channels, n, c / inputs, o) * out, dx);
        }
}

void kernel_conv_dweight(const kernel_window *k, const float *x, const float *dy, float *dweight,
                         float *dbias)
{
    const int in = in_plane(k), out = out_plane(k), window = k->size * k->size;
    const int inputs = k->in_channels / k->groups, outputs = k->out_channels / k->groups;
    fill(dweight, k->out_channels * inputs * window, 0);
    fill(dbias, k->out_channels, 0);
    for (int n = 0; n < k->batch; n++)
        for (int o = 0; o < k->out_channels; o++, dy += out) {
            dbias[o] += plane_sum(out, dy);
            for (int c = 0; c < inputs; c++)
                plane_dweight(k, x + plane_of(k, k->in_channels, n, o / outputs, c) * in, dy,
                              dweight + (o * inputs + c) * window);
        }
}

/* ---- pools ----------------------------------------------------------------------------------- */

/* Index in its plane of the first largest element of a window. */
static int largest(const kernel_window *k, const float *x, int row, int column)
{
    const int corner = row * k->stride * k->in_columns + column * k->stride;
    int best = corner;
    for (int i = 0; i < k->size; i++)
        for (int j = 0; j < k->size; j++)
            if (x[corner + i * k->in_columns + j] > x[best])
                best = corner + i * k->in_columns + j;
    return best;
}

void kernel_max_pool(const kernel_window *k, const float *x, float *y)
{
    const int rows = kernel_out_rows(k), columns = kernel_out_columns(k);
    for (int p = 0; p < k->batch * k->in_channels; p++, x += in_plane(k))
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < columns; c++)
                *y++ = x[largest(k, x, r, c)];
}

void kernel_max_pool_dx(const kernel_window *k, const float *x, const float *dy, float *dx)
{
    const int rows = kernel_out_rows(k), columns = kernel_out_columns(k);
    fill(dx, k->batch * k->in_channels * in_plane(k), 0);
    for (int p = 0; p < k->batch * k->in_channels; p++, x += in_plane(k), dx += in_plane(k))
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < columns; c++)
                dx[largest(k, x, r, c)] += *dy++;
}

void kernel_average_pool(const kernel_window *k, const float *x, float *y)
{
    const int rows = kernel_out_rows(k), columns = kernel_out_columns(k);
    const float share = 1.0f / (float)(k->size * k->size);
    for (int p = 0; p < k->batch * k->in_channels; p++, x += in_plane(k))
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < columns; c++) {
                const float *corner = x + r * k->stride * k->in_columns + c * k->stride;
                float sum = 0;
                for (int i = 0; i < k->size; i++)
                    sum += plane_sum(k->size, corner + i * k->in_columns);
                *y++ = sum * share;
            }
}

void kernel_average_pool_dx(const kernel_window *k, const float *dy, float *dx)
{
    const int rows = kernel_out_rows(k), columns = kernel_out_columns(k);
    const float share = 1.0f / (float)(k->size * k->size);
    fill(dx, k->batch * k->in_channels * in_plane(k), 0);
    for (int p = 0; p < k->batch * k->in_channels; p++, dx += in_plane(k))
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < columns; c++, dy++) {
                float *corner = dx + r * k->stride * k->in_columns + c * k->stride;
                for (int i = 0; i < k->size; i++)
                    for (int j = 0; j < k->size; j++)
                        corner[i * k->in_columns + j] += *dy * share;
            }
}

/* ---- dense layers ---------------------------------------------------------------------------- */

void kernel_dense(int batch, int in, int out, const float *x, const float *weight,
                  const float *bias, float *y)
{
    for (int n = 0; n < batch; n++)
        for (int o = 0; o < out; o++) {
            float sum = bias[o];
            for (int i = 0; i < in; i++)
                sum += weight[o * in + i] * x[n * in + i];
            y[n * out + o] = sum;
        }
}

void kernel_dense_dx(int batch, int in, int out, const float *weight, const float *dy, float *dx)
{
    for (int n = 0; n < batch; n++)
        for (int i = 0; i < in; i++) {
            float sum = 0;
            for (int o = 0; o < out; o++)
                sum += weight[o * in + i] * dy[n * out + o];
            dx[n * in + i] = sum;
        }
}

void kernel_dense_dweight(int batch, int in, int out, const float *x, const float *dy,
                          float *dweight, float *dbias)
{
    for (int o = 0; o < out; o++) {
        dbias[o] = 0;
        for (int n = 0; n < batch; n++)
            dbias[o] += dy[n * out + o];
        for (int i = 0; i < in; i++) {
            float sum = 0;
            for (int n = 0; n < batch; n++)
                sum += dy[n * out + o] * x[n * in + i];
            dweight[o * in + i] = sum;
        }
    }
}

/* ---- element by element ------------------------------------------------------------------------
 */

void kernel_relu(int count, const float *x, float *y)
{
    for (int i = 0; i < count; i++)
        y[i] = x[i] > 0 ? x[i] : 0;
}

void kernel_relu_dx(int count, const float *x, const float *dy, float *dx)
{
    for (int i = 0; i < count; i++)
        dx[i] = x[i] > 0 ? dy[i] : 0;
}

void kernel_add(int count, const float *a, const float *b, float *y)
{
    for (int i = 0; i < count; i++)
        y[i] = a[i] + b[i];
}

void kernel_update(int count, float rate, const float *dweight, float *weight)
{
    for (int i = 0; i < count; i++)
        weight[i] -= rate * dweight[i];
}

/* ---- softmax and cross entropy -----------------------------------------------------------------
 */

static float from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* e^x = 2^n e^r with |r| <= ln(2) / 2; the series of e^r to the seventh power. */
float kernel_exp(float x)
{
    if (x < -87.0f)
        return 0;
    if (x > 88.0f)
        x = 88.0f;
    const int n = (int)(x * 1.44269504f + (x < 0 ? -0.5f : 0.5f));
    const float r = (x - (float)n * 0.693359375f) + (float)n * 2.12194440e-4f;
    float sum = 1;
    for (int k = 7; k > 0; k--)
        sum = 1 + sum * r / (float)k;
    return sum * from_bits((uint32_t)(n + 127) << 23);
}

/* x = 2^n m with m in [1/sqrt(2), sqrt(2)); log(m) = 2 artanh((m - 1) / (m + 1)). */
float kernel_log(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    int n = (int)(bits >> 23) - 127;
    float m = from_bits((bits & 0x7fffffu) | 0x3f800000u);
    if (m > 1.41421356f) {
        m *= 0.5f;
        n++;
    }
    const float s = (m - 1) / (m + 1), square = s * s;
    float sum = 0;
    for (int k = 9; k > 0; k -= 2)
        sum = sum * square + 1 / (float)k;
    return 2 * s * sum + (float)n * 0.69314718f;
}

float kernel_softmax_loss(int batch, int classes, const float *x, const int *label,
                          float *probability)
{
    float loss = 0;
    for (int n = 0; n < batch; n++, x += classes, probability += classes) {
        float most = x[0], sum = 0;
        for (int c = 1; c < classes; c++)
            most = x[c] > most ? x[c] : most;
        for (int c = 0; c < classes; c++)
            sum += probability[c] = kernel_exp(x[c] - most);
        for (int c = 0; c < classes; c++)
            probability[c] /= sum;
        loss += kernel_log(sum) - (x[label[n]] - most);
    }
    return loss / (float)batch;
}

void kernel_softmax_loss_dx(int batch, int classes, const float *probability, const int *label,
                            float *dx)
{
    const float share = 1.0f / (float)batch;
    for (int n = 0; n < batch; n++)
        for (int c = 0; c < classes; c++, dx++)
            *dx = (probability[n * classes + c] - (c == label[n] ? 1.0f : 0.0f)) * share;
}
