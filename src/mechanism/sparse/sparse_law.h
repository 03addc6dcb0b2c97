/* The exact law of a sparse vector run on given queries: a probability for each pattern of
 * answers.
 *
 * Given the threshold the queries are independent, so a pattern's probability is a sum over
 * thresholds of a product over queries. The sum is taken over |noise| <= Z, Z so large that what
 * is left out weighs less than 2^-bits, and the rest is enclosed: where the threshold is far
 * below, no query is less likely to be below than at -Z; where it is far above, none is less
 * likely to be above than at Z.
 *
 * An outcome's key is two integers, the number of answers and the pattern (bit i is 1 where
 * query i was above). A numeric run has one more for each answer above, in their order, and 0
 * where there is none: the value, brought into [lower, upper]. Bringing it there loses nothing
 * for the audit when the queries of both neighbours lie inside, since a discrete Laplace law
 * and a shifted one have a constant ratio on either side of both centres.
 *
 * Claim  sparse-law.encloses  every mass is a ball that holds the true probability, and
 *                             together they hold 1
 *
 * Reference  spec/mechanisms.md 9; spec/local-and-accounting.md 7.2
 */
#ifndef SC_MECHANISM_SPARSE_LAW_H
#define SC_MECHANISM_SPARSE_LAW_H

#include "mechanism/sparse/sparse_run.h"

/* A pattern is one integer. */
#define SC_SPARSE_LAW_QUERIES 63
/* Values of numeric answers that a key may hold. */
#define SC_SPARSE_LAW_VALUES 8

typedef struct sc_sparse_range {
    int64_t lower, upper; /* of the values of a numeric run */
} sc_sparse_range;

/* Integers of a key. */
size_t sc_sparse_width(const sc_sparse_plan *plan, size_t count);

/* Of the plan the laws are looked at and not the samplers. SCRIM_E_LIMIT for more than
 * SC_SPARSE_LAW_QUERIES queries, for noise too wide to be summed, for too many outcomes. */
SCRIM_MUST_USE scrim_status sc_sparse_law(const sc_sparse_plan *plan,
                                          const sc_sparse_range *range,
                                          const sc_private_input *input, long bits,
                                          sc_outcomes *out, scrim_error *error);

#endif
