/* The neighbours that the audit of a quantile goes through: all small tables on a few points of
 * the range, each with all its neighbours.
 *
 * A pair has rows in common, and beside them rows of one unit: under add-remove x lacks them,
 * under replace x and y have different ones. There are at most SC_QUANTILE_POINTS points,
 * evenly spread, both ends among them, and as many rows as leave at most
 * SC_QUANTILE_PAIRS_MAX pairs.
 */
#ifndef SC_MECHANISM_SELECTION_QUANTILE_PAIRS_H
#define SC_MECHANISM_SELECTION_QUANTILE_PAIRS_H

#include "model/mechanism.h"

#define SC_QUANTILE_POINTS 8
#define SC_QUANTILE_PAIRS_MAX 20000
#define SC_QUANTILE_UNIT_MAX 32

/* For the lists of parameters: the rows that the tables have. */
#define SC_PARAMETER_PAIR_ROWS(high)                                                     \
    SC_RULE_COUNT("records", high,                                                       \
                  "the rows of the tables that the audit looks at, from 1 to " high)

typedef struct sc_quantile_family {
    scrim_neighbours neighbours;
    int64_t low, high; /* of the grid: low < high */
    size_t rows;       /* of the larger table, the unit's own among them */
    size_t unit;       /* rows of the unit; at most rows, and SC_QUANTILE_UNIT_MAX */
} sc_quantile_family;

size_t sc_quantile_pair_count(const sc_quantile_family *family);
void sc_quantile_pair(const sc_quantile_family *family, size_t index, sc_pair *out);

#endif
