/* A grouping that is not finished, as bytes: written in one process, merged in another, or into the
 * grouping of other rows of the same table.
 *
 *     sc_grouping_write(part, put, context, &error);       // instead of finish
 *     sc_grouping_merge(whole, bytes, &error);             // as often as there are parts
 *     sc_grouping_finish(whole, &groups, &error);
 *
 * The bytes hold rows and the keys of bounding: they are as secret as the table, and as trusted as
 * memory is. They are of this machine's order of bytes, and no format for keeping.
 *
 * Claim  group-state.same  finishing what was merged gives what one grouping of all rows gives
 */
#ifndef SC_QUERY_GROUP_STATE_H
#define SC_QUERY_GROUP_STATE_H

#include "query/pass/group.h"

/* Takes the next bytes. False ends the writing, with SCRIM_E_INPUT. */
typedef bool sc_grouping_put(void *context, const void *bytes, size_t count);

/* Writes what the grouping has, and takes it away: it can only be freed afterwards. SCRIM_E_STATE
 * when it is finished, or its plan lets it hold some keys only; SCRIM_E_MEMORY, SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_grouping_write(sc_grouping *grouping, sc_grouping_put *put,
                                              void *context, scrim_error *error);

/* Adds what was written to a grouping of the same plan, where only workers and memory may differ.
 * One that was given no rows yet takes the written keys of bounding for its own; those of others
 * must be the same. One thread. SCRIM_E_PARAM when plan or keys are others, SCRIM_E_INPUT when the
 * bytes are none that were written, SCRIM_E_STATE, SCRIM_E_MEMORY, SCRIM_E_ENTROPY: then the
 * grouping is good for nothing but to be freed. */
SCRIM_MUST_USE scrim_status sc_grouping_merge(sc_grouping *grouping, sc_text bytes,
                                              scrim_error *error);

#endif
