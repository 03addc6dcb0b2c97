/* How a budget is divided among numbers that several outputs share.
 *
 * An output's error is made of those of its parts: the error of a part is its weight over its
 * share (noise whose scale is 1/epsilon) or over the root of its share (a share of rho), and parts
 * add up, or as independent noise does: the root of the sum of squares. Each output is held against
 * what it would have if the whole budget were for it alone, and the largest of these ratios is made
 * as small as we can: nobody's question is the one that pays.
 *
 * Integers only, so that a plan is the same on every machine. Shares are counts of units, of which
 * there are SC_SPLIT_UNITS, or ten a part where that is more.
 *
 * Claim  split.whole   every part has a share, and shares add up to the whole exactly
 * Claim  split.fair    of outputs that share nothing each has the same ratio, but for rounding; one
 *                      output's parts have the shares that make its error smallest
 */
#ifndef SC_QUERY_SPLIT_H
#define SC_QUERY_SPLIT_H

#include "base/checked.h"
#include "base/memory.h"

#define SC_SPLIT_UNITS 1000

typedef enum sc_split_law {
    SC_SPLIT_BY_SHARE = 1, /* weight / share */
    SC_SPLIT_BY_ROOT       /* weight / root of share */
} sc_split_law;

typedef enum sc_split_sum {
    SC_SPLIT_ADDED = 1,  /* the sum of errors */
    SC_SPLIT_INDEPENDENT /* the root of the sum of their squares */
} sc_split_sum;

#define SC_SPLIT_TERMS 4

typedef struct sc_split_term {
    size_t part;
    sc_uint128
        weight; /* above 0; only what it is against the others of its output counts */
} sc_split_term;

typedef struct sc_split_output {
    sc_split_sum sum;
    sc_split_term terms[SC_SPLIT_TERMS]; /* of different parts */
    size_t count;                        /* at least 1 */
    sc_uint128 alone; /* its error if it were alone, by another road; 0: by these terms */
} sc_split_output;

typedef struct sc_split_problem {
    sc_split_law law;
    size_t part_count; /* at least 1; each is in some output */
    const sc_split_output *outputs;
    size_t output_count;
} sc_split_problem;

/* How many units there are for so many parts. */
uint64_t sc_split_units(size_t part_count);

/* shares has room for part_count; ratios, for output_count, are in units of 2^-20. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_split_find(const sc_split_problem *problem,
                                          uint64_t *shares, uint64_t *ratios,
                                          scrim_error *error);

#endif
