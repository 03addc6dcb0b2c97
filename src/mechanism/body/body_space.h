/* The common part of the mechanisms of this room: rows of `dimensions` numbers, all on one public grid, and public
 * directions. Made of the parameters of a line; nothing of it depends on rows.
 *
 *     dimensions=N lower=R upper=R [grid=R] [directions=KIND] [count=N] [seed=N] [vectors=R,...] [cells=N]
 *
 * A range of more than 2^24 steps is cut into 2^24 of them, to the nearest.
 */
#ifndef SC_MECHANISM_BODY_SPACE_H
#define SC_MECHANISM_BODY_SPACE_H

#include "mechanism/body/direction_keys.h"
#include "mechanism/selection/quantile_law.h"
#include "model/mechanism.h"

/* Cells of a direction, where none are given. */
#define SC_BODY_USUAL_CELLS ((int64_t)1 << 20)

typedef struct sc_body_space {
    size_t dimension;
    int64_t low;      /* of the grid */
    uint64_t largest; /* steps from low to high */
    int64_t extent;   /* of a coordinate */
    sc_directions directions;
    sc_direction_keys projection;
} sc_body_space;

#define SC_PARAMETER_BODY_DIMENSIONS                                                     \
    SC_RULE_COUNT("dimensions", "64",                                                    \
                  "how many numbers a row has, an integer from 1 to 64")
#define SC_PARAMETERS_BODY_DIRECTIONS                                                    \
    SC_RULE_WORD("directions", sc_direction_kinds,                                       \
                 "frames, axes, pairs, equiangular, sequence or given"),                 \
        SC_RULE_COUNT("count", "4096",                                                   \
                      "how many directions, an integer from 1 to 4096"),                 \
        {.name = "seed",                                                                 \
         .kind = SC_PARAMETER_INTEGER,                                                   \
         .optional = true,                                                               \
         .at_least = "0",                                                                \
         .at_most = "4294967295",                                                        \
         .domain = "an integer from 0 to 4294967295"},                                   \
    {                                                                                    \
        .name = "vectors", .kind = SC_PARAMETER_RATIONALS, .optional = true,             \
        .domain = "the numbers of given directions, one after the other, at most 64"     \
    }
#define SC_PARAMETER_BODY_ROWS                                                           \
    SC_RULE_COUNT("max-rows", "1048576",                                                 \
                  "the rows that one unit may own, an integer from 1 to 1048576")

/* Sets the domain as well. cells is of a direction. As sc_directions_init, sc_direction_keys_init, sc_domain_set_grid. */
SCRIM_MUST_USE scrim_status sc_body_space_init(sc_body_space *space, scrim_measurement *m,
                                               uint64_t cells, scrim_error *error);
void sc_body_space_clear(sc_body_space *space); /* also of zeros */

/* The place of a value for the gate: missing where it is no number. */
int64_t sc_body_space_place(const scrim_measurement *m, size_t index,
                            const sc_ratio *value);

/* The coordinates of a number in steps, or missing as it is. */
int64_t sc_body_space_coordinate(const sc_body_space *space, int64_t steps);

/* The coordinates of all rows; freed by sc_free_wiped. NULL without memory. */
int64_t *sc_body_space_rows(const sc_body_space *space, const sc_private_input *input,
                            size_t *rows);

/* Neighbours for the audit: all small tables of a few points, as quantile_law.h has them for one dimension, of records=N
 * rows. The state of the measurement begins with its space. */
size_t sc_body_space_pair_count(const scrim_measurement *m);
void sc_body_space_pair(const scrim_measurement *m, size_t index, sc_pair *out);

#endif
