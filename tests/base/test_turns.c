/* Turns in virtual time: their ends come in the order of their times, which are a matter of counted
 * work, whatever holds a thread up; what one gives up, all give up. */
#include <stdatomic.h>
#include <time.h>

#include "base/base.h"
#include "base/turns.h"
#include "tests/suite.h"

SUITE("turns", .seconds = 60);

enum { SEATS = 4, ENDS = 200 };

/* What has ended, and by a draw from that what begins next. */
typedef struct scene {
    int seats, ends;
    base_rng rng;
    double steps[SEATS]; /* of the turn that runs in a seat */
    double waits[SEATS]; /* ... of which the thread counts none */
    int seat[ENDS];
    double at[ENDS];
    unsigned slow; /* seats whose threads are held up */
    int give_up;   /* the turn that begins after so many ends gives up; 0: none */
    atomic_bool gives_up;
} scene;

/* Half of the free seats get a turn, the first one always. */
static bool draw_begins(scene *s, int k, bool is_free)
{
    const bool begins = base_rng_below(&s->rng, 2) == 0;
    return is_free && (k == 0 || begins);
}

/* Few lengths: turns often end at the same time. */
static double draw_steps(scene *s)
{
    return 250000 * (double)base_rng_below(&s->rng, 4);
}

static void choose(void *data, base_turns *t, double now)
{
    scene *s = data;
    ck_assert(s->ends == 0 || now == s->at[s->ends - 1]);
    if (s->ends == ENDS) {
        base_turns_end(t);
        return;
    }
    for (int k = 0; k < s->seats; k++) {
        if (!draw_begins(s, k, base_turns_is_free(t, k)))
            continue;
        s->steps[k] = draw_steps(s);
        s->waits[k] = draw_steps(s);
        base_turns_begin(t, k);
    }
    if (s->give_up > 0 && s->ends >= s->give_up)
        atomic_store(&s->gives_up, true);
}

static double run(void *data, int k)
{
    scene *s = data;
    const struct timespec pause = {.tv_nsec = 300000};
    const double steps = s->steps[k], waits = s->waits[k];
    for (double left = steps; left > 0; left -= 50000) {
        if (s->slow & 1u << k)
            nanosleep(&pause, NULL);
        if (atomic_load(&s->gives_up) && k == s->seats - 1)
            base_give_up(BASE_STOP_MEMORY);
        base_work_count((size_t)(left < 50000 ? left : 50000));
        base_guards_check();
        base_rejoin();
    }
    return steps + waits;
}

static void merge(void *data, int k, double now)
{
    scene *s = data;
    ck_assert_int_lt(s->ends, ENDS);
    s->seat[s->ends] = k;
    s->at[s->ends++] = now;
}

static const base_turns_calls calls = {choose, run, merge};

static void run_scene(void *data)
{
    base_turns_run(((scene *)data)->seats, 5, &calls, data);
}

static scene played(int seats, unsigned slow)
{
    scene s = {.seats = seats, .rng = {7}, .slow = slow};
    ck_assert_int_eq(base_try(NULL, run_scene, &s), BASE_GO);
    return s;
}

/* The same draws without threads: always the first end, of those at a time that of the first seat.
 */
static void play_alone(scene *s)
{
    double end[SEATS];
    bool runs[SEATS] = {false};
    for (double now = 5; s->ends < ENDS;) {
        for (int k = 0; k < s->seats; k++) {
            if (!draw_begins(s, k, !runs[k]))
                continue;
            end[k] = now + draw_steps(s);
            end[k] += draw_steps(s);
            runs[k] = true;
        }
        int first = 0;
        for (int k = 1; k < s->seats; k++)
            if (runs[k] && (!runs[first] || end[k] < end[first]))
                first = k;
        now = end[first];
        runs[first] = false;
        merge(s, first, now);
    }
}

TEST(ends_come_by_their_times)
{
    for (int seats = 1; seats <= SEATS; seats++) {
        scene alone = {.seats = seats, .rng = {7}};
        play_alone(&alone);
        for (unsigned slow = 0; slow < 1u << seats; slow += 3) {
            const scene s = played(seats, slow);
            ck_assert_int_eq(s.ends, ENDS);
            ck_assert_mem_eq(s.seat, alone.seat, sizeof s.seat);
            ck_assert_mem_eq(s.at, alone.at, sizeof s.at);
        }
    }
}

/* Nothing begins: that is the end. */
static void begin_once(void *data, base_turns *t, double now)
{
    scene *s = data;
    (void)now;
    if (s->ends == 0)
        base_turns_begin(t, 1);
}

TEST(ends_when_nothing_runs)
{
    const base_turns_calls once = {begin_once, run, merge};
    scene s = {.seats = 3};
    base_turns_run(3, 0, &once, &s);
    ck_assert_int_eq(s.ends, 1);
    ck_assert_int_eq(s.seat[0], 1);
}

TEST(gives_up_together)
{
    const size_t before = base_memory_used();
    for (int seats = 1; seats <= SEATS; seats++) {
        scene s = {.seats = seats, .rng = {7}, .give_up = 20};
        ck_assert_int_eq(base_try(NULL, run_scene, &s), BASE_STOP_MEMORY);
        ck_assert_int_lt(s.ends, ENDS);
    }
    ck_assert_uint_eq(base_memory_used(), before);
}
