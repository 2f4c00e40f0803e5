/* All states of a tensor in two stages, and the copies that count in them. */
#include "certificate/exchange_internal.h"

/* ---- states ---------------------------------------------------------------------------- */

bool exchange_idle(const state *x, int b)
{
    return x->last[b] == NOBODY && !x->s[b + 1];
}

int exchange_copies(const frame *f, const state *x, int b, int k)
{
    if (!f->own[b] && exchange_idle(x, b) && !(x->out[b] && f->next[b]))
        return 0;
    const bool released = !x->s[b + 1] && x->last[b] != NOBODY && x->last[b] < k;
    return x->s[b] + (f->charged && x->in[b]) + (x->r[b] && k >= 0) - released;
}

/* The rules in stage b. */
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

bool exchange_obeys(const frame *f, const state *x)
{
    return stage_obeys(f, x, 0) && stage_obeys(f, x, 1);
}

bool exchange_fault(const frame *f, const state *x, claim c, int b)
{
    switch (c) {
    case USED_R:
        return x->r[b] && exchange_idle(x, b);
    case R_TWICE:
        return x->r[b] && x->s[b];
    case IN_TWICE:
        return x->in[b] && (x->s[b] || x->r[b]);
    case IN_KEPT:
        return x->in[b] && !x->s[b + 1];
    case OUT_NEW:
        return x->out[b] && (x->stored || (b == 1 && x->out[0]));
    case USED_S:
        return x->s[b] && exchange_idle(x, b) && !x->out[b];
    case USED_IN:
        return b == 0 && x->in[0] && x->last[1] == NOBODY;
    case OUT_FIRST:
        return b == 1 && !f->next[1] && x->out[1] && !x->r[0];
    default:
        return false;
    }
}

/* True if the state has no fault of the claims before `shown`; the last ones only where all are
 * shown. */
static bool is_known(const frame *f, const state *x, claim shown)
{
    const int claims = shown > USED_S && shown < CLAIMS ? USED_S + 1 : (int)shown;
    for (int c = 0; c < claims; c++)
        for (int b = 0; b < STAGES; b++)
            if ((!f->own[b] || c > (int)USED_S) && exchange_fault(f, x, (claim)c, b))
                return false;
    return true;
}

/* ---- all states ------------------------------------------------------------------------------ */

/* State number `code`, without users. */
static state numbered(int code)
{
    return (state){.s = {code & 1, code & 2, code & 4},
                   .r = {code & 8, code & 16},
                   .in = {code & 32, code & 64},
                   .out = {code & 128, code & 256},
                   .stored = code & 512};
}
enum { CODES = 1024 };

/* The rules that depend neither on users nor on the place of the frame. */
static bool is_possible(const state *x)
{
    return (!x->s[1] || x->s[0] || x->r[0] || x->in[0]) &&
           (!x->s[2] || x->s[1] || x->r[1] || x->in[1]) && (!x->out[0] || x->s[0]) &&
           (!x->out[1] || x->s[1]) && (!x->in[0] || x->stored);
}

/* True if good(x) for the state with each choice of users that obeys the rules and has no known
 * fault. */
static bool all_users(const frame *f, state x, claim shown, exchange_judge good, const void *data,
                      long *cases)
{
    for (int a = 0; a <= f->users; a++) {
        x.last[0] = a ? APART * a : NOBODY;
        if (x.last[0] > f->stage[0] || !stage_obeys(f, &x, 0))
            continue;
        for (int b = 0; b <= f->users; b++) {
            x.last[1] = b ? APART * b : NOBODY;
            if (x.last[1] > f->stage[1] || !stage_obeys(f, &x, 1) || !is_known(f, &x, shown))
                continue;
            ++*cases;
            if (!good(f, &x, data))
                return false;
        }
    }
    return true;
}

bool exchange_all_states(const frame *f, claim shown, exchange_judge good, const void *data,
                         long *cases)
{
    for (int code = 0; code < CODES; code++) {
        const state x = numbered(code);
        if (is_possible(&x) && !all_users(f, x, shown, good, data, cases))
            return false;
    }
    return true;
}
