#include "base/memory.h"
#include "base/number/ball_double.h"
#include "local/collect/collection.h"
#include "local/collect/count_covariance.h"
#include "local/collect/count_interval.h"
#include "local/collect/discovery.h"
#include "local/collect/refinement.h"
#include "model/option_struct.h"
#include "query/estimate/noise_sum.h"

#include <math.h>

struct scrim_estimates {
    scrim_local_config config;
    sc_decoding decoding;
    sc_refinement refined; /* counts are NULL where there are none */
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
    if (estimates->decoding.solved != NULL) {
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
    if (one == other || estimates->decoding.hits == NULL)
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
                                  .of_others = refined->bias_of_others};
    return 1;
}
