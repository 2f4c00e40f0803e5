/* certificate/trust: the assumptions of a proof.
 *
 * CERT_RULES: the rules of schedules and nothing else. CERT_EXCHANGES: also rows that some optimal
 * schedule meets, which certificate/exchange proves for the given graph; certificate/FORMAT.md
 * lists the families with the reason why that suffices. */
#ifndef CERTIFICATE_TRUST_H
#define CERTIFICATE_TRUST_H

typedef enum cert_trust { CERT_RULES, CERT_EXCHANGES, CERT_TRUSTS } cert_trust;

/* Words for them in certificates, options and reports. */
extern const char *const cert_trust_word[CERT_TRUSTS];

#endif
