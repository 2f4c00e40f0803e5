/* Cases of tensors that are ever away: each has a recorder of its own, which keeps the steps that
 * prove most of the case. Where these are not enough, the cases in which it was split follow. */
#include <string.h>

#include "certificate/record_internal.h"
#include "exact/cases/nested.h"

static recorder *add_case(const problem *p)
{
    recorder *own = base_malloc(1, sizeof *own);
    recorder_init(own);
    own->problem = p;
    return own;
}

void record_free_cases(recorder *r)
{
    if (!r)
        return;
    recorder_clear(r);
    base_free(r);
}

const exact_proof *record_begin_fates(void *user, const problem *p, const uint8_t *fate)
{
    recorder *r = user;
    const size_t n = (size_t)p->graph->n;
    record_free_cases(r->cases);
    r->cases = add_case(p);
    r->cases->fate = base_malloc(n, sizeof *fate);
    memcpy(r->cases->fate, fate, n * sizeof *fate);
    return &r->cases->hooks;
}

void record_split_case(void *user, int i, const exact_proof *child[2])
{
    recorder *r = user;
    r->tensor = i;
    for (int k = 0; k < 2; k++) {
        r->child[k] = add_case(r->problem);
        child[k] = &r->child[k]->hooks;
    }
}

void record_bound_case(void *user, const coarse *c, const double *y, double bound)
{
    recorder *r = user;
    if (!(bound > r->whole_bound))
        return;
    const exact_timeline timeline = record_begin_timeline(user, c);
    recorder *own = timeline.user;
    record_add_rows(own, NULL, c, y);
    text_print(own->out, "leaf 0");
    record_write_terms(own);
    record_end_timeline(user, timeline, bound);
}

static void write_pair(void *user, int outer, int inner)
{
    text_print(user, "nested %d %d\n", outer, inner);
}

/* Writes the case with these fates; false: it is not proven. */
static bool write_case(const recorder *r, const uint8_t *fates, double bound, text_buffer *out)
{
    const size_t n = (size_t)r->problem->graph->n;
    uint8_t *fate = base_malloc(n, sizeof *fate);
    memcpy(fate, fates, n * sizeof *fate);
    const int i = r->tensor;
    bool proven = true;
    if (!case_propagate(r->problem, fate, write_pair, out)) {
        /* the last pair closed it */
    } else if (r->whole.size > 0 && r->whole_bound >= bound) {
        text_print(out, "%s", r->whole.data);
    } else if (!r->child[0]) {
        proven = false;
    } else if (fate[i] != FATE_OPEN) {
        proven = write_case(r->child[fate[i] == FATE_AWAY], fate, bound, out);
    } else {
        text_print(out, "keep %d\n", i);
        fate[i] = FATE_KEPT;
        proven = write_case(r->child[0], fate, bound, out);
        text_print(out, "next\n");
        fate[i] = FATE_AWAY;
        proven = proven && write_case(r->child[1], fate, bound, out);
    }
    base_free(fate);
    return proven;
}

bool record_write_cases(const recorder *r, double bound, text_buffer *out)
{
    return write_case(r, r->fate, bound, out);
}
