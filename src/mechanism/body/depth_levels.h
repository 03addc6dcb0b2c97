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

#include "mechanism/body/body_space.h"

typedef struct sc_depth_levels {
    const sc_body_space *space;
    int64_t stride;
    uint64_t points; /* candidates on an axis */
    uint64_t lines;  /* of them: 1 in one dimension */
    uint64_t offset, step, levels;
    uint64_t reached; /* so many of the levels have rows enough */
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
/* The candidates of a line with a score of at least level, by their number on it: from first on so many. */
uint64_t sc_depth_line(const sc_depth_levels *d, uint64_t level, uint64_t line,
                       uint64_t *first);
/* All candidates with a score of at least level. */
uint64_t sc_depth_count(const sc_depth_levels *d, uint64_t level);

/* The depth of one point of coordinates, which need not be a candidate. */
uint64_t sc_depth_of(const sc_body_space *space, const int64_t *rows, size_t count,
                     const int64_t *point);

#endif
