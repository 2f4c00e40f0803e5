/* Intervals as the matrices of a schedule. */
#include "heuristics/intervals.h"

schedule *intervals_schedule(const intervals *s)
{
    const int n = s->p->graph->n;
    schedule *made = schedule_create(n);
    for (int v = 0; v < n; v++) {
        const tensor_copies *c = &s->tensor[v];
        int last_in = -1;
        for (int k = 0; k < c->count; k++) {
            const copy *a = &c->at[k];
            if (a->paged)
                made->In[schedule_cell(made, last_in = a->first - 1, v)] = 1;
            else
                made->R[schedule_cell(made, a->first, v)] = 1;
            for (int t = a->first + !a->paged; t <= a->last; t++)
                made->S[schedule_cell(made, t, v)] = 1;
        }
        if (c->out < 0)
            continue;
        made->Out[schedule_cell(made, c->out, v)] = 1;
        for (int t = c->out + 1; t <= last_in; t++)
            made->A[schedule_cell(made, t, v)] = 1;
    }
    return made;
}
