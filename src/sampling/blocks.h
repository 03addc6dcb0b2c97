/* The fast implementation to every noise law: magnitudes M >= 0 with P(M) ~ exp(-rate M) or
 * exp(-rate M^2), with or without a sign, with or without a bound.
 *
 * Claim  blocks.exact  the law of a draw is exactly that, tails included
 *
 * Where the law is short (a scale below 32, a sigma below 64, a bound below 512) a threshold
 * table over the magnitudes gives a draw a word. Where it is long, magnitudes are cut into blocks of
 * 2^shift, some 16 to 32 to a scale: the table draws the block, with the weight of its
 * first element; the offset in it is uniform; and the pair is kept with probability
 * exp(-(exponent - exponent at the block's first element)), a number close to 1, by von
 * Neumann's coin on exact rationals. A block beyond the table (e^-16 of the mass, or 8
 * sigma) is drawn by the reference sampler from the exact conditional law of blocks.
 * Nothing is rounded and nothing is cut.
 *
 * A long law takes three words a draw as a rule. Drawing allocates where big integers are
 * needed, and nowhere else: where a word lies within 2^-60 of a coin's border, where it agrees
 * with 127 digits of a threshold, and beyond the table for the square and for a rate that does
 * not fit machine words. That is less than one draw in 10^6, and one in 10^14 for the square.
 */
#ifndef SC_SAMPLING_BLOCKS_H
#define SC_SAMPLING_BLOCKS_H

#include "sampling/bernoulli.h"
#include "sampling/threshold_table.h"

/* The signs that a magnitude M may get. */
typedef enum sc_sides {
    SC_SIDES_ONE,  /* M */
    SC_SIDES_BOTH, /* M or -M, each as likely; 0 once */
    SC_SIDES_TWICE /* M or -1-M, each as likely: a law whose centre lies between -1 and
                    * 0 */
} sc_sides;

typedef struct sc_blocks_law {
    sc_sides sides;
    bool is_square;  /* exp(-rate M^2), else exp(-rate M) */
    bool is_bounded; /* M <= bound; not for is_square */
    uint64_t bound;  /* at most 2^60 */
} sc_blocks_law;

typedef struct sc_blocks {
    sc_threshold_table table;
    sc_blocks_law law;
    sc_ratio rate;
    sc_fraction rate_parts;
    sc_fraction tail_scale; /* of the geometric number beyond the table */
    uint64_t rate_mantissa; /* rate = (mantissa + [0,1)) 2^-rate_exponent, top bit set */
    long rate_exponent;
    unsigned shift; /* blocks are 2^shift long; 0: no offset, no coin */
    uint32_t count; /* blocks in the table */
    bool is_narrow; /* every draw fits an int64_t */
} sc_blocks;

/* rate > 0; the scale 1/rate, or sigma = (2 rate)^(-1/2), is at most 2^60. */
SCRIM_MUST_USE scrim_status sc_blocks_init(sc_blocks *blocks, const sc_blocks_law *law,
                                           const sc_ratio *rate, scrim_error *error);
/* The same by the shape that a law has: the scale, or of a square the variance. */
SCRIM_MUST_USE scrim_status sc_blocks_init_shape(sc_blocks *blocks,
                                                 const sc_blocks_law *law,
                                                 const sc_ratio *shape,
                                                 scrim_error *error);
void sc_blocks_clear(sc_blocks *blocks);
/* Fails as sc_blocks_init_shape does for a shape that is too wide, without the work of making a table. */
SCRIM_MUST_USE scrim_status sc_blocks_check_shape(const sc_blocks_law *law,
                                                  const sc_ratio *shape,
                                                  scrim_error *error);

/* Fills out with draws; on failure what it holds says nothing. The narrow form is for is_narrow
 * laws only. */
SCRIM_MUST_USE scrim_status sc_blocks_fill(sc_bits *bits, const sc_blocks *blocks,
                                           size_t count, int64_t *out,
                                           scrim_error *error);
SCRIM_MUST_USE scrim_status sc_blocks_fill_wide(sc_bits *bits, const sc_blocks *blocks,
                                                size_t count, sc_int128 *out,
                                                scrim_error *error);

/* True with probability exp(-rate exponent), rate exponent < 1. */
SCRIM_MUST_USE scrim_status sc_blocks_coin(sc_bits *bits, const sc_blocks *blocks,
                                           sc_uint128 exponent, bool *out,
                                           scrim_error *error);
/* Is a uniform real with these first 64 digits below rate exponent / k? */
SCRIM_MUST_USE scrim_status sc_blocks_below(sc_bits *bits, const sc_blocks *blocks,
                                            sc_uint128 exponent, uint64_t k,
                                            uint64_t word, bool *out, scrim_error *error);

#endif
