/* cli/engine: code shared by the subcommands `lp` and `mip`: reading a model file, limits,
 * results on the terminal, as JSON and as a solution file. */
#ifndef CLI_ENGINE_H
#define CLI_ENGINE_H

#include <jansson.h>

#include "library/problem.h"
#include "lp/model.h"

/* Limits from --time-limit-s, counted from now, --memory-limit and Ctrl-C. They leave room for
 * the memory of the process outside of its blocks, and time for an orderly end. Without
 * --memory-limit the limit is the memory that the system offers. */
base_limits cli_limits(const cli_options *options);

/* Runs a step under the limits; `what` describes it in messages. Returns the exit status that the
 * step returned, CLI_BAD_INPUT if that is negative, or CLI_LIMIT_NOTHING after a message when it
 * was given up. */
int cli_guard(const base_limits *limits, const char *what, int (*step)(void *), void *context);

/* The input of a run of an engine. */
typedef struct cli_engine {
    lp_model *model;
    lp_model *narrow;     /* the model as it was read, while `model' is a wider one; else NULL */
    const char *solution; /* path of --solution; NULL without */
    base_limits limits;
    double started; /* base_seconds() */
} cli_engine;

/* The rule of `lp' and `mip' for solutions, `infeasible' and `proven'; for their help. */
#define CLI_ENGINE_RULE                                                                            \
    "A solution violates no side of a row and no bound of a column by more than 1e-6 (1 + "        \
    "min(|side|, 1000)). If no point meets all of them, or rounding errors leave no answer, the "  \
    "model is solved again with all of them wider by 127/128 of this tolerance, except for the "   \
    "bounds of integer columns (`widened'). `infeasible' means that the wider model has no point " \
    "either. `optimal' means that (objective - bound) / |objective| is at most 1e-9; an "          \
    "objective below 1e-9 of the least cost counts as 0, and its gap is relative to this cost. "   \
    "Bound and infeasibility hold in spite of rounding errors if each column has finite bounds, "  \
    "its own or implied by the rows. Otherwise the answer names a column without finite bounds, "  \
    "and states whether they are proven; costs then count as rounded in their tenth digit."

/* The 1e-6 in CLI_ENGINE_RULE, and the part of it that cli_engine_widen takes: the rest is left for
 * a solution of the wider model to miss. */
#define CLI_ROOM 1e-6
#define CLI_WIDER (127.0 / 128.0 * CLI_ROOM)

/* The part of the tolerance of CLI_ENGINE_RULE that is left for a solution of the engine's model.
 */
double cli_engine_room(const cli_engine *engine);

/* Returns the largest miss of x (extent cols) on a side or bound of the model as it was read, in
 * parts of the tolerance of CLI_ENGINE_RULE: at most 1 for a solution. *missed: the column, or
 * cols + row. */
double cli_engine_miss(const cli_engine *engine, const double *x, int *missed);

/* cli_engine_widen replaces the model by one with wider row sides and wider bounds of continuous
 * columns, by lp_side_room(side, CLI_WIDER). cli_engine_narrow takes that back. */
void cli_engine_widen(cli_engine *engine);
void cli_engine_narrow(cli_engine *engine);

/* Checks that the solution file can be written, then reads the model. Returns 0, or an exit
 * status after a message on stderr: CLI_BAD_INPUT, or CLI_LIMIT_NOTHING when a limit ended the
 * reading (the answer is then printed). The clock of the limits starts before reading. */
int cli_engine_open(const cli_options *options, cli_engine *engine);
void cli_engine_close(cli_engine *engine);

/* An answer to be shown; NAN or infinite figures are unknown and become null in JSON. Of
 * the minimisation that the engine works on: signs are turned here for a maximisation. */
typedef struct cli_answer {
    const char *status; /* as lp_status_name and bnb_status_name give it */
    double objective, bound;
    bool proven;  /* in spite of rounding errors: the bound, or that there is no solution */
    bool stopped; /* a limit ended a run that claims nothing */
    long iterations, nodes;
    bool with_nodes; /* a tree was searched: print its figures */
    double miss;     /* largest miss of the point, in parts of the rule's tolerance */
    int missed;      /* the column with that miss, or cols + its row */
    json_t *more;    /* further members of the JSON object; stolen; may be NULL */
} cli_answer;

/* A figure of the minimisation with the sign of the model as it was written. */
double cli_engine_shown(const cli_engine *engine, double value);

/* Prints the answer: one JSON object with --json, else lines of text. */
void cli_engine_print(const cli_options *options, const cli_engine *engine,
                      const cli_answer *answer);

/* Writes x and, where not NULL, the reduced costs, row activities and dual values to the
 * solution file. Nothing without one. 0, or CLI_BAD_INPUT after
 * a message. */
int cli_engine_write(const cli_engine *engine, const cli_answer *answer, const double *x,
                     const double *reduced_cost, const double *activity, const double *dual);

#endif
