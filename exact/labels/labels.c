/* Label searches: passes of growing width. Relaxed ones prove bounds, and mostly find schedules.
 * Where one finds ends that are no schedules, a restricted pass of the same width follows. */
#include "exact/labels/labels.h"

#include <limits.h>
#include <math.h>

#include "exact/log.h"

enum {
    MOST_NODES = 1000,
    MOST_WIDTH = 1 << 16, /* with MOST_NODES stages, fewer than 2^30 actions */
    FIRST_WIDTH = 250,
    WIDER = 4,
    OFFERS = 8 /* schedules of a pass that are looked at */
};

/* Most guess of a cutoff, as a multiple of the bound. */
#define STEP 1.2

typedef struct label_search {
    label_pass *pass; /* NULL: none is open */
    label_points points;
    long width;    /* of the next pass */
    bool relaxed;  /* the next pass is */
    bool proven;   /* a relaxed pass dropped no label */
    bool searched; /* a restricted pass dropped no label */
    bool differs;  /* relaxed passes have ends that are no schedules */
    bool over;
    double guess;  /* cutoff of the last relaxed pass, model units; INFINITY: none of its own */
    double tried;  /* greatest guess of a pass without dropped labels */
    double cutoff; /* least cutoff of the open pass */
} label_search;

static label_search *begin(const engine *e)
{
    label_search *q = base_malloc(1, sizeof *q);
    *q = (label_search){.width = FIRST_WIDTH, .relaxed = true};
    q->points = label_points_make(e->p, e->features, &e->params->limits);
    return q;
}

static void close_pass(label_search *q)
{
    if (q->pass)
        label_pass_close(q->pass);
    base_free(q->pass);
    q->pass = NULL;
}

/* A cutoff for the next pass. Where the gap is large it is below the cutoff of the search, to drop
 * more labels. The pass proves that no schedule costs less, finds one, or is cut with the better
 * bound. Without a schedule there are guesses up to twice the joules of computing every node once,
 * so the search ends where there is none. */
static double next_guess(const engine *e, const label_search *q)
{
    const double cutoff = engine_cutoff(e), from = fmax(q->tried, e->lower);
    const double guess = fmin(STEP * from, 0.5 * (from + cutoff));
    const double most = isinf(cutoff) ? 2 * e->scale * graph_base_joules(e->p->graph) : INFINITY;
    const bool is_near = engine_is_within(e, from, engine_tuning(e)->near_gap);
    return !is_near && guess > from && guess < most ? guess : INFINITY;
}

/* A restricted pass has the cutoff of the relaxed one before it. */
static void open_pass(const engine *e, label_search *q)
{
    label_pass *pass = base_malloc(1, sizeof *pass);
    if (q->relaxed)
        q->guess = next_guess(e, q);
    q->cutoff = q->guess;
    *pass = label_pass_open(e->p, &q->points, q->relaxed, q->width,
                            fmin(e->upper, q->cutoff) / e->scale);
    q->pass = pass;
}

bool engine_labels_offer(engine *e, const label_pass *pass, const char *source)
{
    const long ends = label_pass_ends(pass);
    bool taken = false;
    for (long a = 0; a < ends && a < OFFERS && !taken; a++) {
        schedule *s = label_pass_schedule(pass, a);
        taken = engine_offer(e, s, source);
        schedule_free(s);
    }
    return taken;
}

/* The bound of the pass, if it is relaxed. */
static void raise_bound(engine *e, const label_search *q)
{
    const double bound =
        fmin(e->scale * label_pass_bound(q->pass), fmin(q->cutoff, engine_cutoff(e)));
    engine_raise(e, bound);
    e->coarse_bound = fmax(e->coarse_bound, bound);
    e->infeasible = e->infeasible || isinf(bound);
}

/* Chooses the next pass. complete: the last one dropped no label. differs: it has better ends than
 * the best schedule, and they are no schedules. */
static void choose(const engine *e, label_search *q, bool complete, bool differs)
{
    if (complete && q->cutoff < engine_cutoff(e)) { /* nothing below the guess */
        q->relaxed = !differs;
        if (q->relaxed)
            q->tried = q->guess;
        return;
    }
    if (q->relaxed)
        q->proven = complete;
    else
        q->searched = complete;
    q->differs = q->differs || differs;
    q->relaxed = !q->proven && !differs;
    if (!differs)
        q->width *= WIDER;
    q->over = (q->proven && (q->searched || !q->differs)) || q->width > MOST_WIDTH ||
              !base_memory_fits(label_pass_bytes(e->p, q->width));
}

static void end_pass(engine *e, label_search *q)
{
    const bool complete = label_pass_dropped(q->pass) * e->scale >= q->cutoff;
    const bool taken = e->params->heuristics && engine_labels_offer(e, q->pass, "label search");
    engine_log(e, 2, "labels    %ld wide, %s, %ld ends, bound %.9g J, %s", q->width,
               q->relaxed ? "relaxed" : "restricted", label_pass_ends(q->pass), e->lower / e->scale,
               complete ? "complete" : "cut");
    const bool again =
        q->relaxed && e->params->heuristics && label_pass_ends(q->pass) > 0 && !taken;
    close_pass(q);
    choose(e, q, complete, again && !q->searched);
}

void engine_labels(engine *e, double work)
{
    if (!e->labels)
        e->labels = begin(e);
    label_search *q = e->labels;
    const double end = engine_work(e) + work;
    bool more = true;
    if (!q->pass)
        open_pass(e, q);
    while (more && !engine_done(e) && engine_work(e) < end) {
        q->cutoff = fmin(q->cutoff, engine_cutoff(e));
        more = label_pass_step(q->pass, q->cutoff / e->scale);
    }
    if (q->relaxed && (isfinite(q->cutoff) || !more))
        raise_bound(e, q);
    if (!more)
        end_pass(e, q);
}

bool engine_labels_suit(const engine *e)
{
    const problem *p = e->p;
    return p->graph->n <= MOST_NODES && (p->allow_remat || p->allow_paging) &&
           isinf(p->deadline_seconds) && !problem_limits_computations(p);
}

bool engine_is_far(const engine *e)
{
    return !engine_is_within(e, e->lower, engine_tuning(e)->labels_gap);
}

bool engine_labels_due(const engine *e)
{
    return engine_is_far(e) || e->result->spent[EFFORT_LABELS].successes > 0 ||
           engine_work(e) > engine_tuning(e)->labels_begin;
}

bool engine_labels_left(const engine *e)
{
    return e->params->tuning.labels && !e->params->proof && engine_labels_suit(e) &&
           (!e->labels || !e->labels->over);
}

void engine_labels_clear(engine *e)
{
    if (e->labels) {
        close_pass(e->labels);
        label_points_clear(&e->labels->points);
    }
    base_free(e->labels);
    e->labels = NULL;
}
