/* lp/io/names: sets of distinct names, numbered in order of addition, and the names in a model
 * file. Private to lp/. */
#ifndef LP_NAMES_H
#define LP_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Names with numbers from 0 on, in order of addition. */
typedef struct lp_names lp_names;

lp_names *lp_names_create(void); /* empty */
void lp_names_free(lp_names *names);
/* Returns the number of a name, or -1. Expected O(length). */
int lp_names_find(const lp_names *names, const char *name);
/* Adds a copy of a name and returns its number, or -1 if it is in the set already. Amortised
 * expected O(length). */
int lp_names_add(lp_names *names, const char *name);
int lp_names_count(const lp_names *names);
/* Returns the name with a number; it belongs to the set and is valid until the set is freed. */
const char *lp_names_get(const lp_names *names, int number);

/* Returns distinct names that a format can hold. Each entry of names (NULL: none) gets its
 * illegal characters replaced; an absent name becomes prefix and number. Names that would
 * coincide are changed further. legal(text, position) is true if the character at this position
 * of the text is allowed there. Numbers in the result are indices of names. The result avoids
 * taken (may be NULL, ends with NULL) too. */
lp_names *lp_file_safe_names(char *const *names, int count, char prefix,
                             bool (*legal)(const char *text, size_t position),
                             const char *const *taken);

#endif
