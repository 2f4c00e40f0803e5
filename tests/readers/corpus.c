/* Inputs to begin with: what the writers print of small instances, schedules, plans, models and
 * certificates, packed and not. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/gzip.h"
#include "certificate/write.h"
#include "formulation/formulation.h"
#include "lp/io/file.h"
#include "plan/plan.h"
#include "problem/json.h"
#include "tests/exact/owned.h"
#include "tests/lp/owned.h"
#include "tests/lp/sample.h"
#include "tests/oracle/special_instance.h"
#include "tests/plan/support.h"
#include "tests/problem/owned.h"
#include "tests/readers/readers.h"

void reader_corpus_add(reader_corpus *corpus, const char *data, size_t size)
{
    if (corpus->count == corpus->capacity) {
        corpus->capacity = 2 * corpus->capacity + 16;
        corpus->entry =
            base_realloc(corpus->entry, (size_t)corpus->capacity, sizeof *corpus->entry);
    }
    reader_input input = {base_malloc(size + 1, 1), size};
    memcpy(input.data, data, size);
    input.data[size] = '\0';
    corpus->entry[corpus->count++] = input;
}

void reader_corpus_clear(reader_corpus *corpus)
{
    for (int k = 0; k < corpus->count; k++)
        base_free(corpus->entry[k].data);
    base_free(corpus->entry);
    *corpus = (reader_corpus){0};
}

static void add_text(reader_corpus *corpus, const char *text)
{
    reader_corpus_add(corpus, text, strlen(text));
}

/* ---- what is printed goes into the corpus ---------------------------------------------- */

static char *printed;
static size_t printed_size;

static FILE *print_begin(void)
{
    FILE *out = open_memstream(&printed, &printed_size);
    if (!out)
        abort();
    return out;
}

static void print_end(reader_corpus *corpus, FILE *out)
{
    enum { LONGEST = READER_MOST / 4 }; /* short inputs are read more often in the same time */
    fclose(out);
    if (printed_size <= LONGEST)
        reader_corpus_add(corpus, printed, printed_size);
    free(printed);
}

static graph *network(const char *model)
{
    return network_build(model, platform_find("a72"), network_options_default(), NULL);
}

#define COSTS                                                                                      \
    "\"seconds\": 1, \"joules\": 1, \"pagein_joules\": 1, \"pageout_joules\": 1, "                 \
    "\"pagein_seconds\": 1, \"pageout_seconds\": 1"

/* What graphs are not written with, but read. */
static const char graph_by_hand[] =
    "{\"resident_bytes\": 9, \"nodes\": [{\"name\": \"a\", \"inputs\": [], \"bytes\": 4, "
    "\"stateful\": \"replayed\", " COSTS "},\n"
    "{\"name\": \"v\", \"view\": true, \"inputs\": [\"a\"], \"op\": \"flatten\"},\n"
    "{\"name\": \"w\", \"view\": true, \"inputs\": [1]},\n"
    "{\"name\": \"b\", \"inputs\": [\"w\"], \"in_place\": 2, \"bytes\": 4, " COSTS "},\n"
    "{\"name\": \"p\", \"inputs\": [3], \"outputs\": [{\"name\": \"x\", \"bytes\": 2}, "
    "{\"name\": \"y\", \"bytes\": 3}], " COSTS "},\n"
    "{\"name\": \"c\", \"inputs\": [\"b\", \"p.x\"], \"bytes\": 1, \"output\": true, "
    "\"stateful\": true, " COSTS "},\n"
    "{\"name\": \"u\", \"view\": true, \"inputs\": [[4, 1]], \"output\": true},\n"
    "{\"name\": \"d\", \"inputs\": [[4, 0], 5], \"bytes\": 1, \"workspace_bytes\": 2, "
    "\"aliases\": [{\"name\": \"z\", \"kind\": \"unread\", \"bytes\": 2}], " COSTS "}]}\n";

static void add_graphs(reader_corpus *corpus)
{
    add_text(corpus, graph_by_hand);
    for (uint64_t seed = 1; seed <= 12; seed++) {
        OWNED(random_instance) r = random_instance_make(seed, 7);
        FILE *out = print_begin();
        graph_print(r.graph, out);
        print_end(corpus, out);
    }
    OWNED(graph) *g = network("transformer");
    FILE *out = print_begin();
    graph_print(g, out);
    print_end(corpus, out);
}

static void add_platforms(reader_corpus *corpus)
{
    for (int k = 0; platform_builtin(k); k++) {
        platform p = *platform_builtin(k);
        snprintf(p.name, sizeof p.name, "mine %d", k);
        FILE *out = print_begin();
        platform_print(&p, out);
        print_end(corpus, out);
    }
}

static void add_schedule(reader_corpus *corpus, const problem *p, schedule *s)
{
    static char method[] = "by hand", status[] = "feasible";
    validation v;
    if (schedule_validate(p, s, &v, NULL) != 0)
        abort();
    FILE *out = print_begin();
    schedule_print(p, s, &v, method, status, 0, out);
    print_end(corpus, out);
}

static void add_plan(reader_corpus *corpus, const problem *p, schedule *s, bool binary)
{
    OWNED(plan) *x = plan_of(p, s, true);
    size_t size;
    OWNED(uint8_t) *data = plan_write_binary(p->graph, x, &size, NULL);
    FILE *out = print_begin();
    if (binary)
        fwrite(data, 1, size, out);
    else
        plan_print_json(p->graph, x, out);
    print_end(corpus, out);
}

/* Schedules, or plans of them, of small instances, of a built-in network and of a chain. */
static void add_schedules(reader_corpus *corpus, reader_kind kind)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        OWNED(sample) s = sample_make(seed, 7);
        if (kind == READER_SCHEDULE)
            add_schedule(corpus, &s.problem, s.schedule);
        else
            add_plan(corpus, &s.problem, s.schedule, kind == READER_PLAN_BINARY);
    }
    graph *g[2] = {network("linear"), chain_of_six()};
    schedule *s[2] = {schedule_checkpoint_all(g[0]), paged_schedule()};
    for (int k = 0; k < 2; k++) {
        problem p = problem_make(g[k], graph_checkpoint_all_peak(g[k]));
        if (kind == READER_SCHEDULE)
            add_schedule(corpus, &p, s[k]);
        else
            add_plan(corpus, &p, s[k], kind == READER_PLAN_BINARY);
        schedule_free(s[k]);
        graph_free(g[k]);
    }
}

/* ---- models ------------------------------------------------------------------------------ */

static const char mps_by_hand[] =
    "* every section\nNAME hand made FREE\nOBJSENSE\n MAX\nOBJNAME\n cost\nROWS\n N other\n"
    " N cost\n L up $ a comment\n G low\n E eq\n G free\nCOLUMNS\n x cost 1 up 2\n x low -3.5e1 $\n"
    " M1 'MARKER' 'INTORG'\n y cost 1D2 eq 4\n z eq .5 free 1\n M2 'MARKER' 'INTEND'\n w up 1\n"
    "RHS\n R up 5 low 6\n R eq 7 cost 8\n R free -1e30\n other up 3\nRANGES\n G up 2 low 3\n"
    " G eq -4\nBOUNDS\n UP B x 4\n MI B y\n LI B z 2\n UI B z 9\n FR B w\nENDATA\n";

static const char mps_fixed[] =
    "NAME          FIXED\nROWS\n N  MY COST\n L  ROW ONE\n G  ROW TWO\nCOLUMNS\n"
    "    COL A     MY COST           1.50   ROW ONE           -2.0\n"
    "    COL A     ROW TWO             1.   $ comment\n"
    "    COL B     ROW ONE             3.\nRHS\n    RHS       ROW ONE             7.\n"
    "RANGES\n    RNG       ROW ONE             2.\nBOUNDS\n UP BND       COL A               4.\n"
    " BV BND       COL B\nENDATA\n";

static const char lp_by_hand[] =
    "\\ every section\nMaximize\n profit: 3 x + 2.5 y - z + 4\nSubject To\n c1: x + y\n  + z <= "
    "10\n"
    " -1 <= x - y <= 5\nc3: 2 x + -2 y - - z >= -3 c4: b =< 2 y + 1\nempty: = 0\nfree: >= -inf\n"
    "two: 2 >= 1\nBounds\n -2 <= x <= 8\n y <= 1e30\n z free\n w >= -inf\n w <= 7\n v = 3\n"
    " 4 >= u\n -infinity <= t <= +inf\nsemi-continuous\nGenerals\n x w\nBinaries\n b\nsos\nEnd\n";

static const char lp_on_one_line[] =
    "min obj: 2 x + y - 3 subject to c: x + y >= 3 d: x <= 2 y bounds -1 <= x <= 2 y free "
    "integers x binaries z end";

static void add_model(reader_corpus *corpus, lp_model *m, bool lp)
{
    m->offset = 0.0; /* which lp_model_write turns into a column before */
    FILE *out = print_begin();
    add_text(corpus, lp ? lp_on_one_line : mps_fixed);
    print_end(corpus, out);
}

static void add_models(reader_corpus *corpus, bool lp)
{
    base_rng rng = {7};
    for (int family = 0; family < SAMPLE_FAMILIES; family++) {
        OWNED(lp_model) *m = sample_model(&rng, (sample_family)family, 5, 6);
        if (family % 2)
            sample_decorate(&rng, m);
        add_model(corpus, m, lp);
    }
    random_instance r = random_instance_make(3, 4);
    lp_model *m = formulation_export(&r.problem, true, false, false, FORMULATION_DEFAULT);
    add_model(corpus, m, lp);
    lp_model_free(m);
    random_instance_free(&r);
    add_text(corpus, lp ? lp_by_hand : mps_by_hand);
    add_text(corpus, lp ? lp_on_one_line : mps_fixed);
}

/* ---- certificates --------------------------------------------------------------------------- */

static const char *const step_words[] = {"event",     "source", "reduce",   "probe", "leaf",
                                         "propagate", "branch", "schedule", "cases", "infeasible"};
enum { STEP_WORDS = sizeof step_words / sizeof *step_words };

/* The steps that a certificate has, as bits. */
static unsigned steps_in(const char *text)
{
    char line[32];
    unsigned steps = 0;
    for (int k = 0; k < STEP_WORDS; k++) {
        snprintf(line, sizeof line, "\n%s", step_words[k]);
        if (strstr(text, line))
            steps |= 1u << k;
    }
    return steps;
}

/* The certificate of an instance into the corpus, if it is short, the first ones or shows steps
 * that no other one does. */
static void add_certificate(reader_corpus *corpus, const problem *p, unsigned *seen)
{
    char path[] = "/tmp/poetbnb-readers-XXXXXX";
    int file = mkstemp(path);
    if (file < 0)
        abort();
    close(file);
    exact_params params = exact_params_default();
    params.threads = 1;
    OWNED(exact_result) result = exact_solve(p, &params);
    size_t size;
    cert_trust trust = corpus->count % 2 ? CERT_RULES : CERT_EXCHANGES;
    if (certificate_write(path, p, &params, &trust, &result, NULL) == CERTIFICATE_WRITTEN) {
        OWNED(char) *text = base_file_read(path, READER_MOST, &size, NULL);
        const unsigned steps = text ? steps_in(text) : 0;
        if (text && size < READER_MOST / 4 && (corpus->count < 6 || (steps & ~*seen)))
            reader_corpus_add(corpus, text, size);
        *seen |= steps;
    }
    unlink(path);
}

/* One of tests/data: it has steps that small instances do not need. */
static void add_file(reader_corpus *corpus, const char *path)
{
    base_error error;
    size_t size;
    OWNED(char) *text = base_file_read(path, READER_MOST, &size, &error);
    if (!text) {
        fprintf(stderr, "tests/readers: %s; the working folder is the project's\n", error.text);
        abort();
    }
    reader_corpus_add(corpus, text, size);
}

static void add_certificates(reader_corpus *corpus)
{
    unsigned seen = 0;
    add_file(corpus, "tests/data/certificates/tree.cert");
    add_file(corpus, "tests/data/certificates/cases.cert");
    add_file(corpus, "tests/data/certificates/away.cert");
    for (uint64_t seed = 1; seed <= 24; seed++) {
        const special_family family = (special_family)(seed % SPECIAL_FAMILIES);
        OWNED(random_instance) r =
            seed % 2 ? random_instance_make(seed, 5) : special_instance_make(family, seed, 6);
        add_certificate(corpus, &r.problem, &seen);
    }
}

static void add_packed(reader_corpus *corpus)
{
    reader_corpus texts = {0};
    add_models(&texts, true);
    for (int k = 0; k < texts.count; k++) {
        FILE *file = tmpfile(), *out = file ? gzip_stream(fileno(file)) : NULL;
        char data[READER_MOST];
        if (!out)
            abort();
        fwrite(texts.entry[k].data, 1, texts.entry[k].size, out);
        fclose(out);
        rewind(file);
        reader_corpus_add(corpus, data, fread(data, 1, sizeof data, file));
        fclose(file);
    }
    reader_corpus_clear(&texts);
}

reader_corpus reader_corpus_make(reader_kind kind)
{
    reader_corpus corpus = {0};
    switch (kind) {
    case READER_GRAPH:
        add_graphs(&corpus);
        break;
    case READER_PLATFORM:
        add_platforms(&corpus);
        break;
    case READER_SCHEDULE:
    case READER_PLAN_JSON:
    case READER_PLAN_BINARY:
        add_schedules(&corpus, kind);
        break;
    case READER_MPS:
    case READER_LP:
        add_models(&corpus, kind == READER_LP);
        break;
    case READER_CERTIFICATE:
        add_certificates(&corpus);
        break;
    case READER_GZIP:
        add_packed(&corpus);
        break;
    case READERS:
        break;
    }
    return corpus;
}
