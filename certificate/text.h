/* certificate/text: a growing text, in memory counted by base/. */
#ifndef CERTIFICATE_TEXT_H
#define CERTIFICATE_TEXT_H

#include <stddef.h>

/* All zero: empty. */
typedef struct cert_text {
    char *data; /* size characters and a NUL; NULL while it is empty */
    size_t size, capacity;
} cert_text;

/* Appends as printf; numbers are in the notation of the locale in force. */
void cert_text_print(cert_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Appends `from` and empties it. */
void cert_text_move(cert_text *text, cert_text *from);
void cert_text_clear(cert_text *text);

#endif
