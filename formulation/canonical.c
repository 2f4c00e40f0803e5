/* A schedule made canonical, by the exchanges of docs/formulation.md, section 3. */
#include <string.h>

#include "formulation/check.h"

typedef struct reduction {
    const problem *p;
    const graph *g;
    schedule *s;
    const int64_t *bytes; /* rounded sizes, extent n */
    const int64_t *workspace;
    bool changed;
} reduction;

static uint8_t *at(const reduction *x, uint8_t *matrix, int t, int i)
{
    return &matrix[schedule_cell(x->s, t, i)];
}

static bool is_kept(const reduction *x, int t, int i)
{
    return t + 1 < x->s->n && *at(x, x->s->S, t + 1, i);
}

/* Number of users of i below k that are computed in stage t. */
static int uses_before(const reduction *x, int t, int i, int k)
{
    const graph *g = x->g;
    int uses = 0;
    for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] <= t; e++)
        uses += g->user[e] < k && *at(x, x->s->R, t, g->user[e]);
    return uses;
}

static int count_uses(const reduction *x, int t, int i)
{
    return uses_before(x, t, i, t + 1);
}

static void set_cell(reduction *x, uint8_t *matrix, int t, int i, bool value)
{
    x->changed = x->changed || *at(x, matrix, t, i) != value;
    *at(x, matrix, t, i) = value;
}

static bool in_any_stage(const reduction *x, const uint8_t *matrix, int first, int end, int i)
{
    for (int t = first; t < end; t++)
        if (matrix[schedule_cell(x->s, t, i)])
            return true;
    return false;
}

/* (a), (b): removes actions without a use. Their inputs may lose their last use then; the next pass
 * removes the sources of these inputs. */
static void drop_useless(reduction *x, int t, int i)
{
    schedule *s = x->s;
    const bool is_useless = count_uses(x, t, i) == 0 && !is_kept(x, t, i);
    if (*at(x, s->R, t, i) && (is_useless || *at(x, s->S, t, i)))
        set_cell(x, s->R, t, i, false);
    if (*at(x, s->In, t, i) && (!is_kept(x, t, i) || *at(x, s->S, t, i) || *at(x, s->R, t, i)))
        set_cell(x, s->In, t, i, false);
    if (*at(x, s->Out, t, i) &&
        (!in_any_stage(x, s->In, t + 1, s->n, i) || in_any_stage(x, s->Out, i + 1, t, i)))
        set_cell(x, s->Out, t, i, false);
    if (*at(x, s->S, t, i) && is_useless && !*at(x, s->Out, t, i))
        set_cell(x, s->S, t, i, false);
}

/* (c): page in just in time. */
static void page_in_later(reduction *x, int t, int i)
{
    schedule *s = x->s;
    if (!*at(x, s->In, t, i) || t + 2 >= s->n || count_uses(x, t + 1, i) > 0 ||
        !is_kept(x, t + 1, i) || *at(x, s->In, t + 1, i) || *at(x, s->R, t + 1, i) ||
        *at(x, s->Out, t + 1, i))
        return;
    set_cell(x, s->In, t, i, false);
    set_cell(x, s->S, t + 1, i, false);
    set_cell(x, s->In, t + 1, i, true);
}

/* (e): write out at the first chance. */
static void page_out_earlier(reduction *x, int t, int i)
{
    schedule *s = x->s;
    if (!*at(x, s->Out, t, i) || t <= i + 1)
        return;
    int to = t;
    if (*at(x, s->S, i + 1, i))
        to = i + 1;
    else if (!*at(x, s->R, t - 1, i) && *at(x, s->S, t - 1, i))
        to = t - 1;
    if (to == t)
        return;
    set_cell(x, s->Out, t, i, false);
    set_cell(x, s->Out, to, i, true);
}

/* The exception of row late for input u of i: u dies in t, or may be released before i in t+1. */
static bool allows_late(const reduction *x, int t, int i, int u)
{
    schedule *s = x->s;
    const int here =
        (u < t && *at(x, s->S, t, u)) + *at(x, s->R, t, u) + (u < t && *at(x, s->In, t, u));
    return here > *at(x, s->S, t + 1, u) || *at(x, s->Out, t + 1, u) ||
           uses_before(x, t + 1, u, i) > 0;
}

/* (f): recompute for keeping only where an input dies. */
static void recompute_later(reduction *x, int t, int i)
{
    schedule *s = x->s;
    const graph *g = x->g;
    if (!*at(x, s->R, t, i) || t + 1 >= s->n || x->workspace[i] > 0 || count_uses(x, t, i) > 0 ||
        !is_kept(x, t, i) || *at(x, s->Out, t + 1, i) || *at(x, s->R, t + 1, i))
        return;
    for (int q = g->input_start[i]; q < g->input_start[i + 1]; q++)
        if (allows_late(x, t, i, g->input[q]))
            return;
    set_cell(x, s->R, t, i, false);
    set_cell(x, s->S, t + 1, i, false);
    set_cell(x, s->R, t + 1, i, true);
}

/* (i): what takes no memory is kept from its first computation to its last use. */
static void keep_free(reduction *x, int i)
{
    schedule *s = x->s;
    if (x->bytes[i] > 0 ||
        !(in_any_stage(x, s->R, i + 1, s->n, i) || in_any_stage(x, s->In, i + 1, s->n, i) ||
          in_any_stage(x, s->Out, i + 1, s->n, i)))
        return;
    int last = i;
    for (int t = i + 1; t < s->n; t++)
        if (count_uses(x, t, i) > 0)
            last = t;
    for (int t = i + 1; t < s->n; t++) {
        set_cell(x, s->S, t, i, t <= last);
        set_cell(x, s->R, t, i, false);
        set_cell(x, s->In, t, i, false);
        set_cell(x, s->Out, t, i, false);
    }
}

schedule *formulation_canonical(const problem *p, const schedule *s)
{
    const graph *g = p->graph;
    int64_t *bytes = base_malloc(2 * (size_t)g->n, sizeof *bytes);
    formulation_round_memory(p, FORMULATION_DEFAULT, bytes, bytes + g->n);
    reduction x = {.p = p,
                   .g = g,
                   .s = schedule_copy(s),
                   .bytes = bytes,
                   .workspace = bytes + g->n,
                   .changed = true};
    while (x.changed) {
        x.changed = false;
        for (int i = g->n - 1; i >= 0; i--)
            keep_free(&x, i);
        for (int t = g->n - 1; t >= 0; t--)
            for (int i = t - 1; i >= 0; i--)
                drop_useless(&x, t, i);
        for (int t = 0; t < g->n && !x.changed; t++)
            for (int i = 0; i < t; i++) {
                page_in_later(&x, t, i);
                page_out_earlier(&x, t, i);
                recompute_later(&x, t, i);
            }
    }
    base_free(bytes);
    for (int t = 0; t < g->n; t++)
        for (int i = 0; i < t; i++)
            x.s->A[schedule_cell(x.s, t, i)] = in_any_stage(&x, x.s->Out, i + 1, t, i);
    return x.s;
}
