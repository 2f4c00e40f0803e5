/* library/options: the one table of options, of the command line and of poetbnb_set. Parser,
 * cli_options, settings and --help all come from it: an option that is in the table is parsed,
 * checked and documented. Names begin with cli_ in all that the command line shares. */
#ifndef LIBRARY_OPTIONS_H
#define LIBRARY_OPTIONS_H

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"
#include "exact/tuning.h"
#include "problem/network.h"

/* Subcommands, as bits, for the table's column `commands`. */
enum cli_command_bit {
    CLI_SOLVE = 1 << 0,
    CLI_COMPARE = 1 << 1,
    CLI_SWEEP = 1 << 2,
    CLI_PLAN = 1 << 3,
    CLI_CHECK = 1 << 4,
    CLI_VERIFY = 1 << 5,
    CLI_EXPORT = 1 << 6,
    CLI_LP = 1 << 7,
    CLI_MIP = 1 << 8,
    CLI_INFO = 1 << 9,
    CLI_IMPORT = 1 << 10,
    /* families */
    CLI_EXACT = CLI_SOLVE | CLI_COMPARE | CLI_SWEEP,  /* run the exact solver */
    CLI_MODEL = CLI_EXPORT | CLI_IMPORT,              /* are about a model of a problem */
    CLI_PROBLEM = CLI_EXACT | CLI_MODEL | CLI_VERIFY, /* take a whole problem */
    CLI_GRAPH = CLI_PROBLEM | CLI_INFO,               /* take a graph */
    CLI_ENGINE = CLI_LP | CLI_MIP                     /* take a model file */
};

/* Headings of --help, in this order. */
enum cli_group {
    CLI_GROUP_GRAPH = 1,
    CLI_GROUP_BUDGET,
    CLI_GROUP_METHOD,
    CLI_GROUP_LIMIT,
    CLI_GROUP_OUTPUT
};

/* X(type, field, name, argument, initial, low, high, group, commands, help)
 *
 * type: FLAG (false; true when given), SWITCH (--name allows what help names, --no-name forbids
 * it), TEXT, CHOICE (argument lists the allowed words), INTEGER, REAL (within low..high; low =
 * DBL_MIN: positive), AMOUNT (bytes with an optional suffix).
 * A default equal to high means "no limit" and is not shown. */
#define CLI_OPTION_TABLE(X)                                                                        \
    /* which graph */                                                                              \
    X(TEXT, model, "model", "NAME", NULL, 0, 0, GRAPH, CLI_GRAPH,                                  \
      "built-in network; `poetbnb info' lists them; sweep takes a list A,B,C")                     \
    X(TEXT, platform, "platform", "NAME|FILE", NULL, 0, 0, GRAPH, CLI_GRAPH | CLI_CHECK,           \
      "built-in platform, or a JSON file with one (a name with a / or ending in .json); sweep "    \
      "takes a list A,B,C")                                                                        \
    X(TEXT, graph, "graph", "FILE", NULL, 0, 0, GRAPH, CLI_GRAPH | CLI_CHECK,                      \
      "JSON file with a graph and its costs, or with FLOPs, from which --platform makes costs; "   \
      "sweep takes a list A,B,C (check: the graph of a binary plan, unless it is built in)")       \
    X(INTEGER, batch_size, "batch-size", "N", 1, 1, LAYER_MAX_BATCH, GRAPH, CLI_GRAPH,             \
      "training examples in a batch, for --model")                                                 \
    X(REAL, mem_power_scale, "mem-power-scale", "X", 1.0, NETWORK_LEAST_SCALE, NETWORK_MOST_SCALE, \
      GRAPH, CLI_GRAPH | CLI_CHECK,                                                                \
      "factor on the power of storage, for costs made by --platform")                              \
    X(CHOICE, backward, "backward", "published|autodiff", "published", 0, 0, GRAPH, CLI_GRAPH,     \
      "gradient nodes: the paper's chain, or one per node along the real edges")                   \
    /* budgets and rules */                                                                        \
    X(TEXT, ram_budget, "ram-budget", "AMOUNT", NULL, 0, 0, BUDGET, CLI_PROBLEM,                   \
      "memory for activations: bytes (3000000), with a unit of 1024 (1.2M or 1.2MiB; K to T) or "  \
      "of 1000 (1.2MB; kB to TB), or a percentage of what keeping everything takes (50%); sweep "  \
      "and compare take a list A,B,C, in which 90:20:10 stands for 90%, 80%, ... 20%; solve and "  \
      "sweep take `min', the smallest budget with a schedule; sweep also takes 90:min:10")         \
    X(TEXT, runtime_budget, "runtime-budget", "X", NULL, 0, 0, BUDGET, CLI_PROBLEM,                \
      "deadline: X times the time of computing every node once (default: none); sweep and "        \
      "compare take a list X,Y,Z, in which `none' stands for no deadline")                         \
    X(SWITCH, paging, "paging", NULL, true, 0, 0, BUDGET, CLI_PROBLEM,                             \
      "paging to secondary storage")                                                               \
    X(SWITCH, remat, "remat", NULL, true, 0, 0, BUDGET, CLI_PROBLEM,                               \
      "rematerialisation (computing a node again)")                                                \
    X(INTEGER, max_computations, "max-computations", "C", INT_MAX, 1, INT_MAX, BUDGET,             \
      CLI_PROBLEM, "compute no node more than C times in all")                                     \
    X(CHOICE, charge_pagein, "charge-pagein", "arrival|transfer", "arrival", 0, 0, BUDGET,         \
      CLI_PROBLEM,                                                                                 \
      "a page-in takes memory from the stage after its transfer on, as published, or in both "     \
      "stages")                                                                                    \
    X(FLAG, deadline_includes_paging, "deadline-includes-paging", NULL, false, 0, 0, BUDGET,       \
      CLI_PROBLEM, "count the seconds of transfers against the deadline")                          \
    /* how to solve */                                                                             \
    X(TEXT, methods, "methods", "NAME[,NAME...]", NULL, 0, 0, METHOD, CLI_COMPARE,                 \
      "methods to compare, in this order (default: all; `poetbnb info --methods' lists them)")     \
    X(FLAG, no_exact, "no-exact", NULL, false, 0, 0, METHOD, CLI_COMPARE,                          \
      "leave out poetbnb and every baseline that needs a branch and bound")                        \
    X(CHOICE, order, "order", "given|search", "given", 0, 0, METHOD, CLI_EXACT,                    \
      "order of the nodes: the graph's, as in the paper, or one found by annealing, for each "     \
      "budget anew; proofs hold for this order, and --out of solve writes the graph in it")        \
    X(TEXT, warm_start, "warm-start", "METHOD|FILE|auto|none[,...]", "auto", 0, 0, METHOD,         \
      CLI_SOLVE | CLI_SWEEP,                                                                       \
      "schedules to start from: a baseline, a schedule file, all cheap baselines, or nothing; "    \
      "several between commas")                                                                    \
    X(INTEGER, revolve_snapshots, "revolve-snapshots", "N", 0, 0, 20000, METHOD, CLI_EXACT,        \
      "for revolve: number of tensors held at a time; 0: try all numbers, keep the best")          \
    X(INTEGER, chen_segment_bytes, "chen-segment-bytes", "BYTES", -1, -1, INT64_MAX, METHOD,       \
      CLI_EXACT, "for chen_greedy: bytes in a segment; -1: try all sizes, keep the best")          \
    X(REAL, dtr_thrash, "dtr-thrash", "X", 10.0, 1.0, 1e6, METHOD, CLI_EXACT,                      \
      "for dtr: give up beyond this multiple of the base time")                                    \
    X(INTEGER, pofo_slots, "pofo-slots", "N", 50, 1, 4000, METHOD, CLI_EXACT,                      \
      "for pofo: memory slots of its dynamic programme")                                           \
    X(REAL, checkmate_threshold, "checkmate-threshold", "X", 0.0, 0.0, 1.0, METHOD, CLI_EXACT,     \
      "for checkmate_lp: keep a tensor if the LP keeps at least this part of it; 0: try 0.1 to "   \
      "0.9, keep the best schedule")                                                               \
    X(INTEGER, checkmate_draws, "checkmate-draws", "N", 100, 1, 1000000, METHOD, CLI_EXACT,        \
      "for checkmate_lp_random: number of random roundings")                                       \
    X(REAL, gap, "gap", "X", 1e-9, 0.0, 1.0, METHOD, CLI_EXACT | CLI_MIP,                          \
      "stop at this relative gap between solution and bound, on the overhead, never on the "       \
      "total; "                                                                                    \
      "above 1e-9 the answer is `within gap', not `optimal'")                                      \
    X(TEXT, with, "with", "NAME[,NAME...]", NULL, 0, 0, METHOD, CLI_EXACT | CLI_MODEL,             \
      "add features to the tight formulation, for ablation (an unknown name lists them)")          \
    X(TEXT, without, "without", "NAME[,NAME...]", NULL, 0, 0, METHOD, CLI_EXACT | CLI_MODEL,       \
      "remove features from the tight formulation (`all': every one), before --with adds some")    \
    X(SWITCH, heuristics, "heuristics", NULL, true, 0, 0, METHOD, CLI_EXACT,                       \
      "annealing, and walks from solutions of the coarse timeline")                                \
    X(INTEGER, seed, "seed", "N", 1, 0, INT64_MAX, METHOD, CLI_EXACT | CLI_ENGINE,                 \
      "seed of the random choices")                                                                \
    X(TEXT, set, "set", "NAME=VALUE", NULL, 0, 0, METHOD, CLI_EXACT | CLI_ENGINE,                  \
      "change a parameter (`poetbnb info --parameters' lists them); may be repeated")              \
    X(TEXT, params, "params", "FILE", NULL, 0, 0, METHOD, CLI_EXACT | CLI_ENGINE,                  \
      "change the parameters that FILE names in lines NAME = VALUE, with comments after a #; a "   \
      "later --params or --set overrides an earlier one")                                          \
    X(CHOICE, formulation, "formulation", "published|tight", "tight", 0, 0, METHOD, CLI_MODEL,     \
      "the model of the paper, or the stronger model of this program")                             \
    X(CHOICE, objective, "objective", "total|overhead", "total", 0, 0, METHOD, CLI_EXPORT,         \
      "the whole energy, or the energy beyond computing every node once, in joules")               \
    X(SWITCH, dma, "dma", NULL, true, 0, 0, METHOD, CLI_PLAN,                                      \
      "transfers in parallel to the computation, and page-ins earlier than in the schedule")       \
    X(FLAG, relax, "relax", NULL, false, 0, 0, METHOD, CLI_EXPORT, "drop the integrality")         \
    X(CHOICE, method, "method", "dual|primal", "dual", 0, 0, METHOD, CLI_LP,                       \
      "simplex method to start with; after numerical trouble the other one takes over")            \
    X(FLAG, parameters, "parameters", NULL, false, 0, 0, METHOD, CLI_INFO,                         \
      "list the parameters that --set changes, and the features of --with and --without")          \
    X(FLAG, features, "features", NULL, false, 0, 0, METHOD, CLI_INFO,                             \
      "list the features of --with and --without, and the rows of the model, with their "          \
      "sections of docs/formulation.md")                                                           \
    X(FLAG, list_methods, "methods", NULL, false, 0, 0, METHOD, CLI_INFO,                          \
      "list the methods of compare with their sources, columns of the paper's table 1 and "        \
      "sections of docs/baselines.md")                                                             \
    X(TEXT, check_rows, "check-rows", "SCHEDULE", NULL, 0, 0, METHOD, CLI_SOLVE,                   \
      "do not solve; list the rows of the model, by family and stage, that this schedule breaks, " \
      "which must be a valid one")                                                                 \
    /* limits */                                                                                   \
    X(REAL, time_limit, "time-limit-s", "SECONDS", DBL_MAX, DBL_MIN, DBL_MAX, LIMIT,               \
      CLI_EXACT | CLI_ENGINE | CLI_MODEL | CLI_VERIFY,                                             \
      "stop after this time with the best answer; compare and sweep: for each method and budget")  \
    X(INTEGER, node_limit, "node-limit", "N", LONG_MAX, 0, LONG_MAX, LIMIT, CLI_EXACT | CLI_MIP,   \
      "stop after this many nodes of the search tree")                                             \
    X(REAL, work_limit, "work-limit", "W", DBL_MAX, 0, DBL_MAX, LIMIT, CLI_EXACT | CLI_PLAN,       \
      "stop after W 10^9 counted steps, about W seconds; unlike the time limit, at the same "      \
      "place on every machine")                                                                    \
    X(AMOUNT, memory_limit, "memory-limit", "BYTES", INT64_MAX, 1, INT64_MAX, LIMIT,               \
      CLI_EXACT | CLI_ENGINE | CLI_MODEL | CLI_VERIFY,                                             \
      "use at most this much memory; stop with the best answer if it is not enough (4G or 4GiB, "  \
      "4GB; default: the memory of the system)")                                                   \
    X(INTEGER, threads, "solve-threads", "N", 0, 1, 256, LIMIT, CLI_EXACT | CLI_MIP,               \
      "worker threads (default: OMP_NUM_THREADS, else one per processor)")                         \
    X(INTEGER, jobs, "jobs", "N", 1, 1, 256, LIMIT, CLI_SWEEP,                                     \
      "points that run in parallel, each with its share of the processors, or with the threads "   \
      "of --solve-threads")                                                                        \
    /* output to print and write */                                                                \
    X(FLAG, json, "json", NULL, false, 0, 0, OUTPUT,                                               \
      CLI_EXACT | CLI_ENGINE | CLI_CHECK | CLI_VERIFY | CLI_INFO | CLI_PLAN | CLI_IMPORT,          \
      "print one JSON object")                                                                     \
    X(FLAG, csv, "csv", NULL, false, 0, 0, OUTPUT, CLI_COMPARE | CLI_SWEEP,                        \
      "print comma-separated values")                                                              \
    X(TEXT, out, "out", "FILE", NULL, 0, 0, OUTPUT, CLI_EXACT | CLI_MODEL | CLI_PLAN,              \
      "file to write: the schedule (solve, import), comma-separated values (compare, sweep), the " \
      "plan, the model (export; .lp: CPLEX-LP, .mps: MPS); packed by gzip if the name ends in "    \
      ".gz")                                                                                       \
    X(TEXT, certificate, "certificate", "FILE", NULL, 0, 0, OUTPUT, CLI_SOLVE,                     \
      "write the proof of the answer to this file, for `poetbnb verify'")                          \
    X(CHOICE, trust, "trust", "exchanges|rules", "exchanges", 0, 0, OUTPUT, CLI_SOLVE,             \
      "assumptions of the certificate: exchanges, with which `verify' proves for the graph that "  \
      "some optimal schedule is canonical, or only the rules of schedules, which takes longer")    \
    X(TEXT, schedules, "schedules", "FOLDER", NULL, 0, 0, OUTPUT, CLI_COMPARE,                     \
      "folder for the schedules of all methods: METHOD-BUDGET[-DEADLINE].json")                    \
    X(TEXT, plot, "plot", "FILE", NULL, 0, 0, OUTPUT,                                              \
      CLI_SOLVE | CLI_CHECK | CLI_SWEEP | CLI_COMPARE,                                             \
      "draw the schedule and its memory (sweep, compare: overhead against memory) to this file: "  \
      ".pdf, .png or .svg by gnuplot, or .gp, its script")                                         \
    X(CHOICE, format, "format", "text|json|binary|c", "text", 0, 0, OUTPUT, CLI_PLAN,              \
      "form of the plan")                                                                          \
    X(TEXT, solution, "solution", "FILE", NULL, 0, 0, OUTPUT, CLI_ENGINE,                          \
      "write the values of the columns (lp: also of the rows, and the duals) to this file")        \
    X(TEXT, log, "log", "FILE", NULL, 0, 0, OUTPUT, CLI_SOLVE | CLI_MIP,                           \
      "write the log and the answer to this file, and only the answer to the terminal")            \
    X(FLAG, quiet, "quiet", NULL, false, 0, 0, OUTPUT,                                             \
      CLI_EXACT | CLI_ENGINE | CLI_CHECK | CLI_VERIFY | CLI_MODEL | CLI_PLAN,                      \
      "print only the answer, no log")                                                             \
    X(FLAG, verbose, "verbose", NULL, false, 0, 0, OUTPUT, CLI_EXACT | CLI_ENGINE,                 \
      "a longer log; with --json on stderr")

/* The C types behind the table's types. */
typedef bool cli_FLAG;
typedef bool cli_SWITCH;
typedef const char *cli_TEXT;
typedef const char *cli_CHOICE;
typedef int64_t cli_INTEGER;
typedef double cli_REAL;
typedef int64_t cli_AMOUNT;

/* CLI_OPT_model, ...: the number of each option, for cli_options.given. */
enum cli_option_number {
#define CLI_NUMBER(type, field, ...) CLI_OPT_##field,
    CLI_OPTION_TABLE(CLI_NUMBER)
#undef CLI_NUMBER
        CLI_OPTION_COUNT
};

/* Values of the command line, with defaults filled in. Texts point into argv. */
typedef struct cli_options {
#define CLI_FIELD(type, field, ...) cli_##type field;
    CLI_OPTION_TABLE(CLI_FIELD)
#undef CLI_FIELD
    const char *given[CLI_OPTION_COUNT]; /* text of the value, "" of a flag; NULL: not given */
    exact_tuning tuning;                 /* after --set and --params */
    const char *file;                    /* the argument that is no option; NULL without */
} cli_options;

/* Name of the file in messages. */
static inline const char *cli_input_name(const cli_options *options)
{
    return options->file[0] == '-' && !options->file[1] ? "standard input" : options->file;
}

typedef enum cli_option_type {
    CLI_TYPE_FLAG,
    CLI_TYPE_SWITCH,
    CLI_TYPE_TEXT,
    CLI_TYPE_CHOICE,
    CLI_TYPE_INTEGER,
    CLI_TYPE_REAL,
    CLI_TYPE_AMOUNT
} cli_option_type;

/* One row of the table at run time. Only the range of its type is used. */
typedef struct cli_option {
    cli_option_type type;
    const char *name, *argument, *help; /* argument: NULL without */
    size_t offset;                      /* of its field in cli_options */
    int group;
    unsigned commands; /* bits of the commands that take it */
    int64_t integer_low, integer_high;
    double real_low, real_high;
} cli_option;

extern const cli_option cli_option_table[CLI_OPTION_COUNT];
extern const cli_options cli_options_initial; /* the defaults; the tuning is not set */

/* A second long name of option k; NULL: none. */
const char *cli_option_alias(int k);

/* Reads the value of option k into its field, and notes that it is given. text: NULL allowed for a
 * flag or switch; negated: --no-NAME of a switch. TEXT and CHOICE borrow the text. 0, or -1 with an
 * error that states the expectation. */
int cli_option_read(int k, bool negated, const char *text, cli_options *options, base_error *error);

#endif
