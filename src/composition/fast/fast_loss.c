#include "composition/fast/fast_loss.h"

#include "base/number/ball_double.h"
#include "composition/fast/fast_law.h"

#include <math.h>

#define BITS SC_FAST_BITS

/* Asking. */

/* The end that counts, as a point. */
static void keep_end(sc_loss_side side, sc_ball *x)
{
    if (side == SC_LOSS_UPPER) {
        sc_ball_set_upper(x, x, BITS);
        return;
    }
    sc_ball_neg(x, x);
    sc_ball_set_upper(x, x, BITS);
    sc_ball_neg(x, x);
    if (!sc_ball_is_positive(x))
        sc_ball_set_int64(x, 0);
}

scrim_status sc_fast_loss_delta(const sc_fast_part *parts, size_t count,
                                const sc_ratio *epsilon, sc_loss_work *work, sc_ball *out,
                                scrim_error *error)
{
    sc_fast_law law;
    sc_fft fft;
    scrim_status status = sc_fast_parts_check(parts, count, error);
    if (status != SCRIM_OK)
        return status;
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_saddle, saddle);
    sc_fast_law_init(&law);
    sc_fft_init(&fft);
    if (sc_fast_parts_are_empty(parts, count)) {
        sc_fast_parts_infinite(parts, count, out);
    } else if ((status = sc_saddle_set(&saddle, parts, count, error)) == SCRIM_OK) {
        const double theta = sc_saddle_tilt_to(&saddle, sc_ball_near(epsilon), 0);
        status = sc_fast_law_set(&law, parts, count, &saddle, theta, SC_FAST_DEPTH, true,
                                 &fft, work, error);
        if (status == SCRIM_OK)
            sc_fast_law_delta(&law, epsilon, out);
    }
    if (status == SCRIM_OK)
        keep_end(parts[0].loss->side, out);
    sc_fft_clear(&fft);
    sc_fast_law_clear(&law);
    return status;
}

/* Searching. */

typedef struct search {
    const sc_fast_law *law;
    sc_ball delta;
    double log_delta;
    double slope; /* of -ln delta near the epsilon */
    bool is_seen; /* the slice does not begin above it */
} search;

/* Exactly this double. */
static void set_double(sc_ratio *out, double value)
{
    int exponent;
    SC_OWN(sc_integer, mantissa);
    sc_integer_set_int128(&mantissa, (sc_int128)ldexp(frexp(value, &exponent), 53));
    if (exponent > 53) {
        sc_integer_shift_left(&mantissa, &mantissa, (unsigned)(exponent - 53));
        sc_ratio_set_integer(out, &mantissa);
    } else {
        sc_ratio_set_dyadic(out, &mantissa, (unsigned)(53 - exponent));
    }
}

/* From the top of the slice down: a and b are the sums of y exp(-theta t) and y exp(-(theta + 1) t)
 * over the points from this one up, t counted from it, so that delta is a - b in the scale of this
 * point. In the cell below the last point whose delta is not above the target, a - b exp(epsilon - s)
 * is the target. */
static double walk(search *find, double log_finite)
{
    const sc_fast_law *law = find->law;
    const double step = sc_ball_near(&law->step), theta = law->theta;
    const double slower = exp(-theta * step), faster = exp(-(theta + 1) * step);
    const double log_target = log_finite - sc_ball_lower(&law->log_scale);
    const double first = (double)law->first * step;
    double a = 0, b = 0, target = HUGE_VAL;
    size_t i = law->points;
    for (; i > 0; i--) {
        const double y = sc_fast_law_at(law, i - 1);
        const double next_a = y + slower * a, next_b = y + faster * b;
        double here = target * slower;
        if (i % 256 == 0 || i == law->points)
            here = exp(log_target + theta * (first + (double)(i - 1) * step));
        if (next_a - next_b > here && b > 0)
            break;
        a = next_a;
        b = next_b;
        target = here;
    }
    /* a, b and target are those of point i */
    const double share = (a - target) / b;
    const double within = share > 0 && b > 0 ? log(share) : -step;
    const double slope = b * exp(within) / fmax(target, 1e-300);
    find->slope = slope > theta && slope < HUGE_VAL ? slope : theta + 1;
    return fmax(0, first + (double)i * step + within);
}

/* Is epsilon proved to be on its side? ln of the bound there, as far as it has one. */
static bool is_proved(const search *find, double epsilon, double *log_bound)
{
    SC_OWN(sc_ratio, at);
    SC_OWN(sc_ball, bound);
    set_double(&at, epsilon);
    sc_fast_law_delta(find->law, &at, &bound);
    keep_end(find->law->side, &bound);
    const bool is = find->law->side == SC_LOSS_UPPER
                        ? sc_ball_is_less_equal(&bound, &find->delta)
                        : sc_ball_is_less(&find->delta, &bound);
    sc_ball_log(&bound, &bound, BITS);
    *log_bound = sc_ball_is_finite(&bound) ? sc_ball_lower(&bound) : -HUGE_VAL;
    return is;
}

/* Newton's steps on ln of the bound, a hair to the safe side, longer and longer ones until there is a
 * proof, and halves between what is proved and what is not. The best that was proved is returned. */
static double settle(const search *find, double epsilon)
{
    const bool is_upper = find->law->side == SC_LOSS_UPPER;
    const double towards = is_upper ? 1 : -1;
    const double hair = 0x1p-48 * (epsilon + 1 / find->slope);
    double good = is_upper ? HUGE_VAL : -1, bad = is_upper ? -1 : HUGE_VAL;
    double stride = 8 * hair, log_bound;
    for (int i = 0; i < 100; i++) {
        const bool is = is_proved(find, epsilon, &log_bound);
        *(is ? &good : &bad) = epsilon;
        const double gap = fabs(good - bad);
        if (is && (gap <= 4 * hair || gap * find->slope < 1e-10 || i >= 20))
            break;
        double next =
            epsilon + (log_bound - find->log_delta) / find->slope + towards * hair;
        if (is && fabs(next - epsilon) <= 16 * hair)
            break; /* the truth is as near as it can be told */
        if (!is) { /* Newton's steps may creep: beside a kink, or where the bound has a floor */
            if (!(towards * (next - epsilon) >= (i < 2 ? hair : stride) &&
                  fabs(next) < HUGE_VAL))
                next = epsilon + towards * stride;
            stride *= 4;
        }
        if (gap < HUGE_VAL && good >= 0 && bad >= 0 &&
            !(next > fmin(good, bad) && next < fmax(good, bad)))
            next = good + (bad - good) / 2;
        next = fmax(next, 0);
        if (next <= epsilon && next >= epsilon)
            break;
        epsilon = next;
    }
    return is_upper ? good : fmax(good, 0);
}

/* False: no epsilon has so small a delta. */
static bool find_epsilon(search *find, double *out)
{
    const sc_fast_law *law = find->law;
    double log_bound;
    SC_OWN(sc_ball, finite);
    find->is_seen = true;
    sc_ball_sub(&finite, &find->delta, &law->infinite, BITS);
    const bool is_finite = law->side == SC_LOSS_UPPER
                               ? sc_ball_is_positive(&finite)
                               : !sc_ball_is_less(&find->delta, &law->infinite);
    sc_ball_log(&finite, &finite, BITS);
    const double log_finite =
        sc_ball_is_finite(&finite) ? sc_ball_lower(&finite) : find->log_delta;
    *out = 0;
    if (!is_finite)
        return false;
    const double start = walk(find, log_finite);
    const double step = sc_ball_near(&law->step);
    if (law->side == SC_LOSS_UPPER && start <= step && is_proved(find, 0, &log_bound))
        return true;
    *out = settle(find, start);
    find->is_seen = !law->is_open || fmin(start, *out) >= (double)law->first * step;
    return true;
}

static void start_search(search *find, const sc_fast_law *law, const sc_ratio *delta)
{
    SC_OWN(sc_ball, log_delta);
    sc_ball_init(&find->delta);
    find->law = law;
    find->slope = 1;
    find->is_seen = true;
    sc_ball_set_ratio(&find->delta, delta, BITS);
    sc_ball_log(&log_delta, &find->delta, BITS);
    find->log_delta = sc_ball_lower(&log_delta);
}

/* Without finite mass delta is the mass at infinity, at every epsilon. */
static bool settle_empty(const sc_fast_part *parts, size_t count, const sc_ratio *delta,
                         sc_ball *out)
{
    SC_OWN(sc_ball, limit);
    sc_ball_set_ratio(&limit, delta, BITS);
    sc_fast_parts_infinite(parts, count, out);
    const bool is_finite = parts[0].loss->side == SC_LOSS_UPPER
                               ? sc_ball_is_less_equal(out, &limit)
                               : !sc_ball_is_less(&limit, out);
    sc_ball_set_int64(out, 0);
    return is_finite;
}

/* delta is share times the Chernoff bound, and epsilon moves by the relative change of delta divided
 * by theta. */
static double depth_for(const sc_saddle *saddle, double theta, double log_delta,
                        double tolerance)
{
    sc_cumulants c;
    sc_saddle_cumulants(saddle, theta, &c);
    const double log_share = log_delta - (c.k - theta * c.mean);
    const double depth = -log_share - log(tolerance * theta / 200);
    return depth > 8 && depth < SC_FAST_DEPTH ? depth : SC_FAST_DEPTH;
}

/* In a slice that is open, and in one that is not where epsilon was not where it was expected. */
static scrim_status find_in_slice(const sc_fast_part *parts, size_t count,
                                  const sc_ratio *delta, double tolerance, bool may_open,
                                  sc_fft *fft, sc_loss_work *work, double *epsilon,
                                  bool *is_finite, bool *is_seen, scrim_error *error)
{
    sc_fast_law law;
    search find;
    SC_OWN(sc_saddle, saddle);
    sc_fast_law_init(&law);
    start_search(&find, &law, delta);
    scrim_status status = sc_saddle_set(&saddle, parts, count, error);
    if (status == SCRIM_OK) {
        const double theta = sc_saddle_tilt_for(&saddle, find.log_delta);
        status = sc_fast_law_set(&law, parts, count, &saddle, theta,
                                 depth_for(&saddle, theta, find.log_delta, tolerance),
                                 may_open, fft, work, error);
    }
    if (status == SCRIM_OK)
        *is_finite = find_epsilon(&find, epsilon) && *epsilon < HUGE_VAL;
    *is_seen = find.is_seen;
    sc_ball_clear(&find.delta);
    sc_fast_law_clear(&law);
    return status;
}

scrim_status sc_fast_loss_epsilon_about(const sc_fast_part *parts, size_t count,
                                        const sc_ratio *delta, double tolerance,
                                        sc_fft *fft, sc_loss_work *work, sc_ball *out,
                                        bool *is_finite, scrim_error *error)
{
    double epsilon = 0;
    bool is_seen = false;
    scrim_status status = sc_fast_parts_check(parts, count, error);
    if (status == SCRIM_OK &&
        (sc_ratio_sign(delta) <= 0 || sc_ratio_compare_int64(delta, 1) >= 0))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "delta",
                             "delta must be between 0 and 1");
    if (status != SCRIM_OK)
        return status;
    SC_BALL_SCOPE(scope);
    if (sc_fast_parts_are_empty(parts, count)) {
        *is_finite = settle_empty(parts, count, delta, out);
    } else {
        for (int i = 0; status == SCRIM_OK && i < 2 && !is_seen; i++)
            status = find_in_slice(parts, count, delta, tolerance, i == 0, fft, work,
                                   &epsilon, is_finite, &is_seen, error);
        if (status == SCRIM_OK)
            sc_ball_set_double(out, *is_finite ? epsilon : 0);
    }
    return status;
}

scrim_status sc_fast_loss_epsilon(const sc_fast_part *parts, size_t count,
                                  const sc_ratio *delta, sc_loss_work *work, sc_ball *out,
                                  bool *is_finite, scrim_error *error)
{
    sc_fft fft;
    sc_fft_init(&fft);
    const scrim_status status = sc_fast_loss_epsilon_about(parts, count, delta, 0, &fft,
                                                           work, out, is_finite, error);
    sc_fft_clear(&fft);
    return status;
}
