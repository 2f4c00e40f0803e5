#include "cli/output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int cli_output_probe(const char *path, base_error *error)
{
    struct stat status;
    if (!path || strcmp(path, "-") == 0)
        return 0;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
        if (access(path, W_OK) == 0)
            return 0;
        return base_fail(error, "%s: cannot be written: %s", path, strerror(errno));
    }
    base_output *probe = base_output_open(path, error);
    base_output_abort(probe);
    return probe ? 0 : -1;
}
