/* certificate/trust: what a proof rests on.
 *
 * CERT_RULES: the rules of schedules and nothing else. CERT_CANONICAL: also rows that some optimal
 * schedule meets, which certificate/exchange shows for the graph at hand: certificate/FORMAT.md
 * lists the families, and says why that is enough. */
#ifndef CERTIFICATE_TRUST_H
#define CERTIFICATE_TRUST_H

typedef enum cert_trust { CERT_RULES, CERT_CANONICAL, CERT_TRUSTS } cert_trust;

/* Words of these in a certificate. */
extern const char *const cert_trust_word[CERT_TRUSTS];

#endif
