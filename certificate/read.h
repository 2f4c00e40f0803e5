/* certificate/read: the checker on a text in memory. */
#ifndef CERTIFICATE_READ_H
#define CERTIFICATE_READ_H

#include "certificate/certificate.h"

/* certificate_verify of a text that ends with a NUL after size bytes and is overwritten; name: what
 * errors call it. */
certificate_verdict certificate_verify_text(const char *name, char *text, size_t size,
                                            certificate_report *report, base_error *error);

#endif
