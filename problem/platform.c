/* The table of built-in platforms, in the artifact's expressions, and what computing and
 * transfers cost on one. */
#include "problem/platform.h"

#include <string.h>

/* FLOPs of the published ResNet-18 (ImageNet) graph at batch size 1, forward and
 * gradients. */
#define RESNET18_FLOPS 15905904232.0

/* The expressions are the artifact's: a measured number of FLOPs over seconds,
 * amperes and volts. */
static const platform builtin[] = {
    {
        .name = "m0",
        .note = "Arduino MKR1000 (Cortex-M0+) with SD card; costs as published with POET",
        .flops_per_second = 2000 / 0.012,
        .flops_per_joule = 2000 / (0.012 * 0.020 * 3.3),
        .compute_watts = 0.020 * 3.3,
        .storage_watts = 0.100 * 3.3,
        .pagein_latency_seconds = 1.09e-4,
        .pagein_bytes_per_second = 4616510,
        .pageout_latency_seconds = 1.13e-4,
        .pageout_bytes_per_second = 4440000,
    },
    {
        .name = "m4",
        .note = "nRF52840 (Cortex-M4F) with SD card; costs as published with POET",
        .flops_per_second = 1628300000 / 255.6237,
        .flops_per_joule = 1628300000 / (255.6237 * 0.003328 * 3.3),
        .compute_watts = 0.003328 * 3.3,
        .storage_watts = 0.100 * 3.3,
        .pagein_latency_seconds = 1.09e-4,
        .pagein_bytes_per_second = 4616510,
        .pageout_latency_seconds = 1.13e-4,
        .pageout_bytes_per_second = 4440000,
    },
    {
        .name = "a72",
        .note = "Raspberry Pi 4B (Cortex-A72), writes cached; costs as published with POET. Time "
                "assumes 2 GFLOPS, energy a measurement of 120 MFLOPS, so that the chip would "
                "draw 50 W while computing and paging looks almost free",
        .flops_per_second = 2e9,
        .flops_per_joule = 1628300000 / (13.53 * 0.6 * 5),
        .compute_watts = 0.6 * 5,
        .storage_watts = 0.030 * 5,
        .pagein_latency_seconds = 5.09561e-6,
        .pagein_bytes_per_second = 45.5e6,
        .pageout_latency_seconds = 1.85314e-5,
        .pageout_bytes_per_second = 24.5e6,
    },
    {
        .name = "a72nocache",
        .note = "Raspberry Pi 4B (Cortex-A72), writes not cached; costs as published with POET",
        .flops_per_second = 1628300000 / 13.53,
        .flops_per_joule = 1628300000 / (13.53 * 0.6 * 5),
        .compute_watts = 0.6 * 5,
        .storage_watts = 0.030 * 5,
        .pagein_latency_seconds = 5.09561e-6,
        .pagein_bytes_per_second = 45.5e6,
        .pageout_latency_seconds = 4.23532e-3,
        .pageout_bytes_per_second = 17.1e6,
    },
    {
        .name = "jetsontx2",
        .note = "Nvidia Jetson TX2; FLOPS calibrated, since none were published: the value for "
                "which POET's ResNet-18 (ImageNet) graph, 15905904232 FLOPs, takes the 82.36 ms "
                "of the paper's Table 3; powers and transfers as published with POET",
        .flops_per_second = RESNET18_FLOPS / 82.36e-3,
        .flops_per_joule = RESNET18_FLOPS / 82.36e-3 / 0.766,
        .compute_watts = 0.766,
        .storage_watts = 0.309,
        .pagein_latency_seconds = 5.4e-4,
        .pagein_bytes_per_second = 108.5e6,
        .pageout_latency_seconds = 2.396e-3,
        .pageout_bytes_per_second = 94.37e6,
    },
};

enum { BUILTIN_COUNT = sizeof builtin / sizeof *builtin };

const platform *platform_builtin(int i)
{
    return i >= 0 && i < BUILTIN_COUNT ? &builtin[i] : NULL;
}

const platform *platform_find(const char *name)
{
    for (int i = 0; i < BUILTIN_COUNT; i++)
        if (strcmp(builtin[i].name, name) == 0)
            return &builtin[i];
    return NULL;
}

#define FIELD(name)                                                                                \
    {                                                                                              \
#name, offsetof(platform, name)                                                            \
    }
const struct platform_field platform_fields[PLATFORM_FIELDS] = {
    FIELD(flops_per_second),        FIELD(flops_per_joule),          FIELD(compute_watts),
    FIELD(storage_watts),           FIELD(pagein_latency_seconds),   FIELD(pagein_bytes_per_second),
    FIELD(pageout_latency_seconds), FIELD(pageout_bytes_per_second),
};

int platform_check(const platform *p, base_error *error)
{
    for (int k = 0; k < PLATFORM_FIELDS; k++) {
        const char *key = platform_fields[k].key;
        const double value = *platform_number(p, k);
        const bool zero_allowed = strstr(key, "latency") != NULL;
        if (!(value >= GRAPH_LEAST_COST && value <= GRAPH_MOST_COST) &&
            !(zero_allowed && value == 0.0))
            return base_fail(error, "%s is %g; %sa number from %g to %g is expected", key, value,
                             zero_allowed ? "0 or " : "", GRAPH_LEAST_COST, GRAPH_MOST_COST);
    }
    return 0;
}

void platform_cost(const platform *p, double mem_power_scale, int64_t flops, graph_node *node)
{
    const double bytes = (double)node->bytes;
    node->seconds = (double)flops / p->flops_per_second;
    node->joules = (double)flops / p->flops_per_joule;
    node->pagein_seconds = p->pagein_latency_seconds + bytes / p->pagein_bytes_per_second;
    node->pageout_seconds = p->pageout_latency_seconds + bytes / p->pageout_bytes_per_second;
    node->pagein_joules = node->pagein_seconds * p->storage_watts * mem_power_scale;
    node->pageout_joules = node->pageout_seconds * p->storage_watts * mem_power_scale;
}
