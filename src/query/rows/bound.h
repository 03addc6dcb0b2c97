/* Which rows of a unit stay: at most max_groups groups, at most max_rows rows in each, and at most max_total
 * of these.
 *
 * Every group of a unit, and every row in a group, gets a priority by SipHash under keys that are
 * drawn for this query; the smallest stay. The priority of a group is made of the unit and the
 * group's key, that of a row of the unit, the key, the values that the query reads of it, and, for
 * rows that are alike, which of them it is: the first, the second, ... Rows that are alike can be
 * exchanged, so neither the order of rows nor who has read them matters.
 *
 * Claim  bound.own-rows   for given keys, what stays of a unit depends on the unit's own rows, as
 *                         a multiset, and on nothing else: neighbours differ in one unit's rows
 * Claim  bound.limits     at most max_groups groups stay, at most max_rows rows of each, and at most
 *                         max_total rows; what is within the limits stays whole
 * Claim  bound.uniform    over the choice of keys, each set of max_groups groups, each set of
 *                         max_rows rows of a group, and each set of max_total rows where rows and groups
 *                         are not bounded otherwise, is equally likely, and units are independent
 * Claim  bound.in-parts   bounding some of a unit's rows by groups alone (SC_BOUND_EARLY), and then
 *                         what stays with the rest, gives what bounding all at once does
 * Claim  bound.counted    with keeps_count the rows that come out of the early stage are as many as went in
 * Proof  bound.md
 */
#ifndef SC_QUERY_BOUND_H
#define SC_QUERY_BOUND_H

#include "base/hash.h"
#include "base/memory.h"
#include "data/value/contribution.h"
#include "random/bits.h"

#include <stdint.h>

/* Rows of a unit that are alike. */
typedef struct sc_unit_row {
    uint64_t copies;
    const unsigned char *content; /* the values, packed */
    uint32_t group;
    uint32_t alike; /* of distinct rows: how many were alike, up to UINT32_MAX */
} sc_unit_row;

/* Secret, and the same for all that bound rows of one query. */
typedef struct sc_bound_keys {
    sc_hash_key groups, rows;
} sc_bound_keys;

SCRIM_MUST_USE scrim_status sc_bound_keys_draw(sc_bound_keys *keys, sc_bits *bits,
                                               scrim_error *error);

typedef struct sc_bound_candidate {
    uint64_t priority;
    size_t place;
} sc_bound_candidate;

typedef struct sc_bound_heap {
    sc_bound_candidate *candidates;
    size_t capacity;
} sc_bound_heap;

/* One thread's tool. */
typedef struct sc_bound {
    sc_bound_keys keys;
    uint64_t max_groups, max_rows, max_total;
    /* In the early stage the rows of groups that go become one entry of such a group, so that the final stage knows how
     * many rows the unit had. */
    bool keeps_count;
    size_t content_bytes;
    sc_bound_heap group, whole; /* the candidates of a group, and of all */
    unsigned char *message;     /* what is hashed of a row */
} sc_bound;

/* Bounds that were left out do not limit. */
SCRIM_MUST_USE scrim_status sc_bound_init(sc_bound *bound, const sc_bound_keys *keys,
                                          const sc_bounds *bounds, size_t content_bytes,
                                          scrim_error *error);
void sc_bound_clear(sc_bound *bound);

typedef enum sc_bound_stage {
    SC_BOUND_FINAL,
    /* Groups of which no row stays go, as in the final stage, and the rows of others stay whatever their
     * number: bounding what is left in the final stage gives what bounding all rows does. */
    SC_BOUND_GROUPS,
    /* Others of the unit's rows are elsewhere: groups that cannot stay go, rows that are alike
     * become one with their number. Groups whose priorities are equal stay. */
    SC_BOUND_EARLY
} sc_bound_stage;

/* Where the rows of the group that begins here end, among rows of which those of a group lie side by
 * side. */
size_t sc_bound_group_end(const sc_unit_row *rows, size_t from, size_t count);

/* How many rows the entries stand for. */
uint64_t sc_bound_copies(const sc_unit_row *rows, size_t count);

/* Makes one entry of those that are alike, in the order of contents, and returns how many are left. */
size_t sc_bound_join(const sc_bound *bound, sc_unit_row *rows, size_t count);
/* Makes one row of those of a group that are alike, notes how many there were, and returns how many rows are left, those of a
 * group side by side. Bounding them is bounding the set of a unit's different rows. */
size_t sc_bound_distinct(const sc_bound *bound, sc_unit_row *rows, size_t count);
/* How many rows distinct ones stand for. */
uint64_t sc_bound_alike(const sc_unit_row *rows, size_t count);
/* By which a copy of a row stays in its group: the smallest ones do. */
uint64_t sc_bound_priority(const sc_bound *bound, uint64_t unit, uint64_t token,
                           const sc_unit_row *row, uint64_t copy);

/* Bounds the rows of one unit. unit is its hash and tokens are those of the groups; both are taken
 * for what they stand for. Rows come in any order; those that stay are put first, those of a
 * group side by side, with how many of their copies stay (at least 1), and *kept says how many
 * entries that are. But in the early stage the numbers of groups are in the order of their keys, which
 * decides between equal priorities. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_bound_unit(sc_bound *bound, sc_bound_stage stage,
                                          uint64_t unit, const uint64_t *tokens,
                                          sc_unit_row *rows, size_t count, size_t *kept,
                                          scrim_error *error);

#endif
