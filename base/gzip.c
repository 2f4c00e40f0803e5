/* Packing and unpacking by zlib, in pieces between which limits are checked. */
#include "base/gzip.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

enum {
    GZIP_FORMAT = 15 + 16, /* zlib's windowBits for gzip's header and check sum, largest window */
    ROOM = 1 << 16,        /* bytes of the first block to unpack into */
    STEP = 1 << 20         /* bytes unpacked between two checks of the limits */
};

bool gzip_begins(const char *data, size_t size)
{
    return size >= 2 && data[0] == '\x1f' && data[1] == '\x8b';
}

/* ---- reading ------------------------------------------------------------------- */

/* Unpacked bytes: `used` of `room`. */
typedef struct unpacked {
    char *text;
    size_t used, room;
} unpacked;

/* Memory of zlib. A guard frees it when it gives up the work. */
static void *take(void *none, unsigned count, unsigned size)
{
    (void)none;
    return base_malloc(count, size);
}

static void give_back(void *none, void *block)
{
    (void)none;
    base_free(block);
}

/* Unpacks one more piece. Z_OK: more follows; Z_STREAM_END: a member ends here; else an error of
 * zlib. */
static int unpack_step(z_stream *z, unpacked *u)
{
    if (u->room - u->used < 2)
        u->text = base_realloc(u->text, u->room *= 2, 1);
    size_t free_room = u->room - 1 - u->used;
    z->next_out = (Bytef *)u->text + u->used;
    z->avail_out = (uInt)(free_room < STEP ? free_room : STEP);
    int status = inflate(z, Z_NO_FLUSH);
    u->used = (size_t)((char *)z->next_out - u->text);
    return status;
}

/* Gives zlib the next part of the data, of which *left bytes are not given yet. */
static void feed(z_stream *z, size_t *left)
{
    if (z->avail_in > 0)
        return;
    z->avail_in = (uInt)(*left < STEP ? *left : STEP);
    *left -= z->avail_in;
}

const char *gzip_unpack(const char *data, size_t size, size_t limit, char **text, size_t *text_size)
{
    z_stream z = {.next_in = (Bytef *)data, /* not modified */
                  .zalloc = take,
                  .zfree = give_back};
    unpacked u = {base_malloc(ROOM, 1), 0, ROOM};
    const char *wrong = NULL;
    size_t left = size;
    if (inflateInit2(&z, GZIP_FORMAT) != Z_OK)
        wrong = "zlib failed";
    while (!wrong && u.used <= limit) {
        const base_stop stop = base_guards_check();
        if (stop != BASE_GO)
            base_give_up(stop);
        feed(&z, &left);
        int status = unpack_step(&z, &u);
        const size_t rest = z.avail_in + left;
        if (status == Z_STREAM_END && rest == 0)
            break;
        if (status == Z_STREAM_END && !gzip_begins((const char *)z.next_in, rest))
            wrong = "something other than gzip data follows the packed data";
        else if (status == Z_STREAM_END)
            wrong = inflateReset(&z) == Z_OK ? NULL : "zlib failed";
        else if (status == Z_BUF_ERROR && rest == 0)
            wrong = "the gzip data is cut off";
        else if (status != Z_OK && status != Z_BUF_ERROR)
            wrong = "the gzip data is damaged";
    }
    inflateEnd(&z);
    u.text[u.used] = '\0';
    *text = u.text;
    *text_size = u.used;
    return wrong;
}

/* ---- writing ------------------------------------------------------------------- */

static ssize_t packer_write(void *file, const char *data, size_t size)
{
    size_t done = 0;
    for (int wrote = 1; done < size && wrote > 0; done += (size_t)wrote)
        wrote = gzwrite(file, data + done, (unsigned)(size - done < STEP ? size - done : STEP));
    return (ssize_t)done;
}

static int packer_close(void *file)
{
    return gzclose(file) == Z_OK ? 0 : -1;
}

FILE *gzip_stream(int file)
{
    static const cookie_io_functions_t calls = {.write = packer_write, .close = packer_close};
    const int own = fcntl(file, F_DUPFD_CLOEXEC, 0); /* gzclose closes it */
    gzFile packed = own < 0 ? NULL : gzdopen(own, "wb");
    FILE *stream = packed ? fopencookie(packed, "w", calls) : NULL;
    if (packed && !stream)
        gzclose(packed);
    else if (own >= 0 && !packed)
        close(own);
    return stream;
}
