/* Tables 1 to 3 as CSV. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "baselines/baseline.h"
#include "benchmarks/report.h"
#include "problem/platform.h"

/* Table 2 of the paper; the other columns are the cost model of the program. */
static const struct {
    const char *platform, *device, *clock, *ram, *fpu;
} devices[] = {{"m0", "M0 (MKR1000)", "48 MHz", "32 KB", "no"},
               {"m4", "M4 (nRF52840)", "64 MHz", "256 KB", "yes"},
               {"a72", "A72 (RPi 4B+)", "1.5 GHz", "2 GB", "yes"},
               {"jetsontx2", "A57 (Jetson TX2)", "2 GHz", "8 GB", "yes"}};

static base_output *open_table(const char *folder, const char *name, base_error *error)
{
    char path[STORE_PATH];
    snprintf(path, sizeof path, "%s/%s.csv", folder, name);
    return base_output_open(path, error);
}

static const char *word(char mark)
{
    return mark == '+' ? "yes" : mark == '~' ? "partly" : "no";
}

static int write_table1(const char *folder, base_error *error)
{
    base_output *out = open_table(folder, "table1", error);
    if (!out)
        return -1;
    FILE *stream = base_output_stream(out);
    int count;
    const baseline_method *method = baseline_methods(&count);
    fputs("method,general_graphs,compute_aware,memory_aware,power_aware\n", stream);
    for (int k = 0; k < count; k++)
        fprintf(stream, "%s,%s,%s,%s,%s\n", method[k].name, word(method[k].general_graphs),
                word(method[k].compute_aware), word(method[k].memory_aware),
                word(method[k].power_aware));
    fputs("poetbnb,yes,yes,yes,yes\n", stream);
    return base_output_commit(out, error);
}

static int write_table2(const char *folder, base_error *error)
{
    base_output *out = open_table(folder, "table2", error);
    if (!out)
        return -1;
    FILE *stream = base_output_stream(out);
    fputs("platform,device,clock,ram,fpu,flops_per_second,flops_per_joule,storage_watts,"
          "pagein_bytes_per_second,pageout_bytes_per_second\n",
          stream);
    for (size_t k = 0; k < sizeof devices / sizeof *devices; k++) {
        const platform *p = platform_find(devices[k].platform);
        fprintf(stream, "%s,%s,%s,%s,%s,%.6g,%.6g,%.6g,%.6g,%.6g\n", devices[k].platform,
                devices[k].device, devices[k].clock, devices[k].ram, devices[k].fpu,
                p->flops_per_second, p->flops_per_joule, p->storage_watts,
                p->pagein_bytes_per_second, p->pageout_bytes_per_second);
    }
    return base_output_commit(out, error);
}

/* table3.csv itself is the experiment's own file of points. */
int bench_tables_write(const char *folder, base_error *error)
{
    return write_table1(folder, error) || write_table2(folder, error) ? -1 : 0;
}
