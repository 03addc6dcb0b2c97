/* Weights of public bins that are multiplied towards what was released, in integers alone.
 *
 *     A(u) = N w(u)/sum w, w(u) = exp(l(u) - max l), l in 2^-32, w in 2^-40
 *     a step towards y:  l(u) += q(u) (y - q(A))/(2 N)
 *
 * Everything here is public: weights follow from releases and parameters. They are integers so that the same releases
 * give the same weights on every machine, and the law of what is released next can be listed.
 *
 * Claim  fixed-weights.update  a step is that of multiplicative weights, but for what fixed-point numbers lack
 *
 * Reference  Hardt, Ligett, McSherry 2012; spec/mechanisms.md 10.3
 */
#ifndef SC_MECHANISM_LINEAR_WEIGHT_QUERIES_H
#define SC_MECHANISM_LINEAR_WEIGHT_QUERIES_H

#include "mechanism/linear/linear_matrix.h"
#include "mechanism/sparse/sparse_run.h"
#include "model/mechanism.h"

typedef struct sc_fixed_weights {
    size_t bins;
    int64_t total, steps; /* N, at most 2^31; of the coefficient 1, at most 1024 */
    int64_t logs[SC_LINEAR_BINS];
    int64_t weights[SC_LINEAR_BINS];
    int64_t sum; /* of the weights */
} sc_fixed_weights;

/* All bins alike. */
void sc_fixed_weights_start(sc_fixed_weights *out, size_t bins, int64_t total,
                            int64_t steps);
/* floor(q(A) + 1/2), in steps. */
int64_t sc_fixed_weights_answer(const sc_fixed_weights *w, const sc_linear_matrix *matrix,
                                size_t query);
/* floor(A(u) + 1/2). */
int64_t sc_fixed_weights_count(const sc_fixed_weights *w, size_t bin);
/* One step towards the answer y, in steps, from 0 to N. */
void sc_fixed_weights_learn(sc_fixed_weights *w, const sc_linear_matrix *matrix,
                            size_t query, int64_t y);
/* One step of a given length: l(u) += q(u) by, by in 2^-32. */
void sc_fixed_weights_step(sc_fixed_weights *w, const sc_linear_matrix *matrix,
                           size_t query, int64_t by);

/* Shared by MWEM and private multiplicative weights on line: linear queries about the counts of
 * public bins, a public
 * number of rows, and the noise of a value.
 *
 * A value is q(x) with Laplace noise, in steps, brought into 0 to N: what lies beyond says nothing that the ends do
 * not, as no model answers more. So values are finitely many, and a law can be listed.
 *
 * Claim  weight-queries.move   one unit moves q(x), and |q(x) - a| for any a, by at most r max q, under both relations
 * Claim  weight-queries.value  the law of a value is exactly that
 *
 * Reference  spec/synthetic.md 1.1, 4
 */

/* The parameters, for the lists. */
#define SC_WEIGHT_PARAMETERS                                                             \
    SC_RULE_POSITIVE("epsilon", "2^-20", "1000",                                         \
                     "a rational above 0, from 9.6e-7 to 1000"),                         \
        SC_LINEAR_MATRIX_PARAMETERS,                                                     \
        {.name = "total",                                                                \
         .kind = SC_PARAMETER_INTEGER,                                                   \
         .at_least = "1",                                                                \
         .limit_high = "2^31",                                                           \
         .domain = "the public number of rows, an integer from 1 to 2147483648"},        \
        SC_RULE_COUNT("max-rows", "2^10",                                                \
                      "the most rows of one unit, an integer from 1 to 1024"),           \
        SC_RULE_COUNT(                                                                   \
            "max-count", "2^31",                                                         \
            "the most rows of one bin that count, an integer from 1 to 2147483648"),     \
    {                                                                                    \
        .name = "grid", .kind = SC_PARAMETER_RATIONAL, .optional = true, .above = "0",   \
        .domain = "a step that divides 1"                                                \
    }

/* All members 0: no queries yet, and clearing them does nothing. */
typedef struct sc_weight_queries {
    sc_linear_matrix matrix;
    int64_t total, steps; /* N; of the coefficient 1 */
    int64_t move;         /* D, in steps */
    sc_sparse_noise noise;
    bool has_noise;
} sc_weight_queries;

/* Reads them. */
SCRIM_MUST_USE scrim_status sc_weight_queries_read(const scrim_measurement *measurement,
                                                   sc_weight_queries *out,
                                                   scrim_error *error);
/* Likewise where both coefficients and workload may be left out: queries are then asked one by one. */
SCRIM_MUST_USE scrim_status sc_weight_queries_read_any(
    const scrim_measurement *measurement, sc_weight_queries *out, scrim_error *error);
/* Noise of scale D/epsilon for each value. SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_weight_queries_set_noise(sc_weight_queries *queries,
                                                        const sc_ratio *epsilon,
                                                        scrim_error *error);
void sc_weight_queries_clear(sc_weight_queries *queries);

/* How many values there are: 0 to N, in steps. */
int64_t sc_weight_queries_values(const sc_weight_queries *queries);
/* q(x) of one query, in steps. */
int64_t sc_weight_queries_truth(const sc_linear_matrix *matrix, size_t query,
                                const int64_t *counts);
/* q(x) of every query, in steps. */
void sc_weight_queries_answer(const sc_weight_queries *queries,
                              const sc_private_input *input, int64_t *out);
/* truth + noise, brought into 0 to N. */
int64_t sc_weight_queries_value(const sc_weight_queries *queries, int64_t truth,
                                sc_int128 noise);
/* The probability of one value. */
void sc_weight_queries_mass(const sc_weight_queries *queries, int64_t truth,
                            int64_t value, long bits, sc_ball *out);

/* Neighbours for the audit: up to two rows in the first and in the last bin, and the rows of a unit in any bin; under
 * replace they come from the first one. How many, and each. */
size_t sc_weight_queries_pairs(const sc_weight_queries *queries);
void sc_weight_queries_pair(const scrim_measurement *measurement,
                            const sc_weight_queries *queries, size_t index, sc_pair *out);

#endif
