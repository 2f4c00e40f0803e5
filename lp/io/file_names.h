/* lp/io/file_names: the names in a model file. Private to lp/. */
#ifndef LP_FILE_NAMES_H
#define LP_FILE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "lp/io/names.h"

/* Returns distinct names that a format can hold. Each entry of names (NULL: none) gets its
 * illegal characters replaced; an absent name becomes prefix and number. Names that would
 * coincide are changed further. legal(text, position) is true if the character at this position
 * of the text is allowed there. Numbers in the result are indices of names. The result avoids
 * taken (may be NULL, ends with NULL) too. */
lp_names *lp_file_safe_names(char *const *names, int count, char prefix,
                             bool (*legal)(const char *text, size_t position),
                             const char *const *taken);

/* Returns a suffix that turns no name into another one, for the second half of a row written as
 * two rows. It is stored in suffix (`size` bytes). */
const char *lp_file_free_suffix(const lp_names *names, char *suffix, size_t size);

#endif
