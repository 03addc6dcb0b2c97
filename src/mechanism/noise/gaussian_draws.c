#include "mechanism/noise/gaussian_draws.h"

#include "mechanism/noise/analytic_gaussian.h"
#include "model/curve.h"
#include "sampling/gaussian_sum.h"

#define BITS 256L
#define PARTS 64          /* variances are j / PARTS */
#define VARIANCE_BITS 120 /* and at most 2^VARIANCE_BITS */
#define J_MAX ((sc_int128)PARTS << VARIANCE_BITS)

/* Delta. */

/* One draw of variance s v that moves by s times the move of each. */
static void by_sum(const sc_ratio *variance, uint64_t draws, uint64_t move,
                   const sc_ratio *epsilon, long bits, sc_ball *out)
{
    SC_OWN(sc_curve, curve);
    SC_OWN(sc_ratio, all);
    sc_ratio_set_int128(&all, (sc_int128)draws);
    sc_ratio_mul(&all, &all, variance);
    sc_curve_set_gaussian(&curve, &all, draws * move);
    sc_curve_delta_upper(&curve, epsilon, bits, out);
}

/* The conversion of rho = s move^2 / (2 v). */
static void by_conversion(const sc_ratio *variance, uint64_t draws, uint64_t move,
                          const sc_ratio *epsilon, long bits, sc_ball *out)
{
    SC_OWN(sc_curve, curve);
    SC_OWN(sc_ratio, rho, twice);
    sc_ratio_add(&twice, variance, variance);
    sc_ratio_set_int128(&rho, (sc_int128)draws);
    sc_ratio_div(&rho, &rho, &twice);
    sc_ratio_set_int128(&twice, (sc_int128)move);
    sc_ratio_mul(&rho, &rho, &twice);
    sc_ratio_mul(&rho, &rho, &twice);
    sc_curve_set_concentrated(&curve, &rho);
    sc_curve_delta_upper(&curve, epsilon, bits, out);
}

/* At epsilon >= 0. */
static void delta_from_zero(const sc_ratio *variance, uint64_t draws, uint64_t move,
                            const sc_ratio *epsilon, long bits, sc_ball *out)
{
    if (draws == 0) {
        sc_ball_set_int64(out, 0);
        return;
    }
    if (draws == 1) {
        by_sum(variance, 1, move, epsilon, bits, out);
        return;
    }
    SC_OWN(sc_ball, other);
    const bool is_sum = sc_gaussian_sum_excess(variance, draws, bits, &other);
    if (is_sum) {
        by_sum(variance, draws, move, epsilon, bits, out);
        sc_ball_mul(out, out, &other, bits);
        sc_ball_cut_unit(out);
    }
    if (!is_sum || sc_ratio_compare_int64(variance, 1) < 0) {
        by_conversion(variance, draws, move, epsilon, bits, &other);
        if (is_sum)
            sc_ball_take_smaller(out, &other);
        else
            sc_ball_set(out, &other);
    }
}

/* The two laws are mirror images, so that 1 - delta(-e) = exp(-e) (1 - delta(e)). */
void sc_gaussian_draws_moved_upper(const sc_ratio *variance, uint64_t draws,
                                   uint64_t move, const sc_ratio *epsilon, long bits,
                                   sc_ball *out)
{
    if (sc_ratio_sign(epsilon) >= 0) {
        delta_from_zero(variance, draws, move, epsilon, bits, out);
        return;
    }
    SC_OWN(sc_ratio, above);
    SC_OWN(sc_ball, gap, rest);
    sc_ratio_sub(&above, &above, epsilon);
    delta_from_zero(variance, draws, move, &above, bits, out);
    sc_ball_set_ratio(&gap, epsilon, bits);
    sc_ball_exp(&rest, &gap, bits);
    sc_ball_expm1(&gap, &gap, bits);
    sc_ball_mul(out, out, &rest, bits);
    sc_ball_sub(out, out, &gap, bits);
    sc_ball_cut_unit(out);
}

void sc_gaussian_draws_delta_upper(const sc_ratio *variance, uint64_t draws,
                                   const sc_ratio *epsilon, long bits, sc_ball *out)
{
    sc_gaussian_draws_moved_upper(variance, draws, 1, epsilon, bits, out);
}

/* The variance. */

static void set_variance(sc_int128 j, sc_ratio *out)
{
    SC_OWN(sc_ratio, parts);
    sc_ratio_set_int128(out, j);
    sc_ratio_set_int64(&parts, PARTS);
    sc_ratio_div(out, out, &parts);
}

/* Is delta certainly at most the wanted one? Few bits tell, as a rule. */
static bool is_enough(sc_int128 j, uint64_t draws, const sc_ratio *epsilon,
                      const sc_ball *wanted)
{
    bool result = false, is_above = false;
    SC_OWN(sc_ratio, variance);
    SC_OWN(sc_ball, delta);
    set_variance(j, &variance);
    for (long bits = BITS / 2; !result && !is_above && bits <= BITS; bits *= 2) {
        sc_gaussian_draws_delta_upper(&variance, draws, epsilon, bits, &delta);
        result = sc_ball_is_less_equal(&delta, wanted);
        is_above = sc_ball_is_less(wanted, &delta);
    }
    return result;
}

/* floor(64 draws sigma^2) of the continuous mechanism, at least 1; above J_MAX when it is too
 * large. */
static scrim_status continuous_floor(const sc_ratio *epsilon, const sc_ratio *delta,
                                     uint64_t draws, sc_int128 *out, scrim_error *error)
{
    SC_OWN(sc_ratio, square, factor);
    SC_OWN(sc_integer, whole);
    scrim_status status =
        sc_analytic_gaussian_sigma_upper(epsilon, delta, &square, error);
    if (status == SCRIM_OK) {
        sc_ratio_mul(&square, &square, &square);
        sc_ratio_set_int128(&factor, (sc_int128)draws * PARTS);
        sc_ratio_mul(&square, &square, &factor);
        sc_ratio_floor(&square, &whole);
        if (!sc_integer_get_int128(&whole, out) || *out > J_MAX)
            *out = J_MAX + 1;
        else if (*out < 1)
            *out = 1;
    }
    return status;
}

/* The discrete curve lies some (epsilon/draws)^2 of itself beside the continuous one, which a few
 * steps of the variance outweigh. */
#define SCAN_MAX 1000
#define DOWN_MAX 100

scrim_status sc_gaussian_draws_variance(const sc_ratio *epsilon, const sc_ratio *delta,
                                        uint64_t draws, sc_ratio *out, scrim_error *error)
{
    sc_int128 j = 0;
    int steps = 0;
    scrim_status status = continuous_floor(epsilon, delta, draws, &j, error);
    if (status != SCRIM_OK)
        return status;
    SC_OWN(sc_ball, wanted);
    sc_ball_set_ratio(&wanted, delta, BITS);
    for (int down = 0; down < DOWN_MAX && j > 1 && j <= J_MAX &&
                       is_enough(j - 1, draws, epsilon, &wanted);
         down++)
        j--;
    while (j <= J_MAX && steps < SCAN_MAX && !is_enough(j, draws, epsilon, &wanted)) {
        j++;
        steps++;
    }
    if (j > J_MAX)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "that epsilon and delta need a variance above 1.3e36");
    if (steps == SCAN_MAX)
        return sc_fail(error, SCRIM_E_INTERNAL, "no variance was found");
    set_variance(j, out);
    return SCRIM_OK;
}
