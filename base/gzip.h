/* base/gzip: files packed by gzip (RFC 1952), by zlib. Private to base/. */
#ifndef BASE_GZIP_H
#define BASE_GZIP_H

#include "base/base.h"

/* True if data begins as a gzip file does. */
bool gzip_begins(const char *data, size_t size);

/* Unpacks data, one or several gzip members, into *text, a fresh block of *text_size bytes and a
 * NUL; stops after more than limit bytes, or when one of limits (NULL: none) is reached, which is
 * then in *stop. Returns NULL, or what is wrong with the data; *text is to be freed in any case.
 * O(bytes unpacked), of which gzip makes at most 1032 from one. */
const char *gzip_unpack(const char *data, size_t size, size_t limit, const base_limits *limits,
                        base_stop *stop, char **text, size_t *text_size);

/* A stream that packs what is written to it into an open file. Closing it completes the data and
 * leaves the file open; an error of the file or of zlib is one of the stream. NULL and errno
 * without memory. */
FILE *gzip_stream(int file);

#endif
