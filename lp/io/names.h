/* lp/io/names: a set of distinct names, numbered in the order in which they came. */
#ifndef LP_NAMES_H
#define LP_NAMES_H

/* Names with numbers from 0 on, in the order in which they came. */
typedef struct lp_names lp_names;

lp_names *lp_names_create(void);     /* with none */
void lp_names_free(lp_names *names); /* NULL allowed */
/* Number of a name, or -1. Expected O(length). */
int lp_names_find(const lp_names *names, const char *name);
/* Adds a copy of a name and returns its number, or -1 when it is there already.
 * Amortised expected O(length). */
int lp_names_add(lp_names *names, const char *name);
int lp_names_count(const lp_names *names);
/* The name with a number; belongs to the set and stays until it is freed. */
const char *lp_names_get(const lp_names *names, int number);

#endif
