/* Checks the exchange arguments by trying all cases. A change touches the cells of a tensor in two
 * stages, and the users of its inputs that are computed there. So a case is a state: the cells of a
 * tensor in two stages, and the last of its users that is computed in each. The bytes at an event
 * depend on this state and on the order of nodes and stages alone, so each state is tried once. */
#include "certificate/exchange_internal.h"

#include <string.h>

static const char *const failure[CLAIMS] = {
    "kept instead, what takes no memory breaks a rule, or an input of it takes more",
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

/* True if the tensor counts at most as often after the change, at every event of both stages;
 * except at the event of the node at place `gone` (NOBODY: none) of the first stage, which no
 * longer exists. */
static bool counts_no_more(const frame *f, const state *x, const state *y, int gone)
{
    for (int b = 0; b < STAGES && f->exists[b]; b++) {
        if (y->s[b] > x->s[b])
            return false;
        for (int k = -1; k <= f->stage[b]; k++)
            if ((b > 0 || k != gone) && exchange_copies(f, y, b, k) > exchange_copies(f, x, b, k))
                return false;
    }
    return true;
}

/* True if at a new event at place i of the second stage the tensor counts at most as often as
 * before the change at the next event there, which may be any later one. */
static bool new_event_fits(const frame *f, const state *x, const state *y, int i)
{
    for (int k = i + 1; k <= f->stage[1]; k++)
        if ((x->last[1] <= i || x->last[1] >= k) &&
            exchange_copies(f, y, 1, i) > exchange_copies(f, x, 1, k))
            return false;
    return true;
}

/* ---- the changes of the tensor itself ------------------------------------------------------- */

/* Stage of the frame that the claim is about: 0 or 1. */
static int stage_of_claim(claim c)
{
    return c == USED_S || c == OUT_FIRST || c == OUT_ONCE;
}

static bool has_fault(const frame *f, const state *x, claim c)
{
    const bool first = f->next[stage_of_claim(c)];
    switch (c) {
    case OUT_READ: /* no page-in in the next stage */
        return x->out[0] && !x->in[1];
    case OUT_ONCE: /* the copy is that of stage j+1, which may be the first stage of this frame */
        return !first && x->out[1] && (!f->next[0] || x->s[0]);
    case LATE:
        return x->r[0] && x->last[0] == NOBODY && f->exists[1] && !x->out[1];
    default:
        return exchange_fault(f, x, c, stage_of_claim(c));
    }
}

static state changed_state(const frame *f, const state *x, claim c)
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
            y.stored = true; /* in stage j+1, outside of this frame */
        break;
    default:
        y.r[0] = y.s[1] = false;
        y.r[1] = true;
    }
    return y;
}

/* True if y comes before x in the order: fewer actions; or as many of each kind, and fewer copies;
 * or as many of these too, and earlier page-outs. */
static bool is_less(const state *x, const state *y, claim c)
{
    const int r = y->r[0] + y->r[1] - x->r[0] - x->r[1];
    const int in = y->in[0] + y->in[1] - x->in[0] - x->in[1];
    /* the page-out in stage j+1 that replaces this one may lie outside of this frame */
    const int elsewhere = c == OUT_ONCE && y->stored && !x->stored;
    const int out = y->out[0] + y->out[1] + elsewhere - x->out[0] - x->out[1];
    const int s = y->s[0] + y->s[1] + y->s[2] - x->s[0] - x->s[1] - x->s[2];
    if (r > 0 || in > 0 || out > 0)
        return false;
    return r + in + out < 0 || s < 0 || (s == 0 && (elsewhere || y->out[1] < x->out[1]));
}

/* True if each copy on storage for later page-ins remains there, except those that OUT_READ shows
 * to be of no use. */
static bool stores(const state *x, const state *y, claim c)
{
    return c == OUT_READ || y->stored || y->out[0] || y->out[1] ||
           !(x->stored || x->out[0] || x->out[1]);
}

static bool is_gain(const frame *f, const state *x, claim c)
{
    const state y = changed_state(f, x, c);
    if (!exchange_obeys(f, &y) || !counts_no_more(f, x, &y, NOBODY) || !is_less(x, &y, c) ||
        !stores(x, &y, c))
        return false;
    if (c == OUT_ONCE && !f->next[0] && x->stored)
        return false; /* excluded by OUT_NEW */
    return c != LATE || new_event_fits(f, x, &y, 0);
}

static bool own_change(const frame *f, const state *x, const void *data)
{
    const claim c = *(const claim *)data;
    return !has_fault(f, x, c) || is_gain(f, x, c);
}

/* True if a page-out can be made in the first stage instead of a later one. */
static bool first_page_out(const frame *f, const state *x, const void *data)
{
    (void)data;
    if (!x->s[0] || x->out[0] || x->stored)
        return true;
    state y = *x;
    y.out[0] = true;
    return exchange_obeys(f, &y) && counts_no_more(f, x, &y, NOBODY);
}

/* ---- the inputs of a moved tensor --------------------------------------------------------- */

typedef struct moved {
    int i;     /* place of the user that is not computed in the first stage any more */
    bool late; /* it is computed in the second stage, where the row `late` allows that */
} moved;

static bool input_change(const frame *f, const state *x, const void *data)
{
    const moved *move = data;
    const int i = move->i;
    if (x->last[0] < i)
        return true;
    /* the row holds, or i is computed in the second stage though it is kept (R_TWICE) */
    if (move->late && (!x->s[1] || x->out[1] || (x->last[1] != NOBODY && x->last[1] <= i)))
        return true;
    state y = *x;
    if (move->late && y.last[1] < i)
        y.last[1] = i;
    /* where it was the last user, any user before it may be the last one now */
    for (int before = 0; before < i; before += APART) {
        if (x->last[0] == i)
            y.last[0] = before ? before : NOBODY;
        if (!exchange_obeys(f, &y) || !counts_no_more(f, x, &y, i) ||
            (move->late && !new_event_fits(f, x, &y, i)))
            return false;
    }
    return true;
}

/* ---- everything --------------------------------------------------------------------------- */

/* Checks of a frame beside the claims. */
enum { FOLLOWS = CLAIMS, INPUTS, INPUTS_LATE, FIRST_PAGE_OUT };

/* A frame, the place of a user (0: none), and the checks that it has passed. */
typedef struct known {
    frame f;
    int i;
    unsigned checked; /* bit k: check k */
} known;

typedef struct run {
    const cert_model *m;
    known *seen;
    int count, capacity;
    cert_exchanges *done;
} run;

/* Index of the frame in r->seen; appends it if it is new. */
static int find_frame(run *r, const known *x)
{
    int k = 0;
    while (k < r->count && (r->seen[k].i != x->i || memcmp(&r->seen[k].f, &x->f, sizeof x->f) != 0))
        k++;
    r->seen = base_grow(r->seen, k, &r->capacity, sizeof *r->seen);
    if (k == r->count)
        r->seen[r->count++] = *x;
    return k;
}

/* Index of the frame of tensor j in stages t and t+1 with the place of its user i (NOBODY: none).
 * All users before i that are at most computed again have one place, and so have all after i. */
static int frame_of(run *r, int j, int t, int i)
{
    const graph *g = r->m->g;
    known x;
    frame *f = &x.f;
    int before = 0, self = 0, after = 0;
    memset(&x, 0, sizeof x); /* padding too: frames are compared by their bytes */
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
        f->exists[b] = t + b < r->m->n;
        f->final[b] = t + b == r->m->n - 1;
    }
    f->users = users;
    f->charged = r->m->p->charge_pagein_transfer;
    x.i = self ? APART * (before + 1) : 0;
    return find_frame(r, &x);
}

/* True if good(x) for all states without the faults of the claims before `shown`; computed once for
 * each frame and check `what`. */
static bool holds_in_frame(run *r, int k, int what, claim shown, exchange_judge good,
                           const void *data)
{
    known *x = &r->seen[k];
    if (!(x->checked >> what & 1) && exchange_all_states(&x->f, shown, good, data, &r->done->cases))
        x->checked |= 1U << what;
    return x->checked >> what & 1;
}

static bool inputs_fit(run *r, int t, int i, bool late)
{
    const graph *g = r->m->g;
    for (int q = g->input_start[i]; q < g->input_start[i + 1]; q++) {
        const int k = frame_of(r, g->input[q], t, i);
        const moved move = {r->seen[k].i, late};
        if (!holds_in_frame(r, k, late ? INPUTS_LATE : INPUTS, late ? LATE : USED_R, input_change,
                            &move))
            return false;
    }
    return true;
}

/* Checks the assumptions beside the exchanges. */
static const char *rest_fault(run *r, int k)
{
    return holds_in_frame(r, k, FOLLOWS, CLAIMS, exchange_follows, NULL)
               ? NULL
               : "a tensor without faults counts twice, or is where a row or reduction excludes it";
}

static const char *check_claims(run *r, int t, int i)
{
    const int own[] = {frame_of(r, i, t, NOBODY), frame_of(r, i, t - 1, NOBODY)};
    /* A tensor without bytes is kept instead, so its inputs are read less often; inputs remain
     * valid when a recomputation is left out. */
    if (r->m->bytes[i] == 0 &&
        !holds_in_frame(r, own[0], (int)WEIGHTLESS, WEIGHTLESS, exchange_weightless, NULL))
        return failure[WEIGHTLESS];
    if (!inputs_fit(r, t, i, false))
        return failure[USED_R];
    for (int c = WEIGHTLESS + 1; c < (int)CLAIMS; c++) {
        const claim shown = (claim)c;
        if (c == LATE && r->m->workspace[i] > 0)
            continue;
        if (!holds_in_frame(r, own[stage_of_claim(shown)], c, shown, own_change, &shown) ||
            (c == LATE && !inputs_fit(r, t, i, true)) ||
            (c == OUT_ONCE && t == i + 1 &&
             !holds_in_frame(r, own[0], FIRST_PAGE_OUT, OUT_ONCE, first_page_out, NULL)))
            return failure[c];
    }
    return rest_fault(r, own[0]);
}

static const char *check_rows(run *r, int t, int i, cert_row *row, cert_key *key)
{
    static const cert_row_kind kinds[] = {
        CERT_ROW_USED_R, CERT_ROW_USED_S, CERT_ROW_USED_IN,   CERT_ROW_OUT_FIRST, CERT_ROW_OUT_ONCE,
        CERT_ROW_ONE,    CERT_ROW_LATE,   CERT_ROW_STORED_IN, CERT_ROW_OUT_FROM};
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
    for (int i = 0; i < m->n && !fault; i++) {
        *key = (cert_key){CERT_ROW_KINDS, i, i, -1};
        fault = rest_fault(&r, frame_of(&r, i, i, NOBODY));
        for (int t = i + 1; t < m->n && !fault; t++) {
            fault = check_rows(&r, t, i, &row, key);
            if (!fault) {
                *key = (cert_key){CERT_ROW_KINDS, t, i, -1};
                fault = check_claims(&r, t, i);
            }
        }
    }
    cert_row_clear(&row);
    base_free(r.seen);
    return fault;
}
