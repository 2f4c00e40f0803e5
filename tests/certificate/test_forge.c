/* Forgeries: the proof of a tighter problem passed off as one of the problem itself, with several
 * changes that keep it well formed. Whatever holds must be true. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formulation/formulation.h"
#include "problem/json.h"
#include "tests/certificate/support.h"
#include "tests/oracle/bait_instance.h"
#include "tests/suite.h"

SUITE("forged", .seconds = 300);

static int below(base_rng *rng, int bound)
{
    return (int)base_rng_below(rng, (uint64_t)bound);
}

/* ---- a proof as lines of words ------------------------------------------------------------- */

enum { WORDS = 64, LENGTH = 32 };

typedef struct line {
    int words;
    char word[WORDS][LENGTH];
} line;

typedef struct proof {
    int count, capacity;
    line *line;
} proof;

static void add_line(proof *p, int at, line l)
{
    if (p->count == p->capacity) {
        p->capacity = 2 * p->capacity + 64;
        p->line = base_realloc(p->line, (size_t)p->capacity, sizeof *p->line);
    }
    memmove(p->line + at + 1, p->line + at, (size_t)(p->count++ - at) * sizeof *p->line);
    p->line[at] = l;
}

static void drop_line(proof *p, int at)
{
    memmove(p->line + at, p->line + at + 1, (size_t)(--p->count - at) * sizeof *p->line);
}

/* Words beyond the last that a line can have are lost: then the forgery is malformed. */
static proof proof_of(const char *text)
{
    proof p = {0};
    while (*text) {
        line l = {0};
        const size_t length = strcspn(text, "\n");
        for (size_t at = 0; at < length && l.words < WORDS;) {
            const size_t word = strcspn(text + at, " \n");
            snprintf(l.word[l.words++], LENGTH, "%.*s", (int)word, text + at);
            at += word + 1;
        }
        add_line(&p, p.count, l);
        text += length + (text[length] == '\n');
    }
    return p;
}

static proof copy_of(const proof *p)
{
    proof copy = {.count = p->count, .capacity = p->count};
    copy.line = base_malloc((size_t)p->count + 1, sizeof *copy.line);
    if (p->line)
        memcpy(copy.line, p->line, (size_t)p->count * sizeof *copy.line);
    return copy;
}

static bool is_word(const line *l, int word, const char *text)
{
    return word < l->words && strcmp(l->word[word], text) == 0;
}

/* Which word of a step's line counts the lines behind it; 0: none. */
static int counted(const line *l)
{
    return is_word(l, 0, "reduce") || is_word(l, 0, "leaf") ? 2
           : is_word(l, 0, "probe")                         ? 6
           : is_word(l, 0, "cases")                         ? 1
                                                            : 0;
}

/* A multiplier, or a cell of a case. */
static bool is_behind(const line *l)
{
    static const char *const cells[] = {"R", "C", "P", "In", "Out"};
    for (int k = 0; k < 5; k++)
        if (is_word(l, 0, cells[k]))
            return true;
    return strchr("-0123456789", l->word[0][0]) != NULL;
}

static void repair_counts(proof *p)
{
    for (int k = 0; k < p->count; k++) {
        const int word = counted(&p->line[k]);
        int count = 0;
        while (k + 1 + count < p->count && is_behind(&p->line[k + 1 + count]))
            count++;
        if (word > 0 && word < p->line[k].words)
            snprintf(p->line[k].word[word], LENGTH, "%d", count);
    }
}

/* ---- changes ---------------------------------------------------------------------------- */

static void change_number(char *word, base_rng *rng)
{
    char *end;
    const long whole = strtol(word, &end, 10);
    const double real = strtod(word, NULL);
    static const double factor[] = {0.5, 2, -1, 1.001, 0.999, 1e6};
    if (*end == '\0' && *word)
        snprintf(word, LENGTH, "%ld", whole + (below(rng, 2) ? 1 : -1) * (1 + below(rng, 3)));
    else if (*word >= '0' && *word <= '9')
        snprintf(word, LENGTH, "%a", real * factor[below(rng, 6)]);
}

/* A word of another line that begins alike, in the same place. */
static void borrow_word(proof *p, int at, int word, base_rng *rng)
{
    for (int attempt = 0; attempt < 20; attempt++) {
        const line *other = &p->line[below(rng, p->count)];
        const bool alike = strcmp(other->word[0], p->line[at].word[0]) == 0 ||
                           (is_behind(other) && is_behind(&p->line[at]));
        if (!alike || word >= other->words)
            continue;
        char copy[LENGTH];
        memcpy(copy, other->word[word], LENGTH);
        memcpy(p->line[at].word[word], copy, LENGTH);
        return;
    }
}

/* All multipliers of a step by one factor. */
static void scale_multipliers(proof *p, int at, base_rng *rng)
{
    static const double factor[] = {0.5, 1.5, 2, 1024};
    const double by = factor[below(rng, 4)];
    for (; at < p->count && !is_behind(&p->line[at]); at++)
        ;
    for (; at < p->count && is_behind(&p->line[at]); at++)
        snprintf(p->line[at].word[0], LENGTH, "%a", by * strtod(p->line[at].word[0], NULL));
}

static void change_step(proof *p, base_rng *rng)
{
    static const char *const steps[] = {
        "next\n",       "branch 0 R 2 1\n", "schedule 0\n",           "schedule 1\n",
        "schedule 2\n", "leaf 0 0\n",       "propagate 0 overhead\n", "propagate 0 case\n",
        "cases 0\n"};
    const int at = below(rng, p->count);
    if (below(rng, 2)) {
        proof step = proof_of(steps[below(rng, sizeof steps / sizeof *steps)]);
        if (step.line)
            add_line(p, at, step.line[0]);
        base_free(step.line);
        return;
    }
    /* from another place, with what is behind it, or away with it */
    int from = below(rng, p->count), to = at;
    const bool move = below(rng, 2);
    while (from > 0 && is_behind(&p->line[from]))
        from--;
    do {
        const line l = p->line[from];
        if (move) {
            add_line(p, to, l);
            from += to <= from ? 2 : 1;
            to++;
        } else if (p->count > 1) {
            drop_line(p, from);
        }
    } while (from < p->count && p->count > 1 && is_behind(&p->line[from]));
}

static void change(proof *p, base_rng *rng)
{
    const int at = below(rng, p->count), word = below(rng, p->line[at].words);
    line l = p->line[at];
    switch (below(rng, 9)) {
    case 0:
        change_number(p->line[at].word[word], rng);
        break;
    case 1:
    case 2:
        borrow_word(p, at, word, rng);
        break;
    case 3:
        if (p->count > 1)
            drop_line(p, at);
        break;
    case 4:
        add_line(p, below(rng, p->count), l);
        break;
    case 5:
        scale_multipliers(p, at, rng);
        break;
    case 6:
        p->line[at] = p->line[below(rng, p->count)];
        break;
    default:
        change_step(p, rng);
    }
}

/* ---- forgeries -------------------------------------------------------------------------- */

/* Makes a problem tighter, be it by higher costs of its graph. */
static void tighten(problem *q, graph *g, base_rng *rng)
{
    const int64_t least = graph_minimum_bytes(g, NULL);
    switch (below(rng, 8)) {
    case 0:
    case 1:
        if (q->ram_budget_bytes > least)
            q->ram_budget_bytes -=
                1 + (int64_t)base_rng_below(rng, (uint64_t)(q->ram_budget_bytes - least));
        break;
    case 2:
        q->deadline_seconds =
            fmin(q->deadline_seconds, graph_base_seconds(g) + (double)below(rng, 16) / 8);
        break;
    case 3:
        q->allow_paging = false;
        break;
    case 4:
        q->allow_remat = false;
        break;
    case 5:
        q->max_computations = 1 + below(rng, 2);
        break;
    case 6:
        q->charge_pagein_transfer = q->deadline_includes_paging = true;
        break;
    default:
        for (int i = 0; i < g->n; i++) {
            g->joules[i] *= 1 + below(rng, 2);
            g->pagein_joules[i] *= 1 + below(rng, 2);
        }
    }
}

/* The certificate of p with a schedule and with the lines of a proof; base_free. */
static char *composed(const problem *p, schedule *s, const proof *lines)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    fputs("poetbnb certificate 2\n", out);
    schedule_print(p, s, NULL, NULL, NULL, NAN, out);
    for (int k = 0; k < lines->count; k++)
        for (int w = 0; w < lines->line[k].words; w++)
            fprintf(out, "%s%c", lines->line[k].word[w], w + 1 < lines->line[k].words ? ' ' : '\n');
    fclose(out);
    char *copy = base_strdup(text);
    free(text);
    return copy;
}

typedef struct tally {
    long lies, judged, well_formed, rounded;
} tally;

static void judge_forgery(const problem *p, schedule *s, const proof *lines,
                          const oracle_result *truth, tally *t)
{
    base_error error = {""};
    OWNED(certificate_report) report;
    OWNED(char) *text = composed(p, s, lines);
    const certificate_verdict verdict = judge_text(text, &report, &error);
    t->judged++;
    t->well_formed += verdict != CERTIFICATE_MALFORMED;
    t->rounded += verdict != CERTIFICATE_MALFORMED && line_of(text, "round") != NULL;
    if (verdict == CERTIFICATE_HOLDS) {
        const bool right = report.infeasible
                               ? !truth->feasible
                               : report.bound_joules <= truth->overhead_joules * (1 + 1e-12);
        ck_assert_msg(right, "a false claim holds (the optimum is %.17g):\n%s",
                      truth->overhead_joules, text);
    }
}

/* A claim between the optimum and the schedule, often hardly above the optimum. */
static void claim_less(proof *lines, double optimum, double overhead, base_rng *rng)
{
    static const double part[] = {1e-6, 0.01, 0.3, 1};
    if (is_word(&lines->line[1], 0, "bound") && isfinite(optimum))
        snprintf(lines->line[1].word[1], LENGTH, "%a",
                 optimum + part[below(rng, 4)] * (overhead - optimum));
}

/* Of a proof for q, which is tighter than p: for p, and with random changes. */
static void forge(const problem *p, const problem *q, cert_trust trust, uint64_t seed, tally *t)
{
    enum { FORGERIES = 60 };
    base_rng rng = {seed};
    exact_params params = exact_params_default();
    OWNED(exact_result) r = {0};
    params.heuristics = false;
    if (seed % 3 == 0)
        params.features &= ~(unsigned)(FORMULATION_EVENT_CUTS | FORMULATION_SOURCE_CUTS);
    OWNED(char) *text = certified(q, &params, trust, &r);
    oracle_result truth = oracle_solve(p);
    const bool lie =
        text && (r.schedule ? truth.overhead_joules < 0.999 * r.validation.overhead_joules
                            : truth.feasible);
    if (lie) {
        proof lines = proof_of(strstr(text, "\ntrust ") + 1);
        OWNED(schedule) *s = r.schedule ? schedule_copy(r.schedule) : schedule_create(p->graph->n);
        t->lies++;
        judge_forgery(p, s, &lines, &truth, t);
        for (int k = 0; k < FORGERIES; k++) {
            proof changed = copy_of(&lines);
            claim_less(&changed, truth.overhead_joules, r.validation.overhead_joules, &rng);
            for (int c = below(&rng, 4); c >= 0; c--)
                change(&changed, &rng);
            repair_counts(&changed);
            judge_forgery(p, s, &changed, &truth, t);
            base_free(changed.line);
        }
        base_free(lines.line);
    }
    schedule_free(truth.schedule);
}

LOOP_TEST(what_holds_is_true, CERT_TRUSTS)
{
    enum { INSTANCES = MANY(400) };
    const cert_trust trust = (cert_trust)_i;
    tally t = {0};
    for (uint64_t seed = 0; seed < INSTANCES; seed++) {
        OWNED(random_instance) loose = any_instance_make(seed, 6),
                               tight = any_instance_make(seed, 6);
        base_rng rng = {seed};
        tighten(&tight.problem, tight.graph, &rng);
        forge(&loose.problem, &tight.problem, trust, seed, &t);
    }
    ck_assert_int_gt(t.lies, INSTANCES / 10);
    ck_assert_int_gt(t.well_formed, t.judged / 3);
    ck_assert_int_gt(t.rounded, MANY(30));
}
