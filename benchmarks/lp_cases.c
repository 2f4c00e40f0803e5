/* The table of relaxations, their problems, and the choice of some by parts of their names. */
#include "benchmarks/lp_cases.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "problem/network.h"

static const struct {
    const char *network;
    bench_form form;
    int percent[3];
} families[] = {
    {"vgg16_cifar", FORM_PUBLISHED, {50, 90, 45}}, /* at 30 % nothing fits */
    {"vgg16_cifar", FORM_TIGHT, {50, 90, 45}},
    {"resnet18_cifar", FORM_PUBLISHED, {50, 90, 30}},
    {"resnet18_cifar", FORM_TIGHT, {50, 90, 30}},
    {"bert", FORM_PUBLISHED, {50, 90, 30}},
    {"bert", FORM_TIGHT, {50, 90, 30}},
    {"resnet50", FORM_DIRECT, {50, 90, 30}},
};

void lp_cases_list(lp_case cases[LP_CASES])
{
    static const char *const platforms[] = {"a72", "m4"};
    int count = 0;
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (int b = 0; b < 3; b++)
            for (int k = 0; k < 2; k++) {
                assert(count < LP_CASES);
                lp_case *c = &cases[count++];
                *c = (lp_case){.network = families[f].network,
                               .platform = platforms[k],
                               .percent = families[f].percent[b],
                               .form = families[f].form};
                snprintf(c->name, sizeof c->name, "%s-%s-%d-%s", c->network, c->platform,
                         c->percent, bench_form_name(c->form));
            }
    assert(count == LP_CASES);
}

problem lp_case_problem(const lp_case *c, graph **g)
{
    base_error ignored;
    *g = network_build(c->network, platform_find(c->platform), network_options_default(), &ignored);
    return problem_make(*g, graph_checkpoint_all_peak(*g) * c->percent / 100);
}

bool lp_case_wanted(const lp_case *c, char *const *names)
{
    bool any = !names || !*names;
    for (char *const *n = names; n && *n; n++)
        any = any || strstr(c->name, *n);
    return any;
}

int lp_cases_check(const lp_case cases[LP_CASES], char *const *names, base_error *error)
{
    for (char *const *n = names; n && *n; n++) {
        char *one[] = {*n, NULL};
        bool found = false;
        for (int k = 0; k < LP_CASES; k++)
            found = found || lp_case_wanted(&cases[k], one);
        if (!found)
            return base_fail(error, "expected a part of a case's name, got '%s'", *n);
    }
    return 0;
}
