/* The checker: reads a certificate step by step and judges each by certificate/proof.h. */
#include "certificate/verify.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "certificate/exchange.h"
#include "certificate/reader.h"

#define SIZE_LIMIT ((size_t)1 << 32)
/* Limit on the cells of all nodes, and on the columns of totals and timelines: LEAST_KEPT, and
 * KEPT_SHARE more for each byte of the text, since a line may fix thousands. */
#define LEAST_KEPT (1L << 20)
#define KEPT_SHARE 8

/* ---- steps ---------------------------------------------------------------------------- */

/* False with an error if the step has a fault. line: the step's first line. */
static bool accept_step(reader *r, long line, const char *fault)
{
    r->report->steps++;
    if (!fault)
        return true;
    r->line = line;
    return reader_fail(r, CERTIFICATE_WRONG, "%s", fault);
}

static bool step_cut(reader *r)
{
    const long line = r->line;
    const bool rounded = strcmp(r->word[0], "round") == 0;
    cert_cut cut = {0};
    cert_round round = {0};
    const char *fault = NULL;
    bool good = rounded                             ? reader_round(r, &round)
                : strcmp(r->word[0], "source") == 0 ? reader_source_cut(r, &cut)
                                                    : reader_event_cut(r, &cut);
    if (good) {
        if (rounded)
            cert_proof_round(r->proof, &round, &fault);
        else
            cert_proof_cut(r->proof, &cut, &fault);
        r->report->cuts++;
        good = accept_step(r, line, fault);
    }
    base_free(round.term);
    cert_cut_clear(&cut);
    return good;
}

static bool step_total(reader *r)
{
    cert_total total = {0};
    const bool good = reader_total(r, &total);
    if (good)
        cert_proof_total(r->proof, &total);
    cert_total_clear(&total);
    return good && accept_step(r, r->line, NULL);
}

static bool step_timeline(reader *r)
{
    int count = 0, nodes = 0;
    const int *stage = NULL, *once = NULL;
    if (!reader_timeline(r, &count, &stage, &nodes, &once))
        return false;
    if (r->proof->totals + cert_timeline_columns(r->proof, stage, count) >
        LEAST_KEPT + KEPT_SHARE * (long)r->size)
        return reader_fail(r, CERTIFICATE_WRONG, "timelines have too many columns to be kept");
    return accept_step(r, r->line, cert_proof_timeline(r->proof, stage, count, once, nodes));
}

static bool is_total(const reader *r, int word)
{
    return r->words > word && strcmp(r->word[word], "total") == 0;
}

/* "reduce NODE", "leaf NODE" or "eliminate", with multipliers. */
static bool step_combine(reader *r)
{
    int node = 0;
    const long line = r->line;
    const bool leaf = strcmp(r->word[0], "leaf") == 0, all = strcmp(r->word[0], "eliminate") == 0;
    cert_proof *p = r->proof;
    return (all || reader_node(r, 1, &node)) && reader_multipliers(r, all ? 1 : 2, 0, false) &&
           accept_step(r, line,
                       all    ? cert_proof_eliminate(p, r->y, r->count)
                       : leaf ? cert_proof_leaf(p, node, r->y, r->count)
                              : cert_proof_reduce(p, node, r->y, r->count));
}

/* "KIND t i" or "total K", from the third word on. */
static bool read_column(reader *r, int *col)
{
    int k = 0;
    if (!is_total(r, 2))
        return reader_cell(r, 2, col);
    if (!reader_int(r, 3, 0, r->proof->totals - 1, &k))
        return false;
    *col = r->proof->m->cols + k;
    return true;
}

/* "probe NODE KIND t i VALUE COUNT", or "probe NODE total K most V COUNT", or "least". */
static bool step_probe(reader *r)
{
    int node, col, one = 0;
    int64_t value = 0;
    const long line = r->line;
    const bool total = is_total(r, 2),
               least = total && r->words > 4 && strcmp(r->word[4], "least") == 0;
    if (!reader_node(r, 1, &node) || !read_column(r, &col))
        return false;
    if (total && !least && (r->words < 5 || strcmp(r->word[4], "most") != 0))
        return reader_malformed(r, "most or least");
    return (total ? reader_total_value(r, 5, &value) : reader_int(r, 5, 0, 1, &one)) &&
           reader_multipliers(r, 6, 0, false) &&
           accept_step(r, line,
                       cert_proof_probe(r->proof, node, col, total ? least : one, value - least,
                                        r->y, r->count));
}

static bool step_propagate(reader *r)
{
    int node;
    cert_key key;
    if (!reader_node(r, 1, &node))
        return false;
    if (r->words == 3 && strcmp(r->word[2], "overhead") == 0)
        return accept_step(r, r->line, cert_proof_propagate(r->proof, node, NULL));
    return reader_key(r, 2, &key) &&
           accept_step(r, r->line, cert_proof_propagate(r->proof, node, &key));
}

static bool step_branch(reader *r)
{
    int node, col, first;
    int64_t value = 0;
    if (!reader_node(r, 1, &node) || !read_column(r, &col) ||
        (is_total(r, 2) && !reader_total_value(r, 4, &value)) || !reader_words_are(r, 5) ||
        !accept_step(r, r->line, cert_proof_branch(r->proof, node, col, value, &first)))
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
    return reader_node(r, 1, &node) && reader_words_are(r, 2) &&
           accept_step(r, r->line, cert_proof_leaf_schedule(r->proof, node));
}

/* "cases COUNT", then the cells that are 0 in the first case. */
static bool step_cases(reader *r)
{
    int count, capacity = 0, *col = NULL;
    long line = r->line;
    bool good = reader_int(r, 1, 0, r->proof->m->cols, &count) && reader_words_are(r, 2);
    for (int k = 0; good && k < count; k++) {
        col = base_grow(col, k, &capacity, sizeof *col);
        good = reader_next_line(r) && reader_cell(r, 0, &col[k]) && reader_words_are(r, 3);
    }
    good = good && accept_step(r, line, cert_proof_first_case(r->proof, col, count));
    base_free(col);
    return good;
}

/* "keep I", or "nested OUTER INNER". */
static bool step_fact(reader *r)
{
    int i = 0, inner = 0;
    const bool nested = strcmp(r->word[0], "nested") == 0;
    const int last = r->proof->m->n - 1;
    return reader_int(r, 1, 0, last, &i) && (!nested || reader_int(r, 2, 0, last, &inner)) &&
           reader_words_are(r, 2 + nested) &&
           accept_step(r, r->line,
                       nested ? cert_proof_nested(r->proof, i, inner)
                              : cert_proof_keep(r->proof, i));
}

/* Counts the nodes; false if one is open. */
static bool check_closed(reader *r)
{
    cert_proof *p = r->proof;
    r->report->incomplete = p->open > 0;
    int k = 0;
    while (p->open > 0 && p->node[k].closed)
        k++;
    if (p->open > 0 && k == 0)
        return reader_fail(r, CERTIFICATE_WRONG,
                           "the proof is not complete: nothing closes node 0");
    if (p->open > 0)
        return reader_fail(r, CERTIFICATE_WRONG,
                           "the proof is not complete: node %d, made in line %ld, is open", k,
                           r->made[k]);
    r->report->nodes += p->nodes;
    return true;
}

static bool step_next(reader *r)
{
    return reader_words_are(r, 1) && check_closed(r) &&
           accept_step(r, r->line, cert_proof_next_case(r->proof));
}

static const struct {
    const char *word;
    bool (*step)(reader *r);
} steps[] = {{"event", step_cut},     {"source", step_cut},        {"round", step_cut},
             {"total", step_total},   {"timeline", step_timeline}, {"reduce", step_combine},
             {"probe", step_probe},   {"leaf", step_combine},      {"propagate", step_propagate},
             {"branch", step_branch}, {"schedule", step_schedule}, {"eliminate", step_combine},
             {"cases", step_cases},   {"keep", step_fact},         {"nested", step_fact},
             {"next", step_next}};

static bool read_steps(reader *r)
{
    enum { STEPS = sizeof steps / sizeof *steps };
    for (;;) {
        int k = 0;
        if (!reader_next_line(r))
            return false;
        if (strcmp(r->word[0], "end") == 0)
            return reader_words_are(r, 1);
        while (k < (int)STEPS && strcmp(steps[k].word, r->word[0]) != 0)
            k++;
        if (k == (int)STEPS)
            return reader_fail(r, CERTIFICATE_MALFORMED,
                               "\"%.40s\" is no step that this checker knows", r->word[0]);
        const long line = r->line;
        if (!steps[k].step(r))
            return false;
        if (r->proof->kept > LEAST_KEPT + KEPT_SHARE * (long)r->size) {
            r->line = line;
            return reader_fail(r, CERTIFICATE_WRONG, "the nodes fix too many cells to be kept");
        }
    }
}

/* ---- the whole ---------------------------------------------------------------------------- */

static bool read_instance(reader *r, size_t size)
{
    static const char magic[] = "poetbnb certificate 2\n";
    size_t length = 0;
    r->line = 1;
    r->size = size;
    if (strncmp(r->text, magic, sizeof magic - 1) != 0)
        return reader_malformed(r, "\"poetbnb certificate 2\"");
    /* blanks in place of the first line, so that line numbers of messages count it */
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
        return reader_malformed(r, "the end of the line after the schedule");
    r->next++;
    return true;
}

/* "trust rules" or "trust exchanges". */
static bool read_trust(reader *r, cert_trust *trust)
{
    if (!reader_next_line(r))
        return false;
    for (int k = 0; k < (int)CERT_TRUSTS; k++)
        if (r->words == 2 && !strcmp(r->word[0], "trust") &&
            !strcmp(r->word[1], cert_trust_word[k])) {
            *trust = (cert_trust)k;
            return true;
        }
    return reader_malformed(r, "\"trust rules\" or \"trust exchanges\"");
}

/* Reads the trust, "bound JOULES" or "infeasible", and "scale UNITS". */
static bool read_claim(reader *r)
{
    double bound = 0, scale = 1;
    cert_trust trust = CERT_RULES;
    if (!read_trust(r, &trust) || !reader_next_line(r))
        return false;
    r->report->trust = trust;
    r->report->infeasible = strcmp(r->word[0], "infeasible") == 0;
    if (!r->report->infeasible && strcmp(r->word[0], "bound") != 0)
        return reader_malformed(r, "\"bound\" or \"infeasible\"");
    if (!reader_words_are(r, r->report->infeasible ? 1 : 2) ||
        (!r->report->infeasible && !reader_real(r, 1, &bound)) || !reader_next_line(r))
        return false;
    if (strcmp(r->word[0], "scale") != 0 || !reader_words_are(r, 2))
        return reader_malformed(r, "\"scale\" and a number");
    if (!reader_real(r, 1, &scale))
        return false;
    if (!(scale > 0))
        return reader_malformed(r, "a positive scale");
    r->report->bound_joules = bound;
    base_error why;
    r->proof =
        cert_proof_create(&r->file->problem, trust, r->report->infeasible, bound, scale, &why);
    return r->proof || reader_fail(r, CERTIFICATE_MALFORMED, "%s", why.text);
}

/* False unless the schedule obeys every rule and its overhead is at least the bound. */
static bool check_schedule(reader *r)
{
    validation v;
    base_error why;
    if (r->report->infeasible)
        return true;
    long line = r->line;
    r->line = 2;
    if (schedule_validate(&r->file->problem, r->file->schedule, &v, &why) != 0)
        return reader_fail(r, CERTIFICATE_WRONG, "the schedule breaks a rule: %s", why.text);
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
    return below ||
           reader_fail(r, CERTIFICATE_WRONG, "the bound is above the schedule's overhead, %.17g J",
                       v.overhead_joules);
}

/* Lists the families of rows that hold for canonical schedules only and that the proof used. */
static void list_families(reader *r)
{
    const cert_proof *p = r->proof;
    certificate_report *to = r->report;
    _Static_assert(CERT_ROW_KINDS + 4 <= CERTIFICATE_FAMILIES, "every family may be used");
    if (to->trust != CERT_EXCHANGES)
        return;
    to->family[to->families++] = "reductions";
    for (int kind = 0; kind < (int)CERT_ROW_KINDS; kind++)
        if (p->used[kind] && cert_row_assumes((cert_row_kind)kind))
            to->family[to->families++] = cert_row_names[kind].word;
    if (p->used_event)
        to->family[to->families++] = "event";
    if (p->used_source)
        to->family[to->families++] = "source";
    if (p->used_nested)
        to->family[to->families++] = "nested";
}

/* False unless the proof is complete and nothing follows `end`. */
static bool check_end(reader *r)
{
    if (*r->next != '\0')
        return reader_malformed(r, "nothing after `end'");
    const int k = cert_proof_open_case(r->proof), i = k < 0 ? -1 : r->proof->fact[k].tensor;
    if (k >= 0)
        r->report->incomplete = true;
    if (i >= 0)
        return reader_fail(r, CERTIFICATE_WRONG,
                           "the proof is not complete: the case with node %d away is missing", i);
    if (k >= 0)
        return reader_fail(r, CERTIFICATE_WRONG,
                           "the proof is not complete: the second case is missing");
    return check_closed(r);
}

certificate_verdict certificate_verify_text(const char *name, char *text, size_t size,
                                            certificate_report *report, base_error *error)
{
    *report = (certificate_report){0};
    reader r;
    reader_init(&r, name, text, report, error);
    bool good = strlen(text) == size || reader_malformed(&r, "text");
    if (good && read_instance(&r, size) && read_claim(&r) && check_schedule(&r) && read_steps(&r) &&
        check_end(&r)) {
        list_families(&r);
        report->graph = r.file->graph;
        report->problem = r.file->problem;
        r.file->graph = NULL;
    }
    const certificate_verdict verdict = r.verdict;
    reader_clear(&r);
    return verdict;
}

/* Largest text that is read. Packed proofs are about a sixth of their text; MOST_PACKED times the
 * file is refused. */
static size_t size_limit(const char *path)
{
    enum { MOST_PACKED = 100, LEAST = 1 << 20 };
    struct stat file;
    const bool known = stat(path, &file) == 0 && S_ISREG(file.st_mode) &&
                       (size_t)file.st_size < (SIZE_LIMIT - LEAST) / MOST_PACKED;
    return known ? LEAST + MOST_PACKED * (size_t)file.st_size : SIZE_LIMIT;
}

certificate_verdict certificate_verify(const char *path, certificate_report *report,
                                       base_error *error)
{
    size_t size;
    *report = (certificate_report){0};
    char *text = base_file_read(path, size_limit(path), &size, error);
    if (!text)
        return CERTIFICATE_MALFORMED;
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    certificate_verdict verdict = certificate_verify_text(name, text, size, report, error);
    base_free(text);
    return verdict;
}

certificate_verdict certificate_exchanges(certificate_report *report, base_error *error)
{
    cert_key key;
    cert_exchanges done;
    cert_model *m = cert_model_create(&report->problem, CERT_EXCHANGES, error);
    if (!m)
        return CERTIFICATE_MALFORMED;
    const char *fault = cert_exchanges_check(m, &done, &key);
    cert_model_free(m);
    report->exchange_rows = done.rows;
    report->exchange_cases = done.cases;
    if (!fault)
        return CERTIFICATE_HOLDS;
    base_fail(error, "the exchange of%s%s for node %d, stage %d (-1: all): %s",
              key.kind < CERT_ROW_KINDS ? " row " : " canonical schedules",
              key.kind < CERT_ROW_KINDS ? cert_row_names[key.kind].word : "", key.i, key.t, fault);
    return CERTIFICATE_WRONG;
}

void certificate_report_clear(certificate_report *report)
{
    graph_free(report->graph);
    *report = (certificate_report){0};
}
