/* Variable neighbourhood descent (Mladenovic and Hansen, 1997) by label searches near the best
 * schedule. The first pass is narrow and keeps close. A pass without a better schedule is followed
 * by one that goes farther and keeps more labels; a better schedule, from wherever, starts the next
 * pass anew. */
#include "exact/labels/polish.h"

#include <math.h>

#include "exact/labels/labels.h"
#include "exact/log.h"

enum {
    FIRST_REACH = 2,
    MOST_REACH = 5,
    FIRST_WIDTH = 500 /* doubled with each step of the reach */
};

typedef struct polish {
    label_pass *pass; /* NULL: none is open */
    label_guide guide;
    int reach;    /* of the open pass, or of the next one */
    double upper; /* of the guide, model units; INFINITY: none */
} polish;

static void close_pass(polish *q)
{
    if (!q->pass)
        return;
    label_pass_close(q->pass);
    label_guide_close(&q->guide);
    base_free(q->pass);
    q->pass = NULL;
}

static void open_pass(const engine *e, polish *q)
{
    if (e->upper < q->upper)
        q->reach = FIRST_REACH;
    q->upper = e->upper;
    q->guide = label_guide_open(e->p, e->result->schedule, q->reach);
    label_pass *pass = base_malloc(1, sizeof *pass);
    *pass = label_pass_open(e->p, NULL, false, FIRST_WIDTH << (q->reach - FIRST_REACH),
                            q->upper / e->scale);
    pass->guide = &q->guide;
    q->pass = pass;
}

static void end_pass(engine *e, polish *q)
{
    engine_labels_offer(e, q->pass, "polish");
    engine_log(e, 2, "polish    reach %d, %ld ends, from %.9g J to %.9g J", q->reach,
               label_pass_ends(q->pass), q->upper / e->scale, e->upper / e->scale);
    close_pass(q);
    q->reach++;
}

void engine_polish(engine *e, double work)
{
    if (!e->polish) {
        e->polish = base_calloc(1, sizeof *e->polish);
        e->polish->upper = INFINITY;
    }
    polish *q = e->polish;
    const double end = engine_work(e) + work;
    bool more = true;
    if (!q->pass)
        open_pass(e, q);
    while (more && !engine_done(e) && engine_work(e) < end)
        more = label_pass_step(q->pass, q->upper / e->scale);
    if (!more)
        end_pass(e, q);
}

bool engine_may_polish(const engine *e)
{
    return e->params->heuristics && engine_tuning(e)->polish_effort > 0 && engine_labels_suit(e);
}

bool engine_polish_due(const engine *e)
{
    return engine_labels_due(e) && engine_work(e) > engine_tuning(e)->least_slice;
}

bool engine_polish_left(const engine *e)
{
    const polish *q = e->polish;
    return engine_may_polish(e) && isfinite(e->upper) &&
           (!q || q->pass || q->reach <= MOST_REACH || e->upper < q->upper);
}

void engine_polish_clear(engine *e)
{
    if (e->polish)
        close_pass(e->polish);
    base_free(e->polish);
    e->polish = NULL;
}
