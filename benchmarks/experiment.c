#include "benchmarks/experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* Lists are separated by commas; every combination is a point. Budgets are percentages of
 * the checkpoint-all peak, deadlines multiples of the base time. */
typedef struct experiment {
    const char *name;
    bench_kind kind;
    const char *networks, *platforms;
    const char *budgets[3]; /* quick, full, smoke; NULL: not in this setting */
    const char *runtimes[3];
    const char *methods[3];
    const char *variants; /* of the table below; "" */
    double limit[3];      /* seconds a point */
} experiment;

static const char cheap[] = "checkpoint_all,chen_sqrtn,chen_greedy,revolve,dtr,capuchin,pofo_ap";
static const char all_cheap[] =
    "checkpoint_all,chen_sqrtn,chen_sqrtn_noap,chen_greedy,chen_greedy_noap,revolve,revolve_ap,"
    "checkmate_lp,checkmate_lp_random,dtr,dtr_eq,dtr_local,dtr_simrd,capuchin,capuchin_sync,pofo,"
    "pofo_ap";
static const char four[] = "m0,m4,a72,jetsontx2";

static const experiment table[] = {
    /* ---- figure 3: energy against RAM, every method ------------------------------------ */
    {"fig3",
     BENCH_BASELINE,
     "vgg16_cifar",
     four,
     {"85,65,50", "95,90,85,80,75,70,65,60,50,45", NULL},
     {"none", "none", NULL},
     {cheap, all_cheap, NULL},
     "",
     {60, 600, 0}},
    {"fig3",
     BENCH_EXACT,
     "vgg16_cifar",
     four,
     {"85,65,50", "95,90,85,80,75,70,65,60,50,45", NULL},
     {"none", "none", NULL},
     {"poetbnb", "poetbnb", NULL},
     "",
     {15, 600, 0}},
    {"fig3",
     BENCH_BASELINE,
     "vgg16_cifar",
     four,
     {"85,65,50", "95,90,85,80,75,70,65,60,50,45", NULL},
     {"none", "none", NULL},
     {"checkmate", "checkmate", NULL},
     "",
     {6, 600, 0}},
    {"fig3",
     BENCH_BASELINE,
     "resnet18_cifar,bert",
     four,
     {"75,50,25", "90,80,70,60,50,40,30,25,20,15", NULL},
     {"none", "none", NULL},
     {cheap, all_cheap, NULL},
     "",
     {60, 600, 0}},
    {"fig3",
     BENCH_EXACT,
     "resnet18_cifar,bert",
     four,
     {"75,50,25", "90,80,70,60,50,40,30,25,20,15", NULL},
     {"none", "none", NULL},
     {"poetbnb", "poetbnb", NULL},
     "",
     {16, 600, 0}},
    {"fig3",
     BENCH_BASELINE,
     "resnet18_cifar,bert",
     four,
     {"75,50,25", "90,80,70,60,50,40,30,25,20,15", NULL},
     {"none", "none", NULL},
     {"checkmate", "checkmate", NULL},
     "",
     {6, 600, 0}},

    /* ---- figure 4: paging, rematerialisation, both, under deadlines --------------------- */
    {"fig4",
     BENCH_EXACT,
     "vgg16_cifar",
     "m4",
     {"80,65,50", "90,85,80,75,70,65,60,55,50,45", NULL},
     {"1,1.0005,none", "1,1.0001,1.0005,1.001,1.002,1.01,none", NULL},
     {"poetbnb", "poetbnb", NULL},
     "both,paging,remat",
     {8, 600, 0}},

    /* ---- figure 5: ours and Capuchin ------------------------------------------------------ */
    {"fig5",
     BENCH_BASELINE,
     "resnet18_cifar",
     "a72",
     {"90,75,60,50,40,25", "95,90,85,80,75,70,65,60,55,50,45,40,35,30,25,20,15", NULL},
     {"none", "none", NULL},
     {"capuchin,capuchin_sync", "capuchin,capuchin_sync", NULL},
     "",
     {60, 60, 0}},
    {"fig5",
     BENCH_EXACT,
     "resnet18_cifar",
     "a72",
     {"90,75,60,50,40,25", "95,90,85,80,75,70,65,60,55,50,45,40,35,30,25,20,15", NULL},
     {"none", "none", NULL},
     {"poetbnb", "poetbnb", NULL},
     "",
     {16, 600, 0}},

    /* ---- table 3: ResNet-18 (ImageNet) on the TX2, ours and POFO --------------------------- */
    {"table3",
     BENCH_BASELINE,
     "resnet18",
     "jetsontx2",
     {"90,75,60,45", "95,90,85,80,75,70,65,60,55,50,45,40,35,30", NULL},
     {"none", "none", NULL},
     {"pofo,pofo_ap", "pofo,pofo_ap", NULL},
     "",
     {60, 600, 0}},
    {"table3",
     BENCH_EXACT,
     "resnet18",
     "jetsontx2",
     {"90,75,60,45", "95,90,85,80,75,70,65,60,55,50,45,40,35,30", NULL},
     {"none", "none", NULL},
     {"poetbnb", "poetbnb", NULL},
     "",
     {10, 600, 0}},

    /* ---- beyond the paper ------------------------------------------------------------------- */
    {"trace",
     BENCH_EXACT,
     "vgg16_cifar,resnet18_cifar",
     "a72",
     {"50", "50", NULL},
     {"none", "none", NULL},
     {"poetbnb", "poetbnb", NULL},
     "trace",
     {16, 600, 0}},
    {"ablation",
     BENCH_EXACT,
     "vgg16_cifar",
     "a72",
     {"60", "60", NULL},
     {"none", "none", NULL},
     {"poetbnb", "poetbnb", NULL},
     "both,without_release,without_reach,without_canonical,without_origin,without_merge,"
     "without_totals,without_late,without_all,cold",
     {10, 600, 0}},
    {"rootbound",
     BENCH_RELAX,
     "linear",
     "a72,m4",
     {"50", "50", NULL},
     {"none", "none", NULL},
     {"published,tight", "published,tight", NULL},
     "",
     {20, 600, 0}},
    {"rootbound",
     BENCH_EXACT,
     "linear",
     "a72,m4",
     {"50", "50", NULL},
     {"none", "none", NULL},
     {"poetbnb", "poetbnb", NULL},
     "",
     {10, 600, 0}},
    {"rootbound",
     BENCH_RELAX,
     "transformer",
     "a72,m4",
     {"90", "90", NULL},
     {"none", "none", NULL},
     {"published,tight", "published,tight", NULL},
     "",
     {20, 600, 0}},
    {"rootbound",
     BENCH_EXACT,
     "transformer",
     "a72,m4",
     {"90", "90", NULL},
     {"none", "none", NULL},
     {"poetbnb", "poetbnb", NULL},
     "",
     {10, 600, 0}},
    {"rootbound",
     BENCH_RELAX,
     "vgg16_cifar",
     "a72",
     {NULL, "60", NULL},
     {NULL, "none", NULL},
     {NULL, "published,tight", NULL},
     "",
     {0, 3600, 0}},
    {"scaling",
     BENCH_EXACT,
     "linear,transformer,vgg16_cifar,resnet18_cifar,bert,resnet50",
     "a72",
     {"90,75", "90,80,70,60,50", NULL},
     {"none", "none", NULL},
     {"poetbnb", "poetbnb", NULL},
     "",
     {16, 600, 0}},

    /* ---- smoke: what the tests run ------------------------------------------------------------
     */
    {"smoke",
     BENCH_BASELINE,
     "linear",
     "a72,m4",
     {NULL, NULL, "50,70"},
     {NULL, NULL, "none"},
     {NULL, NULL, "checkpoint_all,dtr,revolve"},
     "",
     {0, 0, 60}},
    {"smoke",
     BENCH_EXACT,
     "linear",
     "a72",
     {NULL, NULL, "70"},
     {NULL, NULL, "none"},
     {NULL, NULL, "poetbnb"},
     "",
     {0, 0, 60}},
};

/* Names of option sets. */
static const struct {
    const char *name, *options;
} variant_table[] = {
    {"", ""},
    {"both", ""},
    {"paging", "--no-remat"},
    {"remat", "--no-paging"},
    {"trace", "--verbose"},
    {"cold", "--warm-start none"},
    {"without_release", "--without release"},
    {"without_reach", "--without reach"},
    {"without_canonical", "--without canonical"},
    {"without_origin", "--without origin"},
    {"without_merge", "--without merge"},
    {"without_totals", "--without totals"},
    {"without_late", "--without late"},
    {"without_all", "--without all"},
};

const char *bench_experiment_name(int k)
{
    static const char *const names[] = {"fig3",     "fig4",      "fig5",    "table3", "trace",
                                        "ablation", "rootbound", "scaling", "smoke"};
    return k < (int)(sizeof names / sizeof *names) ? names[k] : NULL;
}

/* The word at *at of a text, copied into memory of the list; *at moves behind it. NULL at the
 * end. An empty text has one word. */
static const char *next_word(bench_points *list, const char **at)
{
    if (!*at)
        return NULL;
    const char *comma = strchr(*at, ',');
    size_t length = comma ? (size_t)(comma - *at) : strlen(*at);
    char *word = base_calloc(length + 1, 1);
    memcpy(word, *at, length);
    *at = comma ? comma + 1 : NULL;
    list->word = base_realloc(list->word, (size_t)list->word_count + 1, sizeof *list->word);
    list->word[list->word_count++] = word;
    return word;
}

static void find_variant(bench_point *p)
{
    for (size_t k = 0; k < sizeof variant_table / sizeof *variant_table; k++)
        if (strcmp(variant_table[k].name, p->variant) == 0)
            p->options = variant_table[k].options;
}

static void add_point(bench_points *list, const bench_point *p)
{
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 256;
        list->point = base_realloc(list->point, (size_t)list->capacity, sizeof *list->point);
    }
    list->point[list->count++] = *p;
}

static void add_combinations(bench_points *list, const experiment *e, bench_setting setting,
                             bench_point p)
{
    const char *budget, *runtime, *word;
    for (const char *b = e->budgets[setting]; (budget = next_word(list, &b));)
        for (const char *r = e->runtimes[setting]; (runtime = next_word(list, &r));)
            for (const char *m = e->methods[setting]; (p.method = next_word(list, &m));)
                for (const char *v = e->variants; (word = next_word(list, &v));) {
                    snprintf(p.budget, sizeof p.budget, "%s%%", budget);
                    snprintf(p.runtime, sizeof p.runtime, "%s", runtime);
                    p.variant = word;
                    find_variant(&p);
                    add_point(list, &p);
                }
}

/* Cheap first; then as listed. */
static int work_of(const bench_point *p)
{
    if (p->kind == BENCH_BASELINE)
        return strcmp(p->method, "checkmate") == 0 ? 2 : 0;
    return p->kind == BENCH_RELAX ? 1 : 3;
}

bench_points bench_points_make(bench_setting setting, const char *only)
{
    bench_points list = {0}, sorted = {0};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        const experiment *e = &table[k];
        if (!e->budgets[setting] || (only && strcmp(only, e->name) != 0))
            continue;
        bench_point p = {
            .experiment = e->name, .kind = e->kind, .options = "", .limit = e->limit[setting]};
        for (const char *n = e->networks; (p.network = next_word(&list, &n));)
            for (const char *at = e->platforms; (p.platform = next_word(&list, &at));)
                add_combinations(&list, e, setting, p);
    }
    for (int work = 0; work <= 3; work++)
        for (int k = 0; k < list.count; k++)
            if (work_of(&list.point[k]) == work)
                add_point(&sorted, &list.point[k]);
    sorted.word_count = list.word_count;
    sorted.word = list.word;
    base_free(list.point);
    return sorted;
}

void bench_points_clear(bench_points *points)
{
    for (int k = 0; k < points->word_count; k++)
        base_free(points->word[k]);
    base_free(points->word);
    base_free(points->point);
    *points = (bench_points){0};
}
