/* Damaged plans end in an error code, or run to their end; tests/fuzz/plan_fuzz.c tries more. */
#include "tests/plan/support.h"
#include "tests/runtime/damage.h"
#include "tests/runtime/stamp.h"
#include "tests/suite.h"

SUITE("damage", .seconds = 120);

TEST(damaged_plans_end)
{
    damage_counts counts = {0};
    for (uint64_t seed = 1; seed <= 100; seed++) {
        const char *wrong = damage_run(seed, 100, &counts);
        ck_assert_msg(!wrong, "seed %d: %s", (int)seed, wrong);
    }
    ck_assert_int_gt(counts.run, 8000);
    ck_assert_int_gt(counts.accepted, 100);
    ck_assert_int_gt(counts.status[POET_BAD_PLAN], 100);
    ck_assert_int_gt(counts.status[POET_SMALL_ARENA], 20);
    ck_assert_int_gt(counts.status[POET_WRONG_STEP], 100);
}

typedef struct device_case {
    graph *g;
    schedule *s;
    plan *x;
    uint8_t *data;
    size_t size;
    stamp_machine m;
} device_case;

static device_case paged_case(void)
{
    device_case c = {.g = chain_of_six(), .s = paged_schedule()};
    problem p = problem_make(c.g, 40);
    c.x = plan_of(&p, c.s, true);
    c.data = plan_write_binary(c.g, c.x, &c.size, NULL);
    c.m = stamp_machine_make(c.g, 40, c.x->register_count);
    return c;
}

static void expect(device_case *c, poet_status wanted)
{
    poet_status status;
    poet_counts counts;
    const char *wrong = stamp_run(&c->m, c->data, c->size, 0, &status, &counts);
    ck_assert_msg(!wrong, "%s", wrong);
    ck_assert_int_eq(status, wanted);
}

static void case_free(device_case *c)
{
    stamp_machine_free(&c->m);
    base_free(c->data);
    plan_free(c->x);
    schedule_free(c->s);
    graph_free(c->g);
}

/* Every field of a device in turn. */
TEST(wrong_devices_refused)
{
    device_case c = paged_case();
    const poet_device good = c.m.device;
    poet_device *d = &c.m.device;
    expect(&c, POET_OK);
#define EXPECT(field, value, status)                                                               \
    d->field = value;                                                                              \
    expect(&c, status);                                                                            \
    *d = good
    EXPECT(nodes, NULL, POET_BAD_DEVICE);
    EXPECT(node_count, 5, POET_OTHER_NODES);
    EXPECT(kernels, NULL, POET_BAD_DEVICE);
    EXPECT(arena, NULL, POET_BAD_DEVICE);
    EXPECT(registers, NULL, POET_BAD_DEVICE);
    EXPECT(stored, NULL, POET_BAD_DEVICE);
    EXPECT(stored_bytes, 0, POET_FEW_REGISTERS);
    EXPECT(start, NULL, POET_BAD_DEVICE);
    EXPECT(alignment, 3, POET_BAD_DEVICE);
    EXPECT(alignment, 2, POET_OK);
    EXPECT(alignment, 4, POET_MISALIGNED);
    EXPECT(report, NULL, POET_OK);
#undef EXPECT
    poet_kernel none[6] = {0};
    d->kernels = none;
    expect(&c, POET_BAD_DEVICE);
    *d = good;
    poet_node other[6];
    memcpy(other, good.nodes, sizeof other);
    other[3].bytes++;
    d->nodes = other;
    expect(&c, POET_OTHER_NODES);
    case_free(&c);
}

static int failing_kernel(const poet_call *call)
{
    return call->node == 4;
}

/* Counts its calls in *user and fails at the second. */
static int failing_start(void *user, const poet_transfer *transfer)
{
    (void)transfer;
    return ++*(int *)user == 2;
}

static int failing_wait(void *user, uint32_t ticket)
{
    (void)user;
    (void)ticket;
    return 1;
}

static int no_kernel(const poet_call *call)
{
    (void)call;
    return 0;
}

TEST(failures_are_passed_on)
{
    device_case c = paged_case();
    poet_device *d = &c.m.device;
    poet_kernel kernels[6];
    memcpy(kernels, d->kernels, sizeof kernels);
    kernels[4] = failing_kernel;
    d->kernels = kernels;
    expect(&c, POET_KERNEL_FAILED);
    for (uint32_t i = 0; i < 6; i++)
        ck_assert_ptr_null(poet_output(d, i));
    int calls = 0;
    for (int i = 0; i < 6; i++)
        kernels[i] = no_kernel;
    d->user = &calls;
    d->report = NULL;
    d->start = failing_start;
    d->wait = NULL;
    ck_assert_int_eq(poet_run(d), POET_STORAGE_FAILED);
    ck_assert_int_eq(calls, 2);
    calls = 2;
    d->wait = failing_wait;
    ck_assert_int_eq(poet_run(d), POET_STORAGE_FAILED);
    case_free(&c);
}
