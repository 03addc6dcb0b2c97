/* Groups whose keys are discovered and do not all fit into memory.
 *
 * Each worker holds as many keys as the plan says. Rows of others are "far": their keys are known by
 * an identity of two keyed hashes, and go to a log (part_log.h) with their texts. When all rows are
 * there and the keys are more than fit, all of them are far: rows are bounded by unit as ever, what
 * stays is logged by the part of its key, and groups are made one part after another. So the memory
 * does not grow with the number of keys, and neither one row nor one unit with many keys decides
 * whether it suffices.
 *
 * Whether keys fit depends on the keys and on nothing else: on neither the order of rows nor the
 * workers. Different keys have the same identity with a probability below 2^-80 for 10^7 of them, as
 * the keys of the hashes are secret and drawn for the query; that is SCRIM_E_INTERNAL.
 *
 * Claim  group-parts.same  the groups of all parts are those of a grouping that holds all keys, each in
 *                          one part, and in bytewise order within it (A73, A88)
 */
#ifndef SC_QUERY_GROUP_PARTS_H
#define SC_QUERY_GROUP_PARTS_H

#include "query/rows/grouping.h"

/* Far keys of one worker. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_grouping_far_new(const sc_grouping *grouping,
                                                sc_grouping_far **out,
                                                scrim_error *error);

/* Is there room for a key in what a worker holds? */
bool sc_grouping_fits(const sc_grouping *grouping, const sc_key_set *keys, sc_text key);

/* Takes a row, whose values are packed, of a key that does not fit. SCRIM_E_MEMORY,
 * SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_grouping_take_far(const sc_grouping *grouping,
                                                 sc_grouping_worker *state,
                                                 const sc_group_rows *rows, size_t row,
                                                 const unsigned char *packed,
                                                 scrim_error *error);

/* After the last row, where keys do not fit: bounds and logs all of them. SCRIM_E_MEMORY,
 * SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_grouping_part_all(sc_grouping *grouping,
                                                 scrim_error *error);

/* After that: how many parts the groups come in; 0: all groups are there. */
size_t sc_grouping_parts(const sc_grouping *grouping);
/* In which part a key is. */
size_t sc_grouping_part_of(const sc_grouping *grouping, sc_text key);
/* The groups of a part, in bytewise order, until the next call. SCRIM_E_MEMORY, SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_grouping_part(sc_grouping *grouping, size_t part,
                                             sc_groups *out, scrim_error *error);

#endif
