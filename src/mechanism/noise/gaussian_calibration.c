#include "mechanism/noise/gaussian_calibration.h"

#include "base/number/ratio.h"
#include "model/curve.h"
#include "model/renyi_conversion.h"
#include "sampling/discrete_gaussian_law.h"

/* Q(x) = erfc(x / sqrt 2) / 2. */
static void upper_tail(const sc_ball *x, const sc_ball *root_two, long bits, sc_ball *out)
{
    sc_ball_div(out, x, root_two, bits);
    sc_ball_erfc(out, out, bits);
    sc_ball_mul_power2(out, out, -1);
}

/* The difference of the two tails, each computed to `bits` bits. */
static void difference(const sc_ratio *epsilon, const sc_ball *ratio, long bits,
                       sc_ball *out)
{
    sc_ball root_two, e, near, far, half;
    sc_ball *const all[] = {&root_two, &e, &near, &far, &half};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        sc_ball_init(all[i]);
    sc_ball_set_int64(&root_two, 2);
    sc_ball_sqrt(&root_two, &root_two, bits);
    sc_ball_set_ratio(&e, epsilon, bits);
    sc_ball_div(&near, &e, ratio, bits);
    sc_ball_mul_power2(&half, ratio, -1);
    sc_ball_add(&far, &near, &half, bits);
    sc_ball_sub(&near, &near, &half, bits);
    upper_tail(&near, &root_two, bits, out);
    upper_tail(&far, &root_two, bits, &half);
    sc_ball_exp(&e, &e, bits);
    sc_ball_mul(&half, &half, &e, bits);
    sc_ball_sub(out, out, &half, bits);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        sc_ball_clear(all[i]);
}

/* The tails agree in about log2(1/s) + 2 log2(epsilon/s) bits, which are asked for again. */
void sc_analytic_gaussian_delta(const sc_ratio *epsilon, const sc_ball *ratio, long bits,
                                sc_ball *out)
{
    sc_ball delta; /* ratio is asked for again, and out may be the same ball */
    sc_ball_init(&delta);
    for (long more = bits + 64; more <= 16 * (bits + 64); more *= 2) {
        difference(epsilon, ratio, more, &delta);
        if (sc_ball_is_accurate(&delta, bits))
            break;
    }
    sc_ball_cut_unit(&delta);
    sc_ball_set(out, &delta);
    sc_ball_clear(&delta);
}

#define SIGMA_BITS 128L  /* of the deltas in the search */
#define SIGMA_STEPS 64   /* of the bisection */
#define SIGMA_NEAR (-62) /* powers of 2 that are tried */
#define SIGMA_FAR 130

typedef struct sigma_search {
    const sc_ratio *epsilon;
    sc_ball delta;
} sigma_search;

/* Has noise of this sigma at most the wanted delta? */
static bool meets(const void *context, const sc_ratio *sigma)
{
    const sigma_search *w = context;
    SC_OWN(sc_ratio, one);
    SC_OWN(sc_ball, ratio, delta);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_div(&one, &one, sigma);
    sc_ball_set_ratio(&ratio, &one, 16 * SIGMA_BITS);
    sc_analytic_gaussian_delta(w->epsilon, &ratio, SIGMA_BITS, &delta);
    return sc_ball_is_less_equal(&delta, &w->delta);
}

scrim_status sc_analytic_gaussian_sigma_upper(const sc_ratio *epsilon,
                                              const sc_ratio *delta, sc_ratio *out,
                                              scrim_error *error)
{
    sigma_search w = {.epsilon = epsilon};
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ratio, low, high);
    sc_ball_init(&w.delta);
    sc_ball_set_ratio(&w.delta, delta, 2 * SIGMA_BITS);
    if (sc_ratio_bracket(meets, &w, SIGMA_NEAR, SIGMA_FAR, &low, &high)) {
        sc_ratio_bisect(meets, &w, SIGMA_STEPS, &low, &high);
        sc_ratio_set(out, &high);
    } else {
        status = sc_fail(error, SCRIM_E_LIMIT,
                         "no Gaussian between 2.2e-19 and 1.3e39 has that cost");
    }
    sc_ball_clear(&w.delta);
    return status;
}

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

/* The cost to be met, and how far the values of neighbours are apart. */
typedef struct target {
    const sc_ratio *epsilon;
    sc_ball delta;
    sc_ratio distance;
    uint64_t shift;
} target;

static void target_init(target *w, const sc_ratio *epsilon, const sc_ratio *delta)
{
    w->epsilon = epsilon;
    w->shift = 0;
    sc_ball_init(&w->delta);
    sc_ratio_init(&w->distance);
    sc_ball_set_ratio(&w->delta, delta, BITS);
}

static void target_clear(target *w)
{
    sc_ratio_clear(&w->distance);
    sc_ball_clear(&w->delta);
}

/* Is the continuous delta of variance j/64 certainly below the wanted one? sensitivity over
 * sigma is sqrt(64 D^2 / j). */
static bool is_continuous_below(const target *w, sc_int128 j)
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
 * not below; 0 if all are below, and never above J_MAX. */
static sc_int128 continuous_floor(const target *w)
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
static bool has_delta(const target *w, const sc_curve *curve)
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

static bool is_exact_enough(const target *w, sc_int128 j)
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
    target w;
    scrim_status status = SCRIM_OK;
    target_init(&w, epsilon, delta);
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
    target_clear(&w);
    return status;
}

/* distance^2 / (2 j/64) */
static bool is_concentrated_enough(const target *w, sc_int128 j)
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
static sc_int128 concentrated_guess(const target *w)
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
    target w;
    scrim_status status = SCRIM_OK;
    target_init(&w, epsilon, delta);
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
    target_clear(&w);
    return status;
}

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
static scrim_status draws_floor(const sc_ratio *epsilon, const sc_ratio *delta,
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
#define DOWN_MAX 100

scrim_status sc_gaussian_draws_variance(const sc_ratio *epsilon, const sc_ratio *delta,
                                        uint64_t draws, sc_ratio *out, scrim_error *error)
{
    sc_int128 j = 0;
    int steps = 0;
    scrim_status status = draws_floor(epsilon, delta, draws, &j, error);
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
