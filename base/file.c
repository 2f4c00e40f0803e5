#include "base/base.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct base_output {
    base_cleanup cleanup;
    FILE *stream;
    char *shown;       /* the path as the caller gave it, for messages */
    char *destination; /* what the file becomes; NULL: written in place (a device, stdout) */
    char *beside;      /* the file being written, in the same folder */
};

static bool is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

static void output_free(base_output *output)
{
    base_cleanup_remove(&output->cleanup);
    base_free(output->shown);
    base_free(output->destination);
    base_free(output->beside);
    base_free(output);
}

/* Where a write to path ends up: links are followed, so that a link to a file
 * stays a link. */
static char *resolve(const char *path)
{
    char target[PATH_MAX];
    return base_strdup(realpath(path, target) ? target : path);
}

/* Creates a file beside output->destination that nobody else has. -1 and errno
 * on failure. O_EXCL with our own name rather than mkstemp: the mode then
 * follows the user's umask. */
static int create_beside(base_output *output)
{
    static atomic_uint counter;
    size_t size = strlen(output->destination) + 64;
    output->beside = base_malloc(size, 1);
    for (;;) {
        snprintf(output->beside, size, "%s.%ld-%u.partial", output->destination, (long)getpid(),
                 atomic_fetch_add(&counter, 1));
        int file = open(output->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
}

/* Opens what output->shown names; the descriptor, or -1 and errno. */
static int open_destination(base_output *output)
{
    struct stat status;
    if (stat(output->shown, &status) != 0) {
        output->destination = resolve(output->shown);
        return create_beside(output);
    }
    if (S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    if (!S_ISREG(status.st_mode)) /* a device or pipe must not be replaced by a file */
        return open(output->shown, O_WRONLY | O_CLOEXEC);
    if (access(output->shown, W_OK) != 0)
        return -1;
    output->destination = resolve(output->shown);
    int file = create_beside(output);
    if (file >= 0 && fchmod(file, status.st_mode & 07777) != 0) {
        int reason = errno;
        close(file);
        unlink(output->beside);
        errno = reason;
        return -1;
    }
    return file;
}

/* The work that wrote the file is given up: its blocks will be freed by others. */
static void abandon(base_cleanup *self)
{
    const base_output *output = (const base_output *)self;
    if (output->stream && output->stream != stdout)
        fclose(output->stream);
    if (output->beside)
        unlink(output->beside);
}

base_output *base_output_open(const char *path, base_error *error)
{
    base_output *output = base_calloc(1, sizeof *output);
    output->shown = base_strdup(is_standard(path) ? "standard output" : path);
    if (is_standard(path)) {
        output->stream = stdout;
        return output;
    }
    int file = open_destination(output);
    if (file >= 0)
        output->stream = fdopen(file, "w");
    if (!output->stream) {
        base_fail(error, "%s: cannot be written: %s", path, strerror(errno));
        if (file >= 0) {
            close(file);
            if (output->beside)
                unlink(output->beside);
        }
        output_free(output);
        return NULL;
    }
    base_cleanup_add(&output->cleanup, abandon);
    return output;
}

FILE *base_output_stream(base_output *output)
{
    return output->stream;
}

/* Everything on its way to the disk, so that the rename never puts an empty file
 * in the place of a good one. */
static bool flush_all(base_output *output)
{
    if (fflush(output->stream) != 0)
        return false;
    if (ferror(output->stream)) {
        errno = EIO;
        return false;
    }
    return !output->destination || fsync(fileno(output->stream)) == 0;
}

int base_output_commit(base_output *output, base_error *error)
{
    bool good = flush_all(output);
    int reason = errno;
    if (output->stream != stdout && fclose(output->stream) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (good && output->destination && rename(output->beside, output->destination) != 0) {
        good = false;
        reason = errno;
    }
    if (!good) {
        base_fail(error, "%s: writing failed: %s", output->shown, strerror(reason));
        if (output->beside)
            unlink(output->beside);
    }
    output_free(output);
    return good ? 0 : -1;
}

void base_output_abort(base_output *output)
{
    if (!output)
        return;
    if (output->stream != stdout)
        fclose(output->stream);
    if (output->beside)
        unlink(output->beside);
    output_free(output);
}

enum {
    CHUNK = 1 << 20, /* bytes between two looks at the limits */
    WAIT_MS = 50     /* for a pipe's writer, between two looks at the limits */
};

/* Whether there is something to read; false: a limit was reached in waiting for it. */
static bool wait_for_data(int descriptor, const base_limits *limits, base_stop *stop)
{
    struct pollfd data = {.fd = descriptor, .events = POLLIN};
    for (;;) {
        *stop = limits ? base_limits_check(limits) : base_guards_check();
        if (*stop != BASE_GO)
            return false;
        if (poll(&data, 1, WAIT_MS) > 0)
            return true;
    }
}

/* Reads to the end, at most one byte more than limit. Returns 0 or what errno said. */
static int read_all(int descriptor, size_t limit, const base_limits *limits, base_stop *stop,
                    char **text, size_t *size)
{
    size_t used = 0, room = 1 << 16;
    int reason = 0;
    char *block = base_malloc(room, 1);
    while (used <= limit && wait_for_data(descriptor, limits, stop)) {
        if (used + 1 == room)
            block = base_realloc(block, room *= 2, 1);
        size_t free_room = room - 1 - used;
        ssize_t got = read(descriptor, block + used, free_room < CHUNK ? free_room : CHUNK);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        reason = got < 0 ? errno : 0;
        if (got <= 0)
            break;
        used += (size_t)got;
    }
    block[used] = '\0';
    *text = block;
    *size = used;
    return reason;
}

char *base_file_read_within(const char *path, size_t limit, const base_limits *limits,
                            base_stop *stop, size_t *size, base_error *error)
{
    assert(limit < SIZE_MAX / 4);
    const char *shown = is_standard(path) ? "standard input" : path;
    *stop = BASE_GO;
    /* without O_NONBLOCK opening a FIFO waits for its writer, deaf to every limit */
    int descriptor =
        is_standard(path) ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        base_fail(error, "%s: cannot be read: %s", shown, strerror(errno));
        return NULL;
    }
    char *text = NULL;
    int reason = read_all(descriptor, limit, limits, stop, &text, size);
    if (descriptor != STDIN_FILENO)
        close(descriptor);
    if (reason)
        base_fail(error, "%s: cannot be read: %s", shown, strerror(reason));
    else if (*stop != BASE_GO)
        base_fail(error, "%s: reading ended after %zu bytes at a limit", shown, *size);
    else if (*size > limit)
        base_fail(error, "%s: longer than %zu bytes", shown, limit);
    else
        return text;
    base_free(text);
    return NULL;
}

char *base_file_read(const char *path, size_t limit, size_t *size, base_error *error)
{
    base_stop stop;
    char *text = base_file_read_within(path, limit, NULL, &stop, size, error);
    if (stop != BASE_GO)
        base_give_up(stop);
    return text;
}
