/* lp/io/names: a set of distinct names, numbered in order of addition. */
#ifndef LP_NAMES_H
#define LP_NAMES_H

/* Names with numbers from 0 on, in order of addition. */
typedef struct lp_names lp_names;

lp_names *lp_names_create(void);     /* empty */
void lp_names_free(lp_names *names); /* NULL allowed */
/* Returns the number of a name, or -1. Expected O(length). */
int lp_names_find(const lp_names *names, const char *name);
/* Adds a copy of a name and returns its number, or -1 if it is in the set already. Amortised
 * expected O(length). */
int lp_names_add(lp_names *names, const char *name);
int lp_names_count(const lp_names *names);
/* Returns the name with a number; it belongs to the set and is valid until the set is freed. */
const char *lp_names_get(const lp_names *names, int number);

#endif
