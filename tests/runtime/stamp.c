/* Stamping kernels. A tensor of many bytes is stamped and checked at about a thousand places. */
#include "tests/runtime/stamp.h"
#include "tests/owned.h"

#include <string.h>

enum { PLACES = 1024, GUARD = 64, POISON = 0xDB, CANARY = 0xC5, FLIGHTS = POET_QUEUE };

typedef struct stamp_state {
    const graph *g;
    uint8_t *block; /* the arena, with a guard on either side */
    uint32_t arena_bytes;
    uint8_t **storage; /* of node i its bytes at all places; NULL: nothing there; extent n */
    poet_node *nodes;
    uint16_t *inputs;
    poet_kernel *kernels;
    poet_register *before; /* registers after the last step */
    const poet_device *device;
    poet_transfer flight[FLIGHTS]; /* under way, oldest first */
    int flying;
    base_rng rng;
    bool late;
    const char *wrong;
    poet_counts counts;
} stamp_state;

/* ---- places --------------------------------------------------------------------------------- */

static uint32_t place_count(uint32_t bytes)
{
    return bytes < PLACES ? bytes : PLACES;
}

/* The first and the last byte are among the places. */
static uint32_t place(uint32_t bytes, uint32_t k)
{
    return bytes <= PLACES ? k : (uint32_t)((uint64_t)k * (bytes - 1) / (PLACES - 1));
}

static uint8_t stamp(uint32_t node, uint32_t k)
{
    return (uint8_t)((node * 2654435761u + k * 40503u) >> 7);
}

/* ---- the bus -------------------------------------------------------------------------------- */

static void carry_out(stamp_state *s)
{
    const poet_transfer t = s->flight[0];
    const uint32_t count = place_count(t.bytes);
    uint8_t *memory = t.address;
    if (!t.in && !s->storage[t.node])
        s->storage[t.node] = base_malloc(count + 1, 1);
    if (!s->storage[t.node])
        s->wrong = "nothing is on storage of what is paged in";
    for (uint32_t k = 0; k < count && s->storage[t.node]; k++) {
        if (t.in)
            memory[place(t.bytes, k)] = s->storage[t.node][k];
        else
            s->storage[t.node][k] = memory[place(t.bytes, k)];
    }
    memmove(s->flight, s->flight + 1, (size_t)--s->flying * sizeof *s->flight);
}

static void advance(stamp_state *s)
{
    while (s->flying > 0 && !s->late && base_rng_below(&s->rng, 3) == 0)
        carry_out(s);
}

static int start(void *user, const poet_transfer *transfer)
{
    stamp_state *s = user;
    if (s->flying == FLIGHTS) {
        s->wrong = "more transfers than the queue holds";
        return -1;
    }
    s->flight[s->flying++] = *transfer;
    advance(s);
    return 0;
}

static int wait_for(void *user, uint32_t ticket)
{
    stamp_state *s = user;
    while (s->flying > 0 && s->flight[0].ticket <= ticket)
        carry_out(s);
    return 0;
}

/* ---- kernels -------------------------------------------------------------------------------- */

static void fill(uint8_t *memory, uint32_t bytes, int node)
{
    for (uint32_t k = 0; k < place_count(bytes); k++)
        memory[place(bytes, k)] = node < 0 ? POISON : stamp((uint32_t)node, k);
}

static bool has_stamp(const uint8_t *memory, uint32_t bytes, uint32_t node)
{
    for (uint32_t k = 0; k < place_count(bytes); k++)
        if (memory[place(bytes, k)] != stamp(node, k))
            return false;
    return true;
}

static int kernel(const poet_call *call)
{
    stamp_state *s = call->user;
    const poet_node *node = &s->nodes[call->node];
    advance(s);
    for (uint32_t k = 0; k < node->input_count; k++)
        if (!has_stamp(poet_input(call, k), s->nodes[node->inputs[k]].bytes, node->inputs[k]))
            s->wrong = "an input does not hold the value of its node";
    if (poet_input(call, node->input_count))
        s->wrong = "one input too many";
    if ((call->workspace != NULL) != (node->workspace > 0))
        s->wrong = "a workspace is missing, or one too many";
    fill(call->output, node->bytes, -1);
    if (call->workspace)
        fill(call->workspace, node->workspace, -1);
    for (uint32_t k = 0; k < node->input_count; k++)
        if (!has_stamp(poet_input(call, k), s->nodes[node->inputs[k]].bytes, node->inputs[k]))
            s->wrong = "an output or workspace lies in an input";
    fill(call->output, node->bytes, call->node);
    return 0;
}

static bool is_flying(const stamp_state *s, const uint8_t *begin, uint32_t bytes)
{
    for (int k = 0; k < s->flying; k++) {
        const uint8_t *from = s->flight[k].address;
        if (begin < from + s->flight[k].bytes && from < begin + bytes)
            return true;
    }
    return false;
}

/* Freed memory is poisoned, where no transfer is under way in it. */
static void report(void *user, const poet_counts *counts)
{
    stamp_state *s = user;
    const uint32_t count = s->device->register_count;
    for (uint32_t k = 0; k < count; k++) {
        const poet_register *r = &s->before[k];
        const uint32_t bytes = s->nodes[r->node].bytes;
        uint8_t *memory = s->block + GUARD + r->offset;
        if (r->state && !s->device->registers[k].state && !is_flying(s, memory, bytes))
            fill(memory, bytes, -1);
    }
    memcpy(s->before, s->device->registers, count * sizeof *s->before);
    s->counts = *counts;
    advance(s);
}

/* ---- machines ------------------------------------------------------------------------------- */

stamp_machine stamp_machine_make(const graph *g, uint32_t arena_bytes, int registers)
{
    const size_t n = (size_t)g->n;
    stamp_state *s = base_calloc(1, sizeof *s);
    *s = (stamp_state){.g = g,
                       .block = base_malloc((size_t)arena_bytes + 2 * (size_t)GUARD, 1),
                       .arena_bytes = arena_bytes,
                       .storage = base_calloc(n, sizeof *s->storage),
                       .nodes = base_calloc(n, sizeof *s->nodes),
                       .inputs = base_calloc((size_t)g->edge_count + 1, sizeof *s->inputs),
                       .kernels = base_calloc(n, sizeof *s->kernels),
                       .before = base_calloc((size_t)registers, sizeof *s->before)};
    for (int e = 0; e < g->edge_count; e++)
        s->inputs[e] = (uint16_t)g->input[e];
    for (int i = 0; i < g->n; i++) {
        s->nodes[i] = (poet_node){(uint32_t)g->bytes[i], (uint32_t)g->workspace[i],
                                  s->inputs + g->input_start[i],
                                  (uint16_t)(g->input_start[i + 1] - g->input_start[i])};
        s->kernels[i] = kernel;
    }
    return (stamp_machine){
        .g = g,
        .state = s,
        .device = {.nodes = s->nodes,
                   .node_count = (uint32_t)g->n,
                   .kernels = s->kernels,
                   .arena = s->block + GUARD,
                   .arena_bytes = arena_bytes,
                   .registers = base_calloc((size_t)registers, sizeof(poet_register)),
                   .register_count = (uint32_t)registers,
                   .stored = base_malloc((n + 7) / 8, 1),
                   .stored_bytes = (uint32_t)(n + 7) / 8,
                   .start = start,
                   .wait = wait_for,
                   .report = report,
                   .user = s}};
}

static void clear_storage(stamp_state *s)
{
    for (int i = 0; i < s->g->n; i++) {
        base_free(s->storage[i]);
        s->storage[i] = NULL;
    }
}

void stamp_machine_free(stamp_machine *m)
{
    stamp_state *s = m->state;
    clear_storage(s);
    base_free_all(m->device.registers, m->device.stored, s->before, s->kernels, s->inputs, s->nodes,
                  s->storage, s->block, s);
}

const char *stamp_run(stamp_machine *m, const uint8_t *data, size_t size, uint64_t seed,
                      poet_status *status, poet_counts *counts)
{
    stamp_state *s = m->state;
    uint8_t *end = s->block + GUARD + s->arena_bytes;
    s->device = &m->device;
    s->flying = 0;
    s->rng = (base_rng){.state = seed};
    s->late = seed == 0;
    s->wrong = NULL;
    s->counts = (poet_counts){0};
    clear_storage(s);
    memset(s->before, 0, m->device.register_count * sizeof *s->before);
    memset(s->block, CANARY, GUARD);
    memset(end, CANARY, GUARD);
    m->device.plan = data;
    m->device.plan_bytes = (uint32_t)size;
    *status = poet_run(&m->device);
    *counts = s->counts;
    for (int k = 0; k < GUARD; k++)
        if (s->block[k] != CANARY || end[k] != CANARY)
            s->wrong = "written outside of the arena";
    if (s->flying > 0)
        s->wrong = "a transfer is under way at the end";
    return s->wrong;
}

/* ---- whole plans ---------------------------------------------------------------------------- */

static const char *compare_counts(const graph *g, const plan *x, const poet_counts *c)
{
    base_error error;
    plan_execution e;
    uint64_t in = 0, out = 0;
    if (plan_execute(g, x, &e, &error) != 0)
        return "the simulated device refuses the plan";
    for (int k = 0; k < x->step_count; k++) {
        const uint64_t bytes = (uint64_t)g->bytes[x->buffer[x->step[k].buffer].node];
        in += x->step[k].op == PLAN_PAGEIN ? bytes : 0;
        out += x->step[k].op == PLAN_PAGEOUT ? bytes : 0;
    }
    if (c->pagein_bytes != in || c->pageout_bytes != out)
        return "other bytes are paged";
    if (c->steps != (uint32_t)x->step_count || c->recomputations != e.recompute_count ||
        c->computations != (uint32_t)g->n + c->recomputations || c->pageins != e.pagein_count ||
        c->pageouts != e.pageout_count)
        return "other counts than the simulated device";
    return c->peak_bytes == x->peak_bytes && c->arena_bytes == x->arena_bytes
               ? NULL
               : "another peak, or another arena";
}

/* The tensors that live in the end are there, with their values; no others. */
static const char *check_outputs(const stamp_machine *m, const plan *x)
{
    OWNED(bool) *lives = base_calloc((size_t)m->g->n, sizeof *lives);
    const char *wrong = NULL;
    for (int k = 0; k < x->step_count; k++)
        lives[x->buffer[x->step[k].buffer].node] = x->step[k].op != PLAN_FREE;
    for (int i = 0; i < m->g->n; i++) {
        const uint8_t *memory = poet_output(&m->device, (uint32_t)i);
        if ((memory != NULL) != lives[i])
            wrong = "a tensor lives in the end, or does not, other than the plan says";
        else if (memory && !has_stamp(memory, m->state->nodes[i].bytes, (uint32_t)i))
            wrong = "an output has lost its value";
    }
    return wrong;
}

const char *stamp_plan(const graph *g, const plan *x, uint64_t seed)
{
    size_t size;
    poet_status status;
    poet_counts counts, checked;
    OWNED(uint8_t) *data = plan_write_binary(g, x, &size, NULL);
    stamp_machine m = stamp_machine_make(g, (uint32_t)x->arena_bytes, x->register_count);
    const char *wrong = stamp_run(&m, data, size, seed, &status, &counts);
    if (!wrong && status != POET_OK)
        wrong = "the runtime refuses the plan";
    if (!wrong)
        wrong = compare_counts(g, x, &counts);
    if (!wrong)
        wrong = check_outputs(&m, x);
    checked = counts;
    if (!wrong && poet_check(&m.device, &checked) != POET_OK)
        wrong = "poet_check refuses what poet_run accepts";
    if (!wrong && compare_counts(g, x, &checked))
        wrong = "poet_check counts something else than poet_run";
    m.device.arena_bytes--;
    if (!wrong && x->arena_bytes > 0 && poet_run(&m.device) != POET_SMALL_ARENA)
        wrong = "an arena that is a byte too small is accepted";
    m.device.arena_bytes++;
    m.device.register_count--;
    if (!wrong && poet_run(&m.device) != POET_FEW_REGISTERS)
        wrong = "one register too few is accepted";
    m.device.register_count++;
    stamp_machine_free(&m);
    return wrong;
}
