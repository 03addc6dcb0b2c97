#include "mechanism/noise/gaussian_calibration.h"

#include "mechanism/noise/analytic_gaussian.h"
#include "model/curve.h"
#include "model/renyi_conversion.h"

#define BITS 256L
#define PARTS 64          /* variances are j / PARTS */
#define VARIANCE_BITS 120 /* and at most 2^VARIANCE_BITS */
#define J_MAX ((sc_int128)PARTS << VARIANCE_BITS)

static scrim_status too_wide(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_LIMIT,
                   "gaussian: that epsilon and delta need a variance above 1.3e36 steps; "
                   "choose a coarser grid");
}

static void set_variance(sc_int128 j, sc_ratio *out)
{
    SC_OWN(sc_ratio, parts);
    sc_ratio_set_int128(out, j);
    sc_ratio_set_int64(&parts, PARTS);
    sc_ratio_div(out, out, &parts);
}

/* What is asked for. */
typedef struct wish {
    const sc_ratio *epsilon;
    sc_ball delta;
    sc_ratio distance;
    uint64_t shift;
} wish;

static void wish_init(wish *w, const sc_ratio *epsilon, const sc_ratio *delta)
{
    w->epsilon = epsilon;
    w->shift = 0;
    sc_ball_init(&w->delta);
    sc_ratio_init(&w->distance);
    sc_ball_set_ratio(&w->delta, delta, BITS);
}

static void wish_clear(wish *w)
{
    sc_ratio_clear(&w->distance);
    sc_ball_clear(&w->delta);
}

/* Is the continuous delta of variance j/64 certainly below the wanted one? sensitivity over
 * sigma is sqrt(64 D^2 / j). */
static bool is_continuous_below(const wish *w, sc_int128 j)
{
    SC_OWN(sc_ratio, square);
    SC_OWN(sc_ball, ratio);
    set_variance(j, &square);
    sc_ratio_div(&square, &w->distance, &square);
    sc_ratio_mul(&square, &square, &w->distance);
    sc_ball_set_ratio(&ratio, &square, 8 * BITS);
    sc_ball_sqrt(&ratio, &ratio, 8 * BITS);
    sc_analytic_gaussian_delta(w->epsilon, &ratio, BITS / 2, &ratio);
    return sc_ball_is_less(&ratio, &w->delta);
}

/* floor(64 sigma^2) of the continuous mechanism, whose delta falls with j: the largest j that is
 * not below; 0 when there is none, and never above J_MAX. */
static sc_int128 continuous_floor(const wish *w)
{
    sc_int128 low = 0, high = 1;
    while (!is_continuous_below(w, high)) {
        if (high == J_MAX)
            return J_MAX;
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        sc_int128 middle = low + (high - low) / 2;
        if (is_continuous_below(w, middle))
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* Does a curve have certainly at most the wanted delta? Few bits tell, as a rule. */
static bool has_delta(const wish *w, const sc_curve *curve)
{
    bool result = false, is_above = false;
    SC_OWN(sc_ball, delta);
    for (long bits = BITS / 2; !result && !is_above && bits <= BITS; bits *= 2) {
        sc_curve_delta_upper(curve, w->epsilon, bits, &delta);
        result = sc_ball_is_less_equal(&delta, &w->delta);
        is_above = sc_ball_is_less(&w->delta, &delta);
    }
    return result;
}

static bool is_exact_enough(const wish *w, sc_int128 j)
{
    SC_OWN(sc_curve, curve);
    SC_OWN(sc_ratio, variance);
    set_variance(j, &variance);
    sc_curve_set_gaussian(&curve, &variance, w->shift);
    return has_delta(w, &curve);
}

/* The discrete curve lies some 2/variance of itself above the continuous one, which a few steps
 * of the variance outweigh. */
#define SCAN_MAX 1000

scrim_status sc_gaussian_variance_exact(const sc_ratio *epsilon, const sc_ratio *delta,
                                        uint64_t shift, sc_ratio *out, scrim_error *error)
{
    wish w;
    scrim_status status = SCRIM_OK;
    wish_init(&w, epsilon, delta);
    w.shift = shift;
    sc_ratio_set_int128(&w.distance, shift);
    sc_int128 j = continuous_floor(&w);
    int steps = 0;
    if (j < 1)
        j = 1;
    while (j <= J_MAX && steps < SCAN_MAX && !is_exact_enough(&w, j)) {
        j++;
        steps++;
    }
    if (j > J_MAX)
        status = too_wide(error);
    else if (steps == SCAN_MAX)
        status = sc_fail(error, SCRIM_E_INTERNAL, "no variance was found");
    else
        set_variance(j, out);
    wish_clear(&w);
    return status;
}

/* distance^2 / (2 j/64) */
static bool is_concentrated_enough(const wish *w, sc_int128 j)
{
    SC_OWN(sc_curve, curve);
    SC_OWN(sc_ratio, rho, part);
    set_variance(j, &part);
    sc_ratio_add(&part, &part, &part);
    sc_ratio_mul(&rho, &w->distance, &w->distance);
    sc_ratio_div(&rho, &rho, &part);
    sc_curve_set_concentrated(&curve, &rho);
    return has_delta(w, &curve);
}

/* 64 distance^2 / (2 rho), rounded up, for the largest rho of the conversion; above J_MAX when
 * it is too large. */
static sc_int128 concentrated_guess(const wish *w)
{
    sc_int128 j = J_MAX + 1;
    SC_OWN(sc_ball, rho, square);
    SC_OWN(sc_integer, whole);
    sc_ball_log(&square, &w->delta, BITS);
    if (sc_renyi_rho(w->epsilon, &square, BITS, &rho)) {
        sc_ball_set_ratio(&square, &w->distance, BITS);
        sc_ball_mul(&square, &square, &square, BITS);
        sc_ball_mul_int64(&square, &square, PARTS / 2, BITS);
        sc_ball_div(&square, &square, &rho, BITS);
        sc_ball_add_int64(&square, &square, 1, BITS);
        if (!sc_ball_floor(&square, &whole) || !sc_integer_get_int128(&whole, &j) ||
            j > J_MAX)
            j = J_MAX + 1;
    }
    return j;
}

scrim_status sc_gaussian_variance_concentrated(const sc_ratio *epsilon,
                                               const sc_ratio *delta,
                                               const sc_ratio *distance, sc_ratio *out,
                                               scrim_error *error)
{
    wish w;
    scrim_status status = SCRIM_OK;
    wish_init(&w, epsilon, delta);
    sc_ratio_set(&w.distance, distance);
    sc_int128 j = concentrated_guess(&w);
    /* The guess is the right one, but for the search of the order. */
    while (j > 1 && j <= J_MAX && is_concentrated_enough(&w, j - 1))
        j--;
    while (j <= J_MAX && !is_concentrated_enough(&w, j))
        j++;
    if (j <= J_MAX)
        set_variance(j, out);
    else
        status = too_wide(error);
    wish_clear(&w);
    return status;
}
