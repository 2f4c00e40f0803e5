/* Exchange arguments, carried out. A change touches the cells of a tensor in two stages, and which
 * users of its inputs are computed there. So all that a change does to a tensor can be tried: its
 * cells in two stages, and the last of its users that is computed in each. What the tensor takes at
 * an event depends on nothing else, and of the numbers of nodes and stages only on their order:
 * what was tried once is not tried again. */
#include "certificate/exchange.h"

#include <math.h>
#include <string.h>

enum { NOBODY = -1, STAGES = 2 };

/* A tensor j in stages t and t+1. */
typedef struct state {
    bool s[STAGES + 1], r[STAGES], in[STAGES], out[STAGES];
    bool stored;      /* paged out before t */
    int last[STAGES]; /* the last user that is computed in the stage */
} state;

/* What the states of a tensor in stages t and t+1 depend on, all of it integers to be compared.
 * Nodes are given by their places: the tensor's is 0, its r-th user's APART r, from 1 on, and what
 * lies between is in between. */
enum { APART = 4 };
typedef struct frame {
    int users;                         /* up to t+1 */
    int stage[STAGES];                 /* the place of its node */
    int own[STAGES];                   /* the tensor's own stage, */
    int next[STAGES];                  /* ... and the one after that */
    int exists[STAGES], final[STAGES]; /* there is such a stage; it is the last one */
    int has_user[STAGES];              /* a user has it for its own */
    int charged;                       /* a page-in counts in its stage */
} frame;

/* What is shown, in an order in which each may use those before it. Of tensor i in stage t: */
typedef enum claim {
    USED_R,    /* not computed again without use */
    R_TWICE,   /* nor where it is in RAM */
    IN_TWICE,  /* not paged in where it is in RAM or computed */
    IN_KEPT,   /* nor to be dropped at once */
    OUT_NEW,   /* not paged out where it is on storage */
    OUT_READ,  /* nor if it is never paged in after that */
    USED_S,    /* not kept without use */
    USED_IN,   /* not paged in a stage before its use */
    OUT_FIRST, /* not paged out later than it might be */
    OUT_ONCE,
    LATE, /* not computed again to be kept where the next stage would do */
    CLAIMS
} claim;

static const char *const failure[CLAIMS] = {
    "without a recomputation of no use something takes more memory",
    "without a recomputation of what is there something takes more memory",
    "without a page-in of what is there something takes more memory",
    "without a page-in of no use something takes more memory",
    "without a second page-out something takes more memory",
    "without a page-out of no use something takes more memory",
    "without a copy of no use something takes more memory",
    "with a later page-in something takes more memory, or there is no gain",
    "with an earlier page-out something takes more memory, or there is no gain",
    "with a page-out at once something takes more memory, or there is no gain",
    "with a later recomputation something takes more memory, or there is no gain"};

/* ---- states ---------------------------------------------------------------------------- */

static bool idle(const state *x, int b)
{
    return x->last[b] == NOBODY && !x->s[b + 1];
}

/* Copies of the tensor that count at the event at place k of stage t + b. One that is idle counts
 * nothing, unless it is paged out in the first stage in which it may be. */
static int copies(const frame *f, const state *x, int b, int k)
{
    if (!f->own[b] && idle(x, b) && !(x->out[b] && f->next[b]))
        return 0;
    const bool released = !x->s[b + 1] && x->last[b] != NOBODY && x->last[b] < k;
    return x->s[b] + (f->charged && x->in[b]) + (x->r[b] && k >= 0) - released;
}

/* The rules, as far as they concern the tensor in one of the stages. */
static bool stage_obeys(const frame *f, const state *x, int b)
{
    const bool stored = x->stored || (b == 1 && x->out[0]);
    if (!f->exists[b])
        return !x->s[b] && !x->r[b] && !x->in[b] && !x->out[b] && !x->s[b + 1] &&
               x->last[b] == NOBODY;
    if (f->own[b] && (!x->r[b] || x->s[b] || x->in[b] || x->out[b] || x->last[b] != NOBODY))
        return false;
    return (!x->s[b + 1] || x->s[b] || x->r[b] || x->in[b]) && (!x->in[b] || stored) &&
           (!x->out[b] || x->s[b]) && (x->last[b] == NOBODY || x->s[b] || x->r[b]) &&
           (!f->has_user[b] || x->last[b] == f->stage[b]) && (!f->final[b] || !x->s[b + 1]);
}

static bool obeys(const frame *f, const state *x)
{
    return stage_obeys(f, x, 0) && stage_obeys(f, x, 1);
}

/* What is known of canonical schedules once the claims before `shown` are. */
static bool is_known(const frame *f, const state *x, claim shown)
{
    for (int b = 0; b < STAGES; b++) {
        const bool stored = x->stored || (b == 1 && x->out[0]);
        if (f->own[b])
            continue;
        if ((shown > USED_R && x->r[b] && idle(x, b)) || (shown > R_TWICE && x->r[b] && x->s[b]) ||
            (shown > IN_TWICE && x->in[b] && (x->s[b] || x->r[b])) ||
            (shown > IN_KEPT && x->in[b] && !x->s[b + 1]) ||
            (shown > OUT_NEW && x->out[b] && stored) ||
            (shown > USED_S && x->s[b] && idle(x, b) && !x->out[b]))
            return false;
    }
    return true;
}

/* At every event of both stages no more counts after the change; but not at that of the node at
 * place `gone` (NOBODY: none) in the first. */
static bool no_more(const frame *f, const state *x, const state *y, int gone)
{
    for (int b = 0; b < STAGES && f->exists[b]; b++) {
        if (y->s[b] > x->s[b])
            return false;
        for (int k = -1; k <= f->stage[b]; k++)
            if ((b > 0 || k != gone) && copies(f, y, b, k) > copies(f, x, b, k))
                return false;
    }
    return true;
}

/* A new event at place i in the second stage: no more counts there than did at the next one before
 * the change, whichever that is. */
static bool new_event_fits(const frame *f, const state *x, const state *y, int i)
{
    for (int k = i + 1; k <= f->stage[1]; k++)
        if ((x->last[1] <= i || x->last[1] >= k) && copies(f, y, 1, i) > copies(f, x, 1, k))
            return false;
    return true;
}

/* ---- the changes of the tensor itself ------------------------------------------------------- */

/* The stage of the claim is b = 0 of the frame, or 1. */
static int place(claim c)
{
    return c == USED_S || c == OUT_FIRST || c == OUT_ONCE;
}

static bool breaks(const frame *f, const state *x, claim c)
{
    const bool first = f->next[place(c)];
    switch (c) {
    case USED_R:
        return x->r[0] && idle(x, 0);
    case R_TWICE:
        return x->r[0] && x->s[0];
    case IN_TWICE:
        return x->in[0] && (x->s[0] || x->r[0]);
    case IN_KEPT:
        return x->in[0] && !x->s[1];
    case OUT_NEW:
        return x->out[0] && x->stored;
    case OUT_READ: /* nothing is paged in later */
        return x->out[0] && !x->in[1];
    case USED_S:
        return x->s[1] && idle(x, 1) && !x->out[1];
    case USED_IN:
        return x->in[0] && x->last[1] == NOBODY;
    case OUT_FIRST:
        return !first && x->out[1] && !x->r[0];
    case OUT_ONCE: /* with the copy in stage j+1; if that is this frame's, here */
        return !first && x->out[1] && (!f->next[0] || x->s[0]);
    default:
        return x->r[0] && x->last[0] == NOBODY && f->exists[1] && !x->out[1];
    }
}

static state changed(const frame *f, const state *x, claim c)
{
    state y = *x;
    switch (c) {
    case USED_R:
    case R_TWICE:
        y.r[0] = false;
        break;
    case IN_TWICE:
    case IN_KEPT:
        y.in[0] = false;
        break;
    case OUT_NEW:
    case OUT_READ:
        y.out[0] = false;
        break;
    case USED_S:
        y.s[1] = false;
        break;
    case USED_IN:
        y.in[0] = y.s[1] = false;
        y.in[1] = true;
        break;
    case OUT_FIRST:
    case OUT_ONCE:
        y.out[1] = false;
        if (c == OUT_FIRST || f->next[0])
            y.out[0] = true;
        else
            y.stored = true; /* in stage j+1, which another frame is about */
        break;
    default:
        y.r[0] = y.s[1] = false;
        y.r[1] = true;
    }
    return y;
}

/* y comes before x in the order: fewer actions, or as many of each kind and fewer copies, or as
 * many of these and earlier page-outs. */
static bool is_less(const state *x, const state *y, claim c)
{
    const int r = y->r[0] + y->r[1] - x->r[0] - x->r[1];
    const int in = y->in[0] + y->in[1] - x->in[0] - x->in[1];
    /* the page-out of stage j+1 that takes the place of this one may be another frame's */
    const int elsewhere = c == OUT_ONCE && y->stored && !x->stored;
    const int out = y->out[0] + y->out[1] + elsewhere - x->out[0] - x->out[1];
    const int s = y->s[0] + y->s[1] + y->s[2] - x->s[0] - x->s[1] - x->s[2];
    if (r > 0 || in > 0 || out > 0)
        return false;
    return r + in + out < 0 || s < 0 || (s == 0 && (elsewhere || y->out[1] < x->out[1]));
}

/* What was stored for later page-ins still is, but for those that are not needed. */
static bool stores(const state *x, const state *y, claim c)
{
    return c == OUT_READ || y->stored || y->out[0] || y->out[1] ||
           !(x->stored || x->out[0] || x->out[1]);
}

static bool is_gain(const frame *f, const state *x, claim c)
{
    const state y = changed(f, x, c);
    if (!obeys(f, &y) || !no_more(f, x, &y, NOBODY) || !is_less(x, &y, c) || !stores(x, &y, c))
        return false;
    if (c == OUT_ONCE && !f->next[0] && x->stored)
        return false; /* by OUT_NEW it is not */
    return c != LATE || new_event_fits(f, x, &y, 0);
}

/* ---- all states ------------------------------------------------------------------------------ */

/* Number `code` of the states but for users. */
static state numbered(int code)
{
    return (state){.s = {code & 1, code & 2, code & 4},
                   .r = {code & 8, code & 16},
                   .in = {code & 32, code & 64},
                   .out = {code & 128, code & 256},
                   .stored = code & 512};
}
enum { CODES = 1024 };

typedef bool (*judge)(const frame *f, const state *x, const void *data);

/* What the rules say whoever computes what, and wherever the frame is. */
static bool is_possible(const state *x)
{
    return (!x->s[1] || x->s[0] || x->r[0] || x->in[0]) &&
           (!x->s[2] || x->s[1] || x->r[1] || x->in[1]) && (!x->out[0] || x->s[0]) &&
           (!x->out[1] || x->s[1]) && (!x->in[0] || x->stored);
}

/* good(x) for the state with each choice of users, if it obeys the rules and what is known. */
static bool all_users(const frame *f, state x, claim shown, judge good, const void *data,
                      long *cases)
{
    for (int a = 0; a <= f->users; a++)
        for (int b = 0; b <= f->users; b++) {
            x.last[0] = a ? APART * a : NOBODY;
            x.last[1] = b ? APART * b : NOBODY;
            if (x.last[0] > f->stage[0] || x.last[1] > f->stage[1] || !obeys(f, &x) ||
                !is_known(f, &x, shown))
                continue;
            ++*cases;
            if (!good(f, &x, data))
                return false;
        }
    return true;
}

/* Whether good(x) for each state that obeys the rules and what is known by then; counts them. */
static bool all_states(const frame *f, claim shown, judge good, const void *data, long *cases)
{
    for (int code = 0; code < CODES; code++) {
        const state x = numbered(code);
        if (is_possible(&x) && !all_users(f, x, shown, good, data, cases))
            return false;
    }
    return true;
}

static bool own_change(const frame *f, const state *x, const void *data)
{
    const claim c = *(const claim *)data;
    return !breaks(f, x, c) || is_gain(f, x, c);
}

/* A page-out in the first stage instead of a later one. */
static bool first_page_out(const frame *f, const state *x, const void *data)
{
    (void)data;
    if (!x->s[0] || x->out[0] || x->stored)
        return true;
    state y = *x;
    y.out[0] = true;
    return obeys(f, &y) && no_more(f, x, &y, NOBODY);
}

/* ---- the inputs of what is moved --------------------------------------------------------------
 */

typedef struct moved {
    int i;     /* place of the user that is no longer computed in the first stage */
    bool late; /* but in the second, where late's row leaves that open */
} moved;

static bool input_change(const frame *f, const state *x, const void *data)
{
    const moved *move = data;
    const int i = move->i;
    if (x->last[0] < i)
        return true;
    /* the row holds; or i is computed in the second stage, though it is kept (R_TWICE) */
    if (move->late && (!x->s[1] || x->out[1] || (x->last[1] != NOBODY && x->last[1] <= i)))
        return true;
    state y = *x;
    if (move->late && y.last[1] < i)
        y.last[1] = i;
    /* if it was the last one, any before it may be that now */
    for (int before = 0; before < i; before += APART) {
        if (x->last[0] == i)
            y.last[0] = before ? before : NOBODY;
        if (!obeys(f, &y) || !no_more(f, x, &y, i) || (move->late && !new_event_fits(f, x, &y, i)))
            return false;
    }
    return true;
}

/* ---- everything --------------------------------------------------------------------------------
 */

/* A check that has succeeded: a frame, and what was checked of it. */
typedef struct check {
    frame f;
    int what, i;
} check;

typedef struct run {
    const cert_model *m;
    check *seen;
    int count, capacity;
    cert_exchanges *done;
} run;

static bool is_new(const run *r, const check *c)
{
    for (int k = 0; k < r->count; k++)
        if (memcmp(&r->seen[k], c, sizeof *c) == 0)
            return false;
    return true;
}

static void remember(run *r, const check *c)
{
    if (r->count == r->capacity) {
        r->capacity = 2 * r->capacity + 64;
        r->seen = base_realloc(r->seen, (size_t)r->capacity, sizeof *r->seen);
    }
    r->seen[r->count++] = *c;
}

/* The frame of tensor j in stages t and t+1, and the place of its user i (NOBODY: there is none),
 * into c, which is zero. Of the users on one side of i that are computed there again at most, one
 * stands for all. */
static void set_frame(const cert_model *m, int j, int t, int i, check *c)
{
    const graph *g = m->g;
    frame *f = &c->f;
    int before = 0, self = 0, after = 0;
    for (int e = g->user_start[j]; e < g->user_start[j + 1] && g->user[e] <= t + 1; e++) {
        const int user = g->user[e];
        if (user >= t)
            f->has_user[user - t] = 1;
        else
            *(user < i ? &before : user == i ? &self : &after) = 1;
    }
    int users = before + self + after;
    for (int b = 0; b < STAGES; b++) {
        users += f->has_user[b];
        f->stage[b] = APART * users + (f->has_user[b] || t + b == j ? 0 : 1 + b);
        f->own[b] = t + b == j;
        f->next[b] = t + b == j + 1;
        f->exists[b] = t + b < m->n;
        f->final[b] = t + b == m->n - 1;
    }
    f->users = users;
    f->charged = m->p->charge_pagein_transfer;
    c->i = self ? APART * (before + 1) : 0;
}

static bool tensor_fits(run *r, int t, int i, claim shown)
{
    check c;
    memset(&c, 0, sizeof c);
    set_frame(r->m, i, t - place(shown), NOBODY, &c);
    c.what = (int)shown;
    if (!is_new(r, &c))
        return true;
    if (!all_states(&c.f, shown, own_change, &shown, &r->done->cases))
        return false;
    remember(r, &c);
    return true;
}

static bool inputs_fit(run *r, int t, int i, bool late)
{
    const graph *g = r->m->g;
    for (int q = g->input_start[i]; q < g->input_start[i + 1]; q++) {
        check c;
        memset(&c, 0, sizeof c);
        set_frame(r->m, g->input[q], t, i, &c);
        c.what = CLAIMS + late;
        const moved move = {c.i, late};
        if (!is_new(r, &c))
            continue;
        if (!all_states(&c.f, late ? LATE : USED_R, input_change, &move, &r->done->cases))
            return false;
        remember(r, &c);
    }
    return true;
}

static bool first_page_out_fits(run *r, int t, int i)
{
    check c;
    memset(&c, 0, sizeof c);
    set_frame(r->m, i, t, NOBODY, &c);
    return all_states(&c.f, OUT_ONCE, first_page_out, NULL, &r->done->cases);
}

static const char *check_claims(run *r, int t, int i)
{
    for (int c = 0; c < (int)CLAIMS; c++) {
        const bool moves = c == USED_R || c == R_TWICE || c == LATE;
        if (c == LATE && r->m->workspace[i] > 0)
            continue;
        if (!tensor_fits(r, t, i, (claim)c) || (moves && !inputs_fit(r, t, i, c == LATE)) ||
            (c == OUT_ONCE && t == i + 1 && !first_page_out_fits(r, t, i)))
            return failure[c];
    }
    return NULL;
}

static const char *check_rows(run *r, int t, int i, cert_row *row, cert_key *key)
{
    static const cert_row_kind kinds[] = {CERT_ROW_USED_R,    CERT_ROW_USED_S,   CERT_ROW_USED_IN,
                                          CERT_ROW_OUT_FIRST, CERT_ROW_OUT_ONCE, CERT_ROW_ONE,
                                          CERT_ROW_LATE};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const bool of_tensor = kinds[k] == CERT_ROW_OUT_ONCE;
        *key = (cert_key){kinds[k], of_tensor ? -1 : t, i, -1};
        if ((of_tensor && t > i + 1) || !cert_row_make(r->m, *key, false, row))
            continue;
        r->done->rows++;
        if (!cert_exchange_covers(r->m, *key, row))
            return "the row says more than its exchange shows";
    }
    return NULL;
}

const char *cert_exchanges_check(const cert_model *m, cert_exchanges *done, cert_key *key)
{
    run r = {.m = m, .done = done};
    cert_row row = {0};
    const char *fault = NULL;
    *done = (cert_exchanges){0, 0};
    for (int i = 0; i < m->n && !fault; i++)
        for (int t = i + 1; t < m->n && !fault; t++) {
            fault = check_rows(&r, t, i, &row, key);
            if (!fault) {
                *key = (cert_key){CERT_ROW_KINDS, t, i, -1};
                fault = check_claims(&r, t, i);
            }
        }
    cert_row_clear(&row);
    base_free(r.seen);
    return fault;
}
