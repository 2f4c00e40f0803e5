/* cert_judge: the first checker for who has many certificates to judge, in one process.
 *
 * Reads "SIZE\n" and so many bytes, again and again, until the input ends. Answers each with a
 * line: the exit status of `poetbnb verify', and behind tabs its message, or, of a proof that
 * holds, the claim, the trust, the bound (%a), steps, nodes, cuts, multipliers, rows whose
 * exchanges were carried out, the cases of these, and the families. */
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "certificate/verify.h"
#include "tests/certificate/owned.h"

static void answer(certificate_verdict verdict, const certificate_report *r, const char *message)
{
    if (verdict != CERTIFICATE_HOLDS) {
        printf("%d\t%s\n", verdict == CERTIFICATE_WRONG ? 1 : 2, message);
        return;
    }
    printf("0\t%s\t%s\t%a\t%ld\t%ld\t%ld\t%ld\t%ld\t%ld",
           r->infeasible ? "infeasible"
           : r->optimal  ? "optimal"
                         : "bound",
           cert_trust_word[r->trust], r->infeasible ? 0.0 : r->bound_joules, r->steps, r->nodes,
           r->cuts, r->multipliers, r->exchange_rows, r->exchange_cases);
    for (int k = 0; k < r->families; k++)
        printf("\t%s", r->family[k]);
    putchar('\n');
}

int main(void)
{
    char head[32];
    while (fgets(head, sizeof head, stdin)) {
        const size_t size = strtoul(head, NULL, 10);
        OWNED(char) *text = base_malloc(size + 1, 1);
        OWNED(certificate_report) report = {0};
        base_error error = {""};
        if (fread(text, 1, size, stdin) != size)
            return EXIT_FAILURE;
        text[size] = '\0';
        certificate_verdict verdict =
            certificate_verify_text("mutant", text, size, &report, &error);
        if (verdict == CERTIFICATE_HOLDS && report.trust == CERT_EXCHANGES)
            verdict = certificate_exchanges(&report, &error);
        answer(verdict, &report, error.text);
        fflush(stdout);
    }
    return EXIT_SUCCESS;
}
