/* Measurements: a mechanism with its parameters fixed, what it costs and what it promises.
 *
 * A measurement is named by one line of text, "NAME key=value ...", the same in C, on the
 * command line, in the ledger and in the audit; or by the name and a list of parameters, which
 * says the same:
 *
 *     scrim_measurement *count;
 *     scrim_error error;
 *     if (scrim_measurement_parse("laplace sensitivity=1 epsilon=1/10 neighbours=add-remove",
 *                                 &count, &error) != SCRIM_OK)
 *         fputs(error.message, stderr);
 *
 *     scrim_measurement *count;
 *     if (scrim_measurement_new("laplace",
 *                               SCRIM_PARAMETERS({"sensitivity", "1"}, {"epsilon", "1/10"},
 *                                                {"neighbours", "add-remove"}),
 *                               &count, &error) != SCRIM_OK)
 *         fputs(error.message, stderr);
 *
 * It is immutable, and knows its cost and its accuracy before any data exist; several threads
 * may use one. Data meet it only in scrim_release (scrim/ledger.h).
 */
#ifndef SCRIM_MEASUREMENT_H
#define SCRIM_MEASUREMENT_H

#include "scrim/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which datasets must look alike. Zero is no relation and is refused everywhere. */
typedef enum scrim_neighbours {
    SCRIM_NEIGHBOURS_UNSET = 0,
    SCRIM_ADD_REMOVE = 1, /* one unit is added or removed */
    SCRIM_REPLACE = 2,    /* one unit's data is replaced; the number of units is public */
    SCRIM_LOCAL = 3       /* any two values that one device may hold */
} scrim_neighbours;

/* "add-remove", "replace", "local"; "unset" for what is none of them. Never NULL. */
SCRIM_API const char *scrim_neighbours_name(scrim_neighbours neighbours);

/* An exact number as text, in a plain struct. */
#define SCRIM_NUMBER_BYTES 128

/* What one release costs: (epsilon, delta), exact or rounded up, and where the mechanism is
 * concentrated also rho. A text is empty where there is no such promise: a Gaussian that was
 * given its sigma has a rho and a curve, and no epsilon of its own. */
typedef struct scrim_cost {
    scrim_neighbours neighbours;
    char epsilon[SCRIM_NUMBER_BYTES];
    char delta[SCRIM_NUMBER_BYTES];
    char rho[SCRIM_NUMBER_BYTES];
} scrim_cost;

/* The form of an accuracy statement. */
typedef enum scrim_certificate_form {
    SCRIM_CERTIFICATE_NONE = 0,
    SCRIM_CERTIFICATE_INTERVAL, /* each value is within radius of the truth, with confidence */
    /* With confidence: of scores, each choice is at most radius worse than the best that was
     * left; of queries, each answer is right but within radius of the threshold, and all values
     * shown are within radius of their queries; of rows, no rank is off by more than radius; of
     * counts, a group of radius units or more is kept. */
    SCRIM_CERTIFICATE_PAC,
    SCRIM_CERTIFICATE_RANGE,    /* each value is within radius of the truth, always */
    SCRIM_CERTIFICATE_FLEXIBLE, /* within beta of the truth of an input distorted by alpha,
                                 * but for a probability of gamma; a radius is as in DROP */
    SCRIM_CERTIFICATE_FREQUENCY, /* what share of the values is which, as estimated from them
                                  * all and brought into [0, 1], is within radius of the truth,
                                  * with confidence; of one value alone no guarantee */
    SCRIM_CERTIFICATE_DROP /* no value is above the truth, and none more than radius below it,
                            * always */
} scrim_certificate_form;

/* Numbers are exact text, rounded so that the promise is never too strong. */
typedef struct scrim_certificate {
    scrim_certificate_form form;
    char confidence[SCRIM_NUMBER_BYTES];
    /* In the unit of the input; of rows a number of them, of frequencies a share, at most 1. */
    char radius[SCRIM_NUMBER_BYTES];
    /* Of queries and of counts whose values are shown: each is within this of its query, with
     * confidence; else empty. */
    char value_radius[SCRIM_NUMBER_BYTES];
    char alpha[SCRIM_NUMBER_BYTES];
    char beta[SCRIM_NUMBER_BYTES];
    char gamma[SCRIM_NUMBER_BYTES];
    const char *excludes; /* what the statement does not cover; constant text */
} scrim_certificate;

/* What `scrim list mechanisms` shows; constant text. */
typedef struct scrim_mechanism_entry {
    const char *name;       /* "laplace" */
    const char *parameters; /* "sensitivity=R epsilon=R|scale=R [grid=R ...]" */
    const char *input; /* "numbers", "scores", "rows", "values", "queries" or "counts" */
    const char *claim; /* "epsilon-DP, pure" */
    const char *reference; /* who published it, or a page of docs/ */
} scrim_mechanism_entry;

/* The entry at an index, from 0 on; NULL past the last. */
SCRIM_API const scrim_mechanism_entry *scrim_mechanism_at(size_t index);

typedef struct scrim_measurement scrim_measurement;

/* A parameter by its name in the line. Values are text, and numbers exact: "1", "1/3", "0.1",
 * "1e-9", "2^-40". A value of NULL leaves the parameter out. scrim_mechanism_at says which mechanism
 * takes which; the message that refuses a value says which are legal.
 *
 *   neighbours              required: add-remove, replace or local
 *   epsilon, delta, rho     the cost of one release; of robust-laplace, rho is how far the laws of
 *                           neighbours are from each other, but for a mass of theta
 *   scale, sigma, variance  of the noise, in place of the cost
 *   sensitivity             how far one unit moves the values: in the l1 norm, of gaussian in the l2
 *                           norm; each score; each query; of stabilise all utilities together
 *   bound, width            of the noise, and of a range to either side, in steps of the grid
 *   grid                    the step that values are rounded to; left out: they are integers
 *   lower, upper            values are clamped to them
 *   size                    how many values, where there is a grid; left out: one
 *   whole=yes               each value is a whole multiple of the step by definition; what is not
 *                           counts as missing, and nothing is rounded
 *   monotone=yes            all scores or queries rise, or all fall, under add-remove
 *   noise                   of noisy-max: laplace (left out) or geometric
 *   k, method               of top-k: how many; permute-and-flip (left out) or exponential
 *   p, form                 of quantile: "1/2", or several in increasing order, "1/4,1/2"; split or
 *                           recursive, left out: what has the smaller error
 *   keep, values            of randomised-response: with which probability a value stays; how many
 *                           different ones there are, from 0 on (left out: 2)
 *   threshold, count        of queries: an integer; how many are above before the run halts
 *   form, numeric=yes       of sparse-vector: a, one threshold (left out), or b, one for each answer;
 *                           a query that is above is shown, with noise
 *   threshold-scale, threshold-variance, query-scale, query-variance
 *                           Laplace or Gaussian noise of the threshold and of the queries
 *   length, stage, stage-length
 *                           the most queries that are answered; answers in a stage; queries in one
 *   resample=yes, nonnegative=yes
 *                           a threshold for each answer; queries are at least 0
 *   max-groups, max-rows, max-total
 *                           of one unit: in how many groups it may be (left out: 1), how many rows it
 *                           may add to each (left out: 1), or instead to all of them together
 *   largest                 of stabilise: the utility of a key that is there by one unit alone
 *   q, group                how many elements a bar may lose, delta in its place finds the least; how
 *                           many elements one unit may have (left out: 1)
 *   sampler, mode           exact, or table: in constant time; dense, or sparse: empty bars are passed
 *                           over, and the time tells how many there are
 *   beta, dimensions, norm  of buckets: how far a row may be from its centre; numbers in a row (left
 *                           out: 1); how that distance is measured: 1, 2 (left out) or max
 *   labelled=yes, outside   rows end with a label, above 0 or not; rows outside of lower and upper:
 *                           clamp (left out) or discard
 *   size-epsilon, size-delta, bar-epsilon, bar-delta, tau
 *                           of private-size-stlap: the cost of the size and of the bars; the share of
 *                           the size that a bar may lose
 *   certain                 of emptiness: a set of so many is always said to have elements
 *   candidates, queries, records
 *                           for the audit alone, in scrim_measurement_parse_model
 */
typedef struct scrim_parameter {
    const char *name, *value;
} scrim_parameter;

/* A list of parameters and how many there are: two arguments of scrim_measurement_new. */
#ifdef __cplusplus
} /* templates have no C linkage */
template <size_t count>
inline const scrim_parameter *scrim_parameters_at(const scrim_parameter (&given)[count])
{
    return given;
}
template <size_t count>
constexpr size_t scrim_parameters_count(const scrim_parameter (&)[count])
{
    return count;
}
#define SCRIM_PARAMETERS(...)                                                            \
    scrim_parameters_at({__VA_ARGS__}), scrim_parameters_count({__VA_ARGS__})
extern "C" {
#else
#define SCRIM_PARAMETERS(...)                                                            \
    (const scrim_parameter[]){__VA_ARGS__},                                              \
        sizeof((const scrim_parameter[]){__VA_ARGS__}) / sizeof(scrim_parameter)
#endif

/* Makes what scrim_measurement_parse makes of the same line, with the same errors: no value can say
 * more than its own parameter. parameters are read before it returns and stay the caller's. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_measurement_new(const char *mechanism, const scrim_parameter *parameters,
                      size_t count, scrim_measurement **out, scrim_error *error);
/* Parses "NAME key=value ... neighbours=RELATION". The caller frees what it gets.
 * SCRIM_E_SYNTAX for text that is not such a line, SCRIM_E_PARAM for an unknown name, a missing
 * parameter or a value outside its domain, SCRIM_E_LIMIT for a value above a size limit,
 * SCRIM_E_MEMORY. Nothing is drawn, and out is untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_measurement_parse(const char *text,
                                                              scrim_measurement **out,
                                                              scrim_error *error);
/* The same where no data is involved, for questions about cost and accuracy: neighbours is
 * add-remove, sensitivity 1 and threshold 0 unless given, and what only the audit asks for
 * (candidates, queries, records) may be said. scrim_release refuses what is made so. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_measurement_parse_model(
    const char *text, scrim_measurement **out, scrim_error *error);
/* NULL is allowed. */
SCRIM_API void scrim_measurement_free(scrim_measurement *measurement);

/* The line that names this measurement: its parameters in the order in which the mechanism lists
 * them, reduced, neighbours behind them, and last what only the audit asks for. It lives as long
 * as the handle. */
SCRIM_API const char *scrim_measurement_text(const scrim_measurement *measurement);
/* The number of values that an input must have, where it is fixed; else 0. It is public. */
SCRIM_API size_t scrim_measurement_size(const scrim_measurement *measurement);
/* How many different values an answer's may be, from 0 on, where their frequencies can be
 * estimated from it (scrim_answer_frequency); else 0. */
SCRIM_API uint64_t scrim_measurement_values(const scrim_measurement *measurement);
SCRIM_API const scrim_mechanism_entry *
scrim_measurement_mechanism(const scrim_measurement *measurement);

SCRIM_API SCRIM_MUST_USE scrim_status scrim_measurement_cost(
    const scrim_measurement *measurement, scrim_cost *out, scrim_error *error);
/* The cost for groups of so many units, from 1 to 2^20; SCRIM_E_PARAM when nothing is left to
 * promise (delta would reach 1) or there is no (epsilon, delta) to begin with. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_measurement_group_cost(const scrim_measurement *measurement, uint64_t units,
                             scrim_cost *out, scrim_error *error);

/* The curve: the smallest delta proved at an epsilon >= 0, the smallest epsilon at a delta in
 * (0, 1), the Renyi divergence of an order > 1. Arguments are exact text; an upper bound is
 * never below the true value, and infinite where nothing is proved. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_measurement_delta_at(const scrim_measurement *measurement, const char *epsilon,
                           double *upper, scrim_error *error);
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_measurement_epsilon_at(const scrim_measurement *measurement, const char *delta,
                             double *upper, scrim_error *error);
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_measurement_renyi_at(const scrim_measurement *measurement, const char *order,
                           double *upper, scrim_error *error);

/* The accuracy of a release on an input of count values, at a confidence in (0, 1) such as
 * "0.95". */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_measurement_certify(const scrim_measurement *measurement, const char *confidence,
                          size_t count, scrim_certificate *out, scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
