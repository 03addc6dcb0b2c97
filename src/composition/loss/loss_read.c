#define SC_WITH_ARB
#include "base/number/ball_mass.h"
#include "composition/loss/loss.h"

/* Both readers walk down from the highest point. With z the point j, h the step and
 *
 *     V_j = sum over i >= j of c_i exp(z_j - z_i)       V_j = c_j + exp(-h) V_(j+1)
 *     D_j = delta(z_j)                                  D_(j-1) = D_j + (1 - exp(-h)) V_j
 *     delta(e) = D_j + (1 - exp(e - z_j)) V_j           z_(j-1) <= e <= z_j
 *
 * nothing is subtracted, so that a delta of 1e-300 is as accurate as one of 1/2. The right side of
 * the last line is a line in exp(e) for each j and never above delta, whatever e. */
typedef struct walk {
    const sc_loss *loss;
    long bits;
    sc_ball step, shrink, rest; /* h, exp(-h), 1 - exp(-h) */
    sc_ball above, weight;      /* D_j and V_j */
    size_t j;
} walk;

static void walk_init(walk *w, const sc_loss *loss, long bits)
{
    sc_ball *const balls[] = {&w->step, &w->shrink, &w->rest, &w->above, &w->weight};
    for (size_t i = 0; i < sizeof balls / sizeof balls[0]; i++)
        sc_ball_init(balls[i]);
    w->loss = loss;
    w->bits = bits + 2 * (long)sc_bit_length64(loss->count) + 32;
    sc_ball_set_ratio(&w->step, &loss->step, w->bits);
    sc_ball_neg(&w->shrink, &w->step);
    sc_ball_expm1(&w->rest, &w->shrink, w->bits);
    sc_ball_neg(&w->rest, &w->rest);
    sc_ball_exp(&w->shrink, &w->shrink, w->bits);
    sc_mass_ball(&loss->infinite, loss->bits, &w->above);
    w->j = loss->count;
    if (w->j > 0) {
        w->j--;
        sc_mass_ball(&loss->mass[w->j], loss->bits, &w->weight);
    }
}

static void walk_clear(walk *w)
{
    sc_ball *const balls[] = {&w->step, &w->shrink, &w->rest, &w->above, &w->weight};
    for (size_t i = 0; i < sizeof balls / sizeof balls[0]; i++)
        sc_ball_clear(balls[i]);
}

/* D_(j-1). */
static void walk_below(const walk *w, sc_ball *out)
{
    SC_OWN(sc_ball, more);
    sc_ball_mul(&more, &w->weight, &w->rest, w->bits);
    sc_ball_add(out, &w->above, &more, w->bits);
}

/* One point down; j > 0. */
static void walk_down(walk *w)
{
    walk_below(w, &w->above);
    w->j--;
    sc_ball_mul(&w->weight, &w->weight, &w->shrink, w->bits);
    sc_mass_add(&w->weight, &w->weight, &w->loss->mass[w->j], w->loss->bits, w->bits);
}

/* z_j. */
static void walk_point(const walk *w, sc_ball *out)
{
    sc_ball_set_int64(out, w->loss->low + (int64_t)w->j);
    sc_ball_mul(out, out, &w->step, w->bits);
}

/* delta at e by the line of point j. */
static void walk_line(const walk *w, const sc_ball *e, sc_ball *out)
{
    SC_OWN(sc_ball, point);
    walk_point(w, &point);
    sc_ball_sub(out, e, &point, w->bits);
    sc_ball_expm1(out, out, w->bits);
    sc_ball_neg(out, out);
    sc_ball_mul(out, out, &w->weight, w->bits);
    sc_ball_add(out, out, &w->above, w->bits);
}

/* The largest j whose point is the first that may lie above e, from a ball of e/h: the cell of the
 * lower end of e. False: e is above all points. */
static bool first_above(const walk *w, const sc_ball *e, size_t *out)
{
    sc_int128 index = 0;
    SC_OWN(sc_ball, place);
    SC_OWN(sc_ratio, whole);
    SC_OWN(sc_integer, floor);
    sc_ball_div(&place, e, &w->step, w->bits);
    bool found = false;
    if (sc_ball_round_down(&place, 0, &whole)) {
        sc_ratio_floor(&whole, &floor);
        if (!sc_integer_get_int128(&floor, &index))
            index = sc_integer_sign(&floor) * ((sc_int128)1 << 100);
        index += 1 - (sc_int128)w->loss->low;
        found = index < (sc_int128)w->loss->count;
        *out = index < 0 || !found ? 0 : (size_t)index;
    } else { /* far beyond the grid, on one side or the other */
        found = !sc_ball_is_positive(e);
        *out = 0;
    }
    return found;
}

/* delta is the largest of all lines, at the first point above e, or at the next one where it is not
 * sure which is the first: the ball of e is thin against the step, else its ends are taken. */
static void delta_thin(const sc_loss *loss, const sc_ball *e, long bits, sc_ball *out)
{
    walk w;
    size_t first = 0;
    walk_init(&w, loss, bits);
    sc_ball_set(out, &w.above);
    if (loss->count > 0 && first_above(&w, e, &first)) {
        SC_OWN(sc_ball, other);
        while (w.j > first + 1)
            walk_down(&w);
        if (w.j == first + 1) {
            walk_line(&w, e, &other);
            walk_down(&w);
        } else {
            sc_ball_set(&other, &w.above);
        }
        walk_line(&w, e, out);
        if (sc_ball_is_less(out, &other))
            sc_ball_set(out, &other);
        else if (!sc_ball_is_less(&other, out))
            sc_ball_set_union(out, out, &other, bits + 32);
    }
    walk_clear(&w);
}

void sc_loss_delta(const sc_loss *loss, const sc_ball *epsilon, long bits, sc_ball *out)
{
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, low, high);
    if (!sc_ball_is_finite(epsilon)) {
        sc_ball_set_infinite(out);
        sc_ball_cut_unit(out);
    } else {
        sc_mass_floor(epsilon, bits + 2048, &low);
        sc_ball_neg(&high, epsilon);
        sc_mass_floor(&high, bits + 2048, &high);
        sc_ball_neg(&high, &high);
        delta_thin(loss, &low, bits, out);
        if (sc_ball_is_less(&low, &high)) {
            delta_thin(loss, &high, bits, &low);
            sc_ball_set_union(out, out, &low, bits + 32);
        }
    }
}

/* z_j + ln(1 - (delta - D_j)/V_j): where the line of point j has this delta; V_j > 0. */
static void line_epsilon(const walk *w, const sc_ball *delta, sc_ball *out)
{
    SC_OWN(sc_ball, point);
    sc_ball_sub(out, &w->above, delta, w->bits);
    sc_ball_div(out, out, &w->weight, w->bits);
    sc_ball_log1p(out, out, w->bits);
    walk_point(w, &point);
    sc_ball_add(out, out, &point, w->bits);
}

/* delta where the cell of point j begins: at z_(j-1), or at 0 where the first cell reaches there. */
static void walk_edge(const walk *w, sc_ball *out)
{
    if (w->j > 0) {
        walk_below(w, out);
    } else {
        SC_OWN(sc_ball, zero);
        walk_line(w, &zero, out);
    }
}

/* Down to the cell in which delta is reached, at most to the one that begins at 0 or below. */
static bool walk_to_delta(walk *w, const sc_ball *delta)
{
    bool reached = false;
    SC_OWN(sc_ball, edge);
    for (; w->loss->low + (int64_t)w->j > 0; walk_down(w)) {
        walk_edge(w, &edge);
        reached = !sc_ball_is_less_equal(&edge, delta) && sc_ball_is_positive(&w->weight);
        if (reached || w->j == 0)
            break;
    }
    return reached;
}

/* [0, upper end], or 0 where all of it is below: for a number known not to be negative. */
static void cut_at_zero(sc_ball *x, long bits)
{
    if (sc_ball_is_positive(x))
        return;
    sc_ball_set_upper(x, x, bits);
    if (sc_ball_is_positive(x)) {
        sc_ball_mul_power2(x, x, -1);
        sc_ball_widen(x, x);
    } else {
        sc_ball_set_int64(x, 0);
    }
}

/* Is infinite 2^-bits > delta? */
static bool has_no_epsilon(const sc_loss *loss, const sc_ratio *delta)
{
    SC_OWN(sc_ratio, infinite);
    SC_OWN(sc_integer, whole);
    fmpz_get_mpz(whole.z, &loss->infinite);
    sc_ratio_set_dyadic(&infinite, &whole, (unsigned)loss->bits);
    return sc_ratio_compare(&infinite, delta) > 0;
}

bool sc_loss_epsilon(const sc_loss *loss, const sc_ratio *delta, long bits, sc_ball *out)
{
    if (has_no_epsilon(loss, delta))
        return false;
    walk w;
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, target);
    walk_init(&w, loss, bits);
    sc_ball_set_ratio(&target, delta, w.bits);
    sc_ball_set_int64(out, 0);
    if (loss->count > 0 && walk_to_delta(&w, &target)) {
        SC_OWN(sc_ball, point);
        line_epsilon(&w, &target, out);
        /* The line may meet delta below its cell, where another one is above it: epsilon is then
         * between the two. */
        if (w.j > 0) {
            w.j--;
            walk_point(&w, &point);
            if (!sc_ball_is_less_equal(&point, out))
                sc_ball_set_union(out, out, &point, w.bits);
        }
        cut_at_zero(out, w.bits);
    }
    walk_clear(&w);
    return true;
}
