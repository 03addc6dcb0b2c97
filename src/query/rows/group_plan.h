/* The data of a grouping (group.h): its plan, the rows that it takes, the groups that it gives. */
#ifndef SC_QUERY_GROUP_PLAN_H
#define SC_QUERY_GROUP_PLAN_H

#include "base/checked.h"
#include "base/status.h"
#include "base/text.h"
#include "data/value/contribution.h"
#include "data/value/value.h"
#include "query/rows/cut.h"

/* Beyond these a plan is SCRIM_E_LIMIT. */
#define SC_GROUP_VALUES 256
#define SC_GROUP_KEYS (1 << 26)
#define SC_GROUP_RANGE ((int64_t)1 << 62)
#define SC_GROUP_SQUARED ((int64_t)1 << 31)
#define SC_GROUP_BARS (1 << 18)
/* For rows of units, where a plan does not say. */
#define SC_GROUP_MEMORY_BYTES ((size_t)1 << 28)

/* A number of each row that is summed, where it is present. All of it public. */
typedef struct sc_group_value {
    int64_t low,
        high;       /* at most SC_GROUP_RANGE to either side; values are clamped to it */
    int64_t centre; /* from low to high: sums are of x - centre */
    bool has_squares; /* also of (x - centre)^2, where |x - centre| <= SC_GROUP_SQUARED */
    bool has_list;    /* also the values themselves, in ascending order */
    /* Also how many rows are in each bucket of this width (extent.h), at most SC_GROUP_BARS of
     * them; 0: no. */
    int64_t bar_width;
    bool is_nullable; /* some may be NULL (value.h), and count for nothing */
    /* Also the sum over units of what all present values of a unit in the group add up to, whatever the
     * number of its rows, clamped to total_low <= 0 <= total_high, at most SC_GROUP_RANGE to either
     * side. Only where rows have units. */
    bool has_total;
    int64_t total_low, total_high;
    /* The totals of a unit in all of its groups together, without their signs, are scaled down to this: a multiple of all of
     * them, each rounded towards 0; 0: they are not. */
    int64_t total_all;
    bool is_cut; /* a unit whose total is clamped counts as cut (cut.h) */
} sc_group_value;

/* The argument of a keeper: the values of a row by their plan (group_cells.h), and its copies (bound.h). */
struct sc_cell_plan;
struct sc_unit_row;

/* All rows of one unit (group_cells.h). */
typedef struct sc_group_unit sc_group_unit;

typedef struct sc_group_plan {
    bool has_units; /* else each row is a unit of its own */
    /* Gets all rows of each unit in place of bounding and summing them, where it is there: for units
     * in one public group. Called by any worker with its own number. */
    scrim_status (*visit)(void *visitor, unsigned worker, const sc_group_unit *unit,
                          scrim_error *error);
    void *visitor;
    sc_bounds bounds; /* whole */
    /* Rows of a unit that are alike count as one row, in a group; and with public keys those whose first value is NULL do not count.
     * Only where rows have units. */
    bool are_distinct;
    /* Counts units by the rows that bounds leave out of them, where it counts any (group.h). Only where rows have units
     * and nobody visits them. */
    sc_cut_plan cut;
    const sc_group_value *values;
    size_t value_count;
    /* Gets each row that stays, with its copies, where it is there: for rows in one public group. Called by any worker with its own
     * number. */
    scrim_status (*keep)(void *keeper, unsigned worker, const struct sc_cell_plan *plan,
                         const struct sc_unit_row *row, scrim_error *error);
    void *keeper;
    bool has_keys; /* public keys, at least one; else groups are discovered */
    const sc_text *keys;
    size_t key_count;
    sc_value_key hash_key; /* of units and keys: that of the table's request, fresh */
    unsigned workers;
    /* How many discovered keys, and bytes of them, a worker holds in memory; where there are more,
     * groups come part by part (group_parts.h). 0: all of them. */
    size_t held_keys, held_bytes;
    /* Rows of units are made fewer or go to a file when they take more; 0: a quarter of 2^30. */
    size_t memory_bytes;
    /* How many rows and bytes the source has at most, and how many rows that are not all alike: what of them may be
     * written to a file is reserved beforehand, up to file_bytes. 0: nothing is reserved. */
    uint64_t most_rows, most_formed, most_bytes, file_bytes;
} sc_group_plan;

/* Rows, column by column. 16 bytes behind each unit and key are readable; a row whose unit is empty or
 * longer than 4096 bytes does not count. */
typedef struct sc_group_rows {
    size_t count;
    const int64_t
        *where; /* 1: the row counts, as nothing else does; no pointer: all do */
    const sc_text *units;
    const uint64_t *unit_hashes;
    const sc_text *keys; /* NULL: all rows belong to the plan's first key, a public one */
    const uint64_t *key_hashes;
    const int64_t *const *values;
} sc_group_rows;

typedef struct sc_group {
    sc_text key;
    uint64_t rows, units;
    const uint64_t *present;  /* by value: the rows that have it */
    const sc_int128 *sums;    /* by value */
    const sc_int128 *squares; /* by value; 0 where they were not asked for */
    const sc_int128 *totals;  /* by value; as squares */
    /* By value, as many as are present; NULL where they were not asked for, and when none were. */
    const int64_t *const *lists;
    const sc_uint128 *const *bars; /* by value, by bucket; as lists */
} sc_group;

/* Public keys: all, in the order of the plan. Discovered ones: those with a unit, in bytewise
 * order. */
typedef struct sc_groups {
    const sc_group *groups;
    size_t count;
} sc_groups;

/* A grouping under way; NULL may be freed. */
typedef struct sc_grouping sc_grouping;
void sc_grouping_free(sc_grouping *grouping);

#endif
