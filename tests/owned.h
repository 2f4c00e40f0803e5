/* Variables that are freed at the end of their block:
 *
 *     OWNED(graph) *g = five_nodes();
 *     OWNED(bnb_result) r = bnb_solve(...);
 *
 * A header of the type's tests says how, with one of the last two macros. */
#ifndef TESTS_OWNED_H
#define TESTS_OWNED_H

#include "base/base.h"

#define OWNED(type) __attribute__((cleanup(drop_##type))) type

/* OWNED variables are pointers to type, which release(pointer) frees; or values, which
 * release(&value) clears. */
#define OWNED_POINTER(type, release)                                                               \
    static inline void drop_##type(type **owned)                                                   \
    {                                                                                              \
        release(*owned);                                                                           \
    }
#define OWNED_VALUE(type, release)                                                                 \
    static inline void drop_##type(type *owned)                                                    \
    {                                                                                              \
        release(owned);                                                                            \
    }

OWNED_POINTER(char, base_free) /* texts */
OWNED_POINTER(bool, base_free) /* arrays, as the others */
OWNED_POINTER(double, base_free)
OWNED_POINTER(int, base_free)
OWNED_POINTER(uint8_t, base_free)

#endif
