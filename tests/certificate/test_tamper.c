/* Certificates that somebody changed: what no longer proves its claim is refused, with the
 * line. */
#include <string.h>

#include "formulation/formulation.h"

#include "tests/certificate/support.h"
#include "tests/suite.h"

SUITE("tampered", .seconds = 600);

/* A certificate of optimality whose text has every word at the start of a line, by a weak model if
 * need be: few cuts make long proofs. */
static char *certificate_with(const char *word, const char *other, random_instance *i,
                              exact_result *r)
{
    exact_params params = exact_params_default();
    params.heuristics = false;
    if (strcmp(word, "event") != 0)
        params.features &= ~(unsigned)(FORMULATION_EVENT_CUTS | FORMULATION_SOURCE_CUTS);
    for (uint64_t seed = 50140;; seed++) { /* earlier ones have no branches */
        *i = draw_instance(seed, 12);
        char *text = certified(&i->problem, &params, CERT_EXCHANGES, r);
        if (text && r->schedule && line_of(text, word) && line_of(text, other))
            return text;
        base_free(text);
        exact_result_clear(r);
        random_instance_free(i);
    }
}

static long line_number(const char *text, const char *line)
{
    long lines = 1;
    for (const char *at = text; at < line; at++)
        lines += *at == '\n';
    return lines;
}

/* The changed text (freed here) must get the verdict, with a message that names the line (0:
 * any). */
static void refused(char *text, certificate_verdict expected, long line, const char *what)
{
    base_error error = {""};
    OWNED(certificate_report) report = {0};
    char place[64];
    ck_assert_msg(text != NULL, "%s: nothing was changed", what);
    certificate_verdict verdict = judge_text(text, &report, &error);
    ck_assert_msg(verdict == expected, "%s: verdict %d, %s", what, (int)verdict, error.text);
    snprintf(place, sizeof place, "changed: line %ld:", line);
    ck_assert_msg(line == 0 ? strstr(error.text, "line ") != NULL
                            : strncmp(error.text, place, strlen(place)) == 0,
                  "%s: %s", what, error.text);
    base_free(text);
}

static char *with_number(const char *text, const char *line, const char *format, double value)
{
    char as[128];
    snprintf(as, sizeof as, format, value);
    return with_line(text, line, as);
}

/* The line is one of a rounding's, in which multipliers have any sign. */
static bool is_in_round(const char *text, const char *line)
{
    while (line > text && (strncmp(line, "0x", 2) == 0 || strncmp(line, "-0x", 3) == 0))
        for (line--; line > text && line[-1] != '\n'; line--)
            ;
    return strncmp(line, "round", 5) == 0;
}

static bool is_of_equality(const char *line)
{
    const char *row = strchr(line, ' ');
    return strncmp(row, " load ", 6) == 0 || strncmp(row, " total ", 7) == 0;
}

static bool has_a_sign(const char *text, const char *line)
{
    return !is_of_equality(line) && !is_in_round(text, line);
}

TEST(sign_of_a_multiplier)
{
    OWNED(random_instance) i;
    OWNED(exact_result) r = {0};
    OWNED(char) *text = certificate_with("branch", "reduce", &i, &r);
    int changed = 0, multipliers = 0, seen = 0;
    for (const char *at = line_of(text, "0x"); at; at = line_of(strchr(at, '\n') + 1, "0x"))
        multipliers += has_a_sign(text, at);
    /* a hundred of them: an inequality's is refused at its line */
    for (const char *at = line_of(text, "0x"); at; at = line_of(strchr(at, '\n') + 1, "0x")) {
        if (!has_a_sign(text, at) || seen++ % (1 + multipliers / 100) > 0)
            continue;
        char *bad = replaced(text, at, "0x", "-0x");
        refused(bad, CERTIFICATE_WRONG, line_number(text, at), "sign");
        changed++;
    }
    ck_assert_int_gt(changed, 20);
}

/* A copy without the step at that place and its multipliers. */
static char *without_step(const char *text, const char *line)
{
    size_t place = (size_t)(line - text);
    char *copy = without_line(text, line);
    while (strncmp(copy + place, "0x", 2) == 0 || strncmp(copy + place, "-0x", 3) == 0) {
        char *next = without_line(copy, copy + place);
        base_free(copy);
        copy = next;
    }
    return copy;
}

/* A certificate that does not change with the solver. */
static char *kept_tree(void)
{
    base_error error;
    size_t size;
    char *text = base_file_read("tests/data/certificates/tree.cert", 1 << 20, &size, &error);
    ck_assert_msg(text != NULL, "%s", error.text);
    return text;
}

/* A leaf is idle where the checker sees sooner than the solver that nothing is left; not all are.
 */
TEST(leaves_left_out)
{
    int needed = 0;
    OWNED(char) *text = kept_tree();
    for (const char *at = line_of(text, "leaf"); at; at = line_of(strchr(at, '\n') + 1, "leaf")) {
        base_error error;
        OWNED(certificate_report) report = {0};
        OWNED(char) *less = without_step(text, at);
        certificate_verdict verdict = judge_text(less, &report, &error);
        ck_assert_int_ne(verdict, CERTIFICATE_MALFORMED);
        needed += verdict == CERTIFICATE_WRONG && strstr(error.text, "not complete") != NULL;
    }
    ck_assert_int_gt(needed, 0);
    refused(without_step(text, line_of(text, "branch")), CERTIFICATE_MALFORMED, 0,
            "a branching less");
}

/* Without the eliminations the tree does not prove its bound. */
TEST(eliminations_left_out)
{
    char *text = kept_tree();
    while (line_of(text, "reduce")) {
        char *less = without_step(text, line_of(text, "reduce"));
        base_free(text);
        text = less;
    }
    refused(text, CERTIFICATE_WRONG, 0, "no eliminations");
}

TEST(multipliers_left_out)
{
    OWNED(random_instance) i;
    OWNED(exact_result) r = {0};
    OWNED(char) *text = certificate_with("branch", "leaf", &i, &r);
    char *bad = without_line(text, line_of(text, "0x"));
    refused(bad, CERTIFICATE_MALFORMED, 0, "one multiplier less");
    /* halves of all of them do not reach the bound */
    char *half = base_strdup(text);
    for (char *at = strchr(strstr(half, "\nscale"), 'p') + 2; (at = strstr(at, "p+")) != NULL;)
        at[1] = '-';
    refused(half, CERTIFICATE_WRONG, 0, "small multipliers");
}

TEST(right_side_of_a_cut)
{
    OWNED(random_instance) i;
    OWNED(exact_result) r = {0};
    OWNED(char) *text = certificate_with("event", "reduce", &i, &r);
    int changed = 0;
    for (const char *at = line_of(text, "event"); at; at = line_of(strchr(at, '\n') + 1, "event")) {
        int t, k, length, items;
        long rhs;
        bool conditional =
            sscanf(at, "event %d %d if %ld %d%n", &t, &k, &rhs, &items, &length) == 4;
        if (!conditional)
            ck_assert_int_eq(sscanf(at, "event %d %d %ld %d%n", &t, &k, &rhs, &items, &length), 4);
        char start[96];
        snprintf(start, sizeof start, "event %d %d%s %ld %d", t, k, conditional ? " if" : "",
                 rhs - 1, items);
        size_t rest = (size_t)(strchr(at, '\n') - at) - (size_t)length;
        char *as = base_malloc(strlen(start) + rest + 1, 1);
        sprintf(as, "%s%.*s", start, (int)rest, at + length);
        /* the solver's cuts are tight: one less cuts off a set that fits */
        refused(with_line(text, at, as), CERTIFICATE_WRONG, line_number(text, at), "right side");
        base_free(as);
        changed++;
    }
    ck_assert_int_gt(changed, 0);
}

TEST(the_claim)
{
    OWNED(random_instance) i;
    OWNED(exact_result) r = {0};
    OWNED(char) *text = certificate_with("branch", "leaf", &i, &r);
    double overhead = r.validation.overhead_joules;
    const char *line = line_of(text, "bound");
    refused(with_number(text, line, "bound %a", overhead * (1 + 1e-6)), CERTIFICATE_WRONG, 0,
            "a bound above the overhead");
    refused(with_line(text, line, "infeasible"), CERTIFICATE_WRONG, 0, "infeasible");
    refused(with_line(text, line, "bound nan"), CERTIFICATE_MALFORMED, line_number(text, line),
            "no number");
    refused(with_line(text, line_of(text, "scale"), "scale -0x1p+0"), CERTIFICATE_MALFORMED, 0,
            "scale");
    refused(replaced(text, text, "\nend\n", "\n"), CERTIFICATE_MALFORMED, 0, "no end");
    refused(replaced(text, text, "\nend\n", "\nend\nend\n"), CERTIFICATE_MALFORMED, 0, "two ends");
    refused(replaced(text, text, "certificate 2", "certificate 3"), CERTIFICATE_MALFORMED, 1,
            "another version");
    /* a weaker bound is a true claim, and said to be no proof of optimality */
    base_error error;
    OWNED(certificate_report) report;
    OWNED(char) *weak = with_number(text, line, "bound %a", overhead / 2);
    ck_assert_msg(judge_text(weak, &report, &error) == CERTIFICATE_HOLDS, "%s", error.text);
    ck_assert(!report.optimal);
}

/* The first node that is never written out. */
static int never_written(const schedule *s)
{
    for (int i = 0; i < s->n - 1; i++) {
        bool written = false;
        for (int t = 0; t < s->n; t++)
            written = written || s->Out[schedule_cell(s, t, i)];
        if (!written)
            return i;
    }
    ck_abort_msg("every node is written out");
    return -1;
}

TEST(the_schedule)
{
    OWNED(random_instance) i;
    OWNED(exact_result) r = {0};
    OWNED(char) *text = certificate_with("branch", "leaf", &i, &r);
    const char *matrix = strstr(text, "\"R\": [[0,0],");
    ck_assert_ptr_nonnull(matrix);
    refused(replaced(text, matrix, "[0,0],", ""), CERTIFICATE_WRONG, 2, "a node is not computed");
    char in[64];
    snprintf(in, sizeof in, "\"In\": [[%d,%d]%s", i.graph->n - 1, never_written(r.schedule),
             strstr(text, "\"In\": []") ? "" : ",");
    refused(replaced(text, text, "\"In\": [", in), CERTIFICATE_WRONG, 2, "paged in from nowhere");
}

/* The certificate of the instance as one for a budget `more` bytes larger, which has a better
 * schedule: the same schedule, the same steps, another budget. NULL: there is none. */
static char *lie_of(const random_instance *i, int64_t more)
{
    char from[64], to[64];
    exact_params params = exact_params_default();
    params.heuristics = false;
    OWNED(exact_result) r = {0};
    OWNED(char) *text = certified(&i->problem, &params, CERT_EXCHANGES, &r);
    problem larger = i->problem;
    larger.ram_budget_bytes += more;
    OWNED(exact_result) better = exact_solve(&larger, &params);
    const bool improves =
        better.schedule &&
        (!r.schedule || better.validation.overhead_joules < 0.999 * r.validation.overhead_joules);
    snprintf(from, sizeof from, "\"ram_budget_bytes\": %lld",
             (long long)i->problem.ram_budget_bytes);
    snprintf(to, sizeof to, "\"ram_budget_bytes\": %lld", (long long)larger.ram_budget_bytes);
    return text && improves ? replaced(text, text, from, to) : NULL;
}

TEST(the_budget)
{
    int lies = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        OWNED(random_instance) i = draw_instance(seed, 6);
        char *lie = lie_of(&i, i.problem.ram_budget_bytes / 4 + 1);
        lies += lie != NULL;
        if (lie)
            refused(lie, CERTIFICATE_WRONG, 0, "another budget");
    }
    ck_assert_int_ge(lies, 60);
}

/* ---- many random changes to proofs of lies --------------------------------------------- */

/* One change: a word or a line is dropped, doubled or taken from elsewhere in the proof. */
static char *mutated(const char *text, const char *proof, base_rng *rng)
{
    size_t length = strlen(proof);
    const char *a = proof + base_rng_below(rng, length - 1),
               *b = proof + base_rng_below(rng, length - 1);
    char separator = base_rng_below(rng, 2) ? '\n' : ' ';
    a = strchr(a, separator);
    b = strchr(b, separator);
    if (!a || !b)
        return base_strdup(text);
    const char *a_end = strchr(a + 1, separator), *b_end = strchr(b + 1, separator);
    if (!a_end || !b_end)
        return base_strdup(text);
    size_t first = (size_t)(a - text), taken = (size_t)(b_end - b);
    bool insert = base_rng_below(rng, 3) == 0, drop = base_rng_below(rng, 3) == 0;
    size_t rest = insert ? first : (size_t)(a_end - text);
    char *copy = base_malloc(strlen(text) + taken + 1, 1);
    snprintf(copy, strlen(text) + taken + 1, "%.*s%.*s%s", (int)first, text, drop ? 0 : (int)taken,
             b, text + rest);
    return copy;
}

/* No change to the proof may make a false claim hold. */
TEST(lies_do_not_become_true)
{
    int lies = 0;
    for (uint64_t seed = 1000; seed < 1000 + MANY(150); seed++) {
        OWNED(random_instance) i = draw_instance(seed, 6);
        const int64_t more = 1 + (int64_t)(seed % 3) * i.problem.ram_budget_bytes / 8;
        OWNED(char) *lie = lie_of(&i, more);
        base_rng rng = {seed};
        for (int k = 0; lie && k < 150; k++) {
            base_error error = {""};
            OWNED(certificate_report) report;
            OWNED(char) *bad = mutated(lie, line_of(lie, "scale"), &rng);
            ck_assert_int_ne(judge_text(bad, &report, &error), CERTIFICATE_HOLDS);
            ck_assert_ptr_nonnull(strstr(error.text, "line "));
        }
        lies += lie != NULL;
    }
    ck_assert_int_ge(lies, MANY(20));
}
