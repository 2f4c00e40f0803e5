/* Writes a model, runs glpsol or cbc on it, and reads their answers. */
#include "tests/lp/reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* Writes the model, runs the command (printf-style, with the paths of input and output)
 * and opens its output. */
static FILE *run(const lp_model *m, const char *folder, const char *format, char *output,
                 size_t size)
{
    char input[256], command[1024];
    base_error error;
    lp_model *bare = bare_copy(m);
    FILE *file = NULL;
    snprintf(input, sizeof input, "%s/reference-%ld.mps", folder, (long)getpid());
    snprintf(output, size, "%s/reference-%ld.out", folder, (long)getpid());
    if (lp_model_write(bare, input, &error) == 0) {
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
        run(m, folder, "timeout 20 glpsol --freemps '%s' --nopresol -w '%s' >/dev/null 2>&1",
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

lp_status reference_mip_glpk(const lp_model *m, const char *folder, double *x)
{
    char line[512], state = 'u', output[256];
    int col;
    double value;
    FILE *file =
        run(m, folder, "timeout 20 glpsol --freemps '%s' --tmlim 5 -w '%s' >/dev/null 2>&1", output,
            sizeof output);
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
    FILE *file = run(m, folder,
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
