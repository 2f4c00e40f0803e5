/* Text that grows in memory. */
#include "base/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"

/* Reserves room for `more` characters and a NUL. */
static void reserve(text_buffer *text, size_t more)
{
    if (text->size + more < text->capacity)
        return;
    text->capacity = 2 * (text->size + more) + 256;
    text->data = base_realloc(text->data, text->capacity, 1);
}

void text_print(text_buffer *text, const char *format, ...)
{
    enum { USUAL = 80 };
    va_list arguments;
    reserve(text, USUAL);
    va_start(arguments, format);
    const size_t room = text->capacity - text->size;
    const size_t length = (size_t)vsnprintf(text->data + text->size, room, format, arguments);
    va_end(arguments);
    if (length >= room) {
        reserve(text, length);
        va_start(arguments, format);
        vsnprintf(text->data + text->size, length + 1, format, arguments);
        va_end(arguments);
    }
    text->size += length;
}

void text_append(text_buffer *text, const void *data, size_t size)
{
    reserve(text, size);
    if (size > 0)
        memcpy(text->data + text->size, data, size);
    text->size += size;
    text->data[text->size] = '\0';
}

void text_move(text_buffer *text, text_buffer *from)
{
    text_append(text, from->data, from->size);
    text_clear(from);
}

void text_clear(text_buffer *text)
{
    base_free(text->data);
    *text = (text_buffer){0};
}
