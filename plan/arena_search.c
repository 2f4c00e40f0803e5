/* Exact search for addresses, in the manner of MiniMalloc (Moffitt, ASPLOS 2023): buffers are
 * placed in the order of their offsets, each at 0 or directly above a buffer of an overlapping
 * life.
 *
 * Sections are the times at which the set of living buffers is maximal; a buffer spans the sections
 * first..last. If a packing within cap exists, sliding all buffers down gives one in which each
 * lies at 0 or directly above another: only these are searched. pos is a lower bound on the offset
 * of a waiting buffer in every packing that extends the placed ones, and the level is the least
 * pos. A node decides a buffer at the level:
 *   - Where it touches nothing at its pos (pos > floor), its pos rises (see Exchange).
 *   - Otherwise it is placed there. If that fails, its pos rises too, and the node decides again.
 * Levels never fall, so a node asks whether the waiting buffers fit above the floors. Inferences:
 *   - Sections: stacked in the order of pos, the waiting buffers of a section must end at cap.
 *   - Exchange: a buffer that does not lie at the level lies above a waiting buffer that outlives
 *     it, beginning in an earlier section or ending in a later one. Otherwise it could move down to
 *     its floor, and the waiting buffers below it, with lives within its own, up by its size.
 *     So its pos is at least the least end of such a neighbour; without one the node fails.
 *   - Twins, buffers of one size and life, keep the order of their numbers.
 *   - Decomposition: where no waiting buffer spans two neighbouring sections, both sides are
 *     independent.
 * Runs with other preferences follow one another with growing limits. Sections that could not end
 * at cap gain weight, and later runs prefer their buffers (as dom/wdeg does: Boussemart et al.
 * 2004). A run that is not cut off proves its answer. */
#include "plan/arena.h"

#include <stdlib.h>
#include <string.h>

/* A buffer of the search. */
typedef struct item {
    int first, last; /* sections, both included */
    int number;      /* index of the caller's buffer */
    int next_twin;   /* item of the same size and life, -1: none */
    int64_t bytes;
    int64_t floor;     /* largest end of a placed buffer with an overlapping life */
    int64_t pos;       /* lower bound on its offset, >= floor; once placed, the offset */
    double preference; /* among buffers with the same pos the largest is placed first */
} item;

/* An entry of the trail: the former bounds of an item; item < 0: a move within order. */
typedef struct step {
    int item;
    int from, to;
    int64_t floor, pos;
} step;

/* Key for sorting items. */
typedef struct key {
    int64_t pos;
    int item;
} key;

/* A node: the part of waiting items order[lo..hi). Once one of them is placed, at order[lo], the
 * parts of the others are searched one after the other. */
typedef struct node {
    int lo, hi;
    int item;             /* the placed item */
    size_t begun, placed; /* steps of the trail before the node, and before the placement */
    int next;             /* first item of the next part */
    int most, most_end;   /* the part of more than half of the items, searched last; -1: none */
} node;

typedef struct search {
    int count, sections;
    int64_t cap;
    item *item;     /* extent count, by first section, then by last */
    int *order;     /* extent count: parts of waiting items by first section, behind placed ones */
    key *by_pos;    /* extent count */
    int64_t *end;   /* of each section: the stack's end in sections_end; extent sections */
    double *total;  /* of each section: sum of the sizes; extent sections */
    double *weight; /* of each section: failures there, the later ones more; extent sections */
    double failure; /* weight of the next failure */
    step *trail;
    size_t steps, capacity;
    node *node; /* the path from the root, extent count + 1 */
    int depth;
    bool dynamic;  /* of equal pos the item of the fullest section comes first */
    int64_t nodes; /* placements left in this run */
    int64_t *effort;
} search;

/* Steps of sorting an element, and of a waiting item at a node. */
enum { SORT_WORK = 20, CHOOSE_WORK = 6 };

/* Up to this number of items all sections of a part are checked after each change; in larger
 * parts only the sections near it. */
enum { WHOLE = 1000 };

/* ---- bounds and how they are taken back --------------------------------------------------- */

static void remember(search *s, step what)
{
    if (s->steps == s->capacity) {
        s->capacity = 2 * s->capacity + 256;
        s->trail = base_realloc(s->trail, s->capacity, sizeof *s->trail);
    }
    s->trail[s->steps++] = what;
}

static void undo_steps(search *s, size_t mark)
{
    while (s->steps > mark) {
        const step *t = &s->trail[--s->steps];
        if (t->item >= 0) {
            s->item[t->item].floor = t->floor;
            s->item[t->item].pos = t->pos;
            continue;
        }
        const int moved = s->order[t->to];
        memmove(&s->order[t->to], &s->order[t->to + 1],
                (size_t)(t->from - t->to) * sizeof *s->order);
        s->order[t->from] = moved;
    }
}

/* Raises the bounds of a waiting item, and the pos of its twins, which lie above it. */
static void raise_item(search *s, int i, int64_t floor, int64_t pos)
{
    while (i >= 0) {
        item *x = &s->item[i];
        if (floor <= x->floor && pos <= x->pos)
            return;
        remember(s, (step){.item = i, .floor = x->floor, .pos = x->pos});
        x->floor = floor > x->floor ? floor : x->floor;
        x->pos = pos > x->pos ? pos : x->pos;
        pos = x->pos + x->bytes;
        floor = 0;
        i = x->next_twin;
    }
}

/* Raises the pos of an item above the lowest waiting one that outlives it (see Exchange). False:
 * there is none, or no room. */
static bool raise_above(search *s, int lo, int hi, int i)
{
    const item *x = &s->item[i];
    int64_t least = INT64_MAX;
    for (int k = lo; k < hi && s->item[s->order[k]].first <= x->last; k++) {
        const item *y = &s->item[s->order[k]];
        const bool outlives = y->first < x->first || y->last > x->last;
        if (outlives && y->last >= x->first && y->pos + y->bytes < least)
            least = y->pos + y->bytes;
    }
    if (least == INT64_MAX || least + x->bytes > s->cap)
        return false;
    raise_item(s, i, 0, least);
    return true;
}

/* ---- sections that cannot end at the cap -------------------------------------------------- */

/* By pos, ascending (Shell). */
static void sort_keys(key *list, int count)
{
    static const int gaps[] = {1750, 701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
        const int gap = gaps[g];
        for (int k = gap; k < count; k++) {
            const key moved = list[k];
            int at = k;
            for (; at >= gap && list[at - gap].pos > moved.pos; at -= gap)
                list[at] = list[at - gap];
            list[at] = moved;
        }
    }
}

/* Adds to the weights of the sections first..last that do not end at the cap. */
static void count_failures(search *s, int first, int last)
{
    static const double growth = 1.0001, most = 1e200;
    for (int t = first; t <= last; t++)
        s->weight[t] += s->end[t] > s->cap ? s->failure : 0;
    if (s->failure < most)
        s->failure *= growth;
}

/* True if in every section first..last the waiting items, in the order of pos, end at the cap. */
static bool sections_end(search *s, int lo, int hi, int first, int last)
{
    int count = 0;
    int64_t cells = 0, top = 0;
    for (int k = lo; k < hi && s->item[s->order[k]].first <= last; k++) {
        const item *x = &s->item[s->order[k]];
        if (x->last >= first)
            s->by_pos[count++] = (key){.pos = x->pos, .item = s->order[k]};
    }
    sort_keys(s->by_pos, count);
    memset(&s->end[first], 0, (size_t)(last - first + 1) * sizeof *s->end);
    for (int k = 0; k < count; k++) {
        const item *x = &s->item[s->by_pos[k].item];
        const int from = x->first > first ? x->first : first, to = x->last < last ? x->last : last;
        const int64_t pos = x->pos, bytes = x->bytes;
        for (int t = from; t <= to; t++)
            s->end[t] = (s->end[t] > pos ? s->end[t] : pos) + bytes;
        cells += to - from + 1;
    }
    for (int t = first; t <= last; t++)
        top = s->end[t] > top ? s->end[t] : top;
    *s->effort -= cells + (hi - lo) + (int64_t)SORT_WORK * count;
    if (top > s->cap)
        count_failures(s, first, last);
    return top <= s->cap;
}

/* sections_end for all sections of a part. */
static bool part_ends(search *s, int lo, int hi)
{
    int last = -1;
    if (lo == hi)
        return true;
    for (int k = lo; k < hi; k++)
        last = s->item[s->order[k]].last > last ? s->item[s->order[k]].last : last;
    return sections_end(s, lo, hi, s->item[s->order[lo]].first, last);
}

/* ---- the tree ------------------------------------------------------------------------------ */

static int64_t tightness(search *s, const item *x)
{
    int64_t most = 0;
    for (int t = x->first; t <= x->last; t++)
        most = s->end[t] > most ? s->end[t] : most;
    *s->effort -= x->last - x->first;
    return most;
}

/* Place in order of the item to be decided: of least pos; of these, in a dynamic run, of the
 * fullest section; of these of the largest preference. */
static int choose_item(search *s, int lo, int hi)
{
    const bool dynamic = s->dynamic && hi - lo <= WHOLE;
    int best = lo;
    int64_t level = INT64_MAX, tight = -1;
    *s->effort -= CHOOSE_WORK * (hi - lo);
    for (int k = lo; k < hi; k++) {
        const item *x = &s->item[s->order[k]];
        if (x->pos > level)
            continue;
        const int64_t found = dynamic ? tightness(s, x) : 0;
        if (x->pos < level || found > tight ||
            (found == tight && x->preference > s->item[s->order[best]].preference)) {
            level = x->pos;
            tight = found;
            best = k;
        }
    }
    return best;
}

/* Places order[k] at its pos, in front of the other waiting ones of its part. */
static void place_item(search *s, int lo, int hi, int k)
{
    const int i = s->order[k];
    const item *x = &s->item[i];
    remember(s, (step){.item = -1, .from = k, .to = lo});
    memmove(&s->order[lo + 1], &s->order[lo], (size_t)(k - lo) * sizeof *s->order);
    s->order[lo] = i;
    const int64_t end = x->pos + x->bytes;
    for (int j = lo + 1; j < hi && s->item[s->order[j]].first <= x->last; j++)
        if (s->item[s->order[j]].last >= x->first)
            raise_item(s, s->order[j], end, end);
}

/* End of the part that begins at lo: items from there on share no section with the items before. */
static int part_end(const search *s, int lo, int hi)
{
    int last = s->item[s->order[lo]].last, k = lo + 1;
    for (; k < hi && s->item[s->order[k]].first <= last; k++)
        last = s->item[s->order[k]].last > last ? s->item[s->order[k]].last : last;
    return k;
}

/* True if the sections end at the cap after a change of item i: all sections of the part or, in a
 * part of more than WHOLE items, the sections of i. */
static bool changed_end(search *s, int lo, int hi, int i, bool placed)
{
    const bool near = hi - lo > WHOLE || (!placed && !s->dynamic);
    return near ? sections_end(s, lo, hi, s->item[i].first, s->item[i].last) : part_ends(s, lo, hi);
}

/* Places the first item of the node that its sections allow. False: none. */
static bool branch(search *s, node *n)
{
    for (;;) {
        const int k = choose_item(s, n->lo, n->hi), i = s->order[k];
        n->placed = s->steps;
        if (s->item[i].pos == s->item[i].floor) {
            n->item = i;
            n->next = n->lo + 1;
            n->most = -1;
            s->nodes--;
            place_item(s, n->lo, n->hi, k);
            if (changed_end(s, n->lo + 1, n->hi, i, true))
                return true;
            undo_steps(s, n->placed);
        }
        if (!raise_above(s, n->lo, n->hi, i) || !changed_end(s, n->lo, n->hi, i, false))
            return false;
    }
}

/* Takes a failed placement back and places the next item. False: none. */
static bool branch_again(search *s, node *n)
{
    undo_steps(s, n->placed);
    return raise_above(s, n->lo, n->hi, n->item) && changed_end(s, n->lo, n->hi, n->item, false) &&
           branch(s, n);
}

/* The next part below the node: *lo..*hi. False: there is none, all items are placed. */
static bool next_part(const search *s, node *n, int *lo, int *hi)
{
    while (n->next < n->hi) {
        *lo = n->next;
        *hi = n->next = part_end(s, n->next, n->hi);
        if (2 * (*hi - *lo) <= n->hi - n->lo)
            return true;
        n->most = *lo;
        n->most_end = *hi;
    }
    *lo = n->most;
    *hi = n->most_end;
    n->most = -1;
    return *lo >= 0;
}

/* Searches from a root that places nothing; its parts are the parts of all items. */
static arena_answer run_tree(search *s)
{
    s->depth = 0;
    s->node[s->depth++] = (node){.hi = s->count, .most = -1};
    while (s->depth > 0) {
        node *n = &s->node[s->depth - 1];
        int lo, hi;
        if (*s->effort <= 0 || s->nodes < 0)
            return ARENA_UNKNOWN;
        if (!next_part(s, n, &lo, &hi)) {
            s->depth--;
            continue;
        }
        const bool fresh = n->hi - n->lo > WHOLE && hi - lo <= WHOLE;
        s->node[s->depth++] = (node){.lo = lo, .hi = hi, .begun = s->steps};
        bool open = (!fresh || part_ends(s, lo, hi)) && branch(s, &s->node[s->depth - 1]);
        while (!open) {
            undo_steps(s, s->node[--s->depth].begun);
            if (s->depth == 1)
                return ARENA_IMPOSSIBLE;
            open = branch_again(s, &s->node[s->depth - 1]);
        }
    }
    return ARENA_FITS;
}

/* ---- preparation --------------------------------------------------------------------------- */

static int compare_item(const void *a, const void *b)
{
    const item *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->last != y->last)
        return x->last < y->last ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static void create_items(search *s, const arena_buffer *buffer, int count)
{
    int *first = base_malloc((size_t)count, sizeof *first);
    int *last = base_malloc((size_t)count, sizeof *last);
    s->sections = arena_sections(buffer, count, first, last);
    for (int b = 0; b < count; b++)
        if (buffer[b].bytes > 0)
            s->item[s->count++] = (item){.first = first[b],
                                         .last = last[b],
                                         .number = b,
                                         .next_twin = -1,
                                         .bytes = buffer[b].bytes};
    base_free_all(first, last);
    qsort(s->item, (size_t)s->count, sizeof *s->item, compare_item);
    for (int i = 0; i + 1 < s->count; i++) {
        const item *x = &s->item[i], *y = &s->item[i + 1];
        if (x->first == y->first && x->last == y->last && x->bytes == y->bytes)
            s->item[i].next_twin = i + 1;
    }
    for (int i = 0; i < s->count; i++) {
        for (int t = s->item[i].first; t <= s->item[i].last; t++)
            s->total[t] += (double)s->item[i].bytes;
        *s->effort -= s->item[i].last - s->item[i].first + SORT_WORK;
    }
}

/* Rules of the runs: prefer long lives; full sections, then long lives; or large areas. Run number
 * r follows rule r % RULES. dynamic: buffers of the fullest section come first. */
static const struct {
    enum { LONG, FULL_LONG, AREA } wish;
    bool dynamic;
} rule[] = {{LONG, true},  {FULL_LONG, false}, {AREA, true},
            {AREA, false}, {FULL_LONG, true},  {LONG, false}};
enum { RULES = sizeof rule / sizeof *rule };

/* Largest of value[first..last], which are not negative. */
static double largest(const double *value, int first, int last)
{
    double most = 0;
    for (int t = first; t <= last; t++)
        most = value[t] > most ? value[t] : most;
    return most;
}

/* Preference of a run for an item; the largest comes first. */
static double preference_of(const search *s, int run, const item *x)
{
    const double life = x->last - x->first + 1;
    const int wish = rule[run % RULES].wish;
    return wish == LONG   ? life
           : wish == AREA ? life * (double)x->bytes
                          : largest(s->total, x->first, x->last) + (life - 1) / s->sections;
}

/* Makes the largest weight 1, if there is one. */
static void scale_weights(search *s)
{
    const double most = largest(s->weight, 0, s->sections - 1);
    for (int t = 0; t < s->sections && most > 0; t++)
        s->weight[t] /= most;
    s->failure = most > 0 ? s->failure / most : 1;
}

/* One run with a rule. After the first round preferences grow with the weights of an item's
 * sections, and have noise. */
static arena_answer run_search(search *s, int run, base_rng *rng)
{
    enum { NOISE_PERCENT = 10 };
    s->steps = 0;
    scale_weights(s);
    s->dynamic = rule[run % RULES].dynamic;
    for (int i = 0; i < s->count; i++) {
        item *x = &s->item[i];
        s->order[i] = i;
        x->floor = x->pos = 0;
        x->preference = preference_of(s, run, x);
        if (run >= RULES)
            x->preference *= (1 + largest(s->weight, x->first, x->last)) *
                             (1 + base_rng_double(rng) * NOISE_PERCENT / 100);
    }
    for (int i = 0; i < s->count; i++)
        raise_item(s, s->item[i].next_twin, 0, s->item[i].pos + s->item[i].bytes);
    return s->count == 0 ? ARENA_FITS : part_ends(s, 0, s->count) ? run_tree(s) : ARENA_IMPOSSIBLE;
}

/* Runs until one answers. A run may place twice as many items as in the round before. */
static arena_answer run_all(search *s)
{
    base_rng rng = {.state = 1};
    arena_answer answer = ARENA_UNKNOWN;
    int64_t nodes = 2 * (int64_t)s->count + 1;
    for (int run = 0; answer == ARENA_UNKNOWN && *s->effort > 0; run++) {
        s->nodes = nodes;
        answer = run_search(s, run, &rng);
        if (run % RULES == RULES - 1)
            nodes *= 2;
    }
    return answer;
}

arena_answer arena_search(const arena_buffer *buffer, int count, int64_t cap, int64_t *offset,
                          int64_t *effort)
{
    const size_t extent = (size_t)count;
    search s = {.cap = cap,
                .item = base_malloc(extent, sizeof *s.item),
                .order = base_malloc(extent, sizeof *s.order),
                .by_pos = base_malloc(extent, sizeof *s.by_pos),
                .end = base_malloc(extent, sizeof *s.end),
                .total = base_calloc(extent, sizeof *s.total),
                .weight = base_calloc(extent, sizeof *s.weight),
                .node = base_malloc(extent + 1, sizeof *s.node),
                .effort = effort};
    if (*effort > 0)
        create_items(&s, buffer, count);
    const arena_answer answer = run_all(&s);
    if (answer == ARENA_FITS)
        memset(offset, 0, extent * sizeof *offset);
    for (int i = 0; i < s.count && answer == ARENA_FITS; i++)
        offset[s.item[i].number] = s.item[i].pos;
    base_free_all(s.item, s.order, s.by_pos, s.end, s.total, s.weight, s.trail, s.node);
    return answer;
}
