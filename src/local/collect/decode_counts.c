#include "local/collect/decode_counts.h"

#include "base/memory.h"
#include "base/number/ball_double.h"
#include "local/collect/decode_numbers.h"
#include "local/collect/hashing_support.h"
#include "local/collect/projective_support.h"
#include "local/collect/walsh_hadamard.h"
#include "mechanism/local/protocol.h"

/* q, slope = 1/(P - Q) and the cumulants, of a protocol with P and Q. */
static scrim_status set_pure(const sc_sums *sums, sc_decoding *out, scrim_error *error)
{
    SC_OWN(sc_ratio, p, one);
    if (!sc_protocol_support(&sums->config, &p, &out->q))
        return sc_fail(error, SCRIM_E_INTERNAL, "a protocol lost its probabilities");
    sc_ratio_set_int64(&one, 1);
    sc_ratio_sub(&out->slope, &p, &out->q);
    sc_ratio_div(&out->slope, &one, &out->slope);
    sc_decoding_cumulants(out, sc_ball_near(&p));
    return sc_decoding_room(out, sums->config.values, error);
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
    const scrim_status status = sc_decoding_room(out, sums->config.values, error);
    if (status != SCRIM_OK)
        return status;
    out->trials = sc_allocate(out->values, sizeof *out->trials);
    if (out->trials == NULL)
        return sc_no_memory(error, "decoding");
    sc_protocol_hadamard_factor(&sums->config, &out->slope);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_mul(&out->slope, &out->slope, &two);
    sc_ratio_set_quotient(&out->q, 1, 2);
    sc_decoding_cumulants(out, 0.5);
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
    sc_decoding_cumulants(out, sc_ball_near(&out->q));
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
