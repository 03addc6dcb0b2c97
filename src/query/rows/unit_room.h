/* The rows that one worker holds, within a limit of memory.
 *
 * When they take more, rows that bounding would drop in any case are dropped early (sc_unit_shrink). If units have many
 * rows, the rest grows only with the number of units and groups. If they have few, that does not help, and rows go to a
 * file (unit_spill.h), from which parts come back one by one.
 *
 * Claim  unit-room.limit  after sc_unit_room_empty rows take at most half of the limit, or of
 *                         SC_UNIT_ROOM_LEAST where that is more
 * Claim  unit-room.same   bounding what comes back in the end gives what bounding all rows would have given
 */
#ifndef SC_QUERY_UNIT_ROOM_H
#define SC_QUERY_UNIT_ROOM_H

#include "query/rows/key_set.h"
#include "query/rows/unit_spill.h"
#include "query/rows/unit_table.h"

/* Less than that is not worth a file. */
#define SC_UNIT_ROOM_LEAST ((size_t)1 << 20)

typedef struct sc_unit_room {
    sc_unit_rows rows;
    size_t most_bytes;
    size_t full_bytes;    /* when to make room next: the more, the more was left */
    sc_sealed_file *file; /* borrowed */
    sc_unit_spill *spill; /* NULL: nothing was written */
} sc_unit_room;

/* value_bytes and group_bytes are as for sc_unit_rows_init. The file may be that of others too. */
void sc_unit_room_init(sc_unit_room *room, size_t value_bytes, size_t group_bytes,
                       size_t most_bytes, sc_sealed_file *file);
void sc_unit_room_clear(sc_unit_room *room);

static inline bool sc_unit_room_is_full(const sc_unit_room *room)
{
    return room->rows.held_bytes > room->full_bytes;
}

/* Makes room. bound and the others are as for sc_unit_shrink. SCRIM_E_MEMORY, SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_unit_room_empty(sc_unit_room *room, sc_bound *bound,
                                               const sc_key_set *keys,
                                               const sc_value_key *hash_key,
                                               scrim_error *error);

/* Makes all of a part be in room->rows, when no more rows come. Threads may ask for different
 * parts at the same time, each with a cipher of its own, which is opened where one is needed
 * and is the caller's to close. SCRIM_E_MEMORY, SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_unit_room_gather(sc_unit_room *room, size_t part,
                                                sc_cipher **cipher, scrim_error *error);

/* Drops rows early: the rows of each unit in a store are bounded as far as possible while more may come (SC_BOUND_EARLY).
 * So what is held grows with units, groups and different rows, and not with the number of rows.
 *
 * Claim  unit-shrink.same  bounding what is left gives what bounding all rows would have given
 */

/* Shrinks the parts from `from` up to the one before `end`. keys are those that the groups' numbers in rows stand for; hash_key is
 * the key of their hashes and of those of units. SCRIM_E_MEMORY: some parts may have been shrunk, the others are unchanged. */
SCRIM_MUST_USE scrim_status sc_unit_shrink(sc_unit_rows *rows, size_t from, size_t end,
                                           sc_bound *bound, const sc_key_set *keys,
                                           const sc_value_key *hash_key,
                                           scrim_error *error);

#endif
