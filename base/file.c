/* Files: outputs that appear whole or not at all, written without a name or beside their
 * destination and renamed; inputs read whole, unpacked, within limits. */
#include "base/base.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/gzip.h"

struct base_output {
    base_cleanup cleanup;
    FILE *stream;
    int file;          /* descriptor that the stream writes to; -1: standard output */
    char *shown;       /* the path as the caller gave it, for messages */
    char *destination; /* path that the file gets; NULL: written in place (a device, stdout) */
    char *beside;      /* name of the file being written, in the same folder; NULL: none */
    bool packed;
};

static bool is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

void base_files_hold_standard(void)
{
    for (int file = 0; file <= 2; file++)
        if (fcntl(file, F_GETFD) < 0 && errno == EBADF)
            /* open takes the lowest free descriptor; reading from 0 and writing to 1 and 2 then
             * fail */
            (void)!open("/dev/null", file == 0 ? O_WRONLY : O_RDONLY);
}

static void output_free(base_output *output)
{
    base_cleanup_remove(&output->cleanup);
    base_free_all(output->shown, output->destination, output->beside, output);
}

/* ---- writing -------------------------------------------------------------------- */

/* Sets output->beside to a fresh name beside the destination. */
static void name_beside(base_output *output)
{
    static atomic_uint counter;
    size_t size = strlen(output->destination) + 64;
    base_free(output->beside);
    output->beside = base_malloc(size, 1);
    snprintf(output->beside, size, "%s.%ld-%u.partial", output->destination, (long)getpid(),
             atomic_fetch_add(&counter, 1));
}

/* Path of an open file in /proc. */
typedef struct open_name {
    char text[40];
} open_name;

static open_name name_of(int file)
{
    open_name name;
    snprintf(name.text, sizeof name.text, "/proc/self/fd/%d", file);
    return name;
}

/* Creates a file without a name in the folder of the destination; it can get one later. -1: the
 * system has no such files. */
static int create_nameless(const base_output *output)
{
    char *folder = path_folder(output->destination);
    int file = open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
    base_free(folder);
    if (file >= 0 && access(name_of(file).text, F_OK) != 0) {
        close(file);
        file = -1;
    }
    return file;
}

/* Creates the file output->beside. -1 and errno on failure. O_EXCL with a name of our own in place
 * of mkstemp, so that the mode follows the umask. */
static int create_beside(base_output *output)
{
    int file = create_nameless(output);
    while (file < 0) {
        name_beside(output);
        file = open(output->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno != EEXIST) {
            base_free(output->beside);
            output->beside = NULL;
            break;
        }
    }
    return file;
}

/* Opens the file of output->shown. Returns the descriptor, or -1 and errno. */
static int open_destination(base_output *output)
{
    struct stat status;
    if (stat(output->shown, &status) != 0) {
        if (errno != ENOENT)
            return -1;
        output->destination = path_resolve(output->shown);
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
    output->destination = path_resolve(output->shown);
    if (!base_path_same(output->destination, output->shown)) {
        /* an open file that has lost its name, as /dev/stdout may be */
        base_free(output->destination);
        output->destination = NULL;
        return open(output->shown, O_WRONLY | O_TRUNC | O_CLOEXEC);
    }
    int file = create_beside(output);
    if (file >= 0 && fchmod(file, status.st_mode & 07777) != 0) {
        int reason = errno;
        close(file);
        if (output->beside)
            unlink(output->beside);
        errno = reason;
        return -1;
    }
    return file;
}

/* Closes the stream; false and errno on failure. */
static bool close_all(const base_output *output)
{
    if (output->stream && output->stream != stdout)
        return fclose(output->stream) == 0 && (!output->packed || close(output->file) == 0);
    return output->file < 0 || close(output->file) == 0;
}

static void discard(const base_output *output)
{
    close_all(output);
    if (output->beside)
        unlink(output->beside);
}

/* Cleanup where the work that wrote the file is given up; its blocks are freed elsewhere. */
static void abandon(base_cleanup *self)
{
    discard((const base_output *)self);
}

base_output *base_output_open(const char *path, base_error *error)
{
    base_output *output = base_calloc(1, sizeof *output);
    output->shown = base_strdup(is_standard(path) ? "standard output" : path);
    output->file = -1;
    if (is_standard(path)) {
        output->stream = stdout;
        return output;
    }
    output->packed = base_path_ends(path, ".gz");
    output->file = open_destination(output);
    if (output->file >= 0)
        output->stream = output->packed ? gzip_stream(output->file) : fdopen(output->file, "w");
    if (!output->stream) {
        base_fail(error, "%s: cannot be written: %s", path, strerror(errno));
        discard(output);
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

int base_flush(FILE *stream, int file)
{
    if (fflush(stream) != 0)
        return errno;
    if (!ferror(stream))
        return 0;
    return write(file, "\n", 1) < 0 ? errno : EIO;
}

/* Completes the data and brings it to the disk, so that the rename never replaces a good file by an
 * empty one. Closes a packing stream, which has bytes left to write. Returns 0 or errno. */
static int flush_all(base_output *output)
{
    int reason = base_flush(output->stream, output->file < 0 ? STDOUT_FILENO : output->file);
    if (output->packed) {
        if (fclose(output->stream) != 0 && !reason)
            reason = errno;
        output->stream = NULL;
    }
    if (!reason && output->destination && fsync(output->file) != 0)
        reason = errno;
    return reason;
}

/* Gives the complete file its name. Returns 0 or errno. */
static int publish(base_output *output)
{
    if (!output->beside) {
        /* in one step where no file is replaced */
        const open_name name = name_of(output->file);
        if (linkat(AT_FDCWD, name.text, AT_FDCWD, output->destination, AT_SYMLINK_FOLLOW) == 0)
            return 0;
        do {
            if (errno != EEXIST)
                return errno;
            name_beside(output);
        } while (linkat(AT_FDCWD, name.text, AT_FDCWD, output->beside, AT_SYMLINK_FOLLOW) != 0);
    }
    return rename(output->beside, output->destination) == 0 ? 0 : errno;
}

/* Blocks signals while publish gives the file two names. */
static int publish_undisturbed(base_output *output)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    const int reason = publish(output);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return reason;
}

int base_output_commit(base_output *output, base_error *error)
{
    int reason = flush_all(output);
    if (!reason && output->destination)
        reason = publish_undisturbed(output);
    if (reason && output->beside)
        unlink(output->beside);
    if (!close_all(output) && !reason && !output->destination)
        reason = errno;
    if (reason)
        base_fail(error, "%s: writing failed: %s", output->shown, strerror(reason));
    output_free(output);
    return reason ? -1 : 0;
}

void base_output_abort(base_output *output)
{
    if (!output)
        return;
    discard(output);
    output_free(output);
}

/* ---- reading -------------------------------------------------------------------- */

enum {
    CHUNK = 1 << 20, /* bytes read between two checks of the limits */
    WAIT_MS = 50     /* wait for a pipe's writer between two checks of the limits */
};

/* A file that is being read. */
typedef struct input {
    base_cleanup cleanup;
    int descriptor;
} input;

/* Cleanup where the work that reads the file is given up. */
static void close_input(base_cleanup *self)
{
    const input *in = (const input *)self;
    if (in->descriptor != STDIN_FILENO)
        close(in->descriptor);
}

/* NULL and errno: it cannot be opened. */
static input *input_open(const char *path)
{
    input *in = base_malloc(1, sizeof *in);
    /* without O_NONBLOCK, opening a FIFO waits for its writer and checks no limit */
    in->descriptor =
        is_standard(path) ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (in->descriptor < 0) {
        base_free(in);
        return NULL;
    }
    base_cleanup_add(&in->cleanup, close_input);
    return in;
}

static void input_close(input *in)
{
    base_cleanup_remove(&in->cleanup);
    close_input(&in->cleanup);
    base_free(in);
}

/* Waits until there is something to read. Gives up at a limit of the guards. */
static void wait_for_data(int descriptor)
{
    struct pollfd data = {.fd = descriptor, .events = POLLIN};
    do {
        const base_stop stop = base_guards_check();
        if (stop != BASE_GO)
            base_give_up(stop);
    } while (poll(&data, 1, WAIT_MS) <= 0);
}

/* Bytes of a regular file; 0: another kind of file, or unknown. */
static size_t regular_size(int descriptor)
{
    struct stat status;
    const bool known =
        fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
    return known ? (size_t)status.st_size : 0;
}

/* Reads to the end of a file of about `expected` bytes, at most limit + 1 bytes. Returns 0 or
 * errno. */
static int read_all(int descriptor, size_t expected, size_t limit, char **text, size_t *size)
{
    enum { LEAST = 1 << 16 };
    size_t used = 0, room = expected < LEAST ? LEAST : expected + 2;
    int reason = 0;
    char *block = base_malloc(room, 1);
    while (used <= limit) {
        wait_for_data(descriptor);
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

/* Unpacks a packed text in place. Returns NULL or a fault. */
static const char *unpack(char **text, size_t limit, size_t *size)
{
    char *packed = *text;
    const char *wrong = gzip_unpack(packed, *size, limit, text, size);
    base_free(packed);
    return wrong;
}

/* Removes a byte order mark of UTF-8. Returns NULL or a fault. */
static const char *skip_mark(char *text, size_t *size)
{
    const size_t mark = base_text_mark(text, *size);
    if (*size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
        return "begins with the byte order mark of UTF-16; expected UTF-8";
    *size -= mark;
    if (mark > 0)
        memmove(text, text + mark, *size + 1);
    return NULL;
}

static void fail_long(const char *shown, size_t known, size_t limit, base_error *error)
{
    if (known > 0)
        base_fail(error, "%s: %zu bytes, more than the %zu that are read of such a file", shown,
                  known, limit);
    else
        base_fail(error, "%s: longer than %zu bytes, the most that is read of such a file", shown,
                  limit);
}

char *base_file_read(const char *path, size_t limit, size_t *size, base_error *error)
{
    assert(limit < SIZE_MAX / 4);
    const char *shown = is_standard(path) ? "standard input" : path;
    input *in = input_open(path);
    if (!in) {
        base_fail(error, "%s: cannot be read: %s", shown, strerror(errno));
        return NULL;
    }
    const size_t expected = regular_size(in->descriptor);
    char *text = NULL;
    const char *wrong = NULL;
    int reason = 0;
    if (expected <= limit)
        reason = read_all(in->descriptor, expected, limit, &text, size);
    input_close(in);
    if (text && !reason && *size <= limit && gzip_begins(text, *size))
        wrong = unpack(&text, limit, size);
    if (text && !reason && !wrong && *size <= limit)
        wrong = skip_mark(text, size);
    if (reason)
        base_fail(error, "%s: cannot be read: %s", shown, strerror(reason));
    else if (wrong)
        base_fail(error, "%s: %s", shown, wrong);
    else if (!text || *size > limit)
        fail_long(shown, text ? 0 : expected, limit, error);
    else
        return text;
    base_free(text);
    return NULL;
}
