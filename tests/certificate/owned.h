/* Objects that tests of the checker free at the end of a block: OWNED(cert_proof) *p = ...; */
#ifndef TESTS_CERTIFICATE_OWNED_H
#define TESTS_CERTIFICATE_OWNED_H

#include "certificate/proof.h"
#include "certificate/verify.h"
#include "tests/problem/owned.h"

OWNED_POINTER(cert_model, cert_model_free)
OWNED_POINTER(cert_proof, cert_proof_free)
OWNED_VALUE(cert_row, cert_row_clear)
OWNED_VALUE(cert_cut, cert_cut_clear)
OWNED_VALUE(certificate_report, certificate_report_clear)

#endif
