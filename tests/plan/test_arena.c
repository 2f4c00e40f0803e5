/* Addresses: the exact search against brute force, and large packings against a check of overlaps.
 */
#include "plan/arena.h"

#include "tests/plan/support.h"
#include "tests/suite.h"

SUITE("arena", .seconds = 60);

static bool overlap(const arena_buffer *x, int64_t at, const arena_buffer *y, int64_t other)
{
    return x->birth < y->death && y->birth < x->death && at < other + y->bytes &&
           other < at + x->bytes;
}

/* No two overlap, and all lie in 0..cap. One assertion: each writes to a pipe. */
static void check_packing(const arena_buffer *buffer, int count, int64_t cap, const int64_t *offset)
{
    int wrong = -1, other = -1;
    for (int a = 0; a < count; a++) {
        if (offset[a] < 0 || offset[a] + buffer[a].bytes > cap)
            wrong = a;
        for (int b = 0; b < a && buffer[a].bytes > 0; b++)
            if (buffer[b].bytes > 0 && overlap(&buffer[a], offset[a], &buffer[b], offset[b])) {
                wrong = a;
                other = b;
            }
    }
    ck_assert_msg(wrong < 0, "buffer %d overlaps %d, or the end of the arena", wrong, other);
}

static arena_answer search(const arena_buffer *buffer, int count, int64_t cap, int64_t *offset)
{
    int64_t effort = INT64_C(2000000000);
    return arena_search(buffer, count, cap, offset, &effort);
}

/* ---- against brute force ------------------------------------------------------------------- */

/* True if the buffers from k on have offsets in 0..cap beside those before k: tries all. */
static bool try_offsets(const arena_buffer *buffer, int count, int64_t cap, int64_t *offset, int k)
{
    if (k == count)
        return true;
    for (offset[k] = 0; offset[k] + buffer[k].bytes <= cap; offset[k]++) {
        bool free = true;
        for (int b = 0; b < k && free; b++)
            free = !overlap(&buffer[k], offset[k], &buffer[b], offset[b]);
        if (free && try_offsets(buffer, count, cap, offset, k + 1))
            return true;
    }
    return false;
}

enum { FEW = 16, LENGTH = 9 };

/* Random lives, as many as go under a load that leaves no room almost anywhere. */
static int draw_tight(base_rng *rng, arena_buffer buffer[FEW])
{
    enum { TRIES = 150 };
    const int length = 4 + (int)base_rng_below(rng, LENGTH - 3);
    const int64_t height = 4 + (int64_t)base_rng_below(rng, 5);
    int64_t load[LENGTH] = {0};
    int count = 0;
    for (int k = 0; k < TRIES && count < FEW; k++) {
        const int birth = (int)base_rng_below(rng, (uint64_t)length);
        const int death = birth + 1 + (int)base_rng_below(rng, (uint64_t)(length - birth));
        const int64_t bytes = 1 + (int64_t)base_rng_below(rng, 3);
        bool room = true;
        for (int t = birth; t < death; t++)
            room = room && load[t] + bytes <= height;
        for (int t = birth; t < death && room; t++)
            load[t] += bytes;
        if (room)
            buffer[count++] = (arena_buffer){.birth = birth, .death = death, .bytes = bytes};
    }
    return count;
}

/* What is found is a packing, and what is called impossible is. */
TEST(search_agrees_with_brute_force)
{
    enum { ROUNDS = 100000 };
    base_rng rng = {.state = 7};
    int impossible = 0;
    for (int round = 0; round < ROUNDS; round++) {
        arena_buffer buffer[FEW];
        int64_t offset[FEW];
        const int count = draw_tight(&rng, buffer);
        for (int64_t cap = arena_load(buffer, count);; cap++) {
            const arena_answer answer = search(buffer, count, cap, offset);
            ck_assert_int_ne(answer, ARENA_UNKNOWN);
            if (answer == ARENA_FITS) {
                check_packing(buffer, count, cap, offset);
                break;
            }
            ck_assert(!try_offsets(buffer, count, cap, offset, 0));
            impossible++;
        }
    }
    ck_assert_int_ge(impossible, 20);
}

/* Three at a time fill 6 bytes, and 6 are not enough. */
TEST(load_can_be_too_little)
{
    static const arena_buffer seven[] = {{0, 1, 3}, {0, 2, 3}, {1, 3, 1}, {1, 4, 2},
                                         {2, 4, 2}, {3, 7, 2}, {5, 7, 3}};
    enum { COUNT = sizeof seven / sizeof *seven };
    int64_t offset[COUNT];
    ck_assert_int_eq(arena_load(seven, COUNT), 6);
    ck_assert(!try_offsets(seven, COUNT, 6, offset, 0));
    ck_assert_int_eq(search(seven, COUNT, 6, offset), ARENA_IMPOSSIBLE);
    ck_assert_int_eq(search(seven, COUNT, 7, offset), ARENA_FITS);
    check_packing(seven, COUNT, 7, offset);
}

/* ---- large ones ---------------------------------------------------------------------------- */

/* Lives of a few steps at random times. */
static void draw_scattered(base_rng *rng, arena_buffer *buffer, int count)
{
    for (int b = 0; b < count; b++) {
        const int birth = (int)base_rng_below(rng, (uint64_t)count);
        buffer[b] = (arena_buffer){.birth = birth,
                                   .death = birth + 1 + (int)base_rng_below(rng, 16),
                                   .bytes = 1 + (int64_t)base_rng_below(rng, 1000)};
    }
}

/* Of a training step: half of the buffers live until their gradient. */
static void draw_nested(base_rng *rng, arena_buffer *buffer, int count)
{
    for (int b = 0; b < count; b++) {
        const int birth = 2 * b < count ? b : (int)base_rng_below(rng, (uint64_t)count);
        buffer[b] = (arena_buffer){.birth = birth,
                                   .death = 2 * b < count ? count - b
                                                          : birth + 1 + (int)base_rng_below(rng, 6),
                                   .bytes = 1 + (int64_t)base_rng_below(rng, 1000)};
    }
}

/* A full rectangle of `height' bytes, cut into pieces by halves at random places. */
static void draw_cuts(base_rng *rng, arena_buffer *buffer, int count, int64_t height)
{
    buffer[0] = (arena_buffer){.birth = 0, .death = 4 * count, .bytes = height};
    for (int b = 1; b < count;) {
        arena_buffer *x = &buffer[base_rng_below(rng, (uint64_t)b)];
        const int life = x->death - x->birth;
        if (base_rng_below(rng, 2) && life > 1) {
            const int middle = x->birth + 1 + (int)base_rng_below(rng, (uint64_t)life - 1);
            buffer[b] = *x;
            buffer[b++].birth = x->death = middle;
        } else if (x->bytes > 1) {
            const int64_t lower = 1 + (int64_t)base_rng_below(rng, (uint64_t)x->bytes - 1);
            buffer[b] = *x;
            buffer[b++].bytes = lower;
            x->bytes -= lower;
        }
    }
}

enum { MANY = 1000 };

/* In an arena of the load, which leaves no byte unused where it is reached. */
TEST(large_ones_are_packed_at_the_load)
{
    static const int counts[] = {100, 200, 500, MANY};
    static arena_buffer buffer[MANY];
    static int64_t offset[MANY];
    base_rng rng = {.state = 3};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (int kind = 0; kind < 2; kind++) {
            if (kind == 0)
                draw_scattered(&rng, buffer, counts[k]);
            else
                draw_nested(&rng, buffer, counts[k]);
            const int64_t load = arena_load(buffer, counts[k]);
            ck_assert_int_eq(search(buffer, counts[k], load, offset), ARENA_FITS);
            check_packing(buffer, counts[k], load, offset);
            ck_assert_int_eq(search(buffer, counts[k], load - 1, offset), ARENA_IMPOSSIBLE);
        }
}

/* Cut rectangles have few packings, so that the search goes back often; in every second one the
 * sizes are beyond 32 bits. */
TEST(cut_rectangles_are_put_together)
{
    enum { PIECES = 40, ROUNDS = 3000 };
    base_rng rng = {.state = 5};
    for (int round = 0; round < ROUNDS; round++) {
        arena_buffer buffer[PIECES];
        int64_t offset[PIECES];
        const int64_t height = round % 2 ? INT64_C(1) << 40 : 60;
        const int count = PIECES / 4 + (int)base_rng_below(&rng, 3 * PIECES / 4 + 1);
        draw_cuts(&rng, buffer, count, height);
        ck_assert_int_eq(arena_load(buffer, count), height);
        ck_assert_int_eq(search(buffer, count, height, offset), ARENA_FITS);
        check_packing(buffer, count, height, offset);
    }
}

/* Runs that prefer the buffers of sections that failed before find this one sixfold sooner. */
TEST(failures_lead_the_search)
{
    enum { PIECES = 300 };
    static arena_buffer buffer[PIECES];
    static int64_t offset[PIECES];
    const int64_t height = INT64_C(1) << 30;
    base_rng rng = {.state = 30009};
    draw_cuts(&rng, buffer, PIECES, height);
    int64_t effort = 150000000;
    ck_assert_int_eq(arena_search(buffer, PIECES, height, offset, &effort), ARENA_FITS);
    check_packing(buffer, PIECES, height, offset);
}

/* ---- the limit ------------------------------------------------------------------------------ */

/* The search ends soon after its effort, and what it leaves is a packing, if a larger one. */
TEST(effort_ends_the_search)
{
    enum { PIECES = 4000 };
    static arena_buffer buffer[PIECES];
    static int64_t offset[PIECES];
    const int64_t height = INT64_C(1) << 30, given = 20000000;
    base_rng rng = {.state = 9};
    draw_cuts(&rng, buffer, PIECES, height);
    int64_t effort = given;
    ck_assert_int_eq(arena_assign(buffer, PIECES, height, offset, &effort), ARENA_UNKNOWN);
    ck_assert_int_le(effort, 0);
    ck_assert_int_ge(effort, -given);
    check_packing(buffer, PIECES, INT64_MAX / 2, offset);
}

/* Without bytes there is nothing to place; with them the arena must hold the load. */
TEST(trivial_arenas)
{
    const arena_buffer empty = {.birth = 3, .death = 5, .bytes = 0};
    const arena_buffer two[] = {{0, 2, 5}, {1, 3, 6}};
    int64_t offset[2] = {-1, -1};
    int64_t effort = 1000000;
    ck_assert_int_eq(arena_assign(NULL, 0, 0, offset, &effort), ARENA_FITS);
    ck_assert_int_eq(arena_search(&empty, 1, 0, offset, &effort), ARENA_FITS);
    ck_assert_int_eq(offset[0], 0);
    ck_assert_int_eq(arena_assign(two, 2, 10, offset, &effort), ARENA_IMPOSSIBLE);
    check_packing(two, 2, 11, offset);
}
