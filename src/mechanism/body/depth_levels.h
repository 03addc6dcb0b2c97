/* The depth of candidate points: for how few rows a direction can be found in which they lie as far out.
 *
 *     depth(z) = min over directions i of #{rows x : <x, a_i> >= <z, a_i>}
 *
 * Candidates are the lattice points 0, stride, 2 stride, ... of each of at most two coordinates. Those of depth at least l
 * are a polygon, { z : <z, a_i> <= t_i(l) for all i }, t_i(l) the l-th largest place of a row along a_i: a candidate is
 * never looked at by itself, and each line of them meets the polygon in an interval, which two floor divisions for each
 * direction give.
 *
 * The score of a candidate is min(levels, floor(max(0, depth - offset)/step)): a level for each step rows. A depth that moves by r
 * rows moves it by at most ceil(r/step). What is computed and how long it takes depends on public
 * numbers, and not on the rows but in finding t_i.
 *
 * Claim  depth-levels.exact   counts and places are those of the definition, point by point
 * Claim  depth-levels.stable  a row that is added or taken away moves every depth by at most 1, all of them the same way; a
 *                             row that is replaced moves it by at most 1
 *
 * Reference  spec/floating-body.md 8, spec/papers-additions.md 4.2
 */
#ifndef SC_MECHANISM_BODY_DEPTH_LEVELS_H
#define SC_MECHANISM_BODY_DEPTH_LEVELS_H

#include "base/number/ratio.h"
#include "base/status.h"
#include "mechanism/body/body_space.h"
#include "random/bits.h"

typedef struct sc_depth_levels {
    const sc_body_space *space;
    int64_t stride;
    uint64_t points; /* candidates on an axis */
    uint64_t lines;  /* of them: 1 in one dimension */
    uint64_t offset, step, levels;
    uint64_t reached; /* the number of levels that have rows enough */
    int64_t *bounds;  /* t_i(offset + j step), by level j from 1 on and direction */
    /* Told after each direction, whatever the rows are; counting is one step more. NULL: nobody listens. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
} sc_depth_levels;

/* As many candidates on an axis as there are coordinates, or at most points. Levels: their offset, the step of at least 1 between
 * two of them, and how many, at least 1. */
typedef struct sc_depth_scale {
    uint64_t points, offset, step, levels;
} sc_depth_scale;

/* SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_depth_levels_init(sc_depth_levels *d,
                                                 const sc_body_space *space,
                                                 const sc_depth_scale *scale,
                                                 scrim_error *error);
void sc_depth_levels_clear(sc_depth_levels *d); /* wipes; also of zeros */

/* How many candidates there are on an axis. */
uint64_t sc_depth_points(const sc_body_space *space, uint64_t points, int64_t *stride);

/* Finds the levels of rows of coordinates. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_depth_levels_find(sc_depth_levels *d, const int64_t *rows,
                                                 size_t count, scrim_error *error);
/* The candidates of a line with a score of at least level: returns how many they are; they follow one another from *first on. */
uint64_t sc_depth_line(const sc_depth_levels *d, uint64_t level, uint64_t line,
                       uint64_t *first);
/* All candidates with a score of at least level. */
uint64_t sc_depth_count(const sc_depth_levels *d, uint64_t level);

/* The depth of one point of coordinates, which need not be a candidate. */
uint64_t sc_depth_of(const sc_body_space *space, const int64_t *rows, size_t count,
                     const int64_t *point);

/* Weights for very many scores: the ladder of quantile/ladder.h without its limit of 127 bits.
 *
 *     w[0] = 2^32,   w[s + 1] = floor(w[s] ratio / 2^200),   ratio = floor(exp(step) 2^200) - 1
 *
 * Score s stands for exp(step s) up to a common factor. Weights are integers of as many words as they need. They depend
 * on step and top alone, which are public, and are computed once.
 *
 * Claim  depth-ladder.private  w[s] <= w[s + 1] <= exp(step) w[s] for every s, as real numbers; held in integers against another
 *                              approximation of exp(step) when a ladder is built: SCRIM_E_INTERNAL if it ever failed
 * Claim  depth-ladder.exact    a draw has score s and a place below counts[s] with probability exactly w[s] over the sum of all
 *                              w[s] counts[s]
 *
 * Reference  spec/floating-body.md 4.3, spec/papers-additions.md 4.2
 */

/* Words of all weights together, 64 MB. */
#define SC_DEPTH_LADDER_WORDS ((size_t)1 << 23)

typedef struct sc_depth_ladder {
    uint64_t top;    /* the highest score */
    size_t *starts;  /* of the weight of a score among the words; and the end */
    uint64_t *words; /* least significant first, the last of a weight other than 0 */
    size_t capacity; /* of words */
} sc_depth_ladder;

/* step in (0, 20]. SCRIM_E_LIMIT above SC_DEPTH_LADDER_WORDS, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_depth_ladder_init(sc_depth_ladder *ladder,
                                                 const sc_ratio *step, uint64_t top,
                                                 scrim_error *error);
void sc_depth_ladder_clear(sc_depth_ladder *ladder); /* also of zeros */

/* The weight of a score, and how many bits a sum of all weights, each times fewer than 2^64, has at most. */
void sc_depth_ladder_weight(const sc_depth_ladder *ladder, uint64_t score,
                            sc_integer *out);
long sc_depth_ladder_bits(const sc_depth_ladder *ladder);

/* A score and a place below counts[score]. counts has top + 1 numbers, not all of them 0. Every score is looked at, whatever is
 * drawn. SCRIM_E_MEMORY, SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_depth_ladder_draw(const sc_depth_ladder *ladder,
                                                 sc_bits *bits, const uint64_t *counts,
                                                 uint64_t *score, uint64_t *place,
                                                 scrim_error *error);

#endif
