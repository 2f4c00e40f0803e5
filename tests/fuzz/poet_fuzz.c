/* poet_fuzz: exact_solve against the brute-force oracle on random small instances.
 *
 *     poet_fuzz [-n INSTANCES] [-s FIRST_SEED] [-m NODES] [-f FEATURES] [-e] [-o FOLDER]
 *
 * Instances take turns between the general generator and the families of
 * tests/oracle/special_instance.h; features rotate too: all on, and each one off, unless -f
 * names those to switch off ("none": none), separated by commas. One in eight, or with -e all, is
 * stretched to the edge of the range of inputs (tests/oracle/extreme_instance.h). Each failure is
 * shrunk and written to FOLDER (default build/fuzz) as a schedule file. Exit status 1 if there were
 * any. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formulation/formulation.h"
#include "tests/exact/agree.h"
#include "tests/oracle/extreme_instance.h"
#include "tests/oracle/special_instance.h"

typedef struct options {
    long instances;
    uint64_t seed;
    int nodes;
    const char *folder;
    bool rotate;       /* the features */
    unsigned features; /* unless they rotate */
    bool extreme;
} options;

typedef struct tally {
    long feasible, overhead, failures;
} tally;

static unsigned features_without(char *list)
{
    unsigned features = FORMULATION_DEFAULT;
    for (char *name = strtok(list, ","); name; name = strtok(NULL, ",")) {
        unsigned bit = formulation_feature_by_name(name);
        if (bit == 0 && strcmp(name, "none") != 0) {
            fprintf(stderr, "poet_fuzz: no feature %s\n", name);
            exit(2);
        }
        features &= ~bit;
    }
    return features;
}

/* Two of three instances with everything on; the others with one feature switched. */
static unsigned features_of(const options *o, uint64_t seed)
{
    if (!o->rotate)
        return o->features;
    int count;
    const formulation_feature_info *table = formulation_features(&count);
    uint64_t turn = seed / (SPECIAL_FAMILIES + 1);
    if (turn % 3)
        return FORMULATION_DEFAULT;
    return FORMULATION_DEFAULT ^ table[turn / 3 % (uint64_t)count].bit;
}

static random_instance draw(uint64_t seed, int nodes)
{
    uint64_t family = seed % (SPECIAL_FAMILIES + 1);
    if (family == SPECIAL_FAMILIES)
        return random_instance_make(seed, nodes);
    return special_instance_make((special_family)family, seed / (SPECIAL_FAMILIES + 1), nodes);
}

static void save(const problem *p, exact_params *params, uint64_t seed, const options *o)
{
    char path[512];
    base_error error;
    random_instance small = random_instance_shrink(p, agree_fails, params);
    snprintf(path, sizeof path, "%s/poet-%llu.json", o->folder, (unsigned long long)seed);
    if (random_instance_save(&small.problem, path, &error))
        fprintf(stderr, "poet_fuzz: %s\n", error.text);
    else
        printf("  written to %s (%d nodes)\n", path, small.graph->n);
    random_instance_free(&small);
}

static void one(uint64_t seed, const options *o, tally *t)
{
    random_instance r = draw(seed, o->nodes);
    if (o->extreme || seed / (SPECIAL_FAMILIES + 1) % 8 == 7)
        extreme_instance_stretch(&r, seed);
    exact_params params = agree_params();
    params.features = features_of(o, seed);
    params.seed = seed;
    oracle_result oracle = oracle_solve(&r.problem);
    t->feasible += oracle.feasible;
    t->overhead += oracle.feasible && oracle.overhead_joules > 0;
    const char *fault = agree_fault(&r.problem, &params, &oracle);
    if (fault) {
        t->failures++;
        printf("seed %llu, features %#x: %s\n", (unsigned long long)seed, params.features, fault);
        save(&r.problem, &params, seed, o);
        fflush(stdout);
    }
    schedule_free(oracle.schedule);
    random_instance_free(&r);
}

int main(int argc, char **argv)
{
    options o = {.instances = 5000, .seed = 1, .nodes = 7, .folder = "build/fuzz", .rotate = true};
    int option;
    while ((option = getopt(argc, argv, "n:s:m:f:eo:")) != -1) {
        if (option == 'n') {
            o.instances = atol(optarg);
        } else if (option == 's') {
            o.seed = strtoull(optarg, NULL, 10);
        } else if (option == 'm') {
            o.nodes = atoi(optarg);
        } else if (option == 'f') {
            o.features = features_without(optarg);
            o.rotate = false;
        } else if (option == 'e') {
            o.extreme = true;
        } else if (option == 'o') {
            o.folder = optarg;
        } else {
            return 2;
        }
    }
    if (o.nodes < 3 || o.nodes > ORACLE_MAX_NODES) {
        fprintf(stderr, "poet_fuzz: -m takes 3 to %d nodes\n", ORACLE_MAX_NODES);
        return 2;
    }
    mkdir("build", 0777);
    mkdir(o.folder, 0777);
    tally t = {0};
    for (long k = 0; k < o.instances; k++)
        one(o.seed + (uint64_t)k, &o, &t);
    printf("%ld instances: %ld feasible, %ld of them not for free; %ld failures\n", o.instances,
           t.feasible, t.overhead, t.failures);
    return t.failures > 0;
}
