/* The one pass over a table: rows, bounded by unit, become exact sums by group.
 *
 *     sc_grouping_new(&plan, bits, &grouping, &error);
 *     // every worker of the scan, with the rows it has
 *     sc_grouping_take(grouping, worker, &rows, &error);
 *     sc_grouping_finish(grouping, &groups, &error);
 *     sc_grouping_free(grouping);
 *
 * Workers put rows into parts by the hash of their unit (unit_rows.h); when all rows are there, parts are
 * taken one by one by any worker, units are brought together (unit_table.h), bounded (bound.h) and
 * summed. A worker whose rows take more memory than its share of the plan's makes them fewer, or
 * writes them to a file that nobody else can read (unit_room.h). Nothing depends on the order of
 * rows or on who has had which of them, nor on what went to a file. Where each row is a unit,
 * nothing is to be bounded and rows are summed as they come.
 *
 * Everything here is exact and not private: only what a mechanism makes of it may be shown. Once
 * rows come, only memory can fail, to which the folder for temporary files belongs; and random bits
 * for the key of a file.
 *
 * Claim  group.exact       counts and sums are those of the bounded rows, in integers; within the
 *                          limits of a plan, which are checked before a row is seen, they cannot
 *                          overflow (A14, A16)
 * Claim  group.any-order   they are the same for any order of rows, blocks and workers (A17)
 * Claim  group.one-unit    all rows of one unit together change at most max_groups groups, each
 *                          by at most one unit, max_rows rows and max_rows times the largest
 *                          |x - centre|, and leave the rows of every other unit alone (A29, A30)
 * Claim  group.declared    public keys come out in full and in the order of the plan, whatever
 *                          rows there are (A55); rows with other keys do not count
 */
#ifndef SC_QUERY_GROUP_H
#define SC_QUERY_GROUP_H

#include "base/checked.h"
#include "base/text.h"
#include "data/value_hash.h"
#include "random/bits.h"

/* Beyond these a plan is SCRIM_E_LIMIT. */
#define SC_GROUP_VALUES 256
#define SC_GROUP_KEYS (1 << 26)
#define SC_GROUP_RANGE ((int64_t)1 << 62)
#define SC_GROUP_SQUARED ((int64_t)1 << 31)
#define SC_GROUP_BARS (1 << 18)
/* For rows of units, where a plan does not say. */
#define SC_GROUP_MEMORY_BYTES ((size_t)1 << 28)

/* A number of each row that is summed. All of it public. */
typedef struct sc_group_value {
    int64_t low,
        high;       /* at most SC_GROUP_RANGE to either side; values are clamped to it */
    int64_t centre; /* from low to high: sums are of x - centre */
    bool has_squares; /* also of (x - centre)^2, where |x - centre| <= SC_GROUP_SQUARED */
    bool has_list;    /* also the values themselves, in ascending order */
    /* Also how many rows are in each bucket of this width (bar_grid.h), at most SC_GROUP_BARS of
     * them; 0: no. */
    int64_t bar_width;
} sc_group_value;

typedef struct sc_group_plan {
    bool has_units; /* else each row is a unit of its own */
    uint64_t max_groups, max_rows;
    const sc_group_value *values;
    size_t value_count;
    bool has_keys; /* public keys, at least one; else groups are discovered */
    const sc_text *keys;
    size_t key_count;
    sc_value_key hash_key; /* of units and keys: that of the table's request, fresh */
    unsigned workers;
    /* How many discovered keys, and bytes of them, a worker holds in memory; where there are more,
     * groups come part by part (sc_grouping_part). 0: all of them. */
    size_t held_keys, held_bytes;
    /* Rows of units are made fewer or go to a file when they take more; 0: a quarter of 2^30. */
    size_t memory_bytes;
} sc_group_plan;

/* Rows, column by column. 16 bytes behind each unit and key are readable; a row whose unit is empty or
 * longer than 4096 bytes does not count. */
typedef struct sc_group_rows {
    size_t count;
    const int64_t *where; /* 0: the row does not count; NULL: all do */
    const sc_text *units;
    const uint64_t *unit_hashes;
    const sc_text *keys; /* NULL: all rows belong to the plan's first key, a public one */
    const uint64_t *key_hashes;
    const int64_t *const *values;
} sc_group_rows;

typedef struct sc_group {
    sc_text key;
    uint64_t rows, units;
    const sc_int128 *sums;    /* by value */
    const sc_int128 *squares; /* by value; 0 where they were not asked for */
    /* By value, as many as rows; NULL where they were not asked for, and when none were. */
    const int64_t *const *lists;
    const sc_uint128 *const *bars; /* by value, by bucket; as lists */
} sc_group;

/* Public keys: all, in the order of the plan. Discovered ones: those with a unit, in bytewise
 * order. */
typedef struct sc_groups {
    const sc_group *groups;
    size_t count;
} sc_groups;

typedef struct sc_grouping sc_grouping;

/* Draws the keys of bounding. The plan is copied, with its values and keys. SCRIM_E_PARAM for a
 * plan that is none, SCRIM_E_LIMIT, SCRIM_E_ENTROPY, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_grouping_new(const sc_group_plan *plan, sc_bits *bits,
                                            sc_grouping **out, scrim_error *error);
void sc_grouping_free(sc_grouping *grouping);

/* Takes rows, copying what it keeps. Workers go from 0 to plan.workers - 1, and may call at the
 * same time, each for itself. SCRIM_E_MEMORY, SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_grouping_take(sc_grouping *grouping, unsigned worker,
                                             const sc_group_rows *rows,
                                             scrim_error *error);

/* After the last row, once. What it gives lives as long as grouping. Where keys are more than the plan
 * lets workers hold it gives no groups, and sc_grouping_parts says how many parts have them.
 * SCRIM_E_MEMORY, SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_grouping_finish(sc_grouping *grouping, sc_groups *out,
                                               scrim_error *error);
/* 0: all groups are there. */
size_t sc_grouping_parts(const sc_grouping *grouping);
/* In which part a key is. */
size_t sc_grouping_part_of(const sc_grouping *grouping, sc_text key);
/* The groups of a part, in bytewise order, until the next call. SCRIM_E_MEMORY, SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_grouping_part(sc_grouping *grouping, size_t part,
                                             sc_groups *out, scrim_error *error);

#endif
