/* poet_fuzz: each model and exact_solve, with its certificate, against the brute-force oracle; what
 * holds of canonical schedules against one that is found by search.
 *
 *     poet_fuzz [-n INSTANCES] [-s FIRST_SEED] [-m NODES] [-f FAMILIES] [-c CHECKS] [-o FOLDER]
 *               [-k CERTIFICATES]
 *     poet_fuzz [-n CASES] [-s FIRST_SEED] [-c CHECKS] FILE...
 *
 * Instance number s has 6 to NODES nodes (default 10) of a family of any_instance_make, or comes of
 * a list of nodes that share memory (sharing.h in tests/oracle), every other of which is small
 * enough for the check native: the optimum is that of the list, by brute force. The families take
 * turns unless -f names some, separated by commas. The other checks, of which -c names some: the
 * models plain, canonical, coarse and published (tests/formulation/agree.h), solve and once
 * (tests/exact/agree.h; once: a recorded run writes its certificate without a second one, into the
 * folder CERTIFICATES with -k) and rows (canonical.h in tests/formulation and tests/certificate),
 * each with options drawn from s. The plain and the published model and rows are left out where
 * they are large.
 *
 * What a limit of nodes or of time ended is open; it is written to FOLDER (but for rows, where the
 * search for the schedule gave up), and no failure.
 *
 * Each failure is shrunk, printed as a graph with its options, and written to FOLDER (default
 * build/fuzz) as a schedule file; of a model also as an MPS file, to ask another solver whether
 * the model is wrong or bnb is. Given such files, CASES (default 200) draws of options are tried on
 * each of them instead.
 *
 * Counts go to FOLDER/poet.txt now and then, with the seed from which -s goes on. Exit status 1 if
 * anything failed. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "problem/json.h"
#include "tests/certificate/canonical.h"
#include "tests/exact/agree.h"
#include "tests/formulation/agree.h"
#include "tests/formulation/canonical.h"
#include "tests/fuzz/arguments.h"
#include "tests/lp/owned.h"
#include "tests/oracle/bait_instance.h"
#include "tests/oracle/canonical.h"
#include "tests/oracle/sharing.h"

OWNED_POINTER(schedule_file, schedule_file_free)

enum {
    SOLVE = MODEL_KINDS, /* the checks beside those of the models */
    ONCE,
    ROWS,
    NATIVE,
    CHECKS,
    SHARED = ANY_FAMILIES, /* the family of sharing.h */
    WIDE,                  /* wide_instance_make */
    FAMILIES,
    LEAST_NODES = 6,
    PLAIN_NODES = 9, /* beyond, bnb takes long for it */
    PUBLISHED_NODES = 6,
    NATIVE_NODES = 5,
    MODEL_NODES = 20000,       /* of bnb */
    ORACLE_LIMIT = 2000000,    /* a second */
    CANONICAL_LIMIT = 5000000, /* likewise */
    SAVE_EVERY = 200
};

typedef struct options {
    fuzz_arguments shared;
    const char *keep; /* folder of certificates; NULL: they are not kept */
    bool family[FAMILIES], check[CHECKS];
} options;

typedef struct tally {
    uint64_t next; /* seed */
    long instances[FAMILIES], infeasible[FAMILIES], free[FAMILIES];
    long unknown[FAMILIES]; /* too large for the oracle */
    long done[FAMILIES][CHECKS], open[FAMILIES][CHECKS], failed[FAMILIES][CHECKS];
} tally;

static const char *check_name(int check)
{
    static const char *const name[] = {
        [SOLVE] = "solve", [ONCE] = "once", [ROWS] = "rows", [NATIVE] = "native"};
    return check < SOLVE ? model_kind_name((model_kind)check) : name[check];
}

static const char *family_name(int family)
{
    return family == SHARED ? "shared" : family == WIDE ? "wide" : any_family_name(family);
}

static int family_of(uint64_t seed)
{
    const int family = (int)(seed % FAMILIES);
    return family < SHARED ? any_family(seed) : family;
}

/* ---- one check ---------------------------------------------------------------------- */

typedef struct attempt {
    int check;
    model_case model;
    agree_case solve;
    char fault[80]; /* its beginning */
} attempt;

/* The check is one of exact_solve, with options in `solve`. */
static bool solves(int check)
{
    return check == SOLVE || check == ONCE;
}

static attempt draw_attempt(int check, uint64_t seed)
{
    attempt a = {.check = check};
    if (check == SOLVE)
        a.solve = agree_case_draw(seed);
    else if (check == ONCE)
        a.solve = agree_case_draw_once(seed);
    else if (check == ROWS)
        a.model.seed = seed;
    else
        a.model = model_case_draw((model_kind)check, seed);
    return a;
}

static const char *rows_fault(const problem *p, uint64_t seed, bool *open)
{
    canonical_result c = canonical_least(p, seed, CANONICAL_LIMIT);
    const char *fault = NULL;
    *open = c.gave_up;
    if (c.schedule)
        fault = canonical_fault(p, c.schedule, seed);
    if (c.schedule && !fault)
        fault = checker_fault(p, c.schedule, CERT_EXCHANGES, seed);
    schedule_free(c.schedule);
    return fault;
}

static const char *fault_of(const problem *p, const attempt *a, const oracle_result *oracle,
                            bool *open)
{
    if (a->check == ROWS)
        return rows_fault(p, a->model.seed, open);
    return solves(a->check) ? agree_case_fault(p, &a->solve, oracle, open)
                            : model_fault(p, &a->model, oracle, MODEL_NODES, open);
}

/* The text up to the first colon, behind which may be numbers and names. */
static void keep_fault(attempt *a, const char *fault)
{
    snprintf(a->fault, sizeof a->fault, "%.*s", (int)strcspn(fault, ":"), fault);
}

/* As random_instance_fails, in the same way as before. */
static bool fails_again(const problem *p, void *context)
{
    const attempt *a = context;
    bool open;
    attempt again = *a;
    oracle_result oracle = oracle_search(p, ORACLE_LIMIT);
    const char *fault = oracle.gave_up ? NULL : fault_of(p, a, &oracle, &open);
    schedule_free(oracle.schedule);
    if (fault)
        keep_fault(&again, fault);
    return fault && strcmp(a->fault, again.fault) == 0;
}

/* ---- a failure ------------------------------------------------------------------------- */

static void print_features(unsigned features)
{
    int count;
    const formulation_feature_info *table = formulation_features(&count);
    printf("features %#x", features);
    for (int k = 0, some = 0; k < count; k++)
        if (FORMULATION_DEFAULT & ~features & table[k].bit)
            printf("%s%s", some++ ? "," : " --without ", table[k].name);
}

static void print_attempt(const attempt *a)
{
    const exact_params *params = &a->solve.params;
    printf("%s, ", check_name(a->check));
    if (a->check == ROWS) {
        printf("seed %llu", (unsigned long long)a->model.seed);
        return;
    }
    print_features(solves(a->check) ? params->features : a->model.features);
    if (solves(a->check))
        printf(", --threads %d%s --gap %g%s%s, certified by the %s, seed %llu", params->threads,
               params->heuristics ? "" : " --no-heuristics", params->gap_relative,
               a->solve.start ? ", from the optimum" : "", a->solve.recorded ? ", recorded" : "",
               cert_trust_word[a->solve.trust], (unsigned long long)params->seed);
    if (solves(a->check))
        agree_print_tuning(stdout, &params->tuning);
    else
        printf("%s, seed %llu", a->model.propagate ? ", propagated" : "",
               (unsigned long long)a->model.seed);
}

static void print_problem(const problem *p, double optimum)
{
    printf("  optimum %.17g, --ram-budget %lld", optimum, (long long)p->ram_budget_bytes);
    if (!isinf(p->deadline_seconds))
        printf(", deadline %.17g s (slack %.17g)", p->deadline_seconds, problem_slack_seconds(p));
    if (p->max_computations < INT_MAX)
        printf(", --max-computations %d", p->max_computations);
    printf("%s%s%s%s\n  ", p->allow_paging ? "" : " --no-paging",
           p->allow_remat ? "" : " --no-remat",
           p->charge_pagein_transfer ? " --charge-pagein=transfer" : "",
           p->deadline_includes_paging ? " --deadline-includes-paging" : "");
    graph_print(p->graph, stdout);
    printf("\n");
}

/* Shrinks p, prints it and writes its files, named after `name`. */
static void report(const problem *p, attempt *a, const char *name, const char *folder)
{
    char path[600];
    base_error error;
    random_instance small = random_instance_shrink(p, fails_again, a);
    oracle_result oracle = oracle_solve(&small.problem);
    print_problem(&small.problem, oracle.overhead_joules);
    schedule_free(oracle.schedule);
    snprintf(path, sizeof path, "%s/poet-%s-%s.json", folder, name, check_name(a->check));
    if (random_instance_save(&small.problem, path, &error))
        fprintf(stderr, "poet_fuzz: %s\n", error.text);
    printf("  written to %s\n", path);
    if (a->check < SOLVE) {
        OWNED(lp_model) *m = model_case_model(&small.problem, &a->model);
        snprintf(path, sizeof path, "%s/poet-%s-%s.mps", folder, name, check_name(a->check));
        if (lp_model_write(m, path, &error))
            fprintf(stderr, "poet_fuzz: %s\n", error.text);
    }
    random_instance_free(&small);
    fflush(stdout);
}

/* What a limit ended is kept to be looked at. */
static void report_open(const problem *p, const attempt *a, const char *name, const char *folder)
{
    char path[600];
    base_error error;
    snprintf(path, sizeof path, "%s/open-%s-%s.json", folder, name, check_name(a->check));
    printf("%s: open\n  ", name);
    print_attempt(a);
    printf("\n  written to %s\n", path);
    if (random_instance_save(p, path, &error))
        fprintf(stderr, "poet_fuzz: %s\n", error.text);
    fflush(stdout);
}

/* All checks of one instance with the options of seed; true when one failed. */
static bool check_instance(const problem *p, uint64_t seed, int family, const char *name,
                           const options *o, tally *t)
{
    bool failed = false;
    oracle_result oracle = oracle_search(p, ORACLE_LIMIT);
    t->instances[family]++;
    t->unknown[family] += oracle.gave_up;
    t->infeasible[family] += !oracle.gave_up && !oracle.feasible;
    t->free[family] += oracle.feasible && oracle.overhead_joules == 0;
    for (int check = 0; check < NATIVE && !oracle.gave_up; check++) {
        const int n = p->graph->n;
        if (!o->check[check] || (check == MODEL_PLAIN && n > PLAIN_NODES) ||
            (check == MODEL_PUBLISHED && n > PUBLISHED_NODES) ||
            (check == ROWS && n > CANONICAL_MAX_NODES))
            continue;
        bool open = false;
        attempt a = draw_attempt(check, seed);
        char path[600];
        snprintf(path, sizeof path, "%s/%s.txt", o->keep ? o->keep : "", name);
        a.solve.keep = o->keep && check == ONCE ? path : NULL;
        const char *fault = fault_of(p, &a, &oracle, &open);
        a.solve.keep = NULL;
        t->done[family][check]++;
        t->open[family][check] += open;
        if (open && check != ROWS)
            report_open(p, &a, name, o->shared.folder);
        if (!fault)
            continue;
        t->failed[family][check]++;
        failed = true;
        keep_fault(&a, fault);
        printf("%s: %s\n  ", name, fault);
        print_attempt(&a);
        printf("\n");
        report(p, &a, name, o->shared.folder);
    }
    schedule_free(oracle.schedule);
    return failed;
}

/* The same of an instance of a list, and the check of that. */
static void check_list(uint64_t seed, int nodes, const char *name, const options *o, tally *t)
{
    sharing_list *list = sharing_list_draw(seed, seed / FAMILIES % 2 == 0 ? NATIVE_NODES : nodes);
    problem p = sharing_problem_draw(list, seed);
    check_instance(&p, seed, SHARED, name, o, t);
    const double native = o->check[NATIVE] && list->graph->n <= NATIVE_NODES + 1
                              ? sharing_optimum(list, &p, SHARING_TOGETHER)
                              : NAN;
    if (!isnan(native)) {
        oracle_result oracle = oracle_solve(&p);
        t->done[SHARED][NATIVE]++;
        if (oracle.overhead_joules != native) {
            t->failed[SHARED][NATIVE]++;
            printf("%s: native: the optimum of the list is %.17g\n", name, native);
            print_problem(&p, oracle.overhead_joules);
        }
        schedule_free(oracle.schedule);
    }
    sharing_list_free(list);
}

/* ---- counts ------------------------------------------------------------------------------ */

static void print_tally(const tally *t, FILE *out)
{
    fprintf(out, "next seed %llu\n", (unsigned long long)t->next);
    fprintf(out, "%-10s %9s %10s %6s %8s", "family", "instances", "infeasible", "free", "unknown");
    for (int c = 0; c < CHECKS; c++)
        fprintf(out, "  %9s %4s %5s", check_name(c), "open", "wrong");
    fprintf(out, "\n");
    for (int f = 0; f < FAMILIES; f++) {
        if (t->instances[f] == 0)
            continue;
        fprintf(out, "%-10s %9ld %10ld %6ld %8ld", family_name(f), t->instances[f],
                t->infeasible[f], t->free[f], t->unknown[f]);
        for (int c = 0; c < CHECKS; c++)
            fprintf(out, "  %9ld %4ld %5ld", t->done[f][c], t->open[f][c], t->failed[f][c]);
        fprintf(out, "\n");
    }
}

static void save_tally(const tally *t, const options *o)
{
    char path[600];
    base_error error;
    snprintf(path, sizeof path, "%s/poet.txt", o->shared.folder);
    base_output *output = base_output_open(path, &error);
    if (output)
        print_tally(t, base_output_stream(output));
    if (!output || base_output_commit(output, &error))
        fprintf(stderr, "poet_fuzz: %s\n", error.text);
}

static long failures(const tally *t)
{
    long sum = 0;
    for (int f = 0; f < FAMILIES; f++)
        for (int c = 0; c < CHECKS; c++)
            sum += t->failed[f][c];
    return sum;
}

/* ---- runs ---------------------------------------------------------------------------------- */

static void fuzz(const options *o, tally *t)
{
    for (long k = 0; k < o->shared.count; t->next++) {
        const uint64_t seed = t->next;
        const int family = family_of(seed);
        if (!o->family[family])
            continue;
        base_rng rng = {seed};
        const int span = o->shared.size - LEAST_NODES + 1;
        const int nodes = LEAST_NODES + (int)base_rng_below(&rng, (uint64_t)span);
        char name[32];
        snprintf(name, sizeof name, "%llu", (unsigned long long)seed);
        if (family == SHARED) {
            check_list(seed, nodes, name, o, t);
        } else {
            OWNED(random_instance) r =
                family == WIDE ? wide_instance_make(seed, nodes) : any_instance_make(seed, nodes);
            check_instance(&r.problem, seed, family, name, o, t);
        }
        if (++k % SAVE_EVERY == 0) {
            t->next++;
            save_tally(t, o);
            t->next--;
        }
    }
    save_tally(t, o);
}

/* Many draws of options on the instance of a file, until one fails. */
static void check_file(const char *path, const options *o, tally *t)
{
    base_error error;
    OWNED(schedule_file) *file = schedule_file_parse(NULL, 0, path, NULL, &error);
    if (!file || file->graph->n > ORACLE_MAX_NODES) {
        fprintf(stderr, "poet_fuzz: %s\n", file ? "too many nodes for the oracle" : error.text);
        exit(2);
    }
    const char *slash = strrchr(path, '/');
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(slash ? slash + 1 : path, "."),
             slash ? slash + 1 : path);
    for (long k = 0; k < o->shared.count; k++)
        if (check_instance(&file->problem, o->shared.seed + (uint64_t)k, 0, name, o, t))
            break;
}

/* Marks what a list of names, separated by commas, names. */
static void mark(char *list, bool *marked, int count, const char *(*name_of)(int))
{
    memset(marked, 0, (size_t)count * sizeof *marked);
    char *rest;
    for (char *name = strtok_r(list, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        int k = 0;
        while (k < count && strcmp(name, name_of(k)) != 0)
            k++;
        if (k == count) {
            fprintf(stderr, "poet_fuzz: no family or check %s\n", name);
            exit(2);
        }
        marked[k] = true;
    }
}

static options read_options(int argc, char **argv)
{
    options o = {.shared = {.count = -1, .seed = 1, .size = 10, .folder = "build/fuzz"}};
    memset(o.family, true, sizeof o.family);
    memset(o.check, true, sizeof o.check);
    for (int option; (option = getopt(argc, argv, "n:s:m:f:c:o:k:")) != -1;)
        if (option == 'f')
            mark(optarg, o.family, FAMILIES, family_name);
        else if (option == 'c')
            mark(optarg, o.check, CHECKS, check_name);
        else if (option == 'k')
            o.keep = optarg;
        else if (!fuzz_argument(option, &o.shared))
            exit(2);
    if (o.shared.size < LEAST_NODES || o.shared.size > ORACLE_MAX_NODES) {
        fprintf(stderr, "poet_fuzz: -m takes %d to %d nodes\n", LEAST_NODES, ORACLE_MAX_NODES);
        exit(2);
    }
    return o;
}

int main(int argc, char **argv)
{
    options o = read_options(argc, argv);
    const bool files = optind < argc;
    if (o.shared.count < 0)
        o.shared.count = files ? 200 : 5000;
    fuzz_make_folder(o.shared.folder);
    if (o.keep)
        mkdir(o.keep, 0777);
    tally t = {.next = o.shared.seed};
    for (; optind < argc; optind++)
        check_file(argv[optind], &o, &t);
    if (!files)
        fuzz(&o, &t);
    print_tally(&t, stdout);
    return failures(&t) > 0;
}
