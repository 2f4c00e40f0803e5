/* Follows links, and compares files by device and inode, or by folder and name if the file does not
 * exist yet. */
#include "base/gzip.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"

bool base_path_ends(const char *path, const char *suffix)
{
    static const char packed[] = ".gz";
    size_t length = strlen(path), tail = strlen(suffix), gz = sizeof packed - 1;
    if (length > gz && strcasecmp(path + length - gz, packed) == 0 &&
        strcasecmp(suffix, packed) != 0)
        length -= gz;
    return length > tail && strncasecmp(path + length - tail, suffix, tail) == 0;
}

char *path_folder(const char *path)
{
    char *folder = base_strdup(path);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    else
        snprintf(folder, strlen(path) + 1, "."); /* a path has a character at least */
    return folder;
}

/* Target of the link at path, as a path from here; NULL: no link. */
static char *target_of(const char *path)
{
    char target[PATH_MAX];
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0)
        return NULL;
    target[length] = '\0';
    char *folder = path_folder(path);
    text_buffer whole = {0};
    if (target[0] == '/')
        text_print(&whole, "%s", target);
    else
        text_print(&whole, "%s/%s", folder, target);
    base_free(folder);
    return whole.data;
}

char *path_resolve(const char *path)
{
    enum { MOST_LINKS = 40 }; /* as the kernel */
    char target[PATH_MAX];
    char *name = base_strdup(realpath(path, target) ? target : path);
    for (int k = 0; k < MOST_LINKS; k++) {
        char *next = target_of(name);
        if (!next)
            break;
        base_free(name);
        name = next;
    }
    return name;
}

/* Device and inode; for a file that does not exist yet, device and inode of its folder, and its
 * name. */
typedef struct identity {
    struct stat status;
    char *name;
} identity;

static bool identify(const char *path, identity *id)
{
    *id = (identity){.name = NULL};
    if (stat(path, &id->status) == 0)
        return !S_ISCHR(id->status.st_mode);
    char *whole = path_resolve(path), *folder = path_folder(whole);
    const char *slash = strrchr(whole, '/');
    id->name = base_strdup(slash ? slash + 1 : whole);
    bool good = stat(folder, &id->status) == 0;
    base_free(folder);
    base_free(whole);
    return good;
}

bool base_path_same(const char *a, const char *b)
{
    identity x, y;
    bool known = identify(a, &x);
    known = identify(b, &y) && known;
    bool same = known && x.status.st_dev == y.status.st_dev && x.status.st_ino == y.status.st_ino &&
                !x.name == !y.name && (!x.name || strcmp(x.name, y.name) == 0);
    base_free(x.name);
    base_free(y.name);
    return same;
}
