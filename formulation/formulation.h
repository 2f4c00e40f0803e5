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
 *                         release it only when a user is recomputed, needed or not; the model
 *                         grants it for nothing, which can only lower its bound, and the validator
 *                         judges what comes out.
 *   D[t,i] in [0,1]       i is recomputed in stage t though it is in RAM (without CANONICAL): the
 *                         rules count it twice then. Its inputs are released, which can pay.
 *
 * and minimises the overhead, scaled. Storage never forgets, so that what is on
 * storage at stage t is the sum of the page-outs before t. A mask says which cells
 * exist; cells that must be equal because nothing can happen between them share one
 * column. With the full mask the model is exact; with a smaller one it is a
 * restriction, and formulation/extend.h says what its dual proves of the whole.
 *
 * There are two models. With CANONICAL the rows hold for some optimal schedule only, of the problem
 * that grants early releases: its optimum is at most the problem's. Without it the model states the
 * rules and nothing else: its integral solutions, over the full mask, are the schedules. */
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
    bool canonical; /* rests on CANONICAL, and goes with it */
    feature_field field;
} formulation_feature_info;

/* The features that hold together: what rests on CANONICAL goes with it. */
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

/* All cells the rules of p allow (allow_remat, allow_paging and pins; with CANONICAL also of use:
 * REACH, and what takes no memory is kept); extent n*n, free with base_free. */
uint8_t *formulation_mask_full(const problem *p, unsigned features);
/* Windows: recomputations and page-ins only at most `before` stages before a stage
 * whose node reads i or something computed from i through at most `depth` forward
 * nodes; page-outs only right after the first computation. A subset of the full mask. */
uint8_t *formulation_mask_windows(const problem *p, unsigned features, int before, int depth);

/* Removes cells that no solution can use because something they need is not in the mask: a source
 * and present inputs, and, with CANONICAL, a use and the other conditions of its rows. Returns
 * the number of removed bits. Examines each cell once, and again after a cell that it may depend
 * on was removed. */
long formulation_mask_propagate(const problem *p, unsigned features, uint8_t *mask);

/* Sizes and budget that admit the same sets of live tensors (exactly): with g the common
 * divisor of the large sizes, the budget is rounded down to a multiple of g, and the small
 * tensors, if all of them fit into what that leaves, count nothing; without CANONICAL, where a
 * tensor can count three times (resident, recomputed and being paged in), if they fit thrice.
 * Workspaces are sizes among the others. bytes, workspace: extent n each. Returns the budget.
 * Without ROUND the originals. */
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

/* When a row may pay for an action that duals are extended to: never, before others, after them. */
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

/* The power of two next to 1e4 / base energy: overheads are in units of about base/10000, and no
 * cost is rounded. Where computing is free, that of one page-in and one page-out of every tensor in
 * place of the base energy; 1 when everything is. */
double formulation_default_scale(const graph *g);

/* The power of two by which the deadline row is scaled: its largest coefficient lies in [1,2). */
double formulation_deadline_scale(const problem *p);

/* The schedule of an integral x, extent model->cols: cells above 1/2; A follows from
 * Out. Not validated. */
schedule *formulation_extract(const formulation *f, const double *x);

/* True if s obeys the rules when early releases are granted (F[t,i]), judged in exact arithmetic:
 * the problem of which canonical schedules are the best (but for the bytes of S[t], of which the
 * model says that they are at most the budget). Without CANONICAL whether it is valid. O(n * (n +
 * edges)) */
bool formulation_admits(const formulation *f, const schedule *s);
/* True if i is released as stage t begins if that is granted: computed again before, being written
 * out, and neither used in t nor kept. */
bool formulation_early_release(const formulation *f, const schedule *s, int t, int i);

/* True and x (extent model->cols, totals and F, of early releases too, included) when the schedule
 * lies in the model's cells and rows; it must be canonical for the canonical rows. */
bool formulation_vector(const formulation *f, const schedule *s, double *x);

/* ---- memory events ----------------------------------------------------------- */

/* One literal of an event: in every integral solution the terms' sum is 0 or 1, and says whether
 * the tensor is live; with `twice' it may be 2, where i is recomputed though it is there. */
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

/* The literals of event (t,k), k computed in stage t (R cell or k = t), into e, which
 * is reused: sum of bytes * literal <= capacity is the memory rule there (but for the workspace of
 * k < t and, without CANONICAL, what is being paged in). Literals of zero bytes are left out. */
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
