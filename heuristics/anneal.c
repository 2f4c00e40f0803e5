/* The walk: cycles of epochs with falling temperature. A move adds a copy, removes one, makes one
 * elsewhere, or is a chain of such changes that is accepted or undone as a whole: a copy goes and
 * other tensors leave RAM in its place, or a tensor leaves RAM and other copies go in its place.
 * Without chains the walk would have to pass far over the budget to page another tensor. The price
 * of memory rises after an epoch that ends over the budget and falls after one that ends within
 * it, most in the stages that stay above it. The price of computations beyond the most that a node
 * may have rises and falls likewise. Chains: Glover, Ejection chains, reference structures and
 * alternating path methods (Discrete Applied Mathematics 65, 1996). */
#include "heuristics/anneal.h"

#include <math.h>

#include "heuristics/regain.h"

#define RECORD heuristic_tuning

heuristic_tuning heuristic_tuning_default(void)
{
    return (heuristic_tuning){HEURISTIC_PARAMETERS(PARAMS_INITIAL)};
}

static const params_entry entries[] = {HEURISTIC_PARAMETERS(PARAMS_ENTRY) PARAMS_END};
const params_table heuristic_parameters = {"heuristics", entries};

enum {
    TRIES = 40,            /* to find a tensor that is in RAM */
    MOST_WEIGHT = 1000000, /* of a stage, and by which the price may rise in all */
    SAMPLES = 4,           /* tensors of which the one leaves RAM that seems best */
    DROPS = 6,             /* most tensors that leave RAM in place of one that stays */
    DRAWS = 40,            /* of copies that may go, as another tensor has left RAM */
    MOST_MOVES = 8000      /* of an epoch, or one per two nodes */
};

#define NOISE 0.5 /* most by which the gain of a move is misjudged on purpose */
/* Factors on the price of memory after an epoch that ends over the budget, and within it. */
#define DEARER 1.25
#define CHEAPER 0.92
/* Factors on the weight of a stage that is over the budget, and of one that is not. */
#define HEAVIER 1.3
#define LIGHTER 0.9

struct anneal {
    heuristic_tuning tuning;
    intervals *s;
    base_rng rng;
    double slack;
    double unit;  /* average cost of a copy */
    double price; /* of a byte above the budget in a stage */
    double most_price;
    double *weight; /* n: of the price in each stage */
    regain *regain;
    bool chains; /* moves include chains */
    double temperature;
    int cycle, epochs, epoch; /* of the cycle */
    int move;                 /* of the epoch */
    intervals_saved *best;
    intervals_saved *nothing; /* everything computed once */
    double best_joules;
};

static int random_below(anneal *a, int bound)
{
    return (int)base_rng_below(&a->rng, (uint64_t)bound);
}

static bool is_drawn(anneal *a, double probability)
{
    return base_rng_double(&a->rng) < probability;
}

/* ---- moves -------------------------------------------------------------------------- */

/* Draws a stage: nine times of ten one above the budget, if there is one. */
static int draw_stage(anneal *a)
{
    const int t = random_below(a, a->s->p->graph->n);
    if (a->s->excess == 0 || is_drawn(a, 0.1))
        return t;
    return intervals_over_from(a->s, t);
}

/* A tensor made before the stage: of any age, or of one below a power of two that is drawn. */
static int draw_tensor(anneal *a, int stage, bool recent)
{
    if (!recent)
        return random_below(a, stage);
    int powers = 1;
    while (1 << powers < stage)
        powers++;
    const int most = 1 << (1 + random_below(a, powers));
    return stage - 1 - random_below(a, most < stage ? most : stage);
}

/* A tensor in RAM through a stage, with its next reader after it; false: none was found. */
static bool draw_resident(anneal *a, int stage, int *v, int *next)
{
    const intervals *s = a->s;
    for (int k = 0; k < TRIES && stage > 0; k++) {
        *v = draw_tensor(a, stage, k % 2 == 1);
        const int serving = intervals_serving(s, *v, stage);
        if (s->tensor[*v].at[serving].last <= stage)
            continue;
        *next = intervals_next_read(s, *v, serving, stage);
        if (*next >= 0)
            return true;
    }
    return false;
}

/* Returns the charge that is saved if v is out of RAM from its last read before `next` up to
 * stage next - 1. */
static double saved_charge(anneal *a, int v, int stage, int next)
{
    const intervals *s = a->s;
    const int from = intervals_read_before(s, v, intervals_serving(s, v, stage), next) + 1;
    return -intervals_rise(s, from, next - 1, -s->p->graph->bytes[v], INFINITY);
}

/* A tensor other than `but` leaves RAM at this stage and is made again for its next reader, or a
 * little before: the one that saves most, of a few. */
static void drop_at(anneal *a, int stage, int but)
{
    int best = -1, first = 0;
    double least = INFINITY;
    for (int k = 0; k < SAMPLES; k++) {
        int v, next;
        if (!draw_resident(a, stage, &v, &next))
            break;
        if (v == but)
            continue;
        const double gain =
            saved_charge(a, v, stage, next) * (1 + NOISE * base_rng_double(&a->rng));
        const int at = is_drawn(a, 0.9) ? next : stage + 1 + random_below(a, next - stage);
        const double price = regain_cost(a->regain, v, at, least + gain, NOISE, &a->rng) - gain;
        if (price < least) {
            least = price;
            best = v;
            first = at;
        }
    }
    if (best >= 0) {
        regain_cost(a->regain, best, first, INFINITY, 0, &a->rng);
        regain_make(a->regain);
    }
}

static bool draw_copy(anneal *a, int *v, int *k)
{
    const intervals *s = a->s;
    if (s->more.count == 0)
        return false;
    *v = s->more.at[random_below(a, s->more.count)];
    *k = 1 + random_below(a, s->tensor[*v].count - 1);
    return true;
}

/* The first stage in which v is not in RAM before its copy k; at most the stage of the copy. */
static int gap_begin(const intervals *s, int v, int k)
{
    const copy *before = &s->tensor[v].at[k - 1];
    return (before->last > before->first ? before->last : before->first) + 1;
}

/* In every second cycle: most networks have better schedules with these chains, some without. */
static bool copies_return(const anneal *a)
{
    return a->chains && a->cycle % 2 == 1;
}

/* Copies go if v then stays in RAM through the stage at a lower charge than a copy costs. */
static void return_copies(anneal *a, int stage)
{
    intervals *s = a->s;
    const graph *g = s->p->graph;
    int v, k;
    for (int r = 0; r < DRAWS && draw_copy(a, &v, &k); r++) {
        base_work(8);
        const copy c = s->tensor[v].at[k];
        const int from = gap_begin(s, v, k);
        if (from > stage || c.first <= stage)
            continue;
        const double saved = c.paged ? g->pagein_joules[v] + g->pageout_joules[v] : g->joules[v];
        if (intervals_rise(s, from, c.first - 1, g->bytes[v], saved) >= saved)
            continue;
        intervals_remove(s, v, k);
        intervals_settle(s);
    }
}

/* A tensor leaves RAM, and copies go that now cost more than they save. The copy just made is among
 * them: then nothing has changed. */
static void drop_and_return(anneal *a)
{
    const int stage = draw_stage(a);
    drop_at(a, stage, -1);
    intervals_settle(a->s);
    return_copies(a, stage);
}

/* A copy goes. Where memory is now dearer, other tensors leave RAM in its place; last, in every
 * second cycle, copies go that now cost more than they save. */
static void replace_copy(anneal *a)
{
    intervals *s = a->s;
    int v, k;
    if (!draw_copy(a, &v, &k))
        return;
    const int end = s->tensor[v].at[k].first, from = gap_begin(s, v, k);
    const int length = end > from ? end - from : 1;
    const double charge = s->charge;
    intervals_remove(s, v, k);
    intervals_settle(s);
    for (int r = 0; r < DROPS && s->charge > charge; r++) {
        base_work(100);
        const int t = from + random_below(a, length), over = intervals_over_from(s, t);
        drop_at(a, over >= from && over < end ? over : t, v);
        intervals_settle(s);
    }
    if (copies_return(a))
        return_copies(a, from + random_below(a, length));
}

/* A copy goes; the one before it serves its readers. */
static void remove_copy(anneal *a)
{
    int v, k;
    if (draw_copy(a, &v, &k))
        intervals_remove(a->s, v, k);
}

/* A copy is made at another stage, or in another way. */
static void move_copy(anneal *a)
{
    intervals *s = a->s;
    int v, k;
    if (!draw_copy(a, &v, &k))
        return;
    const copy old = s->tensor[v].at[k];
    const int before = s->tensor[v].at[k - 1].first;
    const int next = intervals_next_read(s, v, k, old.first - 1);
    if (next < 0)
        return;
    intervals_remove(s, v, k);
    intervals_settle(s);
    int first = next;
    if (is_drawn(a, 0.7)) {
        int low = before + 1;
        if (!is_drawn(a, 0.5) && old.first - 3 > before)
            low = old.first - 3;
        first = low + random_below(a, next - low + 1);
    }
    regain_cost(a->regain, v, first, INFINITY, NOISE, &a->rng);
    regain_make(a->regain);
}

/* ---- the walk ------------------------------------------------------------------------- */

static void random_change(anneal *a)
{
    const double r = base_rng_double(&a->rng);
    if (r < 0.2 && copies_return(a))
        drop_and_return(a);
    else if (r < 0.5)
        drop_at(a, draw_stage(a), -1);
    else if (r < 0.65 && a->chains)
        replace_copy(a);
    else if (r < 0.75)
        remove_copy(a);
    else
        move_copy(a);
}

static void note_best(anneal *a)
{
    const intervals *s = a->s;
    if (s->excess > 0 || s->extra > 0 || s->seconds > a->slack ||
        !(s->joules < a->best_joules * (1 - 1e-12)))
        return;
    intervals_saved_free(a->best);
    a->best = intervals_save(s);
    a->best_joules = s->joules;
}

static void try_move(anneal *a)
{
    intervals *s = a->s;
    const double joules = s->joules, seconds = s->seconds;
    const double charge = s->charge;
    const int64_t extra = s->extra;
    intervals_begin(s);
    random_change(a);
    intervals_settle(s);
    const double rise =
        s->joules - joules + s->charge - charge + s->extra_price * (double)(s->extra - extra);
    const bool late = s->seconds > a->slack && s->seconds > seconds;
    if (late || (rise > 0 && !is_drawn(a, exp(-rise / a->temperature))))
        intervals_undo(s);
}

/* Sets the average cost of a copy, and the first prices of memory and of excess computations. */
static void set_prices(anneal *a)
{
    const problem *p = a->s->p;
    const graph *g = p->graph;
    double joules = 0, bytes = 0;
    for (int v = 0; v < g->n; v++) {
        const double again = problem_may_recompute(p, v) ? g->joules[v] : INFINITY;
        const double paged =
            problem_may_page(p, v) ? g->pagein_joules[v] + g->pageout_joules[v] : INFINITY;
        joules += isinf(fmin(again, paged)) ? 0 : fmin(again, paged);
        bytes += (double)g->bytes[v];
    }
    a->unit = fmax(joules / g->n, 1e-30);
    a->price = bytes > 0 ? a->unit / (bytes / g->n) / 8 : 0;
    a->most_price = MOST_WEIGHT * a->price;
    a->s->extra_price = 2 * a->unit;
    for (int k = 0; k < g->n; k++)
        a->weight[k] = 1;
    intervals_set_price(a->s, a->price, a->weight);
}

/* Begins the next cycle. With a best schedule, of three cycles one restarts it at the middle
 * temperature, one doubles the epochs and starts at the highest, and one begins anew. Without
 * one, every fourth cycle begins anew. The others go on from the last state at the middle
 * temperature, since its prices show which stages are hard to keep within the budget. */
static void end_cycle(anneal *a)
{
    const heuristic_tuning *t = &a->tuning;
    a->epoch = 0;
    a->cycle++;
    const bool anew = a->cycle % (a->best ? 3 : 4) == 0;
    const bool hot = anew || (a->best && a->cycle % 3 == 2);
    a->temperature = a->unit * (hot ? t->anneal_hot : sqrt(t->anneal_hot * t->anneal_cold));
    if (anew) {
        intervals_restore(a->s, a->nothing);
        set_prices(a);
    } else if (a->best) {
        a->epochs *= hot ? 2 : 1;
        intervals_restore(a->s, a->best);
    }
}

static void end_epoch(anneal *a)
{
    a->move = 0;
    const heuristic_tuning *t = &a->tuning;
    a->price *= a->s->excess > 0 ? DEARER : CHEAPER;
    a->price = fmin(a->price, a->most_price);
    a->s->extra_price *= a->s->extra > 0 ? DEARER : CHEAPER;
    a->s->extra_price = fmin(a->s->extra_price, MOST_WEIGHT * a->unit);
    for (int k = 0; k < a->s->p->graph->n; k++)
        a->weight[k] = intervals_beyond(a->s, k) > 0 ? fmin(a->weight[k] * HEAVIER, MOST_WEIGHT)
                                                     : fmax(a->weight[k] * LIGHTER, 1);
    intervals_set_price(a->s, a->price, a->weight);
    a->temperature *= pow(t->anneal_cold / t->anneal_hot, 1.0 / (a->epochs - 1));
    if (++a->epoch >= a->epochs)
        end_cycle(a);
}

anneal *anneal_create(const problem *p, const heuristic_tuning *tuning, uint64_t seed)
{
    anneal *a = base_calloc(1, sizeof *a);
    a->tuning = *tuning;
    a->s = intervals_create(p);
    a->regain = regain_create(a->s);
    a->weight = base_malloc((size_t)p->graph->n, sizeof *a->weight);
    a->rng = (base_rng){seed};
    a->slack = problem_slack_seconds(p);
    a->best_joules = INFINITY;
    a->epochs = a->tuning.anneal_epochs;
    a->nothing = intervals_save(a->s);
    set_prices(a);
    a->temperature = a->unit * a->tuning.anneal_hot;
    note_best(a);
    return a;
}

void anneal_allow_chains(anneal *a)
{
    a->chains = true;
}

void anneal_free(anneal *a)
{
    if (!a)
        return;
    intervals_free(a->s);
    regain_free(a->regain);
    base_free(a->weight);
    intervals_saved_free(a->best);
    intervals_saved_free(a->nothing);
    base_free(a);
}

/* Moves at each temperature, limited on large graphs so that a first short cycle comes to its
 * end. */
static int moves_at_once(const anneal *a)
{
    const int n = a->s->p->graph->n;
    const double each = (double)a->tuning.anneal_moves * n;
    return (int)fmin(each, fmax(0.5 * n, MOST_MOVES)) + 100;
}

void anneal_run(anneal *a, double work)
{
    const double end = (double)base_work_done() + work;
    const int moves = moves_at_once(a);
    while (a->best_joules > 0 && (double)base_work_done() < end) {
        base_work(300);
        try_move(a);
        note_best(a);
        if (++a->move >= moves)
            end_epoch(a);
    }
}

double anneal_joules(const anneal *a)
{
    return a->best_joules;
}

/* The copy of v that s makes in stage t, or by a page-in in the one before; out: the stage in which
 * v is written out, -1: none yet. */
static void take_copy(anneal *a, const schedule *s, int v, int t, int out)
{
    const size_t cell = schedule_cell(s, t, v);
    const bool paged = t > v + 1 && s->In[cell - (size_t)s->n];
    if ((paged || s->R[cell]) && intervals_can_add(a->s, v, t, paged, out))
        intervals_add(a->s, v, t, paged, out);
}

void anneal_quench(anneal *a, const schedule *s, double work)
{
    int *out = base_malloc((size_t)s->n, sizeof *out);
    intervals_restore(a->s, a->nothing);
    intervals_begin(a->s);
    base_work(2 * (size_t)s->n * (size_t)s->n);
    for (int t = 0; t < s->n; t++) {
        out[t] = -1;
        for (int v = 0; v < t; v++) {
            take_copy(a, s, v, t, out[v]);
            if (out[v] < 0 && s->Out[schedule_cell(s, t, v)])
                out[v] = t;
        }
    }
    base_free(out);
    intervals_settle(a->s);
    note_best(a);
    a->temperature = a->unit * a->tuning.anneal_cold;
    anneal_run(a, work);
}

schedule *anneal_best(anneal *a)
{
    if (!a->best)
        return NULL;
    intervals_saved *now = intervals_save(a->s);
    intervals_restore(a->s, a->best);
    schedule *best = intervals_schedule(a->s);
    intervals_restore(a->s, now);
    intervals_saved_free(now);
    return best;
}
