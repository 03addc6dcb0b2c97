#include "local/collect/estimates.h"

#include "audit/bounds.h"
#include "base/memory.h"
#include "base/number/ball_double.h"
#include "local/collect/collection.h"
#include "local/collect/count_limits.h"
#include "local/collect/refinement.h"
#include "local/collect/support_counts.h"
#include "model/option_struct.h"
#include "query/estimate/noise_sum.h"

#include <math.h>
#include <stdlib.h>

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

/* Hits that an estimate within [0, reports] has, on the side of that limit. */
static double hits_at(const sc_decoding *decoding, double trials, double x)
{
    return trials * decoding->q_near + x / (2 * decoding->half_a_hit);
}

static sc_count_interval small_interval(const sc_decoding *decoding, size_t value,
                                        double tail)
{
    const uint64_t trials = sc_decoding_trials(decoding, value);
    const double most = (double)decoding->reports, n = (double)trials;
    if (trials == 0)
        return (sc_count_interval){0, most};
    const double q = decoding->q_near, scale = n * 2 * decoding->half_a_hit;
    const double hits = (double)decoding->hits[value];
    const uint64_t at_most = (uint64_t)fmin(hits, ceil(hits_at(decoding, n, most))),
                   at_least = (uint64_t)fmax(hits, floor(hits_at(decoding, n, 0)));
    return (sc_count_interval){
        limit((sc_binomial_lower(at_most, trials, tail) - q) * scale, 0, most),
        limit((sc_binomial_upper(at_least, trials, tail) - q) * scale, 0, most)};
}

/* An estimate beyond an end of [0, reports] has the limit on the other side that the end would have: the interval
 * holds no less, and is never one point. */
sc_count_interval sc_count_interval_of(const sc_decoding *decoding, size_t value,
                                       double z)
{
    const double most = (double)decoding->reports;
    const double estimate = sc_decoding_estimate(decoding, value);
    const double at_most = fmin(estimate, most), at_least = fmax(estimate, 0);
    if (decoding->variances != NULL) {
        const sc_count_margin margin = sc_count_margin_of(decoding, value, z);
        return (sc_count_interval){limit(at_most - margin.below, 0, most),
                                   limit(at_least + margin.above, 0, most)};
    }
    if (is_small(decoding, value))
        return small_interval(decoding, value, erfc(z * M_SQRT1_2) / 2);
    const double half_a_hit = decoding->half_a_hit;
    end_search search = {decoding, (double)sc_decoding_trials(decoding, value), most,
                         at_most - half_a_hit, z};
    const double low = end_of(&search);
    search.moved = at_least + half_a_hit;
    search.z = -z;
    return (sc_count_interval){low, end_of(&search)};
}

/* How many reports would be 1 if the mean were this. */
static double ones_at(const sc_decoding *decoding, double mean)
{
    return (mean - decoding->share_first) / decoding->share_slope *
           (double)decoding->reports;
}

static double share_at(const sc_decoding *decoding, double share)
{
    return decoding->share_first + decoding->share_slope * share;
}

sc_count_interval sc_mean_interval_of(const sc_decoding *decoding, double largest,
                                      double tail)
{
    double low, high;
    if (decoding->is_share) {
        const double ones = (double)decoding->ones;
        const uint64_t at_most = (uint64_t)fmin(ones, ceil(ones_at(decoding, largest))),
                       at_least = (uint64_t)fmax(ones, floor(ones_at(decoding, 0)));
        low = share_at(decoding, sc_binomial_lower(at_most, decoding->reports, tail));
        high = share_at(decoding, sc_binomial_upper(at_least, decoding->reports, tail));
    } else {
        const double half = -sc_normal_quantile(tail) * decoding->mean_error;
        const double mean =
            sc_ratio_sign(&decoding->mean) == 0 ? 0 : sc_ball_near(&decoding->mean);
        low = fmin(mean, largest) - half;
        high = fmax(mean, 0) + half;
    }
    return (sc_count_interval){limit(low, 0, largest), limit(high, 0, largest)};
}

#define DIGITS_MAX 32

typedef struct two_values {
    const scrim_local_config *config;
    const sc_decoding *decoding;
    size_t v, w;
    double p, q, slope, n;
} two_values;

/* How many devices hold x, as far as is known. */
static double holders_of(const two_values *of, size_t x)
{
    if (x >= of->decoding->values)
        return 0;
    return fmin(fmax(sc_decoding_estimate(of->decoding, x), 0), of->n);
}

/* The sum over x of n_x Pr[v | x] Pr[w | x]. */
static double product_of_means(const two_values *of)
{
    const double own = holders_of(of, of->v) + holders_of(of, of->w);
    return own * of->p * of->q + (of->n - own) * of->q * of->q;
}

static double subset_both(const two_values *of)
{
    const double d = of->config->chosen, k = of->config->values;
    const double own = holders_of(of, of->v) + holders_of(of, of->w);
    const double others = k < 3
                              ? 0
                              : (of->p * (d - 1) * (d - 2) + (1 - of->p) * d * (d - 1)) /
                                    ((k - 1) * (k - 2));
    return own * of->p * (d - 1) / (k - 1) + (of->n - own) * others;
}

/* ---- projective geometry ---- */

static void digits_of(size_t point, uint32_t q, uint32_t t, uint32_t *digits)
{
    uint32_t after = 0;
    while (sc_projective_points(q, after + 1) <= point)
        after++;
    size_t rest = point - sc_projective_points(q, after);
    for (uint32_t i = t; i-- > 0; rest /= q)
        digits[i] = i >= t - after ? (uint32_t)(rest % q) : i == t - after - 1;
}

/* The place of any multiple of the point. */
static size_t point_of(const uint32_t *digits, uint32_t q, uint32_t t)
{
    uint32_t first = 0, inverse = 1;
    while (first + 1 < t && digits[first] == 0)
        first++;
    while (inverse < q && (uint64_t)digits[first] * inverse % q != 1)
        inverse++;
    size_t value = 0;
    for (uint32_t i = first + 1; i < t; i++)
        value = value * q + (size_t)((uint64_t)digits[i] * inverse % q);
    return sc_projective_points(q, t - 1 - first) + value;
}

/* Devices that hold a point of the line through both. */
static double holders_on_line(const two_values *of)
{
    const uint32_t q = of->config->field, t = of->config->digits;
    uint32_t v[DIGITS_MAX] = {0}, w[DIGITS_MAX] = {0};
    double sum = holders_of(of, of->w);
    digits_of(of->v, q, t, v);
    digits_of(of->w, q, t, w);
    for (uint32_t c = 0; c < q; c++) {
        sum += holders_of(of, point_of(v, q, t));
        for (uint32_t i = 0; i < t; i++)
            v[i] = (v[i] + w[i]) % q;
    }
    return sum;
}

static double projective_both(const two_values *of)
{
    const uint32_t q = of->config->field, t = of->config->digits;
    const double a = of->config->a, b = of->config->b;
    const double on_one = sc_projective_points(q, t - 1),
                 on_two = sc_projective_points(q, t - 2),
                 on_three = sc_projective_points(q, t - 3);
    const double total = on_one * a + ((double)sc_projective_points(q, t) - on_one) * b;
    const double line = holders_on_line(of);
    return (line * on_two * a +
            (of->n - line) * (on_three * a + (on_two - on_three) * b)) /
           total;
}

/* The product of the signs of two rows of a block is that of the row i_v xor i_w; values of two
 * blocks have covariance 0. */
static double hadamard_covariance(const two_values *of)
{
    const size_t rows = of->config->order - 1, block = of->v / rows;
    const double bias = 2 * of->p - 1;
    if (of->w / rows != block)
        return 0;
    const size_t row = (of->v % rows + 1) ^ (of->w % rows + 1);
    return holders_of(of, block * rows + row - 1) * bias / 4 * of->slope * of->slope;
}

/* ---- local hashing ---- */

/* Devices that hold v + s (w - v), digit by digit, for an s other than 0 and 1. */
static double holders_between(const two_values *of)
{
    const uint32_t g = of->config->field;
    double sum = 0;
    for (uint32_t s = 2; s < g; s++) {
        size_t x = 0, place = 1;
        for (size_t v = of->v, w = of->w; v > 0 || w > 0; v /= g, w /= g, place *= g) {
            const uint64_t step = (w % g + g - v % g) * s;
            x += (v % g + step) % g * place;
        }
        sum += holders_of(of, x);
    }
    return sum;
}

/* The cells of v, w and x are independent in pairs; both support the report of x together with probability
 * 1/g^2 unless x is on their line. There both are in the cell of x or in two others. */
static double hashing_covariance(const two_values *of)
{
    const double g = of->config->field;
    return holders_between(of) * (of->p / g - 1 / (g * g)) * of->slope * of->slope;
}

/* ---- square wave ---- */

/* How many reports are in the set T_x of decoding.c; T_(-1) is empty. */
static double reports_in(const sc_decoding *decoding, size_t end)
{
    double sum = 0;
    for (size_t x = 0; x < end; x++)
        sum += (double)decoding->hits[x];
    return sum;
}

/* Reports that are in T_(x-1) and in T_(y-1): they are steps of the same comb, or disjoint. */
static double in_both(const two_values *of, size_t x, size_t y)
{
    const size_t span = 2 * (size_t)of->config->width + 1;
    return x % span == y % span ? reports_in(of->decoding, x < y ? x : y) : 0;
}

/* est is slope times the reports in T_x less those in T_(x-1), and a report is anywhere once. */
static double wave_covariance(const two_values *of)
{
    const size_t v = of->v, w = of->w;
    const double both = in_both(of, v + 1, w + 1) + in_both(of, v, w) -
                        in_both(of, v + 1, w) - in_both(of, v, w + 1);
    return (both -
            (double)of->decoding->hits[v] * (double)of->decoding->hits[w] / of->n) *
           of->slope * of->slope;
}

bool sc_count_covariance(const scrim_local_config *config, const sc_decoding *decoding,
                         size_t v, size_t w, double *out)
{
    const double slope = 2 * decoding->half_a_hit;
    const two_values of = {config,
                           decoding,
                           v,
                           w,
                           decoding->q_near + 1 / slope,
                           decoding->q_near,
                           slope,
                           (double)decoding->reports};
    double both = 0;
    switch (config->protocol) {
    case SCRIM_LOCAL_RESPONSE:
        break;
    case SCRIM_LOCAL_SUBSET:
        both = subset_both(&of);
        break;
    case SCRIM_LOCAL_PROJECTIVE:
        both = projective_both(&of);
        break;
    case SCRIM_LOCAL_SYMMETRIC_UNARY:
    case SCRIM_LOCAL_OPTIMISED_UNARY:
    case SCRIM_LOCAL_REPEATED_UNARY:
    case SCRIM_LOCAL_RAPPOR:
    case SCRIM_LOCAL_BIT_FLIP:
        *out =
            0; /* bits of one report are independent, and so are the buckets' estimates */
        return true;
    case SCRIM_LOCAL_HADAMARD:
        *out = hadamard_covariance(&of);
        return true;
    case SCRIM_LOCAL_HASHING:
        *out = hashing_covariance(&of);
        return true;
    case SCRIM_LOCAL_SQUARE_WAVE:
        *out = wave_covariance(&of);
        return true;
    default:
        return false;
    }
    *out = (both - product_of_means(&of)) * slope * slope;
    return true;
}

/* Tails err by about 1e-9 of themselves. */
#define SAFE (1 + 1e-6)

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A tail above level is of no use: most of them are spared by the normal law, with a margin. One that was
 * spared is taken for 1, which lists no value too many. */
#define MARGIN 0.8

static double tail_of(const sc_decoding *decoding, size_t v, double q, double level,
                      double z)
{
    const double trials = (double)sc_decoding_trials(decoding, v);
    const double above = (double)decoding->hits[v] - trials * q;
    if (above <= 0 || above < MARGIN * z * sqrt(trials * q * (1 - q)))
        return 1;
    const double p = sc_binomial_at_least((uint64_t)decoding->hits[v],
                                          sc_decoding_trials(decoding, v), q) *
                     SAFE;
    return p <= level ? p : 1;
}

/* The largest p_(i) <= level i / (k (1 + 1/2 + … + 1/k)), of p in order. */
static double step_up(const double *sorted, size_t count, double level)
{
    double harmonic = 0, listed = -1;
    for (size_t i = 1; i <= count; i++)
        harmonic += 1 / (double)i;
    for (size_t i = 0; i < count && sorted[i] < 1; i++)
        if (sorted[i] <= level * (double)(i + 1) / ((double)count * harmonic))
            listed = sorted[i];
    return listed;
}

scrim_status sc_discovery(const sc_decoding *decoding, double level, double *p,
                          double *listed, scrim_error *error)
{
    const size_t count = decoding->values;
    if (decoding->hits == NULL || decoding->variances != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "significant",
                           "this protocol has no test whether a value is held");
    double *sorted = sc_allocate(count, sizeof *sorted);
    if (sorted == NULL)
        return sc_no_memory(error, "decoding");
    const double q = decoding->q_near, z = -sc_normal_quantile(level);
    for (size_t v = 0; v < count; v++)
        sorted[v] = p[v] = tail_of(decoding, v, q, level, z);
    qsort(sorted, count, sizeof *sorted, by_size);
    *listed = step_up(sorted, count, level);
    sc_free(sorted);
    return SCRIM_OK;
}

struct scrim_estimates {
    scrim_local_config config;
    sc_decoding decoding;
    sc_refinement refined; /* its counts are NULL without refinement */
    double *p;             /* NULL where they were not asked for */
    double listed;         /* the largest p of a listed value */
    double largest;        /* number */
    double tail, z, joint_z;
};

/* 1 - confidence, as half of it a tail. */
static scrim_status read_confidence(const char *text, double *tail, scrim_error *error)
{
    SC_OWN(sc_ratio, confidence, one);
    char quote[SC_TEXT_QUOTE_BYTES];
    const sc_text given = sc_text_of(text == NULL ? "0.95" : text);
    sc_ratio_set_int64(&one, 1);
    const bool is_number = sc_ratio_parse(given, &confidence, NULL) == SCRIM_OK;
    sc_ratio_sub(&confidence, &one, &confidence);
    *tail =
        is_number && sc_ratio_sign(&confidence) > 0 ? sc_ball_near(&confidence) / 2 : 0;
    if (*tail > 0 && *tail < 0.25)
        return SCRIM_OK;
    return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "confidence",
                             "'%s' must be greater than 0.5 and less than 1",
                             sc_text_quote(given, quote));
}

static scrim_status find_significant(scrim_estimates *estimates, scrim_error *error)
{
    const size_t values = estimates->decoding.values;
    estimates->p = sc_allocate(values == 0 ? 1 : values, sizeof *estimates->p);
    if (estimates->p == NULL)
        return sc_no_memory(error, "decoding");
    return sc_discovery(&estimates->decoding, 2 * estimates->tail, estimates->p,
                        &estimates->listed, error);
}

static scrim_status decode(scrim_estimates *estimates, sc_sums *sums,
                           const scrim_decode_options *options, scrim_error *error)
{
    scrim_status status = read_confidence(options->confidence, &estimates->tail, error);
    if (status == SCRIM_OK)
        status = sc_decoding_init(&estimates->decoding, sums, error);
    if (status != SCRIM_OK)
        return status;
    const size_t values = estimates->decoding.values;
    estimates->config = sums->config;
    estimates->largest = (double)sums->config.values - 1;
    estimates->z = -sc_normal_quantile(estimates->tail);
    estimates->joint_z =
        -sc_normal_quantile(estimates->tail / (double)(values == 0 ? 1 : values));
    if (options->is_significant)
        status = find_significant(estimates, error);
    if (status == SCRIM_OK && options->post != NULL)
        status = sc_refine(options->post, options->updates, sums, &estimates->decoding,
                           &estimates->refined, error);
    if (status != SCRIM_OK)
        sc_decoding_clear(&estimates->decoding);
    return status;
}

scrim_status scrim_collection_decode(scrim_collection *collection,
                                     const scrim_decode_options *options,
                                     scrim_estimates **out, scrim_error *error)
{
    SC_REQUIRE(error, "collection out", collection, out);
    scrim_decode_options known = {0};
    scrim_status status =
        sc_option_struct_copy(options, sizeof known, &known, sizeof known, error);
    if (status != SCRIM_OK)
        return status;
    scrim_estimates *estimates = sc_allocate(1, sizeof *estimates);
    if (estimates == NULL)
        return sc_no_memory(error, "decoding");
    status = decode(estimates, &collection->sums, &known, error);
    if (status == SCRIM_OK) {
        *out = estimates;
    } else {
        sc_free(estimates->p);
        sc_free(estimates);
    }
    return status;
}

void scrim_estimates_free(scrim_estimates *estimates)
{
    if (estimates == NULL)
        return;
    sc_refinement_clear(&estimates->refined);
    sc_decoding_clear(&estimates->decoding);
    sc_free(estimates->p);
    sc_free(estimates);
}

size_t scrim_estimates_count(const scrim_estimates *estimates)
{
    return estimates->decoding.values;
}

void scrim_estimates_at(const scrim_estimates *estimates, size_t value,
                        scrim_estimate *out)
{
    const sc_decoding *decoding = &estimates->decoding;
    *out = (scrim_estimate){.p = 1};
    if (value >= decoding->values)
        return;
    const double estimate = sc_decoding_estimate(decoding, value);
    const double holders = fmin(fmax(estimate, 0), (double)decoding->reports);
    const sc_count_interval one = sc_count_interval_of(decoding, value, estimates->z),
                            all =
                                sc_count_interval_of(decoding, value, estimates->joint_z);
    *out = (scrim_estimate){
        .estimate = estimate,
        .error = sqrt(sc_decoding_variance(decoding, value, holders)),
        .low = one.low,
        .high = one.high,
        .joint_low = all.low,
        .joint_high = all.high,
        .p = estimates->p == NULL ? 1 : estimates->p[value],
        .is_listed = estimates->p != NULL && estimates->p[value] <= estimates->listed,
        .refined = estimates->refined.counts == NULL ? estimate
                                                     : estimates->refined.counts[value]};
}

size_t scrim_estimates_exact(const scrim_estimates *estimates, size_t value, char *text,
                             size_t capacity)
{
    SC_OWN(sc_ratio, exact);
    if (estimates->decoding.solved != NULL || value >= estimates->decoding.values) {
        if (capacity > 0)
            text[0] = '\0';
        return 0;
    }
    sc_decoding_exact(&estimates->decoding, value, &exact);
    return sc_ratio_format(&exact, text, capacity);
}

int scrim_estimates_covariance(const scrim_estimates *estimates, size_t one, size_t other,
                               double *out)
{
    if (one == other || estimates->decoding.hits == NULL ||
        one >= estimates->decoding.values || other >= estimates->decoding.values)
        return 0;
    return sc_count_covariance(&estimates->config, &estimates->decoding, one, other, out);
}

int scrim_estimates_mean(const scrim_estimates *estimates, scrim_estimate *out)
{
    const sc_decoding *decoding = &estimates->decoding;
    if (!decoding->has_mean)
        return 0;
    const sc_count_interval interval =
        sc_mean_interval_of(decoding, estimates->largest, estimates->tail);
    *out = (scrim_estimate){.estimate = sc_ratio_sign(&decoding->mean) == 0
                                            ? 0
                                            : sc_ball_near(&decoding->mean),
                            .error = decoding->mean_error,
                            .low = interval.low,
                            .high = interval.high};
    return 1;
}

int scrim_estimates_bias_of(const scrim_estimates *estimates, scrim_estimates_bias *out)
{
    const sc_refinement *refined = &estimates->refined;
    if (refined->counts == NULL)
        return 0;
    *out = (scrim_estimates_bias){.updates = refined->updates,
                                  .simulated = refined->simulated,
                                  .zeros = refined->zeros,
                                  .of_zeros = refined->bias_of_zeros,
                                  .of_others = refined->bias_of_others,
                                  .typical = refined->typical,
                                  .largest = refined->largest,
                                  .largest_value = refined->largest_value,
                                  .smoothing = refined->smoothing};
    return 1;
}
