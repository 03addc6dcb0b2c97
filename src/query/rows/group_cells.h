/* The sums of many groups, as they are being made: a few 128-bit cells a group, which add up in
 * any order. Values are held as y = x - low >= 0, in as few bytes as their public range needs; of
 * those that may be NULL as x - low + 1, and NULL is 0: bounding, which hashes these bytes, tells it
 * from every value.
 *
 * Claim  group-cells.total  a unit adds to a total what its present values in the group add up to,
 *                           clamped, in integers that cannot overflow (2.3 of spec/query-semantics.md)
 * Claim  group-cells.scaled  scaled totals of a unit add up to at most total_all without their signs, none is farther from
 *                           0 than before or on its other side, and all are as they were where they fit
 * Claim  group-cells.null  a value that is NULL adds nothing to any sum of its own (X3 of
 *                          spec/query-semantics.md)
 */
#ifndef SC_QUERY_GROUP_CELLS_H
#define SC_QUERY_GROUP_CELLS_H

#include "base/memory.h"
#include "data/value/value.h"
#include "query/language/extent.h"
#include "query/rows/bound.h"
#include "query/rows/group_plan.h"

#include <string.h>

typedef struct sc_cell_value {
    int64_t low, high, centre;
    uint64_t first; /* y of the lowest value: 1 where 0 is NULL */
    size_t
        present; /* the cell of how many there are: that of all rows where none is NULL */
    unsigned width; /* bytes: 0, 1, 2, 4 or 8 */
    size_t offset;  /* among the packed values */
    size_t squares; /* its cell; 0: none */
    bool has_list;
    int64_t to_low; /* low - centre, where there are squares */
    size_t bars;    /* the cell of the first bucket; 0: none */
    sc_bar_grid grid;
    size_t total; /* the cell of the units' totals, modulo 2^128; 0: none */
    int64_t total_low, total_high;
    int64_t total_all; /* of all groups of a unit together; 0: each is by itself */
    bool is_cut;       /* by its total */
} sc_cell_value;

/* The cells of a group: rows, units, the sums; then how many are present, the squares, the
 * totals and the buckets of each value that has them. */
#define SC_CELL_ROWS 0
#define SC_CELL_UNITS 1
#define SC_CELL_SUMS 2
typedef struct sc_cell_plan {
    sc_cell_value *values;
    size_t value_count;
    size_t list_count;  /* values of which there are lists */
    size_t bars_count;  /* values of which there are buckets */
    size_t total_count; /* values of which there are totals */
    size_t packed_bytes;
    size_t stride; /* cells a group */
} sc_cell_plan;

/* The argument of a visitor of units (group_plan.h). */
struct sc_group_unit {
    uint64_t hash;
    sc_unit_row *rows; /* those that are alike may be several entries */
    size_t count;
    const sc_cell_plan *plan; /* of their values */
    sc_bound *bound;          /* by the bounds of the plan */
    const uint64_t *tokens;
};

typedef struct sc_cells {
    sc_uint128 *cells;
    size_t groups; /* there is room for */
    size_t stride;
} sc_cells;

/* SCRIM_E_PARAM, SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_cell_plan_init(sc_cell_plan *plan,
                                              const sc_group_value *values, size_t count,
                                              scrim_error *error);
void sc_cell_plan_clear(sc_cell_plan *plan);

/* Zeros are no cells. Makes room for at least `groups` groups; new ones are 0. */
SCRIM_MUST_USE scrim_status sc_cells_reserve(sc_cells *cells, const sc_cell_plan *plan,
                                             size_t groups, scrim_error *error);
void sc_cells_clear(sc_cells *cells);
/* Adds one group's cells to another's. */
void sc_cells_merge(const sc_cells *to, size_t to_group, const sc_cells *from,
                    size_t from_group);

/* The values of count rows from this one on, clamped, packed one row behind the other. */
void sc_cell_pack(const sc_cell_plan *plan, const int64_t *const *values, size_t from,
                  size_t count, unsigned char *packed);

static inline uint64_t sc_cell_unpack(const sc_cell_value *value,
                                      const unsigned char *packed)
{
    const unsigned char *at = packed + value->offset;
    uint64_t y = 0;
    uint32_t y32;
    uint16_t y16;
    if (value->width == 1)
        return at[0];
    if (value->width == 2)
        return memcpy(&y16, at, sizeof y16), y16;
    if (value->width == 4)
        return memcpy(&y32, at, sizeof y32), y32;
    if (value->width == 8)
        memcpy(&y, at, sizeof y);
    return y;
}

/* Adds all copies of a row to its group. */
static inline void sc_cells_add(const sc_cells *cells, const sc_cell_plan *plan,
                                const sc_unit_row *row)
{
    sc_uint128 *own = cells->cells + (size_t)row->group * cells->stride;
    own[SC_CELL_ROWS] += row->copies;
    for (size_t i = 0; i < plan->value_count; i++) {
        const sc_cell_value *value = &plan->values[i];
        const uint64_t packed = sc_cell_unpack(value, row->content);
        /* No copy of NULL counts; the steps are the same. */
        const uint64_t is_there = packed >= value->first,
                       y = packed - (value->first & is_there),
                       copies = row->copies & (0 - is_there);
        own[SC_CELL_SUMS + i] += (sc_uint128)y * copies;
        if (value->present != SC_CELL_ROWS)
            own[value->present] += copies;
        if (value->squares != 0) {
            const int64_t d = (int64_t)y + value->to_low;
            own[value->squares] += (sc_uint128)(uint64_t)(d * d) * copies;
        }
        if (value->bars != 0)
            own[value->bars +
                sc_bar_grid_place(&value->grid, (int64_t)(y + (uint64_t)value->low))] +=
                copies;
    }
}

/* Adds the rows of a unit, those of a group side by side, and the unit to each of its groups. */
void sc_cells_add_unit(const sc_cells *cells, const sc_cell_plan *plan,
                       const sc_unit_row *rows, size_t count);

/* The sum of the totals of a unit in all of its groups, whose rows these are, without their signs; 0 where they are not
 * scaled. */
sc_int128 sc_totals_reach(const sc_cell_value *value, const sc_unit_row *rows,
                          size_t count);
/* The clamped sum of all rows of a unit in a group, which lie side by side, scaled where its reach is too far. */
sc_int128 sc_cell_total(const sc_cell_value *value, const sc_unit_row *rows, size_t count,
                        sc_int128 reach);
/* Is a total of a unit clamped, of those by which it counts as cut? Rows as below. */
bool sc_cells_are_clamped(const sc_cell_plan *plan, const sc_unit_row *rows,
                          size_t count);
/* Adds the totals of a unit: all rows of its groups, those of a group side by side. */
void sc_cells_add_totals(const sc_cells *cells, const sc_cell_plan *plan,
                         const sc_unit_row *rows, size_t count);

/* How many rows of a group have a value. */
uint64_t sc_cells_present(const sc_cells *cells, const sc_cell_plan *plan, size_t group,
                          size_t value);
/* The value of a row as it was, or NULL. */
static inline int64_t sc_cell_value_of(const sc_cell_value *value,
                                       const unsigned char *packed)
{
    const uint64_t y = sc_cell_unpack(value, packed);
    return y < value->first ? SC_NULL
                            : (int64_t)(y - value->first + (uint64_t)value->low);
}

/* The sum of x - centre over a group. */
sc_int128 sc_cells_sum(const sc_cells *cells, const sc_cell_plan *plan, size_t group,
                       size_t value);
/* The clamped totals of the units in a group, added up; 0 where they were not asked for. */
sc_int128 sc_cells_total(const sc_cells *cells, const sc_cell_plan *plan, size_t group,
                         size_t value);
sc_int128 sc_cells_squares(const sc_cells *cells, const sc_cell_plan *plan, size_t group,
                           size_t value);

#endif
