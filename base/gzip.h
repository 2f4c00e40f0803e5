/* base/gzip: parts of base/file.c in files of their own: where paths lead (path.c), and files
 * packed by gzip (RFC 1952), by zlib (gzip.c). */
#ifndef BASE_GZIP_H
#define BASE_GZIP_H

#include "base/base.h"

/* The folder of a path, for opening it; freed by the caller. */
char *path_folder(const char *path);

/* Path of the file that a write to path changes: links are followed, so that a link stays one, even
 * to a target that does not exist yet. Freed by the caller. */
char *path_resolve(const char *path);

/* True if data begins as a gzip file does. */
bool gzip_begins(const char *data, size_t size);

/* Unpacks data, one or several gzip members, into *text, a fresh block of *text_size bytes and a
 * NUL. Stops after more than limit bytes, and gives up at a limit of the guards. Returns NULL or a
 * fault of the data; the caller frees *text in both cases. O(bytes unpacked), at most 1032 for one
 * byte of data. */
const char *gzip_unpack(const char *data, size_t size, size_t limit, char **text,
                        size_t *text_size);

/* Opens a stream that packs into an open file. Closing it completes the data and leaves the file
 * open. Errors of the file or of zlib are errors of the stream. NULL and errno without memory. */
FILE *gzip_stream(int file);

#endif
