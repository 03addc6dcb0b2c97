/* The rows of one part, brought together by unit: sc_unit_table_fill finds out who is who and puts
 * each unit's rows side by side, ready to be bounded. Units are the same when their bytes are.
 *
 * Units are found through chains: those that fit a word by the upper bits of a product with an odd
 * word of the key, others by their hashes, as keys are (key_set.h). Of two units that were chosen
 * without knowing the key, the chains are the same with at most twice the probability of chance
 * (Dietzfelbinger, Hagerup, Katajainen, Penttonen 1997), so that nobody can prepare slow ones (A62).
 * A table belongs to one thread, and is filled again and again.
 */
#ifndef SC_QUERY_UNIT_TABLE_H
#define SC_QUERY_UNIT_TABLE_H

#include "data/value/value.h"
#include "query/rows/bound.h"
#include "query/rows/unit_rows.h"

/* A unit's entries are rows[start] to rows[end - 1]. */
typedef struct sc_unit {
    uint64_t hash;
    sc_text text;
    uint32_t start, end;
} sc_unit;

/* The part of a unit that is looked at to find it. */
typedef struct sc_unit_link {
    uint64_t word; /* of one that fits a word; of others the hash */
    uint32_t next; /* of its chain */
    uint32_t entries;
} sc_unit_link;

typedef struct sc_unit_table {
    sc_unit *units;
    sc_unit_link *links; /* by unit */
    uint32_t *ends;      /* by unit: where its next row goes */
    size_t unit_count;
    size_t first_text;               /* the first of the units that fit no word */
    size_t most_units, most_entries; /* that there were */
    sc_unit_row *rows;
    uint32_t *owners; /* by arrival: the number of the unit */
    size_t capacity;  /* of all of these, and of heads */
    uint32_t *heads;
    unsigned chain_bits; /* there are 2^chain_bits chains */
} sc_unit_table;

/* The rows that one worker has stored, and what its numbers of groups are called here. */
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
