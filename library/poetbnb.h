/* poetbnb: schedules of rematerialisation and paging at least energy, proven optimal.
 *
 * A training graph and a memory budget go in; the schedule that needs the least energy comes out,
 * with a proof that none needs less, or a lower bound on the energy of all schedules where a
 * limit ended the search first (Patil et al., POET, ICML 2022; the model is in
 * docs/formulation.md).
 *
 *     poetbnb_error error;
 *     poetbnb_graph *graph = poetbnb_graph_builtin("vgg16_cifar", "a72", NULL, &error);
 *     poetbnb_solver *solver = poetbnb_solver_create(graph, &error);
 *     poetbnb_set(solver, "ram-budget", "50%", &error);
 *     poetbnb_result *result = poetbnb_solve(solver, &error);
 *     if (poetbnb_result_status(result) == POETBNB_OPTIMAL) ...
 *     poetbnb_result_free(result);
 *     poetbnb_solver_free(solver);
 *     poetbnb_graph_free(graph);
 *
 * (with a check after each call, as in example.c).
 *
 * ERRORS. A function that can fail returns NULL, or -1, and writes a sentence into *error: file,
 * place, and expectation. error may be NULL. Nothing else has happened then. No function
 * prints, exits, aborts or installs a signal handler.
 *
 * MEMORY. Where memory comes to an end the call fails, or a solve ends as at its memory limit; the
 * memory of that call is freed. The limit of a solve counts the memory of that solve only.
 *
 * THREADS. There is no state outside of the handles: threads may work on different handles at the
 * same time. A graph and a result are never changed once they are there: any number of threads may
 * read them. A solver belongs to one thread at a time, but for poetbnb_stop.
 *
 * LIFE. A solver and a result keep the graph that they need: handles may be freed in any order.
 * A `const` result of a function belongs to its handle and lives as long.
 *
 * NUMBERS. Energies are in joules, times in seconds, sizes in bytes. Numbers in texts have a
 * decimal point in every locale.
 *
 * Link with `pkg-config --cflags --libs poetbnb` (and --static for libpoetbnb.a). */
#ifndef POETBNB_H
#define POETBNB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define POETBNB_API __attribute__((visibility("default")))
#else
#define POETBNB_API
#endif

typedef struct poetbnb_graph poetbnb_graph;
typedef struct poetbnb_solver poetbnb_solver;
typedef struct poetbnb_result poetbnb_result;

/* A message: one line of UTF-8. */
typedef struct poetbnb_error {
    char text[1024];
} poetbnb_error;

/* Of the library, as "0.1.0". */
POETBNB_API const char *poetbnb_version(void);

/* Frees a text or block that a function returned for the caller to free. NULL is allowed. */
POETBNB_API void poetbnb_free(void *block);

/* ---- graphs ------------------------------------------------------------------------------ */

/* Decisions that are forbidden for a node. Both: its output stays in RAM until its last use. */
typedef enum poetbnb_pin {
    POETBNB_NO_RECOMPUTE = 1, /* it is computed in its own stage only */
    POETBNB_NO_PAGE = 2,      /* its output is neither paged out nor paged in */
    POETBNB_KEEP = 3
} poetbnb_pin;

/* True if computing a node draws random numbers or changes something beside its output. */
typedef enum poetbnb_stateful {
    POETBNB_PURE = 0,
    POETBNB_REPLAYED = 1, /* it does, but the executor of the schedule replays it: computed again
                             it draws the same numbers and changes nothing a second time */
    POETBNB_STATEFUL = 2  /* it does, and is computed in its own stage only */
} poetbnb_stateful;

/* The memory of an output. */
typedef enum poetbnb_sharing {
    POETBNB_OWN = 0,     /* its own */
    POETBNB_VIEW = 1,    /* the memory of the only input, as it is: the node has no bytes and no
                            costs */
    POETBNB_IN_PLACE = 2 /* the memory of the input `shares`, of as many bytes. No other node reads
                            it: both nodes are computed together, in the place of this one */
} poetbnb_sharing;

/* One of several outputs. */
typedef struct poetbnb_output {
    const char *name; /* may be NULL */
    int64_t bytes;    /* >= 0 */
} poetbnb_output;

/* A node of a training graph. A structure with all unset members at 0 is a node with one
 * output in memory of its own. */
typedef struct poetbnb_node {
    const char *name;  /* may be NULL */
    const int *inputs; /* extent input_count: the nodes that it reads, each before it; no doubles */
    int input_count;
    int backward;                         /* 1: a gradient node */
    int64_t bytes;                        /* of the output, >= 0 */
    double seconds, joules;               /* to compute it once, >= 0 */
    double pagein_joules, pageout_joules; /* to bring the output from storage, and there, >= 0 */
    double pagein_seconds, pageout_seconds;
    int64_t workspace_bytes;       /* in use beside it only while it is computed, >= 0 */
    int pin;                       /* 0, or one of poetbnb_pin */
    int sharing;                   /* one of poetbnb_sharing */
    int shares;                    /* POETBNB_IN_PLACE: one of inputs */
    const poetbnb_output *outputs; /* in place of bytes; they are kept and paged together */
    int output_count;              /* 0: one output, of bytes */
    const int *input_outputs; /* of each input, which of its outputs is read, -1: all; NULL: all */
    int output;   /* 1: in RAM when the last stage ends; the graph then ends with a node of 0 bytes
                     that   reads all such, unless the last one does so itself */
    int stateful; /* one of poetbnb_stateful */
} poetbnb_node;

/* Other names for the memory of a node: entries of the input that are no nodes of their own. */
typedef struct poetbnb_alias {
    const char *name;
    const char *kind; /* "view", "overwritten", "output", "unread" */
    int node;
    int64_t bytes; /* of outputs; else 0 */
} poetbnb_alias;

/* How a built-in network becomes a graph. */
typedef struct poetbnb_builtin {
    int batch_size;         /* 1 and more */
    double mem_power_scale; /* factor on the power that storage draws; 1 */
    const char *backward;   /* gradient nodes: "published" or "autodiff" */
} poetbnb_builtin;

/* The graph of a built-in network on a built-in platform, or on the platform of a JSON file (a name
 * with a
 * '/' or ending in .json). how: NULL for {1, 1, "published"}. The names: `poetbnb info`. */
POETBNB_API poetbnb_graph *poetbnb_graph_builtin(const char *network, const char *platform,
                                                 const poetbnb_builtin *how, poetbnb_error *error);

/* The graph of a JSON file (docs/formats.md). platform: costs the nodes that have FLOPs, as above;
 * NULL: none has. */
POETBNB_API poetbnb_graph *poetbnb_graph_read(const char *path, const char *platform,
                                              poetbnb_error *error);

/* The same of a text of size bytes; errors call it `name`. */
POETBNB_API poetbnb_graph *poetbnb_graph_parse(const char *text, size_t size, const char *name,
                                               const char *platform, poetbnb_error *error);

/* Creates a graph of `count` nodes, each behind the nodes that it reads. Everything is copied.
 * Numbers have the range of graph files. The graph has no node for a view, and none for an
 * overwritten output; later nodes move up by as many numbers, and poetbnb_graph_alias returns
 * where the names went. */
POETBNB_API poetbnb_graph *poetbnb_graph_create(const char *name, const poetbnb_node *nodes,
                                                int count, poetbnb_error *error);

/* Sets the bytes that are in RAM all the time beside the nodes: parameters, the state of the
 * optimiser. A budget in bytes is all of the RAM, and nodes get the rest of it; a percentage
 * refers to the peak of the nodes, and the resident bytes come on top. Default: the value of the
 * graph's file, or 0. Returns 0, or -1: out of the range of sizes, or a solver has the graph
 * already. */
POETBNB_API int poetbnb_graph_set_resident_bytes(poetbnb_graph *graph, int64_t bytes,
                                                 poetbnb_error *error);
POETBNB_API int64_t poetbnb_graph_resident_bytes(const poetbnb_graph *graph);

/* The graph goes when no solver and no result needs it any more. NULL is allowed. */
POETBNB_API void poetbnb_graph_free(poetbnb_graph *graph);

POETBNB_API const char *poetbnb_graph_name(const poetbnb_graph *graph);
POETBNB_API int poetbnb_graph_nodes(const poetbnb_graph *graph);
/* Fills *node with node number `index`; its arrays belong to the graph. -1: there is none. */
POETBNB_API int poetbnb_graph_node(const poetbnb_graph *graph, int index, poetbnb_node *node);

/* Fills *alias with alias number `index`, by rising nodes. -1: there is none. */
POETBNB_API int poetbnb_graph_alias(const poetbnb_graph *graph, int index, poetbnb_alias *alias);

/* Energy and time of computing every node once. */
POETBNB_API double poetbnb_graph_joules(const poetbnb_graph *graph);
POETBNB_API double poetbnb_graph_seconds(const poetbnb_graph *graph);
/* Memory that keeping every output until its last use takes: 100 % of a budget. */
POETBNB_API int64_t poetbnb_graph_peak_bytes(const poetbnb_graph *graph);
/* No schedule fits into less. */
POETBNB_API int64_t poetbnb_graph_minimum_bytes(const poetbnb_graph *graph);

/* The graph as the JSON that poetbnb_graph_parse reads, to be freed by poetbnb_free. */
POETBNB_API char *poetbnb_graph_json(const poetbnb_graph *graph, poetbnb_error *error);

/* ---- solving ----------------------------------------------------------------------------- */

/* A problem on the graph, with the default of every setting and no budget yet. */
POETBNB_API poetbnb_solver *poetbnb_solver_create(poetbnb_graph *graph, poetbnb_error *error);
POETBNB_API void poetbnb_solver_free(poetbnb_solver *solver); /* NULL is allowed */

/* Changes a setting. It has the name and values of the option of `poetbnb solve`, without the
 * dashes (poetbnb_setting lists them); "on" and "off" allow and forbid:
 *
 *     poetbnb_set(solver, "ram-budget", "1.2M", &error);
 *     poetbnb_set(solver, "runtime-budget", "1.5", &error);
 *     poetbnb_set(solver, "paging", "off", &error);
 *     poetbnb_set(solver, "set", "exact.cut_rounds=10", &error);
 *
 * 0, or -1: no such setting, or not such a value; the setting is then as it was. */
POETBNB_API int poetbnb_set(poetbnb_solver *solver, const char *name, const char *value,
                            poetbnb_error *error);

typedef struct poetbnb_setting_info {
    const char *name;
    const char *values;  /* the expected values, as a sentence */
    const char *initial; /* as poetbnb_set would take it; NULL: none */
    const char *help;    /* one phrase */
} poetbnb_setting_info;

/* Fills *info with setting number `index`, from 0 on; values and initial live until the next call
 * of the thread. -1: there are no more. */
POETBNB_API int poetbnb_setting(int index, poetbnb_setting_info *info);

/* CALLBACKS are called during poetbnb_solve, one at a time, each by any of its threads, with `user`
 * as it was given. They must return (no longjmp, no exception), and not use their solver except for
 * poetbnb_stop. NULL takes a callback away. */

/* Gets each line of the log, without its end. */
POETBNB_API void poetbnb_on_log(poetbnb_solver *solver, void (*log)(void *user, const char *line),
                                void *user);

/* A schedule that is better than all before it. */
typedef struct poetbnb_incumbent {
    double overhead_joules;
    double seconds; /* since the solve began */
    int64_t peak_bytes;
    const char *source; /* name of the method that found it; valid during the call */
} poetbnb_incumbent;

/* Gets every better schedule's figures. */
POETBNB_API void poetbnb_on_incumbent(poetbnb_solver *solver,
                                      void (*found)(void *user, const poetbnb_incumbent *what),
                                      void *user);

/* Called about fifty times a second; 1 stops the solve as poetbnb_stop does. */
POETBNB_API void poetbnb_on_stop(poetbnb_solver *solver, int (*stop)(void *user), void *user);

/* Asks a solve to end with the best schedule and bound so far: from any thread, a callback or a
 * signal handler. The present solve ends within a second; without one the next ends at once. */
POETBNB_API void poetbnb_stop(poetbnb_solver *solver);

/* Solves the problem. Returns a result, also if the problem is infeasible or a limit ended the
 * search; NULL with an error if no budget was set, a file of a setting is bad, or memory ended
 * before there was a result. May be called again, with other settings too. */
POETBNB_API poetbnb_result *poetbnb_solve(poetbnb_solver *solver, poetbnb_error *error);

/* ---- results ----------------------------------------------------------------------------- */

typedef enum poetbnb_status {
    POETBNB_OPTIMAL = 0, /* proven: no schedule has less overhead, but for a part of 1e-9 */
    POETBNB_WITHIN_GAP,  /* the search ended within the "gap" that was set, above 1e-9 */
    POETBNB_INFEASIBLE,  /* proven: no schedule meets budget and deadline */
    POETBNB_FEASIBLE,    /* a limit ended the search: a schedule and a bound */
    POETBNB_UNKNOWN,     /* a limit ended the search: no schedule, perhaps a bound */
    POETBNB_FAILED       /* an internal check failed: a defect of the library, nothing is claimed */
} poetbnb_status;

POETBNB_API void poetbnb_result_free(poetbnb_result *result); /* NULL is allowed */

POETBNB_API poetbnb_status poetbnb_result_status(const poetbnb_result *result);
/* "optimal", "within gap", "infeasible", "feasible", "unknown", "failed". */
POETBNB_API const char *poetbnb_result_status_name(const poetbnb_result *result);
/* The reason for infeasibility, the limit that ended the search, or "". */
POETBNB_API const char *poetbnb_result_reason(const poetbnb_result *result);

/* 1: the proof that the setting "certificate" asks for is written, and verified. 0: it is not;
 * *why (may be NULL) gets the reason, an empty text if it was not asked for. */
POETBNB_API int poetbnb_result_certified(const poetbnb_result *result, poetbnb_error *why);

/* Figures of the schedule (NAN, -1 without one), of the bound and of the search. */
typedef struct poetbnb_figures {
    double energy_joules;
    double overhead_joules; /* beyond computing every node once */
    double bound_joules;    /* no schedule has less overhead than this: proven */
    double gap;             /* (overhead - bound) / overhead */
    double compute_seconds, transfer_seconds;
    double deadline_seconds; /* INFINITY: none */
    int64_t ram_budget_bytes;
    int64_t peak_bytes;
    int64_t minimum_bytes; /* no schedule fits into less; -1: unknown. Given for an infeasible
                              problem, and with "ram-budget" "min", where it is the budget if that
                              is proven */
    int64_t recompute_count, pagein_count, pageout_count;
    int64_t search_nodes, lp_iterations, cuts;
    double work;    /* counted effort, about seconds, the same on every machine */
    double seconds; /* duration of the solve */
} poetbnb_figures;
POETBNB_API void poetbnb_result_figures(const poetbnb_result *result, poetbnb_figures *figures);

/* The graph with the order of the schedule: the graph of the solver, unless the setting "order"
 * is "search". The caller must not free it. */
POETBNB_API const poetbnb_graph *poetbnb_result_graph(const poetbnb_result *result);

/* The five matrices of a schedule, extent n x n for n nodes; cell [t * n + i] is 0 or 1. Stage t
 * computes node t for the first time. */
typedef enum poetbnb_matrix {
    POETBNB_R = 0, /* node i is computed in stage t */
    POETBNB_S,     /* the output of i is in RAM when stage t begins */
    POETBNB_A,     /* the output of i is on storage when stage t begins */
    POETBNB_IN,    /* the output of i is paged in during stage t */
    POETBNB_OUT    /* the output of i is paged out during stage t */
} poetbnb_matrix;
/* NULL without a schedule. */
POETBNB_API const unsigned char *poetbnb_result_matrix(const poetbnb_result *result,
                                                       poetbnb_matrix which);

/* bytes[t] gets the most memory in use during stage t, for each node of the graph. -1 without a
 * schedule. */
POETBNB_API int poetbnb_result_memory(const poetbnb_result *result, int64_t *bytes);

/* The schedule as the JSON of a schedule file (docs/formats.md), which `poetbnb plan`, `check` and
 * the setting "warm-start" read; to be freed by poetbnb_free. NULL with an error without one. */
POETBNB_API char *poetbnb_result_json(const poetbnb_result *result, poetbnb_error *error);

/* The steps, addresses and times for the device, as the JSON text of a plan file; free it with
 * poetbnb_free. Returns NULL with an error if there is no schedule or no addresses were found. */
POETBNB_API char *poetbnb_result_plan(const poetbnb_result *result, poetbnb_error *error);

/* The same plan as the binary file that poet_runtime.h executes on a device (docs/formats.md):
 * *size bytes, to be freed by poetbnb_free. NULL with an error as above. */
POETBNB_API unsigned char *poetbnb_plan_binary(const poetbnb_result *result, size_t *size,
                                               poetbnb_error *error);

#ifdef __cplusplus
}
#endif

#endif
