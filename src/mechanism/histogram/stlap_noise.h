/* The numbers behind shifted truncated Laplace noise on the bars of a histogram: which delta an
 * epsilon and a q have, and which q, or which epsilon, has a delta.
 *
 * A unit owns up to group elements, and on one side of a change it moves all of them; under add-remove
 * there is one side, under replace there are two, what it takes away and what it brings. The noise
 * of epsilon, on a bar that moves by b, has the loss b epsilon at most, but for the mass P(Z > -b)
 * that only the larger count can give. All of a side in one bar is the worst: P(Z <= -a-b) is at
 * most P(Z <= -a) P(Z <= -b), the law being log-concave. So at sides group epsilon
 *
 *     delta = 1 - (1 - P(Z > -group))^sides
 *
 * which of one element is P(Z = 0), and attained.
 *
 * Claim  stlap-noise.delta    the ball holds that number
 * Claim  stlap-noise.least-q  q_of finds the least q whose delta is certainly at most the wanted
 *                             one
 * Claim  stlap-noise.epsilon  epsilon_of finds an epsilon with at most the wanted delta, less than
 *                             2^-40 of it above the least one
 *
 * Reference  spec/flexible-accuracy.md 5.1, 5.3, 5.5
 */
#ifndef SC_MECHANISM_HISTOGRAM_STLAP_NOISE_H
#define SC_MECHANISM_HISTOGRAM_STLAP_NOISE_H

#include "base/number/ball.h"
#include "base/status.h"
#include "model/mechanism.h"
#include "sampling/blocks.h"
#include "sampling/constant_table.h"
#include "sampling/law.h"

#define SC_STLAP_Q_MAX ((uint64_t)INT32_MAX)
#define SC_STLAP_BITS 256

/* 1 - (1 - d)^sides, sides 1 or 2. */
void sc_stlap_sides(const sc_ball *d, unsigned sides, long bits, sc_ball *out);

/* The delta at sides group epsilon of noise of epsilon > 0 and q; 1 where group is above q. */
void sc_stlap_delta(const sc_ratio *epsilon, uint64_t q, uint64_t group, unsigned sides,
                    long bits, sc_ball *out);

/* The least q with at most this delta, 0 < delta < 1; SCRIM_E_LIMIT when it is above
 * SC_STLAP_Q_MAX. epsilon is that of the noise. */
SCRIM_MUST_USE scrim_status sc_stlap_q_of(const sc_ratio *epsilon, const sc_ratio *delta,
                                          uint64_t group, unsigned sides, uint64_t *q,
                                          scrim_error *error);
/* The least epsilon, for one element and one side, rounded up; 0 where every epsilon will do, which
 * no noise can have. SCRIM_E_PARAM where none will: q is 1 and delta below 1/2. */
SCRIM_MUST_USE scrim_status sc_stlap_epsilon_of(uint64_t q, const sc_ratio *delta,
                                                sc_ratio *epsilon, scrim_error *error);

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
/* Its law alone, for callers that draw nothing; always the exact one. */
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

/* The delta of a table at group epsilon, one side; 1 without a guarantee. */
void sc_stlap_table_delta(const sc_constant_table *table, uint64_t group, sc_ratio *out);
/* And its delta at any epsilon >= 0, for a bar that moves by 1. */
void sc_stlap_table_delta_at(const sc_constant_table *table, const sc_ratio *epsilon,
                             long bits, sc_ball *out);
/* out += max(0, more - less): a term of a delta. */
void sc_stlap_add_excess(sc_ball *out, const sc_ball *more, const sc_ball *less,
                         long bits);

/* The neighbouring histograms on which the audit looks at shifted truncated Laplace noise.
 *
 * A bar of n elements and one of n + group, for each n up to 2q + 2; a unit of several elements
 * also divided between two bars. Under replace one bar loses what another gets; the last pair
 * attains both ends, so that delta at epsilon is reached, unless its law is very long. Where laws
 * are long, sizes are skipped evenly, and of two bars small ones are looked at: an answer's law is
 * the product of theirs. Bars that do not change have the same law on both sides and say nothing.
 */

/* The public facts that decide the pairs. */
typedef struct sc_stlap_sizes {
    bool is_replace;
    uint64_t q, group;
} sc_stlap_sizes;

size_t sc_stlap_pair_count(sc_stlap_sizes sizes);
void sc_stlap_pair(sc_stlap_sizes sizes, size_t index, sc_pair *out);

#endif
