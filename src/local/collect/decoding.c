#include "local/collect/decoding.h"

#include "base/memory.h"
#include "base/number/ball_double.h"
#include "local/collect/report_sums.h"
#include "local/collect/support_counts.h"
#include "mechanism/local/protocol.h"

#include <math.h>
#include <string.h>

void sc_decoding_clear(sc_decoding *decoding)
{
    sc_free(decoding->raising);
    sc_free(decoding->weights);
    sc_free(decoding->cells);
    sc_free(decoding->variances);
    sc_free(decoding->solved);
    sc_free(decoding->trials);
    sc_free(decoding->hits);
    sc_ratio_clear(&decoding->mean);
    sc_ratio_clear(&decoding->slope);
    sc_ratio_clear(&decoding->q);
    *decoding = (sc_decoding){0};
}

/* Products of the numbers of q with less than 2^53 reports fit. */
#define SHORT ((sc_int128)1 << 72)

static void shorten(sc_decoding *decoding)
{
    SC_OWN(sc_integer, over, under);
    SC_OWN(sc_ratio, unit);
    decoding->half_a_hit = sc_ball_near(&decoding->slope) / 2;
    decoding->q_near = sc_ball_near(&decoding->q);
    sc_ratio_numerator(&decoding->q, &over);
    sc_ratio_denominator(&decoding->q, &under);
    if (!sc_integer_get_int128(&over, &decoding->q_over) ||
        !sc_integer_get_int128(&under, &decoding->q_under) ||
        decoding->q_under >= SHORT) {
        decoding->q_under = 0;
        return;
    }
    sc_ratio_set_integer(&unit, &under);
    sc_ratio_div(&unit, &decoding->slope, &unit);
    decoding->unit = sc_ball_near(&unit);
}

scrim_status sc_decoding_init(sc_decoding *decoding, sc_sums *sums, scrim_error *error)
{
    const sc_sum_kind *kind = sc_sum_kind_of(&sums->config);
    if (sums->reports == 0)
        return sc_fail(error, SCRIM_E_STATE, "there is no report to decode");
    *decoding = (sc_decoding){.reports = sums->reports};
    sc_ratio_init(&decoding->q);
    sc_ratio_init(&decoding->slope);
    sc_ratio_init(&decoding->mean);
    (void)sc_sums_counts(sums);
    const scrim_status status = kind->decode(sums, decoding, error);
    if (status != SCRIM_OK)
        sc_decoding_clear(decoding);
    else if (decoding->hits != NULL)
        shorten(decoding);
    return status;
}

/* For decoders. Room for hits, one a value; SCRIM_E_MEMORY. */
static scrim_status decoding_room(sc_decoding *decoding, size_t values,
                                  scrim_error *error)
{
    decoding->values = values;
    decoding->hits = sc_allocate(values, sizeof *decoding->hits);
    return decoding->hits != NULL ? SCRIM_OK : sc_no_memory(error, "decoding");
}

/* The second to fourth cumulants of a bit of probability p, times a power of slope. */
static void bit_cumulants(double p, double slope, double out[3])
{
    const double variance = p * (1 - p);
    out[0] = variance * slope * slope;
    out[1] = variance * (1 - 2 * p) * slope * slope * slope;
    out[2] = variance * (1 - 6 * variance) * slope * slope * slope * slope;
}

/* Sets the cumulants by q and slope, and by the probability p that a device's own value is
 * supported. */
static void decoding_cumulants(sc_decoding *decoding, double p)
{
    const double slope = sc_ball_near(&decoding->slope);
    double held[3];
    bit_cumulants(sc_ball_near(&decoding->q), slope, decoding->own);
    bit_cumulants(p, slope, held);
    for (int i = 0; i < 3; i++)
        decoding->more[i] = held[i] - decoding->own[i];
}

uint64_t sc_decoding_trials(const sc_decoding *decoding, size_t value)
{
    return decoding->trials == NULL ? decoding->reports : decoding->trials[value];
}

void sc_decoding_exact(const sc_decoding *decoding, size_t value, sc_ratio *out)
{
    SC_OWN(sc_ratio, missed);
    sc_ratio_set_int64(out, (int64_t)sc_decoding_trials(decoding, value));
    sc_ratio_mul(&missed, out, &decoding->q);
    sc_ratio_set_int64(out, decoding->hits[value]);
    sc_ratio_sub(out, out, &missed);
    sc_ratio_mul(out, out, &decoding->slope);
}

double sc_decoding_estimate(const sc_decoding *decoding, size_t value)
{
    if (decoding->solved != NULL)
        return decoding->solved[value];
    if (decoding->q_under != 0) {
        const sc_int128 over =
            decoding->hits[value] * decoding->q_under -
            (sc_int128)sc_decoding_trials(decoding, value) * decoding->q_over;
        return (double)over * decoding->unit;
    }
    SC_OWN(sc_ratio, exact);
    sc_decoding_exact(decoding, value, &exact);
    return sc_ratio_sign(&exact) == 0 ? 0 : sc_ball_near(&exact);
}

double sc_decoding_variance(const sc_decoding *decoding, size_t value, double holders)
{
    if (decoding->variances != NULL)
        return decoding->variances[value];
    /* A value that no report could support is as uncertain as with one. */
    const double trials = fmax(1, (double)sc_decoding_trials(decoding, value));
    return fmax(0, trials * decoding->own[0] + holders * decoding->more[0]);
}

/* The mean of the reports, exactly, and its standard error; the two last ones stand for numbers that lie
 * beyond them by so much. The devices' numbers differ too, so that this is no less than the error that the
 * protocol makes. Nor is it less than that of a report with the least variance, which a sample of few may lack. */
static void mean_report(const sc_sums *sums, const sc_ratio *beyond, double least,
                        sc_ratio *mean, double *error)
{
    SC_OWN(sc_ratio, part);
    SC_OWN(sc_integer, sum, product);
    const size_t last = sums->cells - 1;
    for (size_t z = 0; z <= last; z++) {
        sc_integer_set_uint128(&product, (sc_uint128)sums->counts[z] * z);
        sc_integer_add(&sum, &sum, &product);
    }
    sc_ratio_set_integer(mean, &sum);
    sc_ratio_set_int64(&part, (int64_t)sums->counts[last] - (int64_t)sums->counts[0]);
    sc_ratio_mul(&part, &part, beyond);
    sc_ratio_add(mean, mean, &part);
    sc_ratio_set_int64(&part, (int64_t)sums->reports);
    sc_ratio_div(mean, mean, &part);
    const double n = (double)sums->reports, middle = sc_ball_near(mean),
                 far = sc_ball_near(beyond);
    double squares = 0;
    for (size_t z = 0; z <= last; z++) {
        const double place = (double)z + (z == last ? far : 0) - (z == 0 ? far : 0);
        squares += (double)sums->counts[z] * (place - middle) * (place - middle);
    }
    *error = sqrt(fmax(squares / (n > 1 ? n - 1 : 1), least) / n);
}

/* x^ = (z W - B S)/((A - B)(2w + 1)) - w, S the sum of all outputs. */
static void square_wave_mean(const sc_sums *sums, int64_t weight, sc_decoding *out)
{
    SC_OWN(sc_ratio, factor, shift);
    const scrim_local_config *config = &sums->config;
    const int64_t span = 2 * (int64_t)config->width + 1;
    const int64_t cells = (int64_t)sums->cells;
    /* Each output has the probability q or more. */
    const double outputs = (double)cells,
                 least = out->q_near * outputs * (outputs * outputs - 1) / 12;
    mean_report(sums, &shift, least, &out->mean, &out->mean_error);
    sc_ratio_set_int64(&factor, weight);
    sc_ratio_mul(&out->mean, &out->mean, &factor);
    sc_ratio_set_int128(&shift, (sc_int128)cells * (cells - 1) / 2 * config->b);
    sc_ratio_sub(&out->mean, &out->mean, &shift);
    sc_ratio_set_int128(&shift, ((sc_int128)config->a - config->b) * span);
    sc_ratio_div(&out->mean, &out->mean, &shift);
    sc_ratio_div(&factor, &factor, &shift);
    sc_ratio_set_int64(&shift, config->width);
    sc_ratio_sub(&out->mean, &out->mean, &shift);
    out->mean_error *= sc_ball_near(&factor);
    out->has_mean = true;
}

/* The variance of a report's weight is at least that of its noise: each of the outputs has the probability q or more,
 * whatever the device holds. Of outputs, `up` raise the estimate by slope, `down` lower it, `others` do neither. */
static double least_variance(const sc_decoding *out, const double outputs[3],
                             double difference)
{
    const double n = (double)out->reports, shift = difference / n;
    return n * out->q_near *
           (outputs[0] * (1 - shift) * (1 - shift) +
            outputs[1] * (1 + shift) * (1 + shift) + outputs[2] * shift * shift);
}

/* The number F_x of devices that hold at most x is linear in how many reports are in the set T_x = {x,
 * x - (2w+1), …}; est is F_x - F_(x-1). The two sets are disjoint; with w = 0 the one is the other and x. */
static void square_wave_counts(const sc_sums *sums, double slope, sc_decoding *out)
{
    const size_t span = 2 * (size_t)sums->config.width + 1;
    const double n = (double)sums->reports;
    uint64_t before = 0; /* reports in T_(x-1) */
    for (size_t x = 0; x < out->values; x++) {
        uint64_t in = 0;
        for (size_t z = span == 1 ? x : x % span; z <= x; z += span)
            in += sums->counts[z];
        const double difference = (double)in - (double)before;
        const double steps[2] = {span == 1 ? 1 : (double)(x / span + 1),
                                 span == 1 || x == 0 ? 0 : (double)((x - 1) / span + 1)};
        const double outputs[3] = {steps[0], steps[1],
                                   (double)sums->cells - steps[0] - steps[1]};
        out->raising[x] = in;
        out->hits[x] = (int64_t)(in - before);
        out->trials[x] = x % span == 0 ? sums->reports : 0;
        out->variances[x] =
            slope * slope *
            fmax((double)in + (double)before - difference * difference / n,
                 least_variance(out, outputs, difference));
        before = span == 1 ? 0 : in;
    }
}

scrim_status sc_decode_square_wave(const sc_sums *sums, sc_decoding *out,
                                   scrim_error *error)
{
    const scrim_local_config *config = &sums->config;
    const int64_t span = 2 * (int64_t)config->width + 1;
    const int64_t weight =
        span * (int64_t)config->a + ((int64_t)config->values - 1) * (int64_t)config->b;
    const scrim_status status = decoding_room(out, config->values, error);
    if (status != SCRIM_OK)
        return status;
    out->trials = sc_allocate(out->values, sizeof *out->trials);
    out->variances = sc_allocate(out->values, sizeof *out->variances);
    out->raising = sc_allocate(out->values, sizeof *out->raising);
    if (out->trials == NULL || out->variances == NULL || out->raising == NULL)
        return sc_no_memory(error, "decoding");
    sc_ratio_set_quotient(&out->q, config->b, weight);
    sc_ratio_set_quotient(&out->slope, weight, (int64_t)config->a - config->b);
    out->q_near = sc_ball_near(&out->q);
    square_wave_counts(sums, sc_ball_near(&out->slope), out);
    square_wave_mean(sums, weight, out);
    return SCRIM_OK;
}

scrim_status sc_decode_one_bit(const sc_sums *sums, sc_decoding *out, scrim_error *error)
{
    SC_OWN(sc_ratio, p, q, factor);
    if (!sc_protocol_support(&sums->config, &p, &q))
        return sc_fail(error, SCRIM_E_INTERNAL, "a protocol lost its probabilities");
    sc_ratio_set_int64(&factor, (int64_t)sums->config.values - 1);
    sc_ratio_sub(&p, &p, &q);
    sc_ratio_div(&factor, &factor, &p);
    sc_ratio_set_quotient(&out->mean, (int64_t)sums->counts[1], (int64_t)sums->reports);
    const double n = (double)sums->reports, share = (double)sums->counts[1] / n;
    sc_ratio_sub(&out->mean, &out->mean, &q);
    sc_ratio_mul(&out->mean, &out->mean, &factor);
    out->share_slope = sc_ball_near(&factor);
    out->share_first = -out->share_slope * sc_ball_near(&q);
    out->mean_error = out->share_slope * sqrt(share * (1 - share) / n);
    out->ones = sums->counts[1];
    out->has_mean = out->is_share = true;
    return SCRIM_OK;
}

/* The noise is clamped at both ends. Reports at an end stand for all that would lie there or beyond, which is
 * b/(a - b) further out on average, whatever the device's number is. */
scrim_status sc_decode_laplace(const sc_sums *sums, sc_decoding *out, scrim_error *error)
{
    (void)error;
    SC_OWN(sc_ratio, shift);
    const scrim_local_config *config = &sums->config;
    const double most = (double)sums->cells * (double)sums->cells / 4, a = config->a,
                 b = config->b;
    /* Half the variance of noise with two sides, and no more than the range allows. */
    const double least = fmin(a * b / ((a - b) * (a - b)), most);
    sc_ratio_set_quotient(&shift, config->b, (int64_t)config->a - config->b);
    mean_report(sums, &shift, least, &out->mean, &out->mean_error);
    sc_ratio_set_int64(&shift, config->width);
    sc_ratio_sub(&out->mean, &out->mean, &shift);
    out->has_mean = true;
    return SCRIM_OK;
}

/* q, slope = 1/(P - Q) and the cumulants, of a protocol with P and Q. */
static scrim_status set_pure(const sc_sums *sums, sc_decoding *out, scrim_error *error)
{
    SC_OWN(sc_ratio, p, one);
    if (!sc_protocol_support(&sums->config, &p, &out->q))
        return sc_fail(error, SCRIM_E_INTERNAL, "a protocol lost its probabilities");
    sc_ratio_set_int64(&one, 1);
    sc_ratio_sub(&out->slope, &p, &out->q);
    sc_ratio_div(&out->slope, &one, &out->slope);
    decoding_cumulants(out, sc_ball_near(&p));
    return decoding_room(out, sums->config.values, error);
}

scrim_status sc_decode_response(const sc_sums *sums, sc_decoding *out, scrim_error *error)
{
    const scrim_status status = set_pure(sums, out, error);
    for (size_t v = 0; status == SCRIM_OK && v < out->values; v++)
        out->hits[v] = (int64_t)sums->counts[v];
    return status;
}

static scrim_status counts_as_doubles(const sc_sums *sums, double **out,
                                      scrim_error *error)
{
    double *counts = sc_allocate(sums->cells, sizeof *counts);
    if (counts == NULL)
        return sc_no_memory(error, "decoding");
    for (size_t i = 0; i < sums->cells; i++)
        counts[i] = (double)sums->counts[i];
    *out = counts;
    return SCRIM_OK;
}

/* The hits by a transform of the counters, which has them in its first places. */
static scrim_status decode_by(const sc_sums *sums, sc_decoding *out,
                              scrim_status (*transform)(double *, uint32_t, uint32_t,
                                                        scrim_error *),
                              scrim_error *error)
{
    double *counts = NULL;
    scrim_status status = set_pure(sums, out, error);
    if (status == SCRIM_OK)
        status = counts_as_doubles(sums, &counts, error);
    if (status == SCRIM_OK)
        status = transform(counts, sums->config.field, sums->config.digits, error);
    for (size_t v = 0; status == SCRIM_OK && v < out->values; v++)
        out->hits[v] = (int64_t)counts[v];
    sc_free(counts);
    return status;
}

scrim_status sc_decode_projective(const sc_sums *sums, sc_decoding *out,
                                  scrim_error *error)
{
    return decode_by(sums, out, sc_projective_support, error);
}

scrim_status sc_decode_hashing(const sc_sums *sums, sc_decoding *out, scrim_error *error)
{
    return decode_by(sums, out, sc_hashing_support, error);
}

/* Several blocks: est = F Z, Z the sum of signs over the reports of the block, which are trials; a sign
 * is fair unless its device holds the value. Z = 2 hits - trials. A report of the block adds F^2 to the
 * variance, and a device that holds the value takes 1 away. */
static scrim_status set_blocks(const sc_sums *sums, sc_decoding *out, scrim_error *error)
{
    SC_OWN(sc_ratio, two);
    const scrim_status status = decoding_room(out, sums->config.values, error);
    if (status != SCRIM_OK)
        return status;
    out->trials = sc_allocate(out->values, sizeof *out->trials);
    if (out->trials == NULL)
        return sc_no_memory(error, "decoding");
    sc_protocol_hadamard_factor(&sums->config, &out->slope);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_mul(&out->slope, &out->slope, &two);
    sc_ratio_set_quotient(&out->q, 1, 2);
    decoding_cumulants(out, 0.5);
    out->more[0] = -1;
    return SCRIM_OK;
}

scrim_status sc_decode_hadamard(const sc_sums *sums, sc_decoding *out, scrim_error *error)
{
    const size_t order = sums->config.order;
    double *counts = NULL;
    scrim_status status = sums->config.blocks == 1 ? set_pure(sums, out, error)
                                                   : set_blocks(sums, out, error);
    if (status == SCRIM_OK)
        status = counts_as_doubles(sums, &counts, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t block = 0; block < sums->config.blocks; block++)
        sc_walsh_hadamard(counts + block * order, order);
    for (size_t v = 0; v < out->values; v++) {
        const double *block = counts + v / (order - 1) * order;
        const double sum = block[v % (order - 1) + 1];
        out->hits[v] = (int64_t)((block[0] + sum) / 2);
        if (out->trials != NULL)
            out->trials[v] = (uint64_t)block[0];
    }
    sc_free(counts);
    return SCRIM_OK;
}

/* A device answers for d of k buckets: est = (k/d) (hits - trials Q)/(P - Q). Whether it answers for its
 * own one adds k/d - 1 to the variance, for each that holds the value. */
scrim_status sc_decode_bit_flip(const sc_sums *sums, sc_decoding *out, scrim_error *error)
{
    SC_OWN(sc_ratio, share);
    scrim_status status = set_pure(sums, out, error);
    if (status != SCRIM_OK)
        return status;
    sc_ratio_set_quotient(&share, sums->config.values, sums->config.chosen);
    sc_ratio_mul(&out->slope, &out->slope, &share);
    decoding_cumulants(out, sc_ball_near(&out->q));
    out->more[0] = sc_ball_near(&share) - 1;
    out->trials = sc_allocate(out->values, sizeof *out->trials);
    if (out->trials == NULL)
        return sc_no_memory(error, "decoding");
    for (size_t v = 0; v < out->values; v++) {
        out->trials[v] = sums->counts[2 * v];
        out->hits[v] = (int64_t)sums->counts[2 * v + 1];
    }
    return SCRIM_OK;
}

scrim_status sc_decode_rappor(const sc_sums *sums, sc_decoding *out, scrim_error *error)
{
    if (sums->config.hashes != 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "config",
                           "these reports are of texts; name candidate texts");
    if (sums->config.bits == 1)
        return sc_decode_one_bit(sums, out, error);
    /* The one cohort has its number of reports, and then its bits. */
    const scrim_status status = set_pure(sums, out, error);
    for (size_t v = 0; status == SCRIM_OK && v < out->values; v++)
        out->hits[v] = (int64_t)sums->counts[v + 1];
    return status;
}

/* As the device makes them: w(0) = 2^31, w(t) = ceil(w(t-1) b/a). */
void sc_condensed_law(const scrim_local_config *config, double *law)
{
    const size_t k = config->values;
    uint64_t weight = (uint64_t)1 << 31;
    for (size_t t = 0; t < k; t++) {
        for (size_t x = t; x < k; x++)
            law[x * k + x - t] = law[(x - t) * k + x] = (double)weight;
        weight = (weight * config->b + config->a - 1) / config->a;
    }
    for (size_t x = 0; x < k; x++) {
        double sum = 0;
        for (size_t z = 0; z < k; z++)
            sum += law[x * k + z];
        for (size_t z = 0; z < k; z++)
            law[x * k + z] /= sum;
    }
}

/* A pivot that is smaller has lost its digits. */
#define LEAST 1e-9

static size_t largest_below(const double *m, size_t k, size_t p)
{
    size_t best = p;
    for (size_t i = p + 1; i < k; i++)
        if (fabs(m[i * k + p]) > fabs(m[best * k + p]))
            best = i;
    return best;
}

static void swap_rows(double *m, size_t k, size_t i, size_t j)
{
    for (size_t c = 0; c < k && i != j; c++) {
        const double kept = m[i * k + c];
        m[i * k + c] = m[j * k + c];
        m[j * k + c] = kept;
    }
}

static void clear_column(double *m, double *inverse, size_t k, size_t p)
{
    const double pivot = m[p * k + p];
    for (size_t c = 0; c < k; c++) {
        m[p * k + c] /= pivot;
        inverse[p * k + c] /= pivot;
    }
    for (size_t i = 0; i < k; i++) {
        const double factor = m[i * k + p];
        if (i == p || factor == 0)
            continue;
        for (size_t c = 0; c < k; c++) {
            m[i * k + c] -= factor * m[p * k + c];
            inverse[i * k + c] -= factor * inverse[p * k + c];
        }
    }
}

/* By Gauss and Jordan; m becomes the unit matrix. False: a pivot is too small. */
static bool invert(double *m, double *inverse, size_t k)
{
    memset(inverse, 0, k * k * sizeof *inverse);
    for (size_t i = 0; i < k; i++)
        inverse[i * k + i] = 1;
    for (size_t p = 0; p < k; p++) {
        const size_t row = largest_below(m, k, p);
        if (fabs(m[row * k + p]) < LEAST)
            return false;
        swap_rows(m, k, p, row);
        swap_rows(inverse, k, p, row);
        clear_column(m, inverse, k, p);
    }
    return true;
}

/* The smallest probability of an output, whatever the device holds. */
static double least_of(const double *law, size_t k, size_t z)
{
    double least = 1;
    for (size_t x = 0; x < k; x++)
        least = fmin(least, law[x * k + z]);
    return least;
}

/* est_v = sum over z of h_z G(z,v); its variance is that of n draws of G(z,v), and at least that of the noise of a
 * device, which sends each output with its least probability or more. */
static void set_counts(const sc_sums *sums, const double *least, sc_decoding *out)
{
    const size_t k = out->values;
    const double n = (double)sums->reports;
    for (size_t v = 0; v < k; v++) {
        double sum = 0, squares = 0, noise = 0;
        for (size_t z = 0; z < k; z++) {
            const double part = out->cells[z] * out->weights[z * k + v];
            sum += part;
            squares += part * out->weights[z * k + v];
        }
        for (size_t z = 0; z < k; z++) {
            const double off = out->weights[z * k + v] - sum / n;
            noise += n * least[z] * off * off;
        }
        out->solved[v] = sum;
        out->variances[v] = fmax(noise, squares - sum * sum / n);
    }
}

static scrim_status solve(const sc_sums *sums, sc_decoding *out, scrim_error *error)
{
    const size_t k = out->values;
    scrim_status status = SCRIM_OK;
    double *law = sc_allocate(k * k, sizeof *law), *least = sc_allocate(k, sizeof *least);
    if (law == NULL || least == NULL) {
        status = sc_no_memory(error, "decoding");
    } else {
        sc_condensed_law(&sums->config, law);
        for (size_t z = 0; z < k; z++) {
            least[z] = least_of(law, k, z);
            out->cells[z] = (double)sums->counts[z];
        }
        if (invert(law, out->weights, k))
            set_counts(sums, least, out);
        else
            status = sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "config",
                                 "reports of different values are too alike to count "
                                 "them");
    }
    sc_free(least);
    sc_free(law);
    return status;
}

scrim_status sc_decode_condensed(const sc_sums *sums, sc_decoding *out,
                                 scrim_error *error)
{
    const size_t k = sums->config.values;
    if (sums->config.metric != 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "config",
                           "condensed-exponential has a decoder for distances of numbers "
                           "only, not for those of a table");
    if (k > SC_CONDENSED_VALUES)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "config",
                           "condensed-exponential is decoded for at most %d values",
                           SC_CONDENSED_VALUES);
    scrim_status status = decoding_room(out, k, error);
    if (status != SCRIM_OK)
        return status;
    out->solved = sc_allocate(k, sizeof *out->solved);
    out->variances = sc_allocate(k, sizeof *out->variances);
    out->cells = sc_allocate(k, sizeof *out->cells);
    out->weights = sc_allocate(k * k, sizeof *out->weights);
    out->cell_count = k;
    if (out->solved == NULL || out->variances == NULL || out->cells == NULL ||
        out->weights == NULL)
        return sc_no_memory(error, "decoding");
    sc_ratio_set_quotient(&out->q, 1, 2); /* neither is used */
    sc_ratio_set_int64(&out->slope, 1);
    return solve(sums, out, error);
}
