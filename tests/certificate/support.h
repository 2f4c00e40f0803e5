/* Certificates as texts, made and changed in memory. */
#ifndef TESTS_CERTIFICATE_SUPPORT_H
#define TESTS_CERTIFICATE_SUPPORT_H

#include "certificate/write.h"
#include "tests/certificate/owned.h"
#include "tests/exact/owned.h"
#include "tests/oracle/extreme_instance.h"
#include "tests/oracle/oracle.h"
#include "tests/oracle/special_instance.h"

/* Random instances of every family. */
random_instance draw_instance(uint64_t seed, int nodes);

/* Solves p and returns its certificate as a text (base_free), which has been verified; fails the
 * test otherwise. NULL when the solver has no proof. *r gets the result, to be cleared. */
char *certified(const problem *p, const exact_params *params, cert_trust trust, exact_result *r);

/* True if the last one that certified() made took a second run. */
bool certified_again(void);

/* Verdict on a text, which stays as it is; error gets the message. */
certificate_verdict judge_text(const char *text, certificate_report *report, base_error *error);

/* A copy of the text in which the first `from` at or after `start` is replaced; NULL when there is
 * none. */
char *replaced(const char *text, const char *start, const char *from, const char *to);

/* The line that begins with the word(s) from a place on; NULL: none. */
const char *line_of(const char *text, const char *word);

/* A copy without the line at that place; with it set to another text. */
char *without_line(const char *text, const char *line);
char *with_line(const char *text, const char *line, const char *as);

#endif
