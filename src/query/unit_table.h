/* The rows of one part, brought together by unit: sc_unit_table_fill finds out who is who and puts
 * each unit's rows side by side, ready to be bounded. Units are the same when their bytes are.
 *
 * Units are found by their hashes through chains, as keys are (key_set.h). A table belongs to one
 * thread, and is filled again and again.
 */
#ifndef SC_QUERY_UNIT_TABLE_H
#define SC_QUERY_UNIT_TABLE_H

#include "data/value_hash.h"
#include "query/bound.h"
#include "query/unit_rows.h"

/* A unit's entries are rows[start] to rows[end - 1]. */
typedef struct sc_unit {
    uint64_t hash;
    sc_text text;
    uint64_t word; /* sc_key_word of it */
    uint32_t start, end;
    uint32_t next; /* of its chain */
} sc_unit;

typedef struct sc_unit_table {
    sc_unit *units;
    size_t unit_count;
    sc_bound_row *rows;
    uint32_t *owners; /* by arrival: the number of the unit */
    size_t capacity;  /* of all three */
    uint32_t *heads;
    size_t chains; /* a power of two */
} sc_unit_table;

/* What one worker has stored, and what its numbers of groups are called here. */
typedef struct sc_unit_share {
    const sc_unit_rows *rows;
    const uint32_t *groups; /* NULL: as they are */
} sc_unit_share;

/* Zeros are an empty table. */
void sc_unit_table_clear(sc_unit_table *table);

/* Takes one part of all shares, which must stay as they are meanwhile. key is that of the units'
 * hashes. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_unit_table_fill(sc_unit_table *table,
                                               const sc_unit_share *shares,
                                               size_t share_count, size_t part,
                                               const sc_value_key *key,
                                               scrim_error *error);

#endif
