/* Decoders: estimates from sums of reports, of values, of numbers and of texts. */
#ifndef SC_LOCAL_DECODING_H
#define SC_LOCAL_DECODING_H

#include "base/number/ratio.h"
#include "local/collect/report_sums.h"

/* Estimates from sums of reports: a number for each value, its law, and the mean of numbers.
 *
 *     est_v = (hits_v - trials_v q) slope
 *
 * exactly, for every protocol but condensed-exponential: hits_v of the reports support the value, of trials_v that could. A report
 * that its device made of another value supports it with probability q, whatever that value is.
 *
 * Claim  decoding.unbiased  the mean of est_v is the number of devices that hold v
 * Claim  decoding.exact     est_v is a fraction of integers, rounded once, to a double
 */

typedef struct sc_decoding {
    uint64_t reports;
    size_t values;
    int64_t *hits;     /* NULL: there is no estimate a value */
    uint64_t *trials;  /* NULL: all reports */
    double *solved;    /* est_v of condensed-exponential, in doubles; else NULL */
    double *variances; /* of est_v; NULL: see below */
    /* Where est_v is a sum of weights of reports (count_limits.h): how many reports there are of each kind, and the
     * weight of each; else NULL. */
    double *cells, *weights; /* [cell], and [cell][value] */
    size_t cell_count;
    uint64_t
        *raising; /* square-wave: reports that raise est_v; raising - hits lower it */
    sc_ratio q, slope;
    sc_int128 q_over, q_under; /* of q, where both are short; else q_under is 0 */
    double unit;               /* slope/q_under */
    double half_a_hit;         /* slope/2 */
    double q_near;
    /* The cumulants of est_v, from the second to the fourth: trials_v own[i] + n_v more[i]. */
    double own[3], more[3];
    bool has_mean;
    sc_ratio mean;     /* of numbers, exactly */
    double mean_error; /* its standard error, or an upper bound of it */
    /* The mean is share_first + share_slope s, s the mean probability that a report is 1; ones are 1. */
    bool is_share;
    double share_first, share_slope;
    uint64_t ones;
} sc_decoding;

/* Decodes sums of a protocol that has a decoder, with at least one report. SCRIM_E_STATE: no
 * report; SCRIM_E_PARAM: the protocol has no decoder for this configuration. Nothing is to be
 * cleared then. */
SCRIM_MUST_USE scrim_status sc_decoding_init(sc_decoding *decoding, sc_sums *sums,
                                             scrim_error *error);
void sc_decoding_clear(sc_decoding *decoding);

uint64_t sc_decoding_trials(const sc_decoding *decoding, size_t value);
/* est_v, and a double within 2^-51 of it, relatively. */
void sc_decoding_exact(const sc_decoding *decoding, size_t value, sc_ratio *out);
double sc_decoding_estimate(const sc_decoding *decoding, size_t value);
/* The variance of est_v if `holders` devices hold the value. Never 0 where the reports could have been others. */
double sc_decoding_variance(const sc_decoding *decoding, size_t value, double holders);

/* The decoders of protocols that ask for a number: its mean, and of square-wave its distribution
 * (report_sums.h). */

SCRIM_MUST_USE scrim_status sc_decode_square_wave(const sc_sums *sums, sc_decoding *out,
                                                  scrim_error *error);
/* one-bit-mean and rounded-bit-mean. */
SCRIM_MUST_USE scrim_status sc_decode_one_bit(const sc_sums *sums, sc_decoding *out,
                                              scrim_error *error);
/* laplace-mean and condensed-geometric. */
SCRIM_MUST_USE scrim_status sc_decode_laplace(const sc_sums *sums, sc_decoding *out,
                                              scrim_error *error);

/* The decoders of protocols that ask which of k values a device holds: how many reports support each
 * (report_sums.h). */

/* Randomised response, subsets and unary encodings: counter v is the support of v. */
SCRIM_MUST_USE scrim_status sc_decode_response(const sc_sums *sums, sc_decoding *out,
                                               scrim_error *error);
SCRIM_MUST_USE scrim_status sc_decode_projective(const sc_sums *sums, sc_decoding *out,
                                                 scrim_error *error);
SCRIM_MUST_USE scrim_status sc_decode_hashing(const sc_sums *sums, sc_decoding *out,
                                              scrim_error *error);
SCRIM_MUST_USE scrim_status sc_decode_hadamard(const sc_sums *sums, sc_decoding *out,
                                               scrim_error *error);
SCRIM_MUST_USE scrim_status sc_decode_bit_flip(const sc_sums *sums, sc_decoding *out,
                                               scrim_error *error);
/* Decodes a list of values, one bit each; a question of yes and no has one bit, and its mean is the share of
 * yes. SCRIM_E_PARAM: of texts, which need candidates. */
SCRIM_MUST_USE scrim_status sc_decode_rappor(const sc_sums *sums, sc_decoding *out,
                                             scrim_error *error);

/* The decoder of condensed-exponential, whose reports are values with R(z|x) = w(|x-z|)/S_x: counts are the histogram
 * of reports times the inverse of R, in doubles. Their variances are those of the reports as they were counted.
 *
 * Claim  decode-condensed.unbiased  a histogram that is as expected has the number of devices that hold each value
 *                                   as its estimate, but for rounding
 *
 * Time  values^3
 */

#define SC_CONDENSED_VALUES 512

/* R(z|x) at [x values + z], of distances of numbers; law has room for values^2. */
void sc_condensed_law(const scrim_local_config *config, double *law);

/* SCRIM_E_PARAM: distances are those of a table, which the configuration has only the hash of. SCRIM_E_LIMIT: more than
 * SC_CONDENSED_VALUES values, or weights so close that counts are lost. */
SCRIM_MUST_USE scrim_status sc_decode_condensed(const sc_sums *sums, sc_decoding *out,
                                                scrim_error *error);

#endif
