#include "local/collect/count_covariance.h"

#include "local/collect/projective_support.h"

#include <math.h>

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

/* Of any multiple of the point. */
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

/* The product of the signs of two rows of a block is that of the row i_v xor i_w; reports of two blocks have
 * none. */
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

/* How many reports are in the set T_x of decode_numbers.c; T_(-1) is empty. */
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
