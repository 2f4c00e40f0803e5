/* Pricing, and dual values for the rows that are left out.
 *
 * A row that is left out has dual value 0 at first, and any value of the right sign is allowed if
 * the row is tight at the working point. Moving it raises the reduced costs of some of its columns
 * and lowers those of the others, like a payment. A column whose reduced cost has the wrong
 * sign is paid by rows whose other columns can afford it; what is lacking then is passed on
 * through a row to columns that cannot, but may be paid by other rows in their turn. A column that
 * was passed something and finds nobody to pay for it or to pass it on to is a dead end: it gives
 * it back. Columns that nothing pays for are wanted. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lp/sift_internal.h"

#define TIGHT 1e-9       /* relative distance from a bound */
#define POLL_WORK 2e6    /* touched entries between two looks at the clock */
#define PATIENCE 50.0    /* work of a repair, in entries of the model */
#define PART 1.0         /* of it until dead ends are looked for */
#define AMPLIFIED 1.001  /* what is passed on may become so much more by rounding */
#define SHRUNK 0.99      /* progress, whatever way it takes */
#define NEGLIGIBLE 1e-13 /* payments below are not worth a row */

enum {
    SEARCHES = 150,   /* for dead ends */
    FORGET = 5,       /* rounds for which they stay, where optima have settled */
    CHOICES = 4,      /* rows that a column tries to pass on through */
    MAX_LENGTH = 64,  /* longer rows do not pay */
    MAX_SEARCH = 2000 /* columns looked at in the search for a cycle */
};

static int row_length(const lp_sift *s, int r)
{
    return s->row_start[r + 1] - s->row_start[r];
}

/* ---- pricing -------------------------------------------------------------------- */

void lp_sift_price(lp_sift *s, const double *cost)
{
    const lp_model *m = s->m;
    if (cost)
        memcpy(s->d, cost, (size_t)m->cols * sizeof *s->d);
    else
        memset(s->d, 0, (size_t)m->cols * sizeof *s->d);
    for (int r = 0; r < m->rows; r++) {
        double y = s->y[r];
        if (y == 0.0)
            continue;
        for (int e = s->row_start[r]; e < s->row_start[r + 1]; e++)
            s->d[s->row_col[e]] -= y * s->row_value[e];
        s->work += row_length(s, r);
    }
    s->work += m->rows;
}

static bool is_fixed(const lp_sift *s, int j)
{
    return s->m->lower[j] == s->m->upper[j];
}

bool lp_sift_is_at(const lp_sift *s, int j, bool upper)
{
    double l = s->m->lower[j], u = s->m->upper[j];
    return upper ? s->x[j] >= u - TIGHT * (1.0 + fabs(u)) && u < LP_INFINITY
                 : s->x[j] <= l + TIGHT * (1.0 + fabs(l)) && l > -LP_INFINITY;
}

double lp_sift_lack(const lp_sift *s, int j)
{
    double d = s->d[j], tolerance = s->params.lp.dual_tolerance;
    if (fabs(d) <= tolerance || is_fixed(s, j))
        return 0.0;
    return lp_sift_is_at(s, j, d < 0.0) ? 0.0 : -d;
}

/* ---- moving the multiplier of a row ------------------------------------------------ */

/* How far d_j may fall (rise) before its sign is wrong. */
static double room_down(const lp_sift *s, int j)
{
    return is_fixed(s, j) || lp_sift_is_at(s, j, true) ? INFINITY : fmax(s->d[j], 0.0);
}

static double room_up(const lp_sift *s, int j)
{
    return is_fixed(s, j) || lp_sift_is_at(s, j, false) ? INFINITY : fmax(-s->d[j], 0.0);
}

bool lp_sift_row_is_tight(const lp_sift *s, int r, bool positive)
{
    double lower = s->m->row_lower[r], upper = s->m->row_upper[r], a = s->activity[r];
    return positive ? a <= lower + TIGHT * (1.0 + fabs(lower))
                    : a >= upper - TIGHT * (1.0 + fabs(upper));
}

/* How far y_r may move in the direction sign (+1, -1): the row must be tight at the side that pays,
 * or beyond it (a proof of infeasibility only gains), and y_r may go back to zero but from there.
 */
static double row_range(const lp_sift *s, int r, double sign)
{
    double lower = s->m->row_lower[r], upper = s->m->row_upper[r], a = s->activity[r], y = s->y[r];
    double low = TIGHT * (1.0 + fabs(lower)), high = TIGHT * (1.0 + fabs(upper));
    if (lp_sift_row_is_tight(s, r, sign > 0.0))
        return INFINITY;
    if (sign * y >= 0.0 || (y > 0.0 ? a < lower - low : a > upper + high))
        return 0.0;
    return fabs(y);
}

/* How far y_r may move in the direction sign so that no other reduced cost than d_j gets a wrong
 * sign. */
static double row_room(lp_sift *s, int r, double sign, int j)
{
    double room = row_range(s, r, sign);
    int e = s->row_start[r], end = s->row_start[r + 1];
    for (; e < end && room > 0.0; e++) {
        int k = s->row_col[e];
        double a = sign * s->row_value[e];
        if (k != j)
            room = fmin(room, a > 0.0 ? room_down(s, k) / a : room_up(s, k) / -a);
    }
    s->work += e - s->row_start[r];
    return room;
}

static void enqueue(lp_sift *s, int j)
{
    s->waiting += !s->queued[j];
    s->queued[j] = true;
}

static void owe(lp_sift *s, int debtor, int from)
{
    if (s->debts == s->debt_capacity) {
        s->debt_capacity = 2 * s->debt_capacity + 1024;
        s->debt = base_realloc(s->debt, (size_t)s->debt_capacity, sizeof *s->debt);
    }
    s->debt[s->debts] = (lp_sift_debt){debtor, from, s->debt_head[debtor]};
    s->debt_head[debtor] = s->debts++;
}

static void log_move(lp_sift *s, int r, double amount)
{
    if (s->moves == s->move_capacity) {
        s->move_capacity = 2 * s->move_capacity + 1024;
        s->move = base_realloc(s->move, (size_t)s->move_capacity, sizeof *s->move);
    }
    s->move[s->moves++] = (lp_sift_move){r, amount};
}

/* y_r += amount for the sake of column j. Columns that lack something now are looked at again. */
static void move_row(lp_sift *s, int r, double amount, int j)
{
    s->y[r] += amount;
    log_move(s, r, amount);
    for (int e = s->row_start[r]; e < s->row_start[r + 1]; e++) {
        int k = s->row_col[e];
        s->d[k] -= amount * s->row_value[e];
        if (k != j && lp_sift_lack(s, k) != 0.0) {
            owe(s, k, j);
            enqueue(s, k);
        }
    }
    s->work += row_length(s, r);
}

/* Takes back the moves from number first on, and the debts from number debt on. */
static void undo(lp_sift *s, int first, int debt)
{
    while (s->moves > first) {
        lp_sift_move back = s->move[--s->moves];
        s->y[back.row] -= back.amount;
        for (int e = s->row_start[back.row]; e < s->row_start[back.row + 1]; e++)
            s->d[s->row_col[e]] += back.amount * s->row_value[e];
        s->work += row_length(s, back.row);
    }
    while (s->debts > debt) {
        lp_sift_debt last = s->debt[--s->debts];
        s->debt_head[last.debtor] = last.next;
    }
}

/* The direction in which y_r must move for an entry of column j to give what it lacks. */
static double wanted_sign(double entry, double lack)
{
    return (entry > 0.0) == (lack > 0.0) ? -1.0 : 1.0;
}

/* ---- paying and passing on ------------------------------------------------------------ */

/* Lets rows pay column j as far as their other columns can afford it. True when it lacks
 * nothing any more. */
static bool pay(lp_sift *s, int j)
{
    const lp_model *m = s->m;
    for (int e = m->start[j]; e < m->start[j + 1]; e++) {
        double lack = lp_sift_lack(s, j);
        int r = m->index[e];
        if (lack == 0.0)
            return true;
        if (row_length(s, r) > MAX_LENGTH)
            continue;
        double sign = wanted_sign(m->value[e], lack), need = fabs(lack / m->value[e]);
        double amount = fmin(need, row_room(s, r, sign, j));
        if (amount <= NEGLIGIBLE * need)
            continue;
        move_row(s, r, sign * amount, j);
        if (amount == need)
            s->d[j] = 0.0;
    }
    return lp_sift_lack(s, j) == 0.0;
}

/* What other columns than j would lack if y_r moved by amount; INFINITY: a dead end would. */
static double new_lack(lp_sift *s, int r, double amount, int j)
{
    double sum = 0.0;
    for (int e = s->row_start[r]; e < s->row_start[r + 1]; e++) {
        int k = s->row_col[e];
        double fall = amount * s->row_value[e];
        if (k == j)
            continue;
        double lack = fall > 0.0 ? fall - room_down(s, k) : -fall - room_up(s, k);
        if (s->dead_end[k] && lack > s->params.lp.dual_tolerance)
            return INFINITY;
        sum += fmax(lack, 0.0);
    }
    s->work += row_length(s, r);
    return sum;
}

/* True when d_k can get a wrong sign where y_r, with the given entry of k, moves in the direction
 * sign. */
static bool suffers(const lp_sift *s, int k, double entry, double sign)
{
    return entry * sign > 0.0 ? room_down(s, k) < INFINITY : room_up(s, k) < INFINITY;
}

/* Whether what row r, moved in the direction sign for the sake of j, makes others lack could come
 * back to j on the ways on which they passed on so far. True too when that takes too long to say.
 */
static bool comes_back(lp_sift *s, int r, double sign, int j)
{
    int count = 0, *stack = s->stack, space = s->m->cols;
    s->search++;
    for (;;) {
        for (int e = s->row_start[r]; e < s->row_start[r + 1]; e++) {
            int k = s->row_col[e];
            if (s->seen[k] == s->search || !suffers(s, k, s->row_value[e], sign))
                continue;
            if (k == j || count == space || count == MAX_SEARCH)
                return true;
            s->seen[k] = s->search;
            if (s->pass_row[k] >= 0)
                stack[count++] = k;
        }
        s->work += row_length(s, r);
        if (count == 0)
            return false;
        int k = stack[--count];
        r = s->pass_row[k];
        sign = s->pass_up[k] ? 1.0 : -1.0;
    }
}

/* Moves y_r by amount, which pays column j, and lets the others that lack something now be paid
 * in their turn. True when what is lacking then is less than before, or no more and cannot come
 * back to j; else nothing has happened. */
static bool try_row(lp_sift *s, int r, double amount, int j)
{
    int first = s->moves, debt = s->debts;
    double before = fabs(lp_sift_lack(s, j)), kept = s->d[j], after = 0.0;
    for (int e = s->row_start[r]; e < s->row_start[r + 1]; e++)
        if (s->row_col[e] != j)
            before += fabs(lp_sift_lack(s, s->row_col[e]));
    move_row(s, r, amount, j);
    s->d[j] = 0.0;
    for (int e = s->row_start[r]; e < s->row_start[r + 1]; e++) {
        int k = s->row_col[e];
        if (k != j && lp_sift_lack(s, k) != 0.0)
            pay(s, k);
    }
    for (int e = s->row_start[r]; e < s->row_start[r + 1]; e++)
        after += fabs(lp_sift_lack(s, s->row_col[e]));
    if (after < SHRUNK * before ||
        (after <= AMPLIFIED * before && !comes_back(s, r, amount > 0.0 ? 1.0 : -1.0, j)))
        return true;
    undo(s, first, debt);
    s->d[j] = kept;
    return false;
}

/* Rows that could pay j, by what others would lack then. */
typedef struct choice {
    int row;
    double amount, lack;
} choice;

static int choices(lp_sift *s, int j, choice *list)
{
    const lp_model *m = s->m;
    double lack = lp_sift_lack(s, j);
    int count = 0;
    for (int e = m->start[j]; e < m->start[j + 1]; e++) {
        int r = m->index[e];
        double sign = wanted_sign(m->value[e], lack), amount = fabs(lack / m->value[e]);
        if (row_length(s, r) > MAX_LENGTH || row_range(s, r, sign) < amount)
            continue;
        choice c = {r, sign * amount, new_lack(s, r, sign * amount, j)};
        if (c.lack == INFINITY)
            continue;
        int k = count < CHOICES ? count++ : count;
        for (; k > 0 && list[k - 1].lack > c.lack; k--) /* the worst falls off the end */
            if (k < CHOICES)
                list[k] = list[k - 1];
        if (k < CHOICES)
            list[k] = c;
    }
    return count;
}

/* Passes what j lacks on through a row. */
static bool pass_on(lp_sift *s, int j)
{
    choice list[CHOICES];
    int count = choices(s, j, list);
    for (int k = 0; k < count; k++) {
        if (!try_row(s, list[k].row, list[k].amount, j))
            continue;
        s->pass_row[j] = list[k].row;
        s->pass_up[j] = list[k].amount > 0.0;
        return true;
    }
    return false;
}

static bool limit_reached(lp_sift *s, double *next)
{
    if (s->work < *next)
        return false;
    *next = s->work + POLL_WORK;
    return base_limits_check(&s->params.lp.limits) != BASE_GO;
}

static void serve(lp_sift *s, int j)
{
    s->queued[j] = false;
    s->waiting--;
    if (lp_sift_lack(s, j) != 0.0 && !pay(s, j))
        pass_on(s, j);
}

/* False when a limit was hit. What is passed on along a chain of columns adds up when they are
 * served in its order: hence the sweeps, backwards and forwards. */
static bool sweep(lp_sift *s, double end, double *next)
{
    int cols = s->m->cols;
    for (int sweeps = 0; s->waiting > 0 && s->work < end; sweeps++) {
        for (int k = 0; k < cols && s->waiting > 0 && s->work < end; k++) {
            int j = sweeps % 2 == 0 ? cols - 1 - k : k;
            if (s->queued[j])
                serve(s, j);
            if (limit_reached(s, next))
                return false;
        }
        s->work += cols;
    }
    return true;
}

/* ---- dead ends -------------------------------------------------------------------------- */

/* Column j gives back what others passed on to it, through the rows by which they did: they look
 * for other ways. */
static void give_back(lp_sift *s, int j)
{
    const lp_model *m = s->m;
    s->dead_end[j] = true;
    s->pass_row[j] = -1;
    for (int e = m->start[j]; e < m->start[j + 1]; e++) {
        int r = m->index[e];
        double lack = lp_sift_lack(s, j), moved = s->y[r] - s->y_start[r];
        if (lack == 0.0)
            break;
        double sign = wanted_sign(m->value[e], lack), need = fabs(lack / m->value[e]);
        if (moved * sign >= 0.0)
            continue;
        move_row(s, r, sign * fmin(need, fabs(moved)), j);
        if (need <= fabs(moved))
            s->d[j] = 0.0;
    }
    s->work += m->start[j + 1] - m->start[j];
}

/* Columns that others passed on to, and that neither can pay nor pass on, are dead ends. Returns
 * how many there were. */
static int find_dead_ends(lp_sift *s)
{
    int found = 0;
    for (int j = 0; j < s->m->cols; j++) {
        if (s->dead_end[j] || s->debt_head[j] < 0 || lp_sift_lack(s, j) == 0.0)
            continue;
        give_back(s, j);
        found++;
    }
    s->work += s->m->cols;
    return found;
}

bool lp_sift_repair(lp_sift *s)
{
    int cols = s->m->cols;
    double next = s->work + POLL_WORK, size = s->m->start[cols] + (double)cols + 1000.0;
    double end = s->work + PATIENCE * size;
    s->debts = s->moves = s->wanted_count = s->waiting = 0;
    const bool keep = s->settled && s->result.rounds % FORGET != 0;
    memcpy(s->y_start, s->y, (size_t)s->m->rows * sizeof *s->y);
    for (int j = 0; j < cols; j++) {
        s->debt_head[j] = s->pass_row[j] = -1;
        s->queued[j] = false;
        s->dead_end[j] = keep && s->dead_end[j];
        if (lp_sift_lack(s, j) != 0.0)
            enqueue(s, j);
    }
    int found = 1;
    for (int k = 0; k <= SEARCHES && found > 0 && s->work < end; k++) {
        if (!sweep(s, k < SEARCHES ? fmin(end, s->work + PART * size) : end, &next))
            return false;
        found = k < SEARCHES ? find_dead_ends(s) : 0;
    }
    for (int j = 0; j < cols; j++)
        if (lp_sift_lack(s, j) != 0.0)
            s->wanted[s->wanted_count++] = j;
    return true;
}
