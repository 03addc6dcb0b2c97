/* Shifted truncated Laplace noise as it is drawn for the bars of a histogram, by one of two
 * samplers:
 *
 *     exact   P(k) proportional to exp(-epsilon |k + q/2|), k = -q..0 (bounded_laplace.h); its time
 *             depends on the noise
 *     table   integer weights W(0) = D, W(i+1) = floor(W(i) R / 2^f) from either end inwards, R / 2^f
 *             at most e^epsilon (constant_table.h); its time depends on nothing
 *
 * The second is a law of its own, close to the first: neighbouring weights have a ratio from 1 to
 * R / 2^f, and an end has the mass D / T, T their sum. What it costs is computed from the weights.
 *
 * Claim  stlap-sampler.law    a draw has exactly the law that is told
 * Claim  stlap-sampler.table  the table's delta is a rational: the sum of its group outermost
 *                             weights over T; where group is above (q+1)/2, no guarantee
 * Claim  stlap-sampler.curve  the table's delta at any epsilon is the sum over its weights
 *
 * Reference  spec/flexible-accuracy.md 5.6, 5.7
 */
#ifndef SC_MECHANISM_HISTOGRAM_STLAP_SAMPLER_H
#define SC_MECHANISM_HISTOGRAM_STLAP_SAMPLER_H

#include "sampling/blocks.h"
#include "sampling/constant_table.h"
#include "sampling/law.h"

/* f and D of the tables that ship. */
#define SC_STLAP_TABLE_FRACTION 64
#define SC_STLAP_TABLE_EDGE ((uint64_t)1 << 40)

typedef struct sc_stlap_sampler {
    sc_law law; /* of the exact one; its shape is epsilon, its bound q */
    bool is_table;
    bool is_ready;
    sc_blocks blocks;
    sc_constant_table table;
} sc_stlap_sampler;

/* epsilon from 2^-60 to 2^60, q from 1 to 2^31 - 1; of a table what constant_table.h says.
 * SCRIM_E_LIMIT, SCRIM_E_MEMORY. To be cleared also after a failure. */
SCRIM_MUST_USE scrim_status sc_stlap_sampler_init(sc_stlap_sampler *sampler,
                                                  const sc_ratio *epsilon, uint64_t q,
                                                  bool is_table, scrim_error *error);
/* Its law alone, for whoever draws nothing; always the exact one. */
void sc_stlap_sampler_init_law(sc_stlap_sampler *sampler, const sc_ratio *epsilon,
                               uint64_t q);
void sc_stlap_sampler_clear(sc_stlap_sampler *sampler); /* zeros are allowed */

/* Fills out with draws, from -q to 0; on failure what it holds says nothing. */
SCRIM_MUST_USE scrim_status sc_stlap_sampler_fill(sc_bits *bits,
                                                  const sc_stlap_sampler *sampler,
                                                  size_t count, int64_t *out,
                                                  scrim_error *error);

/* P(Z = k) and P(Z <= k). */
void sc_stlap_sampler_mass(const sc_stlap_sampler *sampler, int64_t k, long bits,
                           sc_ball *out);
void sc_stlap_sampler_at_most(const sc_stlap_sampler *sampler, int64_t k, long bits,
                              sc_ball *out);

/* Of a table: its delta at group epsilon, one side; 1 where no guarantee. */
void sc_stlap_table_delta(const sc_constant_table *table, uint64_t group, sc_ratio *out);
/* And its delta at any epsilon >= 0, for a bar that moves by 1. */
void sc_stlap_table_delta_at(const sc_constant_table *table, const sc_ratio *epsilon,
                             long bits, sc_ball *out);
/* out += max(0, more - less): a term of a delta. */
void sc_stlap_add_excess(sc_ball *out, const sc_ball *more, const sc_ball *less,
                         long bits);

#endif
