#include "model/guess.h"

#include "base/number/ball.h"
#include "model/renyi_conversion.h"

#define BITS 128
#define PLACES 100
#define STEPS 1000
/* From here on it is 1 but for what a thousandth does not show. */
#define EPSILON_MAX 100

/* 1 - (1 - delta) / (1 + exp(epsilon)) */
static void of_pair(const sc_ratio *epsilon, const sc_ratio *delta, sc_ball *out)
{
    SC_OWN(sc_ball, odds, rest);
    sc_ball_set_ratio(&odds, epsilon, BITS);
    sc_ball_exp(&odds, &odds, BITS);
    sc_ball_add_int64(&odds, &odds, 1, BITS);
    sc_ball_set_ratio(&rest, delta, BITS);
    sc_ball_neg(&rest, &rest);
    sc_ball_add_int64(&rest, &rest, 1, BITS);
    sc_ball_div(&rest, &rest, &odds, BITS);
    sc_ball_neg(&rest, &rest);
    sc_ball_add_int64(out, &rest, 1, BITS);
}

static void of_curve(const sc_curve *curve, sc_ball *out)
{
    SC_OWN(sc_ratio, zero);
    SC_OWN(sc_ball, distance);
    sc_curve_delta_upper(curve, &zero, BITS, out);
    if (curve->functions != NULL && curve->functions->renyi != NULL &&
        sc_renyi_distance(curve, BITS, &distance))
        sc_ball_take_smaller(out, &distance);
    sc_ball_add_int64(out, out, 1, BITS);
    sc_ball_mul_power2(out, out, -1);
}

/* Up to a thousandth. */
static void round_up(const sc_ball *x, sc_ratio *out)
{
    sc_ratio_set_int64(out, 1);
    SC_OWN(sc_ratio, steps);
    SC_OWN(sc_integer, whole);
    if (sc_ball_is_finite(x) && sc_ball_round_up(x, PLACES, out)) {
        sc_ratio_set_int64(&steps, STEPS);
        sc_ratio_mul(out, out, &steps);
        sc_ratio_ceil(out, &whole);
        sc_ratio_set_integer(out, &whole);
        sc_ratio_div(out, out, &steps);
    }
    if (sc_ratio_compare_int64(out, 1) > 0)
        sc_ratio_set_int64(out, 1);
}

static void of_line(const sc_ratio *xi, const sc_ratio *rho, sc_ball *out)
{
    SC_OWN(sc_curve, line);
    sc_curve_set_line(&line, xi, rho);
    of_curve(&line, out);
}

/* Takes the bound that a function has put into *found. */
static void take(const sc_ball *found, sc_ball *guess)
{
    if (sc_ball_is_finite(found))
        sc_ball_take_smaller(guess, found);
}

void sc_guess_upper(const sc_exact_cost *cost, sc_ratio *out)
{
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, guess, found);
    sc_ball_set_int64(&guess, 1);
    /* Both sides the same: 1/2 exactly, which a ball is not. */
    if (cost->has_epsilon && sc_ratio_sign(&cost->epsilon) == 0 &&
        sc_ratio_sign(&cost->delta) == 0) {
        sc_ball_mul_power2(&guess, &guess, -1);
        round_up(&guess, out);
        return;
    }
    if (cost->has_epsilon && sc_ratio_compare_int64(&cost->epsilon, EPSILON_MAX) <= 0) {
        of_pair(&cost->epsilon, &cost->delta, &found);
        take(&found, &guess);
    }
    if (cost->has_rho) {
        of_line(&cost->xi, &cost->rho, &found);
        take(&found, &guess);
    }
    of_curve(&cost->curve, &found);
    take(&found, &guess);
    round_up(&guess, out);
}
