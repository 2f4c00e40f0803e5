/* The interpreter of plans; see poet_runtime.h. The format is in docs/formats.md, "Binary plans".
 *
 * A plan is walked through twice: without effects, then with kernels and transfers. Both walks
 * are the same code and make the same checks. A value read from the plan is used only after its
 * check: node < node_count, register < register_count, offset + bytes <= arena_bytes. */
#include "poet_runtime.h"

enum { COMPUTE, PAGEIN, PAGEOUT, FREE };

/* States of a register. STALE: the node was written again, into another register. */
enum { EMPTY, STALE, CURRENT };

/* A transfer that may still be under way: the memory [begin, end). */
typedef struct flight {
    uint32_t begin, end;
    uint8_t in;
} flight;

typedef struct machine {
    const poet_device *d;
    uint32_t at, end;     /* of the plan: next byte, first byte of the checksum */
    uint32_t table;       /* where the offsets begin */
    uint32_t table_count; /* offsets */
    uint32_t unit;        /* of offsets */
    uint32_t step_count;  /* steps */
    uint32_t first_done;  /* nodes 0 .. first_done - 1 have been computed */
    uint32_t load;        /* bytes of the living tensors */
    uint32_t ticket;      /* of the next transfer */
    uint32_t flying;      /* transfers under way, the last of all; extent of flights in use */
    flight flights[POET_QUEUE];
    poet_counts counts;
    uint8_t works;  /* the graph has workspaces */
    uint8_t broken; /* the plan ended early, or a number is too large */
    uint8_t live;   /* kernels and transfers run */
} machine;

/* ---- reading the plan -------------------------------------------------------------------- */

static uint32_t read_byte(machine *m)
{
    if (m->at >= m->end) {
        m->broken = 1;
        return 0;
    }
    return m->d->plan[m->at++];
}

/* A number below 2^32, in its shortest form. 0 once the plan is broken. */
static uint32_t read_number(machine *m)
{
    uint32_t value = 0, shift;
    for (shift = 0; shift < 35; shift += 7) {
        const uint32_t byte = read_byte(m);
        if ((shift == 28 && byte > 15) || (shift > 0 && byte == 0))
            break;
        value |= (byte & 127) << shift;
        if (byte < 128)
            return value;
    }
    m->broken = 1;
    return 0;
}

/* Passes by a number that may be larger. */
static void skip_number(machine *m)
{
    while (read_byte(m) >= 128)
        ;
}

static void skip_text(machine *m)
{
    const uint32_t length = read_number(m);
    if (length > m->end - m->at)
        m->broken = 1;
    else
        m->at += length;
}

static uint32_t read_word(machine *m)
{
    uint32_t value = 0, k;
    for (k = 0; k < 32; k += 8)
        value |= read_byte(m) << k;
    return value;
}

static uint32_t crc_byte(uint32_t crc, uint32_t byte)
{
    int bit;
    crc ^= byte;
    for (bit = 0; bit < 8; bit++)
        crc = (crc >> 1) ^ (UINT32_C(0xEDB88320) & (0 - (crc & 1)));
    return crc;
}

static uint32_t crc_number(uint32_t crc, uint32_t value)
{
    for (; value >= 128; value >>= 7)
        crc = crc_byte(crc, (value & 127) | 128);
    return crc_byte(crc, value);
}

/* The checksum of the table of nodes, as the plan has it. */
static uint32_t nodes_crc(const machine *m)
{
    uint32_t crc = UINT32_MAX, i, e;
    for (i = 0; i < m->d->node_count; i++) {
        const poet_node *node = &m->d->nodes[i];
        crc = crc_number(crc_number(crc, node->bytes), node->input_count);
        for (e = 0; e < node->input_count; e++)
            crc = crc_number(crc, node->inputs[e]);
    }
    for (i = 0; m->works && i < m->d->node_count; i++)
        crc = crc_number(crc, m->d->nodes[i].workspace);
    return ~crc;
}

/* The checksum of the plan, which is of all bytes before it. */
static int plan_is_whole(const machine *m)
{
    uint32_t crc = UINT32_MAX, k, word = 0;
    for (k = 0; k < m->end; k++)
        crc = crc_byte(crc, m->d->plan[k]);
    for (k = 0; k < 4; k++)
        word |= (uint32_t)m->d->plan[m->end + k] << (8 * k);
    return word == ~crc;
}

/* Everything before the steps. */
static poet_status read_header(machine *m)
{
    uint32_t k, node_count, crc;
    uint64_t offset = 0;
    for (k = 0; k < 3; k++)
        if (read_byte(m) != (uint8_t) "PXP"[k])
            return POET_BAD_PLAN;
    k = read_byte(m);
    if ((k != '1' && k != '2') || !plan_is_whole(m))
        return POET_BAD_PLAN;
    m->works = k == '2';
    node_count = read_number(m);
    crc = read_word(m);
    if (!m->broken && (node_count != m->d->node_count || crc != nodes_crc(m)))
        return POET_OTHER_NODES;
    skip_text(m);   /* network */
    skip_text(m);   /* platform */
    skip_number(m); /* batch size */
    skip_number(m); /* backward */
    skip_number(m); /* budget: the arena is what counts */
    m->unit = read_number(m);
    m->table_count = read_number(m);
    m->table = m->at;
    for (k = 0; k < m->table_count && !m->broken; k++) {
        offset += (uint64_t)read_number(m) * m->unit;
        if (offset > UINT32_MAX)
            m->broken = 1;
    }
    m->step_count = read_number(m);
    return m->broken || m->unit == 0 ? POET_BAD_PLAN : POET_OK;
}

/* Offset number k of the table. read_header has checked that its sums do not overflow. */
static uint32_t find_offset(machine *m, uint32_t k)
{
    const uint32_t back = m->at;
    uint32_t units = 0;
    m->at = m->table;
    do
        units += read_number(m);
    while (k-- > 0);
    m->at = back;
    return units * m->unit;
}

/* ---- memory ------------------------------------------------------------------------------- */

static char *address(const poet_device *d, uint32_t offset)
{
    return (char *)d->arena + offset;
}

static uint32_t register_end(const machine *m, const poet_register *r)
{
    return r->offset + m->d->nodes[r->node].bytes;
}

/* The register with the value of a node; NULL: none has it. */
static poet_register *find_value(const poet_device *d, uint32_t node)
{
    uint32_t k;
    for (k = 0; k < d->register_count; k++)
        if (d->registers[k].state == CURRENT && d->registers[k].node == node)
            return &d->registers[k];
    return NULL;
}

/* True if `bytes` at `offset` lie in the arena and beside all living tensors. */
static poet_status check_range(machine *m, uint32_t offset, uint32_t bytes)
{
    const poet_device *d = m->d;
    uint32_t k;
    if (offset > d->arena_bytes || bytes > d->arena_bytes - offset)
        return POET_SMALL_ARENA;
    if (d->alignment && offset % d->alignment != 0)
        return POET_MISALIGNED;
    for (k = 0; k < d->register_count; k++)
        if (d->registers[k].state != EMPTY && offset < register_end(m, &d->registers[k]) &&
            d->registers[k].offset < offset + bytes)
            return POET_WRONG_STEP;
    if (offset + bytes > m->counts.arena_bytes)
        m->counts.arena_bytes = offset + bytes;
    return POET_OK;
}

static void count_load(machine *m, uint32_t workspace)
{
    if (m->load + workspace > m->counts.peak_bytes)
        m->counts.peak_bytes = m->load + workspace;
}

/* Begins the life of a tensor in the lowest register that is free. */
static poet_status begin_life(machine *m, uint32_t node, uint32_t offset)
{
    const poet_device *d = m->d;
    const uint32_t bytes = d->nodes[node].bytes;
    poet_register *before = find_value(d, node);
    const poet_status status = check_range(m, offset, bytes);
    uint32_t k = 0;
    if (status)
        return status;
    while (k < d->register_count && d->registers[k].state != EMPTY)
        k++;
    if (k == d->register_count)
        return POET_FEW_REGISTERS;
    if (before)
        before->state = STALE;
    d->registers[k].offset = offset;
    d->registers[k].node = (uint16_t)node;
    d->registers[k].state = CURRENT;
    m->load += bytes; /* tensors share no memory: the sum is at most arena_bytes */
    count_load(m, 0);
    return POET_OK;
}

/* ---- transfers ---------------------------------------------------------------------------- */

/* Waits for the oldest `count` transfers under way. */
static poet_status await_transfers(machine *m, uint32_t count)
{
    uint32_t k;
    const uint32_t last = m->ticket - m->flying + count - 1;
    if (count == 0)
        return POET_OK;
    m->flying -= count;
    for (k = 0; k < m->flying; k++)
        m->flights[k] = m->flights[k + count];
    if (m->d->wait && m->d->wait(m->d->user, last) != 0)
        return POET_STORAGE_FAILED;
    return POET_OK;
}

/* Waits for the transfers under way that use memory of [begin, end). only_in: only for the
 * transfers into the arena. */
static poet_status await_range(machine *m, uint32_t begin, uint32_t end, int only_in)
{
    uint32_t k = m->flying;
    while (k > 0 && (m->flights[k - 1].begin >= end || begin >= m->flights[k - 1].end ||
                     (only_in && !m->flights[k - 1].in)))
        k--;
    if (k > 0)
        m->counts.stalls++;
    return await_transfers(m, k);
}

static poet_status begin_transfer(machine *m, const poet_register *r, uint8_t in)
{
    const poet_device *d = m->d;
    const poet_transfer transfer = {m->ticket, r->node, in, address(d, r->offset),
                                    d->nodes[r->node].bytes};
    if (!m->live)
        return POET_OK;
    if (m->flying == POET_QUEUE) {
        m->counts.stalls++;
        if (await_transfers(m, 1))
            return POET_STORAGE_FAILED;
    }
    if (d->start(d->user, &transfer) != 0)
        return POET_STORAGE_FAILED;
    m->ticket++;
    if (d->wait) {
        m->flights[m->flying].begin = r->offset;
        m->flights[m->flying].end = register_end(m, r);
        m->flights[m->flying++].in = in;
    }
    return POET_OK;
}

/* ---- steps -------------------------------------------------------------------------------- */

/* All inputs of a node are there; live: and the transfers that write them are done. */
static poet_status check_inputs(machine *m, const poet_node *node)
{
    uint32_t e;
    for (e = 0; e < node->input_count; e++) {
        const poet_register *r = find_value(m->d, node->inputs[e]);
        if (!r)
            return POET_WRONG_STEP;
        if (m->live && await_range(m, r->offset, register_end(m, r), 1))
            return POET_STORAGE_FAILED;
    }
    return POET_OK;
}

static poet_status run_kernel(machine *m, uint32_t node, uint32_t offset, uint32_t work)
{
    const poet_device *d = m->d;
    const poet_node *x = &d->nodes[node];
    poet_call call;
    if (await_range(m, offset, offset + x->bytes, 0) ||
        await_range(m, work, work + x->workspace, 0))
        return POET_STORAGE_FAILED;
    call.device = d;
    call.node = (uint16_t)node;
    call.again = node < m->first_done;
    call.output = address(d, offset);
    call.workspace = x->workspace ? address(d, work) : NULL;
    call.user = d->user;
    return d->kernels[node](&call) ? POET_KERNEL_FAILED : POET_OK;
}

/* work: 1 + number of the workspace's offset in the table; 0: no workspace. */
static poet_status compute(machine *m, uint32_t node, uint32_t offset, uint32_t work)
{
    const poet_node *x = &m->d->nodes[node];
    poet_status status = check_inputs(m, x);
    if ((work > 0) != (x->workspace > 0))
        return POET_WRONG_STEP;
    if (!status)
        status = begin_life(m, node, offset);
    if (!status && work > 0) {
        work = find_offset(m, work - 1);
        status = check_range(m, work, x->workspace);
        count_load(m, x->workspace);
    }
    if (!status && m->live)
        status = run_kernel(m, node, offset, work);
    m->counts.computations++;
    m->counts.recomputations += node < m->first_done;
    m->first_done += node == m->first_done;
    return status;
}

static poet_status page_in(machine *m, uint32_t node, uint32_t offset)
{
    poet_status status;
    if (!(m->d->stored[node / 8] & (1u << (node % 8))) || find_value(m->d, node))
        return POET_WRONG_STEP;
    status = begin_life(m, node, offset);
    m->counts.pageins++;
    m->counts.pagein_bytes += m->d->nodes[node].bytes;
    return status ? status : begin_transfer(m, find_value(m->d, node), 1);
}

static poet_status page_out(machine *m, const poet_register *r)
{
    m->d->stored[r->node / 8] |= (uint8_t)(1u << (r->node % 8));
    m->counts.pageouts++;
    m->counts.pageout_bytes += m->d->nodes[r->node].bytes;
    return begin_transfer(m, r, 0);
}

/* The next step of the plan. */
static poet_status run_step(machine *m)
{
    const uint32_t number = read_number(m), op = number % 4, argument = number / 4;
    const poet_device *d = m->d;
    if (op == COMPUTE || op == PAGEIN) {
        const uint32_t offset = read_number(m);
        const uint32_t work = m->works && op == COMPUTE ? read_number(m) : 0;
        const uint32_t node = m->first_done - argument;
        if (m->broken || argument > m->first_done || node >= d->node_count ||
            offset >= m->table_count || work > m->table_count)
            return POET_BAD_PLAN;
        return op == COMPUTE ? compute(m, node, find_offset(m, offset), work)
                             : page_in(m, node, find_offset(m, offset));
    }
    if (m->broken)
        return POET_BAD_PLAN;
    if (argument >= d->register_count || d->registers[argument].state == EMPTY)
        return POET_WRONG_STEP;
    if (op == PAGEOUT)
        return page_out(m, &d->registers[argument]);
    m->load -= d->nodes[d->registers[argument].node].bytes;
    d->registers[argument].state = EMPTY;
    return POET_OK;
}

/* ---- a walk through the plan ---------------------------------------------------------------- */

static poet_status check_device(const poet_device *d)
{
    uint32_t i, e;
    if (!d->plan || !d->nodes || !d->registers || !d->stored || !d->arena ||
        d->node_count > UINT16_MAX || (d->alignment & (d->alignment - 1)) != 0 ||
        (d->alignment && (uintptr_t)d->arena % d->alignment != 0))
        return POET_BAD_DEVICE;
    for (i = 0; i < d->node_count; i++)
        for (e = 0; e < d->nodes[i].input_count; e++)
            if (d->nodes[i].inputs[e] >= i)
                return POET_BAD_DEVICE;
    if (d->stored_bytes < (d->node_count + 7) / 8)
        return POET_FEW_REGISTERS;
    return d->plan_bytes < 8 ? POET_BAD_PLAN : POET_OK;
}

static void clear_bytes(void *memory, size_t bytes)
{
    unsigned char *byte = (unsigned char *)memory;
    while (bytes > 0)
        byte[--bytes] = 0;
}

static poet_status run_steps(machine *m)
{
    const poet_device *d = m->d;
    poet_status status = read_header(m);
    uint32_t k;
    for (k = 0; k < d->register_count; k++)
        d->registers[k].state = EMPTY;
    clear_bytes(d->stored, (d->node_count + 7) / 8);
    while (!status && m->counts.steps < m->step_count) {
        status = run_step(m);
        m->counts.steps += !status;
        if (!status && m->live && d->report)
            d->report(d->user, &m->counts);
    }
    return !status && (m->at != m->end || m->first_done != d->node_count) ? POET_BAD_PLAN : status;
}

static poet_status start_steps(machine *m, const poet_device *d, uint8_t live)
{
    clear_bytes(m, sizeof *m);
    m->d = d;
    m->end = d->plan_bytes - 4;
    m->live = live;
    return run_steps(m);
}

/* ---- functions of the header ----------------------------------------------------------------
 */

poet_status poet_check(const poet_device *device, poet_counts *counts)
{
    machine m;
    poet_status status = check_device(device);
    clear_bytes(&m, sizeof m);
    if (!status)
        status = start_steps(&m, device, 0);
    if (counts)
        memcpy(counts, &m.counts, sizeof *counts);
    return status;
}

poet_status poet_run(const poet_device *device)
{
    machine m;
    poet_status status = check_device(device), landed;
    uint32_t k;
    if (!status)
        status = start_steps(&m, device, 0);
    if (status)
        return status;
    if (!device->kernels || (!device->start && m.counts.pageins + m.counts.pageouts > 0))
        return POET_BAD_DEVICE;
    for (k = 0; k < device->node_count; k++)
        if (!device->kernels[k])
            return POET_BAD_DEVICE;
    status = start_steps(&m, device, 1);
    landed = await_transfers(&m, m.flying);
    if (!status)
        status = landed;
    for (k = 0; status && k < device->register_count; k++)
        device->registers[k].state = EMPTY;
    return status;
}

const void *poet_input(const poet_call *call, uint32_t k)
{
    const poet_device *d = call->device;
    const poet_node *node = &d->nodes[call->node];
    return k < node->input_count ? address(d, find_value(d, node->inputs[k])->offset) : NULL;
}

const void *poet_output(const poet_device *device, uint32_t node)
{
    const poet_register *r = find_value(device, node);
    return r ? address(device, r->offset) : NULL;
}
