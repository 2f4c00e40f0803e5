/* base/buffer: a text, or bytes, that grow in memory counted by base/. */
#ifndef BASE_BUFFER_H
#define BASE_BUFFER_H

#include <stddef.h>

/* All zero: empty. */
typedef struct text_buffer {
    char *data; /* size bytes and a NUL, a block of base_malloc; NULL while it is empty */
    size_t size, capacity;
} text_buffer;

/* Appends as printf; numbers are in the notation of the locale in force. */
void text_print(text_buffer *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_append(text_buffer *text, const void *data, size_t size);
/* Appends `from` and empties it. */
void text_move(text_buffer *text, text_buffer *from);
void text_clear(text_buffer *text);

#endif
