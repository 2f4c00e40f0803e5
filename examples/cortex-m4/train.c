/* Trains a small residual network on images that it draws itself, with the plan of poetbnb in the
 * header PLAN. The network is net.json: node by node, a kernel here.
 *
 * Weights and their gradients live outside of the arena. The gradients are written by the kernels,
 * which may run twice, and the weights change after the run. */
#include <stdint.h>
#include <string.h>

#include "board.h"
#include "kernels.h"
#include "poet_runtime.h"

#include PLAN

enum { BATCH = 8, SIDE = 16, CLASSES = 4, STEPS = 50, FULL = 8, DEEP = 16 };
enum { PIXELS = SIDE * SIDE, HALF = SIDE / 2 };
enum { COUNT = BATCH * FULL * PIXELS, COUNT_DEEP = BATCH * DEEP * HALF * HALF };

typedef struct parameters {
    float conv1[FULL * 9], conv1_bias[FULL];
    float conv2[FULL * FULL * 9], conv2_bias[FULL];
    float conv3[FULL * FULL * 9], conv3_bias[FULL];
    float depth[FULL * 9], depth_bias[FULL];
    float point[DEEP * FULL], point_bias[DEEP];
    float dense[CLASSES * DEEP], dense_bias[CLASSES];
} parameters;
enum { PARAMETERS = sizeof(parameters) / sizeof(float) };

static parameters weight, gradient;
static int label[BATCH];
static float loss;
static uint32_t image_seed;

static const kernel_window conv1 = {BATCH, 1, SIDE, SIDE, FULL, 3, 1, 1, 1};
static const kernel_window conv8 = {BATCH, FULL, SIDE, SIDE, FULL, 3, 1, 1, 1};
static const kernel_window pool = {BATCH, FULL, SIDE, SIDE, FULL, 2, 2, 0, 1};
static const kernel_window depth = {BATCH, FULL, HALF, HALF, FULL, 3, 1, 1, FULL};
static const kernel_window point = {BATCH, FULL, HALF, HALF, DEEP, 1, 1, 0, 1};
static const kernel_window mean = {BATCH, DEEP, HALF, HALF, DEEP, HALF, HALF, 0, 1};

/* ---- data --------------------------------------------------------------------------------- */

/* A number in [-1, 1). */
static float draw(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(int32_t)(*seed >> 8) * (1.0f / 8388608.0f) - 1;
}

/* Stripes that run across, down, or along either diagonal, with noise: class 0 to 3. */
static float pixel(int class, int row, int column, int phase)
{
    const int along[CLASSES] = {row, column, row + column, row + SIDE - column};
    return (along[class] + phase) % 4 < 2 ? 1.0f : -1.0f;
}

static void draw_images(float *image)
{
    uint32_t seed = image_seed;
    for (int n = 0; n < BATCH; n++) {
        const int phase = (int)(seed >> 28);
        for (int i = 0; i < PIXELS; i++)
            *image++ = pixel(label[n], i / SIDE, i % SIDE, phase) + draw(&seed);
    }
}

static void start_parameters(void)
{
    float *w = (float *)&weight;
    uint32_t seed = 1;
    for (int i = 0; i < PARAMETERS; i++)
        w[i] = 0.5f * draw(&seed);
}

/* ---- kernels: one for each node of net.json ------------------------------------------------ */

#define IN(k) ((const float *)poet_input(c, k))
#define OUT ((float *)c->output)
#define KERNEL(name, body)                                                                         \
    static int name(const poet_call *c)                                                            \
    {                                                                                              \
        body;                                                                                      \
        return 0;                                                                                  \
    }

KERNEL(run_images, draw_images(OUT))
KERNEL(run_conv1, kernel_conv(&conv1, IN(0), weight.conv1, weight.conv1_bias, OUT))
KERNEL(run_conv2, kernel_conv(&conv8, IN(0), weight.conv2, weight.conv2_bias, OUT))
KERNEL(run_conv3, kernel_conv(&conv8, IN(0), weight.conv3, weight.conv3_bias, OUT))
KERNEL(run_relu, kernel_relu(COUNT, IN(0), OUT))
KERNEL(run_add, kernel_add(COUNT, IN(0), IN(1), OUT))
KERNEL(run_pool, kernel_max_pool(&pool, IN(0), OUT))
KERNEL(run_depth, kernel_conv(&depth, IN(0), weight.depth, weight.depth_bias, OUT))
KERNEL(run_point, kernel_conv(&point, IN(0), weight.point, weight.point_bias, OUT))
KERNEL(run_relu4, kernel_relu(COUNT_DEEP, IN(0), OUT))
KERNEL(run_mean, kernel_average_pool(&mean, IN(0), OUT))
KERNEL(run_dense, kernel_dense(BATCH, DEEP, CLASSES, IN(0), weight.dense, weight.dense_bias, OUT))
KERNEL(run_loss, loss = kernel_softmax_loss(BATCH, CLASSES, IN(0), label, OUT))

/* Gradients read the value of the forward pass, X, and the gradient of their output, DY: inputs are
 * sorted by node. */
#define X IN(0)
#define DY IN(1)

KERNEL(run_d_dense, kernel_softmax_loss_dx(BATCH, CLASSES, IN(0), label, OUT))
KERNEL(run_d_mean,
       kernel_dense_dweight(BATCH, DEEP, CLASSES, X, DY, gradient.dense, gradient.dense_bias);
       kernel_dense_dx(BATCH, DEEP, CLASSES, weight.dense, DY, OUT))
KERNEL(run_d_relu4, kernel_average_pool_dx(&mean, IN(0), OUT))
KERNEL(run_d_point, kernel_relu_dx(COUNT_DEEP, X, DY, OUT))
KERNEL(run_d_depth, kernel_conv_dweight(&point, X, DY, gradient.point, gradient.point_bias);
       kernel_conv_dx(&point, weight.point, DY, OUT))
KERNEL(run_d_pool, kernel_conv_dweight(&depth, X, DY, gradient.depth, gradient.depth_bias);
       kernel_conv_dx(&depth, weight.depth, DY, OUT))
KERNEL(run_d_relu3, kernel_max_pool_dx(&pool, X, DY, OUT))
KERNEL(run_d_relu, kernel_relu_dx(COUNT, X, DY, OUT))
KERNEL(run_d_relu2, kernel_conv_dweight(&conv8, X, DY, gradient.conv3, gradient.conv3_bias);
       kernel_conv_dx(&conv8, weight.conv3, DY, OUT))
KERNEL(run_d_branch, kernel_conv_dweight(&conv8, X, DY, gradient.conv2, gradient.conv2_bias);
       kernel_conv_dx(&conv8, weight.conv2, DY, OUT))
KERNEL(run_d_first, kernel_conv_dweight(&conv1, X, DY, OUT, OUT + FULL * 9))

static const poet_kernel kernels[NET_NODES] = {
    [NET_IMAGES] = run_images,   [NET_CONV1] = run_conv1,       [NET_RELU1] = run_relu,
    [NET_CONV2] = run_conv2,     [NET_RELU2] = run_relu,        [NET_CONV3] = run_conv3,
    [NET_ADD] = run_add,         [NET_RELU3] = run_relu,        [NET_POOL] = run_pool,
    [NET_DEPTH] = run_depth,     [NET_POINT] = run_point,       [NET_RELU4] = run_relu4,
    [NET_MEAN] = run_mean,       [NET_DENSE] = run_dense,       [NET_LOSS] = run_loss,
    [NET_D_DENSE] = run_d_dense, [NET_D_MEAN] = run_d_mean,     [NET_D_RELU4] = run_d_relu4,
    [NET_D_POINT] = run_d_point, [NET_D_DEPTH] = run_d_depth,   [NET_D_POOL] = run_d_pool,
    [NET_D_RELU3] = run_d_relu3, [NET_D_ADD] = run_d_relu,      [NET_D_RELU2] = run_d_relu2,
    [NET_D_CONV2] = run_d_relu,  [NET_D_BRANCH] = run_d_branch, [NET_D_RELU1] = run_add,
    [NET_D_CONV1] = run_d_relu,  [NET_D_FIRST] = run_d_first,
};

/* ---- storage, counts ------------------------------------------------------------------------- */

static uint32_t place[NET_NODES]; /* of a node on storage */
static uint32_t transfer_ticks;
static poet_counts counts; /* of the last run */

static int start(void *user, const poet_transfer *t)
{
    const uint32_t begin = board_ticks();
    const int failed = t->in ? board_read(place[t->node], t->address, t->bytes)
                             : board_write(place[t->node], t->address, t->bytes);
    (void)user;
    transfer_ticks += board_ticks() - begin;
    return failed;
}

static void report(void *user, const poet_counts *now)
{
    (void)user;
    counts = *now;
}

/* ---- output ------------------------------------------------------------------------------------
 */

/* Prints name and a number in decimal digits. */
static void print_number(const char *name, uint64_t value)
{
    char digits[24];
    int at = sizeof digits - 1;
    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    board_print(name);
    board_print(digits + at);
}

/* Prints a number with its bits, of which no decimal digits say all. */
static void print_float(const char *name, float value)
{
    uint32_t bits;
    char hex[12] = "  ";
    memcpy(&bits, &value, sizeof bits);
    for (int k = 0; k < 8; k++)
        hex[2 + k] = "0123456789abcdef"[bits >> (28 - 4 * k) & 15];
    hex[10] = '\n';
    const uint32_t millionths = (uint32_t)(value * 1e6f);
    print_number(name, millionths / 1000000);
    print_number(".", millionths / 100000 % 10);
    print_number("", millionths / 10000 % 10);
    print_number("", millionths / 1000 % 10);
    board_print(hex);
}

/* The bytes of the arena up to the last that is not as paint_arena has left it. */
enum { PAINT = 0xA5 };
static uint32_t high_water(const unsigned char *arena, uint32_t bytes)
{
    while (bytes > 0 && arena[bytes - 1] == PAINT)
        bytes--;
    return bytes;
}

/* ---- training
 * ------------------------------------------------------------------------------------ */

static float arena[NET_ARENA_BYTES / sizeof(float)];
static poet_register registers[NET_REGISTERS];
static uint8_t stored[NET_STORED_BYTES];

static const poet_device device = {.plan = net_plan,
                                   .plan_bytes = sizeof net_plan,
                                   .nodes = net_nodes,
                                   .node_count = NET_NODES,
                                   .kernels = kernels,
                                   .arena = arena,
                                   .arena_bytes = sizeof arena,
                                   .registers = registers,
                                   .register_count = NET_REGISTERS,
                                   .stored = stored,
                                   .stored_bytes = sizeof stored,
                                   .alignment = sizeof(float),
                                   .start = start,
                                   .report = report};

/* One step of stochastic gradient descent. */
static poet_status train(int step)
{
    image_seed = 12345u + 977u * (uint32_t)step;
    for (int n = 0; n < BATCH; n++)
        label[n] = (n + step) % CLASSES;
    const poet_status status = poet_run(&device);
    if (status)
        return status;
    /* the gradient of conv1 and its bias is the output that stays */
    memcpy(gradient.conv1, poet_output(&device, NET_D_FIRST),
           sizeof gradient.conv1 + sizeof gradient.conv1_bias);
    kernel_update(PARAMETERS, 0.3f, (const float *)&gradient, (float *)&weight);
    return POET_OK;
}

static void print_counts(uint32_t ticks, uint32_t peak)
{
    print_number("computations ", counts.computations);
    print_number(", again ", counts.recomputations);
    print_number("\npaged in ", counts.pagein_bytes);
    print_number(", out ", counts.pageout_bytes);
    print_number(" bytes, stalls ", counts.stalls);
    print_number("\npeak ", counts.peak_bytes);
    print_number(", arena ", counts.arena_bytes);
    print_number(", written up to ", peak);
    print_number("\nparameters ", 2 * sizeof(parameters));
    print_number(", plan ", sizeof net_plan);
    print_number(", table of nodes ", sizeof net_nodes + sizeof net_inputs);
    print_number(" bytes\ninstructions ", (uint64_t)ticks * BOARD_TICK);
    print_number(", of transfers ", (uint64_t)transfer_ticks * BOARD_TICK);
    board_print("\n");
}

int main(void)
{
    uint32_t peak = 0, ticks = 0;
    for (int i = 1; i < NET_NODES; i++)
        place[i] = place[i - 1] + net_nodes[i - 1].bytes;
    memset(arena, PAINT, sizeof arena);
    start_parameters();
    for (int step = 0; step < STEPS; step++) {
        const uint32_t begin = board_ticks();
        const poet_status status = train(step);
        ticks += board_ticks() - begin;
        if (status) {
            print_number("poet_run failed with status ", status);
            board_print("\n");
            return 1;
        }
        if (step == 0)
            peak = high_water((const unsigned char *)arena, sizeof arena);
        print_number("step ", (uint64_t)step + 1);
        print_float("  loss ", loss);
    }
    print_counts(ticks, peak);
    return board_save("weights.bin", &weight, sizeof weight);
}
