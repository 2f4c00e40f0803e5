/* Runs the branch and bound with its steps told, then writes a VIPR file: the model, what is
 * claimed, the solution, and the derivations. */
#include "certificate/vipr_internal.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>


/* What survives when the run is given up in its middle. */
typedef struct known {
    int cols;
    double *x; /* extent cols */
    bool any;
    double objective, bound;
    long nodes, iterations;
} known;

typedef struct call {
    const char *path;
    const lp_model *m;
    bnb_params params;
    FILE *derivations;
    known known;
    bnb_result *result;
    vipr_outcome outcome;
    base_error *error;
} call;

/* ---- the model ------------------------------------------------------------------------------- */

static void number_constraints(vipr *v)
{
    const lp_model *m = v->m;
    for (int side = 0; side < 2; side++) {
        v->root[side] = base_malloc((size_t)m->cols + 1, sizeof *v->root[side]);
        v->bound[side] = base_malloc((size_t)m->cols + 1, sizeof *v->bound[side]);
        v->row_id[side] = base_malloc((size_t)m->rows + 1, sizeof *v->row_id[side]);
    }
    for (int j = 0; j < m->cols; j++)
        for (int side = 0; side < 2; side++) {
            const double value = side ? m->upper[j] : m->lower[j];
            v->root[side][j] = (vipr_bound){value, isfinite(value) ? v->next++ : -1};
        }
    for (int r = 0; r < m->rows; r++) {
        const double sides[2] = {m->row_lower[r], m->row_upper[r]};
        v->row_id[0][r] = isfinite(sides[0]) ? v->next++ : -1;
        v->row_id[1][r] = sides[0] == sides[1] ? v->row_id[0][r]
                          : isfinite(sides[1]) ? v->next++
                                               : -1;
    }
    v->given = v->next;
}

static void vipr_init(vipr *v, const lp_model *m, FILE *out)
{
    *v = (vipr){.m = m, .out = out};
    lp_model_by_rows(m, &v->row_start, &v->row_col, &v->row_value);
    number_constraints(v);
    v->reduced = base_malloc((size_t)m->cols + 1, sizeof *v->reduced);
    for (int j = 0; j < m->cols; j++)
        mpq_init(v->reduced[j]);
    mpq_inits(v->sum, v->a, v->b, NULL);
    vipr_tree_init(v);
}

static void vipr_clear(vipr *v)
{
    vipr_tree_clear(v);
    vipr_term_clear(v);
    base_free(v->term);
    for (int j = 0; j < v->m->cols; j++)
        mpq_clear(v->reduced[j]);
    mpq_clears(v->sum, v->a, v->b, NULL);
    base_free(v->reduced);
    for (int side = 0; side < 2; side++) {
        base_free(v->root[side]);
        base_free(v->bound[side]);
        base_free(v->row_id[side]);
    }
    base_free(v->row_start);
    base_free(v->row_col);
    base_free(v->row_value);
}

static void write_double(FILE *out, double value)
{
    mpq_t exact;
    mpq_init(exact);
    mpq_set_d(exact, value);
    mpq_out_str(out, 10, exact);
    mpq_clear(exact);
}

/* The name without white space, which the format separates names by. */
static void write_name(FILE *out, const char *name, char kind, int number)
{
    if (!name || !*name) {
        fprintf(out, "%c%d", kind, number);
        return;
    }
    for (const char *c = name; *c; c++)
        fputc(isspace((unsigned char)*c) ? '_' : *c, out);
}

static void write_columns(FILE *out, const lp_model *m)
{
    int integers = 0, costs = 0;
    fprintf(out, "VAR %d\n", m->cols);
    for (int j = 0; j < m->cols; j++) {
        write_name(out, m->col_name ? m->col_name[j] : NULL, 'x', j);
        fputc('\n', out);
        integers += m->integer[j];
        costs += m->cost[j] != 0.0;
    }
    fprintf(out, "INT %d\n", integers);
    for (int j = 0; j < m->cols; j++)
        if (m->integer[j])
            fprintf(out, "%d\n", j);
    fprintf(out, "OBJ %s\n%d", m->maximize ? "max" : "min", costs);
    for (int j = 0; j < m->cols; j++) {
        if (m->cost[j] == 0.0)
            continue;
        fprintf(out, "  %d ", j);
        write_double(out, m->maximize ? -m->cost[j] : m->cost[j]);
    }
    fputc('\n', out);
}

static void write_side(const vipr *v, FILE *out, int row, int side)
{
    static const char sense[] = "GL";
    const lp_model *m = v->m;
    const bool equality = m->row_lower[row] == m->row_upper[row];
    if (v->row_id[side][row] < 0 || (equality && side == 1))
        return;
    write_name(out, m->row_name ? m->row_name[row] : NULL, 'r', row);
    fprintf(out, "%s %c ", !equality && side == 1 && v->row_id[0][row] >= 0 ? "_upper" : "",
            equality ? 'E' : sense[side]);
    write_double(out, side ? m->row_upper[row] : m->row_lower[row]);
    fprintf(out, " %d", v->row_start[row + 1] - v->row_start[row]);
    for (int k = v->row_start[row]; k < v->row_start[row + 1]; k++) {
        fprintf(out, "  %d ", v->row_col[k]);
        write_double(out, v->row_value[k]);
    }
    fputc('\n', out);
}

static void write_constraints(const vipr *v, FILE *out)
{
    const lp_model *m = v->m;
    long bounds = 0;
    for (int j = 0; j < m->cols; j++)
        bounds += (v->root[0][j].id >= 0) + (v->root[1][j].id >= 0);
    fprintf(out, "CON %ld %ld\n", v->given, bounds);
    for (int j = 0; j < m->cols; j++)
        for (int side = 0; side < 2; side++) {
            if (v->root[side][j].id < 0)
                continue;
            fprintf(out, "b%ld %c ", v->root[side][j].id, side ? 'L' : 'G');
            write_double(out, v->root[side][j].value);
            fprintf(out, " 1 %d 1\n", j);
        }
    for (int r = 0; r < m->rows; r++)
        for (int side = 0; side < 2; side++)
            write_side(v, out, r, side);
}

/* ---- the solution -----------------------------------------------------------------------------
 */

static bool within(const mpq_t value, double lower, double upper)
{
    mpq_t side;
    mpq_init(side);
    bool holds = true;
    if (isfinite(lower)) {
        mpq_set_d(side, lower);
        holds = mpq_cmp(value, side) >= 0;
    }
    if (isfinite(upper)) {
        mpq_set_d(side, upper);
        holds = holds && mpq_cmp(value, side) <= 0;
    }
    mpq_clear(side);
    return holds;
}

/* sum += a times x. */
static void add_product(mpq_t sum, double a, const mpq_t x)
{
    mpq_t term;
    mpq_init(term);
    mpq_set_d(term, a);
    mpq_mul(term, term, x);
    mpq_add(sum, sum, term);
    mpq_clear(term);
}

/* Whether x meets all rows and bounds exactly; its objective. */
static bool is_feasible(const vipr *v, mpq_t *x, mpq_t objective)
{
    const lp_model *m = v->m;
    bool holds = true;
    mpq_t activity;
    mpq_init(activity);
    mpq_set_si(objective, 0, 1);
    for (int j = 0; j < m->cols && holds; j++) {
        holds = within(x[j], m->lower[j], m->upper[j]) &&
                (!m->integer[j] || mpz_cmp_ui(mpq_denref(x[j]), 1) == 0);
        add_product(objective, m->cost[j], x[j]);
    }
    for (int r = 0; r < m->rows && holds; r++) {
        mpq_set_si(activity, 0, 1);
        for (int k = v->row_start[r]; k < v->row_start[r + 1]; k++)
            add_product(activity, v->row_value[k], x[v->row_col[k]]);
        holds = within(activity, m->row_lower[r], m->row_upper[r]);
    }
    mpq_clear(activity);
    return holds;
}

/* x := the solution that was found, where it meets everything exactly. */
static bool exact_solution(const vipr *v, const call *c, mpq_t *x, mpq_t objective)
{
    for (int j = 0; j < v->m->cols; j++)
        mpq_set_d(x[j], c->result->x[j]);
    return is_feasible(v, x, objective);
}

static void write_solution(const vipr *v, FILE *out, mpq_t *x)
{
    int count = 0;
    for (int j = 0; j < v->m->cols; j++)
        count += mpq_sgn(x[j]) != 0;
    fprintf(out, "SOL 1\nbest %d", count);
    for (int j = 0; j < v->m->cols; j++) {
        if (mpq_sgn(x[j]) == 0)
            continue;
        fprintf(out, "  %d ", j);
        mpq_out_str(out, 10, x[j]);
    }
    fputc('\n', out);
}

/* ---- the file -----------------------------------------------------------------------------------
 */

/* "LEAST LARGEST" of the objective as the model has it. */
static void write_range(const vipr *v, FILE *out, const mpq_t bound, const mpq_t *best)
{
    mpq_t least, largest;
    mpq_inits(least, largest, NULL);
    mpq_set(least, bound);
    if (best)
        mpq_set(largest, *best);
    fputs("RTP range ", out);
    if (v->m->maximize) {
        mpq_neg(least, least);
        mpq_neg(largest, largest);
        if (best)
            mpq_out_str(out, 10, largest);
        else
            fputs("-inf", out);
        fputc(' ', out);
        mpq_out_str(out, 10, least);
    } else {
        mpq_out_str(out, 10, least);
        fputc(' ', out);
        if (best)
            mpq_out_str(out, 10, largest);
        else
            fputs("inf", out);
    }
    fputc('\n', out);
    mpq_clears(least, largest, NULL);
}

/* What is proven of the exact model, but no more than the solution that was found, which meets it
 * within tolerances: without those it may be none. */
static void set_claim(const vipr *v, const call *c, mpq_t claim)
{
    mpq_set(claim, v->node[0].claim.bound);
    if (!c->result->has_solution)
        return;
    mpq_t objective, offset;
    mpq_inits(objective, offset, NULL);
    mpq_set_d(objective, c->result->objective);
    mpq_set_d(offset, v->m->offset);
    mpq_sub(objective, objective, offset);
    if (mpq_cmp(claim, objective) > 0)
        mpq_set(claim, objective);
    mpq_clears(objective, offset, NULL);
}

static void write_head(const vipr *v, const call *c, FILE *out)
{
    const lp_model *m = v->m;
    fputs("% Every number of the model is taken at the exact value of its double.\n", out);
    if (m->offset != 0.0)
        fprintf(out, "%% The objective of the model is OBJ + %.17g\n",
                m->maximize ? -m->offset : m->offset);
    fputs("VER 1.0\n", out);
    write_columns(out, m);
    write_constraints(v, out);
    if (v->node[0].claim.absurd) {
        fputs("RTP infeas\nSOL 0\n", out);
        return;
    }
    mpq_t best, claim, *x = base_malloc((size_t)m->cols + 1, sizeof *x);
    mpq_inits(best, claim, NULL);
    for (int j = 0; j < m->cols; j++)
        mpq_init(x[j]);
    const bool feasible = exact_solution(v, c, x, best);
    set_claim(v, c, claim);
    write_range(v, out, claim, feasible ? (const mpq_t *)&best : NULL);
    if (feasible)
        write_solution(v, out, x);
    else
        fputs("SOL 0\n", out);
    for (int j = 0; j < m->cols; j++)
        mpq_clear(x[j]);
    mpq_clears(best, claim, NULL);
    base_free(x);
}

static void publish(const vipr *v, call *c)
{
    char block[65536];
    size_t got;
    base_output *output = base_output_open(c->path, c->error);
    c->outcome = VIPR_UNWRITABLE;
    if (!output)
        return;
    FILE *out = base_output_stream(output);
    write_head(v, c, out);
    fprintf(out, "DER %ld\n", v->next - v->given);
    rewind(v->out);
    while ((got = fread(block, 1, sizeof block, v->out)) > 0)
        fwrite(block, 1, got, out);
    if (ferror(v->out)) {
        base_fail(c->error, "the temporary file of the certificate: %s", strerror(errno));
        base_output_abort(output);
    } else if (base_output_commit(output, c->error) == 0) {
        c->outcome = VIPR_WRITTEN;
    }
}

/* The answer stands; whether its proof does too. */
static void conclude(vipr *v, call *c)
{
    const bool infeasible = c->result->status == BNB_INFEASIBLE;
    c->outcome = VIPR_NOTHING;
    if (c->result->status != BNB_OPTIMAL && !infeasible)
        return;
    if (infeasible)
        vipr_close_untold(v);
    vipr_node *root = &v->node[0];
    if (root->claim.id < 0 || root->claim.absurd != infeasible)
        vipr_give_up(v, "the steps that were told do not prove the answer");
    c->outcome = VIPR_FAILED;
    if (v->fault) {
        base_fail(c->error, "%s", v->fault);
        return;
    }
    vipr_derive_multiple(v, &root->claim);
    publish(v, c);
}

/* ---- the run --------------------------------------------------------------------------------- */

static void note_incumbent(void *user, const double *x, double objective, const char *source)
{
    known *k = user;
    (void)source;
    memcpy(k->x, x, (size_t)k->cols * sizeof *k->x);
    k->objective = objective;
    k->any = true;
}

static void note_progress(void *user, const bnb_progress *now)
{
    known *k = user;
    k->bound = now->bound;
    k->nodes = now->nodes;
    k->iterations = now->iterations;
}

static void run(void *data)
{
    call *c = data;
    vipr v;
    const bnb_callbacks callbacks = {
        .user = &c->known, .incumbent = note_incumbent, .progress = note_progress};
    vipr_init(&v, c->m, c->derivations);
    c->params.proof = &v.hooks;
    *c->result = bnb_solve(c->m, &c->params, &callbacks, NULL);
    conclude(&v, c);
    vipr_clear(&v);
}

/* What is known of a run that was given up. */
static bnb_result given_up(call *c, base_stop why)
{
    known *k = &c->known;
    bnb_result r = {.status = why == BASE_STOP_TIME     ? BNB_LIMIT_TIME
                              : why == BASE_STOP_MEMORY ? BNB_LIMIT_MEMORY
                                                        : BNB_INTERRUPTED,
                    .has_solution = k->any,
                    .objective = k->objective,
                    .bound = k->bound,
                    .root_bound = NAN,
                    .root_bound_cuts = NAN,
                    .nodes = k->nodes,
                    .iterations = k->iterations};
    if (k->any) {
        r.x = k->x;
        k->x = NULL;
    }
    return r;
}

vipr_outcome vipr_solve(const char *path, const lp_model *m, const bnb_params *params,
                        bnb_result *result, base_error *error)
{
    call c = {.path = path, .m = m, .params = *params, .result = result, .error = error};
    c.known = (known){.cols = m->cols, .objective = LP_INFINITY, .bound = -LP_INFINITY};
    c.known.x = base_malloc((size_t)m->cols + 1, sizeof *c.known.x);
    c.params.tuning.cuts_mir = c.params.tuning.cuts_gomory = false;
    c.derivations = tmpfile();
    if (!c.derivations) {
        base_fail(error, "the temporary file of the certificate: %s", strerror(errno));
        *result = bnb_solve(m, params, NULL, NULL);
        c.outcome = VIPR_UNWRITABLE;
    } else {
        const base_stop why = base_try(&params->limits, run, &c);
        if (why != BASE_GO) {
            *result = given_up(&c, why);
            c.outcome = VIPR_NOTHING;
        }
        fclose(c.derivations);
    }
    base_free(c.known.x);
    return c.outcome;
}
