/* Errors: a text of bounded length, cleaned of control characters. */
#include "base/base.h"

#include <stdarg.h>

int base_fail(base_error *error, const char *format, ...)
{
    if (!error)
        return -1;
    va_list args;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    base_text_clean(error->text);
    return -1;
}
