/* Groups whose keys are discovered and do not all fit into memory.
 *
 * Each worker holds as many keys in memory as the plan says. The other keys are "unheld": they are identified by
 * two keyed hashes, and their rows and texts go to a log (part_log.h). If at the end more keys were found than
 * fit, all keys become unheld: rows are bounded by unit as always, the rows that survive are logged by the part of
 * their key, and groups are made one part after another. So the memory does not grow with the number of keys, and
 * neither one row nor one unit with many keys decides whether it suffices.
 *
 * Whether keys fit depends on the set of keys alone: neither on the order of rows nor on the workers. Different
 * keys have the same identity with a probability below 2^-80 for 10^7 of them, as
 * the keys of the hashes are secret and drawn for the query; that is SCRIM_E_INTERNAL.
 *
 * Claim  group-parts.same  the groups of all parts are those of a grouping that holds all keys, each in
 *                          one part, and in bytewise order within it (A73, A88)
 */
#ifndef SC_QUERY_GROUP_PARTS_H
#define SC_QUERY_GROUP_PARTS_H

#include "query/rows/grouping.h"

/* The unheld keys of one worker. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_grouping_unheld_new(const sc_grouping *grouping,
                                                   sc_grouping_unheld **out,
                                                   scrim_error *error);

/* May a worker add this key to those that it holds? */
bool sc_grouping_fits(const sc_grouping *grouping, const sc_key_set *keys, sc_text key);

/* Takes a row, whose values are packed, of a key that does not fit. SCRIM_E_MEMORY,
 * SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_grouping_take_unheld(const sc_grouping *grouping,
                                                    sc_grouping_worker *state,
                                                    const sc_group_rows *rows, size_t row,
                                                    const unsigned char *packed,
                                                    scrim_error *error);

/* After the last row, if the keys do not fit: bounds and logs the rows of all of them. SCRIM_E_MEMORY,
 * SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_grouping_part_all(sc_grouping *grouping,
                                                 scrim_error *error);

/* After sc_grouping_finish: how many parts the groups come in; 0: it has returned all groups. */
size_t sc_grouping_parts(const sc_grouping *grouping);
/* The part that has the group of a key. */
size_t sc_grouping_part_of(const sc_grouping *grouping, sc_text key);
/* The groups of a part, in bytewise order, until the next call. SCRIM_E_MEMORY, SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_grouping_part(sc_grouping *grouping, size_t part,
                                             sc_groups *out, scrim_error *error);

#endif
