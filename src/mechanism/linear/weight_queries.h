/* What MWEM and private multiplicative weights on line share: linear queries about the counts of public bins, a public
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
#ifndef SC_MECHANISM_WEIGHT_QUERIES_H
#define SC_MECHANISM_WEIGHT_QUERIES_H

#include "mechanism/linear/fixed_weights.h"
#include "mechanism/linear/linear_matrix.h"
#include "mechanism/sparse/sparse_noise.h"
#include "model/mechanism.h"

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

/* All zeros is none. */
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
/* Noise of scale D/epsilon for each value. SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_weight_queries_set_noise(sc_weight_queries *queries,
                                                        const sc_ratio *epsilon,
                                                        scrim_error *error);
void sc_weight_queries_clear(sc_weight_queries *queries);

/* How many values there are: 0 to N, in steps. */
int64_t sc_weight_queries_values(const sc_weight_queries *queries);
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
