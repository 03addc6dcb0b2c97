#include "local/collect/decode_numbers.h"

#include "base/memory.h"
#include "base/number/ball_double.h"
#include "mechanism/local/protocol.h"

#include <math.h>

/* The mean of the reports, exactly, and its standard error; the two last ones stand for numbers that lie
 * beyond them by so much. The devices' numbers differ too, so that this is no less than the error that the
 * protocol makes. */
static void mean_report(const sc_sums *sums, const sc_ratio *beyond, sc_ratio *mean,
                        double *error)
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
    *error = sqrt(squares / (n > 1 ? n - 1 : 1) / n);
}

/* x^ = (z W - B S)/((A - B)(2w + 1)) - w, S the sum of all outputs. */
static void square_wave_mean(const sc_sums *sums, int64_t weight, sc_decoding *out)
{
    SC_OWN(sc_ratio, factor, shift);
    const scrim_local_config *config = &sums->config;
    const int64_t span = 2 * (int64_t)config->width + 1;
    const int64_t cells = (int64_t)sums->cells;
    mean_report(sums, &shift, &out->mean, &out->mean_error);
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

/* The number F_x of devices that hold at most x is linear in how many reports are in the set T_x = {x,
 * x - (2w+1), …}; est is F_x - F_(x-1), and the two sets are disjoint. */
static void square_wave_counts(const sc_sums *sums, double slope, sc_decoding *out)
{
    const size_t span = 2 * (size_t)sums->config.width + 1;
    const double n = (double)sums->reports;
    uint64_t before = 0; /* reports in T_(x-1) */
    for (size_t x = 0; x < out->values; x++) {
        uint64_t in = 0;
        for (size_t z = x % span; z <= x; z += span)
            in += sums->counts[z];
        const double difference = (double)in - (double)before;
        out->hits[x] = (int64_t)(in - before);
        out->trials[x] = x % span == 0 ? sums->reports : 0;
        out->variances[x] =
            ((double)in + (double)before - difference * difference / n) * slope * slope;
        before = in;
    }
}

scrim_status sc_decode_square_wave(const sc_sums *sums, sc_decoding *out,
                                   scrim_error *error)
{
    const scrim_local_config *config = &sums->config;
    const int64_t span = 2 * (int64_t)config->width + 1;
    const int64_t weight =
        span * (int64_t)config->a + ((int64_t)config->values - 1) * (int64_t)config->b;
    const scrim_status status = sc_decoding_room(out, config->values, error);
    if (status != SCRIM_OK)
        return status;
    out->trials = sc_allocate(out->values, sizeof *out->trials);
    out->variances = sc_allocate(out->values, sizeof *out->variances);
    if (out->trials == NULL || out->variances == NULL)
        return sc_no_memory(error, "decoding");
    sc_ratio_set_quotient(&out->q, config->b, weight);
    sc_ratio_set_quotient(&out->slope, weight, (int64_t)config->a - config->b);
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
    sc_ratio_set_quotient(&shift, config->b, (int64_t)config->a - config->b);
    mean_report(sums, &shift, &out->mean, &out->mean_error);
    sc_ratio_set_int64(&shift, config->width);
    sc_ratio_sub(&out->mean, &out->mean, &shift);
    out->has_mean = true;
    return SCRIM_OK;
}
