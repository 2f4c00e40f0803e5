/* Text that grows in memory. */
#include "certificate/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"

/* Reserves room for `more` characters and a NUL. */
static void reserve(cert_text *text, size_t more)
{
    if (text->size + more < text->capacity)
        return;
    text->capacity = 2 * (text->size + more) + 256;
    text->data = base_realloc(text->data, text->capacity, 1);
}

void cert_text_print(cert_text *text, const char *format, ...)
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

void cert_text_move(cert_text *text, cert_text *from)
{
    reserve(text, from->size);
    if (from->size > 0)
        memcpy(text->data + text->size, from->data, from->size);
    text->size += from->size;
    text->data[text->size] = '\0';
    cert_text_clear(from);
}

void cert_text_clear(cert_text *text)
{
    base_free(text->data);
    *text = (cert_text){0};
}
