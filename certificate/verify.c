/* The checker's reader: takes a certificate line by line and lets certificate/proof.h judge each
 * step. */
#include "certificate/verify.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "certificate/proof.h"
#include "problem/json.h"

#define SIZE_LIMIT ((size_t)1 << 32)
enum { MAX_WORDS = 20000 };

typedef struct reader {
    const char *path;
    char *text, *next; /* next: the line after the present one */
    long line;
    char **word; /* of the present line */
    int words;
    base_error *error;
    certificate_verdict verdict;
    schedule_file *file;
    cert_proof *proof;
    cert_multiplier *y;
    int count, capacity;
    long *made; /* line in which each node was made */
    int made_capacity;
    certificate_report *report;
} reader;

static bool fail(reader *r, certificate_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Always false. */
static bool fail(reader *r, certificate_verdict verdict, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    r->verdict = verdict;
    base_fail(r->error, "%s: line %ld: %s", r->path, r->line, text);
    return false;
}

static bool malformed(reader *r, const char *expected)
{
    return fail(r, CERTIFICATE_MALFORMED, "%s is expected", expected);
}

/* ---- words --------------------------------------------------------------------------- */

/* The next line, split at single spaces; false at the end of the file. */
static bool next_line(reader *r)
{
    if (*r->next == '\0')
        return fail(r, CERTIFICATE_MALFORMED, "the certificate ends here, before `end'");
    char *end = strchr(r->next, '\n');
    char *line = r->next;
    r->line++;
    base_work(100);
    if (!end)
        return fail(r, CERTIFICATE_MALFORMED, "the line is cut off");
    *end = '\0';
    r->next = end + 1;
    r->words = 0;
    for (char *at = line; at;) {
        char *space = strchr(at, ' ');
        if (r->words == MAX_WORDS || *at == '\0' || *at == ' ')
            return malformed(r, "a line of words with one space between them");
        r->word[r->words++] = at;
        if (space)
            *space++ = '\0';
        at = space;
    }
    return true;
}

static bool read_integer(reader *r, int word, int64_t least, int64_t most, int64_t *value)
{
    char *end;
    if (word >= r->words)
        return malformed(r, "a longer line");
    errno = 0;
    long long v = strtoll(r->word[word], &end, 10);
    if (errno || *end || end == r->word[word] || v < least || v > most)
        return fail(r, CERTIFICATE_MALFORMED,
                    "\"%.40s\": an integer from %" PRId64 " to %" PRId64 " is expected",
                    r->word[word], least, most);
    *value = v;
    return true;
}

static bool read_int(reader *r, int word, int least, int most, int *value)
{
    int64_t v = 0;
    if (!read_integer(r, word, least, most, &v))
        return false;
    *value = (int)v;
    return true;
}

static bool read_real(reader *r, int word, double *value)
{
    char *end;
    if (word >= r->words)
        return malformed(r, "a longer line");
    *value = strtod(r->word[word], &end);
    if (*end || end == r->word[word] || !isfinite(*value))
        return fail(r, CERTIFICATE_MALFORMED, "\"%.40s\": a finite number is expected",
                    r->word[word]);
    return true;
}

static bool words_are(reader *r, int count)
{
    return r->words == count || malformed(r, "another number of words in this line");
}

static bool read_node(reader *r, int word, int *node)
{
    return read_int(r, word, 0, r->proof->nodes - 1, node);
}

/* A row's name from a word to the end of the line; cuts have kind CERT_ROW_KINDS and their number
 * in i. */
static bool read_key(reader *r, int word, cert_key *key)
{
    int n = r->proof->m->n, kind = 0;
    if (word >= r->words)
        return malformed(r, "the name of a row");
    *key = (cert_key){CERT_ROW_KINDS, -1, -1, -1};
    if (strcmp(r->word[word], "cut") == 0)
        return words_are(r, word + 2) && read_int(r, word + 1, 0, r->proof->cuts - 1, &key->i);
    while (kind < (int)CERT_ROW_KINDS && strcmp(cert_row_names[kind].word, r->word[word]) != 0)
        kind++;
    if (kind == (int)CERT_ROW_KINDS)
        return fail(r, CERTIFICATE_MALFORMED, "\"%.40s\" is no row that this checker knows",
                    r->word[word]);
    const cert_row_name *name = &cert_row_names[kind];
    int place = word + 1;
    key->kind = (cert_row_kind)kind;
    return (!name->t || read_int(r, place++, 0, n - 1, &key->t)) &&
           (!name->i || read_int(r, place++, 0, n - 1, &key->i)) &&
           (!name->k || read_int(r, place++, -1, n - 1, &key->k)) && words_are(r, place);
}

/* KIND t i, from a word on. */
static bool read_cell(reader *r, int word, int *col)
{
    int kind = 0, t, i;
    if (word >= r->words)
        return malformed(r, "a cell");
    while (kind < (int)CERT_CELLS && strcmp(cert_cell_word[kind], r->word[word]) != 0)
        kind++;
    if (kind == (int)CERT_CELLS)
        return fail(r, CERTIFICATE_MALFORMED, "\"%.40s\": R, C, P, In or Out is expected",
                    r->word[word]);
    if (!read_int(r, word + 1, 1, r->proof->m->n - 1, &t) || !read_int(r, word + 2, 0, t - 1, &i))
        return false;
    *col = cert_cell(r->proof->m, (cert_kind)kind, t, i);
    return true;
}

/* As many lines "y ROW" as the word says. */
static bool read_multipliers(reader *r, int word)
{
    int count;
    if (!read_int(r, word, 0, INT32_MAX, &count) || !words_are(r, word + 1))
        return false;
    r->count = 0;
    for (int k = 0; k < count; k++) {
        double y = 0;
        cert_key key;
        if (!next_line(r) || !read_real(r, 0, &y) || !read_key(r, 1, &key))
            return false;
        if (r->count == r->capacity) {
            r->capacity = 2 * r->capacity + 256;
            r->y = base_realloc(r->y, (size_t)r->capacity, sizeof *r->y);
        }
        cert_multiplier *to = &r->y[r->count++];
        *to = (cert_multiplier){key.kind == CERT_ROW_KINDS ? key.i : -1, key, number_of(y)};
        if (to->y.mantissa && to->y.exponent < -CERT_MULTIPLIER_GRID)
            return malformed(r, "a multiple of 2^-200");
        if (y < 0 && key.kind != CERT_ROW_LOAD)
            return fail(r, CERTIFICATE_WRONG, "a negative multiplier on an inequality");
    }
    r->report->multipliers += count;
    return true;
}

/* ---- steps ---------------------------------------------------------------------------- */

/* A step's own line, for messages after its multipliers were read. */
static bool judge(reader *r, long line, const char *fault)
{
    r->report->steps++;
    if (!fault)
        return true;
    r->line = line;
    return fail(r, CERTIFICATE_WRONG, "%s", fault);
}

static bool read_event_cut(reader *r, cert_cut *cut)
{
    int count, n = r->proof->m->n;
    cut->conditional = r->words > 3 && strcmp(r->word[3], "if") == 0;
    int place = cut->conditional ? 4 : 3;
    if (!read_int(r, 1, 0, n - 1, &cut->t) || !read_int(r, 2, 0, n - 1, &cut->k) ||
        !read_integer(r, place, INT64_MIN, INT64_MAX, &cut->rhs) ||
        !read_int(r, place + 1, 0, n, &count) || !words_are(r, place + 2 + 2 * count))
        return false;
    cut->tensor = base_malloc((size_t)count + 1, sizeof *cut->tensor);
    cut->coef = base_malloc((size_t)count + 1, sizeof *cut->coef);
    cut->count = count;
    for (int j = 0; j < count; j++)
        if (!read_int(r, place + 2 + 2 * j, 0, n - 1, &cut->tensor[j]) ||
            !read_integer(r, place + 3 + 2 * j, INT64_MIN, INT64_MAX, &cut->coef[j]))
            return false;
    return true;
}

static bool read_source_cut(reader *r, cert_cut *cut)
{
    int n = r->proof->m->n;
    cut->source = true;
    cut->kept = r->words > 4 && strcmp(r->word[4], "kept") == 0;
    int place = cut->kept ? 5 : 4;
    if (r->words <= place)
        return malformed(r, "a longer line");
    if (!read_int(r, 1, 0, n - 1, &cut->k) || !read_int(r, 2, 0, n - 1, &cut->t) ||
        !read_int(r, 3, 0, n - 1, &cut->last))
        return false;
    cut->tensor = base_malloc((size_t)(r->words - place), sizeof *cut->tensor);
    for (; place < r->words; place++) {
        bool out = cut->count > 0 && strcmp(r->word[place], "out") == 0;
        if (!out && !read_int(r, place, 0, n - 1, &cut->tensor[cut->count++]))
            return false;
        if (out && strcmp(r->word[place - 1], "out") == 0)
            return malformed(r, "one word out behind a node");
        if (out && cut->count <= CERT_PATH)
            cut->stored |= 1u << (cut->count - 1);
    }
    return true;
}

static bool step_cut(reader *r)
{
    cert_cut cut = {0};
    const char *fault = NULL;
    bool source = strcmp(r->word[0], "source") == 0;
    bool good = source ? read_source_cut(r, &cut) : read_event_cut(r, &cut);
    if (good) {
        cert_proof_cut(r->proof, &cut, &fault);
        r->report->cuts++;
        good = judge(r, r->line, fault);
    }
    cert_cut_clear(&cut);
    return good;
}

static bool step_reduce(reader *r)
{
    int node;
    long line = r->line;
    return read_node(r, 1, &node) && read_multipliers(r, 2) &&
           judge(r, line, cert_proof_reduce(r->proof, node, r->y, r->count));
}

static bool step_leaf(reader *r)
{
    int node;
    long line = r->line;
    return read_node(r, 1, &node) && read_multipliers(r, 2) &&
           judge(r, line, cert_proof_leaf(r->proof, node, r->y, r->count));
}

static bool step_probe(reader *r)
{
    int node, col, value;
    long line = r->line;
    return read_node(r, 1, &node) && read_cell(r, 2, &col) && read_int(r, 5, 0, 1, &value) &&
           read_multipliers(r, 6) &&
           judge(r, line, cert_proof_probe(r->proof, node, col, value, r->y, r->count));
}

static bool step_propagate(reader *r)
{
    int node;
    cert_key key;
    if (!read_node(r, 1, &node))
        return false;
    if (r->words == 3 && strcmp(r->word[2], "overhead") == 0)
        return judge(r, r->line, cert_proof_propagate(r->proof, node, NULL));
    return read_key(r, 2, &key) && judge(r, r->line, cert_proof_propagate(r->proof, node, &key));
}

static bool step_branch(reader *r)
{
    int node, col = -1, first;
    if (!read_node(r, 1, &node) || !read_cell(r, 2, &col) || !words_are(r, 5) ||
        !judge(r, r->line, cert_proof_branch(r->proof, node, col, &first)))
        return false;
    if (r->proof->nodes > r->made_capacity) {
        r->made_capacity = 2 * r->proof->nodes;
        r->made = base_realloc(r->made, (size_t)r->made_capacity, sizeof *r->made);
    }
    r->made[first] = r->made[first + 1] = r->line;
    return true;
}

static bool step_schedule(reader *r)
{
    int node;
    return read_node(r, 1, &node) && words_are(r, 2) &&
           judge(r, r->line, cert_proof_leaf_schedule(r->proof, node));
}

/* "cases COUNT", and the cells that are 0 in the first one. */
static bool step_cases(reader *r)
{
    int count, capacity = 0, *col = NULL;
    long line = r->line;
    bool good = read_int(r, 1, 0, r->proof->m->cols, &count) && words_are(r, 2);
    for (int k = 0; good && k < count; k++) {
        if (k == capacity) {
            capacity = 2 * capacity + 64;
            col = base_realloc(col, (size_t)capacity, sizeof *col);
        }
        good = next_line(r) && read_cell(r, 0, &col[k]) && words_are(r, 3);
    }
    good = good && judge(r, line, cert_proof_first_case(r->proof, col, count));
    base_free(col);
    return good;
}

/* No node is open; counts them. */
static bool check_closed(reader *r)
{
    cert_proof *p = r->proof;
    for (int k = 0; k < p->nodes && p->open > 0; k++)
        if (!p->node[k].closed)
            return k == 0 ? fail(r, CERTIFICATE_WRONG,
                                 "the proof is not complete: nothing closes node 0")
                          : fail(r, CERTIFICATE_WRONG,
                                 "the proof is not complete: node %d, made in line %ld, is open", k,
                                 r->made[k]);
    r->report->nodes += p->nodes;
    return true;
}

static bool step_next(reader *r)
{
    return words_are(r, 1) && check_closed(r) &&
           judge(r, r->line, cert_proof_second_case(r->proof));
}

static const struct {
    const char *word;
    bool (*step)(reader *r);
} steps[] = {{"event", step_cut},     {"source", step_cut},        {"reduce", step_reduce},
             {"probe", step_probe},   {"leaf", step_leaf},         {"propagate", step_propagate},
             {"branch", step_branch}, {"schedule", step_schedule}, {"cases", step_cases},
             {"next", step_next}};

static bool read_steps(reader *r)
{
    enum { STEPS = sizeof steps / sizeof *steps };
    for (;;) {
        int k = 0;
        if (!next_line(r))
            return false;
        if (strcmp(r->word[0], "end") == 0)
            return words_are(r, 1);
        while (k < (int)STEPS && strcmp(steps[k].word, r->word[0]) != 0)
            k++;
        if (k == (int)STEPS)
            return fail(r, CERTIFICATE_MALFORMED, "\"%.40s\" is no step that this checker knows",
                        r->word[0]);
        if (!steps[k].step(r))
            return false;
    }
}

/* ---- the whole ---------------------------------------------------------------------------- */

static bool read_instance(reader *r, size_t size)
{
    static const char magic[] = "poetbnb certificate 2\n";
    size_t length = 0;
    r->line = 1;
    if (strncmp(r->text, magic, sizeof magic - 1) != 0)
        return malformed(r, "\"poetbnb certificate 2\"");
    /* blanks in place of the first line, so that messages count lines from it */
    memset(r->text, ' ', sizeof magic - 2);
    r->file = schedule_file_parse(r->text, size, r->path, &length, r->error);
    if (!r->file) {
        r->verdict = CERTIFICATE_MALFORMED;
        return false;
    }
    for (size_t k = sizeof magic - 1; k < length; k++)
        r->line += r->text[k] == '\n';
    r->line++;
    r->next = r->text + length;
    if (*r->next != '\n')
        return malformed(r, "the end of the line after the schedule");
    r->next++;
    return true;
}

/* "rows rules" or "rows canonical". */
static bool read_trust(reader *r, cert_trust *trust)
{
    if (!next_line(r))
        return false;
    for (int k = 0; k < (int)CERT_TRUSTS; k++)
        if (r->words == 2 && !strcmp(r->word[0], "rows") &&
            !strcmp(r->word[1], cert_trust_word[k])) {
            *trust = (cert_trust)k;
            return true;
        }
    return malformed(r, "\"rows rules\" or \"rows canonical\"");
}

/* What it rests on; "bound JOULES" or "infeasible"; then "scale UNITS". */
static bool read_claim(reader *r)
{
    double bound = 0, scale = 1;
    cert_trust trust = CERT_RULES;
    if (!read_trust(r, &trust) || !next_line(r))
        return false;
    r->report->canonical = trust == CERT_CANONICAL;
    r->report->infeasible = strcmp(r->word[0], "infeasible") == 0;
    if (!r->report->infeasible && strcmp(r->word[0], "bound") != 0)
        return malformed(r, "\"bound\" or \"infeasible\"");
    if (!words_are(r, r->report->infeasible ? 1 : 2) ||
        (!r->report->infeasible && !read_real(r, 1, &bound)) || !next_line(r))
        return false;
    if (strcmp(r->word[0], "scale") != 0 || !words_are(r, 2))
        return malformed(r, "\"scale\" and a number");
    if (!read_real(r, 1, &scale))
        return false;
    if (!(scale > 0))
        return malformed(r, "a positive scale");
    r->report->bound_joules = bound;
    base_error why;
    r->proof =
        cert_proof_create(&r->file->problem, trust, r->report->infeasible, bound, scale, &why);
    return r->proof || fail(r, CERTIFICATE_MALFORMED, "%s", why.text);
}

/* The schedule obeys every rule, and its overhead is no less than the bound. */
static bool check_schedule(reader *r)
{
    validation v;
    base_error why;
    if (r->report->infeasible)
        return true;
    long line = r->line;
    r->line = 2;
    if (schedule_validate(&r->file->problem, r->file->schedule, &v, &why) != 0)
        return fail(r, CERTIFICATE_WRONG, "the schedule breaks a rule: %s", why.text);
    r->line = line;
    cert_proof *p = r->proof;
    mpz_t overhead;
    mpz_init(overhead);
    cert_proof_overhead(p, r->file->schedule, overhead);
    bool below = mpz_cmp(p->target, overhead) <= 0;
    r->report->overhead_joules = v.overhead_joules;
    /* bound >= overhead (1 - 1e-9) */
    mpz_mul_ui(p->number, p->target, 1000000000);
    mpz_mul_ui(overhead, overhead, 999999999);
    r->report->optimal = mpz_cmp(p->number, overhead) >= 0;
    mpz_clear(overhead);
    return below || fail(r, CERTIFICATE_WRONG,
                         "the bound is above the schedule's overhead, %.17g J", v.overhead_joules);
}

/* What the proof assumes of canonical schedules. */
static void list_families(reader *r)
{
    const cert_proof *p = r->proof;
    certificate_report *to = r->report;
    _Static_assert(CERT_ROW_KINDS + 3 <= CERTIFICATE_FAMILIES, "every family may be used");
    if (!to->canonical)
        return;
    to->family[to->families++] = "reductions";
    for (int kind = 0; kind < (int)CERT_ROW_KINDS; kind++)
        if (p->used[kind] && cert_row_assumes((cert_row_kind)kind))
            to->family[to->families++] = cert_row_names[kind].word;
    if (p->used_event)
        to->family[to->families++] = "event";
    if (p->used_source)
        to->family[to->families++] = "source";
}

/* At `end`. */
static bool check_end(reader *r)
{
    if (*r->next != '\0')
        return malformed(r, "nothing after `end'");
    if (r->proof->cases == CERT_FIRST_CASE)
        return fail(r, CERTIFICATE_WRONG, "the proof is not complete: the second case is missing");
    return check_closed(r);
}

certificate_verdict certificate_verify_text(const char *name, char *text, size_t size,
                                            certificate_report *report, base_error *error)
{
    *report = (certificate_report){0};
    reader r = {.path = name,
                .text = text,
                .error = error,
                .report = report,
                .word = base_malloc(MAX_WORDS, sizeof *r.word)};
    bool good = strlen(text) == size || malformed(&r, "text");
    if (good && read_instance(&r, size) && read_claim(&r) && check_schedule(&r) && read_steps(&r) &&
        check_end(&r)) {
        list_families(&r);
        report->graph = r.file->graph;
        report->problem = r.file->problem;
        r.file->graph = NULL;
    }
    cert_proof_free(r.proof);
    schedule_file_free(r.file);
    base_free(r.word);
    base_free(r.y);
    base_free(r.made);
    return r.verdict;
}

certificate_verdict certificate_verify(const char *path, certificate_report *report,
                                       base_error *error)
{
    size_t size;
    *report = (certificate_report){0};
    char *text = base_file_read(path, SIZE_LIMIT, &size, error);
    if (!text)
        return CERTIFICATE_MALFORMED;
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    certificate_verdict verdict = certificate_verify_text(name, text, size, report, error);
    base_free(text);
    return verdict;
}

void certificate_report_clear(certificate_report *report)
{
    graph_free(report->graph);
    *report = (certificate_report){0};
}
