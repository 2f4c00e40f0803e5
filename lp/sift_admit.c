/* Who comes in: of the wanted columns those with the worst reduced costs, and what passed on to
 * them. */
#include <math.h>
#include <stdlib.h>

#include "lp/sift_internal.h"

enum {
    NEIGHBOURS = 1000, /* columns that a round adds at least once optima have settled: those that
                          are still missing lie along chains and would come one by one */
    MAX_LENGTH = 64    /* longer rows make no neighbours */
};

typedef struct offer {
    double score;
    int col;
} offer;

static int by_score(const void *a, const void *b)
{
    const offer *p = a, *q = b;
    if (p->score != q->score)
        return p->score > q->score ? -1 : 1;
    return p->col - q->col;
}

/* Reduced cost relative to the length of the column. */
static double score(const lp_sift *s, int j)
{
    const lp_model *m = s->m;
    double sum = 1.0;
    for (int e = m->start[j]; e < m->start[j + 1]; e++)
        sum += m->value[e] * m->value[e];
    return fabs(lp_sift_lack(s, j)) / sqrt(sum);
}

bool lp_sift_admit_column(lp_sift *s, int j)
{
    if (s->working[j] && s->apart[j])
        return false;
    s->apart[j] = s->working[j];
    s->working[j] = true;
    s->idle[j] = 0;
    return true;
}

/* Marks columns as working that share rows with what came in (s->seen), nearest first, until there
 * are so many. Returns how many. */
static int admit_neighbours(lp_sift *s, int wanted)
{
    const lp_model *m = s->m;
    int admitted = 0, head = 0, tail = 0, *queue = s->stack;
    for (int j = 0; j < m->cols; j++)
        if (s->seen[j] == s->search)
            queue[tail++] = j;
    while (head < tail && admitted < wanted) {
        int j = queue[head++];
        for (int e = m->start[j]; e < m->start[j + 1]; e++) {
            int r = m->index[e], end = s->row_start[r + 1];
            if (end - s->row_start[r] > MAX_LENGTH)
                continue;
            for (int f = s->row_start[r]; f < end && admitted < wanted; f++) {
                int k = s->row_col[f];
                if (s->seen[k] == s->search || s->working[k])
                    continue;
                s->seen[k] = s->search;
                queue[tail++] = k;
                admitted += lp_sift_admit_column(s, k);
            }
        }
    }
    return admitted;
}

int lp_sift_admit(lp_sift *s, int limit)
{
    int admitted = 0, count = s->wanted_count;
    offer *list = base_malloc((size_t)count + 1, sizeof *list);
    int *stack = s->stack;
    for (int k = 0; k < count; k++)
        list[k] = (offer){score(s, s->wanted[k]), s->wanted[k]};
    qsort(list, (size_t)count, sizeof *list, by_score);
    s->search++;
    for (int k = 0; k < count && admitted < limit; k++) {
        int depth = 0;
        if (s->seen[list[k].col] == s->search)
            continue;
        s->seen[list[k].col] = s->search;
        stack[depth++] = list[k].col;
        while (depth > 0) {
            int j = stack[--depth];
            admitted += lp_sift_admit_column(s, j);
            for (int q = s->debt_head[j]; q >= 0; q = s->debt[q].next) {
                int from = s->debt[q].from;
                if (s->seen[from] == s->search)
                    continue;
                s->seen[from] = s->search;
                stack[depth++] = from;
            }
        }
    }
    base_free(list);
    if (s->settled && admitted > 0 && admitted < NEIGHBOURS)
        admitted += admit_neighbours(s, NEIGHBOURS - admitted);
    return admitted;
}
