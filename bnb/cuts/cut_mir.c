/* Mixed-integer rounding of a base row (Nemhauser and Wolsey 1990; c-MIR: Marchand and
 * Wolsey 2001). For sum a x' <= b over x' >= 0, a divisor delta > 0, f0 = frac(b / delta):
 *
 *     sum_int G(a/delta) x' + sum_cont min(0, a) / (delta (1 - f0)) x' <= floor(b / delta)
 *     G(q) = floor(q) + max(0, frac(q) - f0) / (1 - f0)
 *
 * G is continuous with slope at most 1/(1 - f0), so lowering it by a few units of roundoff
 * covers the rounding of q. */
#include "bnb/cuts/separation.h"
#include "bnb/rank.h"
#include "bnb/sum.h"

enum { MAX_DELTAS = 10, MAX_FLIPS = 12 }; /* tried for one cut */
static const double min_fraction = 0.02, max_fraction = 0.98;
static const long double margin = 0x1p-53L;

/* Returns G(a / delta), or slightly less. */
static long double round_integer(long double a, long double delta, long double f0)
{
    const long double q = a / delta, down = floorl(q), f = q - down;
    const long double h = f > f0 ? down + (f - f0) / (1.0L - f0) : down;
    /* Integers stay exact where no quotient was rounded. */
    return f == 0.0L && fmal(q, delta, -a) == 0.0L ? h : h - (fabsl(q) + 1.0L) * margin * 0x1p-2L;
}

/* Returns the efficacy of the cut for delta in the space of the terms, in doubles; 0: unusable.
 * An estimate: write_weights computes the cut again with error bounds. */
static double evaluate(const bnb_separation *s, double delta)
{
    const double b = (double)s->rhs / delta, down = floor(b), f0 = b - down;
    if (!(f0 >= min_fraction && f0 <= max_fraction))
        return 0.0;
    const double scale = 1.0 / delta, slope = 1.0 / (1.0 - f0);
    double activity = 0.0, square = 0.0;
    for (int k = 0; k < s->terms; k++) {
        const bnb_term *t = &s->term[k];
        const double q = (double)t->a * scale;
        double h;
        if (t->integer) {
            const double whole = floor(q), over = q - whole - f0;
            h = over > 0.0 ? whole + over * slope : whole;
        } else {
            h = q < 0.0 ? q * slope : 0.0;
        }
        activity += h * t->at;
        square += h * h;
    }
    return square > 0.0 ? (activity - down) / sqrt(square) : 0.0;
}

/* Writes the weights of the cut for delta, with errors charged. Returns false if f0 is out of
 * range. */
static bool write_weights(bnb_separation *s, long double delta, long double *rhs)
{
    /* A right side above the true one only weakens the cut. */
    const long double b = s->rhs / delta + fabsl(s->rhs / delta) * 0x1p-60L;
    const long double down = floorl(b), f0 = b - down;
    if (!(f0 >= 0.5 * min_fraction && f0 <= 0.5 + 0.5 * max_fraction))
        return false;
    for (int k = 0; k < s->terms; k++) {
        bnb_term *t = &s->term[k];
        long double h = 0.0L;
        if (t->integer)
            h = round_integer(t->a, delta, f0);
        else if (t->a < 0.0L)
            h = t->a / (delta * (1.0L - f0)) * (1.0L + margin);
        /* A lower weight of a slack weakens the cut; as a double, it can be reported in a proof. */
        t->weight = t->source < 0 ? bnb_double_below(h) : h;
    }
    *rhs = down;
    s->divisor = (double)delta;
    return true;
}

/* Collects candidate divisors: coefficients of integer terms strictly between their bounds. */
static int candidate_deltas(const bnb_separation *s, bool delta_one, double *delta)
{
    int count = 0;
    if (delta_one)
        delta[count++] = 1.0;
    for (int k = 0; k < s->terms && count < MAX_DELTAS; k++) {
        const bnb_term *t = &s->term[k];
        const double a = (double)fabsl(t->a);
        if (!t->integer || t->at < 1e-6 || t->at > t->range - 1e-6 || a < 1e-7 || a > 1e7)
            continue;
        bool known = false;
        for (int i = 0; i < count && !known; i++)
            known = fabs(delta[i] - a) <= 1e-9 * a;
        if (!known)
            delta[count++] = a;
    }
    return count;
}

static void flip(bnb_separation *s, bnb_term *t)
{
    const long double moved = t->a * t->range;
    s->rhs += -moved + fabsl(moved) * 0x1p-60L;
    t->a = -t->a;
    t->complemented = !t->complemented;
    t->at = fmax(0.0, t->range - t->at);
}

/* Complements integer terms one by one, nearest to the middle of their range first, and keeps
 * each change that improves the cut. Returns the best efficacy. */
static double improve_by_flips(bnb_separation *s, double delta, double best)
{
    bnb_ranked *choice = base_malloc((size_t)s->terms + 1, sizeof *choice);
    int count = 0;
    for (int k = 0; k < s->terms; k++) {
        const bnb_term *t = &s->term[k];
        if (t->source >= 0 && t->integer && t->range < 1e6 && t->at > 1e-6 &&
            t->at < t->range - 1e-6)
            choice[count++] = (bnb_ranked){-fabs(t->at - t->range / 2.0), k};
    }
    bnb_rank(choice, count);
    for (int i = 0; i < count && i < MAX_FLIPS; i++) {
        bnb_term *t = &s->term[choice[i].index];
        const bnb_term old = *t;
        const long double old_rhs = s->rhs;
        flip(s, t);
        const double efficacy = evaluate(s, delta);
        if (efficacy > best + 1e-6) {
            best = efficacy;
        } else {
            *t = old;
            s->rhs = old_rhs;
        }
    }
    base_free(choice);
    return best;
}

double bnb_mir_best(bnb_separation *s, bool delta_one, long double *rhs)
{
    double delta[MAX_DELTAS], chosen = 0.0, best = 0.0;
    const int count = candidate_deltas(s, delta_one, delta);
    for (int i = 0; i < count; i++) {
        const double efficacy = evaluate(s, delta[i]);
        if (efficacy > best) {
            best = efficacy;
            chosen = delta[i];
        }
    }
    if (chosen == 0.0)
        return 0.0;
    const double largest = chosen;
    for (int divisor = 2; divisor <= 8; divisor *= 2) {
        const double efficacy = evaluate(s, largest / divisor);
        if (efficacy > best) {
            best = efficacy;
            chosen = largest / divisor;
        }
    }
    best = improve_by_flips(s, chosen, best);
    return write_weights(s, chosen, rhs) ? best : 0.0;
}
