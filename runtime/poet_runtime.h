/* poet_runtime: executes a plan of poetbnb on a device. One C99 file, no allocation, no floating
 * point, no library function but memcpy, memory only where the caller says.
 *
 * A plan is the list of steps of one training iteration: compute a node, page a tensor out to
 * storage, page it in, free its memory. `poetbnb plan S.json --format=c --out net.h` writes it as a
 * C array, with a table of the nodes' sizes and inputs. The caller adds a kernel for every node, an
 * arena in which all tensors live, and two functions for storage. Weights, their gradients and the
 * training data live outside of the arena.
 *
 * EXAMPLE. Three nodes x, y = w * x and loss = y * y, where w lies outside. net.h is the output of
 * `plan`; all that it defines begins with the name of the graph, here `net`.
 *
 *     #include <stdio.h>
 *     #include "poet_runtime.h"
 *     #include "net.h"
 *
 *     static float w = 2, disk[NET_NODES], arena[NET_ARENA_BYTES / sizeof(float)];
 *     static poet_register registers[NET_REGISTERS];
 *     static uint8_t stored[NET_STORED_BYTES];
 *
 *     static float in(const poet_call *c) { return *(const float *)poet_input(c, 0); }
 *     static int x(const poet_call *c) { *(float *)c->output = 3; return 0; }
 *     static int y(const poet_call *c) { *(float *)c->output = in(c) * w; return 0; }
 *     static int loss(const poet_call *c) { *(float *)c->output = in(c) * in(c); return 0; }
 *     static const poet_kernel kernels[NET_NODES] = {
 *         [NET_X] = x, [NET_Y] = y, [NET_LOSS] = loss };
 *
 *     static int start(void *user, const poet_transfer *t)
 *     {
 *         float *place = (float *)user + t->node;
 *         memcpy(t->in ? t->address : place, t->in ? place : t->address, t->bytes);
 *         return 0;
 *     }
 *     int main(void)
 *     {
 *         const poet_device device = {
 *             .plan = net_plan, .plan_bytes = sizeof net_plan, .nodes = net_nodes,
 *             .node_count = NET_NODES, .kernels = kernels, .arena = arena,
 *             .arena_bytes = sizeof arena, .registers = registers, .register_count = NET_REGISTERS,
 *             .stored = stored, .stored_bytes = sizeof stored, .start = start, .user = disk };
 *         const poet_status status = poet_run(&device);
 *         const float *result = poet_output(&device, NET_LOSS);
 *         if (result) printf("loss %g\n", *result);
 *         return status;
 *     }
 *
 * KERNELS may run more than once in an iteration (a recomputation), and must then give the same
 * bits. So a kernel depends on its inputs and on what does not change during poet_run; one that
 * computes the gradient of weights writes it to memory of its own, and the weights are updated
 * after poet_run. The arena holds nothing between two runs but the outputs of the last one.
 *
 * TRANSFERS may run beside the computation (DMA). The runtime hands them to `start` in the order of
 * the plan, and expects them to be carried out in this order. It calls `wait` before it touches
 * memory that a transfer still reads or writes, and before poet_run returns. Without `wait` each
 * transfer is done when `start` returns.
 *
 * DAMAGE. poet_run first walks through the whole plan without calling anything. It refuses a plan
 * with a wrong checksum, one for other nodes, an address or length outside of the arena, memory
 * that is in use twice, a missing input, a tensor that is not on storage. No kernel has run then.
 * With a right checksum, too, no plan makes it read or write outside of the memory of the caller.
 *
 * LIMITS. At most 65535 nodes; sizes and addresses below 2^32. Stack: less than 400 bytes on
 * Cortex-M4, beside kernels. Time beside kernels and transfers: O(registers + addresses) a step,
 * twice. */
#ifndef POET_RUNTIME_H
#define POET_RUNTIME_H

#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Transfers that may be under way at once; with more the runtime waits for the oldest. */
#ifndef POET_QUEUE
#define POET_QUEUE 8
#endif

typedef enum poet_status {
    POET_OK = 0,
    POET_BAD_DEVICE,     /* a field of poet_device is missing, or misaligned */
    POET_BAD_PLAN,       /* not a plan, cut off, or the checksum is wrong */
    POET_OTHER_NODES,    /* the plan was made for another graph than `nodes` */
    POET_SMALL_ARENA,    /* an address ends beyond the arena */
    POET_FEW_REGISTERS,  /* the plan needs more registers, or more bytes of `stored` */
    POET_MISALIGNED,     /* an address is no multiple of `alignment` */
    POET_WRONG_STEP,     /* a step breaks a rule: see DAMAGE */
    POET_KERNEL_FAILED,  /* a kernel returned another value than 0 */
    POET_STORAGE_FAILED, /* `start` or `wait` did */
} poet_status;

/* A node of the graph; `plan --format=c` writes the table. */
typedef struct poet_node {
    uint32_t bytes;         /* of the output */
    uint32_t workspace;     /* bytes in use only while the node is computed */
    const uint16_t *inputs; /* extent input_count: nodes, ascending, all smaller than this one */
    uint16_t input_count;
} poet_node;

/* Where a tensor is: memory of the runtime, which the caller only provides. */
typedef struct poet_register {
    uint32_t offset; /* address in the arena */
    uint16_t node;
    uint8_t state;
} poet_register;

struct poet_device;

/* The computation of a node. */
typedef struct poet_call {
    const struct poet_device *device;
    uint16_t node;
    uint8_t again;   /* 1: a recomputation */
    void *output;    /* nodes[node].bytes, with undefined contents */
    void *workspace; /* nodes[node].workspace bytes, with undefined contents; NULL: none */
    void *user;
} poet_call;

/* Computes a node; 0, or the run ends with POET_KERNEL_FAILED. */
typedef int (*poet_kernel)(const poet_call *call);

/* A transfer between arena and storage. Each node has one place on storage. */
typedef struct poet_transfer {
    uint32_t ticket; /* 0, 1, ... in the order of the run */
    uint16_t node;   /* its output is transferred */
    uint8_t in;      /* 1: from storage into the arena; 0: from the arena to storage */
    void *address;
    uint32_t bytes;
} poet_transfer;

/* Counts of a run up to now. */
typedef struct poet_counts {
    uint32_t steps;          /* of the plan that are done */
    uint32_t computations;   /* recomputations included */
    uint32_t recomputations; /* computations of a node after its first */
    uint32_t pageins, pageouts;
    uint64_t pagein_bytes, pageout_bytes;
    uint32_t stalls;      /* calls of `wait` before the end: for a computation, or a full queue */
    uint32_t peak_bytes;  /* largest sum of the living tensors and of the workspace */
    uint32_t arena_bytes; /* largest end of an address in use */
} poet_counts;

typedef struct poet_device {
    const uint8_t *plan; /* binary plan, extent plan_bytes; may lie in flash */
    uint32_t plan_bytes;
    const poet_node *nodes; /* extent node_count */
    uint32_t node_count;
    const poet_kernel *kernels; /* indexed by node, extent node_count */
    void *arena;                /* aligned as `alignment` says */
    uint32_t arena_bytes;
    poet_register *registers; /* extent register_count; NET_REGISTERS are enough */
    uint32_t register_count;
    uint8_t *stored; /* a bit for each node: (node_count + 7) / 8 bytes */
    uint32_t stored_bytes;
    uint32_t alignment; /* power of two that every address shall be a multiple of; 0: any is good */
    /* Starts a transfer; 0, or the run ends with POET_STORAGE_FAILED. NULL: no storage, a plan that
     * pages is refused. */
    int (*start)(void *user, const poet_transfer *transfer);
    /* Returns when all transfers up to this ticket have ended, with success or failure. Returns 0,
     * or as above. NULL: see TRANSFERS. After a failure it is called once more, for the transfers
     * still under way. */
    int (*wait)(void *user, uint32_t ticket);
    /* Called after each step, to count, to log, to calm a watchdog; NULL: not called. */
    void (*report)(void *user, const poet_counts *counts);
    void *user; /* for the kernels and the three functions above */
} poet_device;

/* Runs the plan once. The outputs that the plan does not free stay in the arena until the next
 * run. After POET_KERNEL_FAILED and POET_STORAGE_FAILED all transfers have ended, and no outputs
 * are left. */
poet_status poet_run(const poet_device *device);

/* Checks the plan without executing it, as poet_run does first. Calls no function of the device;
 * its kernels, start and wait may be missing. counts (NULL allowed) gets the counts of a run,
 * without stalls, up to the first refused step. Changes only `registers` and `stored`. */
poet_status poet_check(const poet_device *device, poet_counts *counts);

/* Input number k of the node that is being computed, with the `bytes` of the input's node. Inputs
 * are sorted by node number, also if the graph listed them in another order. NULL: there are fewer.
 */
const void *poet_input(const poet_call *call, uint32_t k);

/* The output of a node that the plan does not free, after poet_run. NULL: it is not in the arena.
 */
const void *poet_output(const poet_device *device, uint32_t node);

#ifdef __cplusplus
}
#endif

#endif
