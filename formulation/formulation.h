/* formulation: POET as a mixed-integer linear model.
 *
 * The tight formulation works on 0/1 cells, stage t, tensor i < t:
 *
 *   R[t][i]   i is recomputed in stage t          (R[t][t] = 1 is substituted)
 *   C[t][i]   i is in RAM when stage t begins, and was computed there
 *   P[t][i]   i is in RAM when stage t begins, and came from storage     S = C + P
 *   In[t][i], Out[t][i]   page-in and page-out during stage t
 *   F[t,(i,k)] in [0,1]   i is released in stage t right after k < t used it
 *   F[t,i] in [0,1]       i, computed again in t-1 and being written out in t, is released as
 *                         stage t begins if no node uses it there (with CANONICAL). The rules
 *                         release it only if a user is recomputed, even a useless one. The model
 *                         grants the release for free, which can only lower its bound. The
 *                         validator checks the schedule afterwards.
 *   D[t,i] in [0,1]       i is recomputed in stage t though it is in RAM (without CANONICAL). The
 *                         rules then count it twice. This can pay, since its inputs are released.
 *
 * and minimises the overhead, scaled. Storage keeps every tensor, so tensor i is on storage at
 * stage t if it was paged out before t. A mask selects the cells of the model. Cells that must be
 * equal, because nothing can happen between them, share one column. With the full mask the model is
 * exact. A smaller mask gives a restriction; formulation/extend.h extends its duals to a bound for
 * the full mask.
 *
 * There are two models. With CANONICAL the problem grants early releases, and the rows hold for at
 * least one of its optimal schedules. Its optimum is at most the optimum of the problem. Without
 * CANONICAL the model states only the rules: over the full mask its integral solutions are the
 * schedules. */
#ifndef FORMULATION_FORMULATION_H
#define FORMULATION_FORMULATION_H

#include "formulation/feature_table.h"
#include "formulation/row_table.h"
#include "lp/model.h"
#include "problem/schedule.h"

/* ---- features ------------------------------------------------------------------ */

enum formulation_feature_number {
#define FORMULATION_NUMBER(feature, ...) FORMULATION_NUMBER_##feature,
    FORMULATION_FEATURE_TABLE(FORMULATION_NUMBER)
#undef FORMULATION_NUMBER
        FORMULATION_FEATURES
};

/* Bits of the features, for ablation. TOTALS and UNITS have no names: the search adds them. */
typedef enum formulation_feature {
#define FORMULATION_BIT(feature, ...) FORMULATION_##feature = 1 << FORMULATION_NUMBER_##feature,
    FORMULATION_FEATURE_TABLE(FORMULATION_BIT)
#undef FORMULATION_BIT
    /* integer columns for the recomputations and transfers of tensors of equal cost */
    FORMULATION_TOTALS = 1 << FORMULATION_FEATURES,
    /* the leading totals of formulation/total.h */
    FORMULATION_UNITS = 1 << (FORMULATION_FEATURES + 1)
} formulation_feature;

enum {
#define FORMULATION_DEFAULT_BIT(feature, name, by_default, ...)                                    \
    +((by_default) ? FORMULATION_##feature : 0)
    FORMULATION_DEFAULT = FORMULATION_FEATURE_TABLE(FORMULATION_DEFAULT_BIT)
#undef FORMULATION_DEFAULT_BIT
};

typedef enum feature_field {
    FEATURE_MODEL, /* shapes columns and rows */
    FEATURE_CUTS   /* separates inequalities */
} feature_field;

typedef struct formulation_feature_info {
    const char *name, *help;
    unsigned bit;
    bool canonical; /* valid only with CANONICAL; dropped without it */
    feature_field field;
} formulation_feature_info;

/* Returns the features without the ones that need CANONICAL, if CANONICAL is not among them. */
unsigned formulation_consistent(unsigned features);

/* The table of names; count gets its length. */
const formulation_feature_info *formulation_features(int *count);
/* 0 for an unknown name. */
unsigned formulation_feature_by_name(const char *name);

/* FORMULATION_DEFAULT without the features of the list `without` ("all": every one), plus the
 * features of the list `with`. Lists: names between commas; NULL: none. Returns 0, or -1 with an
 * error that names the option and lists the names. */
int formulation_features_choose(const char *without, const char *with, unsigned *features,
                                base_error *error);

/* ---- masks --------------------------------------------------------------- */

/* Cells that may be nonzero; bits of mask[t*n+i], i < t. C and P exist where some
 * use can follow. */
enum { MASK_R = 1, MASK_IN = 2, MASK_OUT = 4, MASK_C = 8, MASK_P = 16, MASK_ALL = 31 };

/* All cells that p allows by allow_remat, allow_paging and the pins. With CANONICAL, cells without
 * a use are left out (REACH), and tensors of zero bytes are always kept. Extent n*n, free with
 * base_free. */
uint8_t *formulation_mask_full(const problem *p, unsigned features);
/* Windows, a subset of the full mask. A use of i is a stage with a node that reads i, or reads a
 * tensor computed from i through at most `depth` forward nodes. Recomputations and page-ins of i
 * are allowed in the use and the `before` stages before it, page-outs only right after the first
 * computation. */
uint8_t *formulation_mask_windows(const problem *p, unsigned features, int before, int depth);

/* Removes cells that no solution can use because something they need is not in the mask: a source
 * and present inputs, and, with CANONICAL, a use and the other conditions of its rows. Returns
 * the number of removed bits. Examines each cell once, and again after a cell that it may depend
 * on was removed. */
long formulation_mask_propagate(const problem *p, unsigned features, uint8_t *mask);

/* Rounds sizes and budget so that exactly the same sets of tensors fit. Let g be the greatest
 * common divisor of the large sizes. The budget is rounded down to a multiple of g. The small sizes
 * become 0 if all of them together fit into the rest. Without CANONICAL they have to fit three
 * times, since a tensor can count as resident, as recomputed and as being paged in. Workspaces
 * count as sizes. bytes, workspace: the new sizes, extent n each. Returns the new budget. Without
 * the feature ROUND nothing changes. */
int64_t formulation_round_memory(const problem *p, unsigned features, int64_t *bytes,
                                 int64_t *workspace);

/* ---- the model ------------------------------------------------------------ */

typedef enum cell_kind { CELL_R, CELL_C, CELL_P, CELL_IN, CELL_OUT, CELL_KINDS } cell_kind;

/* The MASK bit of each kind. */
extern const uint8_t formulation_kind_bit[CELL_KINDS];

typedef enum column_kind {
    COLUMN_R,
    COLUMN_C,
    COLUMN_P,
    COLUMN_IN,
    COLUMN_OUT,
    COLUMN_FREE,
    COLUMN_TOTAL,
    COLUMN_LOAD,  /* scaled bytes resident when stage t begins */
    COLUMN_TWICE, /* D */
    COLUMN_KINDS
} column_kind;

/* Meaning of a column or a row: kind, stage t, tensor i, node k (-1: none). For a merged column,
 * the first of its stages. */
typedef struct formulation_key {
    int kind, t, i, k;
} formulation_key;

typedef enum row_kind {
#define FORMULATION_ROW(kind, ...) ROW_##kind,
    FORMULATION_ROW_TABLE(FORMULATION_ROW)
#undef FORMULATION_ROW
        ROW_KINDS
} row_kind;

/* Role of a row when duals are extended to the full mask (formulation/extend.c). Its multiplier may
 * be raised to lift a negative reduced cost of a missing action: never, before other rows, or after
 * them. */
typedef enum row_pays { ROW_PAYS_NEVER, ROW_PAYS_FIRST, ROW_PAYS_LAST } row_pays;

typedef struct row_info {
    const char *name; /* of the family: in exports, certificates and docs/formulation.md */
    const char *description;
    unsigned features; /* that a model must have for it to have the row */
    row_pays pays;
} row_info;

extern const row_info formulation_rows[ROW_KINDS];

typedef struct formulation {
    const problem *problem; /* borrowed */
    unsigned features;
    double cost_scale; /* model units per joule */
    int64_t *bytes;    /* sizes, workspaces and budget of the model, formulation_round_memory */
    int64_t *workspace;
    int64_t budget;
    double byte_scale;     /* model units per byte: a power of two, as are all scales of rows, so
                              that no coefficient is rounded */
    uint8_t *mask;         /* own copy, extent n*n */
    lp_model *model;       /* minimise the scaled overhead */
    int *cell[CELL_KINDS]; /* column of cell (t,i), -1: none; extent n*n each */
    int *load_col;         /* column of the load of stage t; extent n */
    int *early_col;        /* column of F[t,i] before all events of stage t, by cell; -1: none */
    int *twice_col;        /* column of D[t,i], by cell; -1: none */
    int *free_col;         /* column of F[t, e], edge e = index into graph->user; extent
                              n*edge_count at t*edge_count+e; -1: none */
    struct formulation_total *total; /* formulation/total.h; a COLUMN_TOTAL's i is an index */
    int totals;                      /* 0 without FORMULATION_TOTALS and _UNITS */
    formulation_key *column;         /* extent model->cols */
    formulation_key *row;            /* extent model->rows */
} formulation;

/* The tight model over the mask (copied). cost_scale > 0: model units per joule. */
formulation *formulation_build(const problem *p, unsigned features, const uint8_t *mask,
                               double cost_scale);
void formulation_free(formulation *f); /* NULL allowed */

/* About the bytes that formulation_build takes at its peak, counted from the mask. O(n^2). */
double formulation_bytes(const problem *p, const uint8_t *mask);

/* The power of two next to 1e4 / base energy. Overheads are then in units of about base / 10000,
 * and no cost is rounded. If computing is free, the energy of one page-in and one page-out of every
 * tensor replaces the base energy. 1 if everything is free. */
double formulation_default_scale(const graph *g);

/* The power of two by which the deadline row is scaled: its largest coefficient lies in [1,2). */
double formulation_deadline_scale(const problem *p);

/* The schedule of an integral x, extent model->cols: cells above 1/2; A follows from
 * Out. Not validated. */
schedule *formulation_extract(const formulation *f, const double *x);

/* True if s obeys the rules, in exact arithmetic. With CANONICAL early releases (F[t,i]) are
 * granted. The model's row that bounds the bytes of S[t] by the budget is not checked. O(n * (n +
 * edges)) */
bool formulation_admits(const formulation *f, const schedule *s);
/* True if s uses the early release of i in stage t: i was computed again in t-1, is being written
 * out in t, and is neither used in t nor kept. */
bool formulation_early_release(const formulation *f, const schedule *s, int t, int i);

/* ---- memory events ----------------------------------------------------------- */

/* One literal of an event. In every integral solution the sum of its terms is 1 if the tensor is
 * live and 0 if not. With `twice` it is 2 if the tensor is recomputed though it is in RAM. */
typedef struct event_literal {
    int tensor;
    int64_t bytes;
    bool twice;
    int first, count; /* its terms are term_col/term_coef[first .. first+count-1] */
} event_literal;

typedef struct event_literals {
    int64_t capacity; /* budget minus the bytes that are live in every schedule */
    int count, terms;
    event_literal *literal; /* private capacity */
    int *term_col;
    double *term_coef;
    int literal_capacity, term_capacity;
} event_literals;

void event_literals_clear(event_literals *e); /* frees the arrays */

/* Writes the literals of event (t,k), the computation of k in stage t, to e. The memory rule at the
 * event is: sum of bytes * literal <= capacity. It leaves out the workspace of k < t and, without
 * CANONICAL, the tensors being paged in. Literals of zero bytes are left out. e is reused. */
void formulation_event(const formulation *f, int t, int k, event_literals *e);

/* ---- models for other solvers ------------------------------------------------- */

/* The published model (Algorithm 1 with the artifact's memory rows) or the tight one over the
 * full mask, with names. Objective in joules: the total energy, or with `overhead` the part
 * beyond the constant base. relax: no integrality. */
lp_model *formulation_export(const problem *p, bool published, bool relax, bool overhead,
                             unsigned features);

/* The schedule of a solution x of formulation_export's model of that problem (extent its columns):
 * cells above 1/2. Not validated. */
schedule *formulation_import(const problem *p, bool published, unsigned features, const double *x);

/* The published model; cells in the order R, S, A, In, Out, then Free and U. Columns are named
 * MATRIX_tSTAGE_nNODE_NAME. */
lp_model *formulation_published(const problem *p);
/* The schedule of its solution x: cells above 1/2. */
schedule *formulation_published_extract(const problem *p, const double *x);

#endif
