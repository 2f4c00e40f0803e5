/* Results that are cleared at the end of their block: OWNED(exact_result) r = exact_solve(...); */
#ifndef TESTS_EXACT_OWNED_H
#define TESTS_EXACT_OWNED_H

#include "exact/exact.h"
#include "tests/owned.h"

OWNED_VALUE(exact_result, exact_result_clear)

#endif
