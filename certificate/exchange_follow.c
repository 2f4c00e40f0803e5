/* States that no exchange changes: they satisfy the rows on releases and origins and the reductions
 * of certificate/settle, and a tensor counts at most once. */
#include "certificate/exchange_internal.h"
#include "certificate/settle.h"

/* The first stage of a state: copies by origin, and releases. */
typedef struct view {
    const frame *f;
    const state *x;
    bool c, p, c_next, p_next; /* copies that were computed, and copies from storage */
    bool used, stored;         /* a user is computed; paged out before the next stage */
    bool early;                /* released as the stage begins */
} view;

/* paged: the copy of the first stage is from storage. A copy is from storage if the copy before it
 * is, or if it is paged in. */
static view view_of(const frame *f, const state *x, bool paged)
{
    view v = {.f = f, .x = x, .p = paged, .c = x->s[0] && !paged};
    v.p_next = x->s[1] && (paged || x->in[0]);
    v.c_next = x->s[1] && !v.p_next;
    v.used = x->last[0] != NOBODY;
    v.stored = x->stored || x->out[0];
    v.early = !f->own[0] && !f->next[0] && x->out[0] && exchange_idle(x, 0);
    return v;
}

/* Rows source_c, source_p, stored_p, stored_in, out_from and one; used_r and used_s together. */
static bool origins_follow(const view *v)
{
    const state *x = v->x;
    const bool r = x->r[0], in = x->in[0], out = x->out[0], s = x->s[0];
    return (!v->c_next || v->c || r) && (!v->p_next || v->p || in) && (!v->p_next || v->stored) &&
           (!in || (v->p_next && x->stored)) && (!out || v->c) && r + in + s <= 1 &&
           (v->f->own[0] || r + s <= v->used + out + x->s[1]);
}

/* Copies less releases, as event cuts and memory rows count them, are the number of copies that
 * count: 0 or 1. */
static bool counts_follow(const view *v)
{
    const frame *f = v->f;
    const state *x = v->x;
    for (int k = NOBODY; k <= f->stage[0]; k++) {
        const int released = v->early + (v->used && !x->s[1] && x->last[0] < k);
        const int live = x->s[0] + (x->r[0] && k >= 0) + (f->charged && x->in[0]) - released;
        if (live < 0 || live > 1 || live != exchange_copies(f, x, 0, k))
            return false;
        /* row input of the node there, if it may be computed */
        if (k > 0 && (k <= x->last[0]) + released > x->s[0] + x->r[0])
            return false;
    }
    return true;
}

/* Rows free_keep, free_once and free_or. */
static bool releases_follow(const view *v)
{
    const state *x = v->x;
    const int here = x->s[0] + x->r[0], kept = x->s[1];
    const int all = v->early + (v->used && !kept &&
                                x->last[0] < v->f->stage[0]); /* without one at the last event */
    return all + kept <= here + (x->in[0] && !v->f->final[0]) && all <= here && all + kept <= 1;
}

/* Cells that certificate/settle calls useless are 0, and cells that it calls equal are equal. */
static bool reductions_follow(const view *v)
{
    const state *x = v->x;
    const cert_chances are = {.used = v->used,
                              .used_next = x->last[1] != NOBODY,
                              .r = x->r[0],
                              .in = x->in[0],
                              .out = x->out[0],
                              .c = v->c,
                              .c_next = v->c_next,
                              .p_next = v->p_next,
                              .first = v->f->next[0],
                              .made_before = true,   /* page_out_follows checks this */
                              .fetched = x->out[0]}; /* by OUT_READ */
    return v->f->own[0] ||
           ((!x->r[0] || cert_useful(CERT_R, &are)) && (!v->c || cert_useful(CERT_C, &are)) &&
            (!v->p || cert_useful(CERT_P, &are)) && (!x->in[0] || cert_useful(CERT_IN, &are)) &&
            (!x->out[0] || cert_useful(CERT_OUT, &are)) &&
            (!cert_lasts(false, &are) || v->c == v->c_next) &&
            (!cert_lasts(true, &are) || v->p == v->p_next));
}

/* A page-out of the second stage, and so an early release, follows a computation. */
static bool page_out_follows(const frame *f, const state *x)
{
    const cert_chances are = {
        .c = true, .fetched = true, .first = f->next[1], .made_before = x->r[0] && !f->own[0]};
    return !x->out[1] || cert_useful(CERT_OUT, &are);
}

bool exchange_follows(const frame *f, const state *x, const void *data)
{
    (void)data;
    const int origins = x->s[0] && x->stored ? 2 : 1;
    for (int paged = 0; paged < origins; paged++) {
        const view v = view_of(f, x, paged);
        if (!origins_follow(&v) || !counts_follow(&v) || !releases_follow(&v) ||
            !reductions_follow(&v))
            return false;
    }
    return page_out_follows(f, x);
}

bool exchange_weightless(const frame *f, const state *x, const void *data)
{
    (void)data;
    const int ends = f->exists[1] && !f->final[1] ? 2 : 1;
    for (int later = 0; later < ends; later++) {
        state y = *x;
        for (int b = 0; b < STAGES; b++) {
            y.r[b] = f->own[b];
            y.in[b] = y.out[b] = false;
        }
        y.s[2] = later; /* 1: a user is computed after both stages */
        y.s[1] = f->exists[1] && !f->own[1] && (later || x->last[1] != NOBODY);
        y.s[0] = !f->own[0] && !f->own[1] && (y.s[1] || x->last[0] != NOBODY);
        if (!exchange_obeys(f, &y))
            return false;
    }
    return true;
}
