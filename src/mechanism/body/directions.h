/* Public directions, and the integer arithmetic that makes them: vectors of length 1 in fixed
 * point, without floating point, so that the same
 * choice gives the same directions on every machine.
 *
 * A number x is held as the integer nearest to x 2^40. All of it is public: nothing here sees a row.
 *
 * Claim  direction-arithmetic.near  sines and cosines are within 2^-36 of the truth, and vectors that are made
 *                                   orthonormal have products within 2^-34 of those of orthonormal ones
 */
#ifndef SC_MECHANISM_BODY_DIRECTIONS_H
#define SC_MECHANISM_BODY_DIRECTIONS_H

#include "base/checked.h"
#include "base/number/ratio.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SC_DIRECTION_FIXED 40
#define SC_DIRECTION_ONE ((int64_t)1 << SC_DIRECTION_FIXED)

/* The point of the circle at turn/turns of a whole turn; turns is a multiple of 4, below 2^20. Points that mirror one
 * another do so exactly. */
void sc_direction_circle(uint64_t turn, uint64_t turns, int64_t *x, int64_t *y);

/* Public directions in which quantiles are asked for: unit vectors, rounded once to multiples of 2^-30. The rounded
 * ones are the directions of the release.
 *
 *     axes         the coordinates, both signs: 2 d
 *     pairs        the axes, and (e_i +- e_j)/sqrt 2, both signs: 2 d^2
 *     frames       orthonormal frames, both signs, the axes first: 2 d for each; their sum of a a^T is a multiple of
 *                  the identity
 *     equiangular  for two coordinates: points of the circle, a multiple of 4
 *     sequence     the axes, and points that fill the sphere evenly, both signs
 *     given        the caller's own, of length 1
 *
 * Frames and sequences are functions of a public seed. For one coordinate there are two directions, whatever the kind.
 *
 * Claim  directions.public   they are a function of kind, dimension, count and seed
 * Claim  directions.rounded  each is the given or computed vector of length 1, its entries within 2^-30 of it
 */

#define SC_DIRECTION_BITS 30
#define SC_DIRECTION_DIMENSIONS 64
#define SC_DIRECTIONS_MAX 4096

typedef enum sc_direction_kind {
    SC_DIRECTIONS_FRAMES,
    SC_DIRECTIONS_AXES,
    SC_DIRECTIONS_PAIRS,
    SC_DIRECTIONS_EQUIANGULAR,
    SC_DIRECTIONS_SEQUENCE,
    SC_DIRECTIONS_GIVEN
} sc_direction_kind;

/* The names, ended by NULL, in this order. */
extern const char *const sc_direction_kinds[];

#define SC_DIRECTION_ALONE SIZE_MAX

typedef struct sc_directions {
    size_t dimension, count;
    int32_t *entries; /* by direction, in units of 2^-30 */
    size_t *
        mirrors; /* the direction before it that it is the negative of, or SC_DIRECTION_ALONE */
} sc_directions;

typedef struct sc_directions_question {
    sc_direction_kind kind;
    size_t dimension;
    size_t count; /* 0: the usual number of the kind */
    uint64_t seed;
    const sc_ratio *given; /* count dimension numbers */
} sc_directions_question;

/* SCRIM_E_PARAM, naming "directions", "dimensions" or "count", for a kind that has no such number
 * of directions, and for a given vector
 * whose squared length differs from 1 by more than 10^-12; SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_directions_init(sc_directions *directions,
                                               const sc_directions_question *question,
                                               scrim_error *error);
void sc_directions_clear(sc_directions *directions); /* also of zeros */

static inline const int32_t *sc_direction_at(const sc_directions *directions, size_t i)
{
    return directions->entries + i * directions->dimension;
}

#endif
