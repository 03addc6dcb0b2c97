#include "local/collect/count_interval.h"

#include "audit/bounds.h"
#include "base/number/ball_double.h"
#include "query/estimate/noise_sum.h"

#include <math.h>

#define ROUNDS 12
#define HALVINGS 60
#define NEAR 1e-9

/* How many standard deviations the quantile is from the mean, if x devices hold the value; z is the normal
 * quantile. */
static double quantile_at(const sc_decoding *decoding, double trials, double x, double z,
                          double *deviation)
{
    double k[3];
    for (int i = 0; i < 3; i++)
        k[i] = trials * decoding->own[i] + x * decoding->more[i];
    const double s = sqrt(fmax(k[0], 0));
    *deviation = s;
    if (s == 0)
        return z;
    const double skew = k[1] / (s * s * s), excess = k[2] / (s * s * s * s);
    return z + skew * (z * z - 1) / 6 + excess * (z * z * z - 3 * z) / 24 -
           skew * skew * (2 * z * z * z - 5 * z) / 36;
}

static double limit(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

typedef struct end_search {
    const sc_decoding *decoding;
    double trials, most;
    double moved; /* the estimate, by half a hit */
    double z;
} end_search;

/* Where the end would be if the law were that of x devices. */
static double from(const end_search *search, double x)
{
    double deviation = 0;
    const double quantile =
        quantile_at(search->decoding, search->trials, x, search->z, &deviation);
    return search->moved - quantile * deviation;
}

/* The x that is where it would be: most often a few rounds lead there. */
static double end_of(const end_search *search)
{
    double low = 0, high = search->most, x = limit(search->moved, low, high);
    for (int i = 0; i < ROUNDS; i++) {
        const double next = limit(from(search, x), low, high);
        if (fabs(next - x) <= NEAR * (1 + fabs(x)))
            return next;
        x = next;
    }
    for (int i = 0; i < HALVINGS; i++) {
        x = (low + high) / 2;
        if (from(search, x) > x)
            low = x;
        else
            high = x;
    }
    return x;
}

/* Too few hits for cumulants. The mean probability of a hit has an interval whatever the devices hold
 * (Hoeffding 1956), and that gives one of x: a little too wide. */
#define SMALL 30

static bool is_small(const sc_decoding *decoding, size_t value)
{
    const double q = decoding->q_near;
    return (double)sc_decoding_trials(decoding, value) * q * (1 - q) < SMALL;
}

static sc_count_interval small_interval(const sc_decoding *decoding, size_t value,
                                        double tail)
{
    const uint64_t trials = sc_decoding_trials(decoding, value);
    const double most = (double)decoding->reports;
    if (trials == 0)
        return (sc_count_interval){0, most};
    const double q = decoding->q_near, scale = (double)trials * 2 * decoding->half_a_hit;
    const uint64_t hits = (uint64_t)decoding->hits[value];
    return (sc_count_interval){
        limit((sc_binomial_lower(hits, trials, tail) - q) * scale, 0, most),
        limit((sc_binomial_upper(hits, trials, tail) - q) * scale, 0, most)};
}

sc_count_interval sc_count_interval_of(const sc_decoding *decoding, size_t value,
                                       double z)
{
    const double estimate = sc_decoding_estimate(decoding, value);
    const double most = (double)decoding->reports;
    if (decoding->variances != NULL) {
        const double half = z * sqrt(decoding->variances[value]);
        return (sc_count_interval){limit(estimate - half, 0, most),
                                   limit(estimate + half, 0, most)};
    }
    if (is_small(decoding, value))
        return small_interval(decoding, value, erfc(z * M_SQRT1_2) / 2);
    const double half_a_hit = decoding->half_a_hit;
    end_search search = {decoding, (double)sc_decoding_trials(decoding, value), most,
                         estimate - half_a_hit, z};
    const double low = end_of(&search);
    search.moved = estimate + half_a_hit;
    search.z = -z;
    return (sc_count_interval){low, end_of(&search)};
}

sc_count_interval sc_mean_interval_of(const sc_decoding *decoding, double largest,
                                      double tail)
{
    double low, high;
    if (decoding->is_share) {
        low = decoding->share_first +
              decoding->share_slope *
                  sc_binomial_lower(decoding->ones, decoding->reports, tail);
        high = decoding->share_first +
               decoding->share_slope *
                   sc_binomial_upper(decoding->ones, decoding->reports, tail);
    } else {
        const double half = -sc_normal_quantile(tail) * decoding->mean_error;
        const double mean =
            sc_ratio_sign(&decoding->mean) == 0 ? 0 : sc_ball_near(&decoding->mean);
        low = mean - half;
        high = mean + half;
    }
    return (sc_count_interval){limit(low, 0, largest), limit(high, 0, largest)};
}
