/* Shrinks a model that fails: drops rows, columns and entries, and rounds numbers, as long as it
 * still fails. */
#include "tests/lp/shrink_model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct shrinker {
    shrink_failure *failure;
    const void *options;
    uint64_t seed;
    char kind[64]; /* the first word of the failure */
    int budget;    /* checks that may still be made */
} shrinker;

static bool still_fails(shrinker *k, const lp_model *m)
{
    for (int j = 0; j < m->cols; j++)
        if (m->lower[j] > m->upper[j])
            return false;
    for (int r = 0; r < m->rows; r++)
        if (m->row_lower[r] > m->row_upper[r])
            return false;
    if (k->budget-- <= 0)
        return false;
    char text[SHRINK_TEXT] = "";
    k->failure(k->options, m, k->seed, text);
    return !strncmp(text, k->kind, strlen(k->kind)) && text[0];
}

/* Keeps candidate if it still fails; frees the other one. */
static bool accept(shrinker *k, lp_model **m, lp_model *candidate)
{
    const bool better = still_fails(k, candidate);
    lp_model_free(better ? *m : candidate);
    if (better)
        *m = candidate;
    return better;
}

/* Deletes blocks of rows or columns, halving their size. */
static bool shrink_extent(shrinker *k, lp_model **m, bool rows)
{
    bool changed = false;
    for (int block = (rows ? (*m)->rows : (*m)->cols) / 2; block >= 1; block /= 2) {
        for (int first = 0; first < (rows ? (*m)->rows : (*m)->cols);) {
            const int extent = rows ? (*m)->rows : (*m)->cols;
            if (extent <= 1)
                break;
            bool *drop = base_calloc((size_t)extent, sizeof *drop);
            for (int i = first; i < extent && i < first + block; i++)
                drop[i] = true;
            lp_model *candidate = lp_model_copy(*m);
            if (rows)
                lp_model_delete_rows(candidate, drop);
            else
                lp_model_delete_cols(candidate, drop);
            base_free(drop);
            if ((rows ? candidate->rows : candidate->cols) == 0) {
                lp_model_free(candidate);
                break;
            }
            if (accept(k, m, candidate))
                changed = true;
            else
                first += block;
        }
    }
    return changed;
}

/* Replaces *number within a copy by simpler values. */
static bool simplify(shrinker *k, lp_model **m, size_t array, int index)
{
    bool changed = false;
    for (int kind = 0; kind < 3; kind++) {
        lp_model *candidate = lp_model_copy(*m);
        double *arrays[] = {candidate->cost,      candidate->lower,     candidate->upper,
                            candidate->row_lower, candidate->row_upper, candidate->value};
        double *number = &arrays[array][index];
        const double old = *number, simpler[] = {0.0, old > 0.0 ? 1.0 : -1.0, rint(old)};
        if (array == 5 && kind == 0) { /* an entry goes by its column being made anew */
            lp_model_free(candidate);
            continue;
        }
        *number = simpler[kind];
        const bool simple = old == 0.0 || old == *number || isinf(old) || fabs(old) == 1.0 ||
                            (array == 5 && *number == 0.0);
        if (simple)
            lp_model_free(candidate);
        else if (accept(k, m, candidate))
            changed = true;
    }
    return changed;
}

static bool shrink_numbers(shrinker *k, lp_model **m)
{
    bool changed = false;
    for (size_t array = 0; array < 6; array++) {
        const int extent = array < 3   ? (*m)->cols
                           : array < 5 ? (*m)->rows
                                       : (*m)->start[(*m)->cols];
        for (int i = 0; i < extent && k->budget > 0; i++)
            changed |= simplify(k, m, array, i);
    }
    return changed;
}

lp_model *shrink_model(lp_model *m, uint64_t seed, shrink_failure *failure, const void *options)
{
    shrinker k = {.failure = failure, .options = options, .seed = seed, .budget = 1500};
    char text[SHRINK_TEXT] = "";
    failure(options, m, seed, text);
    snprintf(k.kind, sizeof k.kind, "%.*s", (int)strcspn(text, ":"), text);
    if (!k.kind[0])
        return m;
    bool changed = true;
    while (changed && k.budget > 0) {
        changed = shrink_extent(&k, &m, true);
        changed |= shrink_extent(&k, &m, false);
        changed |= shrink_numbers(&k, &m);
    }
    return m;
}

void shrink_save(const lp_model *m, const char *name, uint64_t seed, const char *family,
                 const char *failure, const char *folder)
{
    char path[512], plain[600];
    base_error error;
    size_t size;
    snprintf(path, sizeof path, "%s/%s-%llu.mps", folder, name, (unsigned long long)seed);
    snprintf(plain, sizeof plain, "%s.tmp.mps", path);
    if (lp_model_write(m, plain, &error) != 0) {
        fprintf(stderr, "%s_fuzz: %s\n", name, error.text);
        return;
    }
    char *text = base_file_read(plain, (size_t)1 << 30, &size, &error);
    FILE *file = fopen(path, "w");
    if (text && file)
        fprintf(file, "* %s_fuzz, seed %llu, family %s: %s\n%s", name, (unsigned long long)seed,
                family, failure, text);
    if (file)
        fclose(file);
    base_free(text);
    unlink(plain);
    printf("  written to %s (%d rows, %d columns)\n", path, m->rows, m->cols);
}
