/* Rows on their way to their units: packed, and apart by the hash of the unit, so that all rows of
 * a unit lie in the same one of SC_UNIT_PARTS parts. Each worker fills a store of its own.
 *
 * A row is its unit, the number of its group and its values, packed into value_bytes. What is held
 * is wiped when it is given back.
 */
#ifndef SC_QUERY_UNIT_ROWS_H
#define SC_QUERY_UNIT_ROWS_H

#include "base/memory.h"
#include "base/text.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#define SC_UNIT_PARTS 256
/* The longest unit. */
#define SC_UNIT_BYTES 4096
/* Bytes behind a unit that are read with it, and behind the values that may be written. */
#define SC_UNIT_PADDING 16

typedef struct sc_unit_chunk sc_unit_chunk;
struct sc_unit_chunk {
    sc_unit_chunk *next; /* filled before this one */
    size_t used, capacity;
    unsigned char bytes[]; /* and SC_UNIT_PADDING more */
};

typedef struct sc_unit_part {
    sc_unit_chunk *chunks;   /* newest first */
    unsigned char *at, *end; /* what is free in the newest */
    uint64_t entries;
    size_t held_bytes; /* of its chunks */
} sc_unit_part;

typedef struct sc_unit_rows {
    sc_unit_part parts[SC_UNIT_PARTS];
    size_t value_bytes;
    atomic_size_t held_bytes; /* of all chunks; parts may be of several threads */
} sc_unit_rows;

void sc_unit_rows_init(sc_unit_rows *rows, size_t value_bytes);
void sc_unit_rows_clear(sc_unit_rows *rows);
/* Gives back what a part holds. */
void sc_unit_rows_clear_part(sc_unit_rows *rows, size_t part);

/* Room in a part for so many entries that were written elsewhere, bytes in all and at least 1, which
 * the caller copies to where it points. NULL: no memory. */
unsigned char *sc_unit_rows_attach(sc_unit_rows *rows, size_t part, uint64_t entries,
                                   size_t bytes);

/* Gives each of two stores the other's part. */
void sc_unit_rows_exchange_part(sc_unit_rows *a, sc_unit_rows *b, size_t part);

/* Which part a unit's rows lie in. */
static inline size_t sc_unit_rows_part(uint64_t hash)
{
    return (size_t)(hash >> 56);
}

/* An entry: its head (the length of the unit less one, and whether a number of copies is there),
 * the group, the values, the copies if they are not one, the unit. */
#define SC_UNIT_HEAD_COPIES 0x8000u
#define SC_UNIT_HEAD_BYTES (sizeof(uint16_t) + sizeof(uint32_t))

/* Makes a part's newest chunk have room for so many bytes. False: no memory. */
bool sc_unit_rows_make_room(sc_unit_rows *rows, sc_unit_part *part, size_t bytes);

/* Adds an entry to the part of its unit's hash. SC_UNIT_PADDING bytes behind the unit and the
 * values are readable. False: no memory. */
static inline bool sc_unit_rows_add(sc_unit_rows *rows, uint64_t hash, sc_text unit,
                                    uint32_t group, uint64_t copies,
                                    const unsigned char *values)
{
    sc_unit_part *part = &rows->parts[sc_unit_rows_part(hash)];
    const bool has_copies = __builtin_expect(copies != 1, 0);
    const size_t bytes = SC_UNIT_HEAD_BYTES + rows->value_bytes +
                         (has_copies ? sizeof copies : 0) + unit.bytes;
    if (__builtin_expect((size_t)(part->end - part->at) < bytes, 0) &&
        !sc_unit_rows_make_room(rows, part, bytes))
        return false;
    unsigned char *at = part->at;
    const uint16_t head =
        (uint16_t)((unit.bytes - 1) | (has_copies ? SC_UNIT_HEAD_COPIES : 0));
    memcpy(at, &head, sizeof head);
    memcpy(at + sizeof head, &group, sizeof group);
    at += SC_UNIT_HEAD_BYTES;
    /* What is written too far here is written over by what follows. */
    if (__builtin_expect(rows->value_bytes <= 8, 1))
        memcpy(at, values, 8);
    else if (__builtin_expect(rows->value_bytes <= SC_UNIT_PADDING, 1))
        memcpy(at, values, SC_UNIT_PADDING);
    else
        memcpy(at, values, rows->value_bytes);
    at += rows->value_bytes;
    if (has_copies) {
        memcpy(at, &copies, sizeof copies);
        at += sizeof copies;
    }
    if (__builtin_expect(unit.bytes <= 8, 1))
        memcpy(at, unit.start, 8);
    else if (__builtin_expect(unit.bytes <= SC_UNIT_PADDING, 1))
        memcpy(at, unit.start, SC_UNIT_PADDING);
    else
        memcpy(at, unit.start, unit.bytes);
    part->at = at + unit.bytes;
    part->entries++;
    return true;
}

/* An entry as it is read. */
typedef struct sc_unit_entry {
    const unsigned char *values;
    sc_text unit;
    uint64_t copies;
    uint32_t group;
} sc_unit_entry;

/* Walks through a part. Nothing may be added meanwhile. */
typedef struct sc_unit_walk {
    const sc_unit_chunk *chunk;
    const unsigned char *at, *end;
    size_t value_bytes;
} sc_unit_walk;

sc_unit_walk sc_unit_walk_begin(const sc_unit_rows *rows, size_t part);
/* Goes on to the next chunk. False at the end. */
bool sc_unit_walk_chunk(sc_unit_walk *walk);

static inline bool sc_unit_walk_next(sc_unit_walk *walk, sc_unit_entry *entry)
{
    uint16_t head;
    if (__builtin_expect(walk->at == walk->end, 0) && !sc_unit_walk_chunk(walk))
        return false;
    const unsigned char *at = walk->at;
    memcpy(&head, at, sizeof head);
    memcpy(&entry->group, at + sizeof head, sizeof entry->group);
    entry->values = at + SC_UNIT_HEAD_BYTES;
    at = entry->values + walk->value_bytes;
    entry->copies = 1;
    if (__builtin_expect((head & SC_UNIT_HEAD_COPIES) != 0, 0)) {
        memcpy(&entry->copies, at, sizeof entry->copies);
        at += sizeof entry->copies;
    }
    entry->unit = (sc_text){(const char *)at, (head & (SC_UNIT_HEAD_COPIES - 1)) + 1u};
    walk->at = at + entry->unit.bytes;
    return true;
}

#endif
