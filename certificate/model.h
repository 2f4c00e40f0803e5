/* certificate/model: the tight model of a problem as the checker sees it, built from the problem
 * alone: cells as columns, every row by name, sizes and costs as exact numbers. Nothing of the
 * solver is used.
 *
 * The cells of stage t and tensor i < t, each 0 or 1, are R (computed again), C and P (in RAM when
 * the stage begins, computed or from storage), IN and OUT (paged in, out). FREE (0 to 1): i is
 * released in stage t after node k < t used it; EARLY (0 to 1): i, being written out, is released
 * as stage t begins; TWICE (0 to 1): i is computed again though it is in RAM; LOAD: bytes in RAM
 * when stage t begins.
 *
 * EARLY is there only with CERT_EXCHANGES, TWICE only with CERT_RULES. */
#ifndef CERTIFICATE_MODEL_H
#define CERTIFICATE_MODEL_H

#include "certificate/number.h"
#include "certificate/trust.h"
#include "problem/schedule.h"

typedef enum cert_kind {
    CERT_R,
    CERT_C,
    CERT_P,
    CERT_IN,
    CERT_OUT,
    CERT_CELLS, /* number of the kinds before, the cells */
    CERT_EARLY = CERT_CELLS,
    CERT_TWICE,
    CERT_FREE,
    CERT_LOAD
} cert_kind;

/* Words of the cells in a certificate; CERT_CELLS of them. */
extern const char *const cert_cell_word[];

enum { CERT_OPEN = -1 }; /* a cell that may be 0 and may be 1 */
/* Larger graphs are refused: the checker holds every cell. */
enum { CERT_MAX_NODES = 1000, CERT_MAX_COLUMNS = 1 << 24 };
/* Sizes are exact doubles up to here. */
#define CERT_MAX_BYTES (INT64_C(1) << 52)

typedef struct cert_model {
    const problem *p; /* borrowed */
    bool canonical;   /* true with CERT_EXCHANGES: canonical rows exist */
    const graph *g;
    int n;
    int64_t *bytes; /* sizes, workspaces and budget after rounding; extent n */
    int64_t *workspace;
    int64_t budget;
    double slack_seconds; /* INFINITY: no deadline */
    int cols;
    int8_t *value; /* of each cell 0, 1 or CERT_OPEN; other columns are open; extent cols */
    int *same;     /* the first column proven equal to this one; extent cols */
    bool empty;    /* proven: no schedule is left */
    bool settled;  /* no value was set since cert_settle */
    bool *due;     /* tensors for the next cert_settle: a cell of them, of an input or of a user has
                      changed; extent n */
    bool *used;    /* scratch: a user of the tensor may be computed in the stage; extent n + 1 */
} cert_model;

/* 0 if certificates exist for problems of that size, else -1 with an error. */
int cert_model_check(const problem *p, base_error *error);

/* The model, with all cells open that options and pins allow. NULL with an error if the graph is
 * too large. */
cert_model *cert_model_create(const problem *p, cert_trust trust, base_error *error);
void cert_model_free(cert_model *m); /* NULL allowed */

/* Number of a column; -1: none, outside of the triangle, or no edge to a user below t. */
static inline int cert_cell(const cert_model *m, cert_kind kind, int t, int i)
{
    if (t < 0 || t >= m->n || i < 0 || i >= t)
        return -1;
    return ((int)kind * m->n + t) * m->n + i;
}
int cert_free(const cert_model *m, int t, int edge); /* edge: index into graph->user */
int cert_load(const cert_model *m, int t);

bool cert_is_cell(const cert_model *m, int col);

/* Joules of a column at 1. */
double cert_cost(const cert_model *m, int col);

/* True if the column is a page-in; *t and *i then get its stage and tensor. */
bool cert_is_page_in(const cert_model *m, int col, int *t, int *i);

/* Factors of a FREE, EARLY or TWICE column: it is 0 unless in each factor one cell is 1. Returns
 * the number of factors; 0 for other columns. */
typedef struct cert_factor {
    int cell[2]; /* cell[1] -1: only one cell */
} cert_factor;
int cert_factors(const cert_model *m, int col, cert_factor factor[2]);

/* Sets a cell to the value that it has in every schedule of interest. */
void cert_set(cert_model *m, int col, int value);

/* Marks all tensors for cert_settle, after values or equalities were changed directly. */
void cert_unsettle(cert_model *m);

/* Fixes all cells that are 0 because others are, and, with canonical rows, joins equal neighbours.
 * O(n (inputs + users)) per pass over a marked tensor. */
void cert_settle(cert_model *m);

#endif
