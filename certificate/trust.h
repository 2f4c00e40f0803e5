/* certificate/trust: what a proof rests on.
 *
 * CERT_RULES: the rules of schedules and nothing else. CERT_CANONICAL: also rows that some optimal
 * schedule meets; docs/formulation.md says why one can be assumed to, and the checker trusts these
 * arguments, family by family: certificate/FORMAT.md lists the families. */
#ifndef CERTIFICATE_TRUST_H
#define CERTIFICATE_TRUST_H

typedef enum cert_trust { CERT_RULES, CERT_CANONICAL, CERT_TRUSTS } cert_trust;

/* Words of these in a certificate. */
extern const char *const cert_trust_word[CERT_TRUSTS];

#endif
