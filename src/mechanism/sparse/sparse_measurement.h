/* What the mechanisms of the sparse vector family have in common: their parameters, what a
 * measurement holds, and everything but their check and their cost. */
#ifndef SC_MECHANISM_SPARSE_MEASUREMENT_H
#define SC_MECHANISM_SPARSE_MEASUREMENT_H

#include "mechanism/sparse/sparse_law.h"
#include "mechanism/sparse/sparse_pairs.h"
#include "mechanism/sparse/sparse_renyi.h"
#include "model/measurement.h"

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

/* What a measurement holds. */
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
size_t sc_sparse_pairs(const scrim_measurement *measurement);
void sc_sparse_pair_at(const scrim_measurement *measurement, size_t index, sc_pair *out);
void sc_sparse_change(const scrim_measurement *measurement, sc_change *out);
scrim_status sc_sparse_run_open(const scrim_measurement *measurement, sc_bits *bits,
                                void *run, scrim_error *error);
scrim_status sc_sparse_run_ask(const scrim_measurement *measurement, sc_bits *bits,
                               void *run, int64_t query, sc_mark *mark, sc_int128 *value,
                               bool *has_halted, scrim_error *error);

/* All of them, for a descriptor's initialiser. */
#define SC_SPARSE_MEMBERS                                                                \
    .discard = sc_sparse_discard, .certify = sc_sparse_certify,                          \
    .answer_count = sc_sparse_answer_count, .draw = sc_sparse_release,                   \
    .width = sc_sparse_key_width, .law = sc_sparse_release_law,                          \
    .pair_count = sc_sparse_pairs, .pair = sc_sparse_pair_at,                            \
    .change = sc_sparse_change, .run_bytes = sizeof(sc_sparse_run),                      \
    .open = sc_sparse_run_open, .ask = sc_sparse_run_ask

#endif
