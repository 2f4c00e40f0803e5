/* Memory that the system lets this process hold. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/base.h"

/* First number in a file; 0: none. */
static double number_in(const char *path)
{
    char text[64] = "";
    FILE *stream = fopen(path, "re");
    if (!stream)
        return 0;
    const size_t size = fread(text, 1, sizeof text - 1, stream);
    fclose(stream);
    text[size] = '\0';
    return strtod(text, NULL);
}

static double least(double a, double b)
{
    return b > 0 && b < a ? b : a;
}

size_t base_memory_available(void)
{
    const double page = (double)sysconf(_SC_PAGESIZE);
    double most = (double)sysconf(_SC_PHYS_PAGES) * page;
    most = least(most, number_in("/sys/fs/cgroup/memory.max"));
    most = least(most, number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        const double mapped = number_in("/proc/self/statm") * page;
        most = least(most, fmax(1, (double)limit.rlim_cur - mapped));
    }
    if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        most = least(most, (double)limit.rlim_cur);
    return most > 0 ? (size_t)most : 0;
}
