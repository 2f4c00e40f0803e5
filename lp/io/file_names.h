/* lp/io/file_names: the names in a model file. Private to lp/. */
#ifndef LP_FILE_NAMES_H
#define LP_FILE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "lp/io/names.h"

/* Distinct names for what is written: each of names (NULL: none) with the characters
 * that the format cannot hold replaced, or prefix and number, changed further where
 * two would coincide. legal tells of a text whether its character at a position may
 * stand there.
 * Numbers in the result are numbers in names; taken (may be NULL) is avoided too. */
lp_names *lp_file_safe_names(char *const *names, int count, char prefix,
                             bool (*legal)(const char *text, size_t position),
                             const char *const *taken);

/* A suffix that makes no name into another one, for the second half of a row that has
 * to be written as two; in suffix, of which size bytes are there. */
const char *lp_file_free_suffix(const lp_names *names, char *suffix, size_t size);

#endif
