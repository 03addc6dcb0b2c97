/* Shared by the mechanisms of the sparse vector family: the neighbours of their audit, their
 * accuracy, and their measurement. First the neighbours that the audit of a run looks at.
 *
 * Every query may move by up to D between neighbours, and in one direction only when the queries
 * are monotone. The family has
 *
 *   a box       all vectors of `queries` queries at T - D, T and T + D (fewer places, or equal
 *               queries only, where there would be too many vectors), each moved by all combinations
 *               of -D and D, or of 0 and D
 *   long runs   1, 2, 4 .. queries that move up and are to be below, then as many as there are
 *               answers that move down (monotone: stay) and are to be above; at several heights.
 *               These are the worst that are known (spec/mechanisms.md 9.1, 9.2)
 *
 * Where the values of answers would make too many outcomes, it has instead
 *
 *   full runs   as many queries at T as there are answers, or one more in front of them that moves up:
 *               all move down (monotone: stay), or all move up. All queries lie within D of T, so that a
 *               value needs to be told apart from T - D to T + D only
 */
#ifndef SC_MECHANISM_SPARSE_SPARSE_MEASUREMENT_H
#define SC_MECHANISM_SPARSE_SPARSE_MEASUREMENT_H

#include "mechanism/sparse/sparse_law.h"
#include "mechanism/sparse/sparse_renyi.h"
#include "mechanism/sparse/sparse_run.h"
#include "model/measurement.h"
#include "model/mechanism.h"

typedef struct sc_sparse_family {
    const sc_domain *domain; /* into which all queries are brought */
    int64_t level;
    int64_t shift;   /* D */
    int64_t height;  /* long runs are also asked this far from the level; 0: not */
    size_t queries;  /* of the box, not of long runs: 1 to SC_SPARSE_PAIR_QUERIES */
    uint64_t count;  /* answers above that a run gives */
    uint64_t length; /* queries that a run answers; 0: any number */
    uint64_t values; /* that an answer above may have; 1 where none is shown */
    bool is_monotone;
    bool is_full; /* full runs alone; values are 2 D + 1 then */
} sc_sparse_family;

#define SC_SPARSE_PAIR_QUERIES 10

/* 0 where runs that halt, which are the worst, have more outcomes than can be listed: an audit of
 * the rest would say little. */
size_t sc_sparse_pair_count(const sc_sparse_family *family);
void sc_sparse_pair(const sc_sparse_family *family, size_t index, sc_pair *out);
/* Are there too many outcomes for a box and long runs, and not for full ones with 2 D + 1 values? */
bool sc_sparse_needs_full(const sc_sparse_family *family);

/* How wrong a sparse vector run can be.
 *
 * A run of k queries is good to within a when every answer "above" has q >= T - a, every "below"
 * has q <= T + a, and every value that is shown lies within a of its query. Whatever the queries,
 * and however they were chosen, it is good when the largest |threshold noise| and the largest
 * |query noise| together are at most a, and so is the largest |value noise|: the noises are
 * independent, so that this has the probability
 *
 *     sum over t of P(largest |threshold noise| = t) P(|query noise| <= a - t)^k
 *     times P(|value noise| <= a)^c
 *
 * Claim  sparse.accuracy  the probability that a run is not good to within the radius is at most
 *                         beta, whatever the queries
 *
 * Claim  sparse.value     each value that is shown lies within the value radius of its query but
 *                         for a probability of beta: its noise is drawn after the answer
 *
 * It says nothing about when a run halts.
 *
 * Reference  spec/mechanisms.md 9.4; spec/local-and-accounting.md 7.4
 */

/* An upper bound of the probability that a run of `queries` queries is not good to within
 * a >= 0; exactly the probability above where a is below 512. */
void sc_sparse_failure_upper(const sc_sparse_plan *plan, uint64_t queries, sc_int128 a,
                             long bits, sc_ball *out);

/* A radius for 0 < beta < 1: the smallest whose bound above is at most beta, to within one
 * part in 1000 where it is large. */
SCRIM_MUST_USE scrim_status sc_sparse_radius(const sc_sparse_plan *plan,
                                             const sc_ratio *beta, uint64_t queries,
                                             sc_int128 *out, scrim_error *error);

/* The measurement: the parameters of the family, the state, and all members of a descriptor but check and cost. */

/* "no", "yes": their places are false and true. */
extern const char *const sc_sparse_yes_words[];

/* Parameters, for the lists. */
#define SC_SPARSE_EPSILON                                                                \
    {                                                                                    \
        .name = "epsilon", .kind = SC_PARAMETER_RATIONAL, .above = "0",                  \
        .limit_low = "2^-50", .limit_high = "1000",                                      \
        .domain = "a rational above 0, from 8.9e-16 to 1000"                             \
    }
#define SC_SPARSE_SENSITIVITY                                                            \
    {                                                                                    \
        .name = "sensitivity", .kind = SC_PARAMETER_RATIONAL, .optional = true,          \
        .above = "0", .limit_high = "2^50",                                              \
        .domain = "a rational above 0 and at most 1.1e15, rounded up to an integer"      \
    }
#define SC_SPARSE_THRESHOLD                                                              \
    {                                                                                    \
        .name = "threshold", .kind = SC_PARAMETER_INTEGER, .optional = true,             \
        .limit_low = "-2^62", .limit_high = "2^62",                                      \
        .domain = "an integer from -4.6e18 to 4.6e18"                                    \
    }
#define SC_SPARSE_YES(parameter)                                                         \
    {                                                                                    \
        .name = (parameter), .kind = SC_PARAMETER_WORD, .optional = true,                \
        .words = sc_sparse_yes_words, .domain = "yes or no"                              \
    }
/* An integer from 1 to a power of 2. */
#define SC_SPARSE_NUMBER(parameter, is_optional, power)                                  \
    {                                                                                    \
        .name = (parameter), .kind = SC_PARAMETER_INTEGER, .optional = (is_optional),    \
        .at_least = "1", .limit_high = "2^" power,                                       \
        .domain = "an integer from 1 to 2^" power                                        \
    }
#define SC_SPARSE_COUNT(is_optional) SC_SPARSE_NUMBER("count", is_optional, "20")
#define SC_SPARSE_DELTA                                                                  \
    {                                                                                    \
        .name = "delta", .kind = SC_PARAMETER_RATIONAL, .optional = true, .above = "0",  \
        .below = "1", .limit_low = "2^-900",                                             \
        .domain = "a rational above 0 and below 1, at least 1.2e-271"                    \
    }
#define SC_SPARSE_SCALE(parameter)                                                       \
    {                                                                                    \
        .name = (parameter), .kind = SC_PARAMETER_RATIONAL, .optional = true,            \
        .above = "0", .limit_low = "2^-20", .limit_high = "2^60",                        \
        .domain = "a rational above 0, from 9.6e-7 to 1.1e18"                            \
    }
#define SC_SPARSE_VARIANCE(parameter)                                                    \
    {                                                                                    \
        .name = (parameter), .kind = SC_PARAMETER_RATIONAL, .optional = true,            \
        .above = "0", .limit_low = "2^-6", .limit_high = "2^120",                        \
        .domain = "a rational above 0, from 0.015625 to 1.3e36"                          \
    }
/* The last on a list: for models only. */
#define SC_SPARSE_QUERIES                                                                \
    {                                                                                    \
        .name = "queries", .kind = SC_PARAMETER_INTEGER, .optional = true,               \
        .at_least = "1", .limit_high = "10", .domain = "an integer from 1 to 10"         \
    }
#define SC_SPARSE_TEXT_AUDIT "; audit: queries=N"

/* The state of a measurement. */
typedef struct sc_sparse_state {
    sc_sparse_plan plan;
    bool has_threshold, has_query, has_value, has_renyi; /* what is to be cleared */
    uint64_t sensitivity;                                /* D, in steps */
    bool is_monotone;
    sc_ratio run_epsilon; /* of one run of form (B) */
    sc_sparse_renyi renyi;
    sc_sparse_family family;
    sc_sparse_range range;
} sc_sparse_state;

/* Makes the state and reads what all have: sensitivity, threshold, count, numeric, monotone. One
 * stage, no length, noise still to be made. SCRIM_E_PARAM for monotone queries under replace. */
SCRIM_MUST_USE scrim_status sc_sparse_state_new(scrim_measurement *measurement,
                                                sc_sparse_state **out,
                                                scrim_error *error);
const sc_sparse_state *sc_sparse_state_of(const scrim_measurement *measurement);
bool sc_sparse_is(const scrim_measurement *measurement, const char *name);
/* An integer parameter, or missing. */
uint64_t sc_sparse_number(const scrim_measurement *measurement, const char *name,
                          uint64_t missing);

/* Makes noise of a shape. */
SCRIM_MUST_USE scrim_status sc_sparse_set_noise(sc_sparse_state *state,
                                                sc_sparse_noise *noise,
                                                sc_sparse_noise_kind kind,
                                                const sc_ratio *shape,
                                                scrim_error *error);
/* Discrete Laplace noise of scale times D / epsilon. */
SCRIM_MUST_USE scrim_status sc_sparse_set_laplace(sc_sparse_state *state,
                                                  sc_sparse_noise *noise, uint64_t times,
                                                  const sc_ratio *epsilon,
                                                  scrim_error *error);
/* The neighbours that the audit looks at, once the plan is complete. */
void sc_sparse_set_family(scrim_measurement *measurement, sc_sparse_state *state);

/* Members of the descriptors. */
void sc_sparse_discard(scrim_measurement *measurement);
scrim_status sc_sparse_certify(const scrim_measurement *measurement, const sc_ratio *beta,
                               size_t count, sc_certificate *out, scrim_error *error);
size_t sc_sparse_answer_count(const scrim_measurement *measurement, size_t count);
scrim_status sc_sparse_release(const scrim_measurement *measurement, sc_bits *bits,
                               const sc_private_input *input, sc_draw *out,
                               scrim_error *error);
size_t sc_sparse_key_width(const scrim_measurement *measurement, size_t count);
scrim_status sc_sparse_release_law(const scrim_measurement *measurement,
                                   const sc_private_input *input, long bits,
                                   sc_outcomes *out, scrim_error *error);
/* "2 below, above", and of a numeric run "2 below, above (4)"; a value at an end of the range stands for all that lie
 * beyond it: "above (5 or more)". */
void sc_sparse_outcome(const scrim_measurement *measurement, const int64_t *key,
                       sc_text_sink *sink);
size_t sc_sparse_pairs(const scrim_measurement *measurement);
void sc_sparse_pair_at(const scrim_measurement *measurement, size_t index, sc_pair *out);
void sc_sparse_change(const scrim_measurement *measurement, sc_change *out);
scrim_status sc_sparse_run_open(const scrim_measurement *measurement, sc_bits *bits,
                                void *run, scrim_error *error);
scrim_status sc_sparse_run_ask(const scrim_measurement *measurement, sc_bits *bits,
                               void *run, int64_t query, sc_run_piece *out,
                               scrim_error *error);

/* All of them, for a descriptor's initialiser. */
#define SC_SPARSE_MEMBERS                                                                \
    .discard = sc_sparse_discard, .certify = sc_sparse_certify,                          \
    .answer_count = sc_sparse_answer_count, .draw = sc_sparse_release,                   \
    .width = sc_sparse_key_width, .law = sc_sparse_release_law,                          \
    .outcome = sc_sparse_outcome, .pair_count = sc_sparse_pairs,                         \
    .pair = sc_sparse_pair_at, .change = sc_sparse_change,                               \
    .run_bytes = sizeof(sc_sparse_run), .open = sc_sparse_run_open,                      \
    .ask = sc_sparse_run_ask

#endif
