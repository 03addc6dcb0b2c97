/* Measurements: a mechanism with fixed parameters, its cost and its accuracy guarantee.
 *
 * A measurement is named by one line of text, "NAME key=value ...", the same in C, on the command
 * line, in the ledger and in the audit; or by the name and a list of parameters:
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
 * A measurement is immutable, and several threads may use one. Its cost and its accuracy are known
 * before there is any data. Only scrim_release (scrim/ledger.h) applies it to data.
 */
#ifndef SCRIM_MEASUREMENT_H
#define SCRIM_MEASUREMENT_H

#include "scrim/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which datasets are neighbours. Zero is not a relation and is always refused. */
typedef enum scrim_neighbours {
    SCRIM_NEIGHBOURS_UNSET = 0,
    SCRIM_ADD_REMOVE = 1, /* one unit is added or removed */
    SCRIM_REPLACE = 2,    /* one unit is replaced; the number of units is public */
    SCRIM_LOCAL = 3       /* any two values that one device may hold */
} scrim_neighbours;

/* "add-remove", "replace", "local"; "unset" for any other value. Never NULL. */
SCRIM_API const char *scrim_neighbours_name(scrim_neighbours neighbours);

/* An exact number as text, in a plain struct. */
#define SCRIM_NUMBER_BYTES 128

/* The cost of one release: (epsilon, delta), exact or rounded up, and rho if the
 * mechanism is concentrated. A text is empty if there is no such promise: a Gaussian
 * with a given sigma has a rho and a curve, and no epsilon of its own. */
typedef struct scrim_cost {
    scrim_neighbours neighbours;
    char epsilon[SCRIM_NUMBER_BYTES];
    char delta[SCRIM_NUMBER_BYTES];
    char rho[SCRIM_NUMBER_BYTES];
} scrim_cost;

/* The form of an accuracy guarantee. */
typedef enum scrim_certificate_form {
    SCRIM_CERTIFICATE_NONE = 0,
    /* each value is within radius of the truth, with the confidence */
    SCRIM_CERTIFICATE_INTERVAL,
    /* With the confidence. Scores: each choice is at most radius worse than the best
     * remaining one. Queries: each answer is right unless the query is within radius
     * of the threshold, and all values shown are within radius of their queries. Rows:
     * no rank is off by more than radius. Counts: a group of at least radius units is
     * kept. */
    SCRIM_CERTIFICATE_PAC,
    SCRIM_CERTIFICATE_RANGE, /* each value is within radius of the truth, always */
    /* within beta of the true value of an input distorted by alpha, except with
     * probability gamma; radius as in DROP */
    SCRIM_CERTIFICATE_FLEXIBLE,
    /* the estimated fraction of each value, clamped to [0, 1], is within radius of the
     * truth, with the confidence; no guarantee for a single value */
    SCRIM_CERTIFICATE_FREQUENCY,
    /* No value is above the truth, and none is more than radius below it, always. With a
     * value_radius: none is more than that above it, with the confidence. */
    SCRIM_CERTIFICATE_DROP,
    /* the mean that is estimated from all reports is within radius of the mean of their
     * values, with the confidence; no guarantee for a single value */
    SCRIM_CERTIFICATE_MEAN
} scrim_certificate_form;

/* Numbers are exact text, rounded so that the promise is never too strong. */
typedef struct scrim_certificate {
    scrim_certificate_form form;
    char confidence[SCRIM_NUMBER_BYTES];
    /* In the unit of the input; for rows a number of rows, for frequencies a fraction. */
    char radius[SCRIM_NUMBER_BYTES];
    /* For queries and counts whose values are shown: each is within this of its query,
     * with the confidence. Of DROP: how far above the truth. Else empty. */
    char value_radius[SCRIM_NUMBER_BYTES];
    /* For several values with independent noise: all of them are within this of the
     * truth at once, with the confidence; else empty. */
    char radius_all[SCRIM_NUMBER_BYTES];
    char alpha[SCRIM_NUMBER_BYTES];
    char beta[SCRIM_NUMBER_BYTES];
    char gamma[SCRIM_NUMBER_BYTES];
    const char *excludes; /* what the guarantee does not cover; constant text */
} scrim_certificate;

/* A row of `scrim list mechanisms`; constant text. */
typedef struct scrim_mechanism_entry {
    const char *name;       /* "laplace" */
    const char *parameters; /* "sensitivity=R epsilon=R|scale=R [grid=R ...]" */
    const char *input;      /* "numbers", "scores", "rows", "values", "queries", "counts",
                        * "transactions" or "points" */
    const char *claim;      /* "epsilon-DP, pure" */
    const char *reference;  /* authors, title, year and place of the source */
    const char *does;       /* what it is for, in two or three sentences */
    const char
        *example; /* the parameters of a measurement: "sensitivity=1 epsilon=1 ..." */
    const char *example_input; /* lines of CSV that `scrim run` reads for it */
} scrim_mechanism_entry;

/* The entry at an index, counted from 0; NULL past the last. */
SCRIM_API const scrim_mechanism_entry *scrim_mechanism_at(size_t index);
/* The entry of a name, or of another name that papers use: "svt" is sparse-vector, "warner" is
 * randomised-response. NULL: unknown. */
SCRIM_API const scrim_mechanism_entry *scrim_mechanism_find(const char *name);

/* A parameter of a mechanism; constant text. */
typedef struct scrim_parameter_entry {
    const char *name;    /* "epsilon" */
    const char *meaning; /* "the cost of one release" */
    const char *domain;  /* "a rational above 0, from 8.7e-19 to 1.1e18" */
    int is_required;  /* 1, or 0: it has a default, or another one may be given instead */
    int is_for_audit; /* 1: scrim_measurement_parse_model takes it alone */
} scrim_parameter_entry;

/* Sets out to the parameter at an index, counted from 0, of a mechanism, and returns 1. Returns 0 past
 * the last parameter, and for an unknown mechanism. */
SCRIM_API int scrim_mechanism_parameter_at(const char *mechanism, size_t index,
                                           scrim_parameter_entry *out);

typedef struct scrim_measurement scrim_measurement;

/* A parameter by its name in the line. Values are text, and numbers are exact: "1", "1/3", "0.1",
 * "1e-9", "2^-40". A value of NULL leaves the parameter out. scrim_mechanism_at shows the parameters
 * of each mechanism; the message that refuses a value says which are allowed.
 *
 *   neighbours              required: add-remove, replace or local
 *   epsilon, delta, rho     the cost of one release; for robust-laplace, rho is the distance of the
 *                           distributions of neighbours, ignoring a mass of theta
 *   scale, sigma, variance  of the noise, instead of the cost
 *   sensitivity             how much one unit changes the values: in the l1 norm, for gaussian in the
 *                           l2 norm; each score; each query; for stabilise all utilities together
 *   bound, width            largest noise; width of a range, or of a square-wave, to either side; in
 *                           steps of the grid
 *   grid                    the step to which values are rounded; default: integers
 *   lower, upper            values are clamped to them
 *   size                    number of values, if there is a grid; default: 1
 *   steps                   counter: the number of steps of the stream
 *   bins, coefficients, workload   linear-queries: bins; queries as numbers, or prefix, ranges, subsets,
 *                           each, marginals
 *   columns, ways           of marginals: the values of each column, whose cells are the bins; how many
 *                           columns each marginal has (default: 2)
 *   whole=yes               each value is a multiple of the step by definition; others count as
 *                           missing, and nothing is rounded
 *   monotone=yes            all scores or queries rise, or all fall, under add-remove
 *   noise                   noisy-max: laplace (default) or geometric
 *   k, method               top-k: how many; permute-and-flip (default) or exponential
 *   p, form                 quantile: "1/2", or several in increasing order, "1/4,1/2"; split or
 *                           recursive (default: the one with the smaller error)
 *   keep, values            randomised-response: the probability that a value stays; the number of
 *                           different values, counted from 0 (default: 2)
 *   field, chosen, blocks   local protocols: the prime of projective-geometry and local-hashing; how many
 *                           values subset-selection sends; blocks of hadamard (default: the best)
 *   text, cells, bits, hashes, cohorts, flip, first, reports   local protocols: see scrim-local(1)
 *   threshold, count, guesses   queries: an integer; answers above until the run halts; public guesses
 *   form, numeric=yes       sparse-vector: a, one threshold (default), or b, one for each answer;
 *                           a query that is above is shown with noise
 *   threshold-scale, threshold-variance, query-scale, query-variance
 *                           Laplace or Gaussian noise of the threshold and of the queries
 *   length, stage, stage-length
 *                           the most queries that are answered; answers in a stage; queries in one
 *   resample=yes, nonnegative=yes  a threshold for each answer; queries are at least 0
 *   shares, honest          how many shares of noise make up all of it, and how many of
 *                           them honest parties add: all unless given
 *   max-groups, max-rows, max-total
 *                           contribution bounds of one unit: groups (default: 1), rows per group
 *                           (default: 1), or instead rows in all groups together
 *   largest                 stabilise: the utility of a key that exists only because of one unit
 *   q, group                most elements that a bar may lose (delta instead finds the smallest);
 *                           elements that one unit may have (default: 1)
 *   alpha, elements         bucket-histogram: instead of q, the fraction of all elements that may be
 *                           lost, and their number, which is public
 *   sampler, mode           exact, or table: in constant time; dense, or sparse: empty bars are
 *                           skipped, and the time shows how many there are
 *   beta, dimensions, norm  buckets: largest distance of a row from its centre; numbers in a row
 *                           (default: 1); norm of that distance: 1, 2 (default) or max
 *   labelled=yes, outside   rows end with a label, above 0 or not; rows outside lower and upper:
 *                           clamp (default) or discard
 *   size-epsilon, size-delta, bar-epsilon, bar-delta, tau
 *                           private-size-stlap: the cost of the size and of the bars; the fraction of
 *                           the size that a bar may lose
 *   rows, alpha             smalldb: rows of the answer; or an error, in parts of all rows, that some answer
 *                           keeps
 *   total, rounds           mwem: the number of rows, which is public; how many queries are measured
 *   total, updates          online-weights: likewise; the most answers that are measured
 *   max-count               smalldb, mwem, online-weights: rows of one bin that count (default: 2^31)
 *   tables                  marginals: the number of cells of each table
 *   cells, circle=yes       interval-counts: how many cells the range or the circle has; numbers are
 *                           angles in degrees; with dimensions, cells of each axis of a cube
 *   length, items, size     item-sets, frequent-sets: cells of a row; items used of a transaction;
 *                           most items of a set that is counted
 *   frequent                frequent-sets: the noisy count from which on a set is frequent
 *   certain                 emptiness: a set of this many elements is always reported
 *   max-rows, weight        point-first, sum-first, hierarchy: contribution bounds of one unit: rows
 *                           (default: 1), and the largest weight of a row (default: 1)
 *   fan-outs, shares        hierarchy: how many children a node of each level has, from the root down;
 *                           the share of the cost that each level gets (default: equal shares)
 *   of                      robust: the line of the mechanism that is wrapped, without neighbours
 *   places, masses, sizes, pairs
 *                           randomised-query: the places and masses of all laws, how many of them
 *                           each law has, and the laws of neighbours two by two (default: any two)
 *   q, directions, count, seed, vectors, cells
 *                           body, depth-median, body-depth: the share of rows on the inner side of each
 *                           direction; frames (default), axes, pairs, equiangular, sequence or given;
 *                           how many; of which public seed; the numbers of those that are given; the
 *                           most cells of a direction (default: 2^20)
 *   points, expected, levels, level-rows, centre
 *                           depth-median: candidates on each axis (default: 1024); the expected number
 *                           of rows; depths that are told apart, and the rows from one of them to the
 *                           next; body-depth: the numbers of the point
 *   spacing, reach, clip    body-extension: the step between ranks of a typical table; how many ranks it
 *                           is asked of; scores below -clip count as that
 *   alpha, distances        condensed-geometric, condensed-exponential: instead of epsilon, the loss for
 *                           values of distance 1; the distances of all pairs of values (default: |x - y|)
 *   candidates, queries, records   for the audit only, in scrim_measurement_parse_model
 */
typedef struct scrim_parameter {
    const char *name, *value;
} scrim_parameter;

/* A list of parameters and its length: two arguments of scrim_measurement_new. */
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

/* The same as scrim_measurement_parse of the corresponding line, with the same errors.
 * The parameters are read before it returns and stay the caller's. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_measurement_new(const char *mechanism, const scrim_parameter *parameters,
                      size_t count, scrim_measurement **out, scrim_error *error);
/* Parses "NAME key=value ... neighbours=RELATION". The caller frees the result.
 * SCRIM_E_SYNTAX: the text has another form. SCRIM_E_PARAM: unknown name, missing
 * parameter, or a value that is not allowed. SCRIM_E_LIMIT: a value above a size
 * limit. SCRIM_E_MEMORY. Nothing is drawn, and out is untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_measurement_parse(const char *text,
                                                              scrim_measurement **out,
                                                              scrim_error *error);
/* The same without data, for computing cost and accuracy: the defaults are neighbours
 * add-remove, sensitivity 1 and threshold 0, and the parameters for the audit
 * (candidates, queries, records) are allowed. scrim_release refuses such a
 * measurement. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_measurement_parse_model(
    const char *text, scrim_measurement **out, scrim_error *error);
/* NULL is allowed. */
SCRIM_API void scrim_measurement_free(scrim_measurement *measurement);

/* The line that names this measurement: its reduced parameters in the order of the
 * mechanism, then neighbours, then those for the audit. It lives as long as the
 * handle. */
SCRIM_API const char *scrim_measurement_text(const scrim_measurement *measurement);
/* The number of values that an input must have if it is fixed, else 0. It is public. */
SCRIM_API size_t scrim_measurement_size(const scrim_measurement *measurement);
/* The number of different values, counted from 0, if their frequencies can be
 * estimated from an answer (scrim_answer_frequency); else 0. */
SCRIM_API uint64_t scrim_measurement_values(const scrim_measurement *measurement);
SCRIM_API const scrim_mechanism_entry *
scrim_measurement_mechanism(const scrim_measurement *measurement);

SCRIM_API SCRIM_MUST_USE scrim_status scrim_measurement_cost(
    const scrim_measurement *measurement, scrim_cost *out, scrim_error *error);
/* The cost for households of this many units, 1 to 2^20: what is promised to them of
 * (epsilon, delta) and rho; the others are "". SCRIM_E_PARAM if nothing is (delta would
 * reach 1, and there is no rho). */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_measurement_group_cost(const scrim_measurement *measurement, uint64_t units,
                             scrim_cost *out, scrim_error *error);

/* The curve: the smallest proven delta at an epsilon >= 0, the smallest epsilon at a
 * delta in (0, 1), the Renyi divergence of an order > 1. Arguments are exact text. An
 * upper bound is never below the true value, and infinite if nothing is proven. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_measurement_delta_at(const scrim_measurement *measurement, const char *epsilon,
                           double *upper, scrim_error *error);
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_measurement_epsilon_at(const scrim_measurement *measurement, const char *delta,
                             double *upper, scrim_error *error);
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_measurement_renyi_at(const scrim_measurement *measurement, const char *order,
                           double *upper, scrim_error *error);

/* The accuracy guarantee of a release on an input of count values, at a confidence in
 * (0, 1) such as "0.95". */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_measurement_certify(const scrim_measurement *measurement, const char *confidence,
                          size_t count, scrim_certificate *out, scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
