/* LPs that fail now and then. Runners with this file have a function in place of lp_solve. */
#ifndef TESTS_BNB_FAILING_H
#define TESTS_BNB_FAILING_H

#include <stdint.h>

/* From now on about one solve in `one_in` ends in numerical trouble, as drawn; 0: none does. */
void lp_fail(int one_in, uint64_t seed);

/* Solves that failed since lp_fail. */
long lp_failures(void);

#endif
