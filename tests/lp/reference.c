/* Writes a model, runs glpsol, esolver or cbc on it, and reads their answers. */
#include "tests/lp/reference.h"

#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_DIGITS = 767 }; /* that a double can have in decimal */

bool reference_installed(const char *program)
{
    char command[128];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
    return system(command) == 0;
}

/* The model without its offset, which not every solver reads, and without free rows,
 * which the format has no common way to write. */
static lp_model *bare_copy(const lp_model *m)
{
    lp_model *bare = lp_model_copy(m);
    bool *drop = base_calloc((size_t)m->rows + 1, sizeof *drop);
    bare->offset = 0.0;
    for (int r = 0; r < m->rows; r++)
        drop[r] = isinf(m->row_lower[r]) && isinf(m->row_upper[r]);
    lp_model_delete_rows(bare, drop);
    base_free(drop);
    return bare;
}

/* Rewrites the numbers of an MPS file with all the digits that they have in binary: the shortest
 * decimals that round to them would be other numbers to who computes exactly. False when a file
 * could not be read or written. */
static bool write_all_digits(const char *path)
{
    char copy[300], line[4096];
    snprintf(copy, sizeof copy, "%s.digits", path);
    FILE *from = fopen(path, "r"), *to = from ? fopen(copy, "w") : NULL;
    while (to && fgets(line, sizeof line, from)) {
        if (line[0] == ' ')
            fputc(' ', to);
        for (char *rest, *word = strtok_r(line, " \n", &rest); word;
             word = strtok_r(NULL, " \n", &rest)) {
            char *end;
            const double value = strtod(word, &end);
            if (*end || isinf(value))
                fprintf(to, "%s ", word);
            else
                fprintf(to, "%.*g ", MOST_DIGITS, value);
        }
        fputc('\n', to);
    }
    if (from)
        fclose(from);
    return to && fclose(to) == 0 && rename(copy, path) == 0;
}

/* Writes the model, runs the command (printf-style, with the paths of input and output)
 * and opens its output. */
static FILE *run(const lp_model *m, const char *folder, bool all_digits, const char *format,
                 char *output, size_t size)
{
    char input[256], command[1024];
    base_error error;
    lp_model *bare = bare_copy(m);
    FILE *file = NULL;
    snprintf(input, sizeof input, "%s/reference-%ld.mps", folder, (long)getpid());
    snprintf(output, size, "%s/reference-%ld.out", folder, (long)getpid());
    if (lp_model_write(bare, input, &error) == 0 && (!all_digits || write_all_digits(input))) {
        snprintf(command, sizeof command, format, input, output);
        if (system(command) >= 0)
            file = fopen(output, "r");
    }
    lp_model_free(bare);
    unlink(input);
    return file;
}

reference_answer reference_glpk(const lp_model *m, const char *folder)
{
    reference_answer answer = {LP_UNSOLVED, 0.0};
    char line[512], primal = 'u', dual = 'u', output[256];
    FILE *file =
        run(m, folder, false, "timeout 20 glpsol --freemps '%s' --nopresol -w '%s' >/dev/null 2>&1",
            output, sizeof output);
    if (!file)
        return answer;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "s bas %*d %*d %c %c %lf", &primal, &dual, &answer.objective) == 3)
            break;
    fclose(file);
    unlink(output);
    answer.objective += m->offset;
    if (primal == 'f' && dual == 'f')
        answer.status = LP_OPTIMAL;
    else if (primal == 'n')
        answer.status = LP_INFEASIBLE;
    else if (primal == 'f' && dual == 'n')
        answer.status = LP_UNBOUNDED;
    return answer;
}

reference_answer reference_exact(const lp_model *m, const char *folder)
{
    reference_answer answer = {LP_UNSOLVED, 0.0};
    char line[4096], output[256];
    mpq_t value;
    FILE *file = run(m, folder, true, "timeout 20 esolver -O '%2$s' '%1$s' >/dev/null 2>&1", output,
                     sizeof output);
    if (!file)
        return answer;
    mpq_init(value);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (!strcmp(line, "status = OPTIMAL"))
            answer.status = LP_OPTIMAL;
        else if (!strcmp(line, "status = INFEASIBLE"))
            answer.status = LP_INFEASIBLE;
        else if (!strcmp(line, "status = UNBOUNDED"))
            answer.status = LP_UNBOUNDED;
        const char *number = strstr(line, "Value = ");
        if (number && mpq_set_str(value, number + 8, 10) == 0) {
            mpq_canonicalize(value);
            answer.objective = mpq_get_d(value) + m->offset;
        }
        if (!strncmp(line, "VARS", 4))
            break;
    }
    mpq_clear(value);
    fclose(file);
    unlink(output);
    return answer;
}

lp_status reference_mip_glpk(const lp_model *m, const char *folder, double *x)
{
    char line[512], state = 'u', output[256];
    int col;
    double value;
    FILE *file =
        run(m, folder, false, "timeout 20 glpsol --freemps '%s' --tmlim 5 -w '%s' >/dev/null 2>&1",
            output, sizeof output);
    if (!file)
        return LP_UNSOLVED;
    while (fgets(line, sizeof line, file)) {
        sscanf(line, "s mip %*d %*d %c", &state);
        /* Its file knows no pure LPs otherwise: "s bas rows cols primal dual objective". */
        if (sscanf(line, "j %d %lf", &col, &value) == 2 && col >= 1 && col <= m->cols)
            x[col - 1] = value;
    }
    fclose(file);
    unlink(output);
    return state == 'o' ? LP_OPTIMAL : state == 'n' ? LP_INFEASIBLE : LP_UNSOLVED;
}

lp_status reference_mip_cbc(const lp_model *m, const char *folder, double *x)
{
    char line[512], output[256];
    int col;
    double value;
    lp_status status = LP_UNSOLVED;
    FILE *file = run(m, folder, false,
                     "timeout 20 cbc '%s' -sec 5 -ratio 0 -allow 1e-9 -printi all -solve "
                     "-solu '%s' >/dev/null 2>&1",
                     output, sizeof output);
    if (!file)
        return LP_UNSOLVED;
    if (fgets(line, sizeof line, file))
        status = !strncmp(line, "Optimal", 7)                                     ? LP_OPTIMAL
                 : !strncmp(line, "Infeasible", 10) || strstr(line, "infeasible") ? LP_INFEASIBLE
                                                                                  : LP_UNSOLVED;
    while (fgets(line, sizeof line, file)) {
        char *at = line + strspn(line, " *");
        if (sscanf(at, "%d %*s %lf", &col, &value) == 2 && col >= 0 && col < m->cols)
            x[col] = value;
    }
    fclose(file);
    unlink(output);
    return status;
}
